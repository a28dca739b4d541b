"""The WebSocket: one connection to one match, its messages carried out one after another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.engine import Action
from sandtable.engine.errors import SandtableError
from sandtable.engine.plan import Goal, goals, plans, with_chance
from sandtable.engine.view import Refusal
from sandtable.server import messages as m
from sandtable.server import orders, seats, sharing, talk
from sandtable.server.connection import PACES, Connection
from sandtable.server.forms import side_name
from sandtable.server.limits import Bucket
from sandtable.server.live import LiveMatch
from sandtable.server.refusal import NO_MATCH, NOT_SAVED, Overtaken, Refused, from_engine, whole_number
from sandtable.server.store import StoreError
from sandtable.server.store.base import now

log = logging.getLogger("sandtable.server")

RESYNCS_PER_SECOND, RESYNC_BURST = 2, 20
"""How often a connection may ask for the whole picture."""
GOAL_SECONDS = 1.5
"""How long chances and dangers of the places in reach are worked out before the rest goes without."""

COMMANDERS = (m.OfferDraw, m.Resign, m.ClaimTimeout, m.SetOrders, m.AnswerTo)
"""What only the commander of a shared side says for it."""

PATIENCE = 100
"""Refused messages in too quick succession before a connection is cut."""


class Player:
    """Carries out what one connection asks for."""

    def __init__(self, live: LiveMatch, connection: Connection) -> None:
        self.live = live
        self.connection = connection
        self._whole = Bucket(RESYNCS_PER_SECOND, RESYNC_BURST)

    async def carry_out(self, message: m.Any_) -> None:
        """One message; the answer goes into the connection's queue."""
        answer = await self._answer(message)
        if message.id is not None and answer is not None:
            self.connection.send({**answer, "id": message.id})
        elif answer is not None and answer["t"] != "done":  # who gives no number does not wait for a receipt
            self.connection.send(answer)

    async def _answer(self, message: m.Any_) -> dict[str, Any] | None:
        live, connection = self.live, self.connection
        if live.trouble:
            await live.hall.refresh(live)
        if live.hall.house.deaf or (getattr(message, "version", None) or 0) > live.version:
            await live.hall.catch_up(live)  # another process is further
        match message:
            case m.Ping():
                return {"t": "pong", "now": now()}
            case m.Resync():
                if self._whole.take():
                    raise Refused("too_many", "The whole picture was sent a moment ago: wait a moment.")
                await live.hall.catch_up(live)
                live.audience.welcome(connection)
            case m.SetPace():
                self._pace(message.pace)
                await live.hall.presence.change(connection)
                return {"t": "done", "version": live.version}
            case m.TakeSeat():
                if message.side not in live.sides_of(connection.user.id):
                    await live.hall.catch_up(live)
                if message.side not in live.sides_of(connection.user.id):
                    raise Refused("forbidden", "That is not a side of yours.")
                live.audience.change_seat(connection, message.side)
                await live.hall.presence.change(connection)
            case m.Say():
                user, side, text, room = connection.user, connection.side, message.text, message.room
                await live.hall.do(live, lambda: talk.say(live, user, side, text, room))
                return {"t": "done", "version": live.version}
            case m.AskLos():
                sight = live.match.game.line_of_sight
                los = await self._ask(sight, live.match.state, connection.side, message.a, message.b)
                return {"t": "los", "los": _offered(los)}
            case m.AskVisible():
                seen = await self._ask(live.match.game.visible_from, live.match.state, connection.side, message.a)
                return {"t": "visible", **msgspec.to_builtins(_offered(seen))}
            case _:
                return await self._answer_player(message)
        return None

    async def _ask(self, question: Callable[..., Any], *about: Any) -> Any:
        """Ask the game something that may take a while, beside the event loop."""
        account = self.connection.user.id
        try:
            return await self.live.hall.rooms.do("questions", question, *about, account=account)
        except (LookupError, ValueError, TypeError) as error:
            log.info("match %s: %s was asked something strange: %r", self.live.id, question.__name__, error)
            words = "There is no answer to that: name cells and pieces of this match."
            raise Refused("bad_request", words) from None

    async def _answer_player(self, message: m.Any_) -> dict[str, Any] | None:
        """Messages that only a player may send."""
        side = self.connection.side
        if side is None:
            raise Refused("forbidden", "Observers only look on.")
        live = self.live
        self._still_plays(side)
        match message:
            case m.AskPreview():
                action = self._chosen(side, message.version, message.n, message.action)
                return {"t": "preview", "preview": await self._ask(live.match.preview, side, action)}
            case m.AskPath():
                way = live.match.game.path
                path = await self._ask(way, live.match.state, side, message.pieces, message.to, message.via)
                return {"t": "path", "path": path}
            case m.AskPlan():
                self._fresh(message.version)
                if foreign := sharing.foreign(live, side, self.connection.user.id, message.pieces):
                    return {"t": "plan", "plans": (), "why": Refusal("Not yours", foreign)}
                about = (side, message.pieces, message.cell, message.target)
                found, why = await self._ask(plans, live.match.clone(), *about)
                return {"t": "plan", "plans": found, "why": why}
            case m.AskGoals():
                self._fresh(message.version)
                if sharing.foreign(live, side, self.connection.user.id, message.pieces):
                    return {"t": "goals", "goals": (), "danger": {}}
                return await self._goals(side, message)
            case _:
                pass
        began = time.monotonic()
        did = await live.hall.do(live, lambda: self._do(side, message))
        live.hall.counts.answered(time.monotonic() - began)
        return {"t": "done", "version": live.version, **did}

    async def _do(self, side: str, message: m.Any_) -> dict[str, Any]:
        """What a player does in the match; while it lasts nobody else changes it."""
        live = self.live
        did: dict[str, Any] = {}
        user = self.connection.user.id
        self._still_plays(side)
        if isinstance(message, COMMANDERS) and user != live.seats[side].user:
            raise Refused("forbidden", "That is for whoever commands the side.")
        match message:
            case m.Act():
                did["did"] = await self._act(side, message)
            case m.Undo():
                if message.version is not None and message.version != live.version:
                    raise Refused("stale", "Something happened in the meantime: look again.")
                await live.undo(side, consent=False)
            case m.Reopen():
                await live.reopen(side, message.version)
            case m.AskUndo():
                await talk.ask_undo(live, side)
            case m.AnswerTo():
                await talk.answer(live, side, message.kind, message.agree)
            case m.OfferDraw():
                await talk.offer_draw(live, side)
            case m.Resign():
                await talk.resign(live, side)
            case m.ClaimTimeout():
                await talk.claim_timeout(live, side)
            case m.AddNumber():
                await live.add_number(side, message.number)
            case m.Platoon():
                await sharing.give(live, side, user, message.pieces, message.to)
            case m.SetOrders():
                await seats.keep_orders(live, side, orders.checked(message.orders))
            case _:
                raise Refused("unknown", "There is no message of that kind.")
        return did

    def _still_plays(self, side: str) -> None:
        """Whoever has lost his seat, or has been logged out, while he waited decides nothing more."""
        if self.connection.close_code != 1000 or side not in self.live.sides_of(self.connection.user.id):
            raise Refused("forbidden", "That is not a side of yours.")

    def _chosen(self, side: str, version: int, n: int | None, raw: msgspec.Raw) -> Action:
        """The action that a client means, by its number or by itself."""
        live = self.live
        self._fresh(version)
        if bytes(raw):
            return self._read(raw)
        if n is None:
            raise Refused("bad_request", "Name the choice: its number n, or the action itself.")
        if side not in live.to_act:
            live.refuse_if_over()
            raise Refused(
                "not_your_turn",
                f"It is for {' and '.join(map(side_name, live.to_act))} to decide now, not for {side_name(side)}.",
            )
        actions = live.match.actions(side)
        if n >= len(actions):
            raise Refused("illegal", f"There are {len(actions)} choices: there is no number {n}.")
        action: Action = actions[n]
        return action

    def _fresh(self, version: int) -> None:
        """What was chosen for another position is refused."""
        now_at = self.live.version
        if version != now_at:
            raise Refused("stale", f"This was chosen at step {version}, but the match is at step {now_at}: look again.")

    async def _goals(self, side: str, message: m.AskGoals) -> dict[str, Any]:
        """Where pieces can go and the danger there, and what they can act on with its chance, beside the event loop."""
        live, here = self.live, self.live.match
        match = here.clone()

        def reach() -> tuple[list[Goal], dict[str, float]]:
            found = goals(match, side, message.pieces)
            danger: dict[str, float] = {}
            until = time.monotonic() + GOAL_SECONDS
            for n, goal in enumerate(found):
                if live.match is not here or time.monotonic() > until:
                    break
                if goal.kind == "move":
                    danger.update(match.game.danger(match.state, side, message.pieces, [goal.cell]))
                else:
                    found[n] = with_chance(match, side, message.pieces, goal)
            return found, danger

        found, danger = await self._ask(reach)
        return {"t": "goals", "goals": found, "danger": danger}

    def _read(self, raw: msgspec.Raw) -> Action:
        try:
            action: Action = msgspec.json.decode(raw, type=self.live.match.game.action_type)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refused("bad_request", f"This is not an action of the game: {str(error)[:200]}.") from None
        return action

    async def _act(self, side: str, message: m.Act) -> int:
        """An action, and what was planned after it as long as nothing comes between."""
        live = self.live
        first = self._chosen(side, message.version, message.n, message.action)
        planned = [self._read(raw) for raw in message.then]  # nonsense is refused before anything is done
        user = self.connection.user.id
        if message.whole:
            return await live.declare(side, [first, *planned], at=message.version, user=user)
        sharing.check(live, live.match, side, user, first)
        await live.act(side, first, at=message.version)
        did = 1
        for action in planned:
            # What can be taken back came without dice, without a reveal and without another's decision.
            if live.to_act != (side,) or live.match.why_no_undo(side) is not None:
                break
            if action not in live.match.actions(side):
                break
            sharing.check(live, live.match, side, user, action)
            try:
                await live.act(side, action, at=live.version)
            except Overtaken:
                break  # another process came between; what was done stands
            did += 1
        return did

    def _pace(self, pace: str) -> None:
        if pace not in PACES:
            raise Refused("bad_request", f"The pace is {', '.join(PACES)}.")
        self.connection.pace = pace
        if pace != "watch":
            self.live.driver.hurry()


