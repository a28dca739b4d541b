"""`sandtable army`: the army lists of PBI, checking an army, and setting two armies against each other."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from sandtable.commands.common import AsJson, emit, fail
from sandtable.engine import save_position
from sandtable.games.pbi.armies import Army, Problem, army_points, check_army
from sandtable.games.pbi.battles import battle_position
from sandtable.games.pbi.catalogue import NATIONS, QUALITIES, lists
from sandtable.reading import convert


def read_army(path: Path) -> dict[str, Any]:
    """The data of an army file (TOML or JSON)."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        fail(f"{path} is not a text file.")
    try:
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        fail(f"{path} cannot be read: {error}.")
    if not isinstance(data, dict):
        fail(f"{path} is not an army: it should be a table with nation, quality, points, units and assets.")
    return data


def check(
    file: Annotated[Path, typer.Argument(help="An army file, TOML or JSON.")],
    as_json: AsJson = False,
) -> int:
    """Say what an army costs and everything that is wrong with it."""
    data = read_army(file)
    problems = check_army(data)
    total = army_points(convert(data, Army)) if not problems else 0
    result = {"points": total, "problems": msgspec.to_builtins(problems)}

    def words(_: Any) -> str:
        if problems:
            return "\n".join(f"{problem.where}: {problem.sentence}" for problem in problems)
        return f"The army is in order and costs {total} points."

    emit(result, as_json, words)
    return 1 if problems else 0


def show_lists(
    nation: Annotated[str | None, typer.Argument(help="A nation; none: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what an army may be made of, with the points of each quality (house values)."""
    if nation is not None and nation not in NATIONS:
        fail(f"There is no list for {nation!r}; there are {', '.join(NATIONS)}.")
    rows = [
        {
            "nation": name,
            "entry": entry.id,
            "name": entry.name,
            "kind": entry.kind,
            "bases": list(entry.kinds),
            **{quality: entry.points(quality) for quality in QUALITIES},
        }
        for name in ([nation] if nation else NATIONS)
        for entry in lists().nations[name].units
    ]

    def table(_: Any) -> Table:
        shown = Table()
        for column in ("nation", "entry", "name", "kind", *QUALITIES):
            shown.add_column(column)
        for row in rows:
            shown.add_row(*[str(row[column]) for column in ("nation", "entry", "name", "kind", *QUALITIES)])
        return shown

    emit(rows, as_json, table)


def battle(
    attacker: Annotated[Path, typer.Argument(help="The attacker's army file.")],
    defender: Annotated[Path, typer.Argument(help="The defender's army file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The position file to write, .toml or .json.")],
    table: Annotated[int, typer.Option(min=1, max=99, help="The generator's seed for the table.")] = 1,
) -> None:
    """Put two armies on a generated table and write the position; sandtable opens it as a match."""
    armies = []
    for path in (attacker, defender):
        data = read_army(path)
        problems: list[Problem] = check_army(data)
        if problems:
            fail(f"{path}: {problems[0].sentence}")
        armies.append(convert(data, Army))
    save_position(battle_position(armies[0], armies[1], {"table": str(table)}), out)
    typer.echo(f"{out} is written.")
