"""Actions in words, with the pieces and hexes they touch."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.view import Description
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.airpower import AERIAL_COST, AIRBORNE_COST, BOMBER_COST, TAC_COST, tac_units
from sandtable.games.underbelly.atlas import INDEX
from sandtable.games.underbelly.commands import ATTACK_COST, MOVE_COST, SPECIAL_COST, fresh, in_column
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.model import AIRBORNE, AttackDraft, FortSite, Moving, UnderbellyState
from sandtable.games.underbelly.modifiers import BOMBERS
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.replacements import cost
from sandtable.games.underbelly.watch import LAUNCH_COST, SEND_COST, consult_cost
from sandtable.games.underbelly.wording import BOX_NAMES, names, unit_name, where
from sandtable.games.underbelly.zones import UNITS, field

_SIMPLE: dict[type[Action], tuple[str, str, str, str]] = {
    # type: text, group, rule, key
    a.DeclineTac: ("Do without tactical airpower", "air", "9.9", "n"),
    a.LaunchEndRun: ("Launch the End-Run", "end-run", "8.13", "l"),
    a.Begin: ("Begin", "begin", "9.4", "Enter"),
    a.Cancel: ("Cancel", "cancel", "", "Escape"),
    a.Halt: ("Halt here", "done", "12.1", "h"),
    a.Exit: ("Leave the map by the north edge", "move", "4.1", "x"),
    a.UseTac: ("Commit a TAC unit", "air", "9.14", "t"),
    a.UseBombers: ("Commit the heavy bombers", "air", "13.6", "b"),
    a.Resolve: ("Begin the battle", "begin", "13.2", "Enter"),
    a.CeaseFire: ("Cease fire", "done", "13.10", "c"),
    a.BreakOff: ("Break off the attack", "battle", "13.2", "b"),
    a.PressOn: ("Press on", "battle", "13.2", "p"),
    a.Retreat: ("Retreat", "battle", "13.9", "r"),
    a.Stand: ("Hold the hex", "battle", "13.9", "h"),
    a.BuildFort: ("Construct a fortification", "fort", "9.8", "f"),
    a.ActivateAirborne: ("Make the 82nd Airborne ready to drop", "air", "9.12", ""),
    a.Drop: ("Drop the 82nd Airborne", "air", "12.9", "d"),
    a.ConsultEndRun: ("Consult the End-Run table", "end-run", "8.17", ""),
    a.OpenBari: ("Open the port of Bari", "port", "11.10", "o"),
    a.EndPhase: ("End the phase", "done", "5.2", "e"),
}


def describe(state: UnderbellyState, side: str, action: Action) -> Description:
    """An action in words (9.19): what, who, where and at what price."""
    simple = _SIMPLE.get(type(action))
    if simple is not None:
        return _simple(state, action, *simple)
    if isinstance(action, (a.Move, a.MoveFight, a.Attack, a.FightMove)):
        return _command(state, side, action)
    if isinstance(action, (a.Go, a.PortMove, a.Leave)):
        return _moving(state, action)
    if isinstance(action, (a.Shoot, a.Restore, a.RetreatTo, a.Advance, a.Withhold, a.Assault)):
        return _battle(state, action)
    return _other(state, action)


def _simple(state: UnderbellyState, action: Action, text: str, group: str, rule: str, key: str) -> Description:
    price = ""
    if isinstance(action, a.LaunchEndRun):
        price = f"{LAUNCH_COST} CP"
    elif isinstance(action, a.UseBombers):
        price = f"{BOMBER_COST} CP"
    elif isinstance(action, a.ActivateAirborne):
        price = f"{AIRBORNE_COST} CP"
    elif isinstance(action, a.ConsultEndRun):
        price = f"{consult_cost(state)} CP"
    elif isinstance(action, a.BuildFort):
        price = "1 CP"
    frame = state.stack[-1]
    pieces: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    if isinstance(frame, Moving):
        pieces, cells = frame.group, (frame.at,) if frame.at in INDEX else ()
    elif isinstance(frame, AttackDraft):
        pieces, cells = frame.units, (frame.at, frame.target)
    elif isinstance(action, (a.Drop, a.ActivateAirborne)):
        pieces = (AIRBORNE,)
    return Description(text, group, pieces, cells, rule=rule, key=key, cost=price)


def _command(state: UnderbellyState, side: str, action: a.Move | a.MoveFight | a.Attack | a.FightMove) -> Description:
    units = tuple(fresh(state, field(state).stack(action.at), move=isinstance(action, a.Move)))
    if isinstance(action, a.Move):
        units = tuple(in_column(state, units)) if action.column else units
        who = names(units)
        how = "in column" if action.column else ""
        text = f"Move {how + ' ' if how else ''}from {where(action.at)}: {who}"
        group = "column" if action.column else "move"
        return Description(text, group, units, (action.at,), (), "9.4", cost=f"{MOVE_COST} CP")
    if isinstance(action, a.MoveFight):
        text = f"Move-fight from {where(action.at)}: {names(units)}"
        return Description(text, "move-fight", units, (action.at,), (), "9.6", cost=f"{SPECIAL_COST} CP")
    enemy = tuple(u for u in field(state).stack(action.target) if side == ALLIED or not hidden(state, u))
    cells = (action.at, action.target)
    if isinstance(action, a.Attack):
        text = f"Attack {where(action.target)} from {where(action.at)}"
        return Description(text, "attack", units, cells, enemy, "9.5", cost=f"{ATTACK_COST} CP")
    text = f"Fight-move against {where(action.target)} from {where(action.at)}"
    return Description(text, "fight-move", units, cells, enemy, "9.7", cost=f"{SPECIAL_COST} CP")


def _moving(state: UnderbellyState, action: a.Go | a.PortMove | a.Leave) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Moving)
    if isinstance(action, a.Leave):
        text = f"Leave {unit_name(action.unit)} in {where(frame.at)}"
        return Description(text, "leave", (action.unit,), (frame.at,) if frame.at in INDEX else (), rule="9.4")
    start = (frame.at,) if frame.at in INDEX else ()
    if isinstance(action, a.PortMove):
        return Description(f"Sail to {where(action.to)}", "move", frame.group, (*start, action.to), rule="12.5")
    h = INDEX.get(action.to)
    found = reach(state, frame)
    price = ""
    if h is not None and h in found.stops:
        price = f"{max(found.cost(h).values())} MP"
    return Description(f"Move to {where(action.to)}", "go", frame.group, (*start, action.to), rule="12.1", cost=price)


def _battle(
    state: UnderbellyState, action: a.Shoot | a.Restore | a.RetreatTo | a.Advance | a.Withhold | a.Assault
) -> Description:
    at = state.battle.target if state.battle is not None else ""
    cells = (at,) if at else ()
    if isinstance(action, a.Shoot):
        verb = "fire" if action.unit == BOMBERS else "fires"
        text = f"{unit_name(action.unit)} {verb} at {unit_name(action.target)}"
        return Description(text, "fire", (action.unit,), cells, (action.target,), "13.3")
    if isinstance(action, a.Restore):
        text = f"Give a step back to {unit_name(action.unit)}"
        return Description(text, "battle", (action.unit,), cells, rule="13.10")
    if isinstance(action, a.RetreatTo):
        who = unit_name(action.unit) if action.unit else "the whole force"
        pieces = (action.unit,) if action.unit else ()
        return Description(f"Retreat with {who} to {where(action.to)}", "retreat", pieces, (action.to,), rule="13.9")
    if isinstance(action, a.Advance):
        if not action.units:
            return Description("Do not advance", "done", rule="13.8", key="n")
        return Description(f"Advance with {names(action.units)}", "advance", action.units, cells, rule="13.8")
    if isinstance(action, a.Withhold):
        return Description(f"Withhold {unit_name(action.unit)}", "withhold", (action.unit,), rule="9.5")
    return Description(f"Attack {where(action.target)}", "attack", (), (action.target,), rule="9.6")


def _other(state: UnderbellyState, action: Action) -> Description:
    if isinstance(action, a.Place):
        text = f"Place {unit_name(action.unit)} in {where(action.at)}"
        return Description(text, "set up", (action.unit,), (action.at,), rule="3.2")
    if isinstance(action, a.Plot):
        text = f"Plot the End-Run for turn {action.turn}" if action.turn else "Plot no End-Run"
        return Description(text, "plot", rule="8.10")
    if isinstance(action, a.Substitute):
        text = f"Withdraw {unit_name(action.unit)} from {where(state.at[action.unit])}"
        return Description(text, "withdraw", (action.unit,), (state.at[action.unit],), rule="10.4")
    if isinstance(action, a.ActivateTac):
        number = tac_units(state)
        text = f"Activate tactical airpower ({number} {'unit' if number == 1 else 'units'})"
        return Description(text, "air", rule="9.9", key="y", cost=f"{TAC_COST} CP")
    if isinstance(action, a.DesignateCorps):
        return Description(f"Multi-national corps in {where(action.at)}", "corps", (), (action.at,), rule="6.5")
    if isinstance(action, a.Enter):
        kinds = {
            "move": "Command a stack",
            "column": "Column march",
            "move-fight": "Move-fight",
            "end-run": "March to the End-Run",
        }
        price = SPECIAL_COST if action.kind == "move-fight" else MOVE_COST
        text = f"{kinds[action.kind]} from {BOX_NAMES[action.box]}"
        return Description(text, "enter", (), (action.box,), rule="9.4", cost=f"{price} CP")
    if isinstance(action, a.Add):
        return Description(f"Add {unit_name(action.unit)}", "add", (action.unit,), rule="6.1")
    return _rest(state, action)


def _rest(state: UnderbellyState, action: Action) -> Description:
    if isinstance(action, (a.Replenish, a.Reclaim)):
        reclaim = isinstance(action, a.Reclaim)
        verb = "Reclaim" if reclaim else "Replenish"
        rule = "9.16" if UNITS[action.unit].side == "allied" else "9.17"
        cells = (state.at[action.unit],) if not reclaim else ()
        price = f"{cost(action.unit, reclaim=reclaim)} CP"
        return Description(f"{verb} {unit_name(action.unit)}", "replace", (action.unit,), cells, rule=rule, cost=price)
    if isinstance(action, a.Site):
        fort = isinstance(state.stack[-1], FortSite)
        text = f"{'Fortify' if fort else 'Drop on'} {where(action.at)}"
        return Description(text, "site", (), (action.at,), rule="9.8" if fort else "12.9")
    if isinstance(action, a.SupplyByAir):
        text = f"Supply {where(action.at)} by air"
        return Description(text, "air", (), (action.at,), rule="11.7", cost=f"{AERIAL_COST} CP")
    if isinstance(action, a.PassDrop):
        text, key = ("No drop in this game turn", "q") if action.rest else ("Not now", "n")
        return Description(text, "pass", rule="12.9", key=key)
    if isinstance(action, a.SendEndRun):
        text = f"Send {names(action.units)} to the End-Run"
        return Description(text, "end-run", action.units, rule="8.15", cost=f"{SEND_COST} CP")
    if isinstance(action, a.ShowTop):
        cells = (state.at[action.unit],)
        return Description(f"Put {unit_name(action.unit)} on top", "arrange", (action.unit,), cells, rule="6.9")
    if isinstance(action, a.Eliminate):
        return Description(f"Eliminate {unit_name(action.unit)}", "eliminate", (action.unit,), rule="6.8")
    return Description("No", "done", key="n")
