"""What does not change on the table: the map picture, its hexes with their outlines and facts, sides, legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.part import Points
from sandtable.games.squad.pieces.counters import nation_id
from sandtable.games.squad.scenario.maps import scenario_map
from sandtable.games.squad.show.faces import piece_faces
from sandtable.games.squad.show.marker_faces import legend, marker_faces
from sandtable.games.squad.show.palette import COLOURS
from sandtable.space.terrain import terrain_table

SMALL = 0.4
"""Size of a Location beside the ground of its hex, as a share of the hex."""
LIP = 0.12
"""The same of one that shares the room of its hex: who is there is clicked, the place itself hardly ever."""
SPINES = (330, 30, 90, 150, 210, 270)
"""Degrees from straight up at which a Gun points by its hexspine (3.2.4)."""
HEXSIDES = (0, 60, 120, 180, 240, 300)
"""The same by hexside, numbered after the hexspines; only where a part has something that faces hexsides."""


def hex_facts(ground: Ground, cell: int) -> list[tuple[str, str, str]]:
    """What a player wants to know about a hex, with the rule (1.1.1)."""
    kind = ground.kinds[cell]
    bed = next((terrain_table()[name] for _, name in ground.facts[cell].bed), kind)
    title = kind.title if bed is kind or ground.facts[cell].is_bridge else f"{kind.title} in a {bed.title}"
    mf = "all MF" if kind.all_mf or bed.all_mf else f"{ground.entry_cost(cell) / 2:g} MF"
    words = ["impassable" if ground.barred[cell] else mf]
    if kind.tem:
        words.append(f"{kind.tem:+d} to fire")
    if kind.hindrance:
        words.append(f"{kind.hindrance:+d} Hindrance")
    if kind.los == "obstacle":
        words.append("obstacle")
    facts = [("Terrain", f"{title}: {', '.join(words)}", "1.1.1")]
    if ground.level[cell]:
        facts.append(("Level", str(ground.level[cell]), "1.1.1"))
    if ground.has_road[cell]:
        facts.append(("Road", "paved" if ground.paved[cell] else "dirt", "1.1.1"))
    if ground.building[cell]:
        hexes = ground.buildings[ground.building[cell]]
        if len(hexes) > 1:
            facts.append(("Building", ", ".join(ground.names[other] for other in hexes), "1.1.1"))
    return facts


def cell_shape(ground: Ground, place: int) -> tuple[float, float, list[tuple[float, float]]]:
    """Centre and outline of a Location on the picture: other Locations of a hex are smaller, in its upper part."""
    cell = ground.hex_of(place)
    x, y = ground.grid.centre(cell)
    outline = list(ground.grid.vertices(cell))
    if place == cell:
        return x, y, outline
    number = ground.locations_of(cell).index(place)
    up = y - ground.grid.hex_height * (0.5 - SMALL / 2) + (number - 1) * ground.grid.hex_height * SMALL
    size = LIP if place in ground.floors else SMALL
    return x, up, [(x + size * (a - x), up + size * (b - y)) for a, b in outline]


def side_colours(scenario: Scenario) -> dict[str, str]:
    """A colour for each side: that of the counters it mostly has."""
    found = {group.side: COLOURS[nation_id(group.nation)] for group in reversed(scenario.groups)}
    return {side.id: found.get(side.id, "#c8c8c0") for side in scenario.sides}


def make_faces(cards: Iterable[Scenario], points: Points) -> dict[str, str]:
    """The piece-drawing table of some scenarios: their nations' counters, and all markers."""
    nations: list[str] = []
    sides: dict[str, str] = {}
    for scenario in cards:
        sides |= side_colours(scenario)
        for group in scenario.groups:
            lines = [line.nation for line in group.units if line.nation]
            nations += [nation_id(nation) for nation in (group.nation, *lines)]
    own = {face: look.svg for face, look in points.faces.items()}
    return piece_faces(tuple(dict.fromkeys(nations))) | marker_faces(sides) | own


def make_scene(setting: Setting) -> dict[str, Any]:
    """The scene of a scenario with its options."""
    from sandtable.space.draw import draw_board  # playing does not need what drawing does

    ground = setting.ground
    grid = ground.grid
    cells = []
    for cell in range(ground.places):
        x, y, outline = cell_shape(ground, cell)
        cells.append(
            {
                "id": ground.names[cell],
                "x": round(x, 1),
                "y": round(y, 1),
                "outline": [[round(a, 1), round(b, 1)] for a, b in outline],
                "label": ground.names[cell],
                "terrain": ground.kinds[cell].title,
                "level": ground.level[cell],
                "facts": hex_facts(ground, cell),
            }
        )
    colours = side_colours(setting.scenario)
    sides = {side.id: {"label": side.title, "colour": colours[side.id]} for side in setting.scenario.sides}
    return {
        "grid": "hex",
        "width": grid.width,
        "height": grid.height,
        "picture": draw_board(scenario_map(setting.scenario)),
        "cells": cells,
        "directions": [*SPINES, *(HEXSIDES if ground.floors else ())],
        "piece_size": 40,
        "boxes": [],
        "sides": sides,
        "legend": legend(setting.points),
        "north": NORTH[setting.scenario.map.north],
        "aims": list(aims(setting)),
    }


NORTH = {"top": 0, "right": 90, "bottom": 180, "left": 270}


def aims(setting: Setting) -> Iterator[dict[str, Any]]:
    """What the victory conditions are about, on the map: edges to leave by, buildings to take or to keep."""
    for condition, aim in setting.aims:
        side = condition.winner
        if aim.what == "leave":
            yield from _aim(setting, side, "leave the map here", sorted(aim.cells), "exit")
        elif aim.what == "clear":
            yield from _aim(setting, side, aim.words or "clear this area", sorted(aim.cells))
        elif aim.what == "hold":
            kept = [building for building in aim.buildings if building not in aim.wanted]
            yield from _aim(setting, side, "take these buildings", _hexes(setting, aim.wanted), "take")
            yield from _aim(setting, side, "keep these buildings", _hexes(setting, kept), "keep")


def _hexes(setting: Setting, buildings: Iterable[str]) -> list[int]:
    return [cell for building in buildings for cell in setting.ground.buildings[building]]


def _aim(
    setting: Setting, side: str, label: str, cells: Collection[int], kind: str = "take"
) -> Iterator[dict[str, Any]]:
    """One of them, if it is not most of the map."""
    if cells and len(cells) < setting.ground.size // 2:
        names = [setting.ground.names[cell] for cell in cells]
        yield {"side": side, "kind": kind, "label": f"{setting.titles[side]}: {label}", "cells": names}
