"""Advance Phase (3.7): one hex, CX where it takes all MF, into enemies, weapons, entry from off board."""

from __future__ import annotations

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.engine.plan import goals
from sandtable.games.squad.combat.model import (
    AddAdvancer,
    AdvancePhase,
    AdvanceTo,
    CancelAdvance,
    RemoveAdvancer,
    StartAdvance,
)
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import DropWeapon, StartMove
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.rally.model import Transfer


def targets(match: Match, *units: str) -> set[str]:
    """Hexes into which units may advance together; the draft stays open."""
    first, *others = units
    do(match, StartAdvance(first), *map(AddAdvancer, others))
    return {ground_of(match.state).names[action.to] for action in offered(match, AdvanceTo)}


def advance(match: Match, hex_name: str, *units: str) -> None:
    first, *others = units
    do(match, StartAdvance(first), *map(AddAdvancer, others), AdvanceTo(cell(match, hex_name)))


@rule("3.7")
class TestAdvance:
    def test_one_hex_and_only_once(self) -> None:
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "F1"), unit("b", "russian 4-4-7", "A5")])
        near = {ground_of(match.state).names[n] for n in ground_of(match.state).near[cell(match, "F1")]}
        assert targets(match, "a") == near
        do(match, CancelAdvance())
        advance(match, "G1", "a")
        assert at(match, "a") == "G1"
        assert offered(match, StartAdvance) == [StartAdvance("b")]

    @pytest.mark.parametrize(
        ("state", "words"),
        [
            ({"pinned": True}, "Pinned"),
            ({"broken": True}, "Broken"),
            ({"hazardous": True}, "manhandle"),
            ({"melee": True}, "Melee"),
        ],
    )
    def test_who_may_not(self, state: dict[str, bool], words: str) -> None:
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "F1", **state), unit("b", "russian 4-4-7", "A5")])
        assert offered(match, StartAdvance) == [StartAdvance("b")]
        with pytest.raises(IllegalAction) as refused:
            do(match, StartAdvance("a"))
        assert words in str(refused.value)

    def test_the_defender_does_not_advance(self) -> None:
        match = drill("z", "APh", [unit("a", "german 4-6-7", "F1")])
        assert not isinstance(match.state.stack[-1], AdvancePhase)

    def test_into_an_enemy_hex(self) -> None:
        units = [unit("a", "russian 4-4-7", "I4"), unit("g", "german 4-6-7", "J3"), unit("b", "russian 4-4-7", "A5")]
        match = drill("z", "APh", units)
        advance(match, "J3", "a")
        assert at(match, "a") == "J3"
        assert get(match, "a").engaged

    def test_broken_enemies_beside_the_hex_fall_under_dm(self) -> None:
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "H4"), unit("g", "german 4-6-7", "J3", broken=True)])
        advance(match, "I4", "a")
        assert get(match, "g").dm

    @rule("3.3")
    def test_stacking(self) -> None:
        crowd = [unit(f"f{n}", "russian 4-4-7", "J3") for n in range(3)]
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "I4"), *crowd])
        assert "J3" not in targets(match, "a")
        with pytest.raises(IllegalAction) as refused:
            do(match, AdvanceTo(cell(match, "J3")))
        assert "stacking" in str(refused.value)

    def test_drafts_are_free(self) -> None:
        units = [unit("a", "russian 4-4-7", "F1"), unit("b", "russian 4-4-7", "F1")]
        match = drill("z", "APh", units)
        before = match.position()
        do(match, StartAdvance("a"), AddAdvancer("b"), RemoveAdvancer("a"), CancelAdvance())
        assert match.position() == before


@rule("3.7")
@rule("4.0")
class TestCounterExhausted:
    """The examples of 3.7: a building costs two MF."""

    MMG = (weapon("mmg", "russian MMG", "a"),)

    def test_five_pp_leave_two_mf_and_the_squad_is_cx(self) -> None:
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "I5")], self.MMG)
        advance(match, "J5", "a")
        assert get(match, "a").cx

    def test_not_with_a_leader(self) -> None:
        match = drill("z", "APh", [unit("a", "russian 4-4-7", "I5"), unit("l", "russian 9-1", "I5")], self.MMG)
        advance(match, "J5", "a", "l")
        assert not get(match, "a").cx
        assert not get(match, "l").cx

    def test_a_cx_squad_with_a_four_pp_hmg_may_not_enter_a_building_alone(self) -> None:
        units = [unit("a", "german 4-6-7", "I5", cx=True), unit("l", "german 9-1", "I5")]
        match = drill("z", "APh", units, [weapon("hmg", "german HMG", "a")], attacker="german")
        assert "J5" not in targets(match, "a")
        with pytest.raises(IllegalAction) as refused:
            do(match, AdvanceTo(cell(match, "J5")))
        assert "CX" in str(refused.value)
        do(match, AddAdvancer("l"))
        assert AdvanceTo(cell(match, "J5")) in match.actions("german")

    @rule("G29")
    def test_the_guide_knows_no_cx(self) -> None:
        units = [unit("a", "russian 4-4-7", "I2")]
        guns = [weapon("mmg", "russian MMG", "a")]
        match = drill("1", "APh", units, guns, game="guidedrill")
        advance(match, "J2", "a")
        assert not get(match, "a").cx


