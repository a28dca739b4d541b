"""Running the server: uvicorn with our limits, and nothing secret in the logs."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import uvicorn

from sandtable.players.hands import usual_hands
from sandtable.players.thinking import check_fits, usual_budget
from sandtable.server.app import make_app
from sandtable.server.protocol import configured, more_files
from sandtable.server.refusal import Refused
from sandtable.server.settings import BadSetting, Settings
from sandtable.server.store import open_store
from sandtable.server.worker import load_games

log = logging.getLogger("sandtable.server")

LAST_SECONDS = 4.0
"""So long what is under way may take when the server stops; then it is cut off."""
SWITCH_SECONDS = 0.0005
"""The thread that writes must not wait long for the one that reads messages, nor the other way round."""


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or a free one if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in (wanted, 0):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            number: int = probe.getsockname()[1]
            return number
    raise BadSetting(f"There is no free port on {host}.")


class QuietEnd(logging.Filter):
    """What is cut off because the server stops is no fault: nothing is said of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is worth reading."""
        return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class _Server(uvicorn.Server):
    """Says when it can be reached, and ends quietly."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], shared: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._shared = shared

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()  # what the games are made of stays: looking through it again and again would hold everybody up
            self._ready()
            if self._shared is not None:
                await self._open(self._shared)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").addFilter(QuietEnd())
        cutting = asyncio.get_running_loop().create_task(self._cut_off())
        await super().shutdown(sockets)
        cutting.cancel()

    async def _cut_off(self) -> None:
        """End what has not ended by itself, while there is still a database in which it can be left tidy."""
        await asyncio.sleep(LAST_SECONDS)
        for task in list(self.server_state.tasks):
            task.cancel()
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def _open(self, told: Callable[[str], None]) -> None:
        """Listen to the network from the start, and say where."""
        app: Any = self.config.app
        try:
            told(await app.state.network.open())
        except Refused as refusal:
            log.warning("%s", refusal.text)


def check_port(host: str, port: int) -> None:
    """Say in a sentence that somebody else listens there already."""
    try:
        taken = free_port(host, port) != port
    except OSError as error:
        raise BadSetting(f"There is no address {host} on this machine: {error.strerror}.") from None
    if taken:
        raise BadSetting(f"Port {port} of {host} cannot be used, perhaps because a server runs there: say --port.")


def check_house(settings: Settings) -> None:
    """Say in a sentence that a server alone must let its computer players think itself, or that a proxy is none."""
    if not settings.workers and not settings.database.startswith(("postgresql://", "postgres://")):
        raise BadSetting("Without PostgreSQL there are no other workers: say --workers 1 or more.")
    for proxy in settings.proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise BadSetting(f"--proxy {proxy[:60]} is not an address or a network like 10.0.0.0/24.") from None


async def check_database(settings: Settings) -> None:
    """Say in a sentence what is wrong with the database, before anything else is started."""
    await (await open_store(settings.database, alone=True)).close()


def run(
    settings: Settings,
    ready: Callable[[], None],
    *,
    verbose: bool = False,
    shared: Callable[[str], None] | None = None,
) -> int:
    """Serve until interrupted; the exit code is 0 after a proper end. With `shared` the network is let in at once."""
    check_port(settings.host, settings.port)
    check_house(settings)
    load_games(settings.games)
    check_fits(usual_budget(), settings.think_seconds)
    usual_hands()  # a wrong number is told of now
    asyncio.run(check_database(settings))
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    more_files()
    server = _Server(configured(make_app(settings), settings), ready, shared)
    server.run()
    return 0 if server.started else 1
