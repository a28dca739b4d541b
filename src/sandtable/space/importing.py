"""Import of one board archive or a whole folder of them into the player's own boards."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.space.board import Board, BoardError, board_file, data_directory, shipped_names
from sandtable.space.boardfile import read_header, write_board
from sandtable.space.vasl import BoardImportError, board_name, import_archive, read_archive_file

IMPORTER = 4
"""Raised when the same archive would give another board; boards imported before are then imported anew."""


class Imported(msgspec.Struct, frozen=True):
    """What became of one archive."""

    archive: str
    board: str
    state: Literal["imported", "unchanged", "refused"]
    file: str = ""
    hexes: int = 0
    objectives: int = 0
    notes: tuple[str, ...] = ()
    """What the archive holds beyond the board, and what was not understood."""
    error: str = ""
    replaces_shipped: bool = False


def archives_in(folder: Path) -> list[Path]:
    """The files of a folder that look like board archives: zip files, and all whose name begins with bd."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise BoardImportError(f"the folder {folder.name} cannot be read: {error.strerror}") from error
    found = [path for path in files if path.name.lower().startswith("bd") or _is_zip(path)]
    if not found:
        raise BoardImportError(f"there is no board archive in the folder {folder.name}")
    return found


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def import_folder(folder: Path, told: Callable[[str], None] | None = None) -> Iterator[Imported]:
    """Import every archive of a folder; one that is broken is reported and does not stop the others."""
    for path in archives_in(folder):
        if told is not None:
            told(path.name)
        try:
            yield import_file(path)
        except BoardImportError as error:
            yield Imported(path.name, board_name(path), "refused", error=str(error))


def import_file(path: Path, name: str | None = None) -> Imported:
    """Import one archive and keep the board, unless it is already there as it would become."""
    name = name if name is not None else board_name(path)
    data = read_archive_file(path)
    mark = f"{IMPORTER}-{hashlib.sha256(data).hexdigest()[:32]}"
    known = _known(name)
    if known is not None and known.get("archive") == mark:
        return Imported(path.name, name, "unchanged", str(board_file(name)), replaces_shipped=name in shipped_names())
    board, notes = import_archive(data, name, path.name, mark)
    return Imported(
        path.name,
        name,
        "imported",
        str(store_board(board)),
        len(board.hexes),
        len(board.objectives),
        notes,
        replaces_shipped=name in shipped_names(),
    )


def _known(name: str) -> dict[str, str] | None:
    """The header of the player's own board of that name, if it is whole."""
    try:
        header = read_header(board_file(name))
    except BoardError:
        return None
    pixels = header.get("raster")
    return header if pixels and (data_directory() / pixels).is_file() else None


def store_board(board: Board) -> Path:
    """Keep an imported board in the user's data directory, where its name finds it."""
    path = board_file(board.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_board(board, path)
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 5)
        raise BoardImportError(f"board {board.name} cannot be stored in {path.parent}: {why}") from error
    return path
