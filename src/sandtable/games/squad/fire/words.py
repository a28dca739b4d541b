"""Words for fire: what may be fired, what happened, and why something may not fire (3.2 to 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.part import Bar
from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.fire import attack_words
from sandtable.games.squad.fire.announcing import MODE_WORDS
from sandtable.games.squad.fire.direction import director_bar
from sandtable.games.squad.fire.drafting import MODES, destroyable, may_forgo
from sandtable.games.squad.fire.eligibility import (
    BLOCKED_LINE,
    TOO_FAR,
    Firer,
    aim_of,
    firer_of,
    in_sight,
    reach_bar,
    start_firers,
    targets_of,
    unit_bar,
    usable,
    weapon_bar,
)
from sandtable.games.squad.fire.group import bundle, directors, join_bar, joiners, not_ready, together_bar
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AdvancingFirePhase,
    AimAt,
    AlsoFired,
    CancelFire,
    DefensiveFirePhase,
    DestroyDraft,
    DestroyWeapon,
    Fired,
    FireDraft,
    FirePhaseFrame,
    LineBlocked,
    PrepFirePhase,
    RateKept,
    RemoveDirector,
    RemoveFirer,
    ResidualAttack,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.knowledge import enemy_hexes, known_units, under_question
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import waits
from sandtable.games.squad.ground.names import called, names, short
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.events import (
    Broke,
    Eliminated,
    LeaderLost,
    MadeDesperate,
    MoraleChecked,
    Pinned,
    Reduced,
    Revealed,
    WeaponBroke,
    Wounded,
)
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, SquadState

# -- actions ----------------------------------------------------------------------------


def _mode(state: SquadState) -> str:
    """How fire of the present frame is made."""
    frame = state.stack[-1]
    if isinstance(frame, FireDraft):
        return frame.mode
    return MODES.get(type(frame), "first")


def _kind_of_fire(state: SquadState, mode: str, firer: Firer) -> tuple[str, str]:
    """The rulebook's name for the fire of a unit or weapon as it stands, and its rule."""
    marker = firer.marker
    if mode == "advancing" and waits(setting_of(state), firer.unit):
        return MODE_WORDS["waiting"], "A7.25"
    if mode == "first" and marker >= FINAL_FIRE:
        return "Final Protective Fire", "3.3.1"
    if mode == "first" and marker >= FIRST_FIRE:
        return "Subsequent First Fire", "3.3.1"
    return MODE_WORDS[mode], {"prep": "3.2.5", "first": "3.3.1", "final": "3.4", "advancing": "3.5"}[mode]


def _start(state: SquadState, side: str, action: StartFire) -> Description:
    firer = firer_of(state, action.firer)
    mode = _mode(state)
    kind, rule = _kind_of_fire(state, mode, firer)
    units, weapons = bundle(state, firer, mode)
    return Description(
        f"{kind} with {names(state, (*units, *weapons))}",
        "fire",
        (*units, *weapons),
        (name_of(state, firer.unit.at),),
        rule=rule,
        notes=("its own NMC follows",) if kind == "Final Protective Fire" else (),
        facts=_start_facts(state, mode, firer.unit.at),
    )


def _start_facts(state: SquadState, mode: str, source: int) -> tuple[tuple[str, str], ...]:
    """What standing orders read: the range and the ground of moving targets."""
    if mode != "first" or state.moving is None:
        return ()
    movers = [state.units[name].at for name in state.moving.active if name in state.units]
    if not movers or movers[0] < 0:
        return ()
    ground = setting_of(state).ground
    distance = ground.ranges[source][movers[0]]
    return (
        ("range", str(distance)),
        ("adjacent", "yes" if distance == 1 else "no"),
        ("open", "yes" if ground.open[movers[0]] else "no"),
    )


