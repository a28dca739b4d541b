"""`sandtable board`: list, draw and check boards."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from sandtable.commands.common import AsJson, emit, fail, note, progress

if TYPE_CHECKING:
    from sandtable.space.maps import GameMap

OBJECTIVE = "#c2185b"
"""Colour of the frame around an objective."""

Png = Annotated[Path | None, typer.Option("--png", help="Draw the board into this PNG file.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Draw the board into this SVG file.")]


def list_boards(as_json: AsJson = False) -> None:
    """List the boards, shipped and imported."""
    from sandtable.space.board import BoardError, board_names, load_board

    rows: list[dict[str, Any]] = []
    for name in board_names():
        try:
            board = load_board(name)
        except BoardError as error:
            rows.append({"board": name, "error": str(error)})
            continue
        rows.append(
            {
                "board": name,
                "title": board.title,
                "hexes": len(board.hexes),
                "columns": board.grid.columns,
                "rows": board.grid.rows,
                "imported": board.imported,
                "highest_level": max(facts.level for facts in board.hexes.values()),
            }
        )
    emit(rows, as_json, _boards_table)


def show(
    board: Annotated[str, typer.Argument(help='Board, or boards joined to a map: w, "w x", "w:U-GG x* / y z"')],
    hex: Annotated[str | None, typer.Argument(help="Describe this hex: K5")] = None,
    png: Png = None,
    svg: Svg = None,
    scale: Annotated[float, typer.Option("--scale", help="Size of the PNG picture.", min=0.1, max=6)] = 1.0,
    theme: Annotated[str, typer.Option("--theme", help="light or dark")] = "light",
    month: Annotated[int, typer.Option("--month", min=1, max=12, help="Month, for grain and orchards.")] = 7,
    coordinates: Annotated[bool, typer.Option(help="Print hex coordinates.")] = True,
    objectives: Annotated[bool, typer.Option(help="Mark the hexes of the objectives.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a board or a map of joined boards as PNG or SVG, or describe it or one of its hexes."""
    from sandtable.space.draw import draw_board, svg_to_png
    from sandtable.space.maps import load_map, parse_layout
    from sandtable.space.overlay import Overlay
    from sandtable.space.terrain import Season

    if theme not in ("light", "dark"):
        fail(f"There is no theme {theme!r}; say light or dark.")
    found = load_map(parse_layout(board, Season.of_month(month)))
    if png or svg:
        with progress(f"Drawing board {board}"):
            marked = {name: OBJECTIVE for objective in found.objectives for name in objective.hexes}
            overlay = Overlay(marked=marked) if objectives else None
            drawn = draw_board(
                found, overlay=overlay, theme="dark" if theme == "dark" else "light", coordinates=coordinates
            )
            if svg:
                write_file(svg, drawn.encode())
            if png:
                write_file(png, svg_to_png(drawn, scale))
        written = [str(path) for path in (svg, png) if path]
        if as_json:
            emit({"board": board, "written": written}, as_json, lambda _: None)
        else:
            note(f"Board {board} is drawn in {' and '.join(written)}.")
    elif hex is None:
        emit(_hexes(found, list(found.hexes)), as_json, _hexes_table)
    else:
        emit(_hexes(found, [_known(found, hex)])[0], as_json, _describe)


def check(
    file: Annotated[Path, typer.Argument(help="The board file")],
    as_json: AsJson = False,
) -> int:
    """Check a board file: each mistake is named with file, line and hex."""
    from sandtable.space.board import BoardError
    from sandtable.space.boardcheck import check_board_file
    from sandtable.space.boardfile import read_board

    try:
        read_board(file)
    except BoardError as error:
        if not as_json:
            fail(str(error))
        emit({"file": str(file), "ok": False, "loads": False, "findings": [str(error)]}, as_json, lambda _: None)
        return 2
    findings = check_board_file(file)
    emit({"file": str(file), "ok": not findings, "loads": True, "findings": findings}, as_json, _findings)
    return 1 if findings else 0


def write_file(path: Path, data: bytes, *, parents: bool = False) -> None:
    """Write a file completely or not at all; `parents` makes the folder if it is missing."""
    from sandtable.engine.record import write_whole

    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror or os.strerror(error.errno or 5)}.")


def _boards_table(rows: list[dict[str, Any]]) -> Table:
    table = Table()
    for column in ("board", "title", "hexes", "highest level", "kind"):
        table.add_column(column)
    for row in rows:
        if "error" in row:
            table.add_row(row["board"], row["error"], "", "", "damaged")
            continue
        kind = "imported" if row["imported"] else "drawn here"
        table.add_row(row["board"], row["title"], str(row["hexes"]), str(row["highest_level"]), kind)
    return table


def _known(ground: GameMap, name: str) -> str:
    """The hex of that name; small letters will do, and on a joined edge the name on either board."""
    names = (name, name.upper(), name[:1] + name[1:].upper())
    return ground.grid.names[ground.index(next((one for one in names if one in ground), name))]


def _hexes(board: GameMap, names: list[str]) -> list[dict[str, Any]]:
    """The facts of some hexes as plain data."""
    rows = []
    for name in names:
        facts = board[name]
        rows.append(
            {
                "hex": name,
                "terrain": facts.terrain,
                "title": facts.kind.title,
                "level": facts.level,
                "roads": {str(side): surface for side, surface in facts.roads},
                "building": facts.building,
                "building_hexes": [n for n, f in board.hexes.items() if f.building == facts.building]
                if facts.building
                else [],
                "material": facts.material,
                "woods_road": facts.woods_road,
                "orchard_road": facts.orchard_road,
                "crest_line": facts.crest_line,
                "crest_hexsides": list(facts.crest),
                "hexside_terrain": {str(side): kind for side, kind in facts.sides},
                "half_hex": facts.half,
                "storeys": facts.storeys,
                "stairs": facts.stairs,
                "party_walls": list(facts.rowhouse),
                "bed": {str(side): kind for side, kind in facts.bed},
            }
        )
    return rows


def _words(row: dict[str, Any]) -> str:
    """What a hex is, in one line."""
    words = [row["title"]]
    if row["level"]:
        words.append(f"level {row['level']}")
    if row["crest_line"]:
        words.append("crest line")
    if row["roads"]:
        surfaces = sorted(set(row["roads"].values()))
        words.append(f"{' and '.join(surfaces)} road over hexsides {', '.join(row['roads'])}")
    if len(row["building_hexes"]) > 1:
        words.append(f"one building with {', '.join(n for n in row['building_hexes'] if n != row['hex'])}")
    if row["stairs"]:
        words.append("stairs")
    if row["bed"]:
        kinds = sorted({kind.replace("_", " ") for kind in row["bed"].values()})
        words.append(f"{' and '.join(kinds)} over hexsides {', '.join(row['bed'])}")
    words += [f"party wall on hexside {side}" for side in row["party_walls"]]
    words += [f"{kind} on hexside {side}" for side, kind in row["hexside_terrain"].items()]
    if row["half_hex"]:
        words.append("half hex")
    return "; ".join(words)


def _describe(row: dict[str, Any]) -> str:
    return f"{row['hex']}: {_words(row)}."


def _hexes_table(rows: list[dict[str, Any]]) -> Table:
    table = Table()
    table.add_column("hex")
    table.add_column("what it is")
    for row in rows:
        table.add_row(row["hex"], _words(row))
    return table


def _findings(data: dict[str, Any]) -> str:
    if data["ok"]:
        return f"{data['file']} is a board without mistakes."
    return "\n".join(data["findings"])
