"""A search for leaks at every door of a server: two matches that differ only in what is hidden are played alike, and
whatever an opponent or an observer is sent, told by mail or webhook, or can ask for must be the same in both.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import httpx
import msgspec

import sandtable
from sandtable.engine import Match
from sandtable.server import messages as m
from sandtable.server import notices, talk
from sandtable.server.accounts import EVENTS, Notify, User
from sandtable.server.computers import PlayerFault
from sandtable.server.connection import Connection
from sandtable.server.forms import Clock
from sandtable.server.live import LiveMatch
from sandtable.server.making import MatchWish, SeatWish, make_match
from sandtable.server.orders import hides
from sandtable.server.seats import keep_orders, seat_computer, take_seat
from sandtable.server.settings import Smtp
from sandtable.server.socket import Player
from sandtable.server.store import Statement, base
from server.helpers import Client, Running, serving, settings_for
from server.leaksearch import ORDERS, _careful

STEPS = 8
"""Steps that a pair of matches is played alike before the next deal."""
ALWAYS = ("", "/replay/{n}")
"""What can be asked for after every step; the rest is asked for at the end."""
AT_LAST = (
    "/replay",
    "/replay/0",
    "/replay?side=observer",
    "/replay?side={hidden}",
    "/replay/{n}?side={hidden}",
    "/replay/{n}?side=all",
    "/steps",
    "/steps?side={hidden}",
    "/scene",
    "/picture.svg",
    "/record",
    "/record.txt",
    "/story",
    "/report.html",
)


class Stopwatch:
    """The time of the server, which stands still until it is wound on: nothing differs by a millisecond."""

    def __init__(self) -> None:
        self.ns = time.monotonic_ns()

    def __enter__(self) -> Stopwatch:
        clock = SimpleNamespace(monotonic_ns=lambda: self.ns, time_ns=time.time_ns)
        self._patch = patch.object(base, "time", clock)
        self._patch.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._patch.stop()


class Post:
    """Takes the place of the world outside: keeps what would have been sent by webhook and by mail."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    async def hook(self, url: str, body: dict[str, str], **_: Any) -> None:
        self.sent.append(("webhook", msgspec.json.encode([url, body]).decode()))

    def mail(self, smtp: Smtp, to: str, subject: str, words: str) -> None:
        self.sent.append(("mail", f"{to} {subject} {words}"))


class House:
    """A server with three accounts: a player, his opponent who hides something, and an observer."""

    def __init__(self, running: Running, clients: Sequence[Client], users: Sequence[User], watch: Stopwatch) -> None:
        self.hall = running.state.hall
        self.anna, self.bert, self.olga = users
        self.clients = dict(zip(("anna", "bert", "olga"), clients, strict=True))
        self.stopwatch = watch
        self.post = Post()


@asynccontextmanager
async def opened(place: Path) -> AsyncIterator[House]:
    """Open the house; whoever is absent is told by webhook and by mail."""
    smtp = Smtp("127.0.0.1", 9, "", "", "table@example.org", "none")
    with Stopwatch() as watch:
        async with (
            serving(settings_for(place, smtp=smtp, drawings=str(place))) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
            running.client("Olga") as olga,
        ):
            accounts, clients = running.state.accounts, (anna, bert, olga)
            users = [await accounts.get(client.user["id"]) for client in clients]
            told = Notify(email="anna@example.org", confirmed=True, webhook="https://example.org/anna", on=EVENTS)
            users[0] = await accounts.keep_notify(users[0], told)
            door = httpx.ASGITransport(app=running.server.config.app)  # beside other work a network has its own times
            for client in clients:
                client.http = httpx.AsyncClient(base_url=running.url, transport=door, cookies=client.http.cookies)
            house = House(running, clients, users, watch)
            with ExitStack() as stack:
                stack.enter_context(patch.object(notices, "post", house.post.hook))
                stack.enter_context(patch.object(notices, "send_mail", house.post.mail))
                yield house


