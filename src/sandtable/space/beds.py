"""Beds of gullies, streams and rivers, and the bridges over them or fallen into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.cells import Cell
from sandtable.space.facts import HexFacts
from sandtable.space.roadlines import RoadPiece, curve
from sandtable.space.terrain import terrain_table

WIDTH = 21.0
"""Width of the bed of a gully or a stream in pixels."""
BRIDGE_WIDTH = 20.0
"""Width of a bridge, parapets included."""
SHORE = 26.0
"""Radius of the bends of a shore."""
BANK = 5.0
"""How far a bridge reaches beyond the bed on either side."""


class Bed(msgspec.Struct, frozen=True):
    """All beds of one kind on one level."""

    kind: str
    level: int
    area: BaseGeometry


def beds(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], frame: Polygon) -> Iterator[Bed]:
    """The beds of a board."""
    found: dict[tuple[str, int], list[BaseGeometry]] = {}
    for name, facts in hexes.items():
        for kind in sorted({kind for _, kind in facts.bed}):
            found.setdefault((kind, facts.ground - 1), []).append(_in_hex(cells[name], facts, kind))
    for (kind, level), areas in sorted(found.items()):
        # a hair wider, so that the pieces of neighbouring hexes grow together
        whole = unary_union(areas).buffer(0.3)
        yield Bed(kind, level, (_shore(whole) if _is_open(kind) else whole).intersection(frame))


def _is_open(kind: str) -> bool:
    """Open water, which fills its hexes."""
    return terrain_table()[kind].group == "water" and not kind.endswith("stream")


def _shore(water: BaseGeometry) -> BaseGeometry:
    """The corners of the hexes rounded off to a shore."""
    return water.buffer(SHORE).buffer(-2 * SHORE).buffer(SHORE)


def _in_hex(cell: Cell, facts: HexFacts, kind: str) -> BaseGeometry:
    """The bed in one hex: a bent band through the centre dot; open water fills its hex."""
    if _is_open(kind):
        return cell.polygon
    ends = [cell.side_midpoint(side) for side, other in facts.bed if other == kind]
    if len(ends) == 2:
        return LineString(curve(ends[0], cell.centre, ends[1])).buffer(WIDTH / 2, cap_style="flat")
    arms = [LineString([end, cell.centre]).buffer(WIDTH / 2, cap_style="flat") for end in ends]
    return unary_union([*arms, Point(cell.centre).buffer(WIDTH / 2)])


def bridges(
    hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], roads: list[RoadPiece]
) -> dict[str, BaseGeometry]:
    """The bridges of a board: the road as far as it runs above the bed."""
    found: dict[str, list[BaseGeometry]] = {}
    for piece in roads:
        facts = hexes[piece.hex]
        if not facts.is_bridge and not facts.bridge_rubble:
            continue
        deck = piece.line.buffer(BRIDGE_WIDTH / 2, cap_style="flat").intersection(cells[piece.hex].polygon)
        if facts.bed:
            below = unary_union([_in_hex(cells[piece.hex], facts, kind) for _, kind in facts.bed])
            # what has fallen lies in the bed alone
            deck = deck.intersection(below.buffer(0.0 if facts.bridge_rubble else BANK))
        found.setdefault(facts.terrain, []).append(deck)
    return {kind: unary_union(decks) for kind, decks in sorted(found.items())}
