"""Bridges that are not as their board prints them: of another material, or destroyed, with what is below (B6.331)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import MultiPoint

from sandtable.space.board import Board, BoardError
from sandtable.space.facts import HexFacts, Shape
from sandtable.space.raster import Raster
from sandtable.space.terrain import code, terrain_table

DESTROYED = "destroyed"
KINDS = ("stone_bridge", "wooden_bridge")
"""What a bridge may be turned into, beside destroyed; pontoon and foot bridges are another matter (B6.41, B6.44)."""
DEEP = ("deep_stream",)
"""Beds of the group of depressions in which no rubble shows above the water (B6.331)."""
SPILL = 0.75
"""How far from the centre of its hex a bridge is looked for on an imported raster, in heights of a hex."""


def one_hex_bridges(board: Board) -> tuple[str, ...]:
    """The hexes of a board whose road crosses a bridge that neither begins nor goes on in the next hex (S13.5)."""
    return tuple(
        name for name, facts in board.hexes.items() if facts.terrain in KINDS and _is_single(board, name, facts)
    )


def _is_single(board: Board, name: str, facts: HexFacts) -> bool:
    """Whether no other bridge carries the same road on, and something is known to lie below."""
    on = [other.is_bridge for side, other in _around(board, name) if side in facts.road_sides]
    return not facts.half and not any(on) and bool(below(board, name))


def _around(board: Board, name: str) -> Iterator[tuple[int, HexFacts]]:
    """The hexes around one, each with the hexside between."""
    for side, other in enumerate(board.grid.neighbour_table[board.grid.index(name)]):
        if other >= 0:
            yield side, board.hexes[board.grid.names[other]]


def below(board: Board, name: str) -> str:
    """The kind of ground under a bridge, empty: the board does not show any."""
    kinds = Counter(kind for _, kind in bed_below(board, name))
    if not kinds and board.stored is not None:
        pixels = board.stored.terrain[_owned(board, name)]
        codes = pixels[terrain_table().flags("depression", "water")[pixels]]
        kinds = Counter(terrain_table().by_code[int(one)].name for one in codes)
    return min(kinds, key=lambda kind: (-kinds[kind], kind)) if kinds else ""


def bed_below(board: Board, name: str) -> tuple[tuple[int, str], ...]:
    """The bed under a bridge; where a raster does not show it, as the hexes beside it go on."""
    own = board[name].bed
    return own or tuple(
        (side, kind)
        for side, facts in _around(board, name)
        if (kind := dict(facts.bed).get((side + 3) % 6, "")) and not facts.is_bridge
    )


def with_bridges(board: Board, changes: tuple[tuple[str, str], ...]) -> Board:
    """The board with some of its bridges turned into another kind, or destroyed."""
    hexes = dict(board.hexes)
    stored = board.stored
    for name, to in changes:
        facts = board[name]
        if not facts.is_bridge or to not in (*KINDS, DESTROYED):
            raise BoardError(f"board {board.name}: {name} cannot become {to!r}; name a bridge, and {_choices()}")
        if to != DESTROYED:
            hexes[name] = msgspec.structs.replace(facts, terrain=to)
        else:
            hexes[name] = fallen(board, name)
        if stored is not None:
            stored = _repainted(board, stored, name, hexes[name])
    return changed(board, hexes, stored)


def changed(board: Board, hexes: dict[str, HexFacts], stored: Raster | None) -> Board:
    """The same board with other hexes."""
    return Board(
        board.name,
        board.title,
        board.grid,
        hexes,
        stored=stored,
        source=board.source,
        objectives=board.objectives,
        type=board.type,
        seed=board.seed,
        archive=board.archive,
        prefix=board.prefix,
    )


def _choices() -> str:
    return f"{', '.join(KINDS)} or {DESTROYED}"


def fallen(board: Board, name: str) -> HexFacts:
    """The hex of a destroyed bridge: what ran below it, with rubble unless the water is deep (B6.331)."""
    facts, kind = board[name], below(board, name)
    if not kind:
        raise BoardError(f"board {board.name}: nothing is known to lie below the bridge in {name}")
    depression = terrain_table()[kind].group == "depression"
    open_water = not depression and not kind.endswith("stream")
    rubble = depression and kind not in DEEP
    return msgspec.structs.replace(
        facts,
        terrain=f"{facts.terrain}_rubble" if rubble else kind,
        level=_level_below(board, name, kind),
        roads=(),
        bed=() if open_water else bed_below(board, name),
        shape=Shape(cover=100) if open_water else facts.shape,
    )


def _level_below(board: Board, name: str, kind: str) -> int:
    """The level of the bed: as an imported raster has it, elsewhere one below the bridge."""
    if board.stored is not None:
        spot = _owned(board, name) & (board.stored.terrain == code(kind))
        if spot.any():
            levels = board.stored.levels[spot].astype(int)
            return int(np.bincount(levels - levels.min()).argmax() + levels.min())
    return board[name].level - 1


def _owned(board: Board, name: str) -> NDArray[np.bool_]:
    owned: NDArray[np.bool_] = board.grid.pixel_owners == board.grid.index(name)
    return owned


def _repainted(board: Board, stored: Raster, name: str, facts: HexFacts) -> Raster:
    """An imported raster with the bridge of a hex painted as what it has become."""
    terrain, levels = stored.terrain.copy(), stored.levels.copy()
    spot = _bridge_pixels(stored, name)
    if not facts.is_bridge:
        spot = _between(stored, spot)
        levels[spot] = facts.level
    terrain[spot] = code(facts.terrain)
    return Raster(terrain, levels, stored.grid)


def _bridge_pixels(stored: Raster, name: str) -> NDArray[np.bool_]:
    """The pixels of the bridge of a hex, the few that spill into the next hexes included."""
    x, y = stored.grid.centre(stored.grid.index(name))
    rows, columns = np.ogrid[: stored.height, : stored.width]
    near = (columns - x) ** 2 + (rows - y) ** 2 <= (SPILL * stored.grid.hex_height) ** 2
    found: NDArray[np.bool_] = near & terrain_table().flags("bridge")[stored.terrain]
    return found


def _between(stored: Raster, spot: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those pixels with road and bed between them: boards depict the sides of a bridge, and the road runs over it."""
    rows, columns = np.nonzero(spot)
    hull = MultiPoint(np.column_stack([columns, rows])).convex_hull.buffer(1.0)
    shapely.prepare(hull)
    top, left = rows.min(), columns.min()
    down, across = np.mgrid[top : rows.max() + 1, left : columns.max() + 1]
    inside = np.zeros_like(spot)
    inside[down, across] = shapely.contains_xy(hull, across, down)
    return spot | (inside & terrain_table().flags("road", "depression", "water")[stored.terrain])
