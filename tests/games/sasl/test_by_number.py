"""Rules of chapter S that are known by their number and a few words: one short story for each."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, Falling, field, friend, mission_without_suspects, playing, seen

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.deploying.model import EndReforming, Recombine, Reforming
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import GAME, activation, fortify, generation, roaming, suspects
from sandtable.games.sasl.enemy import closing, facts, firing, marching, orders
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ORDERS,
    ROSTER,
    SUSPECTS,
    VOLLEYS,
    Order,
)
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.squad.combat.model import AttackUnit, Combat
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.model import NO_MARKER, PREP_FIRE, SquadState, Unit
from sandtable.games.squad.rout.model import CancelRout, LowCrawl, Rout, RoutStep, TakeLeader

register(GAME)
AT_GUN, FIELD_GUN = "british 40L AT OQF 2pdr", "russian 76* INF PP obr. 27"


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def foe(state: SquadState, cell: int, kind: str = "russian 4-4-7") -> Unit:
    return generation.new_unit(playing(state), kind, cell)


def building(state: SquadState) -> int:
    ground = setting_of(state).ground
    return next(cell for cell in range(150, ground.size) if ground.in_building[cell] and seen(state, cell, 4))


# -- S? -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S3.11")
@pytest.mark.parametrize(
    ("there", "squads", "room"), [(0, 2, True), (0, 3, False), (1, 1, True), (2, 1, False), (2, 0, True)]
)
def test_for_stacking_a_suspect_counts_as_a_squad(state: SquadState, there: int, squads: int, room: bool) -> None:
    cell = field(state)
    for _ in range(there):
        suspects.add(state, at=cell, attitude=ADVANCE)
    for _ in range(squads):
        foe(state, cell)
    assert suspects.has_room(state, cell) is room


@pytest.mark.rule("S3.11")
@pytest.mark.parametrize(("there", "moves"), [(1, True), (2, True), (3, False)])
def test_suspects_move_onto_each_other_as_far_as_there_is_room(state: SquadState, there: int, moves: bool) -> None:
    state.attacker = ENEMY
    play = Play(state, StreamDice(secret_of_seed(3)))
    start = field(state)
    one = suspects.add(state, at=start, attitude=ADVANCE, edge="west")
    for to in setting_of(state).ground.near[start]:
        for _ in range(there):
            suspects.add(state, at=to, attitude=HOLD)
    roaming.advance_suspects(play)
    assert (SUSPECTS.of(state)[one.id].at != start) is moves


@pytest.mark.rule("S3.11")
@pytest.mark.parametrize(("there", "barred"), [(1, False), (2, False), (3, True)])
def test_enemy_units_find_no_room_beside_three_suspects(state: SquadState, there: int, barred: bool) -> None:
    cell = field(state)
    to = setting_of(state).ground.near[cell][0]
    unit = foe(state, cell)
    for _ in range(there):
        suspects.add(state, at=to, attitude=HOLD)
    assert (suspects.enter_bar(state, [unit], cell, to) is not None) is barred
    assert suspects.enter_bar(state, [friend(state, cell)], cell, to) is not None


# -- generation -----------------------------------------------------------------------------------------------


def squads(state: SquadState, *totals: int) -> list[str]:
    base = replace(rolled_in(state), enemy="U", enemy_group="", date="1944-06")
    return [generation.squad(Play(state, Falling(total)), base) for total in totals]


@pytest.mark.rule("S12.22")
def test_special_forces_are_not_mixed_with_others(state: SquadState) -> None:
    again = state.clone()
    assert squads(state, 6, 2, 3) == ["american 6-6-6", "american 6-6-7", "american 6-6-7"]
    assert squads(again, 2, 6, 11) == ["american 7-4-7"] * 3
    assert ROSTER.of(again).special == "7-4-7"


@pytest.mark.rule("S12.22")
@pytest.mark.rule("S5.72")
def test_the_5_2_7_of_the_partisans_are_no_special_forces(state: SquadState) -> None:
    base = replace(rolled_in(state), enemy="P", enemy_group="", date="1943-06")
    found = [generation.squad(Play(state, Falling(total)), base) for total in (6, 11, 7)]
    assert found == ["partisan 3-3-7", "partisan 5-2-7", "partisan 3-3-7"]
    assert not ROSTER.of(state).special


@pytest.mark.rule("S12.22")
def test_special_forces_as_rolled() -> None:
    state = sandtable.new("sasl/1", seed=8, options={**OPTIONS, "special": "as rolled"}).state
    assert squads(state, 6, 2) == ["american 6-6-6", "american 7-4-7"]


@pytest.mark.rule("S5.753", "S5.754")
@pytest.mark.parametrize("enemy", ["R", "G", "U", "B", "J"])
def test_in_a_building_no_weapon_is_generated_that_cannot_be_fired_there(state: SquadState, enemy: str) -> None:
    base = replace(rolled_in(state), enemy=enemy, enemy_group="", date="1944-06")
    found = {True: set(), False: set()}
    for indoors in found:
        for seed in range(60):
            play = Play(state, StreamDice(secret_of_seed(seed)))
            found[indoors].add(generation.support_weapon(play, base, indoors=indoors))
    assert any(kind and generation.outdoors(kind) for kind in found[False])
    assert not any(kind and generation.outdoors(kind) for kind in found[True])
    assert {kind for kind in found[False] if not (kind and generation.outdoors(kind))} <= found[True] | {""}


@pytest.mark.rule("S5.753")
@pytest.mark.parametrize(("weapon", "within"), [("russian 50mm RM obr. 40", False), ("russian LMG", True)])
def test_a_mortar_stays_outside_a_pillbox(state: SquadState, weapon: str, within: bool) -> None:
    unit = foe(state, field(state))
    generation.new_weapon(playing(state), weapon, unit)
    unit = state.units[unit.id]
    fortify.fortify(playing(state, 1), [unit], unit.at, seen(state, unit.at, 4)[-1], gun=False)
    assert works.works_at(state, unit.at, works.PILLBOX)
    assert bool(state.units[unit.id].within) is within


# -- fire -----------------------------------------------------------------------------------------------------


def gun(state: SquadState, cell: int, kind: str) -> str:
    crew = foe(state, cell, f"{kind.partition(' ')[0]} 2-2-8")
    weapon = generation.new_weapon(playing(state), kind, crew)
    generation.point_gun(playing(state), weapon, cell, seen(state, cell, 3)[-1], emplaced=True)
    return weapon.id


@pytest.mark.rule("S8.2")
def test_a_light_mortar_fires_at_infantry_by_a3d(state: SquadState) -> None:
    cell = field(state)
    squad = foe(state, cell)
    mortar = generation.new_weapon(playing(state), "russian 50mm RM obr. 40", squad)
    ranges = setting_of(state).ground.ranges[cell]
    friend(state, next(c for c in seen(state, cell, 4) if ranges[c] == 3))
    state.attacker, state.phase = ENEMY, "PFPh"
    play = Play(state, Falling(11))
    assert firing.fire_location(play, cell, [StartShot(mortar.id)], "prep")
    assert [event.table for event in play.events if isinstance(event, Decided)] == ["A3d"]
    assert VOLLEYS.of(state)[0].area


@pytest.mark.rule("S8.21")
@pytest.mark.parametrize(
    ("distance", "marker", "fires"), [(1, PREP_FIRE, True), (3, PREP_FIRE, False), (3, NO_MARKER, True)]
)
def test_intensive_fire_only_at_an_adjacent_target(state: SquadState, distance: int, marker: int, fires: bool) -> None:
    cell = field(state)
    name = gun(state, cell, FIELD_GUN)
    state.weapons[name] = replace(state.weapons[name], marker=marker, shots=1)
    ranges = setting_of(state).ground.ranges[cell]
    friend(state, next(c for c in seen(state, cell, distance) if ranges[c] == distance))
    state.attacker, state.phase = ENEMY, "PFPh"
    assert firing.fire_location(Play(state, Falling(8)), cell, [StartShot(name)], "prep") is fires


@pytest.mark.rule("S8.22")
def test_support_weapons_fire_before_inherent_fp(state: SquadState) -> None:
    ground = setting_of(state).ground
    cell, near, far = next(
        (cell, near, far)
        for near in range(150, ground.size)
        if ground.in_building[near]
        for cell in ground.near[near]
        if ground.open[cell]
        for far in seen(state, cell, 4)
        if ground.open[far] and ground.ranges[cell][far] == 3
    )
    squad = foe(state, cell)
    weapon = generation.new_weapon(playing(state), "russian LMG", squad)
    friend(state, near, 1)
    friend(state, far, 2)
    state.attacker, state.phase = ENEMY, "PFPh"
    play = Play(state, Falling(10))  # the closest Known Target for inherent FP, the one in least TEM for SW
    assert firing.fire_location(play, cell, [StartFire(squad.id), StartFire(weapon.id)], "prep")
    assert [(one.firers, one.target) for one in VOLLEYS.of(state)] == [((weapon.id,), far), ((squad.id,), near)]


@pytest.mark.rule("S8")
@pytest.mark.parametrize(("kind", "area"), [(AT_GUN, False), (FIELD_GUN, True)])
def test_a_gun_without_he_does_not_use_the_area_target_type(state: SquadState, kind: str, area: bool) -> None:
    cell = field(state)
    name = gun(state, cell, kind)
    friend(state, seen(state, cell, 3)[-1])
    state.attacker, state.phase = ENEMY, "PFPh"
    play = Play(state, Falling(11))
    assert firing.fire_location(play, cell, [StartShot(name)], "prep")
    assert VOLLEYS.of(state)[0].area is area
    (line,) = [event.why for event in play.events if isinstance(event, Decided) and event.table == "A3d"]
    assert ": Area Fire at " in line
    assert ("Infantry Target Type" in line) is not area


@pytest.mark.rule("S8.5")
@pytest.mark.parametrize("mode", ["final", "advancing"])
@pytest.mark.parametrize("panics", [False, True])
def test_fire_groups_are_formed_in_every_fire_phase(state: SquadState, mode: str, panics: bool) -> None:
    cell = field(state)
    beside = setting_of(state).ground.near[cell][0]
    first, second = foe(state, cell), foe(state, beside)
    target = next(c for c in seen(state, cell, 3) if c in seen(state, beside, 3) and c not in (cell, beside))
    friend(state, target)
    state.attacker, state.phase = (FRIENDLY, "DFPh") if mode == "final" else (ENEMY, "AFPh")
    ORDERS.of(state)[second.id] = Order("Panic" if panics else "Move")
    legal = [StartFire(first.id), StartFire(second.id)]
    orders.fire_phase(Play(state, Falling(8)), legal, mode)
    assert set(VOLLEYS.of(state)[0].firers) == ({first.id} if panics else {first.id, second.id})


# -- movement -------------------------------------------------------------------------------------------------


@pytest.mark.rule("S9.26")
def test_enemy_infantry_goes_around_known_mines(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    ground = setting_of(state).ground
    goal = next(c for c in seen(state, cell, 3) if ground.ranges[cell][c] == 3)
    way = marching.path_to(state, cell, {goal}, [unit])
    works.lay_mines(state, way[0], FRIENDLY, 6)
    assert marching.path_to(state, cell, {goal}, [unit]) == way
    works.lay_mines(state, way[0], FRIENDLY, 6, known=True)
    assert way[0] not in marching.path_to(state, cell, {goal}, [unit])
    assert way[0] not in marching.open_hexes(state, cell, [unit])
    assert facts.shunned(state, way[0])


@pytest.mark.rule("S3.323")
def test_suspects_do_not_enter_water(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    ground = setting_of(state).ground
    cell = field(state)
    kinds = list(ground.kinds)
    for to in ground.near[cell]:
        kinds[to] = replace(kinds[to], mf=None)
    one = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    free = state.clone()
    roaming.advance_suspects(Play(free, StreamDice(secret_of_seed(1))))
    assert SUSPECTS.of(free)[one.id].at != cell
    monkeypatch.setattr(ground, "kinds", kinds)
    roaming.advance_suspects(Play(state, StreamDice(secret_of_seed(1))))
    assert SUSPECTS.of(state)[one.id].at == cell


@pytest.mark.rule("S5.741")
@pytest.mark.parametrize(("with_gun", "kind"), [(True, works.TRENCH), (False, works.FOXHOLE)])
def test_a_gun_with_an_entrenchment_is_in_a_trench(state: SquadState, with_gun: bool, kind: str) -> None:
    unit = foe(state, field(state))
    fortify.fortify(playing(state, 4), [unit], unit.at, seen(state, unit.at, 4)[-1], gun=with_gun)
    assert [one.kind for one in works.works_at(state, unit.at, *works.SHELTERS)] == [kind]


@pytest.mark.rule("S5.76", "S5.761")
@pytest.mark.parametrize(
    ("dr", "housed", "asked"),
    [(1, False, (True, True)), (4, False, (False, False)), (1, True, (True, False))],
    ids=["a pillbox", "a trench", "a building"],
)
def test_a_gun_in_a_pillbox_or_building_is_one_of_the_column_inside(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, dr: int, housed: bool, asked: tuple[bool, bool]
) -> None:
    ground = setting_of(state).ground
    cell = next(c for c in range(40, ground.size) if ground.in_building[c]) if housed else field(state)
    one = suspects.add(state, at=cell, attitude=HOLD, edge="west")
    columns = []

    def gun(play: Play[SquadState], base: Rolled, *, inside: bool, pillbox: bool) -> str:
        columns.append((inside, pillbox))
        return FIELD_GUN

    monkeypatch.setattr(generation, "gun", gun)
    made = activation.become(Play(state, Falling(7, extra=dr)), one, ["S", "F", "Gun"], seen(state, cell, 4)[-1])
    assert columns == [asked]
    boxes = works.works_at(state, cell, works.PILLBOX)
    assert bool(boxes) is (asked == (True, True))
    if boxes:
        assert {state.units[name].within for name in made if state.units[name].weapons} == {boxes[0].id}


@pytest.mark.rule("S5.761")
@pytest.mark.parametrize(("pillbox", "made"), [(True, "PaK 40"), (False, "PaK 43")])
def test_a_note_of_g5_holds_in_pillboxes_only(state: SquadState, pillbox: bool, made: str) -> None:
    base = replace(rolled_in(state), enemy="G", date="1944-08")
    assert made in generation.gun(playing(state, 2, 2), base, inside=True, pillbox=pillbox)


@pytest.mark.rule("S6.241")
def test_nobody_entrenches_where_he_sees_nothing(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = field(state)
    unit = foe(state, cell)
    friend(state, seen(state, cell, 1)[0])
    assert orders.can_entrench(state, [unit])
    ground = setting_of(state).ground
    row = [0 if distance <= 1 else BLOCKED for distance in ground.ranges[cell]]
    monkeypatch.setattr(ground, "los_row", lambda at: row)
    assert orders.restricted(state, cell)
    assert not orders.can_entrench(state, [unit])


@pytest.mark.rule("S7.5")
@pytest.mark.parametrize(
    ("broken", "concealed", "joins"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_a_leader_with_nobody_to_rally_lets_half_squads_recombine(
    state: SquadState, broken: bool, concealed: bool, joins: bool
) -> None:
    cell = field(state)
    one, two, leader = (
        foe(state, cell, "russian 2-2-7"),
        foe(state, cell, "russian 2-2-7"),
        foe(state, cell, "russian 8-0"),
    )
    other = foe(state, cell)
    state.units[other.id] = replace(other, broken=broken)
    state.units[one.id] = replace(state.units[one.id], concealed=concealed)
    action = Recombine(one.id, two.id, leader.id)
    chosen = closing.reform(playing(state), Reforming(ENEMY), [action, EndReforming()])
    assert (chosen == action) is joins


@pytest.mark.rule("S8.4")
def test_heroes_fire_with_the_others_of_their_location(state: SquadState) -> None:
    cell = field(state)
    squad, hero = foe(state, cell), foe(state, cell, "russian Hero 1-4-9")
    friend(state, seen(state, cell, 2)[-1])
    state.attacker, state.phase = ENEMY, "PFPh"
    firing.fire_location(Play(state, Falling(12)), cell, [StartFire(squad.id), StartFire(hero.id)], "prep")
    assert VOLLEYS.of(state)[0].firers == (squad.id, hero.id)


@pytest.mark.rule("S10", "S10.2")
def test_the_enemy_routs_out_of_range_and_crawls_only_if_nothing_else_is_left(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    state.units[unit.id] = replace(unit, broken=True, dm=True)
    ways = [RoutStep(to) for to in setting_of(state).ground.near[cell]]
    frame = Rout(unit.id, cell)
    chosen = closing.rout(Play(state, StreamDice(secret_of_seed(1))), frame, [*ways, LowCrawl(ways[0].to)])
    assert chosen in ways
    assert closing.rout(playing(state), frame, [LowCrawl(ways[0].to)]) == LowCrawl(ways[0].to)
    keys = dict(closing._rout(state))
    near = next(c for c, distance in enumerate(setting_of(state).ground.ranges[cell]) if distance == 6)
    friend(state, near, 9)
    assert [keys["out of range"](RoutStep(to)) for to in (cell, near)] == [1, 1]
    far = next(c for c, distance in enumerate(setting_of(state).ground.ranges[near]) if distance == 7)
    assert keys["out of range"](RoutStep(far)) == 0


@pytest.mark.rule("S15.9")
def test_a_search_activates_the_suspects_of_a_hex(state: SquadState) -> None:
    cell = building(state)
    suspects.add(state, at=cell, attitude=HOLD)
    activation.searched(Play(state, Falling(7)), cell, FRIENDLY)
    assert not suspects.suspects_at(state, cell)


@pytest.mark.rule("S10.4")
@pytest.mark.parametrize(("others", "goes"), [(0, True), (1, False)])
def test_a_leader_with_nobody_else_to_lead_routs_along(state: SquadState, others: int, goes: bool) -> None:
    cell = field(state)
    unit, leader = foe(state, cell), foe(state, cell, "russian 8-0")
    state.units[unit.id] = replace(unit, broken=True, dm=True)
    for _ in range(others):
        foe(state, cell)
    ways = [RoutStep(to) for to in setting_of(state).ground.near[cell]]
    play = Play(state, StreamDice(secret_of_seed(1)))
    chosen = closing.rout(play, Rout(unit.id, cell), [TakeLeader(leader.id), *ways])
    assert (chosen == TakeLeader(leader.id)) is goes


@pytest.mark.rule("S10")
def test_who_carries_too_much_to_rout_drops_it_before_anything_else(state: SquadState) -> None:
    cell = field(state)
    unit, leader = foe(state, cell, "russian 2-2-7"), foe(state, cell, "russian 8-0")
    state.units[unit.id] = replace(unit, broken=True, dm=True)
    legal = [TakeLeader(leader.id), DropWeapon("w"), CancelRout()]
    assert closing.rout(playing(state), Rout(unit.id, cell), legal) == DropWeapon("w")


@pytest.mark.rule("S10.4")
def test_a_leader_with_whom_there_is_no_way_does_not_rout_along(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He would be asked for ever."""
    cell = field(state)
    unit, leader = foe(state, cell), foe(state, cell, "russian 8-0")
    state.units[unit.id] = replace(unit, broken=True, dm=True)
    monkeypatch.setattr(closing, "options", lambda state, rout: rout)
    ways = [RoutStep(to) for to in setting_of(state).ground.near[cell]]
    play = Play(state, StreamDice(secret_of_seed(1)))
    assert closing.rout(play, Rout(unit.id, cell), [TakeLeader(leader.id), *ways]) in ways


