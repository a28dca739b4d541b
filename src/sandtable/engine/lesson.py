"""How far a player has come in a lesson: read from the line of play alone, so that taking back leads back.

A step waits for something (`until`) and makes sense only as long as something holds (`only`). Both are conditions in
words: terms joined by `and`, and such rows joined by `or`. A term is one of

    event:NAME            such an event has happened since the step began, and the player may know of it
    event:NAME(a=x,b=y)   the same, with these fields; a field that holds several values must contain the one named
    phase:NAME            it is this phase
    active:SIDE           it is this side's turn
    asked                 the player owes a decision
    frame:NAME            this is being decided or put together
    at:PIECE=CELL         the piece stands there
    here:PIECE            the piece is on the map
    broken:PIECE          its broken side is up
    over                  the match has ended

and `not` before a term turns it round. Positions are looked at when the player is asked for a decision, events when
they happen. Steps that wait for nothing are there to be read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Event
from sandtable.engine.match import Match
from sandtable.engine.record import Entry, Record, Step, Takeback
from sandtable.engine.start import replay
from sandtable.engine.tools import Lesson
from sandtable.engine.view import View

TERM = re.compile(r"(not )?(event|phase|active|asked|frame|at|here|broken|over)(?::(.+))?")
EVENT = re.compile(r"(\w+)(?:\((.*)\))?")
BARE = ("asked", "over")


class Term(NamedTuple):
    """One part of a condition."""

    wanted: bool
    kind: str
    name: str = ""
    fields: tuple[tuple[str, str], ...] = ()


class Progress(NamedTuple):
    """Where a player is in a lesson: the step that waits, those left undone, and whether the game ended before it."""

    step: int = 0
    passed: tuple[int, ...] = ()
    cut_short: bool = False


@functools.cache
def read(condition: str) -> tuple[tuple[Term, ...], ...]:
    """A condition as rows of terms; raises ValueError for what is not one."""
    return tuple(tuple(_term(part.strip()) for part in row.split(" and ")) for row in condition.split(" or "))


def _term(text: str) -> Term:
    found = TERM.fullmatch(text)
    if found is None or (found[3] is None) != (found[2] in BARE):
        raise ValueError(f"{text!r} is no condition of a lesson")
    kind, name = found[2], found[3] or ""
    if kind == "at" and "=" not in name:
        raise ValueError(f"{text!r} names no cell: write at:PIECE=CELL")
    if kind != "event":
        return Term(not found[1], kind, name)
    event = EVENT.fullmatch(name)
    if event is None or found[1]:
        raise ValueError(f"{text!r} is no event that can be waited for")
    fields = tuple((one.partition("=")[0], one.partition("=")[2]) for one in (event[2] or "").split(",") if one)
    return Term(True, kind, event[1], fields)


class _Moment:
    """A match at one moment, as the pupil sees it."""

    def __init__(self, match: Match, side: str) -> None:
        self.match = match
        self.side = side

    @functools.cached_property
    def view(self) -> View:
        view: View = self.match.game.view(self.match.state, self.side)
        return view

    def holds(self, condition: str, event: Event | None = None) -> bool:
        """Whether a condition holds now, with the event that has just happened."""
        return any(all(self._true(term, event) == term.wanted for term in row) for row in read(condition))

    def _true(self, term: Term, event: Event | None) -> bool:
        if term.kind == "event":
            return event is not None and _is(event, term)
        if term.kind == "phase":
            return self.view.phase == term.name
        if term.kind == "active":
            return self.view.active == term.name
        if term.kind == "asked":
            return self.side in self.match.to_act
        if term.kind == "over":
            return self.match.outcome is not None
        if term.kind == "frame":
            return any(type(frame).__name__ == term.name for frame in self.match.state.stack[-1:])
        name, _, cell = term.name.partition("=")
        piece = next((one for one in self.view.pieces if one.id == name), None)
        if piece is None or not piece.at:
            return False
        if term.kind == "broken":
            return piece.face.endswith("/broken")
        return piece.at == cell if term.kind == "at" else True


def _is(event: Event, term: Term) -> bool:
    if type(event).__name__ != term.name:
        return False
    for field, wanted in term.fields:
        value = getattr(event, field, None)
        if wanted not in map(str, value) if isinstance(value, tuple | list) else str(value) != wanted:
            return False
    return True


class Track:
    """The progress of one player through a lesson, step by step of the match."""

    def __init__(self, lesson: Lesson, match: Match, skipped: Collection[int] = ()) -> None:
        self.lesson = lesson
        self.skipped = skipped
        first = _Moment(match, lesson.side)
        self._line = [self._settled(first, self._doing(0), ())]
        self.entries = 0

    @property
    def now(self) -> Progress:
        """Where the player is."""
        return self._line[-1]

    def follow(self, match: Match, entry: Entry, events: Sequence[Event]) -> None:
        """The match has gone one entry of its record further; the match is as it is after it."""
        self.entries += 1
        if isinstance(entry, Takeback):
            del self._line[max(1, len(self._line) - entry.steps) :]
        if not isinstance(entry, Step):
            return
        moment = _Moment(match, self.lesson.side)
        step, passed = self.now.step, self.now.passed
        for event in events:
            waits = self.lesson.steps[step].until if step < len(self.lesson.steps) else ""
            if waits and event.known_to(self.lesson.side) and moment.holds(waits, event):
                step = self._doing(step + 1)
        self._line.append(self._settled(moment, step, passed))

    def _settled(self, moment: _Moment, step: int, passed: tuple[int, ...]) -> Progress:
        """Past the steps that are fulfilled by the position, or that it makes no sense to ask for any more.

        Only the player's own decisions count: what lies between them may be anything. The match's end is the lesson's.
        """
        if moment.match.outcome is not None:
            end = len(self.lesson.steps)
            return Progress(end, passed, cut_short=step < end)
        while step < len(self.lesson.steps) and self.lesson.side in moment.match.to_act:
            asked = self.lesson.steps[step]
            if not moment.holds(asked.until):
                if not asked.only or moment.holds(asked.only):
                    break
                passed = (*passed, step)
            step = self._doing(step + 1)
        return Progress(step, passed)

    def _doing(self, step: int) -> int:
        """The next step from here on that waits for something and is not left out."""
        steps = self.lesson.steps
        return next((n for n in range(step, len(steps)) if steps[n].until and n not in self.skipped), len(steps))


def track(lesson: Lesson, record: Record, skipped: Collection[int] = ()) -> Track:
    """The progress in a match so far, from its record; steps that are skipped are not waited for."""
    found: list[Track] = []

    def each(match: Match, number: int) -> None:
        if number == 0:
            found.append(Track(lesson, match, skipped))
        else:
            events = [event for _, event in match.events(since=number, everything=True)]
            found[0].follow(match, record.entries[number - 1], events)

    replay(record, steps=len(record.entries), each=each)
    return found[0]


def check(lesson: Lesson) -> None:
    """Every condition of a lesson can be read; raises SandtableError with a sentence."""
    for number, step in enumerate(lesson.steps, 1):
        for condition in filter(None, (step.until, step.only)):
            try:
                read(condition)
            except ValueError as error:
                raise SandtableError(f"Step {number} of the lesson {lesson.id}: {error}.") from None


def as_table(progress: Progress) -> dict[str, Any]:
    """Progress as players get it."""
    return {"step": progress.step, "passed": list(progress.passed), "cut_short": progress.cut_short}
