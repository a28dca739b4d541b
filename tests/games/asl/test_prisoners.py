"""Prisoners and guards: surrender, capture in close combat, escape, No Quarter (A20)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import heated
from squad_support import at, cell, do, get, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Action, Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.deploying.model import Deploy, Deployed, Reforming
from sandtable.games.asl.deploying.part import deploy, deploy_bar
from sandtable.games.asl.prisoners import guarding, taking
from sandtable.games.asl.prisoners.model import (
    AbandonPrisoners,
    AcceptSurrender,
    ChangeGuard,
    Freed,
    Massacre,
    PrisonerHit,
    QuarterRefused,
    Rearmed,
    RefuseSurrender,
    StayCaptive,
    TryCapture,
    TryEscape,
)
from sandtable.games.asl.surrender import (
    CAPTIVES,
    DISRUPTED,
    NO_QUARTER,
    UNARMED,
    Captive,
    captors,
    capture,
    held_by,
    may_guard,
    never_surrenders,
)
from sandtable.games.squad.combat.model import AttackUnit, JoinAttack
from sandtable.games.squad.combat.strengths import ambush_tally, attack_tally
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.stacks import eliminate, inexperienced
from sandtable.games.squad.movement.portage import half_mf
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rout.interdiction import interdictors


def playing(match: Match, *dice: int) -> Play[SquadState]:
    return Play(match.state, ScriptedDice(*dice))


def hemmed_in(phase: str = "AFPh", kind: str = "german 4-6-7", **more: Any) -> Match:
    """A broken German squad in I5 with Russians all around."""
    broken = unit("g", kind, "I5", side="german", broken=True, dm=True, **more)
    ground = ground_of(heated("z", "RPh", broken, unit("r", "russian 4-4-7", "A1")).state)
    names = [ground.names[near] for near in ground.near[ground.index("I5")]]
    around = [unit(f"r{number}", "russian 4-4-7", name) for number, name in enumerate(names)]
    return heated("z", phase, broken, *around, dice=(3, 3) * 9)


def guarded(
    phase: str = "PFPh", guard: str = "russian 4-4-7", prisoner: str = "german 4-6-7", *more: Any, dice: Any = ()
) -> Match:
    """A guard in I5 with a prisoner, and another enemy far off."""
    units = [unit("r", guard, "I5", side="russian"), unit("g", prisoner, "I5", side="german", broken=True)]
    match = heated("z", phase, *units, unit("h", "german 4-6-7", "A1"), *more)
    capture(playing(match), get(match, "g"), get(match, "r"), "surrenders")
    return sandtable.new(match.position(), seed=1, dice=ScriptedDice(*dice))


@rule("A20.5")
@pytest.mark.parametrize(("captives", "may"), [(0, False), (1, True), (3, True), (4, False)])
def test_a_guard_deploys_whatever_its_nation_without_leader_or_check(captives: int, may: bool) -> None:
    """But only if one half-squad can hold the prisoners: five times its US#."""
    units = [unit(f"g{number}", "german 4-6-7", "K6") for number in range(captives)]
    match = heated("z", "RPh", unit("s", "russian 4-4-7", "K5"), *units, unit("h", "german 4-6-7", "A1"))
    match.state.attacker = "russian"
    for number in range(captives):
        capture(playing(match), get(match, f"g{number}"), get(match, "s"), "a test")
    assert (deploy_bar(match.state, get(match, "s"), None, Reforming("russian")) is None) is may
    if may:
        play = playing(match)
        deploy(play, Deploy("s"))
        assert [type(event) for event in play.events] == [Deployed], "without dice"
        assert [found.kind for found in match.state.units.values()].count("russian 2-3-7") == 2
        assert {one.guard for one in CAPTIVES.of(match.state).values()} == {"s"}


# -- surrender in the Rout Phase --------------------------------------------------------------------


