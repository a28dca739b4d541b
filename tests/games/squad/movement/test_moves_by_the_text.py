"""Movement, rout and victory where the text is easily misread: MF that stay lost, goals out of reach, wins at once."""

from __future__ import annotations

import pytest
from squad_support import at, cell, do, drill, get, go, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Match, ScriptedDice
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    DoubleTime,
    DropWeapon,
    PlaceCharge,
    Recover,
    StartMove,
    Step,
    StepAside,
)
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import able_movers
from sandtable.games.squad.rout.model import EndRout, LowCrawl, RoutStep, StartRout

FAILS_AND_IS_WOUNDED = (6, 5, 1)
"""A NMC that no leader passes, and a light wound."""


def begin(match: Match, *units: str) -> None:
    first, *others = units
    do(match, StartMove(first), *map(AddMover, others), BeginMove())


def mf(match: Match, name: str) -> float:
    """MF of a mover for its whole MPh."""
    return allotments(match.state, able_movers(match.state))[name] / 2


def steps(match: Match) -> set[str]:
    """The hexes into which the routing or moving unit may go."""
    names = ground_of(match.state).names
    return {names[action.to] for action in (*offered(match, RoutStep), *offered(match, Step))}


def rout(match: Match, to: str) -> None:
    do(match, next(action for action in offered(match, RoutStep) if action.to == cell(match, to)))


@rule("3.6")
@rule("3.2.3")
class TestALeaderWoundedByInterdiction:
    """The three MF of a wounded leader, less those spent, may no longer reach the cover he made for."""

    def wounded(self, start: str, enemy: str, first: str) -> Match:
        units = [unit("l", "russian 9-1", start, broken=True, dm=True), unit("g", "german 4-6-7", enemy)]
        match = drill("z", "RtPh", units, dice=(*FAILS_AND_IS_WOUNDED, 1, 1))
        do(match, StartRout("l"))
        rout(match, first)
        assert get(match, "l").wounded
        return match

    def test_he_routs_on_with_the_mf_he_has_left(self) -> None:
        match = self.wounded("A1", "C2", "A2")
        assert "A3" in steps(match), "the woods in B3 and A4 are out of reach now, so any hex will do"
        rout(match, "A3")
        assert at(match, "l") == "A3"

    def test_he_may_stay_where_no_cover_can_be_reached(self) -> None:
        match = self.wounded("A1", "C2", "A2")
        do(match, EndRout())
        assert at(match, "l") == "A2"

    def test_he_must_make_for_other_cover_within_his_mf(self) -> None:
        match = self.wounded("A2", "C3", "A3")
        assert steps(match) == {"A4"}
        assert not offered(match, EndRout)


@rule("3.6")
@rule("3.3")
def test_who_can_rout_is_looked_at_again_after_each_rout() -> None:
    # on board z the only way from N6 leads to N7, where there is room for one more squad
    broken = [unit(name, "russian 4-4-7", "N6", broken=True, dm=True) for name in ("a", "b")]
    others = [unit(name, "russian 4-4-7", "N7") for name in ("c", "d")]
    enemies = [unit(f"g{name}", "german 4-6-7", name) for name in ("O6", "M6", "L7")]
    match = drill("z", "RtPh", [*broken, *others, *enemies])
    assert {action.unit for action in offered(match, StartRout)} == {"a", "b"}
    do(match, StartRout("a"), LowCrawl(cell(match, "N7")))
    assert "b" in match.state.gone, "N7 is full, so it cannot rout and is eliminated"


