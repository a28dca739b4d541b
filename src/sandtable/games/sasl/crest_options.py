"""The rulings on Crest status as options of a mission.

T-9 to T-15 are switches of the rules; SA-125 to SA-128 say what the ENEMY does.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine import Option

ON = "on"


def _switch(name: str, title: str, text: str) -> Option:
    return Option(name, title, (ON, "off"), text, reading=True)


CREST = (
    _switch("crest_status", "Crest status", "off: no unit takes it (ruling T-9, confidence high)"),
    _switch(
        "crest_over_its_front",
        "Crest: front of a unit that enters",
        "on: the hexside that it crossed is part of its front; off: any front (ruling T-11, confidence medium)",
    ),
    _switch(
        "crest_latw_over_front",
        "Crest: LATW",
        "on: fired across the front only; off: in all directions (ruling T-12, confidence medium)",
    ),
    _switch(
        "crest_fights_below",
        "Crest: close combat",
        "on: units at Crest fight enemies that come INTO the hex; off: only units IN it do (ruling T-13, confidence"
        " high)",
    ),
    _switch(
        "crest_broken_go_down",
        "Crest: broken units",
        "on: they go down INTO the hex when the RtPh begins; off: they rout from the Crest (ruling T-14, confidence"
        " medium)",
    ),
    _switch(
        "crest_weapons_fall",
        "Crest: weapons left there",
        "on: they lie IN the hex when the phase ends; off: they stay at the Crest (ruling T-15, confidence medium)",
    ),
)

ENEMY_CREST = (
    Option(
        "suspect_crest",
        "S? in gullies",
        ("Crest", "IN"),
        "Crest: a S? set up in a gully, stream or sunken road is at its Crest; IN: it is IN the hex (SA-125, confidence"
        " low)",
        reading=True,
    ),
    Option(
        "crest_works",
        "Fortifications of S? at a Crest",
        ("laid", "none"),
        "laid: a result of A5 lies IN the hex, and its men are in it; none: all stay at the Crest without a dr (SA-126,"
        " confidence low)",
        reading=True,
    ),
    Option(
        "enemy_crest",
        "ENEMY at a Crest",
        ("Target", "never"),
        "Target: ENEMY Infantry takes Crest status where it has a Target before it; never: it stays IN the hex (SA-127,"
        " confidence low)",
        reading=True,
    ),
    Option(
        "crest_position",
        "Crest as an improved position",
        ("off", "on"),
        "on: the ENEMY at a Crest acts as in an improved position (6.312); off: it rolls (SA-128, confidence low)",
        reading=True,
    ),
)


def crest_switches(options: Mapping[str, str]) -> dict[str, bool]:
    """The switches of `CrestRules` by the options of a match."""
    return {option.id: options.get(option.id, ON) == ON for option in CREST}
