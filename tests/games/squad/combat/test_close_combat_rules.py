"""Close combat (3.8) beyond the example: stacks, leaders, ambush, modifiers, Melee, weapons, the guide."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.cards.tables import CCT, FireResult
from sandtable.games.squad.combat.model import (
    AttackAll,
    AttackDeclared,
    AttackUnit,
    ClearAttack,
    CloseCombatPhase,
    Combat,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    StackOn,
)
from sandtable.games.squad.combat.strengths import ambush_tally, blocks_of, column_of, default_pairs
from sandtable.games.squad.effects.aftermath import apply_impacts
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.ground.stacks import captured
from sandtable.games.squad.movement.model import DropWeapon, Recover
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import Eliminated, Promoted

OPEN = "E6"


def fight(*units: dict[str, Any], dice: Any = (), board: str = "z", game: str = "drill", weapons: Any = ()) -> Match:
    return drill(board, "CCPh", units, weapons, dice=dice, attacker="german", game=game)


def declare(match: Match, attackers: tuple[str, ...], targets: tuple[str, ...]) -> list[Any]:
    return do(match, *map(JoinAttack, attackers), *map(AttackUnit, targets), DeclareAttack())


def drm(match: Match, side: str) -> dict[str, float]:
    """The modifiers of an attack of all on all."""
    preview = match.preview(side, AttackAll())
    assert preview is not None
    return {item.label: item.value for item in preview.tallies[2].items}


@rule("3.8")
class TestStacks:
    def test_a_leader_attacks_and_defends_with_his_squad(self) -> None:
        match = fight(
            unit("g1", "german 4-6-7", OPEN),
            unit("g2", "german 4-6-7", OPEN),
            unit("l", "german 9-1", OPEN),
            unit("r", "russian 4-4-7", OPEN),
            dice=[6, 5, 6, 5],
        )
        do(match, StackOn("l", "g2"), Done())
        declare(match, ("g2",), ("r",))
        assert {action.unit for action in offered(match, AttackUnit)} == {"g1", "g2"}
        with pytest.raises(IllegalAction) as refused:
            do(match, AttackUnit("l"))
        assert "defends with" in str(refused.value)
        do(match, JoinAttack("r"), AttackUnit("g2"))
        preview = match.preview("russian", DeclareAttack())
        assert preview is not None
        assert preview.tallies[1].total == 5

    def test_a_leader_who_attacks_alone_defends_alone_and_without_his_modifier(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("l", "german 9-2", OPEN), unit("r", "russian 4-4-7", OPEN))
        do(match, StackOn("l"), Done(), JoinAttack("l"), AttackUnit("r"))
        preview = match.preview("german", DeclareAttack())
        assert preview is not None
        assert preview.title == "Close combat at 1-4"
        assert preview.tallies[2].items == ()
        do(match, DeclareAttack())
        assert {action.unit for action in offered(match, AttackUnit)} == {"g", "l"}

    def test_a_leader_alone_does_not_join_a_squad(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("l", "german 9-2", OPEN), unit("r", "russian 4-4-7", OPEN))
        do(match, StackOn("l"), Done())
        preview = match.preview("german", AttackAll())
        assert preview is not None
        assert preview.tallies[0].total == 4, "he defends alone, so he attacks alone"
        do(match, JoinAttack("g"))
        assert not offered(match, JoinAttack)
        with pytest.raises(IllegalAction) as refused:
            do(match, JoinAttack("l"))
        assert "stands alone" in str(refused.value)

    def test_leaders_without_a_squad_fight_singly_or_together(self) -> None:
        match = fight(unit("l", "german 9-2", OPEN), unit("m", "german 8-1", OPEN), unit("r", "russian 2-3-7", OPEN))
        do(match, JoinAttack("l"), JoinAttack("m"), AttackUnit("r"))
        preview = match.preview("german", DeclareAttack())
        assert preview is not None
        assert preview.title == "Close combat at 1-1"
        assert preview.tallies[2].total == 0, "leadership helps MMC only"

    def test_leaders_stand_on_the_strongest_unbroken_squad_at_first(self) -> None:
        match = fight(
            unit("g", "german 5-4-8", OPEN, broken=True),
            unit("h", "german 4-6-7", OPEN),
            unit("l", "german 9-1", OPEN),
            unit("r", "russian 4-4-7", OPEN),
        )
        pairs = default_pairs(match.state, cell(match, OPEN), "german")
        assert pairs == (("l", "h"),)
        blocks = blocks_of(match.state, cell(match, OPEN), "german", pairs)
        assert [unit.id for unit in blocks["h"].units] == ["h", "l"]

    def test_a_broken_leader_may_not_stand_alone_beside_a_squad(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", OPEN),
            unit("l", "german 9-1", OPEN, broken=True),
            unit("r", "russian 4-4-7", OPEN),
        )
        assert not offered(match, StackOn)


@rule("3.8")
class TestDeclarations:
    def test_nobody_must_attack(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN))
        events = do(match, Done(), Done())
        assert not happened(events, CombatResolved)
        assert get(match, "g").melee

    def test_broken_units_defend_but_do_not_attack(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN, broken=True), dice=[3, 3])
        assert drm(match, "german") == {"against a broken unit": -2}
        events = do(match, AttackAll())
        (only,) = happened(events, CombatResolved)
        assert (only.dr, only.result) == (4, "eliminated")

    def test_clearing_starts_again(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN))
        before = match.position()
        do(match, JoinAttack("g"), AttackUnit("r"), ClearAttack())
        assert match.position() == before

    def test_all_of_both_sides_broken_means_no_combat(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", OPEN, broken=True, melee=True),
            unit("r", "russian 4-4-7", OPEN, broken=True),
        )
        assert not isinstance(match.state.stack[-1], CloseCombatPhase)

    def test_attacks_count_even_of_units_eliminated_before(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN), dice=[2, 2, 2, 2])
        events = do(match, AttackAll(), AttackAll())
        assert {event.unit for event in happened(events, Eliminated)} == {"g", "r"}


@rule("3.8")
class TestModifiers:
    def test_pinned_units_attack_with_half_and_defend_with_all(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN, pinned=True), unit("r", "russian 4-4-7", OPEN))
        preview = match.preview("german", AttackAll())
        assert preview is not None
        assert (preview.tallies[0].total, preview.title) == (2, "Close combat at 1-2")
        assert [item.label for item in preview.tallies[0].items] == ["4-6-7 g (pinned)"]
        do(match, AttackAll())
        preview = match.preview("russian", AttackAll())
        assert preview is not None
        assert preview.title == "Close combat at 1-1"

    def test_cx_counts_once_each_way(self) -> None:
        match = fight(
            unit("g1", "german 4-6-7", OPEN, cx=True),
            unit("g2", "german 4-6-7", OPEN, cx=True),
            unit("r", "russian 4-4-7", OPEN, cx=True),
        )
        assert drm(match, "german") == {"by a CX unit": 1, "against a CX unit": -1}

    @pytest.mark.parametrize(("kind", "expected"), [("german 9-1", {"leader 9-1": -1}), ("german 6+1", {})])
    def test_leadership_is_used_only_if_it_helps(self, kind: str, expected: dict[str, float]) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("l", kind, OPEN), unit("r", "russian 4-4-7", OPEN))
        do(match, Done())
        assert drm(match, "german") == expected

    def test_pinned_leaders_do_not_direct(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", OPEN),
            unit("l", "german 9-1", OPEN, pinned=True),
            unit("r", "russian 4-4-7", OPEN),
        )
        do(match, Done())
        preview = match.preview("german", AttackAll())
        assert preview is not None
        assert preview.tallies[0].total == 4.5
        assert preview.tallies[2].total == 0

    def test_exact_odds(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN))
        preview = match.preview("german", AttackAll())
        assert preview is not None
        chances = {line.label: line.chance for line in preview.odds}
        assert chances["eliminated"] == pytest.approx(6 / 36)
        assert chances["Casualty Reduction"] == pytest.approx(4 / 36)
        assert chances["no effect"] == pytest.approx(26 / 36)


@rule("3.8")
class TestAmbush:
    def test_drm_of_a_mixed_force(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J3", engaged=True, cx=True),
            unit("h", "german 4-3-6", "J3", engaged=True),
            unit("r", "russian 4-2-6", "J3", pinned=True),
            unit("s", "russian 9-2", "J3"),
            dice=[4, 4],
        )
        here = cell(match, "J3")
        german = {item.label: item.value for item in ambush_tally(match.state, here, "german").items}
        russian = {item.label: item.value for item in ambush_tally(match.state, here, "russian").items}
        assert german == {"Inexperienced": 1, "CX": 1}
        assert russian == {"Inexperienced": 1, "pinned": 1, "leadership": -2}

    def test_a_lone_leader_has_no_leadership_drm(self) -> None:
        match = fight(unit("l", "german 9-2", "J3", engaged=True), unit("r", "russian 4-4-7", "J3"), dice=[4, 4])
        assert ambush_tally(match.state, cell(match, "J3"), "german").total == 0

    @pytest.mark.parametrize(
        ("dice", "first"), [((1, 4), "german"), ((4, 1), "russian"), ((1, 3), "german"), ((3, 1), "german")]
    )
    def test_three_less_ambushes(self, dice: tuple[int, int], first: str) -> None:
        match = fight(unit("g", "german 4-6-7", "J3", engaged=True), unit("r", "russian 4-4-7", "J3"), dice=dice)
        assert match.to_act == (first,)
        ambush = abs(dice[0] - dice[1]) >= 3
        assert drm(match, first) == ({"ambush": -1} if ambush else {})

    def test_only_after_an_advance(self) -> None:
        match = fight(unit("g", "german 4-6-7", "J3"), unit("r", "russian 4-4-7", "J3"))
        frame = match.state.stack[-1]
        assert isinstance(frame, Combat)
        assert frame.ambusher == ""

    def test_survivors_attack_back_with_the_penalty(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J3", engaged=True), unit("r", "russian 4-4-7", "J3"), dice=[1, 6, 6, 6, 6, 5]
        )
        do(match, AttackAll())
        assert drm(match, "russian") == {"ambush": 1}

    def test_who_is_eliminated_in_an_ambush_does_not_attack_back(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J3", engaged=True), unit("r", "russian 4-4-7", "J3"), dice=[1, 6, 1, 2]
        )
        events = do(match, AttackAll())
        assert len(happened(events, CombatResolved)) == 1
        assert "r" not in match.state.units


@rule("3.8")
class TestMelee:
    def test_it_ends_when_one_side_is_gone(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", OPEN, melee=True), unit("r", "russian 4-4-7", OPEN, melee=True), dice=[1, 2]
        )
        do(match, AttackAll(), Done())
        assert not get(match, "g").melee
        assert get(match, "g").good_order

    def test_one_unbroken_unit_is_enough(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN, broken=True), dice=[6, 6])
        do(match, AttackAll())
        assert get(match, "g").melee
        assert get(match, "r").melee

    def test_fire_into_it_that_leaves_nobody_unbroken_ends_it(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN, melee=True), unit("r", "russian 4-4-7", OPEN, melee=True))
        play = Play(match.state.clone(), ScriptedDice(6, 6, 6, 6))
        check = FireResult("MC", 4)
        apply_impacts(play, [Impact("g", check, 8), Impact("r", check, 8)])
        units = play.state.units
        assert [units[name].broken for name in ("g", "r")] == [True, True]
        assert [units[name].melee for name in ("g", "r")] == [False, False]

    @rule("4.0")
    def test_weapons_of_the_fallen_lie_unpossessed(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", OPEN),
            unit("r", "russian 4-4-7", OPEN),
            dice=[1, 2],
            weapons=[weapon("mg", "russian LMG", "r")],
        )
        do(match, AttackAll(), Done())
        assert get_weapon(match, "mg").owner == ""
        assert get_weapon(match, "mg").at == cell(match, OPEN)

    @rule("5.5")
    def test_the_victor_may_recover_them_as_captured(self) -> None:
        match = drill(
            "z",
            "CCPh",
            [unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN), unit("x", "russian 4-4-7", "A1")],
            [weapon("mg", "russian LMG", "r")],
            attacker="german",
            dice=[1, 2, 3],
        )
        do(match, AttackAll(), Done())
        assert match.state.phase == "RPh", "the next Player Turn"
        do(match, Recover("g", "mg"))
        assert captured(match.state, get_weapon(match, "mg"))

    def test_pins_come_off_at_the_end(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN, pinned=True), unit("r", "russian 4-4-7", OPEN, pinned=True))
        do(match, Done(), Done())
        assert not get(match, "g").pinned
        assert not get(match, "r").pinned


@rule("5.3")
class TestPromotion:
    def test_the_new_leader_shares_the_fate_of_his_squad(self) -> None:
        match = fight(unit("g", "german 4-6-7", OPEN), unit("r", "russian 4-4-7", OPEN), dice=[1, 1, 3, 1, 2])
        events = do(match, AttackAll(), AttackAll())
        (promoted,) = happened(events, Promoted)
        assert promoted.kind == "german 8-0"
        first, second = happened(events, CombatResolved)
        assert (first.odds, second.odds) == ("1-1", "1-2"), "4 to 5 for the Russians now"
        assert {event.unit for event in happened(events, Eliminated)} == {"g", "r", promoted.leader}

    def test_low_odds_help(self) -> None:
        match = fight(
            unit("g", "german 2-4-7", OPEN),
            *(unit(name, "russian 4-4-7", OPEN) for name in ("r1", "r2")),
            dice=[1, 1, 3],
        )
        # 3 to 8 with the new leader is 1-4: two columns below 1-1; and -1 for a German
        (promoted,) = happened(do(match, AttackAll(), Done()), Promoted)
        assert promoted.kind == "german 8-1"


@rule("G30")
class TestGuide:
    @pytest.mark.parametrize(
        ("attack", "defence", "odds"), [(12, 4, "3-1"), (7, 4, "3-2"), (11, 2, "4-1"), (4, 15, "1-4"), (12, 12, "1-1")]
    )
    def test_odds_are_rounded_down(self, attack: int, defence: int, odds: str) -> None:
        assert CCT.odds[column_of(attack, defence)] == odds

    @pytest.mark.parametrize(
        ("attacks", "odds"),
        [
            ([(("g1", "g2", "g3"), ("r1", "r2", "r3"))], ["1-1"]),
            ([(("g1", "g2", "g3"), ("r1",))], ["3-1"]),
            ([(("g1",), ("r1",)), (("g2",), ("r2",)), (("g3",), ("r3",))], ["1-1", "1-1", "1-1"]),
            ([(("g1", "g2"), ("r1",)), (("g3",), ("r2", "r3"))], ["2-1", "1-2"]),
            ([(("g1", "g2"), ("r1",)), (("g3",), ("r2",))], ["2-1", "1-1"]),
        ],
    )
    def test_ways_to_divide_three_squads(self, attacks: list[Any], odds: list[str]) -> None:
        match = fight(
            *(unit(f"g{n}", "german 4-6-7", "J2") for n in (1, 2, 3)),
            *(unit(f"r{n}", "russian 4-4-7", "J2") for n in (1, 2, 3)),
            board="1",
            game="guidedrill",
        )
        events: list[Any] = []
        for attackers, targets in attacks:
            events += declare(match, attackers, targets)
        assert [event.odds for event in happened(events, AttackDeclared)] == odds

    def test_nobody_attacks_or_is_attacked_twice(self) -> None:
        squads = [unit(f"g{n}", "german 4-6-7", "J2") for n in (1, 2)]
        enemies = [unit(f"r{n}", "russian 4-4-7", "J2") for n in (1, 2)]
        match = fight(*squads, *enemies, board="1", game="guidedrill")
        declare(match, ("g1",), ("r1",))
        assert offered(match, JoinAttack) == [JoinAttack("g2")]
        do(match, JoinAttack("g2"))
        assert offered(match, AttackUnit) == [AttackUnit("r2")]

    def squad_and_leader(self, dice: Any) -> Match:
        return fight(
            unit("g", "german 4-6-7", "J2", engaged=True),
            unit("l", "german 8-1", "J2", engaged=True),
            *(unit(f"r{n}", "russian 4-4-7", "J2") for n in (1, 2)),
            board="1",
            game="guidedrill",
            dice=dice,
        )

    @rule("G31")
    @pytest.mark.parametrize(("dr", "left"), [((2, 2), 0), ((3, 2), 1), ((3, 3), 2)])
    def test_a_squad_and_a_leader_attack_two_squads(self, dr: tuple[int, int], left: int) -> None:
        # a second die decides who is reduced
        match = self.squad_and_leader([*dr, *((6, 1) if left == 1 else ()), 6, 6])
        do(match, Done(), AttackAll())
        events = do(match, Done())
        (only,) = happened(events, CombatResolved)
        assert (only.odds, only.kill) == ("1-2", 4)
        squads = [name for name in ("r1", "r2") if name in match.state.units]
        assert len([name for name in squads if get(match, name).kind == "russian 4-4-7"]) == left

    @pytest.mark.parametrize(("dr", "gone"), [((2, 3), {"g", "l"}), ((3, 3), {"l"}), ((4, 3), set())])
    def test_the_two_squads_attack_back(self, dr: tuple[int, int], gone: set[str]) -> None:
        match = self.squad_and_leader([*dr, *((1, 6) if sum(dr) == 6 else ())])
        do(match, Done(), Done())
        events = do(match, AttackAll())
        (only,) = happened(events, CombatResolved)
        assert (only.odds, only.kill) == ("3-2", 6)
        assert {event.unit for event in happened(events, Eliminated)} == gone, "a leader is eliminated, not wounded"

    def test_no_ambush_and_no_modifier_against_broken_units(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J2", engaged=True),
            unit("r", "russian 4-4-7", "J2", broken=True),
            board="1",
            game="guidedrill",
        )
        assert drm(match, "german") == {}

    @rule("G33")
    def test_weapons_may_be_dropped_at_the_start(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J2"),
            unit("r", "russian 4-4-7", "J2"),
            board="1",
            game="guidedrill",
            weapons=[weapon("mg", "german LMG", "g")],
        )
        do(match, DropWeapon("mg"))
        assert get_weapon(match, "mg").owner == ""

    @rule("G32")
    def test_even_broken_units_alone_are_held_in_melee(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J2"),
            unit("r", "russian 4-4-7", "J2", broken=True),
            board="1",
            game="guidedrill",
        )
        do(match, Done())
        assert get(match, "g").melee
        assert get(match, "r").melee
