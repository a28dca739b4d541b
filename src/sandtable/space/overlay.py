"""What is drawn over a board: a line of sight, marked hexes, a heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from xml.sax.saxutils import quoteattr

import msgspec

from sandtable.space.cells import Cell
from sandtable.space.drawtext import text_path, text_width
from sandtable.space.grid import Point

Find = Callable[[str], Cell]
CLEAR, HINDERED, BLOCKED = "#1d63d8", "#d98a00", "#d3202a"


class Thread(msgspec.Struct, frozen=True):
    """A line of sight: its ends, the hexes that hinder it, and where it is blocked."""

    start: str
    end: str
    hindering: tuple[str, ...] = ()
    blocked_at: Point | None = None
    blocking: str | None = None


class Overlay(msgspec.Struct, frozen=True):
    """Everything that may lie over a board."""

    threads: tuple[Thread, ...] = ()
    marked: Mapping[str, str] = {}
    """Colour of the frame around each marked hex."""
    heat: Mapping[str, tuple[str, str]] = {}
    """Colour and label of each hex of a heat map."""


def paint_overlay(overlay: Overlay, find: Find) -> Iterator[str]:
    """The overlay as SVG elements; `find` knows the hexes by name."""
    for name, (colour, label) in overlay.heat.items():
        cell = find(name)
        yield f'<path d="{hex_path(cell, 0.97)}" fill={quoteattr(colour)} fill-opacity=".5"/>'
        if label:
            yield from _plate(label, cell.centre, 9.0)
    for name, colour in overlay.marked.items():
        yield (
            f'<path d="{hex_path(find(name), 0.93)}" fill={quoteattr(colour)} fill-opacity=".16" '
            f'stroke={quoteattr(colour)} stroke-width="3"/>'
        )
    for thread in overlay.threads:
        yield from _thread(thread, find)


def _thread(thread: Thread, find: Find) -> Iterator[str]:
    start, end = find(thread.start).centre, find(thread.end).centre
    blocked = thread.blocked_at is not None
    for name in thread.hindering:
        yield (
            f'<path d="{hex_path(find(name), 0.93)}" fill="{HINDERED}" fill-opacity=".22" '
            f'stroke="{HINDERED}" stroke-width="2.4" stroke-dasharray="6 4"/>'
        )
    if thread.blocking is not None:
        yield (
            f'<path d="{hex_path(find(thread.blocking), 0.93)}" fill="{BLOCKED}" fill-opacity=".2" '
            f'stroke="{BLOCKED}" stroke-width="2.4"/>'
        )
    colour = BLOCKED if blocked else HINDERED if thread.hindering else CLEAR
    full = f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
    yield f'<path d="{full}" stroke="#fff" stroke-width="6" stroke-linecap="round" stroke-opacity=".75"/>'
    if thread.blocked_at is None:
        yield f'<path d="{full}" stroke="{colour}" stroke-width="2.6" stroke-linecap="round"/>'
    else:
        x, y = thread.blocked_at
        yield f'<path d="M{start[0]:.1f} {start[1]:.1f}L{x:.1f} {y:.1f}" stroke="{colour}" stroke-width="2.6"/>'
        yield (
            f'<path d="M{x:.1f} {y:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{colour}" stroke-width="2" '
            'stroke-dasharray="5 5"/>'
        )
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="#fff" stroke="{colour}" stroke-width="2.4"/>'
        yield f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8" stroke="{colour}" stroke-width="2.8"/>'
    for x, y in (start, end):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{colour}" stroke="#fff" stroke-width="2"/>'


def _plate(label: str, centre: Point, height: float) -> Iterator[str]:
    """A label on a pale plate."""
    x, y = centre
    width = text_width(label, height) + 7
    yield (
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2 - 3.5:.1f}" width="{width:.1f}" '
        f'height="{height + 7:.1f}" rx="3.5" fill="#fff" fill-opacity=".82"/>'
    )
    data = text_path(label, x, y - height / 2, height)
    yield (
        f'<path d="{data}" fill="none" stroke="#1b1b1b" stroke-width="1.5" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )


def hex_path(cell: Cell, size: float = 1.0) -> str:
    """Path data of a hex, drawn at a share of its size."""
    cx, cy = cell.centre
    points = [f"{cx + (x - cx) * size:.1f} {cy + (y - cy) * size:.1f}" for x, y in cell.corners]
    return "M" + "L".join(points) + "z"
