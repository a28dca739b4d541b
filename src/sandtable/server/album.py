"""An album: a match after every step, packed small, so that it can be looked at whatever becomes of the rules."""

from __future__ import annotations

import base64
import zlib
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Match, Record
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.record import Step
from sandtable.reading import decode
from sandtable.server.rebuild import Logged, lines_of, narrator, rebuild

WINDOW = 32_000
"""Bytes of the first state that the packing of the others may refer to."""


class Moment(NamedTuple):
    """A match after one step."""

    packed: bytes
    to_act: tuple[str, ...]
    side: str
    kind: str
    """`start`, `action`, `takeback` or `number` (a player's number for the dice)."""


class Album:
    """Every moment of a match so far, with the log."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.moments: list[Moment] = []
        self.log: list[Logged] = []
        self._like = b""
        self.of: int | None = None
        """The step of the present, if not all before it can be shown."""

    def __len__(self) -> int:
        return len(self.moments)

    def shows(self, version: int) -> bool:
        """Whether it goes up to a step."""
        return (len(self) - 1 if self.of is None else self.of) == version

    @property
    def size(self) -> int:
        """Its bytes, roughly."""
        return sum([len(moment.packed) + 200 for moment in self.moments])

    def add(self, state: Any, to_act: tuple[str, ...], side: str, kind: str) -> None:
        """Add a moment."""
        self._add(msgspec.json.encode(state), to_act, side, kind)

    def _add(self, text: bytes, to_act: tuple[str, ...], side: str, kind: str) -> None:
        if not self.moments:
            self._like = text[-WINDOW:]
        packer = zlib.compressobj(6, zdict=self._like)
        self.moments.append(Moment(packer.compress(text) + packer.flush(), to_act, side, kind))

    def text(self, n: int) -> bytes:
        """The state after step n as JSON."""
        opener = zlib.decompressobj(zdict=self._like)
        return opener.decompress(self.moments[n].packed)

    def state(self, n: int) -> Any:
        """The state after step n; raises msgspec.DecodeError if these rules do not know such a state."""
        return decode(self.text(n), self.game.state_type)

    # -- keeping ------------------------------------------------------------------------

    def packed(self) -> str:
        """All of it as text for the store."""
        pages = [
            {"state": msgspec.Raw(self.text(n)), "to_act": moment.to_act, "side": moment.side, "kind": moment.kind}
            for n, moment in enumerate(self.moments)
        ]
        log = [[line.version, line.to, line.raw] for line in self.log]
        return base64.b64encode(
            zlib.compress(msgspec.json.encode({"pages": pages, "log": log, "of": self.of}), 6)
        ).decode()


class _Page(msgspec.Struct):
    state: msgspec.Raw
    to_act: tuple[str, ...]
    side: str
    kind: str


class _Book(msgspec.Struct):
    pages: list[_Page]
    log: list[tuple[int, tuple[str, ...] | None, msgspec.Raw]]
    of: int | None = None


def unpacked(game: Game[Any], text: str) -> Album:
    """An album from the store."""
    book = decode(zlib.decompress(base64.b64decode(text)), _Book)
    album = Album(game)
    for page in book.pages:
        album._add(bytes(page.state), page.to_act, page.side, page.kind)
    album.of = book.of
    album.log = [Logged(version, to, msgspec.Raw(bytes(raw))) for version, to, raw in book.log]
    return album


def kind_of(entry: Any) -> str:
    """What an entry of a record is called."""
    return "action" if isinstance(entry, Step) else type(entry).__name__.lower()


def made_from(game: Game[Any], record: Record, now: Match) -> Album:
    """The album of a match: all its steps, or the first ones and the present if other rules played the rest."""
    album = Album(game)

    def each(match: Match, number: int) -> None:
        if number == 0:
            album.add(match.state, match.to_act, "", "start")
        else:
            entry = record.entries[number - 1]
            album.add(match.state, match.to_act, entry.side, kind_of(entry))
        match.narrator = match.narrator or narrator(match.game)
        album.log.extend(lines_of(match.game, number, match.told(number)))

    try:
        rebuild(record, each)
    except SandtableError:
        album.of = now.version
        album.add(now.state, now.to_act, "", "action")
    return album
