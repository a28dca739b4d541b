"""What an opponent sees and waits for does not depend on hidden things; tools/leak_search.py looks at more moments."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine import Match, get_game, register
from sandtable.games.sasl import activation
from sandtable.games.squad.show import idle
from sandtable.server import orders
from server.leaksearch import search
from server.leakwords import search_words
from server.outpost import GAME


@pytest.mark.parametrize(
    ("what", "seed", "moments"),
    [
        *[("outpost/post", seed, 50) for seed in range(8)],
        ("aslsk2/S14", 1, 30),
        ("aslsk2/S15", 2, 30),
        ("aslsk2/S16", 3, 10),
        ("underbelly/historical", 1, 30),
    ],
)
def test_nothing_is_told_by_size_or_by_waiting(what: str, seed: int, moments: int) -> None:
    register(GAME)
    looked, found = search(what, seed=seed, moments=moments)
    assert looked > 0
    assert found == []


def test_the_search_finds_a_window_that_waits_only_where_something_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: a choice of one was made at once, though something was hidden."""

    def hasty(match: Match, side: str) -> object:
        actions = match.actions(side)
        return actions[0] if len(actions) == 1 else None

    monkeypatch.setattr(orders, "forced", hasty)
    register(GAME)
    assert any(search("outpost/post", seed=seed, moments=50)[1] for seed in range(8))


def test_the_search_finds_a_phase_that_is_passed_only_where_no_hidden_gun_has_a_target(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(idle, "unsure_units", lambda state, side: [])
    assert any(search("aslsk2/S14", seed=seed, moments=250)[1] for seed in (102, 103, 104))


@pytest.mark.parametrize("question", ["line_of_sight", "visible_from", "path", "danger", "why_not", "preview"])
def test_the_search_finds_an_answer_that_tells_where_something_hides(
    monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    game = type(get_game("aslsk2"))
    answer = getattr(game, question)

    def talkative(game: Any, state: Any, *about: Any) -> Any:
        return [unit.at for unit in state.units.values()], answer(game, state, *about)

    monkeypatch.setattr(game, question, talkative)
    assert search("aslsk2/S14", seed=1, moments=6)[1]


@pytest.mark.parametrize(("mission", "seed"), [("1", 1), ("2", 3), ("8", 1)])
def test_nobody_is_told_what_lies_under_a_question_mark(mission: str, seed: int) -> None:
    searched = search_words(f"sasl/{mission}", seed=seed, steps=130, level="recruit")
    assert searched.secrets > 100
    assert searched.messages > 100
    assert searched.leaks == []


def test_the_search_finds_units_that_come_under_a_question_mark_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: what the tables gave was rolled and named in the open."""
    conceal = activation.conceal
    monkeypatch.setattr(activation, "conceal", lambda play, names, why, *, secret: conceal(play, names, why))
    assert search_words("sasl/1", seed=1, steps=60, level="recruit").leaks
