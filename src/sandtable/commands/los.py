"""`sandtable los`: explain one line of sight, draw it, or write all lines of a board."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.commands.board import write_file
from sandtable.commands.common import AsJson, emit, fail, note, progress

if TYPE_CHECKING:
    from sandtable.space.los import Cliffs, Counting, Los, LosRules, LosTable
    from sandtable.space.maps import GameMap

COUNTINGS = ("per-hex", "per-range")
HEIGHTS = ("one-level", "full")
CLIFFS = ("hide", "crest")


def los(
    board: Annotated[str, typer.Argument(help='Board, or boards joined to a map: w, "w x", "w:U-GG x*:A-E / y z"')],
    start: Annotated[str | None, typer.Argument(help="Hex at one end: E9")] = None,
    end: Annotated[str | None, typer.Argument(help="Hex at the other end: I7")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Draw the line on the board into this file.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All lines of the board; needs --csv.")] = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the lines there (- for standard output).")] = None,
    hindrance: Annotated[str, typer.Option("--hindrance", help="Count hindrances per-hex or per-range.")] = "per-hex",
    buildings: Annotated[
        str, typer.Option("--buildings", help="Buildings are one-level or full height.")
    ] = "one-level",
    cliffs: Annotated[
        str, typer.Option("--cliffs", help="Cliffs hide the hex at their foot, or no more than a crest line.")
    ] = "hide",
    month: Annotated[int | None, typer.Option("--month", min=1, max=12, help="Month, for grain and orchards.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain the line of sight between two hexes, or write every line of a board."""
    from sandtable.space.maps import load_map, parse_layout
    from sandtable.space.terrain import IN_SEASON, Season

    rules = _rules(hindrance, buildings, cliffs)
    season = IN_SEASON if month is None else Season.of_month(month)
    game_map = load_map(parse_layout(board, season))
    if every:
        if start is not None or csv is None:
            fail("To write all lines say: sandtable los BOARD --all --csv FILE.")
        _write_all(game_map, rules, csv)
        return
    if start is None or end is None:
        fail("Name the two hexes of the line: sandtable los w E9 I7.")
    if csv is not None:
        fail("--csv writes all lines of a board: add --all and leave out the hexes.")
    with progress(f"Judging {start} to {end}"):
        line = game_map.los(rules).explain(_cell(game_map, start), _cell(game_map, end))
    if png is not None:
        with progress("Drawing"):
            write_file(png, draw_line(game_map, line))
        note(f"Drawn into {png}.")
    _tell(game_map, line, rules, as_json)


def _rules(hindrance: str, buildings: str, cliffs: str) -> LosRules:
    from sandtable.space.los import LosRules

    if hindrance not in COUNTINGS:
        fail(f"Hindrances are counted per-hex or per-range, not {hindrance!r}.")
    if buildings not in HEIGHTS:
        fail(f"Buildings are one-level or full, not {buildings!r}.")
    if cliffs not in CLIFFS:
        fail(f"Cliffs hide or are a crest, not {cliffs!r}.")
    counting: Counting = "per-range" if hindrance == "per-range" else "per-hex"
    hiding: Cliffs = "crest" if cliffs == "crest" else "hide"
    return LosRules(hindrance=counting, one_level_buildings=buildings == "one-level", cliffs=hiding)


def _cell(game_map: GameMap, name: str) -> int:
    """The hex of that name; small letters will do."""
    names = (name, name.upper(), name[:1] + name[1:].upper())
    return game_map.index(next((one for one in names if one in game_map), name))


def _tell(game_map: GameMap, line: Los, rules: LosRules, as_json: bool) -> None:
    from sandtable.space.loswords import as_data, in_words

    data: dict[str, Any] = {"board": game_map.name, **as_data(line), "counting": rules.hindrance}
    emit(data, as_json, lambda _: in_words(line))


def draw_line(game_map: GameMap, line: Los) -> bytes:
    """The map with the line on it, as PNG."""
    from sandtable.space.draw import draw_board, svg_to_png
    from sandtable.space.overlay import Overlay, Thread

    thread = Thread(
        start=line.start,
        end=line.end,
        hindering=tuple(one.hex for one in line.hindrances),
        blocked_at=(float(line.point[0]), float(line.point[1])) if line.blocked and line.point else None,
        blocking=line.blocking_hex,
    )
    return svg_to_png(draw_board(game_map, overlay=Overlay(threads=(thread,))))


def _write_all(game_map: GameMap, rules: LosRules, file: Path) -> None:
    table = game_map.los(rules)
    with progress(f"Judging all lines of {game_map.name}", 100) as task:
        table.complete(lambda share: task.update(int(100 * share)))
        text = "".join(csv_lines(table))
        if str(file) == "-":
            sys.stdout.write(text)
        else:
            write_file(file, text.encode())
    pairs = game_map.grid.size * (game_map.grid.size - 1)
    note(f"{pairs:,} lines written to {'standard output' if str(file) == '-' else file}.")


def csv_lines(table: LosTable) -> Iterator[str]:
    """Every ordered pair of hexes as a line of CSV; the hindrance of a blocked line is 0."""
    from sandtable.space.los import BLOCKED

    grid = table.grid
    yield "hex_a,hex_b,range,blocked,hindrance\n"
    for start, name in enumerate(grid.names):
        ranges, values = grid.range_rows[start], table.row(start)
        for end, other in enumerate(grid.names):
            if end != start:
                value = values[end]
                verdict = "1,0" if value == BLOCKED else f"0,{value}"
                yield f"{name},{other},{ranges[end]},{verdict}\n"
