"""Paths and lines of sight that players may ask for."""

from __future__ import annotations

import pytest
from squad_support import do, drill, rule, unit

from sandtable.engine import get_game, new
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.model import AddDirector, AddFirer, ResolveFire, StartFire
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove


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


@rule("3.3.1")
def test_the_danger_of_a_way_has_its_modifiers_and_its_chance() -> None:
    units = [
        unit("a", "russian 4-4-7", "F6"),
        unit("g", "german 4-6-7", "K5"),
        unit("l", "german 9-1", "K5"),
    ]
    match = drill("z", "MPh", units, [{"id": "w", "kind": "german LMG", "owner": "g"}])
    path = match.game.path(match.state, "russian", ["a"], "I5")
    assert path is not None
    (danger,) = path.steps[-1].danger
    assert (danger.at, danger.piece) == ("K5", "g")
    assert danger.text == "4-6-7 g, LMG w, 9-1 l in K5: 7 FP on the 6 column, DRM -3"
    assert danger.tally is not None
    assert [(item.label, item.value) for item in danger.tally.items] == [
        ("FFNAM", -1),
        ("FFMO", -1),
        ("leader 9-1 l", -1),
    ]
    for step in path.steps:
        do(match, step.action)  # type: ignore[arg-type]
        while match.to_act == ("german",) and step is not path.steps[-1]:
            do(match, Pass())
    do(match, StartFire("g"), AddFirer("w"), AddDirector("l"))
    preview = match.preview("german", ResolveFire())
    assert preview is not None
    assert preview.tallies[1] == danger.tally, "the enemy's own preview says the same"
    assert danger.chance == pytest.approx(
        next(line.chance for line in preview.odds if line.label.startswith("somebody breaks"))
    )


@rule("6.4")
def test_hidden_enemies_are_no_danger_that_is_told() -> None:
    units = [unit("a", "russian 4-4-7", "F6"), unit("g", "german 2-2-8", "K5", hip=True)]
    gun = {"id": "w", "kind": "german 7.5cm PaK 40 AT", "owner": "g", "facing": 5, "emplaced": True, "hip": True}
    told = []
    for hidden in ([gun], []):
        match = drill("z", "MPh", units[: 1 + len(hidden)], hidden)
        path = match.game.path(match.state, "russian", ["a"], "I5")
        assert path is not None
        told.append([step.danger for step in path.steps])
    assert told[0] == told[1]


@rule("3.2.1")
def test_a_blocked_line_says_what_blocks_and_why() -> None:
    match = new("aslsk2/S15", seed=1)
    los = match.game.line_of_sight(match.state, None, "I7", "N5")
    assert los is not None
    assert not los.clear
    assert los.text == "Blocked: the line from I7 down meets a crest line in J6, not just as it leaves I7"
    (cause,) = [cause for cause in los.causes if cause.kind == "blocks"]
    assert (cause.cell, cause.label) == ("J6", "crest line")
    wall = match.game.line_of_sight(match.state, None, "N3", "N1")
    assert wall is not None
    assert "tone building in N2" in wall.text
