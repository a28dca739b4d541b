"""Records: append-only lines of JSON that replay to the same match."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any

import msgspec

from sandtable.engine.dice import Roll
from sandtable.engine.errors import CorruptRecord, NewerRecord
from sandtable.engine.places import places_of
from sandtable.engine.state import Action, Outcome
from sandtable.reading import convert

FORMAT = 2
"""1: steps and takebacks; 2: also the players' numbers or an end other than by the rules, and the entries counted."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a match is: enough to start it again."""

    game: str
    scenario: str
    sides: tuple[str, ...]
    rules_version: int
    match_id: str
    commitment: str
    options: dict[str, str] = {}
    seed: int | None = None
    """Given by the user: the match is reproducible, and its dice are no secret."""
    position: dict[str, Any] | None = None
    """The position it started from, if not the scenario's own start."""
    secret: str | None = None
    """Never written before the end."""

    def public(self) -> Header:
        """The header without the secret."""
        return msgspec.structs.replace(self, secret=None)


class Step(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One action with the dice it rolled."""

    side: str
    action: Action
    rolls: tuple[Roll, ...]


class Takeback(msgspec.Struct, frozen=True, gc=False):
    """A side took back so many steps, the last of its own and what followed."""

    steps: int
    side: str
    consent: bool = False


class Number(msgspec.Struct, frozen=True, gc=False):
    """A player added a number of his own to the dice: those that follow depend on it as well."""

    side: str
    number: str
    """32 bytes in hexadecimal digits."""


Entry = Step | Takeback | Number


class Record(msgspec.Struct, frozen=True):
    """A header, the steps, and after the end the secret and the outcome."""

    header: Header
    entries: tuple[Entry, ...]
    start: tuple[Roll, ...] = ()
    """The dice rolled before the first decision."""
    secret: str | None = None
    outcome: Outcome | None = None
    ended: Outcome | None = None
    """How it ended, if not by the rules."""

    def to_lines(self) -> str:
        """The record as lines of JSON."""
        places = places_of(self.header.game, self.header.scenario, self.header.options)
        newer = self.ended is not None or any([isinstance(entry, Number) for entry in self.entries])
        lines: list[Any] = [{"sandtable_record": FORMAT if newer else 1, **msgspec.to_builtins(self.header)}]
        if self.start:
            lines.append({"start": self.start})
        for entry in self.entries:
            if isinstance(entry, Takeback):
                lines.append({"takeback": entry.steps, "side": entry.side, "consent": entry.consent})
            elif isinstance(entry, Number):
                lines.append({"number": entry.number, "side": entry.side})
            else:
                rolls = [entry.rolls] if entry.rolls else []
                lines.append([entry.side, places.named(msgspec.to_builtins(entry.action)), *rolls])
        if self.secret is not None:
            closing: dict[str, Any] = {"secret": self.secret, "outcome": msgspec.to_builtins(self.outcome)}
            closing |= {"entries": len(self.entries), "ended": msgspec.to_builtins(self.ended)} if newer else {}
            lines.append(closing)
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)

    def save(self, path: str | Path) -> None:
        """Write the record to a file, whole or not at all."""
        write_whole(path, self.to_lines())


def write_whole(path: str | Path, text: str | bytes, mode: int = 0o644) -> None:
    """Write a file under a temporary name and rename it: never half a file, nor with other rights for a moment."""
    path = Path(path)
    data = text.encode() if isinstance(text, str) else text
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


class _Takeback(msgspec.Struct, forbid_unknown_fields=True):
    takeback: Annotated[int, msgspec.Meta(ge=1)]
    side: str
    consent: bool


class _Start(msgspec.Struct, forbid_unknown_fields=True):
    start: tuple[Roll, ...]


HEX = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class _Number(msgspec.Struct, forbid_unknown_fields=True):
    number: HEX
    side: str


class _Closing(msgspec.Struct, forbid_unknown_fields=True):
    secret: HEX
    outcome: Outcome | None
    entries: int | None = None
    ended: Outcome | None = None


def read_header(text: str) -> tuple[Header, list[Any]]:
    """The header of a record and the values of its other lines."""
    values: list[Any] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            raise CorruptRecord(f"Line {number} of the record is not JSON: the file is damaged or cut off.") from None
    if not values:
        raise CorruptRecord("The record is empty: it should start with a header line.")
    head = values[0]
    if not isinstance(head, dict) or "sandtable_record" not in head:
        raise CorruptRecord("This is not a Sandtable record: the first line must be its header.")
    version = head.pop("sandtable_record")
    if type(version) is not int or version < 1:
        raise CorruptRecord(f"The record's format number {version!r} makes no sense: the file is damaged.")
    if version > FORMAT:
        raise NewerRecord(f"The record has format {version}, this version reads up to {FORMAT}: update Sandtable.")
    try:
        return convert(head, Header), values[1:]
    except (msgspec.ValidationError, RecursionError) as error:
        raise CorruptRecord(f"The header of the record is damaged: {error}.") from None


def read_body(header: Header, lines: list[Any], action_type: Any, *, strange: bool = False) -> Record:
    """The record, its actions read as the game's own; Locations may be named or numbered.

    `strange`: actions that the game does not know (any more) are kept as the plain data that they are.
    """
    places = places_of(header.game, header.scenario, header.options)
    entries: list[Entry] = []
    start: tuple[Roll, ...] = ()
    secret = outcome = ended = None
    for number, value in enumerate(lines, 2):
        try:
            if secret is not None:
                raise ValueError("nothing may follow the closing line")
            if isinstance(value, dict) and "start" in value and number == 2:
                start = convert(value, _Start).start
            elif isinstance(value, dict) and "takeback" in value:
                back = convert(value, _Takeback)
                entries.append(Takeback(back.takeback, back.side, back.consent))
            elif isinstance(value, dict) and "number" in value:
                added = convert(value, _Number)
                entries.append(Number(added.side, added.number))
            elif isinstance(value, dict):
                closing = convert(value, _Closing)
                secret, outcome, ended = closing.secret, closing.outcome, closing.ended
                if closing.entries is not None and closing.entries != len(entries):
                    raise ValueError(f"the record should have {closing.entries} entries, it has {len(entries)}")
            else:
                side, action, *rolls = value
                if len(rolls) > 1:
                    raise ValueError("it has too many parts")
                entries.append(
                    Step(
                        convert(side, str),
                        _action(places.numbered(action), action_type, strange),
                        convert(rolls[0] if rolls else [], tuple[Roll, ...]),
                    )
                )
        except (TypeError, ValueError, RecursionError, msgspec.ValidationError) as error:
            raise CorruptRecord(f"Line {number} of the record cannot be read: {error}.") from None
    return Record(header, tuple(entries), start, secret, outcome, ended)


def _action(value: Any, action_type: Any, strange: bool) -> Action:
    try:
        action: Action = convert(value, action_type)
    except msgspec.ValidationError:
        if not strange:
            raise
        action = value
    return action
