"""How good a position of PBI looks for a side, from its view alone: victory points, who can still take what, time."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Any

from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.table import ground

MEAN_COUNTDOWN = 3.5
REACH = 3
"""How many squares away foot still count for an objective."""
TIE = 0.5
"""Equal points are the defender's."""
STRENGTH = 1.6
"""What twice the enemy's strength is worth in victory points while there is time to use it."""
TURNS_TO_USE_IT = 4.0
CONTEST = 0.35
"""How much of an objective's worth hangs on who is near it."""
SCALE = 0.9
"""Points that matter at the end; every turn left makes them matter less."""
SCALE_A_TURN = 0.35


def worth(view: Mapping[str, Any], side: str) -> float:
    """From 0 (lost) to 1 (won)."""
    outcome = view["outcome"]
    if outcome is not None:
        return 0.5 if not outcome["winner"] else float(outcome["winner"] == side)
    extra = view["extra"]
    turns = extra["countdown"] / MEAN_COUNTDOWN
    lead = points_lead(extra, side)
    lead += STRENGTH * min(1.0, turns / TURNS_TO_USE_IT) * strength_lead(extra, side)
    lead += min(1.0, turns) * contest(extra, side)
    lead += TIE if side == "defender" else -TIE
    return 1 / (1 + exp(-lead / (SCALE + SCALE_A_TURN * turns)))


def points_lead(extra: Mapping[str, Any], side: str) -> float:
    """Victory points as they stand, ours less theirs."""
    lead = 0.0
    for holder, points in extra["points"].items():
        lead += points if holder == side else -points
    for square, value in extra["objectives"].items():
        lead += value if extra["control"].get(square) == side else -value
    return lead


def strength_lead(extra: Mapping[str, Any], side: str) -> float:
    """The logarithm (to base 2) of our strength in points over theirs; units in trouble count less."""
    units = extra["units"]
    ours = theirs = 10.0
    for piece in extra["pieces"].values():
        kind = KINDS[piece["kind"]]
        unit = units[piece["unit"]]
        value = float(kind.points or 1)
        if unit["casualties"] >= 2 or unit["officer"] == "dead":
            value *= 0.8
        if piece["pinned"] or piece["immobile"]:
            value *= 0.75
        if piece["side"] == side:
            ours += value
        else:
            theirs += value
    return log(ours / theirs, 2)


def contest(extra: Mapping[str, Any], side: str) -> float:
    """What the foot near objectives promise: those that stand near what they do not hold, and the other way round."""
    distances = ground(extra["ground"]).range
    promise = 0.0
    for square, value in extra["objectives"].items():
        near = {side: 0.0}
        for piece in extra["pieces"].values():
            if piece["at"] and KINDS[piece["kind"]].foot:
                distance = distances[square].get(piece["at"], 0) if piece["at"] != square else 0
                if distance <= REACH:
                    near[piece["side"]] = near.get(piece["side"], 0.0) + 1 / (1 + distance)
        ours = near.pop(side)
        theirs = sum(near.values())
        if ours + theirs:
            share = (ours - theirs) / (ours + theirs)
            holding = extra["control"].get(square) == side
            promise += CONTEST * value * (min(0.0, share) if holding else max(0.0, share)) * 2
    return promise
