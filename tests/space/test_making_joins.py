"""Boards of our own making joined on every side, turned or not: roads go on over the seams, halves and levels agree."""

from __future__ import annotations

import random

import pytest

from sandtable.space.cells import opposite
from sandtable.space.facts import HexFacts
from sandtable.space.grid import NO_CELL
from sandtable.space.making.spread import TYPES
from sandtable.space.maps import GameMap, parse_layout

LAYOUTS = 6


def layout(number: int) -> str:
    """Four boards of any types, each turned or not, two by two; some maps hold a printed board, too."""
    dice = random.Random(number)
    names = [f"make2-{dice.choice(TYPES)}-{seed}" for seed in range(3)] + [dice.choice("wxyz")]
    places = [name + dice.choice(("", "*")) for name in dice.sample(names, 4)]
    return f"{places[0]} {places[1]} / {places[2]} {places[3]}"


def is_wet(facts: HexFacts) -> bool:
    """Where a river or the sea reaches the edge, roads end and the water goes on."""
    return facts.kind.group == "water" or bool(facts.bed)


@pytest.mark.parametrize("number", range(LAYOUTS))
def test_every_road_goes_on_over_the_seams(number: int) -> None:
    """Walk along each road hex by hex: it never ends at a hexside, unless at the water's edge or the map's."""
    ground = GameMap(parse_layout(layout(number)))
    crossed = set()
    for cell, facts in enumerate(ground.facts):
        for side in facts.road_sides:
            other = ground.grid.neighbour_table[cell][side]
            if other == NO_CELL or is_wet(facts) != is_wet(ground.facts[other]) or is_wet(ground.facts[other]):
                continue
            assert opposite(side) in ground.facts[other].road_sides, ground.grid.names[cell]
            if {board for board, _ in ground.sources[cell]} != {board for board, _ in ground.sources[other]}:
                crossed.add((cell, side))
    assert crossed, "some road crosses a seam"


@pytest.mark.parametrize("number", range(LAYOUTS))
def test_half_hexes_match_and_levels_agree(number: int) -> None:
    """Both halves of a hex on a seam are the same ground, but where water, or an orchard of a printed board, is one."""
    ground = GameMap(parse_layout(layout(number)))
    seams = [sources for sources in ground.sources if len(sources) > 1]
    assert len(seams) == 52
    for sources in seams:
        halves = [ground.boards[board][printed] for board, printed in sources]
        if any(map(is_wet, halves)) or any(half.terrain in ("beach", "orchard") for half in halves):
            continue
        assert len({half.terrain for half in halves}) == 1, sources
        assert {half.level for half in halves} == {0}, sources


def test_all_the_way_across_two_boards() -> None:
    """From the left edge of one city to the right edge of another that is turned, by road all the way."""
    ground = GameMap(parse_layout("make2-city-1 make1-city-2*"))
    start, goal = ground.index("c1B5"), ground.index("c2B5")
    reached, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for side in ground.facts[here].road_sides:
            other = ground.grid.neighbour_table[here][side]
            if other != NO_CELL and other not in reached:
                reached.add(other)
                todo.append(other)
    assert goal in reached
