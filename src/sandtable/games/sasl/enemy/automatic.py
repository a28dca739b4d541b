"""Automatic actions: what certain ENEMY units do whatever the Action DR says, in the printed order (6.301 to 6.317)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandtable.engine import Play
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.prisoners.guarding import guards
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.asl.works.model import SHELTERS, has_room, works_at
from sandtable.games.sasl.command import panicked
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ADVANCE, ENEMY, FIRE, MOVE, NOTHING, ORDERS, Order
from sandtable.games.sasl.readings import reading
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, stacking_of, units_at
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

GUN_REACH = 6
"""Hexes within which a crew goes for a Gun that nobody mans (S6.310)."""
FLAME_REACH = 2
"""Long range of a flamethrower, in hexes."""


class Automatic(NamedTuple):
    """An automatic action: what is done, by which rule, and why."""

    what: str
    rule: str
    why: str


TELLING = ("S6.306", "S6.307", "S6.310", "S6.314", "S6.317")
"""Actions of flamethrowers, crews, Guns, leaders and too many in a Location: who takes them shows what is there."""
ROOM = "S6.307"
"""The rule by which units leave an overstacked Location."""
Rule = Callable[[SquadState, int, Sequence[Unit], bool], Automatic | None]
"""(state, Location, units, whether they have a Target)."""


def berserk(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Berserk units charge (S6.301)."""
    return Automatic(MOVE, "S6.301", "berserk: it charges") if all(BERSERK in unit.marks for unit in units) else None


