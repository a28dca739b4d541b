"""Several players share a side: each acts with the units of his platoon, and one of them is the commander.

The commander is whoever has the seat; the others are partners. All of them see what the side sees. What names units is
for the players of those units; what names none is for anybody, but a phase or a step is ended by the commander as long
as he is here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from sandtable.engine import Action, Match
from sandtable.engine.view import Description, PanelView, PieceView, RowView
from sandtable.server.forms import Partner, Setup, side_name, to_json
from sandtable.server.picture import Choice, described
from sandtable.server.refusal import Refused
from sandtable.server.store import NotSaved, Statement
from sandtable.server.tokens import new_secret_token

if TYPE_CHECKING:
    from sandtable.server.accounts import User
    from sandtable.server.live import LiveMatch

MOST = 5
"""Partners of one commander."""
KEEP = "UPDATE matches SET setup = ? WHERE id = ?"
MEMBER = (
    "INSERT INTO members (match_id, user_id, observer) VALUES (?, ?, 1) "
    "ON CONFLICT (match_id, user_id) DO UPDATE SET observer = 1"
)
NO_MEMBER = "DELETE FROM members WHERE match_id = ? AND user_id = ?"


class Player(NamedTuple):
    """One of those who share a side, the commander first."""

    user: str
    name: str
    commands: bool


# -- asking -----------------------------------------------------------------------------


def partners(live: LiveMatch, side: str | None) -> tuple[Partner, ...]:
    """Those who share a side with its commander; a computer player shares with nobody."""
    if side is None or not live.setup.partners or live.seats[side].kind not in ("person", "open"):
        return ()
    return tuple([one for one in live.setup.partners if one.side == side])


def people(live: LiveMatch, side: str) -> set[str]:
    """The accounts that play a side."""
    found = {live.seats[side].user or "", *[one.user for one in partners(live, side)]}
    return found - {""}


def players(live: LiveMatch, side: str) -> list[Player]:
    """The persons who share a side."""
    seat = live.seats[side]
    commander = Player(seat.user or "", seat.name or "the commander", True)
    return [commander, *[Player(one.user, one.name, False) for one in partners(live, side) if one.user]]


def owners(live: LiveMatch, match: Match, side: str) -> dict[str, str]:
    """Whose each unit of a side is; what is carried goes with whoever carries it."""
    given = {unit: one.user for one in partners(live, side) for unit in one.units if one.user}
    return _owned(match.game.view(match.state, side).pieces, side, given, live.seats[side].user or "")


def _owned(pieces: Sequence[PieceView], side: str, given: Mapping[str, str], rest: str) -> dict[str, str]:
    holder = {piece.id: piece.within for piece in pieces}
    found: dict[str, str] = {}
    for piece in pieces:
        if piece.side == side:
            top = piece.id
            while holder.get(top):
                top = holder[top]
            found[piece.id] = given.get(top, rest)
    return found


def commander_here(live: LiveMatch, side: str) -> bool:
    """Whether the commander of a side is connected."""
    user = live.seats[side].user
    return user is not None and any([guest.user == user for guest in live.guests() if guest.side])


def bar(live: LiveMatch, side: str, user: str, said: Description | Choice, whose: Mapping[str, str]) -> str:
    """Why an action is not this player's to choose; empty: it is."""
    named = {whose[piece] for piece in said.pieces if piece in whose}
    if named:
        if user in named:
            return ""
        name = next((one.name for one in players(live, side) if one.user in named), "the commander")
        return f"This unit is in the platoon of {name}: it is for {name} to act with it."
    if user == live.seats[side].user or said.role != "pass" or not commander_here(live, side):
        return ""
    return f"This ends something for the whole side: it is for {live.seats[side].name}, who commands it."


def check(live: LiveMatch, match: Match, side: str, user: str, action: Action) -> None:
    """Refuse an action that is another player's of the same side."""
    if not partners(live, side) or side not in match.to_act:
        return
    why = bar(live, side, user, described(match, side, action), owners(live, match, side))
    if why:
        raise Refused("forbidden", why)


def foreign(live: LiveMatch, side: str, user: str, pieces: Sequence[str]) -> str:
    """Why a player cannot plan with these pieces; empty: he can."""
    if not partners(live, side):
        return ""
    said = Description("", pieces=tuple(pieces))
    return bar(live, side, user, said, owners(live, live.match, side)) if pieces else ""


def choices(live: LiveMatch, side: str, user: str, found: list[Choice]) -> list[Choice]:
    """Those of a side's choices that are this player's."""
    if not found or not partners(live, side):
        return found
    whose = owners(live, live.match, side)
    return [choice for choice in found if not bar(live, side, user, choice, whose)]


def deciders(live: LiveMatch, match: Match, side: str) -> set[str]:
    """The players whose units can do something now; if there are none, the commander."""
    whose = owners(live, match, side)
    said = [described(match, side, action) for action in match.actions(side)]
    found = {whose[piece] for one in said for piece in one.pieces if piece in whose}
    return found or {live.seats[side].user or ""}


