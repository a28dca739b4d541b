"""Helpers for tests of ordnance: Covered Arcs by their two hexes, a shot in one line."""

from __future__ import annotations

from squad_support import cell, do, get_weapon

from sandtable.engine import Event, Match
from sandtable.games.squad.fire_model import AimAt
from sandtable.games.squad.ordnance_model import AimAnywhere, Shoot, StartShot
from sandtable.games.squad.setting import ground_of


def arc(match: Match, at: str, one: str, other: str) -> int:
    """The hexspine of a hex between two of its neighbours."""
    ground = ground_of(match.state)
    wanted = {ground.index(one), ground.index(other)}
    return next(spine for spine in range(6) if set(ground.grid.hexspine(ground.index(at), spine)) == wanted)


def point(match: Match, weapon: str, at: str, one: str, other: str) -> None:
    """Give a Gun a Covered Arc before the test starts."""
    from msgspec.structs import replace

    match.state.weapons[weapon] = replace(get_weapon(match, weapon), facing=arc(match, at, one, other))


def aim(match: Match, weapon: str, target: str, *, anywhere: bool = False) -> None:
    """Draft a shot at a hex."""
    do(match, StartShot(weapon))
    if anywhere:
        do(match, AimAnywhere())
    do(match, AimAt(cell(match, target)))


def shoot(
    match: Match, weapon: str, target: str, target_type: str = "ITT", ammo: str = "HE", **more: object
) -> list[Event]:
    """Draft and fire a shot."""
    aim(match, weapon, target, anywhere=bool(more.pop("anywhere", False)))
    return do(match, Shoot(target_type, ammo, **more))  # type: ignore[arg-type]
