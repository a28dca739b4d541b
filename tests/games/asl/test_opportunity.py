"""Opportunity Fire: who waits in the PFPh fires at full strength in the AFPh (A7.25)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import ALL_SWITCHES, PEOPLE_PARTS, field, game
from msgspec.structs import replace
from squad_support import cell, do, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.harness import fuzz
from sandtable.games.asl.concealment.model import MoppedUp, MopUp
from sandtable.games.asl.crest.part import CRESTS
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.opportunity.model import OPPORTUNITY, Waits, WaitToFire
from sandtable.games.asl.opportunity.part import PART as OPPORTUNITY_FIRE
from sandtable.games.asl.snipers.model import Checking
from sandtable.games.asl.snipers.rules import seekers
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.works.digging import Dig
from sandtable.games.asl.works.part import WORKS
from sandtable.games.squad.combat.model import StartAdvance
from sandtable.games.squad.effects.morale import break_unit
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AddDirector, AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import StartMove
from sandtable.games.squad.ordnance.model import OrdnanceDraft, Shoot, StartShot
from sandtable.games.squad.ordnance.shots import shooter_bar, shots_of
from sandtable.games.squad.ordnance.tohit import OrdnanceShot, ToHit, to_hit
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import NO_MARKER, PREP_FIRE

PARTS = (*TERRAIN, *CRESTS, *WORKS, *PEOPLE_PARTS[len(COMMON) :], OPPORTUNITY_FIRE)
game("waiting", *PARTS, switches=ALL_SWITCHES)
game("bonus", *PARTS, switches=(*ALL_SWITCHES, FireRules(assault_fire_after_waiting=True)))
RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"


def waiting(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A match on the parade ground in which Opportunity Fire is played."""
    return field(phase, *units, game="waiting", **more)


def to_advancing_fire(match: Match) -> None:
    """Let the phases go by until the AFPh asks."""
    while match.state.phase != "AFPh":
        do(match, EndPhase())


# -- waiting, and firing ------------------------------------------------------------------


@rule("A7.25")
def test_a_squad_waits_does_not_move_and_fires_at_full_strength() -> None:
    match = waiting("PFPh", unit("r", RUSSIAN, "E6"), unit("o", RUSSIAN, "D5"), unit("g", GERMAN, "E8"), dice=(5, 6))
    (waits,) = happened(do(match, WaitToFire("r")), Waits)
    assert match.game.words(waits, match.state) == "4-4-7 r in E6 waits for Opportunity Fire (A7.25)"
    assert get(match, "r").marks == (OPPORTUNITY,)
    (shown,) = [piece for piece in match.view("german")["pieces"] if piece["id"] == "r"]
    assert ["Condition", "Opportunity Fire"] in [list(fact) for fact in shown["facts"]]
    do(match, EndPhase())
    assert [action.unit for action in offered(match, StartMove)] == ["o"]
    reason, number = match.game.why_not(match.state, "russian", StartMove("r"))
    assert reason.startswith("It is an Opportunity Firer: it waits where it is for the Advancing Fire Phase")
    assert number == "A7.25"
    to_advancing_fire(match)
    do(match, StartFire("r"), AimAt(cell(match, "E8")))
    preview = match.preview("russian", ResolveFire())
    assert preview.title == "Opportunity Fire at E8 on the 4 column"
    assert [(item.label, item.value) for item in preview.tallies[0].items] == [
        ("4-4-7 r (×1 Opportunity Fire (A7.25))", 4)
    ]
    (fired,) = happened(do(match, ResolveFire()), Fired)
    assert (fired.fp, fired.mode) == (4, "waiting")
    assert match.game.words(fired, match.state).startswith("Opportunity Fire: 4-4-7 r at E8, 4 FP")
    do(match, EndPhase())
    assert get(match, "r").marks == (), "the counter goes when the AFPh ends"


def fp_of(match: Match, units: tuple[str, ...], target: str, weapons: tuple[str, ...] = ()) -> float:
    """The FP of an attack in the AFPh."""
    return volley(match.state, FireAttack("russian", cell(match, target), "advancing", units, weapons)).fp.total


WAITING = {"marks": (OPPORTUNITY,)}


@rule("A7.25")
def test_in_a_fire_group_only_those_are_halved_who_have_not_waited() -> None:
    match = waiting("AFPh", unit("r", RUSSIAN, "E6", **WAITING), unit("o", RUSSIAN, "E6"), unit("g", GERMAN, "E8"))
    assert fp_of(match, ("r", "o"), "E8") == 4 + 2
    do(match, StartFire("o"), AimAt(cell(match, "E8")))
    assert match.preview("russian", ResolveFire()).title.startswith("Advancing Fire at E8")


