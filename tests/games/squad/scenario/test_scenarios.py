"""Scenario files: what ships is right, what is wrong is explained, balance options change what they say."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

import sandtable
from sandtable import cli
from sandtable.games.squad.cards.lines import Lines
from sandtable.games.squad.cards.scenario import (
    Area,
    Change,
    Entry,
    Group,
    GunSpacing,
    MapPlan,
    NoEnemyLeft,
    Scenario,
    SpecialRule,
    Turns,
    UnitLine,
    VictoryCondition,
)
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.scenario.check import Checker, check_text
from sandtable.games.squad.scenario.files import (
    GAMES,
    ScenarioError,
    apply_balance,
    check_scenario,
    load_scenario,
    scenario_names,
    season_of,
)

SECOND: dict[str, Any] = tomllib.loads((Path(__file__).parent / "orders_of_battle.toml").read_text("utf-8"))
SHIPPED = [f"{game}/{name}" for game in GAMES for name in scenario_names(game)]


def text_of(name: str) -> str:
    """The file of a scenario that ships."""
    game, short = name.split("/")
    return resources.files("sandtable.games").joinpath(game, "scenarios", f"{short}.toml").read_text("utf-8")


S9 = text_of("aslsk2/S9")


def numbers(group: Group) -> dict[str, int]:
    """Counters of a group and how many."""
    found: dict[str, int] = {}
    for line in group.units:
        found[line.unit] = found.get(line.unit, 0) + line.count
    return found


@pytest.mark.rule("1.3")
def test_all_scenarios_ship() -> None:
    assert scenario_names("aslsk2") == ("S9", "S10", "S11", "S12", "S13", "S14", "S15", "S16")
    assert scenario_names("aslguide") == ("intro",)


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_has_no_problem(name: str) -> None:
    assert check_text(text_of(name)) == []


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_still_holds_with_both_balance_options(name: str) -> None:
    scenario = load_scenario(name)
    sides = [balance.side for balance in scenario.balance]
    assert len(sides) == (2 if name.startswith("aslsk2") else 1)
    for chosen in ([side] for side in sides):
        balanced = apply_balance(scenario, chosen)
        assert balanced != scenario
        assert Checker(replace(balanced, balance=()), Lines("")).run() == []
    both = replace(apply_balance(scenario, sides), balance=())
    assert Checker(both, Lines("")).run() == []


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("name", [name for name in SECOND if name != "weapons"])
def test_orders_of_battle_as_read_again(name: str) -> None:
    scenario = load_scenario(name)
    assert {group.id: numbers(group) for group in scenario.groups} == SECOND[name]


@pytest.mark.rule("1.2.4")
@pytest.mark.parametrize("nation", SECOND["weapons"])
def test_weapons_of_the_cards_as_read_again(nation: str) -> None:
    for name, (fp, distance) in SECOND["weapons"][nation].items():
        weapon = counters.weapon(nation, name)
        assert (weapon.fp, weapon.range) == (fp, distance)


@pytest.mark.rule("1.3")
@pytest.mark.parametrize(
    ("name", "turns", "first", "elrs"),
    [
        ("S9", 6, "allied", {"italian": 1, "american": 5, "british": 3}),
        ("S10", 6, "italian", {"italian": 2, "greek": 3, "flank": 3}),
        ("S11", 7, "german", {"american": 2, "german": 2}),
        ("S12", 7, "german", {"infantry": 2, "guns": 2, "relief": 2, "german": 3}),
        ("S13", 6, "german", {"british": 3, "australian": 3, "greek": 3, "german": 5}),
        ("S14", 6, "american", {"german": 3, "first_battalion": 5, "second_battalion": 5}),
        ("S15", 7, "german", {"american": 3, "engineers": 3, "german": 3}),
        ("S16", 6, "french", {"third_company": 4, "german": 3, "second_company": 4}),
        ("intro", 5, "russian", None),
    ],
)
def test_length_order_and_elr(name: str, turns: int, first: str, elrs: dict[str, int] | None) -> None:
    scenario = load_scenario(name)
    assert (scenario.turns.count, scenario.turns.half, scenario.moves_first) == (turns, False, first)
    if elrs is not None:
        assert {group.id: group.elr for group in scenario.groups} == elrs


@pytest.mark.rule("1.1.1")
def test_seasons_by_date_and_by_special_rule() -> None:
    found = {name: season_of(load_scenario(name)) for name in ("S9", "S10", "S13", "S15")}
    assert [(season.grain, season.orchard) for season in found.values()] == [
        (True, True),
        (True, False),
        (True, True),
        (False, False),
    ]


def test_reconstructed_counters_say_so_in_the_description() -> None:
    for name in SHIPPED:
        scenario = load_scenario(name)
        marks = {line.status for group in scenario.groups for line in group.units}
        if marks - {"printed"}:
            assert scenario.reconstructed, name


@pytest.mark.rule("1.3")
class TestBalance:
    """Balance options do what they say."""

    def with_help(self, name: str, side: str) -> Scenario:
        return apply_balance(load_scenario(name), [side])

    def test_more_weapons(self) -> None:
        assert numbers(self.with_help("S9", "italian").group("italian"))["MMG"] == 2
        german = numbers(self.with_help("S15", "german").group("german"))
        assert (german["PSK"], german["LMG"]) == (2, 4)
        assert numbers(self.with_help("S14", "german").group("german"))["MMG"] == 1

    def test_another_leader(self) -> None:
        german = numbers(self.with_help("S13", "german").group("german"))
        assert german["9-2"] == 1
        assert "9-1" not in german

    def test_another_turn_of_entry(self) -> None:
        entry = self.with_help("S9", "allied").group("british").entry
        assert entry is not None
        assert entry.turn == 3

    def test_other_entry_dice(self) -> None:
        entry = self.with_help("S10", "greek").group("flank").entry
        assert entry is not None
        assert [(roll.turn, roll.number) for roll in entry.rolls] == [(2, 3), (3, 6)]

    def test_longer_games_and_smaller_maps(self) -> None:
        assert self.with_help("S12", "german").turns.count == 8
        half = self.with_help("S16", "french").turns
        assert (half.count, half.half) == (6, True)
        assert self.with_help("S10", "italian").map.boards[0].hexrows == "A-Y"

    def test_another_victory_area(self) -> None:
        condition = self.with_help("S15", "american").conditions[0]
        assert isinstance(condition, NoEnemyLeft)
        assert condition.area.within == 3

    def test_unknown_sides_are_refused(self) -> None:
        with pytest.raises(ScenarioError, match="S9 has no balance option for 'german'"):
            self.with_help("S9", "german")


def problems(old: str, new: str, *, text: str = S9) -> list[str]:
    """Complaints about S9 with one thing changed."""
    assert old in text
    return [str(problem) for problem in check_text(text.replace(old, new, 1))]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('unit = "3-4-6"', 'unit = "3-4-9"', "group 1, units 1: there is no Italian counter '3-4-9'; there are "),
        ('of = "S6" }\nunits', 'of = "S66" }\nunits', "group 1, setup: there is no hex S66 on this map"),
        (
            '{ turn = 4, at = ["south"] }',
            '{ turn = 9, at = ["south"] }',
            "there is no Turn 9; the game has Turns 1 to 6",
        ),
        ('at = ["south"]', 'at = ["down"]', "'down' is no edge; write north, east, south or west"),
        ('at = ["south"]', 'at = ["south A1-B2"]', "A1 is not on the south edge"),
        ('rule = "no_cowering"', 'rule = "no_fear"', "'no_fear' is unknown; write one of no_cowering, foreign_leaders"),
        (
            'groups = ["british"]',
            'groups = ["brits"]',
            "there is no group 'brits'; write italian or american or british",
        ),
        (
            'board = "w"',
            'board = "w", hexrows = "P-A"',
            "'P-A' names no hexrows; write the first and the last",
        ),
        ('board = "w"', 'board = "q"', "map, boards: there is no board 'q'"),
        ('side = "italian"\nnation', 'side = "greek"\nnation', "there is no side 'greek'; write italian or allied"),
        ('nation = "british"', 'nation = "klingon"', "there is no nationality 'klingon'"),
        ("elr = 1\n", "elr = 11\n", "an ELR of 11 is impossible; write 0 to 5"),
        ("elr = 1\n", 'elr = "one"\n', "a whole number must stand here, not text"),
        ("count = 6", "count = 0", "0 turns are impossible"),
        ("setup = {", "setups = {", "this word means nothing here; the words are id, side, nation"),
        ('title = "Ambitious Assault"\n', "", "`title` is missing"),
        ('kind = "no_enemy_left"', 'kind = "glory"', "'glory' is unknown; write one of no_enemy_left, exit_points"),
        ('state = "unbroken"', 'state = "tired"', "'tired' is unknown; write one of unbroken, good_order"),
        ('setup_order = ["italian"]', "setup_order = []", "say when italian sets up"),
        ('setup_order = ["italian"]', 'setup_order = ["italian", "british"]', "british enters from off the map"),
        ("setup = { within = 7", "setup = { level = 9, within = 7", "no hex of the map is in this area; make it wider"),
        ("setup = { within = 7", "setup = { within = 0", "1 hexes are too few for this group by the stacking limits"),
        ('{ unit = "HMG" }', '{ unit = "HMG", count = 0 }', "0 counters HMG are impossible"),
        ('do = "enter"', 'do = "leave"', "'leave' is unknown; write one of add, replace, count, enter"),
        ('group = "british", turn = 3', 'group = "british", turn = 7', "there is no Turn 7"),
        ('moves_first = "allied"', 'moves_first = "axis"', "there is no side 'axis'; write italian or allied"),
        ('{ unit = "9-2" }', '{ unit = "BAZ 44" }', "BAZ 44 exists only from 1944-01 on"),
    ],
)
def test_each_mistake_is_named_with_its_place(old: str, new: str, complaint: str) -> None:
    found = problems(old, new)
    assert any(complaint in line for line in found), found


def test_a_complaint_gives_the_line_of_the_mistake() -> None:
    text = S9.replace('unit = "1-3-6"', 'unit = "1-3-9"')
    line = next(number for number, row in enumerate(text.splitlines(), start=1) if "1-3-9" in row)
    assert [problem.line for problem in check_text(text)] == [line]


def test_all_mistakes_are_told_at_once() -> None:
    text = S9.replace("elr = 1\n", "elr = 9\n").replace('unit = "1-3-6"', 'unit = "1-3-9"')
    text = text.replace('moves_first = "allied"', 'moves_first = "nobody"')
    assert len(check_text(text)) == 3


def test_guns_need_somebody_to_man_them() -> None:
    text = text_of("aslsk2/S12")
    found = problems('"2-2-7", count = 3', '"8-1", count = 3', text=text)
    assert any("3 Guns need as many squads, half-squads or crews" in line for line in found)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('["L0", "M1"]', '["L0", "L0"]', "L0 L0: name a hex of its own for each of the 2 Guns"),
        ('["L0", "M1"]', '["L0"]', "L0: name a hex of its own for each of the 2 Guns"),
        ('["L0", "M1"]', '["L0", "M8"]', "M8 is not in the set-up area"),
        ('["4-6-7", "I3"]', '["4-6-7", "I9"]', "I9 is not in the set-up area"),
        ('["4-6-7", "I3"]', '["4-6-8", "I3"]', "there is no counter '4-6-8'"),
    ],
)
def test_a_tried_set_up_is_checked(old: str, new: str, complaint: str) -> None:
    found = problems(old, new, text=text_of("aslsk2/S14"))
    assert any(complaint in line for line in found), found


def test_files_that_are_no_scenarios(tmp_path: Path) -> None:
    missing, noise, text = tmp_path / "gone.toml", tmp_path / "noise.toml", tmp_path / "text.toml"
    noise.write_bytes(b"\xff\xfe\x00")
    text.write_text("once upon a time", "utf-8")
    assert "cannot be read" in str(check_scenario(missing)[0])
    assert "not a text file" in str(check_scenario(noise)[0])
    assert "this is no TOML" in str(check_scenario(text)[0])
    with pytest.raises(ScenarioError, match="this is no TOML"):
        load_scenario(text)


def test_a_file_of_ones_own_is_loaded_by_its_path(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(S9.replace("Ambitious Assault", "My Assault"), "utf-8")
    assert load_scenario(own).title == "My Assault"
    own.write_text(S9.replace("elr = 1\n", "elr = 9\n").replace("count = 6", "count = 0"), "utf-8")
    with pytest.raises(ScenarioError, match="and 1 more problem") as caught:
        load_scenario(str(own))
    assert len(caught.value.problems) == 2


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(ScenarioError, match="there is no scenario 'S99'; there are aslsk2/S9, aslsk2/S10"):
        load_scenario("S99")


def test_the_example_of_the_documentation_has_no_problem() -> None:
    page = Path(__file__).parents[4] / "docs" / "scenarios.md"
    example = page.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    assert check_text(example) == []


@pytest.mark.parametrize(("reading", "each"), [("two_each", 2), ("one_each", 1)])
def test_s14_is_played_with_two_leaders_of_each_kind_or_one(reading: str, each: int) -> None:
    match = sandtable.new("aslsk2/S14", seed=1, options={"german_leaders": reading, "balance_german": "on"})
    kinds = Counter(unit.kind for unit in match.state.units.values())
    assert (kinds["german 8-1"], kinds["german 7-0"], kinds["american 8-1"]) == (each, each, 1)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('id = "german_leaders"', 'id = "German leaders"', "is no name of an option; use letters, digits and _"),
        ('values = ["two_each", "one_each"]', 'values = ["both", "both"]', "the two readings need different names"),
        ('unit = "8-1", count = 1', 'unit = "9-1", count = 1', "group german has no 9-1; it has 4-6-7"),
        ('unit = "8-1", count = 1', 'unit = "8-1", count = 0', "0 counters 8-1 are impossible"),
    ],
)
def test_mistakes_in_another_reading_are_named(right: str, wrong: str, message: str) -> None:
    text = text_of("aslsk2/S14")
    assert check_text(text) == []
    assert any(message in str(problem) for problem in check_text(text.replace(right, wrong)))


def test_the_documentation_names_every_word_of_the_language() -> None:
    page = (Path(__file__).parents[4] / "docs" / "scenarios.md").read_text("utf-8")
    kinds = [*get_args(SpecialRule), *get_args(VictoryCondition), *get_args(Change)]
    words = {str(kind.__struct_config__.tag) for kind in kinds}
    for struct in (Scenario, MapPlan, Turns, Group, Entry, GunSpacing, UnitLine, Area, *kinds):
        words |= {field.encode_name for field in fields(struct)}
    assert [word for word in sorted(words) if word not in page] == []


def test_the_command_line_checks_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    own.write_text(S9, "utf-8")
    assert cli.main(["scenario", "check", str(own)]) == 0
    assert "is in order" in capsys.readouterr().out
    own.write_text(S9.replace("elr = 1\n", "elr = 9\n"), "utf-8")
    assert cli.main(["scenario", "check", str(own), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["place"] == "group 1, elr"
    assert cli.main(["scenario", "check", str(tmp_path / "gone.toml")]) == 2


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(SHIPPED), data=st.data())
def test_damaged_files_are_explained_and_never_fall_over(name: str, data: st.DataObject) -> None:
    lines = text_of(name).splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "word", "number", "swap"]))
        if change == "drop":
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "word":
            lines[at] = lines[at].replace('"', '"x', 1)
        elif change == "number":
            lines[at] = re.sub(r"\d+", str(data.draw(st.integers(-9, 99))), lines[at], count=1)
        else:
            lines[at], lines[0] = lines[0], lines[at]
    assert all(problem.message for problem in check_text("\n".join(lines)))
