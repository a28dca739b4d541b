"""Terms of the squad-level games in our own words, for tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from sandtable.engine.tools import Term
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.part import Look
from sandtable.games.squad.show.marker_faces import CLOUDS, MARKERS
from sandtable.reading import convert


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A term in a file of terms."""

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
    entries = convert(texttable.load("glossary.toml"), dict[str, Entry])
    terms = [Term(key, entry.title, entry.text, entry.rule, (), entry.words) for key, entry in entries.items()]
    return (*markers, *terms)


def part_terms(looks: Mapping[str, Look]) -> tuple[Term, ...]:
    """The markers that the parts of a game bring."""
    return tuple(
        [Term(face.partition("/")[2], look.label, look.text, look.rule, (face,)) for face, look in looks.items()]
    )
