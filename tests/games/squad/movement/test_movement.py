"""Movement Phase (3.3): MF, leaders, portage, stacks, Double Time, Assault Movement, smoke, recovery."""

from __future__ import annotations

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    Detach,
    DoubleTime,
    DropWeapon,
    MovementPhase,
    Recover,
    SmokeGrenade,
    StartMove,
    Step,
    Stop,
)
from sandtable.games.squad.movement.portage import allotments, half_mf
from sandtable.games.squad.phases.model import EndPhase, RemoveExcess
from sandtable.games.squad.pieces.events import SmokePlaced
from sandtable.games.squad.pieces.model import Mover

CHART = {
    "alone": (4, 4, 3, 2, 1, 0),
    "alone CX": (6, 5, 4, 3, 2, 1),
    "with leader": (6, 6, 6, 5, 4, 3),
    "CX with leader": (6, 6, 6, 6, 5, 4),
    "CX with CX leader": (8, 7, 6, 5, 4, 3),
}
"""The MF/PP chart of the card: MF with 2 PP or less, 3, 4, 5, 6 and 7 PP."""


def begin(match: Match, *units: str, double: tuple[str, ...] = (), assault: bool = False) -> None:
    """Start a stack."""
    first, *others = units
    do(match, StartMove(first), *map(AddMover, others), *map(DoubleTime, double), BeginMove(assault=assault))


def go(match: Match, *hexes: str) -> None:
    """Step through hexes, along the road where that is cheaper or the only way."""
    for name in hexes:
        target = cell(match, name)
        ways = [step for step in offered(match, Step) if step.to == target]
        assert ways, f"{name} cannot be entered"
        do(match, max(ways, key=lambda step: step.road))


def spent(match: Match, name: str) -> float:
    """MF spent by a mover."""
    assert match.state.moving is not None
    mover = match.state.moving.mover(name)
    assert mover is not None
    return mover.spent / 2


def can_enter(match: Match, name: str) -> bool:
    return any(step.to == cell(match, name) for step in offered(match, Step))


@rule("3.3")
class TestFigure1:
    """The moves of the first movement figure, on board z."""

    def test_assault_movement_into_a_building(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", "I5")])
        begin(match, "a", assault=True)
        go(match, "J5")
        assert spent(match, "a") == 2
        assert not offered(match, Step), "Assault Movement is one hex"

    def test_a_light_machine_gun_is_no_burden(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", "H3")], [weapon("w", "russian LMG", "a")])
        begin(match, "a")
        go(match, "I3", "J2")
        assert spent(match, "a") == 4
        assert not offered(match, Step)

    def test_double_time(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 5-2-7", "F3")])
        begin(match, "a", double=("a",))
        go(match, "G3", "H2", "I3", "J3")
        assert spent(match, "a") == 6
        assert get(match, "a").cx
        assert not offered(match, Step)

    def test_leader_bonus(self) -> None:
        match = drill("z", "MPh", [unit("l", "russian 9-1", "F4"), unit("a", "russian 4-4-7", "F4")])
        begin(match, "a", "l")
        go(match, "G4", "H4", "I4")
        assert spent(match, "a") == spent(match, "l") == 6
        assert not offered(match, Step)

    def test_leader_and_squad_double_time(self) -> None:
        match = drill("z", "MPh", [unit("l", "russian 8-1", "E3"), unit("a", "russian 4-4-7", "E3")])
        begin(match, "a", "l", double=("a", "l"))
        go(match, "E4", "E5", "F5", "G5")
        assert spent(match, "a") == 8
        assert get(match, "a").cx
        assert get(match, "l").cx


@rule("3.3")
@rule("4.0")
@pytest.mark.parametrize("pp", range(8))
@pytest.mark.parametrize("case", CHART)
def test_mf_of_a_loaded_squad_are_those_of_the_chart(pp: int, case: str) -> None:
    guns = [weapon(f"w{n}", "russian LMG", "a") for n in range(pp)]
    match = drill("z", "MPh", [unit("l", "russian 9-1", "F4"), unit("a", "russian 4-4-7", "F4")], guns)
    leader = get(match, "l") if "leader" in case else None
    half = half_mf(
        match.state,
        get(match, "a"),
        leader=leader,
        double=case != "alone" and case.startswith(("alone CX", "CX")),
        leader_double="CX leader" in case,
    )
    assert half / 2 == CHART[case][max(pp, 2) - 2]


@rule("3.3")
@rule("5.4")
@pytest.mark.parametrize(
    ("kind", "led", "mf"),
    [
        ("russian 4-2-6", False, 3),
        ("russian 4-2-6", True, 5),
        ("american 5-3-6", False, 3),
        ("american 5-3-6", True, 6),
        ("russian 4-4-7", False, 4),
    ],
)
def test_inexperienced_units_have_three_mf(kind: str, led: bool, mf: int) -> None:
    units = [unit("a", kind, "F4")]
    if led:
        units.append(unit("l", f"{kind.split()[0]} 8-0", "F4"))
    match = drill("z", "MPh", units)
    leader = get(match, "l") if led else None
    assert half_mf(match.state, get(match, "a"), leader=leader) / 2 == mf


@rule("3.3")
def test_five_pp_squad_cannot_assault_move_into_a_building_but_can_double_time_on() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "I4")], [weapon("w", "russian MMG", "a")])
    begin(match, "a", assault=True)
    assert not can_enter(match, "J3")
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "I4")], [weapon("w", "russian MMG", "a")])
    begin(match, "a", double=("a",))
    go(match, "J3", "K3")
    assert spent(match, "a") == 3
    assert not offered(match, Step)


