"""Where the German line is in danger, and where reserves help most: in the post, or close behind it (6.6, 13.0)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.underbelly.atlas import ADJACENT, BIT, CITY, INDEX, MOUNTAIN, NAMES, TERRAIN, ZONE
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import UnderbellyState
from sandtable.games.underbelly.stacking import is_mixed
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_conduct import NORTH_LOSS
from sandtable.players.underbelly_ground import NORTH_DISTANCE, Ground, exit_turns
from sandtable.players.underbelly_odds import forecast, imagined_battle

FALLEN = 1.0
"""What a post is worth whose fall opens no way, in steps."""


class Threats:
    """What the Allies could do to posts of the line, from one position."""

    def __init__(self, state: UnderbellyState, ground: Ground, turns: int) -> None:
        self.state = state
        self._ground = ground
        self._turns = turns
        self._stacks = {
            INDEX[at]: tuple(stack)
            for at, _, _, _, _, stack, _ in field(state).forces[ALLIED]
            if any(UNITS[u].division for u in stack)
        }
        self._losses: dict[int, float] = {}

    def chance(self, post: int, held: Sequence[str]) -> float:
        """The chance that the strongest Allied stack beside a post clears it at one blow."""
        if not held:
            return 1.0
        state, worst = self.state, 0.0
        for h in ADJACENT[post]:
            stack = self._stacks.get(h)
            if stack is not None:
                units = _one_grouping(stack)
                battle = imagined_battle(state, ALLIED, NAMES[h], NAMES[post], units, defenders=held, tac=True)
                worst = max(worst, forecast(state, battle).cleared)
        return worst

    def loss(self, post: int) -> float:
        """What it costs, in steps, if the Allies take a post: how far the way north is open then."""
        found = self._losses.get(post)
        if found is None:
            german, zone = self._ground.german & ~BIT[post], 0
            for at, _, _, _, _, _, exerted in field(self.state).forces[GERMAN]:
                if INDEX[at] != post:
                    zone |= exerted
            then = self._ground._replace(allied=self._ground.allied | BIT[post], german=german, german_zoc=zone)
            found = self._losses[post] = NORTH_LOSS[exit_turns(then)] - NORTH_LOSS[self._turns] + FALLEN
        return found

    def behind(self, post: int, group: str) -> int | None:
        """The hex close behind a post for units that may not stand in it: out of Allied zones, on good ground."""
        now = field(self.state)
        best: tuple[float, int] | None = None
        for h in ADJACENT[post]:
            if (now.allied | now.allied_zoc) & BIT[h] or NORTH_DISTANCE[h] > NORTH_DISTANCE[post]:
                continue
            there = now.stack(NAMES[h])
            if there and UNITS[there[0]].group != group:
                continue
            good = -1.0 * NORTH_DISTANCE[h] + (0.5 if TERRAIN[h] == MOUNTAIN or CITY[h] else 0.0)
            good += 0.5 * ((ZONE[post] & ZONE[h]).bit_count() >= 2)
            if best is None or good > best[0]:
                best = good, h
        return best[1] if best is not None else None


def _one_grouping(stack: Sequence[str]) -> list[str]:
    """Those of a stack that may attack together: the stronger grouping of a mixed one (6.4, 6.5)."""
    if not is_mixed(stack):
        return list(stack)
    groups: dict[str, list[str]] = {}
    for unit in stack:
        groups.setdefault(UNITS[unit].group, []).append(unit)
    return max(groups.values(), key=lambda units: sum(UNITS[u].full for u in units))
