"""Words for fire: what may be fired, what happened, and why something may not fire (3.2 to 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.attack import MODE_WORDS
from sandtable.games.squad.fire import MODES
from sandtable.games.squad.fire_group import bundle, not_ready
from sandtable.games.squad.fire_model import (
    AddDirector,
    AddFirer,
    AdvancingFirePhase,
    AimAt,
    Broke,
    CancelFire,
    DefensiveFirePhase,
    DestroyDraft,
    DestroyWeapon,
    Eliminated,
    Fired,
    FireDraft,
    LeaderLost,
    LineBlocked,
    MadeDesperate,
    MoraleChecked,
    Pinned,
    PrepFirePhase,
    RateKept,
    Reduced,
    RemoveDirector,
    RemoveFirer,
    ResidualAttack,
    ResolveFire,
    Revealed,
    StartDestroying,
    StartFire,
    WeaponBroke,
    Wounded,
)
from sandtable.games.squad.firers import (
    BLOCKED_LINE,
    TOO_FAR,
    Bar,
    aim_of,
    director_bar,
    enemy_hexes,
    firer_of,
    in_sight,
    reach_bar,
    start_firers,
    unit_bar,
    weapon_bar,
)
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import FINAL_FIRE, FIRST_FIRE, SquadState
from sandtable.games.squad.move_model import Reaction
from sandtable.games.squad.ordnance_model import OrdnanceDraft
from sandtable.games.squad.ordnance_words import why_not_aim, why_not_shoot_with
from sandtable.games.squad.part import Part
from sandtable.games.squad.setting import setting, unit_kind, weapon_kind
from sandtable.games.squad.sight import los
from sandtable.games.squad.stacks import name_of, units_at
from sandtable.games.squad.wording import full, names, short

# -- actions ----------------------------------------------------------------------------


def _mode(state: SquadState) -> str:
    """How fire of the present frame is made."""
    frame = state.stack[-1]
    if isinstance(frame, FireDraft):
        return frame.mode
    return MODES.get(type(frame), "first")


def _kind_of_fire(state: SquadState, mode: str, marker: int) -> tuple[str, str]:
    """The rulebook's name for the fire of a firer with this counter, and its rule."""
    if mode == "first" and marker >= FINAL_FIRE:
        return "Final Protective Fire", "3.3.1"
    if mode == "first" and marker >= FIRST_FIRE:
        return "Subsequent First Fire", "3.3.1"
    return MODE_WORDS[mode], {"prep": "3.2.5", "first": "3.3.1", "final": "3.4", "advancing": "3.5"}[mode]


def _start(state: SquadState, side: str, action: StartFire) -> Description:
    firer = firer_of(state, action.firer)
    mode = _mode(state)
    kind, rule = _kind_of_fire(state, mode, firer.marker)
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
    ground = setting(state).ground
    distance = ground.ranges[source][movers[0]]
    return (
        ("range", str(distance)),
        ("adjacent", "yes" if distance == 1 else "no"),
        ("open", "yes" if ground.open[movers[0]] else "no"),
    )


def _aim(state: SquadState, side: str, action: AimAt) -> Description:
    where = name_of(state, action.at)
    seen = tuple([unit.id for unit in units_at(state, action.at) if not unit.hip])
    draft = state.stack[-1]
    notes = []
    facts: tuple[tuple[str, str], ...] = ()
    if isinstance(draft, FireDraft):
        source = firer_of(state, (*draft.units, *draft.weapons)[0]).unit.at
        facts = (("range", str(setting(state).ground.ranges[source][action.at])),)
        hindrance = los(state, source, action.at)
        if setting(state).rules.free_los and 0 < hindrance < BLOCKED:
            notes.append(f"Hindrance +{hindrance}")
    if isinstance(draft, OrdnanceDraft):
        source = state.units[state.weapons[draft.weapon].owner].at
        facts = (("range", str(setting(state).ground.ranges[source][action.at])),)
    elif not seen:
        notes.append("no known enemy: searching fire at half FP (6.4)")
    text = f"Aim at {where}" + (f": {names(state, seen)}" if seen else "")
    return Description(text, "fire", (), (where,), seen, rule="3.2.2", notes=tuple(notes), facts=facts)


