"""What a player may look for but a rule forbids now, and why."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.view import Refusal
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import BIT, BLOCKED, CITY, INDEX, LAND_BITS, MARSH, SF_HEX, TERRAIN
from sandtable.games.underbelly.atlas import side as hexside
from sandtable.games.underbelly.commands import (
    ATTACK_COST,
    FORTS_FROM,
    MOVE_COST,
    SPECIAL_COST,
    fresh,
    in_column,
    spendable,
)
from sandtable.games.underbelly.data import ALLIED, FORTS, GERMAN, OTHER
from sandtable.games.underbelly.retreat import retreat_barred
from sandtable.games.underbelly.stacking import within_limits
from sandtable.games.underbelly.supply import OVERLAND, supply_state
from sandtable.games.underbelly.watch import must_consult, obligation
from sandtable.games.underbelly.wording import names, unit_name, where
from sandtable.games.underbelly.zones import UNITS, field

State = m.UnderbellyState
Reason = tuple[str, str]


def refusals(state: State, side: str) -> list[Refusal]:
    """The things that players ask for most often and that are not possible now."""
    frame = state.stack[-1]
    found: list[Refusal] = []
    if isinstance(frame, m.Commands):
        found += _stacks(state, side)
        if side == ALLIED and must_consult(state):
            found.append(Refusal("End the phase", "The End-Run table must be consulted first", "8.17"))
        if side == GERMAN and obligation(state):
            found.append(Refusal("Any other command", "The assembled corps must enter the map first", "8.6"))
        if side == GERMAN and state.scenario == m.HISTORICAL and state.turn < FORTS_FROM:
            found.append(Refusal("Construct a fortification", f"Only from turn {FORTS_FROM} on", "9.8"))
    battle = state.battle
    if isinstance(frame, m.OffensiveFire) and battle is not None:
        barred = retreat_barred(state, battle)
        if barred:
            found.append(Refusal("Retreat", barred[0], barred[1], battle.defenders, (battle.target,)))
    return found


def _stacks(state: State, side: str) -> list[Refusal]:
    now = field(state)
    found: list[Refusal] = []
    for at, stack in now.stacks.items():
        if UNITS[stack[0]].side != side:
            continue
        if not fresh(state, stack, move=True):
            text = f"Command {names(stack)}"
            found.append(
                Refusal(text, "They have carried out a command in this player turn", "9.18", tuple(stack), (at,))
            )
            continue
        refused = column_refused(state, side, at)
        if refused:
            found.append(Refusal(f"Column movement from {where(at)}", *refused, tuple(stack), (at,)))
    return found


def column_refused(state: State, side: str, at: str) -> Reason | None:
    """Why a force may not move in column (5.5, 12.7)."""
    now = field(state)
    units = fresh(state, now.stack(at), move=True)
    if now.in_ezoc(side, at):
        return "A column may not start in an enemy zone of control", "12.7"
    if not in_column(state, units):
        return "British units do not use column movement in turns 2 to 5", "5.5"
    if any(supply_state(state, u, now) not in OVERLAND for u in units):
        return "A column needs regular overland supply", "12.7"
    return None


def why_not(state: State, side: str, action: Action) -> Reason:
    """(reason, rule) for an action that is not legal now."""
    frame = state.stack[-1]
    if isinstance(frame, m.Commands):
        return _command_refused(state, side, action)
    if isinstance(frame, m.Moving) and isinstance(action, a.Go):
        return _go_refused(state, frame, action.to)
    if isinstance(frame, m.FortSite) and isinstance(action, a.Site):
        return _fort_refused(state, action.at)
    if isinstance(frame, (m.BoxDraft, m.LaunchDraft)) and isinstance(action, a.Add):
        if not within_limits((*frame.units, action.unit) if action.unit in UNITS else frame.units):
            return "Three divisions and one corps support unit are the most that stack", "6.3"
        return f"{action.unit} is not at hand in this box", "9.4"
    if isinstance(frame, (m.DefensiveFire, m.OffensiveFire, m.Barrage)) and isinstance(action, a.Shoot):
        if action.target in UNITS and not UNITS[action.target].division:
            return "Corps support can only be fired at when no division is left", "13.5"
        return "This unit has no such shot", "13.3"
    if isinstance(frame, m.AttackDraft) and isinstance(action, a.Resolve):
        return "US and British units may only attack together from a port or as the multi-national corps", "6.5"
    return f"{type(action).__name__} is not possible now", ""


def _command_refused(state: State, side: str, action: Action) -> Reason:
    now = field(state)
    cp = spendable(state, side)
    if side == GERMAN and obligation(state):
        return "The assembled corps must enter the map before any other command", "8.6" if state.ss == "box" else "8.8"
    if isinstance(action, a.EndPhase):
        return "The End-Run table must be consulted before the phase ends", "8.17"
    price = {a.Move: MOVE_COST, a.Attack: ATTACK_COST, a.MoveFight: SPECIAL_COST, a.FightMove: SPECIAL_COST}
    if isinstance(action, (a.Move, a.Attack, a.MoveFight, a.FightMove)):
        stack = now.stack(action.at)
        if not stack or UNITS[stack[0]].side != side:
            return f"You have no units in {where(action.at)}", "9.4"
        if cp < price[type(action)]:
            return f"This costs {price[type(action)]} CP and you can spend {cp}", "9.1"
        if not fresh(state, stack, move=isinstance(action, a.Move)):
            return f"The units in {where(action.at)} have carried out a command in this player turn", "9.18"
        if isinstance(action, a.Move):
            refused = column_refused(state, side, action.at) if action.column else None
            return refused or ("A force on aerial supply may not move", "11.7")
        if isinstance(action, (a.MoveFight, a.FightMove)):
            return _special_refused(state, side, action)
        return _attack_refused(state, side, action.at, action.target)
    if isinstance(action, (a.Replenish, a.Reclaim)):
        if action.unit in state.used:
            return f"{unit_name(action.unit)} has carried out a command in this player turn", "9.18"
        return "No replacement is possible for this unit now", "9.16" if side == ALLIED else "9.17"
    if isinstance(action, a.BuildFort):
        if state.scenario != m.HISTORICAL or state.turn < FORTS_FROM:
            return f"Fortifications are built in the Historical scenario from turn {FORTS_FROM} on", "9.8"
        return f"All {FORTS} fortifications are built, or no CP is left", "9.8"
    return f"{type(action).__name__} is not possible now", ""


def _special_refused(state: State, side: str, action: a.MoveFight | a.FightMove) -> Reason:
    now = field(state)
    rule = "9.6" if isinstance(action, a.MoveFight) else "9.7"
    if side == ALLIED:
        return "Only the German player has this command", rule
    if state.special:
        return f"There has been a {state.special} in this phase already", rule
    if supply_state(state, now.stack(action.at)[0], now) not in OVERLAND:
        return "The force must be in regular overland supply", rule
    in_ezoc = now.in_ezoc(side, action.at)
    if isinstance(action, a.MoveFight):
        return "The force may not start in an enemy zone of control", rule
    if not in_ezoc:
        return "The force must start in an enemy zone of control", rule
    return _attack_refused(state, side, action.at, action.target)


def _attack_refused(state: State, side: str, at: str, target: str) -> Reason:
    now = field(state)
    h, t = INDEX.get(at), INDEX.get(target)
    if h is None or t is None:
        return "There is no such hex on the map", "2.3"
    if not now.occupied(OTHER[side]) & BIT[t]:
        return f"There is nobody to attack in {where(target)}", "13.1"
    if target in state.attacked:
        return f"{where(target)} has already been attacked in this phase", "13.1"
    if side == GERMAN and state.sf and target == SF_HEX:
        return "The Special Forces keep the Germans out of 2823", "3.6"
    if not any(UNITS[u].division for u in fresh(state, now.stack(at))):
        return "Corps support never attacks alone", "13.5"
    if hexside(h, t) in BLOCKED:
        return "Only mountain divisions attack over a blocked hexside", "12.10"
    return f"{where(target)} is not adjacent by land", "13.1"


def _go_refused(state: State, frame: m.Moving, to: str) -> Reason:
    now = field(state)
    h = INDEX.get(to)
    if h is None or not LAND_BITS & BIT[h]:
        return "Units move on land hexes of the map", "12.3"
    if now.occupied(OTHER[frame.side]) & BIT[h]:
        return f"{where(to)} is occupied by the enemy", "12.3"
    if frame.side == GERMAN and state.sf and to == SF_HEX:
        return "The Special Forces keep the Germans out of 2823", "3.6"
    others = [u for u in now.stack(to) if u not in frame.group]
    if not within_limits((*others, *frame.group)):
        return f"{where(to)} is full: three divisions and one corps support unit", "6.3"
    if frame.kind == "column" and now.in_ezoc(frame.side, to):
        return "A column may not enter an enemy zone of control", "12.7"
    return f"The group cannot reach {where(to)} with the movement points it has left", "12.1"


def _fort_refused(state: State, at: str) -> Reason:
    h = INDEX.get(at)
    if h is None or CITY[h] or TERRAIN[h] == MARSH:
        return "Fortifications cannot be built in city or marsh hexes", "9.8"
    if at in state.forts:
        return "There is a fortification in this hex already", "9.8"
    return "The hex must be in supply, and in an Allied zone of control it must hold a German unit", "9.8"
