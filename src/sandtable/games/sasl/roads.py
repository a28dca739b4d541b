"""The Road Network from the FBE to the EBE, and columns on it (S13.231, E11.5)."""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import Any

from sandtable.engine import Play
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.dice import many, say
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.remembered import remembered

GAP = 1000
"""What a step without a road weighs: gaps are closed by plowed roads only where there is no other way (S13.2312)."""


@remembered(64)
def network(setting: Setting) -> tuple[int, ...]:
    """The shortest Road Network, hex by hex from the FBE to the EBE; gaps count as plowed roads (SA-57).

    It crosses bridges; in a mission that needs it they stand (S13.2311, SA-131).
    """
    ground = setting.ground
    ends = set(edge_cells(setting, "east"))
    costs: dict[int, int] = {}
    came: dict[int, int] = {}
    queue: list[tuple[int, int, int]] = []
    for cell in edge_cells(setting, "west"):
        heapq.heappush(queue, (0 if ground.has_road[cell] else GAP, cell, -1))
    while queue:
        cost, cell, before = heapq.heappop(queue)
        if cell in costs:
            continue
        costs[cell], came[cell] = cost, before
        if cell in ends:
            path = [cell]
            while came[path[-1]] >= 0:
                path.append(came[path[-1]])
            return tuple(reversed(path))
        for way in ground.ways[cell]:
            if way.to not in costs and ground.kinds[way.to].mf is not None:
                step = 1 if way.road else GAP + ground.entry_cost(way.to)
                heapq.heappush(queue, (cost + step, way.to, cell))
    return ()


def gaps(setting: Setting) -> int:
    """How many steps of the network are plowed roads (S13.2312)."""
    path = network(setting)
    count = 0
    for one, other in pairwise(path):
        way = setting.ground.way(one, other)
        count += way is None or not way.road
    return count


def road_aim(setting: Setting) -> dict[str, Any]:
    """The Road Network on the map, as what the FRIENDLY side has to clear (Mission 5)."""
    names = [setting.ground.names[cell] for cell in network(setting)]
    return {
        "side": FRIENDLY,
        "kind": "take",
        "label": f"{setting.titles[FRIENDLY]}: clear the Road Network",
        "cells": names,
    }


def tell_network(play: Play[SquadState]) -> None:
    """How long the Road Network is, and what of it is plowed (S13.231, S13.2312)."""
    setting = setting_of(play.state)
    plowed = gaps(setting)
    found = "is a plowed road" if plowed == 1 else "are plowed roads"
    words = f"; {many(plowed, 'gap')} {found}" if plowed else ""
    say(play, "S13.231", many(len(network(setting)), "hex", "hexes"), (), f"the Road Network{words}", "S13.231")


@remembered(64)
def intersections(setting: Setting) -> tuple[int, ...]:
    """Hexes of the network with three or more road hexsides (Mission 5)."""
    return tuple([cell for cell in network(setting) if len(setting.ground.facts[cell].roads) >= 3])