def _add(state: SquadState, side: str, action: AddFirer) -> Description:
    firer = firer_of(state, action.firer)
    units, weapons = bundle(state, firer, _mode(state))
    helps = firer.weapon is None and not unit_kind(state, firer.unit).mmc
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
    where = (name_of(state, draft.target),) if isinstance(draft, FireDraft) else ()
    firers = (*draft.units, *draft.weapons, *draft.leaders) if isinstance(draft, FireDraft) else ()
    text = f"Fire at {where[0]}" if where else "Fire"
    if action.forgo:
        return Description(f"{text}, giving up Rate of Fire for Residual FP", "fire", firers, where, rule="3.3.1")
    return Description(text, "fire", firers, where, rule="3.2.2", key="Enter")


def _destroy(state: SquadState, side: str, action: DestroyWeapon) -> Description:
    return Description(f"Destroy {short(state, action.weapon)}", "weapon", (action.weapon,), rule="4.0")


# -- events -----------------------------------------------------------------------------


def _fired(state: SquadState, event: Fired) -> str:
    how = MODE_WORDS[event.mode]
    cowered = f", cowering {event.cowered} column{'s' if event.cowered > 1 else ''}" if event.cowered else ""
    text = f"{how}: {names(state, event.firers)} at {event.at}, {event.fp:g} FP on the {event.column} column{cowered}"
    result = "no effect" if event.result == "-" else event.result
    return f"{text}: final DR {event.dr}, {result}{_others(state, event.others)}"


def _others(state: SquadState, others: Sequence[tuple[str, str]]) -> str:
    words = [f"{short(state, name)}: {'no effect' if result == '-' else result}" for name, result in others]
    return f" ({'; '.join(words)})" if words else ""


def _residual(state: SquadState, event: ResidualAttack) -> str:
    result = "no effect" if event.result == "-" else event.result
    return f"{event.fp} Residual FP in {event.at}: final DR {event.dr}, {result}{_others(state, event.others)}"


def _checked(state: SquadState, event: MoraleChecked) -> str:
    who = f"{event.kind.partition(' ')[2]} {event.unit}".strip()
    return f"{who} {'passes' if event.passed else 'fails'} its {event.what} with {event.dr}"


def _lost(state: SquadState, event: LeaderLost) -> str:
    what = "eliminated: LLMC" if event.eliminated else "broken: LLTC"
    return f"{short(state, event.leader)} is {what} of the units stacked with him in {event.at}"


def _blocked(state: SquadState, event: LineBlocked) -> str:
    return f"No line of sight from {event.frm} to {event.at}: {names(state, event.firers)} fired in vain"


def _reduced(state: SquadState, event: Reduced) -> str:
    return f"{event.was.partition(' ')[2]} {event.unit} becomes a {event.now.partition(' ')[2]} ({event.why})"


def _eliminated(state: SquadState, event: Eliminated) -> str:
    return f"{short(state, event.unit)} is eliminated" + (f" ({event.why})" if event.why else "")


def _weapon_broke(state: SquadState, event: WeaponBroke) -> str:
    return f"{short(state, event.weapon)} {'is removed from play' if event.removed else 'malfunctions'}"


def _revealed(state: SquadState, event: Revealed) -> str:
    what = names(state, [name for name in (event.weapon, event.unit) if name])
    return f"Hidden in {event.at}: {what}" + (f" ({event.why})" if event.why else "")


# -- refusals ---------------------------------------------------------------------------


def _firer_bar(state: SquadState, name: str, mode: str) -> Bar | None:
    """Why a unit or weapon may not fire at all now."""
    card = setting(state)
    if name in state.weapons:
        return weapon_bar(card, state, state.weapons[name], mode)
    return unit_bar(card, state.units[name], mode) if name in state.units else None


def _aim_bar(state: SquadState, side: str, name: str, target: int, mode: str) -> Bar | None:
    """Why it may not fire at a hex."""
    card = setting(state)
    firer = firer_of(state, name)
    source = firer.unit.at
    bar = reach_bar(state, firer, aim_of(card, state, side, source, target, mode), mode, card.rules.mg_range_limit)
    if bar is None and not in_sight(card, state, source, target):
        return BLOCKED_LINE
    return bar