class World:
    """One of two matches that differ in what is hidden, and those who look at it."""

    def __init__(self, house: House, live: LiveMatch, viewer: str, hidden: str) -> None:
        self.house, self.live, self.viewer, self.hidden = house, live, viewer, hidden
        self.connections: dict[str, Connection] = {}
        self._names = {live.id: "MATCH", live.match.header.commitment: "COMMITMENT", live.watch or "-": "WATCH"}

    def come(self, name: str, user: User, side: str | None) -> None:
        """Somebody connects."""
        self.connections[name] = connection = Connection(user, side, full=False)
        self.live.audience.join(connection)

    async def act(self, side: str, action: Any) -> None:
        """A player acts, by his connection if he has one; then all that goes on by itself is waited for."""
        name = "anna" if side == self.viewer else "bert"
        version = self.live.version
        if name in self.connections:
            raw = msgspec.Raw(msgspec.json.encode(action))
            await Player(self.live, self.connections[name]).carry_out(m.Act(id=1, version=version, action=raw))
        else:
            await self.house.hall.do(self.live, lambda: self.live.act(side, action, at=version))
        await self.settle()

    async def settle(self) -> None:
        """Wait until nothing goes on by itself, and every notice is written."""
        while self.live.driver.busy or self.house.hall.notices._tasks:
            await asyncio.sleep(0)
        await self.house.hall.store.write(Statement("DELETE FROM told"))  # the next one is told, too

    def heard(self) -> dict[str, str]:
        """What has been sent since the last time, by receiver and kind."""
        found: dict[str, list[str]] = {}
        for name in ("anna", "olga"):
            if name in self.connections:
                queue = self.connections[name].queue
                while not queue.empty():
                    text = queue.get_nowait() or "the connection ends"
                    kind = msgspec.json.decode(text)["t"] if text[0] == "{" else "end"
                    if kind != "presence":  # who comes and goes is the test's own doing, and told when it suits
                        found.setdefault(f"{name} is sent {kind}", []).append(text)
        mine = [(way, text) for way, text in self.house.post.sent if self.live.id in text]
        self.house.post.sent = [(way, text) for way, text in self.house.post.sent if self.live.id not in text]
        for way, text in mine:
            found.setdefault(f"anna is told by {way}", []).append(text)
        return {door: self._plain("\n".join(texts)) for door, texts in found.items()}

    async def asked(self, paths: Sequence[str]) -> dict[str, str]:
        """What a player and an observer are answered."""
        found = {}
        for name in ("anna", "olga"):
            client = self.house.clients[name]
            for path in paths:
                ending = path.format(n=self.live.version, hidden=self.hidden)
                answer = await client.http.get(f"/api/matches/{self.live.id}{ending}")
                found[f"{name} asks for {ending or 'the match'}"] = self._plain(f"{answer.status_code} {answer.text}")
            matches = (await client.get("/api/matches"))["matches"]
            mine = [match for match in matches if match["id"] == self.live.id]
            found[f"{name} asks for her list"] = self._plain(msgspec.json.encode(mine).decode())
        return found

    def _plain(self, text: str) -> str:
        """A text without the names that every match has for itself."""
        for name, word in self._names.items():
            text = text.replace(name, word)
        return text

    def shown(self, since: int) -> bool:
        """Whether something hidden was shown, or the match has ended, since a step."""
        events = [event for _, event in self.live.match.events(since=since + 1, everything=True)]
        return any(event.reveals for event in events) or self.live.result is not None


async def _begin(house: House, position: dict[str, Any], viewer: str, hidden: str, seed: int, number: int) -> World:
    """A match from a position: Anna, who is away every other time, against Bert, who has his standing orders."""
    game, scenario = position["game"], position["scenario"]
    seats = {viewer: SeatWish("me"), hidden: SeatWish("invitation")}
    wish = MatchWish(game=game, scenario=scenario, position=position, seats=seats, clock=Clock(3600, 5), seed=seed)
    live = await make_match(house.hall, house.anna, wish)
    await house.hall.do(live, lambda: take_seat(live, hidden, house.bert))
    await house.hall.observe(live.watch or "", house.olga)
    standing, present = ORDERS[number % len(ORDERS)]
    await house.hall.do(live, lambda: keep_orders(live, hidden, standing))
    world = World(house, live, viewer, hidden)
    await world.settle()  # what goes on by itself at once has happened before anybody comes, in both alike
    world.come("olga", house.olga, None)
    if number % 2:
        world.come("anna", house.anna, viewer)
    if present:
        world.come("bert", house.bert, hidden)
    await world.settle()
    return world


