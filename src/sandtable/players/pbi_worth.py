"""How good a position of PBI looks for a side, from its view alone: points, strength, units in trouble, time.

The figures come from a logistic regression over the ends of the player turns of 212 games between regulars and recruits
in all four battles (cross-validated log loss 0.39, where knowing nothing gives 0.69), rounded. Few of these games were
decided by objectives, so that the fit gave them next to nothing: HELD is set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Any

from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.table import ground

MEAN_COUNTDOWN = 3.5
REACH = 3
"""How many squares away foot still count for an objective."""
DEFENDS = 0.68
"""Equal points are the defender's."""
KILLS = 0.75
"""A victory point for a unit: it is won, and the unit is missing."""
HELD = 0.15
"""A point of an objective at the end of the battle; earlier it counts for less."""
LATE, LATE_TURNS = 0.38, 2.0
"""Every victory point counts more in the last turns."""
NEAR = 0.06
"""A point of an objective that only our foot are near."""
STRENGTH, STRENGTH_A_TURN, TURNS_TO_USE_IT = 1.15, 0.52, 4.0
"""The logarithm of our strength in points over theirs: now, and for each turn that is left to use it."""
RESERVE = 15.0
"""Points that are added to both strengths, so that remnants are not weighed too finely."""
TROUBLE = 0.6
"""A unit with two problems: its morale will be tested."""
MARK, MARKS = 0.1, 5
"""A casualty mark of a unit; more than so many change little."""
PINNED = 0.004
MOVE = 0.57
"""To be the next to move."""


def worth(view: Mapping[str, Any], side: str) -> float:
    """From 0 (lost) to 1 (won)."""
    outcome = view["outcome"]
    if outcome is not None:
        return 0.5 if not outcome["winner"] else float(outcome["winner"] == side)
    extra = view["extra"]
    turns = extra["countdown"] / MEAN_COUNTDOWN
    kills, held = kills_lead(extra, side), held_lead(extra, side)
    total = KILLS * kills + HELD * held / (1 + turns)
    total += LATE * (kills + held) * max(0.0, 1 - turns / LATE_TURNS)
    total += strength_lead(extra, side) * (STRENGTH + STRENGTH_A_TURN * min(turns, TURNS_TO_USE_IT))
    total += NEAR * contest(extra, side) - trouble(extra, side)
    total += MOVE if view["active"] == side else -MOVE
    total += DEFENDS if side == "defender" else -DEFENDS
    return 1 / (1 + exp(-total))


def kills_lead(extra: Mapping[str, Any], side: str) -> float:
    """Victory points for units, ours less theirs."""
    return sum(float(points if holder == side else -points) for holder, points in extra["points"].items())


def held_lead(extra: Mapping[str, Any], side: str) -> float:
    """Victory points of objectives as they are held, ours less theirs."""
    control = extra["control"]
    objectives = extra["objectives"]
    return sum(float(value if control.get(at) == side else -value) for at, value in objectives.items())


def strength_lead(extra: Mapping[str, Any], side: str) -> float:
    """The logarithm of our strength in points over theirs."""
    ours = theirs = RESERVE
    for piece in extra["pieces"].values():
        value = KINDS[piece["kind"]].points or 1
        if piece["side"] == side:
            ours += value
        else:
            theirs += value
    return log(ours / theirs)


def trouble(extra: Mapping[str, Any], side: str) -> float:
    """Units that are near their morale roll, casualty marks and pins: ours less theirs."""
    pieces = extra["pieces"].values()
    bases: dict[str, int] = {}
    total = 0.0
    for piece in pieces:
        if KINDS[piece["kind"]].foot:
            bases[piece["unit"]] = bases.get(piece["unit"], 0) + 1
        if piece["pinned"] or piece["immobile"]:
            total += PINNED if piece["side"] == side else -PINNED
    for id, unit in extra["units"].items():
        if unit["gone"] or unit["kind"] not in ("platoon", "weapons"):
            continue
        marks = unit["casualties"]
        problems = (marks >= 2) + (marks >= 4 or 2 * bases.get(id, 0) < unit["strength"]) + (unit["officer"] == "dead")
        value = MARK * min(marks, MARKS) + TROUBLE * (problems >= 2)
        total += value if unit["side"] == side else -value
    return total


def contest(extra: Mapping[str, Any], side: str) -> float:
    """The points of objectives by who has foot near them, ours less theirs."""
    distances = ground(extra["ground"]).range
    promise = 0.0
    foot = [(p["at"], p["side"] == side) for p in extra["pieces"].values() if p["at"] and KINDS[p["kind"]].foot]
    for square, value in extra["objectives"].items():
        ways = distances[square]
        ours = theirs = 0.0
        for at, own in foot:
            distance = ways.get(at, 0)
            if distance <= REACH:
                if own:
                    ours += 1 / (1 + distance)
                else:
                    theirs += 1 / (1 + distance)
        promise += value * (ours - theirs) / (ours + theirs + 1)
    return promise
