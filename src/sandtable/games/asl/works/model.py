"""What works there are in a match: their counters, who is in them, and how they are laid (B26-B30)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from sandtable.engine.part import Field
from sandtable.games.squad.cards.location_counters import CounterKind
from sandtable.games.squad.ground.counters import FORTIFIED, counters_at, lay, take_up
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, units_at
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

FOXHOLE, TRENCH, PILLBOX, WIRE = "foxhole", "trench", "pillbox", "wire"
ENTRENCHMENTS = (FOXHOLE, TRENCH)
SHELTERS = (FOXHOLE, TRENCH, PILLBOX)
"""Works that units are in."""
ENTRENCHED = 2
"""TEM of foxholes and trenches (B27.3)."""


class Pillbox(msgspec.Struct, frozen=True):
    """The three figures of a pillbox and the hexspine that its Covered Arc is about (B30.1)."""

    capacity: int
    inside: int
    """TEM against direct fire from inside the Covered Arc."""
    outside: int
    """TEM against everything else."""
    facing: int


class Minefield(msgspec.Struct, frozen=True):
    """A-P mines of a Location (B28.1)."""

    side: str
    factors: int
    known: bool = False
    """The enemy knows of them."""


PILLBOXES: Field[dict[str, Pillbox]] = Field("pillboxes", dict[str, Pillbox], {})
"""Pillboxes by the id of their counter."""
MINES: Field[dict[int, Minefield]] = Field("minefields", dict[int, Minefield], {})
BOOBYTRAPS: Field[dict[str, str]] = Field("boobytraps", dict[str, str], {})
"""Level of boobytraps (A, B or C) that a side suffers from."""
LABOUR: Field[dict[str, tuple[int, int]]] = Field("labour", dict[str, tuple[int, int]], {})
"""Units that have worked in vain: the Location, and the labour that counts there (B24.8)."""

TRENCHED: Field[tuple[str, ...]] = Field("trenched", tuple[str, ...], ())
"""Movers that came into their hex from trench to trench (B27.54)."""

KINDS = (
    CounterKind(
        name=FOXHOLE, tem=ENTRENCHED, capacity=2, face="foxhole-{value}", label="Foxholes {value}S", rule="B27.1"
    ),
    CounterKind(name=TRENCH, tem=ENTRENCHED, capacity=6, face="trench-{value}", label="Trench {value}S", rule="B27.5"),
    CounterKind(name=PILLBOX, capacity=6, face="", label="Pillbox", rule="B30.1"),
    CounterKind(name=WIRE, face="wire", label="Wire", rule="B26.1"),
)
NOT_DUG = frozenset(
    {"marsh", "crag", "sunken_road", "elevated_road", "runway", "lumberyard", "ford", "mudflats"}
    | {"stone_bridge", "wooden_bridge", "pontoon_bridge", "foot_bridge", "stream", "deep_stream", "dry_stream"}
)
"""Terrain without entrenchments, beside buildings, rubble, water and paved roads (B27.1)."""


# -- asking -----------------------------------------------------------------------------


def works_at(state: SquadState, place: int, *kinds: str) -> list[Counter]:
    """Works of some kinds in a Location."""
    return [counter for counter in state.counters.get(place, ()) if counter.kind in kinds]


def work_of(state: SquadState, unit: Unit) -> Counter | None:
    """The work that a unit is in, or the wire that it is on."""
    if not unit.within or unit.at < 0:
        return None
    for counter in state.counters.get(unit.at, ()):
        if counter.id == unit.within:
            return counter
    return None


def within(state: SquadState, unit: Unit, *kinds: str) -> Counter | None:
    """The work of one of these kinds that a unit is in or on."""
    found = work_of(state, unit)
    return found if found is not None and found.kind in kinds else None


def occupants(state: SquadState, place: int, counter: Counter) -> Iterator[Unit]:
    """Who is in a work."""
    return (unit for unit in units_at(state, place) if unit.within == counter.id)


def squads_of(counter: Counter) -> int:
    """Squads that a work holds; a trench holds a whole Location's (B27.1, B27.5)."""
    return counter.value or STACK_SQUADS // 2


