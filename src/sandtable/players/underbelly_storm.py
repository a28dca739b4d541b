"""German chances to win at a blow: beaches and cities that are empty, or that one attack could take (4.1, 4.2)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import ADJACENT, BIT, INDEX, NAMES, NAPLES, PAESTUM, SALERNO, TARANTO
from sandtable.games.underbelly.commands import fresh
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import UnderbellyState
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_conduct import prize_of
from sandtable.players.underbelly_marches import march
from sandtable.players.underbelly_odds import forecast, imagined_battle

DECISIVE = 30.0
"""The prize of a hex whose fall wins the game."""
LEAST = 0.2
"""A storm with less chance is not tried."""


class Storm(NamedTuple):
    """Where a stack goes to take a hex that wins the game."""

    to: int
    target: int
    chance: float


def decisive(state: UnderbellyState) -> list[int]:
    """Hexes that win the game for the Germans when they fall now."""
    return [
        INDEX[at]
        for at in (SALERNO, PAESTUM, NAPLES, TARANTO)
        if state.control[at] == ALLIED and prize_of(state, GERMAN, at) >= DECISIVE
    ]


def best_storm(state: UnderbellyState, order: a.Move | a.MoveFight) -> Storm | None:
    """What a stack can do about it with one command: walk in, or move and attack at once (9.6)."""
    prizes = decisive(state)
    if not prizes:
        return None
    now = field(state)
    units = list(fresh(state, now.stack(order.at), move=isinstance(order, a.Move)))
    if not any(UNITS[u].division for u in units):
        return None
    reached = march(state, units, column=isinstance(order, a.Move) and order.column)
    if isinstance(order, a.Move):
        empty = [h for h in prizes if reached & BIT[h] and not now.allied & BIT[h]]
        return Storm(empty[0], empty[0], 1.0) if empty else None
    best: Storm | None = None
    for target in prizes:
        for h in ADJACENT[target]:
            if reached & BIT[h] and now.allied & BIT[target]:
                odds = forecast(state, imagined_battle(state, GERMAN, NAMES[h], NAMES[target], units))
                if odds.cleared >= LEAST and (best is None or odds.cleared > best.chance):
                    best = Storm(h, target, odds.cleared)
    return best
