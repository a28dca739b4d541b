"""Steps of a match that the log does not tell of, in words, and the steps in which something was lost."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sandtable.engine import Match, Record
from sandtable.engine.record import Number, Step, Takeback
from sandtable.server.rebuild import rebuild

ALL = "all"


def untold(record: Record, told: Collection[int], eyes: str) -> dict[str, Any]:
    """Words for the steps beside those that are told, and the losses that these eyes may know of, by step."""
    texts: dict[int, str] = {}
    losses: dict[int, list[str]] = {}
    last = len(record.entries)

    def each(match: Match, number: int) -> None:
        game = match.game
        for _, event in match.events(since=number, everything=True):
            loss = game.loss(event)
            if loss is not None and (eyes == ALL or event.known_to(eyes)):
                losses.setdefault(number, []).append(loss[0])
        if number == last or number + 1 in told:
            return
        entry = record.entries[number]
        if isinstance(entry, Takeback):
            texts[number + 1] = f"{game.side_name(entry.side)} takes back the last action"
        elif isinstance(entry, Number):
            texts[number + 1] = f"{game.side_name(entry.side)} adds a number to the dice"
        elif isinstance(entry, Step) and eyes in (ALL, entry.side):
            texts[number + 1] = game.describe(match.state, entry.side, entry.action).text
        else:
            texts[number + 1] = f"{game.side_name(entry.side)} decides something that is not seen"

    rebuild(record, each)
    if 0 not in told:
        texts[0] = "The match begins"
    return {"texts": texts, "losses": losses}
