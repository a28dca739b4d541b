"""The quick engine judges as the slow one that looks at every pixel, on wild random ground."""

from __future__ import annotations

import random

import pytest

from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import LosRules, LosTable
from sandtable.space.terrain import terrain_table
from testboards.fields import Field
from testboards.slow_los import SlowLos

GRID = HexGrid(9, 6)
HEXSIDES = ("wall", "hedge", "bocage", "cliff", "partial_orchard")


def wild_ground(source: random.Random) -> Field:
    """Hexes of any terrain, hills, gullies, walls, and patches that keep to no hex."""
    field = Field(GRID)
    kinds = [kind for kind in terrain_table() if not kind.hexside]
    share = source.choice((0.1, 0.25, 0.5))
    for name in GRID.names:
        if source.random() < share:
            field.terrain(source.choice(kinds).name, name)
        if source.random() < 0.3:
            field.level(source.choice((1, 1, 2, 3)), name)
        if source.random() < 0.15:
            field.gully(name)
    for _ in range(source.randint(0, 60)):
        field.hexside(source.choice(HEXSIDES), source.choice(GRID.names), source.randrange(6))
    for _ in range(8):
        x, y, size = source.randrange(440), source.randrange(380), source.randint(3, 40)
        field.raster.terrain[y : y + size, x : x + size // 2] = source.choice(terrain_table().kinds).code
        x, y = source.randrange(440), source.randrange(380)
        field.raster.levels[y : y + size, x : x + size] = source.choice((0, 1, 2, -1))
    return field


@pytest.mark.parametrize("seed", range(12))
def test_quick_and_slow_engine_agree(seed: int) -> None:
    source = random.Random(seed)
    field = wild_ground(source)
    rules = LosRules(hindrance="per-range", one_level_buildings=seed % 2 == 0)
    table = LosTable(field.raster, rules)
    table.complete()
    slow = SlowLos(table.engine.field)
    pairs = [source.sample(range(GRID.size), 2) for _ in range(60)]
    along = [(a, b) for a in GRID for b in GRID if a < b and GRID.along_hexsides(a, b)]
    for start, end in pairs + source.sample(along, 60):
        assert table.value(start, end) == slow.value(start, end), (GRID.name(start), GRID.name(end))
