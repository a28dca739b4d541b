"""The example of a proxy before a house, as it stands in `examples/house/nginx.conf`, with a real nginx."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
import websockets

from sandtable.server.store import Store, open_store
from server.conftest import Postgres
from server.crashing import free_port
from server.helpers import Client, Live, run
from server.manytables import house

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "house" / "nginx.conf"
NGINX, OPENSSL = shutil.which("nginx") or shutil.which("/usr/sbin/nginx"), shutil.which("openssl")

AROUND = """
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/house.conf;
}}
"""


def written(folder: Path, port: int, ports: list[int]) -> Path:
    """The example with addresses and paths of this machine, and what stands around it in /etc/nginx/nginx.conf."""
    text = EXAMPLE.read_text()
    upstream = re.search(r"( +server )10\.0\.0\.11:8000( .*\n)", text)
    assert upstream is not None
    lines = "".join(f"{upstream[1]}127.0.0.1:{number}{upstream[2]}" for number in ports)
    text = re.sub(r"(?: +server 10\..*\n)+", lambda _: lines, text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("/etc/ssl/table", f"{folder}/table")
    (folder / "house.conf").write_text(text)
    around = folder / "nginx.conf"
    around.write_text(AROUND.format(folder=folder, user="user root;" if os.getuid() == 0 else ""))
    return around


def certificate(folder: Path) -> str:
    """A certificate of this machine's own."""
    assert OPENSSL is not None
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/table.key", "-out", f"{folder}/table.pem"]
    subprocess.run([OPENSSL, *made, *files], check=True, capture_output=True)
    return f"{folder}/table.pem"


@asynccontextmanager
async def proxy(folder: Path, ports: list[int]) -> AsyncIterator[str]:
    """nginx before processes at these ports; its address."""
    assert NGINX is not None
    port = free_port()
    command = [NGINX, "-p", str(folder), "-c", str(written(folder, port, ports))]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield f"https://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


async def guest(stack: AsyncExitStack, url: str) -> Client:
    """A new account, through the proxy."""
    client = Client(
        await stack.enter_async_context(httpx.AsyncClient(base_url=url, headers={"Origin": url}, timeout=60)), url
    )
    answer = await client.post("/api/guest", {"token": True})
    client.token, client.user = answer["token"], answer["user"]
    return client


async def process_of(store: Store, side: str) -> int:
    """The process that serves a side."""
    while len(rows := await store.read("SELECT process FROM presence WHERE side = ?", side)) != 1:
        await asyncio.sleep(0.05)  # the connection before it has not gone yet
    return int(rows[0][0].split("-")[-2])


async def back(stack: AsyncExitStack, client: Client, match: str, side: str) -> Live:
    """A connection to a match that greets, through the proxy."""
    while True:
        try:
            live = await stack.enter_async_context(client.live(match, side=side))
            await live.until("welcome")
            return live
        except (OSError, websockets.WebSocketException):
            await asyncio.sleep(0.1)


async def play(seats: dict[str, Live], source: random.Random, steps: int) -> int:
    """So many actions, or up to the end; each is seen by both. How many there were."""
    for number in range(steps):
        if any(live.result for live in seats.values()):
            return number
        while not any(live.actions for live in seats.values()):
            await asyncio.gather(*[live.receive() for live in seats.values()])
        mover = next(live for live in seats.values() if live.actions)
        version = mover.view["version"]
        assert (await mover.act(source.randrange(len(mover.actions))))["t"] == "done"
        await asyncio.gather(*[live.at(version + 1) for live in seats.values()])
    return steps


@pytest.mark.skipif(NGINX is None or OPENSSL is None, reason="nginx or openssl is not installed")
def test_a_match_is_played_through_nginx_at_two_processes_of_which_one_is_killed(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate(tmp_path))
    database, source = postgres.database("nginx"), random.Random(3)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            serving, _ = await stack.enter_async_context(house(database, 2, 0))
            url = await stack.enter_async_context(proxy(tmp_path, [process.port for process in serving]))
            store = await open_store(database)
            stack.push_async_callback(store.close)
            anna, bert = await guest(stack, url), await guest(stack, url)
            assert (await anna.http.get("/health")).json() == {"ok": True}
            assert (await anna.http.get("/metrics")).status_code == 404
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
            await bert.join(match["invitations"]["blue"])
            red = await back(stack, anna, match["id"], "red")
            blue = await back(stack, bert, match["id"], "blue")
            while await process_of(store, "blue") == await process_of(store, "red"):
                await blue.socket.close()
                blue = await back(stack, bert, match["id"], "blue")
            for live in (red, blue):
                await live.ask("orders", orders={"forced": False, "idle": False})
            assert await play({"red": red, "blue": blue}, source, 4) == 4
            dead = await process_of(store, "blue")
            next(process for process in serving if process.process and process.process.pid == dead).kill()
            blue = await back(stack, bert, match["id"], "blue")
            assert blue.view["version"] == red.view["version"] == 4
            assert await play({"red": red, "blue": blue}, source, 500) < 500
            assert red.result == blue.result

    run(story)
