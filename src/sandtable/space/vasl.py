"""Import of VASL board archives that a user owns: into the same raster and hex facts as shipped boards."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.space.board import Board
from sandtable.space.hexfacts import facts_from_raster, with_crests
from sandtable.space.hexgrid import HexGrid
from sandtable.space.objectives import parse_objective, printed_board
from sandtable.space.raster import Raster
from sandtable.space.terrain import code
from sandtable.space.vasl_codes import KIND_OF_BUILDING, UNKNOWN, code_table
from sandtable.space.vasl_read import MAX_ARCHIVE, BoardImportError, Metadata, VaslGrid, read_archive

__all__ = ["BoardImportError", "board_from_archive", "import_vasl"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def import_vasl(path: str | os.PathLike[str], name: str | None = None) -> Board:
    """Read the archive and make a board of it; without a name, the file's own one (bdw gives w)."""
    file = Path(path)
    return import_archive(read_archive_file(file), name if name is not None else board_name(file), file.name)[0]


def board_name(file: Path) -> str:
    """The name that an archive gives to its board."""
    return file.stem[2:] if file.stem.lower().startswith("bd") else file.stem


def read_archive_file(file: Path) -> bytes:
    """The bytes of an archive."""
    try:
        if not file.is_file():
            raise BoardImportError(f"there is no file {file.name!r} to import")
        if file.stat().st_size > MAX_ARCHIVE:
            raise BoardImportError(f"{file.name} cannot be imported: it is too large for a board archive")
        return file.read_bytes()
    except OSError as error:
        raise BoardImportError(f"{file.name} cannot be read: {error.strerror}") from error


def import_archive(data: bytes, name: str, file: str, mark: str = "") -> tuple[Board, tuple[str, ...]]:
    """The board of an archive held in memory, and what in the archive is left out or not understood."""
    try:
        if not _NAME.fullmatch(name):
            raise BoardImportError(f"{name!r} is no name for a board: use letters, digits, - and _")
        read = read_archive(data)
        return _board(read, name, mark), notes(read)
    except BoardImportError as error:
        raise BoardImportError(f"{file} cannot be imported: {error}") from error


def board_from_archive(data: bytes, name: str) -> Board:
    """The board of an archive held in memory."""
    if not _NAME.fullmatch(name):
        raise BoardImportError(f"{name!r} is no name for a board: use letters, digits, - and _")
    return _board(read_archive(data), name)


def _board(read: VaslGrid, name: str, mark: str = "") -> Board:
    grid = _grid(read)
    raster = Raster(_terrain(read, grid), _levels(read), grid)
    facts = with_crests(facts_from_raster(raster), raster)
    for place, stairs in zip(grid.names, read.stairways, strict=True):
        if stairs and facts[place].building is not None:
            facts[place] = msgspec.structs.replace(facts[place], stairs=True)
    printed = printed_board(name) if (read.columns, read.rows) == (33, 10) else None
    return Board(
        name,
        f"Board {name}",
        grid,
        facts,
        stored=raster,
        source="imported from a VASL board archive",
        objectives=tuple(map(parse_objective, printed.objectives)) if printed else (),
        type=" ".join(printed.types) if printed else "",
        archive=mark,
    )


def notes(read: VaslGrid) -> tuple[str, ...]:
    """What an archive holds that does not go into the board, one sentence each."""
    about, found = read.metadata, []
    if about.overlays:
        found.append(f"Overlays for scenario rules are left out: {_listed(about.overlays)}.")
    if about.strange:
        found.append(f"BoardMetadata.xml says things that are not understood: {_listed(about.strange)}.")
    grid = _grid(read)
    lost = [place for place in about.buildings if place not in grid]
    if lost:
        found.append(f"BoardMetadata.xml names buildings in hexes that the board does not have: {_listed(lost)}.")
    unknown = sorted({kind for kind in about.buildings.values() if kind not in KIND_OF_BUILDING})
    if unknown:
        found.append(f"Kinds of buildings that are not known keep their drawn height: {_listed(unknown)}.")
    return tuple(found)


