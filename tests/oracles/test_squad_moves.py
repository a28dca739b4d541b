"""The oracle of movement, rout and advance: it agrees with the game in random play, and it would notice."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.engine import Match
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.rout.model import RoutStep, StartRout
from sandtable.oracles import run, squad_march, squad_moves, squad_routs

CHECKED = (
    "advance",
    "aids",
    "entry",
    "interdiction",
    "manhandling",
    "movement",
    "moving",
    "portage",
    "rout",
    "rout_paths",
    "stacks",
    "steps",
)
"""Modules whose answers the oracle judges, so that it may not ask them."""


def position(phase: str, *units: dict[str, Any], attacker: str = "german", scenario: str = "S13") -> Match:
    state = {"phase": phase, "attacker": attacker, "units": list(units), "weapons": []}
    return sandtable.new({"game": "aslsk2", "scenario": scenario, "state": state}, seed=1)


def squad(name: str, at: str, kind: str = "german 5-4-8", **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "at": at, **more}


def asked(match: Match, legal: Sequence[Any] | None = None) -> list[str] | None:
    side = match.to_act[0]
    return squad_moves.differences(match.state, side, match.actions(side).all if legal is None else legal)


def notices(match: Match, kind: type) -> None:
    """Without one of the offers, and with one that is not legal, the oracle speaks up."""
    legal = match.actions(match.to_act[0]).all
    mine = [action for action in legal if isinstance(action, kind)]
    assert mine
    assert asked(match) == []
    (missing,) = asked(match, [action for action in legal if action != mine[0]]) or [""]
    assert missing.endswith("is missing")


@pytest.mark.parametrize("scenario", ["aslsk2/S10", "aslsk2/S14", "aslguide/intro"])
def test_random_games_agree_with_the_text(scenario: str) -> None:
    found = run([scenario], [squad_moves], decisions=150, seed=3)
    assert found.decisions == 150
    assert found.first == []


def test_a_missing_move_is_noticed() -> None:
    match = position("MPh", squad("g", "K6"), squad("b", "A1", "british 4-5-7", group="australian"))
    notices(match, StartMove)
    for action in (StartMove("g"), BeginMove()):
        match.apply("german", action)
    notices(match, Step)


def test_a_step_too_many_is_noticed() -> None:
    match = position("MPh", squad("g", "K6"), squad("b", "A1", "british 4-5-7", group="australian"))
    for action in (StartMove("g"), BeginMove()):
        match.apply("german", action)
    (found,) = asked(match, [*match.actions("german").all, Step(0)]) or [""]
    assert found.endswith("is offered against the text")


def test_a_missing_rout_is_noticed() -> None:
    broken = squad("b", "K5", "british 4-5-7", group="australian", broken=True, dm=True)
    match = position("RtPh", squad("g", "K6"), broken)
    notices(match, StartRout)
    (unexpected,) = asked(match, [*match.actions("allied").all, Done()]) or [""]
    assert unexpected == "end routing is offered against the text"
    match.apply("allied", StartRout("b"))
    notices(match, RoutStep)


def test_a_missing_advance_is_noticed() -> None:
    match = position("APh", squad("g", "K6"), squad("b", "A1", "british 4-5-7", group="australian"))
    notices(match, StartAdvance)
    match.apply("german", StartAdvance("g"))
    notices(match, AdvanceTo)


def test_other_decisions_are_not_its_business() -> None:
    match = position("PFPh", squad("g", "K6"), squad("b", "K8", "british 4-5-7", group="australian"))
    assert EndPhase() in match.actions("german").all
    assert asked(match) is None


@pytest.mark.parametrize("module", [squad_moves, squad_march, squad_routs])
def test_it_does_not_ask_what_it_judges(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in names if name.rpartition(".")[2] in CHECKED]
