"""Close Combat Phase (3.8): the six close combats of the booklet's example, on board z."""

from __future__ import annotations

from typing import Any

from squad_support import at, cell, do, drill, get, happened, offered, rule, unit

from sandtable.engine import Match
from sandtable.engine.events import Rolled
from sandtable.games.squad.combat.model import (
    AdvanceTo,
    Ambushed,
    AttackAll,
    AttackDeclared,
    AttackUnit,
    CloseCombatPhase,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    MeleeBegan,
    PickCombat,
    StartAdvance,
)
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.events import Eliminated, Promoted


def fight(*units: dict[str, Any], dice: Any, attacker: str = "german") -> Match:
    """A Close Combat Phase; units of both sides share hexes already."""
    return drill("z", "CCPh", units, dice=dice, attacker=attacker)


def declare(match: Match, attackers: tuple[str, ...], targets: tuple[str, ...]) -> list[Any]:
    """Put one attack together."""
    return do(match, *map(JoinAttack, attackers), *map(AttackUnit, targets), DeclareAttack())


def ambush_totals(events: list[Any]) -> list[float]:
    """The drm of the ambush drs, the ATTACKER's first."""
    return [event.tally.total for event in happened(events, Rolled) if event.why == "ambush"]


@rule("3.8")
class TestCloseCombatPhaseExample:
    def test_f5_a_conscript_squad_is_reduced_and_melee_follows(self) -> None:
        match = drill(
            "z",
            "APh",
            [unit("g", "german 4-6-7", "G6"), unit("r", "russian 4-2-6", "F5"), unit("x", "german 9-1", "A1")],
            attacker="german",
            dice=[2, 3, 2, 3, 5, 4],
        )
        events = do(match, StartAdvance("g"), AdvanceTo(cell(match, "F5")), EndPhase())
        assert ambush_totals(events) == [0, 1]
        assert happened(events, Ambushed)[0].side == ""
        events = do(match, AttackAll(), AttackAll())
        first, second = happened(events, CombatResolved)
        assert (first.odds, first.kill, first.dr, first.result) == ("1-1", 5, 5, "reduced")
        assert (second.odds, second.dr, second.result) == ("1-1", 9, "none")
        assert get(match, "r").kind == "russian 2-2-6"
        assert happened(events, MeleeBegan)
        assert get(match, "g").melee
        assert get(match, "r").melee

    def test_g5_both_sides_are_wiped_out(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "G5", engaged=True),
            unit("l1", "german 8-1", "G5", engaged=True),
            unit("l2", "german 9-1", "G5", engaged=True),
            unit("r", "russian 4-4-7", "G5"),
            dice=[6, 3, 3, 3, 1, 2],
        )
        events = do(match, Done())
        assert ambush_totals(events) == [-1, 0], "one leader's modifier"
        assert happened(events, Ambushed)[0].side == ""
        events = do(match, AttackAll())
        assert happened(events, AttackDeclared)[0].odds == "3-2"
        assert offered(match, AttackUnit) == [AttackUnit("g")], "the leaders defend with the squad"
        events = do(match, AttackAll())
        first, second = happened(events, CombatResolved)
        assert (first.odds, first.dr, first.kill, first.result) == ("3-2", 5, 6, "eliminated")
        assert (second.odds, second.dr, second.kill, second.result) == ("1-2", 3, 4, "eliminated")
        assert {event.unit for event in happened(events, Eliminated)} == {"g", "l1", "l2", "r"}
        assert not match.state.stacks

    def test_h4_several_attacks_at_once(self) -> None:
        match = fight(
            *(unit(name, "german 4-4-7", "H4", engaged=True) for name in ("g1", "g2", "g3")),
            *(unit(name, "russian 4-5-8", "H4") for name in ("r1", "r2")),
            dice=[3, 5, *(4, 2), *(5, 4), *(3, 1), *(4, 3), *(2, 5)],
        )
        assert offered(match, JoinAttack) == [JoinAttack("g1"), JoinAttack("g2"), JoinAttack("g3")]
        events = declare(match, ("g1", "g2"), ("r1",))
        assert happened(events, AttackDeclared)[0].odds == "2-1"
        assert offered(match, JoinAttack) == [JoinAttack("g3")], "nobody attacks twice"
        assert offered(match, AttackUnit) == [AttackUnit("r2")], "nobody is attacked twice"
        declare(match, ("g3",), ("r2",))
        events = declare(match, ("r1",), ("g1", "g2"))
        assert happened(events, AttackDeclared)[0].odds == "1-2"
        events = declare(match, ("r2",), ("g3",))
        results = [(e.odds, e.dr, e.result) for e in happened(events, CombatResolved)]
        assert results == [
            ("2-1", 6, "eliminated"),
            ("1-1", 9, "none"),
            ("1-2", 4, "reduced"),
            ("1-1", 7, "none"),
        ]
        kinds = sorted(get(match, name).kind for name in match.state.stacks[cell(match, "H4")])
        assert kinds == ["german 2-3-7", "german 4-4-7", "german 4-4-7", "russian 4-5-8"]
        assert get(match, "g2").kind == "german 2-3-7", "the higher die"
        assert all(get(match, name).melee for name in match.state.stacks[cell(match, "H4")])

    def test_j3_a_wounded_leader_reinforces_a_melee(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "J3", melee=True),
            unit("l", "german 9-2", "J3", engaged=True, wounded=True),
            unit("r1", "russian 4-4-7", "J3", melee=True),
            unit("r2", "russian 5-2-7", "J3", melee=True),
            dice=[3, 4, 4, 3],
        )
        events = do(match, Done())
        assert not happened(events, Ambushed), "there was a Melee already"
        events = declare(match, ("g",), ("r2",))
        assert happened(events, AttackDeclared)[0].odds == "1-1"
        events = declare(match, ("r1", "r2"), ("g",))
        first, second = happened(events, CombatResolved)
        assert (first.odds, first.dr, first.result) == ("1-1", 6, "none"), "-1 by the wounded leader"
        assert (second.odds, second.kill, second.dr, second.result) == ("3-2", 6, 7, "none")
        assert get(match, "l").melee

    def test_i4_the_russians_ambush(self) -> None:
        match = fight(
            unit("g", "german 4-6-7", "I4", engaged=True),
            unit("r", "russian 4-4-7", "I4"),
            dice=[4, 1, *(3, 3), *(2, 3)],
        )
        assert match.to_act == ("russian",), "the ambusher declares and resolves first"
        events = do(match, AttackAll())
        (first,) = happened(events, CombatResolved)
        assert (first.odds, first.dr, first.result) == ("1-1", 5, "reduced")
        assert get(match, "g").kind == "german 2-4-7"
        assert match.to_act == ("german",)
        events = do(match, AttackAll())
        (second,) = happened(events, CombatResolved)
        assert (second.odds, second.dr, second.result) == ("1-2", 6, "none")
        assert get(match, "g").melee

    def test_e6_a_field_promotion_changes_the_odds(self) -> None:
        match = fight(
            unit("g", "german 5-4-8", "E6", engaged=True, cx=True),
            unit("r", "russian 4-4-7", "E6"),
            dice=[*(5, 4), *(1, 1), 1],
        )
        events = do(match, AttackAll())
        assert not happened(events, Ambushed), "open ground"
        assert happened(events, AttackDeclared)[0].odds == "1-1"
        preview = match.preview("russian", AttackAll())
        assert preview is not None
        assert preview.title == "Close combat at 1-2"
        assert preview.tallies[2].total == -1
        events = do(match, AttackAll())
        (promoted,) = happened(events, Promoted)
        assert promoted.kind == "russian 8-0"
        first, second = happened(events, CombatResolved)
        assert (first.odds, first.dr, first.result) == ("1-1", 10, "none"), "5 to 5, +1 for CX"
        assert (second.odds, second.dr, second.result) == ("1-1", 1, "eliminated")
        assert "g" not in match.state.units
        assert at(match, promoted.leader) == "E6"

    def test_the_attacker_picks_the_order_of_hexes(self) -> None:
        match = fight(
            unit("g1", "german 4-6-7", "E6"),
            unit("r1", "russian 4-4-7", "E6"),
            unit("g2", "german 4-6-7", "J3"),
            unit("r2", "russian 4-4-7", "J3"),
            dice=[],
        )
        assert isinstance(match.state.stack[-1], CloseCombatPhase)
        assert match.to_act == ("german",)
        assert {action.at for action in offered(match, PickCombat)} == {cell(match, "E6"), cell(match, "J3")}
        do(match, PickCombat(cell(match, "J3")))
        assert {action.unit for action in offered(match, JoinAttack)} == {"g2"}
        do(match, Done(), Done())
        assert {action.unit for action in offered(match, JoinAttack)} == {"g1"}, "the other one follows by itself"
