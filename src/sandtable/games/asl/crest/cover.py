"""Fire at those at Crest and by them: TEM over the front, fire INTO the hex, Area Fire to the rear (B20.91-B20.95)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.part import Bar
from sandtable.games.asl.crest.model import ENTRENCHED, at_crest, over_front
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.asl.terrain.wet import fires_in_water
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import rules_of, weapon_kind
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit, Weapon

LIGHT = "At Crest, only inherent FP, LMG, LATW, DC and FT can be fired"


def sees_into(state: SquadState, source: int, crest: int) -> bool:
    """Whether a Location sees INTO the depression below a Crest (A6.3)."""
    ground = asl_ground(state)
    return ground.line(source, ground.floors[crest]) != BLOCKED


def entrenched(state: SquadState, source: int, unit: Unit, *, mortar: bool) -> int:
    """The TEM of a unit at Crest against fire from a Location, 0: it has none (B20.91, B9.33)."""
    if mortar or source < 0 or not over_front(state, unit, source) or sees_into(state, source, unit.at):
        return 0
    ground = asl_ground(state)
    above = ground.level[source] - ground.level[unit.at] - ground.ranges[source][unit.at]
    return max(ENTRENCHED - max(above, 0), 0)


def covers(state: SquadState, source: int, target: int, unit: Unit | None, mortar: bool, item: Item) -> Item:
    """Direct fire over the front meets an entrenched unit; it is not added to other TEM (B20.91)."""
    if unit is None or unit.at != target or not at_crest(state, unit):
        return item
    tem = entrenched(state, source, unit, mortar=mortar)
    return ("Crest", tem, "B20.91") if tem > item[1] else item


def opens(state: SquadState, source: int, target: int, mover: Mover | None, mortar: bool, found: bool) -> bool:
    """Nobody is in the open behind his front (B4.3, B20.91)."""
    unit = state.units.get(mover.id) if mover is not None else None
    if not found or unit is None or unit.at != target or not at_crest(state, unit):
        return found
    return not entrenched(state, source, unit, mortar=mortar)


def reaches(state: SquadState, target: int, sources: Sequence[int]) -> Sequence[int]:
    """Fire INTO a hex hits those at its Crest too, level fire only them (B20.92)."""
    ground = asl_ground(state)
    if target not in ground.twins:
        return ()
    if target in ground.floors and not all([source >= 0 and sees_into(state, source, target) for source in sources]):
        return ()
    return (ground.twins[target],)


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """Heavier weapons find no place at the Crest (B20.95)."""
    if weapon is None or not at_crest(state, unit) or fires_in_water(weapon):
        return None
    return LIGHT, "B20.95"


def line_bar(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> Bar | None:
    """LATW are fired over the front only: they know no Area Fire (ruling T-12)."""
    if not rules_of(state).of(CrestRules).crest_latw_over_front:
        return None
    if weapon is None or not weapon_kind(weapon).latw or not at_crest(state, unit) or over_front(state, unit, target):
        return None
    return "From the Crest it can be fired across the front only", "B20.94"


def factors(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> list[Item]:
    """Fire other than over the front is Area Fire (B20.94)."""
    if not at_crest(state, unit) or over_front(state, unit, target):
        return []
    return [("Crest, not over its front", 0.5, "B20.94")]
