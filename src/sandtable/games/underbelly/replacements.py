"""Replacements (9.16, 9.17): steps for reduced divisions, and units back from the dead pile."""

from __future__ import annotations

from sandtable.engine import Action, Play
from sandtable.games.underbelly.actions import Reclaim, Replenish
from sandtable.games.underbelly.atlas import INDEX
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.events import Replaced
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ARMY_BOX,
    DEAD,
    GERMAN_BOX,
    UnderbellyState,
)
from sandtable.games.underbelly.supply import OVERLAND, supply_state
from sandtable.games.underbelly.zones import UNITS, field

FIRST_TURN = 2
BOXES = (ALLIED_BOX, GERMAN_BOX, ARMY_BOX)


def kind_of_step(unit: str) -> str:
    """The German pool that a step comes from; mountain units count as non-mechanized (9.17)."""
    return "mech" if UNITS[unit].mobility == "mech" else "nonmech"


def cost(unit: str, *, reclaim: bool) -> int:
    """CP for a replacement step (9.16, 9.17)."""
    if UNITS[unit].side == ALLIED:
        return 2 if reclaim else 1
    return 2 if kind_of_step(unit) == "mech" else 1


def home_box(unit: str) -> str:
    """Where a reclaimed unit goes (9.16)."""
    kind = UNITS[unit]
    if kind.side == ALLIED:
        return ALLIED_BOX
    return ARMY_BOX if kind.group == "5pz" else GERMAN_BOX


def replacement_actions(state: UnderbellyState, side: str, cp: int) -> list[Action]:
    """Every replacement that the side can pay for now (9.16, 9.17)."""
    actions: list[Action] = []
    if state.turn < FIRST_TURN or cp < 1:
        return actions
    now = field(state)
    for unit, steps in state.steps.items():
        if steps == 2:  # most are
            continue
        kind = UNITS[unit]
        if steps == kind.steps or kind.side != side:
            continue
        if unit in state.used and not (side == GERMAN and state.used[unit] in ("move", "column")):
            continue
        if side == GERMAN and kind_of_step(unit) in state.replaced:
            continue
        place = state.at[unit]
        if place == DEAD:
            if cp >= cost(unit, reclaim=True):
                actions.append(Reclaim(unit))
        elif (
            steps
            and (place in INDEX or place in BOXES)
            and cp >= cost(unit, reclaim=False)
            and supply_state(state, unit, now) in OVERLAND
        ):
            actions.append(Replenish(unit))
    return actions


def replace_step(play: Play[UnderbellyState], side: str, action: Replenish | Reclaim) -> int:
    """Carry out a replacement and return its price in CP (9.16, 9.17)."""
    state = play.state
    unit = action.unit
    reclaim = isinstance(action, Reclaim)
    if side == GERMAN:
        state.replaced.append(kind_of_step(unit))
    if reclaim:
        state.steps[unit] = 1
        state.at[unit] = home_box(unit)
        state.used[unit] = "reclaimed"
    else:
        state.steps[unit] = 2
        state.used.setdefault(unit, "replaced")
    hidden = side == ALLIED and not reclaim and state.top.get(state.at[unit]) != unit
    play.emit(Replaced(side=side, unit="" if hidden else unit, reclaimed=reclaim))
    if hidden:
        play.emit(Replaced(side=side, unit=unit, to=(ALLIED,)))
    return cost(unit, reclaim=reclaim)
