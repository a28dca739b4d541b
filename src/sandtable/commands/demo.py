"""`sandtable demo`: a board, some lines of sight and a small game, in a minute."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from sandtable.commands.board import write_file
from sandtable.commands.common import console, progress
from sandtable.commands.developer import with_test_games
from sandtable.commands.los import draw_line

LINES = (("E9", "I7"), ("B9", "F8"), ("U2", "X4"), ("C5", "K7"))


def demo(
    folder: Annotated[Path, typer.Option(help="Where the pictures go.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="The seed of the small game.")] = 7,
) -> None:
    """Draw board w, explain a few lines of sight on it, and play a small game at random."""
    from sandtable.space.board import load_board
    from sandtable.space.draw import draw_board, svg_to_png
    from sandtable.space.los import LosRules
    from sandtable.space.loswords import in_words
    from sandtable.space.maps import load_map, parse_layout
    from sandtable.space.terrain import IN_SEASON

    folder.mkdir(parents=True, exist_ok=True)
    out = console()
    out.print("Sandtable: a board, some lines of sight, a small game\n")
    with progress("Drawing board w"):
        write_file(folder / "board-w.png", svg_to_png(draw_board(load_board("w"))))
    out.print(f"Board w is drawn in {folder / 'board-w.png'}.\n")
    game_map = load_map(parse_layout("w", IN_SEASON))
    table = game_map.los(LosRules())
    for start, end in LINES:
        line = table.explain(game_map.index(start), game_map.index(end))
        out.print(in_words(line), markup=False)
    write_file(folder / "line-of-sight.png", draw_line(game_map, line))
    out.print(f"The last of them is drawn in {folder / 'line-of-sight.png'}.\n")
    if not with_test_games():
        out.print("The small game is part of a checkout of the project, not of the installed package.")
        return
    _play_small_game(seed)


def _play_small_game(seed: int) -> None:
    import sandtable

    out = console()
    match = sandtable.new("tiny", seed=seed)
    source = random.Random(seed)
    out.print(
        f"{match.game.title}: {', '.join(match.sides)}; the dice are committed to {match.header.commitment[:16]}…"
    )
    while match.to_act:
        side = match.to_act[0]
        match.apply(side, source.choice(match.actions(side)))
    for step, event in match.events(everything=True):
        out.print(f"{step:4}  {match.game.words(event, match.state)}", markup=False)
    sandtable.verify(match.record())
    out.print("\nEvery roll was checked against what was committed to before the first move.")