@rule("1.1.1")
def test_road_bonus_only_if_every_mf_went_along_the_road() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F6")])
    begin(match, "a")
    go(match, "G6", "H5", "I5", "I6", "I7")
    assert spent(match, "a") == 5
    match = drill("z", "MPh", [unit("a", "russian 5-2-7", "G5")])
    begin(match, "a")
    go(match, "H5", "I5")
    mover = match.state.moving.mover("a")
    assert mover is not None
    assert not mover.road, "G5 to H5 is no road"


@rule("4.0")
@rule("3.3")
def test_a_leader_lends_his_ipc() -> None:
    units = [unit("l", "russian 9-2", "F5"), unit("a", "russian 4-4-7", "F5")]
    match = drill("z", "MPh", units, [weapon("w", "russian MMG", "a")])
    begin(match, "a", "l")
    go(match, "G6", "H5", "I6", "J5")
    assert spent(match, "a") == 5
    assert not offered(match, Step)


@rule("3.3")
def test_units_that_fired_broke_or_are_pinned_do_not_move() -> None:
    units = [
        unit("a", "russian 4-4-7", "F4", marker=1),
        unit("b", "russian 4-4-7", "F4", broken=True),
        unit("c", "russian 4-4-7", "F4", pinned=True),
        unit("d", "russian 4-4-7", "F5", melee=True),
        unit("e", "russian 4-4-7", "F5"),
    ]
    match = drill("z", "MPh", units)
    assert offered(match, StartMove) == [StartMove("e")]
    with pytest.raises(IllegalAction, match="broken"):
        do(match, StartMove("b"))
    reasons = {refusal.pieces[0]: refusal.rule for refusal in match.refusals("russian")}
    assert set(reasons) == {"a", "b", "c", "d"}


@rule("3.3")
def test_no_entry_into_an_enemy_hex_or_a_full_one() -> None:
    units = [unit("a", "russian 4-4-7", "F4"), unit("g", "german 4-6-7", "F5")]
    units += [unit(f"x{n}", "russian 4-4-7", "E5") for n in range(3)]
    match = drill("z", "MPh", units)
    begin(match, "a")
    assert not can_enter(match, "F5")
    assert not can_enter(match, "E5")
    with pytest.raises(IllegalAction, match="stacking"):
        do(match, Step(cell(match, "E5")))
    with pytest.raises(IllegalAction, match="Advance Phase"):
        do(match, Step(cell(match, "F5")))


@rule("3.3")
def test_a_unit_moves_once_and_the_stack_ends_before_another_moves() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F4"), unit("b", "russian 4-4-7", "F4")])
    begin(match, "a", "b")
    go(match, "G4")
    do(match, Detach("a"))
    go(match, "H4")
    do(match, Stop())
    assert at(match, "b") == "H4"
    assert at(match, "a") == "G4"
    assert can_enter(match, "H4"), "the detached squad goes on with its own MF"
    do(match, Stop())
    assert isinstance(match.state.stack[-1], MovementPhase)
    assert offered(match, StartMove) == []


@rule("3.3")
def test_a_squad_that_used_the_leader_bonus_may_not_leave_him() -> None:
    match = drill("z", "MPh", [unit("l", "russian 9-1", "F4"), unit("a", "russian 4-4-7", "F4")])
    begin(match, "a", "l")
    go(match, "G4", "H4")
    assert offered(match, Detach) == [Detach("a"), Detach("l")]
    go(match, "I4")
    assert offered(match, Detach) == []


@rule("3.3")
@rule("1.2.5")
@pytest.mark.parametrize(("die", "placed", "ends"), [(1, True, False), (2, False, False), (6, False, True)])
def test_smoke_grenades(die: int, placed: bool, ends: bool) -> None:
    match = drill("z", "MPh", [unit("g", "german 4-6-7", "F4")], attacker="german", dice=[die])
    begin(match, "g")
    events = do(match, SmokeGrenade("g", cell(match, "F5")))
    assert bool(happened(events, SmokePlaced)) is placed
    assert isinstance(match.state.stack[-1], MovementPhase) is ends
    if not ends:
        assert spent(match, "g") == 2
        assert not offered(match, SmokeGrenade), "one attempt in a MPh"


