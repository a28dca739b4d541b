"""Maps of one or more boards joined along their edges, with one grid and one raster for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import floor
from types import MappingProxyType

import msgspec
import numpy as np

from sandtable.space.board import Board, BoardError, load_board
from sandtable.space.boardfile import derived
from sandtable.space.facts import HexFacts
from sandtable.space.grid import GridError
from sandtable.space.hexgrid import HexGrid
from sandtable.space.joining import Piece, cut_piece, joined_grid, merged, renamed, whole_piece
from sandtable.space.los import STARTER_KIT, LosRules, LosTable
from sandtable.space.mapspec import BoardPlace, MapSpec, parse_layout
from sandtable.space.objectives import Objective
from sandtable.space.raster import Raster
from sandtable.space.remembered import remembered

__all__ = ["BoardPlace", "GameMap", "MapSpec", "load_map", "parse_layout"]


class GameMap:
    """Boards laid edge to edge: half hexes of a joined edge become one hex, known by either name."""

    def __init__(self, spec: MapSpec, find: Callable[[str], Board] = load_board) -> None:
        self.spec = spec
        self.season = spec.season
        names = [place.board for place in spec.places]
        if len(set(names)) != len(names):
            raise BoardError("a map cannot hold the same board twice, its hexes would have the same names")
        boards = {place.board: find(place.board).with_bridges(place.bridges) for place in spec.places}
        wooden = {place.board: boards[place.board].wooden for place in spec.places if place.wooden}
        self.boards: Mapping[str, Board] = MappingProxyType(boards | wooden)
        if len({board.prefix for board in self.boards.values()}) != len(names):
            raise BoardError("two boards of the map would give their hexes the same names")
        rows = [[self._piece(place) for place in row] for row in spec.rows]
        self.pieces, bare = joined_grid(rows)
        self._aliases: dict[str, int] = {}
        self.sources: tuple[tuple[tuple[str, str], ...], ...] = self._sources(bare)
        """For each hex of the map the board and the hex name printed on it; two where boards meet."""
        self.grid = _named(bare, [self._name(*source[0]) for source in self.sources])
        self.facts = self._facts()
        """Hex facts by cell number."""
        self.hexes: Mapping[str, HexFacts] = MappingProxyType(dict(zip(self.grid.names, self.facts, strict=True)))
        self._tables: dict[LosRules, LosTable] = {}

    def __repr__(self) -> str:
        return f"GameMap({str(self.spec)!r}, {self.grid.size} hexes)"

    def __getitem__(self, name: str) -> HexFacts:
        return self.facts[self.index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._aliases

    @property
    def name(self) -> str:
        """The layout in words."""
        return str(self.spec)

    @property
    def title(self) -> str:
        """The boards, for people."""
        return " and ".join(board.title for board in self.boards.values())

    def index(self, name: str) -> int:
        """The cell of a hex; on a joined edge the name on either board will do."""
        try:
            return self._aliases[name]
        except KeyError:
            first, last = self.grid.names[0], self.grid.names[-1]
            raise GridError(f"there is no hex {name!r} on this map; names run from {first} to {last}") from None

    @cached_property
    def raster(self) -> Raster:
        """Terrain and levels of the whole map in its season."""
        shape = (floor(self.grid.height), floor(self.grid.width))
        terrain, levels = np.zeros(shape, np.uint8), np.zeros(shape, np.int8)
        for piece in self.pieces:
            part = piece.raster(self.season)
            rows = slice(piece.top, piece.top + part[0].shape[0])
            columns = slice(piece.left, piece.left + part[0].shape[1])
            terrain[rows, columns], levels[rows, columns] = part
        return Raster(terrain, levels, self.grid)

    def los(self, rules: LosRules = STARTER_KIT) -> LosTable:
        """The table of all lines of sight, made row by row when asked for, as is the raster."""
        if rules not in self._tables:
            self._tables[rules] = LosTable(self, rules)
        return self._tables[rules]

    @cached_property
    def objectives(self) -> tuple[Objective, ...]:
        """The objectives of all boards by the hex names of the map; those that are not wholly on it are left out."""
        found = []
        for board in self.boards.values():
            for objective in board.objectives:
                cells = [self._aliases.get(board.prefix + printed) for printed in objective.hexes]
                hexes = tuple(self.grid.names[cell] for cell in cells if cell is not None)
                if len(hexes) == len(cells):
                    found.append(Objective(hexes, objective.nearer))
        return tuple(found)

    def _piece(self, place: BoardPlace) -> Piece:
        board = self.boards[place.board]
        if place.hexrows is None:
            return whole_piece(board, turned=place.turned)
        return cut_piece(board, *place.hexrows, turned=place.turned)

    def _sources(self, bare: HexGrid) -> tuple[tuple[tuple[str, str], ...], ...]:
        found: list[list[tuple[str, str]]] = [[] for _ in bare]
        single = len(self.pieces) == 1
        for piece in self.pieces:
            for cell, printed in piece.cells(bare):
                found[cell].append((piece.board.name, printed))
                self._aliases[piece.board.prefix + printed] = cell
                if single:
                    self._aliases[printed] = cell
        return tuple(tuple(sources) for sources in found)

    def _name(self, board: str, printed: str) -> str:
        return self.boards[board].prefix + printed if self.spec.prefixed else printed

    def _facts(self) -> tuple[HexFacts, ...]:
        prefixed = self.spec.prefixed
        pieces = {piece.board.name: piece for piece in self.pieces}
        facts: list[HexFacts] = []
        same_building: dict[str, str] = {}
        for sources in self.sources:
            parts = [
                renamed(pieces[board].facts(printed), self.boards[board].prefix if prefixed else "")
                for board, printed in sources
            ]
            whole = parts[0]
            for part in parts[1:]:
                if whole.building and part.building:
                    same_building[part.building] = whole.building
                whole = merged(whole, part)
            facts.append(whole)
        levels = {name: fact.level for name, fact in zip(self.grid.names, facts, strict=True)}
        whole_map = []
        for name, fact in zip(self.grid.names, facts, strict=True):
            usual = derived(name, renamed(fact, same_building), self.grid, levels)
            # a crest line may cross a hex whose centre dot is level with all its neighbours
            whole_map.append(msgspec.structs.replace(usual, crest_line=usual.crest_line or fact.crest_line))
        return tuple(whole_map)


def _named(grid: HexGrid, names: list[str]) -> HexGrid:
    return HexGrid(
        grid.columns,
        grid.rows,
        raised=grid.raised,
        extra_row=grid.extra_row,
        names=names,
        pitch=grid.pitch,
        hex_height=grid.hex_height,
        origin=grid.origin,
        size=(grid.width, grid.height),
    )


def load_map(spec: MapSpec) -> GameMap:
    """The map of a layout, made once, so that its lines of sight are worked out once."""
    # a board imported anew is another object, and its maps must be made anew
    return _made(spec, tuple(id(load_board(place.board)) for place in spec.places))


@remembered(32)
def _made(spec: MapSpec, boards: tuple[int, ...]) -> GameMap:
    return GameMap(spec)
