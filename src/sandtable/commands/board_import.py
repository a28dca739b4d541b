"""`sandtable board import`: make a board of a VASL board archive that the user owns."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from sandtable.commands.common import AsJson, emit, progress


def board_import(
    file: Annotated[Path, typer.Argument(help="The VASL board archive, such as bdFoo")],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the board here; left out, that of the file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import a VASL board archive; afterwards its name finds it like a shipped board."""
    from sandtable.space.vasl import import_vasl, store_board

    with progress(f"Importing {file.name}"):
        board = import_vasl(file, name)
        path = store_board(board)
    shipped = resources.files("sandtable.space") / "boards" / f"{board.name}.board"
    data: dict[str, object] = {
        "board": board.name,
        "hexes": len(board.hexes),
        "columns": board.grid.columns,
        "rows": board.grid.rows,
        "pixels": [int(board.grid.width), int(board.grid.height)],
        "levels": sorted({facts.level for facts in board.hexes.values()}),
        "terrain": sorted({facts.terrain for facts in board.hexes.values()}),
        "file": str(path),
        "replaces_shipped": shipped.is_file(),
    }
    emit(data, as_json, _words)


def _words(data: dict[str, object]) -> str:
    words = f"Board {data['board']} imported: {data['hexes']} hexes, stored as {data['file']}."
    if data["replaces_shipped"]:
        words += f" It now stands in for the shipped board {data['board']}; give --name to keep both."
    return words
