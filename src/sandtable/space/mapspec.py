"""How boards are laid out to make a map: which boards, turned or not, cut to which hexrows."""

from __future__ import annotations

import re

import msgspec

from sandtable.space.board import BoardError
from sandtable.space.terrain import IN_SEASON, Season

_PLACE = re.compile(r"(?P<board>[A-Za-z0-9_-]+)(?P<turned>\*)?(?::(?P<first>[A-Z]+)-(?P<last>[A-Z]+))?")


class BoardPlace(msgspec.Struct, frozen=True):
    """One board of a map; `hexrows` keeps only the columns from one letter to another."""

    board: str
    turned: bool = False
    hexrows: tuple[str, str] | None = None
    bridges: tuple[tuple[str, str], ...] = ()
    """Bridges that are not as printed: hex, and what is there, such as `wooden_bridge` or `destroyed`."""
    wooden: bool = False
    """All its buildings are of wood and all its roads unpaved, whatever is printed."""

    def __str__(self) -> str:
        cut = f":{self.hexrows[0]}-{self.hexrows[1]}" if self.hexrows else ""
        return f"{self.board}{'*' if self.turned else ''}{cut}"


class MapSpec(msgspec.Struct, frozen=True):
    """Rows of boards from top to bottom, each from left to right, and what grows on them.

    `prefix` puts the board's name before each hex (wK5); left out, it does so when there are several boards.
    """

    rows: tuple[tuple[BoardPlace, ...], ...]
    season: Season = IN_SEASON
    prefix: bool | None = None

    @property
    def places(self) -> tuple[BoardPlace, ...]:
        """All boards, row by row."""
        return tuple(place for row in self.rows for place in row)

    @property
    def prefixed(self) -> bool:
        """Whether hexes are named with their board."""
        return len(self.places) > 1 if self.prefix is None else self.prefix

    def __str__(self) -> str:
        return " / ".join(" ".join(str(place) for place in row) for row in self.rows)


def parse_layout(text: str, season: Season = IN_SEASON, *, prefix: bool | None = None) -> MapSpec:
    """A layout in words: boards from left to right, `/` before the next row, `*` for turned, `:U-GG` for a cut.

    >>> str(parse_layout("w:U-GG x*:A-E / y z"))
    'w:U-GG x*:A-E / y z'
    """
    rows = []
    for line in text.split("/"):
        row = []
        for word in line.split():
            match = _PLACE.fullmatch(word)
            if match is None:
                raise BoardError(f"{word!r} does not name a board; write it like w, w* (turned) or w:U-GG (cut)")
            cut = (match["first"], match["last"]) if match["first"] else None
            row.append(BoardPlace(match["board"], turned=bool(match["turned"]), hexrows=cut))
        if not row:
            raise BoardError("a map needs at least one board in each row")
        rows.append(tuple(row))
    return MapSpec(tuple(rows), season, prefix)
