"""Reads the data files of the tables."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """One data file, such as `cards/german.toml`."""
    text = resources.files("sandtable.games.sasl.tables").joinpath("data", *name.split("/")).read_text("utf-8")
    return tomllib.loads(text)
