"""Whether a board can be crossed from the FBE to the EBE: not where a river without bridges divides it (SA-109)."""

from __future__ import annotations

from sandtable.space.maps import BoardPlace, MapSpec, load_map

ENDS = {"A": ((0,), (3,)), "B": ((4, 5), (1, 2))}
"""The hexsides at either end of a board: it is crossed upright in Configuration A, lengthwise in B."""


def crossable(name: str, configuration: str, bridges: tuple[tuple[str, str], ...] = ()) -> bool:
    """Whether Infantry can walk from one end of a board to the other; `bridges`: those that are not as printed."""
    game_map = load_map(MapSpec(((BoardPlace(name, bridges=bridges),),)))
    table = game_map.grid.neighbour_table
    dry = {cell for cell, fact in enumerate(game_map.facts) if fact.kind.mf is not None}
    seen, far = ({cell for cell in dry if all(table[cell][side] < 0 for side in end)} for end in ENDS[configuration])
    waiting = list(seen)
    while waiting:
        for near in table[waiting.pop()]:
            if near in dry and near not in seen:
                seen.add(near)
                waiting.append(near)
    return not seen.isdisjoint(far)
