"""Rally Phase (3.1): recovery, repair, transfer, self-rally, rally by leaders, removal of DM, in their order."""

from __future__ import annotations

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.effects.morale import morale_level
from sandtable.games.squad.movement.model import Recover
from sandtable.games.squad.phases.model import Done, MarkersRemoved
from sandtable.games.squad.pieces.events import Eliminated
from sandtable.games.squad.rally.eligibility import rallies, self_rally_bar, transfer_bar
from sandtable.games.squad.rally.model import (
    KeepDm,
    RallyPhase,
    RallyTried,
    RallyUnit,
    Repair,
    Repaired,
    SelfRally,
    Transfer,
)


def step(match: Match) -> tuple[str, str]:
    """The step of the Rally Phase and whose part of it it is."""
    frame = match.state.stack[-1]
    assert isinstance(frame, RallyPhase)
    return frame.step, frame.side


def in_rally_phase(match: Match) -> bool:
    return isinstance(match.state.stack[-1], RallyPhase)


@rule("3.1")
class TestRussianRallyPhaseExample:
    """The example of the booklet, in the stone building Q6 of board w."""

    def test_self_rally_of_a_squad_in_a_building(self) -> None:
        match = drill("w", "RPh", [unit("a", "russian 5-2-7", "Q6", broken=True)], dice=[4, 3])
        preview = match.preview("russian", SelfRally("a"))
        assert preview is not None
        assert preview.tallies[0].total == 0
        events = do(match, SelfRally("a"))
        (tried,) = happened(events, RallyTried)
        assert (tried.dr, tried.rallied) == (7, True)
        assert not get(match, "a").broken

    @rule("1.2.1")
    def test_a_leader_rallies_both_squads(self) -> None:
        squads = [
            unit("dm", "russian 5-2-7", "Q6", broken=True, dm=True),
            unit("b", "russian 4-4-7", "Q6", broken=True),
            unit("l", "russian 8-1", "Q6"),
        ]
        match = drill("w", "RPh", squads, dice=[3, 3, 5, 4])
        do(match, Done())
        assert step(match)[0] == "f"
        first = match.preview("russian", RallyUnit("dm", "l"))
        second = match.preview("russian", RallyUnit("b", "l"))
        assert first is not None
        assert second is not None
        assert (first.tallies[0].total, second.tallies[0].total) == (2, -2)
        (failed,) = happened(do(match, RallyUnit("dm", "l")), RallyTried)
        assert (failed.dr, failed.rallied) == (8, False)
        (rallied,) = happened(do(match, RallyUnit("b", "l")), RallyTried)
        assert (rallied.dr, rallied.rallied) == (7, True)
        assert get(match, "dm").broken
        assert not get(match, "b").broken


