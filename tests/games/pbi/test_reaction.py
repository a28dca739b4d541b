"""Opportunity and return shooting, lines of sight and proximity."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

import sandtable
from sandtable.engine.events import Rolled
from sandtable.games.pbi.actions import Aim, Bomb, Done, Flame, Hold, Move, Shell, Shoot, Volley
from sandtable.games.pbi.events import GunShot, Shot
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.model import Window
from sandtable.games.pbi.position import ground_of


def mover(**rulings: str) -> Camp:
    return Camp(**rulings).add("a1", "rifle", "D7", 3)


@pytest.mark.rule("odds-opportunity")
def test_small_arms_hit_with_five_or_six_in_the_enemys_turn() -> None:
    match = mover().add("d1", "rifle", "D4", 3).acting("a1-1", "a1-2", "a1-3").match(4, 5, 6, 6, 6)
    do(match, Move("D6"))
    assert match.to_act == ("defender",)
    event = found(do(match, Volley("D4")), Shot)[0]
    assert (event.hits, event.reacting) == (2, True)


@pytest.mark.rule("odds-opportunity")
def test_a_base_reacts_once_in_a_turn() -> None:
    match = mover().add("d1", "rifle", "D4", 3).acting("a1-1", "a1-2", "a1-3").match(1, 1, 1)
    do(match, Move("D6"), Volley("D4"))
    assert match.to_act == ("attacker",)
    do(match, Move("D5"))
    assert match.to_act == ("attacker",)
    again = (
        mover(opportunity_limit="each window").add("d1", "rifle", "D4", 3).acting("a1-1", "a1-2", "a1-3").match(1, 1, 1)
    )
    do(again, Move("D6"), Volley("D4"), Move("D5"))
    assert again.to_act == ("defender",)


@pytest.mark.rule("odds-opportunity")
def test_pinned_bases_do_not_react_unless_the_ruling_allows() -> None:
    for ruling, asked in (("no", "attacker"), ("yes", "defender")):
        camp = mover(pinned_reacts=ruling).add("d1", "rifle", "D4", 3, pinned=True)
        match = camp.acting("a1-1", "a1-2", "a1-3").match()
        do(match, Move("D6"))
        assert match.to_act == (asked,)


@pytest.mark.rule("odds-opportunity")
def test_a_gun_that_reacts_needs_five_or_six_first() -> None:
    camp = Camp().add("a1", "sherman", "D7").add("d1", "pak40", "D2", deployed=True)
    match = camp.frames(Window("defender", "D7", "opportunity")).match(4)
    events = do(match, Aim("d1-1", "a1-1"))
    assert found(events, GunShot)[0].result == "too late"
    assert [(roll.sides, roll.faces) for roll in found(events, Rolled)] == [(6, (4,))]
    match = camp.frames(Window("defender", "D7", "opportunity")).match(5, 1, 1)
    assert found(do(match, Aim("d1-1", "a1-1")), GunShot)[0].result == "missed"
    free = Camp(opportunity_guns="as in own turn").add("a1", "sherman", "D7").add("d1", "pak40", "D2", deployed=True)
    match = free.frames(Window("defender", "D7", "opportunity")).match(1, 1)
    assert found(do(match, Aim("d1-1", "a1-1")), GunShot)[0].result == "missed"


@pytest.mark.rule("odds-opportunity")
def test_by_the_other_reading_five_or_six_allows_the_shot() -> None:
    camp = mover(opportunity_score="permission").add("d1", "rifle", "D4")
    match = camp.acting("a1-1", "a1-2", "a1-3").match(5, 4, 6)
    do(match, Move("D6"))
    assert found(do(match, Volley("D4")), Shot)[0].hits == 1


@pytest.mark.rule("odds-opportunity")
def test_the_target_of_a_shot_may_return_it() -> None:
    camp = mover().add("d1", "rifle", "D4").add("d2", "rifle", "E4")
    match = camp.acting("a1-1", "a1-2", "a1-3").match(1, 1, 1)
    do(match, Shoot("D4"))
    assert match.to_act == ("defender",)
    assert legal(match, Volley) == [Volley("D4")]
    assert match.state.stack[-1].why == "return"
    silent = mover(return_shooting="none").add("d1", "rifle", "D4").acting("a1-1", "a1-2", "a1-3").match(1, 1, 1)
    do(silent, Shoot("D4"))
    assert silent.to_act == ("attacker",)


@pytest.mark.rule("odds-opportunity")
def test_by_a_ruling_shots_can_be_answered_by_everybody_in_view() -> None:
    camp = mover(opportunity_trigger="moves and shots").add("d1", "rifle", "D4").add("d2", "rifle", "E4")
    match = camp.acting("a1-1", "a1-2", "a1-3").match(1, 1, 1)
    do(match, Shoot("D4"))
    assert set(legal(match, Volley)) == {Volley("D4"), Volley("E4")}


@pytest.mark.rule("odds-opportunity")
def test_everything_in_view_may_react_and_hold() -> None:
    camp = mover().add("d1", "rifle", "D4").add("d2", "sherman", "F4", facing=4).add("d3", "bazooka", "C5")
    match = camp.acting("a1-1", "a1-2", "a1-3").match()
    do(match, Move("D6"))
    assert set(match.actions("defender")) == {Volley("D4"), Volley("d2-1"), Shell("d2-1", "D6"), Hold()}
    do(match, Hold())
    assert not piece(match, "d1-1").reacted
    do(match, Done())


@pytest.mark.rule("odds-flame")
def test_flamethrowers_react_only_by_a_ruling() -> None:
    for ruling, able in (("no", False), ("yes", True)):
        camp = (
            Camp(flame_reacts=ruling).add("a1", "rifle", "D6").add("d1", "flamethrower", "D5").add("d1", "rifle", "D5")
        )
        match = camp.frames(Window("defender", "D6", "opportunity")).match()
        assert bool(legal(match, Flame)) is able


@pytest.mark.rule("odds-flame")
@pytest.mark.parametrize("riders", [True, False])
def test_a_flame_is_thrown_at_a_tank_and_at_men_only_where_there_are_men(riders: bool) -> None:
    camp = Camp(flame_reacts="yes").add("a1", "sherman", "D6").add("d1", "flamethrower", "D5").add("d1", "rifle", "D5")
    if riders:
        camp.add("a2", "rifle", "D6", within="a1-1")
    match = camp.frames(Window("defender", "D6", "opportunity")).match()
    assert set(legal(match, Flame)) == {Flame("d1-1", "a1-1"), *([Flame("d1-1", "D6")] if riders else [])}


@pytest.mark.rule("odds-smoke")
@pytest.mark.parametrize(
    ("table", "seen"),
    [
        ({}, True),
        ({"D5": "W"}, False),
        ({"D5": "B"}, False),
        ({"D5": "R"}, True),
        ({"D5": "h"}, True),
        ({"D4": "W"}, True),
        ({"D6": "W"}, True),
    ],
)
def test_woods_and_buildings_between_block_sight(table: dict[str, str], seen: bool) -> None:
    g = ground_of(Camp(rows(**table)).state)
    assert ("D4" in g.sees["D6"]) is seen
    assert ("D6" in g.sees["D4"]) is seen


@pytest.mark.rule("odds-smoke")
def test_a_line_through_a_corner_is_blocked_by_both_squares() -> None:
    one, two = rows(E5="W"), rows(E5="W", D4="W")
    assert "E4" in ground_of(Camp(one).state).sees["D5"]
    assert "E4" not in ground_of(Camp(two).state).sees["D5"]
    assert "E4" not in ground_of(Camp(one, sight_corner="either").state).sees["D5"]
    assert "F4" in ground_of(Camp(rows(E4="R")).state).sees["D4"]
    assert "F4" not in ground_of(Camp(rows(E4="R"), sight_blockers="also rocky").state).sees["D4"]


def test_rulings_about_range_steps_and_proximity() -> None:
    g = ground_of(Camp().state)
    assert g.range["A1"]["D3"] == 3
    assert "E5" in g.near["D4"]
    assert "E5" in g.steps["D4"]
    other = ground_of(Camp(range_count="one diagonal", proximity="four", foot_steps="four").state)
    assert other.range["A1"]["D3"] == 4
    assert "E5" not in other.near["D4"]
    assert "E5" not in other.steps["D4"]


@pytest.mark.rule("odds-smoke")
def test_a_line_of_sight_is_explained_by_what_shooting_uses() -> None:
    camp = Camp(rows(D5="W")).add("a1", "rifle", "D7")
    camp.state.smoke = {"F5": "attacker"}
    state = camp.state
    blocked = GAME.line_of_sight(state, "attacker", "D7", "D3")
    assert blocked is not None
    assert (blocked.clear, blocked.blocked_at, blocked.range) == (False, "D5", 4)
    smoked = GAME.line_of_sight(state, None, "F7", "F3")
    assert smoked is not None
    assert "smoke in F5" in smoked.text
    free = GAME.line_of_sight(state, None, "A1", "H1")
    assert free is not None
    assert free.clear
    assert GAME.line_of_sight(state, None, "A1", "Z9") is None
    seen = GAME.visible_from(state, None, "D7")
    assert seen is not None
    assert "D6" in seen.cells
    assert "D3" in seen.blocked
    assert len(seen.cells) + len(seen.blocked) == 63


def test_terms_and_lessons_name_rules_and_faces_that_exist() -> None:
    titles, faces = GAME.rule_titles(), GAME.faces()
    for term in GAME.glossary():
        assert term.rule in titles
        assert set(term.faces) <= set(faces)
    for lesson in GAME.lessons():
        match = sandtable.new(f"pbi/{lesson.scenario}", seed=lesson.seed)
        assert lesson.side in match.sides
        for step in lesson.steps:
            assert set(step.pieces) <= set(match.state.pieces)


@pytest.mark.rule("odds-opportunity")
def test_a_flame_can_be_answered_and_a_mortar_cannot() -> None:
    camp = Camp(deviation_reroll="none").add("a1", "flamethrower", "D6").add("d1", "rifle", "D5", 3)
    match = camp.acting("a1-1").match(*[1] * 7)
    do(match, Flame("a1-1", "D5"))
    assert legal(match, Volley) == [Volley("D5")]
    camp = Camp(deviation_reroll="none").add("a1", "medium_mortar", "D7", deployed=True).add("d1", "rifle", "D5", 3)
    match = camp.acting("a1-1").match(3, *[1] * 6)
    do(match, Bomb("a1-1", "D5"))
    assert match.to_act == ("attacker",)


@pytest.mark.rule("odds-opportunity")
def test_reactions_tell_standing_orders_what_they_ask() -> None:
    camp = Camp(rows(D6="h")).add("a1", "rifle", "D6").add("d1", "rifle", "D4").add("d2", "sherman", "E5", facing=4)
    match = camp.frames(Window("defender", "D6", "opportunity")).match()
    far, near = match.describe("defender", Volley("D4")), match.describe("defender", Shell("d2-1", "D6"))
    assert far.group == near.group == "fire"
    assert dict(far.facts) == {"range": "2", "open": "no", "adjacent": "no"}
    assert dict(near.facts) == {"range": "1", "open": "no", "adjacent": "yes"}
    assert match.describe("defender", Hold()).group == "done"


@pytest.mark.rule("foot-ap-cost-leave")
def test_a_way_with_its_price_and_its_dangers() -> None:
    camp = Camp(rows(D6="W", C6="W", E6="W")).add("a1", "rifle", "D7", 2).add("d1", "mmg", "D2", deployed=True)
    match = camp.acting("a1-1", "a1-2", ap=4).match()
    way = GAME.path(match.state, "attacker", ["a1-1"], "D5")
    assert way is not None
    assert way.cells == ("D7", "D6", "D5")
    assert way.total == "3 AP"
    assert [step.action for step in way.steps] == [Move("D6"), Move("D5")]
    assert way.steps[1].danger[0].at == "D2"
    assert way.steps[1].danger[0].chance == pytest.approx(1 - (4 / 6) ** 4)
    for step in way.steps:
        do(match, step.action, Hold())
    assert piece(match, "a1-1").at == "D5"
    assert GAME.path(match.state, "attacker", ["a1-1"], "A1") is None
    detour = GAME.path(camp.acting("a1-1", ap=9).match().state, "attacker", ["a1-1"], "D5", ["F7"])
    assert detour is not None
    assert "F7" in detour.cells