@rule("5.4")
@rule("3.3")
class TestGreenSquads:
    """A Green squad has three MF if it is Inexperienced when it spends them."""

    UNITS = (unit("a", "american 5-3-6", "F4", side="german"), unit("l", "german 8-0", "F5"))

    def test_reaching_a_leader_gives_no_mf(self) -> None:
        match = drill("z", "MPh", self.UNITS, attacker="german")
        begin(match, "a")
        assert mf(match, "a") == 3
        go(match, "F5")
        assert mf(match, "a") == 3
        assert "F4" not in steps(match), "one MF is left, and the woods take two"

    def test_a_squad_that_begins_with_a_leader_has_four_until_it_leaves_him(self) -> None:
        match = drill(
            "z",
            "MPh",
            [unit("a", "american 5-3-6", "F4", side="german"), unit("l", "german 8-0", "F4")],
            attacker="german",
        )
        begin(match, "a")
        assert mf(match, "a") == 4
        go(match, "F5")
        assert mf(match, "a") == 3

    def test_with_its_leader_it_has_six(self) -> None:
        match = drill(
            "z",
            "MPh",
            [unit("a", "american 5-3-6", "F4", side="german"), unit("l", "german 8-0", "F4")],
            attacker="german",
        )
        begin(match, "a", "l")
        go(match, "F5")
        assert mf(match, "a") == 6


