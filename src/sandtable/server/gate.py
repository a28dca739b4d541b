"""The gate: who is asking, from where, how often, and how big a request is."""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from sandtable.server.accounts import Accounts, User
from sandtable.server.limits import Limit
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings
from sandtable.server.tokens import LIFETIME_MS

COOKIE = "sandtable"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

T = TypeVar("T")


class Gate:
    """Checks every request before anything else is done."""

    def __init__(self, settings: Settings, accounts: Accounts) -> None:
        self._settings = settings
        self._accounts = accounts
        self._requests = Limit(settings.requests_per_second, settings.request_burst)
        self._entries = Limit(settings.accounts_per_minute / 60, settings.accounts_per_minute)
        self._matches = Limit(settings.matches_per_hour / 3600, settings.matches_per_hour)

    # -- who ----------------------------------------------------------------------------

    async def user(self, connection: HTTPConnection) -> User | None:
        """The account that is asking."""
        header = connection.headers.get("authorization", "")
        token = header[7:] if header.startswith("Bearer ") else connection.cookies.get(COOKIE, "")
        return await self._accounts.of_token(token) if token else None

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
        return urlsplit(origin).netloc == connection.headers.get("host", "")

    # -- how often ----------------------------------------------------------------------

    def check(self, request: Request) -> None:
        """Everything that holds for every request of the API."""
        self._requests.check(_address(request))
        if not self.allowed_host(request):
            raise Refused("wrong_origin", "This server does not go by that name.")
        if request.method not in ("GET", "HEAD"):
            if not self.same_origin(request):
                raise Refused("wrong_origin", "Requests from other sites are not taken.")
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refused("bad_request", "Send JSON, with Content-Type: application/json.")

    def check_entry(self, request: Request) -> None:
        """Making accounts and logging in is limited for each address."""
        self._entries.check(_address(request))

    def check_matches(self, user: User) -> None:
        """Making matches is limited for each account."""
        self._matches.check(user.id)

    # -- what ---------------------------------------------------------------------------

    async def body(self, request: Request, kind: type[T], *, limit: int | None = None) -> T:
        """The body of a request as a typed value."""
        limit = limit or self._settings.message_bytes
        length = request.headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            raise Refused("too_big", f"A request may have {limit} bytes.")
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise Refused("too_big", f"A request may have {limit} bytes.")
            parts.append(part)
        try:
            return msgspec.json.decode(b"".join(parts) or b"{}", type=kind)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Refused("bad_request", f"The request cannot be read: {str(error)[:200]}.") from None


def _address(connection: Any) -> str:
    return connection.client.host if connection.client else "?"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
