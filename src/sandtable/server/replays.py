"""Looking back: every step of a match, as a side saw it then; after the end, with everything shown."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import msgspec

from sandtable.engine import Outcome, Record
from sandtable.engine.view import View
from sandtable.server.accounts import User
from sandtable.server.album import Album, made_from
from sandtable.server.live import LiveMatch
from sandtable.server.picture import everything, view_table
from sandtable.server.refusal import Refused

KEPT_BYTES = 40_000_000
"""Bytes of albums that are kept ready."""

ALL, OBSERVER = "all", "observer"


class Replays:
    """The albums of matches that somebody looks back at."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Album] = OrderedDict()

    async def album(self, live: LiveMatch, account: str = "") -> Album:
        """Every moment of a match so far."""
        kept = live.album or self._kept.get(live.id)
        if kept is None or not kept.shows(live.version):
            work = made_from, live.match.game, playable_record(live), live.match
            kept = await live.hall.rooms.do("studies", *work, account=account)
            self._kept[live.id] = kept
            while len(self._kept) > 1 and sum([album.size for album in self._kept.values()]) > KEPT_BYTES:
                self._kept.popitem(last=False)
        if live.id in self._kept:
            self._kept.move_to_end(live.id)
        return kept


def whole_record(live: LiveMatch) -> Record:
    """The record with the dice secret, for the server's own use."""
    return msgspec.structs.replace(live.whole or live.match.record(), secret=live.match.header.secret)


def playable_record(live: LiveMatch) -> Record:
    """The record as far as these rules can play it, with the dice secret."""
    return msgspec.structs.replace(live.match.record(), secret=live.match.header.secret)


def published_record(live: LiveMatch) -> Record:
    """The record as it may be handed out: the secret only if the match is over."""
    if not (live.result or live.study):
        return live.match.record()
    result = live.result if live.match.outcome is None else None
    ended = Outcome(result.winner, result.reason) if result is not None else None
    return msgspec.structs.replace(whole_record(live), ended=ended)


def allowed(live: LiveMatch, user: User) -> list[str]:
    """Whose eyes an account may look back through: the first is the default."""
    if live.result or live.study:
        return [ALL, *live.match.sides, OBSERVER]
    return [*live.sides_of(user.id), OBSERVER]


def chosen(live: LiveMatch, user: User, side: str) -> str:
    """Whose eyes were asked for, if that is allowed."""
    may = allowed(live, user)
    if not side:
        return may[0]
    if side not in may:
        raise Refused("not_found", f"You may look back as {', '.join(may)}.")
    return side


def view_at(live: LiveMatch, album: Album, n: int, eyes: str) -> dict[str, Any]:
    """The view after step n."""
    game, moment, state = live.match.game, album.moments[n], album.state(n)
    if eyes == ALL:
        view: View = everything(game, state, live.match.sides)
    else:
        view = game.view(state, None if eyes == OBSERVER else eyes)
    return view_table(view, n, moment.to_act, live.result if n == live.version else None)


def lines_at(live: LiveMatch, eyes: str) -> dict[int, list[msgspec.Raw]]:
    """The log lines of each step, as far as they may be known."""
    found: dict[int, list[msgspec.Raw]] = {}
    side = None if eyes in (ALL, OBSERVER) else eyes
    for line in live.log:
        if eyes == ALL or line.known_to(side):
            found.setdefault(line.version, []).append(line.raw)
    return found


def steps(live: LiveMatch, album: Album, eyes: str) -> list[dict[str, Any]]:
    """All steps in one line each, for the scrubber."""
    game = live.match.game
    lines = lines_at(live, eyes)
    side = None if eyes in (ALL, OBSERVER) else eyes
    told: list[dict[str, Any]] = []
    for n, moment in enumerate(album.moments):
        view = game.view(album.state(n), side)
        known = [msgspec.json.decode(line) for line in lines.get(n, ())]
        told.append(
            {
                "n": n,
                "side": moment.side,
                "turn": view.turn,
                "phase": view.phase,
                "text": known[0]["text"] if known else "",
                "kind": moment.kind,
                "dice": any("dice" in line for line in known),
            }
        )
    return told