@rule("A20.21")
def test_a_broken_unit_that_cannot_rout_surrenders_to_an_enemy_beside_it() -> None:
    match = hemmed_in()
    do(match, EndPhase())
    assert match.to_act == ("russian",)
    do(match, AcceptSurrender("r2"))
    assert "g" not in match.state.units
    assert CAPTIVES.of(match.state)["g"].guard == "r2"
    assert match.state.gone["g"].how == "captured"


@rule("A20.21")
def test_whoever_is_asked_reads_who_surrenders_and_who_shall_guard_him() -> None:
    match = hemmed_in()
    do(match, EndPhase())
    words = match.describe("russian", AcceptSurrender("r2"))
    assert words.text == "Take 4-6-7 g prisoner; 4-4-7 B guards it"
    assert words.targets == ("g",)


@pytest.mark.parametrize(
    ("action", "says", "number"),
    [
        (AcceptSurrender("s"), "No unit is surrendering now", "A20.21"),
        (RefuseSurrender(), "No unit is surrendering now", "A20.21"),
        (TryEscape(), "Prisoners escape only from a guard that is broken or in Melee", "A20.55"),
        (StayCaptive(), "Prisoners escape only from a guard that is broken or in Melee", "A20.55"),
    ],
)
@rule("A20.21")
@rule("A20.55")
def test_captivity_is_decided_about_in_its_own_moments_only(action: Action, says: str, number: str) -> None:
    match = guarded("PFPh")
    with pytest.raises(IllegalAction, match=says) as refused:
        match.apply("russian", action)
    assert refused.value.rule == number


@rule("A20.21")
@pytest.mark.parametrize(("broken", "captor", "free"), [("I5", "J5", True), ("A4", "B3", False)])
def test_who_can_get_away_without_interdiction_does_not_surrender(broken: str, captor: str, free: bool) -> None:
    """From I5 a way leads through cover; around A4 everything is open ground before the eyes of the enemy."""
    units = (unit("g", "german 4-6-7", broken, broken=True, dm=True), unit("r", "russian 4-4-7", captor))
    match = heated("z", "RPh", *units)
    assert captors(match.state, cell(match, broken), "german", [get(match, "g")])
    assert taking.free_rout(match.state, get(match, "g")) is free
    assert taking.gives_up(match.state, get(match, "g")) is not free


@rule("A20.21")
@pytest.mark.parametrize(("enemy", "free"), [("A1", True), ("I8", False)])
def test_a_rout_through_interdiction_is_no_free_rout(enemy: str, free: bool) -> None:
    units = (unit("g", "german 4-6-7", "I5", broken=True, dm=True), unit("r", "russian 4-4-7", enemy))
    match = heated("z", "RPh", *units)
    ways = taking._Free(match.state, [get(match, "g")])
    assert ways.allows(cell(match, "I5"), cell(match, "I6"), frozenset()) is free


@rule("A20.21")
@pytest.mark.parametrize("kind", ["partisan 3-3-7", "japanese 2-3-7", "german_ss 4-6-8"])
def test_who_never_surrenders(kind: str) -> None:
    match = hemmed_in("RPh", kind)
    assert never_surrenders(match.state, get(match, "g"))
    assert not taking.gives_up(match.state, get(match, "g"))


@rule("A20.21")
def test_a_fanatic_does_not_surrender() -> None:
    match = hemmed_in("RPh", marks=["fanatic"])
    assert not taking.gives_up(match.state, get(match, "g"))


@rule("A20.21")
def test_a_disrupted_unit_surrenders_even_with_a_free_path() -> None:
    units = (unit("g", "german 4-6-7", "I5", broken=True, dm=True, marks=[DISRUPTED]), unit("r", "russian 4-4-7", "J5"))
    match = heated("z", "RPh", *units)
    assert taking.gives_up(match.state, get(match, "g"))


