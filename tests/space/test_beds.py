"""Streams, gullies, bridges, rows of houses and cliffs as a board file writes them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sandtable.space.board import Board, BoardError
from sandtable.space.boardfile import format_board, parse_board
from sandtable.space.draw import draw_board
from sandtable.space.hexfacts import facts_from_raster
from sandtable.space.joining import turned_facts
from sandtable.space.los import LosRules, LosTable
from sandtable.space.losjudge import Cause
from sandtable.space.loslevels import LevelTable
from sandtable.space.raster import Raster
from sandtable.space.steps import step_cost
from sandtable.space.terrain import terrain_table

HEAD = "board t\ntitle T\nhexes 9 6\n"
VALLEY = (
    "C4 open dirt=1,5",
    "D2 stream level=-1 stream=0,3",
    "D3 stone_bridge dirt=1,4 stream=0,3",
    "D4 woods level=-1 stream=0,3",
    "D5 stream level=-1 stream=0,3",
    "E3 open dirt=4,1",
)


def board_of(*lines: str) -> Board:
    board = parse_board(HEAD + "\n".join(lines))
    assert parse_board(format_board(board)) == board
    return board


def at(board: Board, name: str, dx: int = 0, dy: int = 0) -> tuple[str, int]:
    """Terrain and level of the pixel at the dot of a hex or beside it."""
    x, y = board.grid.aim(board.grid.index(name))
    raster = board.raster()
    return terrain_table().by_code[int(raster.terrain[y + dy, x + dx])].name, int(raster.levels[y + dy, x + dx])


def test_a_bed_is_cut_one_level_into_its_hex() -> None:
    board = board_of(*VALLEY)
    assert at(board, "D2") == ("stream", -1)
    assert at(board, "D2", dx=25) == ("open", 0)
    assert at(board, "D4") == ("stream", -1)
    assert at(board, "D4", dx=-18)[1] == 0
    assert at(board, "D3") == ("dirt_road", 0)
    assert at(board, "D3", dx=-4, dy=-7) == at(board, "D3", dx=4, dy=7) == ("stone_bridge", 0)
    assert at(board, "D3", dy=-28) == ("stream", -1)
    assert (board["D2"].ground, board["D3"].ground) == (0, 0)


def test_lines_of_sight_along_and_out_of_the_bed() -> None:
    board = board_of(*(line for line in VALLEY if "bridge" not in line), "D3 stream level=-1 stream=0,3")
    table = LosTable(board.raster())
    grid = board.grid
    assert table.clear(grid.index("D2"), grid.index("D5"))
    assert table.clear(grid.index("D2"), grid.index("E2"))
    out = table.explain(grid.index("D2"), grid.index("G3"))
    assert (out.blocked, out.cause) in ((True, Cause.DEPRESSION), (True, Cause.CREST_LINE))
    assert table.clear(grid.index("B3"), grid.index("F3")), "nobody is hidden by a bed between"


@pytest.mark.rule("B4.2")
def test_a_picture_of_a_sunken_road_is_read_as_a_bed_with_a_road_in_it() -> None:
    """Its banks are depicted, and the road between them; at its end it comes up to the ground."""
    bed = [f"D{n} sunken_road level=-1 sunken_road=0,3 dirt=0,3" for n in (2, 3, 4)]
    board = board_of(*bed, "D1 open dirt=3", "D5 open dirt=0")
    raster = board.raster()
    terrain = raster.terrain.copy()
    x, _ = board.grid.aim(board.grid.index("D3"))
    lane = terrain[:, x - 4 : x + 5]
    lane[lane == terrain_table()["sunken_road"].code] = terrain_table()["dirt_road"].code
    picture = Raster(terrain, raster.levels, board.grid)
    facts = facts_from_raster(picture)
    assert (facts["D3"].terrain, facts["D3"].level, facts["D3"].ground) == ("sunken_road", -1, 0)
    assert facts["D3"].bed == ((0, "sunken_road"), (3, "sunken_road"))
    assert facts["D3"].roads == ((0, "dirt"), (3, "dirt"))
    table, grid = LosTable(picture), board.grid
    assert table.clear(grid.index("D2"), grid.index("D4")), "along the road"
    assert table.clear(grid.index("C3"), grid.index("D3"))
    assert table.explain(grid.index("B3"), grid.index("D3")).blocked


@pytest.mark.rule("B5.2")
def test_the_banks_of_an_elevated_road_are_no_road() -> None:
    board = board_of("D2 open level=1 dirt=0,3", "D3 open level=1 dirt=0,3", "D4 open level=1 dirt=0,3")
    raster = board.raster()
    terrain = raster.terrain.copy()
    terrain[(raster.levels == 1) & (terrain == 0)] = terrain_table()["elevated_road"].code
    facts = facts_from_raster(Raster(terrain, raster.levels, board.grid))
    assert (facts["D3"].terrain, facts["D3"].level) == ("elevated_road", 1)
    assert facts["D3"].roads == ((0, "dirt"), (3, "dirt"))
    assert step_cost(facts["C3"], 1, facts["D3"]).mf == 2
    assert step_cost(facts["D2"], 3, facts["D3"]).mf == 1


@pytest.mark.rule("B19.2")
def test_a_gully_around_the_dot_of_a_hex_holds_who_is_there() -> None:
    """The dot itself may show what grows there; a gully beside the dot leaves the hex at its level."""
    board = board_of(*[f"D{n} gully level=-1 gully=0,3" for n in range(1, 6)])
    x, y = board.grid.aim(board.grid.index("D3"))
    for reach, kind, level in ((1, "gully", -1), (12, "open", 0)):
        raster = board.raster()
        terrain, levels = raster.terrain.copy(), raster.levels.copy()
        spot = np.s_[y - reach : y + reach + 1, x - reach : x + reach + 1]
        terrain[spot], levels[spot] = 0, 0
        picture = Raster(terrain, levels, board.grid)
        facts = facts_from_raster(picture)["D3"]
        assert (facts.terrain, facts.level, bool(facts.bed)) == (kind, level, level < 0)
        assert LosTable(picture).engine.field.levels[board.grid.index("D3")] == 2 * level


@pytest.mark.rule("B6.2")
@pytest.mark.parametrize(
    ("one", "other", "hindrance"),
    [
        (("C4", 0), ("E3", 0), 0),  # along its road
        (("C3", 0), ("E4", 0), 1),  # across it
        (("D2", 0), ("D5", 0), 0),  # beneath it, IN the stream
        (("D2", 1), ("D5", 0), 1),  # from the lip of the stream along its bed
        (("C3", 1), ("E4", 1), 0),  # from higher up
    ],
)
def test_lines_past_a_bridge(one: tuple[str, int], other: tuple[str, int], hindrance: int) -> None:
    lines = [line if line[:2] != "D4" else "D4 stream level=-1 stream=0,3" for line in VALLEY]
    table = LosTable(board_of(*lines).raster(), LosRules(hindrance="per-range"))
    grid = table.engine.field.grid
    levels = LevelTable(table, [(grid.index(name), lift) for name, lift in (one, other)], [], {})
    start, end = (grid.size + n if lift else grid.index(name) for n, (name, lift) in enumerate((one, other)))
    assert levels.value(start, end) == levels.value(end, start) == hindrance


def test_open_water_fills_its_hex_below_the_bridge() -> None:
    board = board_of("C3 river level=-1 cover=100", "D3 wooden_bridge dirt=0,3 river=1,2,4,5", "D2 open dirt=3")
    assert at(board, "D3") == ("dirt_road", 0)
    assert at(board, "D3", dx=-8) == at(board, "D3", dx=8) == ("wooden_bridge", 0)
    assert at(board, "D3", dx=28) == ("river", -1)


@pytest.mark.parametrize("below", ["stream", "water"])
def test_a_picture_of_a_bridge_is_read_as_one_though_its_dot_shows_what_runs_below(below: str) -> None:
    board = board_of(*VALLEY)
    raster = board.raster()
    terrain, levels = raster.terrain.copy(), raster.levels.copy()
    x, y = board.grid.aim(board.grid.index("D3"))
    spot = np.s_[y - 5 : y + 6, x - 5 : x + 6]
    terrain[spot], levels[spot] = terrain_table()[below].code, -1
    facts = facts_from_raster(Raster(terrain, levels, board.grid))
    assert (facts["D3"].terrain, facts["D3"].level) == ("stone_bridge", 0)
    assert facts["D2"].terrain == "stream"
    assert not facts["E3"].is_bridge


def test_a_party_wall_divides_the_row() -> None:
    row = [f"E{number} stone_building_2 building=row cover=45" for number in (2, 3, 4)]
    open_row = board_of(*row)
    divided = board_of(
        *(f"{line} rowhouse={sides} stairs=yes" for line, sides in zip(row, ("3", "0,3", "0"), strict=True))
    )
    x, y = (round(value) for value in divided.grid.side_midpoint(divided.grid.index("E3"), 0))
    codes = terrain_table().by_code
    assert codes[int(divided.raster().terrain[y, x])].name == "rowhouse_wall_2"
    assert codes[int(open_row.raster().terrain[y, x])].name == "stone_building_2"
    assert divided["E3"].stairs
    assert divided["E3"].storeys == 2
    assert draw_board(divided) != draw_board(open_row)


def test_ground_reaches_up_to_a_cliff() -> None:
    board = board_of("E3 open level=1 cliff=3")
    x, y = board.grid.aim(board.grid.index("E3"))
    assert (at(board, "E3", dy=30)[1], at(board, "E3", dy=-30)[1]) == (1, 0)
    assert terrain_table().by_code[int(board.raster().terrain[y + 32, x])].name == "cliff"


def test_a_turned_board_turns_its_beds() -> None:
    facts = board_of("D3 woods level=-1 gully=0,2", "E3 stone_building rowhouse=1")
    assert turned_facts(facts["D3"]).bed == ((3, "gully"), (5, "gully"))
    assert turned_facts(facts["E3"]).rowhouse == (4,)


def test_full_height_walls_block_between_upper_levels() -> None:
    board = board_of("E3 stone_building_2 cover=40")
    table = LosTable(board.raster(), LosRules(one_level_buildings=False))
    grid = board.grid
    assert table.explain(grid.index("E1"), grid.index("E5")).blocked


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("D3 open rowhouse=1", "rowhouse needs a building terrain, and open is none"),
        ("D3 woods stairs=yes", "stairs needs a building terrain, and woods is none"),
        ("D3 stream level=-1 stream=0,3 gully=3", "gives a hexside two kinds of bed"),
        ("D3 stream stream=7", "stream must be different hexsides 0 to 5"),
    ],
)
def test_wrong_fields_are_told(line: str, sentence: str) -> None:
    with pytest.raises(BoardError, match=re.escape(sentence)):
        parse_board(HEAD + line)


@pytest.mark.parametrize("kind", [kind.name for kind in terrain_table()])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_can_be_written_and_drawn(kind: str, theme: str) -> None:
    plain = draw_board(board_of(), theme="dark" if theme == "dark" else "light")
    line = f"D3 open {kind}=1,2" if terrain_table()[kind].hexside else f"D3 {kind} dirt=0,3"
    drawn = draw_board(board_of(line), theme="dark" if theme == "dark" else "light")
    assert drawn != plain


@pytest.mark.parametrize("sides", ["0,1", "0,2", "0,3", "1,5", "0,2,4", "4"])
def test_the_dot_lies_in_the_bed_however_it_bends(sides: str) -> None:
    assert at(board_of(f"D3 gully level=-1 gully={sides}"), "D3") == ("gully", -1)
