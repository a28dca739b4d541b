"""What goes on by itself in a match: computer players, forced choices, standing orders."""

from __future__ import annotations

import asyncio
import logging
import secrets
import weakref
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sandtable.engine import Action, Match
from sandtable.engine.tools import Idle
from sandtable.players import level_name
from sandtable.server.computers import TRIES, PlayerFault
from sandtable.server.forms import Result, side_name
from sandtable.server.orders import hides
from sandtable.server.refusal import Overtaken, Refused
from sandtable.server.store import StoreError
from sandtable.server.tokens import player_seed

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

log = logging.getLogger("sandtable.server")

RETRY_SECONDS = 1.0
REMEMBERED = 30
"""Thinking times of a side from which a pause is drawn where there is nothing to think about."""


class Automatic(NamedTuple):
    """A decision that nobody has to be asked for; a computer player has yet to think of its action."""

    side: str
    action: Action | None
    idle: Idle | None = None
    """The optional step that is passed."""


class Driver:
    """Carries out one automatic step after another, as long as there is one."""

    def __init__(self, live: LiveMatch) -> None:
        self._of = weakref.ref(live)
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._hurry = asyncio.Event()
        self.thinking = ""
        """The side whose computer player is at work."""
        self._took: dict[str, deque[float]] = {}
        self._given_back = -1
        """The version at which deciding for a player has failed: he is asked."""

    @property
    def _live(self) -> LiveMatch:
        """Its match; a strong reference would keep both in memory until everything is searched for garbage."""
        live = self._of()
        assert live is not None
        return live

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return self._task is not None and not self._task.done()

    def wake(self) -> None:
        """Look whether there is something to do."""
        self._again = True
        if not self.busy and self._live.hall.open:
            self._task = asyncio.get_running_loop().create_task(self._guarded())

    def hurry(self) -> None:
        """Cut the present pause short."""
        self._hurry.set()

    async def stop(self) -> None:
        """End what is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def thinks(self, side: str) -> None:
        """The computer player of a side is at work, perhaps for another process."""
        self.thinking = side
        self._live.audience.broadcast({"t": "thinking", "side": side})

    def next_of(self, match: Match) -> Automatic | None:
        """The next automatic decision of a match."""
        seats = self._live.seats
        for side in match.to_act:
            seat = seats[side]
            if seat.kind == "computer" and seat.stalled != seat.level:
                return Automatic(side, None)
            if seat.kind == "person" and match.version != self._given_back:
                automatic = self._live.automatic_answer(match, side)
                if automatic is not None:
                    return automatic
        return None

    async def _guarded(self) -> None:
        try:
            await self._drive()
        except Exception as error:
            log.exception("match %s: what goes on by itself has failed", self._live.id)
            await self._give_back(PlayerFault("failed", f"{type(error).__name__}: {error}"))

    async def _give_back(self, fault: PlayerFault) -> None:
        """Nobody is left waiting for what has failed: the player is asked, or told that his opponent broke down."""
        live, side = self._live, self._live.pending
        self._given_back = live.version
        live.ask_after_all()
        if side and live.seats[side].kind == "computer":
            try:
                await self._broke_down(side, live.match, fault)
            except (Refused, StoreError) as error:
                log.warning("match %s: its players cannot be told: %s", live.id, error)

    async def _drive(self) -> None:
        while self._again:
            self._again = False
            live = self._live
            if live.study or live.result or live.trouble:
                return
            following = self.next_of(live.match)
            if following is None:
                live.ask_after_all()
                return
            live.pending = following.side
            try:
                if not await live.hall.house.drives(live.id):
                    return  # another process sees to it
                await self._carry_out(following, live.match)
                self._again = True
            except Overtaken:
                await live.hall.catch_up(live)
                self._again = True
            except StoreError:
                await asyncio.sleep(RETRY_SECONDS)
                self._again = True
            except Refused as refused:
                if refused.code != "not_saved":
                    log.warning("match %s: automatic step refused: %s", live.id, refused.text)
                    live.ask_after_all()
                    return
                await asyncio.sleep(RETRY_SECONDS)  # the database is away: go on when it is back
                await live.hall.refresh(live)
                self._again = True

    async def _carry_out(self, following: Automatic, match: Match) -> None:
        live, side, action = self._live, following.side, following.action
        why = ""
        self._hurry.clear()
        if action is None:
            self.thinks(side)
            started = asyncio.get_running_loop().time()
            try:
                action, why = await self._think(side, match)
            except PlayerFault as fault:
                await self._broke_down(side, match, PlayerFault(f"{fault.words}, {TRIES} times"))
                return
            finally:
                self.thinking = ""
            taken = asyncio.get_running_loop().time() - started
            if self._tells_by_time(side, match):
                await self._pause(self._as_usual(side, match, taken) - taken, can_hurry=False)
                taken = asyncio.get_running_loop().time() - started
            await self._pause(self._watching() - taken)
        elif following.idle is None and self._tells_by_time(side, match):
            await self._pause(self._short_while(), can_hurry=False)
        async with live.lock:
            if live.match is not match or live.result or live.trouble:
                return  # something else happened meanwhile: look again
            if self.next_of(match) is None:
                return
            try:
                await live.act(side, action, at=match.version, why=why, idle=following.idle)
            except Overtaken:
                raise  # another process has changed something: no fault of the player's
            except Refused as refused:
                if refused.code == "not_saved" or live.seats[side].kind != "computer":
                    raise
                illegal = PlayerFault("chose something illegal", refused.text)
            else:
                return
        await self._broke_down(side, match, illegal)

    async def _think(self, side: str, match: Match) -> tuple[Action, str]:
        live = self._live
        secret = match.header.secret or "00"
        return await live.hall.computers.choose(
            match, side, live.seats[side].level, player_seed(secret, side, match.version)
        )

    def _watching(self) -> float:
        """How long a computer's move is held back so that people can follow."""
        paces = {guest.pace for guest in self._live.guests()}
        settings = self._live.hall.settings
        if "watch" in paces:
            return settings.watch_pause
        return settings.fast_pause if "fast" in paces else 0

    def _tells_by_time(self, side: str, match: Match) -> bool:
        """Whether the speed of an automatic answer could tell the others something hidden."""
        return hides(match, side) and match.game.view(match.state, side).active != side

    def _short_while(self) -> float:
        least, most = self._live.hall.settings.hidden_pause
        return least + (most - least) * secrets.randbelow(1000) / 1000

    def _as_usual(self, side: str, match: Match, taken: float) -> float:
        """How long a computer player's answer takes in all: where it has no choice, as long as where it has one."""
        took = self._took.setdefault(side, deque(maxlen=REMEMBERED))
        if len(match.actions(side)) > 1:
            took.append(taken)
            return taken + self._short_while()
        return (secrets.choice(took) if took else 0) + self._short_while()

    async def _pause(self, seconds: float, *, can_hurry: bool = True) -> None:
        if seconds <= 0:
            return
        if not can_hurry:
            await asyncio.sleep(seconds)
            return
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            return

    async def _broke_down(self, side: str, match: Match, fault: PlayerFault) -> None:
        """The persons are asked; or a computer player is replaced or forfeits, if the match says so."""
        from sandtable.server.seats import seat_computer, stall
        from sandtable.server.talk import tell

        live = self._live
        seat = live.seats[side]
        log.warning("match %s: the computer player %s of %s %s", live.id, seat.level, side, fault)
        async with live.lock:
            if live.match is not match or live.result:
                return
            persons = any(other.kind == "person" for other in live.seats.values())
            if live.setup.on_fault == "ask" and persons:
                words = (
                    f"The computer player {level_name(seat.level)} {fault.words}. Choose in the match's menu "
                    f"who plays {side_name(side)}: the same player once more, another level, or a person."
                )
                await tell(live, side, "Sandtable", words)
                await stall(live, side)
                return
            if live.setup.on_fault != "forfeit" and seat.level != "random":
                await seat_computer(live, side, "random")
                who = f"The computer player {level_name(seat.level)}"
                words = f"{who} {fault.words}. The random player goes on in its place."
                await tell(live, side, "Sandtable", words)
                return
            winner = next((other for other in match.sides if other != side), "") if len(match.sides) == 2 else ""
            await live.end(Result(winner, f"The computer player of {side_name(side)} broke down", how="forfeit"))
