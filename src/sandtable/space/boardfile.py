"""Board files: a few header lines, then one line a hex; readable, hand-editable, and checked line by line."""

from __future__ import annotations

import io
import os
import re
import tempfile
import zlib
from contextlib import ExitStack
from importlib.resources.abc import Traversable
from math import floor
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.space.board import Board, BoardError
from sandtable.space.boardfields import HEADER, FieldError, format_facts, identifier, integer, parse_facts
from sandtable.space.facts import HexFacts
from sandtable.space.hexgrid import STANDARD_HEX_HEIGHT, STANDARD_PITCH, HexGrid
from sandtable.space.objectives import Objective, parse_objective
from sandtable.space.raster import Raster
from sandtable.space.terrain import terrain_table

OPENING = "# Sandtable board file; docs/boards.md explains every field."
HEADER_KEYS = frozenset(field.key for field in HEADER)
LONGEST = 2_000_000
"""A board file of more characters than this is refused unread."""
_PIXELS = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,25})?")


def read_board(path: str | os.PathLike[str]) -> Board:
    """Load a board file, with the stored raster of an imported board."""
    file = Path(path)
    try:
        if file.stat().st_size > LONGEST:
            raise BoardError(f"{file.name}: the file is too long for a board")
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BoardError(f"{file.name}: the file is not UTF-8 text, so it is no board file") from None
    except OSError as error:
        raise BoardError(f"{file.name}: {error.strerror or 'the file cannot be read'}") from None
    return parse_board(text, file.name, folder=file.parent)


def read_header(path: Path | Traversable) -> dict[str, str]:
    """Only the header lines of a board file, which is quick."""
    header: dict[str, str] = {}
    try:
        with path.open("r", encoding="utf-8") as stream:
            for raw in stream:
                key, _, rest = raw.strip().partition(" ")
                if not key or key.startswith("#"):
                    continue
                if key not in HEADER_KEYS:
                    break
                _take_header(header, key, rest.strip(), path.name, lines=False)
    except UnicodeDecodeError:
        raise BoardError(f"{path.name}: the file is not UTF-8 text, so it is no board file") from None
    except OSError as error:
        raise BoardError(f"{path.name}: {error.strerror or 'the file cannot be read'}") from None
    return header


def parse_board(text: str, file: str = "board", *, folder: Path | None = None) -> Board:
    """Make a board of the text of a board file; `folder` holds the raster of an imported board."""
    if len(text) > LONGEST:
        raise BoardError(f"{file}: the file is too long for a board")
    header: dict[str, str] = {}
    lines: dict[str, tuple[int, list[str]]] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        key, _, rest = line.partition(" ")
        if key in HEADER_KEYS:
            _take_header(header, key, rest.strip(), f"{file}, line {number}", lines=bool(lines))
            continue
        words = line.partition("#")[0].split()
        if words[0] in lines:
            raise BoardError(
                f"{file}, line {number}, hex {words[0]}: the hex already stands in line {lines[words[0]][0]}"
            )
        lines[words[0]] = (number, words[1:])
    grid = _grid(header, file)
    hexes = {name: _hex(name, *lines[name], file) for name in grid.names if name in lines}
    for name, (number, _) in lines.items():
        if name not in grid:
            raise BoardError(
                f"{file}, line {number}, hex {name}: there is no such hex on a board of {header['hexes']} hexes"
            )
    explicit = {name: {word.partition("=")[0] for word in words[1]} for name, words in lines.items()}
    levels = {name: facts.level for name, facts in hexes.items()}
    for name in grid.names:
        facts = hexes.get(name, HexFacts())
        usual = derived(name, facts, grid, levels)
        given = {key: getattr(facts, key) for key in ("crest", "crest_line", "half") if key in explicit.get(name, ())}
        hexes[name] = msgspec.structs.replace(usual, **given)
    stored = _load_raster(header["raster"], folder, grid, file) if "raster" in header else None
    ordered = {name: hexes[name] for name in grid.names}
    return Board(
        header["board"],
        header["title"],
        grid,
        ordered,
        stored=stored,
        objectives=_objectives(header.get("objectives", ""), grid, file),
        **{key: header.get(key, "") for key in ("source", "type", "seed", "archive")},
    )