@rule("4.0")
class TestDroppedWeapons:
    """MF lost to PP stay lost once MF have been spent (ruling M-9)."""

    def test_a_weapon_taken_up_and_dropped_at_once(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F4")], [weapon("w", "russian MMG", at="F4")], dice=[1])
        begin(match, "a")
        do(match, Recover("a", "w"))
        assert mf(match, "a") == 2
        do(match, DropWeapon("w"))
        assert mf(match, "a") == 2

    @rule("G33")
    def test_so_in_the_guide(self) -> None:
        weapons = [weapon("hmg", "german HMG", at="I3"), weapon("lmg", "german LMG", at="I3")]
        match = drill("1", "MPh", [unit("a", "german 4-6-7", "J3")], weapons, attacker="german", game="guidedrill")
        begin(match, "a")
        go(match, "I3")
        do(match, Recover("a", "lmg"), Recover("a", "hmg"), DropWeapon("hmg"), DropWeapon("lmg"))
        assert mf(match, "a") == 2

    def test_dropped_before_mf_are_spent_it_was_never_carried(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F4")], [weapon("w", "russian MMG", "a")])
        begin(match, "a")
        assert mf(match, "a") == 2
        do(match, DropWeapon("w"))
        assert mf(match, "a") == 4

    def test_a_leader_who_drops_his_weapon_has_no_ipc_to_lend(self) -> None:
        units = [unit("a", "russian 4-4-7", "F4"), unit("l", "russian 8-0", "F4")]
        weapons = [weapon("mmg", "russian MMG", "a"), weapon("lmg", "russian LMG", "l")]
        match = drill("z", "MPh", units, weapons)
        begin(match, "a", "l")
        go(match, "F5")
        assert mf(match, "a") == 4, "five PP are two more than it carries without loss"
        do(match, DropWeapon("lmg"))
        assert mf(match, "a") == 4

    def test_each_item_carried_counts(self) -> None:
        weapons = [weapon("one", "russian MMG", "a"), weapon("two", "russian LMG", at="F5")]
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F4")], weapons, dice=[1])
        do(match, StartMove("a"), DoubleTime("a"), BeginMove())
        go(match, "F5")
        do(match, DropWeapon("one"))
        assert mf(match, "a") == 3, "a CX squad carries two PP without loss"
        do(match, Recover("a", "two"))
        assert mf(match, "a") == 2, "five PP before and one PP now"

    @rule("4.3")
    def test_a_charge_that_was_placed_has_been_carried(self) -> None:
        units = [unit("a", "russian 4-4-7", "F4"), unit("g", "german 4-6-7", "W9")]
        weapons = [
            weapon("mmg", "russian LMG", "a"),
            weapon("dc", "russian DC", "a"),
            weapon("d2", "russian DC", "a"),
            weapon("d3", "russian DC", "a"),
        ]
        match = drill("z", "MPh", units, weapons)
        begin(match, "a")
        assert mf(match, "a") == 3
        target = next(action for action in offered(match, PlaceCharge) if action.weapon == "dc")
        do(match, target)
        assert mf(match, "a") == 3


@rule("4.0")
def test_each_of_two_leaders_lends_his_ipc_to_a_squad() -> None:
    units = [unit(name, "russian 4-4-7", "F4") for name in ("a", "b")]
    units += [unit(name, "russian 8-0", "F4") for name in ("l", "m")]
    match = drill("z", "MPh", units, [weapon("w1", "russian MMG", "a"), weapon("w2", "russian MMG", "b")])
    begin(match, "a", "b", "l", "m")
    assert (mf(match, "a"), mf(match, "b")) == (5, 5)


@rule("4.0")
def test_one_leader_helps_the_squad_that_needs_it_most() -> None:
    units = [unit(name, "russian 4-4-7", "F4") for name in ("a", "b")]
    weapons = [weapon("lmg", "russian LMG", "a"), weapon("hmg", "russian HMG", "b"), weapon("mmg", "russian MMG", "a")]
    match = drill("z", "MPh", [*units, unit("l", "russian 8-0", "F4")], weapons)
    begin(match, "b", "a", "l")
    before = {name: mf(match, name) for name in ("a", "b")}
    assert before == {"a": 4, "b": 4}, "six PP each way leave three MF, and one more with his help"


@rule("3.3")
def test_stacking_limits_hold_off_board() -> None:
    there = {"kind": "american 7-4-7", "group": "first_battalion"}
    units = [{"id": name, "beside": "F10", **there} for name in ("b", "c", "d")]
    units += [{"id": "a", "beside": "G10", **there}, unit("g", "german 4-6-7", "A1", group="german")]
    state = {"phase": "MPh", "attacker": "american", "units": units, "weapons": []}
    match = sandtable.new({"game": "aslsk2", "scenario": "S14", "state": state}, seed=1)
    begin(match, "a")
    names = ground_of(match.state).names
    assert {names[action.to] for action in offered(match, StepAside)} == {"H10"}, "three squads stand beside F10"


@rule("1.3")
class TestS13IsWonAtOnce:
    """Sole occupation of the last Gun hex ends the game, whatever phase it is."""

    GUN = weapon("gun", "british OQF 40mm Bofors AA", at="K5", group="british")

    def stand(self, phase: str, *units: dict[str, object], dice: tuple[int, ...] = ()) -> Match:
        state = {"phase": phase, "attacker": "german", "units": list(units), "weapons": [self.GUN]}
        return sandtable.new({"game": "aslsk2", "scenario": "S13", "state": state}, seed=1, dice=ScriptedDice(*dice))

    @pytest.mark.parametrize("others", [(), (unit("b", "british 4-5-7", "K7", group="australian"),)])
    def test_by_moving_in(self, others: tuple[dict[str, object], ...]) -> None:
        match = self.stand("MPh", unit("g", "german 5-4-8", "K6"), *others)
        begin(match, "g")
        go(match, "K5")
        assert match.outcome is not None
        assert match.outcome.winner == "german"

    def test_by_advancing(self) -> None:
        match = self.stand("APh", unit("g", "german 5-4-8", "K6"), unit("later", "german 5-4-8", "A1"))
        do(match, StartAdvance("g"), AdvanceTo(cell(match, "K5")))
        assert match.outcome is not None

    def test_by_the_rout_of_the_last_enemy_in_the_hex(self) -> None:
        broken = unit("b", "british 4-5-7", "K5", group="australian", broken=True, dm=True)
        match = self.stand("RtPh", unit("g", "german 5-4-8", "K5"), broken)
        do(match, StartRout("b"))
        do(match, offered(match, RoutStep)[0])
        assert match.outcome is not None
        assert match.outcome.winner == "german"

    def test_not_while_an_enemy_is_there(self) -> None:
        broken = unit("b", "british 4-5-7", "K5", group="australian", broken=True, dm=True)
        match = self.stand("APh", unit("g", "german 5-4-8", "K6"), broken)
        do(match, StartAdvance("g"), AdvanceTo(cell(match, "K5")))
        assert match.outcome is None
