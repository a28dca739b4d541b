"""The TEM of a unit by the full rules: hexsides or the hex, bridges, shellholes; and when movers are in the open."""

from __future__ import annotations

from sandtable.games.asl.terrain.walls import SHELLHOLES, asl_ground, hexside_tem, holds, is_outside
from sandtable.games.squad.ground.counters import kind_of
from sandtable.games.squad.ground.cover import HEIGHT_ADVANTAGE, mover_of
from sandtable.games.squad.ground.setting import other_side
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit

OPEN: Item = ("open", 0, "B1.1")


def in_shellholes(mover: Mover | None, unit: Unit | None) -> bool:
    """Whether a unit has the cover of shellholes: it paid for it, or was there when the phase began (B2.3)."""
    return mover is None or not mover.hexes or (unit is not None and unit.within == SHELLHOLES)


def on_bridge_road(state: SquadState, source: int, target: int) -> bool:
    """Whether fire at a bridge comes along its road (B6.3)."""
    ground = asl_ground(state)
    sides = ground.entered_through(source, target)
    return bool(sides) and all([side in ground.facts[target].road_sides for side in sides])


def _in_hex(state: SquadState, source: int, target: int, unit: Unit | None, mortar: bool, item: Item) -> Item:
    """The TEM of the hex itself, where Chapter B has more to say than the kind of terrain."""
    ground = asl_ground(state)
    if item[0] == SHELLHOLES:
        if not in_shellholes(mover_of(state, unit.id) if unit is not None else None, unit):
            return OPEN
        return ("shellholes", 1, "B2.3") if mortar or not _from_above(state, source, target) else OPEN
    bridge = source >= 0 and ground.facts[target].is_bridge and (item[1] <= 0 or item == HEIGHT_ADVANTAGE)
    if bridge and (mortar or _is_beside(state, source, target)):
        return ("bridge", 1, "B6.31")
    return item


def _from_above(state: SquadState, source: int, target: int) -> bool:
    """Whether fire comes from so high up that one level of cover no longer helps (B9.33)."""
    ground = asl_ground(state)
    return source >= 0 and ground.level[source] - ground.level[target] > ground.ranges[source][target]


def _is_beside(state: SquadState, source: int, target: int) -> bool:
    """Whether fire at a bridge meets what its sides protect: not along its road, nor from high up (B6.3, B9.33)."""
    return not on_bridge_road(state, source, target) and not _from_above(state, source, target)


def covers(state: SquadState, source: int, target: int, unit: Unit | None, mortar: bool, item: Item) -> Item:
    """The TEM against fire from a hex: of the hexside with Wall Advantage, otherwise the better one (B9.3, B9.31)."""
    ground = asl_ground(state)
    item = _in_hex(state, source, target, unit, mortar, item)
    if source < 0:
        return item
    if not ground.walled[target] and len(ground.entered_through(source, target)) < 2:
        return item
    mover = mover_of(state, unit.id) if unit is not None else None
    wall = hexside_tem(state, source, target, mover, indirect=mortar)
    if unit is not None and _in_a_work(state, unit):
        return item
    if unit is not None and holds(state, target, unit.side):
        return _with_advantage(item, wall)
    if wall is None or (unit is not None and not mortar and _denied(state, source, target, unit)):
        return item
    return _together(item, wall) if item[1] < 0 else max(item, wall, key=lambda one: one[1])


def _in_a_work(state: SquadState, unit: Unit) -> bool:
    """Whether a unit is in a work or at a Crest, where no wall serves it; on wire one does (B9.31, ruling T-12)."""
    if is_outside(unit):
        return False
    laid = [counter for counter in state.counters.get(unit.at, ()) if counter.id == unit.within]
    return not laid or kind_of(state, laid[0]).capacity > 0


def _denied(state: SquadState, source: int, target: int, unit: Unit) -> bool:
    """Whether the firer holds Wall Advantage over the hexside that the two share (B9.31)."""
    if asl_ground(state).ranges[source][target] != 1:
        return False
    return holds(state, source, other_side(state, unit.side))


def _with_advantage(item: Item, wall: Item | None) -> Item:
    """With Wall Advantage the hexside counts and the hex does not, but for Air Bursts and height (B9.31)."""
    if item[1] < 0:
        return _together(item, wall) if wall is not None else item
    if item == HEIGHT_ADVANTAGE and (wall is None or wall[1] < item[1]):
        return item
    return wall or ("Wall Advantage: no TEM of the hex", 0, "B9.31")


def _together(item: Item, wall: Item) -> Item:
    """Air Bursts take away from what a wall gives (B9.34)."""
    return f"{wall[0]}, {item[0]}", wall[1] + item[1], wall[2]


def opens(state: SquadState, source: int, target: int, mover: Mover | None, mortar: bool, found: bool) -> bool:
    """FFMO applies unless a wall, a hedge, a bridge from aside or shellholes give cover (B1.16, B9.3, B9.34)."""
    ground = asl_ground(state)
    if not found:
        return False
    unit = state.units.get(mover.id) if mover is not None else None
    kind = ground.kinds[target].name
    if kind == SHELLHOLES and in_shellholes(mover, unit):
        return False
    if ground.facts[target].is_bridge and source >= 0 and (mortar or _is_beside(state, source, target)):
        return False
    if source < 0 or not (ground.walled[target] or len(ground.entered_through(source, target)) == 2):
        return True
    wall = hexside_tem(state, source, target, mover, indirect=mortar)
    if wall is None:
        return True
    if unit is None or mortar:
        return False
    return not holds(state, target, unit.side) and _denied(state, source, target, unit)
