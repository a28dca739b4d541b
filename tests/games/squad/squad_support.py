"""Positions for tests of the squad-level rules: units on any board, scripted dice, marks of rule numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.engine import Action, Event, Match, ScriptedDice, register
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon
from sandtable.games.squad.rulesets import GUIDE, STARTER_KIT

DRILLS = Path(__file__).parent / "drill"
ATTACKER, DEFENDER = "russian", "german"
"""The sides of the drills; a side may hold counters of any nationality."""


@cache
def _cards() -> tuple[Scenario, ...]:
    texts = [tomllib.loads(path.read_text("utf-8")) for path in sorted(DRILLS.glob("*.toml"))]
    return tuple(msgspec.convert(text, Scenario) for text in texts)


register(SquadGame("drill", "Drill by the Starter Kit", STARTER_KIT, _cards, {}))
register(SquadGame("guidedrill", "Drill by the guide", GUIDE, _cards, {}))


def rule(number: str) -> pytest.MarkDecorator:
    """Mark a test with the rule of the booklet that it shows."""
    return pytest.mark.rule(number)


def unit(name: str, kind: str, at: str = "", **more: Any) -> dict[str, Any]:
    """A unit's line of a position; the side follows from the nationality unless it is given."""
    line = {"id": name, "kind": kind, **more}
    return line | {"at": at} if at else line


def weapon(name: str, kind: str, owner: str = "", **more: Any) -> dict[str, Any]:
    """A weapon's line of a position."""
    line = {"id": name, "kind": kind, **more}
    return line | {"owner": owner} if owner else line


def drill(
    board: str,
    phase: str,
    units: Sequence[dict[str, Any]],
    weapons: Sequence[dict[str, Any]] = (),
    *,
    attacker: str = ATTACKER,
    dice: Iterable[int] = (),
    game: str = "drill",
    options: dict[str, str] | None = None,
    **more: Any,
) -> Match:
    """A match that starts with these units on a board, in a phase, with these dice."""
    state = {"phase": phase, "attacker": attacker, "units": list(units), "weapons": list(weapons), **more}
    position = {"game": game, "scenario": board, "state": state}
    return sandtable.new(position, seed=1, options=options, dice=ScriptedDice(*dice))


def cell(match: Match, name: str) -> int:
    """The number of a hex."""
    from sandtable.games.squad.ground.setting import ground_of

    return ground_of(match.state).index(name)


def at(match: Match, name: str) -> str:
    """The hex of a unit by name."""
    from sandtable.games.squad.ground.setting import ground_of

    place = match.state.units[name].at
    return ground_of(match.state).names[place] if place >= 0 else ""


def get(match: Match, name: str) -> Unit:
    """A unit of the match."""
    state: SquadState = match.state
    return state.units[name]


def get_weapon(match: Match, name: str) -> Weapon:
    """A weapon of the match."""
    state: SquadState = match.state
    return state.weapons[name]


def do(match: Match, *actions: Action) -> list[Event]:
    """Carry out actions of whoever is to act; returns all that happened."""
    events: list[Event] = []
    for action in actions:
        events += match.apply(match.to_act[0], action)
    return events


def go(match: Match, *names: str) -> list[Event]:
    """The moving stack enters hexes one after the other, along the road where there is one."""
    from sandtable.games.squad.movement.model import Step

    events: list[Event] = []
    for name in names:
        to = cell(match, name)
        events += do(match, next(a for a in offered(match, Step) if a.to == to))
    return events


def offered(match: Match, kind: type[Action]) -> list[Any]:
    """The actions of a kind that are legal now."""
    return [action for action in match.actions(match.to_act[0]) if isinstance(action, kind)]


def happened(events: Iterable[Event], kind: type[Event]) -> list[Any]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


class MoreDice(Exception):
    """A course of the dice has come to an end: so many dice of so many sides are wanted, for this."""


class Course:
    """Dice that follow a course and stop where it ends."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = faces
        self.place = 0

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        found = self.faces[self.place : self.place + n]
        if len(found) < n:
            raise MoreDice(n, sides, why)
        self.place += n
        return found
