"""Refusals in words: why a unit on the move may not do something, and what would be legal instead (3.3, 4.0, 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.engine import Action
from sandtable.engine.view import Description
from sandtable.games.squad import rallying
from sandtable.games.squad.fire_model import DestroyDraft, DestroyWeapon, StartDestroying
from sandtable.games.squad.firers import Bar, usable
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.move_model import (
    AddMover,
    Detach,
    DropWeapon,
    ExitMap,
    Move,
    Mover,
    PlaceCharge,
    Recover,
    SmokeGrenade,
    StackDraft,
    StepAside,
)
from sandtable.games.squad.movement import may_move, why_not_move
from sandtable.games.squad.moving import ADJACENT_SMOKE, OWN_HEX_SMOKE, charge_cost, stuck
from sandtable.games.squad.ordnance_model import SetOffCharge
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import KeepDm, RallyPhase
from sandtable.games.squad.portage import allotments
from sandtable.games.squad.rallying import may_man
from sandtable.games.squad.setting import setting, unit_kind, weapon_kind
from sandtable.games.squad.stacks import name_of
from sandtable.games.squad.steps import able_movers, affordable
from sandtable.games.squad.victory import exit_cells
from sandtable.games.squad.wording import mf_words, phase_name, short

MOST = 3
"""So many legal alternatives are named."""
Describe = Callable[[SquadState, str, Any], Description]


def instead(
    state: SquadState, side: str, action: Action, legal: Sequence[Action], describe: Mapping[type[Action], Describe]
) -> str:
    """What would be legal in the place of an action, in words: the most alike first."""

    def likeness(other: Action) -> int:
        shared = len(set(_values(action)) & set(_values(other)))
        return -(shared + (10 if type(other) is type(action) else 0))

    words: list[str] = []
    for other in sorted(legal, key=likeness):
        text = describe[type(other)](state, side, other).text
        if text not in words:
            words.append(text)
    more = "" if len(words) <= MOST else ", and more"
    return "; ".join(words[:MOST]) + more


def _values(action: Action) -> list[Any]:
    values = msgspec.structs.astuple(action)
    return [value for value in values if isinstance(value, str | int) and value not in ("", -1)]


# -- the moving stack -----------------------------------------------------------------------


def _mover(state: SquadState, name: str) -> tuple[Mover | None, Bar]:
    """The mover of a name among those who may go on, and why there is none."""
    for mover in able_movers(state):
        if mover.id == name:
            return mover, ("", "")
    return None, ("It is not among the units that move now: end this move and start one with it", "3.3")


def _too_dear(state: SquadState, cost: int, what: str) -> Bar | None:
    """Why the MF do not suffice for an expenditure of half MF."""
    movers = able_movers(state)
    allowed = allotments(state, movers)
    if affordable(state, movers, allowed, cost, road=False):
        return None
    left = max(min(allowed[mover.id] - mover.spent for mover in movers), 0) / 2
    if any(mover.assault for mover in movers) and cost / 2 <= left:
        return f"{what} would take all MF, which Assault Movement may not: move without it", "3.3"
    return f"{what} costs {mf_words(cost / 2)}, but {mf_words(left)} are left: do it earlier in a move", "3.3"


def why_not_charge(state: SquadState, side: str, action: PlaceCharge) -> Bar | None:
    """Why a Demolition Charge may not be placed (4.0, 4.3)."""
    if not isinstance(state.stack[-1], Move):
        return f"A DC is placed by a moving unit in the MPh, not in the {phase_name(state.phase)}", "4.3"
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    unit, weapon = state.units[action.unit], state.weapons.get(action.weapon)
    if weapon is None or weapon.id not in unit.weapons or not weapon_kind(weapon).charge:
        return f"{short(state, unit)} possesses no such DC: recover one or let its owner place it", "4.3"
    bar_of_use = usable(setting(state), state, weapon, weapon_kind(weapon), "advancing")
    if bar_of_use is not None:
        words = (
            f"{short(state, unit)}: {_spoken(bar_of_use[0])}; placing a DC uses a weapon, so let another unit place it"
        )
        return words, bar_of_use[1]
    way = setting(state).ground.way(unit.at, action.at) if 0 <= action.at < setting(state).ground.size else None
    if way is None:
        return "A DC is placed in an adjacent hex: move beside the target first", "4.3"
    return _too_dear(state, charge_cost(state, way), f"Placing it in {name_of(state, action.at)}")


def why_not_recover(state: SquadState, side: str, action: Recover) -> Bar | None:
    """Why a weapon may not be recovered, in the RPh or on the move (3.1 b, 3.3, 4.0)."""
    frame, unit, weapon = state.stack[-1], state.units.get(action.unit), state.weapons.get(action.weapon)
    if unit is None or weapon is None or unit.side != side:
        return None
    if not isinstance(frame, Move | RallyPhase):
        return f"Weapons are recovered in the RPh or by moving units, not in the {phase_name(state.phase)}", "4.0"
    if weapon.owner:
        who = short(state, weapon.owner)
        return f"{who} possesses it: only unpossessed weapons are recovered; his side may transfer it in the RPh", "4.0"
    if weapon.at != unit.at:
        return f"It lies in {name_of(state, weapon.at)}: enter that hex to recover it", "3.3"
    if isinstance(frame, RallyPhase):
        bar = rallying.recovery_bar(state, unit, frame.acted)
        if bar is not None or frame.step == "b":
            return bar or _stacking(state, weapon, unit)
        return "Recovery comes first in the Rally Phase: recover it on the move for one MF instead", "3.1"
    mover, barred = _mover(state, unit.id)
    if mover is None:
        return barred
    if weapon.id in mover.burden:
        return "It has dropped this weapon in this move and takes it up again only in a later phase", "4.0"
    return _stacking(state, weapon, unit) or _too_dear(state, setting(state).rules.recovery_half_mf, "Recovery")


def _stacking(state: SquadState, weapon: Weapon, unit: Unit) -> Bar | None:
    if may_man(state, weapon, unit):
        return None
    words = "Whoever mans a Gun counts as a squad, and the hex would hold more than three"
    return f"{words}: let a squad take it, or others leave first", "3.3"


def why_not_smoke(state: SquadState, side: str, action: SmokeGrenade) -> Bar | None:
    """Why smoke grenades may not be tried (1.2.5, 3.3)."""
    if not isinstance(state.stack[-1], Move):
        return "Smoke grenades are thrown by moving units in the MPh", "3.3"
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    rules, unit = setting(state).rules, state.units[action.unit]
    if not rules.smoke or not rules.smoke_grenades:
        return "No Smoke may be placed in this scenario: move by Assault Movement or under cover", "SSR"
    if not unit_kind(state, unit).smoke:
        return f"{short(state, unit)} has no Smoke Exponent: only units with one throw smoke", "1.2.2"
    if mover.smoke:
        return f"{short(state, unit)} has tried in this MPh: another unit may", "3.3"
    own = action.at == unit.at
    if not own and (unit.at < 0 or action.at not in setting(state).ground.near[unit.at]):
        return "Smoke is thrown into the own or an adjacent hex", "3.3"
    return _too_dear(state, OWN_HEX_SMOKE if own else ADJACENT_SMOKE, "Smoke there")


def why_not_drop(state: SquadState, side: str, action: DropWeapon) -> Bar | None:
    """Why a weapon may not be dropped (4.0)."""
    weapon = state.weapons.get(action.weapon)
    if weapon is None:
        return None
    if not weapon.owner:
        return "Nobody possesses it, it lies there already: it may be recovered", "4.0"
    if state.units[weapon.owner].side != side:
        return "It is the enemy's: take it in close combat or recover it when it is left behind", "4.0"
    if state.phase not in ("MPh", "APh"):
        return "Weapons are dropped in the MPh or APh; in the RPh they may be transferred", "4.0"
    return f"{short(state, weapon.owner)} is not moving: start a move or an advance with it", "4.0"


def why_not_exit(state: SquadState, side: str, action: ExitMap) -> Bar | None:
    """Why the moving units may not leave the map (3.3)."""
    movers = able_movers(state) if isinstance(state.stack[-1], Move) else []
    if not movers:
        return None
    cells = exit_cells(state, side)
    if not cells:
        return "Leaving the map is no part of this side's victory conditions: stay on it", "3.3"
    unit = state.units[movers[0].id]
    if unit.at not in cells:
        shown = ", ".join(name_of(state, cell) for cell in sorted(cells)[:4])
        return f"Units leave the map from the hexes of their victory conditions: {shown} ...", "3.3"
    if stuck(state, movers):
        return "A Gun, or more than a leader can carry, is not taken along: drop it first", "4.0"
    return "Too few MF are left to leave the map: end the move at the edge and leave in a later turn", "3.3"


def why_not_detach(state: SquadState, side: str, action: Detach) -> Bar | None:
    """Why a unit may not be left behind by its stack (3.3)."""
    if not isinstance(state.stack[-1], Move):
        return None
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    if len(able_movers(state)) == 1:
        return "It moves alone: end its move instead", "3.3"
    return "Somebody has spent MF that he has only together with the others: go on as one stack, or end the move", "3.3"


def why_not_aside(state: SquadState, side: str, action: StepAside) -> Bar | None:
    """Why units off board may not go along the edge (3.3)."""
    movers = able_movers(state) if isinstance(state.stack[-1], Move) else []
    if not movers:
        return None
    if state.units[movers[0].id].at >= 0:
        return "It is on the map: only units off board go along the edge", "3.3"
    return (
        "Off board a unit goes to the next edge hex of its entry area while it has MF, not by Assault Movement",
        "3.3",
    )


def why_not_along(state: SquadState, side: str, action: AddMover) -> Bar | None:
    """Why a unit may not join a stack that will move (3.3)."""
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, StackDraft) or unit is None or unit.side != side:
        return None
    if action.unit in frame.units:
        return "It is in the stack already: start moving", "3.3"
    if not may_move(unit):
        return why_not_move(state, unit)
    return "A stack starts together: only units of the same hex join it", "3.3"


# -- others -----------------------------------------------------------------------------------


def why_not_destroy(state: SquadState, side: str, action: DestroyWeapon) -> Bar | None:
    """Why a weapon may not be destroyed by its owner (4.0)."""
    weapon = state.weapons.get(action.weapon)
    if weapon is None or not isinstance(state.stack[-1], DestroyDraft):
        return None
    if not weapon.owner or state.units[weapon.owner].side != side:
        return "Only its possessor may destroy a weapon: recover it first", "4.0"
    mode = "prep" if state.phase == "PFPh" else "final"
    bar = usable(setting(state), state, weapon, weapon_kind(weapon), mode)
    return bar or (
        "It has been used in this phase, and destroying it would be another use: do so in a later turn",
        "4.0",
    )


def why_not_destroying(state: SquadState, side: str, action: StartDestroying) -> Bar | None:
    """Why nothing can be destroyed now (4.0)."""
    if not setting(state).rules.voluntary_destruction:
        return None
    if state.phase not in ("PFPh", "DFPh"):
        return "Weapons are destroyed by their owners in the PFPh or DFPh", "4.0"
    return "No weapon of this side is free to be destroyed: a use of it must be left", "4.0"


def why_not_set_off(state: SquadState, side: str, action: SetOffCharge) -> Bar | None:
    """Why a Demolition Charge does not go off (4.3)."""
    if any(charge.weapon == action.weapon for charge in state.charges):
        return "A charge that was placed in the MPh goes off in the AFPh of its owner", "4.3"
    return "No such charge was placed: a moving unit places it in the MPh", "4.3"


def why_not_keep_dm(state: SquadState, side: str, action: KeepDm) -> Bar | None:
    """Why a unit may not keep its DM counter by choice (3.1 g)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side:
        return None
    if not unit.broken or not unit.dm:
        return "It is not under DM", "3.1"
    if rallying.dm_stays(state, unit):
        return "Beside a Known enemy its DM stays anyway", "3.1"
    return "In woods and buildings DM is removed: it may only be kept in other terrain, at the end of the RPh", "3.1"


def _spoken(reason: str) -> str:
    return f"{reason[0].lower()}{reason[1:]}"


PART = Part(
    why_not={
        PlaceCharge: why_not_charge,
        Recover: why_not_recover,
        SmokeGrenade: why_not_smoke,
        DropWeapon: why_not_drop,
        ExitMap: why_not_exit,
        Detach: why_not_detach,
        StepAside: why_not_aside,
        AddMover: why_not_along,
        DestroyWeapon: why_not_destroy,
        StartDestroying: why_not_destroying,
        SetOffCharge: why_not_set_off,
        KeepDm: why_not_keep_dm,
    }
)
