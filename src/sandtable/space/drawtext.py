"""Lettering for boards: a small stroke alphabet, so that a picture looks the same with any fonts or none."""

from __future__ import annotations

GLYPHS = {
    "0": "1 0 3 0 4 1 4 5 3 6 1 6 0 5 0 1 1 0",
    "1": ".8 1.2 2.2 0 2.2 6",
    "2": "0 1 1 0 3 0 4 1 4 2 0 6 4 6",
    "3": "0 .8 1 0 3 0 4 1 4 2 3 2.8 1.6 2.8|3 2.8 4 3.8 4 5 3 6 1 6 0 5.2",
    "4": "3 6 3 0 0 4 4 4",
    "5": "4 0 .4 0 .2 2.6 3 2.4 4 3.4 4 5 3 6 1 6 0 5.2",
    "6": "3.6 0 1.6 .6 0 3 0 5 1 6 3 6 4 5 4 3.6 3 2.6 1 2.6 0 3.6",
    "7": "0 0 4 0 1.4 6",
    "8": "1 2.8 0 2 0 1 1 0 3 0 4 1 4 2 3 2.8 1 2.8 0 3.8 0 5 1 6 3 6 4 5 4 3.8 3 2.8",
    "9": "4 2.4 3 3.4 1 3.4 0 2.4 0 1 1 0 3 0 4 1 4 3 2.4 5.4 .4 6",
    "A": "0 6 2 0 4 6|.7 4 3.3 4",
    "B": "0 3 3 3 4 2.1 4 .9 3 0 0 0 0 6 3 6 4 5.1 4 3.9 3 3",
    "C": "4 1 3 0 1 0 0 1 0 5 1 6 3 6 4 5",
    "D": "0 0 2.6 0 4 1.4 4 4.6 2.6 6 0 6 0 0",
    "E": "4 0 0 0 0 6 4 6|0 2.9 3.2 2.9",
    "F": "4 0 0 0 0 6|0 2.9 3.2 2.9",
    "G": "4 1 3 0 1 0 0 1 0 5 1 6 3 6 4 5 4 3.2 2.4 3.2",
    "H": "0 0 0 6|4 0 4 6|0 3 4 3",
    "I": "2 0 2 6|1 0 3 0|1 6 3 6",
    "J": "3.4 0 3.4 5 2.6 6 1 6 .2 5",
    "K": "0 0 0 6|4 0 0 3.4|1.4 2.4 4 6",
    "L": "0 0 0 6 4 6",
    "M": "0 6 0 0 2 3.4 4 0 4 6",
    "N": "0 6 0 0 4 6 4 0",
    "O": "1 0 3 0 4 1 4 5 3 6 1 6 0 5 0 1 1 0",
    "P": "0 6 0 0 3 0 4 1 4 2.4 3 3.4 0 3.4",
    "Q": "1 0 3 0 4 1 4 5 3 6 1 6 0 5 0 1 1 0|2.4 4.2 4.2 6.4",
    "R": "0 6 0 0 3 0 4 1 4 2.4 3 3.4 0 3.4|2 3.4 4 6",
    "S": "4 .9 3 0 1 0 0 .9 0 2 1 2.8 3 3.2 4 4 4 5.1 3 6 1 6 0 5.1",
    "T": "0 0 4 0|2 0 2 6",
    "U": "0 0 0 5 1 6 3 6 4 5 4 0",
    "V": "0 0 2 6 4 0",
    "W": "0 0 .9 6 2 2.2 3.1 6 4 0",
    "X": "0 0 4 6|4 0 0 6",
    "Y": "0 0 2 3 4 0|2 3 2 6",
    "Z": "0 0 4 0 0 6 4 6",
    "+": "0 3 4 3|2 1 2 5",
    "-": "0 3 4 3",
    ".": "2 5.6 2 6",
    "%": "4 0 0 6|.8 0 .8 1.2|3.2 4.8 3.2 6",
    "/": "4 0 0 6",
    "?": "0 1 1 0 3 0 4 1 4 2 2 3.4 2 4.2|2 5.7 2 6",
    ":": "2 1.6 2 2|2 4.6 2 5",
}
ADVANCE = 5.4
"""Distance of letters on the grid of 4 x 6 on which they are drawn."""
UNKNOWN = "0 0 4 0 4 6 0 6 0 0"


def text_width(text: str, height: float) -> float:
    """Width of a word in pixels."""
    return (len(text) * ADVANCE - (ADVANCE - 4)) * height / 6


def text_path(text: str, x: float, y: float, height: float) -> str:
    """Path data of a word centred on x, with its top at y; small letters are drawn small."""
    unit = height / 6
    left = x - text_width(text, height) / 2
    data = []
    for letter in text:
        small = letter.islower()
        scale, top = (unit * 0.82, y + height * 0.18) if small else (unit, y)
        for stroke in GLYPHS.get(letter.upper(), UNKNOWN if letter != " " else "").split("|"):
            numbers = [float(word) for word in stroke.split()]
            points = [
                f"{_short(left + a * scale)} {_short(top + b * scale)}"
                for a, b in zip(numbers[::2], numbers[1::2], strict=True)
            ]
            if points:
                data.append("M" + " ".join(points))
        left += ADVANCE * unit
    return "".join(data)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
