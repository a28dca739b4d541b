"""Files by which the owner of a printed game corrects what the program has of it; they lie in the data directory."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sandtable.engine.errors import SandtableError
from sandtable.space.board import data_directory


class BadOwnFile(SandtableError):
    """A file of the user's own does not make sense; the message says where and what to write."""


def own_path(folder: str, name: str) -> Path:
    """Where a file of the user's own is looked for."""
    return data_directory().parent / folder / name


def read_own(path: Path, example: str) -> dict[str, dict[str, Any]]:
    """The tables of a file of the user's own by their titles, written like the example; none if there is no file."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadOwnFile(f"{path.name} cannot be read ({error}): write it as plain UTF-8 text.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadOwnFile(f"{path.name} is no TOML ({error}): write a table such as {example}.") from None
    for name, values in data.items():
        if not isinstance(values, dict):
            raise BadOwnFile(f"{path.name}: {name!r} is no table: write {example} and its values below it.")
    return data
