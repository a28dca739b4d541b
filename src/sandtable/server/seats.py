"""Who may sit where: whoever has seen what a side hides plays against nobody at that side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine import Match
from sandtable.engine.tools import Orders
from sandtable.server.accounts import User
from sandtable.server.forms import Partner, SeatRow, side_name, to_json
from sandtable.server.orders import hides
from sandtable.server.refusal import Refused
from sandtable.server.store import NotSaved, Statement
from sandtable.server.store.base import now
from sandtable.server.tokens import new_secret_token

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

KEEP_SEAT = (
    "UPDATE seats SET kind = ?, user_id = ?, level = ?, invitation = ?, orders = ?, opened_by = ?, stalled = ? "
    "WHERE match_id = ? AND side = ? AND kind = ?"
)
KEEP_STATUS = "UPDATE matches SET status = ?, automatic = ?, clocks = ?, changed = ? WHERE id = ?"
ADD_SEEN = "INSERT INTO seen (match_id, user_id, side) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"

RULES = "rules"
"""In the place of a level: the rules lead the side, and nobody sees what it hides."""

SEAT = "s.side, s.kind, s.user_id, u.name, u.name_key, s.level, s.invitation, s.orders, s.opened_by, s.stalled"
"""The columns of a seat and its account."""


def seat_of_row(row: tuple[Any, ...]) -> SeatRow:
    """A seat as the store has it."""
    side, kind, user, name, key, level, invitation, orders, opened, stalled = row
    standing = msgspec.json.decode(orders, type=Orders)
    guest = user is not None and key is None
    return SeatRow(side, kind, user, name or "", guest, level, invitation, standing, opened, stalled)


def ruled(match: Match) -> Sequence[str]:
    """The sides that the rules lead: nobody else can."""
    return match.game.ruled(match.state) if match.game.rules_choose else ()


def newly_seen(live: LiveMatch, match: Match, partners: tuple[Partner, ...] | None = None) -> list[tuple[str, str]]:
    """(side, account) of the players who see what their side hides, as far as that is not known yet."""
    sharing = live.setup.partners if partners is None else partners
    seated = [(seat.side, seat.user or "") for seat in live.seats.values()] + [(one.side, one.user) for one in sharing]
    return [(side, user) for side, user in seated if user and (side, user) not in live.seen and hides(match, side)]


def statements(live: LiveMatch, seen: list[tuple[str, str]]) -> list[Statement]:
    """What keeps them in the store."""
    return [Statement(ADD_SEEN, (live.id, user, side)) for side, user in seen]


def check_change(live: LiveMatch, new: SeatRow) -> None:
    """Refuse a seating in which a person plays against a side whose secrets he has seen.

    Whoever holds all the sides that persons hold, at one screen or against computers, cheats nobody.
    """
    _check(live, [*{**live.seats, new.side: new}.values(), *map(_as_seat, live.setup.partners)], new)


def check_partner(live: LiveMatch, new: Partner) -> None:
    """Refuse a partner who has seen what another side hides."""
    sharing = [_as_seat(one) for one in live.setup.partners]
    _check(live, [*live.seats.values(), *sharing, _as_seat(new)], _as_seat(new))


def _as_seat(partner: Partner) -> SeatRow:
    """A partner sees as much as if he had the seat."""
    return SeatRow(partner.side, "person", partner.user or None, partner.name)


def _check(live: LiveMatch, seats: list[SeatRow], new: SeatRow) -> None:
    seen = {*live.seen}
    if new.user and hides(live.match, new.side):
        seen.add((new.side, new.user))
    for mine in seats:
        if mine.kind != "person" or mine.user is None:
            continue
        for other in seats:
            if other.kind not in ("person", "open") or other.user == mine.user or other.side == mine.side:
                continue
            if (other.side, mine.user) in seen:
                who = "You have" if mine.user == new.user or new.kind == "open" else f"{mine.name} has"
                raise Refused(
                    "forbidden",
                    f"{who} seen what {side_name(other.side)} hides: nobody else can play it against "
                    f"{side_name(mine.side)} in this match.",
                )


async def keep_seat(live: LiveMatch, seat: SeatRow) -> None:
    """Somebody else plays a side, or nobody yet. The lock is held."""
    check_change(live, seat)
    old, at = live.seats[seat.side], now()
    clocks = live.clocks_at(at)  # from now on others may run
    kept = (seat.kind, seat.user, seat.level, seat.invitation, to_json(seat.orders), seat.opened_by, seat.stalled)
    live.seats[seat.side] = seat
    seen = newly_seen(live, live.match)
    status, automatic = live.status, live.result is None and live.driver.next_of(live.match) is not None
    try:
        await live.hall.write(
            live,
            Statement(KEEP_SEAT, (*kept, live.id, seat.side, old.kind), 1),
            Statement(KEEP_STATUS, (status, int(automatic), to_json(clocks) if clocks else None, at, live.id), 1),
            *statements(live, seen),
        )
    except (NotSaved, Refused) as error:
        live.seats[seat.side] = old
        raise error if isinstance(error, Refused) else Refused("not_saved", str(error)) from None
    live.seen.update(seen)
    live.clocks, live.changed = clocks, at
    for connection in list(live.audience.connections):
        if connection.side == seat.side and seat.side not in live.sides_of(connection.user.id):
            connection.part(4409)
    live.audience.tell_match()
    live.driver.wake()


async def seat_computer(live: LiveMatch, side: str, level: str) -> None:
    """A computer player takes a seat. The lock is held."""
    await keep_seat(live, SeatRow(side, "computer", level=level))


async def stall(live: LiveMatch, side: str) -> None:
    """The computer player of a side waits for what a person chooses. The lock is held."""
    await keep_seat(live, msgspec.structs.replace(live.seats[side], stalled=live.seats[side].level))


async def open_seat(live: LiveMatch, side: str, user: User) -> None:
    """A seat waits for whoever has the invitation. The lock is held."""
    await keep_seat(live, SeatRow(side, "open", invitation=new_secret_token(), opened_by=user.id))


async def take_seat(live: LiveMatch, side: str, user: User) -> None:
    """A person takes a seat. The lock is held."""
    await keep_seat(live, SeatRow(side, "person", user.id, user.name, user.guest))


async def keep_orders(live: LiveMatch, side: str, orders: Orders) -> None:
    """Other standing orders of a seat. The lock is held."""
    sql = "UPDATE seats SET orders = ? WHERE match_id = ? AND side = ?"
    try:
        await live.hall.write(live, Statement(sql, (to_json(orders), live.id, side), 1))
    except NotSaved as error:
        raise Refused("not_saved", str(error)) from None
    live.seats[side].orders = orders
    live.audience.tell_orders(side)
    live.driver.wake()


def check_join(live: LiveMatch, side: str, user_id: str) -> None:
    """An invitation is for somebody else than the players of the match."""
    own = live.sides_of(user_id)
    if own and live.seats[side].opened_by != user_id:
        raise Refused("forbidden", f"You play {side_name(own[0])} in this match: this seat is for somebody else.")


def check_right(live: LiveMatch, side: str, user_id: str, kind: str) -> None:
    """Whether an account may change a seat at all."""
    seat = live.seats[side]
    if side in ruled(live.match):
        raise Refused("forbidden", f"The rules lead {side_name(side)}: nobody else can, and nobody sees what it hides.")
    if seat.user == user_id or seat.opened_by == user_id:
        return
    if seat.stalled and kind == "computer" and live.sides_of(user_id):
        return  # the match would stand still without its creator
    if seat.kind == "person" or live.creator != user_id:
        raise Refused("forbidden", "Only the player of a seat can give it up; the creator may change the others.")
    if seat.kind == "open" and seat.opened_by and kind in ("me", "hotseat"):
        raise Refused("forbidden", "This seat waits for a substitute whom its player asks: it is not yours to take.")
