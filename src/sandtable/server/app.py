"""The application: routes, security headers, the client's files, and how it starts and ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.engine import game_names, get_game
from sandtable.reading import prepare_all
from sandtable.server import routes_account as account
from sandtable.server import routes_house as house
from sandtable.server import routes_matches as matches
from sandtable.server import routes_story as story
from sandtable.server.accounts import Accounts
from sandtable.server.answers import endpoint, refusal_response
from sandtable.server.catalogue import Catalogue
from sandtable.server.client_files import ClientFile, client_files, client_response
from sandtable.server.gate import Gate
from sandtable.server.hall import Hall
from sandtable.server.house import house_of
from sandtable.server.limits import memory_of
from sandtable.server.metrics import inner
from sandtable.server.metrics import text as metrics_text
from sandtable.server.network import Network
from sandtable.server.protocol import Complaints
from sandtable.server.refusal import Refused
from sandtable.server.replays import Replays
from sandtable.server.settings import Settings
from sandtable.server.socket import live_match
from sandtable.server.store import StoreError, open_store
from sandtable.server.watchdog import Watchdog
from sandtable.server.worker import load_games
from sandtable.space.catalogue import board_catalogue

log = logging.getLogger("sandtable.server")

STATIC = Path(str(files("sandtable.server"))) / "static"

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}

HEALTH_SECONDS = 0.5
"""So long one look at the database counts for everybody who asks."""

NO_CLIENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandtable</title></head>
<body><h1>Sandtable</h1>
<p>The server runs, but the browser client is not part of this installation. Build it with <code>make web</code>.
Programs can play through the API at <code>/api</code>.</p></body></html>
"""


