"""Pictures of boards and maps: SVG made from the same outlines that lines of sight are judged on."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Literal

from sandtable.space.board import Board
from sandtable.space.cells import Cell, cells
from sandtable.space.drawpaint import layers, paint
from sandtable.space.drawstyle import THEMES, Theme, patterns
from sandtable.space.drawtext import text_path, text_width
from sandtable.space.hexgrid import HexGrid
from sandtable.space.joining import Piece
from sandtable.space.maps import GameMap
from sandtable.space.overlay import Overlay, paint_overlay
from sandtable.space.terrain import IN_SEASON, Season

LABEL = 7.6
"""Height of hex coordinates in pixels."""
EDGE = 13.0
"""Coordinates of half hexes are centred at least this far from the board's edge."""


def draw_board(
    ground: Board | GameMap,
    *,
    overlay: Overlay | None = None,
    theme: Literal["light", "dark"] = "light",
    season: Season = IN_SEASON,
    grid: bool = True,
    coordinates: bool = True,
    prefix: str = "",
) -> str:
    """A board or a map of joined boards as an SVG picture; a map brings its own season.

    `prefix` keeps ids apart when several pictures share a page.
    """
    colours = THEMES[theme]
    body = [f'<path fill="url(#{prefix}grass)" d="{_rectangle(ground.grid)}"/>']
    if isinstance(ground, GameMap):
        for number, piece in enumerate(ground.pieces):
            body += _piece(piece, f"b{number}", colours, ground.season, prefix)
    else:
        body += paint(ground.geometry, colours, prefix=prefix, season=season)
    if overlay is not None:
        # a hex of a joined edge answers to the name on either board
        index = ground.index if isinstance(ground, GameMap) else ground.grid.index
        on_map = cells(ground.grid)
        top = [*paint_overlay(overlay, lambda name: on_map[ground.grid.names[index(name)]])]
    else:
        top = []
    return _picture(ground.grid, body, top, colours, prefix=prefix, grid=grid, coordinates=coordinates)


def _piece(piece: Piece, part: str, colours: Theme, season: Season, prefix: str) -> Iterator[str]:
    """One board of a map, turned and moved to its place and cut at its edges."""
    begin, end = piece.pixels
    wide, high = floor(piece.grid.width), floor(piece.grid.height)
    shift = piece.left - begin, piece.top
    turned = (-1.0, 0.0, 0.0, -1.0, wide + shift[0], high + shift[1])
    geometry = piece.board.geometry.placed(turned if piece.turned else (1.0, 0.0, 0.0, 1.0, *shift))
    outline = f"M{piece.left} {piece.top}h{end - begin}v{high}h-{end - begin}z"
    yield f'<clipPath id="{prefix}{part}"><path d="{outline}"/></clipPath><g clip-path="url(#{prefix}{part})">'
    yield from paint(geometry, colours, prefix=prefix, part=part, season=season)
    yield "</g>"


def _picture(
    grid_of: HexGrid,
    body: list[str],
    top: list[str],
    colours: Theme,
    *,
    prefix: str,
    grid: bool,
    coordinates: bool,
) -> str:
    """Ground, hex grid, coordinates and overlay as one SVG document."""
    all_cells = cells(grid_of)
    width, height = f"{grid_of.width:g}", f"{grid_of.height:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<defs><clipPath id="{prefix}edge"><path d="{_rectangle(grid_of)}"/></clipPath>',
        patterns(colours, prefix),
        f'</defs><g clip-path="url(#{prefix}edge)" stroke-linejoin="round">',
        *body,
    ]
    if grid:
        parts += _hex_grid(grid_of, all_cells, colours, prefix)
    if coordinates:
        parts += _coordinates(grid_of, all_cells, colours, prefix)
    return "".join([*parts, *top, "</g></svg>"])


def _rectangle(grid: HexGrid) -> str:
    return f"M0 0h{grid.width:g}v{grid.height:g}H0z"


def _hex_grid(grid: HexGrid, all_cells: dict[str, Cell], colours: Theme, prefix: str) -> Iterator[str]:
    """Thin hexsides and a white dot in each centre (1.1)."""
    side, half, rise = grid.side_length, grid.side_length / 2, grid.hex_height / 2
    # the three upper right sides of every hex, and the others where no neighbour draws them
    data = []
    for cell in all_cells.values():
        x, y = cell.corners[0]
        data.append(f"M{x:g} {y:g}h{side:g}l{half:g} {rise:g}l-{half:g} {rise:g}")
        for other in (3, 4, 5):
            if cell.neighbours[other] is None:
                (ax, ay), (bx, by) = cell.corners[other], cell.corners[(other + 1) % 6]
                data.append(f"M{ax:g} {ay:g}L{bx:g} {by:g}")
    yield f'<path d="{"".join(data)}" fill="none" stroke="{colours.grid}" stroke-opacity=".5"/>'
    dots = "".join(f"M{cell.centre[0]:g} {cell.centre[1]:g}h0" for cell in all_cells.values())
    yield from layers(
        f"{prefix}dots",
        dots,
        f'stroke="{colours.grid}" stroke-width="4.6" stroke-linecap="round" stroke-opacity=".7"',
        f'stroke="{colours.dot}" stroke-width="3.2" stroke-linecap="round"',
    )


def label_height(name: str, room: float) -> float:
    """How high a coordinate is written, so that it does not run into the next hexes."""
    return min(LABEL, LABEL * room / text_width(name, LABEL))


def _coordinates(grid: HexGrid, all_cells: dict[str, Cell], colours: Theme, prefix: str) -> Iterator[str]:
    """The coordinate at the top of each hex, on a pale halo so that it reads on any ground; long ones are smaller."""
    words = []
    for name, cell in all_cells.items():
        x, y = cell.centre
        height = label_height(name, grid.pitch)
        margin = max(EDGE, text_width(name, height) / 2 + 3)
        x = min(max(x, margin), grid.width - margin)
        top = y - grid.hex_height / 2 + 4.2
        if top < 2:
            top = y + 6.5
        words.append(text_path(name, x, top, height))
    line = 'fill="none" stroke-linecap="round"'
    yield from layers(
        f"{prefix}names",
        "".join(words),
        f'{line} stroke="{colours.halo}" stroke-width="3.4" stroke-opacity=".62"',
        f'{line} stroke="{colours.label}" stroke-width="1.15"',
    )


def svg_to_png(svg: str, scale: float = 1.0) -> bytes:
    """The picture as PNG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, skip_system_fonts=True))