def aim_words(state: SquadState, at: int, source: int, notes: Sequence[str], nobody: str = "") -> Description:
    """Aiming at a hex in words: who is seen there, and how far it is."""
    where = name_of(state, at)
    seen = tuple([unit.id for unit in known_units(state, units_at(state, at))])
    unsure = any([under_question(state, unit) for unit in units_at(state, at)])
    whom = [*([names(state, seen)] if seen else ()), *(["concealed units"] if unsure else ())]
    text = f"Aim at {where}" + (f": {', '.join(whom)}" if whom else "")
    nobody = "" if unsure else nobody
    noted = (*notes, nobody) if not seen and nobody else tuple(notes)
    facts = (("range", str(setting_of(state).ground.ranges[source][at])),)
    return Description(text, "fire", (), (where,), seen, rule="3.2.2", notes=noted, facts=facts)


def _aim(state: SquadState, side: str, action: AimAt) -> Description:
    draft = state.stack[-1]
    assert isinstance(draft, FireDraft)
    source = firer_of(state, (*draft.units, *draft.weapons)[0]).unit.at
    hindrance = los(state, source, action.at)
    told = setting_of(state).rules.of(FireRules).free_los and 0 < hindrance < BLOCKED
    notes = [f"Hindrance +{hindrance}"] if told else []
    return aim_words(state, action.at, source, notes, nobody="no known enemy: searching fire at half FP (6.4)")


def _add(state: SquadState, side: str, action: AddFirer) -> Description:
    firer = firer_of(state, action.firer)
    draft = state.stack[-1]
    picked = draft.weapons if isinstance(draft, FireDraft) else ()
    units, weapons = bundle(state, firer, _mode(state), picked)
    helps = firer.weapon is None and not unit_kind(state, firer.unit).fires
    text = f"{short(state, firer.unit)} helps to serve the machine gun" if helps else ""
    return Description(
        text or f"Add {names(state, (*units, *weapons))}",
        "group",
        (*units, *weapons),
        (name_of(state, firer.unit.at),),
        rule="4.1" if helps else "3.2.2",
    )


def _remove(state: SquadState, side: str, action: RemoveFirer) -> Description:
    return Description(f"Leave out {short(state, action.firer)}", "group", (action.firer,), rule="3.2.2")


def _direct(state: SquadState, side: str, action: AddDirector) -> Description:
    return Description(f"{short(state, action.leader)} directs", "group", (action.leader,), rule="3.2.2")


def _no_direction(state: SquadState, side: str, action: RemoveDirector) -> Description:
    return Description(f"{short(state, action.leader)} does not direct", "group", (action.leader,), rule="3.2.2")


def _resolve(state: SquadState, side: str, action: ResolveFire) -> Description:
    draft = state.stack[-1]
    where = _aimed_at(state, draft) if isinstance(draft, FireDraft) else ()
    firers = (*draft.units, *draft.weapons, *draft.leaders) if isinstance(draft, FireDraft) else ()
    text = f"Fire at {' and '.join(where[::-1])}" if where else "Fire"
    if action.forgo:
        return Description(f"{text}, giving up Rate of Fire for Residual FP", "fire", firers, where, rule="3.3.1")
    return Description(text, "fire", firers, where, rule="3.2.2", key="Enter")


def _aimed_at(state: SquadState, draft: FireDraft) -> tuple[str, ...]:
    """The Locations that a draft fires at, the target last."""
    return tuple([name_of(state, cell) for cell in (draft.also, draft.target) if cell >= 0])


def _destroy(state: SquadState, side: str, action: DestroyWeapon) -> Description:
    return Description(f"Destroy {short(state, action.weapon)}", "weapon", (action.weapon,), rule="4.0")


# -- events -----------------------------------------------------------------------------


def _checked(state: SquadState, event: MoraleChecked) -> str:
    who = called(event.kind, event.unit)
    return f"{who} {'passes' if event.passed else 'fails'} its {event.what} with {event.dr}"


def _lost(state: SquadState, event: LeaderLost) -> str:
    what = "eliminated: LLMC" if event.eliminated else "broken: LLTC"
    return f"{short(state, event.leader)} is {what} of the units stacked with him in {event.at}"