def has_room(state: SquadState, place: int, counter: Counter, units: Iterable[Unit]) -> bool:
    """Whether units fit into a work beside those who are in it; no enemy may be in it (B27.1, B30.11)."""
    joining = list(units)
    present = [unit for unit in occupants(state, place, counter) if unit.id not in {one.id for one in joining}]
    if any([unit.side != joining[0].side for unit in present]):
        return False
    kinds = [unit_kind(state, unit) for unit in (*present, *joining)]
    size = sum([kind.size for kind in kinds if kind.mmc])
    return size <= 2 * squads_of(counter) and sum([kind.smc for kind in kinds]) <= STACK_LEADERS


def may_entrench_in(state: SquadState, place: int) -> bool:
    """Whether the ground of a Location can be dug (B27.1)."""
    ground = setting_of(state).ground
    kind = ground.kinds[place]
    if place >= ground.size or ground.in_building[place] or ground.paved[place] or kind.mf is None:
        return False
    # what grows in a stream stands in its water
    names = {kind.name, *[name for _, name in ground.facts[place].bed]}
    return kind.group not in ("rubble", "water") and not names & NOT_DUG


def vp_of(state: SquadState, counter: Counter) -> int:
    """Highest TEM against direct fire times capacity in squads, which missions pay for (SASL M4)."""
    if counter.kind == PILLBOX:
        box = PILLBOXES.of(state)[counter.id]
        return max(box.inside, box.outside) * box.capacity
    if counter.kind == FORTIFIED:
        return counter.value * STACK_SQUADS // 2
    return ENTRENCHED * squads_of(counter) if counter.kind in ENTRENCHMENTS else 0


# -- laying -----------------------------------------------------------------------------


def _named(state: SquadState, place: int, kind: str) -> str:
    return f"{kind} {setting_of(state).ground.names[place]}"


def lay_foxhole(state: SquadState, place: int, side: str, squads: int = 1) -> Counter:
    """Foxholes for some squads; those of a hex grow to three (B27.12)."""
    present = counters_at(state, place, FOXHOLE)
    old = present[0] if present else None
    if old is not None:
        take_up(state, place, old)
    value = min(squads + (old.value if old is not None else 0), 3)
    new = Counter(FOXHOLE, side, value, _named(state, place, FOXHOLE))
    lay(state, place, new)
    return new


def lay_trench(state: SquadState, place: int, side: str, squads: int = 3) -> Counter:
    """A trench, before play or by a table (B27.5)."""
    new = Counter(TRENCH, side, squads, _named(state, place, TRENCH))
    lay(state, place, new)
    return new


def lay_pillbox(state: SquadState, place: int, side: str, figures: tuple[int, int, int], facing: int) -> Counter:
    """A pillbox x+y+z whose Covered Arc is about a hexspine (B30.1)."""
    new = Counter(PILLBOX, side, figures[0], _named(state, place, PILLBOX))
    lay(state, place, new)
    PILLBOXES.of(state)[new.id] = Pillbox(*figures, facing)
    return new


def lay_wire(state: SquadState, place: int, side: str) -> Counter:
    """Wire; whoever is there is beneath it (B26.1)."""
    new = Counter(WIRE, side, 0, _named(state, place, WIRE))
    lay(state, place, new)
    return new


def lay_mines(state: SquadState, place: int, side: str, factors: int, *, known: bool = False) -> None:
    """A-P mines, hidden unless they are known (B28.1)."""
    MINES.of(state)[place] = Minefield(side, factors, known)


def fortify(state: SquadState, place: int, side: str) -> Counter:
    """A Fortified Building Location: its TEM and one more (B23.9)."""
    new = Counter(FORTIFIED, side, setting_of(state).ground.tem[place] + 1, _named(state, place, "fortified"))
    lay(state, place, new)
    return new


def put_in(state: SquadState, unit: Unit, counter: Counter) -> None:
    """A unit is in a work of its Location from now on."""
    state.units[unit.id] = replace(unit, within=counter.id)
