"""`sandtable fuzz`: random play of a game with everything checked on the way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from sandtable.commands.common import AsJson, emit, fail, progress
from sandtable.commands.developer import with_test_games
from sandtable.engine.harness import Report
from sandtable.engine.harness import fuzz as play_at_random
from sandtable.engine.registry import get_game, get_scenario


def fuzz(
    what: Annotated[str, typer.Argument(metavar="GAME[/SCENARIO]", help="A game, or one of its scenarios.")],
    games: Annotated[int, typer.Option(help="Games to play of each scenario.")] = 20,
    seed: Annotated[int, typer.Option(help="The first seed; each game takes the next one.")] = 1,
    checks: Annotated[float, typer.Option(help="The share of steps at which everything is checked.")] = 0.02,
    save: Annotated[Path, typer.Option(help="Where the records of failures go.")] = Path("fuzz-failures"),
    as_json: AsJson = False,
) -> int:
    """Play at random to the end and check at every step what must always hold."""
    if games < 1:
        fail("--games must be at least 1.")
    if not 0 <= checks <= 1:
        fail("--checks is a share between 0 and 1.")
    with_test_games()
    name, _, scenario = what.partition("/")
    game = get_game(name)
    scenarios = [get_scenario(game, scenario)] if scenario else list(game.scenarios())
    reports: dict[str, Report] = {}
    with progress(f"Playing {what}", games * len(scenarios)) as task:
        for info in scenarios:
            where = f"{game.id}/{info.id}"
            reports[where] = play_at_random(
                where, games=games, seed=seed, checks=checks, save=save, on_game=lambda: task.advance()
            )
    emit(_data(reports), as_json, _table)
    return 1 if any(report.errors for report in reports.values()) else 0


def _data(reports: dict[str, Report]) -> dict[str, Any]:
    actions = sum(report.actions for report in reports.values())
    outcomes: Counter[str] = Counter()
    for report in reports.values():
        outcomes.update(report.outcomes)
    seconds = sum(report.seconds for report in reports.values())
    return {
        "games": sum(report.games for report in reports.values()),
        "actions": actions,
        "actions_per_second": round(actions / seconds) if seconds else 0,
        "outcomes": dict(sorted(outcomes.items())),
        "errors": [error for report in reports.values() for error in report.errors],
        "scenarios": {
            name: {
                "games": report.games,
                "actions": report.actions,
                "actions_per_second": round(report.actions_per_second),
                "longest": max(report.lengths),
                "outcomes": report.outcomes,
                "errors": len(report.errors),
            }
            for name, report in reports.items()
        },
    }


def _table(data: dict[str, Any]) -> Table:
    table = Table(title=f"{data['games']} games, {data['actions']:,} actions, {data['actions_per_second']:,} a second")
    for column in ("scenario", "games", "actions", "a second", "longest", "outcomes", "errors"):
        table.add_column(column, justify="left" if column in ("scenario", "outcomes") else "right")
    for name, row in data["scenarios"].items():
        outcomes = ", ".join(f"{who} {count}" for who, count in row["outcomes"].items())
        numbers = (row["games"], row["actions"], row["actions_per_second"], row["longest"])
        table.add_row(name, *(f"{number:,}" for number in numbers), outcomes, str(row["errors"]))
    for error in data["errors"]:
        table.caption = f"{error.scenario} seed {error.seed} step {error.step}: {error.what} ({error.record})"
    return table
