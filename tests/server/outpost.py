"""The tiny game with everything a game may offer to its players: for the server's tests, and to try the client with.

`sandtable serve --game server.outpost:GAME` with `tests` on the Python path serves it.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.engine import Action, Seat
from sandtable.engine.errors import IllegalAction
from sandtable.engine.tools import Danger, Lesson, LessonStep, Los, LosCause, Path, PathStep, Term, Visible
from sandtable.engine.view import Description
from sandtable.players import register_player
from tiny import Outpost
from tiny.model import BLUE, HEXES, NEAR, RANGE, RED, WOODS, Fire, HideAt, Move, OutpostState, Turn
from tiny.rules import FIRE_RANGE, fire_tally

SIZE = 40.0


def centre(name: str) -> tuple[float, float]:
    column, row = ord(name[0]) - 97, int(name[1]) - 1
    return SIZE * (1 + 1.5 * column), SIZE * math.sqrt(3) * (row + 0.5 + 0.5 * (column & 1)) + 4


def outline(name: str) -> list[list[float]]:
    x, y = centre(name)
    corners = [(x + SIZE * math.cos(k * math.pi / 3), y + SIZE * math.sin(k * math.pi / 3)) for k in range(6)]
    return [[round(a, 1), round(b, 1)] for a, b in corners]


class Post(Outpost):
    """Outpost as a game that a client can show."""

    id = "outpost"

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        cells = [
            {
                "id": name,
                "x": round(centre(name)[0], 1),
                "y": round(centre(name)[1], 1),
                "outline": outline(name),
                "label": name,
                "terrain": "woods" if name in WOODS else "open",
                "facts": [["Woods", "-2 to fire", "3.2"]] if name in WOODS else [],
            }
            for name in HEXES
        ]
        drawn = "".join(
            f'<polygon points="{" ".join(f"{x},{y}" for x, y in outline(name))}" stroke="#777" '
            f'fill="{"#7a9a5a" if name in WOODS else "#e4e0c4"}"/>'
            for name in HEXES
        )
        picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 380 390">{drawn}</svg>'
        return {
            "grid": "hex",
            "width": 380,
            "height": 390,
            "picture": picture,
            "cells": cells,
            "directions": [0, 60, 120, 180, 240, 300],
            "piece_size": 36,
            "sides": {RED: {"label": "Red", "colour": "#b03a2e"}, BLUE: {"label": "Blue", "colour": "#2e5fb0"}},
            "legend": [{"face": "post", "label": "The post", "text": "Red wants it", "rule": "4.2"}],
        }

    def faces(self) -> Mapping[str, str]:
        counter = '<rect x="4" y="4" width="92" height="92" rx="8" fill="{}"/>'
        faces = {RED: counter.format("#b03a2e"), BLUE: counter.format("#2e5fb0")}
        faces |= {f"{side}/shaken": f'{face}<path d="M10 10L90 90" stroke="#fff"/>' for side, face in faces.items()}
        mark = '<circle cx="50" cy="50" r="40" fill="{}"/>'
        return faces | {"post": mark.format("#c90"), "hidden": mark.format("#333"), "spent": mark.format("#999")}

    def rule_titles(self) -> Mapping[str, str]:
        return {"3.1": "Next to the target", "3.2": "Targets in woods", "4.2": "Taking the post"}

    def glossary(self) -> Sequence[Term]:
        return [
            Term("shaken", "Shaken", "Was hit once: cannot move.", "2.2", ("red/shaken", "blue/shaken"), ("shaken",))
        ]

    def lessons(self) -> Sequence[Lesson]:
        steps = (
            LessonStep("Move a piece.", until="event:Moved"),
            LessonStep("End the turn.", until="event:TurnBegan(side=blue)"),
        )
        return [Lesson("first", "First steps", "Move and fire.", "post", RED, steps, seed=3)]

    def describe(self, state: OutpostState, side: str, action: Action) -> Description:
        described = super().describe(state, side, action)
        if not isinstance(action, Fire):
            return described
        shooter, target = state.pieces[action.piece], state.pieces[action.target]
        facts = (("range", str(RANGE[shooter.at][target.at])), ("open", "no" if target.at in WOODS else "yes"))
        return msgspec.structs.replace(described, facts=facts)

    def line_of_sight(self, state: OutpostState, side: str | None, a: str, b: str) -> Los | None:
        if a not in HEXES or b not in HEXES:
            raise IllegalAction("There is no such hex", "1.1")
        between = [c for c in HEXES if c in WOODS and c not in (a, b) and RANGE[a][c] + RANGE[c][b] == RANGE[a][b]]
        causes = tuple(LosCause(c, "blocks", "Woods", rule="3.2") for c in between)
        text = f"Blocked by the woods in {between[0]}" if between else "Clear"
        first = between[0] if between else ""
        return Los(a, b, not between, text, "3.2", RANGE[a][b], 0, first, (centre(a), centre(b)), causes)

    def visible_from(self, state: OutpostState, side: str | None, a: str) -> Visible | None:
        lines = {b: self.line_of_sight(state, side, a, b) for b in HEXES if b != a}
        clear = {b: 0.0 for b, line in lines.items() if line and line.clear}
        return Visible(a, clear, tuple(b for b in lines if b not in clear))

    def path(
        self, state: OutpostState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()
    ) -> Path | None:
        if not isinstance(state.stack[-1], Turn) or len(pieces) != 1 or pieces[0] not in state.pieces:
            return None
        piece = state.pieces[pieces[0]]
        if piece.side != side or to not in NEAR[piece.at]:
            return None
        known = [enemy for enemy in state.pieces.values() if enemy.side != side and not enemy.hidden]
        there = msgspec.structs.replace(piece, at=to)
        danger = tuple(
            Danger(enemy.at, "may fire", enemy.id, fire_tally(enemy, there, moving=True), rule="3.4")
            for enemy in known
            if not enemy.spent and RANGE[enemy.at][to] <= FIRE_RANGE
        )
        return Path((piece.at, to), "1 hex", (PathStep(to, "1", "1", Move(piece.id, to), danger=danger),), judged=True)


class Recruit:
    """Moves towards the post and shoots when it can."""

    def __init__(self) -> None:
        self.explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        fire = [action for action in seat.actions() if isinstance(action, Fire)]
        self.explanation = "There is somebody to shoot at." if fire else "Nobody is in range."
        choice: Action = source.choice(fire or list(seat.actions()))
        return choice


class Cheat:
    """Chooses what is not allowed."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        return HideAt("z9")


class Sleeper:
    """Thinks for ever."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        time.sleep(3600)
        raise AssertionError("nobody waits so long")


class Mortal:
    """Dies over its first decision."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        os._exit(3)


for _level, _make in (("recruit", Recruit), ("cheat", Cheat), ("sleeper", Sleeper), ("mortal", Mortal)):
    register_player("outpost", _level, _make)

GAME = Post()
