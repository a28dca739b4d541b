"""What does not change on the table: the map picture, its hexes with their outlines and facts, sides, legend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.games.squad.counters import nation_id
from sandtable.games.squad.faces import piece_faces
from sandtable.games.squad.ground import Ground
from sandtable.games.squad.marker_faces import legend, marker_faces
from sandtable.games.squad.palette import COLOURS
from sandtable.games.squad.scenario_map import scenario_map
from sandtable.games.squad.scenario_types import Scenario
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


def side_colours(card: Scenario) -> dict[str, str]:
    """A colour for each side: that of the counters it mostly has."""
    found = {group.side: COLOURS[nation_id(group.nation)] for group in reversed(card.groups)}
    return {side.id: found.get(side.id, "#c8c8c0") for side in card.sides}


def make_faces(cards: Iterable[Scenario]) -> dict[str, str]:
    """The piece-drawing table of some scenarios: their nations' counters, and all markers."""
    nations: list[str] = []
    sides: dict[str, str] = {}
    for card in cards:
        sides |= side_colours(card)
        for group in card.groups:
            lines = [line.nation for line in group.units if line.nation]
            nations += [nation_id(nation) for nation in (group.nation, *lines)]
    return piece_faces(tuple(dict.fromkeys(nations))) | marker_faces(sides)


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
    colours = side_colours(card.scenario)
    sides = {side.id: {"label": side.title, "colour": colours[side.id]} for side in card.scenario.sides}
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
        "legend": legend(),
    }
