"""A friend in this network: a server for this machine listens there too when its owner asks for it."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from typing import Any

import uvicorn

from sandtable.server.protocol import configured
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings

log = logging.getLogger("sandtable.server")

AWAY = (("192.0.2.1", 9), ("198.51.100.1", 9))
"""Addresses of nobody: asking the way to them, without sending anything, tells this machine's own address."""
NO_NETWORK = "This machine is in no network that a friend could reach it by."


def own_addresses() -> list[str]:
    """The addresses of this machine that others of its network can reach, the likeliest first."""
    found: list[str] = []
    for target in AWAY:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
            probe.connect(target)
            found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if reachable(one)]


def reachable(address: str) -> bool:
    """Whether somebody else can mean this machine by an address: never 127.0.0.1."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_unspecified or known.is_link_local or known.is_multicast)


class Network:
    """The second door of a server that otherwise serves this machine alone."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._port = settings.port
        self.offered = settings.sharing
        """Whether the door may be opened: not on a server that listens to everybody anyway."""
        self.address = ""
        self.port = 0
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """What a friend types or scans; empty while the door is closed."""
        return f"http://{self.address}:{self.port}" if self.address else ""

    async def open(self) -> str:
        """Listen to the network; gives the address that a friend can reach."""
        if self.address:
            return self.url
        if not self.offered:
            raise Refused("not_now", "This server is not a game on one machine: share its own address.")
        for address in await asyncio.to_thread(own_addresses):
            for port in (self._port, 0):
                if await self._listen(address, port):
                    return self.url
        raise Refused("not_now", NO_NETWORK)

    async def _listen(self, address: str, port: int) -> bool:
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((address, port))
        except OSError:
            door.close()
            return False
        self._server = _Quiet(configured(self._app, self._settings, lifespan="off", timeout_graceful_shutdown=2))
        self.address, self.port = address, int(door.getsockname()[1])
        self._task = asyncio.create_task(self._server.serve(sockets=[door]))
        return True

    async def close(self) -> None:
        """Nobody else comes in any more."""
        self.address = ""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._server = self._task = None


class _Quiet(uvicorn.Server):
    """A server that leaves the signals of the process to the first one."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Take no signals."""
        yield
