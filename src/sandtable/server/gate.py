"""The gate: who is asking, from where, how often, and how big a request is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from sandtable.reading import decode
from sandtable.server.accounts import Accounts, User, name_key
from sandtable.server.limits import Limit, Memory, network_of
from sandtable.server.network import Network
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings
from sandtable.server.tokens import LIFETIME_MS

COOKIE = "sandtable"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

T = TypeVar("T")

PASSWORD_SECONDS, PASSWORD_BURST = 30.0, 10
"""Tries of an account's password: so many at first, then one in so many seconds."""
MOST_DELAY = 5.0
MOST_COMING = 16_000_000
"""Bytes of records and positions that one address may be sending at a time."""
CODES_PER_HOUR = 5
GUESSES_PER_HOUR = 10


class Gate:
    """Checks every request before anything else is done."""

    def __init__(self, settings: Settings, accounts: Accounts, memory: Memory, network: Network | None = None) -> None:
        self._network = network
        self._settings = settings
        self._accounts = accounts
        self._memory = memory
        self._coming: Counter[str] = Counter()
        self._requests = Limit(memory, "request", settings.requests_per_second, settings.request_burst)
        self._entries = Limit(memory, "entry", settings.accounts_per_minute / 60, settings.accounts_per_minute)
        self._matches = Limit(memory, "match", settings.matches_per_hour / 3600, settings.matches_per_hour)
        self._passwords = Limit(memory, "password", 1 / PASSWORD_SECONDS, PASSWORD_BURST)
        self._codes = Limit(memory, "code", CODES_PER_HOUR / 3600, CODES_PER_HOUR)
        self._guesses = Limit(memory, "guess", GUESSES_PER_HOUR / 3600, GUESSES_PER_HOUR)

    # -- who ----------------------------------------------------------------------------

    async def user(self, connection: HTTPConnection) -> User | None:
        """The account that is asking."""
        header = connection.headers.get("authorization", "")
        token = header[7:] if header.startswith("Bearer ") else connection.cookies.get(COOKIE, "")
        return await self._accounts.of_token(token) if token else None

    async def lost_user(self, connection: HTTPConnection) -> User | None:
        """The account of a cookie that is not valid any more."""
        token = connection.cookies.get(COOKIE, "")
        return await self._accounts.behind(token) if token else None

    async def known_user(self, request: Request) -> User:
        """The account that is asking; there must be one."""
        user = await self.user(request)
        if user is None:
            raise Refused("no_account", "There is no account: POST /api/guest first, or log in.")
        return user

    def remember(self, request: Request, response: Response, user: User) -> Response:
        """Put the token of an account into the cookie."""
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE,
            self._accounts.token(user),
            max_age=LIFETIME_MS // 1000,
            httponly=True,
            samesite="lax",
            secure=secure,
            path="/",
        )
        return response

    # -- from where ---------------------------------------------------------------------

    def allowed_host(self, connection: HTTPConnection) -> bool:
        """A server for this machine answers only to this machine's names: other sites' names could be led here."""
        if not self._settings.local:
            return True
        name = connection.headers.get("host", "").rpartition(":")[0] or connection.headers.get("host", "")
        own = urlsplit(self._settings.public_url).hostname
        if self._network is not None and self._network.address and name == self._network.address:
            return True
        return name in LOOPBACK or (own is not None and name == own)

    def same_origin(self, connection: HTTPConnection) -> bool:
        """Whether a request comes from our own page or from a program, not from another site's page."""
        if not self.allowed_host(connection):
            return False
        origin = connection.headers.get("origin")
        if origin is None:
            return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if self._settings.public_url and origin == _origin(self._settings.public_url):
            return True
        scheme = connection.scope.get("scheme", "http").replace("ws", "http")
        return origin == f"{scheme}://{connection.headers.get('host', '')}"

    def caller(self, request: Request) -> str:
        """From where somebody asks."""
        return _address(request)

    # -- how often ----------------------------------------------------------------------

    async def check(self, request: Request) -> None:
        """Everything that holds for every request of the API."""
        await self._requests.check(_address(request))
        if not self.allowed_host(request):
            raise Refused("wrong_origin", "This server does not go by that name.")
        if request.method not in ("GET", "HEAD"):
            if not self.same_origin(request):
                raise Refused("wrong_origin", "Requests from other sites are not taken.")
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refused("bad_request", "Send JSON, with Content-Type: application/json.")

    async def check_entry(self, request: Request) -> None:
        """Making accounts and logging in is limited for each address."""
        await self._entries.check(_address(request))

    async def check_password(self, request: Request, name: str, verify: Callable[[], Awaitable[T]]) -> T:
        """Passwords of one account are tried slowly, from however many addresses.

        An address from which the right one came before has a measure of its own, so that nobody can be locked out.
        """
        key, address = name_key(name), _address(request)
        welcome, wrong = f"welcome {key} {address}", f"wrong {key}"
        known = await self._memory.count(welcome)
        await self._passwords.check(f"{key} {address}" if known else key)
        tries = await self._memory.count(wrong)
        if not known and tries:
            await asyncio.sleep(min(MOST_DELAY, self._settings.login_delay * tries))
        try:
            right = await verify()
        except Refused:
            await self._memory.add(wrong)
            raise
        await self._memory.forget(wrong)
        await self._memory.add(welcome)
        return right

    async def check_code(self, user: User, email: str) -> None:
        """Codes are sent seldom, to an account as well as to an address."""
        await self._codes.check(user.id)
        mailbox, _, domain = email.casefold().rpartition("@")
        await self._codes.check(f"{mailbox.partition('+')[0]}@{domain}")  # what follows a + is the same mailbox

    async def check_guess(self, user: User) -> None:
        """Codes are guessed seldom."""
        await self._guesses.check(user.id)

    async def check_matches(self, user: User) -> None:
        """Making matches is limited for each account."""
        await self._matches.check(user.id)

    # -- what ---------------------------------------------------------------------------

    async def body(self, request: Request, kind: type[T], *, limit: int | None = None) -> T:
        """The body of a request as a typed value."""
        limit = limit or self._settings.message_bytes
        length = request.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length[:20]) > limit:
            raise Refused("too_big", f"A request may have {limit} bytes.")
        text = await self._whole(request, limit) or b"{}"
        if b"\\u0000" in text or b"\0" in text:
            raise Refused("bad_request", "The request holds the character NUL, which no text needs.")
        try:
            return decode(text, kind)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Refused("bad_request", f"The request cannot be read: {str(error)[:200]}.") from None

    async def _whole(self, request: Request, limit: int) -> bytes:
        """The body of a request; one address may be sending so many bytes of big ones at a time."""
        address, parts, size = _address(request), [], 0
        try:
            async for part in request.stream():
                size += len(part)
                self._coming[address] += len(part)
                if size > limit:
                    raise Refused("too_big", f"A request may have {limit} bytes.")
                if size > self._settings.message_bytes and self._coming[address] > MOST_COMING:
                    raise Refused("too_many", "Too many big requests at a time: send one after another.", retry=1)
                parts.append(part)
        except ClientDisconnect:
            raise Refused("bad_request", "The request has no end.") from None
        finally:
            self._coming[address] -= size
            if not self._coming[address]:
                del self._coming[address]
        return b"".join(parts)


def _address(connection: Any) -> str:
    return network_of(connection.client.host) if connection.client else "?"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