def _next(one: World, other: World, source: random.Random) -> tuple[str, Any] | str:
    """A decision that can be made in both and shows nothing; a leak if the player could not make it in both."""
    match, twin = one.live.match, other.live.match
    side = match.to_act[0]
    for _ in range(6):
        action = _careful(match, side, source)
        if action not in twin.actions(side):
            if side == one.viewer:
                return f"{action} is possible or not by what is hidden"
            continue
        tried = [match.clone(), twin.clone()]
        for clone in tried:
            clone.apply(side, action)
        if not any(_reveals(clone) for clone in tried):
            return side, action
    return ""


def _reveals(match: Match) -> bool:
    events = [event for _, event in match.events(since=match.version, everything=True)]
    return any(event.reveals for event in events) or match.outcome is not None


def _different(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [
        f"{door}: {_where(one.get(door, ''), other.get(door, ''))}"
        for door in sorted({*one, *other})
        if one.get(door) != other.get(door)
    ]


def _where(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    begin = max(0, at - 60)
    return f"...{one[begin : at + 60]!r} or ...{other[begin : at + 60]!r}"


async def _compared(one: World, other: World, source: random.Random) -> tuple[int, list[str]]:
    """Play two matches alike; how many steps were compared, and what differs."""
    house, compared = one.house, 0
    found = _different(one.heard(), other.heard())
    while compared < STEPS and not found and one.live.to_act:
        following = _next(one, other, source)
        if isinstance(following, str):
            found += [following] if following else []
            break
        before = one.live.version
        house.stopwatch.ns += 1_234_000_000
        for world in (one, other):
            await world.act(*following)
        if one.shown(before) or other.shown(before):
            break
        compared += 1
        found += _different(one.heard(), other.heard())
        found += _different(await one.asked(ALWAYS), await other.asked(ALWAYS))
    if not found and not (one.live.result or other.live.result) and one.live.version == other.live.version:
        for world in (one, other):
            await _talk(world)
        found += _different(one.heard(), other.heard())
        found += _different(await one.asked(AT_LAST), await other.asked(AT_LAST))
        for world in (one, other):
            await _break_down(world)
        found += _different(one.heard(), other.heard())
    return compared, found


async def _talk(world: World) -> None:
    """Bert says something to all and to the players, and offers a draw."""
    live, hall = world.live, world.house.hall
    for room in ("all", "players"):
        await hall.do(live, lambda room=room: talk.say(live, world.house.bert, world.hidden, "Well played", room))
    await hall.do(live, lambda: talk.offer_draw(live, world.hidden))
    await world.settle()


async def _break_down(world: World) -> None:
    """A computer takes Bert's place and breaks down over what it hides, and with its last words."""
    live = world.live
    if world.hidden not in live.to_act:
        return

    async def choose(match: Match, *_: Any) -> Any:
        raise PlayerFault("failed", f"KeyError: {hashlib.sha256(msgspec.json.encode(match.state)).hexdigest()}")

    with patch.object(live.hall.computers, "choose", choose):
        await live.hall.do(live, lambda: seat_computer(live, world.hidden, "random"))
        await world.settle()


async def search_doors(what: str, place: Path, *, seed: int, pairs: int, **options: str) -> tuple[int, list[str]]:
    """Play at random, and from moments on the way two matches each; the steps compared, and the leaks found."""
    source = random.Random(seed)
    match = sandtable.new(what, seed=seed, options=options)
    looked, found, number, step = 0, [], seed, 0
    async with opened(place) as house:
        while match.outcome is None and number < seed + pairs and match.version < 4000:
            side = match.to_act[0]
            match.apply(side, _careful(match, side, source))
            step -= 1
            seeing = [
                (one, other) for one in match.sides for other in match.sides if one != other and hides(match, other)
            ]
            if step > 0 or not seeing or match.outcome is not None:
                continue
            viewer, hidden = source.choice(seeing)
            dealt = match.game.reshuffle(match.state, viewer, source)
            if dealt is None:
                continue
            twin = match.clone()
            twin.adopt(dealt)
            worlds = [await _begin(house, one.position(), viewer, hidden, seed, number) for one in (match, twin)]
            compared, leaks = await _compared(*worlds, source)
            looked += compared
            found += [f"{what}, step {match.version}: {leak}" for leak in leaks]
            for world in worlds:
                world.live.audience.connections.clear()
                await world.live.driver.stop()
                world.house.hall._live.pop(world.live.id, None)
            number, step = number + 1, source.randrange(1, 30)
    return looked, found
