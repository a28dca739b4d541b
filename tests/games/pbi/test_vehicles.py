"""Vehicle action points, facing, reversing, groups, guns and transports."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.games.pbi.actions import (
    Activate,
    Aim,
    Assault,
    Deploy,
    Disembark,
    Done,
    Drive,
    Face,
    Forward,
    Keep,
    Man,
    Motivate,
    Move,
    MoveTogether,
    Pack,
    Reroll,
    Reverse,
    Shoot,
    Take,
    Unpin,
    Volley,
)
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import GunSilenced, LeftTable, Lost, PointsRolled
from sandtable.games.pbi.model import Acting, Activation, Units, Window
from sandtable.games.pbi.saves import needed, save_tally


@pytest.mark.rule("vehicle-ap-roll")
@pytest.mark.parametrize(
    ("quality", "faces", "points"),
    [("average", (3, 4), 7), ("veteran", (3, 4), 9), ("raw", (3, 4), 5), ("raw", (1, 1), 2), ("average", (1, 1), 2)],
)
def test_two_dice_and_their_modifiers(quality: str, faces: tuple[int, int], points: int) -> None:
    camp = Camp().unit("a1", "vehicles", quality).add("a1", "sherman", "D6")
    match = camp.frames(Units("attacker"), Activation("a1")).match(*faces)
    assert found(do(match, Drive("a1-1")), PointsRolled)[0].ap == points


@pytest.mark.rule("vehicle-ap-roll")
def test_a_pinned_deployed_gun_has_four_less() -> None:
    camp = Camp().add("a1", "pak40", "D6", deployed=True, pinned=True).add("a2", "officer", "D6", officer=True)
    match = camp.frames(Units("attacker"), Activation("a1")).match(5, 4)
    assert found(do(match, Man("a1-1")), PointsRolled)[0].ap == 5


@pytest.mark.rule("vehicle-ap-cost-pin")
@pytest.mark.parametrize(("face", "free"), [(4, True), (3, False)])
def test_removing_a_guns_pin(face: int, free: bool) -> None:
    camp = Camp().add("a1", "pak40", "D6", deployed=True, pinned=True).add("a2", "officer", "D6", officer=True)
    match = camp.driving("a1-1", ap=3).match(face)
    do(match, Unpin())
    assert piece(match, "a1-1").pinned is not free
    assert piece(match, "a1-1").ap == 2


@pytest.mark.rule("vehicle-ap-cost-leave")
@pytest.mark.parametrize(
    ("cell", "cost"), [(".", 1), ("=", 1), ("h", 2), ("w", 2), ("f", 2), ("W", 5), ("B", 5), ("R", 5)]
)
def test_leaving_a_square_and_one_more_in_reverse(cell: str, cost: int) -> None:
    camp = Camp(rows(D6=cell)).add("a1", "sherman", "D6")
    match = camp.driving("a1-1", ap=8).match()
    do(match, Forward())
    assert (piece(match, "a1-1").at, piece(match, "a1-1").ap) == ("D5", 8 - cost)
    match = camp.driving("a1-1", ap=8).match()
    do(match, Reverse())
    assert (piece(match, "a1-1").at, piece(match, "a1-1").ap) == ("D7", 8 - cost - 1)
    assert piece(match, "a1-1").facing == 0


@pytest.mark.rule("vehicle-ap-cost-facing")
def test_turning_by_45_degrees_costs_a_point() -> None:
    match = Camp().add("a1", "sherman", "D6").driving("a1-1", ap=5).match()
    do(match, Face(1), Forward())
    assert (piece(match, "a1-1").at, piece(match, "a1-1").ap) == ("E5", 3)
    do(match, Face(0), Face(7))
    assert piece(match, "a1-1").facing == 7
    assert set(legal(match, Face)) == {Face(0), Face(6)}


@pytest.mark.rule("vehicle-ap-cost-assault")
def test_a_vehicle_assaults_the_square_in_front_for_four_points() -> None:
    camp = Camp().add("a1", "sherman", "D6").add("d1", "rifle", "D5").add("d1", "rifle", "E6")
    assert not legal(camp.driving("a1-1", ap=3).match(), Assault)
    assert legal(camp.driving("a1-1", ap=4).match(), Assault) == [Assault("D5")]


@pytest.mark.rule("vehicle-ap-cost-disembark")
def test_the_transport_pays_five_points_for_its_men() -> None:
    camp = Camp().add("a1", "m3", "D6").add("a1", "rifle", "D6", 3, within="a1-1")
    assert not legal(camp.driving("a1-1", ap=4).match(), Disembark)
    match = camp.driving("a1-1", ap=6).match()
    do(match, Disembark())
    assert piece(match, "a1-1").ap == 1
    assert match.state.at["D6"] == ("a1-1", "a1-2", "a1-3", "a1-4")


@pytest.mark.rule("vehicle-ap-cost-deploy")
def test_deploying_and_limbering_a_gun_cost_six_points() -> None:
    camp = Camp().add("a1", "carrier", "D6", facing=2).add("a1", "six_pounder", "D6", within="a1-1")
    match = camp.driving("a1-2", ap=8).match()
    do(match, Deploy("a1-2"))
    gun = piece(match, "a1-2")
    assert (gun.deployed, gun.within, gun.facing, gun.ap) == (True, "", 2, 2)
    assert not legal(match, Pack)
    camp = Camp().add("a1", "carrier", "D6").add("a1", "six_pounder", "D6", deployed=True)
    match = camp.driving("a1-2", ap=6).match()
    do(match, Pack("a1-2"))
    assert piece(match, "a1-2").within == "a1-1"
    assert not piece(match, "a1-2").deployed


@pytest.mark.rule("odds-capacity")
@pytest.mark.parametrize(("ruling", "able"), [("two", False), ("none", True)])
def test_a_gun_on_the_hook_takes_two_places(ruling: str, able: bool) -> None:
    camp = Camp(towing=ruling).add("a1", "carrier", "D6").add("a1", "rifle", "D6", 3, within="a1-1")
    camp.add("a1", "six_pounder", "D6", deployed=True)
    assert bool(legal(camp.driving("a1-5", ap=6).match(), Pack)) is able


@pytest.mark.rule("odds-vehicle-group")
def test_a_group_that_only_moves_rolls_once_and_may_roll_again() -> None:
    camp = Camp().add("a1", "sherman", "D6", 2).add("d1", "panther", "D2")
    match = camp.frames(Units("attacker"), Activation("a1")).match(1, 2, 6, 4)
    do(match, MoveTogether("D6"))
    assert set(match.actions("attacker")) == {Keep(), Reroll()}
    do(match, Reroll())
    assert piece(match, "a1-1").ap == piece(match, "a1-2").ap == 10
    assert not legal(match, Aim)
    assert Forward() in match.actions("attacker")


@pytest.mark.rule("odds-vehicle-group")
def test_one_vehicle_is_no_group() -> None:
    camp = Camp().add("a1", "sherman", "D6").add("a1", "sherman", "E6")
    assert not legal(camp.frames(Units("attacker"), Activation("a1")).match(), MoveTogether)


@pytest.mark.rule("odds-vehicle-group")
def test_by_a_ruling_there_is_no_group_move() -> None:
    camp = Camp(group_reroll="none").add("a1", "sherman", "D6", 2)
    assert not legal(camp.frames(Units("attacker"), Activation("a1")).match(), MoveTogether)


# -- transports -----------------------------------------------------------------------------------


@pytest.mark.rule("transports-shooters")
def test_one_weapon_shoots_from_a_transport_its_own_included() -> None:
    camp = Camp(return_shooting="none").add("a1", "m3", "D6").add("a1", "rifle", "D6", 3, within="a1-1")
    camp.add("a1", "lmg", "D6", within="a1-1").add("d1", "rifle", "D4", 3)
    match = camp.acting("a1-2", "a1-3", "a1-4", "a1-5", ap=2).match(1, 1)
    events = do(match, Shoot("D4"))
    assert len(events[0].faces) == 2  # the light machine-gun alone
    assert piece(match, "a1-2").ap == 2
    match = camp.driving("a1-1", ap=4).match(1, 1, 1)
    do(match, Shoot("D4"))
    assert piece(match, "a1-1").weapon == "a1-1"


@pytest.mark.rule("transports-shooters")
@pytest.mark.parametrize("kind", ["m3", "t34", "crocodile"])
def test_once_the_vehicle_has_shot_its_men_do_not(kind: str) -> None:
    camp = Camp(return_shooting="none").add("a1", kind, "D6").add("a2", "rifle", "D6", within="a1-1")
    match = camp.add("d1", "rifle", "D4").driving("a1-1", ap=1).match(1, 1, 1, 4)
    do(match, Shoot("D4"), Activate("a2"))
    match.state.pieces["a2-1"] = replace(piece(match, "a2-1"), ap=3)
    match.state.stack.append(Acting("a2", (("a2-1",),)))
    assert not legal(match, Shoot)


@pytest.mark.rule("transports-shooters")
def test_once_one_of_the_men_has_shot_nobody_else_does() -> None:
    camp = Camp(return_shooting="none").add("a1", "t34", "D6").add("a2", "lmg", "D6", within="a1-1")
    camp.add("a2", "rifle", "D6", within="a1-1").add("d1", "rifle", "D4", 3)
    match = camp.acting("a2-1", "a2-2", ap=4).match(*[1] * 6)
    do(match, Shoot("D4"), Shoot("D4"), Shoot("D4"))
    assert piece(match, "a2-1").shots == 3
    assert not legal(match, Shoot)
    tank = Camp().add("a1", "t34", "D6", weapon="a2-1").add("a2", "lmg", "D6", within="a1-1").add("d1", "rifle", "D4")
    assert not legal(tank.driving("a1-1").match(), Shoot)


@pytest.mark.rule("transports-shooters")
def test_in_the_enemys_turn_too_one_weapon_shoots_from_a_transport() -> None:
    camp = Camp().add("d1", "m3", "D4").add("d1", "lmg", "D4", within="d1-1").add("d1", "rifle", "D4", within="d1-1")
    match = camp.add("a1", "rifle", "D6", 3).frames(Window("defender", "D6", "opportunity")).match(1, 1, 1)
    do(match, Volley("d1-1"))
    assert not [frame for frame in match.state.stack if isinstance(frame, Window)]


@pytest.mark.rule("transports-saves")
@pytest.mark.parametrize(("kind", "score"), [("truck", 4), ("m3", 2), ("t34", 4)])
def test_men_on_transports_save_by_what_they_ride(kind: str, score: int) -> None:
    camp = Camp().add("d1", kind, "D4").add("d1", "rifle", "D4", within="d1-1", moved=1)
    assert needed(save_tally(camp.state, camp.state.pieces["d1-2"], "D5", "small arms")) == score


@pytest.mark.rule("transports-clustering")
def test_clustering_counts_bases_on_the_ground_only() -> None:
    camp = Camp().add("a1", "m3", "D5").add("a1", "rifle", "D5", 4, within="a1-1").add("a1", "rifle", "D5", 7)
    camp.add("a2", "rifle", "D6", 2)
    assert "D5" in [action.to for action in legal(camp.acting("a2-1").match(), Move)]
    assert "D5" not in [action.to for action in legal(camp.acting("a2-1", "a2-2").match(), Move)]


@pytest.mark.rule("transports-wheeled")
@pytest.mark.parametrize(("kind", "leaves"), [("truck", True), ("jeep", False), ("m3", False)])
def test_an_empty_wheeled_transport_leaves_unless_it_has_a_machine_gun(kind: str, leaves: bool) -> None:
    camp = Camp().add("a1", kind, "D6").add("a1", "rifle", "D6", 2, within="a1-1")
    match = camp.acting("a1-2", "a1-3", ap=2).match()
    events = do(match, Disembark())
    assert bool(found(events, LeftTable)) is leaves
    assert ("a1-1" in match.state.pieces) is not leaves


@pytest.mark.rule("transports-destroyed")
def test_men_in_a_destroyed_transport_save_with_five_or_six() -> None:
    camp = Camp(return_shooting="none").add("a1", "sherman", "D6").add("d1", "truck", "D4")
    camp.add("d1", "rifle", "D4", 3, within="d1-1").add("d1", "pak38", "D4", within="d1-1").add("d2", "rifle", "A1", 3)
    match = camp.driving("a1-1").match(6, 6, *[3] * 7, 5, 4, 6)
    events = do(match, Aim("a1-1", "d1-1"))
    assert {event.piece for event in found(events, Lost)} == {"d1-1", "d1-2", "d1-5"}
    assert match.state.at["D4"] == ("d1-3", "d1-4")


@pytest.mark.rule("transports-destroyed")
@pytest.mark.rule("assault-vehicle-save")
def test_the_dead_are_their_owners_choice() -> None:
    camp = Camp(return_shooting="none").add("a1", "sherman", "D6").add("d1", "truck", "D4")
    camp.add("d1", "lmg", "D4", within="d1-1").add("d1", "rifle", "D4", 2, within="d1-1").add("d2", "rifle", "A1", 3)
    match = camp.driving("a1-1").match(6, 6, *[3] * 7, 1, 6, 6)
    do(match, Aim("a1-1", "d1-1"))
    assert match.to_act == ("defender",)
    assert set(legal(match, Take)) == {Take("d1-2"), Take("d1-3")}
    do(match, Take("d1-3"))
    assert match.state.at["D4"] == ("d1-2", "d1-4")


@pytest.mark.rule("odds-capacity")
def test_a_tank_carries_four_riders_who_move_with_it() -> None:
    camp = Camp().add("a1", "t34", "D6").add("a2", "smg", "D6", 4, within="a1-1")
    match = camp.driving("a1-1", ap=2).match()
    do(match, Forward())
    assert {piece(match, f"a2-{n}").at for n in range(1, 5)} == {"D5"}
    assert {piece(match, f"a2-{n}").moved for n in range(1, 5)} == {1}


def test_mounted_groups_are_motivated_by_their_vehicle() -> None:
    camp = Camp().add("a1", "m3", "D6").add("a1", "officer", "D6", within="a1-1", officer=True)
    match = camp.frames(Units("attacker")).match(4)
    do(match, Activate("a1"))
    assert set(legal(match, Motivate)) == {Motivate("a1-1")}
    do(match, Motivate("a1-1"), Done())


@pytest.mark.rule("odds-capacity")
def test_every_transport_holds_four() -> None:
    transports = [kind for kind in KINDS.values() if kind.transport]
    assert {kind.capacity for kind in transports} == {4}


@pytest.mark.rule("transports-wheeled")
def test_a_truck_emptied_by_a_rout_leaves_too() -> None:
    camp = Camp().add("a1", "truck", "D6").add("a3", "rifle", "A8", 3).add("d1", "rifle", "A1", 3)
    camp.unit("a2", casualties=4).add("a2", "rifle", "D6", 3, within="a1-1")
    match = camp.frames(step=2).match(6, 6)
    assert "a2-1" not in match.state.pieces
    assert "a1-1" not in match.state.pieces


@pytest.mark.rule("transports-saves")
@pytest.mark.parametrize(
    ("kind", "face", "lost"), [("m3", 1, True), ("m3", 2, False), ("jeep", 3, True), ("jeep", 4, False)]
)
def test_the_machine_gun_of_a_transport_saves_as_its_men_do(kind: str, face: int, lost: bool) -> None:
    camp = Camp(return_shooting="none").add("a1", "rifle", "D6").add("d1", kind, "D4").add("d2", "rifle", "A1", 3)
    camp.add("d1", "rifle", "A1", 3)
    match = camp.acting("a1-1").match(4, face)
    events = do(match, Shoot("D4"))
    assert bool(found(events, GunSilenced)) is lost
    assert bool(found(events, LeftTable)) is (lost and kind == "jeep")
    safe = Camp(mounted_mg="safe").add("a1", "rifle", "D6").add("d1", kind, "D4")
    assert not legal(safe.acting("a1-1").match(), Shoot)


@pytest.mark.rule("transports-saves")
def test_a_lost_machine_gun_shoots_no_more_and_is_no_target() -> None:
    camp = Camp().add("a1", "m3", "D6", silenced=True).add("d1", "rifle", "D4")
    assert not legal(camp.driving("a1-1").match(), Shoot)
    camp = Camp().add("a1", "rifle", "D6").add("d1", "m3", "D4", silenced=True).add("d2", "sherman", "D4")
    assert not legal(camp.acting("a1-1").match(), Shoot)
