"""What does not change during a match: the map picture, its cells, boxes and legend."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sandtable.games.underbelly.atlas import (
    BLOCKED,
    CITY,
    COASTAL,
    ENTRY_COST,
    GRID,
    LAND,
    NAMES,
    PLACES,
    RIVERS,
    ROADS,
    TERRAIN,
    TERRAIN_NAMES,
    WATER_SIDES,
    Side,
    side,
)
from sandtable.games.underbelly.data import tables
from sandtable.games.underbelly.draw import picture
from sandtable.games.underbelly.layout import BOXES, HEIGHT, WIDTH

LEGEND = (
    ("US-36", "Division", "Combat factor, steps, movement factor; XX marks a division", "2.5"),
    ("US-36/reduced", "Reduced division", "One step is lost: one shot, one more hit eliminates it", "2.13"),
    ("US-VI", "Corps support", "Fires in the barrage and in defence, exerts no zone of control", "13.5"),
    ("allied-hidden", "Hidden Allied unit", "Only the top unit of an Allied stack can be seen", "6.9"),
    ("port-us", "Port supply, US", "A source of supply and a place to land", "11.3"),
    ("port-british", "Port supply, British", "A source of supply and a place to land", "11.3"),
    ("fort", "Fortification", "Allied attackers hit less", "9.8"),
    ("sf", "Special Forces", "Keeps the Germans out of 2823", "3.6"),
    ("aerial", "Aerial supply", "Normal supply in combat, no movement", "11.7"),
    ("corps", "Multi-national corps", "A mixed stack without penalties", "6.5"),
    ("control-allied", "Allied control", "A town or city held by the Allies", "7.7"),
    ("control-german", "German control", "A town or city held by the Germans", "7.7"),
    ("used", "Has acted", "Has carried out its command in this player turn", "9.18"),
    ("supply-oos", "Out of supply", "Half movement; -2 to hit in attack, -1 in defence", "11.5"),
    ("supply-coastal", "Coastal supply", "Half movement; -1 to hit in attack", "11.6"),
    ("supply-aerial", "On aerial supply", "May not move", "11.7"),
    ("supply-cross", "Supplied by the other grouping", "-1 movement, -1 to hit in attack", "11.3"),
    ("attacked", "Attacked", "A hex is attacked once a phase", "13.1"),
)

NORTH = 305
"""Degrees from the top of the map to north, clockwise: a fit over twelve of its towns."""


def cell_facts(h: int) -> list[list[str]]:
    """What a player wants to know of a hex."""
    chart = tables()["attack"]
    kind = TERRAIN_NAMES[TERRAIN[h]]
    costs = " / ".join(str(ENTRY_COST[m][h]) for m in ("mountain", "nonmech", "mech"))
    facts = [["Terrain", f"{kind}: {costs} MP (mountain, foot, mechanized)", "12.2"]]
    value = chart[kind]["value"] + (chart["city"]["value"] if CITY[h] else 0)
    if value:
        facts.append(["Attack", f"{value:+d} to hit", "13.13"])
    if CITY[h]:
        facts.append(["City", "no break-off, no retreat", "13.11"])
    if COASTAL[h]:
        facts.append(["Coast", "naval gunfire and coastal supply", "9.20"])
    place = PLACES.get(NAMES[h])
    if place is not None and place.airbase:
        facts.append(["Airbase", "one more TAC unit if Allied", "9.9"])
    sides: dict[str, tuple[Mapping[Side, object], str]] = {
        "River": (RIVERS, "13.13"),
        "Road": (ROADS, "12.8"),
        "Blocked": (BLOCKED, "12.10"),
        "Water": (WATER_SIDES, "7.3"),
    }
    for label, (table, rule) in sides.items():
        towards = [NAMES[n] for n in GRID.neighbours(h) if side(h, n) in table]
        if towards:
            facts.append([label, "towards " + ", ".join(towards), rule])
    return facts


@cache
def scene() -> dict[str, Any]:
    """The scene in the common form."""
    cells = []
    for h in LAND:
        name = NAMES[h]
        x, y = GRID.centre(h)
        place = PLACES.get(name)
        cells.append(
            {
                "id": name,
                "x": round(x, 1),
                "y": round(y, 1),
                "outline": [[round(px, 1), round(py, 1)] for px, py in GRID.vertices(h)],
                "label": f"{name} {place.name}" if place else name,
                "terrain": TERRAIN_NAMES[TERRAIN[h]],
                "level": 0,
                "neighbours": [NAMES[n] if n >= 0 and TERRAIN[n] else None for n in GRID.neighbour_table[h]],
                "facts": cell_facts(h),
            }
        )
    return {
        "grid": "hex",
        "width": WIDTH,
        "height": HEIGHT,
        "picture": picture(),
        "cells": cells,
        "directions": [0, 60, 120, 180, 240, 300],
        "north": NORTH,
        "piece_size": 40,
        "layers": [{"id": "supply_lines", "label": "Supply", "none": "out of supply"}],
        "boxes": [
            {"id": box, "label": label, "x": x, "y": y + 32, "width": width, "height": height - 32}
            for box, label, x, y, width, height, _ in BOXES
        ],
        "sides": {
            "allied": {"label": "Allied", "colour": "#616a3b"},
            "german": {"label": "German", "colour": "#5d665a"},
        },
        "legend": [{"face": face, "label": label, "text": text, "rule": rule} for face, label, text, rule in LEGEND],
    }