@rule("A7.25")
def test_a_machine_gun_keeps_its_rate_and_its_leader_follows_it() -> None:
    men = (unit("r", RUSSIAN, "E6", **WAITING), unit("l", "russian 8-1", "E6"), unit("g", GERMAN, "E8"))
    match = waiting("AFPh", *men, weapons=[weapon("m", "russian MMG", "r")], dice=(1, 6, 2, 3))
    do(match, StartFire("m"), AimAt(cell(match, "E8")), AddDirector("l"), ResolveFire())
    assert get_weapon(match, "m").marker == NO_MARKER
    do(match, StartFire("m"), AimAt(cell(match, "E8")))
    assert AddDirector("l") in match.actions("russian").all


@rule("A7.25")
def test_who_has_not_waited_has_no_rate_of_fire() -> None:
    men = (unit("r", RUSSIAN, "E6"), unit("x", RUSSIAN, "E6"), unit("g", GERMAN, "E8"))
    match = waiting("AFPh", *men, weapons=[weapon("m", "russian MMG", "r")], dice=(1, 6))
    do(match, StartFire("m"), AimAt(cell(match, "E8")), ResolveFire())
    assert get_weapon(match, "m").marker == PREP_FIRE


@rule("A7.25")
def test_a_pinned_opportunity_firer_has_half_fp_and_no_rate() -> None:
    men = (unit("r", RUSSIAN, "E6", pinned=True, **WAITING), unit("x", RUSSIAN, "E6"), unit("g", GERMAN, "E8"))
    match = waiting("AFPh", *men, weapons=[weapon("m", "russian MMG", "r")], dice=(1, 6))
    assert fp_of(match, ("r",), "E8") == 2
    do(match, StartFire("m"), AimAt(cell(match, "E8")), ResolveFire())
    assert get_weapon(match, "m").marker == PREP_FIRE


def gun(phase: str, *dice: int, **more: Any) -> Match:
    """A Russian Gun that points at a German squad."""
    men = (unit("c", "russian 2-2-8", "E6", **more), unit("x", RUSSIAN, "K2"), unit("g", GERMAN, "E8"))
    match = waiting(phase, *men, weapons=[weapon("w", "russian 45mm PTP obr. 32 AT", "c", facing=0)], dice=dice)
    spine = setting_of(match.state).ground.spines_towards(cell(match, "E6"), cell(match, "E8"))[0]
    match.state.weapons["w"] = replace(match.state.weapons["w"], facing=spine)
    return match


def aimed(match: Match) -> ToHit:
    """The shot of the Gun at the squad."""
    return to_hit(match.state, OrdnanceShot("russian", "advancing", "w", cell(match, "E8"), "ITT", "HE"))


@rule("A7.25")
def test_a_gun_that_waited_has_no_case_b_and_keeps_its_rate() -> None:
    (late, ready) = (aimed(gun("AFPh")), aimed(gun("AFPh", **WAITING)))
    assert [target.tally.total for target in (*late.targets, *ready.targets)] == [2, 0]
    assert (late.rate, ready.rate) == (0, 3)


@rule("A7.25")
@pytest.mark.parametrize("waited", [True, False])
def test_a_gun_that_waited_may_use_intensive_fire(waited: bool) -> None:
    match = gun("AFPh", 4, 6, 6, 6, **(WAITING if waited else {}))
    assert match.describe("russian", StartShot("w")).text.startswith("Opportunity Fire" if waited else "Shoot")
    do(match, StartShot("w"), AimAt(cell(match, "E8")), Shoot("ITT", "HE"))
    assert (StartShot("w") in match.actions("russian").all) is waited
    if waited:
        assert match.describe("russian", StartShot("w")).text.startswith("Intensive Fire")
        assert shooter_bar(match.state, get_weapon(match, "w"), "advancing") is None


@rule("A7.36")
@pytest.mark.parametrize(
    ("played", "marks", "fp"), [("waiting", (), 4), ("waiting", (OPPORTUNITY,), 5), ("bonus", (OPPORTUNITY,), 6)]
)
def test_who_waited_has_no_assault_fire_bonus_unless_it_is_read_so(
    played: str, marks: tuple[str, ...], fp: int
) -> None:
    men = (unit("r", "german 5-4-8", "E6", side="russian", marks=marks), unit("g", GERMAN, "E8"))
    assert fp_of(field("AFPh", *men, game=played), ("r",), "E8") == fp


