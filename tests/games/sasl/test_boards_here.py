"""Which boards a mission may roll and which are at hand (S13.2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Decided, Play, get_game
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.errors import BadOption
from sandtable.games.sasl.boards_here import boards_here
from sandtable.games.sasl.crossing import crossable
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.rolled import Board, rolled_in
from sandtable.games.sasl.setting_up import lay_board, own_board, printed_boards
from sandtable.space.board import shipped_boards


@pytest.fixture(autouse=True)
def no_boards_of_my_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    return tmp_path / "boards"


@pytest.mark.rule("S13.21")
def test_the_chances_are_those_of_the_tables() -> None:
    found = boards_here(1)
    assert [(one.type, one.percent) for one in found.terrains] == [
        ("city", 2.8),  # 1/36 on A8a
        ("village", 25.0),
        ("farmland", 30.6),
        ("rural", 25.0),
        ("hills", 16.7),
    ]
    village = {one.number: one for one in found.terrains[1].printed}
    assert village["v3"].percent == round(100 * 9 / 36 * 6 / 36, 1), "a DR of 7 in the column Village"
    assert village["v10"].percent == round(100 * 9 / 36 * 2 / 36 * 4 / 6, 1), "a DR of 3, then 1 to 4"
    assert all(abs(sum(one.percent for one in boards_here(n).terrains) - 100) < 0.3 for n in (1, 2, 3, 4, 5, 8, 19))


@pytest.mark.rule("S13.21")
def test_mission_5_never_rolls_a_board_of_twelve() -> None:
    assert "7" not in {one.number for terrain in boards_here(5).terrains for one in terrain.printed}, "DR -1"
    assert "7" in {one.number for terrain in boards_here(1).terrains for one in terrain.printed}


def test_an_imported_board_is_marked_and_counts(no_boards_of_my_own: Path) -> None:
    before = boards_here(1)
    assert before.have == 1, "board 1 comes with the program"
    (no_boards_of_my_own / "03.board").write_text("board 03\ntitle Mine\nhexes 33 10\n")
    found = boards_here(1)
    (one,) = (one for one in found.terrains[1].printed if one.number == "v3")
    assert (one.board, one.imported) == ("03", True)
    assert (found.have, found.printed) == (2, before.printed)
    assert found.percent > before.percent


def test_games_that_roll_no_boards_have_none_to_show() -> None:
    assert get_game("aslsk2").boards("S9") is None
    assert (get_game("sasl").boards("8") or {})["tables"] == ("A8a", "A8b", "A8c", "A8d", "A8e")


@pytest.mark.parametrize("seed", range(3))
def test_shipped_boards_are_of_the_terrain_that_was_rolled(seed: int) -> None:
    match = sandtable.new("sasl/5", seed=seed, options={"boards": "shipped"})
    terrains = {one.type: one for one in boards_here(5).terrains}
    boards = rolled_in(match.state).boards
    assert len(boards) == MISSIONS[5].boards
    assert all(board.board in terrains[board.type].shipped for board in boards if board.printed != "c1")


@pytest.fixture
def river(no_boards_of_my_own: Path) -> Path:
    """A board 7 of my own, across which the sea runs as its river does."""
    text = (shipped_boards() / "greycove.board").read_text()
    (no_boards_of_my_own / "07.board").write_text(text.replace("\nboard greycove\n", "\nboard 07\n", 1))
    return no_boards_of_my_own


@pytest.mark.rule("S13.6")
@pytest.mark.usefixtures("river")
def test_a_river_bars_the_way_across_a_board_but_not_along_it() -> None:
    assert not crossable("07", "A")
    assert crossable("07", "B")
    assert crossable("w", "A")
    assert crossable("w", "B")


@pytest.mark.rule("S13.6")
@pytest.mark.usefixtures("river")
@pytest.mark.parametrize(
    ("mission", "rivers", "config", "name"),
    [
        ("1", "replaced", "A", ""),
        ("1", "printed", "A", "07"),
        ("2", "replaced", "B", "07"),
        ("8", "printed", "A", ""),
    ],
)
def test_a_board_that_a_river_divides_is_as_if_not_at_hand(mission: str, rivers: str, config: str, name: str) -> None:
    match = sandtable.new(f"sasl/{mission}", seed=4, options={"own": "1,7", "rivers": rivers})
    base = replace(rolled_in(match.state), config=config)
    board = Board("7", "", "rural")
    assert own_board(match.state, base, board) == name
    play = Play(match.state, StreamDice(secret_of_seed(4)))
    lay_board(play, base, board, name or "w")
    (told,) = (event.why for event in play.events if isinstance(event, Decided))
    assert ("its river cannot be crossed yet, SA-109" in told) is (name == "")
    assert "not at hand" not in told


@pytest.mark.rule("S13.23")
def test_a_board_of_ones_own_is_told_as_such_whatever_zeros_its_name_has(no_boards_of_my_own: Path) -> None:
    (no_boards_of_my_own / "03.board").write_text("board 03\ntitle Mine\nhexes 33 10\n")
    match = sandtable.new("sasl/1", seed=4)
    for name, telling in (("03", False), ("w", True)):
        play = Play(match.state, StreamDice(secret_of_seed(4)))
        lay_board(play, rolled_in(match.state), Board("v3", "", "village"), name)
        (told,) = (event.why for event in play.events if isinstance(event, Decided))
        assert ("takes its place" in told) is telling


@pytest.mark.parametrize("value", ["99", "03", "1,,2", "1,99", ""])
def test_only_numbers_of_a9_are_boards_of_ones_own(value: str) -> None:
    with pytest.raises(BadOption, match="Option own is one of"):
        sandtable.new("sasl/1", seed=1, options={"own": value})


def test_a_board_that_is_not_at_hand_any_more_is_asked_for_in_a_sentence() -> None:
    everything = ",".join(sorted(printed_boards(), key=int))
    sentence = r"^The match uses your board \d+, which is not at hand: import it to play on\.$"
    with pytest.raises(BadOption, match=sentence):
        sandtable.new("sasl/1", seed=1, options={"own": everything})
