"""Colours of nationalities, for counters and for the client."""

from __future__ import annotations

COLOURS = {
    "german": "#94abba",
    "german_ss": "#3a3d42",
    "russian": "#bd8e62",
    "american": "#98a163",
    "british": "#dcc78f",
    "italian": "#aeb3b5",
    "allied_minor": "#b8cf99",
    "french": "#9cc4e2",
    "free_french": "#cdbf9b",
    "usmc": "#6d8a58",
    "japanese": "#e5d26c",
    "chinese": "#d8d8d0",
    "axis_minor": "#90bd82",
    "finnish": "#ccd5da",
    "partisan": "#b08d68",
}
INK, PAPER, RED = "#15170f", "#fffdf4", "#a3231b"


def ink(nation: str) -> str:
    """The colour of the print on a nation's counters."""
    return PAPER if nation == "german_ss" else INK


def shade(colour: str, factor: float) -> str:
    """A colour made darker (below 1) or lighter (above 1)."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    if factor <= 1:
        mixed = [round(part * factor) for part in parts]
    else:
        mixed = [round(part + (255 - part) * (factor - 1)) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in mixed)
