"""Counters (2.4 to 2.9): own drawings in the usual operational style, in a 100 x 100 box."""

from __future__ import annotations

from functools import cache

from sandtable.games.underbelly.data import UnitType, roster

COLOURS = {
    # group: (counter, figures, symbol box), after the colour schemes of 2.7
    "us": ("#616a3b", "#ffffff", "#f2efdc"),
    "british": ("#a8402f", "#ffffff", "#f7e8dc"),
    "10": ("#98a48e", "#15180f", "#eef0e4"),
    "2ss": ("#1b1b1d", "#ffffff", "#e6e6e2"),
    "5pz": ("#b7b4aa", "#15180f", "#f5f3ec"),
}
ORGANISATIONS = {"us": "US", "british": "BR", "10": "10", "2ss": "2SS", "5pz": "5Pz"}
SANS = "'DejaVu Sans', Arial, sans-serif"
_SPECIAL = {"5Pz-06": "FHH", "5Pz-04": "9SS", "5Pz-05": "10SS", "5Pz-07": "16SS", "2SS-CS": "II", "10-14Pz": "XIV"}
_SPECIAL |= {"10-76Pz": "LXXVI", "10-1PK": "1P", "10-11Fl": "11"}


def short_name(kind: UnitType) -> str:
    """The identification on the counter (2.8)."""
    if kind.id in _SPECIAL:
        return _SPECIAL[kind.id]
    if kind.group == "5pz":
        number = kind.name.split()[0]
        return number.rstrip("stndrh") if number[0].isdigit() else number
    own = kind.id.split("-", 1)[1]
    for ending in ("Pz", "PG", "Mtn"):  # the symbol tells the type already
        own = own.removesuffix(ending)
    return own.removesuffix("A") if own == "82A" else own


def _symbol(kind: str) -> str:
    """The unit-type box, 44 x 28 around the middle of the upper half (2.6)."""
    left, top, right, bottom = 28, 24, 72, 54
    cross = f"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"
    oval = f"M{left + 14} {top + 7}h16a8 8 0 0 1 0 16h-16a8 8 0 0 1 0-16z"
    peak = f'<path d="M43 {bottom}L50 {bottom - 13}L57 {bottom}z" fill="#15180f"/>'
    wings = '<path d="M40 50q5-6 10 0q5-6 10 0" fill="none" stroke="#15180f" stroke-width="2.2"/>'
    high_wings = '<path d="M40 31q5-6 10 0q5-6 10 0" fill="none" stroke="#15180f" stroke-width="2.2"/>'
    line = '<path d="{}" fill="none" stroke="#15180f" stroke-width="2.2"/>'
    if kind == "corps support":
        return '<circle cx="50" cy="39" r="7.5" fill="#15180f"/>'
    if kind in ("armor", "panzer"):
        return line.format(oval)
    if kind == "panzergrenadier":
        return line.format(cross + oval)
    if kind == "mountain":
        return line.format(cross) + peak
    if kind == "para-mountain":
        return line.format(cross) + peak + high_wings
    if kind == "airborne":
        return line.format(cross) + wings
    if kind == "flak":
        return line.format(f"M{left + 6} {bottom}a16 20 0 0 1 32 0M50 {top + 10}v{bottom - top - 10}")
    return line.format(cross)


def _counter(kind: UnitType, *, reduced: bool) -> str:
    colour, ink, paper = COLOURS[kind.group]
    steps = 1 if reduced else kind.steps
    factor = kind.reduced if reduced else kind.full
    mf = "?" if kind.mf == 0 else str(kind.mf)
    size = "X" * (2 if kind.division else 3)
    name = short_name(kind)
    small = {1: 17, 2: 16, 3: 12, 4: 9.5}.get(len(name), 8)
    group = ORGANISATIONS[kind.group]
    band = '<path d="M3 64h94" stroke="#f3d27a" stroke-width="4"/>' if reduced else ""
    return (
        f'<g><rect x="2" y="2" width="96" height="96" rx="9" fill="{colour}" stroke="#1a140c" stroke-width="2.5"/>'
        f'<path d="M5 95V10q0-5 5-5h85" fill="none" stroke="#ffffff" stroke-opacity=".35" stroke-width="2"/>{band}'
        f'<g font-family="{SANS}" fill="{ink}" text-anchor="middle" font-weight="bold">'
        f'<text x="50" y="19" font-size="15">{size}</text>'
        f'<rect x="28" y="24" width="44" height="30" fill="{paper}" stroke="#15180f" stroke-width="2.4"/>'
        f"{_symbol(kind.kind)}"
        f'<text x="15" y="44" font-size="{13 if len(group) < 3 else 10.5}">{group}</text>'
        f'<text x="85.5" y="44" font-size="{small}">{name}</text>'
        f'<text x="50" y="89" font-size="27">{factor}-{steps}-{mf}</text></g></g>'
    )