@rule("A20.21")
@pytest.mark.parametrize("more", [{"broken": True}, {"melee": True}, {"concealed": True}, {"marks": ["berserk"]}])
def test_who_takes_no_prisoners(more: dict[str, Any]) -> None:
    units = (unit("g", "german 4-6-7", "I5", broken=True), unit("r", "russian 4-4-7", "J5", **more))
    match = heated("z", "RPh", *units)
    assert captors(match.state, cell(match, "I5"), "german", [get(match, "g")]) == []


@rule("A20.3")
def test_no_quarter_eliminates_and_ends_all_surrender_to_that_side() -> None:
    match = hemmed_in()
    do(match, EndPhase())
    events = do(match, RefuseSurrender())
    assert happened(events, QuarterRefused)
    assert match.state.gone["g"].how == "eliminated"
    assert NO_QUARTER.of(match.state) == ("russian",)
    other = hemmed_in("RPh")
    NO_QUARTER.put(other.state, ("russian",))
    assert not taking.gives_up(other.state, get(other, "g"))


@rule("A19.12")
def test_a_disrupted_unit_needs_a_leader_to_rally() -> None:
    from sandtable.games.squad.rally.eligibility import rally_bar

    units = (unit("r", "russian 4-4-7", "V4", broken=True, marks=[DISRUPTED]), unit("g", "german 4-6-7", "A1"))
    match = heated("z", "RPh", *units)
    bar = rally_bar(match.state, get(match, "r"))
    assert bar is not None
    assert bar[1] == "A19.12"
    match = heated("z", "RPh", *units, unit("l", "russian 8-1", "V4"))
    assert rally_bar(match.state, get(match, "r")) is None


# -- guards ------------------------------------------------------------------------------------------


@rule("A20.5")
@pytest.mark.parametrize(("guard", "number", "may"), [("8-0", 1, True), ("8-0", 2, False), ("4-4-7", 5, True)])
def test_a_guard_holds_five_times_its_us_number(guard: str, number: int, may: bool) -> None:
    prisoners = [unit(f"g{one}", "german 4-6-7", f"{chr(65 + one)}3", broken=True) for one in range(number)]
    match = heated("z", "RPh", unit("r", f"russian {guard}", "I5"), *prisoners)
    units = [get(match, f"g{one}") for one in range(number)]
    assert may_guard(match.state, get(match, "r"), units) is may


