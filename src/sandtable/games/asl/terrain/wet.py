"""Fire from marsh, shallow and deep streams: few weapons, and those as Area Fire (B16.32, B20.6)."""

from __future__ import annotations

from sandtable.engine.part import Bar
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.setting import weapon_kind
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

WET = {"marsh": "B16.32", "stream": "B20.6", "deep_stream": "B20.6", "ford": "B21.42", "shallow_water": "B21.42"}
"""Terrain in which men stand in the water, each with its rule."""


def wet_rule(state: SquadState, unit: Unit) -> str:
    """The rule by which a unit fires out of water, empty: it does not."""
    ground = asl_ground(state)
    if unit.at < 0:
        return ""
    if ground.facts[unit.at].is_bridge:
        return ""
    beds = {name for _, name in ground.facts[unit.at].bed}
    kinds = [ground.kinds[unit.at].name, *sorted(beds)]
    return next((WET[name] for name in kinds if name in WET), "")


def _dry(weapon: Weapon) -> bool:
    """Whether a weapon fires from the water: LMG, LATW, flamethrowers and charges do (B16.32)."""
    kind = weapon_kind(weapon)
    light = kind.mg and "LMG" in weapon.kind
    return bool(light or kind.latw or kind.flamethrower or kind.charge)


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """Heavier weapons cannot be served in the water (B16.32, B20.6)."""
    if weapon is None or _dry(weapon):
        return None
    rule = wet_rule(state, unit)
    return ("It cannot be fired from the water: only inherent FP, LMG, LATW, DC and FT can", rule) if rule else None


def factors(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> list[Item]:
    """Fire out of the water is Area Fire (B16.32, B20.6)."""
    rule = wet_rule(state, unit)
    return [("in the water", 0.5, rule)] if rule else []


PART = Part(bars={"fire": fire_bar}, factors=factors)
