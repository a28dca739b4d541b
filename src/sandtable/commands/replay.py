"""`sandtable replay`: play a record again and tell what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from sandtable.commands.common import AsJson, emit, fail, progress
from sandtable.commands.developer import with_test_games
from sandtable.engine import Event
from sandtable.engine.errors import Divergence
from sandtable.engine.match import Match
from sandtable.engine.start import load_record, save_position
from sandtable.engine.start import replay as play_again


def replay(
    record: Annotated[Path, typer.Argument(help="A record file.")],
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps.")] = None,
    side: Annotated[str | None, typer.Option(help="Tell only what this side may know.")] = None,
    position: Annotated[Path | None, typer.Option(help="Write the situation reached to this file.")] = None,
    as_json: AsJson = False,
) -> int:
    """Play a record with the rules of this version; says where it first diverges, if it does."""
    with_test_games()
    loaded = load_record(record)
    told: dict[int, list[tuple[Event, str]]] = {}

    def tell(match: Match, number: int) -> None:
        """An event is told with the pieces as they stood when it happened, not as they ended."""
        events = match.events(since=number, everything=True)
        told[number] = [(event, match.game.words(event, match.state)) for _, event in events]

    diverges: Divergence | None = None
    with progress(f"Replaying {record.name}"):
        try:
            match = play_again(loaded, steps=steps, each=tell)
        except Divergence as error:
            diverges = error
            match = play_again(loaded, steps=max(error.step - 1, 0), each=tell)
            told = {number: lines for number, lines in told.items() if number <= match.version}
    if side is not None and side not in match.sides:
        fail(f"There is no side {side!r} in this match; the sides are {', '.join(match.sides)}.")
    if position is not None:
        save_position(match.position(), position)
    emit(_data(match, side, told, diverges), as_json, _story)
    return 1 if diverges else 0


def _data(
    match: Match, side: str | None, told: dict[int, list[tuple[Event, str]]], diverges: Divergence | None
) -> dict[str, Any]:
    log = [
        {"step": step, "text": text, "event": msgspec.to_builtins(event)}
        for step, lines in told.items()
        for event, text in lines
        if side is None or event.known_to(side)
    ]
    return {
        "game": f"{match.header.game}/{match.header.scenario}",
        "steps": match.version,
        "outcome": match.outcome,
        "diverges_at": diverges.step if diverges else None,
        "divergence": str(diverges) if diverges else None,
        "log": log,
    }


def _story(data: dict[str, Any]) -> str:
    lines = [f"{line['step']:5}  {line['text']}" for line in data["log"]]
    if data["divergence"]:
        lines.append(f"These rules part from the record here: {data['divergence']}")
    return "\n".join([f"{data['game']}, {data['steps']} steps", *lines])
