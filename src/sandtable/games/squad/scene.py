"""What does not change on the table: the map picture, its hexes with their outlines and facts, sides, legend."""

from __future__ import annotations

from typing import Any

from sandtable.games.squad.counters import nations
from sandtable.games.squad.faces import COLOURS, MARKERS, RESIDUAL
from sandtable.games.squad.ground import Ground
from sandtable.games.squad.scenario_map import scenario_map
from sandtable.games.squad.setting import Setting
from sandtable.space.draw import draw_board

SPINES = (330, 30, 90, 150, 210, 270)
"""Degrees from straight up at which a Gun points by its hexspine (3.2.4)."""


def hex_facts(ground: Ground, cell: int) -> list[tuple[str, str, str]]:
    """What a player wants to know about a hex, with the rule (1.1.1)."""
    kind = ground.kinds[cell]
    words = [f"{ground.entry_cost(cell) / 2:g} MF"]
    if kind.tem:
        words.append(f"{kind.tem:+d} to fire")
    if kind.hindrance:
        words.append(f"{kind.hindrance:+d} Hindrance")
    if kind.los == "obstacle":
        words.append("obstacle")
    facts = [("Terrain", f"{kind.title}: {', '.join(words)}", "1.1.1")]
    if ground.level[cell]:
        facts.append(("Level", str(ground.level[cell]), "1.1.1"))
    if ground.has_road[cell]:
        facts.append(("Road", "paved" if ground.paved[cell] else "dirt", "1.1.1"))
    if ground.building[cell]:
        hexes = ground.buildings[ground.building[cell]]
        if len(hexes) > 1:
            facts.append(("Building", ", ".join(ground.names[other] for other in hexes), "1.1.1"))
    return facts


def make_scene(card: Setting) -> dict[str, Any]:
    """The scene of a scenario with its options."""
    ground = card.ground
    grid = ground.grid
    cells = []
    for cell in grid:
        x, y = grid.centre(cell)
        cells.append(
            {
                "id": ground.names[cell],
                "x": round(x, 1),
                "y": round(y, 1),
                "outline": [[round(a, 1), round(b, 1)] for a, b in grid.vertices(cell)],
                "label": ground.names[cell],
                "terrain": ground.kinds[cell].title,
                "level": ground.level[cell],
                "facts": hex_facts(ground, cell),
            }
        )
    sides = {}
    for side in card.scenario.sides:
        nation = nations().get(side.nations[0]) if side.nations else None
        colour = COLOURS.get(nation.colour, "#c8c8c0") if nation is not None else "#c8c8c0"
        sides[side.id] = {"label": side.title, "colour": colour}
    legend = [
        {"face": face, "label": text, "text": explained, "rule": rule}
        for face, (text, _, explained, rule) in MARKERS.items()
    ]
    legend.append(
        {
            "face": f"marker/residual-{RESIDUAL[1]}",
            "label": "Residual FP",
            "text": "attacks whoever spends MF in the hex",
            "rule": "3.3.1",
        }
    )
    return {
        "grid": "hex",
        "width": grid.width,
        "height": grid.height,
        "picture": draw_board(scenario_map(card.scenario)),
        "cells": cells,
        "directions": list(SPINES),
        "piece_size": 40,
        "boxes": [],
        "sides": sides,
        "legend": legend,
    }
