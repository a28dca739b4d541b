"""Who may sit where: whoever has seen what a side hides plays against nobody at that side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine import Match
from sandtable.server.forms import SeatRow, side_name
from sandtable.server.orders import hides
from sandtable.server.refusal import Refused
from sandtable.server.store import Statement

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

ADD_SEEN = "INSERT INTO seen (match_id, user_id, side) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


def newly_seen(live: LiveMatch, match: Match) -> list[tuple[str, str]]:
    """(side, account) of the players who see what their side hides, as far as that is not known yet."""
    return [
        (seat.side, seat.user)
        for seat in live.seats.values()
        if seat.user and (seat.side, seat.user) not in live.seen and hides(match, seat.side)
    ]


def statements(live: LiveMatch, seen: list[tuple[str, str]]) -> list[Statement]:
    """What keeps them in the store."""
    return [Statement(ADD_SEEN, (live.id, user, side)) for side, user in seen]


def check_change(live: LiveMatch, new: SeatRow) -> None:
    """Refuse a seating in which a person plays against a side whose secrets he has seen.

    Whoever holds all the sides that persons hold, at one screen or against computers, cheats nobody.
    """
    seats = {**live.seats, new.side: new}
    seen = {*live.seen}
    if new.user and hides(live.match, new.side):
        seen.add((new.side, new.user))
    for mine in seats.values():
        if mine.kind != "person" or mine.user is None:
            continue
        for other in seats.values():
            if other.kind not in ("person", "open") or other.user == mine.user:
                continue
            if (other.side, mine.user) in seen:
                who = "You have" if mine.user == new.user or new.kind == "open" else f"{mine.name} has"
                raise Refused(
                    "forbidden",
                    f"{who} seen what {side_name(other.side)} hides: nobody else can play it against "
                    f"{side_name(mine.side)} in this match.",
                )


def check_join(live: LiveMatch, side: str, user_id: str) -> None:
    """An invitation is for somebody else than the players of the match."""
    own = live.sides_of(user_id)
    if own and live.seats[side].opened_by != user_id:
        raise Refused("forbidden", f"You play {side_name(own[0])} in this match: this seat is for somebody else.")


def check_right(live: LiveMatch, side: str, user_id: str, kind: str) -> None:
    """Whether an account may change a seat at all."""
    seat = live.seats[side]
    if seat.user == user_id or seat.opened_by == user_id:
        return
    if live.driver.stalled(seat) and kind == "computer" and live.sides_of(user_id):
        return  # the match would stand still without its creator
    if seat.kind == "person" or live.creator != user_id:
        raise Refused("forbidden", "Only the player of a seat can give it up; the creator may change the others.")
    if seat.kind == "open" and seat.opened_by and kind in ("me", "hotseat"):
        raise Refused("forbidden", "This seat waits for a substitute whom its player asks: it is not yours to take.")
