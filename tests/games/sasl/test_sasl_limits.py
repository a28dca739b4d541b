"""Who counts and who does not: victory points, Panic, advances and shortages of Solitaire ASL case by case."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, mission_without_suspects, playing, stand

from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.works.model import lay_foxhole, put_in
from sandtable.games.sasl import activation, command, shortage, valour, victory
from sandtable.games.sasl.enemy import closing, marching, stopping
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import (
    ENEMY,
    FRIENDLY,
    MARCH,
    MOVE,
    NOTHING,
    OBJECTIVES,
    ORDERS,
    PANIC,
    SUSPECTS,
    March,
    Order,
    Suspect,
)
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables.events import events as rows
from sandtable.games.sasl.tables.general import moves
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import give
from sandtable.games.squad.movement.model import AddMover, BeginMove, CancelMove, DoubleTime, StackDraft
from sandtable.games.squad.pieces.model import Gone, SquadState, Weapon

rule = pytest.mark.rule
GUN, MG = "russian 45mm PTP obr. 32 AT", "russian LMG"


@pytest.fixture
def state() -> SquadState:
    found = mission_without_suspects()
    for name in [unit.id for unit in found.units.values() if unit.side == ENEMY]:
        del found.units[name]
    return found


def armed(state: SquadState, owner: str, kind: str, side: str = ENEMY) -> Weapon:
    """A weapon in somebody's hands."""
    state.weapons["w"] = Weapon("w", side, kind)
    return give(state, state.weapons["w"], owner)


# -- victory ------------------------------------------------------------------------------------------


@rule("A26.211")
@rule("A26.222")
@pytest.mark.parametrize(
    ("owner", "kind", "side", "points"),
    [
        ("t1", GUN, ENEMY, 4),
        ("e1", GUN, ENEMY, 0),
        ("", GUN, ENEMY, 0),
        ("t1", MG, ENEMY, 0),
        ("t1", GUN, FRIENDLY, 0),
    ],
)
def test_an_enemy_gun_in_friendly_hands_counts_twice(
    state: SquadState, owner: str, kind: str, side: str, points: int
) -> None:
    """Not one that the ENEMY holds or nobody does, no lesser weapon, and none of the FRIENDLY side's own."""
    cell = field(state)
    friend(state, cell)
    stand(state, "e1", "russian 4-4-7", setting_of(state).ground.near[cell][0])
    if owner:
        armed(state, owner, kind, side)
    else:
        state.weapons["w"] = Weapon("w", side, kind, at=cell)
    assert victory.guns_lost(state, ENEMY) == points


@rule("A26.222")
@pytest.mark.parametrize(("enemy", "points"), [("R", 4), ("C", 8)])
def test_captured_chinese_guns_count_four_times(state: SquadState, enemy: str, points: int) -> None:
    state.setting = key_of(state, replace(rolled_in(state), enemy=enemy))
    friend(state, field(state))
    armed(state, "t1", GUN)
    assert victory.guns_lost(state, ENEMY) == points
    assert victory.guns_lost(state, FRIENDLY) == 0


@rule("A26.222")
@pytest.mark.parametrize(
    ("side", "how", "kind", "points"),
    [
        (ENEMY, "destroyed", GUN, 2),
        (ENEMY, "exited", GUN, 0),
        (ENEMY, "destroyed", MG, 0),
        (FRIENDLY, "destroyed", GUN, 0),
    ],
)
def test_an_enemy_gun_that_was_destroyed_counts_once(
    state: SquadState, side: str, how: str, kind: str, points: int
) -> None:
    state.gone["w"] = Gone("w", side, kind, how)
    assert victory.guns_lost(state, ENEMY) == points


@rule("M2")
def test_pockets_every_suspect_on_the_map_is_two_points_for_the_enemy(state: SquadState) -> None:
    """Those that wait off the map count for nothing; the first hex of the map counts like all others."""
    for number, at in enumerate((0, 0, 17, -1)):
        SUSPECTS.of(state)[f"s{number}"] = Suspect(f"s{number}", at)
    tally = {line[0]: line[1:] for line in MISSIONS[2].tally(state)}
    assert tally["S? on the map"] == (0, 6)


# -- Panic --------------------------------------------------------------------------------------------


