"""Victory conditions, control, points and the turn record (1.3, 2, 3.9)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import do, drill, rule, unit

import sandtable
from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.squad.cards.scenario import BuildingBalance, BuildingControl, ExitPoints, NoEnemyLeft, SquadRatio
from sandtable.games.squad.effects.morale import casualty_reduce
from sandtable.games.squad.ground.counters import FORTIFIED, all_counters
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import destroy_weapon, eliminate, give
from sandtable.games.squad.ground.worth import worth
from sandtable.games.squad.phases.conditions import building_lead, controlled, enemy_points, rules_for
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.phases.victory import check_at_once, update_control
from sandtable.games.squad.pieces.model import Gone, SquadState
from sandtable.games.squad.scenario.model import AutoSetUp, PickEdge, SetUpDone


def holds(state: SquadState, condition: Any) -> bool:
    return rules_for(setting_of(state), condition).holds(state, condition)


def stand(scenario: str, *lines: dict[str, Any], weapons: tuple[dict[str, Any], ...] = (), **more: Any) -> Match:
    """A match of a scenario with just these units."""
    game, _, name = scenario.partition("/")
    options = more.pop("options", {})
    state = {"phase": "MPh", "units": list(lines), "weapons": list(weapons), **more}
    return sandtable.new({"game": game, "scenario": name, "state": state}, seed=1, options=options)


def play_of(match: Match) -> Play[SquadState]:
    return Play(match.state, match.dice)


def run_out(match: Match) -> None:
    """End phase after phase to the end of the game."""
    while match.to_act:
        actions = match.actions(match.to_act[0])
        do(match, next((a for a in actions if isinstance(a, (EndPhase, SetUpDone, AutoSetUp, PickEdge))), actions[0]))


@rule("1.3")
@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ({"at": "S6"}, "italian"),
        ({"at": "S6", "broken": True}, "allied"),
        ({"at": "A1"}, "allied"),
        ({"at": "S6", "kind": "italian 8-0"}, "allied"),
    ],
)
def test_s9_no_unbroken_italian_mmc_near_the_square(line: dict[str, Any], winner: str) -> None:
    match = stand("aslsk2/S9", {"id": "i", "kind": "italian 3-4-6"} | line, turn=6, attacker="italian")
    run_out(match)
    assert match.outcome is not None
    assert match.outcome.winner == winner


@rule("1.3")
def test_s15_asks_for_good_order_in_a_building() -> None:
    setting = setting_of(stand("aslsk2/S15").state)
    (condition,) = setting.scenario.conditions
    assert isinstance(condition, NoEnemyLeft)
    house = setting.ground.names[min(setting.area_of(condition))]
    squad = {"id": "a", "kind": "american 5-4-6", "at": house}
    assert not holds(stand("aslsk2/S15", squad).state, condition)
    assert holds(stand("aslsk2/S15", squad | {"melee": True}).state, condition)
    assert holds(stand("aslsk2/S15", squad | {"at": "S6"}).state, condition), "S6 itself is a square"


@rule("1.3")
@pytest.mark.parametrize(
    ("kind", "points"),
    [("american 7-4-7", 2), ("american 3-3-7", 1), ("american 9-2", 3), ("american 9-1", 2), ("american 7-0", 1)],
)
def test_s14_point_values(kind: str, points: int) -> None:
    match = stand("aslsk2/S14", {"id": "a", "kind": kind, "at": "E5"})
    assert worth(match.state, match.state.units["a"]) == points


@rule("1.3")
def test_s11_german_exits_are_spoiled_by_american_points() -> None:
    gone = [
        {"id": f"x{n}", "side": "german", "kind": "german 4-6-7", "how": "eliminated", "points": 2} for n in range(5)
    ]
    line = {"id": "g", "kind": "german 4-6-7", "at": "wW5"}
    match = stand("aslsk2/S11", line, points={"german": 9}, gone=gone)
    play = play_of(match)
    eliminate(play, match.state.units["g"])
    assert match.state.outcome is None, "twelve American points spoil it"
    match = stand("aslsk2/S11", line, points={"german": 9}, gone=gone[:1])
    eliminate(play_of(match), match.state.units["g"])
    assert match.state.outcome is not None
    assert match.state.outcome.winner == "german"


@rule("1.3")
def test_s11_a_reduced_squad_counts_half() -> None:
    match = stand("aslsk2/S11", {"id": "g", "kind": "german 4-6-7", "at": "wW5"})
    (condition,) = setting_of(match.state).scenario.conditions
    assert isinstance(condition, ExitPoints)
    play = play_of(match)
    casualty_reduce(play, match.state.units["g"])
    assert enemy_points(match.state, condition) == 1
    eliminate(play, match.state.units["g"])
    assert enemy_points(match.state, condition) == 2
    match.state.gone["x"] = Gone("x", "german", "german 4-6-7", "exited", points=2)
    match.state.gone["y"] = Gone("y", "american", "american 7-4-7", "eliminated", points=2)
    assert enemy_points(match.state, condition) == 2, "neither who has left the map nor their own losses"


@rule("1.3")
@pytest.mark.parametrize(
    ("scenario", "kind", "exiting"), [("S10", "allied_minor 4-5-7", "italian"), ("S14", "german 4-6-7", "american")]
)
def test_casualties_are_no_exit_points(scenario: str, kind: str, exiting: str) -> None:
    match = stand(f"aslsk2/{scenario}", {"id": "x", "kind": kind, "at": "H5"})
    casualty_reduce(play_of(match), match.state.units["x"])
    assert match.state.points.get(exiting, 0) == 0


@rule("1.3")
def test_s12_is_won_when_every_gun_is_captured_or_destroyed() -> None:
    lines = (
        {"id": "c", "kind": "american 2-2-7", "at": "K5"},
        {"id": "g", "kind": "german 4-6-7", "at": "K5"},
    )
    guns = (
        {"id": "w1", "kind": "american M2A1 105mm ART", "owner": "c", "group": "guns"},
        {"id": "w2", "kind": "american M2A1 105mm ART", "at": "K5", "group": "guns"},
    )
    match = stand("aslsk2/S12", *lines, weapons=guns)
    play = play_of(match)
    destroy_weapon(play, match.state.weapons["w1"])
    assert match.state.outcome is None
    give(match.state, match.state.weapons["w2"], "g")
    end_phase(play)
    assert match.state.outcome is not None
    assert match.state.outcome.winner == "german"


@rule("1.3")
def test_s13_sole_occupation_of_the_gun_hexes() -> None:
    guns = ({"id": "w1", "kind": "british OQF 40mm Bofors AA", "at": "K5", "group": "british"},)
    german = {"id": "g", "kind": "german 5-4-8", "at": "K5"}
    shared = {"id": "b", "kind": "british 4-5-7", "at": "K5", "group": "australian"}
    match = stand("aslsk2/S13", german, shared, weapons=guns)
    end_phase(play_of(match))
    assert match.state.outcome is None
    match = stand("aslsk2/S13", german, weapons=guns)
    end_phase(play_of(match))
    assert match.state.outcome is not None
    assert match.state.outcome.winner == "german"


@rule("2.0")
def test_s16_control_needs_a_good_order_mmc_and_no_enemy() -> None:
    setting = setting_of(stand("aslsk2/S16").state)
    (condition,) = setting.scenario.conditions
    assert isinstance(condition, BuildingControl)
    buildings = setting.buildings_in(condition)
    assert len(buildings) >= 4
    first = [setting.ground.names[cell] for cell in setting.ground.buildings[buildings[0]]]
    squad = {"id": "f", "kind": "british 4-5-8", "at": first[0], "group": "second_company"}
    match = stand("aslsk2/S16", squad)
    update_control(play_of(match))
    assert controlled(match.state, condition) == [buildings[0]]
    enemy = {"id": "g", "kind": "german 4-6-7", "at": first[1], "broken": True}
    match = stand("aslsk2/S16", squad, enemy)
    update_control(play_of(match))
    assert controlled(match.state, condition) == []
    match = stand("aslsk2/S16", squad | {"broken": True})
    update_control(play_of(match))
    assert controlled(match.state, condition) == []


@rule("1.3")
def test_s16_the_french_hold_their_building_from_the_start() -> None:
    match = sandtable.new("aslsk2/S16", seed=1)
    assert "french" in match.state.control.values()
    fortified = {cell: counter.value for cell, counter in all_counters(match.state, FORTIFIED)}
    assert set(fortified.values()) == {4}
    assert tuple(fortified) in setting_of(match.state).ground.buildings.values()


@rule("3.9")
@pytest.mark.parametrize(("balance", "last"), [("off", ("german", 6)), ("on", ("french", 7))])
def test_a_half_turn_is_played_by_the_first_side_only(balance: str, last: tuple[str, int]) -> None:
    match = stand("aslsk2/S16", turn=6, attacker="french", options={"balance_french": balance})
    seen = []
    while match.to_act:
        seen.append((match.state.attacker, match.state.turn))
        actions = match.actions(match.to_act[0])
        do(match, next((a for a in actions if isinstance(a, EndPhase)), actions[0]))
    assert seen[-1] == last


@rule("G37")
@rule("1.3")
def test_guide_buildings_and_squad_ratio() -> None:
    def line(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "kind": kind, "at": at, **more}

    russians = [line("r1", "russian 4-4-7", "F5"), line("r2", "russian 4-4-7", "I7")]
    match = stand("aslguide/intro", *russians, line("g1", "german 4-6-7", "K5"))
    buildings, ratio = setting_of(match.state).scenario.conditions
    assert isinstance(buildings, BuildingBalance)
    assert isinstance(ratio, SquadRatio)
    assert building_lead(match.state, buildings) == 2
    assert holds(match.state, buildings)
    assert not holds(match.state, ratio), "two to one"
    match = stand("aslguide/intro", *russians, line("g1", "german 4-6-7", "J2"), line("g2", "german 4-6-7", "K5"))
    assert building_lead(match.state, buildings) == 1, "one Russian building is lost"
    more = [line(f"r{n}", "russian 4-4-7", "N4") for n in range(3, 5)] + [line("h", "russian 2-3-7", "M2")]
    match = stand(
        "aslguide/intro", *russians, *more, line("g1", "german 4-6-7", "K5"), line("g2", "german 2-4-7", "K5")
    )
    assert holds(match.state, ratio), "4½ to 1½"


@rule("1.3")
def test_nobody_wins_while_sides_set_up_nor_twice() -> None:
    units = [unit("g", "german 4-6-7", "wU2"), unit("a", "american 6-6-6", "wW5")]
    state = drill("S11", "MPh", units, game="aslsk2", attacker="german").state
    state.points["german"] = 9
    state.phase = "set-up"
    check_at_once(Play(state, ScriptedDice()))
    assert state.outcome is None
    state.phase = "MPh"
    check_at_once(Play(state, ScriptedDice()))
    first = state.outcome
    assert first is not None
    check_at_once(Play(state, ScriptedDice()))
    assert state.outcome is first
