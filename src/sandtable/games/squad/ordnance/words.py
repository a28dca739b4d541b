"""Words for ordnance and special weapons: what may be fired, what happened, and why not (3.2.4, 4.2 to 4.5, 6)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.part import Bar
from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.fire.drafting import MODES as FIRE_PHASES
from sandtable.games.squad.fire.model import AdvancingFirePhase, AimAt, FirePhaseFrame
from sandtable.games.squad.fire.words import aim_words, named, refusal
from sandtable.games.squad.ground.knowledge import enemy_hexes, known_units
from sandtable.games.squad.ground.marks import waits
from sandtable.games.squad.ground.model import FollowTarget
from sandtable.games.squad.ground.names import full, names, short
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.ordnance.model import (
    AimAnywhere,
    Backblast,
    ChargeWentOff,
    FaceGun,
    GunHit,
    KeepAcquired,
    KeepArcs,
    LastRound,
    NoAmmunition,
    OrdnanceDraft,
    OrdnanceHit,
    SetOffCharge,
    Shoot,
    Shot,
    StartShot,
    TurnGun,
    TurnGuns,
)
from sandtable.games.squad.ordnance.shots import SHAPED_CHARGE, aim_bar, ammunition, shooter_bar, shots_of
from sandtable.games.squad.ordnance.special_weapons import find_charge
from sandtable.games.squad.ordnance.turning import turn_bar
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.events import AcquisitionLost, TargetAcquired, Turned
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Weapon

AMMUNITION: Mapping[str, str] = {
    "HE": "HE",
    "AP": "Armor Piercing",
    "H": "HEAT",
    "s": "Smoke",
    "WP": "White Phosphorus",
}
TYPES: Mapping[str, str] = {"ITT": "Infantry Target Type", "ATT": "Area Target Type", "LATW": ""}
MODES: Mapping[str, str] = {"prep": "PFPh", "final": "DFPh", "advancing": "AFPh"}


def mode_of(state: SquadState) -> str:
    """How a shot would be fired now."""
    frame = state.stack[-1]
    if isinstance(frame, OrdnanceDraft):
        return frame.mode
    return next((mode for mode, phase in MODES.items() if phase == state.phase), "first")


def arc_words(state: SquadState, cell: int, facing: int) -> str:
    """A Covered Arc by the two hexes beside its hexspine."""
    ground = setting_of(state).ground
    hexes = ground.grid.hexspine(ground.hex_of(cell), facing)
    return "/".join(name_of(state, other) for other in hexes if other >= 0) or "the edge of the map"


# -- actions ----------------------------------------------------------------------------


def _start(state: SquadState, side: str, action: StartShot) -> Description:
    weapon = state.weapons[action.weapon]
    owner = state.units[weapon.owner]
    intensive = weapon.marker != NO_MARKER
    waited = state.phase == "AFPh" and waits(setting_of(state), owner)
    how = "Intensive Fire" if intensive else "Opportunity Fire" if waited else "Shoot"
    text = f"{how} with {short(state, weapon)}"
    facts: tuple[tuple[str, str], ...] = ()
    if state.moving is not None:
        movers = [state.units[name].at for name in state.moving.active if name in state.units]
        if movers and movers[0] >= 0:
            ground = setting_of(state).ground
            distance = ground.ranges[owner.at][movers[0]]
            facts = (
                ("range", str(distance)),
                ("adjacent", "yes" if distance == 1 else "no"),
                ("open", "yes" if ground.open[movers[0]] else "no"),
            )
    return Description(
        text,
        "fire",
        (weapon.id, owner.id),
        (name_of(state, owner.at),),
        rule="A7.25" if waited else "3.2.4",
        facts=facts,
    )


def _anywhere(state: SquadState, side: str, action: AimAnywhere) -> Description:
    return Description("Aim at any hex, with or without known enemies", "fire", rule="6.4")


def _shoot(state: SquadState, side: str, action: Shoot) -> Description:
    draft = state.stack[-1]
    kind = f" on the {TYPES[action.target_type]}" if TYPES.get(action.target_type) else ""
    words = [f"Fire {AMMUNITION.get(action.ammo, action.ammo)}{kind}"]
    cells: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    if isinstance(draft, OrdnanceDraft) and draft.target >= 0:
        weapon = state.weapons[draft.weapon]
        owner = state.units[weapon.owner]
        if action.facing >= 0:
            words.append(f"turning to {arc_words(state, owner.at, action.facing)}")
        pieces = (weapon.id,)
        cells = (name_of(state, owner.at), name_of(state, draft.target))
        targets = tuple([unit.id for unit in known_units(state, units_at(state, draft.target))])
    if action.backblast:
        words.append("avoiding the backblast" if action.backblast == "avoided" else "suffering the backblast")
    if action.forgo:
        words.append("giving up Rate of Fire for Residual FP")
    rule = {"s": "6.2", "WP": "6.2", "AP": "6.2", "H": "4.4"}.get(action.ammo, "3.2.4")
    return Description(", ".join(words), "fire", pieces, cells, targets, rule=rule)


def _turn(state: SquadState, side: str, action: TurnGun) -> Description:
    weapon = state.weapons[action.weapon]
    at = state.units[weapon.owner].at
    arc = arc_words(state, at, action.facing)
    text = f"Point {short(state, weapon)} at {arc}"
    if action.facing == weapon.facing:
        text = f"Leave {short(state, weapon)} pointing at {arc}"
    return Description(text, "turn", (weapon.id,), (name_of(state, at),), rule="3.2.4")


def _keep(state: SquadState, side: str, action: KeepAcquired) -> Description:
    where = name_of(state, state.units[action.unit].at)
    text = f"Keep {short(state, action.unit)} in {where} acquired"
    return Description(text, "fire", (action.unit,), (where,), rule="6.10")


def _set_off(state: SquadState, side: str, action: SetOffCharge) -> Description:
    found = find_charge(state, action.weapon)
    assert found is not None
    where = name_of(state, found[0])
    targets = tuple([unit.id for unit in known_units(state, units_at(state, found[0]))])
    return Description(f"Demolition Charge in {where} goes off", "fire", (), (where,), targets, rule="4.3")


# -- events -----------------------------------------------------------------------------


def _shot(state: SquadState, event: Shot) -> str:
    how = "Intensive Fire: " if event.intensive else ""
    what = AMMUNITION.get(event.ammo, event.ammo)
    kind = f" ({event.target_type})" if event.target_type != "LATW" else ""
    text = f"{how}{short(state, event.weapon)} fires {what} at {event.at}{kind}: needs {event.number}, rolls {event.dr}"
    result = "Critical Hit" if event.critical else "hit" if event.hit else "miss"
    return f"{text}, final {event.final}: {result}"


def _hit(state: SquadState, event: OrdnanceHit) -> str:
    if not event.result:
        return f"Area Fire in {event.at} on the {event.column} column: final DR {event.dr}"
    result = "no effect" if event.result == "-" else event.result
    who = f" on {short(state, event.unit)}" if event.unit else ""
    return f"Hit{who} in {event.at} on the {event.column} column: final DR {event.dr}, {result}"


def _gun_hit(state: SquadState, event: GunHit) -> str:
    return f"{short(state, event.weapon)} is {'destroyed' if event.destroyed else 'damaged'} by a Direct Hit"


def _acquired(state: SquadState, event: TargetAcquired) -> str:
    what = "the hex" if event.area else "the target in"
    return f"{short(state, event.weapon)} has acquired {what} {event.at} ({event.level})"


def _charge(state: SquadState, event: ChargeWentOff) -> str:
    if event.failed:
        return f"The Demolition Charge in {event.at} fails"
    result = "no effect" if event.result == "-" else event.result
    return f"Demolition Charge in {event.at}: final DR {event.dr}, {result}"


def _backblast(state: SquadState, event: Backblast) -> str:
    result = "no effect" if event.result == "-" else event.result
    return f"Backblast of {short(state, event.weapon)} in {event.at}: dr {event.dr}, {result}"


def _turned(state: SquadState, event: Turned) -> str:
    cell = setting_of(state).ground.index(event.at)
    return f"{short(state, event.weapon)} in {event.at} points at {arc_words(state, cell, event.facing)}"


# -- why not ------------------------------------------------------------------------------


def shoot_with_bar(state: SquadState, weapon: Weapon, mode: str) -> Bar | None:
    """Why ordnance may not start a shot now."""
    bar = shooter_bar(state, weapon, mode)
    if bar is not None:
        return bar
    if mode == "first" and state.moving is not None:
        movers = [state.units[name].at for name in state.moving.active if name in state.units]
        return aim_or_ammo_bar(state, weapon, movers[0], mode) if movers and movers[0] >= 0 else None
    return None


def aim_or_ammo_bar(state: SquadState, weapon: Weapon, target: int, mode: str) -> Bar | None:
    """Why a weapon may not fire at a hex."""
    bar = aim_bar(state, weapon, target, mode)
    if bar is None and not ammunition(state, weapon, target, mode):
        latw = weapon_kind(weapon).latw
        return SHAPED_CHARGE if latw else ("It has no ammunition that may be fired there now", "6.2")
    return bar


def _start_bar(state: SquadState, side: str, action: StartShot) -> Bar | None:
    weapon = state.weapons.get(action.weapon)
    if weapon is None:
        return ("There is no such weapon in play", "1.2.4")
    if not weapon.owner or state.units[weapon.owner].side != side:
        return ("It is not yours to fire", "1.2.4")
    bar = shoot_with_bar(state, weapon, mode_of(state))
    return named(state, weapon.id, bar) if bar is not None else None


def draft_aim_bar(state: SquadState, draft: OrdnanceDraft, target: int) -> Bar | None:
    """Why the weapon of a draft may not be aimed at a hex."""
    if not 0 <= target < setting_of(state).ground.places:
        return ("There is no such hex on the map", "1.1")
    bar = aim_or_ammo_bar(state, state.weapons[draft.weapon], target, draft.mode)
    if bar is None and not draft.anywhere and target not in enemy_hexes(state, draft.side):
        bar = ("No known enemy is there; choose to aim at any hex first", "6.4")
    return named(state, draft.weapon, bar) if bar is not None else None


def _shot_bar(state: SquadState, side: str, action: Shoot) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, OrdnanceDraft):
        return None
    if draft.target < 0:
        return ("Choose the target hex first", "3.2.4")
    possible = shots_of(state, draft)
    if not possible:
        return ("Two leaders must serve it: add the other one", "4.4.1")
    if action in possible:
        return None
    weapon = state.weapons[draft.weapon]
    kinds = ammunition(state, weapon, draft.target, draft.mode)
    if (action.target_type, action.ammo) in kinds:
        return ("The target is not in that Covered Arc; turn the Gun to it", "3.2.4")
    if action.ammo in weapon.depleted:
        return (f"It is out of {AMMUNITION.get(action.ammo, action.ammo)}", "6.2")
    if any(ammo == action.ammo for _, ammo in kinds):
        return (f"{AMMUNITION[action.ammo]} cannot be fired on that target type here", "3.2.4")
    if action.ammo in ("s", "WP"):
        return ("Smoke is fired at the start of the Prep or Defensive Fire Phase, by weapons that have it", "6.2")
    return (f"It cannot fire {AMMUNITION.get(action.ammo, 'that')} at this target", "6.2")


def _turn_bar(state: SquadState, side: str, action: TurnGun) -> Bar | None:
    weapon = state.weapons.get(action.weapon)
    if weapon is None or not weapon.owner or state.units[weapon.owner].side != side:
        return ("It is not yours to turn", "3.2.4")
    frame = state.stack[-1]
    if isinstance(frame, FaceGun):
        return None if weapon.id == frame.weapon else ("Another Gun is being given its Covered Arc", "6.5")
    if not isinstance(frame, TurnGuns):
        return ("Covered Arcs are changed at the end of a fire phase, or by firing", "3.2.4")
    bar = turn_bar(state, weapon)
    if bar is None and weapon.id not in frame.done and 0 <= action.facing < 6 and action.facing != weapon.facing:
        return None
    return bar or ("It has been turned already, or points there", "3.2.4")


def _draft_refusals(state: SquadState, side: str, frame: OrdnanceDraft) -> list[Refusal]:
    """Known enemies that the weapon cannot fire at, with the reason."""
    weapon = state.weapons[frame.weapon]
    found = []
    if frame.target < 0:
        for cell in enemy_hexes(state, side):
            bar = aim_or_ammo_bar(state, weapon, cell, frame.mode)
            if bar is not None:
                where = name_of(state, cell)
                found.append(Refusal(f"Aim at {where}", *bar, pieces=(weapon.id,), cells=(where,)))
        return found
    if not shots_of(state, frame):
        return [Refusal("Fire", "Two leaders must serve it: add the other one", "4.4.1", pieces=(weapon.id,))]
    return [
        Refusal(f"Fire {AMMUNITION[ammo]}", "It never had any, or has none left", "6.2", pieces=(weapon.id,))
        for ammo in weapon.depleted
    ]


def _turn_refusals(state: SquadState, side: str, frame: TurnGuns) -> list[Refusal]:
    """Guns of the side that may not be turned, with the reason."""
    found = []
    for weapon in state.weapons.values():
        owner = state.units.get(weapon.owner)
        if weapon.facing >= 0 and owner is not None and owner.side == side:
            bar = turn_bar(state, weapon)
            if bar is not None:
                words, rule = named(state, weapon.id, bar)
                found.append(Refusal(f"Turn {full(state, weapon)}", words, rule, pieces=(weapon.id,)))
    return found


def _draft_prompt(state: SquadState, frame: OrdnanceDraft) -> Bar:
    if frame.target < 0:
        return f"{short(state, frame.weapon)}: choose the target hex", "3.2.4"
    return f"{short(state, frame.weapon)} at {name_of(state, frame.target)}: choose how to fire", "3.2.4"


def _follow_prompt(state: SquadState, frame: FollowTarget) -> Bar:
    gone = names(state, frame.moved)
    return f"The acquired stack of {short(state, frame.weapon)} scatters ({gone}): keep one part acquired", "6.10"


def _set_off_bar(state: SquadState, side: str, action: SetOffCharge) -> Bar | None:
    """Why a Demolition Charge does not go off (4.3)."""
    if find_charge(state, action.weapon):
        if isinstance(state.stack[-1], AdvancingFirePhase):
            return None
        return "A charge that was placed in the MPh goes off in the AFPh of its owner", "4.3"
    return "No such charge was placed: a moving unit places it in the MPh", "4.3"


def _aim(state: SquadState, side: str, action: AimAt) -> Description:
    draft = state.stack[-1]
    assert isinstance(draft, OrdnanceDraft)
    return aim_words(state, action.at, state.units[state.weapons[draft.weapon].owner].at, ())


def _aimed_bar(state: SquadState, side: str, action: AimAt) -> Bar | None:
    draft = state.stack[-1]
    assert isinstance(draft, OrdnanceDraft)
    return draft_aim_bar(state, draft, action.at) if draft.target < 0 else None


def shooter_refusals(state: SquadState, side: str, mode: str) -> list[Refusal]:
    """Ordnance of a side that may not be fired now, with the reason."""
    found = []
    for unit in [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]:
        for weapon in [state.weapons[name] for name in unit.weapons]:
            bar = shoot_with_bar(state, weapon, mode) if weapon_kind(weapon).ordnance else None
            if bar is not None:
                found.append(refusal(state, "Shoot", weapon.id, bar))
    return found


def _phase_refusals(state: SquadState, side: str, frame: FirePhaseFrame) -> list[Refusal]:
    return shooter_refusals(state, side, FIRE_PHASES[type(frame)])


PART = Part(
    describe={
        StartShot: _start,
        (OrdnanceDraft, AimAt): _aim,
        AimAnywhere: _anywhere,
        Shoot: _shoot,
        TurnGun: _turn,
        KeepArcs: lambda state, side, action: Description("Turn no more Guns", "done", key="Enter", rule="3.2.4"),
        KeepAcquired: _keep,
        SetOffCharge: _set_off,
    },
    words={
        Shot: _shot,
        OrdnanceHit: _hit,
        GunHit: _gun_hit,
        TargetAcquired: _acquired,
        AcquisitionLost: lambda state, event: f"{short(state, event.weapon)} loses its acquired target",
        NoAmmunition: lambda state, event: (
            f"{short(state, event.weapon)} has no {AMMUNITION.get(event.ammo, event.ammo)} and has not fired"
        ),
        LastRound: lambda state, event: (
            f"{short(state, event.weapon)} fires its last {AMMUNITION.get(event.ammo, event.ammo)}"
        ),
        ChargeWentOff: _charge,
        Backblast: _backblast,
        Turned: _turned,
    },
    why_not={
        StartShot: _start_bar,
        Shoot: _shot_bar,
        TurnGun: _turn_bar,
        SetOffCharge: _set_off_bar,
        (OrdnanceDraft, AimAt): _aimed_bar,
    },
    refusals={**dict.fromkeys(FIRE_PHASES, _phase_refusals), OrdnanceDraft: _draft_refusals, TurnGuns: _turn_refusals},
    prompts={
        OrdnanceDraft: _draft_prompt,
        TurnGuns: lambda state, frame: ("Change Covered Arcs of Guns, or go on", "3.2.4"),
        FaceGun: lambda state, frame: (f"Point {short(state, frame.weapon)} at a hexspine", "6.5"),
        FollowTarget: _follow_prompt,
    },
)
