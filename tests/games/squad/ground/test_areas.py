"""Areas: the words of the set-up language on a real board."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.games.squad.cards.scenario import Area
from sandtable.games.squad.ground.areas import AreaError, area_hexes, building_at, edge_hexes, layout_edge
from sandtable.space.maps import load_map, parse_layout

W, X = load_map(parse_layout("w")), load_map(parse_layout("x"))
BOTH = load_map(parse_layout("w:U-GG x:A-E"))


def hexes(**words: Any) -> frozenset[str]:
    """An area on board w, written as in a file."""
    return area_hexes(msgspec.convert(words, Area), W)


@pytest.mark.rule("1.3")
def test_hexrows_and_numbers_meet() -> None:
    found = hexes(hexrows="L-GG", numbers="0-2")
    assert "L0" in found
    assert "GG1" in found
    assert "K1" not in found
    assert "L3" not in found
    assert len(hexes(hexrows="A")) == 10
    assert len(hexes(hexrows="B")) == 11


@pytest.mark.rule("1.3")
def test_within_counts_hexes_from_a_hex() -> None:
    assert hexes(within=0, of="S6") == {"S6"}
    assert len(hexes(within=2, of="S6")) == 19
    assert hexes(within=2, of="S6", building="any") < hexes(within=3, of="S6", building="any")


@pytest.mark.rule("1.3")
def test_buildings_levels_and_terrain() -> None:
    assert hexes(building=["P9", "O6"]) == {"O9", "P9", "O5", "O6"}
    assert building_at(W, "S8") == {"S8"}
    assert all(W.hexes[name].level == 1 for name in hexes(level=1))
    assert hexes(terrain="orchard") >= {"W3", "V2"}
    far = area_hexes(Area(from_buildings=3), X)
    buildings = area_hexes(Area(building="any"), X)
    assert min(X.grid.range(X.grid.index(a), X.grid.index(b)) for a in far for b in buildings) == 3


@pytest.mark.rule("1.3")
def test_all_any_not() -> None:
    either = hexes(any=[{"hexes": ["A1"]}, {"hexes": ["GG10"]}])
    assert either == {"A1", "GG10"}
    assert hexes(all=[{"hexrows": "A-C"}, {"numbers": "5"}]) == {"A5", "B5", "C5"}
    assert hexes(hexrows="A", **{"not": {"numbers": "2-10"}}) == {"A1"}
    assert len(hexes(everywhere=True)) == 346


@pytest.mark.rule("3.3")
def test_edges_follow_the_compass() -> None:
    assert edge_hexes(W, "north")[:3] == ("A1", "B0", "C1")
    assert edge_hexes(W, "north E10-H10", north="bottom") == ("E10", "F10", "G10", "H10")
    assert edge_hexes(W, "south F0-L0", north="bottom") == ("F0", "G1", "H0", "I1", "J0", "K1", "L0")
    assert edge_hexes(W, "west", north="bottom") == tuple(f"GG{number}" for number in range(1, 11))
    assert edge_hexes(W, "north", north="left") == tuple(f"A{number}" for number in range(1, 11))
    assert [layout_edge(edge, "left") for edge in ("north", "east", "south", "west")] == [
        "west",
        "north",
        "east",
        "south",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, "the area is empty"),
        ({"hexes": ["ZZ3"]}, "no hex ZZ3 on this map; its hexes run from A1 to GG10"),
        ({"hexes": ["xS6"]}, "no hex xS6 on this map"),
        ({"hexes": ["six"]}, "'six' is no hex"),
        ({"within": 3}, "belong together"),
        ({"building": "S6"}, "no building stands in S6"),
        ({"hexrows": "GG-A"}, "runs backwards"),
        ({"hexrows": "3-7"}, "names no hexrows"),
        ({"numbers": "A-B"}, "names no hex numbers"),
        ({"terrain": "wood"}, "there is no terrain 'wood'; write for example woods"),
    ],
)
def test_mistakes_say_what_to_write(words: dict[str, Any], message: str) -> None:
    with pytest.raises(AreaError, match=message):
        hexes(**words)


def test_a_part_of_an_edge_must_lie_on_it() -> None:
    with pytest.raises(AreaError, match="S6 is not on the north edge, which runs from A1 to GG1"):
        edge_hexes(W, "north S6-T0")
    with pytest.raises(AreaError, match="'up' is no edge"):
        edge_hexes(W, "up")


@pytest.mark.rule("1.1")
def test_joined_boards_share_the_hexes_where_they_meet() -> None:
    def on_both(**words: Any) -> frozenset[str]:
        return area_hexes(msgspec.convert(words, Area), BOTH)

    joint = on_both(hexrows="wGG")
    assert joint == on_both(hexrows="xA")
    assert on_both(hexrows="wA-GG") == on_both(hexrows="A-wGG") == on_both(hexrows="wU-wGG")
    assert on_both(hexes=["wGG5"]) == on_both(hexes=["xA5"])
    assert on_both(hexrows="wU-wGG") | on_both(hexrows="xA-xE") == on_both(everywhere=True)
    assert edge_hexes(BOTH, "north", north="left") == tuple(f"wU{number}" for number in range(1, 11))
    assert edge_hexes(BOTH, "south", north="left") == tuple(f"xE{number}" for number in range(1, 11))
    with pytest.raises(AreaError, match="U5 needs its board on this map; write wU5"):
        on_both(hexes=["U5"])
