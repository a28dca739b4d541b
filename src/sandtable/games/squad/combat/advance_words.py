"""The Advance Phase in words: what may be done, what happened, and why not (3.7)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.combat.advance import advance_bar, entry_cost, exhausted_by, place, to_bar, transfer_bar
from sandtable.games.squad.combat.model import (
    AddAdvancer,
    Advanced,
    AdvanceDraft,
    AdvancePhase,
    AdvanceTo,
    CancelAdvance,
    RemoveAdvancer,
    StartAdvance,
)
from sandtable.games.squad.ground.names import mf_words, names, short, verb
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import cells_of, has_enemy, name_of
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.refused import drop_bar
from sandtable.games.squad.movement.steps import place_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.model import Transfer


def _units(state: SquadState) -> list[Unit]:
    frame = state.stack[-1]
    assert isinstance(frame, AdvanceDraft)
    return [state.units[name] for name in frame.units]


def _start(state: SquadState, side: str, action: StartAdvance) -> Description:
    unit = state.units[action.unit]
    return Description(f"Advance {short(state, unit)}", "advance", (unit.id,), cells_of(state, unit), rule="3.7")


def _add(state: SquadState, side: str, action: AddAdvancer) -> Description:
    unit = state.units[action.unit]
    return Description(f"{short(state, unit)} goes along", "advance", (unit.id,), cells_of(state, unit), rule="3.7")


def _remove(state: SquadState, side: str, action: RemoveAdvancer) -> Description:
    return Description(f"{short(state, action.unit)} stays", "advance", (action.unit,), rule="3.7")


def _to(state: SquadState, side: str, action: AdvanceTo) -> Description:
    units = _units(state)
    where = name_of(state, action.to)
    notes = []
    cx = exhausted_by(state, units, action.to)
    if cx:
        notes.append(f"{names(state, cx)} {verb(cx, 'becomes', 'become')} CX")
    if has_enemy(state, action.to, side):
        notes.append("into close combat")
    return Description(
        f"Advance to {where}",
        "advance",
        tuple(unit.id for unit in units),
        (where,),
        rule="3.7",
        cost=mf_words(entry_cost(state, units, action.to) / 2),
        notes=tuple(notes),
    )


def _start_bar(state: SquadState, side: str, action: StartAdvance) -> tuple[str, str] | None:
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side or state.phase != "APh":
        return None
    if side != state.attacker:
        return ("Only the ATTACKER advances", "3.7")
    return advance_bar(state, unit)


def _add_bar(state: SquadState, side: str, action: AddAdvancer) -> tuple[str, str] | None:
    unit, frame = state.units.get(action.unit), state.stack[-1]
    if unit is None or unit.side != side or not isinstance(frame, AdvanceDraft):
        return None
    bar = advance_bar(state, unit)
    if bar is None and place(unit) != place(state.units[frame.units[0]]):
        return ("Units that advance together start in the same hex", "3.7")
    if bar is None and unit.id in frame.units:
        return ("It advances already: pick the hex", "3.7")
    return bar


def _to_bar(state: SquadState, side: str, action: AdvanceTo) -> tuple[str, str] | None:
    if not isinstance(state.stack[-1], AdvanceDraft):
        return None
    units = _units(state)
    first = units[0]
    if first.at < 0:
        if action.to != first.beside:
            return (f"From off board only {name_of(state, first.beside)} can be entered", "3.3")
    elif action.to not in setting_of(state).ground.near[first.at]:
        return ("Units advance into an adjacent hex", "3.7")
    return to_bar(state, units, action.to)


def _refusals(state: SquadState, side: str, frame: AdvancePhase) -> Sequence[Refusal]:
    found = []
    for unit in state.units.values():
        if unit.side == side and place_of(unit) >= 0:
            bar = advance_bar(state, unit)
            if bar is not None:
                found.append(
                    Refusal(f"Advance {short(state, unit)}", bar[0], bar[1], (unit.id,), cells_of(state, unit))
                )
    return found


def _draft_refusals(state: SquadState, side: str, frame: AdvanceDraft) -> Sequence[Refusal]:
    units = _units(state)
    if units[0].at < 0:
        return []
    found = []
    for to in setting_of(state).ground.near[units[0].at]:
        bar = to_bar(state, units, to)
        if bar is not None:
            where = name_of(state, to)
            found.append(Refusal(f"Advance to {where}", bar[0], bar[1], frame.units, (where,)))
    return found


def _advanced(state: SquadState, event: Advanced) -> str:
    frm = f" from {event.frm}" if event.frm else " from off board"
    cx = f"; {names(state, event.cx)} {verb(event.cx, 'is', 'are')} CX" if event.cx else ""
    return f"{names(state, event.units)} {verb(event.units, 'advances', 'advance')}{frm} to {event.at}{cx}"


def _drop_bar(state: SquadState, side: str, action: DropWeapon) -> tuple[str, str] | None:
    """Unbroken units outside Melee drop weapons in their APh (4.0)."""
    weapon = state.weapons.get(action.weapon)
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if owner is not None and owner.side == side and owner.good_order and owner.at >= 0:
        return None
    return drop_bar(state, side, action)


def _transfer_bar(state: SquadState, side: str, action: Transfer) -> tuple[str, str] | None:
    weapon, unit = state.weapons.get(action.weapon), state.units.get(action.unit)
    if weapon is None or unit is None or unit.side != side:
        return None
    return transfer_bar(state, weapon.id, unit)


PART = Part(
    describe={
        StartAdvance: _start,
        AddAdvancer: _add,
        RemoveAdvancer: _remove,
        AdvanceTo: _to,
        CancelAdvance: lambda state, side, action: Description("Do not advance these", "cancel", key="Escape"),
    },
    why_not={
        StartAdvance: _start_bar,
        (AdvancePhase, DropWeapon): _drop_bar,
        AddAdvancer: _add_bar,
        AdvanceTo: _to_bar,
        (AdvancePhase, Transfer): _transfer_bar,
        (AdvanceDraft, Transfer): _transfer_bar,
    },
    refusals={AdvancePhase: _refusals, AdvanceDraft: _draft_refusals},
    prompts={
        AdvancePhase: lambda state, frame: ("Advance units into adjacent hexes", "3.7"),
        AdvanceDraft: lambda state, frame: ("Pick the hex to advance into, or take others along", "3.7"),
    },
    words={Advanced: _advanced},
)