def _offered(answer: Any) -> Any:
    if answer is None:
        raise Refused("not_now", "This game does not offer that.")
    return answer


async def serve_connection(socket: WebSocket, live: LiveMatch, connection: Connection, since: int) -> None:
    """Speak with a client until one of both ends it."""
    settings = live.hall.settings
    player = Player(live, connection)
    writer = asyncio.get_running_loop().create_task(_write(socket, connection))
    bucket = Bucket(settings.messages_per_second, settings.message_burst)
    refused = 0
    live.hall.notices.came(connection.user.id, live.id)
    live.audience.join(connection, since)
    try:
        while True:
            text = await _receive(socket, connection)
            if bucket.take():
                refused += 1
                number = m.number_of(text)
                connection.send(Refused("too_many", "That was too quick: wait a moment.").message(number))
                if refused > PATIENCE:
                    connection.close(4408)
                    break
                continue
            await _one(player, text)
    except WebSocketDisconnect:
        pass
    finally:
        live.audience.leave(connection)
        connection.close(1000)
        connection.queue.put_nowait(None)
        with contextlib.suppress(asyncio.TimeoutError, Exception):
            await asyncio.wait_for(writer, 2)
        connection.drop()


async def _receive(socket: WebSocket, connection: Connection) -> str | bytes:
    """The next message, unless the connection is cut off."""
    if connection.close_code != 1000:
        raise WebSocketDisconnect(connection.close_code)
    connection.listening = task = asyncio.current_task()
    try:
        event = await socket.receive()
    except asyncio.CancelledError:
        if connection.close_code == 1000 or task is None:
            raise
        task.uncancel()
        raise WebSocketDisconnect(connection.close_code) from None
    finally:
        connection.listening = None
    if event["type"] != "websocket.receive":
        raise WebSocketDisconnect(event.get("code", 1000))
    if connection.close_code != 1000:  # it was cut off while this was under way
        raise WebSocketDisconnect(connection.close_code)
    text: str | bytes = event.get("text") or event.get("bytes") or ""
    return text