def _objectives(text: str, grid: HexGrid, file: str) -> tuple[Objective, ...]:
    found = []
    for word in text.split():
        try:
            objective = parse_objective(word)
        except ValueError as error:
            raise BoardError(f"{file}: objectives {error}") from None
        missing = [name for name in objective.hexes if name not in grid]
        if missing:
            raise BoardError(f"{file}: objectives name {missing[0]}, and the board has no such hex")
        found.append(objective)
    return tuple(found)


def _take_header(header: dict[str, str], key: str, value: str, where: str, *, lines: bool) -> None:
    if lines:
        raise BoardError(f"{where}: {key} belongs above the first hex")
    if key in header:
        raise BoardError(f"{where}: {key} is given twice")
    if not value or not value.isprintable():
        raise BoardError(f"{where}: {key} needs a value of plain text")
    header[key] = value


def _grid(header: dict[str, str], file: str) -> HexGrid:
    for key in ("board", "title", "hexes"):
        if key not in header:
            raise BoardError(f"{file}: the header line {key!r} is missing")
    try:
        identifier(header["board"])
        columns, rows = (integer(word, 1, 120) for word in _two(header["hexes"]))
        pitch, hex_height = _pair(header.get("pitch")) or (STANDARD_PITCH, STANDARD_HEX_HEIGHT)
        size, origin = _pair(header.get("pixels")), _pair(header.get("origin"))
    except FieldError as error:
        raise BoardError(f"{file}: the header holds a value that {error}") from None
    if min(pitch, hex_height) < 8 or max(pitch, hex_height) > 400:
        raise BoardError(f"{file}: pitch must give hexes of 8 to 400 pixels")
    width, height = size or ((columns - 1) * pitch, rows * hex_height)
    if not 1 <= width <= 20000 or not 1 <= height <= 20000 or width * height > 40_000_000:
        raise BoardError(f"{file}: a board may have from 1 to 20,000 pixels on each side, 40 million in all")
    try:
        return HexGrid(columns, rows, pitch=pitch, hex_height=hex_height, size=size, origin=origin or (0.0, 0.0))
    except ValueError as error:
        raise BoardError(f"{file}: {error}") from None


def _two(text: str) -> list[str]:
    words = text.split()
    if len(words) != 2:
        raise FieldError(f"must be two numbers, not {text!r}")
    return words