@rule("3.1")
class TestRally:
    def test_steps_come_in_order_and_the_attacker_is_first(self) -> None:
        match = drill(
            "z",
            "RPh",
            [unit("r", "russian 4-4-7", "I3", broken=True), unit("g", "german 9-1", "Q8", broken=True)],
            dice=[6, 5, 6, 5],
        )
        assert step(match) == ("e", "russian")
        do(match, SelfRally("r"))
        assert step(match) == ("e", "german")
        do(match, SelfRally("g"))
        assert not in_rally_phase(match)

    def test_the_defender_self_rallies_leaders_and_crews_only(self) -> None:
        units = [
            unit("sq", "german 4-6-7", "I3", broken=True),
            unit("crew", "german 2-2-8", "I3", broken=True),
            unit("l", "german 9-1", "I3", broken=True),
        ]
        match = drill("z", "RPh", units, dice=[])
        assert step(match) == ("e", "german")
        assert {action.unit for action in offered(match, SelfRally)} == {"crew", "l"}
        with pytest.raises(IllegalAction) as refused:
            do(match, SelfRally("sq"))
        assert "ATTACKER" in str(refused.value)

    def test_a_leader_without_the_box_around_his_morale_self_rallies_too(self) -> None:
        match = drill("z", "RPh", [unit("j", "japanese 9-0", "I3", side="german", broken=True)])
        assert self_rally_bar(match.state, get(match, "j"), tried=0) is None

    def test_and_he_leaves_his_side_the_one_squad_that_it_may_self_rally(self) -> None:
        leader = unit("l", "japanese 9-0", "I3", side="russian", broken=True)
        match = drill("z", "RPh", [leader, unit("a", "russian 4-4-7", "J3", broken=True)], dice=[5, 6])
        do(match, SelfRally("l"))
        assert get(match, "l").broken
        assert offered(match, SelfRally) == [SelfRally("a")]

    def test_the_attacker_self_rallies_one_other_mmc(self) -> None:
        units = [unit(name, "russian 4-4-7", "I3", broken=True) for name in "ab"]
        match = drill("z", "RPh", units, dice=[6, 5])
        do(match, SelfRally("a"))
        assert not in_rally_phase(match), "b may not try any more"

    def test_a_self_rallying_leader_does_not_use_his_own_modifier(self) -> None:
        match = drill("z", "RPh", [unit("l", "russian 9-2", "F1", broken=True)], dice=[6, 3])
        preview = match.preview("russian", SelfRally("l"))
        assert preview is not None
        assert preview.tallies[0].total == 1

    def test_a_leader_who_self_rallies_may_rally_others(self) -> None:
        units = [unit("l", "russian 9-1", "I3", broken=True), unit("a", "russian 4-4-7", "I3", broken=True)]
        match = drill("z", "RPh", units, dice=[2, 3, 2, 3])
        do(match, SelfRally("l"), Done())
        assert offered(match, RallyUnit) == [RallyUnit("a", "l")]
        do(match, RallyUnit("a", "l"))
        assert not get(match, "a").broken

    def test_no_unit_tries_twice(self) -> None:
        units = [unit("l", "russian 9-1", "I3"), unit("a", "russian 4-4-7", "I3", broken=True)]
        match = drill("z", "RPh", units, dice=[6, 5])
        do(match, SelfRally("a"))
        assert not in_rally_phase(match), "the leader may not try it again with the same squad"

    def test_original_12_reduces_a_squad_which_stays_broken(self) -> None:
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3", broken=True)], dice=[6, 6])
        do(match, SelfRally("a"))
        assert get(match, "a").kind == "russian 2-3-7"
        assert get(match, "a").broken

    def test_original_12_never_rallies(self) -> None:
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3", broken=True)])
        morale = morale_level(match.state, get(match, "a"))
        found = [
            rallies(match.state, get(match, "a"), dr, morale - other) for dr, other in ((11, 11), (11, 10), (12, 13))
        ]
        assert found == [True, False, False]

    def test_original_12_eliminates_a_crew(self) -> None:
        match = drill("z", "RPh", [unit("c", "russian 2-2-7", "I3", broken=True)], dice=[6, 6])
        assert happened(do(match, SelfRally("c")), Eliminated)

    def test_original_12_wounds_a_leader(self) -> None:
        match = drill("z", "RPh", [unit("l", "russian 9-1", "I3", broken=True)], dice=[6, 6, 3])
        do(match, SelfRally("l"))
        assert get(match, "l").wounded
        assert get(match, "l").broken

    @rule("3.2.3")
    def test_the_death_of_a_leader_shakes_those_with_him(self) -> None:
        units = [unit("l", "russian 9-1", "I3", broken=True), unit("a", "russian 4-4-7", "I3")]
        match = drill("z", "RPh", units, dice=[6, 6, 5, 6, 4])
        do(match, SelfRally("l"))
        assert "l" not in match.state.units
        assert get(match, "a").broken, "a LLMC of ten and one more"

    def test_wounded_leaders_rally_worse(self) -> None:
        units = [unit("l", "russian 9-1", "F1", wounded=True), unit("a", "russian 4-4-7", "F1", broken=True)]
        match = drill("z", "RPh", units)
        do(match, Done())
        preview = match.preview("russian", RallyUnit("a", "l"))
        assert preview is not None
        assert preview.tallies[0].total == 0

    def test_broken_units_in_melee_do_not_rally(self) -> None:
        units = [
            unit("a", "russian 4-4-7", "I3", broken=True, melee=True),
            unit("g", "german 4-6-7", "I3", melee=True),
        ]
        match = drill("z", "RPh", units)
        assert not in_rally_phase(match)

    def test_exact_odds(self) -> None:
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "F1", broken=True)])
        preview = match.preview("russian", SelfRally("a"))
        assert preview is not None
        chances = {line.label: line.chance for line in preview.odds}
        assert chances["rallies"] == pytest.approx(15 / 36), "6 or less with the +1 of a self-rally"
        assert chances["Casualty Reduction"] == pytest.approx(1 / 36)
        assert sum(chances.values()) == pytest.approx(1)


