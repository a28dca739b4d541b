"""Beside the rules: lines of sight on request, ways with their dangers, the words of the game, a first lesson."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise

from sandtable.engine.tools import Danger, Lesson, LessonStep, Los, LosCause, Path, PathStep, Term, Visible
from sandtable.games.pbi.actions import Move
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import can_leave, living, step_cost
from sandtable.games.pbi.model import Acting, PbiState
from sandtable.games.pbi.odds import successes
from sandtable.games.pbi.position import clear, ground_of, room_for_foot, side_in
from sandtable.games.pbi.reaction import volley_shooters
from sandtable.games.pbi.smallarms import dice_tally, hit_score
from sandtable.games.pbi.table import TERRAIN, Ground
from sandtable.games.pbi.words import named

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


# -- ways -----------------------------------------------------------------------------------------


def path(state: PbiState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
    """The cheapest way for the team that acts, with those who may shoot at it on each square (foot-ap-cost-leave)."""
    frame = state.stack[-1]
    if not isinstance(frame, Acting) or frame.residual:
        return None
    team = living(state, frame.teams[0])
    if side != team[0].side or team[0].within or not can_leave(state, team, residual=False):
        return None
    if not set(pieces) <= {piece.id for piece in team}:
        return None
    cells = [team[0].at]
    for stop in (*via, to):
        leg = _cheapest(state, side, cells[-1], stop, len(team))
        if leg is None:
            return None
        cells += leg
    steps: list[PathStep] = []
    total = 0
    for start, cell in pairwise(cells):
        cost = step_cost(state, start, residual=False)
        total += cost
        if total > min(piece.ap for piece in team):
            return None
        steps.append(PathStep(cell, f"{cost} AP", f"{total} AP", Move(cell), danger=danger(state, side, cell)))
    return Path(tuple(cells), f"{total} AP", tuple(steps), judged=True)


def _cheapest(state: PbiState, side: str, start: str, end: str, number: int) -> list[str] | None:
    """The squares of the cheapest way after the first; of equal ones that with fewer diagonal steps."""
    g = ground_of(state)
    heap: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, start, ())]
    seen: set[str] = set()
    while heap:
        cost, slants, at, way = heappop(heap)
        if at == end:
            return list(way)
        if at in seen:
            continue
        seen.add(at)
        price = cost + step_cost(state, at, residual=False)
        for to in g.steps[at]:
            if side_in(state, to) in ("", side) and room_for_foot(state, to, number):
                slant = g.column[to] != g.column[at] and g.row[to] != g.row[at]
                heappush(heap, (price, slants + slant, to, (*way, to)))
    return None


def danger(state: PbiState, side: str, cell: str) -> tuple[Danger, ...]:
    """Enemies whose small arms may answer a step into a square, with the chance of a hit (odds-opportunity)."""
    g = ground_of(state)
    score = hit_score(state.rules, reacting=True)
    found = []
    for square, ids in state.at.items():
        if state.pieces[ids[0]].side != side and clear(state, g, square, cell):
            shooters = volley_shooters(state, square, cell)
            for vehicle in ids:
                if KINDS[state.pieces[vehicle].kind].vehicle:
                    shooters += volley_shooters(state, vehicle, cell)
            if shooters:
                tally = dice_tally(shooters)
                chance = 1 - float(successes(int(tally.total), score)[0])
                text = f"{named(state, [piece.id for piece in shooters])} in {square}"
                found.append(Danger(square, text, shooters[0].id, tally, chance, "odds-opportunity"))
    return tuple(found)


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


@cache
def lessons() -> tuple[Lesson, ...]:
    """A first turn on the smallest battle."""
    steps = (
        LessonStep(
            "This is step 1. You have smoke: keep it for now and say that you use no asset.", until="group:done"
        ),
        LessonStep("Your company commander can do three things. Let him go one square towards D7.", ("D7",), ("a0-1",)),
        LessonStep("Finish with the commander, then choose the first rifle platoon.", until="group:unit"),
        LessonStep("Motivate a group: the preview shows the squares from its officer.", until="group:motivate"),
        LessonStep("Spend its action points: step towards D5, the nearest objective.", ("D5",), until="group:move"),
        LessonStep("If the enemy sees you, he may shoot now: that is opportunity shooting.", until="turn"),
        LessonStep(
            "Go on with the other groups, then with the second platoon. What is left over is lost.", until="turn"
        ),
    )
    return (
        Lesson(
            "first-turn",
            "A first turn",
            "Assets, the commander, motivation, action points and the enemy's reaction.",
            "crossroads",
            "attacker",
            steps,
            seed=4,
        ),
    )
