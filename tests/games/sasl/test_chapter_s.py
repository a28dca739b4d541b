"""Rules of chapter S, each in a short story: S? that move, the ENEMY's orders, fire and movement."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, mission_without_suspects, playing

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.deploying.model import EndReforming, Recombine, Reforming
from sandtable.games.asl.surrender import CAPTIVES, capture
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import GAME, activation, command, entering, generation, roaming, suspects
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.compass import distances, edge_cells
from sandtable.games.sasl.enemy import automatic, closing, facts, firing, marching, orders
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FIRE,
    FRIENDLY,
    HOLD,
    MOVE,
    NOTHING,
    OBJECTIVES,
    ORDERS,
    PANIC,
    SUSPECTS,
    VOLLEYS,
    Order,
    SuspectMoved,
    Volley,
)
from sandtable.games.sasl.ordnance import guns
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables import general
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, FireDraft, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import give
from sandtable.games.squad.movement.model import Reaction, Recover, StartMove
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.model import Acquired, Mover, Moving, SquadState, Unit, Weapon
from sandtable.games.squad.rally.model import RallyPhase, RallyUnit, Repair, SelfRally
from sandtable.space.terrain import terrain_table

register(GAME)
OPTIONS = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def foe(state: SquadState, cell: int, kind: str = "russian 4-4-7") -> Unit:
    return generation.new_unit(playing(state), kind, cell)


def armed(state: SquadState, unit: Unit, kind: str, number: int = 1, **values: object) -> Weapon:
    weapon = Weapon(f"w{number}", ENEMY, kind, "enemy", **values)  # type: ignore[arg-type]
    state.weapons[weapon.id] = weapon
    give(state, weapon, unit.id)
    return state.weapons[weapon.id]


def ordered(state: SquadState, cell: int, units: list[Unit], *, target: bool = False) -> tuple[str, str]:
    given = automatic.automatic(state, cell, [state.units[unit.id] for unit in units], target=target)
    return (given.what, given.rule) if given else ("", "")


def seen_at(state: SquadState, cell: int, distance: int) -> int:
    ground = setting_of(state).ground
    return next(c for c in range(ground.size) if ground.ranges[cell][c] == distance and sees(state, cell, c))


# -- S? ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("S3.2")
def test_units_have_the_attitude_of_the_mission_unless_they_have_their_own(state: SquadState) -> None:
    unit = foe(state, field(state))
    assert facts.prevailing(state) == facts.attitude(state, unit) == HOLD
    other = sandtable.new("sasl/8", seed=5, options={"boards": "shipped"}).state
    assert facts.prevailing(other) == ADVANCE


@pytest.mark.rule("S3.321")
def test_suspects_in_advance_attitude_move_and_those_in_hold_stay(state: SquadState) -> None:
    cell = field(state)
    state.attacker = ENEMY
    moving = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    far = distances(setting_of(state), "west")
    behind = max(range(len(far)), key=lambda other: far[other])
    staying = suspects.add(state, at=behind, attitude=HOLD)
    play = Play(state, StreamDice(secret_of_seed(3)))
    roaming.move_suspects(play)
    assert SUSPECTS.of(state)[staying.id].at == staying.at
    assert far[cell] - 4 <= far[SUSPECTS.of(state)[moving.id].at] < far[cell]
    assert any(isinstance(event, SuspectMoved) for event in play.events)


@pytest.mark.rule("S4.2", "S4.22")
def test_suspects_enter_along_the_width_of_the_map(state: SquadState) -> None:
    play = Play(state, StreamDice(secret_of_seed(3)))
    entering.enter(play, 4, "north", "blue", "the test")
    north = set(edge_cells(setting_of(state), "north"))
    waiting = list(SUSPECTS.of(state).values())
    assert len(waiting) == 4
    assert {one.beside for one in waiting} <= north
    assert {one.edge for one in waiting} == {"south"}
    came = entering.come_on(play)
    assert len(came) == 4
    assert {SUSPECTS.of(state)[name].at for name in came} <= north


@pytest.mark.rule("S4.1", "S4.12")
@pytest.mark.parametrize("face", range(1, 7))
def test_buildings_of_a_village_board_hold_suspects_where_a9e_names_the_ground(state: SquadState, face: int) -> None:
    board = replace(rolled_in(state).boards[0], printed="v10")
    ground = setting_of(state).ground
    inside = [cell for cell in suspects.set_up_cells(state, board) if ground.in_building[cell]]
    names = {ground.building[cell] for cell in inside}
    table = general.table("A9e")
    row = table.row(face + table.drm("1944-01", ("Village board",))).cells[0].text
    play = playing(state, *[face] * (len(names) + 2))
    suspects.by_cases(play, board, "a", 999)
    placed = {one.at for one in SUSPECTS.of(state).values()}
    assert placed == (set(inside) if row.startswith(("ground", "each")) else set())


@pytest.mark.rule("S4.1")
def test_woods_at_their_edge_and_places_around_a_vpo(state: SquadState) -> None:
    board = rolled_in(state).boards[0]
    ground = setting_of(state).ground
    suspects.by_cases(Play(state, StreamDice(secret_of_seed(3))), board, "b", 999)
    at = [one.at for one in SUSPECTS.of(state).values()]
    assert at
    assert all(ground.woods[cell] and any(not ground.woods[near] for near in ground.near[cell]) for cell in at)
    SUSPECTS.of(state).clear()
    suspects.by_cases(Play(state, StreamDice(secret_of_seed(3))), board, "c", 999)
    goals = {cell for one in OBJECTIVES.of(state).values() for cell in one.cells}
    at = [one.at for one in SUSPECTS.of(state).values()]
    assert at
    assert all(cell in goals or any(near in goals for near in ground.near[cell]) for cell in at)


@pytest.mark.rule("S4.1", "A12.12")
@pytest.mark.parametrize(
    ("kind", "hides"),
    [("brush", True), ("lumberyard", True), ("stone_rubble", True), ("crag", False), ("graveyard", False)],
)
def test_only_concealment_terrain_beside_a_vpo_holds_suspects(
    state: SquadState, kind: str, hides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = rolled_in(state).boards[0]
    ground = setting_of(state).ground
    goals = {cell for one in OBJECTIVES.of(state).values() if one.board == board.board for cell in one.cells}
    monkeypatch.setattr(ground, "kinds", tuple([terrain_table()[kind]] * len(ground.kinds)))
    around = {near for cell in goals for near in ground.near[cell]}
    assert suspects._near_objectives(state, board) == (goals | around if hides else goals)


@pytest.mark.rule("B23.423")
def test_anti_tank_and_infantry_guns_that_are_not_large_go_into_buildings() -> None:
    may = {name: gun.building for (nation, name), gun in guns().items() if nation in ("german", "american")}
    yes = ["88LL AT PaK 43", "75 AT PaK 97/38", "37* INF", "75* INF leIG 18", "20L AA FlaK 30"]
    no = ["88LL AT PaK 43/41", "150* INF sIG 33", "105 ART leFH 18", "37L AA M1A2"]
    assert [name for name in yes if not may[name]] + [name for name in no if may[name]] == []


@pytest.mark.rule("S5", "S5.3")
def test_what_is_activated_may_fire_at_the_mover_at_once(state: SquadState) -> None:
    """The check comes before First Fire: the units that it makes are among those that may react."""
    cell = field(state)
    to = setting_of(state).ground.near[cell][0]
    one = suspects.add(state, at=to, attitude=HOLD)
    activation.become(playing(state, 3, 3), one, ["S"], cell)
    mover = friend(state, cell)
    state.attacker, state.phase = FRIENDLY, "MPh"
    state.moving = Moving((Mover(mover.id, cell),), (mover.id,))
    made = next(unit for unit in state.units.values() if unit.side == ENEMY)
    found = firing.react(playing(state), Reaction(), [StartFire(made.id)])
    assert found == StartFire(made.id)


# -- orders -----------------------------------------------------------------------------------------------


@pytest.mark.rule("S6.213")
def test_panic_counts_in_close_combat_and_ambush(state: SquadState) -> None:
    cell = field(state)
    mine, theirs = friend(state, cell), foe(state, cell)
    assert command.combat_lines(state, [mine], [theirs]) == []
    ORDERS.of(state)[mine.id] = Order(PANIC)
    assert [line[1] for line in command.combat_lines(state, [mine], [theirs])] == [1]
    assert [line[1] for line in command.combat_lines(state, [theirs], [mine])] == [-1]
    assert [line[1] for line in command.ambush_lines(state, cell, FRIENDLY)] == [2]
    assert command.ambush_lines(state, cell, ENEMY) == []


@pytest.mark.rule("S6.22", "S6.23", "S6.24")
@pytest.mark.parametrize("attitude", [ADVANCE, HOLD])
@pytest.mark.parametrize("roll", [(1, 1), (1, 3), (2, 4), (3, 5), (4, 6), (5, 6)])
def test_without_a_target_fire_becomes_a_move_or_digging(
    state: SquadState, attitude: str, roll: tuple[int, int]
) -> None:
    """Note 3 of A2a: a move; note 4 of A2b: entrench, or nothing where that is impossible."""
    rolling.put_roster(state, attitude=attitude)
    cell = field(state)
    unit = foe(state, cell)
    table = "A2a" if facts.attitude(state, unit) == ADVANCE else "A2b"
    row = general.table(table).row(sum(roll)).cells[0].choices[0].item
    what, _, why = orders.action_of(state, cell, [unit], roll, [])
    if row == FIRE:
        assert what == (MOVE if table == "A2a" else orders.ENTRENCH)
        assert "no Target" in why
    elif row == orders.ENTRENCH:
        assert what == MOVE  # nobody digs without a Target
    elif row == MOVE:
        assert what == MOVE


@pytest.mark.rule("S6.306")
def test_a_flamethrower_fires_within_two_hexes_and_closes_in_otherwise(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    armed(state, unit, "russian FT")
    assert ordered(state, cell, [unit]) == (MOVE, "S6.306")
    assert ordered(state, cell, [unit], target=True) == (MOVE, "S6.306"), "a Target of its SW that is far away"
    friend(state, setting_of(state).ground.near[cell][0])
    assert ordered(state, cell, [unit]) == (MOVE, "S6.306"), "near, but no Target"
    assert ordered(state, cell, [unit], target=True) == (FIRE, "S6.306")


@pytest.mark.rule("S6.307")
def test_an_overstacked_location_moves_apart(state: SquadState) -> None:
    cell = field(state)
    units = [foe(state, cell) for _ in range(4)]
    automatic.pick_leaving(playing(state, 1), cell, units)
    assert ordered(state, cell, units[:1]) == (MOVE, "S6.307")
    assert ordered(state, cell, units[1:2]) == ("", ""), "one is enough"
    ORDERS.of(state).clear()
    del state.units[units[3].id]
    state.stacks[cell] = tuple([unit.id for unit in units[:3]])
    automatic.pick_leaving(playing(state), cell, units[:3])
    assert ordered(state, cell, units[:1]) == ("", "")


@pytest.mark.rule("S6.303")
def test_a_guard_takes_its_prisoners_to_the_east_edge(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = field(state)
    unit = foe(state, cell)
    assert ordered(state, cell, [unit]) == ("", "")
    monkeypatch.setattr(automatic, "guards", lambda _state, _side: [unit])
    assert ordered(state, cell, [unit]) == (MOVE, "S6.303")
    rule, goals = automatic.goal(state, cell, [unit])
    assert rule == "S6.303"
    assert set(goals) == set(edge_cells(setting_of(state), "east"))


@pytest.mark.rule("S6.303", "A20.5")
@pytest.mark.parametrize(
    ("guard", "captives", "divides"),
    [("russian 4-4-7", 1, True), ("russian 4-4-7", 4, False), ("russian 2-2-7", 1, False), ("russian 8-0", 1, False)],
)
def test_a_squad_that_guards_prisoners_deploys_and_one_half_takes_them_away(
    state: SquadState, guard: str, captives: int, divides: bool
) -> None:
    cell = field(state)
    unit = foe(state, cell, guard)
    if divides:
        generation.new_weapon(playing(state), "russian LMG", unit)
    for number in range(captives):
        capture(playing(state), friend(state, cell, number), state.units[unit.id], "a test")
    play = playing(state, 2, 3)
    orders.order_location(play, cell, ())
    here = [state.units[name] for name in state.stacks[cell]]
    (holder,) = {captive.guard for captive in CAPTIVES.of(state).values()}
    assert len(here) == 1 + divides
    assert (holder != unit.id) is divides
    assert {one.kind for one in here} == ({"russian 2-3-7"} if divides else {guard})
    assert ORDERS.of(state)[holder] == Order(MOVE, rule="S6.303")
    if divides:
        assert ORDERS.of(state)[unit.id].rule == "", "the other half rolls"
        assert state.units[unit.id].weapons
        assert (
            closing.reform(play, Reforming(ENEMY), [Recombine(unit.id, holder, ""), EndReforming()]) == EndReforming()
        )


@pytest.mark.rule("S6.312")
def test_units_in_a_foxhole_fire_or_stay(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    hole = works.lay_foxhole(state, cell, ENEMY, 1)
    assert hole is not None
    state.units[unit.id] = replace(unit, within=hole.id)
    assert ordered(state, cell, [unit], target=True) == (FIRE, "S6.312")
    assert ordered(state, cell, [unit]) == (NOTHING, "S6.312")
    rolling.put_roster(state, attitude=ADVANCE)
    assert ordered(state, cell, [unit]) == ("", "")


@pytest.mark.rule("S6.314")
def test_a_gun_with_a_target_in_the_location_that_it_has_acquired_fires(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    there, elsewhere = seen_at(state, cell, 2), seen_at(state, cell, 3)
    armed(state, unit, "russian LMG", acquired=Acquired(there, -1))
    friend(state, elsewhere, 1)
    assert ordered(state, cell, [unit], target=True) == ("", ""), "nobody is in the acquired hex any more"
    friend(state, there, 2)
    assert ordered(state, cell, [unit], target=True) == (FIRE, "S6.314")
    assert ordered(state, cell, [unit]) == ("", "")


# -- rally, fire, movement ----------------------------------------------------------------------------------


@pytest.mark.rule("S7.3", "S7.4")
def test_in_the_rally_phase_weapons_are_recovered_then_repaired_then_units_rallied(state: SquadState) -> None:
    cell = field(state)
    crew, squad = foe(state, cell, "russian 2-2-8 crew"), foe(state, cell)
    broken = foe(state, cell)
    state.units[broken.id] = replace(broken, broken=True)
    state.weapons["g1"] = Weapon("g1", ENEMY, "russian LMG", "enemy", at=cell)
    frame = RallyPhase(ENEMY)
    legal = [SelfRally(broken.id), Repair("g1"), Recover(crew.id, "g1"), Recover(squad.id, "g1")]
    assert closing.rally(playing(state), frame, legal) == Recover(squad.id, "g1")  # no Gun: not the crew's
    assert closing.rally(playing(state), frame, legal[:2]) == Repair("g1")
    assert closing.rally(playing(state), frame, legal[:1]) == SelfRally(broken.id)
    leader = foe(state, cell, "russian 9-1")
    led = RallyUnit(broken.id, leader.id)
    assert closing.rally(playing(state), frame, [*legal[:1], led]) == led


@pytest.mark.rule("S7.3")
@pytest.mark.parametrize(
    ("kind", "target", "broken", "taken"),
    [
        ("russian 4-4-7", False, False, False),
        ("russian 4-4-7", True, False, True),
        ("russian 4-4-7", True, True, False),
        ("russian 2-2-8 crew", False, True, True),
    ],
)
def test_a_squad_takes_a_gun_only_if_it_works_and_has_a_target(
    state: SquadState, kind: str, target: bool, broken: bool, taken: bool
) -> None:
    cell = field(state)
    unit = foe(state, cell, kind)
    state.weapons["g1"] = Weapon("g1", ENEMY, "russian 45mm PTP obr. 32 AT", "enemy", at=cell, broken=broken)
    if target:
        friend(state, seen_at(state, cell, 4))
    recover = Recover(unit.id, "g1")
    found = closing.rally(playing(state), RallyPhase(ENEMY), [recover, Done()])
    assert found == (recover if taken else Done())


@pytest.mark.rule("S8.13")
def test_a_weapon_that_keeps_its_rate_fires_again(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    weapon = armed(state, unit, "russian MMG")
    friend(state, seen_at(state, cell, 3))
    start = StartFire(weapon.id)
    state.phase = "DFPh"
    assert orders._rate_kept(playing(state), [start], "final") is None
    state.weapons[weapon.id] = replace(state.weapons[weapon.id], shots=1)
    assert orders._rate_kept(playing(state, 4, 4), [start], "final") == start


@pytest.mark.rule("S8.3")
def test_a_leader_directs_the_fire_of_his_location(state: SquadState) -> None:
    cell = field(state)
    squad, leader = foe(state, cell), foe(state, cell, "russian 8-1")
    target = seen_at(state, cell, 2)
    VOLLEYS.of(state).append(Volley((squad.id,), target, cells=(cell,)))
    aimed = FireDraft(ENEMY, "prep", units=(squad.id,), target=target)
    legal = [AddDirector(leader.id), ResolveFire()]
    assert firing.draft(playing(state), replace(aimed, target=-1), [AimAt(target)]) == AimAt(target)
    assert firing.draft(playing(state), aimed, legal) == AddDirector(leader.id)
    assert firing.draft(playing(state), replace(aimed, leaders=(leader.id,)), legal[1:]) == ResolveFire()


@pytest.mark.rule("S8.5")
@pytest.mark.parametrize("reading", ["adjacent", "location"])
def test_neighbours_without_a_leader_join_a_fire_group(reading: str) -> None:
    state = sandtable.new("sasl/1", seed=8, options={**OPTIONS, "fire_groups": reading}).state
    SUSPECTS.of(state).clear()
    cell = field(state)
    beside = setting_of(state).ground.near[cell][0]
    first, second = foe(state, cell), foe(state, beside)
    ground = setting_of(state).ground
    target = next(
        c
        for c in range(ground.size)
        if ground.ranges[cell][c] == 3
        and ground.ranges[beside][c] <= 4
        and sees(state, cell, c)
        and sees(state, beside, c)
    )
    friend(state, target)
    state.attacker, state.phase = ENEMY, "PFPh"
    volley = Volley((first.id,), target, cells=(cell,))
    joined = firing.join_neighbours(playing(state), volley, [StartFire(first.id), StartFire(second.id)], "prep")
    assert joined.firers == ((first.id, second.id) if reading == "adjacent" else (first.id,))
    foe(state, beside, "russian 8-0")
    ORDERS.of(state).clear()
    alone = firing.join_neighbours(playing(state), volley, [StartFire(second.id)], "prep")
    assert alone.firers == (first.id,)


@pytest.mark.rule("S8.61")
def test_first_fire_at_whoever_moves_where_the_ladder_is_met(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    state.attacker, state.phase = FRIENDLY, "MPh"
    mover = friend(state, seen_at(state, cell, 1))
    state.moving = Moving((Mover(mover.id, mover.at),), (mover.id,))
    play = playing(state)
    assert firing.react(play, Reaction(), [StartFire(unit.id)]) == StartFire(unit.id)
    words = [event for event in play.events if isinstance(event, Decided)]
    assert words[0].table == "S8.61"
    assert VOLLEYS.of(state)[0].target == mover.at


@pytest.mark.rule("S8.62")
def test_in_final_fire_every_location_with_a_target_fires_once(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    friend(state, seen_at(state, cell, 2))
    state.attacker, state.phase = FRIENDLY, "DFPh"
    assert orders.fire_phase(playing(state, 4, 4), [StartFire(unit.id)], "final") == StartFire(unit.id)
    VOLLEYS.of(state).clear()
    assert orders.fire_phase(playing(state, 4, 4), [StartFire(unit.id)], "final") == EndPhase()


@pytest.mark.rule("S9.1")
def test_locations_move_in_their_order_each_by_one_command(state: SquadState) -> None:
    state.attacker, state.phase = ENEMY, "MPh"
    cells = [field(state), setting_of(state).ground.near[field(state)][3]]
    units = [foe(state, cell) for cell in cells]
    for unit in units:
        ORDERS.of(state)[unit.id] = Order(MOVE)
    order = [cell for cell in facts.locations(state) if cell in cells]
    first = marching.movement(Play(state, StreamDice(secret_of_seed(2))), [StartMove(unit.id) for unit in units])
    moved = [unit.id for unit in units if ORDERS.of(state)[unit.id].done]
    assert isinstance(first, StartMove | EndPhase)
    assert moved[0] == next(unit.id for unit in units if unit.at == order[0])


@pytest.mark.rule("S9.25")
def test_without_vpo_the_nearest_friendly_unit_is_the_aim(state: SquadState) -> None:
    OBJECTIVES.of(state).clear()
    for unit in [unit for unit in state.units.values() if unit.side == FRIENDLY]:
        state.units[unit.id] = replace(unit, at=-1)
    mine = friend(state, field(state))
    assert mine.at in marching.objective_goals(state, friendly=True)


@pytest.mark.rule("S9.41")
def test_a_suspect_that_leaves_by_its_edge_is_gone(state: SquadState) -> None:
    west = edge_cells(setting_of(state), "west")[3]
    one = suspects.add(state, at=west, attitude=ADVANCE, edge="west")
    inside = suspects.add(state, at=field(state), attitude=ADVANCE, edge="west")
    assert not roaming.leaves(playing(state), inside)
    assert roaming.leaves(playing(state), one)
    assert one.id not in SUSPECTS.of(state)


@pytest.mark.rule("S11")
def test_units_in_advance_attitude_close_up_and_those_in_hold_do_not(state: SquadState) -> None:
    OBJECTIVES.of(state).clear()
    cell = field(state)
    unit = foe(state, cell)
    friend(state, seen_at(state, cell, 4))
    assert closing.close_up(playing(state), unit) == -1
    rolling.put_roster(state, attitude=ADVANCE)
    to = closing.close_up(playing(state), unit)
    assert to in setting_of(state).ground.near[cell]


@pytest.mark.rule("S8.3")
def test_adding_firers_comes_before_resolving(state: SquadState) -> None:
    cell = field(state)
    one, two = foe(state, cell), foe(state, cell)
    target = seen_at(state, cell, 2)
    VOLLEYS.of(state).append(Volley((one.id, two.id), target, cells=(cell,)))
    frame = FireDraft(ENEMY, "prep", units=(one.id,), target=target)
    assert firing.draft(playing(state), frame, [AddFirer(two.id), ResolveFire()]) == AddFirer(two.id)
