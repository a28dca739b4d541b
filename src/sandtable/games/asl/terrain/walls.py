"""Walls and hedges: the TEM of a hexside, and Wall Advantage (B9.3-B9.36)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine import Play
from sandtable.engine.part import Field
from sandtable.games.asl.busy import TI
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.asl.terrain.ground import AslGround
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
from sandtable.space.grid import NO_CELL
from sandtable.space.terrain import terrain_table

HELD: Field[dict[int, str]] = Field("wall_advantage", dict[int, str], {})
"""Hexes whose Wall Advantage has been claimed, with the side that did; a claim may have lapsed since."""
SHELLHOLES = "shellholes"
"""What a unit is within that took their cover."""
LEFT: Field[tuple[int, ...]] = Field("walls_left", tuple[int, ...], ())
"""Hexes whose Wall Advantage was given up in this phase, so that it is not claimed again at once."""


def asl_ground(state: SquadState) -> AslGround:
    """The map of a match whose game has the terrain part."""
    ground = setting_of(state).ground
    assert isinstance(ground, AslGround)
    return ground


def is_outside(unit: Unit) -> bool:
    """Whether a unit is neither in a work, on wire nor at a Crest; shellholes are none of these (B2.3)."""
    return unit.within in ("", SHELLHOLES)


# -- the TEM of a hexside ---------------------------------------------------------------


def hexside_tem(state: SquadState, source: int, target: int, mover: Mover | None, *, indirect: bool) -> Item | None:
    """The best TEM of a wall or hedge that fire crosses into a hex; 0: it only spoils FFMO (B9.3, B9.33, B9.34).

    Against indirect fire a wall of the hex serves from whichever side it comes.
    """
    ground = asl_ground(state)
    if source < 0 or ground.hex_of(source) == ground.hex_of(target):
        return None
    best: Item | None = None
    crossed = list(_crossed(ground, source, target))
    if indirect and target < ground.size:
        around = [(side, ground.hexsides[target][side]) for side in range(6) if _serves(ground, target, side)]
        crossed += [(side, name) for side, name in around if terrain_table()[name].tem > 1]
    for side, name in crossed:
        kind = terrain_table()[name]
        if mover is not None and side in ground.facts[target].road_sides and side >= 0:
            continue
        tem = kind.tem - int(indirect)
        if not indirect:
            above = ground.level[source] - ground.level[target] - ground.ranges[source][target]
            tem = tem - max(above, 0)
            if tem <= 0:
                continue
        if best is None or tem > best[1]:
            best = (kind.title.lower(), tem, "B9.34" if indirect else "B9.3")
    return best


def _crossed(ground: AslGround, source: int, target: int) -> Iterator[tuple[int, str]]:
    """Walls and hedges of the target hex that a line crosses, or runs along to its vertex (B9.3, B9.42)."""
    if target >= ground.size:
        return
    sides = ground.entered_through(source, target)
    for side in sides:
        if _serves(ground, target, side):
            yield side, ground.hexsides[target][side]
    if len(sides) == 2:
        first, second = (ground.sides[target][side] for side in sides)
        if NO_CELL not in (first, second):
            spine = ground.sides[first].index(second)
            name = ground.hexsides[first][spine]
            if name and terrain_table()[name].tem > 0 and ground.level[first] == ground.level[target]:
                yield -1, name


def _serves(ground: AslGround, cell: int, side: int) -> bool:
    """Whether the wall of a hexside stands at the level of the units in the hex (B9.35, ruling T-3)."""
    name = ground.hexsides[cell][side]
    if not name or terrain_table()[name].tem <= 0:
        return False
    other = ground.sides[cell][side]
    beyond = ground.facts[other].ground if other != NO_CELL else ground.facts[cell].ground
    return ground.level[cell] == max(ground.facts[cell].ground, beyond)


# -- Wall Advantage ---------------------------------------------------------------------


def may_hold(state: SquadState, unit: Unit) -> bool:
    """An armed, unbroken unit in sight, in nothing and on no bridge, with no enemy in its Location (B9.32, B9.324)."""
    ground = asl_ground(state)
    if unit.broken or unit.melee or UNARMED in unit.marks or not is_outside(unit) or hidden(unit):
        return False
    if not 0 <= unit.at < ground.size:
        return False
    if ground.facts[unit.at].is_bridge:
        return False
    return not any([other.side != unit.side and not hidden(other) for other in units_at(state, unit.at)])


def in_hex_tem(state: SquadState, unit: Unit) -> int:
    """The TEM of the hex itself; without any a unit must claim Wall Advantage (B9.323)."""
    return asl_ground(state).tem[unit.at]


def holders(state: SquadState, cell: int, side: str) -> list[Unit]:
    """Units of a side in a hex that may hold Wall Advantage."""
    return [unit for unit in units_at(state, cell, side) if may_hold(state, unit)]


def shared(state: SquadState, cell: int) -> Iterator[int]:
    """The hexes behind walls and hedges of a hex that serve it."""
    ground = asl_ground(state)
    for side, other in enumerate(ground.sides[cell]):
        if other != NO_CELL and _serves(ground, cell, side):
            yield other


def claimed(state: SquadState, cell: int, side: str) -> bool:
    """Whether a claim stands: whoever made it, somebody there can still hold it."""
    return HELD.of(state).get(cell) == side and bool(holders(state, cell, side))


def must_claim(state: SquadState, cell: int, side: str) -> bool:
    """Whether somebody there has no TEM of the hex and so claims as soon as he can (B9.323)."""
    return any([not unit.pinned and in_hex_tem(state, unit) < 1 for unit in holders(state, cell, side)])


def holds(state: SquadState, cell: int, side: str) -> bool:
    """Whether a side holds Wall Advantage in a hex: by its claim, or because it must and no enemy bars it (B9.32)."""
    ground = asl_ground(state)
    if not 0 <= cell < ground.size or not ground.walled[cell]:
        return False
    if not setting_of(state).rules.of(TerrainRules).wall_advantage:
        return False
    if claimed(state, cell, side):
        return True
    if not must_claim(state, cell, side):
        return False
    enemy = setting_of(state).others[side]
    for other in shared(state, cell):
        if claimed(state, other, enemy) or (enemy == state.attacker and must_claim(state, other, enemy)):
            return False
    return True


def barred(state: SquadState, cell: int, side: str) -> bool:
    """Whether an enemy behind a hexside of the hex holds Wall Advantage, which denies it (B9.321)."""
    enemy = setting_of(state).others[side]
    return any([holds(state, other, enemy) for other in shared(state, cell)])


def may_claim(state: SquadState, cell: int, side: str) -> bool:
    """Whether a side may claim Wall Advantage in a hex of its own free will (B9.322)."""
    ground = asl_ground(state)
    if not ground.walled[cell] or cell in LEFT.of(state) or holds(state, cell, side):
        return False
    able = [unit for unit in holders(state, cell, side) if not unit.pinned]
    return bool(able) and next(shared(state, cell), None) is not None and not barred(state, cell, side)


def may_leave(state: SquadState, cell: int, side: str) -> bool:
    """Whether a side may give up Wall Advantage: nobody there needs it, is pinned or TI (B9.322, B9.323)."""
    if not holds(state, cell, side):
        return False
    able = [not unit.pinned and TI not in unit.marks for unit in holders(state, cell, side)]
    return all(able) and all([in_hex_tem(state, unit) >= 1 for unit in holders(state, cell, side)])


def own_walls(state: SquadState, side: str) -> list[int]:
    """Hexes with walls or hedges in which a side has units."""
    walled = asl_ground(state).walled
    units = state.units
    return sorted(
        {
            cell
            for cell, names in state.stacks.items()
            if walled[cell] and any([units[name].side == side for name in names])
        }
    )


def settle_claims(play: Play[SquadState]) -> None:
    """Write down who holds Wall Advantage now; claims that have lapsed go, the ATTACKER's new ones come first."""
    state = play.state
    setting = setting_of(state)
    if not setting.rules.of(TerrainRules).wall_advantage:
        return
    held = HELD.of(state)
    for cell, side in list(held.items()):
        if not claimed(state, cell, side):
            del held[cell]
    for side in (state.attacker, setting.others[state.attacker]) if state.attacker else setting.sides:
        for cell in own_walls(state, side):
            if cell not in held and holds(state, cell, side):
                held[cell] = side
    if LEFT.of(state):
        LEFT.put(state, ())
