"""Which Targets and Locations the rows of the tables allow, and what decides among equals (A2, A3, A4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import Falling, field, friend, mission_without_suspects, playing, seen, stand

from sandtable.engine import Decided, Play, Rolled
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import generation
from sandtable.games.sasl.enemy import closing, facts, firing, marching, orders
from sandtable.games.sasl.model import (
    ADVANCE,
    ATTITUDES,
    ENEMY,
    FRIENDLY,
    OBJECTIVES,
    ORDERS,
    PANIC,
    VOLLEYS,
    Objective,
    Order,
)
from sandtable.games.sasl.tables import general
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.guns import range_limits
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import give
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

rule = pytest.mark.rule
FIELD_GUN = "german 7.5cm PaK 40 AT"


@pytest.fixture
def state() -> SquadState:
    found = mission_without_suspects()
    for unit in [unit for unit in found.units.values() if unit.side == FRIENDLY]:
        del found.units[unit.id]
    found.stacks.clear()
    found.attacker, found.phase = ENEMY, "PFPh"
    return found


def hold(state: SquadState, unit: Unit, kind: str, number: int = 1, side: str = FRIENDLY) -> Weapon:
    weapon = Weapon(f"w{number}", side, kind, unit.group)
    state.weapons[weapon.id] = weapon
    return give(state, weapon, unit.id)


def sieve(state: SquadState, name: str, source: int, cell: int) -> float:
    return firing.sieves(state, source, [state.units["e"]])[name](cell)


# -- Targets (A3) --------------------------------------------------------------------------------------


@rule("S8")
def test_least_tem_counts_the_foxhole_of_the_target(state: SquadState) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    ground = setting_of(state).ground
    place = next(c for c in seen(state, cell, 4) if ground.open[c] and ground.level[c] == ground.level[cell])
    dug = friend(state, place, 1)
    assert sieve(state, "least TEM", cell, place) == 0
    works.put_in(state, dug, works.lay_foxhole(state, place, FRIENDLY, 1))
    assert sieve(state, "least TEM", cell, place) == 2
    friend(state, place, 2)
    assert sieve(state, "least TEM", cell, place) == 0, "the other squad is outside"


@rule("S8", "S16.3")
def test_a_unit_that_panics_is_no_good_order_target(state: SquadState) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    place = seen(state, cell, 3)[-1]
    friend(state, place, 1)
    other = friend(state, place, 2)
    assert sieve(state, "most Good Order", cell, place) == -2
    ORDERS.of(state)[other.id] = Order(PANIC)
    assert sieve(state, "most Good Order", cell, place) == -1


@rule("S8")
def test_a_gun_is_a_weapon_but_no_sw(state: SquadState) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    place = seen(state, cell, 3)[-1]
    hold(state, friend(state, place, 1, "german 2-2-8"), FIELD_GUN, 1)
    hold(state, friend(state, place, 2), "german LMG", 2)
    found = [sieve(state, name, cell, place) for name in ("most SW", "most SW and Guns", "most Weapons")]
    assert found == [-1, -2, -2]


@rule("S8")
def test_the_range_that_counts_is_that_of_who_fires(state: SquadState) -> None:
    cell = field(state)
    ranges = setting_of(state).ground.ranges[cell]
    stand(state, "e", "russian 6-2-8", cell)
    stand(state, "long", "russian 4-4-7", cell, broken=True)
    near, far = (next(c for c in seen(state, cell, 4) if ranges[c] == distance) for distance in (2, 4))
    friend(state, near, 1)
    friend(state, far, 2)
    friend(state, far, 3)
    play = Play(state, Falling(8))  # the Location with most Targets within normal range
    firing.fire_location(play, cell, [StartFire("e")], "prep")
    assert VOLLEYS.of(state)[0].target == near


# -- Action Checks (A2) --------------------------------------------------------------------------------


@rule("S6.23")
def test_a_target_too_near_for_a_mortar_is_none(state: SquadState) -> None:
    cell = field(state)
    ranges = setting_of(state).ground.ranges[cell]
    crew = generation.new_unit(playing(state), "russian 2-2-8", cell)
    mortar = generation.new_weapon(playing(state), "russian 82mm BM obr. 37 MTR", crew)
    ATTITUDES.of(state)[crew.id] = ADVANCE
    legal = [StartShot(mortar.id)]
    near = friend(state, next(c for c in seen(state, cell, 2) if ranges[c] == 2), 1)
    crew = state.units[crew.id]
    assert orders.action_of(state, cell, [crew], (3, 6), legal)[0] != "Fire"
    del state.units[near.id]
    state.stacks[near.at] = ()
    friend(state, next(c for c in seen(state, cell, 6) if ranges[c] >= 4), 2)
    assert orders.action_of(state, cell, [crew], (3, 6), legal)[0] == "Fire"


@rule("S6.21", "S6.301")
def test_who_is_berserk_does_not_panic(state: SquadState) -> None:
    cell = field(state)
    calm = generation.new_unit(playing(state), "russian 4-4-7", cell)
    mad = generation.new_unit(playing(state), "russian 4-4-7", cell)
    state.units[mad.id] = replace(mad, marks=("berserk",))
    orders.order_location(playing(state, 4, 4), cell, ())
    assert ORDERS.of(state)[calm.id] == Order(PANIC)
    assert ORDERS.of(state)[mad.id] == Order("Move", rule="S6.301")


# -- Move Commands (A4) --------------------------------------------------------------------------------


def tem(state: SquadState, monkeypatch: pytest.MonkeyPatch, cell: int, values: list[int]) -> list[int]:
    """Gives the hexes around another a TEM each, in this test."""
    ground = setting_of(state).ground
    around = marching.open_hexes(state, cell, [state.units["e"]])
    given = list(ground.tem)
    for other, value in zip(around, [*values, *[0] * len(around)], strict=False):
        given[other] = value
    monkeypatch.setattr(ground, "tem", tuple(given))
    return around


def steps(state: SquadState, aim: str, then: tuple[str, ...] = ()) -> set[int]:
    """Where an Assault Move may go, whatever the dice say."""
    unit = state.units["e"]
    found = {marching.next_hex(Play(state, Falling(2, extra=face)), aim, unit.at, [unit], then) for face in range(1, 7)}
    return {path[0] for path in found if path}


@rule("S9.2")
def test_any_location_with_more_tem_will_do_where_the_row_does_not_ask_for_the_highest(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    around = tem(state, monkeypatch, cell, [1, 3, 2])
    assert steps(state, "more TEM") == set(around[:3])
    assert steps(state, "positive TEM") == set(around[:3])
    assert steps(state, "highest TEM") == {around[1]}


@rule("S9.2")
@pytest.mark.parametrize("row", ["5", "10"])
def test_the_most_targets_decide_among_hexes_of_the_same_tem(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    around = tem(state, monkeypatch, cell, [2, 2, 1])
    found = friend(state, seen(state, cell, 3)[-1])
    targets = {around[0]: [], around[1]: [found], around[2]: [found, found]}
    monkeypatch.setattr(facts, "targets_from", lambda _state, at, _units: targets.get(at, []))
    command = next(one for one in general.moves("A4b") if one.key == row)
    assert command.to == ("highest TEM", "most Targets")
    assert steps(state, "highest TEM", command.to[1:]) == {around[1]}
    assert steps(state, "highest TEM") == set(around[:2])


@rule("S9.2")
def test_a_wall_towards_a_target_is_a_positive_tem(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    around = tem(state, monkeypatch, cell, [0] * 6)
    found = friend(state, seen(state, cell, 3)[-1])
    monkeypatch.setattr(facts, "targets_from", lambda _state, _at, _units: [found])
    walled = around[0]
    items = {walled: ("wall", 2, "B9.3")}
    monkeypatch.setattr(marching, "terrain_item", lambda _state, _source, at: items.get(at, marching.HEIGHT_ADVANTAGE))
    assert steps(state, "positive TEM with a Target from there") == {walled}


# -- advance into Close Combat (A3f) -------------------------------------------------------------------


@rule("S11.4")
def test_a_malfunctioned_or_captured_hw_counts_for_the_advance(state: SquadState) -> None:
    cell = field(state)
    near = setting_of(state).ground.near[cell][0]
    unit = stand(state, "e", "russian 4-4-7", cell)
    target = friend(state, near)
    plain = closing.advance_drm(state, unit, near)
    weapon = hold(state, target, "german MMG")
    assert closing.advance_drm(state, unit, near) == plain - 1
    state.weapons[weapon.id] = replace(weapon, broken=True)
    assert closing.advance_drm(state, unit, near) == plain - 1
    state.weapons[weapon.id] = replace(weapon, side=ENEMY)
    assert closing.advance_drm(state, unit, near) == plain - 1


@rule("S11.4")
def test_the_crest_of_a_friendly_vpo_is_preferred_like_its_hex(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    crest, hex_ = setting_of(state).ground.near[cell][:2]
    OBJECTIVES.of(state)["v"] = Objective("v", (hex_,), (FRIENDLY,))
    monkeypatch.setattr(type(setting_of(state).ground), "floor_of", lambda _self, at: hex_ if at == crest else at)
    (first, *_) = closing._into(state, unit)
    assert first[1](crest) is False  # type: ignore[operator]


@rule("S9.2")
def test_a_mortar_has_no_target_out_of_its_range(state: SquadState) -> None:
    cell = field(state)
    ranges = setting_of(state).ground.ranges[cell]
    unit = stand(state, "e", "russian 8-0", cell)
    mortar = hold(state, unit, "russian 50mm RM obr. 40", side=ENEMY)
    low, high = range_limits(state, mortar)
    assert low > 1
    assert high is not None
    unit = state.units["e"]
    found = {}
    for at in [c for c in seen(state, cell, high + 2) if ranges[c] in (low - 1, low, high, high + 1)]:
        friend(state, at)
        found[ranges[at]] = bool(facts.targets_from(state, cell, [unit]))
    assert found == {one: low <= one <= high for one in found}
    assert set(found) >= {low - 1, low}


@rule("S6.307")
@pytest.mark.parametrize("unseen", [False, True])
def test_who_makes_room_does_not_tell_how_many_are_under_a_question_mark(state: SquadState, unseen: bool) -> None:
    cell = field(state)
    units = [generation.new_unit(playing(state), "russian 4-4-7", cell) for _ in range(5)]
    for unit in units:
        state.units[unit.id] = replace(state.units[unit.id], concealed=unseen)
    play = playing(state, 3, 6, 2, 4)
    orders.order_location(play, cell, ())
    left = [number for number, unit in enumerate(units) if ORDERS.of(state)[unit.id].rule == "S6.307"]
    assert left == [1, 4], "two are too many; the second die is among the other four"
    told = [event for event in play.events if isinstance(event, Rolled) and event.why == "who makes room"]
    assert [event.to for event in told] == [(ENEMY,) if unseen else None] * 2
    rows = {event.row for event in play.events if isinstance(event, Decided)}
    assert ("S6.307" in rows) is not unseen
