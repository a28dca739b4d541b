"""Movement and Defensive First Fire of the second figure (3.3, 3.3.1), and windows, shots and Residual FP."""

from __future__ import annotations

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.events import Event
from sandtable.games.squad.fire.model import AddFirer, Fired, RemoveFirer, ResidualAttack, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    DoubleTime,
    Move,
    MovementPhase,
    Pass,
    Reaction,
    Recover,
    StartMove,
    Step,
    Stop,
)
from sandtable.games.squad.pieces.events import Broke
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE


def script(match: Match, *faces: int) -> None:
    """The next dice."""
    match.dice.faces += faces


def begin(match: Match, *units: str, double: tuple[str, ...] = (), assault: bool = False) -> None:
    first, *others = units
    do(match, StartMove(first), *map(AddMover, others), *map(DoubleTime, double), BeginMove(assault=assault))


def step(match: Match, name: str, *, road: bool = True) -> list[Event]:
    """Enter a hex; along the road where there is one."""
    target = cell(match, name)
    ways = [action for action in offered(match, Step) if action.to == target]
    assert ways, f"{name} cannot be entered"
    return do(match, next((way for way in ways if way.road == road), ways[0]))


def pass_all(match: Match) -> None:
    while isinstance(match.state.stack[-1], Reaction):
        do(match, Pass())


def walk(match: Match, *hexes: str) -> None:
    """Go through hexes without being fired at."""
    for name in hexes:
        step(match, name)
        pass_all(match)


def shoot(match: Match, *firers: str, dice: tuple[int, ...]) -> list[Event]:
    """The DEFENDER fires with just these."""
    script(match, *dice)
    do(match, StartFire(firers[0]))
    draft = match.state.stack[-1]
    for name in (*draft.units, *draft.weapons):  # type: ignore[union-attr]
        if name not in firers:
            do(match, RemoveFirer(name))
    draft = match.state.stack[-1]
    for name in firers:
        if name not in (*draft.units, *draft.weapons):  # type: ignore[union-attr]
            do(match, AddFirer(name))
    return do(match, ResolveFire())


def fired(events: list[Event]) -> Fired:
    found: list[Fired] = happened(events, Fired)
    return found[0]


def residual(match: Match, name: str) -> int:
    return residual_in(match.state, cell(match, name))


@rule("3.3.1")
@rule("3.3")
def test_the_second_figure() -> None:
    units = [
        unit("g", "german 4-6-7", "K5"),
        unit("a", "russian 4-4-7", "I4"),
        unit("b", "russian 5-2-7", "G5"),
        unit("c", "russian 4-4-7", "F6"),
        unit("l", "russian 9-2", "F5"),
        unit("d", "russian 4-4-7", "F5"),
        unit("e", "russian 4-2-6", "H6"),
    ]
    guns = [weapon("gmg", "german MMG", "g"), weapon("amg", "russian MMG", "a"), weapon("dmg", "russian MMG", "d")]
    match = drill("z", "MPh", units, guns)
    _double_time_with_a_machine_gun(match)
    _subsequent_first_fire(match)
    _residual_fire_and_the_road(match)
    _final_protective_fire(match)
    _final_protective_fire_of_a_pinned_squad(match)


def _double_time_with_a_machine_gun(match: Match) -> None:
    """Double Time with a MMG: J3 under the squad's fire, K3 under the machine gun's."""
    begin(match, "a", double=("a",))
    step(match, "J3")
    shot = fired(shoot(match, "g", dice=(3, 4)))
    assert (shot.column, shot.dr) == (4, 9), "4 FP, 7 + 3 stone - 1 FFNAM"
    assert residual(match, "J3") == 2
    assert get(match, "g").marker == FIRST_FIRE
    assert get_weapon(match, "gmg").marker == 0
    pass_all(match)
    step(match, "K3")
    events = shoot(match, "gmg", dice=(5, 6))
    assert (fired(events).column, fired(events).dr) == (4, 9), "5 FP, 11 - 1 FFMO - 1 FFNAM"
    assert get_weapon(match, "gmg").marker == FIRST_FIRE
    assert residual(match, "K3") == 2
    pass_all(match)
    assert not offered(match, Step)
    do(match, Stop())


def _subsequent_first_fire(match: Match) -> None:
    """Subsequent First Fire with the machine gun at I5."""
    begin(match, "b")
    walk(match, "H5")
    step(match, "I5")
    events = shoot(match, "g", "gmg", dice=(2, 3, 4, 3))
    assert (fired(events).fp, fired(events).column) == (4.5, 4)
    assert fired(events).dr == 3
    assert happened(events, Broke)
    assert residual(match, "I5") == 2
    assert get(match, "g").marker == FINAL_FIRE
    assert get_weapon(match, "gmg").marker == FINAL_FIRE
    pass_all(match)
    assert isinstance(match.state.stack[-1], MovementPhase), "a broken unit ends its move"


def _residual_fire_and_the_road(match: Match) -> None:
    """Residual FP in I5, then the road bonus."""
    begin(match, "c")
    walk(match, "G6", "H5")
    script(match, 6, 5)
    events = step(match, "I5")
    (attack,) = happened(events, ResidualAttack)
    assert (attack.fp, attack.dr, attack.result) == (2, 9, "-")
    assert not isinstance(match.state.stack[-1], Reaction), "under Final Fire K5 fires at adjacent hexes only"
    walk(match, "I6", "I7")
    do(match, Stop())


