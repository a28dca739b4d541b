"""Foot group action points, and the table of what they buy."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.games.pbi.actions import (
    Aim,
    Assault,
    Bomb,
    Deploy,
    Disembark,
    Done,
    Embark,
    Flame,
    Hold,
    Motivate,
    Move,
    Pack,
    Recover,
    Shoot,
    Split,
    Unpin,
)
from sandtable.games.pbi.events import PointsRolled
from sandtable.games.pbi.model import Activation, Units


@pytest.mark.rule("foot-ap-roll")
@pytest.mark.parametrize(
    ("quality", "pinned", "officer", "face", "points"),
    [
        ("average", False, False, 4, 4),
        ("average", True, False, 4, 2),
        ("raw", False, False, 4, 3),
        ("veteran", False, False, 4, 5),
        ("veteran", True, False, 6, 5),
        ("raw", True, False, 6, 3),
        ("veteran", False, True, 4, 5),
        ("average", False, True, 4, 5),
        ("raw", True, False, 1, 1),
    ],
)
def test_one_die_and_its_modifiers(quality: str, pinned: bool, officer: bool, face: int, points: int) -> None:
    camp = Camp().unit("a1", quality=quality).add("a1", "rifle", "D4", pinned=pinned)
    camp.add("a1", "officer", "D4" if officer else "D3", officer=True)
    # The group in D4 stands next to its officer: two squares, so a motivation roll of 2 is enough.
    match = camp.frames(Units("attacker"), Activation("a1")).match(*(() if officer else (2,)), face)
    events = do(match, Motivate("D4"))
    assert [event.ap for event in found(events, PointsRolled)] == [points]


@pytest.mark.rule("foot-ap-roll")
def test_the_company_commander_adds_a_point_too() -> None:
    camp = Camp().add("a1", "rifle", "D4").add("a0", "commander", "D4", officer=True)
    match = camp.frames(Units("attacker"), Activation("a1")).match(3)
    assert found(do(match, Motivate("D4")), PointsRolled)[0].ap == 4


@pytest.mark.rule("foot-ap-cost-deploy")
@pytest.mark.parametrize("aboard", [True, False])
def test_nobody_deploys_aboard_a_vehicle(aboard: bool) -> None:
    camp = Camp().add("a1", "truck", "D6").add("a1", "mmg", "D6", within="a1-1" if aboard else "")
    match = camp.acting("a1-2", ap=6).match()
    assert bool(legal(match, Deploy)) is not aboard


@pytest.mark.rule("foot-ap-residual")
def test_the_residual_point_buys_one_thing_of_its_list() -> None:
    table = rows(D4="W")
    camp = Camp(table).add("a1", "mmg", "D4", pinned=True).add("a1", "officer", "D4", officer=True)
    camp.unit("a1", strength=2, officer="alive", casualties=1).add("d1", "rifle", "D3")
    match = camp.acting("a1-1", ap=1, residual=True).match()
    kinds = {type(action) for action in match.actions("attacker")}
    assert kinds == {Done, Move, Deploy, Unpin, Recover}
    do(match, Deploy("a1-1"))
    assert piece(match, "a1-1").deployed
    assert piece(match, "a1-1").ap == 0


@pytest.mark.rule("foot-ap-residual")
def test_the_residual_point_leaves_even_a_difficult_square_and_shoots_once() -> None:
    camp = Camp(rows(D4="W")).add("a1", "rifle", "D4").add("d1", "rifle", "D6")
    match = camp.acting("a1-1", ap=1, residual=True).match()
    assert Move("D5") in match.actions("attacker")
    assert Shoot("D6") in match.actions("attacker")
    assert not legal(match, Assault)


@pytest.mark.rule("foot-ap-residual")
def test_one_point_without_the_residual_list_does_not_set_up() -> None:
    match = Camp().add("a1", "mmg", "D4").acting("a1-1", ap=1).match()
    assert not legal(match, Deploy)


@pytest.mark.rule("foot-ap-cost-shoot")
def test_a_shot_costs_a_point_and_three_are_the_most() -> None:
    camp = Camp(return_shooting="none").add("a1", "rifle", "D6").add("d1", "rifle", "D4", 3)
    match = camp.acting("a1-1", ap=5).match(1, 1, 1)
    do(match, Shoot("D4"), Shoot("D4"), Shoot("D4"))
    assert piece(match, "a1-1").ap == 2
    assert not legal(match, Shoot)


@pytest.mark.rule("foot-ap-cost-shoot")
def test_dice_by_weapon_and_the_hit_score_of_the_own_turn() -> None:
    camp = Camp().add("a1", "rifle", "D6").add("a1", "lmg", "D6").add("a1", "mmg", "D6", deployed=True)
    match = camp.add("d1", "rifle", "D4", 4).acting("a1-1", "a1-2", "a1-3").match(4, 3, 3, 3, 3, 3, 5, 6, 6)
    events = do(match, Shoot("D4"))
    assert events[0].faces == (4, 3, 3, 3, 3, 3, 5)
    assert events[0].tally.total == 7


@pytest.mark.rule("foot-ap-cost-shoot")
def test_weapons_have_a_reach() -> None:
    camp = Camp().add("a1", "smg", "D6").add("a1", "rifle", "D6").add("d1", "rifle", "D2")
    match = camp.acting("a1-1", "a1-2").match(1)
    do(match, Shoot("D2"))
    assert match.state.pieces["a1-1"].ap == 6
    assert match.state.pieces["a1-2"].ap == 5


@pytest.mark.rule("foot-ap-cost-pin")
@pytest.mark.parametrize(
    ("officer", "face", "free"), [(False, 4, True), (False, 3, False), (True, 3, True), (True, 2, False)]
)
def test_removing_a_pin(officer: bool, face: int, free: bool) -> None:
    camp = Camp().add("a1", "rifle", "D6", 2, pinned=True)
    if officer:
        camp.add("a1", "officer", "D6", officer=True)
    match = camp.acting("a1-1", "a1-2", ap=2).match(face)
    do(match, Unpin())
    assert piece(match, "a1-1").pinned is not free
    assert piece(match, "a1-2").pinned is not free
    assert piece(match, "a1-1").ap == 1


@pytest.mark.rule("foot-ap-cost-leave")
@pytest.mark.parametrize(
    ("cell", "cost"), [(".", 1), ("=", 1), ("f", 1), ("h", 1), ("w", 1), ("W", 2), ("B", 2), ("R", 2)]
)
def test_leaving_a_square(cell: str, cost: int) -> None:
    match = Camp(rows(D6=cell)).add("a1", "rifle", "D6", 2).acting("a1-1", "a1-2", ap=3).match()
    do(match, Move("D5"))
    assert piece(match, "a1-1").at == piece(match, "a1-2").at == "D5"
    assert piece(match, "a1-1").ap == 3 - cost
    assert piece(match, "a1-1").moved == 1


@pytest.mark.rule("foot-ap-cost-casualty")
@pytest.mark.parametrize(("face", "left"), [(4, 1), (3, 2)])
def test_removing_a_casualty_mark(face: int, left: int) -> None:
    camp = Camp().unit("a1", strength=5, casualties=2).add("a1", "rifle", "D6", 2)
    match = camp.acting("a1-1", "a1-2", ap=2).match(face)
    do(match, Recover())
    assert match.state.units["a1"].casualties == left
    assert piece(match, "a1-1").ap == piece(match, "a1-2").ap == 1


@pytest.mark.rule("foot-ap-cost-casualty")
def test_a_group_without_casualties_has_no_mark_to_remove() -> None:
    match = Camp().unit("a1", strength=5).add("a1", "rifle", "D6", 2).acting("a1-1", "a1-2", ap=2).match()
    assert Recover() not in match.actions("attacker")


@pytest.mark.rule("foot-ap-cost-at")
def test_anti_tank_shots_cost_two_points_and_two_are_the_most() -> None:
    camp = Camp(return_shooting="none").add("a1", "bazooka", "D6").add("d1", "sherman", "D4")
    match = camp.acting("a1-1", ap=6).match(1, 1, 1, 1)
    do(match, Aim("a1-1", "d1-1"), Aim("a1-1", "d1-1"))
    assert piece(match, "a1-1").ap == 2
    assert not legal(match, Aim)


@pytest.mark.rule("foot-ap-cost-at")
def test_anti_tank_weapons_are_aimed_at_the_tank_and_not_at_the_men_beside_it() -> None:
    camp = Camp().add("a1", "bazooka", "D6").add("d1", "sherman", "D4").add("d2", "rifle", "D4", 2)
    assert {action.target for action in legal(camp.acting("a1-1", ap=6).match(), Aim)} == {"d1-1"}


@pytest.mark.rule("foot-ap-cost-at")
@pytest.mark.parametrize(("kind", "most"), [("light_mortar", 1), ("medium_mortar", 2)])
def test_mortar_shots_and_their_limit(kind: str, most: int) -> None:
    camp = Camp(deviation_reroll="none").add("a1", kind, "D7", deployed=True).add("d1", "sherman", "D4")
    match = camp.acting("a1-1", ap=5).match(3)
    assert max(action.shots for action in legal(match, Bomb)) == most
    do(match, Bomb("a1-1", "D4", False, most))
    assert piece(match, "a1-1").ap == 5 - 2 * most
    assert not legal(match, Bomb)


@pytest.mark.rule("foot-ap-cost-flame")
def test_the_flamethrower_costs_two_points_and_shoots_once() -> None:
    camp = Camp().add("a1", "flamethrower", "D6").add("d1", "rifle", "D5", 2).add("d2", "sherman", "E6")
    match = camp.acting("a1-1", ap=6).match(1, 1, 1, 1, 1, 1, 1)
    assert set(legal(match, Flame)) == {Flame("a1-1", "D5"), Flame("a1-1", "d2-1")}
    events = do(match, Flame("a1-1", "D5"))
    assert len(events[0].faces) == 7
    assert piece(match, "a1-1").ap == 4
    assert not legal(match, Flame)


@pytest.mark.rule("foot-ap-cost-disembark")
def test_getting_out_costs_two_points() -> None:
    camp = Camp().add("a1", "m3", "D6").add("a1", "rifle", "D6", 2, within="a1-1")
    match = camp.acting("a1-2", "a1-3", ap=3).match()
    do(match, Disembark())
    assert match.state.at["D6"] == ("a1-1", "a1-2", "a1-3")
    assert piece(match, "a1-2").ap == 1
    assert "a1-1" not in match.state.cargo


@pytest.mark.rule("foot-ap-cost-hmg")
def test_a_heavy_machine_gun_needs_four_points_for_a_vehicle() -> None:
    camp = Camp().add("a1", "hmg", "D6", deployed=True).add("d1", "m8", "D4")
    assert not legal(camp.acting("a1-1", ap=3).match(), Aim)
    match = camp.acting("a1-1", ap=6).match(1, 1)
    do(match, Aim("a1-1", "d1-1"), Hold())
    assert piece(match, "a1-1").ap == 2


@pytest.mark.rule("foot-ap-cost-deploy")
@pytest.mark.parametrize("kind", ["mmg", "medium_mortar"])
def test_deploying_and_packing_up(kind: str) -> None:
    match = Camp().add("a1", kind, "D6").acting("a1-1", ap=6).match()
    do(match, Deploy("a1-1"))
    assert piece(match, "a1-1").deployed
    assert not legal(match, Move)
    do(match, Pack("a1-1"))
    assert not piece(match, "a1-1").deployed
    assert "Acting" not in type(match.state.stack[-1]).__name__


@pytest.mark.rule("foot-ap-cost-faust")
def test_the_panzerfaust_costs_four_points() -> None:
    camp = Camp().add("a1", "faust", "D6").add("d1", "sherman", "D5")
    assert not legal(camp.acting("a1-1", ap=3).match(), Aim)
    match = camp.acting("a1-1", ap=5).match(1, 1)
    do(match, Aim("a1-1", "d1-1"), Hold())
    assert piece(match, "a1-1").ap == 1


@pytest.mark.rule("foot-ap-cost-assault")
@pytest.mark.parametrize(
    ("quality", "nation", "pinned", "cost"),
    [
        ("average", "us", False, 4),
        ("veteran", "us", False, 3),
        ("average", "japanese", False, 3),
        ("average", "soviet", False, 3),
        ("average", "us", True, 3),
        ("veteran", "soviet", True, 3),
    ],
)
def test_what_an_assault_costs(quality: str, nation: str, pinned: bool, cost: int) -> None:
    camp = Camp().unit("a1", quality=quality, nation=nation).add("a1", "rifle", "D6", 3)
    camp.add("d1", "rifle", "D5", pinned=pinned)
    assert not legal(camp.acting("a1-1", ap=cost - 1).match(), Assault)
    assert legal(camp.acting("a1-1", ap=cost).match(), Assault) == [Assault("D5")]


def test_a_base_can_be_split_off_and_the_others_follow() -> None:
    camp = Camp().add("a1", "rifle", "D6", 2).add("a1", "mmg", "D6", deployed=True)
    match = camp.acting("a1-1", "a1-2", "a1-3", ap=3).match()
    assert not legal(match, Move)
    do(match, Split("a1-3"), Done(), Move("D5"))
    assert piece(match, "a1-3").at == "D6"
    assert piece(match, "a1-1").at == piece(match, "a1-2").at == "D5"


@pytest.mark.rule("odds-capacity")
def test_getting_on_needs_room_for_all() -> None:
    camp = Camp().add("a1", "m3", "D6").add("a1", "rifle", "D6", 5)
    assert not legal(camp.acting(*[f"a1-{n}" for n in range(2, 7)]).match(), Embark)
    match = camp.acting(*[f"a1-{n}" for n in range(2, 6)]).match()
    do(match, Embark("a1-1"))
    assert match.state.cargo["a1-1"] == ("a1-2", "a1-3", "a1-4", "a1-5")
    assert piece(match, "a1-2").ap == 4


@pytest.mark.rule("foot-ap-roll")
def test_by_a_ruling_the_group_shares_its_points() -> None:
    camp = (
        Camp(foot_points="whole group", return_shooting="none").add("a1", "bazooka", "D6").add("a1", "rifle", "D6", 2)
    )
    camp.add("d1", "sherman", "D4")
    match = camp.acting("a1-1", "a1-2", "a1-3", ap=5).match(1, 1)
    do(match, Aim("a1-1", "d1-1"))
    assert [piece(match, f"a1-{n}").ap for n in (1, 2, 3)] == [3, 3, 3]
    do(match, Split("a1-2"), Move("D7"))
    assert [piece(match, f"a1-{n}").ap for n in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.rule("foot-ap-residual")
def test_a_base_without_its_residual_point_neither_packs_up_nor_sets_up_again() -> None:
    camp = Camp().add("a1", "mmg", "D4").add("a1", "rifle", "D4")
    match = camp.acting("a1-1", "a1-2", ap=1, residual=True).match()
    do(match, Deploy("a1-1"))
    assert match.state.stack[-1].teams == (("a1-1", "a1-2"),)
    assert not legal(match, Pack)


@pytest.mark.rule("foot-ap-roll")
@pytest.mark.parametrize(("ruling", "points"), [("any", 3), ("all", 5)])
def test_a_group_that_is_partly_pinned_is_a_ruling(ruling: str, points: int) -> None:
    camp = Camp(pinned_group=ruling).add("a1", "rifle", "D4", pinned=True).add("a1", "rifle", "D4")
    match = camp.add("a1", "officer", "D3", officer=True).frames(Units("attacker"), Activation("a1")).match(2, 5)
    assert [event.ap for event in found(do(match, Motivate("D4")), PointsRolled)] == [points]