def _blocked(state: SquadState, event: LineBlocked) -> str:
    return f"No line of sight from {event.frm} to {event.at}: {names(state, event.firers)} fired in vain"


def _reduced(state: SquadState, event: Reduced) -> str:
    return f"{called(event.was, event.unit)} becomes a {event.now.partition(' ')[2]} ({event.why})"


def _eliminated(state: SquadState, event: Eliminated) -> str:
    return f"{short(state, event.unit)} is eliminated" + (f" ({event.why})" if event.why else "")


def _weapon_broke(state: SquadState, event: WeaponBroke) -> str:
    return f"{short(state, event.weapon)} {'is removed from play' if event.removed else 'malfunctions'}"


def _revealed(state: SquadState, event: Revealed) -> str:
    what = names(state, [name for name in (event.weapon, event.unit) if name])
    return f"Revealed in {event.at}: {what}" + (f" ({event.why})" if event.why else "")


# -- refusals ---------------------------------------------------------------------------


def firer_bar(state: SquadState, name: str, mode: str) -> Bar | None:
    """Why a unit or weapon may not fire at all now."""
    setting = setting_of(state)
    if name in state.weapons:
        return weapon_bar(setting, state, state.weapons[name], mode)
    return unit_bar(setting, state, state.units[name], mode) if name in state.units else None


def aim_bar(state: SquadState, side: str, name: str, target: int, mode: str) -> Bar | None:
    """Why it may not fire at a hex."""
    setting = setting_of(state)
    firer = firer_of(state, name)
    source = firer.unit.at
    bar = reach_bar(
        state,
        firer,
        aim_of(setting, state, side, source, target, mode),
        mode,
        setting.rules.of(FireRules).mg_range_limit,
    )
    if bar is None and not in_sight(setting, state, source, target):
        return BLOCKED_LINE
    return bar


def start_bar(state: SquadState, side: str, action: StartFire) -> Bar | None:
    """Why a unit or weapon may not start an attack now."""
    owner = _side_of(state, action.firer)
    if owner is None:
        return ("There is no such unit or weapon in play", "1.2")
    if owner != side:
        return ("It belongs to the other side: pick one of your own", "1.2")
    if action.firer in getattr(state.stack[-1], "firers", ()):
        return None
    mode = _mode(state)
    bar = firer_bar(state, action.firer, mode)
    if bar is not None:
        return named(state, action.firer, bar)
    bars = [aim_bar(state, side, action.firer, cell, mode) for cell in wanted(state, side, mode)]
    near = [bar for bar in bars if bar not in (None, TOO_FAR)]
    return named(state, action.firer, near[0] if near else ("No known enemy is in its range and sight", "3.2.1"))


def wanted(state: SquadState, side: str, mode: str) -> list[int]:
    """Hexes that a side would fire at."""
    if mode != "first":
        return enemy_hexes(state, side)
    moving = state.moving.active if state.moving is not None else ()
    return list(dict.fromkeys([state.units[name].at for name in moving if name in state.units]))


def _side_of(state: SquadState, name: str) -> str | None:
    if name in state.units:
        return state.units[name].side
    weapon = state.weapons.get(name)
    return None if weapon is None else state.units[weapon.owner].side if weapon.owner else weapon.side


def refusal(state: SquadState, what: str, name: str, bar: Bar, cells: tuple[str, ...] = ()) -> Refusal:
    """Why a unit or weapon may not fire; its name is said once."""
    who = short(state, name)
    reason = bar[0].removeprefix(f"{who}: ")
    return Refusal(f"{what} with {who}", f"{reason[0].upper()}{reason[1:]}", bar[1], (name,), cells)


def named(state: SquadState, name: str, bar: Bar) -> Bar:
    """A reason with the name of whom it concerns."""
    return f"{short(state, name)}: {bar[0][0].lower()}{bar[0][1:]}", bar[1]


