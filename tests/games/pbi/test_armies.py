"""Army lists, points, the builder that explains, and building an army at the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from pbi_support import do, legal

import sandtable
from sandtable.cli import main
from sandtable.engine import Match
from sandtable.games.pbi.actions import Dismiss, Enlist, Ready, TakeAsset
from sandtable.games.pbi.armies import Army, Recruited, army_points, check_army, enlist, raise_army
from sandtable.games.pbi.battles import battle_position
from sandtable.games.pbi.catalogue import KINDS, NATIONS, QUALITIES, lists
from sandtable.games.pbi.generator import generator_dice


def company(*units: str, nation: str = "us", points: int = 400, assets: tuple[str, ...] = ()) -> Army:
    return Army(nation, "average", "", points, tuple(Recruited(unit) for unit in units), assets)


def test_every_value_is_marked_as_a_house_value_and_lies_in_its_band() -> None:
    assert lists().source == "house"
    for kind in KINDS.values():
        assert 0 <= kind.gun <= 12
        assert 0 <= kind.armour <= 12
        assert kind.points > 0
        assert kind.he in (0, 1, 2, 3)
        assert bool(kind.gun) == bool(kind.he)
        assert not (kind.foot and kind.he)


@pytest.mark.parametrize("nation", NATIONS)
def test_every_list_has_foot_weapons_guns_and_vehicles(nation: str) -> None:
    entries = lists().nations[nation].units
    assert {entry.kind for entry in entries} == {"platoon", "weapons", "guns", "vehicles"}
    for entry in entries:
        assert set(entry.kinds) <= set(KINDS)
        assert entry.points("raw") < entry.points("average") < entry.points("veteran")
        officers = [name for section in entry.sections for name in section if name.endswith("*")]
        assert len(officers) == (1 if entry.kind in ("platoon", "weapons") else 0)


def test_points_add_up() -> None:
    army = company("rifles", "rifles", assets=("barrage",))
    platoon = lists().entry("us", "rifles")
    assert platoon is not None
    assert army_points(army) == 12 + 2 * platoon.points("average") + 30


def test_a_unit_may_be_better_than_its_army_and_costs_what_it_is() -> None:
    """An average army with one veteran platoon, within its points to the last of them."""
    platoon = lists().entry("us", "rifles")
    assert platoon is not None
    cost = 12 + platoon.points("average") + platoon.points("veteran")
    army = Army("us", "average", "", cost, (Recruited("rifles"), Recruited("rifles", "veteran")))
    assert army_points(army) == cost
    assert check_army(army) == []
    assert "leave out 1 or more" in check_army(replace(army, points=cost - 1))[0].sentence


@pytest.mark.parametrize(
    ("army", "words"),
    [
        (company("rifles"), "needs at least 2 platoons"),
        (company("rifles", "rifles", "rifles", "rifles", "rifles"), "at most 4"),
        (company("rifles", "rifles", "shermans", "m10"), "4 tanks and may have at most 3"),
        (company("rifles", "rifles", points=100), "leave out"),
        (company("rifles", "rifles", "grenadiers"), "has no 'grenadiers'"),
        (company("rifles", "rifles", assets=("smoke",) * 4), "at most 3"),
        (company("rifles", "rifles", assets=("luck",)), "no asset 'luck'"),
        (company("rifles", nation="roman"), "no list for 'roman'"),
    ],
)
def test_the_builder_explains_what_is_wrong(army: Army, words: str) -> None:
    assert any(words in problem.sentence for problem in check_army(army))


def test_a_file_that_is_no_army_gets_a_sentence() -> None:
    assert "does not describe an army" in check_army({"nation": "us", "units": 3})[0].sentence
    assert check_army({"nation": "us", "units": [{"entry": "rifles"}, {"entry": "rifles"}]}) == []


@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.parametrize("points", [250, 400])
def test_raised_armies_are_in_order(nation: str, points: int) -> None:
    for seed in range(5):
        for quality in QUALITIES:
            army = raise_army(generator_dice(seed, "test"), nation, quality, points)
            assert check_army(army) == []


def test_mounted_men_are_in_their_transports() -> None:
    _, pieces = enlist("attacker", company("armored", "rifles"), mounted=True)
    aboard = [piece for piece in pieces if piece.within]
    assert len(aboard) == 10
    assert {piece.unit for piece in aboard} == {"a1"}


def built() -> Match:
    options = {"armies": "built", "first": "us", "second": "german", "attacks": "first army", "points": "250"}
    return sandtable.new("pbi/generated", seed=3, options=options)


def test_armies_are_built_at_the_table_defender_first() -> None:
    match = built()
    assert match.to_act == ("defender",)
    assert not legal(match, Ready)
    do(match, Enlist("grenadiers", "average"), TakeAsset("smoke"), Dismiss(), Enlist("volkssturm", "raw"))
    panel = match.view("defender")["panels"][0]
    assert any("of 250 points" in row.get("value", "") for row in panel["rows"])
    do(match, Ready())
    assert match.to_act == ("attacker",)
    do(match, Enlist("rifles", "raw"), Enlist("rifles", "raw"), Ready())
    assert {unit.name for unit in match.state.units.values() if unit.side == "defender"} == {
        "Company commander",
        "Grenadier platoon",
        "Volkssturm platoon",
    }


def test_two_armies_of_ones_own_make_a_position() -> None:
    position = battle_position(company("rifles", "rifles", "shermans"), company("rifles", "rifles"), {"table": "4"})
    match = sandtable.new(position, seed=1)
    assert match.to_act == ("defender",)
    assert len([unit for unit in match.state.units.values() if unit.side == "attacker" and unit.off]) == 2


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('nation = "us"\nunits = [{ entry = "rifles" }, { entry = "rifles" }]\n', encoding="utf-8")
    bad.write_text('nation = "us"\nunits = [{ entry = "rifles" }]\n', encoding="utf-8")
    assert main(["army", "check", str(good)]) == 0
    assert "in order" in capsys.readouterr().out
    assert main(["army", "check", str(bad)]) == 1
    assert "needs at least 2 platoons" in capsys.readouterr().out
    assert main(["army", "lists", "japanese", "--json"]) == 0
    assert '"naval"' in capsys.readouterr().out
    out = tmp_path / "battle.toml"
    assert main(["army", "battle", str(good), str(good), "--out", str(out), "--table", "9"]) == 0
    assert sandtable.new(out, seed=1).to_act == ("defender",)
    assert main(["army", "battle", str(good), str(bad), "--out", str(out)]) == 2
    assert main(["army", "lists", "roman"]) == 2
