"""A match in memory: steps are checked, saved and only then announced to everybody who may know them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sandtable.engine import Action, Match
from sandtable.engine.errors import RulesFault, SandtableError
from sandtable.engine.record import Entry, Number, Record, Step, Takeback
from sandtable.engine.tools import Idle, Orders
from sandtable.server import orders, seats, sharing
from sandtable.server.album import Album
from sandtable.server.audience import Audience
from sandtable.server.driver import Automatic, Driver
from sandtable.server.forms import ChatLine, Clocks, Request, Result, SeatRow, Setup, to_json
from sandtable.server.picture import Choice, at_leisure, choices
from sandtable.server.presence import Guest
from sandtable.server.rebuild import Logged, Passed, entry_text
from sandtable.server.refusal import Refused, from_engine
from sandtable.server.salvage import snapshot_statement
from sandtable.server.store import NotSaved, Statement
from sandtable.server.store.base import now

if TYPE_CHECKING:
    from sandtable.server.hall import Hall

log = logging.getLogger("sandtable.server")

Entries = Sequence[Entry]
SNAPSHOT_STEPS = 20

SAVE = (
    "UPDATE matches SET version = ?, to_act = ?, turn = ?, phase = ?, status = ?, clocks = ?, requests = ?, "
    "result = ?, automatic = ?, changed = ?, revision = revision + 1 WHERE id = ? AND version = ? AND revision = ?"
)
ADD_STEP = "INSERT INTO steps (match_id, n, entry, why, at, passed) VALUES (?, ?, ?, ?, ?, ?)"


class LiveMatch:
    """One match: its engine match, its seats, and the connections that look at it."""

    def __init__(self, hall: Hall, match_id: str, title: str, creator: str) -> None:
        self.hall = hall
        self.id = match_id
        self.title = title
        self.creator = creator
        self.match: Match
        self.study = False
        self.setup = Setup()
        self.watch: str | None = None
        self.seats: dict[str, SeatRow] = {}
        self.clocks: Clocks | None = None
        self.requests: tuple[Request, ...] = ()
        self.result: Result | None = None
        self.log: list[Logged] = []
        self.chat: list[ChatLine] = []
        self.why: dict[int, str] = {}
        self.acted: set[str] = set()
        self.seen: set[tuple[str, str]] = set()
        """(side, account) of those who have seen what a side hides."""
        self.created = self.changed = 0
        self.revision = 0
        """How often anything of it was changed in the store; other processes may be further."""
        self.elsewhere: list[Guest] = []
        """Those who are connected to it by other processes."""
        self.used = time.monotonic()
        """When somebody last asked for it, or left it."""
        self.kept = 0
        """The step after which a snapshot was kept."""
        self.turn = self.phase = ""
        self.trouble = False
        """The memory may differ from the database: read it anew before anything else."""
        self.lock = asyncio.Lock()
        self.album: Album | None = None
        """Its steps, if they cannot be played again."""
        self.whole: Record | None = None
        """Its record, if only the first steps can be played again."""
        self.audience = Audience(self)
        self.driver = Driver(self)
        self._hidden: tuple[int, bool] = (-1, False)
        self.asked_again = -1
        """The version at which an optional step is asked although it could be passed."""
        self.passed: dict[int, Passed] = {}
        """Optional steps that were passed for a side, by the version that followed."""
        self.pending = ""
        """The side whose present decision is about to be made for it: it is not asked."""

    # -- asking -------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of steps so far."""
        return self.match.version

    @property
    def to_act(self) -> tuple[str, ...]:
        """The sides that owe a decision; none when the match is over."""
        return () if self.result or self.study else self.match.to_act

    @property
    def status(self) -> str:
        """`waiting`, `running`, `over` or `study`."""
        if self.study:
            return "study"
        if self.result:
            return "over"
        return "waiting" if any(seat.kind == "open" for seat in self.seats.values()) else "running"

    def sides_of(self, user_id: str) -> list[str]:
        """The sides that an account plays."""
        shared = {one.side for one in self.setup.partners if one.user == user_id and sharing.partners(self, one.side)}
        return [seat.side for seat in self.seats.values() if seat.user == user_id or seat.side in shared]

    def guests(self) -> list[Guest]:
        """Those who are connected, here or elsewhere."""
        here = [
            Guest("", connection.user.id, connection.side or "", connection.pace)
            for connection in self.audience.connections
        ]
        return here + [guest for guest in self.elsewhere if guest.process in self.hall.house.alive]

    def present(self, side: str) -> bool:
        """Whether a player of a side is connected, be it as another side of his."""
        people = sharing.people(self, side)
        return any(guest.user in people for guest in self.guests() if guest.side)

    def hidden(self) -> bool:
        """Whether the rules hide something from a side now."""
        if self._hidden[0] != self.version:
            seen = self.match.game.reshuffle(self.match.state, None, orders.CHANCE) is None
            self._hidden = (self.version, not seen or any([orders.hides(self.match, s) for s in self.match.sides]))
        return self._hidden[1]

    def running_clocks(self) -> tuple[str, ...]:
        """The sides whose clocks run: persons who must decide, and those who gave their seat up in the middle."""
        return tuple([side for side in self.to_act if self.seats[side].kind == "person" or self._given_up(side)])

    def _given_up(self, side: str) -> bool:
        """Whether somebody had a seat that is open now; at first the creator opens it, and nobody had it."""
        seat = self.seats[side]
        return seat.kind == "open" and (side in self.acted or seat.opened_by not in (None, self.creator))

    def clocks_at(self, at: int) -> Clocks | None:
        """The clocks at a moment, after they have run as they do now."""
        return self.clocks and self.clocks.at_time(at, self.running_clocks(), self.hall.house.since)

    # -- changing -----------------------------------------------------------------------

    async def act(self, side: str, action: Action, *, at: int | None, why: str = "", idle: Idle | None = None) -> None:
        """Carry out an action of a side; of an optional step that is passed for it the log says so."""
        if idle is not None:
            self.passed[self.version + 1] = Passed(side, idle.step, idle.text)

        def work(match: Match) -> Entries:
            match.apply(side, action, at=at)
            return [Step(side, action, match.last_rolls)]

        try:
            await self.step(work, why=why)
        except Refused:
            self.passed.pop(self.version + 1, None)
            raise

    async def declare(self, side: str, actions: Sequence[Action], *, at: int, user: str = "") -> int:
        """Carry out a whole declaration in one step, up to dice or another's decision; returns how many actions."""
        done = 0

        def work(match: Match) -> Entries:
            nonlocal done
            entries: list[Step | Takeback] = []
            for action in actions:
                if entries and (match.to_act != (side,) or match.why_no_undo(side) is not None):
                    break
                sharing.check(self, match, side, user, action)
                match.apply(side, action, at=None if entries else at)
                entries.append(Step(side, action, match.last_rolls))
            done = len(entries)
            return entries

        await self.step(work)
        return done

    async def undo(self, side: str, *, consent: bool) -> None:
        """Take back a side's last action, and with it the optional steps that were passed after it."""
        seat = self.seats[side]

        def work(match: Match) -> Entries:
            before = match.version
            match.undo(side, consent=consent)
            while orders.idle(match, side, seat.orders) is not None and match.why_no_undo(side) is None:
                match.undo(side)
            self.asked_again = match.version
            return match.record().entries[before - match.version :]

        await self.step(work)

    async def reopen(self, side: str, version: int) -> None:
        """Ask a side after all about an optional step that was passed for it."""

        def work(match: Match) -> Entries:
            before = match.version
            passed = self.passed.get(version)
            if passed is None or passed.side != side:
                raise Refused("not_now", "No step was passed for you there.")
            number = sum(one.side == side for later, one in self.passed.items() if later >= version)
            for _ in range(number):
                match.undo(side)
            if orders.idle(match, side, Orders()) is None:
                raise Refused("not_now", "Something has been done since: take that back first.")
            self.asked_again = match.version
            return match.record().entries[before - match.version :]

        await self.step(work)

    async def add_number(self, side: str, number: str) -> None:
        """Add a player's own number to the dice. The lock is held."""
        if self.match.header.seed is not None:
            raise Refused("not_now", "This match has a seed: its dice are no secret, and no number is added to them.")

        def work(match: Match) -> Entries:
            match.add_number(side, number)
            return [Number(side, number)]

        await self.step(work)
        self.audience.tell_match()

    async def step(self, work: Callable[[Match], Entries], *, why: str = "") -> None:
        """Work on a copy, save it, put it in the place of the match, and announce it. The lock is held."""
        self.refuse_if_over()
        candidate = self.match.clone()
        try:
            if candidate.header.position is None and not candidate.game.rules_choose:
                entries = work(candidate)
            else:  # somebody's own position, or rules that may make a map or play a whole turn: that can take long
                entries = await self.hall.rooms.do("questions", at_leisure, work, candidate)
        except RulesFault as fault:
            if candidate.header.position is None:
                log.exception("match %s: %s", self.id, fault)
            else:
                log.warning("match %s, from somebody's own position: %s", self.id, str(fault)[:500])
            raise Refused("not_now", "The rules failed on this action; the match is as it was.") from None
        except SandtableError as error:
            raise from_engine(error) from None
        outcome = candidate.outcome
        result = Result(outcome.winner, outcome.reason, outcome.rule) if outcome else None
        # A question about taking back is about the last step: the next one settles it.
        requests = () if result else tuple(request for request in self.requests if request.kind != "undo")
        await self.save(candidate, entries, result=result, requests=requests, why=why)

    def refuse_if_over(self) -> None:
        """Nothing more is done in a match that is over."""
        if self.study:
            raise Refused("over", "This is a record to look at: nothing more can be done in it.")
        if self.result:
            raise Refused("over", "The match is over: nothing more can be done in it.")

    async def end(self, result: Result) -> None:
        """End the match other than by the rules."""
        self.refuse_if_over()
        await self.save(self.match, (), result=result, requests=())

    async def keep_requests(self, requests: tuple[Request, ...]) -> None:
        """Other open questions between the players."""
        await self.save(self.match, (), result=self.result, requests=requests)

    async def save(
        self,
        candidate: Match,
        entries: Entries,
        *,
        result: Result | None,
        requests: tuple[Request, ...],
        why: str = "",
    ) -> None:
        """Save a change and announce it; a caller who is cut off in the middle does not stop it."""
        await asyncio.shield(asyncio.ensure_future(self._save(candidate, entries, result, requests, why)))

    async def _save(
        self, candidate: Match, entries: Entries, result: Result | None, requests: tuple[Request, ...], why: str
    ) -> None:
        before, at = self.match.version, now()
        passed = [self.passed.get(before + number) for number in range(1, len(entries) + 1)]
        shown = self.audience.pictures(candidate, result)
        turn, phase = self.audience.turn_and_phase(candidate, shown)
        clocks = self._clocks_after(candidate, result, at)
        to_act = () if result else candidate.to_act
        status = "over" if result else self.status
        automatic = None if result else self.driver.next_of(candidate)
        seen = seats.newly_seen(self, candidate) if entries else []
        setup = sharing.after(self, candidate)
        steps = [
            Statement(ADD_STEP, (self.id, before + n, entry_text(entry), why, at, to_json(idle) if idle else ""), 1)
            for n, (entry, idle) in enumerate(zip(entries, passed, strict=True), 1)
        ]
        row = (
            candidate.version,
            to_json(to_act),
            turn,
            phase,
            status,
            to_json(clocks) if clocks else None,
            to_json(requests),
            to_json(result) if result else None,
            int(automatic is not None),
            at,
            self.id,
            before,
            self.revision,
        )
        try:
            snapshot = self._snapshot(candidate, entries)
            save = (Statement(SAVE, row, 1), *seats.statements(self, seen), *snapshot)
            save += sharing.statements(self, setup)
            await self.hall.write(self, *steps, *save, counted=True)
        except NotSaved as error:
            if error.unsure:
                self.trouble = True
                self.hall.recover(self)
            raise Refused("not_saved", str(error)) from None
        self.hall.counts.acted(len(entries))
        self.kept = candidate.version if snapshot else self.kept
        newly = set(to_act) - set(self.to_act)
        had_asked, had_result = self.requests, self.result
        self.match, self.clocks, self.requests, self.result = candidate, clocks, requests, result
        self.turn, self.phase, self.changed, self.setup = turn, phase, at, setup
        self.seen.update(seen)
        self.acted |= {entry.side for entry in entries if isinstance(entry, Step)}
        self.pending = automatic.side if automatic else ""
        if why and entries:
            self.why[before + 1] = why
        self.audience.announce(before, shown, asked=had_asked != requests, ended=had_result != result)
        if had_result is None and result is not None:
            self.hall.keep_album(self)
        self.hall.notices.after_step(self, newly, ended=had_result is None and result is not None)
        if automatic:
            self.driver.wake()

    def _snapshot(self, candidate: Match, entries: Entries) -> list[Statement]:
        """From time to time the state is kept, in case that other rules cannot play the record again.

        Nobody can take back from a kept state what was done before it, so that it is kept after taking back, too.
        """
        back = any([isinstance(entry, Takeback) for entry in entries])
        if candidate.version - self.kept < SNAPSHOT_STEPS and not back:
            return []
        return [snapshot_statement(self.id, candidate)]

    def last_snapshot(self) -> list[Statement]:
        """The state as it is when the server stops: the next one may have other rules."""
        if self.study or self.result or self.trouble or self.kept == self.version:
            return []
        return [snapshot_statement(self.id, self.match)]

    def _clocks_after(self, candidate: Match, result: Result | None, at: int) -> Clocks | None:
        clocks = self.clocks_at(at)
        if clocks is None or self.setup.clock is None or result:
            return clocks
        decided = tuple(side for side in self.running_clocks() if side not in candidate.to_act)
        return clocks.plus(decided, self.setup.clock.increment * 1000)

    def follow(self, before: int, *, asked: bool, ended: bool) -> None:
        """Another process has gone on with the match: tell those who look at it here."""
        view = self.match.game.view(self.match.state, None)
        self.turn, self.phase = view.turn, view.phase
        self.audience.announce(before, {}, asked=asked, ended=ended)

    def ask_after_all(self) -> None:
        """A decision that was about to be made for a side is the player's own again."""
        if self.pending:
            self.pending = ""
            self.audience.announce(self.version, {}, asked=False, ended=False)

    def choices(self, side: str, user: str) -> list[Choice]:
        """The legal actions of a side in words, as far as they are this player's to choose."""
        found = choices(self.match, side) if side in self.to_act and side != self.pending else []
        return sharing.choices(self, side, user, found)

    def others(self, side: str) -> set[str]:
        """The other persons of the match."""
        own = self.seats[side].user
        return {seat.user for seat in self.seats.values() if seat.kind == "person" and seat.user and seat.user != own}

    def others_changed(self) -> None:
        """Somebody has come to another process, has gone there, or wants another pace."""
        self.audience.tell_presence()
        if not any(guest.pace == "watch" for guest in self.guests()):
            self.driver.hurry()
        self.driver.wake()

    def automatic_answer(self, match: Match, side: str) -> Automatic | None:
        """What is decided for a player without asking him."""
        seat = self.seats[side]
        if seat.orders.forced and (only := orders.forced(match, side)) is not None:
            return Automatic(side, only)
        idle = orders.idle(match, side, seat.orders) if self.asked_again != match.version else None
        if idle is not None:
            return Automatic(side, idle.action, idle)
        action = orders.answer(match, side, seat.orders, present=self.present(side))
        return Automatic(side, action) if action is not None else None
