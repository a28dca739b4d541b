"""The harness passes sound games and catches broken ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Action, Play, game_names, get_game, register
from sandtable.engine.harness import check_position, fuzz
from sandtable.engine.view import View
from tiny import OUTPOST, Outpost
from tiny.model import Hide, HideAt, OutpostState, Reaction, Turn
from tiny.play import random_match
from tiny.rules import HideProcedure, ReactionProcedure, TurnProcedure

ALL = [f"{name}/{info.id}" for name in game_names() for info in get_game(name).scenarios()]


@pytest.mark.parametrize("scenario", ["tiny/post", *ALL])
def test_every_scenario_of_every_game(scenario: str, tmp_path: Path) -> None:
    report = fuzz(scenario, games=2, seed=1, checks=0.02, save=tmp_path)
    assert report.errors == []
    assert report.games == 2
    assert report.actions > 10


def test_the_tiny_game_holds_at_every_step() -> None:
    report = fuzz("tiny/post", games=40, seed=100, checks=1.0)
    assert report.errors == []
    assert set(report.outcomes) == {"red", "blue"}


def test_positions_of_the_tiny_game() -> None:
    for steps in range(0, 60, 7):
        check_position(random_match(3, steps))


@pytest.fixture
def broken() -> Iterator[type[Outpost]]:
    yield Outpost
    register(OUTPOST)


def errors_of(game: Outpost, save: Path | None = None) -> list[str]:
    register(game)
    return [error.what for error in fuzz("tiny/post", games=6, seed=1, checks=1.0, save=save).errors]


def test_a_view_that_leaks_is_caught(broken: type[Outpost]) -> None:
    class Leaky(broken):  # type: ignore[misc, valid-type]
        def view(self, state: OutpostState, side: str | None) -> View:
            view = super().view(state, side)
            return replace(view, extra={"ambusher": state.pieces["b3"].at if "b3" in state.pieces else ""})

    assert "the view of red tells what is hidden from it" in errors_of(Leaky())


def test_a_window_that_leaks_is_caught(broken: type[Outpost]) -> None:
    class Telling(ReactionProcedure):
        def to_act(self, state: OutpostState, frame: Reaction) -> tuple[str, ...]:
            side = super().to_act(state, frame)
            return side if len(self.actions(state, frame, side[0])) > 1 else ()

        def run(self, play: Play[OutpostState], frame: Reaction) -> None:
            play.pop()

    class Leaky(broken):  # type: ignore[misc, valid-type]
        procedures = {Hide: HideProcedure(), Turn: TurnProcedure(), Reaction: Telling()}

    assert any("tells what is hidden" in error or "tell" in error for error in errors_of(Leaky()))


def test_doubled_and_missing_actions_are_caught(broken: type[Outpost]) -> None:
    class Twice(HideProcedure):
        def actions(self, state: OutpostState, frame: Hide, side: str) -> Sequence[Action]:
            return [HideAt("c1"), HideAt("c1")]

    class Never(HideProcedure):
        def actions(self, state: OutpostState, frame: Hide, side: str) -> Sequence[Action]:
            return []

    class Doubling(broken):  # type: ignore[misc, valid-type]
        procedures = {**Outpost.procedures, Hide: Twice()}

    class Missing(broken):  # type: ignore[misc, valid-type]
        procedures = {**Outpost.procedures, Hide: Never()}

    assert all("listed twice" in error for error in errors_of(Doubling()))
    assert all("no legal action" in error for error in errors_of(Missing()))


def test_a_bar_on_what_is_legal_is_caught(broken: type[Outpost]) -> None:
    class Strict(broken):  # type: ignore[misc, valid-type]
        def bar(self, state: OutpostState, side: str, action: Action) -> tuple[str, str] | None:
            return "Nobody may do this", "1"

    assert any("is legal, but a rule bars it" in error for error in errors_of(Strict()))


def test_a_refusal_without_a_reason_is_caught(broken: type[Outpost]) -> None:
    class Silent(broken):  # type: ignore[misc, valid-type]
        def why_not(self, state: OutpostState, side: str, action: Action) -> tuple[str, str]:
            return " ", "1"

    assert any("was refused without a reason" in error for error in errors_of(Silent()))


def test_a_game_that_never_ends_is_caught(broken: type[Outpost]) -> None:
    class Short(broken):  # type: ignore[misc, valid-type]
        length_limit = 5

    assert all("not ended after 5 actions" in error for error in errors_of(Short()))


def test_shared_mutable_state_is_caught(broken: type[Outpost]) -> None:
    class Sharing(broken):  # type: ignore[misc, valid-type]
        def setup(self, scenario: str, options: Mapping[str, str]) -> OutpostState:
            state = super().setup(scenario, options)
            state.pieces["r1"] = replace(state.pieces["r1"], id=["r1"])  # type: ignore[arg-type]
            return state  # type: ignore[no-any-return]

    assert errors_of(Sharing())


def test_a_failure_leaves_a_record_that_can_be_replayed(broken: type[Outpost], tmp_path: Path) -> None:
    class Crash(TurnProcedure):
        def apply(self, play: Play[OutpostState], frame: Turn, side: str, action: object) -> None:
            if play.state.turn == 3:
                raise ZeroDivisionError("turn 3")
            super().apply(play, frame, side, action)  # type: ignore[arg-type]

    class Crashing(broken):  # type: ignore[misc, valid-type]
        procedures = {**Outpost.procedures, Turn: Crash()}

    register(Crashing())
    report = fuzz("tiny/post", games=1, seed=1, save=tmp_path)
    assert "ZeroDivisionError: turn 3" in report.errors[0].what
    register(OUTPOST)
    again = sandtable.replay(Path(report.errors[0].record))
    assert again.state.turn == 3
