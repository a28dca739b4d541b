"""What a piece is and what it can do, asked by name; the rules never conclude one from the other."""

from __future__ import annotations

from typing import Any

import msgspec


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """The traits of a sort of units; `UnitKind` has them as fields, so that asking costs no call."""

    # what it is
    mmc: bool = False
    """A Multi-Man Counter: squad, half-squad or crew (1.2.2)."""
    smc: bool = False
    """A Single-Man Counter: he is wounded where others lose half their men, and stacks by his own limit (1.2.1)."""
    squad: bool = False
    half_squad: bool = False
    crew: bool = False
    vehicle: bool = False
    dummy: bool = False
    """A counter under a "?" with nobody behind it."""
    # what it can do
    makes_leaders: bool = False
    """A leader may rise from its ranks (5.3)."""
    leads: bool = False
    """A leader: he directs, rallies others, helps their checks, lends MF and IPC; his loss is felt (1.2.1)."""
    fires: bool = False
    """It has FP of its own, and does not only serve weapons (3.2)."""
    mans_guns: bool = False
    """It may man a Gun (3.2.4)."""
    cowers: bool = False
    """A double makes its fire cower, unless a leader directs it (3.2.2)."""

    @property
    def personnel(self) -> bool:
        """Men on foot (1.2)."""
        return self.mmc or self.smc


_TROOPS = Traits(mmc=True, makes_leaders=True, fires=True, mans_guns=True, cowers=True)
_LEADER = Traits(smc=True, leads=True)
_HERO = Traits(smc=True, fires=True)

SORTS: dict[str, Traits] = {
    "squad": msgspec.structs.replace(_TROOPS, squad=True),
    "half-squad": msgspec.structs.replace(_TROOPS, half_squad=True),
    "crew": msgspec.structs.replace(_TROOPS, crew=True),
    "leader": _LEADER,
    "commissar": _LEADER,
    "hero": _HERO,
    "tank-hunter hero": _HERO,
    "vehicle": Traits(vehicle=True, fires=True),
    "dummy": Traits(dummy=True),
}
"""Traits by the sort of counter."""


def traits_of(sort: str) -> dict[str, Any]:
    """The traits of a sort of counter, by name."""
    return msgspec.structs.asdict(SORTS[sort])
