"""Fortifications that an Activation brings: A5, where they lie, who is in them, what they are worth (S5.74)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from sandtable.engine import Play
from sandtable.games.asl.works import model as works
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.generation import outdoors
from sandtable.games.sasl.model import ENEMY, OBJECTIVES, ROSTER, Objective
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.model import Row
from sandtable.games.squad.ground.counters import FORTIFIED, counters_at
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

LARGEST = 3
"""Squads that the largest position of A5 holds: what an Activation makes of MMC at most."""


class Found(NamedTuple):
    """A dr on A5 for the MMC of an Activation."""

    dr: int
    drm: int
    row: Row

    @property
    def what(self) -> str:
        """The fortification by its name on the table, `-`: none."""
        return self.row.cells[0].choices[0].item


def fortify(play: Play[SquadState], units: Sequence[Unit], cell: int, towards: int, *, gun: bool) -> str:
    """A dr on A5 for MMC just generated in Hold Attitude: what they are in, empty: nothing (S5.74)."""
    found = roll(play, [unit_kind(play.state, unit) for unit in units if unit.at == cell])
    return occupy(play, units, cell, towards, found, gun=gun) if found is not None else ""


def roll(play: Play[SquadState], kinds: Sequence[UnitKind]) -> Found | None:
    """The dr on A5 for those generated in a Location; None: no MMC is among them (S5.74)."""
    classes = [kind.unit_class for kind in kinds if kind.mmc]
    if not classes:
        return None
    facts = [("any MMC Elite", "E" in classes), ("all MMC Conscript or Green", set(classes) <= {"C", "G"})]
    drm = rolled_in(play.state).rules.drm.get("A5", 0) + ROSTER.of(play.state).fort_drm
    drm += general.table("A5").drm("", [words for words, true in facts if true])
    (dr,) = rolled(play, 1, "Fortification")
    return Found(dr, drm, general.table("A5").row(dr + drm))


def in_pillbox(state: SquadState, cell: int, found: Found | None) -> bool:
    """Whether those generated in a Location will be in a pillbox: its Gun is one of the column Inside (S5.761)."""
    return found is not None and found.what.startswith("x+") and not _in_building(state, cell) and _fits(state, cell)


def occupy(play: Play[SquadState], units: Sequence[Unit], cell: int, towards: int, found: Found, *, gun: bool) -> str:
    """Lay what A5 has given, with those in it who fit; empty: nothing (S5.74)."""
    state = play.state
    here = [unit for unit in units if unit.at == cell]
    squads = [unit for unit in here if unit_kind(state, unit).mmc]
    size = min(LARGEST, len(squads))
    counter = _lay(state, cell, found.what, size, towards, trench=gun or _beside_works(state, cell)) if size else None
    words = ""
    if counter is not None:
        words = counter.kind if counter.kind == FORTIFIED else f"{counter.kind} for {size} MMC"
        for unit in (*squads, *[unit for unit in here if unit not in squads]):
            if counter.kind == works.PILLBOX and any(outdoors(state.weapons[name].kind) for name in unit.weapons):
                continue  # its weapon is not fired from within (S5.753, S5.754)
            if counter.kind != FORTIFIED and works.has_room(state, cell, counter, [state.units[unit.id]]):
                works.put_in(state, state.units[unit.id], counter)
        _objective(state, cell, counter)
    key, told = f"{found.row.key} ({found.dr}{found.drm:+d})", f"{name_of(state, cell)}: {words or 'none'}"
    say(play, "A5", key, (found.dr,), told, "S5.74")
    return words


def _in_building(state: SquadState, cell: int) -> bool:
    return setting_of(state).ground.in_building[cell]


def _fits(state: SquadState, cell: int) -> bool:
    """Whether entrenchments and pillboxes may be laid in a Location."""
    return works.may_entrench_in(state, cell) and not works.works_at(state, cell, *works.SHELTERS)


def _lay(state: SquadState, cell: int, what: str, size: int, towards: int, *, trench: bool) -> Counter | None:
    """The counter of a result of A5: with a Gun a trench (S5.741); in a building the Location is fortified (S5.742)."""
    ground = setting_of(state).ground
    if what == "-":
        return None
    if _in_building(state, cell):
        return None if counters_at(state, cell, FORTIFIED) else works.fortify(state, cell, ENEMY)
    if not _fits(state, cell):
        return None
    if what.startswith("x+"):
        _, near, far = what.split(" ")[0].split("+")
        spines = ground.spines_towards(cell, towards) if towards not in (-1, cell) else (0,)
        return works.lay_pillbox(state, cell, ENEMY, (size, int(near), int(far)), spines[0] if spines else 0)
    return works.lay_trench(state, cell, ENEMY, size) if trench else works.lay_foxhole(state, cell, ENEMY, size)


def _beside_works(state: SquadState, cell: int) -> bool:
    """Whether a pillbox or trench is ADJACENT, which makes an entrenchment a trench (note 2 of A5)."""
    near = setting_of(state).ground.near[cell]
    return any(works.works_at(state, other, works.PILLBOX, works.TRENCH) for other in near)


def _objective(state: SquadState, cell: int, counter: Counter) -> None:
    """In Mission 4 each fortification is a VPO."""
    if rolled_in(state).mission == 4:
        key = f"{counter.kind} in {name_of(state, cell)}"
        OBJECTIVES.of(state)[key] = Objective(key, (cell,), (ENEMY,), worth=works.vp_of(state, counter))


def discovered(state: SquadState, cells: Container[int] | None = None) -> int:
    """Pillboxes, trenches, minefields and Fortified Building Locations found, there or anywhere (Mission 3)."""
    kinds = (works.PILLBOX, works.TRENCH, FORTIFIED)
    places = [cell for cell in state.counters if works.works_at(state, cell, *kinds)]
    places += [cell for cell, field in works.MINES.of(state).items() if field.known]
    return sum(cells is None or cell in cells for cell in places)
