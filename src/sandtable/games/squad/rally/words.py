"""The Rally Phase in words: what may be done, with which chances, what happened, and why not (3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Tally
from sandtable.engine.odds import at_most, sum_of_dice
from sandtable.engine.view import Description, OddsLine, Preview, Refusal
from sandtable.games.squad.effects.morale import morale_level
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.possession import ACTED, recovery_bar, recovery_tally
from sandtable.games.squad.ground.setting import rules_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import Recover
from sandtable.games.squad.movement.refused import stacking_bar, take_up_bar
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import Promoted
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally import eligibility
from sandtable.games.squad.rally.model import (
    KeepDm,
    RallyPhase,
    RallyTried,
    RallyUnit,
    Repair,
    Repaired,
    SelfRally,
    Transfer,
    Transferred,
)

_PROMPTS = {
    "b": "Recover weapons that nobody possesses",
    "c": "Repair malfunctioned weapons",
    "d": "Transfer weapons between units of a hex",
    "e": "Self-rally broken units",
    "f": "Rally broken units that are stacked with a leader",
    "g": "Keep DM counters, so that units may rout again",
}


_ENOUGH = {
    "b": "Recover nothing more",
    "c": "Repair nothing more",
    "d": "Transfer nothing more",
    "e": "No more self-rally",
    "f": "Rally nobody else",
    "g": "Remove the other DM counters",
}


def _where(state: SquadState, unit: Unit) -> tuple[str, ...]:
    return (name_of(state, unit.at),)


# -- descriptions -----------------------------------------------------------------------


def _repair(state: SquadState, side: str, action: Repair) -> Description:
    weapon = state.weapons[action.weapon]
    owner = state.units[weapon.owner]
    text = f"{short(state, owner)} tries to repair {short(state, weapon)} (dr {weapon_kind(weapon).repair} or less)"
    return Description(text, "weapon", (owner.id,), _where(state, owner), (weapon.id,), "3.1")


def _transfer(state: SquadState, side: str, action: Transfer) -> Description:
    owner = state.units[state.weapons[action.weapon].owner]
    text = f"{short(state, owner)} gives {short(state, action.weapon)} to {short(state, action.unit)}"
    rule = "3.1" if state.phase == "RPh" else "3.7"
    return Description(text, "weapon", (owner.id, action.unit), _where(state, owner), (action.weapon,), rule)


def _self_rally(state: SquadState, side: str, action: SelfRally) -> Description:
    unit = state.units[action.unit]
    needed = morale_level(state, unit) - int(eligibility.rally_tally(state, unit, None).total)
    text = f"{short(state, unit)} tries to self-rally (DR {needed} or less)"
    return Description(text, "rally", (unit.id,), _where(state, unit), rule="3.1")


def _rally(state: SquadState, side: str, action: RallyUnit) -> Description:
    unit, leader = state.units[action.unit], state.units[action.leader]
    needed = morale_level(state, unit) - int(eligibility.rally_tally(state, unit, leader).total)
    text = f"{short(state, leader)} tries to rally {short(state, unit)} (DR {needed} or less)"
    return Description(text, "rally", (leader.id,), _where(state, unit), (unit.id,), "3.1")


def _keep(state: SquadState, side: str, action: KeepDm) -> Description:
    unit = state.units[action.unit]
    return Description(
        f"{short(state, unit)} keeps its DM counter", "rally", (unit.id,), _where(state, unit), rule="3.1"
    )


def _done(state: SquadState, side: str, action: Done) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, RallyPhase)
    return Description(_ENOUGH.get(frame.step, "Go on"), "done", rule="3.1", key="Enter")


# -- previews ---------------------------------------------------------------------------


def rally_preview(state: SquadState, unit: Unit, leader: Unit | None) -> Preview:
    """Tally and exact chances of a rally attempt (3.1)."""
    tally = eligibility.rally_tally(state, unit, leader)
    drm = int(tally.total)
    chance = sum([p for dr, p in sum_of_dice(2).items() if eligibility.rallies(state, unit, dr, drm)])
    twelve = sum_of_dice(2)[eligibility.CASUALTY_DR]
    odds = (
        OddsLine("rallies", float(chance), unit.id),
        OddsLine("stays broken", float(1 - chance - twelve), unit.id),
        OddsLine("Casualty Reduction", float(twelve), unit.id),
    )
    notes = [f"Broken morale {morale_level(state, unit)}"]
    if leader is None and unit_kind(state, unit).mmc and rules_of(state).of(EffectRules).field_promotion:
        notes.append("An original 2 may create a leader (5.3)")
    return Preview(f"Rally of {short(state, unit)}", (tally,), odds, tuple(notes))


def _recover_preview(state: SquadState, side: str, action: Recover) -> Preview:
    unit = state.units[action.unit]
    tally = recovery_tally(unit)
    chance = at_most(rules_of(state).of(MovementRules).recovery_below - 1 - tally.total, 1)
    odds = (OddsLine("recovered", float(chance)), OddsLine("not recovered", float(1 - chance)))
    return Preview(f"Recovery of {short(state, action.weapon)}", (tally,), odds)


def _repair_preview(state: SquadState, side: str, action: Repair) -> Preview:
    weapon = state.weapons[action.weapon]
    chance = at_most(weapon_kind(weapon).repair, 1)
    lost = at_most(1, 1)
    odds = (
        OddsLine("repaired", float(chance)),
        OddsLine("not repaired", float(1 - chance - lost)),
        OddsLine("lost for good", float(lost)),
    )
    return Preview(f"Repair of {short(state, weapon)}", (Tally("Repair"),), odds)


# -- why not ----------------------------------------------------------------------------


def _self_bar(state: SquadState, side: str, action: SelfRally) -> tuple[str, str] | None:
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, RallyPhase) or unit is None or unit.side != side:
        return None
    bar = eligibility.self_rally_bar(state, unit, tried=frame.self_rallied)
    return bar or _order(frame, "e")


def _rally_bar(state: SquadState, side: str, action: RallyUnit) -> tuple[str, str] | None:
    frame, unit, leader = state.stack[-1], state.units.get(action.unit), state.units.get(action.leader)
    if not isinstance(frame, RallyPhase) or unit is None or leader is None or unit.side != side:
        return None
    bar = eligibility.rally_bar(state, unit)
    if bar is not None:
        return bar
    if not unit_kind(state, leader).leads or not leader.good_order or leader.at != unit.at or leader.side != unit.side:
        return ("A Good Order leader must be stacked with it", "3.1")
    return ACTED if leader.id in frame.acted else _order(frame, "f")


def _repair_bar(state: SquadState, side: str, action: Repair) -> tuple[str, str] | None:
    frame, weapon = state.stack[-1], state.weapons.get(action.weapon)
    if not isinstance(frame, RallyPhase) or weapon is None:
        return None
    return eligibility.repair_bar(state, weapon, frame.acted) or _order(frame, "c")


def _transfer_bar(state: SquadState, side: str, action: Transfer) -> tuple[str, str] | None:
    weapon, unit = state.weapons.get(action.weapon), state.units.get(action.unit)
    if weapon is None or unit is None or unit.side != side:
        return None
    bar = eligibility.transfer_bar(state, weapon, unit)
    frame = state.stack[-1]
    if bar is not None or not isinstance(frame, RallyPhase):
        return bar
    return ACTED if {weapon.owner, unit.id} & set(frame.acted) else _order(frame, "d")


def _recover_bar(state: SquadState, side: str, action: Recover) -> tuple[str, str] | None:
    frame, unit, weapon = state.stack[-1], state.units.get(action.unit), state.weapons.get(action.weapon)
    if not isinstance(frame, RallyPhase) or unit is None or weapon is None or unit.side != side:
        return None
    if weapon.owner or weapon.at != unit.at:
        return take_up_bar(state, side, action)
    bar = recovery_bar(state, unit, frame.acted)
    if bar is not None or frame.step == "b":
        return bar or stacking_bar(state, weapon, unit)
    return "Recovery comes first in the Rally Phase: recover it on the move for one MF instead", "3.1"


def _keep_bar(state: SquadState, side: str, action: KeepDm) -> tuple[str, str] | None:
    """Why a unit may not keep its DM counter by choice (3.1 g)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side:
        return None
    if not unit.broken or not unit.dm:
        return "It is not under DM", "3.1"
    if eligibility.dm_stays(state, unit):
        return "Beside a Known enemy its DM stays anyway", "3.1"
    frame = state.stack[-1]
    due = isinstance(frame, RallyPhase) and frame.step == "g" and unit.id not in frame.keep
    if due and eligibility.may_keep_dm(state, unit):
        return None
    return "In woods and buildings DM is removed: it may only be kept in other terrain, at the end of the RPh", "3.1"


