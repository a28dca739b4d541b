"""What a board is like in figures: whole numbers worked out from its hex facts alone."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.space.cells import Cell, opposite
from sandtable.space.facts import HexFacts

FIGURES = {
    "open": "hexes of open ground, per mille",
    "woods": "hexes of woods, per mille",
    "orchard": "hexes of orchard, per mille",
    "grain": "hexes of grain, per mille",
    "rough": "hexes of brush, marsh, crags, graveyards and other rough ground, per mille",
    "wet": "hexes with a gully, a stream or water, per mille",
    "built": "hexes with a building, per mille",
    "buildings": "buildings",
    "building_size": "hexes of a building, in hundredths, mean",
    "largest": "hexes of the largest building",
    "stone": "hexes with a stone building, per mille of those with a building",
    "storeys": "upper levels of a hex with a building, in hundredths, mean",
    "raised": "hexes above level 0, per mille",
    "top": "highest level",
    "hexsides": "hexsides with a wall or a hedge",
    "roads": "hexes with a road, per mille",
    "junctions": "hexes where three or more arms of road meet",
    "exits": "places where a road leaves the board",
    "network": "road hexes that hang together with the most others, per mille of all road hexes",
}
"""Every figure with what it counts."""

SEA = ("ocean", "beach")


def figures(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, int]:
    """All figures of a board; of a coast only its land counts."""
    hexes = {name: facts for name, facts in hexes.items() if facts.terrain not in SEA}
    groups = [_group(facts) for facts in hexes.values()]
    found = {name: 1000 * groups.count(name) // len(hexes) for name in ("open", "woods", "orchard", "grain", "rough")}
    found["wet"] = 1000 * sum(_is_wet(facts) for facts in hexes.values()) // len(hexes)
    return found | _of_buildings(hexes) | _of_relief(hexes, cells) | _of_roads(hexes, cells)


def _group(facts: HexFacts) -> str:
    """Under which of the figures of terrain the hex counts."""
    group = facts.kind.group
    if facts.building is not None or facts.kind.is_building:
        return "built"
    if group in ("woods", "orchard", "grain"):
        return group
    if facts.terrain == "vineyard":
        return "grain"
    if group in ("other", "rubble") or facts.kind.hindrance:
        return "rough" if not facts.is_bridge else "wet"
    return "wet" if _is_wet(facts) else "open"


def _is_wet(facts: HexFacts) -> bool:
    return bool(facts.bed) or facts.kind.group in ("depression", "water", "bridge")


def _of_buildings(hexes: Mapping[str, HexFacts]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for facts in hexes.values():
        if facts.building is not None:
            sizes[facts.building] = sizes.get(facts.building, 0) + 1
    built = [facts for facts in hexes.values() if facts.building is not None]
    stone = sum(facts.material == "stone" for facts in built)
    return {
        "built": 1000 * len(built) // len(hexes),
        "buildings": len(sizes),
        "building_size": 100 * len(built) // max(1, len(sizes)),
        "largest": max(sizes.values(), default=0),
        "stone": 1000 * stone // max(1, len(built)),
        "storeys": 100 * sum(facts.storeys for facts in built) // max(1, len(built)),
    }


def _of_relief(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, int]:
    sides = set()
    for name, facts in hexes.items():
        for side, kind in facts.sides:
            if kind in ("wall", "hedge", "bocage"):
                other = cells[name].neighbours[side] or ""
                sides.add(min((name, side), (other, opposite(side))) if other else (name, side))
    return {
        "raised": 1000 * sum(facts.ground > 0 for facts in hexes.values()) // len(hexes),
        "top": max(facts.ground for facts in hexes.values()),
        "hexsides": len(sides),
    }


def _of_roads(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, int]:
    roads = {name for name, facts in hexes.items() if facts.roads}
    return {
        "roads": 1000 * len(roads) // len(hexes),
        "junctions": sum(_arms(hexes[name], cells[name]) > 2 for name in roads),
        "exits": len(road_exits(hexes, cells)),
        "network": 1000 * max(map(len, road_networks(hexes, cells)), default=0) // max(1, len(roads)),
    }


def _arms(facts: HexFacts, cell: Cell) -> int:
    """Ways that meet in a hex; the two hexsides by which a road leaves at a short side of the board are one."""
    arms = len(facts.roads)
    sides = set(facts.road_sides)
    for pair in ((1, 2), (4, 5)):
        ends = [cell.neighbours[side] for side in pair]
        if sides.issuperset(pair) and all(end is not None and end.rstrip("0123456789") in ("A", "GG") for end in ends):
            arms -= 1
    return arms


def road_exits(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> list[tuple[str, int]]:
    """Hex and hexside of every place where a road leaves the board; on a short side the upper of its two hexes."""
    found = []
    for name, facts in hexes.items():
        for side in facts.road_sides:
            if cells[name].neighbours[side] is None or _leaves_along(name, side, hexes, cells):
                found.append((name, side))
    return found


def _leaves_along(name: str, side: int, hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> bool:
    """Whether a road runs to the edge along the hexside between this half hex and the one below."""
    below = cells[name].neighbours[3]
    outer = {side for side in range(6) if cells[name].neighbours[side] is None}
    if side != 3 or below is None or below not in hexes or not (outer >= {1, 2} or outer >= {4, 5}):
        return False
    return 0 in hexes[below].road_sides


def road_networks(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> list[set[str]]:
    """Road hexes that hang together, the largest network first."""
    left = {name for name, facts in hexes.items() if facts.roads}
    found = []
    while left:
        start = min(left)
        reached, todo = {start}, [start]
        while todo:
            here = todo.pop()
            for side in hexes[here].road_sides:
                other = cells[here].neighbours[side]
                if (
                    other is not None
                    and other in left
                    and other not in reached
                    and opposite(side) in hexes[other].road_sides
                ):
                    reached.add(other)
                    todo.append(other)
        left -= reached
        found.append(reached)
    return sorted(found, key=lambda network: (-len(network), min(network)))
