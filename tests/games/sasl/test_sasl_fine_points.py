"""Fine points of missions, events and the ENEMY's decisions: limits, exactly met and missed by one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine import Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.works.digging import Dig
from sandtable.games.asl.works.model import lay_wire
from sandtable.games.sasl import (
    GAME,
    arrivals,
    enemy_events,
    hazards,
    meetings,
    offensives,
    shortage,
    sniping,
    valour,
    victory,
)
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.enemy import automatic, closing, facts, firing, marching, orders
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    OBJECTIVES,
    ORDERS,
    ROSTER,
    VOLLEYS,
    March,
    Objective,
    Order,
    Volley,
)
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables.events import Event
from sandtable.games.sasl.tables.events import events as rows
from sandtable.games.squad.combat.model import StartAdvance
from sandtable.games.squad.fire.model import CancelFire, ResolveFire
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import fresh_id
from sandtable.games.squad.part import Roll
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import PREP_FIRE, Gone, SquadState

register(GAME)
rule = pytest.mark.rule


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def event(table: str, name: str) -> Event:
    return next(one for one in rows(table) if one.event == name)


# -- missions ---------------------------------------------------------------------------------------


@rule("M19")
@pytest.mark.parametrize(("turn", "extra"), [(1, 9), (2, 3), (9, 3)])
def test_escape_nine_suspects_more_come_on_in_the_first_turn_and_three_later(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, turn: int, extra: int
) -> None:
    found: list[int] = []
    monkeypatch.setattr(meetings.entering, "from_pool", lambda play, more, edges, colours: found.append(more))
    state.turn = turn
    MISSIONS[19].begin_enemy_turn(playing(state))
    assert found == [extra]


@rule("M19")
@pytest.mark.parametrize(("turn", "points"), [(9, 0), (10, 0), (11, 1)])
def test_escape_every_turn_after_the_tenth_is_a_point_for_the_enemy(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, turn: int, points: int
) -> None:
    found: list[tuple[str, int]] = []
    monkeypatch.setattr(victory, "gain", lambda play, side, number, why: found.append((side, number)))
    state.turn = turn
    MISSIONS[19].end_of_turn(playing(state, 6, 6))
    assert found == [(ENEMY, 1)] * points


@rule("M2")
def test_pockets_roll_no_end_for_a_mission_that_is_decided() -> None:
    state = sandtable.new("sasl/2", seed=13, options={"boards": "shipped"}).state
    state.turn = 30
    play = playing(state, 1)
    MISSIONS[2].end_of_player_turn(play)
    assert state.outcome is not None
    decided = state.outcome
    MISSIONS[2].end_of_player_turn(playing(state))
    assert state.outcome is decided, "no die is cast any more"


# -- events -----------------------------------------------------------------------------------------


@rule("S2.3")
@pytest.mark.parametrize(("kind", "lost"), [("german 4-6-7", 1), ("german 2-4-7", 2), ("german 8-0", 3)])
def test_a_seductress_takes_smaller_units_more_easily(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, kind: str, lost: int
) -> None:
    """The drm is 3 for a squad, 2 for a half-squad and 1 for a leader; a Final dr of 4 or less eliminates."""
    unit = friend(state, field(state), name=kind)
    monkeypatch.setattr(hazards, "_sheltered", lambda state: [unit])
    gone = []
    for dr in range(1, 7):
        again = state.clone()
        assert hazards.seductress(playing(again, dr, 1), event("P9", "seductress"))
        gone += [dr] if unit.id not in again.units else []
    assert gone == list(range(1, lost + 1))


@rule("S2.3")
def test_a_unit_that_goes_berserk_takes_with_it_only_those_beside_it(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = setting_of(state).ground
    cell = field(state)
    beside = ground.near[cell][0]
    far = next(c for c in range(ground.size) if ground.ranges[cell][c] == 2)
    for unit in [unit for unit in state.units.values() if unit.side == ENEMY]:
        del state.units[unit.id]
    friend(state, cell)
    for name, place in (("a", cell), ("b", beside), ("c", far)):
        stand(state, name, "russian 4-4-7", place)
    raging: list[str] = []
    monkeypatch.setattr(valour, "_can_rage", lambda state, unit: True)
    monkeypatch.setattr(valour, "_passes", lambda play, unit, drm, event: True)
    monkeypatch.setattr(valour, "nearest_ebe", lambda state: [state.units["t1"]])
    monkeypatch.setattr(valour.charges, "go_berserk", lambda play, unit, spreads: raging.append(unit.id))
    assert valour.berserk(playing(state), event("A11", "berserk"))
    assert raging == ["a", "b"]


@rule("A19.131")
def test_only_a_squad_that_has_fired_its_own_fp_runs_out_of_ammunition(state: SquadState) -> None:
    cell = field(state)
    leader = friend(state, cell, 1, "german 8-1", marker=PREP_FIRE)
    idle = friend(state, cell, 2)
    broken = friend(state, cell, 3, marker=PREP_FIRE, broken=True)
    firer = friend(state, cell, 4, marker=PREP_FIRE)
    shortage.SHORT.put(state, (FRIENDLY,))
    names = tuple(unit.id for unit in (leader, idle, broken, firer))
    for dice in ((6, 5), (6, 6)):
        shortage._fired(playing(state), Roll("fire", FRIENDLY, dice, names, cell))
        now = "german 4-4-7" if sum(dice) == 12 else "german 4-6-7"
        kinds = [state.units[name].kind for name in names]
        assert kinds == ["german 8-1", "german 4-6-7", "german 4-6-7", now]


@rule("S8.8", "A14.3")
@pytest.mark.parametrize(("more", "found"), [({}, True), ({"hip": True}, False)])
def test_a_sniper_needs_an_enemy_on_the_map_whom_it_can_find(
    state: SquadState, more: dict[str, bool], found: bool
) -> None:
    for name in [unit.id for unit in state.units.values() if unit.at >= 0]:
        del state.units[name]
    assert not sniping.targets(state, ENEMY)
    friend(state, field(state), **more)
    assert sniping.targets(state, ENEMY) is found
    assert not sniping.targets(state, FRIENDLY)


@rule("B26.1")
def test_wire_is_laid_on_open_ground_once_and_not_in_buildings(state: SquadState) -> None:
    ground = setting_of(state).ground
    cell = field(state)
    house = next(c for c in range(ground.size) if ground.in_building[c])
    assert [hazards._takes_wire(state, place) for place in (cell, house)] == [True, False]
    lay_wire(state, cell, ENEMY)
    assert not hazards._takes_wire(state, cell)


@rule("S15.5")
def test_engineers_come_on_a_flank_with_charges_and_a_flamethrower(state: SquadState) -> None:
    before = set(state.units)
    play = Play(state, StreamDice(secret_of_seed(3)))
    assert arrivals.engineers_flank(play, event("G9", "engineers flank"))
    squads = [unit for name, unit in state.units.items() if name not in before and unit_kind(state, unit).squad]
    assert len(squads) == 3
    assert {unit.group for unit in squads} <= {"from north", "from south"}
    carried = [weapon_kind(state.weapons[name]).type for unit in squads for name in unit.weapons]
    assert (carried.count("DC"), carried.count("FT")) == (3, 1)


@rule("S2.3")
def test_the_gun_of_a_strongpoint_is_manned_and_emplaced(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = field(state)
    monkeypatch.setattr(enemy_events, "on_table", lambda play, table: "Gun")
    monkeypatch.setattr(enemy_events.make, "gun", lambda play, base, **more: "russian 45mm PTP obr. 32 AT")
    (crew,) = enemy_events._garrison(playing(state), cell, setting_of(state).ground.near[cell][0])
    (gun,) = (state.weapons[name] for name in state.units[crew].weapons)
    assert (state.units[crew].at, gun.kind, gun.emplaced) == (cell, "russian 45mm PTP obr. 32 AT", True)


# -- the ENEMY's decisions ---------------------------------------------------------------------------


@rule("S6.24")
def test_a_unit_digs_once_and_with_its_leader(state: SquadState) -> None:
    unit = stand(state, "e", "russian 4-4-7", field(state))
    ORDERS.of(state)[unit.id] = Order(orders.ENTRENCH)
    legal = [Dig("other"), Dig("e"), Dig("e", "l")]
    assert orders.next_dig(state, legal) == Dig("e", "l")
    assert orders.next_dig(state, legal) is None
    ORDERS.of(state)[unit.id] = Order(orders.ENTRENCH)
    assert orders.next_dig(state, legal[:2]) == Dig("e")


@rule("S6.3173")
@pytest.mark.parametrize(
    ("kind", "more", "distance", "found"),
    [
        ("russian 4-4-7", {"broken": True}, 6, True),
        ("russian 4-4-7", {"broken": True}, 7, False),
        ("russian 4-4-7", {}, 2, False),
        ("russian 8-0", {"broken": True}, 2, False),
        ("german 4-6-7", {"broken": True}, 2, False),
    ],
)
def test_a_leader_looks_for_broken_squads_of_his_side_within_six_hexes(
    state: SquadState, kind: str, more: dict[str, bool], distance: int, found: bool
) -> None:
    cell = field(state)
    ranges = setting_of(state).ground.ranges[cell]
    place = next(c for c in range(len(ranges)) if ranges[c] == distance)
    stand(state, "b", kind, place, **more)
    assert (place in automatic.broken_near(state, cell)) is found


@rule("S8.3")
def test_an_attack_that_cannot_be_made_is_given_up_and_the_next_one_stands(state: SquadState) -> None:
    first, second = Volley(("a",), 5), Volley(("b",), 6)
    VOLLEYS.of(state)[:] = [first, second]
    assert firing._give_up(state, [ResolveFire(), CancelFire()]) == CancelFire()
    assert VOLLEYS.of(state) == [second]
    assert firing._give_up(state, [EndPhase(), ResolveFire()]) == ResolveFire()
    assert firing._give_up(state, [EndPhase()]) == EndPhase()
    assert VOLLEYS.of(state) == []


@rule("S9.2")
def test_an_assault_move_out_of_all_los_enters_a_hex_that_nobody_sees(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    around = marching.open_hexes(state, cell, [unit])
    assert len(around) > 2
    for safe in around:
        monkeypatch.setattr(facts, "watchers", lambda state, place, safe=safe: int(place != safe))
        assert marching.next_hex(playing(state), "out of all LOS", cell, [unit]) == (safe,)
    monkeypatch.setattr(facts, "watchers", lambda state, place: 1)
    assert marching.next_hex(playing(state), "out of all LOS", cell, [unit]) == ()


@rule("S9.2")
def test_who_has_nowhere_to_wander_stays_and_no_die_is_cast(state: SquadState) -> None:
    for how in ("RAS", "REH"):
        assert marching.wander(playing(state), March(("e",), "full", wander=how), field(state), []) == -1


@rule("S11.4")
@pytest.mark.parametrize(("combat", "closer", "starts"), [(7, -1, True), (-1, 8, True), (-1, -1, False)])
def test_who_does_not_advance_into_combat_closes_up(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, combat: int, closer: int, starts: bool
) -> None:
    stand(state, "e", "russian 4-4-7", field(state))

    def close_up(play: Play[SquadState], unit: object) -> int:
        assert combat < 0, "it has somewhere to go already"
        return closer

    monkeypatch.setattr(closing, "into_combat", lambda play, unit: combat)
    monkeypatch.setattr(closing, "close_up", close_up)
    action = closing.advance(playing(state), [StartAdvance("e"), EndPhase()])
    assert action == (StartAdvance("e") if starts else EndPhase())
    assert closing.TRIED.of(state)["e"] == max(combat, closer)


@rule("S11")
def test_who_closes_up_goes_for_the_vpo_that_the_friendly_side_holds(state: SquadState) -> None:
    put_roster(state, attitude=ADVANCE)
    ground = setting_of(state).ground
    plain = [c for c in range(ground.size) if {ground.tem[near] for near in ground.near[c]} == {0}]
    cell = next(c for c in plain if len(ground.near[c]) == 6)
    unit = stand(state, "e", "russian 4-4-7", cell)
    east, west = (max(ground.near[cell], key=lambda c, sign=sign: sign * c) for sign in (1, -1))
    ours = next(c for c in range(ground.size) if ground.ranges[c][west] == 3 and ground.ranges[c][cell] == 4)
    theirs = next(c for c in range(ground.size) if ground.ranges[c][east] == 1 and ground.ranges[c][cell] == 2)
    goals = {"A": Objective("A", (ours,), owners=(FRIENDLY,)), "B": Objective("B", (theirs,), owners=(ENEMY,))}
    OBJECTIVES.of(state).clear()
    OBJECTIVES.of(state).update(goals)
    to = closing.close_up(playing(state), unit)
    assert ground.ranges[to][ours] == 3
    OBJECTIVES.of(state).pop("A")
    assert closing.close_up(playing(state), unit) == -1


@rule("M3")
@pytest.mark.parametrize(("boards", "opens"), [(11, True), (12, False)])
def test_recon_opens_twelve_boards_at_most(monkeypatch: pytest.MonkeyPatch, boards: int, opens: bool) -> None:
    state = sandtable.new("sasl/3", seed=5, options={"boards": "shipped"}).state
    base = rolled_in(state)
    east = edge_cells(setting_of(state), "east")[0]
    monkeypatch.setattr(offensives, "rolled_in", lambda state: replace(base, boards=base.boards[:1] * boards))
    MISSIONS[3].entered(playing(state), [friend(state, east)])
    assert bool(ROSTER.of(state).ahead) is opens


@rule("S15.5")
def test_who_comes_in_play_never_takes_the_name_of_another(state: SquadState) -> None:
    state.serial = 0
    stand(state, "f1", "german 4-6-7", field(state))  # a French company has such names from the start
    state.gone["f2"] = Gone("f2", FRIENDLY, "german 4-6-7", "")
    assert [fresh_id(state, "f"), fresh_id(state, "f")] == ["f3", "f4"]


@rule("M5")
def test_the_roster_counts_a_question_mark_like_a_suspect(state: SquadState) -> None:
    cell = field(state)
    stand(state, "squad", "russian 6-2-8", cell)
    known = offensives._threats(state)
    unsure = []
    for kind in ("russian 6-2-8", "russian 4-4-7", "russian 8-0"):
        state.units["squad"] = replace(state.units["squad"], kind=kind, concealed=True)
        unsure.append(offensives._threats(state))
    assert known == [(cell, 2)]
    assert unsure == 3 * [[(cell, offensives.first_line_range(rolled_in(state)))]]
    state.units["squad"] = replace(state.units["squad"], hip=True)
    assert offensives._threats(state) == []


@rule("S12.6")
def test_nothing_stays_hidden_when_the_vp_are_added_up(state: SquadState) -> None:
    stand(state, "squad", "russian 4-4-7", field(state), concealed=True)
    play = playing(state, *(8 * [1]))
    MISSIONS[1].finish(play, "over")
    assert not state.units["squad"].concealed
    assert state.outcome is not None
