"""Looking back: every step of a match, as a side saw it then; after the end, with everything shown."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Match, Record
from sandtable.engine.record import Takeback
from sandtable.engine.view import View
from sandtable.server.accounts import User
from sandtable.server.live import LiveMatch
from sandtable.server.picture import everything, view_table
from sandtable.server.rebuild import rebuild
from sandtable.server.refusal import Refused

KEPT = 20
"""Matches whose steps are kept ready."""

ALL, OBSERVER = "all", "observer"


class Moment(NamedTuple):
    """A match after one step."""

    state: Any
    to_act: tuple[str, ...]
    side: str
    kind: str


class Replays:
    """The moments of matches that somebody looks back at."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, list[Moment]] = OrderedDict()

    async def moments(self, live: LiveMatch) -> list[Moment]:
        """Every moment of a match so far."""
        kept = self._kept.get(live.id)
        if kept is None or len(kept) != live.version + 1:
            kept = await asyncio.to_thread(_moments, whole_record(live))
            self._kept[live.id] = kept
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(live.id)
        return kept


def whole_record(live: LiveMatch) -> Record:
    """The record with the dice secret, for the server's own use."""
    return msgspec.structs.replace(live.match.record(), secret=live.match.header.secret)


def published_record(live: LiveMatch) -> Record:
    """The record as it may be handed out: the secret only if the match is over."""
    record = live.match.record()
    return whole_record(live) if live.result or live.study else record


def _moments(record: Record) -> list[Moment]:
    found: list[Moment] = []

    def each(match: Match, number: int) -> None:
        if number == 0:
            found.append(Moment(match.state.clone(), match.to_act, "", "start"))
            return
        entry = record.entries[number - 1]
        kind = "takeback" if isinstance(entry, Takeback) else "action"
        found.append(Moment(match.state.clone(), match.to_act, entry.side, kind))

    rebuild(record, each)
    return found


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


def view_at(live: LiveMatch, moments: list[Moment], n: int, eyes: str) -> dict[str, Any]:
    """The view after step n."""
    game, moment = live.match.game, moments[n]
    if eyes == ALL:
        view: View = everything(game, moment.state, live.match.sides)
    else:
        view = game.view(moment.state, None if eyes == OBSERVER else eyes)
    return view_table(view, n, moment.to_act, live.result if n == live.version else None)


def lines_at(live: LiveMatch, eyes: str) -> dict[int, list[msgspec.Raw]]:
    """The log lines of each step, as far as they may be known."""
    found: dict[int, list[msgspec.Raw]] = {}
    side = None if eyes in (ALL, OBSERVER) else eyes
    for line in live.log:
        if eyes == ALL or line.known_to(side):
            found.setdefault(line.version, []).append(line.raw)
    return found


def steps(live: LiveMatch, moments: list[Moment], eyes: str) -> list[dict[str, Any]]:
    """All steps in one line each, for the scrubber."""
    game = live.match.game
    lines = lines_at(live, eyes)
    side = None if eyes in (ALL, OBSERVER) else eyes
    told: list[dict[str, Any]] = []
    for n, moment in enumerate(moments):
        view = game.view(moment.state, side)
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
