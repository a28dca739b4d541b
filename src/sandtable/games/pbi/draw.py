"""The table as a terrain mat seen from above: our own drawing, the same for the same table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import cos, pi, sin
from typing import Any

from sandtable.games.pbi.battles import table_rows
from sandtable.games.pbi.rulings import Rules, rules_of
from sandtable.games.pbi.table import DIFFICULT, SQUARE_PIXELS, TERRAIN, Ground, ground, ground_key

S = SQUARE_PIXELS
DIRECTIONS = tuple(45 * n for n in range(8))
"""Degrees from straight up for each facing."""
SIDE_COLOURS = {"attacker": "#2f5f9e", "defender": "#a4402f"}

GRASS = ("#93a866", "#8aa05e", "#9bb070", "#86995a", "#a2b278")
CROWNS = ("#3f6136", "#4a6e3d", "#557a45", "#37562f", "#5f8450")
ROOFS = ("#9c5340", "#8a5a44", "#7c6f66", "#a8654a", "#6f665d")
STONES = ("#a3a097", "#8f8c84", "#b3afa5", "#7f7d76")


class Chance:
    """Numbers that look random but are always the same for a square: nothing here rolls dice."""

    def __init__(self, *seed: int) -> None:
        self._value = 2166136261
        for part in seed:
            self._value = ((self._value ^ (part + 7)) * 16777619) % 2**32

    def __call__(self, low: float, high: float) -> float:
        self._value = (self._value * 1664525 + 1013904223) % 2**32
        return low + (high - low) * (self._value >> 8) / 2**24

    def pick(self, choices: tuple[str, ...]) -> str:
        """One of several."""
        return choices[int(self(0, len(choices) - 1e-9))]


def mat(rows: tuple[str, ...]) -> str:
    """The whole table as an SVG picture."""
    width, height = len(rows[0]) * S, len(rows) * S
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}">'
        ),
        _definitions(),
        f'<rect width="{width:g}" height="{height:g}" fill="{GRASS[0]}"/>',
        *_meadow(rows),
        *_layer(rows, "f", _field),
        *_roads(rows),
        *_layer(rows, "R", _rocky),
        *_layer(rows, "W", _wood_floor),
        *_layer(rows, "B", _yard),
        _squares(rows),
        *_enclosures(rows, "h"),
        *_enclosures(rows, "w"),
        *_layer(rows, "B", _buildings),
        *_layer(rows, "W", _trees),
        *_names(rows),
        "</svg>",
    ]
    return "".join(parts)


def _definitions() -> str:
    return (
        '<defs><radialGradient id="pbi-crown" cx=".38" cy=".34" r=".75">'
        '<stop offset="0" stop-color="#fff" stop-opacity=".28"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#10200c" stop-opacity=".35"/></radialGradient></defs>'
    )


def _layer(rows: tuple[str, ...], wanted: str, draw: Any) -> Iterator[str]:
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell == wanted:
                yield from draw(rows, x, y)


def _same(rows: tuple[str, ...], x: int, y: int, cell: str) -> bool:
    return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == cell


# -- ground -----------------------------------------------------------------------------------------


def _meadow(rows: tuple[str, ...]) -> Iterator[str]:
    """Patches and tufts of grass over the whole mat."""
    for y in range(len(rows)):
        for x in range(len(rows[0])):
            chance = Chance(x, y, 1)
            for _ in range(3):
                cx, cy = x * S + chance(-20, S + 20), y * S + chance(-20, S + 20)
                yield (
                    f'<ellipse cx="{cx:.0f}" cy="{cy:.0f}" rx="{chance(28, 62):.0f}" ry="{chance(18, 40):.0f}" '
                    f'fill="{chance.pick(GRASS)}" opacity=".45"/>'
                )
            tufts = []
            for _ in range(9):
                cx, cy = x * S + chance(4, S - 4), y * S + chance(4, S - 4)
                tufts.append(f"M{cx:.0f} {cy:.0f}l-2 -5m2 5l1 -6m-1 6l4 -4")
            yield f'<path d="{"".join(tufts)}" stroke="#6f8347" stroke-width="1" fill="none" opacity=".5"/>'


def _field(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """Standing crops in rows, one field over neighbouring squares."""
    left, top = x * S, y * S
    inset = {
        side: 0 if _same(rows, x + dx, y + dy, "f") else 6
        for side, dx, dy in (("l", -1, 0), ("r", 1, 0), ("t", 0, -1), ("b", 0, 1))
    }
    x0, y0 = left + inset["l"], top + inset["t"]
    x1, y1 = left + S - inset["r"], top + S - inset["b"]
    yield f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="#cdb565"/>'
    lines, ears = [], []
    chance = Chance(x, y, 2)
    step = 10
    place = x0 + step / 2
    while place < x1:
        lines.append(f"M{place:.0f} {y0:g}V{y1:g}")
        for _ in range(7):
            ears.append(f"M{place + chance(-3, 3):.1f} {chance(y0 + 3, y1 - 3):.1f}v-4")
        place += step
    yield f'<path d="{"".join(lines)}" stroke="#b59a4b" stroke-width="3.4" opacity=".75"/>'
    yield f'<path d="{"".join(ears)}" stroke="#e4d08a" stroke-width="2" stroke-linecap="round"/>'


def _roads(rows: tuple[str, ...]) -> Iterator[str]:
    """Roads through the middles of their squares, over the edge where they lead off the table."""
    path = []
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell != "=":
                continue
            cx, cy = (x + 0.5) * S, (y + 0.5) * S
            ends = []
            for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
                off_table = not (0 <= x + dx < len(row) and 0 <= y + dy < len(rows))
                straight_on = _same(rows, x - dx, y - dy, "=")
                if _same(rows, x + dx, y + dy, "=") or (off_table and straight_on):
                    ends.append(f"M{cx:g} {cy:g}L{cx + dx * S / 2:g} {cy + dy * S / 2:g}")
            path += ends or [f"M{cx - 20:g} {cy:g}h40"]
    if not path:
        return
    line = "".join(path)
    for colour, width, more in (
        ("#8a7a55", 40, 'opacity=".55"'),
        ("#c6b48a", 34, ""),
        ("#d3c39b", 24, ""),
    ):
        yield f'<path d="{line}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" fill="none" {more}/>'
    for offset in (-7, 7):
        yield (
            f'<path d="{line}" transform="translate({offset} {offset})" stroke="#b7a477" stroke-width="3" '
            f'stroke-dasharray="26 9" fill="none" opacity=".55"/>'
        )


def _squares(rows: tuple[str, ...]) -> str:
    """The squares: visible, but quiet."""
    width, height = len(rows[0]) * S, len(rows) * S
    lines = [f"M{x * S:g} 0V{height:g}" for x in range(1, len(rows[0]))]
    lines += [f"M0 {y * S:g}H{width:g}" for y in range(1, len(rows))]
    path = "".join(lines)
    return (
        f'<path d="{path}" stroke="#2c3618" stroke-width="1.4" opacity=".28"/>'
        f'<rect x="1.5" y="1.5" width="{width - 3:g}" height="{height - 3:g}" fill="none" stroke="#2c3618" '
        f'stroke-width="3" opacity=".5"/>'
    )


def _names(rows: tuple[str, ...]) -> Iterator[str]:
    g = ground(ground_key(rows, Rules()))
    for name in g.names:
        x, y = g.column[name] * S + 6, g.row[name] * S + 16
        yield (
            f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="12" font-weight="600" fill="#fdfbe8" '
            f'stroke="#26300f" stroke-width="2.4" paint-order="stroke" opacity=".62">{name}</text>'
        )


# -- scenery ------------------------------------------------------------------------------------------


def _rocky(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """Boulders on scree."""
    left, top = x * S, y * S
    chance = Chance(x, y, 3)
    yield f'<path d="{_blob(left + S / 2, top + S / 2, S * 0.5, chance)}" fill="#a79f86" opacity=".8"/>'
    for _ in range(26):
        cx, cy = left + chance(10, S - 10), top + chance(10, S - 10)
        yield f'<circle cx="{cx:.0f}" cy="{cy:.0f}" r="{chance(1.5, 4):.1f}" fill="{chance.pick(STONES)}"/>'
    for _ in range(8):
        cx, cy, r = left + chance(18, S - 18), top + chance(18, S - 18), chance(9, 19)
        shape = _blob(cx, cy, r, chance, points=7)
        yield f'<path d="{shape}" transform="translate(3 4)" fill="#2b2a22" opacity=".35"/>'
        yield f'<path d="{shape}" fill="{chance.pick(STONES)}" stroke="#6a675f" stroke-width="1.2"/>'
        yield f'<path d="{_blob(cx - r * 0.2, cy - r * 0.25, r * 0.5, chance, points=6)}" fill="#fff" opacity=".25"/>'


def _blob(cx: float, cy: float, radius: float, chance: Chance, points: int = 9) -> str:
    """A rounded patch."""
    around = [
        (cx + cos(2 * pi * n / points) * r, cy + sin(2 * pi * n / points) * r)
        for n in range(points)
        for r in (radius * chance(0.78, 1.05),)
    ]
    start = _middle(around[-1], around[0])
    path = [f"M{start[0]:.1f} {start[1]:.1f}"]
    for n, point in enumerate(around):
        end = _middle(point, around[(n + 1) % points])
        path.append(f"Q{point[0]:.1f} {point[1]:.1f} {end[0]:.1f} {end[1]:.1f}")
    return "".join(path) + "Z"


def _middle(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _wood_floor(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """The shade under the trees, joined to the next square's wood."""
    left, top = x * S, y * S
    yield f'<rect x="{left + 5:g}" y="{top + 5:g}" width="{S - 10:g}" height="{S - 10:g}" rx="34" fill="#5d7444"/>'
    if _same(rows, x + 1, y, "W"):
        yield f'<rect x="{left + S / 2:g}" y="{top + 8:g}" width="{S:g}" height="{S - 16:g}" fill="#5d7444"/>'
    if _same(rows, x, y + 1, "W"):
        yield f'<rect x="{left + 8:g}" y="{top + S / 2:g}" width="{S - 16:g}" height="{S:g}" fill="#5d7444"/>'


