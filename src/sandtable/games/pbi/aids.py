"""Beside the rules: lines of sight on request, and the words of the game."""

from __future__ import annotations

from functools import cache

from sandtable.engine.tools import Los, LosCause, Term, Visible
from sandtable.games.pbi.model import PbiState
from sandtable.games.pbi.position import clear, ground_of
from sandtable.games.pbi.table import TERRAIN, Ground

RULE = "odds-smoke"


def _blockers(g: Ground, state: PbiState) -> str:
    return "WBR" if state.rules.sight_blockers == "also rocky" else "WB"


def line_of_sight(state: PbiState, a: str, b: str) -> Los | None:
    """Whether one square sees another, by the judgement that shooting uses (odds-smoke)."""
    g = ground_of(state)
    if a not in g.sees or b not in g.sees or a == b:
        return None
    between = g.between[a][b]
    kinds = _blockers(g, state)
    causes = [
        LosCause(square, "blocks", TERRAIN[g.terrain[square]], rule=RULE)
        for square in between
        if g.terrain[square] in kinds
    ]
    open_ground = b in g.sees[a]
    if not open_ground and not causes:
        causes.append(LosCause(b, "blocks", "squares that touch at a corner of the line", rule=RULE))
    smoke = [square for square in (a, *between, b) if square in state.smoke]
    seen = clear(state, g, a, b)
    if open_ground and not seen:
        causes += [LosCause(square, "blocks", "smoke", rule=RULE) for square in smoke]
    words = f"{a} sees {b}" if seen else f"{a} does not see {b}: {causes[0].label} in {causes[0].cell}"
    centres = tuple(g.grid.centre(g.grid.index(square)) for square in (a, b))
    blocked = "" if seen else causes[0].cell
    return Los(a, b, seen, words, RULE, g.range[a][b], 0, blocked, centres, tuple(causes))


def visible_from(state: PbiState, a: str) -> Visible | None:
    """All squares that a square sees, and those that it does not (odds-smoke)."""
    g = ground_of(state)
    if a not in g.sees:
        return None
    seen = {square: 0.0 for square in g.names if square != a and clear(state, g, a, square)}
    return Visible(a, seen, tuple(square for square in g.names if square != a and square not in seen))


# -- words ----------------------------------------------------------------------------------------


@cache
def glossary() -> tuple[Term, ...]:
    """The words of the game, explained in our words."""
    return (
        Term("unit", "Unit", "A platoon, a gun or a troop of vehicles: it has its turn as a whole.", "turn-units"),
        Term("group", "Group", "The bases of one unit in one square or vehicle: motivated together.", "motivation"),
        Term("team", "Team", "The bases of a group that act together; one can act alone first.", "foot-ap-roll"),
        Term(
            "motivation",
            "Motivation",
            "A die against the squares from the officer to the group, both counted.",
            "motivation",
            words=("motivated", "not motivated"),
        ),
        Term("ap", "Action points", "What a group or vehicle may spend in its turn.", "foot-ap-roll", words=("AP",)),
        Term(
            "residual",
            "Residual point",
            "The one point that is always left: one thing of a short list.",
            "foot-ap-residual",
            words=("residual action point",),
        ),
        Term("pinned", "Pinned", "Two action points less and no reaction.", "foot-ap-roll", ("pinned",), ("Pinned",)),
        Term("officer", "Officer", "Motivates, adds a point, helps to remove pins.", "motivation", ("officer",)),
        Term(
            "problem",
            "Problem",
            "Casualties, weakness or a dead officer; two call for a morale roll.",
            "morale-problems",
            words=("Problems",),
        ),
        Term("immobilised", "Immobilised", "Cannot move; twice is destroyed.", "shooting-effect", ("immobilised",)),
        Term("deployed", "Deployed", "Ready to shoot, unable to move.", "foot-ap-cost-deploy", ("deployed",)),
        Term("smoke", "Smoke", "No shooting in, out or through.", "odds-smoke", ("smoke",)),
        Term(
            "opportunity",
            "Opportunity shooting",
            "Shooting in the enemy's turn at what moves in view.",
            "odds-opportunity",
            ("reacted",),
        ),
        Term("proximity", "Proximity", "The same square and those around it.", "saves-shooting", words=("proximity",)),
        Term("difficult", "Difficult square", "Wood, building or rocky ground.", "foot-ap-cost-leave"),
        Term("partial", "Partial square", "Hedge, wall or field: some cover.", "saves-shooting"),
        Term(
            "objective",
            "Objective",
            "Points for the side whose foot entered it last.",
            "turn-countdown",
            ("objective-1", "objective-2", "objective-3"),
        ),
    )
