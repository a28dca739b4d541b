"""Opportunity and return shooting: the windows in which the other side may shoot."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Aim, Flame, Hold, Shell, Volley
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.guns import aim, flame, shell
from sandtable.games.pbi.model import PbiState, Piece, Turn, Window
from sandtable.games.pbi.position import clear, ground_of
from sandtable.games.pbi.saves import can_be_shot, is_soft
from sandtable.games.pbi.smallarms import NO_LIMIT, best_shooter, can_use_small_arms, small_arms_reach, volley
from sandtable.games.pbi.table import OTHER, Ground

OPPORTUNITY_FROM_STEP = 4
"""Step 4: opponent opportunity shooting from this point (turn-opportunity)."""


def open_opportunity(play: Play[PbiState], square: str) -> None:
    """Something moved in view: the other side may shoot (turn-opportunity)."""
    state = play.state
    turn = state.stack[0]
    assert isinstance(turn, Turn)
    side = OTHER[turn.side]
    window = Window(side, square, "opportunity", sure=True)
    if turn.step >= OPPORTUNITY_FROM_STEP and reactions(state, window, one=True):
        play.push(window)


def open_return(play: Play[PbiState], shooters: str, target: str) -> None:
    """A shot was made at a square: those in it may shoot back once it is resolved (odds-opportunity)."""
    state = play.state
    turn = state.stack[0]
    assert isinstance(turn, Turn)
    side = OTHER[turn.side]
    if state.rules.opportunity_trigger == "moves and shots":
        play.push(Window(side, target, "opportunity"))
    elif state.rules.return_shooting == "target":
        play.push(Window(side, target, "return", shooters))


def can_react(state: PbiState, piece: Piece) -> bool:
    """Once in each enemy turn, and not when pinned (rulings opportunity_limit and pinned_reacts)."""
    if piece.reacted or (piece.pinned and state.rules.pinned_reacts == "no"):
        return False
    return not piece.immobile or state.rules.immobilised_shoots == "yes"


def gun_bears(g: Ground, piece: Piece, kind: Kind, square: str) -> bool:
    """A gun or a vehicle without turret shoots into its arc only (odds-arc)."""
    if kind.form == "gun":
        return piece.deployed and square in g.arcs[piece.at][piece.facing]
    return kind.turret or square in g.arcs[piece.at][piece.facing]


def volley_shooters(state: PbiState, at: str, target: str) -> list[Piece]:
    """The small arms in a square, or on a vehicle, that can answer."""
    pieces = state.pieces
    distance = ground_of(state).range
    if at in pieces:
        vehicle = pieces[at]
        crew = [vehicle, *[pieces[id] for id in state.cargo.get(at, ())]]
        if any([piece.reacted for piece in crew]):
            return []  # one weapon shoots, the vehicle's own included (transports-shooters)
        far = distance[vehicle.at][target]
        able = [piece for piece in crew if _answers(state, piece, far)]
        return best_shooter(able) if state.cargo.get(at) else able
    far = distance[at][target]
    found = [pieces[id] for id in state.at.get(at, ()) if not KINDS[pieces[id].kind].vehicle]
    return [piece for piece in found if _answers(state, piece, far)]


def _answers(state: PbiState, piece: Piece, distance: int) -> bool:
    kind = KINDS[piece.kind]
    return (
        can_use_small_arms(kind, piece) and can_react(state, piece) and small_arms_reach(kind, state.rules) >= distance
    )


def _gun_answers(state: PbiState, g: Ground, piece: Piece, target: str) -> bool:
    """Whether an anti-tank weapon that may react reaches the square, or such a gun bears on it."""
    if not can_react(state, piece):
        return False
    kind = KINDS[piece.kind]
    if not kind.foot:
        return gun_bears(g, piece, kind, target)
    limit = NO_LIMIT if state.rules.weapon_reach == "unlimited" else kind.at_reach
    return g.range[target][piece.at] <= limit and (piece.deployed or not kind.deploys)


def reactions(state: PbiState, frame: Window, *, one: bool = False) -> list[Action]:
    """Every shot that the window allows; with `one`, no more than needed to know that there is one."""
    target = frame.target
    pieces, occupied = state.pieces, state.at
    there = occupied.get(target)
    side = frame.side
    if there is None or pieces[there[0]].side == side:
        return []
    g = ground_of(state)
    soft = is_soft(state, target)
    exposed = soft or can_be_shot(state, target)
    vehicles = [id for id in there if KINDS[pieces[id].kind].vehicle]
    flame_reach = int(state.rules.flame_reach)
    sees, distances, smoke = g.sees[target], g.range[target], state.smoke
    found: list[Action] = []
    for square in (frame.shooters,) if frame.shooters else occupied:
        if square not in sees:
            continue
        ids = occupied.get(square)
        if ids is None or pieces[ids[0]].side != side:
            continue
        if smoke and not clear(state, g, square, target):
            continue
        distance = distances[square]
        volleying = False
        for id in ids:
            piece = pieces[id]
            kind = KINDS[piece.kind]
            if kind.vehicle:
                if exposed and (kind.mg or kind.capacity) and volley_shooters(state, id, target):
                    found.append(Volley(id))
            elif exposed and not volleying and kind.dice and _answers(state, piece, distance):
                volleying = True
                found.append(Volley(square))
            if (kind.at or kind.gun) and (vehicles or soft) and _gun_answers(state, g, piece, target):
                found += [Aim(id, vehicle) for vehicle in vehicles]
                if soft and kind.he:
                    found.append(Shell(id, target))
            if kind.flame and state.rules.flame_reacts == "yes" and distance <= flame_reach and can_react(state, piece):
                found += [Flame(id, vehicle) for vehicle in vehicles]
                if soft:
                    found.append(Flame(id, target))
            if one and found:
                return found
    return found


class WindowProcedure(Procedure[PbiState, Window]):
    """The other side shoots or holds (odds-opportunity)."""

    def to_act(self, state: PbiState, frame: Window) -> tuple[str, ...]:
        return (frame.side,) if frame.sure or reactions(state, frame, one=True) else ()

    def run(self, play: Play[PbiState], frame: Window) -> None:
        play.pop()
        if play.state.rules.opportunity_limit == "each window":
            rest(play.state, frame.side)

    def actions(self, state: PbiState, frame: Window, side: str) -> Sequence[Action]:
        return [*reactions(state, frame), Hold()]

    def apply(self, play: Play[PbiState], frame: Window, side: str, action: Action) -> None:
        state = play.state
        if frame.sure:
            play.replace(replace(frame, sure=False))
        match action:
            case Volley(at=at):
                volley(play, volley_shooters(state, at, frame.target), frame.target, reacting=True)
            case Aim(piece=id, target=target):
                aim(play, state.pieces[id], state.pieces[target], reacting=True)
            case Shell(piece=id, at=at):
                shell(play, state.pieces[id], at, reacting=True)
            case Flame(piece=id, target=target):
                flame(play, state.pieces[id], target, reacting=True)
            case _:
                self.run(play, frame)


def rest(state: PbiState, side: str) -> None:
    """Everybody may shoot again at the next occasion (ruling opportunity_limit)."""
    for piece in [piece for piece in state.pieces.values() if piece.reacted and piece.side == side]:
        state.pieces[piece.id] = replace(piece, reacted=False)


PART: Part[PbiState] = Part(procedures={Window: WindowProcedure()})