def _trees(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """Crowns around the rim, so that figures in the middle stay visible."""
    left, top = x * S, y * S
    chance = Chance(x, y, 4)
    crowns = []
    for n in range(12):
        side, along = n % 4, (n // 4 + 0.5) / 3
        deep = chance(13, 22)
        slide = (along * S) + chance(-8, 8)
        cx, cy = ((slide, deep), (S - deep, slide), (S - slide, S - deep), (deep, S - slide))[side]
        crowns.append((left + cx, top + cy, chance(15, 22), chance.pick(CROWNS)))
    for _ in range(2):
        crowns.append((left + chance(36, S - 36), top + chance(36, S - 36), chance(10, 14), chance.pick(CROWNS)))
    for cx, cy, r, _ in crowns:
        yield f'<circle cx="{cx + 4:.1f}" cy="{cy + 5:.1f}" r="{r:.1f}" fill="#17220f" opacity=".32"/>'
    for cx, cy, r, colour in crowns:
        yield f'<path d="{_blob(cx, cy, r * 1.1, chance, points=8)}" fill="{colour}"/>'
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{r:.1f}" fill="url(#pbi-crown)"/>'


def _yard(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """Trodden ground around houses, joined to the next square's."""
    left, top = x * S, y * S
    right = S + 4 if _same(rows, x + 1, y, "B") else S - 8
    below = S + 4 if _same(rows, x, y + 1, "B") else S - 8
    yield (
        f'<rect x="{left + 4:g}" y="{top + 4:g}" width="{right:g}" height="{below:g}" rx="14" '
        f'fill="#b9a988" opacity=".9"/>'
    )


def _buildings(rows: tuple[str, ...], x: int, y: int) -> Iterator[str]:
    """Two houses along the edges of the square: roofs with a ridge, a lit and a shaded slope."""
    left, top = x * S, y * S
    chance = Chance(x, y, 5)
    along = chance(0, 1) < 0.5
    places = ((10, 9, 66, 34), (50, 78, 60, 33)) if along else ((9, 10, 34, 66), (78, 48, 33, 62))
    for px, py, w, h in places:
        yield from _house(left + px, top + py, w + chance(-6, 4), h + chance(-4, 3), chance)


def _house(x: float, y: float, w: float, h: float, chance: Chance) -> Iterator[str]:
    roof = chance.pick(ROOFS)
    yield f'<rect x="{x + 4:.1f}" y="{y + 5:.1f}" width="{w:.1f}" height="{h:.1f}" fill="#1d1a12" opacity=".35"/>'
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{roof}" stroke="#3c2a20" '
        f'stroke-width="1.4"/>'
    )
    if w >= h:
        yield f'<rect x="{x:.1f}" y="{y + h / 2:.1f}" width="{w:.1f}" height="{h / 2:.1f}" fill="#000" opacity=".18"/>'
        ridge = f"M{x:.1f} {y + h / 2:.1f}h{w:.1f}"
        tiles = "".join(f"M{x + n:.1f} {y:.1f}v{h:.1f}" for n in range(6, int(w), 6))
    else:
        yield f'<rect x="{x + w / 2:.1f}" y="{y:.1f}" width="{w / 2:.1f}" height="{h:.1f}" fill="#000" opacity=".18"/>'
        ridge = f"M{x + w / 2:.1f} {y:.1f}v{h:.1f}"
        tiles = "".join(f"M{x:.1f} {y + n:.1f}h{w:.1f}" for n in range(6, int(h), 6))
    yield f'<path d="{tiles}" stroke="#2b1b14" stroke-width=".8" opacity=".28"/>'
    yield f'<path d="{ridge}" stroke="#f2d9c4" stroke-width="1.6" opacity=".55"/>'
    cx, cy = x + w * chance(0.2, 0.8), y + h * chance(0.25, 0.4)
    yield f'<rect x="{cx:.1f}" y="{cy:.1f}" width="6" height="6" fill="#6d4a3c" stroke="#2b1b14" stroke-width="1"/>'


def _enclosures(rows: tuple[str, ...], kind: str) -> Iterator[str]:
    """Hedges or walls around the squares that they cover, with gaps to go through."""
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell != kind:
                continue
            left, top = x * S, y * S
            inset = 9
            sides = (
                (0, -1, left + inset, top + inset, 1, 0),
                (0, 1, left + inset, top + S - inset, 1, 0),
                (-1, 0, left + inset, top + inset, 0, 1),
                (1, 0, left + S - inset, top + inset, 0, 1),
            )
            for number, (dx, dy, x0, y0, ax, ay) in enumerate(sides):
                if not _same(rows, x + dx, y + dy, kind):
                    chance = Chance(x, y, 6 + number)
                    yield from (_hedge if kind == "h" else _wall)(x0, y0, ax, ay, chance)


def _hedge(x: float, y: float, ax: int, ay: int, chance: Chance) -> Iterator[str]:
    """A row of bushes with a gap in the middle."""
    length = S - 18
    bushes = []
    place = 0.0
    while place <= length:
        if not length * 0.42 < place < length * 0.6:
            bushes.append((x + ax * place + chance(-2, 2), y + ay * place + chance(-2, 2), chance(6.5, 9)))
        place += 8.5
    for cx, cy, r in bushes:
        yield f'<circle cx="{cx + 2:.1f}" cy="{cy + 3:.1f}" r="{r:.1f}" fill="#17220f" opacity=".3"/>'
    for cx, cy, r in bushes:
        yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{r:.1f}" fill="{chance.pick(CROWNS)}"/>'
        yield f'<circle cx="{cx - 1.5:.1f}" cy="{cy - 2:.1f}" r="{r * 0.45:.1f}" fill="#86a865" opacity=".6"/>'


def _wall(x: float, y: float, ax: int, ay: int, chance: Chance) -> Iterator[str]:
    """A dry-stone wall with a gap in the middle."""
    length = S - 18
    place = 0.0
    while place < length:
        long = chance(9, 14)
        if not length * 0.4 < place < length * 0.56:
            w, h = (long, 8) if ax else (8, long)
            px, py = x + ax * place - (0 if ax else 4), y + ay * place - (4 if ax else 0)
            yield (
                f'<rect x="{px + 2:.1f}" y="{py + 3:.1f}" width="{w:.1f}" height="{h:.1f}" fill="#1d1a12" '
                f'opacity=".3"/>'
            )
            yield (
                f'<rect x="{px:.1f}" y="{py:.1f}" width="{w - 1:.1f}" height="{h - 1:.1f}" rx="2" '
                f'fill="{chance.pick(STONES)}" stroke="#5d5a52" stroke-width=".8"/>'
            )
        place += long


# -- the scene ------------------------------------------------------------------------------------------


def square_facts(g: Ground, name: str, objectives: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """What a player wants to know about a square, with the line of the sheet."""
    kind = TERRAIN[g.terrain[name]]
    hard, partial = name in g.difficult, name in g.partial
    cover = "save 2 better" if hard else "save 1 better" if partial else "no cover"
    facts = [
        ("Square", f"{kind}: {'difficult' if hard else 'partial' if partial else 'open'}", "foot-ap-cost-leave"),
        ("Foot", f"{2 if hard else 1} AP to leave, {cover}", "saves-shooting"),
        ("Vehicles", f"{5 if hard else 2 if partial else 1} AP to leave", "vehicle-ap-cost-leave"),
    ]
    if name in objectives:
        facts.append(("Objective", f"worth {objectives[name]}", "turn-countdown"))
    return facts


def scene(scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
    """What does not change during a battle: the mat, its squares and the legend."""
    return _scene(table_rows(scenario, options), rules_of(options))


@cache
def _scene(rows: tuple[str, ...], rules: Rules) -> dict[str, Any]:
    g = ground(ground_key(rows, rules))
    cells = []
    for number, name in enumerate(g.names):
        x, y = g.grid.centre(number)
        kind = g.terrain[name]
        cells.append(
            {
                "id": name,
                "x": x,
                "y": y,
                "outline": [list(point) for point in g.grid.vertices(number)],
                "label": name,
                "terrain": TERRAIN[kind],
                "level": 0,
                "facts": square_facts(g, name, {}),
            }
        )
    legend = [
        {"face": face, "label": label, "text": text, "rule": rule}
        for face, label, text, rule in (
            ("officer", "Officer", "motivates, adds an action point, helps to remove pins", "motivation"),
            ("pinned", "Pinned", "two action points less, and no reaction", "foot-ap-roll"),
            ("immobilised", "Immobilised", "cannot move; a second time it is destroyed", "shooting-effect"),
            ("deployed", "Deployed", "ready to shoot, cannot move", "foot-ap-cost-deploy"),
            ("spent", "Spent", "has had its action points in this turn", "turn-units"),
            ("reacted", "Reacted", "has shot in this enemy turn", "odds-opportunity"),
            ("smoke", "Smoke", "no shooting in or out", "odds-smoke"),
            ("objective-3", "Objective", "victory points for whoever holds it", "turn-countdown"),
            ("strike", "Strike", "aimed here, before deviation", "artillery-place"),
        )
    ]
    legend += [
        {"face": "", "label": label.capitalize(), "text": _terrain_text(cell), "rule": "foot-ap-cost-leave"}
        for cell, label in TERRAIN.items()
    ]
    return {
        "grid": "square",
        "width": g.grid.width,
        "height": g.grid.height,
        "picture": mat(rows),
        "cells": cells,
        "directions": list(DIRECTIONS),
        "piece_size": 36,  # three figures fit side by side into a square; fewer are drawn larger
        "boxes": [],
        "sides": {side: {"label": side.capitalize(), "colour": colour} for side, colour in SIDE_COLOURS.items()},
        "legend": legend,
    }


def _terrain_text(cell: str) -> str:
    if cell in DIFFICULT:
        return "difficult: saves 2 better, slow to leave" + (", blocks sight" if cell in "WB" else "")
    return "partial: saves 1 better" if cell in "fhw" else "open"
