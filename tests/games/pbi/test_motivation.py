"""Motivation: squares counted from the officer."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, piece, preview, rows

from sandtable.games.pbi.actions import Drive, Man, Motivate
from sandtable.games.pbi.events import Motivated, PointsRolled
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.model import Activation, Units
from sandtable.games.pbi.motivation import motivation_tally, squares_counted
from sandtable.games.pbi.position import ground_of


def total(camp: Camp, square: str, unit: str = "a1") -> float:
    return motivation_tally(camp.state, camp.state.units[unit], square).total


@pytest.mark.rule("motivation")
@pytest.mark.parametrize(
    ("start", "end", "count"),
    [
        ("D4", "D4", 1),
        ("D4", "D5", 2),
        ("D4", "E5", 2),
        ("D4", "D7", 4),
        ("D4", "F6", 4),
        ("D4", "G5", 4),
        ("A1", "H8", 14),
    ],
)
def test_squares_with_both_ends_and_one_diagonal(start: str, end: str, count: int) -> None:
    g = ground_of(Camp().state)
    assert squares_counted(g, start, end) == squares_counted(g, end, start) == count


@pytest.mark.rule("motivation")
@pytest.mark.parametrize("cell", "WBR")
def test_one_more_for_scenery_at_either_end_or_in_the_only_way(cell: str) -> None:
    for place in ("D4", "D5", "D6"):
        camp = Camp(rows(**{place: cell})).add("a1", "officer", "D4", officer=True).add("a1", "rifle", "D6")
        assert total(camp, "D6") == 4


@pytest.mark.rule("motivation")
def test_the_best_of_the_shortest_ways_counts() -> None:
    camp = Camp(rows(D5="W")).add("a1", "officer", "D4", officer=True).add("a1", "rifle", "E6")
    assert total(camp, "E6") == 3


@pytest.mark.rule("motivation")
def test_one_more_for_enemy_foot_and_never_two() -> None:
    camp = Camp(rows(D6="W")).add("a1", "officer", "D4", officer=True).add("a1", "rifle", "D6")
    camp.add("d1", "rifle", "D5")
    assert total(camp, "D6") == 4


@pytest.mark.rule("motivation")
@pytest.mark.parametrize(("face", "well"), [(3, True), (4, True), (2, False)])
def test_success_if_the_total_is_equalled_or_exceeded(face: int, well: bool) -> None:
    camp = Camp().add("a1", "officer", "D4", officer=True).add("a1", "rifle", "D6")
    match = camp.frames(Units("attacker"), Activation("a1")).match(face, *([4] if well else []))
    events = do(match, Motivate("D6"))
    assert found(events, Motivated)[0].well is well
    assert bool(found(events, PointsRolled)) is well
    assert piece(match, "a1-2").acted


@pytest.mark.rule("motivation")
def test_the_officers_own_square_needs_no_roll() -> None:
    camp = Camp().add("a1", "officer", "D4", officer=True).add("a1", "rifle", "D4")
    match = camp.frames(Units("attacker"), Activation("a1")).match(2)
    assert found(do(match, Motivate("D4")), Motivated)[0].well


@pytest.mark.rule("motivation")
def test_a_deployed_gun_needs_motivation_and_a_vehicle_does_not() -> None:
    camp = Camp().add("a1", "pak40", "D6", deployed=True).add("a2", "officer", "D5", officer=True)
    match = camp.frames(Units("attacker"), Activation("a1")).match(1)
    do(match, Man("a1-1"))
    assert piece(match, "a1-1").acted
    assert piece(match, "a1-1").ap == 0
    tank = Camp().add("a1", "sherman", "D6").add("a2", "officer", "A8", officer=True).add("d1", "rifle", "D2")
    match = tank.frames(Units("attacker"), Activation("a1")).match(1, 1)
    events = do(match, Drive("a1-1"))
    assert piece(match, "a1-1").ap > 0, "however far away the officer is, and whatever the dice"
    assert not [event for event in events if getattr(event, "why", "").startswith("motivation")]


@pytest.mark.rule("motivation")
def test_rulings_about_who_motivates_and_where_scenery_counts() -> None:
    camp = (
        Camp()
        .add("a1", "officer", "A1", officer=True)
        .add("a1", "rifle", "D6")
        .add("a0", "commander", "D7", officer=True)
    )
    assert total(camp, "D6") == 2
    own = Camp(motivator="own officer").add("a1", "officer", "A1", officer=True).add("a1", "rifle", "D6")
    own.add("a0", "commander", "D7", officer=True)
    assert total(own, "D6") == 8
    at_group = Camp(rows(D5="W"), motivation_plus="at the group").add("a1", "officer", "D4", officer=True)
    assert total(at_group.add("a1", "rifle", "D6"), "D6") == 3
    alone = Camp().unit("a1", officer="dead").add("a1", "rifle", "D6")
    assert total(alone, "D6") == 6
    never = Camp(leaderless="never").unit("a1", officer="dead").add("a1", "rifle", "D6")
    assert total(never, "D6") == 7


@pytest.mark.rule("motivation")
def test_by_a_ruling_failure_leaves_the_residual_point() -> None:
    camp = Camp(motivation_failed="residual").add("a1", "officer", "D4", officer=True).add("a1", "rifle", "D6")
    match = camp.frames(Units("attacker"), Activation("a1")).match(1)
    events = do(match, Motivate("D6"))
    assert found(events, PointsRolled)[0].residual


@pytest.mark.rule("motivation")
@pytest.mark.rule("turn-commander")
@pytest.mark.parametrize(
    ("values", "commander", "chance"),
    [
        ({}, "D7", 2 / 6),
        ({"urged": True}, "D7", 1.0),
        ({"urged": True}, "D8", 2 / 6),  # too far away to urge them on
        ({"silent": True}, "D7", 0.0),
    ],
)
@pytest.mark.parametrize("kind", ["rifle", "pak40"])
def test_the_preview_of_motivation_rolls_as_the_rule_does(
    kind: str, values: dict[str, bool], commander: str, chance: float
) -> None:
    camp = Camp(rows(D6="W"), motivator="own officer").unit("a1", **values).add("a1", "officer", "G6", officer=True)
    camp.add("a1", kind, "D6", deployed=kind == "pak40").add("a0", "commander", commander, officer=True)
    match = camp.frames(Units("attacker"), Activation("a1")).match(*[4] * 3)
    action = Man("a1-2") if kind == "pak40" else Motivate("D6")
    assert preview(match, action)["motivated"] == pytest.approx(chance)
    shown = GAME.preview(match.state, "attacker", action)
    assert shown is not None
    assert any("shaken" in note for note in shown.notes) is ("silent" in values)
    assert any("urged" in note for note in shown.notes) is (chance == 1)
    if kind == "rifle":
        assert "3.5 action points on average" in shown.notes
    rolls = [event for event in do(match, action) if getattr(event, "why", "").startswith("motivation")]
    assert bool(rolls) is (0 < chance < 1)