@rule("3.1")
@rule("4.0")
class TestRecovery:
    def test_a_dr_below_six_recovers(self) -> None:
        guns = [weapon("mg", "german LMG", at="I3")]
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3"), unit("b", "russian 4-4-7", "I3")], guns, dice=[5])
        do(match, Recover("a", "mg"))
        assert get_weapon(match, "mg").owner == "a"

    def test_cx_units_need_one_less(self) -> None:
        guns = [weapon("mg", "russian LMG", at="I3")]
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3", cx=True)], guns, dice=[5])
        preview = match.preview("russian", Recover("a", "mg"))
        assert preview is not None
        assert preview.odds[0].chance == pytest.approx(4 / 6)
        do(match, Recover("a", "mg"))
        assert get_weapon(match, "mg").owner == ""

    def test_both_sides_and_each_unit_once(self) -> None:
        guns = [weapon("mg", "russian LMG", at="I3"), weapon("mg2", "german LMG", at="Q8")]
        units = [unit("a", "russian 4-4-7", "I3"), unit("b", "russian 4-4-7", "I3"), unit("g", "german 4-6-7", "Q8")]
        match = drill("z", "RPh", units, guns, dice=[6, 6, 1])
        do(match, Recover("a", "mg"))
        assert offered(match, Recover) == [Recover("b", "mg")]
        do(match, Recover("b", "mg"))
        assert step(match) == ("b", "german")
        do(match, Recover("g", "mg2"))
        assert get_weapon(match, "mg2").owner == "g"

    def test_a_leader_who_recovers_may_not_rally(self) -> None:
        guns = [weapon("mg", "russian LMG", at="I3")]
        units = [unit("l", "russian 9-1", "I3"), unit("a", "german 4-6-7", "Q8")]
        units.append(unit("b", "russian 4-4-7", "I3", broken=True))
        match = drill("z", "RPh", units, guns, dice=[6])
        do(match, Recover("l", "mg"), Done())
        assert not in_rally_phase(match)


@rule("3.1")
class TestRepair:
    @rule("1.2.4")
    @pytest.mark.parametrize(("dr", "result"), [(1, "repaired"), (3, "failed"), (6, "lost")])
    def test_repair_numbers(self, dr: int, result: str) -> None:
        guns = [weapon("mg", "russian MMG", "a", broken=True)]
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3")], guns, dice=[dr])
        (event,) = happened(do(match, Repair("mg")), Repaired)
        assert event.result == result
        assert ("mg" in match.state.weapons) == (result != "lost")

    def test_captured_weapons_cannot_be_repaired(self) -> None:
        guns = [weapon("mg", "german MMG", "a", broken=True)]
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3")], guns)
        assert not in_rally_phase(match)

    def test_exact_odds(self) -> None:
        guns = [weapon("mg", "russian MMG", "a", broken=True)]
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3")], guns)
        preview = match.preview("russian", Repair("mg"))
        assert preview is not None
        assert sum(line.chance for line in preview.odds) == pytest.approx(1)
        assert preview.odds[-1].chance == pytest.approx(1 / 6)


@rule("3.1")
@rule("4.0")
class TestTransfer:
    def test_weapons_change_hands_within_a_hex(self) -> None:
        guns = [weapon("mg", "russian LMG", "a")]
        units = [unit("a", "russian 4-4-7", "I3"), unit("b", "russian 4-4-7", "I3"), unit("c", "russian 4-4-7", "J3")]
        match = drill("z", "RPh", units, guns)
        assert offered(match, Transfer) == [Transfer("mg", "b")]
        do(match, Transfer("mg", "b"))
        assert get(match, "b").weapons == ("mg",)

    def test_nobody_hands_a_weapon_to_the_enemy(self) -> None:
        units = [unit("r", "russian 4-4-7", "I3"), unit("s", "russian 4-4-7", "I3"), unit("g", "german 4-6-7", "I3")]
        match = drill("z", "RPh", units, [weapon("m", "russian LMG", "r")])
        assert transfer_bar(match.state, get_weapon(match, "m"), get(match, "s")) is None
        bar = transfer_bar(match.state, get_weapon(match, "m"), get(match, "g"))
        assert bar is not None
        assert "between two units" in bar[0]

    def test_broken_units_neither_give_nor_take(self) -> None:
        guns = [weapon("mg", "russian LMG", "a")]
        units = [unit("a", "russian 4-4-7", "I3"), unit("b", "russian 4-4-7", "I3", broken=True)]
        match = drill("z", "RPh", units, guns)
        assert step(match)[0] == "e"

    def test_what_was_recovered_is_not_transferred(self) -> None:
        guns = [weapon("mg", "russian LMG", at="I3")]
        units = [unit("a", "russian 4-4-7", "I3"), unit("b", "russian 4-4-7", "I3")]
        match = drill("z", "RPh", units, guns, dice=[1])
        do(match, Recover("a", "mg"))
        assert not in_rally_phase(match)

    def test_a_crew_with_a_gun_counts_as_a_squad(self) -> None:
        guns = [weapon("gun", "russian 45mm PTP obr. 32 AT", "s", facing=0)]
        units = [
            unit("s", "russian 4-4-7", "I3"),
            unit("t", "russian 4-4-7", "I3"),
            unit("crew", "russian 2-2-7", "I3"),
            unit("hs", "russian 2-3-7", "I3"),
        ]
        match = drill("z", "RPh", units, guns)
        assert offered(match, Transfer) == [Transfer("gun", "t")], "with the crew it would be three and a half squads"
        with pytest.raises(IllegalAction) as refused:
            do(match, Transfer("gun", "crew"))
        assert "counts as a squad" in str(refused.value)


