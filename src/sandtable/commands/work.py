"""`sandtable work`: let computer players of a house with many processes think on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.commands.common import note
from sandtable.commands.serve import Database, Games


def work(
    database: Database = "",
    workers: Annotated[int, typer.Option(min=1, max=64, help="Players that think at the same time.")] = 1,
    game: Games = [],  # noqa: B006 - typer reads the default
    verbose: Annotated[bool, typer.Option(help="Log more.")] = False,
) -> int:
    """Take decisions of computer players from the database of a house, until interrupted."""
    from sandtable.server.settings import Settings
    from sandtable.server.work import run_workers

    settings = Settings(database=database, workers=workers, games=tuple(game))
    return run_workers(settings, lambda: note("This machine thinks for the house; Ctrl+C ends it."), verbose=verbose)
