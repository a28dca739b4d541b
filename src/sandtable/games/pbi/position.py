"""Where pieces are: the one place that puts them, moves them and takes them away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import LeftTable, Lost, ObjectiveTaken, UnitRemoved
from sandtable.games.pbi.model import PbiState, Piece
from sandtable.games.pbi.table import OTHER, Ground, ground
from sandtable.games.pbi.victory import judge

TOWED_GUN_PLACES = 2


def ground_of(state: PbiState) -> Ground:
    """What follows from the table."""
    return ground(state.ground)


def side_in(state: PbiState, square: str) -> str:
    """The side that is in a square; sides never share one."""
    ids = state.at.get(square)
    return state.pieces[ids[0]].side if ids else ""


def pieces_in(state: PbiState, square: str) -> list[Piece]:
    """The pieces in a square, without what they carry."""
    pieces = state.pieces
    return [pieces[id] for id in state.at.get(square, ())]


def unit_pieces(state: PbiState, unit: str) -> list[Piece]:
    """All pieces of a unit."""
    return [piece for piece in state.pieces.values() if piece.unit == unit]


def foot_strength(state: PbiState, unit: str) -> int:
    """The foot bases that a unit has left."""
    return sum([1 for piece in state.pieces.values() if piece.unit == unit and KINDS[piece.kind].foot])


def clear(state: PbiState, g: Ground, start: str, end: str) -> bool:
    """Whether one square sees another, smoke included (odds-smoke)."""
    if end not in g.sees[start]:
        return False
    smoke = state.smoke
    if not smoke:
        return True
    if start in smoke or end in smoke:
        return False
    return state.rules.smoke_between != "stops" or smoke.keys().isdisjoint(g.between[start][end])


def officer_present(state: PbiState, square: str, side: str) -> bool:
    """Whether a platoon or company commander is in a square, mounted or not."""
    pieces, cargo = state.pieces, state.cargo
    for id in state.at.get(square, ()):
        piece = pieces[id]
        if piece.officer and piece.side == side:
            return True
        for load in cargo.get(id, ()):
            if pieces[load].officer:
                return True
    return False


def room_for_foot(state: PbiState, square: str, number: int) -> bool:
    """Whether a square has room for so many more bases and guns; carried ones do not count (transports-clustering)."""
    limit = state.rules.clustering
    if limit == "none":
        return True
    pieces = state.pieces
    there = sum([1 for id in state.at.get(square, ()) if not KINDS[pieces[id].kind].vehicle])
    return there + number <= int(limit)


def places_used(state: PbiState, vehicle: str) -> int:
    """Places of a transport that are taken; a gun on the hook takes two (ruling towing)."""
    pieces = state.pieces
    gun = TOWED_GUN_PLACES if state.rules.towing == "two" else 0
    return sum([1 if KINDS[pieces[id].kind].foot else gun for id in state.cargo.get(vehicle, ())])


def room_for_vehicles(state: PbiState, square: str, number: int = 1) -> bool:
    """Whether so many more vehicles may be in a square (ruling vehicles_in_square)."""
    limit = state.rules.vehicles_in_square
    if limit == "none":
        return True
    pieces = state.pieces
    there = sum([1 for id in state.at.get(square, ()) if KINDS[pieces[id].kind].vehicle])
    return there + number <= int(limit)


def put(state: PbiState, piece: Piece, square: str) -> Piece:
    """Set a piece down in a square."""
    piece = state.pieces[piece.id] = replace(piece, at=square, within="")
    state.at[square] = (*state.at.get(square, ()), piece.id)
    return piece


def lift(state: PbiState, piece: Piece) -> None:
    """Take a piece out of its square or vehicle; `put` or `load` must follow, or its end."""
    where, index = (state.cargo, piece.within) if piece.within else (state.at, piece.at)
    rest = tuple([id for id in where.get(index, ()) if id != piece.id])
    if rest:
        where[index] = rest
    else:
        where.pop(index, None)


def load(state: PbiState, piece: Piece, vehicle: Piece) -> None:
    """Put a piece into or behind a vehicle."""
    lift(state, piece)
    state.pieces[piece.id] = replace(piece, at=vehicle.at, within=vehicle.id, deployed=False)
    state.cargo[vehicle.id] = (*state.cargo.get(vehicle.id, ()), piece.id)


def unload(state: PbiState, piece: Piece) -> Piece:
    """Set what a vehicle carries down in the vehicle's square."""
    lift(state, piece)
    return put(state, piece, piece.at)


