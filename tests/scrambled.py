"""Positions for golden games in which much is going on: all kinds of pieces of two nationalities in all conditions.

The forces are close together, now and then in the corner of the map, or far apart, in any phase, with any weapon, with
Guns, loose weapons, Smoke and Demolition Charges, hidden, held in Melee or waiting off board.
"""

from __future__ import annotations

import random
from typing import Any

from sandtable.engine import Match
from sandtable.games.squad.cards.scenario import Group
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.pieces.counters import Gun, Mmc, Smc, SupportWeapon, all_counters
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, PREP_FIRE

PLACES = 2
"""Parts of a map, besides its corner, where crowds stand: few, since new lines of sight take time."""
FAR = -1
"""In place of a centre: they are spread all over the map."""
HEXES, UNITS, GUNS = 13, 11, 2
"""Hexes of a crowd; units and Guns of a side."""
EARLY = ("RPh", "PFPh")
CHARGED = ("MPh", "DFPh", "AFPh")
"""Phases in which Demolition Charges lie about."""
MACHINE_GUNS = ("LMG", "MMG", "HMG")
WEAPONS = (*MACHINE_GUNS, *MACHINE_GUNS, "LATW", "FT", "DC", "MTR")


def scrambled(match: Match, source: random.Random) -> dict[str, Any]:
    """A position of the scenario of a match, made by lot."""
    return _Scramble(match, source).position()


