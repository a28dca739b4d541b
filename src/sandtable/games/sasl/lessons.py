"""The lesson of Solitaire ASL: a platoon meets its first S?, and the ENEMY answers by its tables."""

from __future__ import annotations

from typing import Any

from sandtable.engine.tools import Lesson, LessonStep
from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.squad.show.lessons import after, during, unit
from sandtable.space.board import load_board

BOARD = "w"
OWN, NEXT, GOAL, FAR = "wI8", "wJ8", "wK8", "wM8"
SUSPECTS = {"s1": GOAL, "s2": FAR, "s3": "wP8"}
MINE = f"active:{FRIENDLY}"


def _cell(name: str) -> int:
    """The number of a hex of the one board."""
    return load_board(BOARD).grid.names.index(name.removeprefix(BOARD))


def _position() -> dict[str, Any]:
    goals = [GOAL, "wK9"]
    state = {
        "turn": 3,
        "phase": "MPh",
        "attacker": FRIENDLY,
        "serial": 40,
        "units": [
            unit("f1", "german 4-6-7", OWN, group="company"),
            unit("f2", "german 4-6-7", OWN, group="company"),
            unit("f3", "german 8-1", OWN, group="company"),
            unit("f4", "german 4-6-7", "wG7", group="company"),
            unit("f5", "german 8-0", "wG7", group="company"),
        ],
        "weapons": [{"id": "w1", "kind": "german LMG", "owner": "f1"}],
        "suspects": {name: {"id": name, "at": _cell(at)} for name, at in SUSPECTS.items()},
        "objectives": {
            GOAL: {
                "id": GOAL,
                "cells": [_cell(name) for name in goals],
                "owners": [ENEMY] * len(goals),
                "board": BOARD,
            }
        },
        "roster": {"enemy_san": 2, "friendly_san": 3, "ac": 4, "placed": len(SUSPECTS)},
        "rolled": {
            "mission": 1,
            "theatre": "Eastern ETO",
            "date": "1942-07",
            "friendly_title": "Germany",
            "enemy_title": "Russia",
            "places": ["Eastern ETO", "Russia"],
            "company": "A platoon of an Infantry company",
            "boards": [{"printed": "vw", "board": BOARD, "type": "village", "prefix": BOARD, "vpo": [[GOAL]]}],
        },
    }
    return {"game": "sasl", "scenario": "1", "state": state}


STEPS = (
    LessonStep(
        "Welcome. Nobody plays the ENEMY: printed tables and dice do. You lead a German platoon on a village board;"
        " west is up. The dark counters are S?: suspects. What they are is not decided yet. Point at the one in "
        f"{GOAL}: the panel shows what it could be, with exact odds.",
        (GOAL,),
        ("s1",),
    ),
    LessonStep(
        f"It is your Movement Phase. The building in {GOAL} is a Victory Point Objective (VPO), and you must find out"
        f" who holds it. Click a squad in {OWN}, then the orchard hex {NEXT}.",
        (OWN, NEXT),
        ("f2",),
        "event:Moved(units=f1) or event:Moved(units=f2) or event:Activated",
        during("Movement Phase", MINE, "here:s1"),
    ),
    LessonStep(
        "A unit that spends Movement Factors where it meets the ladder of a S? causes its Activation Check: a dr "
        "against the AC#. The log shows the roll with a link to the table and the row marked. If the S? is Activated,"
        " table A1 says what it is, and it may fire at once. Move other units if you like, then end the Movement"
        " Phase.",
        (GOAL,),
        (),
        after("Movement Phase"),
        MINE,
    ),
    LessonStep(
        "You may now fire at the enemies that you have found and can see; S? cannot be fired at. Fire if there is a "
        "target, then end each phase until you may advance.",
        (),
        (),
        "phase:Advance Phase or phase:Close Combat Phase or not active:friendly or over",
        MINE,
    ),
    LessonStep(
        "In the Advance Phase a unit may go one hex further. If it advances into the Location of a S?, it Activates "
        "the S? without a check. Advance or stay where you are, then end your turn.",
        (GOAL,),
        (),
        "not active:friendly or over",
        MINE,
    ),
    LessonStep(
        "Now the tables play. Each ENEMY Location acts by its Attitude: on A2b for Hold, on A2a for Advance. Every "
        "line of the log gives the table, the roll, the row and why that Target was chosen. At the top you can set how"
        " quickly it is shown.",
        (),
        (),
        "asked and active:friendly or over",
    ),
    LessonStep(
        "It is your turn again. In every Rally Phase the Wind Change DR may cause a Random Event; your Command DR"
        " follow in the Prep Fire Phase: a unit that fails one Panics and does nothing in this turn. The panel Roster"
        " under Standing shows AC#, RE Numbers, SAN and the points so far. Play on until your Movement Phase.",
        (),
        (),
        "asked and phase:Movement Phase or over",
    ),
    LessonStep(
        "That is Solitaire ASL. The Mission End dr decides when a mission ends; the objectives are then valued, and the"
        " higher total wins. Start with Mission 1: set it up step by step, or roll everything with one button."
    ),
)


def lessons() -> tuple[Lesson, ...]:
    """The first mission, in small."""
    return (
        Lesson(
            "first",
            "A first mission",
            "A platoon meets its first suspects, and the ENEMY answers by its tables.",
            "1",
            FRIENDLY,
            STEPS,
            _position(),
            seed=4,
        ),
    )
