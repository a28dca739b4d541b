"""Stories of S? and the ENEMY on a map: what is Activated, who is fired at, who goes where."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Action, Decided, Frame, Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.registry import register
from sandtable.games.asl.concealment import gaining
from sandtable.games.asl.deploying.model import Deploy, EndReforming, Reforming
from sandtable.games.asl.glossary import terms
from sandtable.games.asl.heat.rules import harden
from sandtable.games.asl.prisoners.model import (
    AcceptSurrender,
    Escaping,
    RefuseSurrender,
    StayCaptive,
    Surrendering,
    TryEscape,
)
from sandtable.games.asl.snipers.model import (
    SNIPERS,
    CheckForSniper,
    Checking,
    LetSniperGo,
    MoveSniper,
    Snipe,
    SniperActs,
)
from sandtable.games.asl.terrain.walls import HELD
from sandtable.games.sasl import (
    GAME,
    activation,
    command,
    enemy_events,
    fortify,
    generation,
    growing,
    suspects,
    victory,
)
from sandtable.games.sasl.enemy import automatic, closing, deciding, facts, firing, marching
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ORDERS,
    PANIC,
    ROSTER,
    SUSPECTS,
    Order,
)
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.squad.combat.advance import advance_bar
from sandtable.games.squad.fire.eligibility import unit_bar
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.movement.starting import move_bar
from sandtable.games.squad.pieces.model import SquadState, Unit

register(GAME)
START = sandtable.new("sasl/1", seed=8, options={"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"})


@pytest.fixture
def state() -> SquadState:
    found: SquadState = START.state.clone()
    SUSPECTS.of(found).clear()
    return found


def playing(state: SquadState, *faces: int) -> Play[SquadState]:
    return Play(state, ScriptedDice(*faces))


def decided(play: Play[SquadState]) -> list[Decided]:
    return [event for event in play.events if isinstance(event, Decided)]


def open_cell(state: SquadState, *, building: bool = False) -> int:
    ground = setting_of(state).ground
    return next(
        cell
        for cell in range(200, ground.size)
        if ground.in_building[cell] == building and (building or (ground.open[cell] and not ground.paved[cell]))
    )


def seen_hexes(state: SquadState, cell: int, most: int) -> list[int]:
    ranges = setting_of(state).ground.ranges[cell]
    near = [other for other in range(len(ranges)) if 0 < ranges[other] <= most and sees(state, cell, other)]
    return sorted(near, key=lambda other: (ranges[other], other))


def friend(state: SquadState, cell: int, number: int = 0, name: str = "german 4-6-7") -> Unit:
    unit = Unit(f"t{number}", FRIENDLY, name, group="company")
    state.units[unit.id] = unit
    return put(state, unit, cell)


def foe(play: Play[SquadState], cell: int, kind: str = "russian 4-4-7") -> Unit:
    return generation.new_unit(play, kind, cell)


def suspect(state: SquadState, cell: int, attitude: str = HOLD) -> Any:
    return suspects.add(state, at=cell, attitude=attitude)


# -- Activation -----------------------------------------------------------------------------------------


@pytest.mark.rule("S5.6")
def test_two_squads_and_a_leader(state: SquadState) -> None:
    cell = open_cell(state)
    one = suspect(state, cell)
    play = playing(state, 3, 3, 3, 3)
    made = activation.become(play, one, ["S", "S", "L"], cell)
    kinds = [unit_kind(state, state.units[name]) for name in made]
    assert [kind.squad for kind in kinds[:2]] == [True, True]
    assert kinds[0].name == kinds[1].name
    assert one.id not in SUSPECTS.of(state)


@pytest.mark.rule("S5.72")
def test_russians_activate_a_squad_for_a_half_squad(state: SquadState) -> None:
    cell = open_cell(state)
    made = activation.become(playing(state, 3, 3), suspect(state, cell), ["HS"], cell)
    assert unit_kind(state, state.units[made[0]]).squad


@pytest.mark.rule("S5.4", "S5.76", "S5.762")
def test_an_afv_is_read_as_a_gun_that_faces_what_triggered_it(state: SquadState) -> None:
    cell = open_cell(state)
    towards = seen_hexes(state, cell, 6)[-1]
    play = playing(state, *[3] * 12)
    made = activation.become(play, suspect(state, cell), ["AFV"], towards)
    gun = state.weapons[state.units[made[0]].weapons[0]]
    assert weapon_kind(gun).gun
    assert gun.emplaced
    assert gun.facing in setting_of(state).ground.spines_towards(cell, towards)
    assert any("replaced by a Gun" in event.why for event in decided(play))


@pytest.mark.rule("S3.1")
def test_nobody_moves_into_a_suspect_but_one_may_advance(state: SquadState) -> None:
    cell = open_cell(state)
    suspect(state, cell)
    unit = friend(state, setting_of(state).ground.near[cell][0])
    state.phase = "MPh"
    assert suspects.enter_bar(state, [unit], unit.at, cell) is not None
    state.phase = "APh"
    assert suspects.enter_bar(state, [unit], unit.at, cell) is None


@pytest.mark.rule("S5.1")
def test_a_stack_next_to_a_suspect_makes_one_check_in_a_phase(state: SquadState) -> None:
    cell = open_cell(state)
    suspect(state, cell)
    unit = friend(state, setting_of(state).ground.near[cell][0])
    play = playing(state, 6)
    activation.trigger(play, [unit], "movement")
    activation.trigger(play, [unit], "movement")
    assert len(decided(play)) == 1
    assert "remains" in decided(play)[0].why


@pytest.mark.rule("S5.1")
def test_an_activated_unit_near_makes_the_check_easier(state: SquadState) -> None:
    cell = open_cell(state)
    one = suspect(state, cell)
    before = activation.check_tally(state, one).total
    foe(playing(state), setting_of(state).ground.near[cell][1])
    assert activation.check_tally(state, one).total == before - 1


@pytest.mark.rule("S5.74")
def test_only_hold_attitude_digs_in(state: SquadState) -> None:
    cell = open_cell(state)
    play = playing(state, 3, 3, 2)
    made = activation.become(play, suspect(state, cell), ["S", "F"], cell)
    assert state.units[made[0]].within
    other = setting_of(state).ground.near[cell][0]
    made = activation.become(playing(state, 3, 3), suspect(state, other, ADVANCE), ["S", "F"], other)
    assert not state.units[made[0]].within


@pytest.mark.rule("S5.742")
def test_in_a_building_the_location_is_fortified(state: SquadState) -> None:
    cell = open_cell(state, building=True)
    play = playing(state, 2)
    unit = foe(play, cell)
    assert "fortified" in fortify.fortify(play, [unit], cell, cell, gun=False)


# -- orders -------------------------------------------------------------------------------------------------


@pytest.mark.rule("S6.311")
def test_a_friendly_unit_adjacent_is_fired_at(state: SquadState) -> None:
    play = playing(state)
    cell = open_cell(state)
    unit = foe(play, cell)
    friend(state, setting_of(state).ground.near[cell][0])
    found = automatic.automatic(state, cell, [unit], target=True)
    assert found is not None
    assert (found.what, found.rule) == ("Fire", "S6.311")


@pytest.mark.rule("S6.317", "S6.3173", "S6.3175")
def test_a_leader_alone_goes_to_a_broken_unit(state: SquadState) -> None:
    play = playing(state)
    cell = open_cell(state)
    leader = foe(play, cell, "russian 8-0")
    found = automatic.automatic(state, cell, [leader], target=False)
    assert found is not None
    assert found.rule == "S6.3175"
    near = setting_of(state).ground.near[setting_of(state).ground.near[cell][0]][0]
    squad = foe(play, near if near != cell else setting_of(state).ground.near[cell][2])
    state.units[squad.id] = replace(squad, broken=True)
    assert automatic.goal(state, cell, [leader]) == ("S6.3173", [squad.at])


@pytest.mark.rule("S8")
def test_the_closest_of_two_targets_on_a_roll_of_eleven(state: SquadState) -> None:
    play = playing(state, 5, 6)
    cell = open_cell(state)
    unit = foe(play, cell)
    near, far = (seen_hexes(state, cell, 4)[place] for place in (0, -1))
    friend(state, near, 1)
    friend(state, far, 2)
    firing.fire_location(play, cell, [StartFire(unit.id)], "prep")
    words = [event for event in decided(play) if event.table == "A3a"]
    assert words[0].row == ">=11"
    assert setting_of(state).ground.names[near] in words[0].why


@pytest.mark.rule("S9.2")
def test_a_move_towards_a_friendly_vpo(state: SquadState) -> None:
    play = playing(state, 1, 1, 1)
    unit = foe(play, open_cell(state))
    goal = next(iter(OBJECTIVES.of(state).values()))
    OBJECTIVES.of(state)[goal.id] = replace(goal, owners=(FRIENDLY,) * len(goal.cells))
    march = marching.obey(play, "A4b", 7, unit.at, [unit], (3, 4))
    assert march is not None
    ranges = setting_of(state).ground.ranges
    assert min(ranges[march.path[-1]][cell] for cell in goal.cells) <= 1


@pytest.mark.rule("S11.4")
def test_pinned_targets_and_vpo_make_an_advance_into_combat_easier(state: SquadState) -> None:
    play = playing(state)
    cell = open_cell(state)
    unit = foe(play, cell)
    other = setting_of(state).ground.near[cell][0]
    there = friend(state, other)
    plain = closing.advance_drm(state, unit, other)
    state.units[there.id] = replace(there, pinned=True)
    assert closing.advance_drm(state, unit, other) == plain - 1


# -- FRIENDLY ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("S16.4")
def test_a_leader_in_command_commands_those_around_him(state: SquadState) -> None:
    state.attacker = FRIENDLY
    cell = open_cell(state)
    leader = friend(state, cell, 1, "german 9-1")
    squad = friend(state, setting_of(state).ground.near[cell][0], 2)
    far = next(c for c in range(setting_of(state).ground.size) if setting_of(state).ground.ranges[cell][c] == 5)
    lost = friend(state, far, 3)
    command.checks(playing(state, 4, 4, 6, 6))
    assert ORDERS.of(state)[leader.id].what == command.IN_COMMAND
    assert ORDERS.of(state)[squad.id].what == command.IN_COMMAND
    assert ORDERS.of(state)[lost.id].what == PANIC


@pytest.mark.rule("S6.21", "A15.3")
@pytest.mark.parametrize("side", [FRIENDLY, ENEMY])
def test_battle_hardening_ends_panic(state: SquadState, side: str) -> None:
    state.attacker = side
    unit = friend(state, open_cell(state)) if side == FRIENDLY else foe(playing(state), open_cell(state))
    ORDERS.of(state)[unit.id] = Order(PANIC)
    assert command.panicked(state, unit.id)
    harden(playing(state), unit)
    assert not command.panicked(state, unit.id)
    assert command.panic_bar(state, state.units[unit.id]) is None


@pytest.mark.rule("S16.3")
def test_a_panicked_unit_may_not_start_to_fire(state: SquadState) -> None:
    state.attacker = FRIENDLY
    unit = friend(state, open_cell(state))
    setting = setting_of(state)
    assert unit_bar(setting, state, unit, "prep") is None
    ORDERS.of(state)[unit.id] = Order(PANIC)
    bar = unit_bar(setting, state, unit, "prep")
    assert bar is not None
    assert "Panicked" in bar[0]
    assert move_bar(state, unit) == advance_bar(state, unit) == bar
    state.attacker = ENEMY
    assert unit_bar(setting, state, unit, "first") is None, "in the ENEMY Player Turn it fires"


# -- events and victory -------------------------------------------------------------------------------------


def event_of(table: str, name: str) -> Any:
    from sandtable.games.sasl.tables import events

    return next(event for event in events.events(table) if event.event == name)


@pytest.mark.rule("S2.3")
def test_a_local_counterattack_turns_suspects_to_advance(state: SquadState) -> None:
    ground = setting_of(state).ground
    for cell in range(0, ground.size, 7):
        suspect(state, cell)
    assert enemy_events.counterattack(playing(state, 12, 3), event_of("A11", "counterattack"))
    assert any(one.attitude == ADVANCE for one in SUSPECTS.of(state).values())


@pytest.mark.rule("S2.3")
def test_resistance_stiffens_to_five_at_most(state: SquadState) -> None:
    event = event_of("A11", "stiffens")
    for _ in range(6):
        enemy_events.stiffens(playing(state), event)
    assert ROSTER.of(state).ac == 5
    assert not enemy_events.stiffens(playing(state), event)


@pytest.mark.rule("S14")
def test_a_good_order_squad_alone_takes_a_vpo_location(state: SquadState) -> None:
    goal = next(iter(OBJECTIVES.of(state).values()))
    friend(state, goal.cells[0])
    victory.update_control(playing(state))
    assert OBJECTIVES.of(state)[goal.id].owners[0] == FRIENDLY
    suspect(state, goal.cells[0])
    assert facts.objective_cells(state, FRIENDLY) == [goal.cells[0]]


@pytest.mark.rule("S12.6")
def test_equal_points_are_a_draw(state: SquadState) -> None:
    victory.verdict(playing(state), [("a", 3, 0), ("b", 0, 3)], "over")
    assert state.outcome is not None
    assert state.outcome.winner == ""


def test_the_nations_are_the_chosen_ones(state: SquadState) -> None:
    base = rolled_in(state)
    assert (base.friendly, base.enemy, base.date[:4]) == ("G", "R", "1943")
    assert all(unit.side == FRIENDLY for unit in state.units.values())
    assert ENEMY in setting_of(state).titles


def test_a_position_opens_on_the_map_that_was_rolled() -> None:
    again = sandtable.new(START.position())
    assert again.state == START.state


def test_a_suspect_in_sight_keeps_friendly_units_from_gaining_concealment(state: SquadState) -> None:
    cell = open_cell(state)
    ground = setting_of(state).ground
    unit = put(state, next(one for one in state.units.values() if one.side == FRIENDLY), cell)
    before = gaining.chance_of(state, unit)
    watch = next(near for near in ground.near[cell] if sees(state, near, cell))
    SUSPECTS.of(state)["s"] = suspects.Suspect("s", watch)
    assert gaining.chance_of(state, unit) == gaining.NO
    assert before != gaining.NO


# -- parts of the full rules -----------------------------------------------------------------------


def test_both_sides_have_the_san_of_the_mission_tables() -> None:
    state = START.state
    roster = ROSTER.of(state)
    found = {side: sniper.san for side, sniper in SNIPERS.of(state).items()}
    assert found == {FRIENDLY: roster.friendly_san, ENEMY: roster.enemy_san}


@pytest.mark.parametrize(
    ("frame", "legal", "answer"),
    [
        (SniperActs(ENEMY, 1), (Snipe(), MoveSniper()), Snipe()),
        (Checking(ENEMY, 0), (CheckForSniper(), LetSniperGo()), LetSniperGo()),
        (Reforming(ENEMY), (Deploy("x", "y"), EndReforming()), EndReforming()),
        (Surrendering(0, ("x",), ENEMY), (AcceptSurrender("y"), RefuseSurrender()), AcceptSurrender("y")),
        (Escaping("y", ENEMY), (TryEscape(), StayCaptive()), StayCaptive()),
    ],
)
def test_the_enemy_has_an_answer_in_frames_of_the_full_rules(
    state: SquadState, frame: Frame, legal: tuple[Action, ...], answer: Action
) -> None:
    assert deciding.decide(playing(state), frame, legal) == answer


def test_the_glossary_explains_the_full_rules_and_every_marker_of_the_parts() -> None:
    found = GAME.glossary()
    titles = {term.title for term in found}
    assert {"Hero", "Berserk", "Prisoner", "Sniper", "No Quarter"} <= titles
    faces = {face for term in found for face in term.faces}
    assert set(GAME.points.faces) <= faces
    rules = GAME.cited_rules()
    assert [term.id for term in terms() if term.rule not in rules] == []


def test_when_the_map_grows_snipers_and_wall_advantage_keep_their_hexes(state: SquadState) -> None:
    SNIPERS.of(state)[ENEMY] = replace(SNIPERS.of(state)[ENEMY], at=40)
    HELD.put(state, {50: FRIENDLY})
    growing.move_all(state, lambda cell: cell + 10 if cell >= 0 else cell)
    assert SNIPERS.of(state)[ENEMY].at == 50
    assert HELD.of(state) == {60: FRIENDLY}


def test_a_mission_does_not_tell_how_many_turns_follow() -> None:
    view = sandtable.new("sasl/1", seed=3).view("friendly")
    assert view["turn"] == "Turn 1"
    assert {"id": "turn", "label": "Turn", "boxes": ("1",), "at": 0}.items() <= view["tracks"][0].items()
