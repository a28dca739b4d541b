"""Opportunity Fire: who may wait for the AFPh, what it costs and what it gives (A7.25)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine import Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, Preview
from sandtable.games.asl.opportunity.model import OPPORTUNITY, Waits, WaitToFire
from sandtable.games.squad.cards.tables import FP_FACTORS
from sandtable.games.squad.fire.eligibility import weapon_bar
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.model import PrepFirePhase
from sandtable.games.squad.fire.resolution import rate_of_fire
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.marks import mark, unmark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import come_out, name_of, update
from sandtable.games.squad.ordnance.shots import shooter_bar
from sandtable.games.squad.ordnance.tohit import ATT, ITT, OrdnanceShot, rate_of
from sandtable.games.squad.part import Item, Look, MarkKind, Part
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit, Weapon
from sandtable.games.squad.show.marker_faces import tag

RULE = "A7.25"
WHY_NOT_NOW: Bar = ("Opportunity Firers are named in their own Prep Fire Phase", RULE)
NOT_ABLE: Bar = ("Only Good Order Infantry on the map may wait for Opportunity Fire", RULE)
NOTHING_TO_FIRE: Bar = ("It has nothing that it can fire; a leader directs Opportunity Fire without the counter", RULE)
WAITS_ALREADY: Bar = ("It is already an Opportunity Firer", RULE)
HAS_FIRED: Bar = ("It has fired in this Prep Fire Phase, and does not fire again in this Player Turn", RULE)
KEEPS_FIRE: Bar = ("It is an Opportunity Firer: it keeps its fire for the Advancing Fire Phase", RULE)


# -- who may ----------------------------------------------------------------------------


def wait_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Why a unit may not become an Opportunity Firer; leaders need no counter to direct (A7.25, ruling SA-124)."""
    if unit.side != state.attacker or state.phase != "PFPh":
        return WHY_NOT_NOW
    kind = unit_kind(state, unit)
    if unit.at < 0 or not unit.good_order or not kind.personnel:
        return NOT_ABLE
    if OPPORTUNITY in unit.marks:
        return WAITS_ALREADY
    if unit.marker != NO_MARKER or unit.used or unit.directed:
        return HAS_FIRED
    # who is TI, unarmed or without command does not fire in the AFPh either
    if bar := part_bar(state, "fire", unit, None, "advancing"):
        return bar
    return None if kind.fires or any([can_fire(state, name) for name in unit.weapons]) else NOTHING_TO_FIRE


def can_fire(state: SquadState, name: str) -> bool:
    """Whether a weapon could be fired in the AFPh by whoever holds it now, where he is now."""
    weapon = state.weapons[name]
    if weapon_kind(weapon).ordnance:
        return shooter_bar(state, weapon, "advancing") is None
    return weapon_bar(setting_of(state), state, weapon, "advancing") is None


def able(state: SquadState, side: str) -> Iterator[Unit]:
    """Units of a side that may become Opportunity Firers now."""
    for unit in state.units.values():
        if unit.side == side and wait_bar(state, unit) is None:
            yield unit


def _offers(state: SquadState, frame: PrepFirePhase, side: str) -> Sequence[WaitToFire]:
    return [WaitToFire(unit.id) for unit in able(state, side)]


def _stays(state: SquadState, side: str, mode: str) -> bool:
    """Somebody may want to wait for a target that he does not have yet."""
    return mode == "prep" and next(able(state, side), None) is not None


# -- what it is -------------------------------------------------------------------------


def wait(play: Play[SquadState], frame: PrepFirePhase, side: str, action: WaitToFire) -> None:
    """Put the counter on a unit: CX ends (A4.51), and in sight of the enemy so does concealment (A12.121)."""
    state = play.state
    unit = come_out(play, state.units[action.unit], "waits to fire")
    if unit.cx:
        unit = update(play, unit, cx=False)
    mark(play, unit, OPPORTUNITY)
    # what is under a "?" out of sight is nobody else's business
    to = (side,) if unit.concealed or unit.hip else None
    play.emit(Waits(unit=unit.id, at=name_of(state, unit.at), to=to))
    list_firers_anew(play)


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """An Opportunity Firer does not Prep Fire (A7.25)."""
    return KEEPS_FIRE if mode == "prep" and OPPORTUNITY in unit.marks else None


