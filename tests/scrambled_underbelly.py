"""Positions of Soft Underbelly for golden games: armies mixed up in one place, some dead or waiting, at any turn."""

from __future__ import annotations

import random
from typing import Any

from sandtable.engine import Match
from sandtable.games.underbelly.atlas import GRID, LAND_BITS, NAMES, PAESTUM, PLACES, SALERNO, bits_of, hexes_of
from sandtable.games.underbelly.data import ALLIED, GERMAN, LAST_TURN, UnitType, roster
from sandtable.games.underbelly.model import ALLIED_BOX, DEAD, GERMAN_BOX, HISTORICAL, LOST, WAT
from sandtable.games.underbelly.stacking import within_limits

RADIUS = 4
SIDES = (ALLIED, GERMAN)
BOXES = {ALLIED: ALLIED_BOX, GERMAN: GERMAN_BOX}
AIRBORNE = ("box", "ready", "dropped")


def scrambled(match: Match, source: random.Random) -> dict[str, Any]:
    """A position made by lot: a turn begins, or a side spends its CP."""
    position: dict[str, Any] = match.position()
    state = position["state"]
    scenario = WAT if match.header.scenario == WAT else HISTORICAL
    turn = source.randint(2, LAST_TURN - 1)
    land = list(hexes_of(LAND_BITS))
    near = list(hexes_of(bits_of(list(GRID.within(source.choice(land), RADIUS))) & LAND_BITS))
    holds = {NAMES[cell]: source.choice(SIDES) for cell in near}
    holds |= {name: ALLIED for name in (SALERNO, PAESTUM) if name in holds}  # without them the game is over
    state |= {"scenario": scenario, "turn": turn, "agreed": scenario}
    state |= _places(source, scenario, holds)
    state["control"] = {name: holds.get(name) or source.choice(SIDES) for name in PLACES}
    state["control"] |= {SALERNO: ALLIED, PAESTUM: ALLIED}
    state["ports"] = {name: group for name, group in state["ports"].items() if state["control"].get(name) != GERMAN}
    state |= {"tac": source.randrange(3), "tac_on": source.random() < 0.7, "german_tac": source.randrange(2)}
    state |= {"airborne": source.choice(AIRBORNE), "raided": source.random() < 0.5, "cp": 0}
    state["switched"] = source.choice((0, 0, turn - 1))
    if scenario == WAT:
        launched = source.choice((0, 0, max(turn - 2, 1)))
        state["end_run"] = {"plotted": True, "turn": launched or turn, "launched": launched, "consulted": launched}
        state |= {"ss": source.choice(("box", "in")), "army": source.choice(("aside", "box", "in"))}
    german = [name for name, side in holds.items() if side == GERMAN]
    state["forts"] = source.sample(german, min(len(german), source.randrange(3)))
    side = source.choice(SIDES)
    state |= {"side": side, "stack": [{"type": "TurnStart"}]}
    if source.random() < 0.6:
        state |= {"cp": source.randint(1, 12), "stack": [{"type": "Commands", "side": side}]}
    return position


def _places(source: random.Random, scenario: str, holds: dict[str, str]) -> dict[str, Any]:
    """Where the units of a scenario are, with how many steps, and who is on top of each Allied stack."""
    at: dict[str, str] = {}
    steps: dict[str, int] = {}
    stacks: dict[str, list[str]] = {}
    for unit, kind in roster().items():
        at[unit], steps[unit] = "aside", kind.steps
        if kind.scenario not in ("both", scenario):
            continue
        steps[unit] = source.choice((kind.steps, source.randint(1, kind.steps)))
        free = [name for name, side in holds.items() if side == kind.side and _fits(kind, stacks.get(name, []))]
        if free and source.random() < 0.75:
            at[unit] = source.choice(free)
            stacks.setdefault(at[unit], []).append(unit)
        else:
            at[unit] = source.choice((BOXES[kind.side], DEAD, LOST))
    top = {name: source.choice(units) for name, units in stacks.items() if holds[name] == ALLIED}
    return {"at": at, "steps": steps, "top": top}


def _fits(kind: UnitType, there: list[str]) -> bool:
    """Whether a unit may stand with these (6.3, 6.6)."""
    alike = all(roster()[unit].group == kind.group for unit in there)
    return within_limits([*there, kind.id]) and (alike or kind.side == ALLIED)
