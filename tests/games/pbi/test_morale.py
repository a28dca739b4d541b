"""Morale of platoons, vehicles and guns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pbi_support import Camp, do, found, piece, rows

from sandtable.engine import Play, ScriptedDice
from sandtable.games.pbi.actions import Aim, Done, Motivate
from sandtable.games.pbi.events import Lost, MoraleTested, Motivated, UnitRemoved
from sandtable.games.pbi.guns import magnitude
from sandtable.games.pbi.model import Activation, Commander, Units
from sandtable.games.pbi.morale import foot_problems, vehicle_problems


def began_with(camp: Camp, strength: int) -> Camp:
    """The unit a1 was stronger at the start than it is now."""
    camp.state.units["a1"] = replace(camp.state.units["a1"], strength=strength)
    return camp


def platoon(bases: int, strength: int = 10, **more: object) -> Camp:
    return began_with(Camp().unit("a1", **more).add("a1", "rifle", "D6", bases), strength)


@pytest.mark.rule("morale-foot")
@pytest.mark.parametrize(
    ("casualties", "bases", "officer", "number"),
    [
        (1, 9, "alive", 0),
        (2, 8, "alive", 1),
        (3, 7, "alive", 1),
        (4, 6, "alive", 2),
        (2, 4, "alive", 2),
        (0, 4, "alive", 1),
        (0, 5, "alive", 0),
        (0, 9, "dead", 1),
        (4, 4, "dead", 3),
    ],
)
def test_problems_of_a_foot_unit(casualties: int, bases: int, officer: str, number: int) -> None:
    camp = platoon(bases, casualties=casualties, officer=officer)
    assert len(foot_problems(camp.state, camp.state.units["a1"])) == number


@pytest.mark.rule("morale-foot")
def test_the_company_commander_with_the_unit_cancels_a_dead_officer() -> None:
    camp = platoon(8, casualties=2, officer="dead").add("a0", "commander", "D6", officer=True)
    assert foot_problems(camp.state, camp.state.units["a1"]) == ("first two casualties",)
    apart = platoon(8, casualties=2, officer="dead").add("a0", "commander", "D7", officer=True)
    assert len(foot_problems(apart.state, apart.state.units["a1"])) == 2


@pytest.mark.rule("morale-problems")
def test_one_problem_calls_for_no_roll() -> None:
    camp = platoon(8, casualties=2, officer="alive").add("d1", "rifle", "D1", 3)
    match = camp.frames(Commander("attacker"), step=2).match()
    assert not [event for _, event in match.events() if isinstance(event, MoraleTested)]
    assert match.state.stack[-1] == Units("attacker")


@pytest.mark.rule("morale-roll")
@pytest.mark.parametrize(
    ("quality", "total", "result"),
    [
        ("veteran", 9, "routs"),
        ("veteran", 8, "silent"),
        ("veteran", 7, "holds"),
        ("average", 8, "routs"),
        ("average", 7, "silent"),
        ("average", 6, "holds"),
        ("raw", 7, "routs"),
        ("raw", 6, "silent"),
        ("raw", 5, "holds"),
    ],
)
def test_rout_and_no_motivation(quality: str, total: int, result: str) -> None:
    camp = platoon(6, casualties=4, quality=quality, officer="alive").add("a2", "rifle", "A8", 3)
    match = camp.frames(Commander("attacker"), step=2).match(total // 2, total - total // 2)
    tested = [event for _, event in match.events() if isinstance(event, MoraleTested)]
    assert [event.result for event in tested] == [result]
    assert match.state.units["a1"].gone is (result == "routs")
    assert match.state.units["a1"].silent is (result == "silent")
    assert match.state.points["defender"] == (1 if result == "routs" else 0)


@pytest.mark.rule("morale-roll")
def test_a_silent_unit_cannot_be_motivated_this_turn() -> None:
    camp = platoon(6, casualties=4, officer="alive", silent=True)
    match = camp.frames(Units("attacker"), Activation("a1")).match()
    assert not found(do(match, Motivate("D6")), Motivated)[0].well
    assert piece(match, "a1-1").ap == 0


@pytest.mark.rule("morale-roll")
def test_by_a_ruling_a_routed_unit_falls_back_three_squares() -> None:
    camp = began_with(Camp(rout="falls back").unit("a1", casualties=4).add("a1", "rifle", "D4", 6), 10)
    match = camp.frames(Commander("attacker"), step=2).match(6, 6)
    assert piece(match, "a1-1").at == "D7"
    assert piece(match, "a1-1").pinned
    assert not match.state.units["a1"].gone


@pytest.mark.rule("morale-roll")
def test_a_full_square_stops_who_falls_back() -> None:
    camp = began_with(Camp(rout="falls back").unit("a1", casualties=4).add("a1", "rifle", "D4", 6), 10)
    camp = camp.add("a2", "rifle", "D6", 4)
    match = camp.frames(Commander("attacker"), step=2).match(6, 6)
    assert piece(match, "a1-1").at == "D5"


@pytest.mark.rule("turn-morale")
@pytest.mark.parametrize(("ruling", "gone"), [("began larger", False), ("every foot unit", True)])
def test_a_unit_that_began_with_two_bases_stays_unless_the_ruling_removes_it(ruling: str, gone: bool) -> None:
    camp = began_with(Camp(auto_removal=ruling).add("a1", "rifle", "D6", 2).add("a2", "rifle", "A8", 3), 2)
    match = camp.frames(Commander("attacker"), step=2).match()
    assert match.state.units["a1"].gone is gone


@pytest.mark.rule("turn-morale")
@pytest.mark.parametrize(("bases", "gone"), [(1, True), (2, True), (3, False)])
def test_units_of_one_or_two_bases_are_removed(bases: int, gone: bool) -> None:
    camp = platoon(bases, strength=3 if bases == 3 else 9, officer="alive").add("a2", "rifle", "A8", 3)
    match = camp.frames(Commander("attacker"), step=2).match()
    assert match.state.units["a1"].gone is gone
    removed = [event for _, event in match.events() if isinstance(event, UnitRemoved)]
    assert [event.why for event in removed] == (["worn down"] if gone else [])


@pytest.mark.rule("morale-vehicle")
def test_problems_of_a_vehicle() -> None:
    lone = Camp().add("d1", "sherman", "D4", immobile=True)
    assert vehicle_problems(lone.state, lone.state.pieces["d1-1"], big=False) == (
        "immobilised",
        "no sound vehicle of the unit in proximity",
    )
    mate = Camp().add("d1", "sherman", "D4", immobile=True).add("d1", "sherman", "E5")
    assert len(vehicle_problems(mate.state, mate.state.pieces["d1-1"], big=False)) == 1
    assert len(vehicle_problems(mate.state, mate.state.pieces["d1-1"], big=True)) == 2
    broken = Camp().add("d1", "sherman", "D4", immobile=True).add("d1", "sherman", "E5", immobile=True)
    assert len(vehicle_problems(broken.state, broken.state.pieces["d1-1"], big=False)) == 2


@pytest.mark.rule("morale-vehicle")
@pytest.mark.parametrize("cell", "WRB")
def test_scenery_in_proximity_unless_own_foot_are_there(cell: str) -> None:
    table = rows(E5=cell)
    camp = Camp(table).add("d1", "sherman", "D4", immobile=True).add("d1", "sherman", "C4")
    assert len(vehicle_problems(camp.state, camp.state.pieces["d1-1"], big=False)) == 2
    camp.add("d2", "rifle", "D3")
    assert len(vehicle_problems(camp.state, camp.state.pieces["d1-1"], big=False)) == 1


@pytest.mark.rule("odds-vehicle-morale")
@pytest.mark.parametrize(("total", "lost"), [(8, True), (7, False)])
def test_a_vehicle_tests_at_once_when_immobilised(total: int, lost: bool) -> None:
    camp = (
        Camp(return_shooting="none").add("a1", "sherman", "D6").add("d1", "sherman", "D4").add("d2", "rifle", "A1", 3)
    )
    # hit; seven gun dice with three effects; seven armour dice with two saves: one more, immobilised
    dice = (6, 6, 3, 3, 3, 1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 1, total // 2, total - total // 2)
    match = camp.driving("a1-1").match(*dice)
    events = do(match, Aim("a1-1", "d1-1"))
    assert len(found(events, MoraleTested)) == 1
    assert [event.how for event in found(events, Lost)] == (["abandoned"] if lost else [])
    camp.script.done()
    do(match, Done())


@pytest.mark.rule("morale-vehicle")
@pytest.mark.parametrize(("kind", "gun", "tested"), [("bazooka", 5, True), ("chiha", 4, False), ("chiha", 9, True)])
def test_foot_with_anti_tank_weapons_shake_a_crew_like_a_big_gun(kind: str, gun: int, tested: bool) -> None:
    """A tank with a sound mate is immobilised: by a bazooka or a gun of 9 that makes two problems, else one."""
    camp = Camp().add("d1", "chiha", "D4").add("d1", "chiha", "E5").add("a1", kind, "D6")
    play = Play(camp.state, ScriptedDice(*[6] * 2, *[1] * (gun - 2), *[1] * 3, 1, 1))
    magnitude(play, camp.state.pieces["a1-1"], camp.state.pieces["d1-1"], gun)
    assert camp.state.pieces["d1-1"].immobile
    assert bool([event for event in play.events if isinstance(event, MoraleTested)]) is tested
