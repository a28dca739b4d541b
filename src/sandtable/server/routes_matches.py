"""Requests about games and matches."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sandtable.server import replays
from sandtable.server.answers import endpoint, json_response, page_response
from sandtable.server.live import LiveMatch
from sandtable.server.making import (
    MatchWish,
    RecordWish,
    SeatWish,
    checked_level,
    make_match,
    make_study,
    refuse_known_dice,
)
from sandtable.server.refusal import Refused


class TokenWish(msgspec.Struct):
    token: str


class ArchiveWish(msgspec.Struct):
    archived: bool = True


# -- games ------------------------------------------------------------------------------


@endpoint
async def games(request: Request) -> Response:
    """GET /api/games"""
    catalogue = request.app.state.catalogue
    return page_response(request, await asyncio.to_thread(lambda: catalogue.games))


@endpoint
async def scene(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/scene"""
    path, options = request.path_params, dict(request.query_params)
    catalogue = request.app.state.catalogue
    return page_response(request, await asyncio.to_thread(catalogue.scene, path["game"], path["scenario"], options))


@endpoint
async def picture(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/picture.svg"""
    path, catalogue = request.path_params, request.app.state.catalogue
    options = dict(request.query_params)
    page = await asyncio.to_thread(catalogue.picture, path["game"], path["scenario"], options)
    response = page_response(request, page, "image/svg+xml")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@endpoint
async def faces(request: Request) -> Response:
    """GET /api/games/{game}/faces"""
    page = await asyncio.to_thread(request.app.state.catalogue.faces, request.path_params["game"])
    return page_response(request, page)


@endpoint
async def glossary(request: Request) -> Response:
    """GET /api/games/{game}/glossary"""
    page = await asyncio.to_thread(request.app.state.catalogue.glossary, request.path_params["game"])
    return page_response(request, page)


@endpoint
async def lessons(request: Request) -> Response:
    """GET /api/games/{game}/lessons"""
    page = await asyncio.to_thread(request.app.state.catalogue.lessons, request.path_params["game"])
    return page_response(request, page)


# -- matches ----------------------------------------------------------------------------


async def _found(request: Request) -> LiveMatch:
    """The match of the path, if the account may see it."""
    state = request.app.state
    user = await state.gate.known_user(request)
    live: LiveMatch = await state.hall.for_user(request.path_params["id"], user)
    return live


@endpoint
async def matches(request: Request) -> Response:
    """GET /api/matches"""
    state = request.app.state
    user = await state.gate.known_user(request)
    archived = request.query_params.get("archived") == "1"
    return json_response({"matches": await state.hall.list_of(user, archived=archived)})


@endpoint
async def new_match(request: Request) -> Response:
    """POST /api/matches"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, MatchWish, limit=state.settings.record_bytes)
    state.gate.check_matches(user)
    live = await make_match(state.hall, user, wish)
    return json_response({"match": state.hall.summary(live, user.id)}, 201)


@endpoint
async def new_study(request: Request) -> Response:
    """POST /api/records"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, RecordWish, limit=state.settings.record_bytes)
    state.gate.check_matches(user)
    live = await make_study(state.hall, user, wish)
    return json_response({"match": state.hall.summary(live, user.id)}, 201)


@endpoint
async def match(request: Request) -> Response:
    """GET /api/matches/{id}"""
    state = request.app.state
    user = await state.gate.known_user(request)
    return json_response({"match": state.hall.summary(await _found(request), user.id)})


@endpoint
async def archive(request: Request) -> Response:
    """POST /api/matches/{id}/archive"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, ArchiveWish)
    await state.hall.archive(await _found(request), user, wish.archived)
    return json_response({})


@endpoint
async def change_seat(request: Request) -> Response:
    """POST /api/matches/{id}/seats/{side}"""
    state = request.app.state
    user = await state.gate.known_user(request)
    live = await _found(request)
    wish = await state.gate.body(request, SeatWish)
    side = request.path_params["side"]
    async with live.lock:
        seat = live.seats.get(side)
        if seat is None:
            raise Refused("not_found", "There is no such side.")
        live.refuse_if_over()
        own = seat.user == user.id
        if not own and (seat.kind == "person" or live.creator != user.id):
            raise Refused("forbidden", "Only the player of a seat can give it up; the creator may change the others.")
        if wish.kind == "computer":
            level = checked_level(state.hall, live.match.header.game, wish.level)
            await state.hall.change_seat_to_computer(live, side, level)
        elif wish.kind == "invitation":
            refuse_known_dice(state.hall, live.match)
            await state.hall.open_seat(live, side)
        elif wish.kind in ("me", "hotseat"):
            await state.hall.take_seat(live, side, user)
        else:
            raise Refused("bad_request", "A seat is me, computer or invitation.")
    return json_response({"match": state.hall.summary(live, user.id)})


@endpoint
async def invitation(request: Request) -> Response:
    """GET /api/invitations/{token}"""
    state = request.app.state
    state.gate.check_entry(request)
    live, side = await state.hall.by_invitation(request.path_params["token"])
    return json_response({"match": state.hall.summary(live, None), "side": side})


@endpoint
async def join(request: Request) -> Response:
    """POST /api/join"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, TokenWish)
    state.gate.check_entry(request)
    live, side = await state.hall.by_invitation(wish.token)
    async with live.lock:
        if live.seats[side].invitation != wish.token:
            raise Refused("taken", "Somebody has taken this seat a moment ago.")
        live.refuse_if_over()
        await state.hall.take_seat(live, side, user)
    return json_response({"match": state.hall.summary(live, user.id), "side": side})


@endpoint
async def watch(request: Request) -> Response:
    """POST /api/watch"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, TokenWish)
    state.gate.check_entry(request)
    live = await state.hall.observe(wish.token, user)
    return json_response({"match": state.hall.summary(live, user.id)})


# -- looking back -----------------------------------------------------------------------


@endpoint
async def record(request: Request) -> Response:
    """GET /api/matches/{id}/record"""
    user = await request.app.state.gate.known_user(request)
    live = await _found(request)
    alone = all(seat.user == user.id for seat in live.seats.values())
    if not (live.result or live.study or alone):
        raise Refused("not_now", "The record tells everything: it can be had when the match is over.")
    text = replays.published_record(live).to_lines()
    name = f"{live.match.header.game}-{live.match.header.scenario}-{live.id}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, headers=headers, media_type="application/x-ndjson")


@endpoint
async def replay(request: Request) -> Response:
    """GET /api/matches/{id}/replay"""
    state = request.app.state
    user = await state.gate.known_user(request)
    live = await _found(request)
    eyes = replays.chosen(live, user, request.query_params.get("side", ""))
    moments = await state.replays.moments(live)
    return json_response(
        {
            "match": state.hall.summary(live, user.id),
            "side": eyes,
            "sides": replays.allowed(live, user),
            "everything": eyes == replays.ALL,
            "steps": await asyncio.to_thread(replays.steps, live, moments, eyes),
            "view": replays.view_at(live, moments, 0, eyes),
            "log": replays.lines_at(live, eyes).get(0, []),
        }
    )


@endpoint
async def replay_step(request: Request) -> Response:
    """GET /api/matches/{id}/replay/{n}"""
    state = request.app.state
    user = await state.gate.known_user(request)
    live = await _found(request)
    eyes = replays.chosen(live, user, request.query_params.get("side", ""))
    n = request.path_params["n"]
    moments = await state.replays.moments(live)
    if n >= len(moments):
        raise Refused("not_found", f"The match has {len(moments) - 1} steps.")
    told = {
        "version": n,
        "view": replays.view_at(live, moments, n, eyes),
        "log": replays.lines_at(live, eyes).get(n, []),
        "why": live.why.get(n, "") if live.result or live.study else "",
    }
    return json_response(told)
