"""Requests about this machine: its boards, and a friend in its network."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sandtable.engine.errors import SandtableError
from sandtable.server import qr
from sandtable.server.answers import endpoint, json_response, page_response
from sandtable.server.gate import LOOPBACK
from sandtable.server.network import Network
from sandtable.server.refusal import Refused


@endpoint
async def card(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/card.svg: the map of a scenario with its counters as they begin."""
    path, state = request.path_params, request.app.state
    draw = state.hall.rooms.draw
    page = await draw(state.gate.caller(request), state.catalogue.card, path["game"], path["scenario"])
    response = page_response(request, page, "image/svg+xml")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@endpoint
async def boards(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/boards: which boards a scenario may roll, and which of them are at hand."""
    path, state = request.path_params, request.app.state
    draw = state.hall.rooms.draw
    return json_response(await draw(state.gate.caller(request), state.catalogue.boards, path["game"], path["scenario"]))


def _told(network: Network, request: Request) -> dict[str, Any]:
    here = request.client is not None and request.client.host in LOOPBACK
    return {"offered": network.offered and here, "url": network.url}


@endpoint
async def network(request: Request) -> Response:
    """GET /api/network: whether a friend in this network can be let in, and where he finds this machine."""
    return json_response(_told(request.app.state.network, request))


@endpoint
async def open_network(request: Request) -> Response:
    """POST /api/network: let a friend in this network in; only from this machine itself."""
    state = request.app.state
    if request.client is None or request.client.host not in LOOPBACK:
        raise Refused("forbidden", "Only whoever sits at the machine can open it to the network.")
    await state.network.open()
    return json_response(_told(state.network, request))


@endpoint
async def code(request: Request) -> Response:
    """GET /api/qr.svg?text=: a link of this server as a QR code."""
    text = request.query_params.get("text", "")
    if not text.startswith(("http://", "https://")):
        raise Refused("bad_request", "Say which link: /api/qr.svg?text=http://...")
    try:
        picture = qr.svg(text)
    except SandtableError as error:
        raise Refused("bad_request", str(error)) from None
    return Response(picture, media_type="image/svg+xml")
