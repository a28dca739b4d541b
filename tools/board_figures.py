"""Figures of boards: what printed boards of a type are like, and whether boards made here are like them.

    python tools/board_figures.py show make2-village-7 w       # the figures of some boards
    python tools/board_figures.py spreads > spreads.toml       # 10th, 50th, 90th percentile by type, of imported boards
    python tools/board_figures.py compare --seeds 50           # boards made here against those percentiles

Printed boards are found where `sandtable board import` puts them. Only percentiles are ever written down.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from sandtable.space.board import Board, board_names, load_board
from sandtable.space.cells import cells
from sandtable.space.los import BLOCKED, LosEngine
from sandtable.space.making.figures import FIGURES, figures
from sandtable.space.making.maker import make_board
from sandtable.space.making.spread import TYPES, outside, spreads
from sandtable.space.objectives import printed_board

WOODS = ("5", "32", "34", "36", "39", "47")
"""Boards that table A9 marks with a w."""
RIVER = ("7", "8", "23", "40")
"""Boards crossed by a river from one short side to the other."""
LOS_FIGURES = {
    "clear": "lines of range 2 to 16 that are not blocked, per mille",
    "sight": "their mean range, in tenths",
}
SAMPLE = 20_000
"""Lines of sight that the figures are taken from, of about a hundred thousand: right to one in three hundred."""
WANTED = 9
"""Of ten figures so many must lie within the spread."""


def los_figures(board: Board, sample: int = SAMPLE) -> dict[str, int]:
    """Share and length of the clear lines of sight, from lines drawn evenly from all those of range 2 to 16."""
    grid = board.grid
    starts, ends = (part.astype(np.int32) for part in np.nonzero(np.triu((grid.ranges >= 2) & (grid.ranges <= 16), 1)))
    chosen = np.random.default_rng(1).choice(len(starts), min(sample, len(starts)), replace=False)
    chosen = chosen[np.argsort(grid.ranges[starts[chosen], ends[chosen]], kind="stable")]
    starts, ends = starts[chosen], ends[chosen]
    ranges = grid.ranges[starts, ends]
    clear = LosEngine(board.raster()).values(starts, ends) != BLOCKED
    return {
        "clear": int(1000 * clear.sum() // len(clear)),
        "sight": int(10 * ranges[clear].sum(dtype=np.int64) // max(1, clear.sum())),
    }


def all_figures(board: Board, *, los: bool = True) -> dict[str, int]:
    """Every figure of a board, those of its lines of sight among them."""
    return figures(board.hexes, cells(board.grid)) | (los_figures(board) if los else {})


def printed_types(name: str) -> list[str]:
    """The types that a printed board is one of, by table A9."""
    number = name.lstrip("0")
    known = printed_board(name)
    found = list(known.types) if known else []
    return found + [type for type, numbers in (("woods", WOODS), ("river", RIVER)) if number in numbers]


def printed() -> dict[str, list[dict[str, int]]]:
    """The figures of all imported boards of table A10a, by type."""
    found: dict[str, list[dict[str, int]]] = {type: [] for type in TYPES}
    for name in board_names():
        board = load_board(name)
        if board.imported and printed_types(name):
            of_board = all_figures(board)
            for type in printed_types(name):
                found[type].append(of_board)
    # no printed board shows the sea: a coast is measured by its land, as open country
    found["beach"] = found["farmland"] + found["rural"]
    return found


def spread_lines() -> Iterator[str]:
    """The percentiles as TOML."""
    yield "# 10th, 50th and 90th percentile of the figures of printed boards, by type (tools/board_figures.py spreads)."
    for type, boards in printed().items():
        yield f"\n[{type}]"
        for figure in (*FIGURES, *LOS_FIGURES):
            low, middle, high = np.percentile([board[figure] for board in boards], (10, 50, 90))
            yield f"{figure} = [{int(np.floor(low))}, {int(np.rint(middle))}, {int(np.ceil(high))}]"


def compared(type: str, seed: int, los: bool = True) -> tuple[str, int, list[str], dict[str, int]]:
    """Which figures of a made board lie outside the spread of its type."""
    found = all_figures(make_board(type, seed), los=los)
    return type, seed, outside(type, found), found


def compare(types: list[str], seeds: int, *, los: bool, jobs: int) -> bool:
    """Print, type by type, how often boards keep within the spread; whether all types do well enough."""
    well = True
    for type in types:
        with ProcessPoolExecutor(jobs) as pool:
            rows = list(pool.map(compared, [type] * seeds, range(seeds), [los] * seeds))
        count = len([name for name in rows[0][3] if name in spreads()[type]])
        good = sum(10 * (count - len(missed)) >= WANTED * count for _, _, missed, _ in rows)
        inside = 1 - sum(len(missed) for _, _, missed, _ in rows) / (count * seeds)
        often: dict[str, int] = {}
        for _, _, missed, _ in rows:
            for name in missed:
                often[name] = often.get(name, 0) + 1
        worst = ", ".join(f"{name} {often[name]}" for name in sorted(often, key=lambda name: -often[name])[:6])
        sys.stdout.write(
            f"{type:9}{good} of {seeds} boards with nine of ten figures inside, {inside:.1%} of all; outside: {worst}\n"
        )
        sys.stdout.flush()
        well = well and good == seeds
    return well


def main() -> int:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("show", "spreads", "compare"))
    parser.add_argument("boards", nargs="*", help="boards to show, or types to compare")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--no-los", action="store_true", help="leave out the lines of sight, which take a second a board"
    )
    given = parser.parse_args()
    if given.what == "spreads":
        sys.stdout.write("\n".join(spread_lines()) + "\n")
    elif given.what == "show":
        for name in given.boards:
            words = (f"{key} {value}" for key, value in all_figures(load_board(name)).items())
            sys.stdout.write("  ".join((name, *words)) + "\n")
    else:
        return 0 if compare(given.boards or list(TYPES), given.seeds, los=not given.no_los, jobs=given.jobs) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
