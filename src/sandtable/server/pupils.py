"""Matches that are lessons: how far the player has come, told with every change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from sandtable.engine.lesson import Track, as_table, track
from sandtable.engine.tools import Lesson
from sandtable.server.forms import to_json
from sandtable.server.refusal import Refused
from sandtable.server.store import Statement

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch


class Pupil:
    """The player of a lesson: where he is, and what he does not want to do."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.skipped: frozenset[int] = frozenset()
        self._track: Track | None = None

    def now(self, live: LiveMatch) -> dict[str, Any]:
        """The progress at the present step of the match."""
        if frozenset(live.setup.skipped) != self.skipped:
            self.skipped, self._track = frozenset(live.setup.skipped), None
        match, on = live.match, self._track
        if on is not None and match.version == on.entries + 1:
            events = [event for _, event in match.events(since=match.version, everything=True)]
            on.follow(match, match.record().entries[-1], events)
        elif on is None or match.version != on.entries:
            record = msgspec.structs.replace(match.record(), secret=match.header.secret)
            on = self._track = track(self.lesson, record, self.skipped)
        return as_table(on.now)

    async def skip(self, live: LiveMatch, step: int) -> None:
        """Leave a step out. The lock is held."""
        if not 0 <= step < len(self.lesson.steps):
            raise Refused("bad_request", f"The lesson has steps 0 to {len(self.lesson.steps) - 1}.")
        if step not in live.setup.skipped:
            setup = msgspec.structs.replace(live.setup, skipped=(*live.setup.skipped, step))
            sql = "UPDATE matches SET setup = ? WHERE id = ?"
            await live.hall.write(live, Statement(sql, (to_json(setup), live.id), 1))
            live.setup = setup


_PUPILS: WeakKeyDictionary[LiveMatch, Pupil] = WeakKeyDictionary()


def pupil(live: LiveMatch) -> Pupil | None:
    """The pupil of a match, if it is a lesson."""
    if not live.setup.lesson:
        return None
    if live not in _PUPILS:
        _PUPILS[live] = Pupil(live.hall.catalogue.whole_lesson(live.match.header.game, live.setup.lesson))
    return _PUPILS[live]
