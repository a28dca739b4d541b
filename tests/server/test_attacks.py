"""Attacks: whoever may not do or see something cannot, whatever he sends."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest
import websockets
from starlette.requests import HTTPConnection

from sandtable.server.accounts import Accounts
from sandtable.server.gate import Gate
from sandtable.server.limits import Memory
from server.helpers import Answered, Live, run, serving, settings_for
from server.test_table import duel, move


async def drained(live: Live) -> int:
    """The code with which the server ends a connection."""
    try:
        while True:
            await live.receive()
    except websockets.ConnectionClosed as ended:
        assert ended.rcvd is not None
        return ended.rcvd.code


async def closed_with(connecting: AbstractAsyncContextManager[Live]) -> int:
    """The code with which the server ends a new connection."""
    async with connecting as live:
        return await drained(live)


def test_nobody_acts_for_the_other_side(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            action = t.red.actions[t.red.choice("move")]["action"]
            refused = await t.blue.ask("act", version=1, action=action)
            assert (refused["code"], t.blue.view["version"]) == ("not_your_turn", 1)
            assert (await t.blue.ask("act", version=1, n=0))["code"] == "not_your_turn"
            assert (await t.blue.ask("seat", side="red"))["code"] == "forbidden"
            assert (await t.blue.ask("undo"))["code"] == "no_undo"
            assert await closed_with(t.bert.live(t.match["id"], side="red")) == 4404

    run(story)


def test_illegal_actions_are_refused_with_the_rule(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await t.blue.ask("orders", orders={"rules": [{"do": "never"}]})
            await move(t.red, "r2", "b3")
            while t.red.view["to_act"] != ["red"]:
                await t.red.receive()
            again = {"type": "Move", "piece": "r2", "to": "c3"}
            refused = await t.red.ask("act", version=t.red.view["version"], action=again)
            assert (refused["code"], refused["rule"]) == ("illegal", "2.1")
            refused = await t.red.ask("act", version=t.red.view["version"], n=9999)
            assert refused["code"] == "illegal"

    run(story)


def test_a_replayed_message_is_stale(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            n = t.red.choice("done")
            assert (await t.red.ask("act", version=1, n=n))["t"] == "done"
            assert (await t.red.ask("act", version=1, n=n))["code"] == "stale"
            assert (await t.red.ask("act", version=99, n=n))["code"] == "stale"
            assert (await t.red.ask("undo", version=1))["code"] == "stale"

    run(story)


MALFORMED = [
    "",
    "nonsense",
    "[]",
    "null",
    "{}",
    '{"t": "act"}',
    '{"t": "act", "version": "1", "n": 0}',
    '{"t": "act", "version": -1, "n": 0}',
    '{"t": "act", "version": 1, "n": 1e99}',
    '{"t": "act", "version": 1}',
    '{"t": "act", "version": 1, "action": {"type": "Conquer"}}',
    '{"t": "act", "version": 1, "action": [[[]]]}',
    '{"t": "no such thing"}',
    '{"t": "orders", "orders": {"rules": [{"do": "always", "only": ["hack"]}]}}',
    '{"t": "los", "a": "zz9", "b": "a1"}',
    '{"t": "path", "pieces": ["nobody"], "to": "a1"}',
    '{"t": "pace", "pace": "ludicrous"}',
    '{"t": "answer", "kind": "undo", "agree": true}',
    "[" * 20_000,
    '{"t": "chat", "text": "' + "x" * 1900 + '"}',
    '{"t": "preview", "version": 1, "n": 123456}',
    "\x00\x01",
]


def test_malformed_messages_change_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            for text in MALFORMED:
                await t.red.socket.send(text)
                answer = await t.red.receive()
                while answer["t"] == "presence":
                    answer = await t.red.receive()
                assert answer["t"] == "refused" or answer.get("path", 0) is None, text
            await t.red.socket.send(b'{"t": "ping"}')
            assert (await t.red.until("pong"))["now"] > 0
            assert (await t.red.ask("act", version=1, n=0))["t"] == "done"

    run(story)


def test_huge_messages_and_floods_end_the_connection(tmp_path: Path) -> None:
    async def story() -> None:
        limits = {"message_bytes": 10_000, "messages_per_second": 5, "message_burst": 20}
        async with serving(settings_for(tmp_path, **limits)) as running, running.client() as anna:
            match = await anna.new_match()
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                await live.socket.send("x" * 20_000)
                assert await drained(live) == 1009
            async with anna.live(match["id"]) as live:
                for _ in range(150):
                    await live.send("ping")
                assert await drained(live) == 4408
            assert (await anna.get("/api/me"))["user"]["id"] == anna.user["id"]

    run(story)


def test_requests_are_limited_in_size_and_number(tmp_path: Path) -> None:
    async def story() -> None:
        limits = {"accounts_per_minute": 3, "matches_per_hour": 2, "connections": 2}
        async with serving(settings_for(tmp_path, **limits)) as running, running.client() as anna:
            with pytest.raises(Answered) as refused:
                await anna.post("/api/me", {"settings": {"x": "y" * 100_000}}, "PUT")
            assert refused.value.status == 413
            await anna.new_match()
            match = await anna.new_match()
            with pytest.raises(Answered) as refused:
                await anna.new_match()
            assert refused.value.code == "too_many"
            async with httpx.AsyncClient(base_url=running.url) as http:
                body = {"name": "Anna", "password": "guess work"}
                codes = [(await http.post("/api/login", json=body)).status_code for _ in range(4)]
                assert codes == [403, 403, 429, 429]
            async with anna.live(match["id"]) as one, anna.live(match["id"]) as two:
                await one.until("welcome")
                await two.until("welcome")
                assert await closed_with(anna.live(match["id"])) == 4408

    run(story)


def test_strangers_see_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client() as eve:
            number = t.match["id"]
            for path in ("", "/record", "/replay", "/replay/1"):
                with pytest.raises(Answered) as refused:
                    await eve.get(f"/api/matches/{number}{path}")
                assert refused.value.status == 404
            for path, body in (("/archive", {}), ("/seats/red", {"kind": "me"})):
                with pytest.raises(Answered) as refused:
                    await eve.post(f"/api/matches/{number}{path}", body)
                assert refused.value.status == 404
            assert await closed_with(eve.live(number)) == 4404
            assert await closed_with(eve.live("m000000000000")) == 4404
            eve.token = "forged.0.1.x"
            assert await closed_with(eve.live(number)) == 4401

    run(story)


def test_another_sides_past_cannot_be_read(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            for eyes in ("blue", "all"):
                with pytest.raises(Answered):
                    await t.anna.get(f"/api/matches/{t.match['id']}/replay", side=eyes)
                with pytest.raises(Answered):
                    await t.anna.get(f"/api/matches/{t.match['id']}/replay/1", side=eyes)
            own = json.dumps(await t.anna.get(f"/api/matches/{t.match['id']}/replay/1", side="red"))
            assert '"b3"' not in own
            assert "Hidden" not in own

    run(story)


def test_tokens_cannot_be_guessed(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            token = t.match["invitations"]["blue"].rpartition("/")[2]
            assert len(token) >= 32
            for guess in ("", "x", token, token[:-1], token.swapcase(), "%", "' OR 1=1 --"):
                with pytest.raises(Answered):
                    await t.anna.post("/api/join", {"token": guess})
                with pytest.raises(Answered):
                    await t.anna.post("/api/watch", {"token": guess})

    run(story)


def test_nobody_is_invited_to_dice_that_are_known(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path, seeded_duels=False)) as running, running.client() as anna:
            with pytest.raises(Answered, match="known beforehand"):
                await anna.new_match(seed=7, seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
            match = await anna.new_match(seed=7, seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            with pytest.raises(Answered, match="known beforehand"):
                await anna.post(f"/api/matches/{match['id']}/seats/blue", {"kind": "invitation"})

    run(story)


def test_observers_only_look_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client() as carl:
            await carl.post("/api/watch", {"token": t.match["watch"].rpartition("/")[2]})
            async with carl.live(t.match["id"]) as live:
                welcome = await live.until("welcome")
                assert welcome["side"] is None
                assert "actions" not in welcome
                assert "orders" not in welcome
                assert welcome["match"]["invitations"] == {}
                for kind in ("resign", "ask_undo", "offer_draw", "claim_timeout", "undo"):
                    assert (await live.ask(kind))["code"] == "forbidden"
                assert (await live.ask("act", version=1, n=0))["code"] == "forbidden"
            with pytest.raises(Answered):
                await carl.post(f"/api/matches/{t.match['id']}/seats/red", {"kind": "me"})

    run(story)


def test_other_sites_cannot_act_in_a_players_name(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            evil = {"Origin": "https://evil.example"}
            answer = await anna.http.post("/api/matches", json={"game": "outpost"}, headers=evil)
            assert answer.status_code == 403
            answer = await anna.http.post(
                "/api/matches", content='{"game": "outpost"}', headers={"Content-Type": "text/plain"}
            )
            assert answer.status_code == 400
            answer = await anna.http.post("/api/guest", json={}, headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 403
            own = {"Origin": running.url}
            assert (await anna.http.post("/api/guest", json={}, headers=own)).status_code == 200
            rebound = {"Host": "evil.example"}
            assert (await anna.http.get("/api/me", headers=rebound)).status_code == 403
            url = f"{running.url.replace('http', 'ws')}/api/matches/{match['id']}/live"
            headers = {"Authorization": f"Bearer {anna.token}"}
            with pytest.raises(websockets.InvalidStatus) as refused:
                await websockets.connect(url, additional_headers=headers, origin="https://evil.example")
            assert refused.value.response.status_code == 403
            async with websockets.connect(url, additional_headers=headers, origin=running.url) as socket:
                assert json.loads(await socket.recv())["t"] == "welcome"

    run(story)


def test_every_answer_has_the_security_headers(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            for path in ("/", "/api/games", "/api/nothing", "/api/games/outpost/post/picture.svg", "/nothing"):
                headers = (await anna.http.get(path)).headers
                policy = headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "script-src 'unsafe-inline'" not in policy
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["referrer-policy"] == "no-referrer"

    run(story)


@pytest.mark.parametrize(
    ("headers", "host", "right"),
    [
        ({"host": "127.0.0.1:8000"}, "127.0.0.1", True),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, "127.0.0.1", True),
        ({"host": "localhost:8000", "origin": "http://localhost:9000"}, "127.0.0.1", False),
        ({"host": "localhost:8000", "origin": "null"}, "127.0.0.1", False),
        ({"host": "evil.example", "origin": "http://evil.example"}, "127.0.0.1", False),
        ({"host": "club.example", "origin": "https://club.example"}, "127.0.0.1", True),
        ({"host": "127.0.0.1:8000", "origin": "https://club.example"}, "127.0.0.1", True),
        ({"host": "table.example", "origin": "http://table.example"}, "0.0.0.0", True),
        ({"host": "table.example", "origin": "https://evil.example"}, "0.0.0.0", False),
        ({"host": "table.example", "sec-fetch-site": "cross-site"}, "0.0.0.0", False),
    ],
)
def test_origins(tmp_path: Path, headers: dict[str, str], host: str, right: bool) -> None:
    settings = settings_for(tmp_path, host=host, public_url="https://club.example")
    gate = Gate(settings, Accounts(None), Memory())  # type: ignore[arg-type]
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert gate.same_origin(HTTPConnection({"type": "http", "headers": raw})) is right


def test_nothing_secret_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        with caplog.at_level("DEBUG"):
            async with duel(tmp_path) as t:
                await t.anna.post("/api/register", {"name": "Anna", "password": "correct horse"})
                token = t.match["invitations"]["blue"].rpartition("/")[2]
                with pytest.raises(Answered):
                    await t.anna.get(f"/api/invitations/{token}")
                await t.red.socket.send("nonsense")
                await asyncio.sleep(0.05)
                inner = t.running.state.hall._live[t.match["id"]].match
                secrets = [token, t.anna.token, "correct horse", inner.header.secret, t.match["watch"].split("/")[-1]]
        own = [record.getMessage() for record in caplog.records if record.name.startswith("sandtable")]
        assert not [line for line in own for secret in secrets if secret in line]

    run(story)