def _aim_bar(state: SquadState, side: str, action: AimAt) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or draft.side != side or draft.target >= 0:
        return None
    if not 0 <= action.at < setting_of(state).ground.places:
        return ("There is no such hex on the map", "1.1")
    name = (*draft.units, *draft.weapons)[0]
    if action.at in targets_of(state, side, firer_of(state, name), draft.mode):
        return None
    if action.at not in enemy_hexes(state, side):
        return (f"No known enemy is in {name_of(state, action.at)}", "3.2.1")
    bar = aim_bar(state, side, name, action.at, draft.mode)
    return named(state, name, bar) if bar is not None else None


def _add_bar(state: SquadState, side: str, action: AddFirer) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or draft.target < 0 or _side_of(state, action.firer) != side:
        return None
    if not draft.checked and action.firer in joiners(state, draft):
        return None
    bar = firer_bar(state, action.firer, draft.mode) or aim_bar(state, side, action.firer, draft.target, draft.mode)
    if bar is None and firer_of(state, action.firer).alone:
        bar = ("It never joins a fire group", "4.2")
    if bar is None:
        firer = firer_of(state, action.firer)
        bar = together_bar(state, draft, firer) or join_bar(state, draft, firer)
    return named(state, action.firer, bar or ("It is not in or beside a hex of the fire group", "3.2.2"))


def _direct_bar(state: SquadState, side: str, action: AddDirector) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or action.leader not in state.units:
        return None
    if not draft.checked and action.leader in directors(state, draft):
        return None
    firing = [firer_of(state, name) for name in (*draft.units, *draft.weapons)]
    leader = state.units[action.leader]
    bar = director_bar(state, leader, firing, draft.mode)
    return named(state, leader.id, bar or ("He must be in a hex of the fire group, one leader in each", "3.2.2"))


def _resolve_bar(state: SquadState, side: str, action: ResolveFire) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft):
        return None
    if draft.target < 0:
        return ("Choose the target first", "3.2.2")
    if action.forgo and not may_forgo(state, draft):
        return ("It has no Rate of Fire to give up: fire without", "3.3.1")
    return not_ready(state, draft)


def is_ordnance(state: SquadState, name: str) -> bool:
    """Whether a name is that of a weapon with a To Hit roll of its own."""
    weapon = state.weapons.get(name)
    return weapon is not None and weapon_kind(weapon).ordnance


def _phase_refusals(state: SquadState, side: str, frame: Any) -> list[Refusal]:
    """Units and weapons of the side that may not fire now, with the reason."""
    mode = MODES[type(frame)]
    able = set(start_firers(state, side, mode))
    found = []
    for unit in [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]:
        for name in (unit.id, *unit.weapons):
            if name in able or (name == unit.id and not unit_kind(state, unit).fires):
                continue
            if is_ordnance(state, name):
                continue
            reason = start_bar(state, side, StartFire(name))
            if reason is not None:
                found.append(refusal(state, "Fire", name, reason, (name_of(state, unit.at),)))
    return found


def _draft_refusals(state: SquadState, side: str, frame: FireDraft) -> list[Refusal]:
    """Targets that the firer cannot attack, or why the group cannot fire yet."""
    if frame.target >= 0:
        bar = not_ready(state, frame)
        return [Refusal("Fire", *bar, pieces=(*frame.units, *frame.weapons))] if bar else []
    name = (*frame.units, *frame.weapons)[0]
    found = []
    for cell in enemy_hexes(state, side):
        bar = aim_bar(state, side, name, cell, frame.mode)
        if bar is not None:
            where = name_of(state, cell)
            found.append(Refusal(f"Aim at {where}", *bar, pieces=(name,), cells=(where,)))
    return found


def _draft_prompt(state: SquadState, frame: FireDraft) -> Bar:
    if frame.target < 0:
        return "Choose the target hex", "3.2.2"
    if frame.checked:
        return "A line of sight was blocked: fire with the rest, or not", "3.2.2"
    where = " and ".join(_aimed_at(state, frame)[::-1])
    return f"Fire at {where}: add firers and leaders, then fire", "3.2.2"


