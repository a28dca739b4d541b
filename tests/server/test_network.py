"""A friend in this network: a second door, opened only from this machine, and never a link to 127.0.0.1."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
import websockets

from sandtable.server import network, protocol
from server.helpers import Answered, run, serving, settings_for

OTHER = "127.0.0.2"
"""This machine by another name, so that nothing outside is listened to."""


def test_the_door_is_opened_and_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "own_addresses", lambda: [OTHER])

    async def story() -> None:
        async with serving(settings_for(tmp_path, sharing=True)) as running, running.client() as anna:
            assert await anna.get("/api/network") == {"offered": True, "url": ""}
            opened = await anna.post("/api/network", {})
            assert opened["url"].startswith(f"http://{OTHER}:")
            async with httpx.AsyncClient(base_url=opened["url"]) as friend:
                answer = await friend.get("/api/health")
                assert answer.json() == {"ok": True}
                assert (await friend.get("/api/network")).json()["url"] == opened["url"]
            assert (await anna.post("/api/network", {}))["url"] == opened["url"], "it is opened once"
            picture = await anna.http.get("/api/qr.svg", params={"text": f"{opened['url']}/#/join/abc"})
            assert picture.text.startswith("<svg")
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{opened['url']}/api/health")

    run(story)


def test_the_second_door_is_as_careful_as_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half requests are given up, and a message may not be bigger than it may be at the first door."""
    monkeypatch.setattr(network, "own_addresses", lambda: [OTHER])
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.3)

    async def story() -> None:
        settings = settings_for(tmp_path, sharing=True)
        async with serving(settings) as running, running.client() as anna:
            opened = await anna.post("/api/network", {})
            reader, writer = await asyncio.open_connection(OTHER, int(opened["url"].rpartition(":")[2]))
            writer.write(b"GET /api/health HTTP/1.1\r\nHost: x\r\n")
            assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 408")
            writer.close()
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            anna.url = opened["url"]
            async with anna.live(match["id"]) as friend:
                await friend.until("welcome")
                with pytest.raises(websockets.ConnectionClosed):
                    await friend.ask("chat", text="x" * (settings.message_bytes + 1))

    run(story)


def test_a_server_for_many_offers_its_own_address_instead(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            assert (await anna.get("/api/network"))["offered"] is False
            with pytest.raises(Answered, match="share its own address"):
                await anna.post("/api/network", {})
            with pytest.raises(Answered, match="Say which link"):
                await anna.get("/api/qr.svg", text="anything")

    run(story)


def test_no_address_of_this_machine_alone_is_offered() -> None:
    for address in ("127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "nonsense"):
        assert not network.reachable(address)
    assert network.reachable("192.168.1.20")


def test_the_boards_that_are_here(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            boards = {row["name"]: row for row in (await anna.get("/api/boards"))["boards"]}
            assert boards["1"]["hexes"] == "33 10"
            assert boards["1"]["origin"] == "shipped"

    run(story)
