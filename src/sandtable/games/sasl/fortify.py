"""Fortifications that an Activation brings: A5, where they lie, who is in them, what they are worth (5.74, SA-62)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROSTER, Objective
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables import general
from sandtable.games.squad.cards.location_counters import CounterKind
from sandtable.games.squad.ground.counters import counters_at, lay
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

LARGEST = 4
"""Squads that the largest position holds."""
DUG_IN = tuple(
    CounterKind(
        name=f"dug-in position {size}",
        group="dug-in position",
        tem_by_value=True,
        capacity=2 * size,
        face="dug-in",
        label="Dug-in position, TEM +{value}",
        rule="5.74",
    )
    for size in range(1, LARGEST + 1)
)
"""Foxholes, trenches and pillboxes of the ENEMY: only who is within one has its TEM."""
FORTIFIED = "fortified building"
BUILDING_CAPACITY = 3
"""Squads that a building Location holds."""


def worth(tem: int, capacity: int) -> int:
    """VP of a fortification in Mission 4: its highest TEM times its capacity."""
    return tem * capacity


def fortify(play: Play[SquadState], units: Sequence[Unit], cell: int, *, gun: bool) -> str:
    """A dr on A5 for MMC just generated in Hold Attitude: what they are in, empty: nothing (5.74)."""
    state = play.state
    squads = [unit for unit in units if unit_kind(state, unit).mmc and unit.at == cell]
    if not squads:
        return ""
    classes = [unit_kind(state, unit).unit_class for unit in squads]
    drm = rolled_in(state).rules.drm.get("A5", 0) + ROSTER.of(state).fort_drm
    drm += -1 if "E" in classes else 0
    drm += 1 if all(one in ("C", "G") for one in classes) else 0
    (dr,) = rolled(play, 1, "Fortification")
    row = general.table("A5").row(dr + drm)
    what = row.cells[0].choices[0].item
    size = min(LARGEST, len(squads))
    found = _place(play, squads, cell, what, size, gun=gun)
    say(play, "A5", f"{row.key} ({dr}{drm:+d})", (dr,), f"{name_of(state, cell)}: {found or 'none'}", "5.74")
    return found


def _place(play: Play[SquadState], squads: Sequence[Unit], cell: int, what: str, size: int, *, gun: bool) -> str:
    """Lay the counter and put the units into it; in a building the Location is fortified (5.742)."""
    state = play.state
    ground = setting_of(state).ground
    if what == "-":
        return ""
    if ground.in_building[cell]:
        if counters_at(state, cell, FORTIFIED):
            return ""
        tem = ground.tem[cell] + 1
        lay(state, cell, Counter(FORTIFIED, side=ENEMY, value=tem))
        _objective(state, cell, FORTIFIED, worth(tem, BUILDING_CAPACITY))
        return f"Fortified Building, TEM +{tem}"
    if what.startswith("x+"):
        _, near, far = what.split(" ")[0].split("+")
        tem, high, name = int(near), int(far), f"{size}+{near}+{far} pillbox"
    else:
        tem = high = 2
        name = "trench" if gun else f"{size}S foxhole"
    state.serial += 1
    counter = Counter(f"dug-in position {size}", side=ENEMY, value=tem, id=f"dug{state.serial}")
    lay(state, cell, counter)
    for unit in squads[:size]:
        state.units[unit.id] = replace(state.units[unit.id], within=counter.id)
    _objective(state, cell, name, worth(high, size))
    return name


def _objective(state: SquadState, cell: int, name: str, points: int) -> None:
    """In Mission 4 each fortification is a VPO."""
    if rolled_in(state).mission == 4:
        key = f"{name} in {name_of(state, cell)}"
        OBJECTIVES.of(state)[key] = Objective(key, (cell,), (ENEMY,), worth=points)


def discovered(state: SquadState) -> int:
    """Fortified Locations on the map (Mission 3)."""
    return sum(
        any(counter.kind == FORTIFIED or counter.kind.startswith("dug-in") for counter in there)
        for there in state.counters.values()
    )


__all__ = ["DUG_IN", "FRIENDLY", "discovered", "fortify", "worth"]