@rule("A7.25")
@pytest.mark.parametrize("waited", [True, False])
def test_a_latw_in_a_building_that_waited_has_neither_drm_nor_backblast(waited: bool) -> None:
    men = (unit("r", RUSSIAN, "K6", **(WAITING if waited else {})), unit("g", GERMAN, "M6"))
    match = waiting("AFPh", *men, weapons=[weapon("b", "german PSK", "r", side="russian")])
    draft = OrdnanceDraft("russian", "advancing", "b", cell(match, "M6"))
    ways = {shot.backblast for shot in shots_of(match.state, draft)}
    assert ways == ({""} if waited else {"avoided", "suffered"})


# -- who waits ----------------------------------------------------------------------------

MANY = (
    unit("broken", RUSSIAN, "C5", broken=True),
    unit("busy", RUSSIAN, "C5", marks=("TI",)),
    unit("fired", RUSSIAN, "D5", marker=PREP_FIRE),
    unit("leader", "russian 8-1", "D5"),
    unit("berserk", RUSSIAN, "D4", marks=("berserk",)),
    unit("unarmed", RUSSIAN, "D4", marks=("unarmed",)),
    unit("able", RUSSIAN, "E6"),
    unit("gunner", "russian 8-0", "E6"),
    unit("g", GERMAN, "E8"),
)


@rule("A7.25")
def test_who_may_wait() -> None:
    match = waiting("PFPh", *MANY, weapons=[weapon("m", "russian LMG", "gunner")])
    assert [action.unit for action in offered(match, WaitToFire)] == ["able", "gunner"]
    for name in ("broken", "busy", "fired", "leader", "berserk", "unarmed", "g"):
        assert match.game.why_not(match.state, "russian", WaitToFire(name)), name
    do(match, WaitToFire("able"))
    reason, _ = match.game.why_not(match.state, "russian", WaitToFire("able"))
    assert reason.startswith("It is already an Opportunity Firer")
    do(match, EndPhase())
    reason, _ = match.game.why_not(match.state, "russian", WaitToFire("gunner"))
    assert reason.startswith("Opportunity Firers are named in their own Prep Fire Phase")


@rule("A7.25")
def test_who_waits_neither_prep_fires_nor_directs_nor_digs() -> None:
    men = (unit("r", RUSSIAN, "E6"), unit("l", "russian 8-1", "E6"), unit("o", RUSSIAN, "E6"), unit("g", GERMAN, "E8"))
    match = waiting("PFPh", *men, weapons=[weapon("m", "russian LMG", "l")])
    do(match, WaitToFire("r"), WaitToFire("l"))
    assert {action.firer for action in offered(match, StartFire)} == {"o"}
    assert {action.unit for action in offered(match, Dig)} <= {"o"}
    reason, number = match.game.why_not(match.state, "russian", StartFire("r"))
    assert ("it keeps its fire" in reason, number) == (True, "A7.25")
    do(match, StartFire("o"), AimAt(cell(match, "E8")))
    assert not offered(match, AddDirector)


@rule("A7.25")
def test_what_waiting_gives_is_told_as_these_hands_have_it() -> None:
    men = [
        unit("pinned", RUSSIAN, "E6", pinned=True),
        unit("captors", RUSSIAN, "D5"),
        unit("unlucky", RUSSIAN, "D4"),
        unit("wet", RUSSIAN, "B6"),
    ]
    arms = [
        weapon("p", "russian MMG", "pinned"),
        weapon("c", "german HMG", "captors", side="german"),
        weapon("u", "russian HMG", "unlucky", broken=True),
        weapon("w", "russian HMG", "wet"),
    ]
    match = waiting("PFPh", *men, unit("g", GERMAN, "E8"), weapons=arms)
    told = {man["id"]: match.preview("russian", WaitToFire(man["id"])).notes for man in men}
    assert told["pinned"] == ("4-4-7 pinned fires 2 FP in the AFPh, not half of it",)
    assert match.describe("russian", WaitToFire("pinned")).notes[0].endswith("half FP, as it is pinned, in the AFPh")
    assert told["captors"][1] == "HMG c keeps its ROF of 2"
    assert len(told["unlucky"]) == len(told["wet"]) == 1, "malfunctioned, and too heavy for the marsh"


@rule("A7.25")
@pytest.mark.parametrize(("kind", "place", "able"), [("MMG", "E6", True), ("MMG", "B6", False), ("LMG", "B6", True)])
def test_a_leader_waits_with_what_he_can_fire_where_he_is(kind: str, place: str, able: bool) -> None:
    men = (unit("l", "russian 8-0", place), unit("r", RUSSIAN, "A4"), unit("g", GERMAN, "E8"))
    match = waiting("PFPh", *men, weapons=[weapon("m", f"russian {kind}", "l")])
    assert (WaitToFire("l") in offered(match, WaitToFire)) is able


