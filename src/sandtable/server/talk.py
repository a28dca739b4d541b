"""What players settle between themselves: taking back by consent, draws, resigning, the clock, chat."""

from __future__ import annotations

import msgspec

from sandtable.engine.errors import CannotUndo
from sandtable.server.accounts import User
from sandtable.server.forms import ChatLine, Request, Result, one_line
from sandtable.server.live import LiveMatch
from sandtable.server.refusal import Refused
from sandtable.server.seats import RULES, ruled
from sandtable.server.store import NotSaved, Statement
from sandtable.server.store.base import now
from sandtable.server.telling import clocks_now

CHAT = 500
ABANDONED_DAYS = 30
DAY_MS = 24 * 3600 * 1000
CHAT_LINES = 5_000
ADD_LINE = "INSERT INTO chat (match_id, n, user_id, name, side, room, text, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


async def ask_undo(live: LiveMatch, side: str) -> None:
    """Ask the others; where there is nobody to ask, the action is taken back at once. The lock is held."""
    live.refuse_if_over()
    if ruled(live.match) and (why_not := live.match.why_no_undo(side)) is not None:
        raise Refused("no_undo", why_not)  # the rules agree to nothing
    try:
        live.match.clone().undo(side, consent=True)
    except CannotUndo as error:
        raise Refused("no_undo", str(error)) from None
    if not live.others(side):
        await live.undo(side, consent=True)
        return
    await _ask(live, Request("undo", side))


async def offer_draw(live: LiveMatch, side: str) -> None:
    """Offer a draw. The lock is held."""
    live.refuse_if_over()
    if any(seat.level == RULES for seat in live.seats.values()):
        raise Refused("not_now", "The rules agree to no draw: resign or play on.")
    if any(seat.kind == "computer" for seat in live.seats.values()):
        raise Refused("not_now", "A computer player does not agree to a draw: resign or play on.")
    if not live.others(side):
        await live.end(Result("", "A draw was agreed", how="draw"))
        return
    await _ask(live, Request("draw", side))


async def _ask(live: LiveMatch, request: Request) -> None:
    if any((asked.kind, asked.by) == (request.kind, request.by) for asked in live.requests):
        raise Refused("not_now", "You have asked already: wait for the answer.")
    await live.keep_requests((*live.requests, request))


async def answer(live: LiveMatch, side: str, kind: str, agree: bool) -> None:
    """Agree to what another side asked, decline it, or withdraw one's own question. The lock is held."""
    user = live.seats[side].user
    asked = [request for request in live.requests if request.kind == kind]
    own = [request for request in asked if live.seats[request.by].user == user]
    open_to_me = [request for request in asked if request not in own]
    if own and not agree and not open_to_me:
        await live.keep_requests(tuple(request for request in live.requests if request not in own))
        return
    if not open_to_me or user is None:
        raise Refused("not_now", "Nobody has asked you that.")
    request = open_to_me[0]
    left = tuple(other for other in live.requests if other != request)
    if not agree:
        await live.keep_requests(left)
        return
    request = msgspec.structs.replace(request, agreed=(*request.agreed, user))
    if set(request.agreed) < live.others(request.by):
        await live.keep_requests((*left, request))
    elif kind == "draw":
        await live.end(Result("", "A draw was agreed", how="draw"))
    else:
        await live.undo(request.by, consent=True)


async def resign(live: LiveMatch, side: str) -> None:
    """Give the match up. The lock is held."""
    await live.end(Result(_winner_over(live, side), f"{live.match.game.side_name(side)} resigned", how="resigned"))


async def claim_timeout(live: LiveMatch, side: str) -> None:
    """End the match because another side's time is up. The lock is held."""
    live.refuse_if_over()
    clocks = clocks_now(live)
    if clocks is None:
        await _claim_abandoned(live, side)
        return
    late = [other for other in clocks["claim"] if live.seats[other].user != live.seats[side].user]
    if not late:
        raise Refused("not_now", "Nobody's time is up.")
    winner = _winner_over(live, late[0])
    await live.end(Result(winner, f"The time of {live.match.game.side_name(late[0])} is up", how="timeout"))


async def _claim_abandoned(live: LiveMatch, side: str) -> None:
    """Without clocks a match can be ended when another player has let it lie: its dice can then be checked."""
    ((decided,),) = await live.hall.read("SELECT max(at) FROM steps WHERE match_id = ?", live.id)
    since = {other: decided if other in live.acted else live.changed for other in live.running_clocks()}
    others = [other for other in since if live.seats[other].user != live.seats[side].user]
    gone = [other for other in others if now() - since[other] >= ABANDONED_DAYS * DAY_MS]
    if not gone:
        days = f"when another player has not decided for {ABANDONED_DAYS} days"
        raise Refused("not_now", f"This match is played without clocks: it can be claimed {days}.")
    reason = f"{live.match.game.side_name(gone[0])} has not decided for {ABANDONED_DAYS} days"
    await live.end(Result(_winner_over(live, gone[0]), reason, how="abandoned"))


def _winner_over(live: LiveMatch, side: str) -> str:
    others = [other for other in live.match.sides if other != side]
    return others[0] if len(others) == 1 else ""


async def tell(live: LiveMatch, side: str, name: str, text: str) -> None:
    """Tell everybody at a match what became of a player, in the talk. The lock is held."""
    line = ChatLine(live.chat[-1].n + 1 if live.chat else 1, name, side, text[:CHAT], now())
    row = (live.id, line.n, live.creator, line.name, line.side, line.room, line.text, line.at)
    try:
        await live.hall.write(live, Statement(ADD_LINE, row, 1))
    except NotSaved:
        return  # the match itself goes on
    live.audience.tell_chat(line)


async def say(live: LiveMatch, user: User, side: str | None, text: str, room: str) -> None:
    """Say something; what observers say stays among them. The lock is held."""
    text = one_line(text)
    if not 1 <= len(text) <= CHAT:
        raise Refused("bad_request", f"A message has 1 to {CHAT} characters.")
    if len(live.chat) >= CHAT_LINES:
        raise Refused("not_now", "The talk of this match is full.")
    room = "observers" if side is None else "players" if room == "players" else "all"
    line = ChatLine(live.chat[-1].n + 1 if live.chat else 1, user.name, side or "", text, now(), room)
    row = (live.id, line.n, user.id, line.name, line.side, line.room, line.text, line.at)
    try:
        await live.hall.write(live, Statement(ADD_LINE, row, 1))
    except NotSaved as error:
        raise Refused("not_saved", str(error)) from None
    live.audience.tell_chat(line)
    if room != "observers":
        live.hall.notices.chat(live, user.id)
