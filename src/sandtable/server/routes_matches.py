"""Requests about games and matches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sandtable.server import replays, sharing
from sandtable.server.answers import endpoint, json_response, page_response
from sandtable.server.catalogue import Page
from sandtable.server.listing import page_of, put_away, summary
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
from sandtable.server.refusal import Refused, whole_number
from sandtable.server.seats import check_join, check_right, open_seat, seat_computer, take_seat


class TokenWish(msgspec.Struct):
    token: str


class ArchiveWish(msgspec.Struct):
    archived: bool = True


# -- games ------------------------------------------------------------------------------


async def _drawn(request: Request, make: Callable[..., Page], *arguments: Any) -> Page:
    """A page of the catalogue; those that have to be made are made one after another."""
    state = request.app.state
    page: Page = await state.hall.rooms.draw(state.gate.caller(request), make, *arguments)
    return page


@endpoint
async def games(request: Request) -> Response:
    """GET /api/games"""
    catalogue = request.app.state.catalogue
    return page_response(request, await _drawn(request, lambda: catalogue.games))


@endpoint
async def scene(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/scene"""
    path, options = request.path_params, dict(request.query_params)
    catalogue = request.app.state.catalogue
    return page_response(request, await _drawn(request, catalogue.scene, path["game"], path["scenario"], options))


@endpoint
async def picture(request: Request) -> Response:
    """GET /api/games/{game}/{scenario}/picture.svg"""
    path, catalogue = request.path_params, request.app.state.catalogue
    options = dict(request.query_params)
    page = await _drawn(request, catalogue.picture, path["game"], path["scenario"], options)
    response = page_response(request, page, "image/svg+xml")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@endpoint
async def faces(request: Request) -> Response:
    """GET /api/games/{game}/faces"""
    page = await _drawn(request, request.app.state.catalogue.faces, request.path_params["game"])
    return page_response(request, page)


@endpoint
async def glossary(request: Request) -> Response:
    """GET /api/games/{game}/glossary"""
    page = await _drawn(request, request.app.state.catalogue.glossary, request.path_params["game"])
    return page_response(request, page)


@endpoint
async def lessons(request: Request) -> Response:
    """GET /api/games/{game}/lessons"""
    page = await _drawn(request, request.app.state.catalogue.lessons, request.path_params["game"])
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
    skip = whole_number(request.query_params.get("skip", "0"))
    if skip is None:
        raise Refused("bad_request", "`skip` is a number of matches.")
    found, more = await page_of(state.hall, user, archived=archived, skip=skip)
    return json_response({"matches": found, "more": more})


@endpoint
async def new_match(request: Request) -> Response:
    """POST /api/matches"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, MatchWish, limit=state.settings.record_bytes)
    await state.gate.check_matches(user)
    live = await make_match(state.hall, user, wish)
    return json_response({"match": summary(live, user.id)}, 201)


@endpoint
async def new_study(request: Request) -> Response:
    """POST /api/records"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, RecordWish, limit=state.settings.record_bytes)
    await state.gate.check_matches(user)
    live = await make_study(state.hall, user, wish)
    return json_response({"match": summary(live, user.id)}, 201)


@endpoint
async def match(request: Request) -> Response:
    """GET /api/matches/{id}"""
    state = request.app.state
    user = await state.gate.known_user(request)
    return json_response({"match": summary(await _found(request), user.id)})


@endpoint
async def match_scene(request: Request) -> Response:
    """GET /api/matches/{id}/scene"""
    live = await _found(request)
    return page_response(request, await _drawn(request, request.app.state.catalogue.match_scene_page, live.match))


@endpoint
async def match_picture(request: Request) -> Response:
    """GET /api/matches/{id}/picture.svg"""
    live = await _found(request)
    page = await _drawn(request, request.app.state.catalogue.match_picture, live.match)
    response = page_response(request, page, "image/svg+xml")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


@endpoint
async def table(request: Request) -> Response:
    """GET /api/games/{game}/tables/{table}"""
    path = request.path_params
    return page_response(request, await _drawn(request, request.app.state.catalogue.table, path["game"], path["table"]))


@endpoint
async def archive(request: Request) -> Response:
    """POST /api/matches/{id}/archive"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, ArchiveWish)
    await put_away(await _found(request), user, wish.archived)
    return json_response({})


@endpoint
async def change_seat(request: Request) -> Response:
    """POST /api/matches/{id}/seats/{side}"""
    state = request.app.state
    user = await state.gate.known_user(request)
    live = await _found(request)
    wish = await state.gate.body(request, SeatWish)
    side = request.path_params["side"]

    async def change() -> None:
        if side not in live.seats:
            raise Refused("not_found", "There is no such side.")
        live.refuse_if_over()
        if wish.kind == "partner":
            refuse_known_dice(state.hall, live.match)
            await sharing.open_place(live, side, user)
            return
        if wish.kind == "without":
            await sharing.leave(live, side, wish.partner, user)
            return
        check_right(live, side, user.id, wish.kind)
        if wish.kind == "computer":
            await seat_computer(live, side, checked_level(state.hall, live.match.header.game, wish.level))
        elif wish.kind == "invitation":
            refuse_known_dice(state.hall, live.match)
            await open_seat(live, side, user)
        elif wish.kind in ("me", "hotseat"):
            await take_seat(live, side, user)
        else:
            raise Refused("bad_request", "A seat is me, computer, invitation, partner or without.")

    await state.hall.do(live, change)
    return json_response({"match": summary(live, user.id)})


@endpoint
async def invitation(request: Request) -> Response:
    """GET /api/invitations/{token}"""
    state = request.app.state
    await state.gate.check_entry(request)
    live, side = await state.hall.by_invitation(request.path_params["token"])
    return json_response({"match": summary(live, None), "side": side})


@endpoint
async def join(request: Request) -> Response:
    """POST /api/join"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, TokenWish)
    await state.gate.check_entry(request)
    live, side = await state.hall.by_invitation(wish.token)

    async def sit() -> None:
        if "." in wish.token:
            live.refuse_if_over()
            await sharing.sit(live, wish.token, user)
            return
        if live.seats[side].invitation != wish.token:
            raise Refused("taken", "Somebody has taken this seat a moment ago.")
        live.refuse_if_over()
        check_join(live, side, user.id)
        await take_seat(live, side, user)

    await state.hall.do(live, sit)
    return json_response({"match": summary(live, user.id), "side": side})


@endpoint
async def watch(request: Request) -> Response:
    """POST /api/watch"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, TokenWish)
    await state.gate.check_entry(request)
    live = await state.hall.observe(wish.token, user)
    return json_response({"match": summary(live, user.id)})


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
    album = await state.replays.album(live, user.id)
    ask = functools.partial(state.hall.rooms.do, "questions", account=user.id)
    return json_response(
        {
            "match": summary(live, user.id),
            "side": eyes,
            "sides": replays.allowed(live, user),
            "everything": eyes == replays.ALL,
            "steps": await state.hall.rooms.do("studies", replays.steps, live, album, eyes, account=user.id),
            "view": await ask(replays.view_at, live, album, 0, eyes),
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
    n = whole_number(request.path_params["n"])
    album = await state.replays.album(live, user.id)
    if n is None or n >= len(album):
        raise Refused("not_found", f"The match has {len(album) - 1} steps.")
    told = {
        "version": n,
        "view": await state.hall.rooms.do("questions", replays.view_at, live, album, n, eyes, account=user.id),
        "log": replays.lines_at(live, eyes).get(n, []),
        "why": live.why.get(n, "") if live.result or live.study else "",
    }
    return json_response(told)