def _final_protective_fire(match: Match) -> None:
    """Final Protective Fire at J5."""
    begin(match, "d", "l")
    walk(match, "G6", "H5", "I6")
    step(match, "J5")
    events = shoot(match, "g", "gmg", dice=(3, 4, 1, 1, 1, 1))
    assert (fired(events).fp, fired(events).column, fired(events).dr) == (9, 8, 9)
    assert fired(events).result == "PTC"
    assert residual(match, "J5") == 4
    assert get(match, "g").pinned, "7 is exactly its morale"
    pass_all(match)
    assert at(match, "d") == "J5"
    do(match, Stop())


def _final_protective_fire_of_a_pinned_squad(match: Match) -> None:
    """Final Protective Fire of the pinned squad at K6."""
    begin(match, "e")
    walk(match, "I6", "J6")
    step(match, "K6")
    events = shoot(match, "g", "gmg", dice=(4, 6))
    assert (fired(events).fp, fired(events).column, fired(events).dr) == (4.5, 4, 9)
    assert fired(events).result == "-"
    assert get(match, "g").broken
    assert get(match, "g").dm
    assert get(match, "g").kind == "german 4-6-7", "fails by 3, ELR 3"
    assert get_weapon(match, "gmg").broken
    assert residual(match, "K6") == 1, "the machine gun that broke down leaves nothing"
    assert isinstance(match.state.stack[-1], Move)


@rule("3.3.1")
def test_no_more_shots_than_mf_in_the_hex() -> None:
    match = drill("z", "MPh", [unit("g", "german 4-6-7", "K5"), unit("a", "russian 4-4-7", "H5")])
    begin(match, "a")
    step(match, "I5")
    shoot(match, "g", dice=(6, 5))
    assert not isinstance(match.state.stack[-1], Reaction), "one MF, one shot"
    step(match, "J5")
    script(match, 6, 5)
    shoot(match, "g", dice=(6, 4))
    assert get(match, "g").marker == FINAL_FIRE
    assert StartFire("g") in offered(match, StartFire), "two MF to enter the building: Final Protective Fire"


@rule("3.2")
@rule("3.3.1")
def test_only_the_moving_units_are_hit_and_all_of_them() -> None:
    units = [
        unit("g", "german 4-6-7", "K5"),
        unit("a", "russian 4-4-7", "H5"),
        unit("b", "russian 4-4-7", "H5"),
        unit("s", "russian 4-4-7", "I5"),
    ]
    match = drill("z", "MPh", units)
    begin(match, "a", "b")
    step(match, "I5")
    # 3 - 2 = 1 on the 4 column: 1KIA, by the higher dr
    events = shoot(match, "g", dice=(1, 2, 5, 2))
    assert fired(events).result == "1KIA"
    assert "a" not in match.state.units
    assert get(match, "b").broken
    assert "s" in match.state.units
    assert not match.state.units["s"].broken


@rule("3.3.1")
def test_residual_fp_strikes_once_in_a_location() -> None:
    units = [unit("a", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "GG1")]
    match = drill("z", "MPh", units, [weapon("w", "russian LMG", at="I5")], residual={"I5": 4}, dice=[6, 6, 1])
    begin(match, "a")
    events = step(match, "I5")
    assert happened(events, ResidualAttack)
    assert happened(do(match, Recover("a", "w")), ResidualAttack) == [], "the same DRM: no second attack"


@rule("3.3.1")
def test_a_larger_residual_replaces_a_smaller_one_only() -> None:
    units = [unit("g", "german 4-6-7", "K5"), unit("a", "russian 4-4-7", "H5")]
    match = drill("z", "MPh", units, residual={"I5": 1}, dice=[6, 6])
    begin(match, "a")
    step(match, "I5")
    shoot(match, "g", dice=(6, 5))
    assert residual(match, "I5") == 2
    match = drill("z", "MPh", units, residual={"I5": 6}, dice=[6, 6])
    begin(match, "a")
    step(match, "I5")
    shoot(match, "g", dice=(6, 5))
    assert residual(match, "I5") == 6


@rule("3.3.1")
@pytest.mark.parametrize("hidden", [True, False])
def test_windows_open_while_something_may_be_hidden(hidden: bool) -> None:
    units = [unit("a", "russian 4-4-7", "C5"), unit("c", "german 2-2-8", "GG5", hip=hidden)]
    gun = weapon("w", "german 7.5cm PaK 40 AT", "c", hip=hidden, facing=0)
    match = drill("z", "MPh", units, [gun])
    begin(match, "a")
    do(match, offered(match, Step)[0])
    assert isinstance(match.state.stack[-1], Reaction) is hidden
    if hidden:
        assert [type(action) for action in match.actions("german")] == [Pass]


@rule("3.3.1")
def test_a_broken_defender_does_not_fire_and_a_pinned_mover_stops() -> None:
    units = [
        unit("g", "german 4-6-7", "K5"),
        unit("h", "german 4-6-7", "K5", broken=True),
        unit("a", "russian 4-4-7", "H5"),
    ]
    match = drill("z", "MPh", units)
    begin(match, "a")
    step(match, "I5")
    assert offered(match, StartFire) == [StartFire("g")]
    # 8 - 2 = 6 on the 4 column: NMC; 7 pins
    shoot(match, "g", dice=(5, 3, 3, 4))
    assert get(match, "a").pinned
    pass_all(match)
    assert isinstance(match.state.stack[-1], MovementPhase)
    assert get(match, "a").moved
