"""Refusals: each tells the rule and what would be legal instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, rule, unit, weapon

import sandtable
from sandtable.engine import Action, Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.combat.model import AdvanceTo, JoinAttack, StartAdvance
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    DestroyWeapon,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    Detach,
    DoubleTime,
    DropWeapon,
    ExitMap,
    PlaceCharge,
    Recover,
    SmokeGrenade,
    StartMove,
    Step,
    StepAside,
)
from sandtable.games.squad.ordnance.model import Manhandle, SetOffCharge, Shoot, StartShot, TurnGun
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, PREP_FIRE
from sandtable.games.squad.rally.model import KeepDm, RallyUnit, Repair, SelfRally, Transfer
from sandtable.games.squad.rout.model import LowCrawl, RoutStep, StartRout

R1, G1 = unit("r1", "russian 4-4-7", "I4"), unit("g1", "german 4-6-7", "K5")


def refused(match: Match, action: Action, number: str, *words: str) -> str:
    """The refusal of an action: its rule, parts of its sentence, and that something legal is named."""
    with pytest.raises(IllegalAction) as caught:
        match.apply(match.to_act[0], action)
    reason = str(caught.value)
    assert caught.value.rule == number, reason
    assert "Legal instead: " in reason
    for part in words:
        assert part in reason
    return reason


def moving(*units: dict[str, Any], weapons: tuple[dict[str, Any], ...] = (), **more: Any) -> Match:
    """r1 has begun to move."""
    match = drill("z", "MPh", [*(units or (R1,)), G1], weapons, **more)
    do(match, StartMove("r1"))
    for line in units[1:]:
        if line["at"] == units[0]["at"] and AddMover(line["id"]) in match.actions("russian"):
            do(match, AddMover(line["id"]))
    do(match, BeginMove())
    return match


DC = weapon("dc", "russian DC", "r1")


class TestChargesAndRecovery:
    @rule("4.3")
    def test_a_charge_in_a_hex_that_is_not_adjacent(self) -> None:
        match = moving(weapons=(DC,))
        refused(match, PlaceCharge("r1", "dc", cell(match, "K5")), "4.3", "adjacent hex", "Place the DC in")

    @rule("4.0")
    def test_a_half_squad_that_has_used_a_weapon(self) -> None:
        half = unit("r1", "russian 2-3-7", "I4")
        match = moving(half, weapons=(DC, weapon("d2", "russian DC", "r1")))
        match.state.units["r1"] = replace(match.state.units["r1"], used=("d2",))
        refused(match, PlaceCharge("r1", "dc", cell(match, "J4")), "4.0", "one weapon", "another unit")

    @rule("4.3")
    def test_a_charge_that_somebody_else_has(self) -> None:
        match = moving(R1, unit("r2", "russian 4-4-7", "I4"), weapons=(weapon("dc", "russian DC", "r2"),))
        refused(match, PlaceCharge("r1", "dc", cell(match, "J4")), "4.3", "possesses no such DC")

    @rule("4.3")
    def test_a_charge_outside_the_mph(self) -> None:
        match = drill("z", "PFPh", [R1, G1], [DC])
        refused(match, PlaceCharge("r1", "dc", cell(match, "J4")), "4.3", "in the MPh")
        refused(match, SetOffCharge("dc"), "4.3", "places it in the MPh")

    @rule("3.3")
    def test_a_gun_in_a_full_hex(self) -> None:
        stack = [unit("r1", "russian 2-3-7", "I4"), *(unit(f"s{n}", "russian 4-4-7", "I4") for n in (1, 2))]
        stack.append(unit("h", "russian 2-3-7", "I4"))
        match = drill("z", "MPh", [*stack, G1], [weapon("w", "russian 45mm PTP obr. 32 AT", at="I4", facing=0)])
        do(match, StartMove("r1"), BeginMove())
        refused(match, Recover("r1", "w"), "3.3", "counts as a squad", "let a squad take it")

    @rule("3.3")
    def test_a_weapon_in_another_hex(self) -> None:
        match = moving(weapons=(weapon("w", "russian LMG", at="J4"),))
        refused(match, Recover("r1", "w"), "3.3", "J4", "enter that hex")

    @rule("4.0")
    def test_a_weapon_that_somebody_has(self) -> None:
        match = moving(R1, unit("r2", "russian 4-4-7", "I4"), weapons=(weapon("w", "russian LMG", "r2"),))
        refused(match, Recover("r1", "w"), "4.0", "only unpossessed weapons")

    @rule("3.3")
    def test_recovery_with_too_few_mf(self) -> None:
        match = moving(weapons=(weapon("w", "russian LMG", at="I4"), weapon("x", "russian HMG", "r1")))
        now = match.state.moving
        match.state.moving = replace(now, movers=tuple(replace(mover, spent=8) for mover in now.movers))
        refused(match, Recover("r1", "w"), "3.3", "MF are left")

    @rule("4.0")
    def test_recovery_in_a_fire_phase(self) -> None:
        match = drill("z", "PFPh", [R1, G1], [weapon("w", "russian LMG", at="I4")])
        refused(match, Recover("r1", "w"), "4.0", "RPh or by moving units")


def in_phase(phase: str, *units: dict[str, Any], weapons: tuple[dict[str, Any], ...] = (), **more: Any) -> Match:
    return drill("z", phase, [*units, G1], weapons, **more)


def fired_upon(**more: Any) -> Match:
    """r1 has entered zJ3 in sight of g1 in zK5."""
    match = in_phase("MPh", R1, **more)
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "J3")))
    return match


def drafted(*units: dict[str, Any], weapons: tuple[dict[str, Any], ...] = ()) -> Match:
    """r1 in zK3 aims at zK5."""
    match = in_phase("PFPh", unit("r1", "russian 4-4-7", "K3"), *units, weapons=weapons)
    do(match, StartFire("r1"), AimAt(cell(match, "K5")))
    return match


def routing() -> Match:
    """A broken German in zN7, with Russians in O6 and L7."""
    units = [
        unit("b", "german 4-6-7", "N7", broken=True, dm=True),
        unit("r1", "russian 6-2-8", "O6"),
        unit("r2", "russian 6-2-8", "L7"),
    ]
    match = drill("z", "RtPh", units, attacker="german")
    do(match, StartRout("b"))
    return match


def melee() -> Match:
    units = [
        unit("r1", "russian 4-4-7", "K5", melee=True),
        unit("r2", "russian 4-4-7", "K5", melee=True, broken=True, dm=True),
        unit("g1", "german 4-6-7", "K5", melee=True),
    ]
    return drill("z", "CCPh", units)


def hexed(match: Match, kind: Callable[..., Action], name: str, *before: Any) -> Action:
    return kind(*before, cell(match, name))


SQUAD = unit("r1", "russian 4-4-7", "K3")
_GUN = weapon("w", "russian 45mm PTP obr. 32 AT", "r1", facing=0)
_MARKED = unit("g1", "german 4-6-7", "K5", marker=FIRST_FIRE)
DOWN = unit("down", "russian 4-4-7", "J5", broken=True)
CASES: dict[str, tuple[Callable[[], Match], Callable[[Match], Action], str, str]] = {
    # 3.1
    "rally without a leader": (
        lambda: in_phase("RPh", unit("r1", "russian 4-4-7", "I4", broken=True), unit("r2", "russian 4-4-7", "I4")),
        lambda match: RallyUnit("r1", "r2"),
        "3.1",
        "A Good Order leader must be stacked with it",
    ),
    "rally what is not broken": (lambda: in_phase("RPh", R1, DOWN), lambda m: SelfRally("r1"), "3.1", "not broken"),
    "repair what works": (
        lambda: in_phase("RPh", R1, DOWN, weapons=(weapon("w", "russian LMG", "r1"),)),
        lambda match: Repair("w"),
        "3.1",
        "nothing to repair",
    ),
    "transfer to another hex": (
        lambda: in_phase("RPh", R1, unit("r2", "russian 4-4-7", "J4"), weapons=(weapon("w", "russian LMG", "r1"),)),
        lambda match: Transfer("w", "r2"),
        "3.1",
        "within a hex",
    ),
    "keep DM that is not there": (lambda: in_phase("RPh", R1), lambda m: KeepDm("r1"), "3.1", "not under DM"),
    # 3.2
    "fire twice": (
        lambda: in_phase(
            "PFPh", unit("r1", "russian 4-4-7", "K3", marker=PREP_FIRE), unit("r2", "russian 4-4-7", "J5")
        ),
        lambda match: StartFire("r1"),
        "3.2",
        "fired already",
    ),
    "fire while broken": (
        lambda: in_phase("PFPh", unit("r1", "russian 4-4-7", "K3", broken=True), unit("r2", "russian 4-4-7", "J5")),
        lambda match: StartFire("r1"),
        "3.2.3",
        "rout and rally",
    ),
    "a leader's own firepower": (
        lambda: in_phase("PFPh", SQUAD, unit("l", "russian 9-1", "K3")),
        lambda match: StartFire("l"),
        "1.2.1",
        "let him direct",
    ),
    "aim at an empty hex": (
        lambda: _started(),
        lambda match: hexed(match, AimAt, "K4"),
        "3.2.1",
        "No known enemy",
    ),
    "join from far away": (
        lambda: drafted(unit("far", "russian 4-4-7", "K6")),
        lambda match: AddFirer("far"),
        "3.2.2",
        "in or beside a hex",
    ),
    "a squad directs": (
        lambda: drafted(unit("r2", "russian 4-4-7", "K3")),
        lambda match: AddDirector("r2"),
        "3.2.2",
        "only leaders direct fire",
    ),
    "a pinned leader directs": (
        lambda: drafted(unit("l", "russian 9-1", "K3", pinned=True)),
        lambda match: AddDirector("l"),
        "3.2.3",
        "fire without him",
    ),
    "fire without a target": (lambda: _started(), lambda m: ResolveFire(), "3.2.2", "Choose the target first"),
    # 3.2.4, 4.4, 6.x
    "shoot with a machine gun": (
        lambda: in_phase("PFPh", SQUAD, weapons=(weapon("w", "russian LMG", "r1"),)),
        lambda match: StartShot("w"),
        "6.0",
        "fire it as part of a fire attack",
    ),
    "shoot before aiming": (
        lambda: _gun_drafted(),
        lambda match: Shoot("ITT"),
        "3.2.4",
        "Choose the target hex first",
    ),
    "turn a Gun in the middle of a phase": (
        lambda: in_phase("PFPh", unit("r1", "russian 2-2-8", "K3"), weapons=(_GUN,)),
        lambda match: TurnGun("w", 3),
        "3.2.4",
        "at the end of a fire phase",
    ),
    "push a Gun into nowhere": (
        lambda: moving(unit("r1", "russian 2-2-8", "I4"), weapons=(_GUN,)),
        lambda match: hexed(match, lambda to: Manhandle("w", to), "K5"),
        "6.5",
        "adjacent hex",
    ),
    # 3.3
    "move a broken unit": (
        lambda: in_phase("MPh", unit("r1", "russian 4-4-7", "I4", broken=True)),
        lambda match: StartMove("r1"),
        "3.3",
        "rally it",
    ),
    "step two hexes": (lambda: moving(), lambda m: hexed(m, Step, "K4"), "3.3", "one hex at a time"),
    "step onto enemies": (
        lambda: moving(unit("r1", "russian 4-4-7", "J5")),
        lambda match: hexed(match, Step, "K5"),
        "3.3",
        "Advance Phase",
    ),
    "smoke without an exponent": (
        lambda: moving(),
        lambda match: hexed(match, lambda to: SmokeGrenade("r1", to), "I4"),
        "1.2.2",
        "Smoke Exponent",
    ),
    "smoke far away": (
        lambda: moving(unit("r1", "american 6-6-6", "I4")),
        lambda match: hexed(match, lambda to: SmokeGrenade("r1", to), "K5"),
        "3.3",
        "adjacent hex",
    ),
    "leave the map": (lambda: moving(), lambda match: ExitMap(), "3.3", "no part of this side's victory"),
    "wait alone": (lambda: moving(), lambda match: Detach("r1"), "3.3", "end its move instead"),
    "go along the edge on the map": (lambda: moving(), lambda m: StepAside(0), "3.3", "only units off board"),
    "drop what lies there": (
        lambda: moving(weapons=(weapon("w", "russian LMG", at="I4"),)),
        lambda match: DropWeapon("w"),
        "4.0",
        "recovered",
    ),
    "drop in a fire phase": (
        lambda: in_phase("PFPh", SQUAD, weapons=(weapon("w", "russian LMG", "r1"),)),
        lambda match: DropWeapon("w"),
        "4.0",
        "MPh or APh",
    ),
    "Double Time while wounded": (
        lambda: _stack(unit("r1", "russian 9-1", "I4", wounded=True)),
        lambda match: DoubleTime("r1"),
        "3.2.3",
        "wounded",
    ),
    "move along from elsewhere": (
        lambda: _stack(R1, unit("r2", "russian 4-4-7", "J4")),
        lambda match: AddMover("r2"),
        "3.3",
        "same hex",
    ),
    # 3.3.1, 3.4
    "First Fire beyond range": (
        lambda: _window(unit("g2", "german 4-6-7", "Z5")),
        lambda match: StartFire("g2"),
        "3.2.1",
        "range and sight",
    ),
    "Final Protective Fire at a distance": (
        lambda: _window(unit("g2", "german 4-6-7", "K5", marker=FINAL_FIRE)),
        lambda match: StartFire("g2"),
        "3.3.1",
        "adjacent movers",
    ),
    "Final Fire at a distance under First Fire": (
        lambda: drill("z", "DFPh", [unit("r1", "russian 4-4-7", "K3"), _MARKED, unit("g2", "german 4-6-7", "K5")]),
        lambda match: StartFire("g1"),
        "3.4",
        "adjacent hexes",
    ),
    "End the phase in a window": (lambda: fired_upon(), lambda match: EndPhase(), "3.3.1", "hold fire"),
    # 3.6
    "rout what is not broken": (
        lambda: drill("z", "RtPh", [unit("b", "russian 4-4-7", "J5", broken=True, dm=True), R1, G1]),
        lambda match: StartRout("r1"),
        "3.6",
        "Only broken units rout",
    ),
    "rout by a leap": (lambda: routing(), lambda m: hexed(m, RoutStep, "N9"), "3.6", "adjacent hex"),
    "rout towards an enemy": (lambda: routing(), lambda m: hexed(m, RoutStep, "M7"), "3.6", ""),
    "crawl towards an enemy": (lambda: routing(), lambda m: hexed(m, LowCrawl, "N6"), "3.6", ""),
    # 3.7
    "advance while pinned": (
        lambda: in_phase("APh", unit("r1", "russian 4-4-7", "J5", pinned=True), unit("r2", "russian 4-4-7", "I4")),
        lambda match: StartAdvance("r1"),
        "3.7",
        "Pinned units",
    ),
    "advance two hexes": (lambda: _advancing(), lambda m: hexed(m, AdvanceTo, "K5"), "3.7", "adjacent hex"),
    # 3.8
    "a broken unit attacks": (lambda: melee(), lambda m: JoinAttack("r2"), "3.8", "only defend"),
    "attack from another hex": (lambda: melee(), lambda m: JoinAttack("g1"), "3.8", "attack it instead"),
    # 4.0
    "destroy the enemy's weapon": (
        lambda: _destroying(),
        lambda match: DestroyWeapon("x"),
        "4.0",
        "Only its possessor",
    ),
    "destroy weapons in the AFPh": (
        lambda: in_phase("AFPh", SQUAD, weapons=(weapon("w", "russian LMG", "r1"),)),
        lambda match: StartDestroying(),
        "4.0",
        "PFPh or DFPh",
    ),
}


def _started() -> Match:
    match = in_phase("PFPh", SQUAD)
    do(match, StartFire("r1"))
    return match


def _gun_drafted() -> Match:
    match = in_phase("PFPh", unit("r1", "russian 2-2-8", "K3"), weapons=(_GUN,))
    do(match, StartShot("w"))
    return match


def _stack(*units: dict[str, Any]) -> Match:
    match = in_phase("MPh", *units)
    do(match, StartMove(units[0]["id"]))
    return match


def _window(*defenders: dict[str, Any]) -> Match:
    match = drill("z", "MPh", [R1, *defenders, G1])
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "J3")))
    return match


def _advancing() -> Match:
    match = in_phase("APh", R1)
    do(match, StartAdvance("r1"))
    return match


def _destroying() -> Match:
    guns = (weapon("w", "russian LMG", "r1"), weapon("x", "german LMG", "g1"))
    match = in_phase("PFPh", SQUAD, weapons=guns)
    do(match, StartDestroying())
    return match


@rule("3.3")
@pytest.mark.parametrize("name", CASES)
def test_a_refusal_tells_the_rule_and_what_is_legal(name: str) -> None:
    make, choose, number, words = CASES[name]
    match = make()
    refused(match, choose(match), number, words)


def test_whatever_is_asked_out_of_turn_is_answered_with_a_rule() -> None:
    """Every kind of action, made up, is refused with a rule in a Movement Phase."""
    match = sandtable.new("aslsk2/S15", seed=3)
    side = match.to_act[0]
    made: dict[type, Any] = {str: "nobody", int: 7, bool: False}
    for kind in get_args(match.game.action_type):
        fields = {
            name: made[{"str": str, "int": int, "bool": bool}[note]] for name, note in kind.__annotations__.items()
        }
        action = kind(**fields)
        if action in match.actions(side):
            continue
        reason, number = match.game.why_not(match.state, side, action)
        assert number, kind
        assert "Legal instead: " in reason