@pytest.mark.rule("S11")
@pytest.mark.parametrize("dug_in", [False, True])
def test_nobody_leaves_a_foxhole_to_close_up(state: SquadState, dug_in: bool) -> None:
    put_roster(state, attitude=ADVANCE)
    OBJECTIVES.of(state).clear()
    cell = field(state)
    unit = foe(state, cell)
    friend(state, next(c for c, distance in enumerate(setting_of(state).ground.ranges[cell]) if distance == 4))
    if dug_in:
        works.put_in(state, unit, works.lay_foxhole(state, cell, ENEMY, 1))
    assert (closing.close_up(playing(state), state.units[unit.id]) < 0) is dug_in


@pytest.mark.rule("S11.5")
def test_the_log_says_whom_an_attack_in_close_combat_is_against_and_why(state: SquadState) -> None:
    cell = field(state)
    man = foe(state, cell)
    weak, strong = friend(state, cell, 1, "german 2-4-7"), friend(state, cell, 2)
    play = playing(state, 3)
    frame = Combat(cell, "declare", ENEMY, units=(man.id,))
    chosen = closing.combat(play, frame, [AttackUnit(weak.id), AttackUnit(strong.id)])
    assert chosen == AttackUnit(weak.id)
    said = [event.why for event in play.events if isinstance(event, Decided)]
    assert said[-1].endswith("(best odds)")
    assert "2-4-7" in said[-1]