def waits(live: LiveMatch, side: str) -> str:
    """Whom the others of a shared side wait for."""
    if not partners(live, side):
        return ""
    acting = deciders(live, live.match, side)
    return f"Waiting for {' and '.join([one.name for one in players(live, side) if one.user in acting])}."


# -- showing ----------------------------------------------------------------------------


def shown(live: LiveMatch, match: Match, side: str | None, view: dict[str, Any]) -> dict[str, Any]:
    """A view of a shared side, with a panel that says who has which units and who is to act."""
    if side is None or not partners(live, side):
        return view
    given = {unit: one.user for one in partners(live, side) for unit in one.units if one.user}
    whose = _owned(view["pieces"], side, given, live.seats[side].user or "")
    acting = deciders(live, match, side) if side in view["to_act"] else set()
    names = {one.user: one.name for one in players(live, side)}
    rows = []
    for one in players(live, side):
        units = [p.label for p in view["pieces"] if whose.get(p.id) == one.user and not p.within and p.side == side]
        who = f"{one.name}, who commands" if one.commands else one.name
        rows.append(RowView(f"{who}: to act" if one.user in acting else who, ", ".join(units) or "no units"))
    pieces = tuple([_with_platoon(piece, names.get(whose.get(piece.id, "?"), "")) for piece in view["pieces"]])
    return {**view, "pieces": pieces, "panels": (PanelView("platoons", "Platoons", tuple(rows)), *view["panels"])}


def _with_platoon(piece: PieceView, name: str) -> PieceView:
    return replace(piece, facts=(*piece.facts, ("Platoon", name))) if name else piece


def cards(live: LiveMatch, side: str, user: str | None) -> list[dict[str, Any]]:
    """The partners of a side as everybody sees them, with what this account may do about each."""
    commands = user is not None and user == live.seats[side].user
    there = {guest.user for guest in live.guests() if guest.side}
    found = []
    for n, one in enumerate(partners(live, side), 1):
        own = bool(one.user) and one.user == user
        found.append(
            {
                "n": n,
                "name": one.name,
                "connected": one.user in there,
                "link": f"/#/join/{one.token}" if commands and one.token else None,
                "give": 0 if own else n if commands and one.user else None,
                "ends": own or commands,
            }
        )
    return found


# -- changing ---------------------------------------------------------------------------


def after(live: LiveMatch, candidate: Match) -> Setup:
    """Who has which units after a step: what came out of a unit stays in its platoon."""
    setup = live.setup
    for side in {one.side for one in setup.partners}:
        if partners(live, side):
            before = live.match.game.view(live.match.state, side).pieces
            now = candidate.game.view(candidate.state, side).pieces
            setup = replace(setup, partners=_heirs(setup.partners, side, before, now))
    return setup


def _heirs(
    all_of: tuple[Partner, ...], side: str, before: Sequence[PieceView], now: Sequence[PieceView]
) -> tuple[Partner, ...]:
    """Half-squads of a squad that was deployed or reduced stand where it stood: they go with it.

    One of them may be the squad's own counter with another face.
    """
    own = [piece for piece in now if piece.side == side and not piece.within]
    if not any([one.units for one in all_of if one.side == side]):
        return divided(all_of, side, own)
    left = {piece.id for piece in now}
    known = {piece.id for piece in before}
    came = [piece for piece in own if piece.id not in known]
    if not came:
        return all_of
    kinds = {piece.id: _kind(piece) for piece in own}
    gone = {one.id: one.at for one in before if one.id not in left or kinds.get(one.id, "") not in ("", _kind(one))}
    found = []
    for one in all_of:
        places = {gone[unit] for unit in one.units if unit in gone} if one.side == side else set()
        found.append(replace(one, units=(*one.units, *[piece.id for piece in came if piece.at in places])))
    return tuple(found)


def _kind(piece: PieceView) -> str:
    """What a counter shows on its front: a unit that breaks stays what it is."""
    return piece.face.removesuffix("/broken")


