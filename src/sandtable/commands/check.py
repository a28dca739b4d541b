"""`sandtable check`: the legal actions of random games, compared with a second reading of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail, progress
from sandtable.engine.registry import get_game, get_scenario
from sandtable.oracles import ORACLES, Findings, oracles_of, run


def check(
    what: Annotated[str, typer.Argument(metavar="GAME[/SCENARIO]", help="A game, or one of its scenarios.")],
    decisions: Annotated[int, typer.Option(help="Decisions to compare.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The first seed; each round of games takes the next one.")] = 1,
    save: Annotated[Path, typer.Option(help="Where the records of differences go.")] = Path("check-differences"),
    as_json: AsJson = False,
) -> int:
    """Play at random and compare who may do what with a second reading of the rule text."""
    if decisions < 1:
        fail("--decisions must be at least 1.")
    name, _, scenario = what.partition("/")
    game = get_game(name)
    oracles = oracles_of(game.id)
    if not oracles:
        there = ", ".join(sorted({one for oracle in ORACLES for one in oracle.GAMES})) or "none"
        fail(f"Nothing to compare {game.id} with: second readings exist for {there}; sandtable fuzz tries any game.")
    infos = [get_scenario(game, scenario)] if scenario else list(game.scenarios())
    scenarios = [f"{game.id}/{info.id}" for info in infos]
    with progress(f"Checking {what}", decisions, "decisions") as task:
        found = run(scenarios, oracles, decisions=decisions, seed=seed, save=save, on_decision=lambda: task.advance())
    emit(_data(found), as_json, _words)
    return 1 if found.differences else 0


def _data(found: Findings) -> dict[str, Any]:
    return {
        "games": found.games,
        "actions": found.actions,
        "decisions": found.decisions,
        "looked_at": found.asked,
        "differences": found.differences,
        "first": [
            {
                "scenario": one.scenario,
                "seed": one.seed,
                "decision": one.decision,
                "side": one.side,
                "oracle": one.oracle,
                "what": one.what,
                "record": one.record,
                "again": one.again,
            }
            for one in found.first
        ],
    }


def _words(data: dict[str, Any]) -> str:
    looked = ", ".join(f"{name} {count:,}" for name, count in data["looked_at"].items())
    many = "no difference" if not data["differences"] else f"{data['differences']:,} differences"
    lines = [f"{data['decisions']:,} decisions of {data['games']:,} games compared ({looked}): {many}."]
    for one in data["first"]:
        lines.append(f"{one['scenario']}, {one['side']}, {one['oracle']}: {one['what']}")
        lines.append(f"    again: {one['again']}    record: {one['record']}")
    if data["differences"] > len(data["first"]):
        lines.append(f"... and {data['differences'] - len(data['first']):,} more.")
    return "\n".join(lines)
