"""Counters of our own drawing: SVG fragments in a 100 x 100 box, for every unit, weapon and Gun (1.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape

from sandtable.games.squad.pieces.counters import Counter, Gun, Mmc, Smc, SupportWeapon, all_counters, nations
from sandtable.games.squad.pieces.kinds import DUMMY
from sandtable.games.squad.show.palette import COLOURS, INK, PAPER, RED, ink, shade

FONT = 'font-family="Arial Narrow, Liberation Sans Narrow, Arial, sans-serif" font-weight="700"'


@cache
def piece_faces(wanted: tuple[str, ...]) -> dict[str, str]:
    """The counters of nations by `nation name`, each with its broken side."""
    faces: dict[str, str] = {}
    for nation in wanted:
        faces[f"{nation} {DUMMY}"] = dummy_face(nation)
        owner: str | None = nation
        while owner:
            for (whose, name), counter in all_counters().items():
                if whose == owner and f"{nation} {name}" not in faces:
                    _add(faces, nation, name, counter)
            owner = nations()[owner].also or None
    return faces


def _add(faces: dict[str, str], nation: str, name: str, counter: Counter) -> None:
    key = f"{nation} {name}"
    if isinstance(counter, Mmc):
        faces[key] = mmc_face(nation, counter)
        faces[f"{key}/broken"] = broken_face(
            nation, name, counter.broken_morale or counter.morale, counter.self_rally, 2
        )
    elif isinstance(counter, Smc):
        faces[key] = leader_face(nation, counter)
        faces[f"{key}/broken"] = broken_face(
            nation, name, counter.broken_morale or counter.morale, counter.self_rally, 1
        )
    elif isinstance(counter, Gun):
        faces[key] = gun_face(nation, counter)
    else:
        faces[key] = weapon_face(nation, counter)


# -- parts ------------------------------------------------------------------------------


def _background(colour: str) -> str:
    edge, light = shade(colour, 0.55), shade(colour, 1.35)
    return (
        f'<rect x="1.5" y="1.5" width="97" height="97" rx="9" fill="{colour}" stroke="{edge}" stroke-width="3"/>'
        f'<path d="M5 92V12q0-7 7-7h76" fill="none" stroke="{light}" stroke-width="2.5" stroke-linecap="round"/>'
    )


def _text(x: float, y: float, size: float, words: str, colour: str, anchor: str = "middle") -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place} {FONT}>{escape(words)}</text>"


def _man(x: float, y: float, size: float, colour: str, *, armed: bool = True) -> str:
    """A standing soldier, seen from the side: helmet, coat, boots and a rifle."""
    rifle = '<path d="M-6 6L13 -9" stroke-width="2.6"/>' if armed else '<path d="M4 -2L12 -7" stroke-width="3"/>'
    return (
        f'<g transform="translate({x:g} {y:g}) scale({size:g})" fill="{colour}" stroke="{colour}">'
        '<path d="M-7-15q0-8 7-8t7 8l2 2h-16z" stroke="none"/><circle cy="-13" r="4.6" stroke="none"/>'
        '<path d="M-6-8h12l3 15-3 1-1 13h-4l-1-12-1 12h-4l-1-13-3-1z" stroke="none"/>'
        f"{rifle}</g>"
    )


def _underline(x: float, width: float, y: float, colour: str) -> str:
    return f'<path d="M{x - width / 2:g} {y:g}h{width:g}" stroke="{colour}" stroke-width="3"/>'


def _corner(words: str, colour: str) -> str:
    return _text(9, 25, 20, words, colour, "start")


# -- units ------------------------------------------------------------------------------


def mmc_face(nation: str, counter: Mmc) -> str:
    """A squad, half-squad or crew: class, FP with Smoke exponent, range, morale (1.2.2)."""
    colour = ink(nation)
    men = {"squad": (30, 50, 70), "half-squad": (40, 60), "crew": (38, 62)}[counter.kind]
    parts = [_background(COLOURS[nation])]
    parts += [_man(x, 40 if counter.kind != "crew" else 44, 0.95, colour, armed=counter.kind != "crew") for x in men]
    if counter.kind == "crew":
        parts.append(f'<path d="M30 62h40l4 5H26z" fill="{colour}"/>')
    else:
        parts.append(_corner({"1": "1", "2": "2"}.get(counter.unit_class, counter.unit_class), colour))
    if counter.kind == "half-squad":
        parts.append(_text(91, 24, 17, "½", colour, "end"))
    size = 31 if counter.fp < 10 and counter.range < 10 else 26
    parts.append(_text(20, 92, size, str(counter.fp), colour))
    if counter.smoke:
        parts.append(_text(35, 79, 15, str(counter.smoke), colour))
    for x in (36 if not counter.smoke else 38, 66):
        parts.append(_text(x, 91, 22, "-", colour))
    parts.append(_text(52, 92, size, str(counter.range), colour))
    parts.append(_text(81, 92, size, str(counter.morale), colour))
    for shown, x in ((counter.assault_fire, 20), (counter.spraying_fire, 52), (counter.elr_exempt, 81)):
        if shown:
            parts.append(_underline(x, 18, 95.5, colour))
    return "".join(parts)


def dummy_face(nation: str) -> str:
    """A counter under a "?" with nobody behind it."""
    colour = ink(nation)
    return _background(COLOURS[nation]) + _text(50, 70, 60, "?", colour) + _text(50, 93, 18, "Dummy", colour)


def leader_face(nation: str, counter: Smc) -> str:
    """A leader or hero: morale and leadership (1.2.1)."""
    colour = ink(nation)
    parts = [_background(COLOURS[nation]), _man(50, 38, 1.25, colour, armed=counter.kind != "leader")]
    if counter.kind == "leader":
        parts.append(
            f'<path d="M14 12l2.6 6.2 6.6.5-5 4.4 1.5 6.5-5.7-3.5-5.7 3.5 1.5-6.5-5-4.4 6.6-.5z" fill="{colour}"/>'
        )
    else:
        parts.append(_corner(counter.kind[:1].upper(), colour))
    parts.append(_text(50, 93, 33, counter.name.replace("Hero ", ""), colour))
    return "".join(parts)


def broken_face(nation: str, name: str, morale: int, self_rally: bool, men: int) -> str:
    """The broken side: a light ground, men lying down, broken morale, boxed for self-rally (1.2.1, 1.2.2)."""
    pale, stripe, edge = (shade(COLOURS[nation], factor) for factor in (1.7, 1.3, 0.55))
    box = 'x="1.5" y="1.5" width="97" height="97" rx="9" stroke-width="3" stroke-dasharray="9 4"'
    parts = [
        f'<rect {box} fill="{pale}" stroke="{edge}"/>',
        f'<path d="M6 30L30 6M6 60L60 6M6 90L90 6M40 94L94 40M70 94L94 70" stroke="{stripe}" stroke-width="3"/>',
        _text(50, 22, 17, name, INK),
    ]
    for n in range(men):
        man = _man(0, 0, 0.85, INK, armed=False)
        parts.append(f'<g transform="translate({50 + (n - (men - 1) / 2) * 34:g} 43) rotate(82)">{man}</g>')
    parts.append(_text(50, 93, 36, str(morale), RED))
    if self_rally:
        parts.append(f'<rect x="33" y="62" width="34" height="34" fill="none" stroke="{RED}" stroke-width="3"/>')
    return "".join(parts)


# -- weapons ----------------------------------------------------------------------------

_SHAPES: dict[str, str] = {
    "LMG": '<path d="M16 40h58M26 40l-8 9h-6v-9zM62 40l-7 13M62 40l7 13" stroke-width="5"/>',
    "MMG": '<path d="M14 38h62M24 34h30v9H24zM48 43L34 60M48 43l14 17M48 43v15" stroke-width="5"/>',
    "HMG": '<path d="M12 36h66M22 30h36v13H22zM46 43L28 62M46 43l18 19M46 43v18" stroke-width="6"/>',
    "LATW": '<path d="M16 46L76 30" stroke-width="9"/><path d="M40 42l4 12M56 38l4 11" stroke-width="4"/>',
    "ATR": '<path d="M12 42h72M22 42l-6 8h-5v-8zM66 42l-6 13M66 42l7 13" stroke-width="4"/>',
    "FT": '<rect x="24" y="28" width="13" height="30" rx="6"/><rect x="39" y="28" width="13" height="30" rx="6"/>'
    '<path d="M52 36q18-6 26-6" fill="none" stroke-width="4"/><path d="M78 30q8-8 10 2-4 6-10-2z"/>',
    "DC": '<rect x="30" y="30" width="40" height="27" rx="4"/><path d="M40 30v-6h20v6M70 40q14-2 12-14" fill="none" '
    'stroke-width="4"/>',
    "MTR": '<path d="M36 60L60 24" stroke-width="9"/><path d="M28 62h22M56 32L70 60" stroke-width="5"/>',
}


def weapon_face(nation: str, counter: SupportWeapon) -> str:
    """A support weapon: FP and range, ROF boxed, B# or X#, PP (1.2.4)."""
    colour = ink(nation)
    parts = [_background(shade(COLOURS[nation], 1.25))]
    shape = _SHAPES.get(counter.type, _SHAPES["MTR"])
    parts.append(f'<g fill="{INK}" stroke="{INK}" stroke-linecap="round">{shape}</g>')
    name = counter.name if len(counter.name) < 9 else counter.name.replace(" (airborne)", "").split("(")[0][:13]
    parts.append(_text(50, 18, 15 if len(name) < 9 else 12, name, INK))
    if counter.fp is not None and counter.range is not None:
        parts.append(_text(46, 92, 27, f"{counter.fp}-{counter.range}", INK))
    elif counter.min_range is not None:
        parts.append(_text(46, 92, 20, f"[{counter.min_range}-{counter.max_range}]", INK))
    elif counter.fp is not None:
        parts.append(_text(46, 92, 28, str(counter.fp), INK))
    parts.append(_rof(counter.rof))
    number = f"B{counter.breakdown}" if counter.breakdown else f"X{counter.removal}" if counter.removal else ""
    parts.append(_text(95, 73, 14, number, RED, "end"))
    parts.append(
        _text(95, 93, 13, f"{counter.pp}PP" if counter.pp else "", colour if nation != "german_ss" else INK, "end")
    )
    return "".join(parts)