@rule("A20.2")
def test_a_prisoner_drops_his_weapons() -> None:
    units = (unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", "J5", broken=True))
    match = heated("z", "PFPh", *units, unit("h", "german 4-6-7", "A1"), weapons=[weapon("m", "german LMG", "g")])
    capture(playing(match), get(match, "g"), get(match, "r"), "surrenders")
    assert match.state.weapons["m"].owner == ""
    assert match.state.weapons["m"].at == cell(match, "J5")


@rule("A20.5")
def test_prisoners_go_where_their_guard_goes_and_are_shown_with_him() -> None:
    match = guarded("PFPh")
    view: dict[str, Any] = match.view("russian")
    piece = next(piece for piece in view["pieces"] if piece["id"] == "prisoner g")
    assert (piece["at"], piece["within"], piece["markers"]) == ("I5", "r", ("marker/prisoner",))
    assert any("guarded by 4-4-7 r in I5" in str(row) for panel in view["panels"] for row in panel["rows"])


@rule("A20.5")
def test_a_guard_of_more_than_its_own_us_number_fires_nothing() -> None:
    match = guarded(
        "PFPh", "russian 2-3-7", "german 4-6-7", unit("f", "german 4-6-7", "J5"), unit("s", "russian 4-4-7", "I5")
    )
    assert StartFire("r") not in match.actions("russian")
    with pytest.raises(IllegalAction, match="guards more prisoners"):
        match.apply("russian", StartFire("r"))
    assert StartFire("s") in match.actions("russian")


@rule("A20.5")
def test_a_guard_attacks_others_in_close_combat_with_half_fp() -> None:
    match = guarded(
        "CCPh", "russian 4-4-7", "german 4-6-7", unit("f", "german 4-6-7", "I5"), unit("s", "russian 6-2-8", "I5")
    )
    state = match.state
    assert attack_tally(state, [get(match, "r")], [get(match, "f")]).total == 2
    assert attack_tally(state, [get(match, "r"), get(match, "s")], [get(match, "f")]).total == pytest.approx(8)
    assert "guards prisoners" in str(attack_tally(state, [get(match, "r")], [get(match, "f")]))
    assert "guards prisoners" not in str(attack_tally(state, [get(match, "s")], [get(match, "f")]))


@rule("A20.5")
def test_prisoners_change_guards_in_the_advance_phase() -> None:
    match = guarded(
        "APh", "russian 4-4-7", "german 4-6-7", unit("s", "russian 4-4-7", "I5"), unit("t", "russian 4-4-7", "J5")
    )
    assert offered(match, ChangeGuard) == [ChangeGuard("g", "s")]
    do(match, ChangeGuard("g", "s"))
    assert [captive.unit.id for captive in held_by(match.state, "s")] == ["g"]
    with pytest.raises(IllegalAction, match="has changed guards"):
        match.apply("russian", ChangeGuard("g", "r"))
    captives = CAPTIVES.of(match.state)
    captives["g"] = Captive(captives["g"].unit, "s")
    with pytest.raises(IllegalAction, match="in the Location of their guard"):
        match.apply("russian", ChangeGuard("g", "t"))


@rule("A20.5")
def test_a_guard_who_falls_is_replaced_or_his_prisoners_are_free() -> None:
    match = guarded("PFPh", "russian 4-4-7", "german 4-6-7", unit("s", "russian 4-4-7", "I5"))
    eliminate(playing(match), get(match, "r"), "KIA")
    assert CAPTIVES.of(match.state)["g"].guard == "s"
    play = playing(match)
    eliminate(play, get(match, "s"), "KIA")
    assert happened(play.events, Freed)
    assert (at(match, "g"), get(match, "g").marks, get(match, "g").side) == ("I5", (UNARMED,), "german")
    assert "g" not in match.state.gone


@rule("A20.5")
@pytest.mark.parametrize("relief", [True, False])
def test_the_prisoners_of_a_guard_who_is_captured_are_free_unless_another_takes_over(relief: bool) -> None:
    others = [unit("s", "russian 4-4-7", "I5")] if relief else []
    match = guarded("PFPh", "russian 4-4-7", "german 4-6-7", unit("c", "german 4-6-7", "J5"), *others)
    play = playing(match)
    capture(play, get(match, "r"), get(match, "c"), "surrenders")
    assert CAPTIVES.of(match.state)["r"].guard == "c"
    assert ("g" in CAPTIVES.of(match.state)) is relief
    assert bool(happened(play.events, Freed)) is not relief
    if relief:
        assert CAPTIVES.of(match.state)["g"].guard == "s"
    else:
        assert (at(match, "g"), get(match, "g").marks) == ("I5", (UNARMED,))


@rule("A20.5")
def test_a_guard_may_let_its_prisoners_go() -> None:
    match = guarded("MPh")
    do(match, AbandonPrisoners("r"))
    assert UNARMED in get(match, "g").marks
    assert not CAPTIVES.of(match.state)


@rule("A20.54")
def test_unarmed_units_fight_with_one_factor_and_do_not_fire() -> None:
    units = (unit("g", "german 4-6-7", "I5", marks=[UNARMED]), unit("r", "russian 4-4-7", "I5"))
    match = heated("z", "CCPh", *units)
    assert attack_tally(match.state, [get(match, "g")], [get(match, "r")]).total == 1


@rule("A20.54")
@pytest.mark.parametrize(
    ("prisoner", "dice", "left"),
    [("4-4-7", (5, 4), "russian 2-3-7"), ("4-4-7", (2, 3), "russian 4-4-7"), ("2-3-7", (5, 4), "")],
)
def test_fire_at_the_guard_hits_his_prisoners_who_lose_men(prisoner: str, dice: tuple[int, ...], left: str) -> None:
    units = [unit("g", "german 4-6-7", "I5"), unit("p", f"russian {prisoner}", "I5", broken=True)]
    match = heated("z", "PFPh", *units, unit("f", "russian 4-4-7", "J5"), dice=(2, 2, *dice, 3, 3, 3, 3))
    capture(playing(match), get(match, "p"), get(match, "g"), "surrenders")
    hits = happened(do(match, StartFire("f"), AimAt(cell(match, "I5")), ResolveFire()), PrisonerHit)
    assert [hit.killed for hit in hits] == [left == ""]
    captives = CAPTIVES.of(match.state)
    assert (captives["p"].unit.kind if "p" in captives else "") == left


@rule("A20.54")
def test_unarmed_units_are_inexperienced() -> None:
    units = (unit("g", "german 4-6-7", "I5", marks=[UNARMED]), unit("r", "russian 4-4-7", "I5"))
    match = heated("z", "APh", *units, attacker="german")
    assert inexperienced(match.state, get(match, "g"))
    assert half_mf(match.state, get(match, "g")) == 2 * 3
    assert taking.capture_item(match.state, [get(match, "g")])[1] == -1
    assert ambush_tally(match.state, cell(match, "I5"), "german").total == 1


@rule("A20.5")
@rule("A20.54")
@pytest.mark.parametrize(
    ("kind", "marks", "prisoners", "who"),
    [
        ("russian 4-4-7", [], 0, ["r"]),
        ("russian 4-4-7", [UNARMED], 0, []),
        ("russian 4-4-7", [], 1, ["r"]),
        ("russian 2-3-7", [], 1, []),
    ],
)
def test_neither_unarmed_units_nor_guards_of_too_many_interdict(
    kind: str, marks: list[str], prisoners: int, who: list[str]
) -> None:
    units = [unit("r", kind, "I8", marks=marks), unit("p", "german 4-6-7", "I8", broken=True)]
    match = heated("z", "RPh", *units, unit("g", "german 4-6-7", "A1"))
    if prisoners:
        capture(playing(match), get(match, "p"), get(match, "r"), "surrenders")
    assert [enemy.id for enemy in interdictors(match.state, cell(match, "I6"), "german")] == who


# -- close combat --------------------------------------------------------------------------------------


def fight(*dice: int, target: str = "german 4-6-7", **more: Any) -> Match:
    """A Russian squad and a German unit in close combat."""
    units = (unit("r", "russian 6-2-8", "I5", engaged=True), unit("g", target, "I5", side="german", **more))
    return heated("z", "CCPh", *units, dice=dice)


@rule("A20.22")
@pytest.mark.parametrize(
    ("target", "drm"), [("german 4-6-7", 1), ("german 4-3-6", -1), ("italian 3-4-7", 0), ("italian 4-4-7", 1)]
)
def test_the_drm_of_a_capture_attempt(target: str, drm: int) -> None:
    match = fight(target=target)
    assert taking.capture_item(match.state, [get(match, "g")])[1] == drm


@rule("A20.22")
def test_less_than_the_kill_number_captures() -> None:
    match = fight(1, 2, target="german 2-4-7", broken=True)
    do(match, JoinAttack("r"), AttackUnit("g"))
    preview = match.preview("russian", TryCapture())
    assert preview is not None
    assert preview.odds[0].label == "captured"
    do(match, TryCapture())
    assert CAPTIVES.of(match.state)["g"].guard == "r"


@rule("A20.22")
def test_the_kill_number_itself_captures_half_of_a_squad() -> None:
    match = fight(4, 3, target="german 4-6-7", broken=True)
    do(match, JoinAttack("r"), AttackUnit("g"), TryCapture())
    held = held_by(match.state, "r")
    assert [captive.unit.kind for captive in held] == ["german 2-4-7"]
    assert get(match, "g").kind == "german 2-4-7"


@rule("A20.2")
def test_berserk_units_neither_take_nor_become_prisoners() -> None:
    match = fight(target="german 4-6-7", marks=["berserk"])
    do(match, JoinAttack("r"), AttackUnit("g"))
    assert TryCapture() not in match.actions("russian")
    with pytest.raises(IllegalAction, match="berserk"):
        match.apply("russian", TryCapture())


@rule("A20.551")
def test_an_unarmed_unit_takes_up_the_arms_of_a_fallen_enemy() -> None:
    units = (
        unit("g", "german 4-6-7", "I5", marks=[UNARMED]),
        unit("r", "russian 2-3-7", "I5"),
        unit("s", "russian 2-3-7", "J5"),
    )
    match = heated("z", "CCPh", *units)
    play = playing(match)
    match.state.phase = "CCPh"
    eliminate(play, get(match, "r"), "close combat")
    assert [event.now for event in happened(play.events, Rearmed)] == ["german 4-3-6"]
    assert get(match, "g").marks == ()


# -- escape and massacre -----------------------------------------------------------------------------------


@rule("A20.55")
@pytest.mark.parametrize(("dice", "free"), [((3, 4), True), ((5, 4), False)])
def test_prisoners_of_a_broken_guard_try_to_escape(dice: tuple[int, int], free: bool) -> None:
    match = guarded("APh", dice=(*dice, 6, 6, 6, 6))
    match.state.units["r"] = guarding.update(playing(match), get(match, "r"), broken=True)
    do(match, EndPhase())
    assert match.to_act == ("german",)
    do(match, TryEscape())
    assert ("g" in CAPTIVES.of(match.state)) is not free


@rule("A20.55")
def test_they_need_not_try_and_some_never_do() -> None:
    match = guarded("APh")
    match.state.units["r"] = guarding.update(playing(match), get(match, "r"), broken=True)
    do(match, EndPhase(), StayCaptive())
    assert "g" in CAPTIVES.of(match.state)
    match = guarded("APh", prisoner="italian 3-4-7")
    match.state.units["r"] = guarding.update(playing(match), get(match, "r"), broken=True)
    do(match, EndPhase())
    assert match.state.phase != "CCPh", "nobody is asked"


@rule("A20.4")
def test_a_massacre_is_no_quarter() -> None:
    match = guarded("PFPh", "russian 4-4-7", "german 4-6-7", unit("f", "german 4-6-7", "J5"))
    do(match, Massacre("r"))
    assert match.state.gone["g"].how == "eliminated"
    assert NO_QUARTER.of(match.state) == ("russian",)
    assert not CAPTIVES.of(match.state)


@rule("A26.222")
def test_prisoners_count_twice_at_the_end() -> None:
    from sandtable.games.sasl import victory
    from sandtable.games.squad.pieces.model import Gone

    match = guarded()
    match.state.gone["g"] = Gone("g", "german", "german 4-6-7", "captured", "", 2)
    match.state.gone["x"] = Gone("x", "german", "german 4-6-7", "eliminated", "", 2)
    assert victory.casualties(match.state, "german") == 6


@rule("A1.32")
def test_prisoners_of_a_half_squad_that_recombines_stay_prisoners() -> None:
    from sandtable.games.asl.deploying.model import Recombine
    from sandtable.games.asl.deploying.part import recombine

    more = (unit("s", "russian 2-3-7", "I5"), unit("l", "russian 8-0", "I5"))
    match = guarded("RPh", "russian 2-3-7", "german 2-4-7", *more)
    recombine(playing(match), Recombine("s", "r", "l"))
    assert CAPTIVES.of(match.state)["g"] == Captive(CAPTIVES.of(match.state)["g"].unit, "s")
