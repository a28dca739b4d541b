"""Lessons go along with what the player does: on the path, off it, and back when something is taken back."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import sandtable
from sandtable.engine import Action, Match, Seat, game_names, get_game
from sandtable.engine.errors import SandtableError
from sandtable.engine.lesson import Progress, Track, check, track
from sandtable.engine.tools import Lesson, LessonStep
from sandtable.players import make_player

GAMES = ("aslguide", "aslsk2", "pbi", "sasl", "underbelly")
LESSONS = [(game, lesson) for game in GAMES for lesson in get_game(game).lessons()]
NAMES = [f"{game}-{lesson.id}" for game, lesson in LESSONS]


def begin(game: str, lesson: Lesson, seed: int | None = None) -> Match:
    return sandtable.new(lesson.position or f"{game}/{lesson.scenario}", seed=lesson.seed if seed is None else seed)


def go(match: Match, on: Track, side: str, text: str, pieces: tuple[str, ...] = ()) -> None:
    """Do the action of a side that reads like this and acts with these pieces."""
    told = {action: match.describe(side, action) for action in match.actions(side)}
    found = [one for one, words in told.items() if text in words.text and pieces in ((), words.pieces)]
    assert found, f"{text} is not offered: {[match.describe(side, one).text for one in match.actions(side)]}"
    events = match.apply(side, found[0])
    on.follow(match, match.record().entries[-1], events)


def pass_on(match: Match, on: Track, until: Callable[[], bool]) -> None:
    """Let everything pass, with the last action offered, until something holds."""
    for _ in range(60):
        if until():
            return
        side = match.to_act[0]
        passing = [one for one in match.actions(side) if match.describe(side, one).group in ("done", "pass")]
        events = match.apply(side, (passing or list(match.actions(side)))[-1])
        on.follow(match, match.record().entries[-1], events)
    raise AssertionError("it never came")


def test_every_game_that_ships_has_a_lesson() -> None:
    assert {name for name in game_names() if get_game(name).lessons()} >= set(GAMES)
    assert LESSONS[0][1].opponent == "drill"


@pytest.mark.parametrize(("game", "lesson"), LESSONS, ids=NAMES)
def test_a_lesson_names_what_is_there(game: str, lesson: Lesson) -> None:
    check(lesson)
    match = begin(game, lesson)
    pieces = {piece["id"] for piece in match.view(lesson.side)["pieces"]}
    cells = {cell["id"] for cell in get_game(game).scene(lesson.scenario, {})["cells"]}
    for step in lesson.steps:
        assert set(step.pieces) <= pieces
        assert set(step.cells) <= cells
        assert len(step.text) < 420, "a step fits on a phone"


class Idler:
    """Passes wherever that is possible."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        actions = list(seat.actions())
        passing = [one for one in actions if seat.describe(one).group in ("done", "pass")]
        return (passing or actions)[0]


@pytest.mark.parametrize("level", ["recruit", "random", "idle"])
@pytest.mark.parametrize(("game", "lesson"), LESSONS, ids=NAMES)
def test_a_lesson_comes_to_its_end_whatever_the_player_does(game: str, lesson: Lesson, level: str) -> None:
    match = begin(game, lesson, seed=8)
    source = random.Random(8)
    players = {side: make_player(game, lesson.opponent or "recruit") for side in match.sides}
    players[lesson.side] = Idler() if level == "idle" else make_player(game, level)
    on = Track(lesson, match)
    for _ in range(400):
        if on.now.step == len(lesson.steps) or not match.to_act:
            break
        side = match.to_act[0]
        events = match.apply(side, players[side].choose(Seat(match, side), source))
        on.follow(match, match.record().entries[-1], events)
    assert on.now.step >= len(lesson.steps) - 1, lesson.steps[on.now.step].text
    assert track(lesson, match.record()).now == on.now, "the record tells the same"


def test_taking_back_leads_back() -> None:
    game, lesson = LESSONS[0]
    match = begin(game, lesson)
    on = Track(lesson, match)
    assert on.now.step == 0
    for pieces, words in ((("r1",), "Move"), ((), "step by step"), ((), "N3")):
        go(match, on, "russian", words, pieces)
    assert on.now.step == 1, "the squad has moved"
    match.undo("russian")
    on.follow(match, match.record().entries[-1], ())
    assert on.now.step == 0, "it stands in N2 again"


def test_a_step_is_passed_over_when_its_time_is_gone() -> None:
    game, lesson = LESSONS[0]
    match = begin(game, lesson)
    on = Track(lesson, match)
    pass_on(match, on, lambda: match.view("russian")["phase"] == "Advance Phase" and "russian" in match.to_act)
    assert lesson.steps[on.now.step].text.startswith("Advance Phase"), "not the fire of a phase that is over"
    assert 0 in on.now.passed


@pytest.mark.rule("3.8")
def test_close_combat_is_declared_before_the_lesson_goes_on() -> None:
    """The step on the close combat in V8 waits for the player's own attack there, not for any roll."""
    game, lesson = next(one for one in LESSONS if one[0] == "aslsk2")
    match = begin(game, lesson)
    on = Track(lesson, match)
    pass_on(match, on, lambda: match.view("american")["phase"] == "Close Combat Phase" and "american" in match.to_act)
    asked = lesson.steps[on.now.step]
    assert asked.cells == ("V8",)
    go(match, on, "american", "All attack all")
    pass_on(match, on, lambda: lesson.steps[on.now.step] is not asked)
    assert lesson.steps.index(asked) not in on.now.passed, "it was done, not passed over"


def test_a_condition_that_cannot_be_read_is_told() -> None:
    for until in ("group:move", "at:r1", "asked:now", "not event:Moved", "phase"):
        lesson = Lesson("one", "One", "", "intro", "russian", (LessonStep("Do it.", until=until),))
        with pytest.raises(SandtableError, match="Step 1 of the lesson one"):
            check(lesson)
    assert Progress().step == 0


def test_a_game_that_ends_early_cuts_its_lesson_short() -> None:
    """The Allies leave Salerno empty, and the campaign is lost before the turn is over."""
    game, lesson = next(one for one in LESSONS if one[0] == "underbelly")
    match, source = begin(game, lesson), random.Random(3)
    players = {side: make_player(game, "random" if side == lesson.side else "recruit") for side in match.sides}
    on = Track(lesson, match)
    for _ in range(24):
        assert not on.now.cut_short
        side = match.to_act[0]
        events = match.apply(side, players[side].choose(Seat(match, side), source))
        on.follow(match, match.record().entries[-1], events)
    assert match.outcome
    assert on.now.step == len(lesson.steps)
    assert on.now.cut_short, "there were steps left to do"
    assert track(lesson, match.record()).now == on.now, "the record tells the same"
