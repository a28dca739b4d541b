"""Bases, guns, vehicles and markers as small figures seen from above, drawn by ourselves; all look up the page."""

from __future__ import annotations

from functools import cache

from sandtable.games.pbi.catalogue import KINDS, Kind, lists
from sandtable.games.pbi.draw import SIDE_COLOURS

COATS = {
    "german": ("#6f7a6c", "#4d574c", "#5c6455"),
    "soviet": ("#9a8453", "#6d5c36", "#5e6b3a"),
    "british": ("#8f7a4e", "#5f6b45", "#6a6b3c"),
    "us": ("#75754a", "#4f5a36", "#5b6138"),
    "japanese": ("#a8924f", "#75663a", "#6a6a3a"),
}
"""Coat, helmet and vehicle paint of each nation."""
SKIN, STEEL, WOOD = "#d9b48c", "#33352f", "#6b4a2c"


def _base(rim: str) -> str:
    """A foot base: turf in the side's colour, as large as the counter."""
    return (
        f'<rect x="1" y="1" width="98" height="98" rx="13" fill="{rim}"/>'
        '<rect x="7" y="7" width="86" height="86" rx="9" fill="#c3c79a"/>'
        f'<rect x="7" y="7" width="86" height="86" rx="9" fill="{rim}" opacity=".3"/>'
        '<path d="M14 88l2 -5m4 6l1 -6M80 18l2 -5m5 7l1 -6M16 20l2 -4M76 87l3 -5" stroke="#7d8854" stroke-width="1.6"/>'
    )


def _large(men: str) -> str:
    """The men of a base so large that they fill it."""
    return f'<g transform="translate(50 52) scale(1.42) translate(-51 -54)">{men}</g>'


def _man(x: float, y: float, nation: str, weapon: str = "") -> str:
    """One man from above, facing up the page: shoulders, arms, helmet and his weapon."""
    coat, helmet, _ = COATS[nation]
    return (
        f'<g transform="translate({x:g} {y:g}) scale(1.2)">'
        '<ellipse cx="1.5" cy="3" rx="11" ry="7" fill="#1c2210" opacity=".35"/>'
        f"{weapon}"
        f'<ellipse rx="10.5" ry="6.5" fill="{coat}" stroke="#23261b" stroke-width="1"/>'
        f'<path d="M-8 -2Q-6 -9 -1 -9M8 -2Q8 -9 4 -11" stroke="{coat}" stroke-width="4" fill="none" '
        f'stroke-linecap="round"/>'
        f'<circle cy="-1" r="5.8" fill="{helmet}" stroke="#23261b" stroke-width="1"/>'
        '<ellipse cx="-1.6" cy="-2.6" rx="2.4" ry="1.8" fill="#fff" opacity=".3"/></g>'
    )


def _stick(length: float, width: float = 2.2, colour: str = STEEL, x: float = 3, start: float = -4) -> str:
    return f'<path d="M{x:g} {start:g}V{-length:g}" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'


RIFLE = _stick(19, 2.4, WOOD) + _stick(23, 1.6, start=-15)
SMG = _stick(15, 3) + '<path d="M3 -11h5" stroke="#33352f" stroke-width="2.6"/>'
LMG = _stick(26, 3) + '<path d="M-2 -22l5 -3l5 3" stroke="#33352f" stroke-width="1.6" fill="none"/>'
ASSAULT_RIFLE = _stick(20, 3) + '<path d="M3 -12q6 0 5 5" stroke="#33352f" stroke-width="2.4" fill="none"/>'
PISTOL = _stick(14, 2.4)
TUBE = _stick(27, 5, "#4c4f3c", start=8) + _stick(27, 2, "#1f211b", start=-23)
PANZERFAUST = _stick(20, 3, "#6c6a4a") + '<path d="M3 -27l-4 7h8z" fill="#6c6a4a" stroke="#23261b" stroke-width=".8"/>'
LONG_RIFLE = _stick(36, 2.6) + '<path d="M0 -34h6" stroke="#33352f" stroke-width="2.4"/>'


def _men(nation: str, *weapons: str) -> str:
    """Three men side by side, each with his weapon."""
    places = ((29, 58), (51, 50), (73, 60))
    return "".join(_man(x, y, nation, weapon) for (x, y), weapon in zip(places, weapons, strict=True))