async def _one(player: Player, text: str | bytes) -> None:
    number: Any = None
    try:
        try:
            message = m.read_message(text)
        except Refused:
            number = m.number_of(text)
            raise
        number = message.id
        await player.carry_out(message)
    except Refused as refused:
        player.connection.send(refused.message(number))
    except StoreError as error:
        player.connection.send(Refused("not_saved", str(error) or NOT_SAVED).message(number))
    except SandtableError as error:
        player.connection.send(from_engine(error).message(number))
    except Exception:
        log.exception("match %s: a message could not be carried out", player.live.id)
        player.connection.send(
            Refused("unknown", "The server failed on this message; nothing has changed.").message(number)
        )


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Send what is in the queue, in its order."""
    send = socket.send
    try:
        while (text := await connection.next_text()) is not None:
            await send({"type": "websocket.send", "text": text})
        await socket.close(connection.close_code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # the client has gone


async def live_match(socket: WebSocket) -> None:
    """`/api/matches/{id}/live`."""
    state = socket.app.state
    if not state.gate.same_origin(socket):
        await socket.close(4403)
        return
    await socket.accept()
    try:
        user = await state.gate.user(socket)
    except StoreError as error:
        await socket.close(1013, str(error)[:120])
        return
    if user is None:
        await socket.close(4401, "There is no account: POST /api/guest first.")
        return
    query = socket.query_params
    try:
        live = await state.hall.for_user(socket.path_params["id"], user)
        connection = Connection(user, _side(live, user.id, query.get("side", "")), full=query.get("full") == "1")
    except (Refused, StoreError) as refused:
        code = 4404 if getattr(refused, "code", "") == "not_found" else 1013
        await socket.close(code, str(refused)[:120])
        return
    presence = state.hall.presence
    try:
        if not await presence.enter(connection, live.id, state.settings.connections):
            await socket.close(4408, "Too many connections of this account.")
            return
    except StoreError as error:
        await socket.close(1013, str(error)[:120])
        return
    try:
        # Whoever was logged out or lost his seat while the match was loaded does not come in.
        known = await state.accounts.get(user.id)
        if known is None or known.epoch != user.epoch:
            await socket.close(4401, "You have been logged out.")
            return
        if connection.side is not None and connection.side not in live.sides_of(user.id):
            await socket.close(4409, "That is not a side of yours.")
            return
        await serve_connection(socket, live, connection, whole_number(query.get("since", "0")) or 0)
    finally:
        await presence.leave(connection)


def _side(live: LiveMatch, user_id: str, wanted: str) -> str | None:
    own = live.sides_of(user_id)
    if wanted == "observer" or (not own and not wanted):
        return None
    if wanted:
        if wanted not in own:
            raise Refused("not_found", NO_MATCH)
        return wanted
    return next((side for side in own if side in live.to_act), own[0])
