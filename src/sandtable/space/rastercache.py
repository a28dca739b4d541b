"""Rasters of drawn boards kept on disk, so that a process need not draw a board again to see along its lines.

A raster is kept under what it is made of: the hexes of the board, the code of this package and the versions of the
libraries. Nothing depends on the cache: what is missing, damaged or not writable is worked out anew without a word.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import metadata, resources
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import msgspec
import numpy as np

from sandtable.space.raster import Raster

if TYPE_CHECKING:
    from sandtable.space.board import Board

KEPT = 64
"""Files that are kept; the oldest go first."""
LIBRARIES = ("numpy", "shapely")


def cache_directory() -> Path | None:
    """Where rasters are kept: SANDTABLE_CACHE (empty: nowhere), else the platform's cache directory."""
    given = os.environ.get("SANDTABLE_CACHE")
    if given is not None:
        return Path(given) / "rasters" if given else None
    xdg = os.environ.get("XDG_CACHE_HOME")
    try:
        if xdg:
            base = Path(xdg)
        elif sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path.home() / ".cache"
    except RuntimeError:  # a user without a home
        return None
    return base / "sandtable" / "rasters"


@cache
def _code() -> bytes:
    """A digest of everything in this package that a raster depends on, and of the libraries."""
    digest = hashlib.sha256()
    for entry in sorted(resources.files("sandtable.space").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith((".py", ".toml")):
            digest.update(entry.name.encode())
            digest.update(entry.read_bytes())
    for library in LIBRARIES:
        digest.update(f"{library} {metadata.version(library)}".encode())
    return digest.digest()


def key_of(board: Board) -> str:
    """The name under which the raster of a drawn board is kept."""
    grid = board.grid
    shape = (grid.columns, grid.rows, grid.raised, grid.extra_row, grid.pitch, grid.hex_height, grid.origin)
    digest = hashlib.sha256(_code())
    digest.update(repr((shape, grid.width, grid.height, list(grid.names))).encode())
    digest.update(msgspec.json.encode(dict(board.hexes)))
    return digest.hexdigest()[:40]


def kept(board: Board) -> Raster | None:
    """The raster of a board as it was kept, if it was."""
    folder = cache_directory()
    if folder is None:
        return None
    try:
        with np.load(folder / f"{key_of(board)}.npz", allow_pickle=False) as data:
            return Raster(data["terrain"], data["levels"], board.grid)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def keep(board: Board, raster: Raster) -> None:
    """Keep the raster of a board for the next process; a directory that cannot be written is left alone."""
    folder = cache_directory()
    if folder is None:
        return
    packed = BytesIO()
    np.savez_compressed(packed, terrain=raster.terrain, levels=raster.levels)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(packed.getbuffer())
            os.replace(name, folder / f"{key_of(board)}.npz")
        except OSError:
            os.unlink(name)
            raise
        _tidy(folder)


def _tidy(folder: Path) -> None:
    """Remove the oldest files beyond what is kept."""
    files = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[KEPT:]:
        path.unlink(missing_ok=True)