@rule("3.1")
class TestRemovalOfDm:
    def test_dm_comes_off_but_not_beside_a_known_enemy(self) -> None:
        units = [
            unit("near", "russian 2-2-7", "I3", broken=True, dm=True, rally_tried=True),
            unit("far", "russian 4-4-7", "O6", broken=True, dm=True),
            unit("g", "german 4-6-7", "J3"),
        ]
        match = drill("z", "RPh", units)
        events = do(match, Done())
        assert get(match, "near").dm
        assert not get(match, "far").dm
        assert [(event.what, event.units) for event in happened(events, MarkersRemoved)] == [("DM", ("far",))]

    def test_a_unit_in_the_open_may_keep_its_dm(self) -> None:
        units = [unit("a", "russian 4-4-7", "F1", broken=True, dm=True)]
        match = drill("z", "RPh", units)
        do(match, Done())
        assert step(match)[0] == "g"
        do(match, KeepDm("a"))
        assert get(match, "a").dm

    def test_nobody_keeps_dm_in_a_building(self) -> None:
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "I3", broken=True, dm=True)])
        do(match, Done())
        assert not in_rally_phase(match)
        assert not get(match, "a").dm


@rule("G5")
class TestGuide:
    def test_only_leaders_self_rally_and_only_without_an_unbroken_leader(self) -> None:
        units = [
            unit("a", "russian 4-4-7", "J2", broken=True),
            unit("l", "russian 9-1", "J2", broken=True),
            unit("m", "russian 8-0", "N4", broken=True),
            unit("n", "russian 8-0", "N4"),
        ]
        match = drill("1", "RPh", units, game="guidedrill", dice=[])
        assert offered(match, SelfRally) == [SelfRally("l")]

    def test_original_12_eliminates_a_leader(self) -> None:
        match = drill("1", "RPh", [unit("l", "russian 9-1", "J2", broken=True)], game="guidedrill", dice=[6, 6])
        assert happened(do(match, SelfRally("l")), Eliminated)

    def test_original_12_leaves_a_broken_half_squad(self) -> None:
        units = [unit("l", "russian 9-1", "J2"), unit("a", "russian 4-4-7", "J2", broken=True)]
        match = drill("1", "RPh", units, game="guidedrill", dice=[6, 6])
        do(match, RallyUnit("a", "l"))
        assert get(match, "a").kind == "russian 2-3-7"
        assert get(match, "a").broken

    @rule("G6")
    def test_all_dm_counters_come_off(self) -> None:
        units = [unit("a", "russian 4-4-7", "J2", broken=True, dm=True), unit("g", "german 4-6-7", "J3")]
        match = drill("1", "RPh", units, game="guidedrill")
        assert not get(match, "a").dm

    @rule("G33")
    def test_recovery_always_succeeds_but_not_beside_an_enemy_in_the_hex(self) -> None:
        guns = [weapon("mg", "russian LMG", at="J2")]
        match = drill("1", "RPh", [unit("a", "russian 4-4-7", "J2")], guns, game="guidedrill", dice=[6])
        do(match, Recover("a", "mg"))
        assert get_weapon(match, "mg").owner == "a"
        both = [unit("a", "russian 4-4-7", "J2"), unit("g", "german 4-6-7", "J2", broken=True)]
        match = drill("1", "RPh", both, [weapon("mg", "russian LMG", at="J2")], game="guidedrill")
        assert not in_rally_phase(match)
        assert cell(match, "J2") in match.state.loose