def divided(all_of: tuple[Partner, ...], side: str, units: Sequence[PieceView]) -> tuple[Partner, ...]:
    """Deal all units of a side: on the map stacks stay together, before that each player gets some of every kind."""
    sharers = [one for one in all_of if one.side == side and one.user]
    number = len(sharers) + 1
    if number == 1 or len(units) < number:
        return all_of
    places = sorted({piece.at for piece in units})
    if len(places) >= number:
        hand = {piece.id: places.index(piece.at) * number // len(places) for piece in units}
    else:
        hand = {piece.id: n % number for n, piece in enumerate(sorted(units, key=lambda piece: piece.face))}
    dealt = {one.user: tuple([u for u, n in hand.items() if n == k]) for k, one in enumerate(sharers, 1)}
    return tuple([replace(one, units=dealt[one.user]) if one in sharers else one for one in all_of])


def _joined(live: LiveMatch, all_of: tuple[Partner, ...], new: Partner) -> tuple[Partner, ...]:
    """A newcomer gets his share: at first everything is divided, later he takes from whoever has most."""
    side = new.side
    pieces = live.match.game.view(live.match.state, side).pieces
    units = [piece for piece in pieces if piece.side == side and not piece.within]
    held = {one.user: [*one.units] for one in all_of if one.side == side and one.user}
    if not any(held.values()):
        return divided(all_of, side, units)
    places = {piece.id: piece.at for piece in units}
    given = {unit for some in held.values() for unit in some}
    held[""] = sorted([unit for unit in places if unit not in given], key=lambda unit: places[unit])
    while len(held[new.user]) < len(units) // len(held):
        most = max(held.values(), key=len)
        held[new.user].append(most.pop())
    return tuple(
        [replace(one, units=tuple(held[one.user])) if one.side == side and one.user else one for one in all_of]
    )


def statements(live: LiveMatch, setup: Setup) -> tuple[Statement, ...]:
    """What keeps the platoons in the store, if they have changed."""
    return (Statement(KEEP, (to_json(setup), live.id), 1),) if setup != live.setup else ()


async def keep(live: LiveMatch, all_of: tuple[Partner, ...], *more: Statement) -> None:
    """Other partners or other platoons. The lock is held."""
    setup = replace(live.setup, partners=all_of)
    try:
        await live.hall.write(live, Statement(KEEP, (to_json(setup), live.id), 1), *more)
    except NotSaved as error:
        raise Refused("not_saved", str(error)) from None
    live.setup = setup
    told(live)


def told(live: LiveMatch) -> None:
    """Whoever shares a side no more is sent away, the others are told who has what."""
    for connection in list(live.audience.connections):
        if connection.side is not None and connection.side not in live.sides_of(connection.user.id):
            connection.part(4409)
    live.audience.tell_sharing()


async def open_place(live: LiveMatch, side: str, user: User) -> None:
    """The commander looks for one more player of his side. The lock is held."""
    if live.seats[side].user != user.id:
        raise Refused("forbidden", "Only the player of a seat can share it.")
    if len(partners(live, side)) >= MOST:
        raise Refused("not_now", f"A side is shared by at most {MOST + 1} players.")
    place = Partner(side, f"{live.id}.{new_secret_token()}")
    await keep(live, (*live.setup.partners, place))


async def sit(live: LiveMatch, token: str, user: User) -> None:
    """Somebody takes an open place, and a part of the units with it. The lock is held."""
    from sandtable.server.seats import check_partner, newly_seen
    from sandtable.server.seats import statements as seen_by

    place = next((one for one in live.setup.partners if one.token and one.token == token), None)
    if place is None:
        raise Refused("taken", "Somebody has taken this place a moment ago.")
    own = live.sides_of(user.id)
    if own:
        raise Refused("forbidden", f"You play {side_name(own[0])} in this match: this place is for somebody else.")
    taken = Partner(place.side, user=user.id, name=user.name)
    check_partner(live, taken)
    all_of = tuple([taken if one is place else one for one in live.setup.partners])
    all_of = _joined(live, all_of, taken)
    seen = newly_seen(live, live.match, all_of)
    await keep(live, all_of, Statement(MEMBER, (live.id, user.id)), *seen_by(live, seen))
    live.seen.update(seen)


async def leave(live: LiveMatch, side: str, n: int, user: User) -> None:
    """A partner goes, or is sent away by the commander; his units are the commander's again. The lock is held."""
    sharing = partners(live, side)
    if not 1 <= n <= len(sharing):
        raise Refused("not_found", "There is no such partner.")
    gone = sharing[n - 1]
    if user.id not in (live.seats[side].user, gone.user):
        raise Refused("forbidden", "Only the commander and the partner himself can end their sharing.")
    left = tuple([one for one in live.setup.partners if one is not gone])
    await keep(live, left, *([Statement(NO_MEMBER, (live.id, gone.user))] if gone.user else []))


async def give(live: LiveMatch, side: str, user: str, pieces: Sequence[str], to: int) -> None:
    """Put units into a platoon: the commander any, the others their own; 0 is the commander. The lock is held."""
    sharing = partners(live, side)
    if not sharing:
        raise Refused("not_now", "Nobody shares this side.")
    if not 0 <= to <= len(sharing) or (to and not sharing[to - 1].user):
        raise Refused("not_found", "There is no such partner.")
    whose = owners(live, live.match, side)
    strange = [piece for piece in pieces if piece not in whose]
    if strange or not pieces:
        raise Refused("bad_request", "Name units of your side.")
    if user != live.seats[side].user and any([whose[piece] != user for piece in pieces]):
        raise Refused("forbidden", "Only the commander gives away units of others.")
    taker = sharing[to - 1] if to else None
    moved = [
        replace(one, units=(*[u for u in one.units if u not in pieces], *(pieces if one is taker else ())))
        if one.side == side
        else one
        for one in live.setup.partners
    ]
    await keep(live, tuple(moved))
