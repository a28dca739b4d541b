"""The index of rules: every numbered rule of the booklet, in its order, and the sections of the guide."""

from __future__ import annotations

import random
import tomllib
from importlib import resources

import pytest

import sandtable
from sandtable.engine import Rolled, get_game
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.rulesets import GUIDE

CHAPTERS = {
    1: "1.1 1.1.1 1.2 1.2.1 1.2.2 1.2.3 1.2.4 1.2.4.1 1.2.5 1.2.6 1.3 1.4",
    2: "2.0",
    3: "3.0 3.1 3.2 3.2.1 3.2.2 3.2.3 3.2.4 3.2.5 3.3 3.3.1 3.4 3.5 3.6 3.7 3.8 3.9",
    4: "4.0 4.1 4.2 4.3 4.4 4.4.1 4.4.2 4.5",
    5: "5.1 5.2 5.3 5.4 5.5",
    6: "6.0 6.1 6.2 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11 6.12",
}


def index(game: str) -> dict[str, str]:
    """The titles of a game's rules."""
    text = resources.files("sandtable.games").joinpath(game, "rules.toml").read_text("utf-8")
    rules: dict[str, str] = tomllib.loads(text)["rules"]
    return rules


def test_every_numbered_rule_of_the_starter_kit_is_listed() -> None:
    assert list(index("aslsk2")) == " ".join(CHAPTERS.values()).split()


def test_the_sections_of_the_guide_are_numbered_through() -> None:
    assert list(index("aslguide")) == [f"G{number}" for number in range(1, 38)]


@pytest.mark.parametrize("game", ["aslsk2", "aslguide"])
def test_titles_are_short_and_differ(game: str) -> None:
    titles = list(index(game).values())
    assert len(set(titles)) == len(titles)
    assert all(3 < len(title) <= 130 for title in titles)


def test_every_rule_that_a_game_of_the_guide_cites_leads_to_its_sections() -> None:
    match = sandtable.new("aslguide/intro", seed=3)
    source = random.Random(3)
    cited: set[str] = set()
    while match.to_act:
        side = match.to_act[0]
        actions = match.actions(side).all
        action = actions[int(source.random() * len(actions))]
        cited |= {match.view(side).get("prompt_rule", ""), match.describe(side, action).rule}
        cited |= {refusal.rule for refusal in match.refusals(side)}
        tallies = [event.tally for event in match.apply(side, action) if isinstance(event, Rolled) and event.tally]
        cited |= {item.rule for tally in tallies for item in tally.items}
    assert len(cited) > 10
    assert cited - {""} <= set(get_game("aslguide").cited_rules())


def test_a_game_cites_its_own_rules_and_those_that_the_shared_rules_name() -> None:
    made = SquadGame("made", "Made", GUIDE, tuple, {"M1": "Its own"}, {"3.1": "M1 Its own"})
    assert dict(made.cited_rules()) == {"M1": "Its own", "3.1": "M1 Its own"}
    assert dict(made.rule_titles()) == {"M1": "Its own"}