@rule("S6.21")
@pytest.mark.parametrize(
    ("what", "more", "found"),
    [
        (PANIC, {}, True),
        (PANIC, {"pinned": True}, True),
        (PANIC, {"broken": True}, False),
        (PANIC, {"marks": (BERSERK,)}, False),
        (MOVE, {}, False),
        (NOTHING, {}, False),
        ("", {}, False),
    ],
)
def test_panic_ends_when_the_unit_breaks_or_goes_berserk(
    state: SquadState, what: str, more: dict[str, object], found: bool
) -> None:
    stand(state, "e1", "russian 4-4-7", field(state), **more)
    if what:
        ORDERS.of(state)["e1"] = Order(what)
    assert command.panicked(state, "e1") is found
    del state.units["e1"]
    assert command.panicked(state, "e1") is (what == PANIC), "whoever is gone needs no other order"


# -- the ENEMY's advance ------------------------------------------------------------------------------


@rule("S11.4")
@pytest.mark.parametrize(
    ("kind", "inside", "what", "goes"),
    [
        ("", False, "", True),
        (MG, False, "", True),
        ("russian MMG", False, "", False),
        (GUN, False, "", False),
        ("", True, "", False),
        ("", False, PANIC, False),
        ("", False, MOVE, True),
    ],
)
def test_who_does_not_take_the_ntc_to_advance_into_close_combat(
    state: SquadState, kind: str, inside: bool, what: str, goes: bool
) -> None:
    """Neither with a heavy weapon nor out of a foxhole nor in Panic; then not a die is cast."""
    cell = field(state)
    near = next(other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other])
    friend(state, near)
    stand(state, "e1", "russian 4-4-7", cell)
    if kind:
        armed(state, "e1", kind)
    if inside:
        put_in(state, state.units["e1"], lay_foxhole(state, cell, ENEMY, 1))
    if what:
        ORDERS.of(state)["e1"] = Order(what)
    play = playing(state, *((1, 1) if goes else ()))
    assert closing.into_combat(play, state.units["e1"]) == (near if goes else -1)


@rule("S9.2")
@pytest.mark.parametrize(("how", "chosen"), [("full", BeginMove()), ("double", DoubleTime("b")), ("assault", None)])
def test_only_a_double_time_command_makes_units_cx(state: SquadState, how: str, chosen: DoubleTime | None) -> None:
    MARCH.put(state, March(("a", "b"), how))
    legal = [CancelMove(), DoubleTime("b"), BeginMove(), BeginMove(assault=True)]
    found = marching.drafting(playing(state), StackDraft(("a",)), legal)
    assert found == (chosen or BeginMove(assault=True))
    assert marching.drafting(playing(state), StackDraft(("a",)), [AddMover("b"), *legal]) == AddMover("b")
    MARCH.put(state, None)
    assert marching.drafting(playing(state), StackDraft(("a",)), legal) == CancelMove()


@rule("S9.2")
@pytest.mark.parametrize(
    ("stop", "least"), [("positive TEM", 1), ("inherent TEM >= +1", 1), ("TEM >= +1", 1), ("TEM >= +2", 2)]
)
def test_the_tem_at_which_a_march_stops_in_the_words_of_the_tables(state: SquadState, stop: str, least: int) -> None:
    assert any(one.startswith(stop) for table in ("A4a", "A4b") for row in moves(table) for one in row.stop)
    tem = setting_of(state).ground.tem
    for here in {tem[cell]: cell for cell in range(len(tem))}.values():
        assert stopping.stops(state, stop, here, []) is (tem[here] >= least)


# -- activation and events ----------------------------------------------------------------------------


@rule("S5.75")
@pytest.mark.parametrize(("name", "armed"), [(MG, 1), ("", 0)])
def test_the_first_squad_bears_the_support_weapon_if_there_is_one(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, name: str, armed: int
) -> None:
    cell = field(state)
    units = [stand(state, each, "russian 4-4-7", cell) for each in ("e1", "e2")]
    monkeypatch.setattr(activation.make, "support_weapon", lambda play, base, **more: name)
    activation._support_weapon(playing(state), rolled_in(state), Suspect("s", cell), units)
    assert [len(state.units[unit.id].weapons) for unit in units] == [armed, 0]


