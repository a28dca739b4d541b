"""`sandtable verify`: check every die roll of a finished match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, progress
from sandtable.commands.developer import with_test_games
from sandtable.engine.record import Step
from sandtable.engine.start import load_record
from sandtable.engine.start import verify as check


def verify(
    record: Annotated[Path, typer.Argument(help="The record of a finished match.")], as_json: AsJson = False
) -> None:
    """Check the secret against what was committed to, and every roll against the secret."""
    with_test_games()
    loaded = load_record(record)
    with progress("Rolling again"):
        match = check(loaded)
    rolls = len(loaded.start) + sum(len(entry.rolls) for entry in loaded.entries if isinstance(entry, Step))
    data = {
        "game": f"{loaded.header.game}/{loaded.header.scenario}",
        "match_id": loaded.header.match_id,
        "commitment": loaded.header.commitment,
        "seeded": loaded.header.seed is not None,
        "steps": len(loaded.entries),
        "rolls": rolls,
        "outcome": match.outcome,
        "verified": True,
    }
    emit(data, as_json, _sentence)


def _sentence(data: dict[str, Any]) -> str:
    fair = "They come from a secret that was fixed before the first move."
    if data["seeded"]:
        fair = "The match was seeded by its players: its dice are reproducible, not secret."
    return f"All {data['rolls']} rolls of {data['game']} in {data['steps']} steps are right. {fair}"