def _rof(rof: int | None) -> str:
    if not rof:
        return ""
    box = f'<rect x="6" y="60" width="17" height="18" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
    return box + _text(14.5, 75, 16, str(rof), INK)


_BARRELS: dict[str, Callable[[], str]] = {
    "MTR": lambda: '<circle cx="50" cy="52" r="15"/><path d="M50 52V16M38 70h24" stroke-width="9"/>',
    "AA": lambda: '<path d="M50 60V8M24 60h52M50 44v36" stroke-width="7"/><circle cx="50" cy="58" r="12"/>',
    "AT": lambda: (
        '<path d="M50 56V6" stroke-width="6"/><path d="M26 50h48l-4 7H30zM44 58L30 86M56 58l14 28" stroke-width="5"/>'
    ),
    "ART": lambda: (
        '<path d="M50 56V14" stroke-width="9"/><circle cx="30" cy="56" r="8"/><circle cx="70" cy="56" r="8"/>'
        '<path d="M32 56h36M46 60L34 86M54 60l12 26" stroke-width="5"/>'
    ),
    "INF": lambda: (
        '<path d="M50 56V26" stroke-width="9"/><path d="M28 46h44l-4 7H32z" stroke-width="4"/>'
        '<circle cx="32" cy="60" r="8"/><circle cx="68" cy="60" r="8"/><path d="M50 60v28" stroke-width="6"/>'
    ),
}


def gun_face(nation: str, counter: Gun) -> str:
    """A Gun from above, its barrel to the top: the client turns it to its Covered Arc (1.2.6)."""
    parts = [_background(shade(COLOURS[nation], 1.25))]
    shape = _BARRELS[counter.type]()
    parts.append(f'<g fill="{INK}" stroke="{INK}" stroke-linecap="round" opacity=".88">{shape}</g>')
    parts.append(_text(7, 20, 17, f"{counter.caliber}{counter.barrel or ''}", INK, "start"))
    parts.append(_text(94, 19, 14, counter.type, INK, "end"))
    parts.append(_rof(counter.rof))
    disc = {"small": PAPER, "large": "#e9a59d", "normal": "none"}[counter.size]
    parts.append(f'<circle cx="84" cy="84" r="12" fill="{disc}" stroke="none"/>')
    parts.append(_text(94, 90, 14, f"M{counter.manhandling}", INK, "end"))
    if counter.breakdown < 12:
        parts.append(_text(95, 70, 14, f"B{counter.breakdown}", RED, "end"))
    if counter.ife:
        parts.append(_text(7, 94, 14, f"IFE {counter.ife}", INK, "start"))
    return "".join(parts)