def _listed(words: Sequence[str], most: int = 4) -> str:
    """Some words with commas, and how many more there are."""
    rest = len(words) - most
    return ", ".join(words[:most]) + (f" and {rest} more" if rest > 0 else "")


def _grid(read: VaslGrid) -> HexGrid:
    """The standard geometry of that many hexes on that many pixels, unless the metadata says otherwise."""
    height, width = read.terrain.shape
    about = read.metadata
    pitch = about.hex_width or width / (read.columns - 1)
    hex_height = about.hex_height or height / read.rows
    if not (8 <= pitch <= 400 and 8 <= hex_height <= 400):
        raise BoardImportError(f"its hexes would be {pitch:.1f} x {hex_height:.1f} pixels, which is no board")
    origin = _origin(about, hex_height)
    if not (0 <= origin[0] <= width and 0 <= origin[1] <= height):
        raise BoardImportError("its BoardMetadata.xml puts the first hex off the board")
    right, bottom = origin[0] + pitch * (read.columns - 1), origin[1] + hex_height * read.rows
    if right > width + pitch or bottom > height + hex_height:
        raise BoardImportError(f"{read.columns} x {read.rows} hexes of that size do not fit on its pixels")
    standard = (width, height) == ((read.columns - 1) * pitch, read.rows * hex_height)
    return HexGrid(
        read.columns,
        read.rows,
        pitch=pitch,
        hex_height=hex_height,
        origin=origin,
        size=None if standard else (float(width), float(height)),
    )


def _origin(about: Metadata, hex_height: float) -> tuple[float, float]:
    """Half a hex above the centre of A1; metadata rounds to whole pixels, so less than one is none."""
    x = about.a1_x if about.a1_x is not None else 0.0
    y = about.a1_y - hex_height / 2 if about.a1_y is not None else 0.0
    return 0.0 if abs(x) < 1 else round(x, 6), 0.0 if abs(y) < 1 else round(y, 6)


def _levels(read: VaslGrid) -> NDArray[np.int8]:
    if read.levels.min() < -9 or read.levels.max() > 20:
        raise BoardImportError("its ground levels are out of all bounds, so the LOS data is damaged")
    return read.levels


def _terrain(read: VaslGrid, grid: HexGrid) -> NDArray[np.uint8]:
    table = code_table()
    terrain = table[read.terrain]
    if (terrain == UNKNOWN).any():
        strange = int(read.terrain[terrain == UNKNOWN][0])
        raise BoardImportError(f"it uses the terrain code {strange}, which is not known")
    _name_buildings(terrain, read.metadata, grid)
    return filled_grain(terrain)


def _name_buildings(terrain: NDArray[np.uint8], about: Metadata, grid: HexGrid) -> None:
    """Give plain building pixels of the listed hexes the type that the metadata names."""
    plain = {code("stone_building"), code("wooden_building")}
    for hex_name, building in about.buildings.items():
        if hex_name not in grid or building not in KIND_OF_BUILDING:
            continue
        x, y = grid.centre(grid.index(hex_name))
        reach_x, reach_y = int(grid.side_length) + 2, int(grid.hex_height / 2) + 2
        window = np.s_[max(0, int(y) - reach_y) : int(y) + reach_y + 1, max(0, int(x) - reach_x) : int(x) + reach_x + 1]
        inside = grid.pixel_owners[window] == grid.index(hex_name)
        chosen = inside & np.isin(terrain[window], list(plain))
        terrain[window][chosen] = code(KIND_OF_BUILDING[building])


def filled_grain(terrain: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Grain fields without the speckle of open ground that the archives draw them with."""
    grain, ground = code("grain"), code("open")
    field = terrain == grain
    if not field.any():
        return terrain
    closed = ~_grown(~_grown(field))
    return np.where(closed & (terrain == ground), np.uint8(grain), terrain)


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask and all pixels that touch it."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    grown = tall.copy()
    grown[:, 1:] |= tall[:, :-1]
    grown[:, :-1] |= tall[:, 1:]
    return grown
