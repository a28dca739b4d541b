"""Spraying Fire of the ENEMY: table A3a, self-preservation, and the readings of their rulings (A9.5)."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, Falling, friend, seen

import sandtable
from sandtable.engine import Action, Decided, Play
from sandtable.engine.registry import register
from sandtable.games.asl.spraying import SprayAt, partners
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.enemy import firing, orders
from sandtable.games.sasl.model import ENEMY, FRIENDLY, ORDERS, SUSPECTS, VOLLEYS, Order, Volley
from sandtable.games.squad.fire.model import (
    AddFirer,
    AimAt,
    AlsoFired,
    Fired,
    FireDraft,
    PrepFirePhase,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState, Unit

register(GAME)
SPRAYER, OTHER = "russian 5-2-7", "russian 4-4-7"
"""A squad with an underscored Range, and one without."""


class Ground(NamedTuple):
    """An ENEMY Location in the open, and Locations in sight of it."""

    state: SquadState
    cell: int
    beside: int
    """ADJACENT to it."""
    two: tuple[int, int]
    """Two that share a hexside, two hexes away."""
    lonely: int
    """One that shares no hexside with those, three hexes away."""


def ground(**options: str) -> Ground:
    """A mission without S?, and where to stand in it: in the open, and in sight of Locations without TEM."""
    state: SquadState = sandtable.new("sasl/1", seed=8, options={**OPTIONS, **options}).state
    SUSPECTS.of(state).clear()
    state.attacker, state.phase = ENEMY, "PFPh"
    here = setting_of(state).ground
    return next(found for cell in range(150, here.size) if here.open[cell] and (found := places(state, cell)))


def places(state: SquadState, cell: int) -> Ground | None:
    here = setting_of(state).ground
    bare = [one for one in seen(state, cell, 3) if not terrain_item(state, cell, one)[1]]
    at = {far: [one for one in bare if here.ranges[cell][one] == far] for far in (1, 2, 3)}
    for two in [(one, other) for one in at[2] for other in partners(here, one) if other in at[2]]:
        beside = [one for one in at[1] if not {*two} & set(partners(here, one))]
        lonely = [one for one in at[3] if not {*two} & set(partners(here, one))]
        if beside and lonely:
            return Ground(state, cell, beside[0], two, lonely[0])
    return None


def foe(at: Ground, kind: str = SPRAYER, cell: int = -1) -> Unit:
    return generation.new_unit(Play(at.state, Falling(3)), kind, at.cell if cell < 0 else cell)


def arm(at: Ground, unit: Unit) -> str:
    """Give a unit a LMG."""
    return generation.new_weapon(Play(at.state, Falling(3)), "russian LMG", unit).id


def command(at: Ground, *names: str, total: int = 3) -> tuple[list[Volley], list[Decided]]:
    """What the Location notes by a DR, and the lines of A3a."""
    play = Play(at.state, Falling(total))
    assert firing.fire_location(play, at.cell, [StartFire(name) for name in names], "prep")
    found = [event for event in play.events if isinstance(event, Decided) and event.table == "A3a"]
    return list(VOLLEYS.of(at.state)), found


# -- table A3a ------------------------------------------------------------------------------


@pytest.mark.rule("S8")
def test_on_three_or_less_spraying_fp_goes_at_two_targets_side_by_side() -> None:
    at = ground()
    squad = foe(at)
    for number, cell in enumerate((*at.two, at.lonely)):
        friend(at.state, cell, number)
    (volley,), (line,) = command(at, squad.id)
    assert {volley.target, volley.also} == set(at.two)
    assert line.row == "<=3"
    first, second = name_of(at.state, volley.target), name_of(at.state, volley.also)
    assert f"spraying FP at {first} (" in line.why
    assert f"and {second} beside it (the only one)" in line.why


@pytest.mark.rule("S8")
@pytest.mark.parametrize("kind", [SPRAYER, OTHER])
def test_where_nobody_can_spray_all_fp_goes_at_the_closest_target(kind: str) -> None:
    at = ground()
    squad = foe(at, kind)
    for number, cell in enumerate((at.two[0], at.lonely) if kind == SPRAYER else at.two):
        friend(at.state, cell, number)
    (volley,), (line,) = command(at, squad.id)
    assert volley.also == -1
    assert ": all FP at " in line.why
    if kind == SPRAYER:
        assert volley.target == at.two[0]


@pytest.mark.rule("S8")
@pytest.mark.parametrize("total", range(4, 13))
def test_no_other_row_sprays(total: int) -> None:
    at = ground()
    squad = foe(at)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number)
    assert [volley.also for volley in command(at, squad.id, total=total)[0]] == [-1]


@pytest.mark.rule("S8")
def test_the_rest_of_the_fp_has_a_target_of_its_own() -> None:
    at = ground()
    squad = foe(at, OTHER)
    gun = arm(at, squad)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number)
    friend(at.state, at.lonely, 7)
    friend(at.state, at.lonely, 8, "german 8-1")  # with equal TEM: the Location with most SMC
    volleys, lines = command(at, squad.id, gun)
    assert [(one.firers, one.target in at.two, one.also in at.two) for one in volleys] == [
        ((gun,), True, True),
        ((squad.id,), False, False),
    ]
    assert volleys[1].target == at.lonely
    assert [line.why.partition(": ")[2].partition(" at ")[0] for line in lines] == ["spraying FP", "other FP"]


@pytest.mark.rule("S8")
@pytest.mark.parametrize("reading", ["combined", "apart"])
def test_fp_that_does_not_spray_is_combined_if_its_target_is_sprayed(reading: str) -> None:
    at = ground(spray_groups=reading)
    squad = foe(at, OTHER)
    gun = arm(at, squad)
    friend(at.state, at.two[0], 0)
    friend(at.state, at.two[1], 1)
    friend(at.state, at.two[1], 2, "german 8-1")
    friend(at.state, at.lonely, 3)
    volleys, lines = command(at, squad.id, gun)
    if reading == "combined":
        assert [(set(one.firers), one.target, one.also) for one in volleys] == [({squad.id, gun}, at.two[1], -1)]
        assert "with the spraying FP, which then fires at it alone (SA-113)" in lines[1].why
    else:
        assert [(one.firers, one.also in at.two) for one in volleys] == [((gun,), True), ((squad.id,), False)]
        assert volleys[1].target == at.lonely


@pytest.mark.rule("S8")
def test_without_another_target_fp_is_combined_in_either_reading() -> None:
    at = ground(spray_groups="apart")
    squad = foe(at, OTHER)
    gun = arm(at, squad)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number)
    (volley,), _ = command(at, squad.id, gun)
    assert (set(volley.firers), volley.also) == ({squad.id, gun}, -1)


@pytest.mark.rule("S8")
@pytest.mark.parametrize("reading", ["pair", "closest"])
def test_whether_a_closer_target_alone_keeps_it_from_spraying(reading: str) -> None:
    at = ground(spraying=reading)
    squad = foe(at)
    for number, cell in enumerate((*at.two, at.beside)):
        friend(at.state, cell, number)
    (volley,), _ = command(at, squad.id)
    assert (volley.also >= 0) is (reading == "pair")
    if reading == "closest":
        assert volley.target == at.beside


@pytest.mark.rule("S8.5")
@pytest.mark.parametrize(("kind", "joins"), [(SPRAYER, True), (OTHER, False)])
def test_only_neighbours_who_can_spray_the_same_two_join(kind: str, joins: bool) -> None:
    at = ground()
    squad = foe(at)
    near = setting_of(at.state).ground
    beside = next(
        cell
        for cell in near.near[at.cell]
        if all(sees(at.state, cell, one) and near.ranges[cell][one] <= 3 for one in at.two) and cell not in at.two
    )
    neighbour = foe(at, kind, beside)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number)
    volley = Volley((squad.id,), at.two[0], cells=(at.cell,), also=at.two[1])
    found = firing.join_neighbours(Play(at.state, Falling(3)), volley, [StartFire(neighbour.id)], "prep")
    assert found == replace(volley, firers=(squad.id, neighbour.id) if joins else (squad.id,))


# -- self-preservation ----------------------------------------------------------------------


@pytest.mark.rule("S6.311")
@pytest.mark.parametrize("reading", ["spraying", "DR"])
def test_units_that_fire_in_self_preservation_spray_without_a_dr(reading: str) -> None:
    at = ground(self_preservation=reading)
    squad = foe(at)
    near = setting_of(at.state).ground
    other = next(cell for cell in partners(near, at.beside) if near.ranges[at.cell][cell] == 2)
    friend(at.state, at.beside, 1)
    friend(at.state, other, 2)
    ORDERS.of(at.state).clear()
    play = Play(at.state, Falling(11))
    orders.order_location(play, at.cell, [StartFire(squad.id)])
    assert ORDERS.of(at.state)[squad.id] == Order("Fire", rule="S6.311")
    (volley,) = VOLLEYS.of(at.state)
    (line,) = [event for event in play.events if isinstance(event, Decided) and event.table == "A3a"]
    assert volley.target == at.beside
    if reading == "spraying":
        assert (volley.also, line.row, line.faces, line.rule) == (other, "<=3", (), "S6.311")
        assert line.why.endswith("; in self-preservation, without a DR (SA-114)")
    else:
        assert (volley.also, line.row) == (-1, ">=11")


@pytest.mark.rule("S6.311")
def test_others_roll_and_so_does_who_cannot_spray_an_adjacent_target() -> None:
    at = ground()
    squad = foe(at)
    friend(at.state, at.beside, 1)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number + 2)
    ORDERS.of(at.state)[squad.id] = Order("Fire", rule="S6.311")
    assert command(at, squad.id, total=11)[1][0].row == ">=11", "the two are not ADJACENT"
    VOLLEYS.of(at.state).clear()
    near = setting_of(at.state).ground
    friend(at.state, next(cell for cell in partners(near, at.beside) if near.ranges[at.cell][cell] == 2), 5)
    ORDERS.of(at.state)[squad.id] = Order("Fire")
    assert command(at, squad.id, total=11)[1][0].row == ">=11", "an order of A2b"


# -- carried out ----------------------------------------------------------------------------


def drafting(at: Ground, frame: FireDraft, *legal: Action) -> Action:
    return firing.draft(Play(at.state, Falling(3)), frame, legal)


@pytest.mark.rule("S8")
def test_the_draft_sprays_once_all_have_joined() -> None:
    at = ground()
    one, two = foe(at), foe(at)
    VOLLEYS.of(at.state).append(Volley((one.id, two.id), at.two[0], also=at.two[1]))
    frame = FireDraft(ENEMY, "prep", units=(one.id,), target=at.two[0])
    assert drafting(at, frame, AddFirer(two.id), SprayAt(at.two[1]), ResolveFire()) == AddFirer(two.id)
    frame = replace(frame, units=(one.id, two.id))
    assert drafting(at, frame, SprayAt(at.two[1]), ResolveFire()) == SprayAt(at.two[1])
    assert drafting(at, replace(frame, also=at.two[1]), ResolveFire()) == ResolveFire()
    assert VOLLEYS.of(at.state) == []


@pytest.mark.rule("S8", "A9.5")
def test_the_enemy_sprays_two_friendly_locations_and_the_log_says_so() -> None:
    at = ground()
    squad = foe(at)
    for number, cell in enumerate(at.two):
        friend(at.state, cell, number)
    ORDERS.of(at.state)[squad.id] = Order("Fire")
    command(at, squad.id)
    state = at.state
    state.stack[-1] = PrepFirePhase(True, (squad.id,))
    play = Play(state, Falling(5))
    for _ in range(4):
        frame = state.stack[-1]
        procedure = GAME.procedures[type(frame)]
        legal = procedure.actions(state, frame, ENEMY)
        action = GAME.decide(play, frame, ENEMY, legal)
        assert action in legal
        procedure.apply(play, frame, ENEMY, action)
    (first,), (second,) = ([event for event in play.events if isinstance(event, kind)] for kind in (Fired, AlsoFired))
    assert {first.at, second.at} == {name_of(state, cell) for cell in at.two}
    assert GAME.words(second, state).startswith(f"The same fire at {second.at}, ")


@pytest.mark.rule("A9.5")
def test_friendly_squads_spray_too() -> None:
    at = ground()
    state = at.state
    men = friend(state, at.cell, 1, "german 8-3-8")
    for cell in at.two:
        foe(at, OTHER, cell)
    state.attacker = FRIENDLY
    frame = FireDraft(FRIENDLY, "prep", units=(men.id,), target=at.two[0])
    state.stack.append(frame)
    assert SprayAt(at.two[1]) in GAME.procedures[FireDraft].actions(state, frame, FRIENDLY)
    assert AimAt(at.two[1]) not in GAME.procedures[FireDraft].actions(state, frame, FRIENDLY)
