"""Boards of our own making: the same from the same seed, sound, and joined to every other board."""

from __future__ import annotations

import hashlib

import pytest

from sandtable.space.board import BoardError, load_board
from sandtable.space.boardcheck import check_board
from sandtable.space.boardfile import format_board, parse_board
from sandtable.space.cells import cells
from sandtable.space.making.figures import figures, road_exits
from sandtable.space.making.maker import make_board, named_board
from sandtable.space.making.spread import TYPES, outside
from sandtable.space.maps import load_map, parse_layout
from sandtable.space.roadlines import is_square

PINNED = {
    1: {
        "city": "98f15785df167090",
        "village": "c4bb641d22ec9342",
        "farmland": "69c7bcc91003d7fa",
        "rural": "3ee833b0c972a285",
        "hills": "fc2f1f6d577742f8",
        "woods": "5be2d51cbcc05d24",
        "river": "3837315a026c7c2b",
        "beach": "6614a72c6f8b8c1f",
    },
    2: {
        "city": "4f6ed4bdca4cc634",
        "village": "1831f8f6fb278e51",
        "farmland": "f79ed569e2e656e7",
        "rural": "8d158b152e03a375",
        "hills": "d07d02b32d0f53ce",
        "woods": "1e3ccaed7851b61d",
        "river": "b217861f97202ebe",
        "beach": "9bdc7bf385874ed2",
    },
}
"""Marks of the board files that each version makes from seed 7; they never change, for records name boards by these."""


@pytest.mark.parametrize("version", PINNED)
@pytest.mark.parametrize("type", TYPES)
def test_the_same_seed_gives_the_same_board_for_ever(type: str, version: int) -> None:
    board = make_board(type, 7, version)
    assert hashlib.sha256(format_board(board).encode()).hexdigest()[:16] == PINNED[version][type]
    assert load_board(f"make{version}-{type}-7") == board


@pytest.mark.parametrize("name", ["ambrey", "calder", "barleymow"])
def test_shipped_boards_are_as_they_were_made(name: str) -> None:
    shipped = load_board(name)
    version = int(shipped.source.rpartition("make")[2])
    assert make_board(shipped.type, int(shipped.seed), version).hexes == shipped.hexes


@pytest.mark.parametrize("type", TYPES)
def test_a_board_is_sound_and_can_be_written(type: str) -> None:
    """Its file says all there is, `board check` finds nothing, and it names six objectives."""
    board = make_board(type, 7)
    assert (board.grid.columns, board.grid.rows, len(board.hexes)) == (33, 10, 346)
    assert check_board(board) == []
    assert len(board.objectives) == 6
    assert parse_board(format_board(board)) == board


@pytest.mark.parametrize("type", TYPES)
def test_a_board_is_like_printed_ones_of_its_type(type: str) -> None:
    """Nine of ten figures lie between the 10th and the 90th percentile."""
    found = figures(make_board(type, 7).hexes, cells(make_board(type, 7).grid))
    assert 10 * len(outside(type, found)) <= len(found)


def test_roads_leave_where_those_of_printed_boards_do() -> None:
    board = make_board("village", 7)
    names = [name for name, _ in road_exits(board.hexes, cells(board.grid))]
    assert sorted(names) == ["A5", "GG5", "I1", "I10", "Q1", "Q10", "Y1", "Y10"]


def test_a_name_makes_its_board() -> None:
    """A record that names make2-village-7 finds the same board on any machine, without a file."""
    assert load_board("make2-village-7") == make_board("village", 7)
    ground = load_map(parse_layout("make2-village-7 make1-woods-3* / w x"))
    assert "v7K5" in ground
    assert "w3K5" in ground
    assert "xK5" in ground
    assert len(ground.objectives) >= 10


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("make1-swamp-7", "there is no type of board 'swamp'"),
        ("make9-village-7", "board make9-village-7 was made by another version"),
        ("make1-village-007", "there is no board 'make1-village-007'; write make1-village-7"),
    ],
)
def test_a_name_that_makes_no_board(name: str, sentence: str) -> None:
    with pytest.raises(BoardError, match=sentence):
        load_board(name)


def test_a_name_of_its_own() -> None:
    board = named_board(make_board("city", 1), "Marlow")
    assert (board.name, board.prefix, board["Q5"]) == ("Marlow", "Marlow", make_board("city", 1)["Q5"])


@pytest.mark.parametrize("seed", range(6))
def test_fields_are_no_long_strips(seed: int) -> None:
    """No row of grain one hex broad is longer than three times its breadth."""
    board = make_board("farmland", seed)
    grid = board.grid
    grain = {grid.index(name) for name, facts in board.hexes.items() if facts.terrain == "grain"}
    while grain:
        field, todo = set(), [grain.pop()]
        while todo:
            cell = todo.pop()
            field.add(cell)
            near = {other for other in grid.neighbour_table[cell] if other in grain}
            grain -= near
            todo += near
        longest = max(grid.range(one, other) for one in field for other in field) + 1
        assert longest <= 3 or len(field) > longest, sorted(grid.names[cell] for cell in field)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("type", ["hills", "woods", "village"])
def test_streams_flow_downhill(type: str, seed: int) -> None:
    """Along a bed the ground never rises and falls again: from its highest hex it only falls."""
    board = make_board(type, seed)
    places = cells(board.grid)
    for name, facts in board.hexes.items():
        kinds = dict(facts.bed)
        if len(kinds) != 2 or not set(kinds.values()) <= {"stream", "gully"}:
            continue
        ends = [board[other].ground for side in kinds if (other := places[name].neighbours[side]) is not None]
        assert min(ends) <= facts.ground <= max(ends), name


@pytest.mark.parametrize("type", TYPES)
def test_roads_cross_water_on_bridges_only(type: str) -> None:
    board = make_board(type, 2)
    crossing = {name for name, facts in board.hexes.items() if facts.roads and facts.bed}
    assert crossing == {name for name, facts in board.hexes.items() if facts.is_bridge}


def test_a_village_has_a_square_and_a_church() -> None:
    board = make_board("village", 7)
    squares = [name for name, facts in board.hexes.items() if is_square(facts)]
    assert len(squares) == 1
    middle = board.grid.index(squares[0])
    churches = [name for name, facts in board.hexes.items() if facts.material == "stone"]
    assert min(board.grid.range(middle, board.grid.index(name)) for name in churches) <= 2


def test_a_city_has_rows_of_houses() -> None:
    rows = {facts.building for facts in make_board("city", 7).hexes.values() if facts.rowhouse}
    assert rows


def test_a_river_runs_from_side_to_side_and_has_a_bridge() -> None:
    board = make_board("river", 7)
    for name in ("A4", "A5", "A6", "A7", "GG4", "GG5", "GG6", "GG7"):
        assert board[name].terrain == "water"
    assert [name for name, facts in board.hexes.items() if facts.is_bridge]
    assert all(len(objective.hexes) == 2 and objective.nearer for objective in board.objectives)


def test_a_beach_has_the_sea_along_its_lower_side() -> None:
    board = make_board("beach", 7)
    assert {board[f"{column}10"].terrain for column in ("A", "C", "Q", "Y", "GG")} == {"ocean"}
    assert len([facts for facts in board.hexes.values() if facts.terrain == "beach"]) > 20