def _why_not_start(state: SquadState, side: str, action: StartFire) -> Bar | None:
    if type(state.stack[-1]) not in MODES and not isinstance(state.stack[-1], Reaction):
        return None
    owner = _side_of(state, action.firer)
    if owner is None:
        return ("There is no such unit or weapon in play", "1.2")
    if owner != side:
        return ("It belongs to the other side: pick one of your own", "1.2")
    mode = _mode(state)
    bar = _firer_bar(state, action.firer, mode)
    if bar is not None:
        return _named(state, action.firer, bar)
    bars = [_aim_bar(state, side, action.firer, cell, mode) for cell in _wanted(state, side, mode)]
    near = [bar for bar in bars if bar not in (None, TOO_FAR)]
    return _named(state, action.firer, near[0] if near else ("No known enemy is in its range and sight", "3.2.1"))


def _wanted(state: SquadState, side: str, mode: str) -> list[int]:
    if mode != "first":
        return enemy_hexes(state, side)
    moving = state.moving.active if state.moving is not None else ()
    return list(dict.fromkeys([state.units[name].at for name in moving if name in state.units]))


def _side_of(state: SquadState, name: str) -> str | None:
    if name in state.units:
        return state.units[name].side
    weapon = state.weapons.get(name)
    return None if weapon is None else state.units[weapon.owner].side if weapon.owner else weapon.side


def _named(state: SquadState, name: str, bar: Bar) -> Bar:
    return f"{short(state, name)}: {bar[0][0].lower()}{bar[0][1:]}", bar[1]


def _why_not_aim(state: SquadState, side: str, action: AimAt) -> Bar | None:
    draft = state.stack[-1]
    if isinstance(draft, OrdnanceDraft) and draft.target < 0:
        return why_not_aim(state, draft, action.at)
    if not isinstance(draft, FireDraft) or draft.side != side or draft.target >= 0:
        return None
    if not 0 <= action.at < setting(state).ground.size:
        return ("There is no such hex on the map", "1.1")
    name = (*draft.units, *draft.weapons)[0]
    if action.at not in enemy_hexes(state, side):
        return (f"No known enemy is in {name_of(state, action.at)}", "3.2.1")
    bar = _aim_bar(state, side, name, action.at, draft.mode)
    return _named(state, name, bar) if bar is not None else None


def _why_not_add(state: SquadState, side: str, action: AddFirer) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or draft.target < 0 or _side_of(state, action.firer) != side:
        return None
    bar = _firer_bar(state, action.firer, draft.mode) or _aim_bar(state, side, action.firer, draft.target, draft.mode)
    if bar is None and firer_of(state, action.firer).alone:
        bar = ("It never joins a fire group", "4.2")
    return _named(state, action.firer, bar or ("It is not in or beside a hex of the fire group", "3.2.2"))


def _why_not_direct(state: SquadState, side: str, action: AddDirector) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or action.leader not in state.units:
        return None
    firing = [firer_of(state, name) for name in (*draft.units, *draft.weapons)]
    leader = state.units[action.leader]
    bar = director_bar(state, leader, firing, draft.mode)
    return _named(state, leader.id, bar or ("He must be in a hex of the fire group, one leader in each", "3.2.2"))


def _why_not_resolve(state: SquadState, side: str, action: ResolveFire) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft):
        return None
    return ("Choose the target first", "3.2.2") if draft.target < 0 else not_ready(state, draft)


def _phase_refusals(state: SquadState, side: str, frame: Any) -> list[Refusal]:
    """Units and weapons of the side that may not fire now, with the reason."""
    mode = MODES[type(frame)]
    able = set(start_firers(state, side, mode))
    found = []
    for unit in [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]:
        for name in (unit.id, *unit.weapons):
            if name in able or (name == unit.id and not unit_kind(state, unit).mmc):
                continue
            if _is_ordnance(state, name):
                found += _ordnance_refusals(state, name, mode)
                continue
            reason = _why_not_start(state, side, StartFire(name))
            if reason is not None:
                what = f"Fire with {full(state, state.weapons.get(name) or unit)}"
                found.append(Refusal(what, *reason, pieces=(name,), cells=(name_of(state, unit.at),)))
    return found


