"""`sandtable strength`: how strong the computer players are, as tables."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from sandtable.commands.common import AsJson, emit, fail, note, progress
from sandtable.commands.developer import with_test_games


def strength(
    where: Annotated[str, typer.Argument(metavar="[GAME[/SCENARIO]]", help="Only this; all games if not named.")] = "",
    rows: Annotated[str, typer.Option(help="PLAYER:AGAINST, with commas between; default: the levels in order.")] = "",
    games: Annotated[int, typer.Option(help="Games on each side of each scenario; 0: only show what is there.")] = 20,
    jobs: Annotated[int, typer.Option(help="Processes on this machine; 0: as many as make sense.")] = 0,
    think: Annotated[str, typer.Option(help="A veteran's budget a decision: 0.5 (seconds) or 200r (rollouts).")] = "",
    seed: Annotated[int, typer.Option(help="The seed of the first game.")] = 1,
    minutes: Annotated[float, typer.Option(help="Begin no more games after so long; 0: no limit.")] = 0.0,
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = Path("results/strength"),
    write: Annotated[Path | None, typer.Option(help="Put the tables into this page (docs/players.md).")] = None,
    as_json: AsJson = False,
) -> int:
    """Let players play each other on both sides of every scenario; an interrupted run goes on where it stopped."""
    from sandtable.players.hands import processors
    from sandtable.sim.crew import Crew
    from sandtable.sim.strength import ROWS, collect, missing, plain, read_rows, run_all, table, tasks, write_tables

    if where.partition("/")[0] == "tiny":
        with_test_games()
    if games < 0 or jobs < 0 or not minutes >= 0:
        fail("--games, --jobs and --minutes cannot be less than 0.")
    chosen = read_rows(rows or ROWS)
    work = tasks(chosen, where, out, seed=seed, think=think)
    end = time.monotonic() + minutes * 60 if minutes else float("inf")
    todo = missing(work, games)
    with progress("Playing", games * len(work), "games") as task, Crew(jobs or processors(), with_test_games) as crew:
        task.begin(games * len(work) - len(todo))
        whole = run_all(todo, crew.play_all, in_time=lambda: time.monotonic() < end, on_game=task.advance)
    if not whole:
        note("The time is up: give the same command again to go on.")
    found = {row.name: collect(out, row.name) for row in chosen}
    tables = {name: "\n".join(table(row, lines) for row, lines in some.items()) for name, some in found.items() if some}
    if write is not None:
        write_tables(write, tables)
    data = {name: [plain(row, lines) for row, lines in some.items()] for name, some in found.items()}
    emit(data, as_json, lambda _: "\n".join(tables.values()).rstrip() or "Nothing has been played yet.")
    return 0
