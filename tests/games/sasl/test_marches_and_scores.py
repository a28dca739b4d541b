"""Stories of ENEMY marches step by step, and of the points that missions, Guns and VPO are worth."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import mission_without_suspects, playing, stand

from sandtable.engine import Decided
from sandtable.engine.registry import register
from sandtable.games.asl.works import model as works
from sandtable.games.asl.works.digging import Dig
from sandtable.games.sasl import (
    GAME,
    arrivals,
    finds,
    hazards,
    meetings,
    missions,
    offensives,
    setting_up,
    valour,
    victory,
)
from sandtable.games.sasl.enemy import automatic, facts, firing, marching, orders, stopping
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import (
    ENEMY,
    ENTRENCH,
    FRIENDLY,
    MARCH,
    OBJECTIVES,
    ORDERS,
    VOLLEYS,
    March,
    Objective,
    Order,
    Volley,
)
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import events as tables
from sandtable.games.squad.fire.model import AddDirector, FireDraft, ResolveFire
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.movement.model import Move, SmokeGrenade, Step, Stop
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import Gone, Mover, Moving, SquadState, Weapon

register(GAME)
FIELD_GUN = "russian 76.2mm P obr. 39 ART"
rule = pytest.mark.rule


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def hexes(state: SquadState, **wanted: bool) -> list[int]:
    """Hexes of a kind with passable ground all round and nobody about."""
    ground = setting_of(state).ground
    return [
        cell
        for cell in range(ground.size)
        if all(getattr(ground, name)[cell] == value for name, value in wanted.items())
        and len(ground.near[cell]) == 6
        and all(ground.kinds[other].mf is not None for other in ground.near[cell])
        and not any(other in state.stacks for other in (cell, *ground.near[cell]))
    ]


# -- marches ----------------------------------------------------------------------------------------


@rule("S9.2")
def test_where_a_march_stops(state: SquadState) -> None:
    ground = setting_of(state).ground
    places = {tem: next(c for c in range(ground.size) if ground.tem[c] == tem) for tem in (0, 1, 2, 3)}
    for where, least in (("positive TEM", 1), ("TEM of +2 or more", 2)):
        found = [tem for tem, cell in places.items() if stopping.stops(state, where, cell, [])]
        assert found == [tem for tem in places if tem >= least], where
    house = next(c for c in range(ground.size) if ground.in_building[c])
    assert stopping.stops(state, "building", house, [])
    assert not stopping.stops(state, "building", places[0], [])
    OBJECTIVES.of(state)["x"] = Objective("x", (places[0],), (ENEMY,))
    assert stopping.stops(state, "VPO", places[0], [])
    assert not stopping.stops(state, "VPO that was FRIENDLY", places[0], [])
    OBJECTIVES.of(state)["x"] = Objective("x", (places[0],), (ENEMY,), was_friendly=True)
    assert stopping.stops(state, "VPO that was FRIENDLY", places[0], [])


@rule("S9.2")
def test_a_march_follows_its_path_and_ends_where_it_ends(state: SquadState) -> None:
    near = setting_of(state).ground.near
    here = hexes(state, open=True)[0]
    one, two = near[here][0], near[here][3]
    march = March(("a",), "full", path=(one, here, two))
    to_all = [Step(one), Step(two)]
    assert marching._next_step(playing(state), march, here, to_all) == two, "the hex that follows on its path"
    assert marching._next_step(playing(state), march, here, [Step(one)]) == -1, "its way is barred"
    assert marching._next_step(playing(state), replace(march, path=(one, here)), here, to_all) == -1, "it is there"
    assert marching._next_step(playing(state), replace(march, path=(two,)), here, to_all) == two, "its first step"


@rule("S9.2")
def test_a_march_goes_on_until_its_stop_is_reached(state: SquadState) -> None:
    ground = setting_of(state).ground
    here = next(c for c in hexes(state, open=True) if any(ground.tem[other] > 0 for other in ground.near[c]))
    cover = next(other for other in ground.near[here] if ground.tem[other] > 0)
    unit = stand(state, "a", "russian 4-4-7", here)
    MARCH.put(state, March(("a",), "full", path=(here, cover), stop=("VPO", "positive TEM"), command="x"))
    state.moving = Moving((Mover("a", here, hexes=1),), ("a",))
    legal = [Step(cover), Stop()]
    assert marching.going(playing(state), Move(), legal) == Step(cover)
    put(state, unit, cover)
    play = playing(state)
    assert marching.going(play, Move(), legal) == Stop()
    (told,) = [event for event in play.events if isinstance(event, Decided)]
    assert told.why == f"{ground.names[cover]}: positive TEM", "what it stops for, and nothing else"


@rule("S9.42")
def test_units_that_wander_go_into_any_open_hex(state: SquadState) -> None:
    near = setting_of(state).ground.near
    here = hexes(state, open=True)[0]
    march = March(("a",), "full", wander="REH")
    open_to = list(near[here][:3])
    found = {marching.wander(playing(state, dr, dr), march, here, open_to) for dr in (1, 2, 3)}
    assert found <= set(open_to)
    assert len(found) > 1
    assert marching.wander(playing(state), march, here, []) == -1


@rule("S6.316")
def test_smoke_is_thrown_where_the_next_step_leads(state: SquadState) -> None:
    ground = setting_of(state).ground
    here = next(c for c in hexes(state, open=True) if any(ground.open[other] for other in ground.near[c]))
    to = next(other for other in ground.near[here] if ground.open[other])
    watch = next(c for c in range(ground.size) if ground.ranges[to][c] == 2 and sees(state, c, to))
    throws = [SmokeGrenade("a", here), SmokeGrenade("a", to)]
    stand(state, "a", "russian 4-4-7", here)
    stand(state, "t", "german 4-6-7", watch)
    assert marching.screen(playing(state), to, throws) == SmokeGrenade("a", to)
    assert marching.screen(playing(state), to, throws[:1]) is None
    state.units["t"] = replace(state.units["t"], broken=True)
    for unit in list(state.units.values()):
        if unit.side == FRIENDLY:
            state.units[unit.id] = replace(unit, broken=True)
    assert marching.screen(playing(state), to, throws) is None, "nobody unbroken looks"


@rule("S6.2")
def test_an_assault_move_enters_only_hexes_that_have_room_and_are_free(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = setting_of(state).ground
    here = hexes(state, open=True)[0]
    unit = stand(state, "a", "russian 4-4-7", here)
    full, held = ground.near[here][0], ground.near[here][1]
    for number in range(3):
        stand(state, f"r{number}", "russian 4-4-7", full)
    stand(state, "t", "german 4-6-7", held)
    found = marching.open_hexes(state, here, [unit])
    assert full not in found
    assert held not in found
    assert found
    for cost, may in ((6, True), (8, False)):
        monkeypatch.setattr(marching, "step_cost", lambda *words, cost=cost, **more: cost)
        assert bool(marching.open_hexes(state, here, [unit])) is may, "never with its last MF"


@rule("S6.3174")
def test_a_leader_goes_to_squads_near_him_that_fire_without_one(state: SquadState) -> None:
    ground = setting_of(state).ground
    here = hexes(state, open=True)[0]
    six = [c for c in range(ground.size) if ground.ranges[here][c] == 6 and c not in state.stacks]
    seven = [c for c in range(ground.size) if ground.ranges[here][c] == 7 and c not in state.stacks]
    target = stand(state, "t", "german 4-6-7", here)
    near = next(c for c in six if sees(state, c, target.at))
    far = next(c for c in seven if sees(state, c, target.at))
    stand(state, "n", "russian 4-4-7", near)
    stand(state, "f", "russian 4-4-7", far)
    assert automatic.firers_near(state, here) == [near]
    stand(state, "l", "russian 8-0", near)
    assert automatic.firers_near(state, here) == [], "these have a leader"


# -- points -----------------------------------------------------------------------------------------


def lost_gun(state: SquadState, side: str, name: str) -> None:
    state.gone[name] = Gone(name, side, FIELD_GUN, "destroyed")


@rule("A26.211")
def test_guns_of_the_enemy_destroyed_or_captured_count(state: SquadState) -> None:
    lost_gun(state, ENEMY, "g1")
    lost_gun(state, FRIENDLY, "g2")
    state.gone["g3"] = Gone("g3", ENEMY, FIELD_GUN, "exited")
    assert len(victory.guns_destroyed(state, ENEMY)) == 1
    one = victory.guns_lost(state, ENEMY)
    assert one > 0
    crew = stand(state, "t", "german 4-6-7", hexes(state, open=True)[0])
    state.weapons["w"] = Weapon("w", ENEMY, FIELD_GUN, owner=crew.id)
    assert victory.guns_lost(state, ENEMY) == 3 * one, "a captured Gun counts twice"
    state.weapons["w"] = Weapon("w", FRIENDLY, "german 7.5cm PaK 40 AT", owner=crew.id)
    assert victory.guns_lost(state, ENEMY) == one, "his own Gun is no capture"


@rule("S12.6")
def test_papers_that_are_still_held_count_at_mission_end(state: SquadState) -> None:
    rules = missions.rules_of(state)
    assert "Papers" not in {line[0] for line in rules.score(playing(state, *[1] * 20))}
    unit = stand(state, "t", "german 4-6-7", hexes(state, open=True)[0])
    finds.take_papers(playing(state), unit, "dr-1")
    papers = [line for line in rules.score(playing(state, *[4] * 20)) if line[0] == "Papers"]
    assert papers == [("Papers", 3, 0)]


@rule("M2")
@rule("M8")
@pytest.mark.parametrize("mission", [offensives.Pockets(), meetings.Patrol()])
def test_casualties_and_guns_are_added_up(state: SquadState, mission: missions.Rules) -> None:
    before = mission.tally(state)[0]
    state.gone["x"] = Gone("x", ENEMY, "russian 4-4-7", "eliminated", points=2)
    lost_gun(state, ENEMY, "g1")
    after = mission.tally(state)[0]
    assert after[1] - before[1] == 2 + victory.guns_lost(state, ENEMY)
    assert after[2] == before[2]


@rule("M4")
def test_bunker_busting_counts_own_losses_guns_and_suspects(state: SquadState) -> None:
    lost_gun(state, ENEMY, "g1")
    state.gone["x"] = Gone("x", FRIENDLY, "german 4-6-7", "eliminated", points=2)
    names = {line[0]: line[1:] for line in offensives.BunkerBusting().tally(state)}
    assert names["Casualty VP"] == (0, 2)
    assert names["ENEMY Guns"] == (victory.guns_lost(state, ENEMY), 0)


@rule("M4")
def test_engineers_come_by_the_dr_and_cost_points(state: SquadState) -> None:
    base = rolled_in(state)
    rules = offensives.BunkerBusting()
    found = [rules.reinforcements(playing(state, dr), base).bonus for dr in range(1, 7)]
    assert found == [1, 2, 0, 0, 2, 2]


@rule("M4")
@rule("M8")
@pytest.mark.parametrize(("mission", "turns"), [(offensives.BunkerBusting(), 10), (meetings.Patrol(), 8)])
def test_later_turns_end_a_mission_more_easily(state: SquadState, mission: missions.Rules, turns: int) -> None:
    for turn, drm in ((1, 0), (turns, 0), (turns + 1, -1), (turns + 3, -3)):
        state.turn = turn
        assert mission.end_drm(state) == drm


@rule("S14")
@pytest.mark.parametrize(
    ("boards", "stone", "drm"), [("abb", False, -1), ("abb", True, -2), ("aab", False, 0), ("aaab", True, 0)]
)
def test_the_value_of_an_objective_depends_on_stone_and_neighbours(boards: str, stone: bool, drm: int) -> None:
    assert victory.objective_drm(list(boards), Objective("x", (1,), (ENEMY,), board="a"), stone=stone) == drm


@rule("S14")
def test_a_fortification_is_worth_its_own_points_without_a_roll(state: SquadState) -> None:
    assert victory.value_of(playing(state), Objective("x", (1,), (ENEMY,), board="a", worth=12)) == 12.0


# -- events and forces --------------------------------------------------------------------------------


@rule("S12.5")
def test_the_last_turn_ends_a_mission_whatever_the_dice(state: SquadState) -> None:
    rules = missions.rules_of(state)
    state.turn = missions.LAST_TURN - 1
    rules.end_of_turn(playing(state, *[6] * 4))
    assert state.outcome is None
    state.turn = missions.LAST_TURN
    rules.end_of_turn(playing(state, *[6] * 40))
    assert state.outcome is not None


@rule("S12.3")
@pytest.mark.parametrize(("date", "choice"), [("1943-10", False), ("1943-11", True), ("1944-02", True)])
def test_chinese_forces_are_rolled_for_from_november_1943(state: SquadState, date: str, choice: bool) -> None:
    found = {setting_up._group(playing(state, *([dr] if choice else [])), "C", date) for dr in (3, 4)}
    assert found == ({"GMD", "X/Y Force"} if choice else {"GMD"})


@rule("S12.3")
@pytest.mark.parametrize(("date", "group"), [("1942-05", "Philippines"), ("1942-06", "elsewhere")])
def test_americans_are_those_of_the_philippines_until_may_1942(state: SquadState, date: str, group: str) -> None:
    assert setting_up._group(playing(state), "U-PTO", date) == group


@rule("S2.3")
@pytest.mark.parametrize(("last", "ends"), [(0, True), (20, False)])
def test_no_mission_end_dr_is_made_once_an_evacuation_is_under_way(state: SquadState, last: int, ends: bool) -> None:
    put_roster(state, evacuate=last)
    play = playing(state, *[1] * 40)
    missions.rules_of(state).end_roll(play)
    assert (state.outcome is not None) is ends
    assert bool(play.events) is ends


@rule("S2.3")
@pytest.mark.parametrize(("table", "rallies"), [("A11", True), ("P9", False)])
def test_a_leader_who_hardens_rallies_his_location_unless_he_leads_partisans(
    state: SquadState, table: str, rallies: bool
) -> None:
    event = next(one for one in tables.events(table) if one.event == "battle hardens")
    cell = hexes(state, open=True)[0]
    stand(state, "l", "russian 8-0", cell)
    stand(state, "b", "russian 4-4-7", cell, broken=True, dm=True)
    assert valour.hardens(playing(state, *[1] * 6), event)
    assert state.units["b"].broken is not rallies
    assert unit_kind(state, state.units["l"]).name != "8-0"


@rule("S2.3")
def test_a_hero_rises_from_a_squad_and_not_from_a_leader(state: SquadState) -> None:
    event = next(one for name in ("G9", "R9", "U9") for one in tables.events(name) if one.event == "hero")
    for unit in [unit for unit in state.units.values() if unit.side == FRIENDLY]:
        state.units[unit.id] = replace(unit, at=-1)
    cell = hexes(state, open=True)[0]
    near = setting_of(state).ground.near[cell]
    stand(state, "e", "russian 4-4-7", cell)
    stand(state, "l", "german 8-0", near[0])
    assert not valour.hero(playing(state), event), "a leader alone"
    stand(state, "t", "german 4-6-7", setting_of(state).ground.ranges[cell].index(3))
    assert valour.hero(playing(state, *[1] * 4), event)


@rule("S2.31")
@pytest.mark.parametrize(("dr", "happens"), [(2, True), (3, False), (4, False)])
def test_a_lamp_in_a_building_waits_for_flames(state: SquadState, dr: int, happens: bool) -> None:
    event = next(one for one in tables.events("A11") if one.event == "building")
    assert not hazards.in_a_building(playing(state), event), "nobody is in a building"
    house = next(cell for cell, inside in enumerate(setting_of(state).ground.in_building) if inside)
    stand(state, "t", "german 4-6-7", house)
    assert hazards.in_a_building(playing(state, dr, *[1] * 6), event) is happens


@rule("S15.5")
def test_partisans_arrive_with_a_leader_but_not_in_mission_19(state: SquadState) -> None:
    event = next(one for one in tables.events("R9") if one.event == "partisans")
    base = replace(rolled_in(state), friendly="R", friendly_nation="russian", enemy="G", date="1942-05")
    state.setting = key_of(state, base)
    before = set(state.units)
    assert arrivals.partisans(playing(state, *[1] * 60), event)
    new = [state.units[name] for name in state.units if name not in before]
    assert {unit.kind for unit in new if unit_kind(state, unit).mmc} == {"partisan 3-3-7"}
    assert len([unit for unit in new if unit_kind(state, unit).leads]) == 1
    state.setting = key_of(state, replace(base, mission=19))
    assert not arrivals.partisans(playing(state), event)


@rule("S17.81")
@pytest.mark.parametrize(
    ("date", "number", "dice", "rank"),
    [
        ("1942-05", 10, (1,), "10-0 Commissar"),
        ("1942-05", 10, (3,), "9-0 Commissar"),
        ("1942-05", 9, (1,), ""),
        ("1942-11", 10, (1,), ""),
    ],
)
def test_a_commissar_leads_ten_squads_before_november_1942(
    state: SquadState, date: str, number: int, dice: tuple[int, ...], rank: str
) -> None:
    base = replace(rolled_in(state), date=date)
    found = arrivals._partisan_leader(playing(state, *dice, 1), base, number)
    assert found == rank if rank else found and not found.endswith("Commissar")
    assert printed_unit(f"russian {found}").leads


@rule("S6.24")
def test_a_unit_that_is_to_entrench_tries_it_once_with_a_leaders_help(state: SquadState) -> None:
    legal = [Dig("a"), Dig("a", "l"), Dig("b")]
    assert orders.next_dig(state, legal) is None, "nobody has the order"
    ORDERS.of(state)["a"] = Order(ENTRENCH)
    assert orders.next_dig(state, legal) == Dig("a", "l")
    assert orders.next_dig(state, legal) is None
    ORDERS.of(state)["b"] = Order(ENTRENCH)
    assert orders.next_dig(state, legal) == Dig("b")


@rule("S8.5")
@pytest.mark.parametrize(("leader", "directs"), [("russian 9-1", True), ("russian 6+1", False)])
def test_a_leader_beside_the_firers_directs_them_unless_he_makes_it_worse(
    state: SquadState, leader: str, directs: bool
) -> None:
    cell = hexes(state, open=True)[0]
    stand(state, "a", "russian 4-4-7", cell)
    stand(state, "l", leader, cell)
    target = setting_of(state).ground.near[cell][0]
    VOLLEYS.of(state)[:] = [Volley(("a",), target)]
    frame = FireDraft(ENEMY, "prep", units=("a",), target=target)
    legal = [AddDirector("l"), ResolveFire()]
    assert firing.draft(playing(state), frame, legal) == (AddDirector("l") if directs else ResolveFire())
    VOLLEYS.of(state)[:] = [Volley(("a",), target)]
    assert firing.draft(playing(state), replace(frame, leaders=("l",)), legal) == ResolveFire()


@pytest.mark.rule("S17.1321")
@pytest.mark.parametrize(("card", "points"), [("G", 3), ("R", 2)])
def test_reinforcements_lost_count_one_and_a_half_times_unless_they_are_russian(
    state: SquadState, card: str, points: float
) -> None:
    state.setting = key_of(state, replace(rolled_in(state), friendly=card))
    state.gone["f1"] = Gone("f1", FRIENDLY, "german 4-6-7", "eliminated", "from west", 2)
    assert victory.casualties(state, FRIENDLY) == points
    state.gone["a1"] = Gone("a1", FRIENDLY, "german 4-6-7", "eliminated", "company", 2)
    assert victory.casualties(state, FRIENDLY) == points + 2


@pytest.mark.rule("S3.322")
def test_a_suspect_does_not_walk_into_known_mines_unless_a_vpo_is_there(state: SquadState) -> None:
    ground = setting_of(state).ground
    cell = next(c for c in range(150, ground.size) if ground.open[c] and all(ground.open[n] for n in ground.near[c]))
    works.lay_mines(state, cell, ENEMY, 6, known=True)
    OBJECTIVES.of(state).clear()
    assert facts.shunned(state, cell)
    OBJECTIVES.of(state)["goal"] = Objective("goal", (ground.near[cell][0],), (FRIENDLY,))
    assert not facts.shunned(state, cell)
    works.lay_mines(state, cell, ENEMY, 6)
    OBJECTIVES.of(state).clear()
    assert not facts.shunned(state, cell), "it knows of no hidden mines"
