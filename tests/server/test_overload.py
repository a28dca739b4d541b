"""One guest must not keep the others waiting: big positions, slow readers, half requests, long records."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.engine import Match, game_names
from sandtable.engine.errors import BadPosition
from sandtable.engine.start import MOST_ENTRIES
from sandtable.server import making, protocol, routes_story
from sandtable.server import socket as server_socket
from sandtable.server.connection import MOST_BYTES, Connection
from sandtable.server.protocol import SocketProtocol
from sandtable.server.refusal import Refused
from sandtable.server.rooms import Rooms
from sandtable.server.watchdog import Watchdog
from server.helpers import Answered, run, serving, settings_for

SOURCE = str(Path(sandtable.__file__).parent.parent)


def crowd(squads: int) -> dict[str, Any]:
    """A position with so many squads in one hex."""
    position = sandtable.new("aslsk2/S9", seed=1).position()
    state = position["state"]
    one = next(unit for unit in state["units"] if unit["side"] == "italian")
    state["units"] = [{**one, "id": f"x{number}"} for number in range(squads)]
    return {key: value for key, value in position.items() if key != "options"}


def test_a_position_has_limits_by_content(tmp_path: Path) -> None:
    for squads, words in ((15_000, "a list of 15,000 entries"), (MOST_ENTRIES, "more than 40 units")):
        with pytest.raises(BadPosition, match=words):
            sandtable.new(crowd(squads))

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            began = time.monotonic()
            with pytest.raises(Answered, match="15,000 entries"):
                await anna.post("/api/matches", {"game": "aslsk2", "position": crowd(15_000)})
            assert time.monotonic() - began < 5

    run(story)


@pytest.mark.parametrize(
    "state",
    [
        {"deep": [[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]},
        {"long": "x" * 2000},
        {"big": 10**30},
        {"many": {str(n): [0] * 300 for n in range(100)}},
    ],
)
def test_what_no_position_needs_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(BadPosition, match="does not fit"):
        sandtable.new({"game": "tiny", "scenario": "post", "state": state})


def test_long_work_of_one_account_is_bounded_and_keeps_nobody_else_waiting() -> None:
    async def story() -> None:
        rooms = Rooms()
        many = [asyncio.ensure_future(rooms.do("studies", time.sleep, 0.3, account="anna")) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="still being worked on"):
            await rooms.do("studies", time.sleep, 0.3, account="anna")
        began = time.monotonic()
        await rooms.do("questions", time.sleep, 0.01, account="bert")
        assert time.monotonic() - began < 0.25
        await asyncio.gather(*many)
        await rooms.do("studies", time.sleep, 0, account="anna")
        rooms.close()

    run(story)


def test_who_asks_for_many_maps_waits_behind_himself() -> None:
    """Each other combination of options is another map to draw: one guest asks for all of them at once."""

    async def story() -> None:
        rooms = Rooms()
        many = [asyncio.ensure_future(rooms.draw("198.51.100.7", time.sleep, 0.1)) for _ in range(24)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="still being worked on"):
            await rooms.draw("198.51.100.7", time.sleep, 0.1)
        began = time.monotonic()
        await rooms.draw("198.51.100.8", time.sleep, 0)
        assert time.monotonic() - began < 1
        await asyncio.gather(*many)
        assert [*rooms._asked, *rooms._lines, *rooms._busy] == []
        rooms.close()

    run(story)


def test_stories_of_one_account_keep_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To put a match into words it is played again: many such requests at once must not take all threads."""
    go_on = threading.Event()
    monkeypatch.setattr(routes_story, "untold", lambda *_: {"waited": go_on.wait(30)})

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as bert:
            match = await anna.new_match()
            path = f"/api/matches/{match['id']}/steps?side=observer"
            many = [asyncio.ensure_future(anna.http.get(path)) for _ in range(40)]
            await asyncio.sleep(0.2)
            await bert.post("/api/register", {"name": "Bert", "password": "correct horse"})  # it takes a thread too
            go_on.set()
            answers = await asyncio.gather(*many)
            assert {answer.status_code for answer in answers} == {200, 429}
            assert all([answer.json()["waited"] for answer in answers if answer.status_code == 200])

    run(story)


def test_what_the_rules_do_by_themselves_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mission rolls its map, and plays the ENEMY's turn, in one step of its player."""
    where: list[str] = []
    apply = Match.apply

    def noted(match: Match, *what: Any, **more: Any) -> Any:
        where.append(threading.current_thread().name)
        return apply(match, *what, **more)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(game="sasl", scenario="1")
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                monkeypatch.setattr(Match, "apply", noted)
                assert (await live.act(0))["t"] == "done"
            assert where[0].startswith("sandtable-questions")

    run(story)


def test_many_who_need_the_same_map_prepare_it_once() -> None:
    async def story() -> None:
        rooms, under_way, most = Rooms(), 0, 0

        def prepare() -> None:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            time.sleep(0.05)
            under_way -= 1

        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await rooms.open("no", "where", lambda: 1 / 0)
        assert not rooms._first
        first = asyncio.ensure_future(rooms.open("game", "map", prepare))
        await asyncio.gather(first, *[rooms.open("game", "map", prepare) for _ in range(2)])
        assert not rooms._first
        rooms.close()

    run(story)