def _foot(kind: Kind, nation: str) -> str:
    """The men and the weapon of a base."""
    match kind.id:
        case "officer":
            return _man(38, 56, nation, PISTOL) + _man(66, 62, nation, RIFLE) + _map(38, 36)
        case "commander":
            return _man(34, 58, nation, PISTOL) + _man(66, 58, nation) + _radio(66, 66) + _map(36, 36)
        case "lmg":
            return _man(42, 52, nation, LMG) + _man(66, 60, nation, RIFLE) + _box(28, 66)
        case "smg":
            return _men(nation, SMG, SMG, SMG)
        case "assault_rifle":
            return _men(nation, ASSAULT_RIFLE, ASSAULT_RIFLE, ASSAULT_RIFLE)
        case "faust":
            return _men(nation, RIFLE, PANZERFAUST, RIFLE)
        case "mmg" | "hmg":
            return _tripod(50, 42, kind.id == "hmg") + _man(38, 64, nation) + _man(64, 66, nation) + _box(80, 50)
        case "light_mortar" | "medium_mortar":
            big = kind.id == "medium_mortar"
            return _mortar(50, 42, big) + _man(30, 62, nation) + _man(70, 62, nation) + (_bombs(80, 38) if big else "")
        case "at_rifle":
            return _man(44, 60, nation, LONG_RIFLE) + _man(68, 64, nation)
        case "bazooka" | "piat" | "panzerschreck":
            return _man(42, 56, nation, TUBE) + _man(68, 62, nation) + _bombs(78, 42)
        case "flamethrower":
            lance = _stick(24, 2.6) + '<path d="M3 -24q-6 -5 -1 -13q2 5 4 2q4 6 -3 11z" fill="#e8862a"/>'
            return _man(40, 60, nation, lance) + _tanks(40, 68) + _man(68, 62, nation, RIFLE)
        case "satchel":
            return _men(nation, RIFLE, SMG, RIFLE) + _box(40, 72) + _box(62, 74)
    return _men(nation, RIFLE, RIFLE, RIFLE)


def _map(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x:g} {y:g}) rotate(-8)"><rect x="-9" y="-6" width="18" height="12" fill="#efe6c8" '
        'stroke="#6b5f3f" stroke-width="1"/><path d="M-7 2q5 -6 8 -2t6 -2" stroke="#a4402f" '
        'stroke-width="1.2" fill="none"/></g>'
    )


def _radio(x: float, y: float) -> str:
    return (
        f'<rect x="{x - 6:g}" y="{y - 4:g}" width="12" height="10" rx="1.5" fill="#47513a" stroke="#23261b"/>'
        f'<path d="M{x + 4:g} {y - 4:g}l5 -22" stroke="#23261b" stroke-width="1.2"/>'
    )


def _box(x: float, y: float) -> str:
    return (
        f'<rect x="{x - 5:g}" y="{y - 4:g}" width="10" height="7" rx="1" fill="#57603f" stroke="#23261b" '
        f'stroke-width="1"/>'
    )


def _bombs(x: float, y: float) -> str:
    return "".join(
        f'<ellipse cx="{x:g}" cy="{y + 6 * n:g}" rx="5" ry="2.2" fill="#4c4f3c" stroke="#23261b" stroke-width=".8"/>'
        for n in range(3)
    )


def _tanks(x: float, y: float) -> str:
    return (
        f'<rect x="{x - 7:g}" y="{y - 4:g}" width="6" height="12" rx="3" fill="#7b7f6b" stroke="#23261b"/>'
        f'<rect x="{x + 1:g}" y="{y - 4:g}" width="6" height="12" rx="3" fill="#7b7f6b" stroke="#23261b"/>'
    )


def _tripod(x: float, y: float, big: bool) -> str:
    barrel = 5 if big else 3.6
    return (
        f'<path d="M{x:g} {y:g}l-12 13M{x:g} {y:g}l12 13M{x:g} {y:g}v-9" stroke="#2b2d26" stroke-width="3"/>'
        f'<path d="M{x:g} {y + 10:g}V{y - 22:g}" stroke="{STEEL}" stroke-width="{barrel:g}" stroke-linecap="round"/>'
        f'<rect x="{x - 4:g}" y="{y - 2:g}" width="8" height="13" rx="1.5" fill="#44473c" stroke="#1f211b"/>'
    )


