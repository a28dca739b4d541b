"""A user's own corrections of counter values: whoever owns the counters has the last word on what is printed on them.

The file `counters.toml` in the folder `squad` of the data directory has a table for each counter that is corrected.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from sandtable.games.squad.pieces.own_files import BadOwnFile, own_path, read_own
from sandtable.reading import convert

FILE = "counters.toml"
FIXED = ("nation", "name", "kind", "type", "chart", "source", "confidence", "ammo", "note")
"""What makes a counter what it is, and so is not corrected."""
LIMITS = {"leadership": (-3, 3), "wounded_leadership": (-3, 3), "morale": (1, 12), "broken_morale": (1, 12)}
USUAL = (0, 400)
LINKS = ("reduces_to", "replaced_by")


def own_file() -> Path:
    """Where the user's corrections are looked for."""
    return own_path("squad", FILE)


def read_corrections(path: Path) -> dict[str, dict[str, Any]]:
    """The tables of a counter file by counter; none if there is no file."""
    return read_own(path, '["german 4-6-7"]')


def corrected(counters: Mapping[tuple[str, str], Any], corrections: Mapping[str, Mapping[str, Any]]) -> dict[Any, Any]:
    """The counters with a user's corrections, each of which must name a counter and a value that it has."""
    found = dict(counters)
    for title, values in corrections.items():
        nation, _, name = title.partition(" ")
        before = found.get((nation, name))
        if before is None:
            near = [other for whose, other in found if whose == nation][:6]
            known = f"it has {', '.join(near)} and others" if near else 'name it as "german 4-6-7"'
            raise BadOwnFile(f"{FILE}: there is no counter {title!r}; {known}.")
        found[nation, name] = _changed(title, before, values, found)
    return found


def _changed(title: str, before: Any, values: Mapping[str, Any], counters: Mapping[tuple[str, str], Any]) -> Any:
    plain = msgspec.to_builtins(before)
    fields = [field for field in plain if field not in FIXED]
    for field, value in values.items():
        if field not in fields:
            raise BadOwnFile(f"{FILE}: {title} has no value {field!r} to correct; it has {', '.join(fields)}.")
        if isinstance(value, int) and not isinstance(value, bool):
            low, high = LIMITS.get(field, USUAL)
            if not low <= value <= high:
                raise BadOwnFile(f"{FILE}: {field} of {title} is {low} to {high}, not {value}.")
        if field in LINKS and value and (before.nation, value) not in counters:
            raise BadOwnFile(f"{FILE}: {field} of {title} must name a counter of {before.nation}, not {value!r}.")
        plain[field] = value
    try:
        made = convert(plain | {"source": "own file", "confidence": "own file"}, type(before))
    except msgspec.ValidationError as error:
        raise BadOwnFile(f"{FILE}: a value of {title} does not fit: {error}.") from None
    return made
