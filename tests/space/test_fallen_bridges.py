"""Bridges that are not as printed: which are rolled for, what a destroyed one leaves, how it looks and hides."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from sandtable.space.board import Board, BoardError, load_board
from sandtable.space.boardfile import parse_board
from sandtable.space.bridges import DESTROYED, below, one_hex_bridges
from sandtable.space.draw import draw_board
from sandtable.space.los import LosRules, LosTable
from sandtable.space.maps import BoardPlace, MapSpec, load_map
from sandtable.space.raster import Raster
from sandtable.space.steps import step_cost
from sandtable.space.terrain import code, terrain_table

HEAD = "board t\ntitle T\nhexes 9 6\n"
BED = ("D2 {0} level=-1 {0}=0,3", "D4 {0} level=-1 {0}=0,3", "D5 {0} level=-1 {0}=0,3")
ROAD = ("C4 open dirt=1,5", "E3 open dirt=4,1")
FULL = LosRules(hindrance="per-range", one_level_buildings=False)
BOARDS = ("ambrey", "calder", "elderholt", "highcombe", "hollen", "stanrigg", "thornwick")
"""Shipped boards with one-hex bridges."""
MADE = ("make2-farmland-35", "make2-village-6", "make2-rural-82", "make2-village-60", "make2-rural-38")
"""Made boards with one each."""


def board_of(*lines: str) -> Board:
    return parse_board(HEAD + "\n".join(lines))


def valley(bed: str = "stream", bridge: str = "stone_bridge") -> Board:
    """A road from C4 to E3 over a bed that runs from D1 to D6."""
    return board_of(*[line.format(bed) for line in BED], *ROAD, f"D3 {bridge} dirt=1,4 {bed}=0,3")


def destroyed(board: Board, name: str = "D3") -> Board:
    return board.with_bridges(((name, DESTROYED),))


def at(board: Board, name: str) -> tuple[str, int]:
    """Terrain and level of the pixel at the dot of a hex."""
    x, y = board.grid.aim(board.grid.index(name))
    raster = board.raster()
    return terrain_table().by_code[int(raster.terrain[y, x])].name, int(raster.levels[y, x])


def changed_pixels(one: Board, other: Board) -> set[str]:
    """The hexes in which the rasters of two boards differ."""
    before, after = one.raster(), other.raster()
    differ = (before.terrain != after.terrain) | (before.levels != after.levels)
    return {one.grid.names[cell] for cell in set(one.grid.pixel_owners[differ].tolist())}


# -- which bridges ------------------------------------------------------------------------------


@pytest.mark.rule("S13.5")
def test_a_bridge_of_one_hex_is_one_whose_road_goes_on_over_land() -> None:
    assert one_hex_bridges(valley()) == ("D3",)
    assert one_hex_bridges(load_board("waterley")) == (), "its bridges cross the river from hex to hex"
    beside = (*[line.format("stream") for line in BED], "D3 stone_bridge dirt=1,4 stream=0,3")
    crooked = board_of(*beside, "E4 stone_bridge dirt=1,4 stream=2,5")
    assert one_hex_bridges(crooked) == ("D3", "E4"), "side by side, but on two roads"


@pytest.mark.rule("S13.5")
@pytest.mark.parametrize(
    "line",
    ["D3 pontoon_bridge dirt=1,4 stream=0,3", "D3 foot_bridge dirt=1,4 stream=0,3", "D3 stone_bridge dirt=1,4"],
)
def test_other_bridges_and_those_over_nothing_are_left_alone(line: str) -> None:
    assert one_hex_bridges(board_of(line)) == ()


# -- what is left -------------------------------------------------------------------------------


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize(("bridge", "tem"), [("stone_bridge", 3), ("wooden_bridge", 2)])
@pytest.mark.parametrize("bed", ["gully", "stream", "dry_stream", "sunken_road"])
def test_a_destroyed_bridge_leaves_rubble_in_the_bed_and_no_road(bed: str, bridge: str, tem: int) -> None:
    board = destroyed(valley(bed, bridge))
    facts = board["D3"]
    assert (facts.terrain, facts.level, facts.roads) == (f"{bridge}_rubble", -1, ())
    assert facts.bed == ((0, bed), (3, bed))
    assert facts.kind.tem == tem
    assert facts.ground == 0
    assert at(board, "D3") == (f"{bridge}_rubble", -1)


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize("bed", ["deep_stream", "flooded_stream", "river", "canal", "water"])
def test_deep_water_swallows_the_rubble(bed: str) -> None:
    board = destroyed(valley(bed))
    assert (board["D3"].terrain, board["D3"].level, board["D3"].roads) == (bed, -1, ())
    assert at(board, "D3") == (bed, -1)


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize(("bed", "mf"), [("gully", 5.0), ("stream", 6.0), ("sunken_road", 5.0)])
@pytest.mark.parametrize("start", ["C4", "D2", "C3"])
def test_rubble_is_paid_for_beside_the_bed_from_every_side(start: str, bed: str, mf: float) -> None:
    board = destroyed(valley(bed))
    side = board.grid.neighbour_table[board.grid.index(start)].index(board.grid.index("D3"))
    assert step_cost(board[start], side, board["D3"]).mf == mf


@pytest.mark.rule("B6.331")
def test_only_the_hex_of_the_bridge_changes() -> None:
    board = valley()
    assert changed_pixels(board, destroyed(board)) == {"D3"}
    assert changed_pixels(board, board.with_bridges((("D3", "wooden_bridge"),))) == {"D3"}
    assert board.with_bridges(()) is board
    assert destroyed(board) is destroyed(board), "made once"
    board.with_bridges((("D3", "stone_bridge"),))
    assert len(board._changed) == 2, "but not kept for ever"


@pytest.mark.rule("B6.331")
def test_the_rubble_closes_the_bed_to_the_eye_and_nothing_else() -> None:
    whole, gone = valley(), destroyed(valley())
    bare = board_of(*[line.format("stream") for line in BED], "D3 stream level=-1 stream=0,3")
    before, after, never = (LosTable(board.raster(), FULL) for board in (whole, gone, bare))
    up, down, west, east = (whole.grid.index(name) for name in ("D2", "D4", "B3", "F3"))
    assert never.clear(up, down), "along the bed"
    assert not after.clear(up, down)
    assert before.value(west, east) == 1, "the Hindrance of the bridge"
    assert after.value(west, east) == 0
    spot = whole.grid.index("D3")
    assert after.clear(spot, up)
    assert after.clear(spot, down)
    assert after.clear(spot, whole.grid.index("E3")), "from the bank beside it one sees INTO the bed"
    assert not after.clear(spot, west), "not from farther away"


def test_what_cannot_be_done_is_told() -> None:
    with pytest.raises(BoardError, match="C4 cannot become 'destroyed'; name a bridge"):
        valley().with_bridges((("C4", DESTROYED),))
    with pytest.raises(BoardError, match="stone_bridge, wooden_bridge or destroyed"):
        valley().with_bridges((("D3", "ford"),))
    with pytest.raises(BoardError, match="nothing is known to lie below the bridge in D3"):
        destroyed(board_of("D3 stone_bridge dirt=1,4"))


# -- pictures and maps --------------------------------------------------------------------------


@pytest.mark.parametrize("bridge", ["stone_bridge", "wooden_bridge"])
def test_the_picture_shows_what_is_left(bridge: str) -> None:
    board = valley(bridge=bridge)
    drawn, gone = draw_board(board), draw_board(destroyed(board))
    assert drawn != gone
    assert gone != draw_board(destroyed(valley(bridge="stone_bridge" if bridge[0] == "w" else "wooden_bridge")))
    stubs = sum(piece.hex == "D3" for piece in destroyed(board).geometry.roads)
    assert stubs == 1, "the road leads up to where the bridge was"


def test_a_turned_board_of_a_map_lacks_its_bridge_too() -> None:
    spec = MapSpec(((BoardPlace("thornwick", turned=True, bridges=(("K9", DESTROYED),)),), (BoardPlace("highcombe"),)))
    found = load_map(spec)
    assert found["thornwickK9"].terrain == "stone_bridge_rubble"
    assert {side for side, _ in found["thornwickK9"].bed} == {2, 5}
    assert found["highcombeK4"].is_bridge
    x, y = found.grid.aim(found.index("thornwickK9"))
    assert int(found.raster.terrain[y, x]) == code("stone_bridge_rubble")
    assert load_map(spec) is found


def imported(bed: str) -> Board:
    """A board as an archive shows a bridge: only its sides, with the road between them and a dot of the bed."""
    drawn = valley(bed)
    terrain, levels = drawn.raster().terrain.copy(), drawn.raster().levels.copy()
    x, y = drawn.grid.aim(drawn.grid.index("D3"))
    rows, columns = np.ogrid[: drawn.raster().height, : drawn.raster().width]
    # the road from C4 to E3 rises to the right by about half
    lane = np.abs((rows - y) + 0.58 * (columns - x)) < 6
    terrain[(terrain == code("stone_bridge")) & lane] = code("dirt_road")
    dot = np.s_[y - 2 : y + 3, x - 2 : x + 3]
    terrain[dot], levels[dot] = code(bed), -1
    hexes = dict(drawn.hexes)
    if bed == "water":  # a raster tells no bed of open water
        hexes = {name: replace(facts, bed=()) for name, facts in hexes.items()}
    return Board("i", "I", drawn.grid, hexes, stored=Raster(terrain, levels, drawn.grid))


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize(("bed", "left"), [("gully", "stone_bridge_rubble"), ("water", "water")])
def test_an_imported_board_loses_its_bridge_with_the_road_on_it(bed: str, left: str) -> None:
    board = imported(bed)
    assert one_hex_bridges(board) == ("D3",)
    assert below(board, "D3") == bed
    gone = destroyed(board)
    assert (gone["D3"].terrain, gone["D3"].level) == (left, -1)
    assert at(gone, "D3") == (left, -1)
    assert changed_pixels(board, gone) <= {"C4", "D3", "E3"}, "its ends may reach into the next hexes"
    x, y = gone.grid.aim(gone.grid.index("D3"))
    around = gone.raster().terrain[y - 8 : y + 9, x - 8 : x + 9]
    assert not np.isin(around, [code("stone_bridge"), code("dirt_road")]).any(), "nothing of the roadway is left"
    assert draw_board(gone) != draw_board(board)


@pytest.mark.rule("S13.5")
def test_an_imported_bridge_takes_the_material_that_is_rolled() -> None:
    board = imported("gully")
    wooden = board.with_bridges((("D3", "wooden_bridge"),))
    before, after = board.raster(), wooden.raster()
    assert np.array_equal(before.terrain == code("stone_bridge"), after.terrain == code("wooden_bridge"))
    assert np.array_equal(before.levels, after.levels)
    assert (wooden["D3"].terrain, wooden["D3"].roads) == ("wooden_bridge", board["D3"].roads)


# -- every board --------------------------------------------------------------------------------


@pytest.mark.rule("S13.5")
@pytest.mark.parametrize("name", [*BOARDS, *MADE])
def test_every_one_hex_bridge_can_fall(name: str) -> None:
    board = load_board(name)
    bridges = one_hex_bridges(board)
    assert bridges
    for bridge in bridges:
        gone = board.with_bridges(((bridge, DESTROYED),))
        assert gone[bridge].level == board[bridge].level - 1
        assert at(gone, bridge) == (gone[bridge].terrain, gone[bridge].level)
        assert changed_pixels(board, gone) <= {bridge}
        assert {name for name in board.hexes if board[name] != gone[name]} == {bridge}
