"""The Terrain Effects Modifier of a unit against fire from a hex, and Open Ground for movers (1.1.1, 3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.squad.cards.tables import IFT_DRM
from sandtable.games.squad.ground.counters import cover_of
from sandtable.games.squad.ground.map import NO_SIDE
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit

NOT_REVERSED = ("pillbox, outside its arc", "pillbox, indirect fire")
"""Covers that a Critical Hit takes away instead of reversing them (B30.32)."""
HEIGHT_ADVANTAGE: Item = ("Height Advantage", IFT_DRM["height_advantage"].value or 0, "1.1.1")


def mover_of(state: SquadState, unit: str) -> Mover | None:
    """The unit as a member of the moving stack, if it moves now."""
    return state.moving.mover(unit) if state.moving is not None else None


def on_road(state: SquadState, source: int, mover: Mover | None, target: int) -> bool:
    """Whether a mover on a Woods-Road has no woods around the line of fire (1.1.1)."""
    ground = setting_of(state).ground
    if mover is None or not mover.road_rate or not ground.woods_road[target]:
        return False
    return not ground.crosses_woods_in(source, target)


def height_advantage(state: SquadState, source: int, target: int, mover: Mover | None = None) -> bool:
    """Whether a unit is higher than the fire, and did not just cross the crest through the line (1.1.1)."""
    ground = setting_of(state).ground
    if ground.level[target] <= ground.level[source]:
        return False
    if mover is not None and mover.came >= 0 and ground.level[mover.came] < ground.level[target]:
        crossed = next((side for side, other in enumerate(ground.sides[target]) if other == mover.came), NO_SIDE)
        if crossed in ground.entered_through(source, target):
            return False
    return True


def terrain_item(
    state: SquadState, source: int, target: int, unit: Unit | None = None, *, mortar: bool = False
) -> Item:
    """The TEM that a hex gives a unit against fire from another hex, as a line of a tally; parts may change it."""
    item = _hex_item(state, source, target, unit, mortar=mortar)
    for cover in setting_of(state).points.covers:
        item = cover(state, source, target, unit, mortar, item)
    return item


def _hex_item(state: SquadState, source: int, target: int, unit: Unit | None, *, mortar: bool) -> Item:
    """The TEM of the hex itself, of a counter in it, or Height Advantage (1.1.1)."""
    setting = setting_of(state)
    ground = setting.ground
    mover = mover_of(state, unit.id) if unit is not None else None
    if state.counters and (laid := cover_of(state, target, unit)) and laid[1] >= ground.tem[target]:
        return laid
    along = ground.woods[target] and on_road(state, source, mover, target)
    if ground.woods[target] and not along:
        return ("Air Bursts", ground.mortar_tem[target], "1.1.1") if mortar else ("woods", ground.tem[target], "1.1.1")
    tem = 0 if along else ground.tem[target]
    if tem:
        return ground.kinds[target].title.lower(), tem, "1.1.1"
    if not mortar and source >= 0 and height_advantage(state, source, target, mover):
        return HEIGHT_ADVANTAGE
    return "Woods-Road" if along else "open", 0, "1.1.1"


def not_spared(state: SquadState, units: list[Unit], target: int, sources: Sequence[int], what: str) -> list[Unit]:
    """Those of some units in a Location whom fire from these hexes can harm (`part.Spares`)."""
    spares = setting_of(state).points.spares
    return [unit for unit in units if not any([spare(state, unit, target, sources, what) for spare in spares])]


def also_reached(state: SquadState, target: int, sources: Sequence[int]) -> list[Unit]:
    """Units in other Locations whom fire from these hexes at a Location hits as well (`part.Reaches`)."""
    reaches = setting_of(state).points.reaches
    return [unit for find in reaches for place in find(state, target, sources) for unit in units_at(state, place)]


def shelter_of(state: SquadState, unit: Unit) -> str:
    """What a broken unit rallies more easily in, as a word for its tally: building or woods; parts may know more."""
    if unit.at < 0:
        return ""
    ground = setting_of(state).ground
    found = ("building" if ground.in_building[unit.at] else "woods") if ground.cover[unit.at] else ""
    for shelters in setting_of(state).points.shelters:
        found = shelters(state, unit, found)
    return found


def in_the_open(state: SquadState, source: int, target: int, mover: Mover | None, *, mortar: bool = False) -> bool:
    """Whether FFMO (or Interdiction) could apply in a hex to fire from another one, Hindrances aside (3.3.1)."""
    found = _open_hex(state, source, target, mover, mortar=mortar)
    for opens in setting_of(state).points.opens:
        found = opens(state, source, target, mover, mortar, found)
    return found


def _open_hex(state: SquadState, source: int, target: int, mover: Mover | None, *, mortar: bool) -> bool:
    """The same as far as the hex decides it."""
    ground = setting_of(state).ground
    if not ground.open[target]:
        if not (mover is not None and mover.road_rate and not ground.in_building[target]):
            return False
        if ground.woods_road[target] and ground.crosses_woods_in(source, target):
            return False
        if ground.orchard_road[target] and ground.crosses_orchard_in(source, target):
            return False
    # no Height Advantage against mortars, so nothing keeps FFMO off (1.1.1)
    return mortar or not height_advantage(state, source, target, mover)
