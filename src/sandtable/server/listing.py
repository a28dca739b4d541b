"""Matches as their players, observers and guests see them: on a card, and in an account's list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine.game import Game
from sandtable.players import level_name
from sandtable.server import sharing
from sandtable.server.accounts import User
from sandtable.server.catalogue import Catalogue
from sandtable.server.forms import SeatRow, Setup
from sandtable.server.seats import RULES, SEAT, seat_of_row
from sandtable.server.store import Statement

if TYPE_CHECKING:
    from sandtable.server.hall import Hall
    from sandtable.server.live import LiveMatch

LISTED = 500
"""Matches that a list has at once."""
MINE = (
    "(SELECT match_id FROM seats WHERE user_id = ? UNION SELECT id FROM matches WHERE creator = ? "
    "UNION SELECT match_id FROM members WHERE user_id = ? AND observer = 1)"
)
LIST = (
    "SELECT id, game, scenario, title, status, version, to_act, turn, phase, result, created, changed, creator, setup "
    f"FROM matches WHERE id IN {MINE} ORDER BY changed DESC, id LIMIT ? OFFSET ?"
)
SEATS_OF_ALL = (
    f"SELECT s.match_id, {SEAT} FROM seats s LEFT JOIN users u ON u.id = s.user_id "
    f"WHERE s.match_id IN {MINE} ORDER BY s.position"
)


def summary(live: LiveMatch, user_id: str | None) -> dict[str, Any]:
    """A match as its players and observers see it; with no account: the card of an invitation."""
    header = live.match.header
    card = _card(live.hall.catalogue, header.game, header.scenario)
    card.update(
        id=live.id,
        title=live.title,
        options=header.options,
        status=live.status,
        version=live.version,
        sides=header.sides,
        side_labels=live.hall.catalogue.side_labels(header.game, header.sides),
        seats=[{**seat_card(live, seat), **_shared(live, seat.side, user_id)} for seat in live.seats.values()],
        to_act=live.to_act,
        turn=live.turn,
        phase=live.phase,
        clock=live.setup.clock,
        result=live.result,
        created=live.created,
        changed=live.changed,
        commitment=header.commitment,
        numbers=tuple(live.match.numbers()),
        seeded=header.seed is not None,
        hidden=live.hidden(),
        custom=header.position is not None,
        own_map=type(live.match.game).scene_of is not Game.scene_of,
        lesson=live.hall.catalogue.lesson(header.game, live.setup.lesson),
    )
    if user_id is not None:
        yours = live.sides_of(user_id)
        creator = live.creator == user_id
        card.update(yours=yours, your_turn=any(side in live.to_act for side in yours), creator=creator)
        card["watch"] = f"/#/watch/{live.watch}" if live.watch and (creator or yours) else None
        card["invitations"] = {
            seat.side: f"/#/join/{seat.invitation}"
            for seat in live.seats.values()
            if seat.invitation and user_id == (seat.opened_by or live.creator)
        }
    return card


def _shared(live: LiveMatch, side: str, user_id: str | None) -> dict[str, Any]:
    found = sharing.cards(live, side, user_id)
    shares = any([one["give"] == 0 for one in found])
    return {"partners": found, "shares": shares} if found else {}


def _card(catalogue: Catalogue, game_id: str, scenario_id: str) -> dict[str, Any]:
    game_title, scenario_title = catalogue.titles(game_id, scenario_id)
    return {"game": game_id, "scenario": scenario_id, "game_title": game_title, "scenario_title": scenario_title}


def seat_card(live: LiveMatch | None, seat: SeatRow) -> dict[str, Any]:
    """A seat as everybody sees it."""
    card: dict[str, Any] = {"side": seat.side, "kind": seat.kind, "name": seat.name, "guest": seat.guest}
    if seat.kind == "computer":
        card.update(level=seat.level, name="the rules" if seat.level == RULES else level_name(seat.level))
        card["stalled"] = seat.stalled == seat.level != ""
    card["connected"] = live is not None and seat.kind == "person" and live.present(seat.side)
    return card


async def list_of(hall: Hall, user: User, *, archived: bool = False) -> list[dict[str, Any]]:
    """The newest matches of an account: those that wait for it first, then by last change."""
    return (await page_of(hall, user, archived=archived))[0]


async def page_of(
    hall: Hall, user: User, *, archived: bool = False, skip: int = 0
) -> tuple[list[dict[str, Any]], bool]:
    """So many matches of an account after the first ones, and whether there are more."""
    rows = await hall.read(LIST, user.id, user.id, user.id, LISTED + 1, skip)
    more, rows = len(rows) > LISTED, rows[:LISTED]
    rows_away = await hall.read("SELECT match_id FROM members WHERE user_id = ? AND archived = 1", user.id)
    gone = {row[0] for row in rows_away}
    seats: dict[str, list[SeatRow]] = {}
    for number, *seat in await hall.read(SEATS_OF_ALL, user.id, user.id, user.id):
        seats.setdefault(number, []).append(seat_of_row(tuple(seat)))
    found = [
        {**_listed(hall, row, seats.get(row[0], []), user), "archived": row[0] in gone}
        for row in rows
        if archived or row[0] not in gone
    ]
    return sorted(found, key=lambda match: not match["your_turn"]), more


def _listed(hall: Hall, row: tuple[Any, ...], seats: list[SeatRow], user: User) -> dict[str, Any]:
    number, game, scenario, title, status, version, to_act, turn, phase, result, made, changed, creator, setup = row
    live = hall.in_memory(number)
    shared = {one.side for one in msgspec.json.decode(setup, type=Setup).partners if one.user == user.id}
    yours = [seat.side for seat in seats if seat.user == user.id or (seat.side in shared and seat.kind != "computer")]
    acting: list[str] = msgspec.json.decode(to_act) if status in ("running", "waiting") else []
    return {
        **_card(hall.catalogue, game, scenario),
        "id": number,
        "title": title,
        "status": status,
        "version": version,
        "turn": turn,
        "phase": phase,
        "sides": [seat.side for seat in seats],
        "side_labels": hall.catalogue.side_labels(game, [seat.side for seat in seats]),
        "seats": [seat_card(live, seat) for seat in seats],
        "to_act": acting,
        "yours": yours,
        "your_turn": any(side in acting for side in yours),
        "creator": creator == user.id,
        "result": msgspec.json.decode(result) if result else None,
        "created": made,
        "changed": changed,
    }


async def put_away(live: LiveMatch, user: User, archived: bool) -> None:
    """Take a match out of an account's list, or put it back."""
    sql = (
        "INSERT INTO members (match_id, user_id, archived) VALUES (?, ?, ?) "
        "ON CONFLICT (match_id, user_id) DO UPDATE SET archived = excluded.archived"
    )
    await live.hall.store.write(Statement(sql, (live.id, user.id, int(archived))))
