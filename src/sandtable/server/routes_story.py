"""Requests about a match as a whole: its story, a report, readable text, and the steps of a lesson."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sandtable.engine.errors import SandtableError
from sandtable.server import replays
from sandtable.server.answers import endpoint, json_response
from sandtable.server.listing import seat_card
from sandtable.server.live import LiveMatch
from sandtable.server.pupils import pupil
from sandtable.server.refusal import Refused
from sandtable.server.steps import untold
from sandtable.sim.story import Story, as_text, tell
from sandtable.sim.story_page import Cover, page

T = TypeVar("T")

KEPT = 50
"""Stories that are remembered."""
_stories: OrderedDict[tuple[str, int], Story] = OrderedDict()


class LessonWish(msgspec.Struct):
    """A step that the player does not want to do."""

    skip: int


async def _readable(request: Request) -> LiveMatch:
    """A match of which everything may be told: it is over, or only this account plays in it."""
    state = request.app.state
    user = await state.gate.known_user(request)
    live: LiveMatch = await state.hall.for_user(request.path_params["id"], user)
    alone = all(seat.user == user.id for seat in live.seats.values())
    if not (live.result or live.study or alone):
        raise Refused("not_now", "The story tells everything: it can be had when the match is over.")
    return live


async def _told(request: Request, live: LiveMatch, work: Callable[..., T], *about: Any) -> T:
    """Something of a whole match, which has to be played again for it: beside everything else, a few at a time."""
    user = await request.app.state.gate.known_user(request)
    try:
        return await live.hall.rooms.do("stories", work, replays.whole_record(live), *about, account=user.id)
    except SandtableError:  # which step it is may be a secret of the other side
        raise Refused("not_now", "The rules have been changed since: this match can only be looked back at.") from None


async def _story(request: Request, live: LiveMatch) -> Story:
    key = (live.id, live.version)
    if key not in _stories:
        _stories[key] = await _told(request, live, tell)
        if len(_stories) > KEPT:
            _stories.popitem(last=False)
    _stories.move_to_end(key)
    return _stories[key]


def ending(live: LiveMatch) -> str:
    """Who has won and why, in a sentence."""
    result = live.result
    if result is None:
        return "The match is not over."
    who = f"{live.match.game.side_name(result.winner)} victory" if result.winner else "A draw"
    rule = f" ({result.rule})" if any(sign.isdigit() for sign in result.rule) else ""
    return f"{who}: {result.reason.rstrip('.')}{rule}."


def _title(live: LiveMatch) -> tuple[str, str]:
    header = live.match.header
    game, scenario = live.hall.catalogue.titles(header.game, header.scenario)
    return scenario, game


@endpoint
async def story(request: Request) -> Response:
    """GET /api/matches/{id}/story: chances, losses, luck and turning points."""
    return json_response({"story": await _story(request, await _readable(request))})


@endpoint
async def report(request: Request) -> Response:
    """GET /api/matches/{id}/report.html: the story as one file."""
    live = await _readable(request)
    told = await _story(request, live)
    title, game = _title(live)
    names = {side: live.match.game.side_name(side) for side in live.match.sides}
    cards = [seat_card(live, seat) for seat in live.seats.values()]
    cover = Cover(
        title=title,
        game=game,
        when=datetime.fromtimestamp(live.changed / 1000, UTC).strftime("%d %B %Y").lstrip("0"),
        players={card["side"]: card["name"] or "nobody" for card in cards},
        names=names,
        colours={},
        ending=ending(live),
    )
    text = await _told(request, live, as_text, title, names, cover.ending)
    headers = {
        "Content-Disposition": f'attachment; filename="{_name(live)}.html"',
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(page(told, cover, text), headers=headers, media_type="text/html")


@endpoint
async def steps(request: Request) -> Response:
    """GET /api/matches/{id}/steps: words for the steps that the log does not tell of, and where something was lost."""
    state = request.app.state
    user = await state.gate.known_user(request)
    live: LiveMatch = await state.hall.for_user(request.path_params["id"], user)
    eyes = replays.chosen(live, user, request.query_params.get("side", ""))
    told = replays.lines_at(live, eyes)
    return json_response(await _told(request, live, untold, told, eyes))


@endpoint
async def text(request: Request) -> Response:
    """GET /api/matches/{id}/record.txt: the record in words."""
    live = await _readable(request)
    names = {side: live.match.game.side_name(side) for side in live.match.sides}
    words = await _told(request, live, as_text, _title(live)[0], names, ending(live))
    headers = {"Content-Disposition": f'attachment; filename="{_name(live)}.txt"', "Cache-Control": "no-store"}
    return Response(words, headers=headers, media_type="text/plain")


def _name(live: LiveMatch) -> str:
    return f"{live.match.header.game}-{live.match.header.scenario}-{live.id}"


@endpoint
async def lesson(request: Request) -> Response:
    """POST /api/matches/{id}/lesson: leave a step of the lesson out."""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, LessonWish)
    live: LiveMatch = await state.hall.for_user(request.path_params["id"], user)
    learner = pupil(live)
    if learner is None or not live.sides_of(user.id):
        raise Refused("not_found", "That match is no lesson of yours.")
    await state.hall.do(live, lambda: learner.skip(live, wish.skip))
    return json_response({"lesson": learner.now(live)})
