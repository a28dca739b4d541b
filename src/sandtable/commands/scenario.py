"""`sandtable scenario`: check scenario files of the squad-level games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail


def check(
    file: Annotated[Path, typer.Argument(help="The scenario file")],
    as_json: AsJson = False,
) -> int:
    """Check a scenario file: each mistake is named with its line and what would be right."""
    from sandtable.games.squad.scenario.files import check_scenario

    if not file.is_file():
        fail(f"There is no file {file}; give the path of a scenario file.")
    problems = check_scenario(file)
    emit({"file": str(file), "ok": not problems, "problems": problems}, as_json, _words)
    return 1 if problems else 0


def _words(data: dict[str, Any]) -> str:
    if not data["problems"]:
        return f"{data['file']} is in order."
    return "\n".join(f"{data['file']}: {problem}" for problem in data["problems"])
