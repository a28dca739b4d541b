"""Words of commands (9.0): what a player can order, what bars an order, and what it would come to."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, Preview
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.command_bars import BARS, refusals
from sandtable.games.underbelly.commands import ATTACK_COST, FORT_COST, MOVE_COST, SPECIAL_COST, fresh, in_column
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.movement import movement_tally
from sandtable.games.underbelly.replacements import cost
from sandtable.games.underbelly.watch import must_consult, obligation
from sandtable.games.underbelly.wording import BOX_NAMES, SIDES, names, plain, unit_name, where
from sandtable.games.underbelly.zones import UNITS, field

State = m.UnderbellyState
COMMANDS = {
    "move": "move",
    "column": "move in column",
    "move-fight": "move-fight",
    "fight-move": "fight-move",
    "attack": "attack",
    "end-run": "march to the End-Run",
}
OTHER = {"TAC": "tactical airpower"}
"""What else command points are spent on, where the log says it in other words than the rules."""
FREE = {
    "no TAC": "The Allies do without tactical airpower",
    "multi-national corps": "The stack in {} is the multi-national corps",
    "End-Run": "The first look at the End-Run table is free",
}
ENTRIES = {
    "move": "Command a stack",
    "column": "Column march",
    "move-fight": "Move-fight",
    "end-run": "March to the End-Run",
}


# -- descriptions -------------------------------------------------------------------------


def _move(state: State, side: str, action: a.Move) -> Description:
    units = tuple(fresh(state, field(state).stack(action.at), move=True))
    if action.column:
        units = tuple(in_column(state, units))
    text = f"Move {'in column ' if action.column else ''}from {where(action.at)}: {names(units)}"
    group = "column" if action.column else "move"
    return Description(text, group, units, (action.at,), (), "9.4", cost=f"{MOVE_COST} CP")


def _move_fight(state: State, side: str, action: a.MoveFight) -> Description:
    units = tuple(fresh(state, field(state).stack(action.at)))
    text = f"Move-fight from {where(action.at)}: {names(units)}"
    return Description(text, "move-fight", units, (action.at,), (), "9.6", cost=f"{SPECIAL_COST} CP")


def _attack(state: State, side: str, action: a.Attack) -> Description:
    text = f"Attack {where(action.target)} from {where(action.at)}"
    return _fight(state, side, action, text, "attack", "9.5", ATTACK_COST)


def _fight_move(state: State, side: str, action: a.FightMove) -> Description:
    text = f"Fight-move against {where(action.target)} from {where(action.at)}"
    return _fight(state, side, action, text, "fight-move", "9.7", SPECIAL_COST)


def _fight(
    state: State, side: str, action: a.Attack | a.FightMove, text: str, group: str, rule: str, price: int
) -> Description:
    units = tuple(fresh(state, field(state).stack(action.at)))
    enemy = tuple(u for u in field(state).stack(action.target) if side == ALLIED or not hidden(state, u))
    return Description(text, group, units, (action.at, action.target), enemy, rule, cost=f"{price} CP")


def _enter(state: State, side: str, action: a.Enter) -> Description:
    price = SPECIAL_COST if action.kind == "move-fight" else MOVE_COST
    text = f"{ENTRIES[action.kind]} from {BOX_NAMES[action.box]}"
    return Description(text, "enter", (), (action.box,), rule="9.4", cost=f"{price} CP")


def _add(state: State, side: str, action: a.Add) -> Description:
    return Description(f"Add {unit_name(action.unit)}", "add", (action.unit,), rule="6.1")


def _replenish(state: State, side: str, action: a.Replenish) -> Description:
    return _replacement(action.unit, "Replenish", (state.at[action.unit],), cost(action.unit, reclaim=False))


def _reclaim(state: State, side: str, action: a.Reclaim) -> Description:
    return _replacement(action.unit, "Reclaim", (), cost(action.unit, reclaim=True))


def _replacement(unit: str, verb: str, cells: tuple[str, ...], price: int) -> Description:
    rule = "9.16" if UNITS[unit].side == ALLIED else "9.17"
    return Description(f"{verb} {unit_name(unit)}", "replace", (unit,), cells, rule=rule, cost=f"{price} CP")


def _fortify(state: State, side: str, action: a.Site) -> Description:
    return Description(f"Fortify {where(action.at)}", "site", (), (action.at,), rule="9.8")


def _show_top(state: State, side: str, action: a.ShowTop) -> Description:
    cells = (state.at[action.unit],)
    return Description(f"Put {unit_name(action.unit)} on top", "arrange", (action.unit,), cells, rule="6.9")


# -- previews, prompts, events --------------------------------------------------------------


def _march(state: State, side: str, action: a.Move) -> Preview:
    return _movement(state, action.at, "column" if action.column else "move")


def _march_and_fight(state: State, side: str, action: a.MoveFight) -> Preview:
    return _movement(state, action.at, "move")


def _movement(state: State, at: str, kind: str) -> Preview:
    now = field(state)
    units = fresh(state, now.stack(at), move=True)
    units = in_column(state, units) if kind == "column" else units
    rolled = [u for u in units if UNITS[u].mf == 0]
    tallies = tuple(movement_tally(state, now, u, kind, 0, units) for u in units if u not in rolled)
    notes = tuple(f"{UNITS[u].name} rolls a die for its movement factor, 8 at most (2.12)" for u in rolled)
    return Preview("Movement", tallies, (), notes)


def _ask_commands(state: State, frame: m.Commands) -> Bar:
    if frame.side == GERMAN and obligation(state):
        return "The corps must enter the map first: give it a move command", "9.19"
    owed = "; the End-Run table must be consulted" if frame.side == ALLIED and must_consult(state) else ""
    if not state.cp and not owed:
        return "No CP left: end the phase", "9.19"
    return f"{state.cp} CP left: give a command, or end the phase{owed}", "9.19"


def _commanded(state: State, event: e.Commanded) -> str:
    if not event.cost and event.what in FREE:
        return FREE[event.what].format(where(event.at))
    target = f" against {', '.join(map(where, event.cells))}" if event.cells else ""
    at = f" {'from' if event.what in COMMANDS else 'in'} {where(event.at)}" if event.at else ""
    what = {**COMMANDS, **OTHER}.get(event.what, event.what)
    return f"{SIDES[event.side]} spend {event.cost} CP: {what}{at}{target}"


def _replaced(state: State, event: e.Replaced) -> str:
    if not event.unit:
        return f"{SIDES[event.side]} replenish a division"
    return f"{unit_name(event.unit)} {'returns from the dead pile' if event.reclaimed else 'is replenished'}"


PART: Part[State] = Part(
    describe={
        a.Move: _move,
        a.MoveFight: _move_fight,
        a.Attack: _attack,
        a.FightMove: _fight_move,
        a.Enter: _enter,
        a.Add: _add,
        a.Begin: plain("Set out with these units", "begin", "9.4", "Enter"),
        a.Cancel: plain("Cancel", "cancel", "", "Escape"),
        a.Replenish: _replenish,
        a.Reclaim: _reclaim,
        a.BuildFort: plain("Construct a fortification", "fort", "9.8", "f", cost=FORT_COST),
        (m.FortSite, a.Site): _fortify,
        a.ShowTop: _show_top,
        a.EndPhase: plain("End your command phase", "done", "5.2", "e"),
    },
    why_not=BARS,
    refusals={m.Commands: refusals},
    preview={a.Move: _march, a.MoveFight: _march_and_fight},
    prompts={
        m.Commands: _ask_commands,
        m.BoxDraft: lambda state, frame: ("Put a stack together, then begin", "9.4"),
        m.FortSite: lambda state, frame: ("Choose the hex of the fortification", "9.8"),
    },
    words={
        e.Commanded: _commanded,
        e.Shown: lambda state, event: f"{unit_name(event.unit)} is on top in {where(event.at)}",
        e.Replaced: _replaced,
        e.FortBuilt: lambda state, event: f"Fortification in {where(event.at)}",
        e.FortLost: lambda state, event: f"The fortification in {where(event.at)} is destroyed",
    },
)
