"""Exact outcomes and node counts from the real rules."""

from __future__ import annotations

from collections import defaultdict

import pytest

import sandtable
from sandtable.engine import branches, count_nodes
from tiny.model import BLUE, RED, Fire, HideAt, Move


def test_branches_give_the_odds_of_the_preview() -> None:
    match = sandtable.new("tiny/post", seed=1)
    match.apply(BLUE, HideAt("c3"))
    match.apply(RED, Move("r2", "b2"))
    preview = match.preview(BLUE, Fire("b3", "r2"))
    assert preview is not None
    results: defaultdict[str, float] = defaultdict(float)
    for chance, after in branches(match, BLUE, Fire("b3", "r2")):
        piece = after.state.pieces.get("r2")
        results["dead" if piece is None else "shaken" if piece.shaken else "unhurt"] += chance
    assert sum(results.values()) == pytest.approx(1)
    assert results["dead"] + results["shaken"] == pytest.approx(preview.odds[0].chance)


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 5), (2, 50), (3, 841)])
def test_node_counts_pin_the_rules(depth: int, nodes: int) -> None:
    assert count_nodes(sandtable.new("tiny/post", seed=1), depth) == nodes


def test_node_counts_have_dice_as_branches() -> None:
    match = sandtable.new("tiny/post", seed=1)
    match.apply(BLUE, HideAt("c3"))
    match.apply(RED, Move("r2", "b2"))
    assert count_nodes(match, 1) == 36 + 1  # fire with two dice, or hold