def _order(frame: RallyPhase, step: str) -> tuple[str, str] | None:
    if frame.step == step:
        return None
    now = _PROMPTS.get(frame.step, "Rally")
    return (f"The Rally Phase has its order; now: {now[0].lower()}{now[1:]}", "3.1")


def _refusals(state: SquadState, side: str, frame: RallyPhase) -> Sequence[Refusal]:
    """Broken units that cannot try to rally in this step, with the reason."""
    found = []
    for unit in state.units.values():
        if unit.side != side or not unit.broken or unit.at < 0:
            continue
        bar: tuple[str, str] | None = None
        if frame.step == "e":
            bar = eligibility.self_rally_bar(state, unit, tried=frame.self_rallied)
        elif frame.step == "f":
            bar = eligibility.rally_bar(state, unit)
            if bar is None and not eligibility.rally_leaders(state, unit, frame.acted):
                bar = ("No Good Order leader is stacked with it: move one to its hex", "3.1")
        if bar is not None:
            found.append(Refusal(f"Rally {short(state, unit)}", bar[0], bar[1], (unit.id,), _where(state, unit)))
    return found


# -- events -----------------------------------------------------------------------------


def _tried(state: SquadState, event: RallyTried) -> str:
    helped = f" (led by {short(state, event.leader)})" if event.leader else ""
    result = "rallies" if event.rallied else "stays broken"
    final = f", final DR {event.dr}" if event.dr is not None else ""
    return f"{short(state, event.unit)}{helped} {result} in {event.at}{final}"


