"""The boards a player has, told from the headers of their files alone."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.space.board import BoardError, board_file, board_names, shipped_boards, shipped_names
from sandtable.space.boardfile import read_header
from sandtable.space.objectives import printed_boards

HOW_TO_ADD = (
    "Boards that you own as VASL archives are added by: sandtable board import FOLDER. "
    "New ones are made by: sandtable board make --type village --seed 7"
)

Origin = Literal["shipped", "imported", "generated", "own"]


class BoardCard(msgspec.Struct, frozen=True):
    """One board of the catalogue."""

    name: str
    title: str = ""
    origin: Origin = "shipped"
    """Shipped with the program, imported from an archive, made by the program, or written by the player."""
    types: tuple[str, ...] = ()
    hexes: str = ""
    """Columns and rows, as the file says."""
    objectives: tuple[str, ...] = ()
    seed: str = ""
    replaces_shipped: bool = False
    """The player's own board stands in for a shipped one of this name."""
    error: str = ""
    """Why the board cannot be used, in one sentence."""


class BoardCatalogue(msgspec.Struct, frozen=True):
    """All boards at hand, and which of the printed boards are not."""

    boards: tuple[BoardCard, ...]
    missing: tuple[str, ...]
    """Numbers of the boards of table A10a that the player has not imported."""
    how_to_add: str


def board_catalogue() -> BoardCatalogue:
    """What the player has and how to add more."""
    shipped = shipped_names()
    cards = tuple(_card(name, shipped) for name in board_names())
    have = {card.name.lstrip("0") for card in cards if not card.error}
    return BoardCatalogue(
        boards=cards,
        missing=tuple(number for number in printed_boards() if number not in have),
        how_to_add=HOW_TO_ADD,
    )


def _card(name: str, shipped: set[str]) -> BoardCard:
    own = board_file(name)
    mine = own.is_file()
    file: Path | Traversable = own if mine else shipped_boards() / f"{name}.board"
    try:
        header = read_header(file)
        if header.get("board") != name:
            raise BoardError(f"{name}.board: the header must name the board {name}")
    except BoardError as error:
        return BoardCard(name, origin="own" if mine else "shipped", error=str(error))
    made = "raster" in header, "seed" in header
    origin: Origin = "imported" if made[0] else "generated" if made[1] else "own"
    return BoardCard(
        name,
        header.get("title", ""),
        origin if mine else "shipped",
        tuple(header.get("type", "").split()),
        header.get("hexes", ""),
        tuple(header.get("objectives", "").split()),
        header.get("seed", ""),
        mine and name in shipped,
    )
