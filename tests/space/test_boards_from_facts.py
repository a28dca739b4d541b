"""The tool that makes the shipped board files from tables of hex facts."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from sandtable.space.boardfile import read_board
from sandtable.space.facts import Shape
from sandtable.space.hexgrid import standard_grid

TOOL = Path(__file__).parents[2] / "tools" / "boards_from_facts.py"
BARE = {
    "centre_9x9_majority_terrain": "Open Ground",
    "terrain_shares": "Open Ground=1.000",
    "base_elevation": "0",
    "elevation_shares": "0=1.000",
    "has_crest_line": "0",
    "hexside_midpoint_terrain(0..5)": "|".join(["Open Ground"] * 6),
    "road_types": "",
    "road_hexsides": "",
    "road_exits_board_edge": "",
    "has_building": "0",
    "building_ids": "",
    "building_hexes": "",
    "has_woods": "0",
    "has_orchard": "0",
    "has_grain": "0",
    "woods_road": "0",
    "orchard_road": "0",
}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("boards_from_facts", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_building_of_any_size_makes_a_building_hex(tool: ModuleType) -> None:
    facts = tool.convert(
        {
            **BARE,
            "terrain_shares": "Open Ground=0.800;Stone Building, 1 Level=0.200",
            "hexside_midpoint_terrain(0..5)": "Open Ground|Stone Building, 1 Level" + "|Open Ground" * 4,
            "has_building": "1",
            "building_ids": "7",
            "building_hexes": "C8 D7",
        }
    )
    assert (facts.terrain, facts.building) == ("stone_building_1", "C8")
    assert facts.shape == Shape(cover=20, reach=(1,), aside=True)


def test_a_road_through_woods_that_leaves_the_board(tool: ModuleType) -> None:
    facts = tool.convert(
        {
            **BARE,
            "centre_9x9_majority_terrain": "Dirt Road",
            "terrain_shares": "Woods=0.500;Dirt Road=0.250;Open Ground=0.250",
            "hexside_midpoint_terrain(0..5)": "Dirt Road|Woods|Open Ground|Dirt Road|Open Ground|Woods",
            "road_types": "Dirt Road",
            "road_hexsides": "3",
            "road_exits_board_edge": "top",
            "has_woods": "1",
            "woods_road": "1",
        }
    )
    assert (facts.terrain, facts.roads) == ("woods_road", ((0, "dirt"), (3, "dirt")))
    assert facts.shape == Shape(cover=50, reach=(1, 5))


def test_grain_on_a_slope(tool: ModuleType) -> None:
    facts = tool.convert(
        {
            **BARE,
            "centre_9x9_majority_terrain": "Grain",
            "terrain_shares": "Grain=0.350;Open Ground=0.650",
            "base_elevation": "1",
            "elevation_shares": "0=0.300;1=0.700",
            "has_crest_line": "1",
            "has_grain": "1",
        }
    )
    assert (facts.terrain, facts.level, facts.shape) == ("grain", 1, Shape(cover=50, high=70))


def test_one_file_for_each_board(tool: ModuleType, tmp_path: Path) -> None:
    for name in tool.BOARDS:
        with (tmp_path / f"hexes_{name}.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, ["hex", *BARE])
            writer.writeheader()
            writer.writerows({"hex": hex, **BARE} for hex in standard_grid().names)
    tool.main(str(tmp_path), str(tmp_path))
    assert {path.stem for path in tmp_path.glob("*.board")} == {"w", "x", "y", "z", "1"}
    assert all(facts.terrain == "open" for facts in read_board(tmp_path / "w.board").hexes.values())