def _mortar(x: float, y: float, big: bool) -> str:
    r = 9 if big else 6.5
    return (
        f'<circle cx="{x:g}" cy="{y + 12:g}" r="{r:g}" fill="#3d4036" stroke="#1f211b"/>'
        f'<path d="M{x - 9:g} {y - 6:g}L{x:g} {y + 2:g}L{x + 9:g} {y - 6:g}" stroke="#2b2d26" '
        f'stroke-width="2.6" fill="none"/>'
        f'<path d="M{x:g} {y + 12:g}V{y - 8 if big else y - 2:g}" stroke="#50534a" stroke-width="{7 if big else 5}"/>'
        f'<circle cx="{x:g}" cy="{y - 8 if big else y - 2:g}" r="{3.4 if big else 2.5}" fill="#16170f"/>'
    )


# -- guns and vehicles --------------------------------------------------------------------------------


def _gun(kind: Kind, nation: str, rim: str) -> str:
    """A towed gun: barrel, shield, wheels, trails and crew."""
    paint = COATS[nation][2]
    length = 12 + 2.6 * kind.gun
    return (
        f'<rect x="10" y="12" width="80" height="80" rx="12" fill="none" stroke="{rim}" stroke-width="4.5"/>'
        f'<path d="M50 52L34 88M50 52L66 88" stroke="{paint}" stroke-width="6" stroke-linecap="round"/>'
        '<rect x="27" y="42" width="8" height="18" rx="3" fill="#26271f"/><rect x="65" y="42" width="8" '
        'height="18" rx="3" fill="#26271f"/>'
        f'<path d="M50 60V{50 - length:g}" stroke="#1f211b" stroke-width="7" stroke-linecap="round"/>'
        f'<path d="M50 60V{50 - length:g}" stroke="{paint}" stroke-width="4.6" stroke-linecap="round"/>'
        f'<path d="M28 44Q50 34 72 44" stroke="#1f211b" stroke-width="7" fill="none"/>'
        f'<path d="M28 44Q50 34 72 44" stroke="{paint}" stroke-width="4.4" fill="none"/>'
        + _man(34, 72, nation)
        + _man(66, 72, nation)
    )


def _hull(x: float, y: float, w: float, h: float, paint: str, rim: str) -> str:
    return (
        f'<rect x="{x + 3:g}" y="{y + 4:g}" width="{w:g}" height="{h:g}" rx="6" fill="#12160b" opacity=".35"/>'
        f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="5" fill="{paint}" stroke="{rim}" '
        f'stroke-width="3.2"/>'
    )


def _tracks(x: float, w: float, y: float, h: float) -> str:
    parts = []
    for left in (x - 3, x + w - 9):
        parts.append(f'<rect x="{left:g}" y="{y:g}" width="12" height="{h:g}" rx="4" fill="#2b2a24"/>')
        ticks = "".join(f"M{left:g} {y + n:g}h12" for n in range(5, int(h), 6))
        parts.append(f'<path d="{ticks}" stroke="#57544a" stroke-width="1.6"/>')
    return "".join(parts)


