"""Small faults: strange input that ended in a traceback, names that deceive, lists that end silently."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.engine.errors import BadPosition
from sandtable.server import listing
from sandtable.server.looks import look_of
from sandtable.server.store import Statement
from server.helpers import Answered, run, serving, settings_for
from server.test_table import duel


@pytest.mark.parametrize(("game", "cell"), [("outpost", "c3"), ("pbi", "zz99"), ("aslsk2", "zz99")])
def test_a_line_of_sight_to_nowhere_is_refused_in_a_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, game: str, cell: str
) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(game=game)
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                for a, b in (("nowhere", cell), (cell, "nowhere"), ("", ""), ("\x00", "A1")):
                    answer = await live.ask("los", a=a, b=b)
                    assert answer["t"] == "refused", (a, b)
                    assert answer["code"] in ("bad_request", "illegal", "not_now")
                for a in ("nowhere", "", "\x00"):
                    answer = await live.ask("visible", a=a)
                    assert answer["t"] == "refused", a

    run(story)
    assert "Traceback" not in caplog.text


def test_strange_headers_and_addresses_are_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            for origin in ("http://[", "http://[::1", "//", "null", running.url.replace("http", "https")):
                answer = await anna.http.post("/api/guest", json={}, headers={"Origin": origin})
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin"), origin
            for url in ("http://[", "https://a:b:c/", "https://x\n.example/", "https://user@example.org"):
                with pytest.raises(Answered, match="A webhook is an address"):
                    await anna.post("/api/me", {"notify": {"webhook": url}}, "PUT")

    run(story)
    assert "Traceback" not in caplog.text


def test_a_webhook_into_an_inner_network_is_refused_when_it_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path, private_webhooks=False)) as running, running.client() as anna:
            inner = ("127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[64:ff9b::a00:1]", "[2002:a00:1::1]", "localhost")
            for host in (*inner, "club.localhost.", "10.1.2.3:8080", "[fe80::1%25eth0]"):
                with pytest.raises(Answered, match="open internet"):
                    await anna.post("/api/me", {"notify": {"webhook": f"http://{host}/"}}, "PUT")
            kept = await anna.post("/api/me", {"notify": {"webhook": "https://hooks.example.org/turn"}}, "PUT")
            assert kept["user"]["notify"]["webhook"] == "https://hooks.example.org/turn"

    run(story)


def test_damaged_positions_are_refused_in_a_sentence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    good = sandtable.new("aslsk2/S9", seed=1).position()

    def damaged(**changes: Any) -> dict[str, Any]:
        return {**good, "state": {**good["state"], **changes}}

    unit = good["state"]["units"][0]
    positions = [
        damaged(units=[{**unit, "group": "nobody"}]),
        damaged(turn="soon"),
        damaged(turn=[]),
        damaged(units=[1, 2]),
        damaged(units={"a": 1}),
        damaged(stack=[{"type": "Nonsense"}]),
        damaged(stack=[{"type": "FireDraft"}]),
        damaged(weapons=[{"kind": "german MMG", "owner": unit["id"], "marker": "x"}]),
        {**good, "state": []},
        {"game": "aslsk2"},
    ]

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            for position in positions:
                answer = await anna.http.post("/api/matches", json={"game": "aslsk2", "position": position})
                assert answer.status_code == 400, (position, answer.text)

    run(story)
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("scenario", "path", "value", "words"),
    [
        ("pbi/village", ("pieces", "a1-1", "at"), "ZZ99", "no square of the table"),
        ("pbi/village", ("pieces", "a1-1", "unit"), "nobody", "has no unit"),
        ("pbi/village", ("units", "a1", "id"), "a2", "calls itself"),
        ("pbi/village", ("at", "A1"), [], "does not hold just the pieces"),
        ("pbi/village", ("cargo", "nothing"), ["a1-1"], "does not hold just the pieces"),
        ("pbi/village", ("rules", "hits_spread"), "", "the ruling hits_spread is one of"),
        ("pbi/village", ("stack", 0, "side"), "", "belongs to no side"),
        ("underbelly/historical", ("steps", "BR-56"), -1, "cannot have -1 steps"),
    ],
)
def test_positions_that_do_not_hold_together(scenario: str, path: tuple[Any, ...], value: Any, words: str) -> None:
    position = json.loads(json.dumps(msgspec.to_builtins(sandtable.new(scenario, seed=1).position())))
    part = position["state"]
    for step in path[:-1]:
        part = part.setdefault(step, {}) if isinstance(part, dict) else part[step]
    part[path[-1]] = value
    with pytest.raises(BadPosition, match=words):
        sandtable.new(position)


def test_nonsense_after_an_action_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            n = t.red.choice("move", pieces=["r1"], cells=["b1"])
            refused = await t.red.ask("act", version=1, n=n, then=[{"type": "Conquer"}])
            assert refused["code"] == "bad_request"
            assert t.running.state.hall._live[t.match["id"]].version == 1

    run(story)


def test_a_message_that_came_too_quickly_is_refused_with_its_number(tmp_path: Path) -> None:
    async def story() -> None:
        limits = {"messages_per_second": 0.1, "message_burst": 3}
        async with serving(settings_for(tmp_path, **limits)) as running, running.client() as anna:
            match = await anna.new_match()
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                answers = [await live.ask("ping") for _ in range(6)]
                assert answers[-1]["code"] == "too_many"

    run(story)


def test_names_do_not_deceive(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna, running.client() as eve:
            await anna.post("/api/register", {"name": "Molly Rose", "password": "correct horse"})
            alike = (
                "Sandtable",
                "S a n d t a b l e",
                "Sandtab1e",
                "Sandtab\u0142e",
                "Regular",
                "Molly Rose",
                "MOLLY-R0SE",
            )
            for name in (*alike, "Mo11y Rose", "Mo\u0142\u0142y Rose"):
                with pytest.raises(Answered) as refused:
                    await eve.post("/api/me", {"name": name}, "PUT")
                assert refused.value.code == "taken", name
                with pytest.raises(Answered):
                    await eve.post("/api/register", {"name": name, "password": "correct horse"})
            for name in ("M\u043elly Rose", "Sandt\u0430ble"):  # with Cyrillic letters among the Latin ones
                with pytest.raises(Answered, match="one script"):
                    await eve.post("/api/me", {"name": name}, "PUT")
            for name in ("Olga", "\u041e\u043b\u044c\u0433\u0430", "J\u00f6rg", "Molly"):
                await eve.post("/api/me", {"name": name}, "PUT")
            await running.state.store.write(Statement("UPDATE users SET look = NULL"))
        async with serving(settings_for(tmp_path)) as running, running.client() as eve:  # older accounts count too
            with pytest.raises(Answered, match="looks like one that is"):
                await eve.post("/api/me", {"name": "Molly R0se"}, "PUT")

    run(story)


def test_what_looks_alike() -> None:
    assert look_of("\u0410nn\u0430") == look_of("Anna") == look_of("ANNA ") == look_of("\u00c0nn\u00e5")
    assert look_of("Bernd") == look_of("Bemd")
    assert look_of("Ka\u0142ka") == look_of("Kalka") == look_of("Ka\u029fka") == look_of("KaIka")
    assert look_of("Ka\u026bka") == look_of("Kalka")  # with a tilde through its middle
    assert look_of("\ua4ee\ua4e0\ua4e0\ua4ee") == look_of("\u13aanna") == look_of("Anna")  # Lisu, Cherokee
    assert look_of("Anna") != look_of("Anne")
    assert look_of("S\u00f8ren") != look_of("Saren")


def test_titles_and_talk_are_one_line_that_can_be_seen(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(title="Tuesday\r\nBcc: all\u202eevil\x1b[31m")
            assert match["title"] == "Tuesday Bcc: all evil [31m"
            with pytest.raises(Answered, match="NUL"):
                await anna.new_match(title="a\x00b")
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                await live.ask("chat", text="one\ntwo\x07 three")
                chats = [message for message in live.told if message["t"] == "chat"]
                assert chats[-1]["lines"][0]["text"] == "one two three"

    run(story)


def test_a_list_says_that_there_is_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "LISTED", 3)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            made = {(await anna.new_match())["id"] for _ in range(5)}
            first = await anna.get("/api/matches")
            second = await anna.get("/api/matches", skip=3)
            assert (len(first["matches"]), first["more"]) == (3, True)
            assert (len(second["matches"]), second["more"]) == (2, False)
            assert {match["id"] for page in (first, second) for match in page["matches"]} == made
            with pytest.raises(Answered, match="skip"):
                await anna.get("/api/matches", skip="x")

    run(story)


def test_a_talkative_server_tells_no_addresses(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match()
            async with anna.live(match["id"]) as live:
                await live.until("welcome")

    with caplog.at_level(logging.INFO):
        run(story)
    own = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpx", "websockets"))]
    assert not [line for line in own if "127.0.0.1" in line]
