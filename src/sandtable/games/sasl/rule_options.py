"""Rulings on the full rules as options of a mission: each is a switch of the rules by the same name."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine import Option

ON, OFF = "on", "off"


def _switch(name: str, title: str, text: str, *, preset: str = ON) -> Option:
    values = (preset, OFF if preset == ON else ON)
    return Option(name, title, values, text, reading=True)


FULL = (
    _switch(
        "wall_advantage",
        "Wall Advantage",
        "on: it decides between the TEM of a hexside and that of the hex; off: the better of the two counts (ruling"
        " T-2, confidence medium)",
    ),
    _switch(
        "wall_claims_asked",
        "Wall Advantage at the end of the RPh",
        "off: it is settled without asking; on: you are asked, as printed (ruling T-2, confidence medium)",
        preset=OFF,
    ),
    _switch("climbing", "Cliffs", "on: they may be climbed; off: nobody does (ruling T-5, confidence medium)"),
    _switch(
        "outside_first",
        "Fire at a hex with a pillbox",
        "on: it attacks the units outside if there are any; off: those inside as well (ruling W-5, confidence medium)",
    ),
    _switch(
        "mines_attack_owner",
        "Mines of one's own side",
        "on: they attack too; off: they do not (ruling W-6, confidence high)",
    ),
    _switch(
        "pillbox_havens",
        "Routs to pillboxes",
        "on: broken units make for a pillbox as for a building; off: it is no goal (ruling W-8, confidence high)",
    ),
    _switch(
        "proof_is_automatic",
        "A unit seen only from under a ?",
        "on: the unit under the ? proves that it is real, which costs the other its ?; off: the other keeps it (ruling"
        " C-2, confidence medium)",
    ),
    _switch(
        "enter_concealed",
        "Entering under a ?",
        "on: Good Order units come on under a ?; off: without one (ruling C-4, confidence medium)",
    ),
    _switch(
        "fires_too",
        "Molotov cocktails of half-squads and crews",
        "off: they throw instead of firing; on: they do both (ruling V-3, confidence medium)",
        preset=OFF,
    ),
)


def full_switches(options: Mapping[str, str]) -> dict[str, bool]:
    """The switches of the full rules by the options of a match."""
    return {option.id: options.get(option.id, option.values[0]) == ON for option in FULL}
