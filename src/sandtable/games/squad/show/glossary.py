"""Terms of the squad-level games in our own words, for tooltips."""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.engine.tools import Term
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.show.marker_faces import CLOUDS, MARKERS
from sandtable.reading import convert


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    text: str
    rule: str
    words: tuple[str, ...]


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, markers first."""
    markers = [
        Term(face.partition("/")[2], text.partition(":")[0], text, rule, (face,))
        for face, (*_, text, rule) in {**MARKERS, **CLOUDS}.items()
    ]
    entries = convert(texttable.load("glossary.toml"), dict[str, _Entry])
    terms = [Term(key, entry.title, entry.text, entry.rule, (), entry.words) for key, entry in entries.items()]
    return (*markers, *terms)
