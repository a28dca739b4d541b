"""`sandtable admin`: save and bring back all matches and accounts of a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from sandtable.commands.common import AsJson, emit
from sandtable.commands.serve import Database

File = Annotated[Path, typer.Argument(help="The file of the backup.")]


def _words(counts: dict[str, int]) -> str:
    return f"{counts['matches']} matches with {counts['steps']} steps, {counts['users']} accounts"


def queue(database: Database, as_json: AsJson = False) -> None:
    """The decisions of computer players that wait for a worker, and how long the first has waited."""
    from sandtable.server.jobs import look_at_queue

    emit(asyncio.run(look_at_queue(database)), as_json, _queue_words)


def _queue_words(found: dict[str, float]) -> str:
    waiting = f"{found['waiting']:g} decisions wait" + (
        f", the first for {found['seconds']:.1f} s" if found["waiting"] else ""
    )
    return f"{found['busy']:g} decisions are under way, {waiting}."


def backup(file: File, database: Database = "", as_json: AsJson = False) -> None:
    """Save everything of one moment to a file; the server may be running."""
    from sandtable.server.backup import backup as save
    from sandtable.server.settings import default_database

    counts = asyncio.run(save(database or default_database(make=False), file))
    emit(counts, as_json, lambda found: f"Saved {_words(found)}.")


def restore(
    file: File,
    database: Database = "",
    replace: Annotated[bool, typer.Option(help="Throw away what is in the database.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring a backup back; stop the server first."""
    from sandtable.server.backup import restore as bring_back
    from sandtable.server.settings import default_database

    counts = asyncio.run(bring_back(database or default_database(), file, replace=replace))
    emit(counts, as_json, lambda found: f"Brought back {_words(found)}.")
