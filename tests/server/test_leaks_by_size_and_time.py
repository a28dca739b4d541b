"""What an opponent sees and waits for does not depend on hidden things; tools/leak_search.py looks at more moments."""

from __future__ import annotations

import pytest

from sandtable.engine import Match, register
from sandtable.server import orders
from server.leaksearch import search
from server.outpost import GAME


@pytest.mark.parametrize(
    ("what", "seed", "moments"),
    [
        *[("outpost/post", seed, 50) for seed in range(8)],
        ("aslsk2/S14", 1, 30),
        ("aslsk2/S15", 2, 30),
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
