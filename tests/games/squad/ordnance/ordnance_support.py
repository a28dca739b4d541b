"""Helpers for tests of ordnance: Covered Arcs by their two hexes, a shot in one line."""

from __future__ import annotations

from msgspec.structs import replace
from squad_support import cell, do, drill, get_weapon, unit, weapon

from sandtable.engine import Event, Match
from sandtable.games.squad.fire.model import AimAt
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ordnance.model import AimAnywhere, Shoot, StartShot
from sandtable.games.squad.pieces.model import Acquired, SquadState

PAK = "german 7.5cm PaK 40 AT"


def arc(match: Match, at: str, one: str, other: str) -> int:
    """The hexspine of a hex between two of its neighbours."""
    ground = ground_of(match.state)
    wanted = {ground.index(one), ground.index(other)}
    return next(spine for spine in range(6) if set(ground.grid.hexspine(ground.index(at), spine)) == wanted)


def point(match: Match, weapon: str, at: str, one: str, other: str) -> None:
    """Give a Gun a Covered Arc before the test starts."""
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


def observed(*dice: int, phase: str = "MPh", units: int = 2) -> Match:
    """A German 75mm in D9 that has acquired Russians in D6 at -2, looking along the road."""
    squads = [unit(f"r{n}", "russian 4-4-7", "D6") for n in range(1, units + 1)]
    match = drill(
        "xwinter",
        phase,
        [unit("gc", "german 2-2-8", "D8"), *squads],
        [weapon("pak", PAK, "gc", facing=0)],
        dice=dice,
    )
    point(match, "pak", "D8", "D7", "E8")
    names = tuple(f"r{n}" for n in range(1, units + 1))
    hold(match, Acquired(cell(match, "D6"), -2, False, names))
    return match


def hold(match: Match, held: Acquired) -> None:
    match.state.weapons["pak"] = replace(get_weapon(match, "pak"), acquired=held)


def held(match: Match) -> Acquired | None:
    return get_weapon(match, "pak").acquired


class QuietPlay:
    """Just enough of a play for functions that only change the state."""

    def __init__(self, state: SquadState) -> None:
        self.state = state

    def emit(self, event: Event) -> None:
        """Nobody listens."""