@rule("3.7")
@rule("4.0")
class TestWeapons:
    def test_support_weapons_change_hands_but_advance_once(self) -> None:
        units = [unit("a", "russian 4-4-7", "F1"), unit("b", "russian 4-4-7", "F1"), unit("c", "russian 4-4-7", "G1")]
        match = drill("z", "APh", units, [weapon("mg", "russian LMG", "a")])
        do(match, Transfer("mg", "b"))
        advance(match, "G1", "b")
        assert get_weapon(match, "mg").owner == "b"
        assert Transfer("mg", "c") not in match.actions("russian")

    def test_a_gun_stays_and_its_crew_goes_without_it(self) -> None:
        units = [unit("c", "russian 2-2-7", "F1")]
        match = drill("z", "APh", units, [weapon("gun", "russian 45mm PTP obr. 32 AT", "c", facing=0)])
        assert not offered(match, StartAdvance)
        do(match, DropWeapon("gun"), StartAdvance("c"))
        assert get_weapon(match, "gun").at == cell(match, "F1")

    @rule("G33")
    def test_the_guide_transfers_only_at_the_start(self) -> None:
        units = [unit("a", "russian 4-4-7", "I2"), unit("b", "russian 4-4-7", "I2"), unit("c", "russian 4-4-7", "M2")]
        match = drill("1", "APh", units, [weapon("mg", "russian LMG", "a")], game="guidedrill")
        assert Transfer("mg", "b") in match.actions("russian")
        do(match, StartAdvance("c"), offered_to(match))
        assert Transfer("mg", "b") not in match.actions("russian")


def offered_to(match: Match) -> AdvanceTo:
    """Any hex into which the drafted units could advance, as the next action."""
    draft = match.clone()
    do(draft, StartAdvance("c"))
    found: AdvanceTo = offered(draft, AdvanceTo)[0]
    return found


@rule("3.3")
@rule("3.7")
class TestFromOffBoard:
    def test_units_may_enter_in_the_aph(self) -> None:
        off = unit("a", "russian 4-4-7", beside="A5")
        match = drill("z", "APh", [off, unit("b", "russian 4-4-7", "F1")])
        advance(match, "A5", "a")
        assert at(match, "a") == "A5"

    def test_who_does_not_is_eliminated(self) -> None:
        off = unit("a", "russian 4-4-7", beside="A5")
        match = drill("z", "APh", [off, unit("b", "russian 4-4-7", "F1")])
        do(match, EndPhase())
        assert "a" not in match.state.units

    def test_a_hex_that_is_too_much_for_one_alone_is_not_lit_for_him(self) -> None:
        off = [unit("a", "russian 4-4-7", beside="A5", cx=True), unit("l", "russian 9-1", beside="A5")]
        match = drill("z", "APh", off, [weapon("mmg", "russian MMG", "a"), weapon("hmg", "russian HMG", "a")])
        assert [action for action in match.actions("russian") if match.describe("russian", action).pieces == ("a",)]
        assert not goals(match, "russian", ["a"])
        assert [goal.cell for goal in goals(match, "russian", ["l"])] == ["A5"]

    def test_starting_to_move_names_no_hex_yet(self) -> None:
        match = drill("z", "MPh", [unit("a", "russian 4-4-7", beside="A5"), unit("b", "russian 4-4-7", "F1")])
        assert match.describe("russian", StartMove("a")).cells == ()
        assert match.describe("russian", StartMove("b")).cells == ("F1",)


@rule("6.4")
def test_a_hidden_gun_throws_the_unit_back() -> None:
    units = [unit("a", "russian 4-4-7", "I4"), unit("c", "german 2-2-8", "J3", hip=True)]
    gun = weapon("gun", "german 7.5cm PaK 40 AT", "c", facing=0, hip=True, emplaced=True)
    match = drill("z", "APh", [*units, unit("b", "russian 4-4-7", "A5")], [gun])
    advance(match, "J3", "a")
    assert at(match, "a") == "I4"
    assert not get(match, "c").hip
    assert StartAdvance("a") not in match.actions("russian")
