"""The Allied plan in Soft Underbelly: garrisons for the beaches, massed stacks where the line can be broken (4.0)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    CITY,
    COASTAL,
    FOGGIA,
    INDEX,
    MOUNTAIN,
    NAMES,
    NAPLES,
    NEAR_NAPLES,
    PAESTUM,
    SALERNO,
    TARANTO,
    TERRAIN,
    ZONE,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import HISTORICAL, UnderbellyState
from sandtable.games.underbelly.stacking import is_mixed, within_limits
from sandtable.games.underbelly.supply import open_to_supply, overland_network
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_conduct import NORTH_LOSS, prize_of
from sandtable.players.underbelly_ground import NORTH_DISTANCE, exit_turns, ground_of
from sandtable.players.underbelly_marches import ranges
from sandtable.players.underbelly_odds import Forecast, forecast, imagined_battle

CLOSE = 10
"""Goals of a move that are looked at closely."""
NEAR = 4
"""Germans so near a beach make it keep a garrison of two divisions."""


class AlliedPlan:
    """What the Allies could do from one position."""

    def __init__(self, state: UnderbellyState) -> None:
        self.state = state
        self.now = field(state)
        self.ground = ground_of(state)
        self.turns = exit_turns(self.ground)
        self.network = overland_network(state, self.now, ALLIED)
        self.stacks = {INDEX[at]: stack for at, _, _, _, _, stack, _ in self.now.forces[ALLIED]}
        self.germans = {INDEX[at]: stack for at, _, _, _, _, stack, _ in self.now.forces[GERMAN]}
        self.enemy_places = {INDEX[at] for at, owner in state.control.items() if owner == GERMAN}
        self._breaches: dict[int, float] = {}
        self._odds: dict[tuple[tuple[str, ...], int, int], Forecast] = {}

    # -- garrisons ------------------------------------------------------------------------

    @cached_property
    def posts(self) -> dict[int, int]:
        """Hexes that must not fall, and how many divisions must stay in each (4.1, 4.2)."""
        state = self.state
        found: dict[int, int] = {}
        if not state.switched:
            for at in (SALERNO, PAESTUM):
                found[INDEX[at]] = self._garrison(at)
        if state.scenario != HISTORICAL:
            for at, other in ((TARANTO, NAPLES), (NAPLES, TARANTO)):
                if state.control[at] == ALLIED and (state.control[other] == GERMAN or self._garrison(at) > 1):
                    found[INDEX[at]] = self._garrison(at)
        return found

    def _garrison(self, at: str) -> int:
        """One division; two if Germans are about in strength."""
        far = ranges(INDEX[at])
        steps = sum(self.state.steps[u] for h, stack in self.germans.items() if far[h] <= NEAR for u in stack)
        return 2 if steps >= 5 else 1

    def mobile(self, h: int, units: Sequence[str]) -> list[str]:
        """Those of a stack that may leave its hex: the garrison stays, the weakest divisions first."""
        need = self.posts.get(h, 0)
        if not need:
            return list(units)
        staying = [u for u in self.stacks.get(h, ()) if u not in units and UNITS[u].division]
        need -= len(staying)
        divisions = sorted((u for u in units if UNITS[u].division), key=lambda u: (UNITS[u].full, UNITS[u].order))
        stay = divisions[: max(0, need)]
        if len(divisions) <= len(stay):
            return []
        return [u for u in units if u not in stay]

    # -- attacks --------------------------------------------------------------------------

    def odds(self, units: Sequence[str], h: int, target: int) -> Forecast:
        """The odds if units attacked from a hex, with air support if there is any."""
        key = tuple(units), h, target
        found = self._odds.get(key)
        if found is None:
            battle = imagined_battle(
                self.state, ALLIED, NAMES[h], NAMES[target], units, tac=self.state.tac > 0 or not self.state.tac_on
            )
            found = self._odds[key] = forecast(self.state, battle)
        return found

    def attack_worth(self, odds: Forecast, target: int) -> float:
        """What an attack with these odds is worth, in steps."""
        value = 1.15 * odds.killed - odds.lost
        prize = prize_of(self.state, ALLIED, NAMES[target]) + self._naples(target)
        return value + odds.cleared * (self.breach(target) + prize)

    def breach(self, target: int) -> float:
        """What it opens if the Germans of a hex are gone, in steps."""
        if target not in self._breaches:
            self._breaches[target] = self._breach(target)
        return self._breaches[target]

    def _breach(self, target: int) -> float:
        german = self.ground.german & ~BIT[target]
        zone = 0
        for at, _, _, _, _, _, exerted in self.now.forces[GERMAN]:
            if INDEX[at] != target:
                zone |= exerted
        then = exit_turns(self.ground._replace(german=german, german_zoc=zone))
        return 0.8 * (NORTH_LOSS[then] - NORTH_LOSS[self.turns])

    def _naples(self, target: int) -> float:
        """Germans near Naples hold up the supply switch, and time runs out (11.9)."""
        if self.state.switched or not NEAR_NAPLES & BIT[target]:
            return 0.0
        return 0.5 + 0.15 * self.state.turn

    # -- places ---------------------------------------------------------------------------

    def quick(self, h: int, units: Sequence[str]) -> float:
        """A first look at a hex for units."""
        state, bit = self.state, BIT[h]
        value = -0.35 * NORTH_DISTANCE[h]
        if not (self.network & bit or ZONE[h] & self.network & open_to_supply(self.now, ALLIED)):
            value -= 1.5 if COASTAL[h] else 4.0
        if TERRAIN[h] == MOUNTAIN:
            value += 0.4
        if CITY[h]:
            value += 1.0
        for n in (h, *ADJACENT[h]):
            if n in self.enemy_places and (n == h or not (self.now.german_zoc | self.now.german) & BIT[n]):
                value += 2.0 if NAMES[n] in (NAPLES, FOGGIA) else 0.8
        if self.now.german_zoc & bit:
            value += 0.5
            if not state.switched and ZONE[h] & self.now.german & NEAR_NAPLES:
                value += 0.08 * state.turn
        friends = [u for u in self.stacks.get(h, ()) if u not in units]
        if friends:
            together = [*friends, *units]
            value += 0.3 * len(friends) if within_limits(together) else 0.0
            if is_mixed(together) and NAMES[h] not in state.ports:
                value -= 1.5
        return value

    def place(self, h: int, units: Sequence[str], origin: int | None) -> float:
        """A close look: what the units could do from there, what could be done to them, and the way north."""
        value = self.quick(h, units)
        friends = [u for u in self.stacks.get(h, ()) if u not in units]
        together = [*friends, *units]
        if self.now.german_zoc & BIT[h] and not is_mixed(together):
            best = 0.0
            for n in ADJACENT[h]:
                if n in self.germans:
                    best = max(best, self.attack_worth(self.odds(together, h, n), n))
            value += 0.5 * best
        value -= 0.6 * self._risk(h, together)
        allied = self.ground.allied | BIT[h]
        if origin is not None and all(u in units for u in self.stacks.get(origin, ())):
            allied &= ~BIT[origin] if origin != h else -1
        return value + 1.5 * NORTH_LOSS[exit_turns(self.ground._replace(allied=allied))]

    def _risk(self, h: int, units: Sequence[str]) -> float:
        """What the strongest German stack beside a hex would gain by attacking units there."""
        worst = 0.0
        for n in ADJACENT[h]:
            stack = self.germans.get(n)
            if stack and any(UNITS[u].division for u in stack):
                battle = imagined_battle(self.state, GERMAN, NAMES[n], NAMES[h], stack, defenders=units)
                odds = forecast(self.state, battle)
                worst = max(worst, odds.killed - odds.lost + odds.cleared)
        return worst

    def best_place(self, goals: Sequence[int], units: Sequence[str], origin: int | None) -> tuple[float, int]:
        """(value, hex) of the best goal for units."""
        promising = sorted(goals, key=lambda h: (-self.quick(h, units), h))[:CLOSE]
        value, _, best = max((self.place(h, units, origin), -n, h) for n, h in enumerate(promising))
        return value, best