class SecurityHeaders:
    """Adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and mark the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[tuple[bytes, bytes]] = list(message.get("headers", []))
                names = {name.lower() for name, _ in headers}
                headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if b"content-security-policy" not in names:
                    headers.append((b"content-security-policy", CSP.encode()))
                if scope.get("scheme") == "https":
                    headers.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, marked)


@endpoint
async def client(request: Request) -> Response:
    """GET /: the client and its files, or a plain page if it is not built."""
    files: dict[str, ClientFile] = request.app.state.client_files
    name = request.path_params.get("name", "") or "index.html"
    if name in files:
        return client_response(request, files[name])
    if name == "index.html":
        return HTMLResponse(NO_CLIENT)
    raise Refused("not_found", "There is nothing at this address.")


@endpoint
async def health(request: Request) -> Response:
    """GET /api/health: whether the database can be read and written and is in order."""
    state = request.app.state
    if time.monotonic() - state.checked[0] > HEALTH_SECONDS:
        try:
            await state.store.check()
            state.checked = (time.monotonic(), "")
        except StoreError as error:
            state.checked = (time.monotonic(), str(error))
    if state.checked[1]:
        raise Refused("not_saved", state.checked[1])
    return Response('{"ok": true}', media_type="application/json")


@endpoint
async def metrics(request: Request) -> Response:
    """GET /metrics: what this process does, for Prometheus; only to machines of its own network."""
    if not inner(request.client.host if request.client else ""):
        raise Refused("not_found", "There is nothing at this address.")
    text = await metrics_text(request.app.state.hall, request.app.state.watchdog)
    return Response(text, media_type="text/plain; version=0.0.4")


@endpoint
async def boards(request: Request) -> Response:
    """GET /api/boards: the boards there are, and how to add more."""
    state = request.app.state
    found = await state.hall.rooms.draw(state.gate.caller(request), board_catalogue)
    return Response(msgspec.json.encode(found), media_type="application/json")


@endpoint
async def nothing(request: Request) -> Response:
    """Any other address of the API."""
    raise Refused("not_found", "There is nothing at this address.")


async def missing(request: Request, _: Exception) -> Response:
    """Any other address."""
    return refusal_response(Refused("not_found", "There is nothing at this address."))


def _routes() -> list[Any]:
    post, get = ["POST"], ["GET"]
    return [
        Route("/api/health", health, methods=get),
        Route("/health", health, methods=get),
        Route("/metrics", metrics, methods=get),
        Route("/api/me", account.me, methods=get),
        Route("/api/me", account.change_me, methods=["PUT"]),
        Route("/api/me/email", account.confirm_email, methods=post),
        Route("/api/guest", account.guest, methods=post),
        Route("/api/register", account.register, methods=post),
        Route("/api/login", account.login, methods=post),
        Route("/api/logout", account.logout, methods=post),
        Route("/api/boards", boards, methods=get),
        Route("/api/games", matches.games, methods=get),
        Route("/api/games/{game}/faces", matches.faces, methods=get),
        Route("/api/games/{game}/glossary", matches.glossary, methods=get),
        Route("/api/games/{game}/lessons", matches.lessons, methods=get),
        Route("/api/games/{game}/tables/{table}", matches.table, methods=get),
        Route("/api/games/{game}/{scenario}/scene", matches.scene, methods=get),
        Route("/api/games/{game}/{scenario}/picture.svg", matches.picture, methods=get),
        Route("/api/matches", matches.matches, methods=get),
        Route("/api/matches", matches.new_match, methods=post),
        Route("/api/records", matches.new_study, methods=post),
        Route("/api/join", matches.join, methods=post),
        Route("/api/watch", matches.watch, methods=post),
        Route("/api/invitations/{token}", matches.invitation, methods=get),
        Route("/api/matches/{id}", matches.match, methods=get),
        Route("/api/matches/{id}/scene", matches.match_scene, methods=get),
        Route("/api/matches/{id}/picture.svg", matches.match_picture, methods=get),
        Route("/api/matches/{id}/archive", matches.archive, methods=post),
        Route("/api/matches/{id}/seats/{side}", matches.change_seat, methods=post),
        Route("/api/matches/{id}/record", matches.record, methods=get),
        Route("/api/matches/{id}/replay", matches.replay, methods=get),
        Route("/api/matches/{id}/replay/{n}", matches.replay_step, methods=get),
        Route("/api/matches/{id}/story", story.story, methods=get),
        Route("/api/matches/{id}/steps", story.steps, methods=get),
        Route("/api/matches/{id}/report.html", story.report, methods=get),
        Route("/api/matches/{id}/record.txt", story.text, methods=get),
        Route("/api/matches/{id}/lesson", story.lesson, methods=post),
        Route("/api/games/{game}/{scenario}/boards", house.boards, methods=get),
        Route("/api/games/{game}/{scenario}/card.svg", house.card, methods=get),
        Route("/api/network", house.network, methods=get),
        Route("/api/network", house.open_network, methods=post),
        Route("/api/qr.svg", house.code, methods=get),
        WebSocketRoute("/api/matches/{id}/live", live_match),
        Route("/api/{rest:path}", nothing, methods=["GET", "POST", "PUT", "DELETE"]),
        Route("/", client, methods=get),
        Route("/{name:path}", client, methods=get),
    ]


def prepare(games: Sequence[str]) -> None:
    """Load all games and work out their types, before anybody comes and many threads do it at once."""
    load_games(games)
    for name in game_names():
        try:
            get_game(name)
        except Exception:  # a game of somebody else that fails must not stop the others
            log.exception("the game %s cannot be loaded", name)
    prepare_all()


def make_app(settings: Settings) -> Starlette:
    """The whole server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        prepare(settings.games)
        state = app.state
        state.settings = settings
        state.client_files = client_files(STATIC)
        state.store = await open_store(settings.database, power_safe=settings.power_safe, alone=True)
        state.accounts = Accounts(state.store)
        await state.accounts.open()
        state.catalogue = Catalogue(settings.drawings)
        state.hall = Hall(settings, state.store, state.accounts, state.catalogue, house_of(state.store))
        state.network = Network(app, settings)
        state.gate = Gate(settings, state.accounts, memory_of(state.store, state.accounts.signer), state.network)
        state.replays = Replays()
        state.checked = (-HEALTH_SECONDS, "")
        asyncio.get_running_loop().set_exception_handler(Complaints())
        state.watchdog = watchdog = Watchdog()
        watchdog.start()
        await state.hall.enter_house()
        resuming = asyncio.get_running_loop().create_task(state.hall.resume())
        keeping = asyncio.get_running_loop().create_task(state.hall.keep_old_albums())
        sweeping = asyncio.get_running_loop().create_task(state.hall.sweep())
        try:
            yield
        finally:
            resuming.cancel()
            keeping.cancel()
            sweeping.cancel()
            await asyncio.gather(resuming, keeping, sweeping, return_exceptions=True)
            watchdog.stop()
            await state.network.close()
            await state.hall.close()
            await state.store.close()

    middleware = [Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)]
    return Starlette(
        routes=_routes(),
        middleware=middleware,
        lifespan=lifespan,
        exception_handlers={404: missing, 405: missing},
    )
