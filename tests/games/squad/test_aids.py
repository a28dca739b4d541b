"""Paths and lines of sight that players may ask for."""

from __future__ import annotations

import pytest
from squad_support import do, drill, rule, unit

from sandtable.engine import get_game
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.move_model import BeginMove, StartMove


def test_a_path_is_a_list_of_legal_actions_with_its_dangers() -> None:
    units = [unit("a", "russian 4-4-7", "F6"), unit("g", "german 4-6-7", "K5")]
    match = drill("z", "MPh", units)
    path = match.game.path(match.state, "russian", ["a"], "I5")
    assert path is not None
    assert path.cells == ("F6", "G6", "H5", "I5")
    assert path.total == "3 MF"
    assert [danger.piece for danger in path.steps[-1].danger] == ["g"]
    for step in path.steps:
        if match.to_act != ("russian",):
            break
        assert step.action in match.actions("russian")
        do(match, step.action)  # type: ignore[arg-type]
    assert match.game.path(match.state, "russian", ["a"], "A1") is None, "too far"


def test_a_path_goes_on_from_the_middle_of_a_move() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "F6")])
    do(match, StartMove("a"), BeginMove())
    path = match.game.path(match.state, "russian", ["a"], "H5", ["G6"])
    assert path is not None
    assert len(path.steps) == 2


@rule("3.2.1")
def test_lines_of_sight_are_free_only_by_agreement() -> None:
    game = get_game("aslsk2")
    units = [unit("a", "russian 4-4-7", "F6"), unit("g", "german 4-6-7", "K5")]
    match = drill("z", "MPh", units)
    seen = game.line_of_sight(match.state, "russian", "I5", "K5")
    assert seen is not None
    assert seen.clear
    visible = game.visible_from(match.state, "russian", "K5")
    assert visible is not None
    assert "I5" in visible.cells
    match = drill("z", "MPh", units, options={"los": "declared"})
    with pytest.raises(IllegalAction):
        game.line_of_sight(match.state, "russian", "I5", "K5")
    path = match.game.path(match.state, "russian", ["a"], "I5")
    assert path is not None
    assert not any(step.danger for step in path.steps)
