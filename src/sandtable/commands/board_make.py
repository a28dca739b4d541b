"""`sandtable board make`: a geomorphic board of our own making, from a type and a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail, progress


def board_make(
    type: Annotated[str, typer.Option("--type", help="city, village, farmland, rural, hills, woods, river or beach")],
    seed: Annotated[str, typer.Option("--seed", help="A whole number; the same one always gives the same board.")],
    name: Annotated[str | None, typer.Option("--name", help="Name of the board; left out, such as village-7.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where to write it; left out, among your own boards.")
    ] = None,
    png: Annotated[bool, typer.Option("--png", help="Draw it, too, into a PNG file beside the board file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a geomorphic board: a readable board file that joins every other board, with objectives and roads."""
    from sandtable.commands.board import write_file
    from sandtable.space.board import data_directory
    from sandtable.space.boardfile import format_board
    from sandtable.space.cells import cells
    from sandtable.space.draw import draw_board, svg_to_png
    from sandtable.space.making.figures import road_exits, road_networks
    from sandtable.space.making.maker import make_board, named_board

    with progress(f"Making a {type} board"):
        made = make_board(type, _whole(seed))
        board = named_board(made, name or f"{type}-{int(seed)}", (name or "").replace("-", " ").title())
        files = {".board": format_board(board).encode()}
        if png:
            files[".png"] = svg_to_png(draw_board(board))
        where = folder if folder is not None else data_directory()
        for ending, content in files.items():
            write_file(where / f"{board.name}{ending}", content, parents=folder is None)
    data = {
        "board": board.name,
        "type": type,
        "seed": int(seed),
        "objectives": [str(objective) for objective in board.objectives],
        "exits": [place for place, _ in road_exits(board.hexes, cells(board.grid))],
        "networks": [sorted(network) for network in road_networks(board.hexes, cells(board.grid))],
        "written": [str(where / f"{board.name}{ending}") for ending in files],
    }
    emit(data, as_json, _words)


def _whole(seed: str) -> int:
    if not seed.isascii() or not seed.isdigit() or len(seed) > 18:
        fail(f"A seed is a whole number such as 7, not {seed!r}.")
    return int(seed)


def _words(data: dict[str, Any]) -> str:
    goals = ", ".join(data["objectives"])
    written = " and ".join(data["written"])
    roads = f"Roads leave it at {', '.join(data['exits'])}."
    return f"Board {data['board']} is written to {written}. Its objectives are {goals}. {roads}"
