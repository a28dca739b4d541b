"""Boards: a hex grid, the facts of each hex, and the terrain raster that lines of sight are judged on."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sandtable.space.facts import HexFacts
from sandtable.space.objectives import Objective
from sandtable.space.terrain import IN_SEASON, Season

if TYPE_CHECKING:
    from sandtable.space.geometry import BoardGeometry
    from sandtable.space.hexgrid import HexGrid
    from sandtable.space.raster import Raster


class BoardError(ValueError):
    """A board is missing or its file is wrong; the message says where, in one sentence."""


class Board:
    """One board: drawn by our rules from its hex facts, or imported with a raster of its own."""

    def __init__(
        self,
        name: str,
        title: str,
        grid: HexGrid,
        hexes: Mapping[str, HexFacts],
        *,
        stored: Raster | None = None,
        source: str = "",
        objectives: tuple[Objective, ...] = (),
        type: str = "",
        seed: str = "",
        archive: str = "",
        prefix: str = "",
    ) -> None:
        self.name = name
        self.prefix = prefix or name
        """What stands before its hexes on a map of several boards (wK5)."""
        self.title = title
        self.grid = grid
        self.hexes: Mapping[str, HexFacts] = MappingProxyType(dict(hexes))
        self.stored = stored
        self.source = source
        self.objectives = objectives
        self.type = type
        """Kinds of country it stands for, such as village; empty when it does not say."""
        self.seed = seed
        """What a board made by the program was made from; empty for every other board."""
        self.archive = archive
        """Mark of the archive that an imported board was made of."""
        self._rasters: dict[Season, Raster] = {}
        self._changed: dict[tuple[tuple[str, str], ...], Board] = {}

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {len(self.hexes)} hexes)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        same_raster = (
            self.stored.same_as(other.stored)
            if self.stored is not None and other.stored is not None
            else self.stored is other.stored
        )
        return same_raster and self._told == other._told

    @property
    def _told(self) -> tuple[object, ...]:
        """All that the board file says."""
        words = (self.name, self.title, self.source, self.objectives, self.type, self.seed, self.archive)
        return (*words, self.grid, self.hexes)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, name: str) -> HexFacts:
        try:
            return self.hexes[name]
        except KeyError:
            raise BoardError(f"board {self.name} has no hex {name}") from None

    @property
    def imported(self) -> bool:
        """Whether the raster was read from another program's board instead of drawn here."""
        return self.stored is not None

    @cached_property
    def geometry(self) -> BoardGeometry:
        """Outlines of everything on the board: drawn from its hex facts, or traced from an imported raster."""
        from sandtable.space.rasterise import board_geometry

        return board_geometry(self)

    @cached_property
    def wooden(self) -> Board:
        """The same board with all its buildings of wood and all its roads unpaved; lines of sight are the same."""
        from sandtable.space.bridges import changed

        return changed(self, {name: facts.wooden for name, facts in self.hexes.items()}, self.stored)

    def with_bridges(self, changes: tuple[tuple[str, str], ...]) -> Board:
        """The same board where bridges are not as printed: hexes, and what is there instead.

        The last two are kept: a map that grows asks again for those that it has, and each takes some MB.
        """
        if not changes:
            return self
        made = self._changed.get(changes)
        if made is None:
            from sandtable.space.bridges import with_bridges

            made = with_bridges(self, changes)
            for old in list(self._changed)[:-1]:
                self._changed.pop(old, None)  # another thread may have been quicker
            self._changed[changes] = made
        return made

    def raster(self, season: Season = IN_SEASON) -> Raster:
        """The terrain-and-elevation grid of the board in that season, made once."""
        if season not in self._rasters:
            self._rasters[season] = self._ground.in_season(season)
        return self._rasters[season]

    @cached_property
    def _ground(self) -> Raster:
        """The raster with everything in season: as imported, as kept from an earlier process, else drawn."""
        from sandtable.space import rastercache

        found = self.stored or rastercache.kept(self)
        if found is None:
            # drawing needs libraries that a kept raster does not
            from sandtable.space.rasterise import rasterise

            found = rasterise(self.geometry, self.grid)
            rastercache.keep(self, found)
        return found


def data_directory() -> Path:
    """Where the user's own boards live: SANDTABLE_DATA, else the platform's data directory."""
    given = os.environ.get("SANDTABLE_DATA")
    if given:
        return Path(given) / "boards"
    xdg = os.environ.get("XDG_DATA_HOME")
    if xdg:
        base = Path(xdg)
    elif sys.platform == "win32":
        base = Path(os.environ.get("APPDATA", Path.home() / "AppData" / "Roaming"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path.home() / ".local" / "share"
    return base / "sandtable" / "boards"


def board_file(name: str) -> Path:
    """Where the user's own board of that name lies, or would lie."""
    return data_directory() / f"{name}.board"


def shipped_names() -> set[str]:
    """Names of the boards that come with the program."""
    return {entry.name[: -len(".board")] for entry in shipped_boards().iterdir() if entry.name.endswith(".board")}


def board_names() -> list[str]:
    """Names of all boards at hand: those shipped and those in the user's data directory."""
    names = shipped_names()
    own = data_directory()
    if own.is_dir():
        names.update(path.stem for path in own.glob("*.board") if _is_plain(path.stem))
    return sorted(names)


_loaded: dict[tuple[str, int], Board] = {}


def load_board(name: str) -> Board:
    """The board of that name: the user's own, else a shipped one, else one made as its name says (make2-village-7)."""
    from sandtable.space.boardfile import parse_board, read_board

    own = board_file(name)
    if _is_plain(name) and own.is_file():
        key = (str(own), own.stat().st_mtime_ns)
        if key not in _loaded:
            board = read_board(own)
            if board.name != name:
                raise BoardError(f"{own.name}: the file must be named {board.name}.board, as its header says")
            _loaded[key] = board
        return _loaded[key]
    entry = shipped_boards() / f"{name}.board"
    if not _is_plain(name) or not entry.is_file():
        from sandtable.space.making.maker import made_board

        made = made_board(name)
        if made is not None:
            return made
        raise BoardError(f"there is no board {name!r}; the boards are {', '.join(board_names())}")
    key = (name, 0)
    if key not in _loaded:
        _loaded[key] = parse_board(entry.read_text(encoding="utf-8"), f"{name}.board")
    return _loaded[key]


def _is_plain(name: str) -> bool:
    return bool(name) and all(char.isalnum() or char in "-_" for char in name)


def shipped_boards() -> Traversable:
    """The folder of the boards that come with the program."""
    return resources.files("sandtable.space") / "boards"
