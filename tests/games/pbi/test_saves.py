"""Saving foot bases from shooting, high explosive, and who takes the hits."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.games.pbi.actions import Hold, Shell, Shoot, Take
from sandtable.games.pbi.events import Lost, PinnedDown
from sandtable.games.pbi.saves import needed, save_tally


def score(camp: Camp, id: str, source: str, how: str = "small arms") -> int:
    return needed(save_tally(camp.state, camp.state.pieces[id], source, how))


@pytest.mark.rule("saves-shooting")
def test_the_basic_save_is_four() -> None:
    assert score(Camp().add("d1", "rifle", "D4", moved=1), "d1-1", "D8") == 4


@pytest.mark.rule("saves-shooting")
@pytest.mark.parametrize(
    ("quality", "cell", "moved", "officer", "source", "wanted"),
    [
        ("veteran", ".", 1, False, "D8", 3),
        ("average", ".", 1, True, "D8", 3),
        ("veteran", ".", 1, True, "D8", 3),
        ("average", "h", 1, False, "D8", 3),
        ("average", "w", 1, False, "D8", 3),
        ("average", ".", 0, False, "D8", 3),
        ("average", "W", 1, False, "D8", 2),
        ("average", "B", 1, False, "D8", 2),
        ("average", "R", 1, False, "D8", 2),
        ("raw", ".", 1, False, "D8", 5),
        ("average", ".", 1, False, "D5", 5),
        ("average", ".", 1, False, "E5", 5),
        ("raw", ".", 1, False, "D5", 6),
        ("raw", "W", 0, False, "D5", 3),
        ("veteran", "W", 0, False, "D8", 2),
    ],
)
def test_each_modifier(quality: str, cell: str, moved: int, officer: bool, source: str, wanted: int) -> None:
    camp = Camp(rows(D4=cell)).unit("d1", quality=quality)
    camp.add("d1", "rifle", "D4", moved=moved, officer=officer)
    assert score(camp, "d1-1", source) == wanted


@pytest.mark.rule("saves-shooting")
def test_a_one_is_always_dead_and_a_six_always_saved() -> None:
    best = Camp(rows(D4="W")).unit("d1", quality="veteran").add("d1", "rifle", "D4")
    tally = save_tally(best.state, best.state.pieces["d1-1"], "D8", "small arms")
    assert [item.value for item in tally.items] == [4, -1, -2, -1, 2]  # what is always so is an item of the tally
    assert score(best, "d1-1", "D8") == 2
    match = best.add("a1", "rifle", "D8").acting("a1-1").match(6, 1)
    assert [event.piece for event in found(do(match, Shoot("D4")), Lost)] == ["d1-1"]
    worst = Camp(proximity="eight").unit("d1", quality="raw").add("d1", "rifle", "D4", moved=2)
    assert score(worst, "d1-1", "D5") == 6


@pytest.mark.rule("saves-shooting")
def test_a_failed_save_kills_the_base_and_a_hit_pins_the_square() -> None:
    camp = Camp().add("a1", "rifle", "D7").add("d1", "rifle", "D4", 3)
    match = camp.acting("a1-1").match(4, 2)
    events = do(match, Shoot("D4"))
    assert len(found(events, Lost)) == 1
    assert found(events, PinnedDown)[0].at == "D4"
    assert all(p.pinned for p in match.state.pieces.values() if p.side == "defender")
    assert match.state.units["d1"].casualties == 1


@pytest.mark.rule("saves-shooting")
def test_by_the_other_ruling_only_a_loss_pins() -> None:
    camp = Camp(pin_trigger="loss").add("a1", "rifle", "D7", 2).add("d1", "rifle", "D4", 3)
    match = camp.acting("a1-1", "a1-2").match(4, 1, 6, 4, 4, 1, 6)
    do(match, Shoot("D4"), Hold())
    assert not piece(match, "d1-1").pinned
    do(match, Shoot("D4"))
    assert any(p.pinned for p in match.state.pieces.values())


@pytest.mark.rule("he-at-foot")
@pytest.mark.parametrize(("kind", "hits"), [("type92", 2), ("leig18", 3), ("pak38", 1)])
def test_high_explosive_makes_three_two_or_one_hits(kind: str, hits: int) -> None:
    camp = Camp(return_shooting="none").add("a1", kind, "D7", deployed=True).add("d1", "rifle", "D5", 4)
    match = camp.driving("a1-1").match(6, 6, *[3] * hits)
    events = do(match, Shell("a1-1", "D5"))
    saves = [event for event in events if getattr(event, "why", "") == "save"]
    assert sum(len(event.faces) for event in saves) == hits
    assert not found(events, Lost)


@pytest.mark.rule("he-at-foot")
def test_the_owner_chooses_all_targets_and_then_rolls_three_or_more() -> None:
    camp = Camp(return_shooting="none").add("a1", "leig18", "D7", deployed=True)
    camp.add("d1", "rifle", "D5", 2).add("d1", "officer", "D5", officer=True).add("d1", "lmg", "D5")
    match = camp.driving("a1-1").match(6, 6, 2, 3, 3)
    do(match, Shell("a1-1", "D5"))
    assert match.to_act == ("defender",)
    assert {action.piece for action in legal(match, Take)} == {"d1-1", "d1-3", "d1-4"}
    events = do(match, Take("d1-4"), Take("d1-1"), Take("d1-2"))
    assert [event.piece for event in found(events, Lost)] == ["d1-4"]


@pytest.mark.rule("he-at-foot")
def test_hits_are_spread_before_a_base_takes_a_second() -> None:
    camp = Camp(return_shooting="none").add("a1", "leig18", "D7", deployed=True)
    camp.add("d1", "rifle", "D5").add("d1", "lmg", "D5")
    match = camp.driving("a1-1").match(6, 6, 6, 6, 6)
    do(match, Shell("a1-1", "D5"), Take("d1-1"))
    assert match.state.stack[-1].taken == ("d1-1", "d1-2")
    assert {action.piece for action in legal(match, Take)} == {"d1-1", "d1-2"}
    free = Camp(return_shooting="none", hits_spread="free").add("a1", "leig18", "D7", deployed=True)
    free.add("d1", "rifle", "D5").add("d1", "lmg", "D5")
    match = free.driving("a1-1").match(6, 6, 6, 6, 6)
    do(match, Shell("a1-1", "D5"), Take("d1-1"), Take("d1-1"), Take("d1-1"))
    assert match.to_act == ("attacker",)


@pytest.mark.rule("he-at-foot")
def test_by_rulings_saves_are_modified_and_hits_follow_the_score() -> None:
    camp = Camp(rows(D4="W"), he_saves="modified").add("d1", "rifle", "D4", moved=1)
    assert save_tally(camp.state, camp.state.pieces["d1-1"], "D8", "HE").items[0].value == 3
    assert save_tally(camp.state, camp.state.pieces["d1-1"], "D8", "HE").total == 2
    scored = Camp(he_hits="by score", return_shooting="none").add("a1", "pak38", "D7", deployed=True)
    match = scored.add("d1", "rifle", "D5", 4).driving("a1-1").match(6, 6, 3, 3, 3)
    events = do(match, Shell("a1-1", "D5"))
    assert sum(len(event.faces) for event in events if getattr(event, "why", "") == "save") == 3


@pytest.mark.rule("saves-shooting")
@pytest.mark.parametrize(("ruling", "need"), [("yes", 3), ("no", 4)])
def test_whether_the_company_commander_saves_as_a_platoon_commander_is_a_ruling(ruling: str, need: int) -> None:
    camp = Camp(commander_saves=ruling).add("d0", "commander", "D4", officer=True, moved=1)
    assert save_tally(camp.state, camp.state.pieces["d0-1"], "D7", "small arms").total == need
