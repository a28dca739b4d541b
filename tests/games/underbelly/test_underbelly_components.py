"""Introduction, components and set-up (1.0 to 3.0, 14.0)."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from underbelly_story import do, legal, play, state_of

import sandtable
from sandtable.games.underbelly import GAME, atlas
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.data import MARKS, markers, read_rows, roster, tables, turn_record
from sandtable.games.underbelly.model import ALLIED_BOX, GERMAN_BOX

rule = pytest.mark.rule
UNITS = roster()


@rule("1.1")
@rule("1.6")
def test_one_game_with_two_sides_in_every_scenario() -> None:
    assert [(info.id, info.sides) for info in GAME.scenarios()] == [
        (name, ("allied", "german")) for name in ("campaign", "historical", "wat")
    ]


@rule("1.2")
@rule("14.0")
@rule("3.5")
def test_the_turn_record_has_23_turns_that_follow_each_other() -> None:
    rows = turn_record()
    assert [row.turn for row in rows] == list(range(1, 24))
    assert (rows[0].start, rows[-1].end) == ("1943-09-09", "1943-12-31")
    assert all(before.end < after.start for before, after in pairwise(rows))
    assert all(unit in UNITS for row in rows for unit in (*row.allied, *row.german, *row.withdrawals, *row.wat_only))


@rule("1.3")
@rule("1.4")
def test_organisations() -> None:
    assert {u.group for u in UNITS.values() if u.side == "german"} == {"10", "2ss", "5pz"}
    assert {u.group for u in UNITS.values() if u.side == "allied"} == {"us", "british"}


@rule("1.5")
def test_flak_and_french_mountain_corps_are_divisions_and_artillery_is_not() -> None:
    assert UNITS["10-11Fl"].division
    assert UNITS["US-FX"].division
    assert not UNITS["US-VI"].division


@rule("2.1")
@rule("2.9")
@rule("3.4")
def test_markers_are_counted() -> None:
    count = {name: int(row["count"]) for name, row in markers().items()}
    assert (count["TAC"], count["FORT"], count["BOMBERS"], count["AERIAL"]) == (3, 14, 1, 1)


@rule("2.2")
def test_every_roll_is_a_ten_sided_die() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"}, *[10] * 8)
    do(match, a.Attack("2608", "2708"), a.Resolve())
    while match.to_act and legal(match, a.Shoot):
        do(match, legal(match, a.Shoot)[0])
    assert {event.sides for _, event in match.events("german") if type(event).__name__ == "Rolled"} == {10}


@rule("2.3")
def test_salerno_is_in_2822_and_the_map_has_its_hexes() -> None:
    assert atlas.PLACES["2822"].name == "Salerno"
    assert len(atlas.LAND) == 713
    assert len(atlas.PLACES) == 50


@rule("2.4")
@rule("2.7")
def test_every_unit_has_a_counter_for_each_of_its_sides() -> None:
    faces = GAME.faces()
    wanted = {name for unit in UNITS.values() for name in (unit.id, f"{unit.id}/reduced")[: unit.steps]}
    assert wanted <= set(faces)


@rule("2.5")
def test_first_armored_is_seven_two_eight_on_turn_17() -> None:
    unit = UNITS["US-1A"]
    assert (unit.full, unit.steps, unit.mf, unit.setup) == (7, 2, 8, "17")
    assert "US-1A" in turn_record()[16].allied


@rule("2.6")
@rule("2.8")
def test_german_paratroops_are_mountain_infantry() -> None:
    assert (UNITS["10-1P"].mobility, UNITS["10-2P"].mobility, UNITS["10-1PK"].mobility) == (
        "mountain",
        "mountain",
        "mech",
    )


@rule("2.10")
@rule("2.13")
def test_a_reduced_division_fights_with_its_reduced_side() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    match.state.steps["10-16Pz"] = 1
    do(match, a.Attack("2608", "2708"))
    preview = match.preview("german", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 6


@rule("2.11")
def test_mobility_follows_from_symbol_and_movement_factor() -> None:
    for unit in UNITS.values():
        if unit.mobility == "mech":
            assert unit.mf in (8, 0)
        else:
            assert unit.mf == 4
    errata = ("10-65", "10-76", "10-94", "10-305", "10-334")
    assert {UNITS[unit].mf for unit in errata} == {4}


@rule("2.12")
@pytest.mark.parametrize(("die", "mf"), [(3, 3), (8, 8), (10, 8)])
def test_a_question_mark_rolls_for_its_movement_and_never_has_more_than_eight(die: int, mf: int) -> None:
    match = play({"10-14Pz": "2608"}, die)
    do(match, a.Move("2608"))
    assert match.state.stack[-1].left == (mf,)


@rule("2.11")
@rule("2.12")
def test_four_german_units_have_a_question_mark() -> None:
    assert {u.id for u in UNITS.values() if u.mf == 0} == {"10-14Pz", "10-76Pz", "10-1PK", "10-11Fl"}


@rule("3.1")
@rule("3.3")
def test_everybody_starts_at_full_strength_in_his_place() -> None:
    state = sandtable.new("underbelly/historical", seed=1).state
    assert all(state.steps[u] == unit.steps for u, unit in UNITS.items())
    assert state.at["10-16Pz"] == "2821"
    assert state.at["10-3PG"] == GERMAN_BOX
    assert state.at["US-45"] == ALLIED_BOX
    assert state.at["10-24Pz"] == "aside"


@rule("3.2")
def test_three_british_units_are_placed_within_two_hexes_of_5322() -> None:
    match = sandtable.new("underbelly/historical", seed=1)
    allowed = {action.at for action in legal(match, a.Place)}
    assert len(allowed) == 19
    assert "5322" in allowed
    do(match, a.Place("BR-5", "5121"), a.Place("BR-1C", "5521"), a.Place("BR-XIII", "5322"))
    assert match.state.at["BR-1C"] == "5521"
    assert match.to_act != ()


@rule("3.6")
def test_no_german_moves_or_attacks_into_2823_while_the_special_forces_are_there() -> None:
    match = play({"10-16Pz": "2722"})
    assert "2823" not in {action.target for action in legal(match, a.Attack)}
    do(match, a.Move("2722"))
    assert "2823" not in {action.to for action in legal(match, a.Go)}
    gone = play({"10-16Pz": "2722"}, sf=False)
    do(gone, a.Move("2722"))
    assert "2823" in {action.to for action in legal(gone, a.Go)}


@rule("3.6")
def test_an_allied_unit_that_enters_2823_relieves_the_special_forces() -> None:
    match = play({"US-36": "2822"}, side="allied")
    do(match, a.Move("2822"), a.Go("2823"))
    assert not match.state.sf


@rule("3.6")
def test_the_special_forces_do_not_negate_zones_of_control() -> None:
    state = state_of({"10-16Pz": "2722"})
    from sandtable.games.underbelly.supply import open_to_supply
    from sandtable.games.underbelly.zones import field

    assert not open_to_supply(field(state), "allied") & atlas.BIT[atlas.INDEX["2823"]]


def test_every_value_keeps_its_mark() -> None:
    for name in ("hexes.csv", "hexsides.csv", "places.csv", "markers.csv", "turns.csv"):
        assert {row["mark"] for row in read_rows(name, ("mark",))} <= set(MARKS), name
    for unit in UNITS.values():
        assert all(part in MARKS for mark in unit.marks for part in mark.split("+")), unit.id
    charts = tables()
    assert all(row["mark"] in MARKS for chart in charts.values() for row in chart.values())


def test_an_owner_may_replace_a_file(tmp_path: Path) -> None:
    own = tmp_path / "underbelly"
    own.mkdir()
    shipped = Path(atlas.__file__).parent / "data" / "units.csv"
    text = shipped.read_text(encoding="utf-8").replace(
        "36th Infantry,infantry,mech,2,5", "36th Infantry,infantry,mech,2,9"
    )
    own.joinpath("units.csv").write_text(text, encoding="utf-8")
    code = "from sandtable.games.underbelly.data import roster; print(roster()['US-36'].full)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"SANDTABLE_DATA": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "9"


def test_a_data_file_without_a_column_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "underbelly"
    own.mkdir()
    own.joinpath("turns.csv").write_text("turn\n1\n")
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"turns\.csv has no column 'start'"):
        read_rows("turns.csv", ("turn", "start"))