def shift(state: PbiState, ids: Sequence[str], to: str) -> None:
    """Move pieces of one square to another with what they carry; counts no movement."""
    pieces = state.pieces
    start = pieces[ids[0]].at
    rest = tuple([id for id in state.at[start] if id not in ids])
    if rest:
        state.at[start] = rest
    else:
        del state.at[start]
    state.at[to] = (*state.at.get(to, ()), *ids)
    cargo = state.cargo
    for id in ids:
        pieces[id] = replace(pieces[id], at=to)
        for loaded in cargo.get(id, ()):
            pieces[loaded] = replace(pieces[loaded], at=to)


def take_objective(play: Play[PbiState], square: str, side: str) -> None:
    """Foot that enter an objective hold it until enemy foot do."""
    state = play.state
    if square in state.objectives and state.control.get(square) != side:
        state.control[square] = side
        play.emit(ObjectiveTaken(side=side, at=square, worth=state.objectives[square]))


def hold_objective(play: Play[PbiState], square: str) -> None:
    """Foot that came to an objective otherwise than by a step take it too (ruling objective_taken)."""
    state = play.state
    if square not in state.objectives or state.rules.objective_taken != "foot there":
        return
    for piece in pieces_in(state, square):
        if KINDS[piece.kind].foot:
            take_objective(play, square, piece.side)
            return


def remove(play: Play[PbiState], piece: Piece) -> None:
    """Take a piece off the table for good; its unit may be gone with it."""
    state = play.state
    lift(state, piece)
    del state.pieces[piece.id]
    unit = state.units[piece.unit]
    if piece.officer and unit.officer:
        unit = state.units[unit.id] = replace(unit, officer="dead")
    if not unit.gone and not any([other.unit == unit.id for other in state.pieces.values()]):
        unit_gone(play, unit.id, "destroyed")


def kill(play: Play[PbiState], piece: Piece, how: str, *, empties: bool = True) -> None:
    """A base or gun is lost: foot leave a casualty mark (morale-foot); a transport that this empties may go home."""
    state = play.state
    kind = KINDS[piece.kind]
    play.emit(Lost(piece=piece.id, name=kind.name, side=piece.side, at=piece.at, how=how))
    if kind.foot:
        unit = state.units[piece.unit]
        state.units[unit.id] = replace(unit, casualties=unit.casualties + 1)
    vehicle = piece.within
    remove(play, piece)
    if empties and vehicle in state.pieces:
        send_home(play, state.pieces[vehicle])


def unit_gone(play: Play[PbiState], unit_id: str, why: str) -> None:
    """A unit leaves the battle: the enemy scores for it."""
    state = play.state
    unit = state.units[unit_id]
    if unit.gone:
        return
    state.units[unit_id] = replace(unit, gone=True)
    play.emit(UnitRemoved(unit=unit_id, why=why))
    other = OTHER[unit.side]
    state.points[other] = state.points.get(other, 0) + int(state.rules.unit_value)
    for piece in unit_pieces(state, unit_id):
        for loaded in state.cargo.get(piece.id, ()):
            if state.pieces[loaded].unit != unit_id:
                unload(state, state.pieces[loaded])
                hold_objective(play, piece.at)
        lift(state, piece)
        del state.pieces[piece.id]
        state.cargo.pop(piece.id, None)
        if piece.within in state.pieces and state.pieces[piece.within].unit != unit_id:
            send_home(play, state.pieces[piece.within])
    judge(state)


def send_home(play: Play[PbiState], vehicle: Piece) -> None:
    """An empty wheeled transport leaves the game unless it has a machine-gun (transports-wheeled)."""
    state = play.state
    kind = KINDS[vehicle.kind]
    if kind.form == "wheeled" and (vehicle.silenced or not kind.mg) and vehicle.id not in state.cargo:
        play.emit(LeftTable(piece=vehicle.id, at=vehicle.at))
        remove(play, vehicle)


def pin(play: Play[PbiState], pieces: Iterable[Piece]) -> tuple[str, ...]:
    """Foot and deployed guns are pinned; vehicles never are."""
    state = play.state
    pinned = []
    for piece in pieces:
        if not piece.pinned and not KINDS[piece.kind].vehicle:
            state.pieces[piece.id] = replace(piece, pinned=True)
            pinned.append(piece.id)
    return tuple(pinned)


def same_class(piece: Piece) -> tuple[object, ...]:
    """Pieces of one class are alike for whoever has to choose among them."""
    return (
        piece.unit,
        piece.kind,
        piece.officer,
        piece.pinned,
        piece.within,
        piece.deployed,
        piece.moved > 0,
        piece.ap,
        piece.facing,
        piece.immobile,
        piece.shots,
        piece.special,
        piece.weapon,
        piece.silenced,
        piece.acted,
        piece.reacted,
    )


def one_of_each(pieces: Sequence[Piece]) -> list[Piece]:
    """The first piece of every class."""
    seen: dict[tuple[object, ...], Piece] = {}
    for piece in pieces:
        seen.setdefault(same_class(piece), piece)
    return list(seen.values())