def _tank(kind: Kind, nation: str, rim: str) -> str:
    """Hull, tracks, turret and gun; heavier armour is a bigger tank, a heavier gun a longer one."""
    paint = COATS[nation][2]
    w = 40 + 1.7 * kind.armour
    h = 58 + 1.5 * kind.armour
    x, y = 50 - w / 2, 54 - h / 2
    length = 14 + 2.6 * max(kind.gun, 3)
    muzzle = 50 - length
    parts = [
        _tracks(x, w, y - 1, h + 2),
        _hull(x + 7, y, w - 14, h, paint, rim),
        (
            f'<path d="M{x + 12:g} {y + h - 12:g}h{w - 24:g}m0 5h-{w - 24:g}" stroke="#000" '
            f'stroke-width="1.6" opacity=".4"/>'
        ),
        f'<path d="M{x + 10:g} {y + 9:g}h{w - 20:g}" stroke="#fff" stroke-width="1.4" opacity=".25"/>',
        f'<path d="M50 52V{muzzle:g}" stroke="#171810" stroke-width="6.4" stroke-linecap="round"/>',
        f'<path d="M50 52V{muzzle:g}" stroke="{paint}" stroke-width="4" stroke-linecap="round"/>',
    ]
    if kind.turret:
        r = w * 0.29
        parts.append(f'<ellipse cx="51.5" cy="57" rx="{r:g}" ry="{r * 1.15:g}" fill="#12160b" opacity=".35"/>')
        parts.append(
            f'<ellipse cx="50" cy="55" rx="{r:g}" ry="{r * 1.12:g}" fill="{paint}" stroke="#1f2118" '
            f'stroke-width="1.8"/>'
        )
        parts.append(f'<circle cx="{50 - r * 0.4:g}" cy="58" r="{r * 0.3:g}" fill="#000" opacity=".28"/>')
    else:
        parts.append(
            f'<path d="M{50 - w * 0.3:g} {y + h - 16:g}L{50 - w * 0.26:g} '
            f'40H{50 + w * 0.26:g}L{50 + w * 0.3:g} {y + h - 16:g}Z" '
            f'fill="{paint}" stroke="#1f2118" stroke-width="1.8"/><circle cx="42" cy="62" r="4" fill="#000" '
            f'opacity=".28"/>'
        )
    if kind.flame:
        parts.append(f'<path d="M50 {muzzle:g}q-6 -6 0 -14q3 5 5 2q3 8 -5 12z" fill="#e8862a"/>')
    return "".join(parts)


def _car(kind: Kind, nation: str, rim: str) -> str:
    paint = COATS[nation][2]
    wheels = "".join(
        f'<rect x="{x}" y="{y}" width="9" height="17" rx="3.5" fill="#25251f"/>' for x in (24, 67) for y in (24, 62)
    )
    gun = 50 - 16 - 2 * max(1, kind.gun)
    return (
        wheels
        + '<path d="M38 16H62L70 34V76L62 86H38L30 76V34Z" transform="translate(2 3)" fill="#12160b" opacity=".35"/>'
        + f'<path d="M38 16H62L70 34V76L62 86H38L30 76V34Z" fill="{paint}" stroke="{rim}" stroke-width="3.2"/>'
        + f'<path d="M50 50V{gun:g}" stroke="#171810" stroke-width="4.4" stroke-linecap="round"/>'
        + f'<circle cx="50" cy="52" r="12" fill="{paint}" stroke="#1f2118" stroke-width="1.8"/>'
        + '<circle cx="47" cy="55" r="4" fill="#000" opacity=".28"/>'
    )


def _halftrack(kind: Kind, nation: str, rim: str) -> str:
    paint = COATS[nation][2]
    seats = "".join(
        f'<circle cx="{x}" cy="{y}" r="3.4" fill="#1f2118" opacity=".45"/>' for x in (43, 57) for y in (58, 70, 82)
    )
    return (
        '<rect x="27" y="14" width="9" height="16" rx="3.5" fill="#25251f"/><rect x="64" y="14" '
        'width="9" height="16" rx="3.5" fill="#25251f"/>'
        + _tracks(29, 42, 44, 46)
        + _hull(34, 10, 32, 82, paint, rim)
        + '<rect x="38" y="50" width="24" height="38" rx="3" fill="#3a3d2c"/>'
        + seats
        + '<path d="M38 40H62" stroke="#1f2118" stroke-width="3"/>'
        + '<path d="M50 44V24" stroke="#171810" stroke-width="3"/>'
    )


