"""Small positions for the tests of PBI: a table, a few pieces, scripted dice."""

from __future__ import annotations

from typing import Any

import msgspec

import sandtable
from sandtable.engine import Action, Frame, Match, ScriptedDice
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.model import Acting, Activation, Driving, Piece, Turn, Unit, Units
from sandtable.games.pbi.rulings import rules_of
from sandtable.games.pbi.table import FORWARD, ground_key

OPEN = ("........",) * 8
SIDES = {"a": "attacker", "d": "defender"}


def rows(**squares: str) -> tuple[str, ...]:
    """An open table with some squares changed: `rows(D4="W")`."""
    cells = [list(row) for row in OPEN]
    for name, cell in squares.items():
        cells[int(name[1:]) - 1][ord(name[0]) - 65] = cell
    return tuple("".join(row) for row in cells)


class Camp:
    """A position under construction; unit ids begin with a (attacker) or d (defender)."""

    def __init__(self, table: tuple[str, ...] = OPEN, **rulings: str) -> None:
        self.options = rulings
        rules = rules_of(rulings)
        self.state = GAME.state_type(
            ground=ground_key(table, rules),
            rules=rules,
            points={"attacker": 0, "defender": 0},
            zones={"attacker": 2, "defender": 4},
            countdown=21,
            turn=2,
        )
        self.script: ScriptedDice = ScriptedDice()

    def unit(self, id: str, kind: str = "platoon", quality: str = "average", nation: str = "us", **more: Any) -> Camp:
        """A unit; its strength is counted when pieces are added, unless it is given."""
        values = {"strength": 0, "name": id, **more}
        self.state.units[id] = Unit(id=id, side=SIDES[id[0]], kind=kind, quality=quality, nation=nation, **values)
        return self

    def add(self, unit: str, kind: str, at: str, number: int = 1, **more: Any) -> Camp:
        """Pieces of a unit, which is made if it is not there yet."""
        if unit not in self.state.units:
            forms = {"gun": "guns", "foot": "command" if kind == "commander" else "platoon"}
            self.unit(unit, forms.get(KINDS[kind].form, "vehicles"))
        own = self.state.units[unit]
        for _ in range(number):
            id = f"{unit}-{sum(1 for piece in self.state.pieces.values() if piece.unit == unit) + 1}"
            values = {"facing": FORWARD[own.side], **more}
            piece = Piece(id=id, side=own.side, unit=unit, kind=kind, at=at, **values)
            self.state.pieces[id] = piece
            if piece.within:
                self.state.cargo[piece.within] = (*self.state.cargo.get(piece.within, ()), id)
            elif at:
                self.state.at[at] = (*self.state.at.get(at, ()), id)
            if piece.officer:
                own = self.state.units[unit] = msgspec.structs.replace(own, officer="alive")
            if KINDS[kind].foot:
                own = self.state.units[unit] = msgspec.structs.replace(own, strength=own.strength + 1)
        return self

    def frames(self, *frames: Frame, side: str = "attacker", step: int = 5) -> Camp:
        """What is going on, above the turn itself."""
        self.state.stack = [Turn(side, step), *frames]
        return self

    def acting(self, *ids: str, ap: int = 6, residual: bool = False) -> Camp:
        """Foot bases with action points to spend."""
        first = self.state.pieces[ids[0]]
        for id in ids:
            self.state.pieces[id] = msgspec.structs.replace(self.state.pieces[id], ap=ap, acted=True)
        unit = first.unit
        return self.frames(Units(first.side), Activation(unit), Acting(unit, (ids,), residual), side=first.side)

    def driving(self, id: str, ap: int = 12) -> Camp:
        """A vehicle or gun with action points to spend."""
        piece = self.state.pieces[id] = msgspec.structs.replace(self.state.pieces[id], ap=ap, acted=True)
        return self.frames(Units(piece.side), Activation(piece.unit), Driving((id,)), side=piece.side)

    def match(self, *dice: int) -> Match:
        """The match, with these dice to come."""
        if not self.state.stack:
            self.frames(Units("attacker"))
        self.script = ScriptedDice(*dice)
        position = {
            "sandtable_position": 1,
            "game": "pbi",
            "scenario": "generated",
            "options": self.options,
            "state": msgspec.to_builtins(self.state, str_keys=True),
        }
        return sandtable.new(position, dice=self.script)


def do(match: Match, *actions: Action) -> list[Any]:
    """Carry out actions, whoever has to decide; all events."""
    events: list[Any] = []
    for action in actions:
        events += match.apply(match.to_act[0], action)
    return events


def legal(match: Match, kind: type) -> list[Any]:
    """The legal actions of one kind."""
    return [action for action in match.actions(match.to_act[0]) if isinstance(action, kind)]


def found(events: list[Any], kind: type) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def piece(match: Match, id: str) -> Piece:
    """A piece as it is now."""
    result: Piece = match.state.pieces[id]
    return result


def preview(match: Match, action: Action) -> dict[str, float]:
    """The odds of an action by their labels."""
    shown = GAME.preview(match.state, match.to_act[0], action)
    assert shown is not None
    return {line.label: line.chance for line in shown.odds}
