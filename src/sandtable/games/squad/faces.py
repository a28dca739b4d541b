"""The piece-drawing table: counters and markers as SVG in a 100 x 100 box, drawn by our own rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sandtable.games.squad.counters import Counter, Gun, Mmc, Smc, SupportWeapon, all_counters, nations
from sandtable.space.drawtext import text_path, text_width

COLOURS = {
    "blue-grey": "#9fb4c4",
    "black": "#4a4d55",
    "brown": "#c79a6b",
    "olive": "#a9ad74",
    "tan": "#d9c690",
    "grey": "#b9bbb6",
    "light green": "#a9cfa3",
    "sky blue": "#a4cbe8",
    "green": "#8fbf86",
    "yellow": "#e6d36a",
    "white": "#ecece4",
    "orange": "#e0a060",
    "red": "#d07a6a",
}
INK, PALE = "#22231f", "#f6f3ea"


def letters(text: str, x: float, y: float, height: float, *, colour: str = INK, widest: float = 92) -> str:
    """A word centred on x with its top at y, made smaller where it would be too wide."""
    width = text_width(text, height)
    if width > widest:
        height, y = height * widest / width, y + height * (1 - widest / width) / 2
    data = text_path(text, x, y, height)
    pen = f'stroke="{colour}" stroke-width="{max(height / 7, 1.6):.1f}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{data}" fill="none" {pen}/>'


def plate(colour: str, *, frame: str = INK) -> str:
    """The counter itself."""
    return f'<rect x="2" y="2" width="96" height="96" rx="9" fill="{colour}" stroke="{frame}" stroke-width="2.5"/>'


def man(x: float, y: float, size: float, colour: str = INK) -> str:
    """One soldier as a silhouette with a helmet and a rifle."""
    s = size
    return (
        f'<path fill="{colour}" d="M{x - 0.30 * s:.1f} {y:.1f}a{0.3 * s:.1f} {0.28 * s:.1f} 0 0 1 {0.6 * s:.1f} 0z'
        f"M{x - 0.2 * s:.1f} {y + 0.04 * s:.1f}h{0.4 * s:.1f}v{0.18 * s:.1f}h-{0.4 * s:.1f}z"
        f"M{x - 0.36 * s:.1f} {y + 0.28 * s:.1f}h{0.72 * s:.1f}l-{0.08 * s:.1f} {0.55 * s:.1f}h-{0.56 * s:.1f}z"
        f"M{x - 0.26 * s:.1f} {y + 0.85 * s:.1f}h{0.2 * s:.1f}v{0.45 * s:.1f}h-{0.2 * s:.1f}z"
        f'M{x + 0.06 * s:.1f} {y + 0.85 * s:.1f}h{0.2 * s:.1f}v{0.45 * s:.1f}h-{0.2 * s:.1f}z"/>'
        f'<path d="M{x + 0.46 * s:.1f} {y - 0.15 * s:.1f}L{x - 0.1 * s:.1f} {y + 0.75 * s:.1f}" stroke="{colour}" '
        f'stroke-width="{0.09 * s:.1f}" stroke-linecap="round"/>'
    )


def _mmc(counter: Mmc, colour: str, *, broken: bool) -> str:
    parts = [plate(PALE if broken else colour)]
    if broken:
        parts.append(f'<rect x="2" y="2" width="96" height="20" rx="9" fill="{colour}"/>')
    places = {"squad": (26, 50, 74), "half-squad": (36, 64), "crew": (36, 64)}[counter.kind]
    size = 26 if counter.kind != "crew" else 22
    parts += [man(x, 24 if counter.kind != "crew" else 30, size, INK if not broken else "#8a8477") for x in places]
    if broken:
        parts.append(letters(str(counter.broken_morale or counter.morale), 84, 70, 22))
        if counter.self_rally:
            parts.append(f'<rect x="72" y="66" width="24" height="30" fill="none" stroke="{INK}" stroke-width="2"/>')
        return "".join(parts)
    own = counter.unit_class if counter.kind != "crew" else "E"
    parts.append(letters(own, 88, 8, 12))
    fp, range_, morale = str(counter.fp), str(counter.range), str(counter.morale)
    strength, height = f"{fp}-{range_}-{morale}", 20.0
    height *= min(1.0, 84 / text_width(strength, height))
    parts.append(letters(strength, 50, 70, height))
    left = 50 - text_width(strength, height) / 2
    if counter.assault_fire:
        parts.append(f'<path d="M{left:.1f} 94h{text_width(fp, height):.1f}" stroke="{INK}" stroke-width="2.5"/>')
    if counter.elr_exempt and counter.kind != "crew":
        right = 50 + text_width(strength, height) / 2
        parts.append(f'<path d="M{right - 13:.1f} 94h13" stroke="{INK}" stroke-width="2.5"/>')
    if counter.smoke:
        parts.append(letters(str(counter.smoke), left + text_width(fp, height) + 4, 61, 8))
    return "".join(parts)


def _smc(counter: Smc, colour: str, *, broken: bool) -> str:
    parts = [plate(PALE if broken else colour), man(40, 22, 38, INK if not broken else "#8a8477")]
    if broken:
        parts.append(letters(str(counter.broken_morale or counter.morale), 82, 70, 22))
        parts.append(f'<rect x="70" y="66" width="24" height="30" fill="none" stroke="{INK}" stroke-width="2"/>')
        return "".join(parts)
    parts.append(letters(counter.name, 70, 72, 22, widest=54))
    return "".join(parts)


def _tube(y: float, *, wheels: bool) -> str:
    """A barrel, on wheels if it is a Gun."""
    barrel = f'<path d="M50 {y + 24}V{y}" stroke="{INK}" stroke-width="7" stroke-linecap="round"/>'
    if not wheels:
        return (
            barrel + f'<path d="M50 {y + 12}L36 {y + 30}M50 {y + 12}L64 {y + 30}" stroke="{INK}" stroke-width="3.5"/>'
        )
    return barrel + (
        f'<path d="M34 {y + 30}h32M50 {y + 24}l-14 26M50 {y + 24}l14 26" stroke="{INK}" stroke-width="4" fill="none"/>'
        f'<circle cx="32" cy="{y + 30}" r="7" fill="none" stroke="{INK}" stroke-width="3.5"/>'
        f'<circle cx="68" cy="{y + 30}" r="7" fill="none" stroke="{INK}" stroke-width="3.5"/>'
    )


def _weapon(counter: SupportWeapon, colour: str) -> str:
    parts = [plate(colour, frame="#6c6a60"), _tube(24, wheels=False), letters(counter.type, 50, 6, 13)]
    values = f"{counter.fp}-{counter.range}" if counter.machine_gun else counter.name.split()[-1]
    parts.append(letters(values, 50, 68, 22))
    if counter.rof:
        parts.append(f'<rect x="6" y="40" width="18" height="20" fill="none" stroke="{INK}" stroke-width="2"/>')
        parts.append(letters(str(counter.rof), 15, 43, 14))
    if counter.pp:
        parts.append(letters(f"{counter.pp}PP", 84, 44, 9))
    return "".join(parts)


def _gun(counter: Gun, colour: str) -> str:
    parts = [plate(colour, frame="#6c6a60"), _tube(20, wheels=True)]
    if counter.mount_360:
        parts.append(f'<circle cx="50" cy="46" r="32" fill="none" stroke="{PALE}" stroke-width="2.5"/>')
    parts.append(letters(counter.type, 22, 6, 12))
    parts.append(letters(f"M{counter.manhandling}", 82, 6, 12))
    label = f"{counter.caliber}{counter.barrel or ''}" + (f" {counter.ife}" if counter.ife else "")
    parts.append(letters(label, 50, 78, 18))
    if counter.rof:
        parts.append(f'<rect x="5" y="40" width="18" height="20" fill="none" stroke="{INK}" stroke-width="2"/>')
        parts.append(letters(str(counter.rof), 14, 43, 14))
    return "".join(parts)


def _counter(counter: Counter, colour: str) -> Iterator[tuple[str, str]]:
    """The faces of a counter: its front, and its broken side where it has one."""
    if isinstance(counter, Mmc):
        yield "", _mmc(counter, colour, broken=False)
        yield "/broken", _mmc(counter, colour, broken=True)
    elif isinstance(counter, Smc):
        yield "", _smc(counter, colour, broken=False)
        yield "/broken", _smc(counter, colour, broken=True)
    elif isinstance(counter, SupportWeapon):
        yield "", _weapon(counter, colour)
    else:
        yield "", _gun(counter, colour)


MARKERS = {
    "marker/dm": ("DM", "#d8d2c0", "Desperation Morale: +4 to rally, may rout", "3.1"),
    "marker/pin": ("PIN", "#f0c040", "Pinned: half FP, no move, no advance", "3.2.3"),
    "marker/cx": ("CX", "#e8e0c8", "Counter Exhausted: +1 to attacks, one IPC less", "3.3"),
    "marker/wound": ("W", "#e06060", "Wounded: 3 MF, morale and leadership one worse", "3.2.3"),
    "marker/melee": ("MELEE", "#e07050", "Held in Melee: only close combat", "3.8"),
    "marker/hip": ("HIP", "#7f8f7f", "Hidden: only you see it", "6.4"),
    "marker/moved": ("MOVED", "#cfd8dc", "Has ended its Movement Phase", "3.3"),
    "marker/prep-fire": ("PREP", "#f4a040", "Prep Fire: may not move or fire again this Player Turn", "3.2.5"),
    "marker/first-fire": ("FIRST", "#f0b060", "First Fire: may still use Subsequent First Fire", "3.3.1"),
    "marker/final-fire": ("FINAL", "#d05a3a", "Final Fire: only Final Protective Fire is left", "3.3.1"),
    "marker/intensive-fire": ("INT", "#b03a3a", "Intensive Fire: cannot fire again this Player Turn", "3.2.4"),
    "marker/malfunction": ("MALF", "#c04a4a", "Malfunctioned: may be repaired in a Rally Phase", "4.0"),
    "marker/emplaced": ("EMPL", "#b8c49a", "Emplaced: +2 TEM", "6.3"),
    "marker/grenade": ("+2", "#d6dde0", "Smoke grenades: +2 Hindrance until the end of the MPh", "1.2.5"),
    "marker/smoke": ("+3", "#c3ccd0", "Smoke: +3 Hindrance", "1.2.5"),
    "marker/dispersed": ("+2", "#dde4e6", "Dispersed Smoke: +2 Hindrance", "1.2.5"),
    "marker/wp": ("WP2", "#eceff0", "White Phosphorus: +2 Hindrance", "1.2.5"),
    "marker/wp-dispersed": ("WP1", "#f4f6f6", "Dispersed WP: +1 Hindrance", "1.2.5"),
    "marker/charge": ("DC", "#d06a40", "A Demolition Charge goes off in the AFPh", "4.3"),
}
RESIDUAL = (1, 2, 3, 4, 6, 8, 12)


def _marker(text: str, colour: str) -> str:
    return (
        f'<rect x="4" y="22" width="92" height="56" rx="10" fill="{colour}" stroke="{INK}" stroke-width="3"/>'
        + letters(text, 50, 36, 28, widest=80)
    )


@cache
def faces() -> Mapping[str, str]:
    """All faces by key: `german 4-6-7`, `german 4-6-7/broken`, `marker/pin` ..."""
    table = {key: _marker(text, colour) for key, (text, colour, _, _) in MARKERS.items()}
    for fp in range(1, 13):
        table[f"marker/residual-{fp}"] = _marker(str(fp), "#f0d080")
    by_nation: dict[str, list[Counter]] = {}
    for (nation, _), counter in all_counters().items():
        by_nation.setdefault(nation, []).append(counter)
    for nation, own in by_nation.items():
        colour = COLOURS.get(nations()[nation].colour, "#c8c8c0")
        table[f"marker/control-{nation}"] = _marker("X", colour)
        for counter in own:
            for side, drawing in _counter(counter, colour):
                table[f"{nation} {counter.name}{side}"] = drawing
    return table
