"""Requests that cost much: big ones without an end, and the same file again and again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sandtable.server import gate
from server.helpers import Answered, run, serving, settings_for


def test_the_clients_own_files_are_limited_like_everything_else(tmp_path: Path) -> None:
    async def story() -> None:
        slow = settings_for(tmp_path, requests_per_second=0.01, request_burst=20)
        async with serving(slow) as running, running.client() as anna:
            codes = [(await anna.http.get("/favicon.svg")).status_code for _ in range(30)]
            assert (codes[0], codes[-1]) == (200, 429)

    run(story)


def test_big_requests_without_an_end_take_no_memory_and_leave_nothing_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(gate, "MOST_COMING", 1_000_000)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            port = int(running.url.rpartition(":")[2])
            head = f"POST /api/records HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {anna.token}\r\n"
            head += "Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
            halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6)]
            for _, writer in halves:
                writer.write(head.encode() + b"x" * 400_000)
            answers = [asyncio.ensure_future(reader.read(12)) for reader, _ in halves]
            while sum([answer.done() for answer in answers]) < 4:
                await asyncio.sleep(0.02)
            refused = [answer.result() for answer in answers if answer.done()].count(b"HTTP/1.1 429")
            assert refused == 4
            assert running.state.gate._coming.total() <= 1_000_000
            assert (await anna.get("/api/me"))["user"]["id"] == anna.user["id"]
            with pytest.raises(Answered, match="send one after another"):
                await anna.post("/api/records", {"record": "x" * 300_000})
            assert (await anna.post("/api/matches", {"game": "outpost"}))["match"]
            for _, writer in halves:
                writer.close()
            while running.state.gate._coming:
                await asyncio.sleep(0.02)
            assert not [record for record in caplog.records if "held" not in record.getMessage()]

    run(story)