def _truck(kind: Kind, nation: str, rim: str) -> str:
    paint = COATS[nation][2]
    wheels = "".join(
        f'<rect x="{x}" y="{y}" width="8" height="15" rx="3" fill="#25251f"/>' for x in (25, 67) for y in (16, 58, 76)
    )
    canvas = "".join(f"M34 {y}H66" for y in (52, 64, 76))
    bed = f'<rect x="32" y="42" width="36" height="50" rx="4" fill="#8c8461" stroke="{rim}" stroke-width="3.2"/>'
    if kind.mg:
        bed = (
            f'<rect x="33" y="44" width="34" height="40" rx="4" fill="{paint}" stroke="{rim}" stroke-width="3.2"/>'
            '<path d="M50 66V30" stroke="#171810" stroke-width="3.2"/><circle cx="50" cy="66" r="5" fill="#2b2d26"/>'
        )
        canvas = ""
    return (
        wheels
        + f'<rect x="34" y="9" width="32" height="34" rx="5" fill="{paint}" stroke="{rim}" stroke-width="3.2"/>'
        + '<path d="M37 33H63" stroke="#cfe0e6" stroke-width="5" opacity=".8"/>'
        + bed
        + f'<path d="{canvas}" stroke="#5f5940" stroke-width="1.6"/>'
    )


def figure(nation: str, kind: Kind, side: str) -> str:
    """The drawing of a piece."""
    rim = SIDE_COLOURS[side]
    match kind.form:
        case "foot":
            return _base(rim) + _large(_foot(kind, nation))
        case "gun":
            return _gun(kind, nation, rim)
        case "tank":
            return _tank(kind, nation, rim)
        case "car":
            return _car(kind, nation, rim)
        case "halftrack":
            return _halftrack(kind, nation, rim)
    return _truck(kind, nation, rim)


# -- markers ------------------------------------------------------------------------------------------


def _disc(colour: str, inner: str) -> str:
    return f'<circle cx="50" cy="50" r="40" fill="{colour}" stroke="#fff" stroke-width="6"/>{inner}'


def _cloud() -> str:
    puffs = ((30, 58, 24), (52, 44, 28), (72, 58, 24), (48, 66, 24), (34, 38, 16), (70, 36, 15))
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="#{"e9e9e4" if n % 2 else "d4d5cf"}" opacity=".82"/>'
        for n, (x, y, r) in enumerate(puffs)
    )


def _objective(worth: int) -> str:
    return (
        '<path d="M30 90V12" stroke="#3a2c1c" stroke-width="6" stroke-linecap="round"/>'
        '<path d="M33 14H84L72 32L84 50H33Z" fill="#e7c84a" stroke="#7a5c12" stroke-width="3"/>'
        f'<text x="52" y="42" font-family="sans-serif" font-size="28" font-weight="700" '
        f'text-anchor="middle" fill="#4a3508">{worth}</text>'
    )


MARKERS = {
    "officer": (
        '<path d="M50 8l12 27 29 3-22 19 7 29-26-16-26 16 7-29-22-19 29-3z" '
        'fill="#f2c53d" stroke="#6b4d08" stroke-width="5"/>'
    ),
    "pinned": _disc(
        "#c2412d", '<path d="M50 22v34M34 42l16 18 16-18M28 74h44" stroke="#fff" stroke-width="9" fill="none"/>'
    ),
    "immobilised": _disc("#5a5148", '<path d="M30 30l40 40M70 30l-40 40" stroke="#fff" stroke-width="11"/>'),
    "deployed": _disc(
        "#44633d", '<path d="M50 22v26M50 48l-20 28M50 48l20 28" stroke="#fff" stroke-width="9" fill="none"/>'
    ),
    "spent": _disc("#6a7076", '<path d="M28 52l15 16 30-34" stroke="#fff" stroke-width="10" fill="none"/>'),
    "reacted": _disc("#b27a1f", '<path d="M54 18L32 56h16l-4 28 26-40H52z" fill="#fff"/>'),
    "smoke": _cloud(),
    "strike": (
        '<circle cx="50" cy="50" r="34" fill="none" stroke="#b3261e" stroke-width="7"/>'
        '<path d="M50 6v26M50 68v26M6 50h26M68 50h26" stroke="#b3261e" stroke-width="7"/>'
    ),
    **{f"objective-{worth}": _objective(worth) for worth in (1, 2, 3)},
}


@cache
def faces() -> dict[str, str]:
    """The piece-drawing table: every kind of every nation's list for both sides, and the markers."""
    found = dict(MARKERS)
    for nation, its in lists().nations.items():
        names = ["commander", *(kind for entry in its.units for kind in entry.kinds)]
        for name in dict.fromkeys(names):
            for side in SIDE_COLOURS:
                found[f"{nation}-{name}-{side}"] = figure(nation, KINDS[name], side)
    return found
