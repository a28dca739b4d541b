"""Terms of the full rules, for the games that have their parts."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from sandtable.engine.tools import Term
from sandtable.games.squad.show.glossary import Entry
from sandtable.reading import convert


@cache
def terms() -> tuple[Term, ...]:
    """All terms in their order."""
    text = resources.files("sandtable.games.asl").joinpath("glossary.toml").read_text("utf-8")
    entries = convert(tomllib.loads(text), dict[str, Entry])
    return tuple([Term(key, one.title, one.text, one.rule, (), one.words) for key, one in entries.items()])