def _destroy_bar(state: SquadState, side: str, action: DestroyWeapon) -> Bar | None:
    """Why a weapon may not be destroyed by its owner (4.0)."""
    weapon = state.weapons.get(action.weapon)
    if weapon is None or not isinstance(state.stack[-1], DestroyDraft):
        return None
    if not weapon.owner or state.units[weapon.owner].side != side:
        return "Only its possessor may destroy a weapon: recover it first", "4.0"
    mode = "prep" if state.phase == "PFPh" else "final"
    if weapon.id in destroyable(state, side, mode):
        return None
    bar = usable(setting_of(state), state, weapon, weapon_kind(weapon), mode)
    return bar or (
        "It has been used in this phase, and destroying it would be another use: do so in a later turn",
        "4.0",
    )


def _destroying_bar(state: SquadState, side: str, action: StartDestroying) -> Bar | None:
    """Why nothing can be destroyed now (4.0)."""
    if not setting_of(state).rules.of(FireRules).voluntary_destruction:
        return None
    if state.phase not in ("PFPh", "DFPh"):
        return "Weapons are destroyed by their owners in the PFPh or DFPh", "4.0"
    if isinstance(state.stack[-1], FirePhaseFrame) and destroyable(state, side, _mode(state)):
        return None
    return "No weapon of this side is free to be destroyed: a use of it must be left", "4.0"


PART = Part(
    describe={
        StartFire: _start,
        (FireDraft, AimAt): _aim,
        AddFirer: _add,
        RemoveFirer: _remove,
        AddDirector: _direct,
        RemoveDirector: _no_direction,
        ResolveFire: _resolve,
        CancelFire: lambda state, side, action: Description("Do not fire with these", "cancel", key="Escape"),
        (DestroyDraft, CancelFire): lambda state, side, action: Description(
            "Do not destroy any", "cancel", key="Escape"
        ),
        StartDestroying: lambda state, side, action: Description("Destroy a weapon of your own", "weapon", rule="4.0"),
        DestroyWeapon: _destroy,
    },
    words={
        Fired: attack_words.fired,
        AlsoFired: attack_words.also_fired,
        ResidualAttack: attack_words.residual,
        MoraleChecked: _checked,
        LeaderLost: _lost,
        LineBlocked: _blocked,
        Reduced: _reduced,
        Eliminated: _eliminated,
        WeaponBroke: _weapon_broke,
        Revealed: _revealed,
        Broke: lambda state, event: f"{short(state, event.unit)} breaks in {event.at}",
        Pinned: lambda state, event: f"{short(state, event.unit)} is pinned in {event.at}",
        Wounded: lambda state, event: f"{short(state, event.unit)} is wounded",
        MadeDesperate: lambda state, event: f"{short(state, event.unit)} in {event.at} is under Desperation Morale",
        RateKept: lambda state, event: f"{short(state, event.weapon)} keeps its Rate of Fire",
    },
    why_not={
        **{(frame, StartFire): start_bar for frame in MODES},
        (FireDraft, AimAt): _aim_bar,
        AddFirer: _add_bar,
        AddDirector: _direct_bar,
        ResolveFire: _resolve_bar,
        DestroyWeapon: _destroy_bar,
        StartDestroying: _destroying_bar,
    },
    refusals={
        PrepFirePhase: _phase_refusals,
        DefensiveFirePhase: _phase_refusals,
        AdvancingFirePhase: _phase_refusals,
        FireDraft: _draft_refusals,
    },
    prompts={
        PrepFirePhase: lambda state, frame: ("Prep Fire: pick who fires", "3.2.5"),
        DefensiveFirePhase: lambda state, frame: ("Final Fire: pick who fires", "3.4"),
        AdvancingFirePhase: lambda state, frame: ("Advancing Fire: pick who fires", "3.5"),
        FireDraft: _draft_prompt,
        DestroyDraft: lambda state, frame: ("Choose the weapon to destroy", "4.0"),
    },
)