def test_a_reader_who_does_not_read_costs_little_and_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "READING_SECONDS", 4.0)
    monkeypatch.setattr(server_socket, "RESYNC_BURST", 10_000)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            reader, writer = await asyncio.open_connection("127.0.0.1", int(running.url.rpartition(":")[2]), limit=2000)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            writer.write(
                f"GET /api/matches/{match['id']}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n"
                f"Authorization: Bearer {anna.token}\r\n\r\n".encode()
            )
            await reader.readuntil(b"\r\n\r\n")
            live = running.state.hall._live[match["id"]]
            while not live.audience.connections:
                await asyncio.sleep(0.01)
            (connection,) = live.audience.connections
            text = b'{"t":"resync"}'
            frame = bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text
            most = 0
            for _ in range(4000):
                writer.write(frame)
                most = max(most, connection.waiting)
                await asyncio.sleep(0)
                if connection not in live.audience.connections:
                    break
            while connection in live.audience.connections:
                await asyncio.sleep(0.05)
            assert connection.close_code == 4408
            assert 100_000 < most < MOST_BYTES + 500_000
            still = running.server.server_state.connections
            while any(isinstance(one, SocketProtocol) for one in still) or Connection.of_accounts[anna.user["id"]]:
                await asyncio.sleep(0.1)
            writer.close()

    run(story)


def test_half_requests_are_given_up_and_lock_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 1.0)
    monkeypatch.setattr(protocol, "BODY_SECONDS", 1.0)
    monkeypatch.setattr(protocol, "HALF_OPEN", 40)
    monkeypatch.setattr(protocol, "RUSH_SECONDS", 0.1)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            port = int(running.url.rpartition(":")[2])
            halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
            for _, writer in halves[:50]:
                writer.write(b"GET /api/me HTTP/1.1\r\nHost: 127")
            bodies = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
            for _, writer in bodies:
                writer.write(
                    b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    b"Content-Length: 100\r\n\r\n{"
                )
            await asyncio.sleep(0.3)
            assert len(protocol.DOORKEEPER._half) <= 41
            assert (await anna.get("/api/me"))["user"]["id"] == anna.user["id"]
            began = time.monotonic()
            for reader, _ in (*halves, *bodies):
                answer = await asyncio.wait_for(reader.read(), 10)
                assert answer == b"" or answer.startswith(b"HTTP/1.1 408")
            assert time.monotonic() - began < 5
            assert not protocol.DOORKEEPER._half
            for _, writer in (*halves, *bodies):
                writer.close()

    run(story)


def test_players_who_all_come_back_at_once_are_all_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A balancer opens a connection for each of them before it has read what they want."""
    monkeypatch.setattr(protocol, "HALF_OPEN", 40)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running:
            port = int(running.url.rpartition(":")[2])
            rush = [await asyncio.open_connection("127.0.0.1", port) for _ in range(150)]
            await asyncio.sleep(0.2)
            for _, writer in rush:
                writer.write(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answers = [await asyncio.wait_for(reader.read(), 20) for reader, _ in rush]
            assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
            for _, writer in rush:
                writer.close()

    run(story)


def test_a_websocket_outlives_the_times_of_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(protocol, "BODY_SECONDS", 0.5)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                await asyncio.sleep(1.2)
                assert (await live.ask("ping"))["t"] == "pong"

    run(story)


def test_one_address_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PER_ADDRESS", 2)
    keeper = protocol.Doorkeeper()
    doors: list[Any] = [object() for _ in range(4)]
    assert [keeper.comes(door, "198.51.100.7") for door in doors[:3]] == [True, True, False]
    assert keeper.comes(doors[3], "198.51.100.8")
    keeper.goes(doors[0], "198.51.100.7")
    assert keeper.comes(doors[2], "198.51.100.7")
    assert all(keeper.comes(object(), "") for _ in range(10))  # type: ignore[arg-type]


def test_connections_that_fail_are_logged_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        complain = protocol.Complaints()
        loop = asyncio.get_running_loop()
        for _ in range(1000):
            context = {"message": "socket.accept() out of system resource", "exception": OSError(24, "Too many files")}
            complain(loop, context)

    with caplog.at_level(logging.WARNING):
        run(story)
    assert len(caplog.records) == 1
    assert "Traceback" not in caplog.text


def test_the_watchdog_says_what_held_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        watchdog = Watchdog()
        watchdog.start()
        await asyncio.sleep(0.1)
        held_up()
        await asyncio.sleep(0.2)
        watchdog.stop()
        assert watchdog.longest >= 0.9

    def held_up() -> None:
        time.sleep(1.0)

    with caplog.at_level(logging.WARNING):
        run(story)
    (line,) = [record.getMessage() for record in caplog.records if "held" in record.getMessage()]
    assert "held_up" in line
    assert "event loop was held for " in line
    assert "(it worked " in line


HAMMER = """
import sys, threading, types
sys.setswitchinterval(1e-6)
import msgspec
from sandtable import reading
source = '''
class In{n}(msgspec.Struct, frozen=True):
    a: 'int'
    b: 'str | None' = None
class Out{n}(msgspec.Struct, frozen=True):
    name: 'str'
    parts: 'list[In{n}]' = []
    more: 'dict[str, In{n}]' = {{}}
    last: 'tuple[In{n}, ...]' = ()
'''
module = types.ModuleType("many")
sys.modules["many"] = module
module.msgspec, module.__name__ = msgspec, "many"
def all_at_once(work):
    barrier = threading.Barrier(8)
    def one():
        barrier.wait()
        work()
    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""

