"""`sandtable report`: one page about a simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.commands.common import AsJson, emit, progress
from sandtable.commands.developer import with_test_games


def report(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders of results, or of such folders; several are set side by side.")
    ],
    out: Annotated[Path | None, typer.Option(help="The page; report.html in the first folder if not named.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page: shares, length, losses on the map, turning points, luck."""
    from sandtable.engine.record import write_whole
    from sandtable.sim.report import make_page
    from sandtable.sim.results import Results

    with_test_games()
    results = [one for folder in folders for one in Results.within(folder)]
    path = out or folders[0] / "report.html"
    with progress("Writing the report"):
        write_whole(path, make_page(results))
    emit(
        {"page": str(path), "games": sum(len(one.games()) for one in results)}, as_json, lambda data: str(data["page"])
    )
