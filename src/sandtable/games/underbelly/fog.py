"""Fog of war (6.9) and the secret plot (8.10): what the German player and observers cannot know."""

from __future__ import annotations

import random

from msgspec.structs import replace

from sandtable.games.underbelly.atlas import INDEX
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.model import (
    AIRBORNE,
    ALLIED_BOX,
    AttackChoice,
    AttackDraft,
    BoxDraft,
    LaunchDraft,
    Moving,
    Substitution,
    UnderbellyState,
)
from sandtable.games.underbelly.watch import FIRST_PLOT, LAST_PLOT
from sandtable.games.underbelly.zones import UNITS


def stacks_open(state: UnderbellyState) -> bool:
    """Whether the German may look into Allied stacks now, to pick a substitute (10.4)."""
    return isinstance(state.stack[-1], Substitution)


def hidden(state: UnderbellyState, unit: str) -> bool:
    """Whether an Allied unit's identity is hidden from the German (6.9)."""
    kind, at = UNITS[unit], state.at[unit]
    if kind.side != ALLIED:
        return False
    if at == ALLIED_BOX:
        return unit != AIRBORNE or bool(state.dropped)
    if at not in INDEX or stacks_open(state):
        return False
    battle = state.battle
    if battle is not None and (unit in battle.attackers or unit in battle.defenders):
        return False
    return state.top.get(at) != unit


def _engaged(state: UnderbellyState) -> set[str]:
    """Units named in what is going on: they stay where they are when hidden things are dealt anew."""
    named: set[str] = set(state.corps)
    for frame in state.stack:
        if isinstance(frame, Moving):
            named.update(frame.group, frame.waiting)
        elif isinstance(frame, (BoxDraft, LaunchDraft, AttackChoice)):
            named.update(frame.units)
        elif isinstance(frame, AttackDraft):
            named.update(frame.units, frame.activated)
    if state.battle is not None:
        named.update(state.battle.activated)
    return named


def reshuffle(state: UnderbellyState, side: str | None, source: random.Random) -> UnderbellyState | None:
    """Deal hidden Allied units and the secret plot anew; the German cannot tell the difference."""
    if side == ALLIED:
        return None
    new = state.clone()
    engaged = _engaged(state)
    for division in (True, False):
        units = [u for u in state.at if UNITS[u].division == division and u not in engaged and hidden(state, u)]
        places = [state.at[u] for u in units]
        source.shuffle(places)
        for unit, place in zip(units, places, strict=True):
            new.at[unit] = place
    run = state.end_run
    if run.plotted and not run.launched and state.outcome is None:
        new.end_run = replace(run, turn=source.choice([0, *range(FIRST_PLOT, LAST_PLOT + 1)]))
    return new
