"""Writes golden games anew, after a change of the rules that is meant to change games.

    python tools/golden.py                 # those that the rules play otherwise now, of all games
    python tools/golden.py sasl pbi        # of some folders of tests/games; squad: aslsk2 and aslguide
    python tools/golden.py --jobs 2 sasl

`squad` has records of players' kind, all of them written anew, and with `--legal` only what was legal in them; raise
`rules_version` for a change that breaks records of players. What else there is stands in files of moves and of games
in short (tests/golden_games.py); a line that only says how a game is played is a game that is still to be played. What
the rules answer about crowds (tests/answers.py) is written anew too.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import sandtable
from sandtable.engine import Match, get_game, registry
from sandtable.engine.errors import SandtableError
from sandtable.engine.record import write_whole

TESTS = Path(__file__).resolve().parent.parent / "tests"
FOLDERS = ("squad", "asl", "sasl", "pbi", "underbelly")
sys.path += [str(TESTS), *(str(TESTS / "games" / name) for name in ("squad", "asl", "sasl"))]
import asl_support  # noqa: E402 (it stands with the tests, and so do the others)
from legal_lists import legal_lines  # noqa: E402

import answers  # noqa: E402
from golden_games import IDLE, difference, rewrite, short_difference  # noqa: E402


def records(folder: Path, only_legal: bool) -> None:
    """One game of each squad-level scenario, played at random to its end."""
    for game in ("aslsk2", "aslguide"):
        for info in get_game(game).scenarios():
            path = folder / f"{game}-{info.id}.jsonl"
            if not only_legal:
                _played(f"{game}/{info.id}", 1).record().save(path)
            write_whole(path.with_suffix(".legal"), "".join(f"{line}\n" for line in legal_lines(path)))


def _played(scenario: str, seed: int) -> Match:
    match = sandtable.new(scenario, seed=seed)
    source = random.Random(seed)
    while match.to_act:
        side = match.to_act[0]
        actions = match.actions(side).all
        useful = [action for action in actions if type(action).__name__ not in IDLE] or actions
        match.apply(side, useful[int(source.random() * len(useful))])
    return match


def moves(file: Path, boards: str) -> str:
    """Write the games of a file anew if the rules depart from them; what was found."""
    os.environ["SANDTABLE_DATA"] = boards
    for game in asl_support.GAMES:
        registry._registered[game.id] = game
    if file.suffix == ".answers":
        return rules(file)
    try:
        found = difference(file) if file.suffix == ".moves" else _in_short(file)
    except (SandtableError, IndexError, ValueError) as error:
        found = f"{file.name}: {error}"
    if found:
        rewrite(file)
    return found


def rules(file: Path) -> str:
    """Write what the rules of a game answer anew; which functions answer otherwise now."""
    game = file.parent.parent.name
    crowds = import_module(f"{game}_answers")
    found = answers.rewrite(file, game, crowds.scenes(), crowds.WORDS, crowds.LEFT_OUT)
    return f"{file.name} of {game}: {found}" if found else ""


def _in_short(file: Path) -> str:
    """The first difference of a file of games in short."""
    found = (short_difference(line) for line in file.read_text("utf-8").splitlines())
    return next((f"{file.name}: {each}" for each in found if each), "")


def main() -> None:
    """Look through the folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="*", default=FOLDERS, help=f"{', '.join(FOLDERS)} (all of them)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--legal", action="store_true", help="of squad, only the lists of what was legal")
    given = parser.parse_args()
    if unknown := set(given.folder) - set(FOLDERS):
        parser.error(f"there are no golden games of {', '.join(sorted(unknown))}; there are of {', '.join(FOLDERS)}")
    os.environ.setdefault("SANDTABLE_CACHE", str(TESTS.parent / ".pytest_cache" / "sandtable"))
    with TemporaryDirectory() as nowhere, ProcessPoolExecutor(given.jobs) as pool:
        for name in given.folder:
            folder = TESTS / "games" / name / "golden"
            if name == "squad":
                records(folder, given.legal)
            files = sorted(each for kind in ("moves", "short", "answers") for each in folder.glob(f"*.{kind}"))
            boards = [str(folder.parent) if name == "asl" else nowhere] * len(files)
            for found in pool.map(moves, files, boards):
                sys.stdout.write(f"{found}\n" if found else "")


if __name__ == "__main__":
    main()
