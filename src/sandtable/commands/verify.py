"""`sandtable verify`: check every die roll of a finished match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, progress
from sandtable.commands.developer import with_test_games
from sandtable.engine.proof import proof_of
from sandtable.engine.start import load_record
from sandtable.engine.start import verify as check


def verify(
    record: Annotated[Path, typer.Argument(help="The record of a finished match.")],
    commitment: Annotated[
        str | None, typer.Option(help="The commitment that was noted when the match began (16 digits or more).")
    ] = None,
    number: Annotated[
        str | None, typer.Option(help="The number that you, or your browser, added to the dice (64 digits).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the secret against what was committed to, and every roll against the secret."""
    with_test_games()
    loaded = load_record(record)
    with progress("Rolling again"):
        match = check(loaded, commitment=commitment, number=number)
    proof = proof_of(loaded, noted=commitment is not None, own=(number or "").strip().lower())
    data = {
        "game": f"{loaded.header.game}/{loaded.header.scenario}",
        "match_id": loaded.header.match_id,
        "commitment": loaded.header.commitment,
        "seeded": proof.seeded,
        "noted": proof.noted,
        "own_number": proof.own,
        "numbers": proof.numbers,
        "steps": proof.entries,
        "rolls": proof.rolls,
        "rolls_of_the_secret_alone": proof.alone,
        "rolls_before_the_last_number": proof.partly,
        "rolls_after_a_number_later_than_yours": proof.later,
        "outcome": match.outcome,
        "verified": True,
        "proven": " ".join(proof.sentences()),
    }
    emit(data, as_json, _sentence)


def _sentence(data: dict[str, Any]) -> str:
    return f"All {data['rolls']} rolls of {data['game']} in {data['steps']} steps are right. {data['proven']}"
