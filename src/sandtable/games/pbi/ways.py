"""Ways over the table for those who act: the squares within reach, what they cost, and who may shoot there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.engine import Action
from sandtable.engine.tools import Danger, Path, PathStep, at_least_one
from sandtable.games.pbi.actions import Face, Forward, Move, Reverse
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import can_leave, living, step_cost
from sandtable.games.pbi.model import Acting, Driving, PbiState, Piece
from sandtable.games.pbi.odds import successes
from sandtable.games.pbi.position import clear, ground_of, room_for_foot, room_for_vehicles, side_in
from sandtable.games.pbi.reaction import volley_shooters
from sandtable.games.pbi.smallarms import dice_tally, hit_score
from sandtable.games.pbi.vehicles import REVERSE_EXTRA, leave_cost
from sandtable.games.pbi.words import named


class Stand(NamedTuple):
    """Where somebody stands and looks; foot look nowhere in particular."""

    at: str
    facing: int


class Leg(NamedTuple):
    """One action of a way: what it costs, and how much it is worth avoiding among equals."""

    stand: Stand
    cost: int
    slant: int
    action: Action


class Found(NamedTuple):
    """How a place is reached: at what cost, from where, by what."""

    cost: int
    slants: int
    before: Stand
    leg: Leg


def path(state: PbiState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
    """The cheapest way for whoever acts, with those who may shoot at it on each square (foot-ap-cost-leave)."""
    movers = _movers(state, side, pieces)
    if movers is None:
        return None
    legs: list[Leg] = []
    stand, left = _stand(movers[0]), min(piece.ap for piece in movers)
    for goal in (*via, to):
        found = _search(state, movers, stand, left)
        reached = [place for place in found if place.at == goal]
        if not reached:
            return None
        part = _back(found, stand, min(reached, key=lambda place: found[place][:2]))
        legs += part
        left -= sum(leg.cost for leg in part)
        stand = part[-1].stand if part else stand
    steps: list[PathStep] = []
    cells, total = [movers[0].at], 0
    for leg in legs:
        total += leg.cost
        goes = leg.stand.at != cells[-1]
        note = "" if goes else "turns"
        known = danger(state, side, leg.stand.at) if goes else ()
        steps.append(PathStep(leg.stand.at, f"{leg.cost} AP", f"{total} AP", leg.action, note, known))
        if goes:
            cells.append(leg.stand.at)
    return Path(tuple(cells), f"{total} AP", tuple(steps), judged=True) if len(cells) > 1 else None


def reach(state: PbiState, side: str, pieces: Sequence[str]) -> dict[str, str]:
    """Every square that those who act can reach with the action points they have left."""
    movers = _movers(state, side, pieces)
    if movers is None:
        return {}
    costs: dict[str, int] = {}
    for place, found in _search(state, movers, _stand(movers[0]), min(piece.ap for piece in movers)).items():
        costs[place.at] = min(found.cost, costs.get(place.at, found.cost))
    return {square: f"{cost} AP" for square, cost in costs.items() if square != movers[0].at}


def dangers(state: PbiState, side: str, cells: Sequence[str]) -> dict[str, float]:
    """The chance that somebody is hit on entering each square, if all who can react do (odds-opportunity)."""
    chances = {cell: at_least_one([one.chance for one in danger(state, side, cell)]) for cell in cells}
    return {cell: chance for cell, chance in chances.items() if chance}


def _movers(state: PbiState, side: str, pieces: Sequence[str]) -> list[Piece] | None:
    """The pieces that act now, if they are the ones asked for and can go anywhere."""
    frame = state.stack[-1]
    if isinstance(frame, Acting):
        team = living(state, frame.teams[0])
        if frame.residual or not team or team[0].within or not can_leave(state, team, residual=False):
            return None
    elif isinstance(frame, Driving) and frame.pieces[0] in state.pieces:
        team = [state.pieces[frame.pieces[0]]]
        if team[0].immobile or not KINDS[team[0].kind].vehicle:
            return None
    else:
        return None
    return team if team[0].side == side and set(pieces) <= {piece.id for piece in team} else None


def _stand(piece: Piece) -> Stand:
    return Stand(piece.at, piece.facing if KINDS[piece.kind].vehicle else -1)


def _search(state: PbiState, movers: Sequence[Piece], start: Stand, points: int) -> dict[Stand, Found]:
    """The cheapest way to each place within so many points; of equal ones that with fewer diagonal steps."""
    found: dict[Stand, Found] = {}
    heap: list[tuple[int, int, Stand]] = [(0, 0, start)]
    done: set[Stand] = set()
    while heap:
        cost, slants, here = heappop(heap)
        if here in done:
            continue
        done.add(here)
        for leg in _legs(state, movers, here):
            total, slant = cost + leg.cost, slants + leg.slant
            known = found.get(leg.stand)
            if total > points or leg.stand == start or (known is not None and known[:2] <= (total, slant)):
                continue
            found[leg.stand] = Found(total, slant, here, leg)
            heappush(heap, (total, slant, leg.stand))
    return found


def _back(found: dict[Stand, Found], start: Stand, end: Stand) -> list[Leg]:
    legs: list[Leg] = []
    while end != start:
        legs.append(found[end].leg)
        end = found[end].before
    return legs[::-1]


def _legs(state: PbiState, movers: Sequence[Piece], here: Stand) -> Iterator[Leg]:
    """What a team or a vehicle can do next on its way (foot-ap-cost-leave, vehicle-ap-cost-leave)."""
    g = ground_of(state)
    side = movers[0].side
    if here.facing < 0:
        cost = step_cost(state, here.at, residual=False)
        for to in g.steps[here.at]:
            if side_in(state, to) in ("", side) and room_for_foot(state, to, len(movers)):
                slant = g.column[to] != g.column[here.at] and g.row[to] != g.row[here.at]
                yield Leg(Stand(to, -1), cost, int(slant), Move(to))
        return
    cost = leave_cost(g, here.at)
    for facing, extra, action in ((here.facing, 0, Forward()), ((here.facing + 4) % 8, REVERSE_EXTRA, Reverse())):
        to = g.ahead[here.at][facing]
        if to and side_in(state, to) in ("", side) and room_for_vehicles(state, to):
            yield Leg(Stand(to, here.facing), cost + extra, 0, action)
    for facing in ((here.facing + 1) % 8, (here.facing + 7) % 8):
        yield Leg(Stand(here.at, facing), 1, 0, Face(facing))


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
