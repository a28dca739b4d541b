"""Random play of the missions of Solitaire ASL over all cards, years and kinds of boards, with everything checked.

    python tools/random_missions.py --games 1400                      # boards made and shipped
    python tools/random_missions.py --games 1400 --imported FOLDER    # and imported: a data directory with boards/
    python tools/random_missions.py --games 1400 --from 200           # go on after the first 200

Game number n is always the same game, so that a run may be stopped and gone on with. Each game is told in a line as it
ends; records of failures go to fuzz-failures. The last line counts games, errors, cards and kinds of boards.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sandtable.engine import get_game, get_scenario
from sandtable.engine.harness import fuzz
from sandtable.games.sasl.opposition import impossible
from sandtable.space.remembered import forget_maps

MISSIONS = ("1", "2", "3", "4", "5", "8", "19")
CHECKS = 0.01
"""Share of steps at which everything is checked."""


class Game(NamedTuple):
    """One game of the list."""

    number: int
    mission: str
    enemy: str
    year: str
    boards: str


def games(kinds: list[str]) -> Iterator[Game]:
    """The list without end: all missions, then the next card and year that can be met, then the next kind of board."""
    options = {option.id: option.values for option in get_scenario(get_game("sasl"), "1").options}
    foes = [
        (enemy, year)
        for year in options["year"]
        for enemy in options["enemy"]
        if "roll" not in (enemy, year) and not impossible({"enemy": enemy, "year": year})
    ]
    number = 0
    while True:
        for mission in MISSIONS:
            lap = number // len(MISSIONS)
            # one step more each time round, so that every kind of board sees every card
            kind = kinds[(lap + lap // len(foes)) % len(kinds)]
            yield Game(number, mission, *foes[lap % len(foes)], kind)
            number += 1


def play(game: Game, imported: Path | None, nowhere: str) -> tuple[str, list[str]]:
    """Play one game and forget its maps; who won, and the errors."""
    os.environ["SANDTABLE_DATA"] = str(imported) if game.boards == "imported" else nowhere
    options = {"enemy": game.enemy, "year": game.year, "boards": "shipped" if game.boards == "shipped" else "made"}
    report = fuzz(
        f"sasl/{game.mission}",
        games=1,
        seed=game.number,
        checks=CHECKS,
        options=options,
        save=Path("fuzz-failures"),
    )
    forget_maps()
    return ", ".join(report.outcomes), [f"{one.what} ({one.record})" for one in report.errors]


def main() -> int:
    """Play so many games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1400)
    parser.add_argument("--from", type=int, default=0, dest="first", help="games of the list to leave out")
    parser.add_argument("--imported", type=Path, help="a data directory whose folder boards holds imported boards")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long")
    given = parser.parse_args()
    kinds = ["made", "shipped"] + (["imported"] if given.imported else [])
    seen: Counter[str] = Counter()
    end = time.monotonic() + 60 * given.minutes
    with TemporaryDirectory() as nowhere:
        for game in games(kinds):
            if game.number < given.first:
                continue
            if game.number >= given.first + given.games or (given.minutes and time.monotonic() > end):
                break
            begin = time.process_time()
            winner, errors = play(game, given.imported, nowhere)
            seen.update(["games", game.boards, f"card {game.enemy}", *["errors"] * len(errors)])
            told = "; ".join(errors) or f"won by {winner or 'nobody'}"
            sys.stdout.write(f"{' '.join(map(str, game))}: {told} ({time.process_time() - begin:.1f} s)\n")
            sys.stdout.flush()
    sys.stdout.write(", ".join(f"{name} {count}" for name, count in sorted(seen.items())) + "\n")
    return 1 if seen["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
