"""Setting up a mission: what may be chosen or rolled, that dice belong to the match, that nothing is lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import sandtable
from sandtable.engine import Decided, Match, Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.errors import BadOption
from sandtable.engine.start import read_record
from sandtable.games.sasl import charts, force, opposition, readings, setting_up, show, victory
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import FRIENDLY, ROSTER, SUSPECTS
from sandtable.games.sasl.preparing import mission_throws
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.sheet import SHEET, Buy, Preparing, Return, RollFor, RollRest, Settle
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.scenario.model import AutoSetUp, PickUnit, PutBack, SetUp, SetUpDone


def begun(scenario: str = "1", seed: int = 4, **options: str) -> Match:
    return sandtable.new(f"sasl/{scenario}", seed=seed, options={"set_up": "steps", "boards": "shipped", **options})


def settle(match: Match, **values: str) -> None:
    for what, value in values.items():
        match.apply(FRIENDLY, Settle(what, value))


def preparing(match: Match) -> bool:
    return isinstance(match.state.stack[-1], Preparing)


def open_values(match: Match, what: str) -> set[str]:
    return {one.value for one in match.actions(FRIENDLY) if isinstance(one, Settle) and one.what == what}


@pytest.mark.rule("S12")
def test_one_button_rolls_everything() -> None:
    match = begun()
    assert preparing(match)
    match.apply(FRIENDLY, RollRest())
    assert not preparing(match)
    assert rolled_in(match.state).boards
    assert SUSPECTS.of(match.state)
    assert ROSTER.of(match.state).ac >= 2


@pytest.mark.rule("S18.1")
def test_a_company_is_chosen_knowing_what_it_has() -> None:
    match = begun()
    settle(match, theatre="Western ETO", friendly="Germany", enemy="Britain", year="1944", month="1944-06")
    paratroops = match.describe(FRIENDLY, Settle("force", "Fallschirmjaeger"))
    assert paratroops.notes == ("2 leaders, 9 x 5-4-8, 2-3-8, 4 x 1-2-7, MMG, 3 x LMG, 2 x PSK, 2 x 50mm MTR",)
    assert not match.describe(FRIENDLY, Settle("force", force.PURCHASE)).notes


@pytest.mark.rule("S17.21")
def test_what_is_chosen_narrows_what_is_left() -> None:
    match = begun()
    settle(match, theatre="Eastern ETO")
    assert open_values(match, "friendly") == {"Germany", "Italy", "Russia"}
    settle(match, friendly="Germany", enemy="Russia")
    assert "1939" not in open_values(match, "year")
    settle(match, year="1941")
    assert open_values(match, "month") == {f"1941-{month:02}" for month in range(6, 13)}
    settle(match, month="1941-06", force="Infantry")
    match.apply(FRIENDLY, RollRest())
    base = rolled_in(match.state)
    assert (base.theatre, base.date, base.friendly, base.enemy) == ("Eastern ETO", "1941-06", "G", "R")
    assert base.company == "Infantry company"


@pytest.mark.rule("S17.21")
def test_what_follows_is_settled_and_a_change_opens_it_again() -> None:
    match = begun()
    settle(match, enemy="Poland")
    known = opposition.settled({}, SHEET.of(match.state).chosen)
    assert known == {
        "enemy": "Poland",
        "friendly": "Germany",
        "theatre": "Eastern ETO",
        "year": "1939",
        "month": "1939-09",
    }
    settle(match, enemy="")
    assert open_values(match, "year") >= {"1939", "1944"}


@pytest.mark.rule("S17.21")
def test_a_single_thing_is_rolled_and_the_roll_is_told() -> None:
    match = begun()
    events = match.apply(FRIENDLY, RollFor("theatre"))
    decided = next(event for event in events if isinstance(event, Decided))
    assert decided.why == f"Theatre: {dict(SHEET.of(match.state).chosen)['theatre']}"
    rows = (charts.chart(decided.table) or {})["rows"]
    assert decided.row in [row[0] for row in rows]
    assert match.last_rolls


@pytest.mark.rule("S17.22")
def test_any_mission_is_chosen_or_rolled_on_a7() -> None:
    match = begun("any")
    assert open_values(match, "mission") == {str(number) for number in MISSIONS}
    match.apply(FRIENDLY, RollFor("Defense"))
    assert SHEET.of(match.state).mission in (8, 19)
    other = begun("any", seed=2)
    settle(other, mission="5")
    other.apply(FRIENDLY, RollRest())
    assert rolled_in(other.state).mission == 5


@pytest.mark.rule("S17.22")
def test_any_mission_without_steps_is_rolled_too() -> None:
    match = sandtable.new("sasl/any", seed=3, options={"boards": "shipped"})
    assert rolled_in(match.state).mission in MISSIONS


@pytest.mark.rule("S13.2")
def test_boards_are_rolled_one_by_one_and_the_player_says_what_lies_there() -> None:
    match = begun("2", friendly="G", enemy="R", year="1942", own="none")
    settle(match, month="1942-05", force="Infantry")
    match.apply(FRIENDLY, RollFor("leaders"))
    match.apply(FRIENDLY, RollFor("board"))
    assert {"made", "w", "x", "y", "z"} <= open_values(match, "board")
    settle(match, board="y")
    assert [board.board for board in SHEET.of(match.state).whole.boards] == ["y"]
    match.apply(FRIENDLY, RollFor("board"))
    assert "y" not in open_values(match, "board")
    settle(match, board="x")
    match.apply(FRIENDLY, RollFor("tables"))
    assert [board.board for board in rolled_in(match.state).boards] == ["y", "x"]


@pytest.mark.rule("M4 MSR 3")
def test_engineers_are_offered_only_if_the_dr_brings_some() -> None:
    asked = set()
    for seed in range(8):
        match = begun("4", seed=seed, friendly="G", enemy="R", year="1942", own="none")
        settle(match, month="1942-05", force="Infantry")
        match.apply(FRIENDLY, RollFor("leaders"))
        while RollFor("board") in match.actions(FRIENDLY):
            match.apply(FRIENDLY, RollFor("board"))
            settle(match, board=sorted(open_values(match, "board"))[-1])
        match.apply(FRIENDLY, RollFor("reinforcements"))
        offered = open_values(match, "reinforcements")
        assert bool(offered) is bool(SHEET.of(match.state).whole.bonus)
        assert (RollFor("tables") in match.actions(FRIENDLY)) is not bool(offered)
        asked.add(bool(offered))
    assert asked == {True, False}


@pytest.mark.rule("S13.23")
@pytest.mark.parametrize("boards", [0, 1, 2])
def test_how_the_boards_lie_is_rolled_once(boards: int) -> None:
    """Whether everything is rolled at once, or so many boards before the rest."""
    match = begun("2", friendly="G", enemy="R", year="1942", own="none")
    if boards:
        settle(match, month="1942-05", force="Infantry")
        match.apply(FRIENDLY, RollFor("leaders"))
    for name in ("y", "x")[:boards]:
        match.apply(FRIENDLY, RollFor("board"))
        settle(match, board=name)
    match.apply(FRIENDLY, RollRest())
    rolls = [event for _, event in match.events(FRIENDLY) if getattr(event, "why", "") == "Mapboard Configuration"]
    assert len(rolls) == 1


@pytest.mark.rule("S15.1")
def test_a_force_is_bought_within_its_points() -> None:
    match = begun(friendly="G", enemy="R", year="1943", budget="80")
    settle(match, month="1943-01", force="purchase")
    prices = {one.kind: force.price(one.kind) for one in match.actions(FRIENDLY) if isinstance(one, Buy)}
    squad = "german 4-6-7"
    assert prices[squad] == 4 + 3 + 2
    assert prices["german 2-4-7"] < prices[squad]
    for _ in range(80 // prices[squad]):
        match.apply(FRIENDLY, Buy(squad))
    assert Buy(squad) not in match.actions(FRIENDLY)
    match.apply(FRIENDLY, Return(squad))
    assert Buy(squad) in match.actions(FRIENDLY)
    match.apply(FRIENDLY, RollFor("equipment"))
    units = dict(SHEET.of(match.state).whole.units)
    assert units[squad] == 7
    assert any(kind.startswith("german") and not _mmc(kind) for kind in units)


def _mmc(kind: str) -> bool:
    try:
        return printed_unit(kind).mmc
    except ValueError:
        return False


@pytest.mark.rule("S15.1")
@pytest.mark.parametrize("code", ["G", "R", "U", "B", "F", "I", "J", "M", "C", "L", "U-PTO", "B-PTO"])
def test_every_nation_with_a_company_can_buy_and_roll_the_rest(code: str) -> None:
    found = next(
        one
        for one in opposition.possibilities()
        if opposition.code_of(one.meeting.friendly, one.meeting.line.theatre) == code
    )
    match = begun(seed=9)
    values = {field: found.value(field) for field in opposition.FIELDS}
    for field, value in values.items():
        if field not in opposition.settled({}, SHEET.of(match.state).chosen):
            settle(match, **{field: value})
    settle(match, force="purchase")
    assert any(isinstance(one, Buy) for one in match.actions(FRIENDLY))
    match.apply(FRIENDLY, RollRest())
    base = rolled_in(match.state)
    bought = [(kind, count) for kind, count in base.units if _mmc(kind)]
    points = force.budget({}, base.friendly, base.date)
    assert 0.7 * points < force.cost(bought) <= points


@pytest.mark.rule("S12")
def test_taking_back_reaches_to_the_last_dice() -> None:
    match = begun()
    match.apply(FRIENDLY, RollFor("theatre"))
    choice = next(one for one in match.actions(FRIENDLY) if isinstance(one, Settle) and one.value)
    match.apply(FRIENDLY, choice)
    match.undo(FRIENDLY)
    assert len(SHEET.of(match.state).chosen) == 1
    assert match.why_no_undo(FRIENDLY) is not None


@pytest.mark.rule("S12")
def test_the_record_of_a_set_up_replays_and_its_dice_are_the_matchs_own() -> None:
    match = begun("4", seed=12)
    source = random.Random(5)
    while preparing(match):
        match.apply(FRIENDLY, source.choice(list(match.actions(FRIENDLY))))
    lines = match.record().to_lines()
    again = sandtable.replay(read_record(lines))
    assert rolled_in(again.state) == rolled_in(match.state)
    assert again.record().to_lines() == lines


@pytest.mark.rule("S13.2")
def test_a_match_keeps_to_the_boards_that_it_began_with() -> None:
    match = begun("1", own="none")
    assert match.header.options["own"] == "none"
    with pytest.raises(BadOption, match="own"):
        sandtable.new("sasl/1", seed=1, options={"own": "all of them"})
    assert sandtable.new("sasl/1", seed=1, options={"own": "2,3", "set_up": "steps"}).header.options["own"] == "2,3"
    assert "1" in setting_up.own_boards().split(",")


@pytest.mark.rule("S17.21")
@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"friendly": "G", "enemy": "J"}, "the nations chosen never meet"),
        ({"friendly": "G", "enemy": "G"}, "the nations chosen never meet"),
        ({"friendly": "G", "enemy": "J", "year": "1943"}, "the nations chosen never meet"),
        ({"friendly": "R", "enemy": "G", "year": "1939"}, "the nations chosen never meet in 1939"),
        ({"friendly": "M", "year": "1940"}, "the nation chosen meets nobody in 1940"),
    ],
)
def test_nations_that_never_meet_are_said_to_be_impossible(chosen: dict[str, str], words: str) -> None:
    match = sandtable.new("sasl/1", seed=1, options={**chosen, "boards": "shipped"})
    said = [match.game.words(event, match.state) for _, event in match.events(FRIENDLY)]
    assert f"Theater Opposition Chart: {words}: the ENEMY and the year are left open" in said
    assert rolled_in(match.state).friendly == chosen["friendly"]


@pytest.mark.rule("S17.21")
@pytest.mark.parametrize("enemy", ["I", "R"])
def test_nations_are_named_without_the_marks_of_the_chart(enemy: str) -> None:
    for seed in range(4):
        match = sandtable.new("sasl/1", seed=seed, options={"friendly": "roll", "enemy": enemy, "boards": "shipped"})
        words = [match.game.words(event, match.state) for _, event in match.events(FRIENDLY)]
        (met,) = [text for text in words if text.startswith("Theater Opposition Chart") and " against " in text]
        assert "*" not in met


def test_while_it_is_set_up_there_is_a_page_and_no_map() -> None:
    match = begun()
    view = match.view(FRIENDLY)
    assert view["bare"]
    rows = view["panels"][0]["rows"]
    groups = {match.describe(FRIENDLY, one).group for one in match.actions(FRIENDLY)}
    assert {"Theatre", "Year"} <= groups & {row["label"] for row in rows}


@pytest.mark.rule("S12.6")
@pytest.mark.parametrize(("tie", "winner"), [("draw", ""), ("enemy", "enemy")])
def test_equal_points_are_read_by_the_option_and_told_line_by_line(tie: str, winner: str) -> None:
    match = sandtable.new("sasl/1", seed=8, options={"boards": "shipped", "tie": tie})
    panels = {panel["id"]: panel["rows"] for panel in match.view("friendly")["panels"]}
    assert [row["label"] for row in panels["victory"]] == [
        "The side with more VP at Mission end wins",
        f"If the VP are equal, {'the ENEMY wins' if winner else 'the mission is a draw'}",
    ]
    play = Play(match.state, ScriptedDice())
    victory.verdict(play, [("VPO", 3.0, 3.0)], "Mission over")
    assert match.state.outcome is not None
    assert match.state.outcome.winner == winner
    panel = show.verdict_panels(match.state)[0]
    assert [row.value for row in panel.rows] == ["3 : 3", "3 : 3"]


@pytest.mark.rule("S4.11")
def test_how_near_the_edge_suspects_may_be_is_an_option() -> None:
    def nearest(near: str) -> int:
        match = sandtable.new("sasl/1", seed=8, options={"boards": "shipped", "near_fbe": near, "suspects": "all"})
        far = distances(setting_of(match.state), "west")
        return min(far[one.at] for one in SUSPECTS.of(match.state).values())

    assert nearest("0") < nearest("6")
    assert nearest("6") > 6


def test_every_reading_names_its_ruling_and_how_sure_it_is() -> None:
    for option in readings.READINGS:
        assert "SA-" in option.help
        assert "confidence" in option.help
        assert option.reading


@pytest.mark.rule("S17.22")
@pytest.mark.parametrize("column", ["Offense", "Defense"])
def test_a_mission_is_rolled_in_one_line_with_the_chances_of_the_table(column: str) -> None:
    throws = mission_throws(column)
    assert len(throws) == 6**3
    played = [number for _, _, number in throws if number in MISSIONS]
    if column == "Offense":
        # of 216: 4 on a DR of 2 or 3, 2 on 5, 5 and 1 on halves of 6, 3 and 8 on halves of 8
        expected = {4: 18, 2: 24, 5: 15, 1: 15, 3: 15, 8: 15}
    else:
        expected = {19: 24, 8: 18}
    assert Counter(played) == expected
    match = begun("any", seed=2)
    events = match.apply(FRIENDLY, RollFor(column))
    decided = [event for event in events if isinstance(event, Decided)]
    assert len(decided) == 1
    assert decided[0].table == "A7"
    assert "not played yet" in decided[0].why
    assert SHEET.of(match.state).mission in expected


@pytest.mark.rule("M3")
def test_a_player_may_place_his_company_on_the_westernmost_board_of_mission_3() -> None:
    match = sandtable.new("sasl/3", seed=3, options={"boards": "shipped", "setup": "players"})
    assert isinstance(match.state.stack[-1], SetUp)
    unit = next(one for one in match.actions(FRIENDLY) if isinstance(one, PickUnit))
    match.apply(FRIENDLY, unit)
    west = rolled_in(match.state).boards[0].prefix
    cells = {cell for one in match.actions(FRIENDLY) for cell in match.describe(FRIENDLY, one).cells}
    assert cells
    assert all(cell.startswith(west) for cell in cells)
    match.apply(FRIENDLY, PutBack())
    match.apply(FRIENDLY, AutoSetUp())
    match.apply(FRIENDLY, SetUpDone())
    assert match.state.phase == "RPh"
