"""Every ruling that the tables name is written down, and every ruling of the tables is named in the data."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from sasl_support import mission_without_suspects, playing

from sandtable.engine.registry import register
from sandtable.games.asl.concealment.switches import ConcealmentRules
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.terrain.claims import DONE, ClaimWall, LeaveWall, WallChoice
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.sasl import GAME
from sandtable.games.sasl.enemy import deciding
from sandtable.games.sasl.model import ENEMY
from sandtable.games.sasl.rule_options import FULL

register(GAME)

DATA = Path(__file__).parents[3] / "src/sandtable/games/sasl/tables/data"
FIRST_OF_PLAY = 39
"""Rulings from here on are about procedures, not about tables."""
DOC = Path(__file__).parents[3] / "docs/rulings/sasl.md"


def test_the_data_and_the_page_name_the_same_rulings() -> None:
    written = re.findall(r"^\*\*(SA-\d+)\.", DOC.read_text("utf-8"), flags=re.MULTILINE)
    named = {ruling for path in DATA.rglob("*.toml") for ruling in re.findall(r"SA-\d+", path.read_text("utf-8"))}
    assert len(written) == len(set(written))
    tables = [one for one in written if int(one.partition("-")[2]) < FIRST_OF_PLAY]
    assert len(tables) == 38
    assert set(tables) == named


def rulings(name: str) -> dict[str, str]:
    """The entries of a page of rulings by their numbers."""
    text = (DOC.parent / name).read_text("utf-8")
    return {one.partition(".")[0][2:]: one for one in re.split(r"^(?=\*\*[A-Z]{1,2}-\d)", text, flags=re.MULTILINE)[1:]}


@pytest.mark.parametrize("name", ["sasl.md", "asl.md"])
def test_every_ruling_says_how_sure_it_is(name: str) -> None:
    for number, ruling in rulings(name).items():
        assert "Confidence:" in ruling, number
        assert "Source:" in ruling, number


def test_every_ruling_on_play_is_an_option_or_says_why_not() -> None:
    options = {one.id for card in GAME.cards.values() for one in GAME.options_of(card)}
    (without,) = re.findall(r"^No other reading.*?\n\n", DOC.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    excused = {f"SA-{number}" for number in re.findall(r"\b(\d+)\b", without)}
    for number, ruling in rulings("sasl.md").items():
        if int(number.removeprefix("SA-")) < FIRST_OF_PLAY:
            continue
        named = {
            name for words in re.findall(r"[Oo]ptions? ([^;:.]*)", ruling) for name in re.findall(r"`(\w+)", words)
        }
        assert named & options or number in excused, number


def test_every_option_that_names_a_ruling_says_how_sure_it_is() -> None:
    pages = rulings("sasl.md") | rulings("asl.md")
    for option in {one.id: one for card in GAME.cards.values() for one in GAME.options_of(card)}.values():
        for number in re.findall(r"\b(?:SA|[A-Z])-\d+", option.help):
            assert number in pages, option.id
            assert "confidence " in option.help, option.id
            (shown,) = re.findall(r"confidence (\w+)", option.help)
            assert f"Confidence: {shown}" in " ".join(pages[number].split()), f"{option.id}: {number}"


UNASKED = {"storeys_absent", "entrenching", "partisans_dig", "nations", "sides_without"}


@pytest.mark.parametrize("kind", [TerrainRules, WorksRules, ConcealmentRules, MolotovRules])
def test_every_switch_of_the_full_rules_is_an_option(kind: type[msgspec.Struct]) -> None:
    """But for parts that are not played yet, and for what chapter S itself settles."""
    for name in set(kind.__struct_fields__) - {
        "storeys_absent",
        "entrenching",
        "partisans_dig",
        "nations",
        "sides_without",
    }:
        (option,) = [one for one in FULL if one.id == name]
        assert option.reading
        (number,) = re.findall(r"ruling ([A-Z]-\d+), confidence", option.help)
        assert name in rulings("asl.md")[number]
        for value in option.values:
            assert getattr(GAME.rules_for({name: value}).of(kind), name) is (value == "on")
        preset = getattr(kind(), name)
        assert option.values[0] == ("on" if preset else "off"), "the default changes nothing"


@pytest.mark.rule("B9.322")
def test_the_enemy_claims_every_wall_that_it_may() -> None:
    wall = ClaimWall(7)
    state = mission_without_suspects()
    assert deciding.decide(playing(state), WallChoice(ENEMY), [LeaveWall(3), wall, DONE]) == wall
    assert deciding.decide(playing(state), WallChoice(ENEMY), [LeaveWall(3), DONE]) == DONE
