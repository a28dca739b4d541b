"""The rulings on leaving close combat as options of a mission (SA-116 to SA-118): each is a switch of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine import Option

STAYERS = Option(
    "stayers",
    "Withdrawal: friends who stay",
    ("all", "two"),
    "all: each counts +1 for those who withdraw; two: they never do more than make up for the -2 (SA-116, confidence"
    " medium)",
    reading=True,
)
ROLLED = Option(
    "infiltration",
    "Infiltration: rolls already made",
    ("stand", "escaped"),
    "stand: a unit that an earlier DR of the same close combat has hit does not Infiltrate; escaped: it does, and"
    " escapes the result (SA-117, confidence medium)",
    reading=True,
)
BOUND = Option(
    "broken_melee",
    "Broken units in a new Melee",
    ("next", "same"),
    "next: they must withdraw in the next CCPh; same: they are eliminated at the end of the CCPh in which the Melee"
    " begins (SA-118, confidence medium)",
    reading=True,
)
LEAVING = (STAYERS, ROLLED, BOUND)


def leaving_switches(options: Mapping[str, str]) -> dict[str, bool]:
    """The switches of `LeavingRules` by the options of a match."""
    switches = {STAYERS: "cover_unlimited", ROLLED: "rolled_stands", BOUND: "bound_next"}
    return {name: options.get(option.id, option.values[0]) == option.values[0] for option, name in switches.items()}
