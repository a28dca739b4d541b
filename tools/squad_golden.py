"""Writes the golden records of the squad-level games anew: one full game of each scenario, played at random.

With `--legal` the games stay, and only the lists of what was legal in them are written.
Run it after a change of the rules that is meant to change games (and raise `rules_version` for one that breaks
records of players): python tools/squad_golden.py
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import sandtable
from sandtable.engine import Match, get_game
from sandtable.engine.record import write_whole
from sandtable.games.squad.fire.model import CancelFire
from sandtable.games.squad.movement.model import CancelMove
from sandtable.games.squad.scenario.model import PickUp, PutBack

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "games" / "squad" / "golden"
sys.path.append(str(FOLDER.parent))
from legal_lists import legal_lines  # noqa: E402 (it stands with the tests)

IDLE = (CancelFire, CancelMove, PickUp, PutBack)
"""Actions that only undo a draft; a golden game does without them."""


def played(scenario: str, seed: int) -> Match:
    """A game played at random to its end."""
    match = sandtable.new(scenario, seed=seed)
    source = random.Random(seed)
    while match.to_act:
        side = match.to_act[0]
        actions = match.actions(side).all
        useful = [action for action in actions if not isinstance(action, IDLE)] or actions
        match.apply(side, useful[int(source.random() * len(useful))])
    return match


def main() -> None:
    """Play and write."""
    FOLDER.mkdir(exist_ok=True)
    for game in ("aslsk2", "aslguide"):
        for info in get_game(game).scenarios():
            path = FOLDER / f"{game}-{info.id}.jsonl"
            if "--legal" not in sys.argv:
                played(f"{game}/{info.id}", 1).record().save(path)
            write_whole(path.with_suffix(".legal"), "".join(f"{line}\n" for line in legal_lines(path)))


if __name__ == "__main__":
    main()
