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
from sandtable.players.underbelly_ground import NORTH_DISTANCE, exit_turns, exit_zones, ground_of, turns_from
from sandtable.players.underbelly_marches import ranges
from sandtable.players.underbelly_odds import Forecast, forecast, imagined_battle
from sandtable.players.underbelly_style import USUAL, Style

CLOSE = 10
"""Goals of a move that are looked at closely."""
NEAR = 5
"""Germans so near a post could storm it."""
POST = 12.0
"""What a post is worth, in steps."""
TRUSTED = 0.04
"""The chance of losing a post that is put up with."""


class AlliedPlan:
    """What the Allies could do from one position."""

    def __init__(self, state: UnderbellyState, style: Style = USUAL[ALLIED]) -> None:
        self.state = state
        self.style = style
        self.now = field(state)
        self.ground = ground_of(state)
        self.zones = exit_zones(self.ground)
        self.turns = turns_from(self.zones, self.ground.allied)
        self.network = overland_network(state, self.now, ALLIED)
        self.stacks = {INDEX[at]: stack for at, _, _, _, _, stack, _ in self.now.forces[ALLIED]}
        self.germans = {INDEX[at]: stack for at, _, _, _, _, stack, _ in self.now.forces[GERMAN]}
        self.enemy_places = {INDEX[at] for at, owner in state.control.items() if owner == GERMAN}
        self._breaches: dict[int, float] = {}
        self._odds: dict[tuple[tuple[str, ...], int, int], Forecast] = {}

    # -- garrisons ------------------------------------------------------------------------

    @cached_property
    def posts(self) -> tuple[int, ...]:
        """Hexes that must not fall (4.1, 4.2)."""
        state = self.state
        found = [] if state.switched else [SALERNO, PAESTUM]
        if state.scenario != HISTORICAL:
            found += [at for at in (TARANTO, NAPLES) if state.control[at] == ALLIED]
        return tuple(INDEX[at] for at in found)

    @cached_property
    def _storms(self) -> dict[int, list[tuple[int, list[str]]]]:
        """For each post the strongest forces of one German organisation that could soon attack it, and from where."""
        found: dict[int, list[tuple[int, list[str]]]] = {}
        for post in self.posts:
            far = ranges(post)
            groups: dict[str, list[str]] = {}
            for h, stack in self.germans.items():
                if far[h] <= NEAR:
                    groups.setdefault(UNITS[stack[0]].group, []).extend(stack)
            origins = [n for n in ADJACENT[post] if n not in self.stacks]
            if not origins:
                continue
            origin = min(origins, key=lambda n: (-(n in self.germans), n))
            for units in groups.values():
                divisions = sorted((u for u in units if UNITS[u].division), key=self._punch)[-3:]
                support = [u for u in units if not UNITS[u].division][:1]
                if divisions:
                    found.setdefault(post, []).append((origin, [*divisions, *support]))
        return found

    def _punch(self, unit: str) -> tuple[int, int]:
        kind = UNITS[unit]
        return self.state.steps[unit] * kind.full, kind.order

    def storm_risk(self, post: int, defenders: Sequence[str]) -> float:
        """The chance that the Germans about could take a post from its defenders at one blow."""
        if not defenders:
            return 1.0
        worst = 0.0
        for origin, force in self._storms.get(post, ()):
            battle = imagined_battle(self.state, GERMAN, NAMES[origin], NAMES[post], force, defenders=defenders)
            worst = max(worst, forecast(self.state, battle).cleared)
        return worst

    def mobile(self, h: int, units: Sequence[str]) -> list[str]:
        """Those of a stack that may leave its hex: a garrison stays that can be trusted, the weakest first."""
        if h not in self.posts or (NAMES[h] == NAPLES and not self._storms.get(h)):
            return list(units)
        staying = [u for u in self.stacks.get(h, ()) if u not in units]
        going = sorted(units, key=lambda u: (UNITS[u].division, UNITS[u].full, UNITS[u].order))
        divisions = [u for u in going if UNITS[u].division]
        held = any(UNITS[u].division for u in staying)
        while divisions and (not held or self.storm_risk(h, staying) > TRUSTED):
            stays = divisions.pop(0)
            staying.append(stays)
            going.remove(stays)
            held = True
        if not divisions or self.storm_risk(h, staying) > TRUSTED:
            return []
        return [u for u in units if u in going]

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
        value = self.style.kill * odds.killed - self.style.lose * odds.lost
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
        return self.style.breach * (NORTH_LOSS[then] - NORTH_LOSS[self.turns])

    def _naples(self, target: int) -> float:
        """Germans near Naples hold up the supply switch, and time runs out (11.9)."""
        if self.state.switched or not NEAR_NAPLES & BIT[target]:
            return 0.0
        return 0.5 + 0.15 * self.state.turn

    # -- places ---------------------------------------------------------------------------

    def quick(self, h: int, units: Sequence[str]) -> float:
        """A first look at a hex for units."""
        state, bit = self.state, BIT[h]
        value = -self.style.north * NORTH_DISTANCE[h]
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
        if h in self.posts:
            value += POST * (self.storm_risk(h, friends) - self.storm_risk(h, together))
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
        return value + 1.5 * NORTH_LOSS[turns_from(self.zones, allied)]

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
