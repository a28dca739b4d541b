"""Refusals in words: why a unit on the move may not do something, and what would be legal instead (3.3, 4.0, 4.3)."""

from __future__ import annotations

from sandtable.engine.part import Bar
from sandtable.games.squad.fire.eligibility import usable
from sandtable.games.squad.ground.entry import off_board_cost, road_off_board
from sandtable.games.squad.ground.names import mf_words, phase_name, short
from sandtable.games.squad.ground.possession import may_man
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.movement.going import (
    ADJACENT_SMOKE,
    OWN_HEX_SMOKE,
    charge_cost,
    may_detach,
    off_board_steps,
    stuck,
)
from sandtable.games.squad.movement.model import (
    AddMover,
    Detach,
    DropWeapon,
    ExitMap,
    Move,
    PlaceCharge,
    Recover,
    SmokeGrenade,
    StackDraft,
    StepAside,
)
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.starting import move_bar, together
from sandtable.games.squad.movement.steps import able_movers, affordable
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.victory import exit_cells
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit, Weapon

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


def charge_bar(state: SquadState, side: str, action: PlaceCharge) -> Bar | None:
    """Why a Demolition Charge may not be placed (4.0, 4.3)."""
    if not isinstance(state.stack[-1], Move):
        return f"A DC is placed by a moving unit in the MPh, not in the {phase_name(state.phase)}", "4.3"
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    unit, weapon = state.units[action.unit], state.weapons.get(action.weapon)
    if weapon is None or weapon.id not in unit.weapons or not weapon_kind(weapon).charge:
        return f"{short(state, unit)} possesses no such DC: recover one or let its owner place it", "4.3"
    bar_of_use = usable(setting_of(state), state, weapon, weapon_kind(weapon), "advancing")
    if bar_of_use is not None:
        words = (
            f"{short(state, unit)}: {_spoken(bar_of_use[0])}; placing a DC uses a weapon, so let another unit place it"
        )
        return words, bar_of_use[1]
    way = setting_of(state).ground.way(unit.at, action.at) if 0 <= action.at < setting_of(state).ground.places else None
    if way is None:
        return "A DC is placed in an adjacent hex: move beside the target first", "4.3"
    return _too_dear(state, charge_cost(state, way), f"Placing it in {name_of(state, action.at)}")


def take_up_bar(state: SquadState, side: str, action: Recover) -> Bar | None:
    """Why a weapon may not be recovered by a unit in any phase (3.3, 4.0)."""
    unit, weapon = state.units[action.unit], state.weapons[action.weapon]
    if weapon.owner:
        who = short(state, weapon.owner)
        return f"{who} possesses it: only unpossessed weapons are recovered; his side may transfer it in the RPh", "4.0"
    if weapon.at != unit.at:
        return f"It lies in {name_of(state, weapon.at)}: enter that hex to recover it", "3.3"
    return stacking_bar(state, weapon, unit)


def recover_bar(state: SquadState, side: str, action: Recover) -> Bar | None:
    """Why a weapon may not be recovered on the move (3.3, 4.0)."""
    unit, weapon = state.units.get(action.unit), state.weapons.get(action.weapon)
    if unit is None or weapon is None or unit.side != side:
        return None
    if not isinstance(state.stack[-1], Move):
        return f"Weapons are recovered in the RPh or by moving units, not in the {phase_name(state.phase)}", "4.0"
    bar = take_up_bar(state, side, action)
    mover, barred = _mover(state, unit.id)
    if bar is None and mover is None:
        bar = barred
    if bar is None and mover is not None and weapon.id in mover.burden:
        bar = "It has dropped this weapon in this move and takes it up again only in a later phase", "4.0"
    return bar or _too_dear(state, setting_of(state).rules.of(MovementRules).recovery_half_mf, "Recovery")


def stacking_bar(state: SquadState, weapon: Weapon, unit: Unit) -> Bar | None:
    if may_man(state, weapon, unit):
        return None
    words = "Whoever mans a Gun counts as a squad, and the hex would hold more than three"
    return f"{words}: let a squad take it, or others leave first", "3.3"


