"""The picture of a scenario: its map with the counters as they stand at the start, drawn to where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.engine import Match, new
from sandtable.engine.view import PieceView
from sandtable.server.picture import everything

MARGIN = 1.6
"""Space around the counters, in counters."""
SHOWN = 3
"""Counters of a stack that are drawn."""
SHIFT = 0.13
"""How far the next counter of a stack is moved, in counters."""
ASPECT = 2.2
LEAST = 9.0
"""The smallest width of a picture, in counters."""


class Frame(NamedTuple):
    """A part of a map."""

    x: float
    y: float
    width: float
    height: float


def card(game: str, scenario: str, scene: Mapping[str, Any], faces: Mapping[str, str]) -> str:
    """The picture of a scenario as it begins."""
    return drawn(new(f"{game}/{scenario}", seed=1), scene, faces)


def drawn(match: Match, scene: Mapping[str, Any], faces: Mapping[str, str]) -> str:
    """A position on its map; the map alone where no counter stands on it."""
    picture = str(scene.get("picture") or "")
    cells = {cell["id"]: (float(cell["x"]), float(cell["y"])) for cell in scene.get("cells", ())}
    stacks = _stacks(everything(match.game, match.state, match.sides).pieces, cells, faces)
    if not picture.startswith("<svg") or not stacks:
        return picture
    size = float(scene.get("piece_size") or 40)
    whole = Frame(0, 0, float(scene["width"]), float(scene["height"]))
    view = _framed([cells[at] for at in stacks], size, whole)
    used = sorted({piece.face for pieces in stacks.values() for piece in pieces})
    symbols = "".join(f'<symbol id="f{n}" viewBox="0 0 100 100">{faces[face]}</symbol>' for n, face in enumerate(used))
    names = {face: n for n, face in enumerate(used)}
    counters = []
    for at, pieces in stacks.items():
        x, y = cells[at]
        for n, piece in enumerate(pieces[-SHOWN:]):
            left, top = x - size / 2 + n * SHIFT * size, y - size / 2 - n * SHIFT * size
            counters.append(
                f'<use href="#f{names[piece.face]}" x="{left:.1f}" y="{top:.1f}" width="{size}" height="{size}"/>'
            )
    inner = re.sub(
        r"<svg\b[^>]*>",
        f'<svg x="0" y="0" width="{whole.width:g}" height="{whole.height:g}" viewBox="{_view_box(picture, whole)}">',
        picture,
        count=1,
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(f"{part:.0f}" for part in view)}">'
        f"<defs>{symbols}</defs>{inner}{''.join(counters)}</svg>"
    )


def _view_box(picture: str, whole: Frame) -> str:
    found = re.search(r'viewBox="([^"]+)"', picture[:400])
    return found[1] if found else f"0 0 {whole.width:g} {whole.height:g}"


def _stacks(
    pieces: Sequence[PieceView], cells: Mapping[str, Any], faces: Mapping[str, str]
) -> dict[str, list[PieceView]]:
    """Counters by cell, weapons below the men who carry them."""
    found: dict[str, list[PieceView]] = {}
    for piece in sorted(pieces, key=lambda one: not one.within):
        if piece.at in cells and piece.face in faces:
            found.setdefault(piece.at, []).append(piece)
    return found


def _framed(points: Sequence[tuple[float, float]], size: float, whole: Frame) -> Frame:
    """A part of the map that shows all counters, in the shape of a card."""
    edge = MARGIN * size
    left, right = min(x for x, _ in points) - edge, max(x for x, _ in points) + edge
    top, bottom = min(y for _, y in points) - edge, max(y for _, y in points) + edge
    width = max(right - left, (bottom - top) * ASPECT, LEAST * size)
    height = width / ASPECT
    if width > whole.width or height > whole.height:
        width = min(whole.width, max(width, whole.height * ASPECT) if height > whole.height else width)
        height = min(whole.height, max(height, bottom - top))
    x = min(max((left + right - width) / 2, 0), max(whole.width - width, 0))
    y = min(max((top + bottom - height) / 2, 0), max(whole.height - height, 0))
    return Frame(x, y, width, height)