def _tile(colour: str, inside: str) -> str:
    return (
        f'<g><rect x="2" y="2" width="96" height="96" rx="9" fill="{colour}" stroke="#1a140c" stroke-width="2.5"/>'
        f'<g font-family="{SANS}" text-anchor="middle" font-weight="bold" fill="#ffffff">{inside}</g></g>'
    )


_ANCHOR = (
    '<path d="M50 20v50M38 34h24M26 52q2 22 24 22q22 0 24-22" fill="none" stroke="#ffffff" stroke-width="7"'
    ' stroke-linecap="round"/><circle cx="50" cy="17" r="7" fill="none" stroke="#ffffff" stroke-width="5"/>'
)
_PLANE = (
    '<path d="M50 14l6 24 34 14v8l-34-8-4 22 12 8v6H36v-6l12-8-4-22-34 8v-8l34-14z" fill="#ffffff"'
    ' stroke="#1a140c" stroke-width="1.5"/>'
)
_CHUTE = (
    '<path d="M18 46a32 30 0 0 1 64 0zM18 46L50 84L82 46M40 46L50 84L60 46" fill="#ffffff" stroke="#1a140c"'
    ' stroke-width="2.5"/>'
)
_FORT = (
    '<path d="M50 12L84 32V68L50 88L16 68V32z" fill="#8d8577" stroke="#1a140c" stroke-width="4"/>'
    '<path d="M50 26L72 39V61L50 74L28 61V39z" fill="#c9c1b0" stroke="#1a140c" stroke-width="3"/>'
)


_CORPS = f'<text x="50" y="46" font-size="22">US+BR</text><text x="50" y="78" font-size="26">{"X" * 3}</text>'


def _flag(colour: str, edge: str) -> str:
    return (
        f'<g><path d="M30 90V12" stroke="#1a140c" stroke-width="7" stroke-linecap="round"/>'
        f'<path d="M33 14h46l-12 16l12 16H33z" fill="{colour}" stroke="{edge}" stroke-width="4"/></g>'
    )


def _ring(colour: str, text: str) -> str:
    return (
        f'<g><circle cx="50" cy="50" r="42" fill="#fbf6e6" stroke="{colour}" stroke-width="10"/>'
        f'<text x="50" y="63" font-family="{SANS}" font-weight="bold" font-size="36" text-anchor="middle"'
        f' fill="{colour}">{text}</text></g>'
    )


def _corner(text: str, colour: str) -> str:
    return _tile(
        colour, f'<text x="50" y="46" font-size="22">{text}</text><text x="50" y="74" font-size="24">HEX</text>'
    )


@cache
def faces() -> dict[str, str]:
    """Every face by name."""
    found: dict[str, str] = {}
    for unit, kind in roster().items():
        found[unit] = _counter(kind, reduced=False)
        if kind.steps > 1:
            found[f"{unit}/reduced"] = _counter(kind, reduced=True)
    found |= {
        "allied-hidden": _tile(
            "#77804c",
            '<path d="M20 20h60v60h-60z" fill="none" stroke="#ffffff" stroke-width="4"/>'
            '<text x="50" y="66" font-size="46">?</text>',
        ),
        "port-us": _tile("#616a3b", _ANCHOR),
        "port-british": _tile("#a8402f", _ANCHOR),
        "fort": _tile("#5f6658", _FORT),
        "sf": _tile("#37454f", '<text x="50" y="66" font-size="46">SF</text>'),
        "aerial": _tile("#4f7c9c", _CHUTE),
        "corps": _tile("#6a5a8c", _CORPS),
        "tac-allied": _tile("#616a3b", _PLANE),
        "tac-german": _tile("#b7b4aa", _PLANE),
        "bombers": _tile("#4a5030", _PLANE + '<text x="50" y="97" font-size="16">1-5</text>'),
        "attacker-hex": _corner("ATTACK", "#8d3b2c"),
        "defender-hex": _corner("DEFEND", "#3f5a78"),
        "control-allied": _flag("#616a3b", "#ffffff"),
        "control-german": _flag("#3a3f37", "#ffffff"),
        "attacked": f'<g transform="translate(62 -12) scale(.5)">{_ring("#8d3b2c", "!")}</g>',
        "used": _ring("#6b6b6b", "✓"),
        "eliminated": '<g><path d="M14 14L86 86M86 14L14 86" stroke="#c11f1f" stroke-width="13"/></g>',
        "supply-oos": _ring("#b3261e", "OS"),
        "supply-coastal": _ring("#1f6f9c", "C"),
        "supply-aerial": _ring("#4f7c9c", "A"),
        "supply-cross": _ring("#8a6d1f", "X"),
    }
    return found
