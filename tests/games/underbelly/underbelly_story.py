"""Positions for the tests: a few units on the map, scripted dice, everybody else out of the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.engine import Event, Match, ScriptedDice, new
from sandtable.games.underbelly import GAME
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.model import ASIDE, Commands, UnderbellyState
from sandtable.games.underbelly.zones import UNITS, control_changes, field


def state_of(
    units: Mapping[str, str], *, scenario: str = "historical", turn: int = 6, side: str = "german", **fields: Any
) -> UnderbellyState:
    """A state with these units in these places, the side about to give commands."""
    options = {option.id: option.values[0] for option in GAME.scenarios()[0].options}
    state = GAME.setup("campaign", {**options, **fields.pop("options", {})})
    for unit in state.at:
        state.at[unit] = units.get(unit, ASIDE)
    state.scenario, state.turn, state.side = scenario, turn, side
    state.stack = [Commands(side)]
    state.cp = 7 if side == ALLIED else 6
    state.tac, state.tac_on, state.airborne = 0, False, "box"
    for name, value in fields.items():
        setattr(state, name, value)
    settle(state)
    return state


def settle(state: UnderbellyState) -> None:
    """Tops of Allied stacks and control of places, as the units stand."""
    state.top.clear()
    for at, stack in field(state).stacks.items():
        if UNITS[stack[0]].side == ALLIED:
            state.top[at] = stack[0]
    for at, side in control_changes(state):
        state.control[at] = side


def match_of(state: UnderbellyState, *faces: int) -> Match:
    """A match that stands at a state, with scripted dice."""
    header = new("underbelly/campaign", seed=1).header
    return Match(GAME, header, state, ScriptedDice(*faces))


def play(units: Mapping[str, str], *faces: int, **fields: Any) -> Match:
    """A match with these units in these places."""
    return match_of(state_of(units, **fields), *faces)


def do(match: Match, *actions: Any) -> list[Event]:
    """Carry out actions of whoever is to decide; returns what happened."""
    events: list[Event] = []
    for action in actions:
        (side,) = match.to_act
        events += match.apply(side, action)
    return events


def legal(match: Match, kind: type[Any]) -> list[Any]:
    """The legal actions of one kind, of whoever is to decide."""
    (side,) = match.to_act
    return [action for action in match.actions(side) if isinstance(action, kind)]


def goals(match: Match) -> set[str]:
    """Hexes that the moving group can go to."""
    return {action.to for action in legal(match, a.Go)}


def fire_all(match: Match) -> list[Event]:
    """Let everybody fire at the first target until no shot is left."""
    events: list[Event] = []
    while match.to_act and (shots := legal(match, a.Shoot)):
        events += do(match, shots[0])
    return events


def end_phases(match: Match, turn: int) -> None:
    """Pass until a turn has begun or the match is over."""
    passing = (a.Decline, a.DeclineTac, a.PassDrop, a.Plot, a.EndPhase, a.Cancel, a.Halt)
    while match.to_act and match.state.turn < turn:
        (side,) = match.to_act
        for kind in passing:
            found = [action for action in match.actions(side) if isinstance(action, kind)]
            if found:
                match.apply(side, found[0])
                break
        else:
            match.apply(side, match.actions(side)[0])


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [type(event).__name__ for event in events]