class _Scramble:
    def __init__(self, match: Match, source: random.Random) -> None:
        self.source = source
        self.file: dict[str, Any] = match.position()
        self.setting: Setting = setting_of(match.state)
        self.guide = match.header.game == "aslguide"
        ground = self.setting.ground
        open_ = [cell for cell in range(ground.size) if not ground.barred[cell]]
        fixed = random.Random(f"crowds of {match.header.scenario}")
        places, spread = fixed.sample(open_, PLACES), fixed.sample(open_, HEXES + 2 * GUNS)
        centre = source.choice([0, *places, FAR])
        nearest = spread
        if centre != FAR:
            nearest = sorted(open_, key=lambda cell: (ground.ranges[centre][cell], source.random()))
        self.hexes = [ground.names[cell] for cell in nearest[:HEXES]]
        self.apart = [ground.names[cell] for cell in nearest[HEXES : HEXES + 2 * GUNS]]
        self.phase = source.choice([*self.setting.points.frames, "PFPh", *["MPh"] * 5])
        self.attacker = source.choice(self.setting.sides)
        self.units: list[dict[str, Any]] = []
        self.weapons: list[dict[str, Any]] = []

    def position(self) -> dict[str, Any]:
        """The data of the file."""
        holds = {name: self.source.choice(self.setting.sides) for name in self.hexes}
        for side in self.setting.sides:
            self._force(side, [name for name in self.hexes if holds[name] == side] or self.hexes[:1])
        self._melees()
        state = self.file["state"]
        kept = {name: state[name] for name in ("control", "counters", "entered") if name in state}
        self.file["state"] = kept | {
            "turn": self.source.randint(1, self.setting.turns - 1),
            "attacker": self.attacker,
            "phase": self.phase,
            "units": self.units,
            "weapons": self.weapons,
        }
        if not self.guide:
            self._lay_counters()
        return self.file

    def _name(self, cell: int) -> str:
        return self.setting.ground.names[cell]

    def _chance(self, percent: int) -> bool:
        return self.source.randrange(100) < percent

    def _force(self, side: str, hexes: list[str]) -> None:
        groups = [group for group in self.setting.groups.values() if group.side == side]
        for number in range(UNITS):
            group = self.source.choice(groups)
            people = _people(group.nation)
            unit = self._unit(f"{side[0]}{number}", group, self.source.choice(people[number % len(people)]), hexes)
            for _ in range(self.source.choice((0, 0, 0, 1, 1, 2))):
                self._arm(unit, group)
        for number in range(0 if self.guide else GUNS):
            self._gun(f"{side[0]}g{number}", next(filter(_has_guns, groups), groups[-1]), hexes)
        group = self.source.choice(groups)
        loose = {"id": f"{side[0]}loose", "side": side, "group": group.id, "at": self.source.choice(self.hexes)}
        self.weapons.append(loose | {"kind": self._weapon_kind(group), "broken": self._chance(30)})

    def _unit(self, name: str, group: Group, counter: Mmc | Smc, hexes: list[str]) -> dict[str, Any]:
        unit: dict[str, Any] = {"id": name, "side": group.side, "group": group.id}
        unit["kind"] = f"{group.nation} {counter.name}"
        edge = self.setting.entry_areas.get(group.id, ())[:2]
        waits = bool(edge) and group.side == self.attacker and self._chance(20)
        unit["beside" if waits else "at"] = self._name(self.source.choice(edge)) if waits else self.source.choice(hexes)
        if self._chance(20) and not waits:
            unit |= {"broken": True, "dm": self._chance(60)}
        else:
            unit |= {"pinned": self._chance(12), "cx": self._chance(12)}
            unit |= {"marker": self._marker(group.side), "exhausted": unit["cx"] and self._chance(50)}
        if isinstance(counter, Smc):
            unit["wounded"] = self._chance(20)
            if unit.get("marker"):
                led = [one["id"] for one in self.units if one["side"] == group.side]
                unit["directed"] = self.source.sample(led, min(len(led), 2))
        if group.side == self.attacker and self.phase not in EARLY and not waits:
            unit |= {"moved": self._chance(50), "hazardous": self._chance(5)}
        self.units.append(unit)
        return unit

    def _marker(self, side: str) -> int:
        """A fire counter that it may bear in this phase."""
        if self._chance(60) or self.phase == "RPh":
            return NO_MARKER
        if side == self.attacker:
            return PREP_FIRE
        return NO_MARKER if self.phase == "PFPh" else self.source.choice((FIRST_FIRE, FIRST_FIRE, FINAL_FIRE))

    def _has_rate(self) -> bool:
        """Whether it has fired in this phase and kept its Rate of Fire."""
        return self.phase in ("PFPh", "DFPh") and self._chance(15)

    def _weapon_kind(self, group: Group) -> str:
        """A weapon of its own or, captured, of the other side."""
        whose = self.source.choice(list(self.setting.groups.values())) if self._chance(15) else group
        wanted = self.source.choice(MACHINE_GUNS if self.guide else WEAPONS)
        found = [one for one in _counters(whose.nation, SupportWeapon) if one.type == wanted]
        found = found or [one for one in _counters(whose.nation, SupportWeapon) if one.type in MACHINE_GUNS]
        return f"{whose.nation} {self.source.choice(found).name}"

    def _arm(self, unit: dict[str, Any], group: Group) -> None:
        weapon = {"id": f"w{len(self.weapons)}", "side": unit["side"], "group": group.id, "owner": unit["id"]}
        weapon["kind"] = self._weapon_kind(group)
        marker = self._marker(unit["side"])
        weapon |= {"broken": self._chance(15), "marker": marker, "moved": unit.get("moved", False)}
        if marker or self._has_rate():
            weapon["shots"] = int(not marker)
            unit["used"] = [*unit.get("used", ()), weapon["id"]]
        self.weapons.append(weapon)

    def _gun(self, name: str, group: Group, hexes: list[str]) -> None:
        whose = self.source.choice(list(self.setting.groups.values())) if self._chance(20) else group
        guns = _counters(whose.nation, Gun)
        crews = [one for one in _counters(group.nation, Mmc) if one.kind == "crew" or self._chance(10)]
        if not guns or not crews:
            return
        crew = self._unit(name, group, self.source.choice(crews), hexes)
        gun: dict[str, Any] = {"id": f"{name}w", "side": group.side, "group": group.id, "owner": name}
        gun |= {"kind": f"{whose.nation} {self.source.choice(guns).name}", "facing": self.source.randrange(6)}
        gun |= {"emplaced": self._chance(60), "broken": self._chance(15), "marker": self._marker(group.side)}
        gun |= {"shots": int(self._has_rate()), "depleted": [ammo for ammo in ("s", "H", "HE") if self._chance(15)]}
        if self._chance(40):
            level, area = self.source.choice((-1, -2)), self._chance(40)
            there = [one for one in self.units if one["side"] != group.side and "at" in one]
            if there:
                held = self.source.choice(there)
                gun["acquired"] = {"at": held["at"], "level": level, "area": area}
                gun["acquired"] |= {} if area else {"units": [held["id"]]}
        if self._chance(20):
            gun = {key: value for key, value in gun.items() if key not in ("owner", "acquired")}
            gun["at"] = crew.get("at", self.hexes[0])
        if self._chance(25) and group.side != self.attacker:
            crew |= {"at": self.apart.pop(), "hip": True, "broken": False, "dm": False}
            gun = {key: value for key, value in gun.items() if key not in ("at", "acquired")}
            gun |= {"owner": name, "hip": True}
        self.weapons.append(gun)

    def _melees(self) -> None:
        """Some stand in the hex of an enemy, in Melee or, in the CCPh, perhaps just come."""
        for unit in self.source.sample(self.units, 4 if self.phase == "CCPh" else 1):
            foes = [one for one in self.units if one["side"] != unit["side"] and "at" in one and not one.get("broken")]
            if foes and "at" in unit and not unit.get("broken"):
                there = unit["at"] = self.source.choice(foes)["at"]
                held = self.phase != "CCPh" or self._chance(50)
                for one in self.units:
                    if one.get("at") == there:
                        one["melee"] = held

    def _lay_counters(self) -> None:
        """Smoke, Demolition Charges and, in the MPh, Residual FP."""
        kinds = [name for name, kind in self.setting.points.counters.items() if kind.hindrance]
        counters = self.file["state"].setdefault("counters", {})
        for name in self.source.sample(self.hexes, 2):
            if self._chance(40):
                smoke = {"kind": self.source.choice(kinds), "side": self.source.choice(self.setting.sides)}
                counters.setdefault(name, []).append(smoke)
        if self.phase == "MPh":
            self.file["state"]["residual"] = {self.hexes[5]: self.source.choice((1, 2, 4, 6, 8))}
        if self.phase in CHARGED and self._chance(50):
            charge = {"kind": "charge", "side": self.attacker, "value": self.source.randint(9, 12), "id": "charge"}
            charge |= {"frm": self.source.choice(self.hexes), "cx": self._chance(30)}
            counters.setdefault(self.source.choice(self.hexes), []).append(charge)


def _counters(nation: str, kind: type[Any]) -> list[Any]:
    return [one for one in all_counters().values() if one.nation == nation and isinstance(one, kind)]


def _has_guns(group: Group) -> bool:
    guns = [gun.name for gun in _counters(group.nation, Gun)]
    return any(line.unit in guns for line in group.units)


def _people(nation: str) -> list[list[Mmc | Smc]]:
    """Leaders, squads, half-squads and crews of a nationality."""
    leaders = [one for one in _counters(nation, Smc) if one.kind == "leader"]
    squads = [one for one in _counters(nation, Mmc) if one.kind == "squad"]
    halves = [one for one in _counters(nation, Mmc) if one.kind != "squad"]
    return [leaders, squads, squads, halves]
