"""`make_board`: a geomorphic board of a type, made from a seed; the same on every machine and for all time.

`VERSION` is part of the name of every such board, so that a record finds the board it was played on. Whoever
changes what comes out raises it and keeps the way the older versions worked, by asking `Sketch.version`.
"""

from __future__ import annotations

import re

from sandtable.space.board import Board, BoardError
from sandtable.space.boardfile import derived
from sandtable.space.cells import cells
from sandtable.space.making.countryside import country
from sandtable.space.making.dice import Dice
from sandtable.space.making.figures import figures
from sandtable.space.making.goals import objectives
from sandtable.space.making.plans import draw_plan
from sandtable.space.making.sketch import Sketch, board_grid
from sandtable.space.making.spread import TYPES, outside
from sandtable.space.making.streets import city
from sandtable.space.remembered import remembered

VERSION = 2
"""The newest; boards of the older ones are still made as they were."""
TRIES = 24
"""Plans that are tried until a board fits the spread of its type."""
LARGEST_SEED = 10**9 - 1
PREFIXES = {type: type[0] for type in TYPES} | {"river": "rv"}
"""What stands before the hexes of a made board on a map of several: v7K5 is K5 of the village made from seed 7."""
_NAME = re.compile(r"make([0-9]{1,3})-([a-z]{1,12})-([0-9]{1,9})")


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def made_name(type: str, seed: int, version: int = VERSION) -> str:
    """The name of a made board, by which a map finds it: `make2-village-7`."""
    return f"make{version}-{type}-{seed}"


def made_board(name: str) -> Board | None:
    """The board that a name such as `make2-village-7` stands for; None when it is no such name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    version = int(match[1])
    if not 1 <= version <= VERSION:
        raise BoardError(
            f"board {name} was made by another version of the program; this one makes boards up to make{VERSION}"
        )
    board = make_board(match[2], int(match[3]), version)
    if board.name != name:
        raise BoardError(f"there is no board {name!r}; write {board.name}")
    return board


def named_board(board: Board, name: str, title: str = "") -> Board:
    """The same board under a name of its own, as its file is called."""
    if not _PLAIN.fullmatch(name):
        raise BoardError(f"{name!r} is no name for a board: use letters, digits, - and _")
    return Board(
        name,
        title or board.title,
        board.grid,
        board.hexes,
        source=board.source,
        objectives=board.objectives,
        type=board.type,
        seed=board.seed,
    )


@remembered(64)
def make_board(type: str, seed: int, version: int = VERSION) -> Board:
    """A board of one of the types of table A9, ready to be used in a map."""
    if type not in TYPES:
        raise BoardError(f"there is no type of board {type!r}; the types are {', '.join(TYPES)}")
    if not 0 <= seed <= LARGEST_SEED:
        raise BoardError(f"a seed is a whole number from 0 to {LARGEST_SEED:,}, not {seed}")
    sketch = _best(type, seed, version)
    grid = sketch.grid
    facts = sketch.facts()
    levels = {name: hex.level for name, hex in facts.items()}
    hexes = {name: derived(name, hex, grid, levels) for name, hex in facts.items()}
    return Board(
        made_name(type, seed, version),
        f"{type.capitalize()} {seed}",
        grid,
        hexes,
        source=f"made by Sandtable, make{version}",
        objectives=objectives(sketch, by_bank=type == "river"),
        type=type,
        seed=str(seed),
        prefix=f"{PREFIXES[type]}{seed}",
    )


def _best(type: str, seed: int, version: int) -> Sketch:
    """The first try all of whose figures lie within the spread of the type, else the one with the fewest outside."""
    best: tuple[int, Sketch] | None = None
    for number in range(TRIES):
        dice = Dice("board", version, type, seed, number)
        sketch = Sketch(dice, version)
        (city if type == "city" else country)(sketch, draw_plan(type, dice))
        missed = len(outside(type, figures(sketch.facts(), cells(board_grid()))))
        if best is None or missed < best[0]:
            best = (missed, sketch)
        if not missed:
            break
    assert best is not None
    return best[1]