def smoke_bar(state: SquadState, side: str, action: SmokeGrenade) -> Bar | None:
    """Why smoke grenades may not be tried (1.2.5, 3.3)."""
    if not isinstance(state.stack[-1], Move):
        return "Smoke grenades are thrown by moving units in the MPh", "3.3"
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    rules, unit = setting_of(state).rules, state.units[action.unit]
    if not rules.of(GroundRules).smoke:
        return "No Smoke may be placed in this scenario: move by Assault Movement or under cover", "SSR"
    if not unit_kind(state, unit).smoke:
        return f"{short(state, unit)} has no Smoke Exponent: only units with one throw smoke", "1.2.2"
    if mover.smoke:
        return f"{short(state, unit)} has tried in this MPh: another unit may", "3.3"
    own = action.at == unit.at
    if not own and (unit.at < 0 or action.at not in setting_of(state).ground.near[unit.at]):
        return "Smoke is thrown into the own or an adjacent hex", "3.3"
    return _too_dear(state, OWN_HEX_SMOKE if own else ADJACENT_SMOKE, "Smoke there")


def drop_bar(state: SquadState, side: str, action: DropWeapon) -> Bar | None:
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
    owner, frame = state.units[weapon.owner], state.stack[-1]
    moves = isinstance(frame, Move) and owner.at >= 0 and any(mover.id == owner.id for mover in able_movers(state))
    if moves:
        return None
    return f"{short(state, weapon.owner)} is not moving: start a move or an advance with it", "4.0"


def exit_bar(state: SquadState, side: str, action: ExitMap) -> Bar | None:
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
    if any(mover.assault and mover.hexes for mover in movers):
        return "Assault Movement goes one hex only: end the move here", "3.3"
    cost, road = off_board_cost(state, unit.at), road_off_board(state, unit.at)
    if affordable(state, movers, allotments(state, movers), cost, road=road):
        return None
    return "Too few MF are left to leave the map: end the move at the edge and leave in a later turn", "3.3"


def detach_bar(state: SquadState, side: str, action: Detach) -> Bar | None:
    """Why a unit may not be left behind by its stack (3.3)."""
    if not isinstance(state.stack[-1], Move):
        return None
    mover, bar = _mover(state, action.unit)
    if mover is None:
        return bar
    if len(able_movers(state)) == 1:
        return "It moves alone: end its move instead", "3.3"
    if may_detach(state, able_movers(state), mover):
        return None
    return "Somebody has spent MF that he has only together with the others: go on as one stack, or end the move", "3.3"


def aside_bar(state: SquadState, side: str, action: StepAside) -> Bar | None:
    """Why units off board may not go along the edge (3.3)."""
    movers = able_movers(state) if isinstance(state.stack[-1], Move) else []
    if not movers:
        return None
    if state.units[movers[0].id].at >= 0:
        return "It is on the map: only units off board go along the edge", "3.3"
    if action in off_board_steps(state, movers):
        return None
    return (
        "Off board a unit goes to the next edge hex of its entry area while it has MF, not by Assault Movement",
        "3.3",
    )


def along_bar(state: SquadState, side: str, action: AddMover) -> Bar | None:
    """Why a unit may not join a stack that will move (3.3)."""
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, StackDraft) or unit is None or unit.side != side:
        return None
    if action.unit in frame.units:
        return "It is in the stack already: start moving", "3.3"
    if bar := move_bar(state, unit):
        return bar
    if unit in together(state, state.units[frame.units[0]]):
        return None
    return ("A stack starts together: only units of the same hex join it", "3.3")


def _spoken(reason: str) -> str:
    return f"{reason[0].lower()}{reason[1:]}"


PART = Part(
    why_not={
        PlaceCharge: charge_bar,
        Recover: recover_bar,
        SmokeGrenade: smoke_bar,
        DropWeapon: drop_bar,
        ExitMap: exit_bar,
        Detach: detach_bar,
        StepAside: aside_bar,
        AddMover: along_bar,
    }
)
