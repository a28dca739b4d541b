"""Markers of our own drawing, in the same box as the counters, with what they mean (1.2)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.games.squad.part import Points
from sandtable.games.squad.show.faces import FONT
from sandtable.games.squad.show.palette import INK, PAPER, RED, shade

MARKERS = {
    "marker/dm": ("DM", RED, PAPER, "Desperation Morale: +4 to rally, may rout", "3.1"),
    "marker/pin": ("PIN", "#7a3b00", PAPER, "Pinned: half FP, no move, no advance", "3.2.3"),
    "marker/cx": ("CX", "#7a5c00", "#ffe9a8", "Counter Exhausted: +1 to attacks, one IPC less", "3.3"),
    "marker/wound": ("WND", RED, "#ffd9d4", "Wounded: 3 MF, morale and leadership one worse", "3.2.3"),
    "marker/melee": ("MELEE", PAPER, RED, "Held in Melee: only close combat", "3.8"),
    "marker/hip": ("HIP", PAPER, "#3c4f3a", "Hidden: only you see it", "6.4"),
    "marker/stack": ("?", INK, "#e4e4dc", "A stack that may not be inspected before play starts", "G37"),
    "marker/concealed": ("?", INK, "#d9cfa8", "Concealed: your enemy sees a counter, and not what is under it", "A12"),
    "marker/moved": ("mvd", "#333333", "#e4e4dc", "Has ended its Movement Phase", "3.3"),
    "marker/prep-fire": ("PREP", PAPER, "#8a4b14", "Prep Fire: may not move or fire again this Player Turn", "3.2.5"),
    "marker/first-fire": ("1st F", INK, "#ffd28a", "First Fire: may still use Subsequent First Fire", "3.3.1"),
    "marker/final-fire": ("FINAL", INK, "#ff9f6b", "Final Fire: only Final Protective Fire is left", "3.3.1"),
    "marker/intensive-fire": ("INT F", PAPER, RED, "Intensive Fire: cannot fire again this Player Turn", "3.2.4"),
    "marker/malfunction": ("MALF", PAPER, "#6b1d17", "Malfunctioned: may be repaired in a Rally Phase", "4.0"),
    "marker/emplaced": ("EMPL", INK, "#cbb68c", "+2 TEM", "6.3"),
    "marker/charge": ("DC", PAPER, "#2b2b2b", "A Demolition Charge goes off in the AFPh", "4.3"),
    "marker/acquired-1": ("ACQ -1", INK, "#bfe3ff", "Acquired target: -1 To Hit", "6.10"),
    "marker/acquired-2": ("ACQ -2", INK, "#8fc9f7", "Acquired target: -2 To Hit", "6.10"),
    "marker/area-acquired-1": ("HEX -1", INK, "#d8ecc4", "Acquired hex (Area Target Type): -1 To Hit", "6.11"),
    "marker/area-acquired-2": ("HEX -2", INK, "#aed68a", "Acquired hex (Area Target Type): -2 To Hit", "6.11"),
}
"""Words, ink and ground of a marker, its meaning and the rule."""

CLOUDS = {
    "marker/grenade": ("+2", "#c8cccc", "Smoke grenades: +2 Hindrance until the end of the MPh", "1.2.5"),
    "marker/smoke": ("+3", "#b9bdbd", "Smoke: +3 Hindrance", "1.2.5"),
    "marker/dispersed": ("+2", "#d9dcdc", "Dispersed Smoke: +2 Hindrance", "1.2.5"),
    "marker/wp": ("+2", "#fbfbf6", "White Phosphorus: +2 Hindrance", "1.2.5"),
    "marker/wp-dispersed": ("+1", "#ffffff", "Dispersed White Phosphorus: +1 Hindrance", "1.2.5"),
}
RESIDUAL = "marker/residual-2"


def legend(points: Points) -> list[dict[str, str]]:
    """What every marker means, for the client."""
    rows = [(face, look[0], *look[3:]) for face, look in MARKERS.items()]
    rows += [(face, f"Smoke {look[0]}", *look[2:]) for face, look in CLOUDS.items()]
    rows += [(face, *look[1:]) for face, look in points.faces.items()]
    rows.append((RESIDUAL, "Residual FP", "attacks whoever spends MF in the hex", "3.3.1"))
    return [{"face": face, "label": label, "text": text, "rule": rule} for face, label, text, rule in rows]


def tag(words: str, colour: str, ground: str) -> str:
    """A round-cornered tag with a short word."""
    size = {1: 56, 2: 50, 3: 42, 4: 34, 5: 27}.get(len(words), round(150 / max(len(words), 1)))
    place = f'x="50" y="{50 + size * 0.35:g}" font-size="{size}" text-anchor="middle" fill="{colour}"'
    return (
        f'<rect x="3" y="22" width="94" height="56" rx="14" fill="{ground}" stroke="{INK}" stroke-width="4"/>'
        f"<text {place} {FONT}>{words}</text>"
    )


def cloud(words: str, colour: str) -> str:
    """A cloud with its hindrance."""
    outline = "M18 74q-16-2-13-17 2-10 13-10-1-17 16-20 12-2 18 7 6-9 18-6 15 4 13 20 12 1 13 13 1 13-13 13z"
    return (
        f'<path d="{outline}" fill="{colour}" fill-opacity=".78" stroke="{shade(colour, 0.6)}" stroke-width="3"/>'
        f'<text x="50" y="66" font-size="26" text-anchor="middle" fill="{INK}" {FONT}>{words}</text>'
    )


def flag(colour: str) -> str:
    """Who controls a building."""
    return (
        f'<path d="M14 96V6" stroke="{INK}" stroke-width="6" stroke-linecap="round"/>'
        f'<path d="M17 8q16-8 30 0t30 0v34q-16 8-30 0t-30 0z" fill="{colour}" stroke="{INK}" stroke-width="4"/>'
    )


def marker_faces(sides: Mapping[str, str]) -> dict[str, str]:
    """All markers; `sides` gives the colour of each side's flag."""
    faces = {face: tag(*look[:3]) for face, look in MARKERS.items()}
    faces |= {face: cloud(*look[:2]) for face, look in CLOUDS.items()}
    faces |= {f"marker/residual-{fp}": tag(f"RF {fp}", RED, "#fff1b8") for fp in range(1, 13)}
    return faces | {f"marker/control-{side}": flag(colour) for side, colour in sides.items()}
