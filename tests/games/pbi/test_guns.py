"""Vehicle, gun and anti-tank shooting in three stages."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.engine import Tally
from sandtable.games.pbi.actions import Aim, Done, Face, Flame, Shell, Shoot
from sandtable.games.pbi.events import GunShot, Lost, MadeImmobile, Penetrated
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.guns import aspect, hit_tally, is_hit
from sandtable.games.pbi.model import Window
from sandtable.games.pbi.position import ground_of


def modifiers(camp: Camp, shooter: str, square: str, target: str | None, *, reacting: bool = False) -> float:
    state = camp.state
    aim = state.pieces[target] if target else None
    return hit_tally(state, state.pieces[shooter], square, aim, reacting=reacting).total


@pytest.mark.rule("shooting-hit")
@pytest.mark.parametrize(
    ("faces", "modifier", "hit"),
    [
        ((1, 1), 9, False),
        ((2, 3), 9, False),
        ((5, 6), -9, True),
        ((6, 6), -9, True),
        ((4, 4), 0, True),
        ((3, 4), 0, False),
        ((3, 4), 1, True),
        ((5, 5), -2, True),
        ((5, 5), -3, False),
        ((3, 3), 2, True),
    ],
)
def test_two_dice_to_hit(faces: tuple[int, int], modifier: int, hit: bool) -> None:
    assert is_hit(faces, Tally.of("", [("any", modifier, "")])) is hit


@pytest.mark.rule("shooting-hit")
@pytest.mark.parametrize(
    ("quality", "at", "shooter", "target", "table", "total"),
    [
        ("average", "D7", {}, {}, {}, 0),
        ("veteran", "D7", {}, {}, {}, 1),
        ("raw", "D7", {}, {}, {}, -1),
        ("average", "D5", {}, {}, {}, 1),
        ("average", "D6", {}, {}, {}, 1),
        ("average", "D7", {"aimed": "D4"}, {}, {}, 1),
        ("average", "D5", {"aimed": "D4"}, {}, {}, 1),
        ("average", "D7", {}, {"moved": 1}, {}, 0),
        ("average", "D7", {}, {"moved": 2}, {}, -1),
        ("average", "D7", {"moved": 1}, {}, {}, -1),
        ("average", "D7", {}, {}, {"D4": "W"}, -1),
        ("average", "D7", {}, {}, {"D4": "B"}, -1),
        ("average", "D7", {}, {}, {"D4": "R"}, -1),
        ("average", "D7", {}, {}, {"D4": "h"}, 0),
    ],
)
def test_modifiers_against_a_vehicle(
    quality: str, at: str, shooter: dict[str, object], target: dict[str, object], table: dict[str, str], total: int
) -> None:
    camp = Camp(rows(**table)).unit("a1", "vehicles", quality).add("a1", "sherman", at, **shooter)
    camp.add("d1", "panther", "D4", **target)
    assert modifiers(camp, "a1-1", "D4", "d1-1") == total


@pytest.mark.rule("shooting-hit")
def test_foot_and_guns_are_harder_to_hit_and_more_so_at_four_squares() -> None:
    camp = Camp().add("a1", "sherman", "D7").add("a2", "sherman", "D8").add("d1", "rifle", "D4")
    assert modifiers(camp, "a1-1", "D4", None) == -1
    assert modifiers(camp, "a2-1", "D4", None) == -2


@pytest.mark.rule("shooting-hit")
def test_foot_anti_tank_weapons_gain_nothing_by_range_or_by_shooting_again() -> None:
    camp = Camp().add("a1", "bazooka", "D5", aimed="D4").add("d1", "panther", "D4")
    assert modifiers(camp, "a1-1", "D4", "d1-1") == 0


@pytest.mark.rule("shooting-hit")
def test_the_defenders_towed_gun_has_its_one_whatever_the_range_and_never_two() -> None:
    camp = Camp().add("d1", "pak40", "D2", deployed=True).add("a1", "sherman", "D7").add("a2", "sherman", "D3")
    assert modifiers(camp, "d1-1", "D7", "a1-1") == 1
    assert modifiers(camp, "d1-1", "D3", "a2-1") == 1
    attacking = Camp().add("a1", "pak40", "D7", deployed=True).add("d1", "panther", "D2")
    assert modifiers(attacking, "a1-1", "D2", "d1-1") == 0


@pytest.mark.rule("shooting-magnitude")
@pytest.mark.parametrize(
    ("source", "facing", "where"),
    [
        ("D7", 4, "front"),
        ("E5", 4, "front"),
        ("C5", 4, "front"),
        ("A4", 4, "side"),
        ("H4", 4, "side"),
        ("D1", 4, "rear"),
        ("E3", 4, "rear"),
        ("C3", 4, "rear"),
        ("D7", 2, "side"),
        ("D7", 0, "rear"),
    ],
)
def test_front_side_and_rear(source: str, facing: int, where: str) -> None:
    camp = Camp().add("d1", "panther", "D4", facing=facing)
    assert aspect(camp.state, ground_of(camp.state), camp.state.pieces["d1-1"], source) == where


@pytest.mark.rule("shooting-magnitude")
def test_by_a_ruling_only_straight_behind_is_the_rear() -> None:
    camp = Camp(aspect="3-4-1").add("d1", "panther", "D4", facing=4)
    target = camp.state.pieces["d1-1"]
    assert aspect(camp.state, ground_of(camp.state), target, "E3") == "side"
    assert aspect(camp.state, ground_of(camp.state), target, "D1") == "rear"


@pytest.mark.rule("shooting-magnitude")
@pytest.mark.parametrize(("facing", "saves"), [(4, 3), (2, 2), (0, 1)])
def test_the_guns_dice_against_the_armours(facing: int, saves: int) -> None:
    camp = Camp(return_shooting="none").add("a1", "chiha", "D6").add("d1", "chiha", "D4", facing=facing)
    # the Chi-Ha has gun 4 and armour 3; what is left over may call for morale
    match = camp.driving("a1-1").match(6, 6, 2, 3, 6, 1, 3, 4, 5, 1, 1)
    event = found(do(match, Aim("a1-1", "d1-1")), Penetrated)[0]
    assert (event.effects, event.saves) == (2, saves)


@pytest.mark.rule("shooting-effect")
@pytest.mark.parametrize(
    ("effects", "saves", "result"),
    [(2, 2, "nothing"), (2, 3, "nothing"), (3, 2, "immobilised"), (4, 2, "immobilised"), (5, 2, "destroyed")],
)
def test_what_is_left_over_immobilises_or_destroys(effects: int, saves: int, result: str) -> None:
    camp = Camp(return_shooting="none").add("a1", "sherman", "D6").add("d1", "sherman", "D4").add("d1", "sherman", "E4")
    camp.add("d2", "rifle", "A1", 3)
    dice = [6, 6, *[3] * effects, *[1] * (7 - effects), *[3] * saves, *[1] * (7 - saves)]
    events = do(camp.driving("a1-1").match(*dice), Aim("a1-1", "d1-1"))
    assert bool(found(events, MadeImmobile)) is (result == "immobilised")
    assert bool(found(events, Lost)) is (result == "destroyed")


@pytest.mark.rule("shooting-effect")
def test_immobilised_a_second_time_is_destroyed() -> None:
    camp = Camp(return_shooting="none").add("a1", "sherman", "D6").add("d1", "sherman", "D4", immobile=True)
    match = camp.driving("a1-1").match(6, 6, 3, 1, 1, 1, 1, 1, 1, *[1] * 7)
    assert found(do(match, Aim("a1-1", "d1-1")), Lost)[0].how == "destroyed"


@pytest.mark.rule("odds-flame")
def test_flamethrowers_at_vehicles_are_gun_five() -> None:
    camp = Camp().add("a1", "flamethrower", "D5").add("d1", "sherman", "D4")
    match = camp.acting("a1-1").match(6, 6, 1, 1, 1, 1, 1, *[1] * 7)
    events = do(match, Flame("a1-1", "d1-1"))
    assert len(events[2].faces) == 5
    assert found(events, Penetrated)


@pytest.mark.rule("odds-flame")
@pytest.mark.parametrize(("ruling", "foot", "vehicle"), [("foot 7", 7, 9), ("foot 9", 9, 7)])
def test_flamethrowers_at_foot(ruling: str, foot: int, vehicle: int) -> None:
    camp = Camp(flame_factors=ruling).add("a1", "flamethrower", "D5").add("d1", "rifle", "D4")
    assert len(do(camp.acting("a1-1").match(*[1] * foot), Flame("a1-1", "D4"))[0].faces) == foot
    camp = Camp(flame_factors=ruling).add("a1", "crocodile", "D5").add("d1", "rifle", "D4", 3)
    match = camp.driving("a1-1").match(*[1] * vehicle, *[1] * vehicle)
    assert len(do(match, Flame("a1-1", "D4"))[0].faces) == vehicle
    do(match, Flame("a1-1", "D4"))
    assert not legal(match, Flame)


@pytest.mark.rule("odds-arc")
def test_a_towed_gun_shoots_into_the_arc_that_starts_in_front() -> None:
    camp = Camp().add("a1", "pak40", "D7", deployed=True)
    for square in ("D6", "C5", "E5", "C6", "E6", "D8", "F5", "B5"):
        camp.add(f"d{square}", "sherman", square)
    match = camp.driving("a1-1").match()
    seen = {match.state.pieces[action.target].at for action in legal(match, Aim)}
    assert seen == {"D6", "C5", "E5", "G4"} - {"G4"} | (
        {"G4"} if "G4" in ground_of(camp.state).arcs["D7"][0] else set()
    )
    assert "C6" not in seen
    do(match, Face(1))
    seen = {match.state.pieces[action.target].at for action in legal(match, Aim)}
    assert "E6" in seen
    assert "D6" not in seen


@pytest.mark.rule("odds-arc")
def test_a_vehicle_without_turret_has_the_same_arc_and_a_turret_none() -> None:
    for kind, free in (("stug3", False), ("panther", True)):
        camp = Camp().add("a1", kind, "D7").add("d1", "sherman", "C6")
        assert bool(legal(camp.driving("a1-1").match(), Aim)) is free


@pytest.mark.rule("shooting-effect")
def test_by_a_ruling_an_immobilised_vehicle_cannot_shoot() -> None:
    for ruling, able in (("yes", True), ("no", False)):
        camp = Camp(immobilised_shoots=ruling).add("a1", "panther", "D7", immobile=True).add("d1", "sherman", "D6")
        assert bool(legal(camp.driving("a1-1").match(), Aim)) is able


@pytest.mark.rule("vehicle-ap-cost-shoot")
def test_machine_gun_and_main_gun_share_three_shots() -> None:
    camp = Camp(return_shooting="none").add("a1", "sherman", "D7").add("d1", "rifle", "D4", 3)
    match = camp.driving("a1-1", ap=12).match(1, 1, 1, 1, 1, 1, 1, 1)
    do(match, Shoot("D4"), Shell("a1-1", "D4"), Shoot("D4"))
    assert piece(match, "a1-1").ap == 12 - 1 - 4 - 1
    assert not legal(match, Shoot)
    assert not legal(match, Shell)
    do(match, Done())


@pytest.mark.rule("vehicle-ap-cost-shoot")
def test_the_main_gun_costs_four_points() -> None:
    camp = Camp().add("a1", "sherman", "D7").add("d1", "panther", "D4")
    assert not legal(camp.driving("a1-1", ap=3).match(), Aim)
    match = camp.driving("a1-1", ap=4).match(1, 1)
    assert found(do(match, Aim("a1-1", "d1-1")), GunShot)[0].result == "missed"


@pytest.mark.rule("odds-flame")
@pytest.mark.parametrize(("ruling", "cost"), [("4", 4), ("2", 2)])
def test_what_a_vehicles_flame_costs_is_a_ruling(ruling: str, cost: int) -> None:
    camp = Camp(flame_cost=ruling).add("a1", "crocodile", "D5").add("d1", "rifle", "D4", 3)
    assert not legal(camp.driving("a1-1", ap=cost - 1).match(), Flame)
    match = camp.driving("a1-1", ap=cost + 1).match(*[1] * 9)
    assert GAME.describe(match.state, "attacker", Flame("a1-1", "D4")).cost.startswith(str(cost))
    do(match, Flame("a1-1", "D4"))
    assert piece(match, "a1-1").ap == 1


@pytest.mark.rule("odds-flame")
@pytest.mark.parametrize(("ruling", "reaches"), [("1", False), ("2", True)])
def test_how_far_flamethrowers_reach_is_a_ruling(ruling: str, reaches: bool) -> None:
    camp = Camp(flame_reach=ruling).add("a1", "flamethrower", "D5").add("d1", "rifle", "D3", 3)
    assert bool(legal(camp.acting("a1-1").match(), Flame)) is reaches
    camp = Camp(flame_reach=ruling).add("a1", "crocodile", "D5").add("d1", "rifle", "D3", 3)
    assert bool(legal(camp.driving("a1-1").match(), Flame)) is reaches
    camp = Camp(flame_reach=ruling, flame_reacts="yes").add("a1", "rifle", "D5", 3).add("d1", "flamethrower", "D3")
    camp.add("d1", "rifle", "D3").frames(Window("defender", "D5", "opportunity"))
    assert bool(legal(camp.match(), Flame)) is reaches


@pytest.mark.rule("shooting-hit")
@pytest.mark.parametrize(("ruling", "modifier"), [("yes", 1), ("no", 0)])
def test_a_foot_flamethrowers_range_counts_by_a_ruling(ruling: str, modifier: int) -> None:
    for kind, expected in (("flamethrower", modifier), ("crocodile", 1)):
        state = Camp(flame_near=ruling).add("a1", kind, "D5").add("d1", "sherman", "D4").state
        tally = hit_tally(state, state.pieces["a1-1"], "D4", state.pieces["d1-1"], reacting=False, flame=True)
        assert tally.total == expected
