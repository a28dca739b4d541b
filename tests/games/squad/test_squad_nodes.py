"""Node counts of small positions, dice as branches: a change of who may do what shows here first."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import drill, unit

from sandtable.engine import count_nodes

POSITIONS: list[tuple[str, list[dict[str, Any]], int, int]] = [
    ("PFPh", [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "W4")], 3, 1060),
    ("MPh", [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "T5")], 4, 581),
    ("CCPh", [unit("r", "russian 4-4-7", "W4", engaged=True), unit("g", "german 4-6-7", "W4")], 2, 6590),
]


@pytest.mark.parametrize(("phase", "units", "depth", "nodes"), POSITIONS, ids=[row[0] for row in POSITIONS])
def test_ways_in_which_a_small_position_can_go(phase: str, units: list[dict[str, Any]], depth: int, nodes: int) -> None:
    assert count_nodes(drill("y", phase, units), depth) == nodes