@rule("S2.3")
@pytest.mark.parametrize(
    ("more", "charges"),
    [({}, True), ({"broken": True}, False), ({"marks": (BERSERK,)}, False), ({"melee": True}, False)],
)
def test_a_berserk_unit_takes_with_it_only_those_who_can_rage(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, more: dict[str, object], charges: bool
) -> None:
    ground = setting_of(state).ground
    cell = field(state)
    beside = [other for other in ground.near[cell] if ground.open[other]]
    friend(state, beside[0])
    stand(state, "a", "russian 4-4-7", cell)
    stand(state, "b", "russian 4-4-7", beside[2])
    state.units["b"] = replace(state.units["b"], **more)
    raging: list[str] = []
    monkeypatch.setattr(valour, "_passes", lambda play, unit, drm, event: True)
    monkeypatch.setattr(valour, "nearest_ebe", lambda state: [state.units["t1"]])
    monkeypatch.setattr(valour, "best", lambda play, able, by, what: (next(u for u in able if u.id == "a"), []))
    monkeypatch.setattr(valour.charges, "go_berserk", lambda play, unit, spreads: raging.append(unit.id))
    event = next(one for one in rows("A11") if one.event == "berserk")
    assert valour.berserk(playing(state), event)
    assert raging == ["a", "b"][: 1 + charges]


@rule("A19.131")
@pytest.mark.parametrize(
    ("kind", "side", "owner", "short", "items"),
    [
        (MG, ENEMY, "e1", ENEMY, [-1]),
        (MG, ENEMY, "e1", FRIENDLY, []),
        (MG, ENEMY, "t1", ENEMY, []),
        (MG, FRIENDLY, "e1", ENEMY, []),
        ("russian DC", ENEMY, "e1", ENEMY, []),
        (GUN, ENEMY, "e1", ENEMY, [-1]),
    ],
)
def test_a_shortage_of_ammunition_lowers_the_breakdown_number_of_own_weapons_by_one(
    state: SquadState, kind: str, side: str, owner: str, short: str, items: list[int]
) -> None:
    """Not of captured ones, and not of Demolition Charges."""
    cell = field(state)
    friend(state, cell)
    stand(state, "e1", "russian 4-4-7", setting_of(state).ground.near[cell][0])
    weapon = armed(state, owner, kind, side)
    shortage.SHORT.put(state, (short,))
    assert [item[1] for item in shortage._breakdown(state, weapon)] == items


@rule("S11.4")
def test_a_location_with_nobody_known_is_not_the_one_of_least_us_number(state: SquadState) -> None:
    cell = field(state)
    first, second = [other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other]][:2]
    OBJECTIVES.of(state).clear()
    unit = stand(state, "e1", "russian 4-4-7", cell)
    friend(state, first, 1, concealed=True)
    friend(state, second, 2)
    assert closing.into_combat(playing(state, 1, 1), unit) == second


@rule("S11.4")
def test_an_ambush_is_possible_wherever_somebody_is_concealed(state: SquadState) -> None:
    cell = field(state)
    near = next(other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other])
    unit = stand(state, "e1", "russian 4-4-7", cell)

    def possible(concealed: bool, own: bool = False, melee: bool = False) -> bool:
        friend(state, near, 1, concealed=concealed, melee=melee)
        keys = dict(closing._into(state, replace(unit, concealed=own)))
        return not keys["Ambush possible"](near)  # type: ignore[operator]

    assert [possible(False), possible(True), possible(False, own=True)] == [False, True, True]
    assert not possible(True, melee=True)


@rule("S11.4")
def test_no_ntc_is_taken_for_a_location_that_is_full(state: SquadState) -> None:
    cell = field(state)
    near = next(other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other])
    unit = stand(state, "e1", "russian 4-4-7", cell)
    friend(state, near)
    for number in range(3):
        stand(state, f"m{number}", "russian 4-4-7", near)
    assert closing.into_combat(playing(state), unit) == -1


@rule("S11.4")
def test_of_two_leaders_who_have_passed_the_better_one_counts(state: SquadState) -> None:
    cell = field(state)
    near = next(other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other])
    friend(state, near)
    best, other, squad = (
        stand(state, n, k, cell) for n, k in zip("abc", ("russian 9-2", "russian 8-0", "russian 4-4-7"), strict=True)
    )
    without = closing.advance_drm(state, squad, near)
    for leader in (best, other):
        closing.into_combat(playing(state, 1, 1), leader)
    assert closing.advance_drm(state, squad, near) == without - 2
