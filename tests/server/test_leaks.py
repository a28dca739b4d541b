"""Every outgoing message of whole games is searched for what its receiver must not know."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.engine import get_game
from sandtable.server.connection import Connection
from sandtable.server.live import LiveMatch
from sandtable.server.picture import whole_view
from server.conftest import Postgres
from server.helpers import Live, run, serving, settings_for, state_of
from server.leaksacross import search_across
from server.outpost import GAME
from server.test_play import play_out
from tiny.model import HIDING_PLACES, Piece


@asynccontextmanager
async def played(tmp_path: Path, hiding_place: str, seed: int, house: str = "") -> AsyncIterator[dict[str, Any]]:
    """A whole game with the ambusher in one place, and everything that each receiver was told.

    With the database of a `house` each of them is at a process of its own.
    """
    async with AsyncExitStack() as stack:
        settings = settings_for(tmp_path, **({"database": house} if house else {}))
        servers = [await stack.enter_async_context(serving(settings)) for _ in range(3 if house else 1)]
        running = servers[0]
        anna, bert, carl = [await stack.enter_async_context(servers[n % len(servers)].client()) for n in range(3)]
        seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
        match = await anna.new_match(seats=seats, seed=seed)
        await bert.join(match["invitations"]["blue"])
        await carl.post("/api/watch", {"token": match["watch"].rpartition("/")[2]})
        red, blue, watcher = [
            await stack.enter_async_context(client.live(match["id"])) for client in (anna, bert, carl)
        ]
        for live in (red, blue, watcher):
            await live.until("welcome")
        await blue.ask("orders", orders={"forced": False})
        await red.ask("orders", orders={"forced": False})
        await blue.act(blue.choice("set up", cells=[hiding_place]))
        looking_back = {
            "red": await anna.get(f"/api/matches/{match['id']}/replay"),
            "watcher": await carl.get(f"/api/matches/{match['id']}/replay"),
        }
        yield {
            "running": running,
            "match": match,
            "red": red,
            "blue": blue,
            "watcher": watcher,
            "looking_back": looking_back,
        }


def until_revealed(live: Live) -> list[dict[str, Any]]:
    """What a receiver was told before the ambusher was seen by all."""
    told = []
    for message in live.told:
        if any(line["kind"] in ("Revealed", "Ended") for line in message.get("log", ())):
            break
        told.append(message)
    return told


class Listener:
    """Hears every message that leaves the server, and looks in it for pieces that its receiver must not know."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: list[str] = []
        self.messages = 0
        self.secrets = 0
        self.match: Any = None
        self._hidden: dict[tuple[int, str | None], set[str]] = {}
        send_text = Connection.send_text

        def listening(connection: Connection, text: str) -> None:
            if self.match is not None:
                self._look(connection.side, text)
            send_text(connection, text)

        monkeypatch.setattr(Connection, "send_text", listening)

    def _look(self, side: str | None, text: str) -> None:
        inner = self.match.match
        hidden = self._hidden.get((inner.version, side))
        if hidden is None:
            views = {eyes: inner.view(eyes)["pieces"] for eyes in (*inner.sides, None)}
            printed = json.dumps(inner.view(None).get("panels", []))  # who is to come stands on the turn record
            known = {word for piece in views[side] for word in (piece["id"], piece["label"])}
            there = {word for pieces in views.values() for piece in pieces for word in (piece["id"], piece["label"])}
            hidden = {word for word in there - known if f'"{word}"' not in printed}
            self._hidden[inner.version, side] = hidden
            self.secrets += len(hidden)
        self.messages += 1
        # What the side knew before the step may be named in it, though it is out of sight afterwards.
        before = self._hidden.get((inner.version - 1, side), hidden)
        self.found += [f"{word} to {side}: {text[:200]}" for word in hidden & before if f'"{word}"' in text]


async def watched_game(
    stack: AsyncExitStack, tmp_path: Path, listener: Listener, game: str, scenario: str
) -> dict[str, Live]:
    """A whole game of two players and an observer, while the listener hears all that is said to them."""
    running = await stack.enter_async_context(serving(settings_for(tmp_path)))
    anna, bert, carl = [await stack.enter_async_context(running.client()) for _ in range(3)]
    sides = next(info.sides for info in get_game(game).scenarios() if info.id == scenario)
    seats = {sides[0]: {"kind": "me"}, sides[1]: {"kind": "invitation"}}
    match = await anna.new_match(game=game, scenario=scenario, seats=seats, seed=4)
    await bert.join(match["invitations"][sides[1]])
    await carl.post("/api/watch", {"token": match["watch"].rpartition("/")[2]})
    listener.match = running.state.hall._live[match["id"]]
    lives = [await stack.enter_async_context(client.live(match["id"])) for client in (anna, bert, carl)]
    for live in lives:
        await live.until("welcome")
    await play_out(dict(zip(sides, lives[:2], strict=True)), random.Random(4))
    return dict(zip((*sides, "watcher"), lives, strict=True))


@pytest.mark.parametrize(
    ("game", "scenario"),
    [("aslsk2", "S14"), ("aslsk2", "S15"), ("underbelly", "historical")],
)
def test_what_is_hidden_stays_hidden_in_a_whole_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, scenario: str
) -> None:
    """Hidden guns and secret set-ups; the stacks under the fog of war and the secret plots."""
    listener = Listener(monkeypatch)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            await watched_game(stack, tmp_path, listener, game, scenario)

    run(story)
    assert listener.found == []
    assert listener.messages > 500
    assert listener.secrets > 50  # there was something to hide


