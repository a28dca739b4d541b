"""`sandtable board import`: make boards of VASL board archives that the user owns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail, progress

if TYPE_CHECKING:
    from sandtable.space.importing import Imported


def board_import(
    file: Annotated[Path, typer.Argument(help="A VASL board archive, such as bdFoo, or a folder of them")],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the board here; left out, that of the file.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Import a VASL board archive or a whole folder; afterwards their names find them like shipped boards."""
    if file.is_dir():
        if name is not None:
            fail("--name goes with a single archive: leave it out, or name one file of the folder.")
        return _folder(file, as_json)
    from sandtable.space.importing import import_file

    with progress(f"Importing {file.name}"):
        done = import_file(file, name)
    emit(_data(done), as_json, _words)
    return 0


def _folder(folder: Path, as_json: bool) -> int:
    """Every archive of a folder; exit code 1 tells that some were refused."""
    from sandtable.space.importing import archives_in, import_folder

    results = []
    with progress(f"Importing {folder.name}", total=len(archives_in(folder)), unit="boards") as bar:
        for done in import_folder(folder, lambda archive: bar.update(bar.done, f"Importing {archive}")):
            results.append(_data(done))
            bar.advance()
    emit(results, as_json, _all_words)
    return 1 if any(row["state"] == "refused" for row in results) else 0


def _data(done: Imported) -> dict[str, Any]:
    import msgspec

    return {key: value for key, value in msgspec.structs.asdict(done).items() if value not in ("", ())}


def _words(data: dict[str, Any]) -> str:
    if data["state"] == "refused":
        return str(data["error"])
    if data["state"] == "unchanged":
        words = f"Board {data['board']} is already imported, and {data['archive']} has not changed."
    else:
        words = f"Board {data['board']} imported: {data['hexes']} hexes, stored as {data['file']}."
        if data["objectives"]:
            words += f" It has {data['objectives']} objectives."
    if data["replaces_shipped"]:
        words += f" It stands in for the shipped board {data['board']}; give --name to keep both."
    return " ".join((words, *data.get("notes", ())))


def _all_words(rows: list[dict[str, Any]]) -> str:
    states = [row["state"] for row in rows]
    parts = [
        f"{states.count(state)} {word}"
        for state, word in (("imported", "imported"), ("unchanged", "not changed"), ("refused", "refused"))
        if state in states
    ]
    return "\n".join([*(_words(row) for row in rows), f"{len(rows)} archives: {', '.join(parts)}."])
