"""Drawn scenes kept on disk between starts: a map takes a second to draw, and seldom changes."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import logging
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

import sandtable
from sandtable.engine.game import Game
from sandtable.space.board import data_directory as own_boards

log = logging.getLogger("sandtable.server")

MOST = 200
"""Drawings kept; the longest unused go first."""


class Drawings:
    """A directory of scenes, each under a name made from everything that it depends on."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else None

    def find(self, game: Game[Any], scenario: str, options: Iterable[tuple[str, str]]) -> dict[str, Any] | None:
        """A scene that was drawn before; None if there is none, or none that can be read."""
        path = self._path(game, scenario, options)
        if path is None:
            return None
        try:
            scene: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict)
            os.utime(path)
        except (OSError, msgspec.DecodeError):
            return None
        return scene

    def keep(self, game: Game[Any], scenario: str, options: Iterable[tuple[str, str]], scene: dict[str, Any]) -> None:
        """Keep a scene; where that is not possible it is drawn again the next time."""
        path = self._path(game, scenario, options)
        if path is None:
            return
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh.write_bytes(msgspec.json.encode(scene))
            fresh.replace(path)
            self._make_room(path.parent)
        except OSError as error:
            with contextlib.suppress(OSError):
                fresh.unlink()
            log.warning("a drawing cannot be kept: %s", error.strerror)

    def _make_room(self, folder: Path) -> None:
        kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in kept[MOST:]:
            path.unlink(missing_ok=True)

    def _path(self, game: Game[Any], scenario: str, options: Iterable[tuple[str, str]]) -> Path | None:
        if self._folder is None:
            return None
        parts = (fingerprint(type(game)), _boards(), game.id, scenario, sorted(options))
        return self._folder / f"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}.json"


@functools.cache
def fingerprint(kind: type) -> str:
    """Of everything that a game's drawings are made from: its own files, and those of the package."""
    package = Path(inspect.getfile(sandtable)).parent
    roots = {package / "space", package / "games", Path(inspect.getfile(kind)).parent}
    files = {path for root in roots for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(f"{path}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _boards() -> tuple[tuple[str, int, int], ...]:
    """The user's own boards, which go before the shipped ones."""
    files = sorted(own_boards().glob("*")) if own_boards().is_dir() else []
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
