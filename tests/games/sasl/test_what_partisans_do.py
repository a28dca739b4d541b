"""What Partisans can and cannot do, on either side, and what their allies can (S12.211)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, playing, stand

import sandtable
from sandtable.engine import Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.registry import register
from sandtable.games.asl.deploying.model import Reforming
from sandtable.games.asl.deploying.part import deploy_bar
from sandtable.games.asl.molotovs.model import GIVEN, MolotovChecked, ThrowMolotov
from sandtable.games.asl.molotovs.part import MOLOTOV, offered
from sandtable.games.asl.molotovs.who import has_molotovs, trees_between
from sandtable.games.asl.nations.table import nation_of
from sandtable.games.asl.works.digging import may_dig
from sandtable.games.sasl import GAME, activation, arrivals, generation, suspects
from sandtable.games.sasl.enemy import deciding, firing, marching, orders
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import ENEMY, FRIENDLY, HOLD, SUSPECTS, VOLLEYS, Volley
from sandtable.games.sasl.partisan import is_partisan, woods_cost
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables import events
from sandtable.games.squad.combat.advance import entry_cost, exhausted_by
from sandtable.games.squad.combat.model import AdvanceDraft
from sandtable.games.squad.fire.drafting import attack_of
from sandtable.games.squad.fire.model import AimAt, CancelFire, Fired, FireDraft, ResolveFire, StartFire
from sandtable.games.squad.fire.resolution import breakdown_number
from sandtable.games.squad.ground.entry import cost_from_off_board
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import mf_words
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import captured, give, put, update
from sandtable.games.squad.movement.model import MovementPhase, StackDraft
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.model import FIRST_FIRE, Mover, Moving, SquadState, Weapon
from sandtable.games.squad.rout.model import Rout
from sandtable.games.squad.rout.paths import Enemy, cheapest
from sandtable.games.squad.show.aids import reach
from sandtable.games.squad.show.heard import heard

register(GAME)
THREE, CREW, COMMISSAR = "partisan 3-3-7", "russian 2-2-8 crew", "russian 9-0 Commissar"


def against_partisans(**options: str) -> SquadState:
    """Germans against Partisans in Russia, without S?."""
    chosen = {"friendly": "G", "enemy": "P", "boards": "shipped", **options}
    state: SquadState = sandtable.new("sasl/1", seed=4, options=chosen).state
    SUSPECTS.of(state).clear()
    return state


@pytest.fixture
def state() -> SquadState:
    return against_partisans()


def beside(state: SquadState, cell: int) -> int:
    ground = setting_of(state).ground
    return next(near for near in ground.near[cell] if ground.open[near])


def in_draft(state: SquadState, *units: str, at: int, mode: str = "prep") -> FireDraft:
    """The ENEMY has these units in the draft of an attack."""
    state.attacker, state.phase = ENEMY, "PFPh"
    draft = FireDraft(ENEMY, mode, units, target=at)
    state.stack.append(draft)
    VOLLEYS.of(state)[:] = [Volley(units, at)]
    return draft


def drafting(play: Play[SquadState]) -> list[Any]:
    """What the ENEMY does in the draft until it fires, by what is legal."""
    state = play.state
    procedure = GAME.book.procedures[FireDraft]
    chosen: list[Any] = []
    while isinstance(state.stack[-1], FireDraft):
        frame = state.stack[-1]
        legal: Sequence[Any] = procedure.actions(state, frame, ENEMY)
        chosen.append(deciding.decide(play, frame, legal))
        procedure.apply(play, frame, ENEMY, chosen[-1])
    return chosen


# -- Molotov cocktails ------------------------------------------------------------------------


@pytest.mark.rule("S12.211", "A22.61")
@pytest.mark.parametrize(
    ("reading", "kind", "throws"),
    [
        ("squads", THREE, True),
        ("always", THREE, True),
        ("never", THREE, False),
        ("squads", "partisan 1-2-7", False),
        ("always", "partisan 1-2-7", True),
    ],
)
def test_the_enemy_throws_whenever_it_may(reading: str, kind: str, throws: bool) -> None:
    state = against_partisans(molotovs=reading)
    cell = field(state)
    unit = generation.new_unit(playing(state), kind, cell)
    there = beside(state, cell)
    friend(state, there)
    in_draft(state, unit.id, at=there)
    play = Play(state, ScriptedDice(1, 3, 4, *[1] * 9))
    chosen = drafting(play)
    assert chosen == [*([ThrowMolotov(unit.id)] if throws else []), ResolveFire()]
    (fired,) = [event for event in play.events if isinstance(event, Fired)]
    own = 0 if kind != THREE and throws else 2 * int(unit_kind(state, unit).fp)
    assert fired.fp == own + (4 if throws else 0)


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(("enemy", "said"), [("P", True), ("R", False)])
def test_the_special_rules_of_the_mission_say_so(enemy: str, said: bool) -> None:
    match = sandtable.new("sasl/1", seed=4, options={"friendly": "G", "enemy": enemy, "year": "1943"})
    told = [row for panel in match.view(FRIENDLY)["panels"] for row in panel["rows"] if "Molotov" in str(row)]
    assert bool(told) is said


@pytest.mark.rule("A22.61")
def test_the_best_of_a_group_throws(state: SquadState) -> None:
    cell = field(state)
    names = [generation.new_unit(playing(state), kind, cell).id for kind in ("partisan 1-2-7", THREE, THREE)]
    update(playing(state), state.units[names[1]], cx=True)
    there = beside(state, cell)
    friend(state, there)
    draft = in_draft(state, *names, at=there)
    legal = offered(state, draft, ENEMY)
    assert legal[0] == ThrowMolotov(names[2])
    assert firing.thrower(state, legal) == legal[0]
    assert firing.thrower(state, []) is None


@pytest.mark.rule("A22.61", "S8.61")
def test_nobody_throws_in_subsequent_first_fire(state: SquadState) -> None:
    cell = field(state)
    unit = generation.new_unit(playing(state), THREE, cell)
    update(playing(state), unit, marker=FIRST_FIRE)
    there = beside(state, cell)
    target = friend(state, there)
    state.moving = Moving((Mover(target.id, start=there, here=2, spent=2),), (target.id,))
    draft = in_draft(state, unit.id, at=there, mode="first")
    assert offered(state, draft, ENEMY) == []


@pytest.mark.rule("A22.61")
def test_a_road_leads_through_the_trees(state: SquadState) -> None:
    ground = setting_of(state).ground
    between = [
        (way.to, cell, bool(way.road))
        for cell, ways in enumerate(ground.ways)
        for way in ways
        if ground.woods[cell] and ground.woods[way.to]
    ]
    found = {(road, trees_between(ground, one, other)) for one, other, road in between}
    assert (True, False) in found
    assert (False, True) in found
    assert (True, True) not in found


@pytest.mark.rule("S12.211")
def test_a_whole_prep_fire_phase_with_mol() -> None:
    """The Fire Command of a Location leads to an attack, and the attack to a MOL."""
    state = against_partisans()
    cell = field(state)
    unit = generation.new_unit(playing(state), THREE, cell)
    friend(state, beside(state, cell))
    state.attacker, state.phase = ENEMY, "PFPh"
    play = Play(state, ScriptedDice(*[3] * 40))
    assert firing.fire_location(play, cell, [StartFire(unit.id)], "prep")
    state.stack.append(FireDraft(ENEMY, "prep", (unit.id,)))
    chosen = drafting(play)
    assert [type(action) for action in chosen] == [AimAt, ThrowMolotov, ResolveFire]
    (checked,) = [event for event in play.events if isinstance(event, MolotovChecked)]
    assert not checked.passed  # 3 and 1 are more than 3


@pytest.mark.rule("S12.211", "A25.24")
@pytest.mark.parametrize(("reading", "theirs"), [("all", True), ("enemy", False)])
def test_partisans_who_come_to_the_friendly_side_have_mol_too(reading: str, theirs: bool) -> None:
    state = against_partisans(partisans_mol=reading)
    cell = field(state)
    assert has_molotovs(state, generation.new_unit(playing(state), THREE, cell))
    assert has_molotovs(state, friend(state, beside(state, cell), 1, THREE)) is theirs
    assert not has_molotovs(state, friend(state, beside(state, cell), 2))


@pytest.mark.rule("S12.211", "A12.11")
def test_a_mol_check_tells_nothing_of_who_stays_under_a_question_mark(state: SquadState) -> None:
    cell = field(state)
    unit = generation.new_unit(playing(state), "partisan 1-2-7", cell)
    unit = update(playing(state), unit, concealed=True)
    there = beside(state, cell)
    friend(state, there)
    draft = in_draft(state, unit.id, at=there)
    play = Play(state, ScriptedDice(1))
    assert MOLOTOV.check(play, attack_of(replace(draft, thrower=unit.id)))
    told = [version for event in play.events for version in heard(event, state) if FRIENDLY in (version.to or ())]
    words = [GAME.words(version, state) for version in told]
    assert len(told) == len(play.events)
    assert not any(name in f"{told} {words}" for name in ("1-2-7", "half-squad", unit.id + "'"))


# -- the other points ---------------------------------------------------------------------------


@pytest.mark.rule("S12.211", "A21.11")
@pytest.mark.parametrize(
    ("kind", "penalty"),
    [("british LMG", False), ("russian LMG", False), ("american .50-cal HMG", False), ("german LMG", True)],
)
def test_allied_weapons_are_no_captured_ones(state: SquadState, kind: str, penalty: bool) -> None:
    unit = generation.new_unit(playing(state), THREE, field(state))
    one = generation.new_weapon(playing(state), kind, unit)
    assert captured(state, one) is penalty
    assert breakdown_number(state, one)[1] is penalty


@pytest.mark.rule("S12.211", "A21.11")
@pytest.mark.parametrize(("kind", "penalty"), [("british LMG", False), ("german LMG", True), ("italian LMG", True)])
def test_german_weapons_are_captured_ones_against_italians_too(kind: str, penalty: bool) -> None:
    state = against_partisans(friendly="I")
    unit = generation.new_unit(playing(state), THREE, field(state))
    assert captured(state, generation.new_weapon(playing(state), kind, unit)) is penalty
    theirs = friend(state, beside(state, unit.at), 1, "italian 3-4-7")
    gun = Weapon("g", FRIENDLY, "italian LMG", "company")
    state.weapons[gun.id] = gun
    assert not captured(state, give(state, gun, theirs.id))


@pytest.mark.rule("S12.211", "A25.22")
def test_a_commissar_may_lead_partisans(state: SquadState) -> None:
    base = replace(rolled_in(state), date="1942-05", places=("Eastern ETO", "Russia"))
    assert generation.leader(playing(state, 2, 3, 2), base, []) == "russian 10-0 Commissar"  # 8-1 and a dr of 2
    assert generation.leader(playing(state, 3, 3, 1), base, []) == COMMISSAR
    assert generation.leader(playing(state, 3, 3, 3), base, []) == "partisan 8-0"
    assert generation.leader(playing(state, 3, 3), replace(base, date="1943-05"), []) == "partisan 8-0"


@pytest.mark.rule("S12.211", "A1.31")
def test_partisans_do_not_deploy(state: SquadState) -> None:
    cell = field(state)
    state.attacker = ENEMY
    unit = generation.new_unit(playing(state), THREE, cell)
    leader = generation.new_unit(playing(state), "partisan 8-0", cell)
    bar = deploy_bar(state, unit, leader, Reforming(ENEMY))
    assert bar is not None
    assert "its nationality does not allow it" in bar[0]
    assert nation_of("partisan").deploys == ()
    assert generation.half_squad(rolled_in(state), THREE) == THREE


@pytest.mark.rule("S12.211", "S6.24")
@pytest.mark.parametrize(("kind", "digs"), [(THREE, False), (CREW, False), ("russian 4-4-7", True)])
def test_partisans_do_not_entrench_but_their_allies_do(state: SquadState, kind: str, digs: bool) -> None:
    cell = field(state)
    base = rolled_in(state) if kind == CREW else replace(rolled_in(state), enemy="R")
    unit = generation.join(playing(state), base, kind, cell)
    assert may_dig(state, unit) is (kind != THREE)
    assert orders.can_entrench(state, [unit]) is digs


@pytest.mark.rule("S12.211", "P9")
def test_crews_and_commissars_of_partisans_are_partisans(state: SquadState) -> None:
    one = suspects.add(state, at=field(state), attitude=HOLD)
    made = activation.become(Play(state, ScriptedDice(*[3] * 40)), one, ["Gun"], one.at)
    (crew,) = [state.units[name] for name in made if unit_kind(state, state.units[name]).crew]
    assert crew.id in GIVEN.of(state)
    assert is_partisan(state, crew)
    ally = suspects.add(state, at=field(state), attitude=HOLD)
    ally = replace(ally, card="R")
    SUSPECTS.of(state)[ally.id] = ally
    made = activation.become(Play(state, ScriptedDice(*[3] * 40)), ally, ["S", "L"], ally.at)
    assert made
    assert not any(is_partisan(state, state.units[name]) for name in made)


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(("kind", "mf"), [(THREE, 1), ("german 4-6-7", 2)])
def test_woods_at_the_edge_cost_them_one_mf_from_off_board_too(state: SquadState, kind: str, mf: int) -> None:
    ground = setting_of(state).ground
    cell = next(cell for cell in range(ground.size) if ground.woods[cell] and not ground.has_road[cell])
    ours = put(state, replace(friend(state, cell, 1, kind), beside=cell), -1)
    state.attacker = FRIENDLY
    state.moving = Moving((Mover(ours.id, start=-1),), (ours.id,))
    assert cost_from_off_board(state, cell, road=False) / 2 == mf
    assert entry_cost(state, [ours], cell) / 2 == mf


def into_woods(state: SquadState) -> Way:
    ground = setting_of(state).ground
    return next(way for ways in ground.ways for way in ways if ground.woods[way.to] and not way.change and not way.road)


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(
    ("kinds", "mf"), [((THREE,), 1), ((THREE, CREW), 1), (("russian 4-4-7",), 2), ((THREE, "russian 8-0"), 2)]
)
@pytest.mark.parametrize("how", ["moves", "drafts", "advances", "routs"])
def test_woods_cost_partisans_one_mf(state: SquadState, kinds: tuple[str, ...], mf: int, how: str) -> None:
    way = into_woods(state)
    cell = field(state)
    names = []
    for kind in kinds:
        base = rolled_in(state) if kind == CREW else replace(rolled_in(state), enemy="R")
        names.append(generation.join(playing(state), base, kind, cell).id)
    state.attacker = ENEMY
    if how == "moves":
        state.moving = Moving(tuple([Mover(name, start=cell) for name in names]), tuple(names))
    elif how == "drafts":
        state.stack.append(StackDraft(tuple(names)))
    elif how == "advances":
        state.stack.append(AdvanceDraft(tuple(names)))
    else:
        state.attacker = FRIENDLY  # broken units rout in either Player Turn
        state.stack.append(Rout(names[0], cell, leaders=tuple(names[1:])))
    assert step_cost(state, way, road=False) / 2 == mf


@pytest.mark.rule("S12.211", "A11.21")
@pytest.mark.parametrize("turn", [FRIENDLY, ENEMY])
def test_woods_tire_those_who_leave_a_melee_by_their_own_costs(state: SquadState, turn: str) -> None:
    """Under five PP a squad has two MF: woods take all of them, of Partisans half, in either Player Turn."""
    way = into_woods(state)
    frm = next(cell for cell, ways in enumerate(setting_of(state).ground.ways) if way in ways)
    state.attacker, state.phase = turn, "CCPh"
    theirs = generation.new_unit(playing(state), THREE, frm)
    generation.new_weapon(playing(state), "russian HMG", theirs)
    ours = friend(state, frm, 1)
    gun = Weapon("g", FRIENDLY, "russian HMG", "company")
    state.weapons[gun.id] = gun
    give(state, gun, ours.id)
    assert exhausted_by(state, [state.units[ours.id]], way.to) == [ours.id]
    assert exhausted_by(state, [state.units[theirs.id]], way.to) == []


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(("kind", "mf"), [(THREE, 1), ("russian 4-4-7", 2)])
def test_who_may_rout_is_judged_by_it_too(state: SquadState, kind: str, mf: int) -> None:
    """Before any unit routs, in the FRIENDLY Player Turn, its way is looked for with its own costs."""
    way = into_woods(state)
    state.attacker, state.phase = FRIENDLY, "RtPh"
    unit = generation.new_unit(playing(state), kind, field(state))
    assert cheapest(state, way, Enemy(state, [unit]).names) / 2 == mf


@pytest.mark.rule("S12.211", "S9.2")
def test_their_allies_go_round_woods_as_other_troops_do(state: SquadState) -> None:
    """Ways are looked for before anybody sets out, by the costs of those who are ordered to go."""
    regular = state.clone()
    regular.setting = key_of(state, replace(rolled_in(state), enemy="R"))
    allies, others = ways_of(state, "russian 4-4-7"), ways_of(regular, "russian 4-4-7")
    assert any(allies)
    assert allies == others != ways_of(state, THREE)


def ways_of(state: SquadState, kind: str) -> list[tuple[int, ...]]:
    """How a unit amid woods would go to each Location that is four hexes away."""
    state.attacker = ENEMY
    ground = setting_of(state).ground
    cell = max(range(ground.size), key=lambda at: sum(ground.woods[near] for near in ground.near[at]))
    unit = stand(state, "e", kind, cell)
    goals = [goal for goal, hexes in enumerate(ground.ranges[cell]) if hexes == 4]
    return [marching.path_to(state, cell, {goal}, [unit]) for goal in goals]


@pytest.mark.rule("S12.211")
def test_woods_cost_friendly_partisans_one_mf_as_well(state: SquadState) -> None:
    way = into_woods(state)
    ours = friend(state, field(state), 1, THREE)
    state.attacker = FRIENDLY
    assert step_cost(state, way, road=False) / 2 == 2
    state.stack.append(StackDraft((ours.id,)))
    assert woods_cost(state, (), way, road=False) == [("Partisans in woods", -2, "S12.211")]
    assert woods_cost(state, (), way, road=True) == []
    assert woods_cost(state, (), way._replace(change=1), road=False)[0][1] == -4


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(("kind", "mf"), [(THREE, "1 MF"), ("german 4-6-7", "2 MF")])
def test_what_friendly_partisans_can_reach_is_shown_by_their_own_cost(state: SquadState, kind: str, mf: str) -> None:
    """Before they set out as well, and so is what an advance would take."""
    way = into_woods(state)
    ground = setting_of(state).ground
    cell = next(cell for cell, ways in enumerate(ground.ways) if way in ways)
    ours = friend(state, cell, 1, kind)
    state.attacker, state.phase = FRIENDLY, "MPh"
    state.stack = [*state.stack[:1], MovementPhase()]
    assert reach(state, FRIENDLY, [ours.id])[ground.names[way.to]] == mf
    assert mf_words(entry_cost(state, [ours], way.to) / 2) == mf


@pytest.mark.rule("S12.211", "S8.5")
@pytest.mark.parametrize(("first", "second"), [(THREE, THREE), (THREE, "russian 4-4-7"), ("russian 4-4-7", THREE)])
def test_partisans_fire_in_no_group_of_several_locations(state: SquadState, first: str, second: str) -> None:
    assert grouped(state, first, second) == 1


@pytest.mark.rule("S12.211", "S8.5")
def test_their_allies_do(state: SquadState) -> None:
    assert grouped(state, "russian 4-4-7", "russian 4-4-7") == 2


def grouped(state: SquadState, first: str, second: str) -> int:
    """How many fire together of two that are ADJACENT and see the same Target."""
    cell = field(state)
    near = setting_of(state).ground.near
    other = beside(state, cell)
    target = next(one for one in near[cell] if one in near[other] and setting_of(state).ground.open[one])
    play = playing(state)
    one, two = generation.new_unit(play, first, cell), generation.new_unit(play, second, other)
    friend(state, target)
    state.attacker, state.phase = ENEMY, "PFPh"
    VOLLEYS.of(state)[:] = [Volley((one.id,), target, cells=(cell,))]
    firing.group_up(play, [StartFire(one.id), StartFire(two.id)], "prep")
    return len(VOLLEYS.of(state)[0].firers)


@pytest.mark.rule("S12.211", "R9")
def test_a_commissar_of_friendly_partisans_is_one_of_them() -> None:
    state: SquadState = sandtable.new(
        "sasl/1", seed=8, options={"friendly": "R", "year": "1942", "boards": "shipped"}
    ).state
    event = next(one for one in events.events("R9") if one.event == "partisans")
    play = Play(state, ScriptedDice(6, 5, 1, *[1] * 20))
    before = set(state.units)
    assert arrivals.partisans(play, event)
    new = [state.units[name] for name in state.units if name not in before]
    assert all(is_partisan(state, unit) for unit in new)


def test_an_attack_that_is_put_aside_throws_nothing(state: SquadState) -> None:
    unit = generation.new_unit(playing(state), THREE, field(state))
    in_draft(state, unit.id, at=-1)
    VOLLEYS.of(state).clear()
    assert drafting(playing(state)) == [CancelFire()]
    assert state.units[unit.id].used == ()
