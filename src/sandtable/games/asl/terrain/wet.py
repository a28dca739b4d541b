"""Fire from marsh and streams, few weapons and those as Area Fire; shells that fall into marsh (B16.3, B20.6)."""

from __future__ import annotations

from sandtable.engine import Event, Play
from sandtable.engine.part import Bar
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import weapon_kind
from sandtable.games.squad.ground.stacks import destroy_weapon, name_of
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon


class Sunk(Event, frozen=True):
    """A weapon that nobody held sank (A4.43, B16.33)."""

    weapon: str
    at: str


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


def fires_in_water(weapon: Weapon) -> bool:
    """Whether a weapon fires from the water: LMG, LATW with ATR among them, FT and DC do (B16.32)."""
    kind = weapon_kind(weapon)
    light = kind.mg and "LMG" in weapon.kind
    return bool(light or kind.latw or kind.type == "ATR" or kind.flamethrower or kind.charge)


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """Heavier weapons cannot be served in the water (B16.32, B20.6)."""
    if weapon is None or fires_in_water(weapon):
        return None
    rule = wet_rule(state, unit)
    return ("It cannot be fired from the water: only inherent FP, LMG, LATW, DC and FT can", rule) if rule else None


def factors(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> list[Item]:
    """Fire out of the water is Area Fire (B16.32, B20.6)."""
    rule = wet_rule(state, unit)
    return [("in the water", 0.5, rule)] if rule else []


def bursts(state: SquadState, weapon: Weapon, target: int, ammo: str) -> list[Item]:
    """Marsh swallows half of the HE that falls into it (B16.31)."""
    swallowed = ammo == "HE" and asl_ground(state).kinds[target].name == "marsh"
    return [("HE halved by the marsh", 0.5, "B16.31")] if swallowed else []


def line_bar(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> Bar | None:
    """Which weapons cannot be aimed up or down a cliff that they are beside (B11.31, B11.32)."""
    if weapon is None or unit.at < 0:
        return None
    kind = weapon_kind(weapon)
    ground = asl_ground(state)
    if kind.mortar or ground.ranges[unit.at][target] != 1 or "cliff" not in ground.hexsides[unit.at]:
        return None
    if not any([ground.hexsides[unit.at][side] == "cliff" for side in ground.entered_through(target, unit.at)]):
        return None
    piat = kind.latw and "PIAT" in weapon.kind
    if ground.level[target] > ground.level[unit.at]:
        barred = (kind.gun or kind.latw or kind.flamethrower) and not piat and kind.type != "AA"
    else:
        barred = kind.gun or piat
    return ("It cannot be aimed at a Location just beyond the cliff: pick another target", "B11.31") if barred else None


def sink(play: Play[SquadState]) -> None:
    """Weapons that nobody holds sink in marsh and streams; a Gun stands in a stream as it would elsewhere (A4.43)."""
    state = play.state
    for cell in [cell for cell in state.loose if cell in asl_ground(state).no_crawl]:
        for name in state.loose[cell]:
            if asl_ground(state).kinds[cell].name == "marsh" or not weapon_kind(state.weapons[name]).gun:
                play.emit(Sunk(weapon=name, at=name_of(state, cell)))
                destroy_weapon(play, state.weapons[name])


def _sunk(state: SquadState, event: Sunk) -> str:
    ground = asl_ground(state)
    marsh = ground.kinds[ground.index(event.at)].name == "marsh"
    where, number = ("marsh", "B16.33") if marsh else ("water", "A4.43")
    return f"{short(state, event.weapon)} sinks in the {where} in {event.at} ({number})"


PART = Part(
    bars={"fire": fire_bar, "line": line_bar},
    factors=factors,
    bursts=bursts,
    ends=dict.fromkeys(("MPh", "AFPh", "RtPh", "CCPh"), sink),
    words={Sunk: _sunk},
)
