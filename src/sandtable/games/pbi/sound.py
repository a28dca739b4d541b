"""Whether a position that somebody wrote holds together."""

from __future__ import annotations

from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.model import PbiState, Piece
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.rulings import rulings
from sandtable.games.pbi.table import DEFENDER, SIDES


def check(state: PbiState) -> None:
    """Say what is wrong with a position; raises ValueError with a sentence."""
    squares = ground_of(state).sees
    if any(getattr(frame, "side", DEFENDER) not in SIDES for frame in state.stack):
        raise ValueError("what is going on in it belongs to no side")
    for ruling in rulings().values():
        if getattr(state.rules, ruling.id) not in ruling.values:
            raise ValueError(f"the ruling {ruling.id} is one of {', '.join(ruling.values)}")
    for name, unit in state.units.items():
        if unit.id != name:
            raise ValueError(f"unit {name} calls itself {unit.id!r}")
    for name, piece in state.pieces.items():
        if piece.id != name or piece.unit not in state.units or piece.kind not in KINDS:
            raise ValueError(f"piece {name} has no unit, is of no kind or calls itself {piece.id!r}")
        if piece.at and piece.at not in squares:
            raise ValueError(f"piece {name} is in {piece.at!r}, which is no square of the table")
        holders, where = (state.cargo, piece.within) if piece.within else (state.at, piece.at)
        if where and name not in holders.get(where, ()):
            raise ValueError(f"piece {name} is in {where}, but {where} does not hold it")
    _check_held(state)


def _check_held(state: PbiState) -> None:
    """Every square and vehicle holds pieces, and just those that are in it."""
    for holders, field in ((state.at, "at"), (state.cargo, "within")):
        for where, names in holders.items():
            held: list[Piece | None] = [state.pieces.get(name) for name in names]
            if not held or len(set(names)) < len(names) or any(p is None or getattr(p, field) != where for p in held):
                raise ValueError(f"{where} does not hold just the pieces that are in it")
    if any(vehicle not in state.pieces for vehicle in state.cargo):
        raise ValueError("something is carried by a vehicle that is not there")
