"""Make the shipped board files from a folder of hex facts: tools/boards_from_facts.py FOLDER [OUTPUT]."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from msgspec.structs import replace

from sandtable.space.board import Board
from sandtable.space.boardfile import derived, write_board
from sandtable.space.facts import HexFacts, RoadType, Shape
from sandtable.space.hexgrid import standard_grid
from sandtable.space.objectives import parse_objective, printed_board

BOARDS = ("w", "x", "y", "z", "1")
COUNTRY = {"w": "village", "x": "farmland", "y": "village", "z": "city"}
"""What country boards that table A9 does not list stand for."""
GRAIN_DENSITY = 0.7
"""In the facts' grain fields a good third of the ground counts as open; this is the part that does not."""
OVERSIZE = 0.25
"""Woods that cover this share of a hex make it a woods hex even if a road holds its centre."""
SQUARE = 0.5
"""Roads that cover more than this share of a hex form a market square."""
OFFSETS = {("z", "O6"): (7, 0), ("z", "O7"): (7, 0)}
"""Buildings that do not stand on the middle of a hexside: the rulebook's rout example sees N8 from O6 past this one."""
ROADS = ("Dirt Road", "Paved Road")
BUILDINGS = {
    "Stone Building": "stone_building",
    "Stone Building, 1 Level": "stone_building_1",
    "Stone Building, 2 Level": "stone_building_2",
    "Wooden Building": "wooden_building",
    "Wooden Building, 1 Level": "wooden_building_1",
    "MultipleWooden": "wooden_building",
}


def convert(row: dict[str, str]) -> HexFacts:
    """One hex from its row of facts."""
    shares = {key: float(value) for key, value in _pairs(row["terrain_shares"], "=")}
    middles = row["hexside_midpoint_terrain(0..5)"].split("|")
    centre = row["centre_9x9_majority_terrain"]
    crossed = [int(side) for side in row["road_hexsides"].split()]
    # a road that leaves over the top or bottom of the board crosses a hexside without a neighbour
    exits = {"top": 0, "bottom": 3}
    crossed += [exits[edge] for edge in row["road_exits_board_edge"].split() if edge in exits]
    roads = tuple((side, _surface(row, middles[side])) for side in crossed)
    terrain, building, shape = "open", None, {}
    if row["has_building"] == "1":
        found = [name for name in shares if name in BUILDINGS]
        terrain = BUILDINGS[max(found, key=lambda name: shares[name])]
        building = row["building_hexes"].split(" / ")[0].split()[0]
        shape = {
            "cover": _percent(sum(shares[name] for name in found)),
            "reach": tuple(side for side in range(6) if middles[side] in BUILDINGS),
            "parts": len(row["building_ids"].split()),
            "aside": centre not in BUILDINGS,
        }
    elif centre == "Woods" or shares.get("Woods", 0) > OVERSIZE:
        terrain = "woods_road" if row["woods_road"] == "1" else "woods"
        shape = {"cover": _percent(shares["Woods"]), "reach": _reached(middles, "Woods")}
    elif row["has_orchard"] == "1":
        terrain = "orchard_road" if row["orchard_road"] == "1" else "orchard"
    elif row["has_grain"] == "1":
        terrain = "grain"
        cover = min(1.0, shares["Grain"] / GRAIN_DENSITY)
        shape = {"cover": _percent(cover), "reach": _reached(middles, "Grain")}
    elif roads and (square := sum(shares.get(name, 0) for name in ROADS)) > SQUARE:
        shape = {"cover": _percent(square)}
    if row["has_crest_line"] == "1":
        levels = {int(key): float(value) for key, value in _pairs(row["elevation_shares"], "=")}
        own = int(row["base_elevation"])
        shape["high"] = _percent(sum(share for level, share in levels.items() if level >= own))
    return HexFacts(
        terrain=terrain,
        level=int(row["base_elevation"]),
        roads=tuple(sorted(roads)),
        building=building,
        shape=Shape(**shape),
    )


def _pairs(text: str, mark: str) -> list[tuple[str, str]]:
    return [(part.rpartition(mark)[0], part.rpartition(mark)[2]) for part in text.split(";")]


def _percent(share: float) -> int:
    return max(1, round(100 * share))


def _reached(middles: list[str], terrain: str) -> tuple[int, ...]:
    return tuple(side for side in range(6) if middles[side] == terrain)


def _surface(row: dict[str, str], middle: str) -> RoadType:
    name = middle if "Road" in middle else row["road_types"].split("|")[0]
    return "dirt" if name == "Dirt Road" else "paved"


def main(facts: str, output: str = "src/sandtable/space/boards") -> None:
    """Write one board file for each file of facts."""
    grid = standard_grid()
    for name in BOARDS:
        with (Path(facts) / f"hexes_{name}.csv").open(newline="", encoding="utf-8") as stream:
            rows = {row["hex"]: convert(row) for row in csv.DictReader(stream)}
        for (board, hex), offset in OFFSETS.items():
            if board == name:
                rows[hex] = replace(rows[hex], shape=replace(rows[hex].shape, offset=offset))
        levels = {hex: facts.level for hex, facts in rows.items()}
        hexes = {hex: derived(hex, facts, grid, levels) for hex, facts in rows.items()}
        printed = printed_board(name)
        objectives = tuple(map(parse_objective, printed.objectives)) if printed else ()
        country = " ".join(printed.types) if printed else COUNTRY.get(name, "")
        board = Board(name, f"Board {name}", grid, hexes, objectives=objectives, type=country)
        write_board(board, Path(output) / f"{name}.board")


if __name__ == "__main__":
    main(*sys.argv[1:])