def unarmed(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Unarmed MMC make for the EBE (S6.302)."""
    if all(UNARMED in unit.marks for unit in units):
        return Automatic(MOVE, "S6.302", "unarmed: it makes for the EBE")
    return None


def guard(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Guards take their prisoners to the EBE (S6.303)."""
    return Automatic(MOVE, "S6.303", "guard: it takes its prisoners to the EBE") if guarding(state, units) else None


def guarding(state: SquadState, units: Sequence[Unit]) -> bool:
    """Whether all of some units guard prisoners."""
    names = {unit.id for unit in guards(state, ENEMY)}
    return bool(units) and all(unit.id in names for unit in units)


def flamethrower(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A unit with a flamethrower fires at a Target in long range, else it moves (S6.306)."""
    if not any(weapon_kind(state.weapons[name]).flamethrower for unit in units for name in unit.weapons):
        return None
    ranges = setting_of(state).ground.ranges[cell]
    near = [unit for unit in facts.seen_from(state, cell) if ranges[unit.at] <= FLAME_REACH]
    if near and target:
        return Automatic(FIRE, "S6.306", "flamethrower with a Target in range")
    return Automatic(MOVE, "S6.306", "flamethrower without a Target in range")


def overstacked(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Those who make room in a Location with too many move out of it (S6.307)."""
    return Automatic(MOVE, ROOM, "overstacked") if all(makes_room(state, unit) for unit in units) else None


def makes_room(state: SquadState, unit: Unit) -> bool:
    """Whether a unit was picked to leave an overstacked Location (S6.307)."""
    order = ORDERS.of(state).get(unit.id)
    return order is not None and order.rule == ROOM


def pick_leaving(play: Play[SquadState], cell: int, units: Sequence[Unit]) -> None:
    """As many of some units as are too many in a Location are picked at random, nobody with a HW (S6.307)."""
    state = play.state
    staying = list(units_at(state, cell, ENEMY))
    free = [unit for unit in units if not facts.heavy(state, unit) and _part(state, unit) in ("", IN_POSITION)]
    while True:
        size, leading = stacking_of(state, staying)
        able = [unit for unit in free if unit in staying]
        able = [
            unit
            for unit in able
            if (size > STACK_SQUADS and unit_kind(state, unit).mmc)
            or (leading > STACK_LEADERS and unit_kind(state, unit).smc)
        ]
        if not able:
            return
        # the sides of the die would tell how many are under a "?" (SA-90)
        to = (ENEMY,) if any(unit.concealed for unit in able) else None
        face = play.roll(len(able), 1, "who makes room", by=ENEMY, to=to)[0] if len(able) > 1 else 1
        chosen = able[face - 1]
        staying.remove(chosen)
        ORDERS.of(state)[chosen.id] = Order(MOVE, rule=ROOM)


def to_gun(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A crew without a HW goes to a Gun that nobody mans (S6.310)."""
    if not all(unit_kind(state, unit).crew and not unit.weapons for unit in units):
        return None
    return Automatic(MOVE, "S6.310", "crew to an unpossessed Gun") if loose_guns(state, cell) else None


def loose_guns(state: SquadState, cell: int) -> list[int]:
    """Locations of working Guns of the ENEMY that nobody mans, within reach of a crew."""
    ranges = setting_of(state).ground.ranges[cell]
    return [
        weapon.at
        for weapon in state.weapons.values()
        if weapon.side == ENEMY
        and not weapon.owner
        and weapon.at >= 0
        and not weapon.broken
        and weapon_kind(weapon).gun
        and 0 < ranges[weapon.at] <= GUN_REACH
    ]


def self_preservation(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """FRIENDLY units ADJACENT or in the Location: Prep Fire (S6.311)."""
    near = setting_of(state).ground.near[cell]
    if target and any(facts.foes_at(state, other) for other in (cell, *near)):
        return Automatic(FIRE, "S6.311", "FRIENDLY unit ADJACENT")
    return None


def improved_position(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """MMC in an IP fire; without a Target those in Hold Attitude do nothing, the others roll (S6.312)."""
    if not any(facts.in_position(state, unit) and unit_kind(state, unit).mmc for unit in units):
        return None
    if target:
        return Automatic(FIRE, "S6.312", "in an improved position, with a Target")
    if facts.attitude(state, units[0]) != ADVANCE:
        return Automatic(NOTHING, "S6.312", "in an improved position, without a Target")
    return None


def unused_position(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """MMC beside an improved position of their Location that nobody uses go into it if they have a Target (S6.3121)."""
    if target and shelter_for(state, cell, units) is not None:
        return Automatic(MOVE, "S6.3121", "into the improved position of its Location")
    return None


def shelter_for(state: SquadState, cell: int, units: Sequence[Unit]) -> Counter | None:
    """An entrenchment or pillbox of the Location that has room for all of some MMC outside it."""
    if any(unit.within or not unit_kind(state, unit).personnel or facts.has_gun(state, unit) for unit in units):
        return None
    if not any(unit_kind(state, unit).mmc for unit in units):
        return None
    return next((one for one in works_at(state, cell, *SHELTERS) if has_room(state, cell, one, units)), None)


def acquired(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A weapon fires if there is a Target in the Location that it has acquired (S6.314, SA-110)."""
    held = {one.at for unit in units for name in unit.weapons if (one := state.weapons[name].acquired) is not None}
    if target and held and any(foe.at in held for foe in facts.targets_from(state, cell, units)):
        return Automatic(FIRE, "S6.314", "Acquired Target")
    return None


def recover(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """MMC without a SW recover one that lies in their Location (S6.315)."""
    names = recoverers(state, cell)
    return Automatic(MOVE, "S6.315", "recovers a SW") if any(unit.id in names for unit in units) else None


def recoverers(state: SquadState, cell: int) -> list[str]:
    """MMC that recover SW of their Location: one for each (S6.315)."""
    able = [unit for unit in units_at(state, cell, ENEMY) if unit.good_order and not panicked(state, unit.id)]
    able = [unit for unit in able if unit_kind(state, unit).mmc and not unit.weapons]
    free = [unit.id for unit in able if _part(state, unit) in ("", IN_POSITION)]
    return free[: len(loose_weapons(state, cell))]


def loose_weapons(state: SquadState, cell: int) -> list[str]:
    """Working SW that lie in a Location with nobody to man them."""
    return [
        weapon.id
        for weapon in state.weapons.values()
        if weapon.at == cell and not weapon.owner and not weapon.broken and not weapon_kind(weapon).gun
    ]


def leaders(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Leaders alone go to broken units that cannot self-rally (S6.3173), then to where fire can be directed (S6.3174).

    Otherwise they do nothing (S6.3175, S6.317). Heroes are no leaders: they roll (S8.4).
    """
    if not all(unit_kind(state, unit).leads for unit in units):
        return None
    if any(unit.broken for unit in units_at(state, cell, ENEMY)):
        return Automatic(NOTHING, "S6.3173", "leader with broken units")
    if broken_near(state, cell):
        return Automatic(MOVE, "S6.3173", "leader to a broken unit")
    if firers_near(state, cell):
        return Automatic(MOVE, "S6.3174", "leader to a place from which to direct fire")
    return Automatic(NOTHING, "S6.3175", "leader with nothing to do")


def broken_near(state: SquadState, cell: int) -> list[int]:
    """Locations of broken ENEMY MMC that cannot rally by themselves, within six hexes."""
    ranges = setting_of(state).ground.ranges[cell]
    return [
        unit.at
        for unit in state.units.values()
        if unit.side == ENEMY
        and unit.broken
        and unit.at >= 0
        and unit_kind(state, unit).mmc
        and not unit_kind(state, unit).self_rally
        and 0 < ranges[unit.at] <= GUN_REACH
    ]


def firers_near(state: SquadState, cell: int) -> list[int]:
    """Locations within six hexes where ENEMY MMC have a Target and no leader directs them (S6.3174, SA-86)."""
    if reading(state, "directing") == "off":
        return []
    ranges = setting_of(state).ground.ranges[cell]
    found = []
    for other in facts.locations(state):
        here = [unit for unit in units_at(state, other, ENEMY) if unit.good_order]
        if 0 < ranges[other] <= GUN_REACH and not any(unit_kind(state, unit).leads for unit in here):
            men = [unit for unit in here if unit_kind(state, unit).mmc]
            if men and facts.targets_from(state, other, men):
                found.append(other)
    return found


ORDER: tuple[Rule, ...] = (
    berserk,
    unarmed,
    guard,
    flamethrower,
    overstacked,
    to_gun,
    self_preservation,
    improved_position,
    unused_position,
    acquired,
    recover,
    leaders,
)
"""In the order of their numbers; flames (.304), waves (.305) and vehicles (.308, .309) join with their parts."""


def automatic(state: SquadState, cell: int, units: Sequence[Unit], *, target: bool) -> Automatic | None:
    """The first automatic action that applies to the units of a Location (S6.3)."""
    for rule in ORDER:
        found = rule(state, cell, units, target)
        if found is not None:
            return found
    return None


IN_POSITION = "in an IP"
"""What sets units in an improved position apart."""


def split(state: SquadState, units: Sequence[Unit]) -> list[list[Unit]]:
    """Units of a Location that may have to act differently, those with a Gun first (S6.1, SA-111).

    SMC without a part of their own go with the MMC beside them.
    """
    recovering = recoverers(state, units[0].at) if units else []
    groups: dict[str, list[Unit]] = {}
    followers: list[Unit] = []
    for unit in units:
        part = ROOM if makes_room(state, unit) else "recovers" if unit.id in recovering else _part(state, unit)
        if part in ("", IN_POSITION) and unit_kind(state, unit).smc:
            followers.append(unit)
        else:
            groups.setdefault(part, []).append(unit)
    for unit in followers:
        wanted = (
            IN_POSITION if facts.in_position(state, unit) else "",
            "",
            IN_POSITION,
            "Gun",
            "recovers",
            "flamethrower",
        )
        groups.setdefault(next((part for part in wanted if part in groups), ""), []).append(unit)
    return [groups[part] for part in sorted(groups, key=lambda part: part != "Gun")]


def _part(state: SquadState, unit: Unit) -> str:
    """What sets a unit apart from others of its Location, empty: nothing (S6.1, S6.3)."""
    for mark in (BERSERK, UNARMED):
        if mark in unit.marks:
            return mark
    if guarding(state, [unit]):
        return "guard"
    if facts.has_gun(state, unit):
        return "Gun"
    if any(weapon_kind(state.weapons[name]).flamethrower for name in unit.weapons):
        return "flamethrower"
    return IN_POSITION if facts.in_position(state, unit) else ""


def goal(state: SquadState, cell: int, units: Sequence[Unit]) -> tuple[str, list[int]]:
    """Where an automatic Move leads instead of a Move Command: its rule and Locations; none: the table decides."""
    if all(UNARMED in unit.marks for unit in units):
        return "S6.302", list(edge_cells(setting_of(state), "east"))
    if guarding(state, units):
        return "S6.303", list(edge_cells(setting_of(state), "east"))
    if all(unit_kind(state, unit).crew and not unit.weapons for unit in units) and loose_guns(state, cell):
        return "S6.310", loose_guns(state, cell)
    if all(unit_kind(state, unit).leads for unit in units):
        if broken_near(state, cell):
            return "S6.3173", broken_near(state, cell)
        if firers_near(state, cell):
            return "S6.3174", firers_near(state, cell)
    return "", []
