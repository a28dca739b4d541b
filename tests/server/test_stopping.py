"""A server that is told to stop ends soon and without a word, whoever is in the middle of something."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx

from server.crashing import START, environment, free_port
from server.helpers import Client, run

HALF = b'POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"na'


def test_a_server_that_is_told_to_stop_ends_quietly(tmp_path: Path) -> None:
    """Half a request, and a reader who does not read, were a traceback each when they were cut off."""

    async def story() -> None:
        port = free_port()
        arguments = [sys.executable, "-c", START, str(port), str(tmp_path / "x.sqlite")]
        server = subprocess.Popen(arguments, env=environment(), stderr=subprocess.PIPE, text=True)
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
                while True:
                    try:
                        if (await http.get("/health")).status_code == 200:
                            break
                    except httpx.TransportError:
                        await asyncio.sleep(0.05)
                anna = Client(http, f"http://127.0.0.1:{port}")
                anna.token = (await anna.post("/api/guest", {"token": True}))["token"]
                match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
                async with anna.live(match["id"]) as live:
                    await live.until("welcome")
                    with socket.create_connection(("127.0.0.1", port)) as half:
                        half.sendall(HALF)
                        await http.get("/health")
                        server.send_signal(signal.SIGTERM)
                        _, told = await asyncio.to_thread(server.communicate, timeout=60)
        finally:
            server.kill()
        lines = [line for line in told.splitlines() if "the event loop was held" not in line]  # a busy machine
        assert lines == []
        assert server.returncode in (0, -signal.SIGTERM)

    run(story)
