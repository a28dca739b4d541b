"""`sandtable bench`: measure what has a target. The measurements live in `bench/` of a checkout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.table import Table

from sandtable.commands.common import AsJson, emit, fail, progress
from sandtable.commands.developer import CHECKOUT, with_test_games


def bench(
    parts: Annotated[list[str] | None, typer.Argument(help="Only these parts (files of bench/).")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the benchmarks and compare each figure with what it must reach."""
    folder = CHECKOUT / "bench"
    known = sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))
    if not known:
        fail("The benchmarks are part of a checkout of the project, not of the installed package.")
    unknown = [part for part in parts or () if part not in known]
    if unknown:
        fail(f"There is no benchmark {unknown[0]!r}; there are {', '.join(known)}.")
    with_test_games()
    sys.path.insert(0, str(CHECKOUT))
    figures: list[dict[str, Any]] = []
    with progress("Measuring", len(parts or known)) as task:
        for part in parts or known:
            task.update(task.done, f"Measuring {part}")
            measure: Callable[[], Iterable[dict[str, Any]]] = import_module(f"bench.{part}").figures
            figures += [{"part": part, **figure} for figure in measure()]
            task.advance()
    for figure in figures:
        figure["reached"] = _reached(figure)
    emit({"figures": figures}, as_json, _table)


def _reached(figure: dict[str, Any]) -> bool | None:
    """Whether a figure is where it must be; None where it could not be measured or has no target."""
    value, must = figure.get("value"), figure.get("must")
    if value is None or must is None:
        return None
    return bool(value <= must if figure.get("better") == "lower" else value >= must)


def _table(data: dict[str, Any]) -> Table:
    table = Table()
    for column in ("part", "what", "measured", "must", "reached"):
        table.add_column(column, justify="right" if column in ("measured", "must") else "left")
    for figure in data["figures"]:
        unit = f" {figure['unit']}" if figure.get("unit") else ""
        sign = "≤" if figure.get("better") == "lower" else "≥"
        value = "not available" if figure["value"] is None else f"{figure['value']:,.6g}{unit}"
        must = f"{sign} {figure['must']:,.6g}{unit}" if figure.get("must") is not None else ""
        reached = {True: "yes", False: "NO", None: figure.get("why", "")}[figure["reached"]]
        table.add_row(figure["part"], figure["name"], value, must, reached)
    return table
