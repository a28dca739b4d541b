"""Those who look at a match: everybody is told what he may know, and nothing twice."""

from __future__ import annotations

import asyncio
import logging
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine import Match
from sandtable.server import orders, sharing
from sandtable.server.connection import Connection
from sandtable.server.forms import ChatLine, Result
from sandtable.server.listing import summary
from sandtable.server.picture import patch, whole_view
from sandtable.server.rebuild import Logged, lines_of
from sandtable.server.store.base import now
from sandtable.server.telling import decision, requests_for

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

log = logging.getLogger("sandtable.server")

Pictures = dict[str | None, dict[str, Any]]
"""The view that each side, or an observer, was shown."""

PRESENCE_SECONDS = 0.1


class Audience:
    """The connections that look at one match, and what they were shown."""

    def __init__(self, live: LiveMatch) -> None:
        self._of = weakref.ref(live)
        self.connections: set[Connection] = set()
        self._pictures: Pictures = {}
        self._presence_due = False

    @property
    def _live(self) -> LiveMatch:
        """Its match; a strong reference would keep both in memory until everything is searched for garbage."""
        live = self._of()
        assert live is not None
        return live

    def pictures(self, candidate: Match, result: Result | None) -> Pictures:
        """What everybody who is connected would see of a match that is about to be saved."""
        return {side: self._seen(candidate, side, result) for side in {c.side for c in self.connections}}

    def _seen(self, match: Match, side: str | None, result: Result | None) -> dict[str, Any]:
        """What a side sees; those who share it also see who has which units."""
        return sharing.shown(self._live, match, side, whole_view(match, side, result))

    def turn_and_phase(self, candidate: Match, shown: Pictures) -> tuple[str, str]:
        """Turn and phase in an observer's words; they are made anew only when somebody's words for them changed."""
        if None in shown:
            return shown[None]["turn"], shown[None]["phase"]
        for side, new in shown.items():
            old = self._pictures.get(side)
            if old is None or (old["turn"], old["phase"]) != (new["turn"], new["phase"]):
                break
        else:
            if shown:
                return self._live.turn, self._live.phase
        view = candidate.game.view(candidate.state, None)
        return view.turn, view.phase

    def announce(self, before: int, shown: Pictures, *, asked: bool, ended: bool) -> None:
        """Tell everybody what was done since a step."""
        match = self._live.match
        new = range(before + 1, self._live.version + 1)
        lines = [line for version in new for line in lines_of(match.game, version, match.told(version))]
        lines += [self._live.passed[version].line(version) for version in new if version in self._live.passed]
        self._live.log += lines
        groups: dict[str | None, list[Connection]] = {}
        for connection in self.connections:
            groups.setdefault(connection.side, []).append(connection)
        for side in [side for side in self._pictures if side not in groups]:
            del self._pictures[side]
        for side, group in groups.items():
            try:
                new_view = shown.get(side) or self._seen(match, side, self._live.result)
                self._tell(side, group, new_view, lines, asked=asked, ended=ended)
            except Exception:  # the step is saved: that one side cannot be shown it must not keep it from the others
                log.exception("match %s: %s cannot be shown step %s", self._live.id, side, self._live.version)
                for connection in group:
                    connection.close(1011)

    def _tell(
        self,
        side: str | None,
        group: list[Connection],
        new: dict[str, Any],
        lines: list[Logged],
        *,
        asked: bool,
        ended: bool,
    ) -> None:
        """One side gets one message, encoded once; what its readers already know is left out."""
        old = self._pictures[side]
        self._pictures[side] = new
        message: dict[str, Any] = {"t": "update", "version": self._live.version, "base": old["version"], "now": now()}
        message["log"] = [line.raw for line in lines if line.known_to(side)]
        if asked:
            message["requests"] = requests_for(self._live, side)
        if ended:
            message["result"] = self._live.result
        texts: dict[tuple[bool, str], str] = {}
        alike = not sharing.partners(self._live, side)
        for connection in group:
            reader = connection.full, "" if alike else connection.user.id
            text = texts.get(reader)
            if text is None:
                picture = {"view": new} if connection.full else {"patch": patch(old, new)}
                told = {**message, **decision(self._live, side, connection.user.id), **picture}
                text = texts[reader] = msgspec.json.encode(told).decode()
            connection.send_text(text)

    def welcome(self, connection: Connection, since: int = 0) -> None:
        """Give a connection the whole picture."""
        side = connection.side
        picture = self._pictures.get(side)
        if picture is None or picture["version"] != self._live.version or picture["outcome"] != self._live.result:
            picture = self._pictures[side] = self._seen(self._live.match, side, self._live.result)
        message: dict[str, Any] = {
            "t": "welcome",
            "match": summary(self._live, connection.user.id),
            "side": side,
            "yours": self._live.sides_of(connection.user.id),
            "now": now(),
            "version": self._live.version,
            "view": picture,
            "log": [line.raw for line in self._live.log if line.version >= since and line.known_to(side)],
            "chat": [line for line in self._live.chat if self._hears(connection, line.room)],
            "requests": requests_for(self._live, side),
            "clocks": None,
            "pace": connection.pace,
            "thinking": self._live.driver.thinking,
            "result": self._live.result,
            **decision(self._live, side, connection.user.id),
        }
        if side is not None:
            message["orders"] = orders.told(self._live.seats[side].orders)
        connection.send(message)

    def welcome_all(self) -> None:
        """Give everybody the whole picture again."""
        self._pictures.clear()
        for connection in self.connections:
            self.welcome(connection)

    def join(self, connection: Connection, since: int = 0) -> None:
        """A connection begins to look at the match."""
        self.connections.add(connection)
        self.welcome(connection, since)
        self.tell_presence()
        self._live.driver.wake()

    def leave(self, connection: Connection) -> None:
        """A connection ends."""
        self.connections.discard(connection)
        self._live.used = time.monotonic()
        self.tell_presence()
        self._live.driver.wake()

    def change_seat(self, connection: Connection, side: str) -> None:
        """A connection goes on as another side of the same account."""
        connection.side = side
        self.welcome(connection)

    def broadcast(self, message: dict[str, Any], hears: Callable[[Connection], bool] = lambda _: True) -> None:
        """Send the same message to all connections that may hear it."""
        text = msgspec.json.encode(message).decode()
        for connection in self.connections:
            if hears(connection):
                connection.send_text(text)

    def tell_presence(self) -> None:
        """Say who is there, soon: many who come at once are told of once."""
        if not self._presence_due:
            self._presence_due = True
            asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_due = False
        if not self.connections:
            return
        connected = {
            seat.side: self._live.present(seat.side) for seat in self._live.seats.values() if seat.kind == "person"
        }
        observers = sum(not guest.side for guest in self._live.guests())
        self.broadcast({"t": "presence", "connected": connected, "observers": observers})
        if self._live.setup.partners:
            self.tell_sharing()

    def tell_sharing(self) -> None:
        """Say who has which units and who may decide what, where a side is shared."""
        self.tell_match()
        self.announce(self._live.version, {}, asked=False, ended=False)

    def tell_match(self) -> None:
        """Say that seats or settings have changed."""
        for connection in self.connections:
            connection.send({"t": "match", "match": summary(self._live, connection.user.id)})

    def tell_orders(self, side: str) -> None:
        """Say to a side which standing orders it has."""
        told = orders.told(self._live.seats[side].orders)
        self.broadcast({"t": "orders", "orders": told}, lambda connection: connection.side == side)

    def tell_chat(self, line: ChatLine) -> None:
        """Pass on what was said, to those who may hear it."""
        self._live.chat.append(line)
        self.broadcast({"t": "chat", "lines": [line]}, lambda connection: self._hears(connection, line.room))

    def _hears(self, connection: Connection, room: str) -> bool:
        """What observers say among themselves is not for players, whichever way they look on."""
        if room == "all":
            return True
        observes = connection.side is None and not self._live.sides_of(connection.user.id)
        return observes if room == "observers" else connection.side is not None
