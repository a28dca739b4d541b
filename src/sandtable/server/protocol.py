"""Connections that are not used properly are cut off: half requests, and readers who do not read."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sandtable.server.limits import network_of
from sandtable.server.settings import Settings

log = logging.getLogger("sandtable.server")

HEADER_SECONDS = 10.0
"""A request must have told all its headers in this time ..."""
BODY_SECONDS = 60.0
"""... and its body in this."""
READING_SECONDS = 30.0
"""A reader whose line is full must take something in this time."""
HALF_OPEN = 256
"""Connections that have not asked for anything yet; of more, the oldest are closed ..."""
RUSH_SECONDS = 1.0
"""... but not before they had this time: when a server is back, all its players come at once ..."""
RUSH = 2048
"""... unless there are even more."""
PER_ADDRESS = 300
"""Connections of one address, other than this machine's own (a proxy stands there for many)."""
QUIET_SECONDS = 10.0

TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Doorkeeper:
    """Counts who stands in the door; all connections of a process share it."""

    def __init__(self) -> None:
        self._half: OrderedDict[HttpProtocol, float] = OrderedDict()
        """Since when each of them has stood there, the first comers first."""
        self._thinning = False
        self._addresses: Counter[str] = Counter()
        self.proxies: list[IPv4Network | IPv6Network] = []
        """Those of other machines that stand for many."""

    def comes(self, protocol: HttpProtocol, address: str) -> bool:
        """Somebody has connected; False: there are too many from there."""
        if address and self._addresses[address] >= PER_ADDRESS:
            return False
        if address:
            self._addresses[address] += 1
        self._half[protocol] = time.monotonic()
        if len(self._half) > RUSH:
            next(iter(self._half)).give_up()
        elif len(self._half) > HALF_OPEN and not self._thinning:
            self._thinning = True
            protocol.loop.call_later(RUSH_SECONDS, self._thin_out, protocol.loop)
        return True

    def _thin_out(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close those who have stood there too long, as far as there are too many."""
        late = time.monotonic() - RUSH_SECONDS
        while len(self._half) > HALF_OPEN and next(iter(self._half.values())) <= late:
            next(iter(self._half)).give_up()
        self._thinning = len(self._half) > HALF_OPEN
        if self._thinning:
            loop.call_later(RUSH_SECONDS, self._thin_out, loop)

    def asks(self, protocol: HttpProtocol) -> None:
        """Somebody has told what he wants."""
        self._half.pop(protocol, None)

    def goes(self, protocol: HttpProtocol, address: str) -> None:
        """Somebody has gone."""
        self._half.pop(protocol, None)
        if address:
            self._addresses[address] -= 1
            if self._addresses[address] <= 0:
                del self._addresses[address]


DOORKEEPER = Doorkeeper()


def far_address(transport: asyncio.Transport) -> str:
    """The other end of a connection; empty for this machine itself."""
    name = transport.get_extra_info("peername")
    address = str(name[0]) if isinstance(name, tuple) else ""
    try:
        known = ip_address(address.partition("%")[0])
        return "" if known.is_loopback or any([known in net for net in DOORKEEPER.proxies]) else network_of(address)
    except ValueError:
        return ""


class HttpProtocol(H11Protocol):
    """HTTP with a time for headers and for bodies."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._late: asyncio.TimerHandle | None = None
        self._waiting_for: Any = None
        self._full: asyncio.TimerHandle | None = None
        self._address = ""
        self._counted = False
        self._switched = False
        """Whether it has become a WebSocket, which has no end of its own."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = far_address(transport)
        self._counted = DOORKEEPER.comes(self, self._address)
        if not self._counted:
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """Set the clock for what is still missing of a request."""
        if self._switched:
            return
        missing = self.conn.their_state
        if missing is not h11.IDLE:
            DOORKEEPER.asks(self)
        if missing is self._waiting_for:
            return  # every further byte does not give more time
        self._stop_clock()
        if missing in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing():
            self._waiting_for = missing
            seconds = HEADER_SECONDS if missing is h11.IDLE else BODY_SECONDS
            self._late = self.loop.call_later(seconds, self.give_up)

    def _stop_clock(self) -> None:
        self._waiting_for = None
        self._late = _stopped(self._late)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = self._full or self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = _stopped(self._full)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_clock()
        self._switched = True
        DOORKEEPER.asks(self)
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, SocketProtocol):
            protocol.first = self

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._stop_clock()  # between requests the time for keeping alive counts

    def give_up(self) -> None:
        """The rest of the request has not come."""
        self._stop_clock()
        DOORKEEPER.asks(self)
        if self.conn.our_state is h11.IDLE and not self.transport.is_closing():
            self.transport.write(TOO_LATE)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        self._full = _stopped(self._full)
        self.gone()
        super().connection_lost(exc)

    def gone(self) -> None:
        """The connection has ended, be it as a WebSocket."""
        if self._counted:
            self._counted = False
            DOORKEEPER.goes(self, self._address)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose reader must read."""

    first: HttpProtocol | None = None
    """The HTTP connection that it was before."""
    _full: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = self._full or self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = _stopped(self._full)

    def connection_lost(self, exc: Exception | None) -> None:
        self._full = _stopped(self._full)
        if self.first is not None:
            self.first.gone()
        super().connection_lost(exc)


def configured(app: Any, settings: Settings, **more: Any) -> uvicorn.Config:
    """How the application is served, through whichever door."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # below that it would tell players' addresses
    plain: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "log_config": None,
        "access_log": False,  # addresses may carry invitations
        "server_header": False,
        "http": HttpProtocol,
        "ws": SocketProtocol,
        "ws_max_size": settings.message_bytes,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "timeout_graceful_shutdown": 5,
        "h11_max_incomplete_event_size": 32_000,
        "forwarded_allow_ips": ["127.0.0.1", "::1", *settings.proxies],
    }
    DOORKEEPER.proxies = [ip_network(proxy, strict=False) for proxy in settings.proxies]
    return uvicorn.Config(app, **{**plain, **more})


def _stopped(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """A timer that goes off no more."""
    if timer is not None:
        timer.cancel()
    return None


def more_files() -> None:
    """Let the process have as many connections as the system allows it."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            return


class Complaints:
    """What goes wrong in the loop is logged; what goes wrong a thousand times a second, once in a while."""

    def __init__(self) -> None:
        self._told = -QUIET_SECONDS
        self._more = 0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The handler that a loop is given."""
        if "accept" not in str(context.get("message", "")):
            loop.default_exception_handler(context)
            return
        self._more += 1
        if time.monotonic() - self._told >= QUIET_SECONDS:
            log.warning("%d connections could not be accepted: %s", self._more, context.get("exception"))
            self._told, self._more = time.monotonic(), 0
