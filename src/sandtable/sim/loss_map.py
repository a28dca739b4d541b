"""Where pieces were lost: the game's own map, its cells tinted for each side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sandtable.engine import get_game
from sandtable.sim.charts import COLOURS
from sandtable.sim.playing import Plan, Result

SHADES = (0.0, 0.9)
"""Opacity of the tint where hardly anything and where most was lost."""


def loss_maps(plan: Plan, games: Sequence[Result], name: str) -> list[tuple[str, str]]:
    """A map and its caption for each side; the drawing of the board is in the page once, as `name`."""
    game, _, scenario = plan.scenario.partition("/")
    scene = get_game(game).scene(scenario, plan.options)
    if not scene.get("picture"):
        return []
    counts = Counter((side, cell) for one in games for side, cell, _ in one.losses)
    cells = {cell["id"]: cell for cell in scene.get("cells", ())}
    most = max([count for (_, cell), count in counts.items() if cell in cells], default=0)
    if counts and not most:
        return []  # the map is rolled: another one in every game
    picture = re.sub(r' xmlns(:\w+)?="[^"]*"', "", scene["picture"])
    width, height = scene["width"], scene["height"]
    found = []
    for n, (side, colour) in enumerate(zip(plan.players, COLOURS, strict=False)):
        board = f'<g id="{name}">{picture}</g>' if n == 0 else f'<use href="#{name}"/>'
        here = {cell: count for (who, cell), count in counts.items() if who == side and cell in cells}
        spots = "".join(_spot(cells[cell], here[cell], most, colour, side) for cell in sorted(here))
        svg = (
            f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
            f'aria-label="Losses of {escape(side)}">{board}{spots}</svg>'
        )
        found.append((svg, _caption(plan, games, side, here, counts)))
    return found


def _spot(cell: Mapping[str, Any], count: int, most: int, colour: str, side: str) -> str:
    """A tinted cell with its number."""
    low, high = SHADES
    shade = low + (high - low) * (count / most) ** 0.5
    corners = " ".join(f"{x:g},{y:g}" for x, y in cell["outline"])
    reach = max(x for x, _ in cell["outline"]) - min(x for x, _ in cell["outline"])
    return (
        f"<g><title>{escape(side)}: {count} lost in {escape(cell['id'])}</title>"
        f'<polygon points="{corners}" fill="{colour}" fill-opacity="{shade:.2f}" stroke="#fff" stroke-opacity=".8"/>'
        f'<text x="{cell["x"]:g}" y="{cell["y"] + reach * 0.11:.1f}" font-size="{reach * 0.3:.0f}" '
        'text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" fill="#fff" stroke="#000" '
        f'stroke-width="3" '
        f'paint-order="stroke">{count}</text></g>'
    )


def _caption(
    plan: Plan, games: Sequence[Result], side: str, here: Mapping[str, int], counts: Mapping[tuple[str, str], int]
) -> str:
    total = sum(count for (who, _), count in counts.items() if who == side)
    words = f"Where {side} ({plan.players[side]}) lost pieces in {len(games)} games: {total} in all"
    elsewhere = total - sum(here.values())
    if elsewhere:
        words += f", {elsewhere} of them off the map"
    worst = sorted(here, key=lambda cell: (-here[cell], cell))[:3]
    return f"{words}; most in {', '.join(worst)}." if worst else f"{words}."