FRESH_TYPES = """
for n in range(200):
    exec(source.format(n=n), module.__dict__)
    kind = list[getattr(module, f"Out{n}")]
    all_at_once(lambda: READ([{"name": "x", "parts": [{"a": 1}], "last": [{"a": 2}]}] * 3, kind))
"""

EVERYTHING = """
from sandtable.space.terrain import terrain_table
from sandtable.engine import game_names, get_game, get_scenario
import sandtable
all_at_once(terrain_table.__wrapped__)
for name in game_names():
    all_at_once(lambda: get_game(name))
    game = get_game(name)
    for work in (game.scenarios, game.glossary, game.faces, game.lessons, game.cited_rules):
        all_at_once(work)
    for info in list(game.scenarios())[:1]:
        all_at_once(lambda: sandtable.new(f"{name}/{info.id}", seed=1).position())
"""


def hammered(code: str) -> int:
    """How a fresh process ends in which many threads do the same thing for the first time."""
    command = [sys.executable, "-c", HAMMER + code]
    done = subprocess.run(command, env={"PYTHONPATH": SOURCE, "HOME": "/nonexistent"}, capture_output=True, timeout=200)
    assert done.returncode <= 0, done.stderr.decode()[-2000:]
    return done.returncode


def test_types_read_for_the_first_time_by_many_threads() -> None:
    assert hammered(FRESH_TYPES.replace("READ", "reading.convert")) == 0


def test_tables_and_games_made_for_the_first_time_by_many_threads() -> None:
    assert hammered(EVERYTHING) == 0


def test_a_record_to_look_at_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = sandtable.new("outpost/post", seed=2) if "outpost" in game_names() else sandtable.new("tiny/post", seed=2)
    source = random.Random(1)
    while match.outcome is None:
        side = match.to_act[0]
        match.apply(side, source.choice(match.actions(side)))
    text = match.record().to_lines().replace('"tiny"', '"outpost"')

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            monkeypatch.setattr(making, "STUDY_SECONDS", -1)
            with pytest.raises(Answered, match="s of playing again"):
                await anna.post("/api/records", {"record": text})
            monkeypatch.setattr(making, "STUDY_SECONDS", 20)
            monkeypatch.setattr(making, "MOST_STEPS", 10)
            with pytest.raises(Answered, match="steps: that is too long"):
                await anna.post("/api/records", {"record": text})
            monkeypatch.setattr(making, "MOST_STEPS", 1000)
            study = (await anna.post("/api/records", {"record": text}))["match"]
            replay = await anna.get(f"/api/matches/{study['id']}/replay")
            assert len(replay["steps"]) == match.version + 1
            (album,) = running.state.replays._kept.values()
            assert album.size < 1000 * len(album)
            assert album.state(match.version) == match.state

    run(story)


def test_records_that_somebody_brings_keep_nobody_from_looking_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(text: str) -> Any:
        go_on.wait(30)
        raise BadPosition("The record makes no sense.")

    monkeypatch.setattr(making, "read_record", slow)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as eve, running.client() as anna:
            match = await anna.new_match()
            many = [asyncio.ensure_future(eve.http.post("/api/records", json={"record": "x"})) for _ in range(6)]
            await asyncio.sleep(0.2)
            asked = anna.get(f"/api/matches/{match['id']}/replay", side="observer")
            assert (await asyncio.wait_for(asked, 20))["steps"]
            go_on.set()
            assert sorted([answer.status_code for answer in await asyncio.gather(*many)]) == [400] * 4 + [429] * 2

    run(story)


def test_a_plan_that_takes_long_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans and goals of many pieces are worked out beside the event loop."""

    def slow(*about: Any) -> Any:
        time.sleep(1)
        raise LookupError

    monkeypatch.setattr(server_socket, "plans", slow)
    monkeypatch.setattr(server_socket, "goals", slow)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            async with anna.live(match["id"]) as asks, anna.live(match["id"]) as other:
                await asks.until("welcome")
                await other.until("welcome")
                for kind, more in (("plan", {"cell": "a1"}), ("goals", {})):
                    asking = asyncio.ensure_future(asks.ask(kind, version=0, pieces=["r1"], **more))
                    await asyncio.sleep(0.1)
                    assert (await other.ask("ping"))["t"] == "pong"
                    assert not asking.done()
                    assert (await asking)["code"] == "bad_request"

    run(story)
