"""Mortars, off-table artillery and smoke."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.engine.errors import IllegalAction
from sandtable.games.pbi.actions import (
    Accept,
    AskReroll,
    Bomb,
    Done,
    Encourage,
    PlacePattern,
    Shape,
    Shoot,
    Take,
    UseAsset,
)
from sandtable.games.pbi.artillery import artillery_save
from sandtable.games.pbi.events import Drifted, Lost, MadeImmobile, PinnedDown, SmokeLifted
from sandtable.games.pbi.model import Assets, Commander, Placing, Units
from sandtable.games.pbi.saves import is_soft, soft_targets


def mortar(*, table: tuple[str, ...] | None = None, **rulings: str) -> Camp:
    camp = Camp(table or rows(), **{"deviation_reroll": "none", **rulings})
    return camp.add("a1", "medium_mortar", "D8", deployed=True)


@pytest.mark.rule("artillery-place")
def test_a_mortars_shots_of_a_turn_are_all_on_the_same_square() -> None:
    camp = mortar().add("d1", "sherman", "D4").add("d2", "sherman", "F4")
    match = camp.acting("a1-1").match(3)
    assert Bomb("a1-1", "D4", False, 2) in match.actions("attacker")
    do(match, Bomb("a1-1", "D4"))
    assert not legal(match, Bomb)  # the die for deviation comes after all shots are placed
    with pytest.raises(IllegalAction, match="places all its shots of a turn at once"):
        match.apply("attacker", Bomb("a1-1", "D4"))


@pytest.mark.rule("artillery-place")
def test_off_table_shots_are_four_squares_in_a_square_or_row() -> None:
    match = Camp().add("a1", "rifle", "D8").frames(Placing("attacker", False), step=1).match()
    placings = legal(match, PlacePattern)
    for shape in ("row", "column"):
        do(match, Shape(shape))
        placings += legal(match, PlacePattern)
    assert len(placings) == 49 + 40 + 40
    shapes = {(action.at, action.shape) for action in placings}
    assert ("A1", "square") in shapes
    assert ("E1", "row") in shapes
    assert ("F1", "row") not in shapes
    assert ("A6", "column") not in shapes


@pytest.mark.rule("artillery-place")
@pytest.mark.parametrize(
    ("shape", "at", "aim", "others"),
    [("square", "D4", "D4", ["D5", "E4", "E5"]), ("row", "D4", "E4", ["D4", "F4", "G4"])],
)
def test_a_strike_is_placed_by_pointing_at_one_of_its_squares(shape: str, at: str, aim: str, others: list[str]) -> None:
    match = Camp().add("a1", "rifle", "D8").frames(Placing("attacker", False, shape), step=1).match()
    cells = match.describe("attacker", PlacePattern(at, shape)).cells
    assert (cells[-1], sorted(cells[:-1])) == (aim, others)
    goals = [match.describe("attacker", action).cells[-1] for action in legal(match, PlacePattern)]
    assert len(goals) == len(set(goals))  # one strike for each square that is pointed at


@pytest.mark.rule("artillery-deviation")
@pytest.mark.parametrize(("face", "fell"), [(1, "D5"), (2, "D4"), (5, "D4"), (6, "D3")])
def test_a_mortar_deviates_one_square_short_or_over(face: int, fell: str) -> None:
    camp = mortar().add("d1", "sherman", "D4")
    events = do(camp.acting("a1-1").match(face), Bomb("a1-1", "D4"))
    assert found(events, Drifted)[0].fell == (fell,)


@pytest.mark.rule("artillery-deviation")
@pytest.mark.parametrize(
    ("faces", "fell"),
    [
        ((1, 1), "D6"),
        ((1, 2), "D5"),
        ((2, 2), "D5"),
        ((2, 3), "D4"),
        ((4, 5), "D4"),
        ((5, 5), "D3"),
        ((5, 6), "D3"),
        ((6, 6), "D2"),
    ],
)
def test_off_table_shots_deviate_square_by_square(faces: tuple[int, int], fell: str) -> None:
    camp = Camp(deviation_reroll="none").add("a1", "rifle", "A8")
    match = camp.frames(Placing("attacker", True, "row"), step=1).match(*faces, 3, 4, 3, 4, 3, 4)
    events = do(match, PlacePattern("D4", "row"))
    assert found(events, Drifted)[0].fell == (fell, "E4", "F4", "G4")


@pytest.mark.rule("artillery-deviation")
def test_the_defenders_shots_go_the_other_way_and_may_leave_the_table() -> None:
    camp = Camp(deviation_reroll="none").add("d1", "rifle", "A1").add("a1", "rifle", "H8")
    match = camp.frames(Placing("defender", True, "row"), side="defender", step=1).match(6, 6, 3, 4, 3, 4, 3, 4)
    assert found(do(match, PlacePattern("A7", "row")), Drifted)[0].fell == ("", "B7", "C7", "D7")


@pytest.mark.rule("artillery-reroll")
def test_the_battles_defender_may_have_one_square_rolled_again() -> None:
    camp = Camp().add("a1", "rifle", "A8").frames(Placing("attacker", True, "row"), step=1)
    match = camp.match(6, 6, 3, 4, 3, 4, 3, 4, 3, 4)
    do(match, PlacePattern("D4", "row"))
    assert match.to_act == ("defender",)
    events = do(match, AskReroll(0))
    assert found(events, Drifted)[0].fell == ("D4", "E4", "F4", "G4")


@pytest.mark.rule("artillery-reroll")
def test_the_attacker_is_never_asked_to_roll_again() -> None:
    camp = Camp().add("d1", "rifle", "A1").add("a1", "rifle", "H8")
    match = camp.frames(Placing("defender", True, "row"), side="defender", step=1).match(6, 6, 3, 4, 3, 4, 3, 4)
    do(match, PlacePattern("D7", "row"))
    assert not [action for action in match.actions("attacker") if isinstance(action, AskReroll)]


@pytest.mark.rule("artillery-reroll")
def test_by_a_ruling_the_player_shot_at_may_ask() -> None:
    camp = Camp(deviation_reroll="player shot at").add("d1", "medium_mortar", "D1", deployed=True)
    match = camp.add("a1", "rifle", "D6").acting("d1-1").match(3)
    do(match, Bomb("d1-1", "D6", True))
    assert match.to_act == ("attacker",)
    do(match, Accept())
    assert match.state.smoke == {"D6": "defender"}


@pytest.mark.rule("artillery-mortar-he")
def test_two_dice_on_each_of_foot_guns_and_men_on_open_transports() -> None:
    camp = mortar().add("d1", "rifle", "D4").add("d1", "truck", "D4").add("d1", "lmg", "D4", within="d1-2")
    camp.add("d1", "m3", "D4").add("d1", "smg", "D4", within="d1-4").add("d2", "pak38", "D4", deployed=True)
    match = camp.acting("a1-1").match(3, 6, 1, 2, 1, 1, 1, 1, 1)
    events = do(match, Bomb("a1-1", "D4"))
    assert [event.piece for event in found(events, Lost)] == ["d1-1"]
    thrown = [event for event in events if getattr(event, "why", "").startswith("bombs")]
    assert len(thrown) == 3  # the rifles, the light machine-gun on the truck, the gun; not the men in the half-track


@pytest.mark.rule("artillery-mortar-he")
def test_the_third_mortar_hit_on_a_square_pins_everybody() -> None:
    camp = mortar().add("d1", "rifle", "D4")
    camp.state.bombed["D4"] = 2
    events = do(camp.acting("a1-1").match(3, 1, 1), Bomb("a1-1", "D4"))
    assert found(events, PinnedDown)
    quiet = mortar(third_mortar="nothing").add("d1", "rifle", "D4")
    quiet.state.bombed["D4"] = 2
    assert not found(do(quiet.acting("a1-1").match(3, 1, 1), Bomb("a1-1", "D4")), PinnedDown)


@pytest.mark.rule("artillery-mortar-he")
@pytest.mark.parametrize(("ruling", "dice"), [("yes", 1), ("no", 0)])
def test_tank_riders_are_in_the_open(ruling: str, dice: int) -> None:
    camp = mortar(riders_bombed=ruling).add("d1", "t34", "D4").add("d2", "smg", "D4", within="d1-1")
    events = do(camp.acting("a1-1").match(3, *[1, 1] * dice), Bomb("a1-1", "D4"))
    assert len([event for event in events if getattr(event, "why", "").startswith("bombs")]) == dice


@pytest.mark.rule("artillery-mortar-he")
@pytest.mark.parametrize("ruling", ["yes", "no"])
def test_men_on_a_truck_are_bombed_whatever_is_ruled_about_tanks(ruling: str) -> None:
    camp = mortar(riders_bombed=ruling).add("d1", "truck", "D4").add("d2", "smg", "D4", within="d1-1")
    assert [man.id for man in soft_targets(camp.state, "D4", "bombs")] == ["d2-1"]


@pytest.mark.rule("artillery-mortar-he")
def test_by_a_ruling_the_dice_are_rolled_once_for_the_square() -> None:
    camp = mortar(he_dice="square").add("d1", "rifle", "D4", 3)
    events = do(camp.acting("a1-1").match(3, 6, 1, 1), Bomb("a1-1", "D4"))
    assert len(found(events, Lost)) == 1


@pytest.mark.rule("artillery-off-table-he")
@pytest.mark.parametrize(
    ("kind", "score"), [("pak40", 5), ("truck", 5), ("m3", 4), ("m8", 4), ("m10", 4), ("panzer4", 3), ("tiger", 3)]
)
def test_saves_of_vehicles_and_guns(kind: str, score: int) -> None:
    camp = Camp().add("d1", kind, "D4")
    assert artillery_save(camp.state.pieces["d1-1"]).total == score


@pytest.mark.rule("artillery-off-table-he")
def test_three_dice_on_everything_and_no_save_immobilises() -> None:
    camp = Camp(deviation_reroll="none").add("a1", "rifle", "A8").add("d1", "sherman", "D4").add("d1", "sherman", "D3")
    camp.add("d2", "rifle", "D4")
    dice = [3, 4, 3, 4, 3, 4, 3, 4, 6, 1, 1, 2, 1, 1, 1, 1, 1, 1]
    events = do(camp.frames(Placing("attacker", False), step=1).match(*dice), PlacePattern("D4", "square"))
    assert [event.piece for event in found(events, MadeImmobile)] == ["d1-1"]
    assert not found(events, Lost)


@pytest.mark.rule("artillery-off-table-he")
def test_foot_take_their_normal_save_and_a_second_failure_destroys_a_vehicle() -> None:
    camp = Camp(deviation_reroll="none").add("a1", "rifle", "A8").add("d1", "truck", "D4")
    camp.add("d1", "rifle", "D4", within="d1-1").add("d2", "rifle", "A1", 3)
    # the rifles on it are missed; both saves of the truck fail: immobilised, morale holds, destroyed; they escape
    dice = [3, 4, 3, 4, 3, 4, 3, 4, 1, 1, 1, 6, 6, 1, 4, 1, 1, 4, 5]
    match = camp.frames(Placing("attacker", False), step=1).match(*dice)
    events = do(match, PlacePattern("D4", "square"))
    assert [event.piece for event in found(events, Lost)] == ["d1-1"]
    assert match.state.at["D4"] == ("d1-2",)


@pytest.mark.rule("artillery-smoke")
def test_nobody_shoots_in_or_out_of_smoke() -> None:
    camp = mortar().add("a1", "rifle", "D7").add("d1", "rifle", "D5")
    assert legal(camp.acting("a1-2").match(), Shoot)
    for square in ("D5", "D7", "D6"):
        camp.state.smoke = {square: "attacker"}
        assert not legal(camp.acting("a1-2").match(), Shoot)


@pytest.mark.rule("odds-smoke")
def test_by_a_ruling_smoke_between_does_not_matter() -> None:
    camp = Camp(smoke_between="only in or out").add("a1", "rifle", "D7").add("d1", "rifle", "D5")
    camp.state.smoke = {"D6": "attacker"}
    assert legal(camp.acting("a1-1").match(), Shoot)


@pytest.mark.rule("artillery-smoke-upkeep")
@pytest.mark.parametrize(("face", "stays"), [(3, True), (2, False)])
@pytest.mark.rule("turn-smoke")
def test_smoke_is_kept_on_three_or_more(face: int, stays: bool) -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d1", "rifle", "D1", 3)
    camp.state.smoke = {"D5": "attacker", "E5": "defender"}
    match = camp.frames(Units("attacker")).match(face)
    events = do(match, Done())
    assert ("D5" in match.state.smoke) is stays
    assert [event.at for event in found(events, SmokeLifted)] == ([] if stays else ["D5"])
    assert "E5" in match.state.smoke


@pytest.mark.rule("artillery-place")
def test_an_officer_may_see_for_a_mortar() -> None:
    table = rows(D6="W", C6="W", E6="W")
    camp = mortar(table=table).add("d1", "rifle", "D4").add("a2", "officer", "D5", officer=True)
    assert Bomb("a1-1", "D4") in legal(camp.acting("a1-1").match(), Bomb)
    blind = mortar(table=table, mortar_sight="own").add("d1", "rifle", "D4").add("a2", "officer", "D5", officer=True)
    assert Bomb("a1-1", "D4") not in legal(blind.acting("a1-1").match(), Bomb)


@pytest.mark.rule("turn-assets")
def test_one_asset_a_turn_unless_the_ruling_says_any() -> None:
    for ruling, more in (("1", False), ("any", True)):
        camp = Camp(assets_per_turn=ruling).add("a1", "rifle", "D7", 3).add("d1", "rifle", "D1", 3)
        camp.add("a0", "commander", "D8", officer=True)
        camp.state.assets = {"attacker": ("hurry", "smoke")}
        match = camp.frames(Assets("attacker"), step=1).match()
        do(match, UseAsset("hurry"))
        assert match.state.assets["attacker"] == ("smoke",)
        assert match.state.hurry == {"attacker": 1}
        assert isinstance(match.state.stack[-1], Assets if more else Commander)


@pytest.mark.rule("turn-assets")
def test_encouragement_removes_all_pins_of_a_unit() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3, pinned=True).add("d1", "rifle", "D1", 3)
    camp.state.assets = {"attacker": ("encourage",)}
    match = camp.frames(Assets("attacker"), step=1).match()
    do(match, UseAsset("encourage"), Encourage("a1"))
    assert not piece(match, "a1-1").pinned
    assert is_soft(match.state, "D7")


@pytest.mark.rule("odds-smoke")
def test_a_mortar_shoots_neither_out_of_smoke_nor_into_it() -> None:
    camp = mortar().add("a1", "officer", "E7", officer=True).add("d1", "rifle", "D4", 3)
    assert Bomb("a1-1", "D4") in camp.acting("a1-1").match().actions("attacker")
    camp.state.smoke = {"D8": "defender"}
    assert not legal(camp.acting("a1-1").match(), Bomb)
    camp.state.smoke = {"D4": "defender"}
    assert "D4" not in [action.at for action in legal(camp.acting("a1-1").match(), Bomb)]


@pytest.mark.rule("artillery-off-table-he")
@pytest.mark.parametrize(("ruling", "dice"), [("yes", 2), ("only with the transport", 1)])
def test_off_table_shells_fall_on_men_in_transports_too(ruling: str, dice: int) -> None:
    camp = Camp(deviation_reroll="none", carried_shelled=ruling).add("a1", "rifle", "A8")
    camp.add("d1", "m3", "D4").add("d1", "rifle", "D4", within="d1-1").add("d2", "rifle", "H1", 3)
    match = camp.frames(Placing("attacker", False, "row"), step=1).match(*[3, 4] * 4, *[1] * 3 * dice)
    events = do(match, PlacePattern("D4", "row"))
    assert len([event for event in events if getattr(event, "why", "").startswith("bombs")]) == dice


@pytest.mark.rule("odds-smoke")
@pytest.mark.parametrize(
    ("ruling", "smoke", "able"),
    [("not on smoke", False, False), ("not on smoke", True, True), ("anywhere", False, True)],
)
def test_off_table_high_explosive_is_not_placed_on_smoke(ruling: str, smoke: bool, able: bool) -> None:
    camp = Camp(smoke_artillery=ruling).add("a1", "rifle", "A8")
    camp.state.smoke = {"E4": "defender"}
    match = camp.frames(Placing("attacker", smoke, "row"), step=1).match()
    assert (PlacePattern("D4", "row") in match.actions("attacker")) is able
    assert PlacePattern("D3", "row") in match.actions("attacker")


def strike(**rulings: str) -> Camp:
    """Off-table high explosive of which only the shot on D4 falls on somebody."""
    return Camp(he_dice="square", deviation_reroll="none", **rulings).add("a1", "rifle", "A8", 3)


ON_TARGET = (3, 4) * 4


@pytest.mark.rule("artillery-off-table-he")
def test_with_dice_for_the_square_the_owner_may_give_a_shell_to_a_vehicle() -> None:
    camp = strike().add("d1", "panzer4", "D4").add("d1", "panzer4", "H1").add("d2", "rifle", "D4", 3)
    match = camp.frames(Placing("attacker", False), step=1).match(*ON_TARGET, 6, 6, 1, 2, 1, 1, 1)
    do(match, PlacePattern("D4", "square"))
    assert {action.piece for action in legal(match, Take)} == {"d1-1", "d2-1"}
    do(match, Take("d1-1"))
    assert piece(match, "d1-1").immobile
    assert "d2-1" not in match.state.pieces


@pytest.mark.rule("artillery-off-table-he")
@pytest.mark.parametrize(("ruling", "choices"), [("yes", {"d1-1", "d2-1"}), ("only with the transport", set())])
def test_with_dice_for_the_square_men_in_transports_take_shells_by_the_ruling(ruling: str, choices: set[str]) -> None:
    camp = strike(carried_shelled=ruling).add("d1", "m3", "D4").add("d2", "rifle", "D4", 3, within="d1-1")
    match = camp.frames(Placing("attacker", False), step=1).match(*ON_TARGET, 6, 1, 1, 6)
    do(match, PlacePattern("D4", "square"))
    assert {action.piece for action in legal(match, Take)} == choices


@pytest.mark.rule("artillery-mortar-he")
def test_with_dice_for_the_square_men_behind_armour_take_no_mortar_hit() -> None:
    camp = mortar(he_dice="square").add("d1", "m3", "D4").add("d2", "rifle", "D4", 2, within="d1-1")
    match = camp.add("d3", "smg", "D4", 3).acting("a1-1").match(3, 6, 1, 1)
    assert [event.piece for event in found(do(match, Bomb("a1-1", "D4")), Lost)] == ["d3-1"]


@pytest.mark.rule("artillery-mortar-he")
def test_a_second_shot_on_a_square_that_the_first_emptied_hurts_nobody() -> None:
    camp = mortar(he_dice="square").add("d1", "rifle", "D4").add("d1", "lmg", "D4").add("d1", "rifle", "A1", 3)
    match = camp.acting("a1-1").match(3, 6, 6, 6, 6, 1, 1)
    do(match, Bomb("a1-1", "D4", False, 2))
    do(match, Take("d1-1"))
    assert "D4" not in match.state.at
    assert match.to_act == ("attacker",)