@rule("A7.25")
def test_who_waits_does_not_mop_up() -> None:
    match = waiting("PFPh", unit("r", RUSSIAN, "L6"), unit("o", RUSSIAN, "L6"), unit("g", GERMAN, "A4"))
    do(match, WaitToFire("r"))
    (mopped,) = happened(do(match, MopUp("hall")), MoppedUp)
    assert mopped.units == ("o",), "another one does"
    alone = waiting("PFPh", unit("r", RUSSIAN, "L6"), unit("g", GERMAN, "A4"))
    do(alone, WaitToFire("r"))
    assert not offered(alone, MopUp)


@rule("A14.4")
def test_who_waits_looks_for_no_sniper() -> None:
    match = waiting("MPh", unit("r", RUSSIAN, "L6", **WAITING), unit("o", RUSSIAN, "L6"), unit("g", GERMAN, "A4"))
    assert [man.id for man in seekers(match.state, Checking("russian", cell(match, "L6")))] == ["o"]


@rule("A7.25")
def test_somebody_may_wait_although_nobody_has_a_target() -> None:
    match = waiting("PFPh", unit("r", RUSSIAN, "A4"), unit("g", GERMAN, "O8"))
    assert not offered(match, StartFire)
    assert match.state.phase == "PFPh"
    assert offered(match, WaitToFire) == [WaitToFire("r")]
    assert match.game.idle(match.state, "russian") is None, "the phase is not passed over in silence"


@rule("A7.25")
def test_who_has_waited_may_advance() -> None:
    match = waiting("APh", unit("r", RUSSIAN, "E6", **WAITING), unit("g", GERMAN, "E8"))
    assert offered(match, StartAdvance) == [StartAdvance("r")]


@rule("A4.51")
def test_waiting_ends_cx() -> None:
    match = waiting("PFPh", unit("r", RUSSIAN, "E6", cx=True), unit("g", GERMAN, "E8"))
    assert "is no longer CX" in match.describe("russian", WaitToFire("r")).notes
    do(match, WaitToFire("r"))
    assert not get(match, "r").cx


# -- what ends it -------------------------------------------------------------------------


@rule("A7.25")
def test_who_breaks_has_waited_in_vain() -> None:
    match = waiting("MPh", unit("r", RUSSIAN, "E6", **WAITING), unit("g", GERMAN, "E8"))
    break_unit(Play(match.state, ScriptedDice()), get(match, "r"))
    assert get(match, "r").marks == ()


@rule("A15.432")
def test_who_goes_berserk_waits_no_longer() -> None:
    match = waiting("MPh", unit("r", RUSSIAN, "E6", **WAITING), unit("g", GERMAN, "E8"))
    berserk.go_berserk(Play(match.state, ScriptedDice()), get(match, "r"))
    assert get(match, "r").marks == (BERSERK,)


# -- concealment --------------------------------------------------------------------------


@rule("A12.14")
@pytest.mark.parametrize(("enemy", "kept"), [("E8", False), ("O8", True)])
def test_waiting_in_sight_costs_concealment_and_out_of_sight_is_nobody_elses_business(enemy: str, kept: bool) -> None:
    match = waiting("PFPh", unit("r", RUSSIAN, "A4" if kept else "E6", concealed=True), unit("g", GERMAN, enemy))
    assert match.describe("russian", WaitToFire("r")).notes[-1].startswith('loses its "?"')
    (waits,) = happened(do(match, WaitToFire("r")), Waits)
    assert get(match, "r").concealed is kept
    assert waits.known_to("german") is not kept
    assert "opportunity" not in str(match.view("german")) or not kept


def test_the_harness_holds_with_opportunity_fire() -> None:
    report = fuzz("waiting/parade", games=2, seed=3, checks=0.02)
    assert report.errors == []


@rule("A12.3")
@pytest.mark.parametrize(("enemy", "hidden"), [("E8", False), ("O8", True)])
def test_whoever_hides_may_wait_and_stays_hidden_out_of_sight(enemy: str, hidden: bool) -> None:
    place = "A4" if hidden else "E6"
    match = waiting("PFPh", unit("r", RUSSIAN, place, hip=True), unit("o", RUSSIAN, "A5"), unit("g", GERMAN, enemy))
    (waits,) = happened(do(match, WaitToFire("r")), Waits)
    assert get(match, "r").hip is hidden
    assert waits.known_to("german") is not hidden
