"""Motivation: squares are counted from an officer to the group."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine import Play, Tally
from sandtable.engine.odds import at_least
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import Motivated
from sandtable.games.pbi.model import PbiState, Unit
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.table import Ground

RULE = "motivation"
LEADERLESS = 6


def squares_counted(g: Ground, start: str, end: str) -> int:
    """Squares from one to the other, both included, one diagonal allowed (motivation)."""
    across = abs(g.column[start] - g.column[end])
    down = abs(g.row[start] - g.row[end])
    return across + down + 1 - min(across, down, 1)


def clean_way(g: Ground, start: str, end: str, bad: set[str]) -> bool:
    """Whether one of the shortest ways avoids scenery and enemy foot, its ends included."""
    if start in bad or end in bad:
        return False
    right = 1 if g.column[end] > g.column[start] else -1
    below = 1 if g.row[end] > g.row[start] else -1
    across, down = abs(g.column[end] - g.column[start]), abs(g.row[end] - g.row[start])
    diagonal = min(across, down, 1)
    frontier = {(0, 0, 0)}
    column, row = g.column[start], g.row[start]
    for _ in range(across + down - diagonal):
        following: set[tuple[int, int, int]] = set()
        for i, j, used in frontier:
            for di, dj, more in ((1, 0, 0), (0, 1, 0), (1, 1, 1)):
                x, y, u = i + di, j + dj, used + more
                if x <= across and y <= down and u <= diagonal:
                    square = g.at[column + right * x, row + below * y]
                    if square not in bad:
                        following.add((x, y, u))
        frontier = following
    return (across, down, diagonal) in frontier


def enemy_foot(state: PbiState, side: str) -> set[str]:
    """Squares with enemy foot."""
    pieces = state.pieces.values()
    return {piece.at for piece in pieces if piece.side != side and piece.at and KINDS[piece.kind].foot}


def officers_for(state: PbiState, unit: Unit) -> list[str]:
    """Where the officers are that may motivate a unit (ruling motivator)."""
    own: list[str] = []
    commander: list[str] = []
    others: list[str] = []
    for piece in state.pieces.values():
        if piece.officer and piece.side == unit.side and piece.at:
            if piece.unit == unit.id:
                own.append(piece.at)
            elif piece.kind == "commander":
                commander.append(piece.at)
            else:
                others.append(piece.at)
    if not unit.officer:
        return [*commander, *others]
    if state.rules.motivator == "own officer":
        return own or commander
    return [*own, *commander]


def motivation_tally(state: PbiState, unit: Unit, square: str) -> Tally:
    """The score that the die must equal or exceed, from the best officer (motivation)."""
    g = ground_of(state)
    places = officers_for(state, unit)
    if not places:
        score = LEADERLESS if state.rules.leaderless == "six" else LEADERLESS + 1
        return Tally.of("Motivation needs", [("nobody to motivate", score, RULE)])
    bad = enemy_foot(state, unit.side)
    best: Tally | None = None
    for place in dict.fromkeys(places):
        if state.rules.motivation_plus == "on the way":
            plus = not clean_way(g, place, square, bad | g.difficult)
        else:
            plus = square in g.difficult or not bad.isdisjoint(g.near[square])
        tally = Tally.of(
            "Motivation needs",
            [
                (f"squares from {place} to {square}", squares_counted(g, place, square), RULE),
                ("wood, building, rocky ground or enemy foot", int(plus), RULE),
            ],
        )
        if best is None or tally.total < best.total:
            best = tally
    assert best is not None
    return best


def motivation_chance(state: PbiState, unit: Unit, square: str) -> Fraction:
    """How likely a group is motivated: not at all, surely without a die, or by its roll (motivation)."""
    sure = _without_die(state, unit, square)
    return at_least(motivation_tally(state, unit, square).total) if sure is None else Fraction(int(sure))


def _without_die(state: PbiState, unit: Unit, square: str) -> bool | None:
    """Shaken units never are motivated, urged ones near the company commander surely; None: a die decides."""
    if unit.silent:
        return False
    return True if unit.urged and _commander_near(state, unit.side, square) else None


def try_motivation(play: Play[PbiState], unit: Unit, square: str) -> bool:
    """1D6, success if the total is equalled or exceeded (motivation); step 5."""
    state = play.state
    sure = _without_die(state, unit, square)
    if sure is not None:
        play.emit(Motivated(unit=unit.id, at=square, well=sure))
        return sure
    tally = motivation_tally(state, unit, square)
    well = tally.total <= 1
    if not well:
        (face,) = play.roll(6, 1, f"motivation, {tally.total:g}+", by=unit.side, tally=tally)
        well = face >= tally.total
    play.emit(Motivated(unit=unit.id, at=square, well=well))
    return well


def _commander_near(state: PbiState, side: str, square: str) -> bool:
    near = ground_of(state).near[square]
    return any(
        [piece.kind == "commander" and piece.side == side and piece.at in near for piece in state.pieces.values()]
    )
