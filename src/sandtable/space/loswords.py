"""Lines of sight in words and as data, made from the one verdict."""

from __future__ import annotations

from typing import Any

from sandtable.space.los import Los
from sandtable.space.losjudge import Cause
from sandtable.space.terrain import kind

RULES: dict[Cause, str] = {
    Cause.NOTHING: "3.2.1",
    Cause.HIGHER_GROUND: "1.1.1",
    Cause.OBSTACLE: "3.2.1",
    Cause.HALF_LEVEL_OBSTACLE: "A6.2",
    Cause.NO_HEIGHT_ADVANTAGE: "3.2.1",
    Cause.CREST_LINE: "3.2.1",
    Cause.BLIND_HEX: "A6.4",
    Cause.BLIND_HEX_BEHIND_CREST: "A6.4",
    Cause.HEXSIDE: "B9.2",
    Cause.DEPRESSION: "A6.3",
    Cause.HINDRANCES: "3.2.1",
}
"""Rule that stands behind each cause; letters are chapters of the full ASL rules, for terrain beyond the kit."""


def reason(line: Los) -> str | None:
    """Why a line is blocked, in words; None when it is clear."""
    if line.cause is Cause.NOTHING:
        return None
    terrain = kind(line.blocking_terrain).title.lower() if line.blocking_terrain else "terrain"
    where = line.blocking_hex
    higher = line.start if line.start_level >= line.end_level else line.end
    match line.cause:
        case Cause.HIGHER_GROUND:
            return f"the ground in {where} is higher than both ends"
        case Cause.OBSTACLE:
            return f"{terrain} in {where} is an obstacle higher than both ends"
        case Cause.HALF_LEVEL_OBSTACLE:
            return f"{terrain} in {where} rises half a level above both ends"
        case Cause.NO_HEIGHT_ADVANTAGE:
            return f"{terrain} in {where} is as high as {higher}, which cannot see past it"
        case Cause.CREST_LINE:
            return f"the line from {higher} down meets a crest line in {where}, not just as it leaves {higher}"
        case Cause.BLIND_HEX:
            return f"the lower end lies in a blind hex behind {terrain} in {where}"
        case Cause.BLIND_HEX_BEHIND_CREST:
            return f"the lower end lies in a blind hex behind the crest line in {where}"
        case Cause.HEXSIDE:
            return f"a {terrain} on a hexside of {where} stands between the ends"
        case Cause.DEPRESSION:
            return f"the line rises out of a depression in {where} too far from the higher end"
        case _:
            return f"hindrances add up to +{line.hindrance}, and +6 blocks"


def in_words(line: Los) -> str:
    """The verdict as a player would say it."""
    head = f"{line.start} to {line.end}, range {line.range}"
    if line.start_level or line.end_level:
        head += f", level {line.start_level:g} to level {line.end_level:g}"
    if line.blocked:
        return f"{head}: no line of sight. Blocked because {reason(line)} ({RULES[line.cause]})."
    if not line.hindrances:
        return f"{head}: clear, no hindrance ({RULES[line.cause]})."
    listed = ", ".join(f"{kind(one.terrain).title.lower()} in {one.hex}" for one in line.hindrances)
    return f"{head}: clear with a hindrance of +{line.hindrance}: {listed} ({RULES[line.cause]})."


def as_data(line: Los) -> dict[str, Any]:
    """The verdict as JSON-able data."""
    return {
        "start": line.start,
        "end": line.end,
        "range": line.range,
        "blocked": line.blocked,
        "hindrance": line.hindrance,
        "reason": reason(line),
        "rule": RULES[line.cause] if line.blocked or line.hindrances else None,
        "cause": line.cause.name.lower(),
        "blocking_hex": line.blocking_hex,
        "blocking_terrain": line.blocking_terrain,
        "blocking_point": list(line.point) if line.point else None,
        "hindering_hexes": [one.hex for one in line.hindrances],
        "hindrances": [
            {"hex": one.hex, "terrain": one.terrain, "value": one.value, "point": list(one.point)}
            for one in line.hindrances
        ],
        "start_level": line.start_level,
        "end_level": line.end_level,
        "along_hexside": line.along_hexside,
        "words": in_words(line),
    }