@rule("1.2.5")
@rule("3.3")
def test_cx_makes_smoke_harder_and_smoke_costs_a_mf() -> None:
    match = drill("z", "MPh", [unit("g", "german 4-6-7", "F4")], attacker="german", dice=[1])
    begin(match, "g", double=("g",))
    do(match, SmokeGrenade("g", cell(match, "F4")))
    assert not match.state.counters, "1 + 1 for CX is more than the exponent"
    match = drill(
        "z",
        "MPh",
        [unit("g", "german 4-6-7", "F4")],
        attacker="german",
        smoke={"G4": [{"kind": "grenade", "side": "german"}]},
    )
    begin(match, "g")
    go(match, "G4")
    assert spent(match, "g") == 3
    do(match, Stop(), EndPhase())
    assert not match.state.counters, "grenade smoke goes at the end of the MPh"


@rule("4.0")
def test_recovery_and_dropping() -> None:
    units = [unit("a", "russian 4-4-7", "F4"), unit("b", "russian 4-4-7", "G5")]
    match = drill("z", "MPh", units, [weapon("w", "russian LMG", at="F4")], dice=[5])
    begin(match, "a")
    do(match, Recover("a", "w"))
    assert get_weapon(match, "w").owner == "a"
    assert spent(match, "a") == 1
    go(match, "F5")
    do(match, DropWeapon("w"), Stop())
    assert get_weapon(match, "w").at == cell(match, "F5")
    begin(match, "b")
    go(match, "F5")
    match.dice.faces.append(1)
    do(match, Recover("b", "w"))
    assert get_weapon(match, "w").owner == "b"
    assert not offered(match, Step), "a weapon is carried once in a MPh"


@rule("4.0")
def test_recovery_fails_on_a_six() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F4")], [weapon("w", "russian LMG", at="F4")], dice=[6])
    begin(match, "a")
    do(match, Recover("a", "w"))
    assert get_weapon(match, "w").owner == ""


@rule("3.3")
def test_cx_goes_at_the_next_mph_but_forbids_double_time() -> None:
    match = drill("z", "PFPh", [unit("a", "russian 4-4-7", "F4", cx=True)])
    assert match.state.phase == "MPh", "nobody can Prep Fire"
    assert not get(match, "a").cx
    do(match, StartMove("a"))
    assert not offered(match, DoubleTime)
    with pytest.raises(IllegalAction, match="Double Time"):
        do(match, DoubleTime("a"))


@rule("3.3")
@pytest.mark.parametrize("group", ["russian", ""])
def test_only_a_scenario_takes_mf_from_those_who_enter(group: str) -> None:
    units = [unit("r", "russian 4-4-7", beside="A5", group=group), unit("g", "german 4-6-7", "GG1")]
    match = drill("z", "MPh", units)
    begin(match, "r")
    assert spent(match, "r") == 0


@rule("1.1.1")
def test_uphill_costs_double() -> None:
    match = drill("w", "MPh", [unit("a", "american 5-3-6", "H7")])
    begin(match, "a", double=("a",))
    assert can_enter(match, "G7"), "building 2, doubled: 4 of 5 MF"
    go(match, "I7")
    assert spent(match, "a") == 2
    match = drill("w", "MPh", [unit("a", "american 5-3-6", "H7")])
    begin(match, "a")
    assert not can_enter(match, "G7"), "4 MF are more than a Green squad has"


@rule("1.1.1")
def test_grain_costs_one_and_a_half_in_season() -> None:
    match = drill("w", "MPh", [unit("a", "russian 4-4-7", "E8")])
    begin(match, "a")
    go(match, "E9")
    assert spent(match, "a") == 1.5


@rule("G17")
def test_guide_units_pass_through_full_hexes_and_excess_is_removed_by_the_enemy() -> None:
    units = [unit(f"x{n}", "russian 4-4-7", "G5") for n in range(3)] + [unit("a", "russian 4-4-7", "F5")]
    match = drill("z", "MPh", units, game="guidedrill")
    begin(match, "a")
    go(match, "G5")
    do(match, Stop(), EndPhase())
    assert match.to_act == ("german",)
    assert {action.unit for action in offered(match, RemoveExcess)} == {"a", "x0", "x1", "x2"}
    do(match, RemoveExcess("x1"))
    assert "x1" not in match.state.units
    assert match.state.phase != "MPh"


@rule("4.0")
def test_a_leader_helps_the_squad_that_has_the_fewest_mf_left_to_carry() -> None:
    units = [unit("a", "russian 4-4-7", "I5"), unit("b", "russian 4-4-7", "I5"), unit("l", "russian 8-0", "I5")]
    match = drill("z", "MPh", units, [weapon(f"m{name}", "russian HMG", name) for name in "ab"])
    start = cell(match, "I5")
    for late in "ab":
        movers = [Mover(name, start, leader="l", spent=2 * (name == late)) for name in "ab"]
        found = allotments(match.state, [*movers, Mover("l", start, spent=2)])
        helped = max("ab", key=lambda name: found[name])
        assert found["a"] != found["b"]
        assert helped == late