def _pair(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    words = _two(text)
    if not all(_PIXELS.fullmatch(word) for word in words):
        raise FieldError(f"must be two numbers of pixels, not {text!r}")
    # no minus zero, which would not be written again
    return float(words[0]) + 0.0, float(words[1]) + 0.0


def _hex(name: str, number: int, words: list[str], file: str) -> HexFacts:
    where = f"{file}, line {number}, hex {name}"
    if not words:
        raise BoardError(f"{where}: the terrain is missing")
    values: dict[str, str] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise BoardError(f"{where}: {word!r} is not of the form field=value")
        if key in values:
            raise BoardError(f"{where}: {key} is given twice")
        values[key] = value
    try:
        return parse_facts(name, words[0], values)
    except FieldError as error:
        raise BoardError(f"{where}: {error}") from None


def derived(name: str, facts: HexFacts, grid: HexGrid, levels: dict[str, int]) -> HexFacts:
    """The facts with crest hexsides, crest line and half flag as the levels and the grid say."""
    number = grid.index(name)
    crest = []
    lower = False
    for side, other in enumerate(grid.neighbour_table[number]):
        if other < 0:
            continue
        difference = levels.get(grid.names[other], 0) - facts.level
        if difference:
            crest.append(side)
        lower = lower or difference < 0
    return msgspec.structs.replace(facts, crest=tuple(crest), crest_line=lower, half=grid.is_half(number))


def format_board(board: Board, *, raster_file: str | None = None) -> str:
    """The text of a board file; open ground at level 0 without a road needs no line."""
    grid = board.grid
    lines = [OPENING, f"board {board.name}", f"title {board.title}", f"hexes {grid.columns} {grid.rows}"]
    if (grid.pitch, grid.hex_height) != (STANDARD_PITCH, STANDARD_HEX_HEIGHT):
        lines.append(f"pitch {_number(grid.pitch)} {_number(grid.hex_height)}")
    if (grid.width, grid.height) != ((grid.columns - 1) * grid.pitch, grid.rows * grid.hex_height):
        lines.append(f"pixels {_number(grid.width)} {_number(grid.height)}")
    if grid.origin != (0.0, 0.0):
        lines.append(f"origin {_number(grid.origin[0])} {_number(grid.origin[1])}")
    lines += [f"{key} {value}" for key in ("type", "seed") if (value := getattr(board, key))]
    if board.objectives:
        lines.append(f"objectives {' '.join(str(objective) for objective in board.objectives)}")
    lines += [f"{key} {value}" for key in ("source", "archive") if (value := getattr(board, key))]
    if raster_file is not None:
        lines.append(f"raster {raster_file}")
    lines.append("")
    levels = {name: facts.level for name, facts in board.hexes.items()}
    for name in grid.names:
        facts = board.hexes.get(name, HexFacts())
        words = format_facts(name, facts, derived(name, facts, grid, levels))
        if len(words) > 2 or facts.terrain != "open":
            lines.append(f"{words[0]:<5}{words[1]:<17} {' '.join(words[2:])}".rstrip())
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return np.format_float_positional(value, trim="-")


def write_board(board: Board, path: str | os.PathLike[str]) -> None:
    """Save a board file, and beside it the raster of an imported board; nothing is ever half-written."""
    file = Path(path)
    raster_file = f"{file.stem}.npz" if board.stored is not None else None
    with ExitStack() as both:
        # neither takes its name before both are written
        temporary = both.enter_context(_replacing(file))
        if board.stored is not None and raster_file is not None:
            pixels = both.enter_context(_replacing(file.with_name(raster_file)))
            with pixels.open("wb") as stream:
                terrain, levels = np.ascontiguousarray(board.stored.terrain), np.ascontiguousarray(board.stored.levels)
                np.savez_compressed(stream, terrain=terrain, levels=levels)
        temporary.write_text(format_board(board, raster_file=raster_file), encoding="utf-8", newline="\n")


class _replacing:
    """A temporary file that takes its final name only when everything was written."""

    def __init__(self, final: Path) -> None:
        self.final = final

    def __enter__(self) -> Path:
        handle, name = tempfile.mkstemp(dir=self.final.parent, prefix=f".{self.final.name}.")
        os.close(handle)
        self.temporary = Path(name)
        return self.temporary

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.temporary.replace(self.final)
        else:
            self.temporary.unlink(missing_ok=True)


def _load_raster(name: str, folder: Path | None, grid: HexGrid, file: str) -> Raster:
    """The stored pixels of an imported board."""
    if folder is None or Path(name).name != name or not name.endswith(".npz"):
        raise BoardError(f"{file}: raster must name an .npz file beside the board file, not {name!r}")
    shape = (floor(grid.height), floor(grid.width))
    try:
        with ZipFile(folder / name) as archive:
            terrain = _array(archive, "terrain.npy", np.dtype(np.uint8), shape)
            levels = _array(archive, "levels.npy", np.dtype(np.int8), shape)
    except (OSError, ValueError, LookupError, EOFError, RuntimeError, BadZipFile, zlib.error) as error:
        raise BoardError(f"{file}: the raster {name} cannot be read ({error})") from None
    raster = Raster(terrain, levels, grid)
    strange = sorted(set(np.unique(raster.terrain).tolist()) - set(terrain_table().by_code))
    if strange:
        raise BoardError(f"{file}: the raster {name} uses terrain code {strange[0]}, which is not known")
    return raster


def _array(archive: ZipFile, member: str, kind: np.dtype[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """One byte a pixel, with exactly the header that NumPy writes; nothing else is unpacked."""
    opening = io.BytesIO()
    described = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(opening, described)
    header, size = opening.getvalue(), shape[0] * shape[1]
    if archive.getinfo(member).file_size != len(header) + size:
        raise ValueError(f"{member} must hold {shape[1]} x {shape[0]} pixels")
    data = archive.read(member)
    if not data.startswith(header):
        raise ValueError(f"{member} must hold {shape[1]} x {shape[0]} pixels")
    return np.frombuffer(data, kind, offset=len(header)).reshape(shape).copy()
