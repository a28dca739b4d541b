"""Objectives of a board, and those that table A10a of the solitaire game gives to printed boards."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

import msgspec

_OBJECTIVE = re.compile(r"[A-Z]{1,3}[0-9]{1,2}(-[A-Z]{1,3}[0-9]{1,2}|/[A-Z]{1,3}[0-9]{1,2})?")


class Objective(msgspec.Struct, frozen=True):
    """One objective: a hex, two hexes together, or two of which the nearer to the Enemy Board Edge counts."""

    hexes: tuple[str, ...]
    nearer: bool = False

    def __str__(self) -> str:
        return ("/" if self.nearer else "-").join(self.hexes)


def parse_objective(text: str) -> Objective:
    """An objective as it is written: `K5`, `V8-W7` or `F2/D7`."""
    if not _OBJECTIVE.fullmatch(text):
        raise ValueError(f"must be hexes such as K5, V8-W7 or F2/D7, not {text!r}")
    return Objective(tuple(re.split("[-/]", text)), nearer="/" in text)


class PrintedBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board of tables A9 and A10a."""

    types: tuple[str, ...]
    objectives: tuple[str, ...]


@cache
def printed_boards() -> dict[str, PrintedBoard]:
    """The boards of table A10a by their number."""
    text = (resources.files("sandtable.space") / "printed_boards.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, PrintedBoard])


def printed_board(name: str) -> PrintedBoard | None:
    """The entry of a board by its name, with or without leading zeros; None for a board not in the table."""
    return printed_boards().get(name.lstrip("0"))
