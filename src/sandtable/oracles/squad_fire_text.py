"""Who may fire, with what and at what, read from the rule texts once more, one plain question after the other.

Starter Kit rules are cited by number, the guide's with G, rulings with their letter. Nothing here is quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.pieces.kinds import UnitKind, WeaponKind, printed_weapon
from sandtable.games.squad.pieces.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    INTENSIVE_FIRE,
    NO_MARKER,
    SquadState,
    Unit,
    Weapon,
)
from sandtable.space.los import BLOCKED

CHART_END = 24
"""Ordnance fires no farther (ruling D-7)."""
FAR = 16
"""Beyond this range a machine gun must be directed (4.1)."""


class Reading:
    """A position in the hands of somebody who looks everything up."""

    def __init__(self, state: SquadState, side: str, mode: str) -> None:
        self.state = state
        self.side = side
        self.mode = mode
        """prep, first, final or advancing."""
        self.setting: Setting = setting_of(state)
        self.guide = self.setting.rules.name == "aslguide"

    # -- looking things up ----------------------------------------------------------------

    def kind(self, unit: Unit) -> UnitKind:
        """What is printed on a unit."""
        return self.setting.kinds[unit.group, unit.kind]

    def printed(self, weapon: Weapon) -> WeaponKind:
        """What is printed on a weapon."""
        return printed_weapon(weapon.kind)

    def distance(self, one: int, other: int) -> int:
        """The range in hexes."""
        return int(self.setting.ground.ranges[one][other])

    def sees(self, one: int, other: int) -> bool:
        """Whether a line may be fired along: it is clear, or lines are checked only when all is declared (3.2.1)."""
        return not self.setting.rules.of(FireRules).free_los or los(self.state, one, other) != BLOCKED

    def mine(self) -> Iterator[Unit]:
        """The side's own units that could fire at all: on the map, neither broken nor in Melee (3.2.3, 3.8)."""
        for unit in self.state.units.values():
            if unit.side == self.side and unit.at >= 0 and not unit.broken and not unit.melee:
                yield unit

    def known_enemy_hexes(self) -> list[int]:
        """Hexes with enemies that are on the map for all to see."""
        units = self.state.units.values()
        return sorted({unit.at for unit in units if unit.side != self.side and unit.at >= 0 and not unit.hip})

    def hiding_hexes(self) -> list[int]:
        """Hexes that may be searched by fire while enemy Guns are hidden: their set-up areas (6.4, ruling F-10)."""
        units = self.state.units.values()
        if not any(unit.hip and unit.side != self.side for unit in units):
            return []
        shown = {unit.at for unit in units if unit.at >= 0 and not unit.hip}
        found: set[int] = set()
        for name, group in self.setting.groups.items():
            if group.side != self.side:
                found.update(self.setting.setup_areas.get(name, ()))
        return sorted(found - shown)

    def movers(self) -> list[Unit]:
        """The units that spent the last MF (3.3.1)."""
        moving = self.state.moving
        return [self.state.units[name] for name in moving.active if name in self.state.units] if moving else []

    def mf_spent(self) -> int:
        """Whole MF that they have spent in their location (3.3.1)."""
        moving = self.state.moving
        here = [mover.here for mover in moving.movers if mover.id in moving.active] if moving else []
        return max(here, default=0) // 2

    # -- counters and the use of weapons --------------------------------------------------

    def counter_allows(self, marker: int) -> bool:
        """Whether fire is possible under a fire counter at all (3.2, 3.3.1, 3.4, 3.5)."""
        if marker == NO_MARKER:
            return True
        if self.mode == "first":
            return marker in (FIRST_FIRE, FINAL_FIRE)  # Subsequent First Fire, Final Protective Fire
        return self.mode == "final" and marker == FIRST_FIRE

    def own_fp(self, unit: Unit) -> bool:
        """Whether a unit may fire its own FP in this phase."""
        kind = self.kind(unit)
        if not kind.fp or not self.counter_allows(unit.marker):
            return False
        if self.mode == "advancing" and unit.hazardous:  # 6.5
            return False
        # 4.0: a squad forfeits its own FP by firing two weapons, any other MMC by firing one
        return len(unit.used) < 2 if kind.squad else not unit.used

    def may_use(self, unit: Unit, weapon: Weapon) -> bool:
        """Whether a unit may use one of its weapons besides what it has used in this Player Turn (4.0, 4.1, G34)."""
        if weapon.id in unit.used:
            return True
        kind = self.kind(unit)
        own_fired = unit.marker != NO_MARKER
        if kind.squad:
            return not unit.used or (len(unit.used) == 1 and not own_fired)
        if kind.fires:
            return not unit.used and not own_fired
        if unit.used:
            return False
        # 1.2.1: one action a phase; who directed in the MPh may act again in the DFPh (ruling F-3)
        return not unit.directed or self.acts_anew(unit)

    def acts_anew(self, leader: Unit) -> bool:
        """Whether a leader's only deed was in the MPh and it is the DFPh now (1.2.1, 4.0, ruling F-3)."""
        return (
            self.mode == "final"
            and leader.marker == FIRST_FIRE
            and not self.setting.rules.of(FireRules).leader_acts_once
        )

    def on_the_ift(self, unit: Unit, weapon: Weapon) -> bool:
        """Whether a machine gun, flamethrower or Gun with IFE may fire in this phase (4.1, 4.2, 6.8)."""
        kind = self.printed(weapon)
        if not (kind.mg or kind.flamethrower or (kind.gun and kind.fp)):
            return False
        if weapon.broken or not self.counter_allows(weapon.marker):
            return False
        if kind.mg and self.kind(unit).mmc and weapon.shots and not weapon.marker and unit.marker >= FINAL_FIRE:
            return False  # 1.2.4.1: the counter of its crew ends a Rate of Fire that it kept
        if kind.flamethrower:
            if weapon.marker != NO_MARKER or unit.pinned:
                return False
            if weapon.id not in unit.used and any(self._was_flamethrower(name) for name in unit.used):
                return False
        if kind.gun and not self.kind(unit).mans_guns:  # 3.2.4
            return False
        return self._may_in_afph(unit, weapon, kind) and self.may_use(unit, weapon)

    def _was_flamethrower(self, name: str) -> bool:
        found = self.state.weapons.get(name) or self.state.gone.get(name)
        return found is not None and printed_weapon(found.kind).flamethrower

    def _may_in_afph(self, unit: Unit, weapon: Weapon, kind: WeaponKind) -> bool:
        """3.5: once only, not after manhandling, and heavier weapons not after moving; G23 bars none that moved."""
        if self.mode != "advancing":
            return True
        if weapon.shots or unit.hazardous:
            return False
        heavy = kind.gun or kind.mortar or kind.type in ("MMG", "HMG")
        return not (weapon.moved and heavy and not self.guide)

    # -- a firer and a target -------------------------------------------------------------

    def firers(self) -> list[tuple[Unit, Weapon | None]]:
        """Everything that fires on the IFT and may do so in this phase."""
        found: list[tuple[Unit, Weapon | None]] = []
        for unit in self.mine():
            if self.own_fp(unit):
                found.append((unit, None))
            for name in unit.weapons:
                weapon = self.state.weapons[name]
                if self.on_the_ift(unit, weapon):
                    found.append((unit, weapon))
        return found

    def groups(self, weapon: Weapon | None) -> bool:
        """Whether it joins fire groups: units and machine guns do (3.2.2, 4.2, 6.8)."""
        return weapon is None or self.printed(weapon).mg

    def reaches(self, unit: Unit, weapon: Weapon | None, target: int) -> bool:
        """Whether a firer may take part in an attack on a hex."""
        state = self.state
        distance = self.distance(unit.at, target)
        marker = unit.marker if weapon is None else weapon.marker
        normal = self.kind(unit).range if weapon is None else self.printed(weapon).range
        if distance < 1 or distance > 2 * normal or not self.sees(unit.at, target):
            return False
        if weapon is not None and distance > FAR and not self.guide and not self.leader_there(unit.at):
            return False
        if self.mode == "final" and marker == FIRST_FIRE and distance > 1:  # 3.4
            return False
        if self.mode == "first":
            name = unit.id if weapon is None else weapon.id
            if state.shots.get(name, 0) >= self.mf_spent():  # 3.3.1
                return False
            if marker == FINAL_FIRE and distance > 1:
                return False
            if marker == FIRST_FIRE and (distance > normal or distance > self.closest(unit.at)):
                return False
        return not self.groups(weapon) or not self.had_to_join(unit, weapon, target)

    def leader_there(self, cell: int) -> bool:
        """Whether a leader in the hex could direct (4.1)."""
        return any(unit.at == cell and not unit.pinned and self.kind(unit).leads for unit in self.mine())

    def closest(self, cell: int) -> int:
        """Range to the closest enemy unit in LOS (3.3.1), in the guide to the closest armed one (G19, ruling G-7)."""
        best = 99
        for unit in self.state.units.values():
            if unit.side == self.side or unit.at < 0 or unit.hip:
                continue
            if self.guide:
                counts = self.kind(unit).fires or bool(unit.weapons)
            else:
                counts = los(self.state, cell, unit.at) != BLOCKED
            if counts:
                best = min(best, self.distance(cell, unit.at))
        return best

    def had_to_join(self, unit: Unit, weapon: Weapon | None, target: int) -> bool:
        """Whether others of the hex have fired at the target, with whom it had to fire (3.2.2, 4.1, G13, G34)."""
        key = f"{unit.at}-{target}"
        fired = self.state.fired_along.get(key, ())
        if not fired:
            return False
        if weapon is not None and weapon.shots and weapon.marker == NO_MARKER:
            return False  # it retains its Rate of Fire
        name = unit.id if weapon is None else weapon.id
        if name in fired:
            # it fired with them; it may go on unless they have gone on without it
            return name in self.state.left_out.get(key, ())
        subsequent = self.mode == "first" and weapon is None and unit.marker == FIRST_FIRE
        own_weapons_only = all(other in unit.weapons for other in fired)
        return self.guide or not (subsequent and own_weapons_only)

    def targets(self, unit: Unit, weapon: Weapon | None) -> list[int]:
        """Hexes that a firer may aim at in a fire phase."""
        cells = [*self.known_enemy_hexes(), *self.hiding_hexes()]
        return [cell for cell in cells if self.reaches(unit, weapon, cell)]

    # -- groups ---------------------------------------------------------------------------

    def together(self, unit: Unit, *, own: bool, weapons: Iterable[str]) -> bool:
        """Whether a unit may fire its own FP and these weapons in one attack (4.0)."""
        kind = self.kind(unit)
        count = len({*unit.used, *weapons})
        own = own or (kind.fires and unit.marker != NO_MARKER)
        if kind.squad:
            return count <= 1 or (count == 2 and (not own or len(unit.used) == 2))
        if kind.fires and own and not unit.used:
            return count == 0
        return count <= 1

    def protective(self, unit: Unit, names: Iterable[str]) -> bool:
        """Whether a unit uses Final Protective Fire with some of these firers (3.3.1)."""
        if self.mode != "first":
            return False
        fired = set(names)
        markers = [unit.marker] if unit.id in fired else []
        markers += [self.state.weapons[name].marker for name in unit.weapons if name in fired]
        return any(marker >= FINAL_FIRE for marker in markers)

    def protective_demands(self, unit: Unit) -> tuple[bool, int]:
        """In Final Protective Fire: whether its own FP must fire, and how many machine guns (3.3.1, ruling F-6)."""
        left = [name for name in (unit.id, *unit.weapons) if self.state.shots.get(name, 0) < self.mf_spent()]
        own = self.own_fp(unit) and unit.id in left
        guns = 0
        for name in unit.weapons:
            weapon = self.state.weapons[name]
            if name in left and self.printed(weapon).mg and self.on_the_ift(unit, weapon):
                guns += 1
        return own, min(guns, 1 if self.own_fp(unit) else 2)

    def may_direct(self, leader: Unit, firers: Iterable[tuple[Unit, Weapon | None]]) -> bool:
        """Whether a leader may direct these firers (1.2.1, 3.2.2, 3.4, 4.0, 4.2)."""
        if not self.kind(leader).leads or leader.broken or leader.melee or leader.pinned:
            return False
        anew = self.acts_anew(leader)
        if leader.used and not anew:
            return False
        if self.mode == "advancing" and leader.hazardous:
            return False
        group = list(firers)
        if any(weapon is not None and self.printed(weapon).flamethrower for _, weapon in group):
            return False
        if not leader.directed:
            return leader.marker == NO_MARKER or (anew and bool(leader.used))
        same = all((unit.id if weapon is None else weapon.id) in leader.directed for unit, weapon in group)
        rate = all(w is not None and w.shots > 0 and w.marker == NO_MARKER for _, w in group)
        if self.mode == "prep":
            return same and rate
        return same and self.mode in ("first", "final")

    # -- ordnance -------------------------------------------------------------------------

    def ordnance(self, unit: Unit, weapon: Weapon) -> bool:
        """Whether an ordnance weapon may fire in this phase (3.2.4, 3.3.1, 3.4, 3.5, 4.4.1, 4.5)."""
        kind = self.printed(weapon)
        if self.guide or not kind.ordnance or weapon.broken or weapon.marker == INTENSIVE_FIRE:
            return False
        if not self.may_use(unit, weapon) or not self._may_in_afph(unit, weapon, kind):
            return False
        if self.kind(unit).smc and (kind.gun or (kind.latw and not self.second_leaders(unit))):
            return False
        if weapon.marker != NO_MARKER:
            return kind.gun and self.intensive(weapon)
        # 1.2.4.1: the counter of its crew ends a Rate of Fire that it kept
        return not (weapon.shots and unit.marker >= FINAL_FIRE and self.mode in ("first", "final"))

    def intensive(self, weapon: Weapon) -> bool:
        """Whether a Gun that has lost its rate may use Intensive Fire now (3.2.4, 3.3.1, 3.4)."""
        if self.mode == "first":
            return weapon.marker == FIRST_FIRE
        if self.mode == "final":
            return weapon.marker == FIRST_FIRE or (weapon.marker == FINAL_FIRE and weapon.shots > 0)
        return self.mode == "prep" and weapon.shots > 0

    def second_leaders(self, unit: Unit) -> list[str]:
        """Leaders who may serve a light anti-tank weapon with another one (4.4.1)."""
        return [
            other.id
            for other in self.mine()
            if other.at == unit.at and other.id != unit.id and self.kind(other).smc and self.idle(other)
        ]

    @staticmethod
    def idle(leader: Unit) -> bool:
        """Whether a leader has done nothing yet in this Player Turn (1.2.1)."""
        return not leader.used and not leader.directed and leader.marker == NO_MARKER

    def shoots_at(self, unit: Unit, weapon: Weapon, target: int) -> bool:
        """Whether an ordnance weapon may fire at a hex with known enemies or movers (3.2.4, 3.4, 4.4, 6.9)."""
        kind = self.printed(weapon)
        distance = self.distance(unit.at, target)
        counter = kind.counter
        if kind.gun:
            least, most = counter.ranges(self.setting.date)  # type: ignore[union-attr]
        else:
            least, most = counter.min_range or 1, counter.max_range or counter.range  # type: ignore[union-attr]
        if distance < max(least, 1) or distance > min(most or CHART_END, kind.range if kind.latw else CHART_END):
            return False
        if not self.sees(unit.at, target):
            return False
        if self.mode == "final" and weapon.marker == FIRST_FIRE and distance > 1:
            return False
        if self.mode == "first" and self.state.shots.get(weapon.id, 0) >= self.mf_spent():
            return False
        if kind.latw:
            return bool(self.setting.ground.in_building[target]) or self._gun_in(target)
        return True

    def _gun_in(self, target: int) -> bool:
        """Whether a Gun that all can see is manned in a hex, by movers if it is the MPh (4.4)."""
        units = self.movers() if self.mode == "first" else [u for u in self.state.units.values() if u.at == target]
        weapons = [self.state.weapons[name] for unit in units if not unit.hip for name in unit.weapons]
        return any(self.printed(weapon).gun for weapon in weapons)