def _is_ordnance(state: SquadState, name: str) -> bool:
    weapon = state.weapons.get(name)
    return weapon is not None and weapon_kind(weapon).ordnance


def _ordnance_refusals(state: SquadState, name: str, mode: str) -> list[Refusal]:
    """Why ordnance may not be fired now, if so."""
    weapon = state.weapons[name]
    bar = why_not_shoot_with(state, weapon, mode)
    return [Refusal(f"Shoot with {full(state, weapon)}", *_named(state, name, bar), pieces=(name,))] if bar else []


def _draft_refusals(state: SquadState, side: str, frame: FireDraft) -> list[Refusal]:
    """Targets that the firer cannot attack, or why the group cannot fire yet."""
    if frame.target >= 0:
        bar = not_ready(state, frame)
        return [Refusal("Fire", *bar, pieces=(*frame.units, *frame.weapons))] if bar else []
    name = (*frame.units, *frame.weapons)[0]
    found = []
    for cell in enemy_hexes(state, side):
        bar = _aim_bar(state, side, name, cell, frame.mode)
        if bar is not None:
            where = name_of(state, cell)
            found.append(Refusal(f"Aim at {where}", *bar, pieces=(name,), cells=(where,)))
    return found


def _draft_prompt(state: SquadState, frame: FireDraft) -> Bar:
    if frame.target < 0:
        return "Choose the target hex", "3.2.2"
    if frame.checked:
        return "A line of sight was blocked: fire with the rest, or not", "3.2.2"
    return f"Fire at {name_of(state, frame.target)}: add firers and leaders, then fire", "3.2.2"


def _reaction_refusals(state: SquadState, side: str, frame: Reaction) -> list[Refusal]:
    """Units in sight of the movers that may not fire at them, with the reason."""
    cells = _wanted(state, side, "first")
    if not cells or cells[0] < 0:
        return []
    found = []
    for unit in [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]:
        for name in (unit.id, *unit.weapons):
            if name == unit.id and not unit_kind(state, unit).mmc:
                continue
            if _is_ordnance(state, name):
                found += _ordnance_refusals(state, name, "first")
                continue
            bar = _firer_bar(state, name, "first") or _aim_bar(state, side, name, cells[0], "first")
            if bar is not None:
                what = f"Fire with {full(state, state.weapons.get(name) or unit)}"
                found.append(Refusal(what, *_named(state, name, bar), pieces=(name,)))
    return found


PART = Part(
    describe={
        StartFire: _start,
        AimAt: _aim,
        AddFirer: _add,
        RemoveFirer: _remove,
        AddDirector: _direct,
        RemoveDirector: _no_direction,
        ResolveFire: _resolve,
        CancelFire: lambda state, side, action: Description("Put it aside", "cancel", key="Escape"),
        StartDestroying: lambda state, side, action: Description("Destroy a weapon of your own", "weapon", rule="4.0"),
        DestroyWeapon: _destroy,
    },
    words={
        Fired: _fired,
        ResidualAttack: _residual,
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
        StartFire: _why_not_start,
        AimAt: _why_not_aim,
        AddFirer: _why_not_add,
        AddDirector: _why_not_direct,
        ResolveFire: _why_not_resolve,
    },
    refusals={
        PrepFirePhase: _phase_refusals,
        DefensiveFirePhase: _phase_refusals,
        AdvancingFirePhase: _phase_refusals,
        FireDraft: _draft_refusals,
        Reaction: _reaction_refusals,
    },
    prompts={
        PrepFirePhase: lambda state, frame: ("Prep Fire: pick who fires", "3.2.5"),
        DefensiveFirePhase: lambda state, frame: ("Final Fire: pick who fires", "3.4"),
        AdvancingFirePhase: lambda state, frame: ("Advancing Fire: pick who fires", "3.5"),
        FireDraft: _draft_prompt,
        DestroyDraft: lambda state, frame: ("Choose the weapon to destroy", "4.0"),
    },
)
