"""Where Crest status is possible, who has it, and which hexsides it protects (B20.9, B20.91)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.terrain.ground import AslGround
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.map import Ground, Location
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.pieces.model import SquadState, Unit

CREST = "crest"
"""Name of the Location at the lip of a hex; with the hexside that it faces it stands in `Unit.within`."""
ENTRENCHED = 2
"""TEM over the hexsides of its front (B20.91)."""
FORDS = frozenset({"ford", "shallow_water"})


def crests(ground: Ground) -> list[Location]:
    """A Location at ground level in every depression hex without a bridge that stands, or a ford (B6.331, B20.9)."""
    if not isinstance(ground, AslGround):
        return []
    found = []
    for cell in range(ground.size):
        if ground.depression[cell] and not ground.barred[cell] and fronts(ground, cell):
            kind = ground.kinds[cell]
            # what has fallen into the bed does not reach up to its lip (ruling SA-133)
            terrain = "open" if kind.group == "depression" or kind.in_bed else kind.name
            found.append(Location(cell, CREST, 1, terrain=terrain, shared=True))
    return found


def fronts(ground: AslGround, cell: int) -> list[int]:
    """Hexsides that may be the middle of a front: no depression runs over them, and no cliff (B20.9, B20.91)."""
    fact = ground.facts[cell]
    kinds = {ground.kinds[cell].name, *[name for _, name in fact.bed]}
    if kinds & FORDS:
        return []
    beds = dict(fact.bed)
    return [side for side in range(6) if side not in beds and ground.hexsides[cell][side] != "cliff"]


def crest_of(state: SquadState, cell: int) -> int:
    """The Crest of a hex, -1: it has none, or the game is played without."""
    setting = setting_of(state)
    if cell < 0 or cell >= setting.ground.size or not setting.rules.of(CrestRules).crest_status:
        return -1
    return setting.ground.twins.get(cell, -1)


def at_crest(state: SquadState, unit: Unit) -> bool:
    """Whether a unit has Crest status."""
    return unit.at in setting_of(state).ground.floors


def front_of(state: SquadState, unit: Unit) -> int:
    """The middle hexside of a unit's front; whoever came to be there without choosing has the first possible one."""
    kind, _, side = unit.within.partition(" ")
    if kind == CREST and side.isdigit():
        return int(side)
    ground = asl_ground(state)
    mates = [mate.within for mate in units_at(state, unit.at, unit.side) if mate.within.startswith(CREST)]
    return int(mates[0].split()[1]) if mates else fronts(ground, ground.floor_of(unit.at))[0]


def protected(state: SquadState, unit: Unit) -> frozenset[int]:
    """The hexsides of a unit's front that no depression crosses (B20.91)."""
    ground = asl_ground(state)
    front = front_of(state, unit)
    free = fronts(ground, ground.floor_of(unit.at))
    return frozenset([side for side in ((front - 1) % 6, front, (front + 1) % 6) if side in free])


def over_front(state: SquadState, unit: Unit, other: int) -> bool:
    """Whether a line between a unit at Crest and another Location crosses its front."""
    return any([side in protected(state, unit) for side in asl_ground(state).entered_through(other, unit.at)])


def may_take(state: SquadState, units: Iterable[Unit]) -> bool:
    """Whether units can go to the Crest: Infantry without a Gun (B20.9)."""
    return not any([weapon_kind(state.weapons[name]).gun for unit in units for name in unit.weapons])


def facing(state: SquadState, cell: int, side: int) -> str:
    """A front in words: the hex beyond its middle hexside."""
    beyond = asl_ground(state).sides[cell][side]
    return f"facing {name_of(state, beyond)}" if beyond >= 0 else "facing the edge of the map"