def _repaired(state: SquadState, event: Repaired) -> str:
    results = {"repaired": "is repaired", "failed": "is not repaired", "lost": "is lost for good"}
    return f"{short(state, event.weapon)} {results[event.result]}"


def _promoted(state: SquadState, event: Promoted) -> str:
    if not event.leader:
        return f"No leader comes forward from {short(state, event.unit)}"
    return f"Field Promotion: {short(state, event.leader)} comes from {short(state, event.unit)} in {event.at}"


def _transferred(state: SquadState, event: Transferred) -> str:
    return f"{short(state, event.frm)} gives {short(state, event.weapon)} to {short(state, event.unit)}"


def _prompt(state: SquadState, frame: RallyPhase) -> tuple[str, str]:
    return _PROMPTS.get(frame.step, "Rally your units"), "3.1"


PART = Part(
    describe={
        Repair: _repair,
        Transfer: _transfer,
        SelfRally: _self_rally,
        RallyUnit: _rally,
        KeepDm: _keep,
        (RallyPhase, Done): _done,
    },
    preview={
        SelfRally: lambda state, side, action: rally_preview(state, state.units[action.unit], None),
        RallyUnit: lambda state, side, action: rally_preview(
            state, state.units[action.unit], state.units[action.leader]
        ),
        Recover: _recover_preview,
        Repair: _repair_preview,
    },
    why_not={
        SelfRally: _self_bar,
        RallyUnit: _rally_bar,
        Repair: _repair_bar,
        Transfer: _transfer_bar,
        (RallyPhase, Recover): _recover_bar,
        KeepDm: _keep_bar,
    },
    refusals={RallyPhase: _refusals},
    prompts={RallyPhase: _prompt},
    words={RallyTried: _tried, Repaired: _repaired, Promoted: _promoted, Transferred: _transferred},
)