def test_on_a_table_top_everybody_is_told_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            lives = await watched_game(stack, tmp_path, listener, "pbi", "crossroads")
            await lives["watcher"].at(lives["attacker"].view["version"])
            told = [
                [line for message in live.told for line in message.get("log", ())] + live.view["pieces"]
                for live in lives.values()
            ]
            assert told[0] == told[1] == told[2]

    run(story)
    assert listener.messages > 300
    assert (listener.secrets, listener.found) == (0, [])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_is_told_of_the_ambusher_before_it_shows_itself(tmp_path: Path, seed: int) -> None:
    search_a_game(tmp_path, seed)


def test_nobody_is_told_by_another_process_either(tmp_path: Path, postgres: Postgres) -> None:
    search_a_game(tmp_path, 1, postgres.database("leaks"))


def search_a_game(tmp_path: Path, seed: int, house: str = "") -> None:
    """Play a game to its end, and look for the ambusher in all that its enemies were told before they saw it."""

    async def story() -> None:
        async with played(tmp_path, "d4", seed, house) as p:
            await play_out({"red": p["red"], "blue": p["blue"]}, random.Random(seed))
            await p["watcher"].at(p["red"].view["version"])
            inner = state_of(p["running"], p["match"]["id"])
            secrets = [
                inner.header.secret,
                '"id": "b3"',
                '"piece": "b3"',
                "Ambusher",
                '"Hidden"',
                "HideAt",
                '"private"',
            ]
            for name in ("red", "watcher"):
                told = until_revealed(p[name])
                assert len(told) > 3
                text = json.dumps(told) + json.dumps(p["looking_back"][name])
                assert [secret for secret in secrets if secret in text] == []
            own = json.dumps(p["blue"].told)
            assert all(word in own for word in ('"id": "b3"', "Ambusher", '"Hidden"', '"private"'))
            everything = json.dumps([live.told for live in (p["red"], p["blue"], p["watcher"])])
            assert inner.header.secret not in everything

    run(story)


def test_red_is_told_the_same_wherever_the_ambusher_hides(tmp_path: Path) -> None:
    """The same actions with another hiding place: nothing that red or a watcher gets may differ."""
    compare_hiding_places(tmp_path, {})


def test_red_is_told_the_same_by_another_process_too(tmp_path: Path, postgres: Postgres) -> None:
    compare_hiding_places(tmp_path, {place: postgres.database(f"hides_{place}") for place in ("c3", "d4", "e4")})


@pytest.mark.parametrize("what", ["outpost/post", "aslsk2/S14", "underbelly/historical"])
def test_everybody_is_told_the_same_at_whichever_process(postgres: Postgres, what: str) -> None:
    database = postgres.database(f"alike_{what.partition('/')[0]}")
    compared, found = asyncio.run(search_across(database, what, seed=1, steps=20))
    assert compared > 30
    assert found == []


def test_the_search_across_processes_would_find_a_leak(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaks(self: LiveMatch, before: int, *, asked: bool, ended: bool) -> None:
        seen = {side: whole_view(self.match, "blue", self.result) for side in ("red", "blue", None)}
        self.audience.announce(before, seen, asked=asked, ended=ended)

    monkeypatch.setattr(LiveMatch, "follow", leaks)
    _, found = asyncio.run(search_across(postgres.database("leaky"), "outpost/post", seed=1, steps=10))
    assert found


def compare_hiding_places(tmp_path: Path, houses: dict[str, str]) -> None:
    """Play the same game with each of them."""
    plan = [("red", "r1", "b1"), ("blue", "", ""), ("red", "r3", "a4"), ("blue", "", "")]
    told: dict[str, list[str]] = {}

    async def story(place: str) -> None:
        async with played(tmp_path / place, place, 1, houses.get(place, "")) as p:
            for side, piece, to in plan:
                live = p[side]
                await live.at(max(p["red"].view["version"], p["blue"].view["version"]))
                n = live.choice("move", pieces=[piece], cells=[to]) if piece else live.choice("done")
                assert (await live.act(n))["t"] == "done"
                for other in ("red", "blue", "watcher"):  # a step at a time: whoever is late is told two steps at once
                    await p[other].at(live.view["version"])
            for name in ("red", "watcher"):
                told.setdefault(name, []).append(json.dumps([_comparable(m) for m in p[name].told if "version" in m]))

    for place in ("c3", "d4", "e4"):
        (tmp_path / place).mkdir()
        run(lambda place=place: story(place))  # type: ignore[misc]
    assert all(len(set(texts)) == 1 for texts in told.values())


def _comparable(message: dict[str, Any]) -> dict[str, Any]:
    """A message without times and names of the match."""
    return {name: value for name, value in message.items() if name not in ("now", "match", "id")}


def test_the_search_would_find_a_leak() -> None:
    """The words that are searched for do occur in what blue may know."""
    state = GAME.setup("post", {"reds": "3"})
    state.pieces["b3"] = Piece("b3", "blue", HIDING_PLACES[3], hidden=True)
    assert b'"id":"b3"' in msgspec.json.encode(GAME.view(state, "blue"))
    assert b'"id":"b3"' not in msgspec.json.encode(GAME.view(state, "red"))
