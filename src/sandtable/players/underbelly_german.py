"""The German plan in Soft Underbelly: one line across Italy, everybody a post in it, reserves where it is in danger."""

from __future__ import annotations

from functools import cached_property

from sandtable.games.underbelly.atlas import (
    BIT,
    CITY,
    GRID,
    INDEX,
    MOUNTAIN,
    NAMES,
    NEAR_NAPLES,
    SF_HEX,
    TERRAIN,
    ZONE,
    around,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import ARMY_BOX, GERMAN_BOX, Moving, UnderbellyState
from sandtable.games.underbelly.stacking import within_limits
from sandtable.games.underbelly.victory import DEADLINE
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_ground import COLUMN, FAR, MARCH, exit_zones, ground_of, spread, turns_from
from sandtable.players.underbelly_line import ROW, Line, best_line
from sandtable.players.underbelly_marches import marches, next_phase
from sandtable.players.underbelly_reserve import Threats
from sandtable.players.underbelly_style import USUAL, Style

WEAK = 0.05
"""What a missing combat factor costs in a post, for each step that can attack it."""
HELP = 2.0
"""How much the lessened danger counts for a reserve, against its way and the others there."""
STRONG = 4
"""Steps in an Allied stack that make an attack likely."""


class GermanPlan:
    """What the Germans want to do with everybody they have, seen from one position."""

    def __init__(self, state: UnderbellyState, style: Style = USUAL[GERMAN]) -> None:
        self.state = state
        self.style = style
        self.now = field(state)
        boxes = (GERMAN_BOX, ARMY_BOX) if state.army == "in" else (GERMAN_BOX,)
        self.units = [
            u
            for u, at in state.at.items()
            if UNITS[u].side == GERMAN and (at in INDEX or at in boxes) and state.steps[u]
        ]
        self.divisions = [u for u in self.units if UNITS[u].division]
        self.here = {u: INDEX.get(state.at[u]) for u in self.units}
        frame = state.stack[-1]
        moving = (*frame.group, *frame.waiting) if isinstance(frame, Moving) else ()
        self.ways: dict[str, tuple[int, int]] = {}
        self.soon: dict[str, int] = {}
        self.later: dict[str, int] = {}
        self.helped: dict[str, int] = {}
        """The post that a reserve stands by, in it or behind it."""
        self.gloom: float | None = None
        """How bad things look as they stand, in steps, once somebody has looked."""
        for unit in self.units:
            h = self.here[unit]
            own = BIT[h] if h is not None else 0
            used = unit in state.used and state.used[unit] != "replaced" and unit not in moving
            regular, column = (0, 0) if used else marches(state, unit)
            self.ways[unit] = regular, column
            self.soon[unit] = own | regular | column
            self.later[unit] = next_phase(state, unit, self.soon[unit])
        ground = self.ground = ground_of(state)
        self.allied_soon = spread(ground.allied, ground.german, ground.german_zoc, MARCH)
        far = spread(ground.allied & ~ground.german_zoc, ground.german | ground.german_zoc, 0, COLUMN)
        self.allied_soon |= far
        self.strength = {
            INDEX[at]: sum(state.steps[u] for u in stack) for at, _, _, _, _, stack, _ in self.now.forces[ALLIED]
        }

    @cached_property
    def zones(self) -> tuple[int, ...]:
        """From where the Allies could leave the map in one turn, two turns ..."""
        return exit_zones(self.ground)

    @cached_property
    def turns(self) -> int:
        """Allied player turns to the north edge as things stand."""
        return turns_from(self.zones, self.ground.allied)

    @property
    def in_contact(self) -> bool:
        """Whether the Allies stand beside Germans or see a way north."""
        return self.turns < FAR or bool(around(self.ground.allied) & self.ground.german)

    # -- the line -------------------------------------------------------------------------

    def price(self, h: int) -> float | None:
        """What a post in a hex costs: a division, less for good ground, more where it is late or in danger."""
        bit = BIT[h]
        if self.now.allied & bit or (self.state.sf and NAMES[h] == SF_HEX):
            return None
        value = 1.0 - self.style.south * ROW[h]
        if TERRAIN[h] == MOUNTAIN:
            value -= 0.25
        elif CITY[h]:
            value -= 0.3
        if NAMES[h] in self.state.forts:
            value -= 0.35
        if not self.state.switched and self.state.turn <= DEADLINE and NEAR_NAPLES & bit:
            value -= 0.7
        if self._standing & bit:  # to stand already saves a command
            value -= 0.5
        if ZONE[h] & self.now.allied:
            for n in hexes_of(ZONE[h] & self.now.allied):
                value += 0.25 if self.strength.get(n, 0) >= STRONG else 0.08
        if not bit & self._anybody_soon:
            value += 0.8 if bit & self._anybody_later else 2.5
            if self.allied_soon & bit:
                value += 1.5
        return max(0.05, value)

    @cached_property
    def _standing(self) -> int:
        found = 0
        for unit in self.divisions:
            h = self.here[unit]
            if h is not None:
                found |= BIT[h]
        return found

    @cached_property
    def _anybody_soon(self) -> int:
        found = 0
        for unit in self.divisions:
            found |= self.soon[unit]
        return found

    @cached_property
    def _anybody_later(self) -> int:
        found = 0
        for unit in self.divisions:
            found |= self.later[unit]
        return found

    @cached_property
    def line(self) -> Line | None:
        """The line to be held: without gaps if there are enough divisions for it."""
        busy = self.allied_soon | around(self.allied_soon)
        line = best_line(self.price, 1.2, self.now.allied, busy)
        if line is not None and len(line.posts) > len(self.divisions):
            line = best_line(self.price, 0.35, self.now.allied, busy) or line
        return line

    # -- who goes where -------------------------------------------------------------------

    def _distance(self, unit: str, post: int) -> float:
        h = self.here[unit]
        if h == post:
            return 0.0
        bit = BIT[post]
        far = GRID.range(h, post) if h is not None else ROW[post] - 9
        if self.soon[unit] & bit:
            return 1.0 + 0.03 * far
        if self.later[unit] & bit:
            return 3.0 + 0.05 * far
        return 6.0 + 0.15 * far

    def _price_of(self, unit: str, post: int) -> float:
        """What it costs to give a unit a post: its way, and weakness where the post can be hit hard."""
        weakness = 8.0 - UNITS[unit].full * min(1.0, 0.5 * self.state.steps[unit])
        return self._distance(unit, post) + WEAK * weakness * self.danger[post]

    @cached_property
    def posts(self) -> dict[str, int]:
        """The post of each division in the line."""
        line = self.line
        if line is None:
            return {}
        pairs = sorted((self._price_of(unit, post), post, unit) for post in line.posts for unit in self.divisions)
        taken: dict[str, int] = {}
        filled: set[int] = set()
        for _, post, unit in pairs:
            if unit not in taken and post not in filled:
                taken[unit] = post
                filled.add(post)
        self._improve(taken)
        return taken

    def _improve(self, taken: dict[str, int]) -> None:
        """Exchange posts as long as that saves marches."""
        units = list(taken)
        better = True
        while better:
            better = False
            for n, one in enumerate(units):
                for two in units[n + 1 :]:
                    now = self._price_of(one, taken[one]) + self._price_of(two, taken[two])
                    then = self._price_of(one, taken[two]) + self._price_of(two, taken[one])
                    if then < now - 1e-6:
                        taken[one], taken[two] = taken[two], taken[one]
                        better = True

    @cached_property
    def danger(self) -> dict[int, float]:
        """How hard each post can be hit in the next Allied phase: steps of the strongest stack that can attack it."""
        line = self.line
        found: dict[int, float] = {}
        for post in line.posts if line is not None else ():
            beside = [steps for h, steps in self.strength.items() if ZONE[post] & BIT[h]]
            near = [steps for h, steps in self.strength.items() if GRID.range(h, post) <= 4]
            found[post] = max(beside, default=0) + 0.3 * max(near, default=0)
        return found

    @cached_property
    def threats(self) -> Threats:
        """What the Allies beside the line could do to it."""
        return Threats(self.state, self.ground, self.turns)

    @cached_property
    def reserves(self) -> dict[str, int]:
        """Where those go who have no post: to the post in danger that they can reach and help most, or behind it."""
        held: dict[int, list[str]] = {post: [] for post in self.danger}
        for unit, post in self.posts.items():
            held[post].append(unit)
        found: dict[str, int] = {}
        backed: dict[int, list[str]] = {}
        free = [u for u in self.units if u not in self.posts]
        for unit in sorted(free, key=lambda u: (-self.state.steps[u], UNITS[u].order)):
            group = UNITS[unit].group
            best: tuple[float, int, int] | None = None
            for post, there in held.items():
                if not there:
                    continue
                second = backed.get(post, [])
                if UNITS[there[0]].group == group:
                    place = post if within_limits([*there, unit]) else None
                else:
                    place = self.threats.behind(post, group) if within_limits([*second, unit]) else None
                if place is None:
                    continue
                value = self._help(unit, post, there, place) - 0.6 * sum(self.state.steps[u] for u in second)
                if best is None or value > best[0]:
                    best = value, place, post
            if best is not None:
                found[unit] = best[1]
                self.helped[unit] = best[2]
                (held if best[1] == best[2] else backed).setdefault(best[2], []).append(unit)
        return found

    def _help(self, unit: str, post: int, there: list[str], place: int) -> float:
        """What it is worth, in steps, to have a unit in or close behind a post."""
        threats, steps = self.threats, sum(self.state.steps[u] for u in there)
        value = self.danger[post] - 1.2 * steps - 1.5 * self._distance(unit, place)
        before = threats.chance(post, there)
        if before > 0.02:
            saved = before - threats.chance(post, [*there, unit]) if place == post else 0.5 * before
            value += HELP * saved * threats.loss(post)
        return value

    @cached_property
    def targets(self) -> dict[str, int]:
        """The hex for which each unit makes."""
        return {**self.posts, **self.reserves}

    def need(self, unit: str) -> float:
        """What it is worth to send a unit to its target now."""
        target = self.targets.get(unit)
        if target is None or self.here[unit] == target:
            return 0.0
        bit = BIT[target]
        if unit in self.posts:
            urgent = 4.0 if self.allied_soon & (bit | ZONE[target]) else 1.6
        else:
            urgent = 0.3 + 0.12 * self.danger.get(self.helped.get(unit, target), 0.0)
        return urgent if self.soon[unit] & bit else 0.45 * urgent
