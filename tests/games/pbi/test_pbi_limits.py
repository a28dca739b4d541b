"""Tables, outcomes, ways and places case by case."""

from __future__ import annotations

import pytest
from pbi_support import Camp, legal, rows

from sandtable.games.pbi.actions import Forward, Reverse
from sandtable.games.pbi.armies import _aboard
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.generator import generate
from sandtable.games.pbi.model import Piece
from sandtable.games.pbi.motivation import clean_way
from sandtable.games.pbi.pointing import cells_of
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.victory import final_outcome, judge, victory_points

SCENERY = set("WBRfhw")


def test_a_generated_table_has_twelve_pieces_of_scenery_and_a_road() -> None:
    """Each covers a pair of squares; objectives lie in the rows that their worth asks for."""
    for seed in range(1, 60):
        terrain = generate(seed)
        cells = [cell for row in terrain.rows for cell in row]
        assert len(cells) == 64
        assert sum(cell in SCENERY for cell in cells) == 24
        assert "=" in cells
        assert sorted(terrain.objectives.values()) == [1, 2, 3]
    assert {generate(seed).first_attacks for seed in range(1, 20)} == {True, False}


@pytest.mark.rule("turn-countdown")
@pytest.mark.parametrize(("tie", "even"), [("defender", "defender"), ("draw", "")])
@pytest.mark.parametrize(("attack", "defence"), [(3, 2), (2, 2), (2, 3), (0, 0), (0, 1), (1, 0)])
def test_most_points_win_and_a_ruling_decides_equal_ones(attack: int, defence: int, tie: str, even: str) -> None:
    state = Camp(tie=tie).add("a1", "rifle", "D7").add("d1", "rifle", "D2").state
    state.points.update(attacker=attack, defender=defence)
    winner = "attacker" if attack > defence else "defender" if defence > attack else even
    assert final_outcome(state, "over").winner == winner


@pytest.mark.rule("turn-countdown")
def test_objectives_count_for_whoever_controls_them() -> None:
    state = Camp().state
    state.objectives.update(B2=3, C3=2, D4=1)
    state.control.update(B2="attacker", C3="defender")
    state.points.update(attacker=4, defender=7)
    assert victory_points(state, "attacker") == 7
    assert victory_points(state, "defender") == 9


@pytest.mark.rule("turn-countdown")
@pytest.mark.parametrize(
    ("attackers", "defenders", "winner"),
    [(True, True, None), (True, False, "attacker"), (False, True, "defender"), (False, False, "defender")],
)
def test_a_side_with_nobody_but_its_commander_has_lost(attackers: bool, defenders: bool, winner: str | None) -> None:
    camp = Camp().add("a0", "commander", "A8").add("d0", "commander", "A1")
    if attackers:
        camp.add("a1", "rifle", "D7")
    if defenders:
        camp.add("d1", "rifle", "D2")
    judge(camp.state)
    assert (camp.state.outcome.winner if camp.state.outcome else None) == winner


@pytest.mark.rule("motivation")
@pytest.mark.parametrize(
    ("bad", "clean"),
    [
        (set(), True),
        ({"D4"}, False),
        ({"D7"}, False),
        ({"D5"}, False),
        ({"C5", "E5"}, True),
    ],
)
def test_a_way_straight_ahead_is_clean_from_end_to_end(bad: set[str], clean: bool) -> None:
    g = ground_of(Camp().state)
    assert clean_way(g, "D4", "D7", bad) is clean
    assert clean_way(g, "D7", "D4", bad) is clean


@pytest.mark.rule("motivation")
@pytest.mark.parametrize(
    ("bad", "clean"),
    [
        (set(), True),
        ({"E5"}, True),
        ({"E4", "E5"}, True),
        ({"D5", "E5"}, True),
        ({"D5", "E5", "E4"}, False),
        ({"F5", "E6", "E5"}, False),
        ({"F5", "E6"}, True),
        ({"F5", "E6", "F4"}, True),
        ({"F5", "E6", "E5", "E4"}, False),
        ({"D4"}, False),
        ({"F6"}, False),
    ],
)
def test_a_slanting_way_has_one_diagonal_and_may_go_round_what_is_bad(bad: set[str], clean: bool) -> None:
    """From D4 to F6: one step across, one down and one diagonal, in any order."""
    g = ground_of(Camp().state)
    assert clean_way(g, "D4", "F6", bad) is clean
    assert clean_way(g, "F6", "D4", bad) is clean


@pytest.mark.rule("vehicle-ap-cost-leave")
@pytest.mark.parametrize(
    ("table", "ap", "blocked", "forward", "back"),
    [
        (rows(), 0, "", False, False),
        (rows(), 1, "", True, False),
        (rows(), 2, "", True, True),
        (rows(), 6, "D5", False, True),
        (rows(), 6, "D7", True, False),
    ],
)
def test_a_vehicle_drives_on_while_it_has_points_and_nobody_bars_the_way(
    table: tuple[str, ...], ap: int, blocked: str, forward: bool, back: bool
) -> None:
    camp = Camp(table).add("a1", "sherman", "D6")
    if blocked:
        camp.add("d1", "rifle", blocked)
    match = camp.driving("a1-1", ap=ap).match()
    assert bool(legal(match, Forward)) is forward
    assert bool(legal(match, Reverse)) is back


@pytest.mark.rule("odds-capacity")
def test_transports_are_filled_in_order_and_who_finds_no_place_walks() -> None:
    def piece(name: str, kind: str) -> Piece:
        return Piece(id=name, side="attacker", unit="a1", kind=kind, at="", facing=0)

    room = KINDS["carrier"].capacity
    men = [piece(f"m{number}", "rifle") for number in range(2 * room + 1)]
    aboard = _aboard(men, [piece("c1", "carrier"), piece("c2", "carrier")])
    assert [each.within for each in aboard] == ["c1"] * room + ["c2"] * room + [""]
    guns = _aboard([piece("g", "pak38"), *men[:room]], [piece("c1", "carrier")])
    assert [each.within for each in guns] == ["c1"] * (room - 1) + [""] * 2, "a gun takes two places"


def test_a_piece_that_is_not_on_the_table_is_nowhere() -> None:
    state = Camp().add("a1", "rifle", "D6").match().state
    state.pieces["a9"] = Piece(id="a9", side="attacker", unit="a9", kind="rifle", at="", facing=0)
    assert cells_of(state, "a1-1") == ("D6",)
    assert cells_of(state, "a9") == ()
