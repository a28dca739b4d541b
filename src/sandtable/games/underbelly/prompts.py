"""Whose decision it is, the name of the phase, and what each side is told about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.part import Bar
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.data import ALLIED, GERMAN

PHASES: dict[type[object], str] = {
    m.Placement: "Set-up",
    m.Plotting: "End-Run plot",
    m.Substitution: "Withdrawal",
    m.Commands: "CP Expenditure Phase",
    m.DefenderTac: "Battle, step 1",
    m.Barrage: "Battle, step 2",
    m.DefensiveFire: "Battle, step 3",
    m.BreakOffChoice: "Battle, step 4",
    m.OffensiveFire: "Battle, step 5",
    m.RetreatChoice: "Battle, step 6",
    m.Restoring: "Battle",
    m.Retreating: "Battle, step 8",
    m.Advancing: "Battle, step 9",
    m.Interruption: "Interruption",
    m.OverStacked: "Over-stacking",
    m.BariChoice: "End of the turn",
    m.TurnStart: "Start of the turn",
    m.Reinforcing: "Reinforcement Phase",
    m.TurnEnd: "End of the turn",
}
"""Commands that are being put together are not here: they tell nothing to the other side, it is just the phase."""
NAMES = {ALLIED: "The Allied player", GERMAN: "The German player"}


def _own(state: m.UnderbellyState, frame: Any) -> str:
    side: str = frame.side
    return side


def _attacker(state: m.UnderbellyState, frame: Any) -> str:
    return state.battle.attacker if state.battle is not None else ALLIED


def _defender(state: m.UnderbellyState, frame: Any) -> str:
    return state.battle.defender if state.battle is not None else ALLIED


def _german(state: m.UnderbellyState, frame: Any) -> str:
    return GERMAN


_DECIDES: dict[type[object], Callable[[m.UnderbellyState, Any], str]] = {
    **dict.fromkeys(
        (m.Commands, m.BoxDraft, m.Moving, m.AttackChoice, m.AttackDraft, m.Restoring, m.OverStacked), _own
    ),
    **dict.fromkeys((m.Substitution, m.FortSite), _german),
    **dict.fromkeys((m.Barrage, m.BreakOffChoice, m.OffensiveFire, m.Advancing), _attacker),
    **dict.fromkeys((m.DefenderTac, m.DefensiveFire, m.RetreatChoice, m.Retreating), _defender),
}
"""All others are decided by the Allied player."""


def phase_name(state: m.UnderbellyState) -> str:
    """The phase, told the same to both sides."""
    return PHASES.get(type(state.stack[-1]), PHASES[m.Commands])


def decides(state: m.UnderbellyState) -> str:
    """The side that is asked now."""
    frame = state.stack[-1]
    who = _DECIDES.get(type(frame))
    return who(state, frame) if who else ALLIED


def prompt(state: m.UnderbellyState, side: str | None, ask: Callable[[m.UnderbellyState], Bar]) -> Bar:
    """What the side is asked, with the rule, or what it waits for."""
    who = decides(state)
    return ask(state) if side == who else (f"{NAMES[who]} decides: {phase_name(state)}", "")
