"""Click a unit, click where it should go or what it should hit: driven through the client's desk, in every game."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable
from browser.driven import DrivenDesk, build
from sandtable.engine import Match
from sandtable.engine.plan import goals

POSITIONS = int(os.environ.get("SANDTABLE_POSITIONS", "200"))
"""Positions of each game."""
PAIRS = int(os.environ.get("SANDTABLE_PAIRS", "6"))
"""Pairs that are tried in a position, over the positions all kinds come up; 0: every pair."""
GAMES = ["aslguide/intro", "aslsk2/S12", "pbi/village", "underbelly/historical", "sasl/1"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DrivenDesk]:
    if shutil.which("npx") is None:
        pytest.skip("node is not installed")
    made = DrivenDesk(build(tmp_path_factory.mktemp("driven") / "client"))
    yield made
    made.close()


def pairs(match: Match, side: str) -> list[tuple[str, str, str]]:
    """(piece, cell, target) of everything that pieces can reach or act on, by the rules' own lists."""
    view = match.game.view(match.state, side)
    where = {piece.id: piece.at for piece in view.pieces}
    found: dict[tuple[str, str, str], None] = {}
    for action in match.actions(side):
        said = match.describe(side, action)
        if said.role not in ("do", "place", "aim", "start") or not said.pieces:
            continue
        cell = said.cells[-1] if said.cells else ""
        for piece in said.pieces:
            if cell and (cell != where.get(piece) or said.targets):
                found[piece, cell, ""] = None
            for target in said.targets:
                if target not in said.pieces and where.get(target) and said.role != "start":
                    found[piece, where[target], target] = None
    for piece in sorted({piece for piece, _, _ in found} | _able(match, side)):
        for goal in goals(match, side, [piece]):
            found[piece, goal.cell, ""] = None
    return sorted(found)


def _able(match: Match, side: str) -> set[str]:
    return {piece for action in match.actions(side) for piece in match.describe(side, action).pieces[:1]}


@pytest.mark.parametrize("game", GAMES)
def test_no_legal_pair_is_refused(desk: DrivenDesk, game: str, tmp_path: Path) -> None:
    source = random.Random(11)
    seed = 0
    match = sandtable.new(game, seed=seed)
    refused: list[str] = []
    tried = shown = 0
    while shown < POSITIONS:
        if match.outcome is not None:
            seed += 1
            match = sandtable.new(game, seed=seed)
        side = match.to_act[0]
        legal = pairs(match, side) if source.random() < 0.4 else []
        if legal:
            shown += 1
            desk.show(match, side)
            for piece, cell, target in source.sample(legal, min(PAIRS or len(legal), len(legal))):
                well, said = desk.click([piece], cell, target)
                tried += 1
                if not well:
                    refused.append(f"{match!r}: {piece} at {cell} {target}: {said}")
        match.apply(side, source.choice(list(match.actions(side))))
    assert not refused, "\n".join(refused[:20])
    assert tried > POSITIONS
