"""The machine's clock is set while people play: no time is won or lost by it, and nobody loses his account."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from sandtable.server.store.base import now
from sandtable.server.tokens import LIFETIME_MS, Signer
from server.helpers import Answered, run, serving, settings_for

HOUR_NS = 3600 * 10**9


@pytest.mark.parametrize("jump", [HOUR_NS, -HOUR_NS])
def test_a_jump_wins_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
        ):
            seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
            match = await anna.new_match(seats=seats, clock={"bank": 60, "increment": 0})
            await bert.join(match["invitations"]["blue"])
            wall = time.time_ns
            monkeypatch.setattr(time, "time_ns", lambda: wall() + jump)
            monkeypatch.setattr(time, "time", lambda: (wall() + jump) / 1e9)
            async with anna.live(match["id"], side="red") as live:
                clocks = (await live.until("welcome"))["clocks"]
                assert 50_000 < clocks["blue"]["left_ms"] <= 60_000
                assert (await live.ask("claim_timeout"))["text"] == "Nobody's time is up."
            assert (await anna.get("/api/me"))["user"]["name"] == "Anna"

    run(story)


def test_time_does_not_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert 0 <= now() - before < 1000


def test_a_token_from_before_the_clock_was_set_back_is_good() -> None:
    signer = Signer(b"key")
    token = signer.sign("u1", 0, 10_000_000_000)
    assert signer.read(token, 10_000_000_000 - 3_600_000) is not None
    assert signer.read(token, 10_000_000_000 + LIFETIME_MS + 1) is None


def test_a_cookie_of_an_account_is_not_overwritten_without_asking(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client("Anna") as anna:
            old = anna.token
            await anna.post("/api/register", {"name": "Anna", "password": "correct horse"})
            await anna.post("/api/logout", {"everywhere": True})
            async with httpx.AsyncClient(base_url=running.url, cookies={"sandtable": old}) as other:
                refused = await other.post("/api/guest", json={})
                assert (refused.status_code, refused.json()["error"]["code"]) == (401, "account_lost")
                assert "Anna" in refused.json()["error"]["text"]
                assert "set-cookie" not in refused.headers
                assert (await other.post("/api/guest", json={"fresh": True})).status_code == 200
            async with httpx.AsyncClient(base_url=running.url, cookies={"sandtable": "of.another.server"}) as other:
                assert (await other.post("/api/guest", json={})).status_code == 200
            with pytest.raises(Answered):
                await anna.get("/api/matches")

    run(story)