def direct_bar(state: SquadState, leader: Unit) -> Bar | None:
    """Nor does he direct any fire before the AFPh (A7.25)."""
    return KEEPS_FIRE if state.phase == "PFPh" and OPPORTUNITY in leader.marks else None


def factors(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> list[Item]:
    """Full FP in the AFPh, named in the tally; flamethrowers have it anyway (A7.25)."""
    if mode != "advancing" or OPPORTUNITY not in unit.marks:
        return []
    if weapon is not None and weapon_kind(weapon).flamethrower:
        return []
    return [("Opportunity Fire", 1, RULE)]


def _gives_up(play: Play[SquadState], unit: Unit, why: str) -> None:
    """Whoever breaks has waited in vain (A7.25)."""
    unmark(play, play.state.units[unit.id], OPPORTUNITY)


# -- words ------------------------------------------------------------------------------


def _describe(state: SquadState, side: str, action: WaitToFire) -> Description:
    unit = state.units[action.unit]
    where = name_of(state, unit.at)
    gun = any([weapon_kind(state.weapons[name]).gun and can_fire(state, name) for name in unit.weapons])
    gains = "full FP, ROF and Intensive Fire" if gun else "full FP and ROF"
    notes = [f"does not move; {'half FP, as it is pinned,' if unit.pinned else gains} in the AFPh"]
    if unit.cx:
        notes.append("is no longer CX")
    if unit.concealed:
        notes.append('loses its "?" if a Good Order enemy sees it within 16 hexes')
    text = f"{short(state, unit.id)} in {where} waits for Opportunity Fire"
    return Description(text, "wait", (unit.id,), (where,), rule=RULE, notes=tuple(notes))


def _preview(state: SquadState, side: str, action: WaitToFire) -> Preview:
    unit = state.units[action.unit]
    kind = unit_kind(state, unit)
    fp = kind.fp * (FP_FACTORS["pinned"] if unit.pinned else 1)
    notes = [f"{short(state, unit.id)} fires {fp:g} FP in the AFPh, not half of it"] if kind.fires else []
    for name in unit.weapons:
        weapon = state.weapons[name]
        if unit.pinned or not can_fire(state, name):
            continue
        if (rate := _rate(state, weapon)) > 0:
            notes.append(f"{short(state, name)} keeps its ROF of {rate}")
        if weapon_kind(weapon).gun:
            notes.append(f"{short(state, name)} may use Intensive Fire")
    return Preview("Opportunity Fire", notes=tuple(notes))


def _rate(state: SquadState, weapon: Weapon) -> int:
    """The ROF of a weapon in these hands (1.2.4.1, A21.11)."""
    kind = weapon_kind(weapon)
    if not kind.ordnance:
        return rate_of_fire(state, weapon)
    target_type = ATT if kind.mortar else ITT
    shot = OrdnanceShot(state.attacker, "prep", weapon.id, -1, target_type, "HE")
    return rate_of(state, weapon, shot, turned=False)


def _why_not(state: SquadState, side: str, action: WaitToFire) -> Bar | None:
    if not isinstance(state.stack[-1], PrepFirePhase) or action.unit not in state.units:
        return WHY_NOT_NOW
    unit = state.units[action.unit]
    return wait_bar(state, unit) if unit.side == side else WHY_NOT_NOW


def _words(state: SquadState, event: Waits) -> str:
    return f"{short(state, event.unit)} in {event.at} waits for Opportunity Fire (A7.25)"


PART = Part(
    marks=(
        MarkKind(
            name=OPPORTUNITY,
            bars=("move",),
            why="It is an Opportunity Firer: it waits where it is for the Advancing Fire Phase",
            goes="AFPh ends",
            waits=True,
            rule=RULE,
        ),
    ),
    faces={
        f"marker/{OPPORTUNITY}": Look(
            tag("OPP", "#10240c", "#bfe0a0"),
            "Opportunity Fire",
            "Does not move; fires at full FP with ROF in the AFPh",
            RULE,
        )
    },
    offers={PrepFirePhase: _offers},
    does={WaitToFire: wait},
    stays=_stays,
    bars={"fire": fire_bar, "direct": direct_bar},
    factors=factors,
    after={"break": _gives_up},
    describe={WaitToFire: _describe},
    preview={WaitToFire: _preview},
    why_not={WaitToFire: _why_not},
    words={Waits: _words},
)
