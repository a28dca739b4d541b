"""Assault: dice, casualties, results, vehicles and guns."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.engine import Play, ScriptedDice
from sandtable.games.pbi.actions import Aim, Assault, Hold, Take
from sandtable.games.pbi.assault import FightProcedure, assaulter_dice, side_dice, target_dice, vehicle_save
from sandtable.games.pbi.events import AssaultEnded, FellBack, Lost, MadeImmobile, Saved
from sandtable.games.pbi.model import Fight
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.sound import check


def own_dice(camp: Camp, id: str, square: str = "D5") -> float:
    return assaulter_dice(camp.state, camp.state.pieces[id], square).total


def their_dice(camp: Camp, id: str) -> float:
    return target_dice(camp.state, camp.state.pieces[id]).total


@pytest.mark.rule("assault-dice")
def test_every_base_and_tank_has_three_dice_to_begin_with() -> None:
    camp = Camp().add("a1", "rifle", "D6", moved=1).add("d1", "rifle", "D5")
    assert own_dice(camp, "a1-1") == 3
    assert their_dice(camp, "d1-1") == 3


@pytest.mark.rule("assault-assaulter")
@pytest.mark.parametrize(
    ("kind", "quality", "values", "cell", "dice"),
    [
        ("rifle", "average", {}, ".", 5),
        ("smg", "average", {"moved": 1}, ".", 4),
        ("assault_rifle", "average", {"moved": 1}, ".", 4),
        ("rifle", "veteran", {"moved": 1}, ".", 4),
        ("rifle", "average", {"moved": 1, "officer": True}, ".", 4),
        ("satchel", "average", {"moved": 1}, ".", 4),
        ("satchel", "veteran", {"moved": 1, "officer": True}, ".", 4),
        ("rifle", "average", {"moved": 1}, "W", 2),
        ("rifle", "average", {"moved": 1}, "B", 2),
        ("rifle", "average", {"moved": 1}, "R", 2),
        ("rifle", "average", {"moved": 1}, "h", 3),
        ("rifle", "raw", {"moved": 1}, ".", 2),
        ("faust", "average", {"moved": 1}, ".", 3),
        ("mmg", "veteran", {}, ".", 1),
        ("light_mortar", "average", {}, ".", 1),
        ("medium_mortar", "average", {}, ".", 1),
        ("bazooka", "veteran", {}, ".", 1),
        ("at_rifle", "average", {}, ".", 1),
        ("sherman", "average", {}, ".", 6),
        ("sherman", "average", {}, "W", 2),
        ("m8", "average", {}, ".", 4),
        ("m8", "average", {}, "B", 2),
        ("sherman", "veteran", {}, ".", 7),
    ],
)
def test_dice_of_an_assaulter(kind: str, quality: str, values: dict[str, object], cell: str, dice: int) -> None:
    camp = Camp(rows(D5=cell)).unit("a1", quality=quality).add("a1", kind, "D6", **values)
    assert own_dice(camp, "a1-1") == dice


@pytest.mark.rule("assault-assaulter")
def test_one_flamethrower_adds_three_dice_and_a_second_none() -> None:
    camp = Camp().add("a1", "flamethrower", "D6", 2, moved=1)
    fighters = list(camp.state.pieces.values())
    assert side_dice(camp.state, fighters[:1], "D5", assaulting=True).total == 6
    assert side_dice(camp.state, fighters, "D5", assaulting=True).total == 9


@pytest.mark.rule("assault-assaulter")
def test_two_of_the_men_on_a_vehicle_fight_with_a_die_each() -> None:
    camp = (
        Camp(assault_reaction="no")
        .add("a1", "t34", "D6")
        .add("a2", "smg", "D6", 4, within="a1-1")
        .add("d1", "rifle", "D5")
    )
    match = camp.driving("a1-1").match(*[1] * 8, *[1] * 3, 1)
    events = do(match, Assault("D5"))
    assert [len(event.faces) for event in events if hasattr(event, "faces")][:2] == [6 + 2, 3]


@pytest.mark.rule("assault-target")
@pytest.mark.parametrize(
    ("kind", "quality", "values", "cell", "dice"),
    [
        ("rifle", "average", {}, ".", 3),
        ("smg", "average", {}, ".", 4),
        ("assault_rifle", "average", {}, ".", 4),
        ("satchel", "average", {}, ".", 4),
        ("rifle", "veteran", {}, ".", 4),
        ("rifle", "raw", {}, ".", 2),
        ("rifle", "average", {"pinned": True}, ".", 2),
        ("rifle", "average", {}, "W", 3),
        ("mmg", "average", {}, ".", 2),
        ("medium_mortar", "average", {}, ".", 2),
        ("light_mortar", "average", {}, ".", 3),
        ("bazooka", "average", {}, ".", 2),
        ("pak40", "average", {}, ".", 2),
        ("pak40", "average", {"pinned": True}, ".", 1),
        ("sherman", "average", {}, ".", 6),
        ("sherman", "average", {}, "W", 3),
        ("m8", "average", {}, ".", 4),
        ("m8", "average", {}, "R", 3),
    ],
)
def test_dice_of_a_target(kind: str, quality: str, values: dict[str, object], cell: str, dice: int) -> None:
    camp = Camp(rows(D5=cell)).unit("d1", quality=quality).add("d1", kind, "D5", **values)
    assert their_dice(camp, "d1-1") == dice


@pytest.mark.rule("assault-target")
def test_a_targets_flamethrower_adds_three_dice() -> None:
    camp = Camp().add("d1", "flamethrower", "D5", 2)
    assert side_dice(camp.state, list(camp.state.pieces.values()), "D5", assaulting=False).total == 9


@pytest.mark.rule("assault-dice")
def test_rulings_about_the_fewest_dice_and_about_transports() -> None:
    weak = Camp().unit("d1", quality="raw").add("d1", "mmg", "D5", pinned=True)
    pieces = list(weak.state.pieces.values())
    assert side_dice(weak.state, pieces, "D5", assaulting=False).total == 1
    none = Camp(assault_minimum="0").unit("d1", quality="raw").add("d1", "mmg", "D5", pinned=True)
    assert side_dice(none.state, list(none.state.pieces.values()), "D5", assaulting=False).total == 0
    assert their_dice(Camp().add("d1", "faust", "D5"), "d1-1") == 3
    assert their_dice(Camp(panzerfaust_target="yes").add("d1", "faust", "D5"), "d1-1") == 2
    assert their_dice(Camp().add("d1", "truck", "D5"), "d1-1") == 0
    assert their_dice(Camp().add("d1", "m3", "D5"), "d1-1") == 1
    assert their_dice(Camp(transport_dice="three").add("d1", "truck", "D5"), "d1-1") == 3


def duel(own: int = 2, enemies: int = 2, **rulings: str) -> Camp:
    camp = Camp(**{"assault_reaction": "no", **rulings}).add("a1", "rifle", "D6", own, moved=1)
    camp.add("a2", "rifle", "A8", 3).add("d2", "rifle", "H1", 3)
    return camp.add("d1", "rifle", "D5", enemies)


@pytest.mark.rule("assault-results")
def test_every_six_kills_and_the_winners_bases_roll_again() -> None:
    camp = duel(2, 3)
    # six dice with two sixes against nine with one; then one assaulter left rolls a 6 in pursuit
    dice = (6, 6, 1, 1, 1, 1, 6, *[1] * 8, 6)
    match = camp.acting("a1-1", "a1-2").match(*dice)
    events = do(match, Assault("D5"))
    assert len([event for event in found(events, Lost) if event.side == "defender"]) == 3
    assert found(events, AssaultEnded)[0].won
    assert piece(match, next(id for id in match.state.at["D5"])).side == "attacker"


@pytest.mark.rule("assault-results")
def test_the_owner_chooses_his_casualties() -> None:
    camp = duel(2, 1).add("d1", "lmg", "D5")
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 6, 1, 1)
    do(match, Assault("D5"))
    assert match.to_act == ("defender",)
    assert {action.piece for action in legal(match, Take)} == {"d1-1", "d1-2"}
    events = do(match, Take("d1-2"))
    assert [event.piece for event in found(events, Lost)] == ["d1-2"]


@pytest.mark.rule("assault-target-wins")
@pytest.mark.parametrize("kills", [0, 1])
def test_a_draw_beats_the_assault_off(kills: int) -> None:
    camp = duel(2, 2)
    sixes = [6] * kills
    left = 2 - kills
    dice = [*sixes, *[1] * (6 - kills), *sixes, *[1] * (6 - kills), *[1] * left]
    match = camp.acting("a1-1", "a1-2").match(*dice)
    events = do(match, Assault("D5"))
    assert not found(events, AssaultEnded)[0].won
    survivors = [p for p in match.state.pieces.values() if p.unit == "a1"]
    assert all(p.pinned and p.at == "D6" and not p.ap for p in survivors)
    assert match.to_act == ("attacker",)  # nobody may shoot at him


@pytest.mark.rule("assault-target-wins")
def test_the_targets_bases_roll_for_more_kills() -> None:
    match = duel(2, 2).acting("a1-1", "a1-2").match(*[1] * 6, 6, *[1] * 5, 6, 1)
    events = do(match, Assault("D5"))
    assert len([event for event in found(events, Lost) if event.side == "attacker"]) == 2
    assert match.state.units["a1"].gone


@pytest.mark.rule("assault-target-wins")
def test_by_a_ruling_the_assaulter_goes_one_square_further_back() -> None:
    match = duel(1, 1, assaulter_falls_back="one further").acting("a1-1").match(1, 1, 1, 1, 1, 1, 1)
    do(match, Assault("D5"))
    assert piece(match, "a1-1").at == "D7"


@pytest.mark.rule("assault-assaulter-wins")
def test_the_target_falls_back_two_squares_pinned_and_may_shoot() -> None:
    camp = duel(2, 3).add("d3", "rifle", "E3")
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 9, 1, 1)
    events = do(match, Assault("D5"))
    assert found(events, FellBack)[0].at == "D3"
    assert all(p.pinned for p in match.state.pieces.values() if p.unit == "d1")
    assert {p.at for p in match.state.pieces.values() if p.unit == "a1"} == {"D5"}
    assert match.to_act == ("defender",)
    do(match, Hold())
    assert all(not p.ap for p in match.state.pieces.values() if p.unit == "a1")


@pytest.mark.rule("assault-assaulter-wins")
def test_deployed_guns_are_lost_with_the_square() -> None:
    camp = duel(2, 2).add("d3", "pak40", "D5", deployed=True)
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 8, 1, 1)
    do(match, Assault("D5"), Take("d1-1"))
    assert "d3-1" not in match.state.pieces
    assert match.state.units["d3"].gone


@pytest.mark.rule("assault-assaulter-wins")
def test_a_target_without_a_way_back_is_lost() -> None:
    camp = Camp(assault_reaction="no").add("a1", "rifle", "D2", 2, moved=1).add("d1", "rifle", "D1", 2)
    camp.add("d2", "rifle", "H1", 3)
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 6, 1, 1)
    events = do(match, Assault("D1"))
    assert [event.how for event in found(events, Lost)] == ["assault", "no way back"]


@pytest.mark.rule("assault-assaulter-wins")
def test_one_square_of_room_is_enough_unless_the_ruling_says_not() -> None:
    for ruling, left in (("stops", True), ("lost", False)):
        camp = Camp(assault_reaction="no", fall_back_blocked=ruling).add("a1", "rifle", "D3", 2, moved=1)
        camp.add("d1", "rifle", "D2", 2).add("d2", "rifle", "H1", 3)
        match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 6, 1, 1)
        do(match, Assault("D2"), *([Hold()] if left else []))
        assert any(p.unit == "d1" for p in match.state.pieces.values()) is left


@pytest.mark.rule("assault-vehicle-save")
@pytest.mark.parametrize(
    ("kind", "cell", "against_at", "score"),
    [
        ("m8", ".", False, 3),
        ("sherman", ".", False, 2),
        ("panzer4", ".", False, 3),
        ("m3", ".", False, 5),
        ("truck", ".", True, 6),
        ("sherman", ".", True, 3),
        ("sherman", "W", True, 4),
        ("m8", "B", True, 5),
    ],
)
def test_what_a_vehicle_needs_to_survive(kind: str, cell: str, against_at: bool, score: int) -> None:
    camp = Camp(rows(D5=cell)).add("d1", kind, "D5")
    assert vehicle_save(camp.state, camp.state.pieces["d1-1"], "D5", against_at=against_at).total == score


@pytest.mark.rule("assault-vehicle-save")
@pytest.mark.parametrize(("face", "lost"), [(1, True), (2, False), (6, False)])
def test_a_destroyed_tank_counts_as_two_dead(face: int, lost: bool) -> None:
    camp = Camp(assault_reaction="no").add("a1", "rifle", "D6", 3, moved=1).add("d1", "sherman", "D5")
    camp.add("d2", "rifle", "H1", 3).add("a2", "rifle", "A8", 3)
    # one six for the assaulters, one for the tank: a destroyed tank outweighs the base that is lost
    dice = [6, *[1] * 8, 6, *[1] * 5, face, *([1] if not lost else [])]
    events = do(camp.acting("a1-1", "a1-2", "a1-3").match(*dice), Assault("D5"))
    ended = found(events, AssaultEnded)[0]
    assert (ended.won, ended.dead_targets, ended.dead_assaulters) == (lost, 2 if lost else 0, 1)
    assert bool(found(events, Saved)) is not lost


@pytest.mark.rule("assault-vehicle-save")
def test_men_of_a_destroyed_assaulting_transport_go_where_the_fight_ends() -> None:
    camp = Camp(assault_reaction="no").add("a1", "m3", "D6").add("a1", "rifle", "D6", 2, within="a1-1")
    camp.add("a2", "rifle", "A8", 3).add("d2", "rifle", "H1", 3).add("d1", "rifle", "D5")
    # half-track 1 die, two riders 1 die each: one kill wipes the target out; its 3 dice destroy the half-track
    dice = [6, 1, 1, 6, 1, 1, 1, 5, 4]
    match = camp.driving("a1-1").match(*dice)
    events = do(match, Assault("D5"))
    assert found(events, AssaultEnded)[0].won
    assert len(match.state.at["D5"]) == 1


@pytest.mark.rule("odds-arc")
def test_an_assault_starts_from_the_square_in_front_not_from_a_corner() -> None:
    camp = Camp().add("a1", "rifle", "D6").add("d1", "rifle", "E5").add("d1", "rifle", "D5")
    assert legal(camp.acting("a1-1").match(), Assault) == [Assault("D5")]
    eight = Camp(assault_from="eight").add("a1", "rifle", "D6").add("d1", "rifle", "E5")
    assert legal(eight.acting("a1-1").match(), Assault) == [Assault("E5")]


@pytest.mark.rule("assault-dice")
def test_those_assaulted_may_shoot_first() -> None:
    camp = duel(1, 2, assault_reaction="target")
    match = camp.acting("a1-1").match()
    do(match, Assault("D5"))
    assert match.to_act == ("defender",)
    assert match.state.stack[-1].why == "assault"


@pytest.mark.rule("assault-vehicle-save")
def test_by_a_ruling_the_men_of_a_transport_count_too() -> None:
    for ruling, toll in (("one", 1), ("with its men", 2)):
        camp = Camp(assault_reaction="no", transport_toll=ruling).add("a1", "rifle", "D6", 3, moved=1)
        camp.add("d1", "m3", "D5").add("d1", "rifle", "D5", within="d1-1").add("d2", "rifle", "H1", 3)
        dice = [6, *[1] * 8, 1, 1, 1, 1]
        events = do(camp.acting("a1-1", "a1-2", "a1-3").match(*dice), Assault("D5"))
        assert found(events, AssaultEnded)[0].dead_targets == toll


@pytest.mark.rule("assault-assaulter")
def test_neither_a_mounted_flamethrower_nor_a_flame_tank_adds_dice_to_an_assault() -> None:
    camp = Camp().add("a1", "t34", "D6").add("a2", "flamethrower", "D6", within="a1-1").add("a3", "crocodile", "D6")
    pieces = camp.state.pieces
    assert side_dice(camp.state, [pieces["a1-1"], pieces["a2-1"]], "D5", assaulting=True).total == 6 + 1
    assert side_dice(camp.state, [pieces["a3-1"]], "D5", assaulting=True).total == 6
    assert side_dice(camp.state, [pieces["a3-1"]], "D6", assaulting=False).total == 6 + 3


@pytest.mark.rule("shooting-effect")
def test_a_vehicle_immobilised_on_its_way_does_not_assault() -> None:
    camp = Camp(opportunity_guns="as in own turn").add("a1", "sherman", "D6").add("a2", "sherman", "D6")
    camp.add("d1", "bazooka", "D5").add("d2", "rifle", "H1", 3)
    # a hit, one effect more than saves; then the morale roll of 2
    match = camp.driving("a1-1").match(6, 6, *[3] * 8, *[3] * 6, 1, 1, 1)
    events = do(match, Assault("D5"), Aim("d1-1", "a1-1"))
    assert found(events, MadeImmobile)
    assert not found(events, AssaultEnded)
    assert piece(match, "a1-1").at == "D6"


@pytest.mark.rule("assault-dice")
@pytest.mark.parametrize(("ruling", "dice"), [("two", 3), ("none", 1)])
def test_two_of_the_men_on_an_assaulted_transport_fight(ruling: str, dice: int) -> None:
    camp = Camp(assault_reaction="no", mounted_targets=ruling).add("a1", "rifle", "D6", 3, moved=1)
    camp.add("d1", "m3", "D5").add("d1", "rifle", "D5", 3, within="d1-1").add("d2", "rifle", "H1", 3)
    match = camp.acting("a1-1", "a1-2", "a1-3").match(*[1] * 9, *[1] * dice, 1)
    events = do(match, Assault("D5"))
    assert [len(event.faces) for event in events if hasattr(event, "faces")][:2] == [9, dice]


@pytest.mark.rule("assault-assaulter-wins")
@pytest.mark.parametrize(("ruling", "left"), [("finished", 0), ("goes on", 2)])
def test_what_a_successful_assaulter_has_left(ruling: str, left: int) -> None:
    match = duel(2, 3, assault_winner=ruling).acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 9, 1, 1)
    do(match, Assault("D5"))
    assert piece(match, "a1-1").ap == left


@pytest.mark.rule("saves-shooting")
def test_a_beaten_assaulter_has_moved_in_his_turn() -> None:
    match = Camp(assault_reaction="no").add("a1", "rifle", "D6").add("d1", "rifle", "D5").acting("a1-1").match(*[1] * 9)
    do(match, Assault("D5"))
    assert piece(match, "a1-1").moved == 1


@pytest.mark.rule("assault-results")
@pytest.mark.parametrize(("ruling", "dice"), [("with vehicles", 1), ("bases only", 0)])
def test_whether_vehicles_pursue_is_a_ruling(ruling: str, dice: int) -> None:
    camp = Camp(assault_reaction="no", pursuit=ruling).add("a1", "sherman", "D6").add("d1", "rifle", "D5", 3)
    match = camp.driving("a1-1").match(6, *[1] * 5, *[1] * 9, *[1] * dice)
    events = do(match, Assault("D5"))
    assert found(events, AssaultEnded)[0].won
    assert [len(e.faces) for e in events if getattr(e, "why", "").startswith("pursuit")] == [1] * dice


@pytest.mark.rule("assault-assaulter-wins")
@pytest.mark.parametrize(("ruling", "left"), [("whole", []), ("split", ["C4", "D4"])])
def test_whether_a_target_without_room_for_all_splits_is_a_ruling(ruling: str, left: list[str]) -> None:
    camp = Camp(assault_reaction="no", fall_back_room=ruling).add("a1", "rifle", "D6", 2, moved=1)
    camp.add("d1", "rifle", "D5", 4)
    for square, number in (("D4", 7), ("C4", 7), ("E4", 8), ("D3", 8), ("C3", 8), ("E3", 8), ("B3", 8)):
        camp.add("d2", "rifle", square, number)
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, *[1] * 12, 1, 1)
    events = do(match, Assault("D5"))
    assert found(events, AssaultEnded)[0].won
    squares = sorted(piece.at for piece in match.state.pieces.values() if piece.unit == "d1")
    assert squares == left
    assert [event.how for event in found(events, Lost)] == ["assault", *["no way back"] * (3 - len(left))]
    assert all(piece.pinned for piece in match.state.pieces.values() if piece.unit == "d1")


@pytest.mark.rule("assault-vehicle-save")
def test_men_who_leave_a_destroyed_target_transport_are_not_wiped_out() -> None:
    camp = Camp(assault_reaction="no").add("a1", "rifle", "D6", 2, moved=1).add("d1", "m3", "D5")
    camp.add("d2", "rifle", "D5", 2, within="d1-1").add("d3", "rifle", "H1", 3)
    # A 6 against the half-track, whose men kill one; it is destroyed, one man gets out and the square is held.
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 5, 6, 1, 1, 1, 5, 4, 1)
    events = do(match, Assault("D5"))
    ended = found(events, AssaultEnded)[0]
    assert (ended.won, ended.dead_assaulters, ended.dead_targets) == (False, 1, 1)
    assert [piece.at for piece in match.state.pieces.values() if piece.unit == "d2"] == ["D5"]
    assert [len(e.faces) for e in events if getattr(e, "why", "").startswith("pursuit")] == [1]


@pytest.mark.rule("foot-ap-cost-move")
def test_by_a_ruling_foot_step_over_the_edges_of_squares_only() -> None:
    corner = ground_of(Camp(foot_steps="four").state)
    assert set(corner.steps["A1"]) == {"A2", "B1"}
    assert set(ground_of(Camp(foot_steps="eight").state).steps["A1"]) == {"A2", "B1", "B2"}


@pytest.mark.rule("assault-results")
def test_who_fell_on_the_way_does_not_fight() -> None:
    camp = Camp().add("a1", "rifle", "D6", 2).add("d1", "rifle", "D5")
    match = camp.match(1, 1, 1)
    play = Play(match.state, ScriptedDice(*[1] * 9))
    play.push(Fight("attacker", ("a1-1", "a1-9"), "D6", "D5"))
    FightProcedure()._fight(play, match.state.stack[-1])
    assert match.state.stack[-1].assaulters == ("a1-1",)


def test_a_position_whose_cargo_has_no_vehicle_is_refused() -> None:
    camp = Camp().add("a1", "rifle", "D6", within="a1-9")
    with pytest.raises(ValueError, match="vehicle that is not there"):
        check(camp.state)
