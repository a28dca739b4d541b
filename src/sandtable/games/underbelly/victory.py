"""How to win (4.0): every sudden death and the end of the last turn."""

from __future__ import annotations

from sandtable.engine import Outcome
from sandtable.games.underbelly.atlas import (
    BIT,
    INDEX,
    LAND_BITS,
    NAMES,
    NAPLES,
    PAESTUM,
    PLACES,
    SALERNO,
    TARANTO,
    ZONE,
    flood,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import GONE, HISTORICAL, OOS, WAT, UnderbellyState
from sandtable.games.underbelly.supply import supply_state
from sandtable.games.underbelly.zones import UNITS, field

DEADLINE = 20
"""The supply switch must have taken place by the end of this turn (4.1, 11.9)."""


def win(state: UnderbellyState, winner: str, reason: str, rule: str) -> None:
    """End the game; the first reason stands."""
    if state.outcome is None:
        state.outcome = Outcome(winner, reason, rule)


def forfeit(state: UnderbellyState, loser: str, reason: str, rule: str) -> None:
    """A player who cannot do what he must loses at once (8.6, 8.8, 8.14, 8.18)."""
    win(state, GERMAN if loser == ALLIED else ALLIED, reason, rule)


def judge_control(state: UnderbellyState) -> None:
    """Sudden death by control of towns and cities (4.1, 4.2)."""
    control = state.control
    rule = "4.2" if state.scenario == WAT else "4.1"
    if not state.switched:
        for at in (SALERNO, PAESTUM):
            if control[at] == GERMAN:
                win(state, GERMAN, f"The Germans hold {PLACES[at].name} before the supply switch", rule)
    if state.scenario == WAT and control[NAPLES] == control[TARANTO] == GERMAN:
        win(state, GERMAN, "The Germans hold both Naples and Taranto", "4.2")
    if state.scenario == HISTORICAL and all([side == ALLIED for side in control.values()]):
        win(state, ALLIED, "The Allies hold every town and city", "4.1")


def judge_exit(state: UnderbellyState) -> None:
    """An Allied unit has left the map by the north edge (4.1, 4.2)."""
    win(state, ALLIED, "An Allied unit has broken out by the north edge", "4.2" if state.scenario == WAT else "4.1")


def line_of_communications(state: UnderbellyState) -> bool:
    """Whether Naples has a line of communications with the other city (4.3)."""
    now = field(state)
    far = SALERNO if state.options.get("loc") == "salerno" else TARANTO
    free = LAND_BITS & ~now.german & ~(now.german_zoc & ~now.allied)
    return bool(flood(BIT[INDEX[NAPLES]], free, unblocked=True) & BIT[INDEX[far]])


def deadline_passed(state: UnderbellyState) -> bool:
    """Whether the Allies have run out of time for the supply switch (4.1, 11.9)."""
    if state.switched or state.turn < DEADLINE:
        return False
    return state.scenario == HISTORICAL or state.options.get("switch_deadline") != "historical"


def last_supply_check(state: UnderbellyState) -> list[str]:
    """Remove unsupplied Germans just before the end; their hexes and zones turn Allied (4.1)."""
    now = field(state)
    germans = [u for stack in now.stacks.values() for u in stack if UNITS[u].side == GERMAN]
    gone = [u for u in germans if supply_state(state, u, now) == OOS]
    turned = 0
    for unit in gone:
        h = INDEX[state.at[unit]]
        turned |= BIT[h] | (ZONE[h] if UNITS[unit].division else 0)
    for unit in gone:
        state.at[unit] = GONE
        state.steps[unit] = 0
    remaining = field(state).german
    for h in hexes_of(turned & ~remaining):
        if NAMES[h] in state.control:
            state.control[NAMES[h]] = ALLIED
    return gone


def judge_end(state: UnderbellyState) -> None:
    """The end of Game Turn 23 (4.1, 4.2)."""
    if state.scenario == HISTORICAL:
        judge_control(state)
        win(state, GERMAN, "The Allies have not cleared the south of Italy by the end of the year", "4.1")
        return
    if state.control[NAPLES] == state.control[TARANTO] == ALLIED:
        if line_of_communications(state):
            win(state, ALLIED, "The Allies hold Naples and Taranto with a line of communications", "4.2")
        else:
            win(state, "", "The Allies hold Naples and Taranto but they are cut off from each other", "4.2")
    win(state, "", "Neither side has reached its aims by the end of the year", "4.2")
