"""Movement and the small tables of the quick-reference card, read from data that look like it."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.games.squad.cards import texttable
from sandtable.games.squad.cards.tables import modifiers

_DATA = texttable.load("tables/movement.toml")


class Phase(msgspec.Struct, frozen=True):
    """One of the eight phases of a Player Turn (3.0)."""

    id: str
    name: str
    rule: str


def _section(name: str) -> list[texttable.Row]:
    return texttable.rows(_DATA[name]["table"])


PHASES = tuple(Phase(row["id"], row["phase"], row["rule"]) for row in _section("sequence"))
RALLY_DRM = modifiers(_DATA["rally"]["table"], rule="3.1")
AMBUSH_DRM = modifiers(_DATA["ambush"]["table"], rule="3.8")
LEADER_CREATION_DRM = modifiers(_DATA["leader_creation"]["drm"], rule="5.3")

_LEADERS = [(texttable.bounds(row["dr"]), row["leader"]) for row in _section("leader_creation")]
_WOUNDS = [(texttable.bounds(row["dr"]), row["effect"]) for row in _section("wounds")]


def figures(section: str) -> dict[str, Any]:
    """The plain figures of one section of the movement tables, such as `portage` or `stacking`."""
    return {key: value for key, value in _DATA[section].items() if key not in ("table", "rule")}


def created_leader(dr: int) -> str | None:
    """The leader that a final Leader Creation dr makes (5.3), None if it makes none."""
    for (low, high), leader in _LEADERS:
        if low <= dr <= high:
            return None if leader == "none" else leader
    return None


def leader_creation_drm(
    *, nation: str, columns_below_even: int = 0, morale: int, broken: bool = False
) -> dict[str, int]:
    """The drm of a Leader Creation dr by id (5.3); the odds count the new leader's own FP (ruling D-2)."""
    table, data = LEADER_CREATION_DRM, _DATA["leader_creation"]
    found = {
        "strong": nation in data["strong"],
        "weak": nation in data["weak"],
        "odds": columns_below_even,
        "morale_high": morale >= 8,
        "morale_low": morale <= 6,
        "broken": broken,
    }
    return {key: (table[key].value or 0) * int(times) for key, times in found.items() if times}


def wound_effect(dr: int) -> str:
    """`wounded` or `eliminated` for a final wound severity dr (3.2.3)."""
    return next(effect for (low, high), effect in _WOUNDS if low <= dr <= high)


def movement_factors() -> dict[str, tuple[str, ...]]:
    """The unit movement factor chart of 3.3 as printed; in brackets the Conscripts."""
    return {row.pop("unit"): tuple(row.values()) for row in _section("mf")}
