"""The walkthroughs can be walked through."""

from __future__ import annotations

import pytest
from squad_support import do

import sandtable
from sandtable.engine import get_game
from sandtable.engine.tools import Lesson

LESSONS = {lesson.id: lesson for lesson in get_game("aslsk2").lessons()}


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_a_lesson_starts_with_the_player_and_names_what_is_there(lesson: Lesson) -> None:
    assert lesson.position is not None
    match = sandtable.new(lesson.position, seed=lesson.seed)
    assert lesson.side in match.to_act or lesson.id == "first-game"  # there the enemy moves first
    pieces = {piece["id"] for piece in match.view(lesson.side)["pieces"]}
    cells = {cell["id"] for cell in get_game("aslsk2").scene(lesson.scenario, {})["cells"]}
    for step in lesson.steps:
        assert set(step.pieces) <= pieces
        assert set(step.cells) <= cells
        kind = step.until.partition(":")[0]
        assert kind in ("", "turn", "event", "group", "phase")


@pytest.mark.parametrize(
    ("name", "groups"),
    [("fire", ["fire", "fire", "fire"]), ("movement", ["move", "move", "move", "move"]), ("close-combat", ["advance"])],
)
def test_the_groups_that_a_lesson_waits_for_exist(name: str, groups: list[str]) -> None:
    lesson = LESSONS[name]
    match = sandtable.new(lesson.position, seed=lesson.seed)  # type: ignore[arg-type]
    for group in groups:
        side = match.to_act[0]
        wanted = [a for a in match.actions(side) if match.describe(side, a).group == group]
        assert wanted, f"{group} is not offered: {[match.describe(side, a).text for a in match.actions(side)]}"
        do(match, wanted[0])
