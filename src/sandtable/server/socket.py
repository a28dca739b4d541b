"""The WebSocket: one connection to one match, its messages carried out one after another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.engine import Action
from sandtable.engine.errors import SandtableError
from sandtable.server import messages as m
from sandtable.server import orders, talk
from sandtable.server.connection import PACES, Connection
from sandtable.server.forms import side_name
from sandtable.server.limits import Bucket
from sandtable.server.live import LiveMatch
from sandtable.server.refusal import NO_MATCH, NOT_SAVED, Refused, from_engine
from sandtable.server.store import StoreError
from sandtable.server.store.base import now

log = logging.getLogger("sandtable.server")

PATIENCE = 100
"""Refused messages in too quick succession before a connection is cut."""


class Player:
    """Carries out what one connection asks for."""

    def __init__(self, live: LiveMatch, connection: Connection) -> None:
        self.live = live
        self.connection = connection

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
        match message:
            case m.Ping():
                return {"t": "pong", "now": now()}
            case m.Resync():
                live.welcome(connection)
            case m.SetPace():
                self._pace(message.pace)
                return {"t": "done", "version": live.version}
            case m.TakeSeat():
                if message.side not in live.sides_of(connection.user.id):
                    raise Refused("forbidden", "That is not a side of yours.")
                live.change_seat(connection, message.side)
            case m.Say():
                async with live.lock:
                    await talk.say(live, connection.user, connection.side, message.text, message.room)
                return {"t": "done", "version": live.version}
            case m.AskLos():
                los = live.match.game.line_of_sight(live.match.state, connection.side, message.a, message.b)
                return {"t": "los", "los": _offered(los)}
            case m.AskVisible():
                seen = live.match.game.visible_from(live.match.state, connection.side, message.a)
                return {"t": "visible", **msgspec.to_builtins(_offered(seen))}
            case _:
                return await self._answer_player(message)
        return None

    async def _answer_player(self, message: m.Any_) -> dict[str, Any] | None:
        """Messages that only a player may send."""
        side = self.connection.side
        if side is None:
            raise Refused("forbidden", "Observers only look on.")
        live = self.live
        match message:
            case m.AskPreview():
                action = self._chosen(side, message.version, message.n, message.action)
                return {"t": "preview", "preview": live.match.preview(side, action)}
            case m.AskPath():
                path = live.match.game.path(live.match.state, side, message.pieces, message.to, message.via)
                return {"t": "path", "path": path}
            case _:
                pass
        did: dict[str, Any] = {}
        async with live.lock:
            match message:
                case m.Act():
                    did["did"] = await self._act(side, message)
                case m.Undo():
                    if message.version is not None and message.version != live.version:
                        raise Refused("stale", "Something happened in the meantime: look again.")
                    await live.undo(side, consent=False)
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
                case m.SetOrders():
                    await live.hall.keep_orders(live, side, orders.checked(message.orders))
                case _:
                    raise Refused("unknown", "There is no message of that kind.")
        return {"t": "done", "version": live.version, **did}

    def _chosen(self, side: str, version: int, n: int | None, raw: msgspec.Raw) -> Action:
        """The action that a client means, by its number or by itself."""
        live = self.live
        if version != live.version:
            raise Refused(
                "stale", f"This was chosen at step {version}, but the match is at step {live.version}: look again."
            )
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

    def _read(self, raw: msgspec.Raw) -> Action:
        try:
            action: Action = msgspec.json.decode(raw, type=self.live.match.game.action_type)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refused("bad_request", f"This is not an action of the game: {str(error)[:200]}.") from None
        return action

    async def _act(self, side: str, message: m.Act) -> int:
        """An action, and what was planned after it as long as nothing comes between."""
        live = self.live
        await live.act(side, self._chosen(side, message.version, message.n, message.action), at=message.version)
        did = 1
        for raw in message.then:
            # What can be taken back came without dice, without a reveal and without another's decision.
            if live.to_act != (side,) or live.match.why_no_undo(side) is not None:
                break
            action = self._read(raw)
            if action not in live.match.actions(side):
                break
            await live.act(side, action, at=live.version)
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
    live.join(connection, since)
    try:
        while True:
            text = await _receive(socket)
            if bucket.take():
                refused += 1
                connection.send(Refused("too_many", "That was too quick: wait a moment.").message())
                if refused > PATIENCE:
                    connection.close(4408)
                    break
                continue
            await _one(player, text)
    except WebSocketDisconnect:
        pass
    finally:
        live.leave(connection)
        connection.close(1000)
        connection.queue.put_nowait(None)
        with contextlib.suppress(asyncio.TimeoutError, Exception):
            await asyncio.wait_for(writer, 2)


async def _receive(socket: WebSocket) -> str | bytes:
    event = await socket.receive()
    if event["type"] != "websocket.receive":
        raise WebSocketDisconnect(event.get("code", 1000))
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
    send, queue = socket.send, connection.queue
    try:
        while (text := await queue.get()) is not None:
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
    user = await state.gate.user(socket)
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
    count = state.connections
    if count.get(user.id, 0) >= state.settings.connections:
        await socket.close(4408, "Too many connections of this account.")
        return
    count[user.id] = count.get(user.id, 0) + 1
    since = query.get("since", "0")
    try:
        await serve_connection(socket, live, connection, int(since) if since.isdigit() else 0)
    finally:
        count[user.id] -= 1
        if not count[user.id]:
            del count[user.id]


def _side(live: LiveMatch, user_id: str, wanted: str) -> str | None:
    own = live.sides_of(user_id)
    if wanted == "observer" or (not own and not wanted):
        return None
    if wanted:
        if wanted not in own:
            raise Refused("not_found", NO_MATCH)
        return wanted
    return next((side for side in own if side in live.to_act), own[0])
