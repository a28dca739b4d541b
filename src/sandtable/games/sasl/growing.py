"""Maps that grow: a board is joined along the EBE, and everything keeps its hex (S13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.snipers.model import SNIPERS
from sandtable.games.asl.terrain.walls import HELD
from sandtable.games.asl.works.model import LABOUR, MINES
from sandtable.games.sasl.model import OBJECTIVES, ROAD, SUSPECTS
from sandtable.games.sasl.rolled import Rolled, as_data
from sandtable.games.squad.ground.setting import setting_of, write_key
from sandtable.games.squad.pieces.model import SquadState

T = TypeVar("T")


def key_of(state: SquadState, base: Rolled) -> str:
    """The key of the setting of a match with what it has rolled."""
    known = state.setting.partition("#")[0]
    place, _, chosen = known.partition("?")
    game, _, scenario = place.partition("/")
    options = dict(pair.split("=", 1) for pair in chosen.split("&")) if chosen else {}
    return write_key(game, scenario, options, as_data(base))


def change_map(play: Play[SquadState], base: Rolled) -> None:
    """Go over to another map; hexes that are on both keep their pieces. Only while nobody is moving."""
    state = play.state
    old = setting_of(state).ground
    state.setting = key_of(state, base)
    new = setting_of(state).ground
    numbers = {name: number for number, name in enumerate(new.names)}
    move_all(state, lambda cell: numbers.get(old.names[cell], -1) if cell >= 0 else cell)


def move_all(state: SquadState, to: Callable[[int], int]) -> None:
    """Give every cell number in a state its new value."""
    for name, unit in list(state.units.items()):
        if unit.at >= 0 or unit.beside >= 0:
            state.units[name] = replace(unit, at=to(unit.at), beside=to(unit.beside))
    for name, weapon in list(state.weapons.items()):
        acquired = weapon.acquired
        if acquired is not None:
            acquired = replace(acquired, at=to(acquired.at)) if to(acquired.at) >= 0 else None
        if weapon.at >= 0 or weapon.acquired is not None:
            state.weapons[name] = replace(weapon, at=to(weapon.at), acquired=acquired)
    state.stacks = _moved(state.stacks, to)
    state.loose = _moved(state.loose, to)
    state.hinders = _moved(state.hinders, to)
    state.counters = {
        cell: tuple([replace(counter, frm=to(counter.frm)) for counter in there])
        for cell, there in _moved(state.counters, to).items()
    }
    suspects = SUSPECTS.of(state)
    for name, one in list(suspects.items()):
        suspects[name] = replace(one, at=to(one.at), beside=to(one.beside), checked=())
    objectives = OBJECTIVES.of(state)
    for name, goal in list(objectives.items()):
        objectives[name] = replace(goal, cells=tuple([to(cell) for cell in goal.cells]))
    MINES.put(state, _moved(MINES.of(state), to))
    LABOUR.of(state).clear()
    HELD.put(state, _moved(HELD.of(state), to))
    snipers = SNIPERS.of(state)
    for side, sniper in list(snipers.items()):
        snipers[side] = replace(sniper, at=to(sniper.at))
    ROAD.put(state, _moved(ROAD.of(state), to))
    state.fired_along.clear()
    state.left_out.clear()


def _moved(cells: dict[int, T], to: Callable[[int], int]) -> dict[int, T]:

    return {to(cell): value for cell, value in cells.items() if to(cell) >= 0}
