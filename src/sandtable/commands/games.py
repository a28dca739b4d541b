"""`sandtable games`: what can be played."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from sandtable.commands.common import AsJson, emit
from sandtable.engine.registry import game_names, get_game


def games(
    game: Annotated[str | None, typer.Argument(help="Only this game, with options.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games and their scenarios."""
    chosen = [get_game(name) for name in ([game] if game else game_names())]
    data = [
        {"game": one.id, "title": one.title, "scenarios": [msgspec.to_builtins(info) for info in one.scenarios()]}
        for one in chosen
    ]
    emit(data, as_json, lambda rows: _table(rows, with_options=game is not None))


def _table(data: list[dict[str, Any]], *, with_options: bool) -> Table:
    table = Table()
    for column in ("scenario", "title", "sides", "length", *(["options"] if with_options else [])):
        table.add_column(column)
    for game in data:
        for info in game["scenarios"]:
            options = "\n".join(f"{option['id']}: {', '.join(option['values'])}" for option in info.get("options", ()))
            title = info["title"] + (" (reconstructed)" if info.get("reconstructed") else "")
            row = [f"{game['game']}/{info['id']}", title, ", ".join(info["sides"]), info.get("length", "")]
            table.add_row(*row, *([options] if with_options else []))
    return table
