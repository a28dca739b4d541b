"""The map, drawn from the hex facts (2.3): coast, relief, rivers, roads, towns, boxes; own artwork."""

from __future__ import annotations

from functools import cache

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    ALLIED_AT_START,
    BLOCKED,
    ELEVATION,
    GRID,
    LAND,
    MARSH,
    MOUNTAIN,
    NAMES,
    NORTH_EDGE,
    PLACES,
    RIVERS,
    ROADS,
    TERRAIN,
    WATER_SIDES,
    Place,
    Side,
)
from sandtable.games.underbelly.layout import HEIGHT, WIDTH, furniture
from sandtable.games.underbelly.outlines import (
    Point,
    chains,
    length,
    noise,
    path,
    shape,
    smooth,
    towards,
    wobble,
)

SEA, SEA_DEEP, SHORE = "#a9c6d6", "#8fb2c6", "#c9dde4"
LOW, HIGH = (238, 229, 200), (168, 132, 92)
INK, RIVER, ROAD = "#3b2f22", "#4a86b4", "#a8452f"
SERIF = "Georgia, 'DejaVu Serif', serif"
SANS = "'Gill Sans', 'DejaVu Sans', sans-serif"


def _tint(h: int) -> str:
    """Colour by height above the sea."""
    t = min(1.0, max(0.0, ELEVATION[h] / 1300)) ** 0.75
    if TERRAIN[h] == MARSH:
        return "#b9c79a"
    low = (226, 226, 190) if ELEVATION[h] < 120 else LOW
    return "#" + "".join(f"{round(a + (b - a) * t):02x}" for a, b in zip(low, HIGH, strict=True))


def _hexagon(h: int) -> str:
    corners = GRID.vertices(h)
    return path([(x, y) for x, y in corners], closed=True)


def _side_points(key: Side) -> tuple[Point, Point]:
    return GRID.side_points(key[0], GRID.hexside(*key))


def _water() -> list[str]:
    land = shape(LAND)
    bands = ((SEA_DEEP, 74, 0.35), (SHORE, 40, 0.55), (SHORE, 18, 0.9))
    shallows = "".join(
        f'<use href="#land" stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}"/>'
        for colour, width, opacity in bands
    )
    return [
        f'<defs><path id="land" d="{land}"/></defs><rect width="{WIDTH}" height="{HEIGHT}" fill="{SEA}"/>',
        f'<g fill="none" stroke-linejoin="round">{shallows}</g>',
    ]


def _relief() -> list[str]:
    out = [
        '<clipPath id="coast"><use href="#land"/></clipPath>',
        '<filter id="soft" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation="15"/></filter>',
        '<g clip-path="url(#coast)"><g filter="url(#soft)">',
    ]
    tints: dict[str, list[str]] = {}
    for h in LAND:
        tints.setdefault(_tint(h), []).append(_hexagon(h))
    out += [f'<path d="{"".join(shapes)}" fill="{tint}"/>' for tint, shapes in tints.items()]
    out.append("</g>")
    mountains = [h for h in LAND if TERRAIN[h] == MOUNTAIN]
    out.append(
        f'<path d="{shape(mountains, size=9)}" fill="#8a6642" fill-opacity=".26" stroke="#7a5a38" stroke-opacity=".55"'
        ' stroke-width="1.6"/>'
    )
    out += _peaks(mountains)
    out += _marshes([h for h in LAND if TERRAIN[h] == MARSH])
    out.append("</g>")
    out.append('<use href="#land" fill="none" stroke="#2f4a5c" stroke-width="2.6" stroke-linejoin="round"/>')
    return out


def _peaks(mountains: list[int]) -> list[str]:
    """Little shaded mountains, the more and larger the higher the hex."""
    light: list[str] = []
    dark: list[str] = []
    line: list[str] = []
    for h in sorted(mountains, key=lambda h: GRID.centre(h)[1]):
        x, y = GRID.centre(h)
        number = 2 if ELEVATION[h] < 600 else 3
        for n in range(number):
            px = x + (n - (number - 1) / 2) * 22 + noise(x, y, n) * 6
            py = y + noise(y, x, n + 5) * 12 + (6 if n % 2 else -3)
            tall = 9 + min(ELEVATION[h], 1600) / 130 + noise(px, py) * 2
            wide = tall * 0.85
            left, right, top = round(px - wide), round(px + wide), round(py - tall)
            foot, mid = round(py), round(px)
            dark.append(f"M{mid} {top}L{right} {foot}L{round(px + wide * 0.1)} {foot}z")
            light.append(f"M{mid} {top}L{left} {foot}L{round(px + wide * 0.1)} {foot}z")
            line.append(f"M{left} {foot}L{mid} {top}L{right} {foot}")
    return [
        f'<path d="{"".join(light)}" fill="#f3e6c8" fill-opacity=".55"/>',
        f'<path d="{"".join(dark)}" fill="#5d4326" fill-opacity=".55"/>',
        f'<path d="{"".join(line)}" fill="none" stroke="#4c3720" stroke-width="1.1" stroke-opacity=".75"/>',
    ]


def _marshes(hexes: list[int]) -> list[str]:
    tufts: list[str] = []
    for h in hexes:
        x, y = GRID.centre(h)
        for n in range(5):
            px, py = round(x + noise(x, y, n) * 22), round(y + noise(y, x, n + 9) * 20)
            tufts.append(f"M{px - 8} {py}h16M{px} {py}v-9M{px - 4} {py}l-3-7M{px + 4} {py}l3-7")
    fill = f'<path d="{shape(hexes)}" fill="#8fb082" fill-opacity=".55"/>' if hexes else ""
    return [fill, f'<path d="{"".join(tufts)}" stroke="#4d7350" stroke-width="1.6" fill="none"/>']


def _rivers() -> list[str]:
    out: list[str] = []
    names: list[str] = []
    for river in sorted(set(RIVERS.values())):
        lines = chains(_side_points(key) for key, name in sorted(RIVERS.items()) if name == river)
        data = ""
        for line in lines:
            data += path(smooth(wobble(line, 3, closed=False), closed=False, times=1), closed=False)
        out.append(f'<path d="{data}" stroke="#e8f1f4" stroke-width="7.5" stroke-opacity=".5"/>')
        out.append(f'<path d="{data}" stroke="{RIVER}" stroke-width="4.2"/>')
        longest = max(lines, key=length)
        x, y = longest[len(longest) // 2]
        names.append(f'<text x="{round(x) + 7}" y="{round(y) - 7}">{river}</text>')
    out = [f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{"".join(out)}</g>']
    out.append(
        f'<g font-family="{SERIF}" font-style="italic" font-size="13" fill="#1f4f78" stroke="#f2ead2" stroke-width="3"'
        f' paint-order="stroke">{"".join(names)}</g>'
    )
    return out


def _roads() -> list[str]:
    """Roads lead through mountain hexes, with short ramps into the clear (12.8)."""
    data: list[str] = []
    for a, b in sorted(ROADS):
        ca, cb = GRID.centre(a), GRID.centre(b)
        start = ca if TERRAIN[a] == MOUNTAIN else towards(cb, ca, 0.74)
        end = cb if TERRAIN[b] == MOUNTAIN else towards(ca, cb, 0.74)
        middle = towards(ca, cb, 0.5)
        bend = noise(*middle) * 5
        data.append(
            f"M{round(start[0])} {round(start[1])}Q{round(middle[0] + bend)} {round(middle[1] - bend)}"
            f" {round(end[0])} {round(end[1])}"
        )
    joined = "".join(data)
    return [
        '<g fill="none" stroke-linecap="round">',
        f'<path d="{joined}" stroke="#fbf3dd" stroke-width="6"/>',
        f'<path d="{joined}" stroke="{ROAD}" stroke-width="3"/></g>',
    ]


def _hexsides() -> list[str]:
    """The grid, blocked hexsides, and water between land hexes."""
    grid: list[str] = []
    for h in LAND:
        for n, other in enumerate(GRID.neighbour_table[h]):
            if other > h or other < 0 or not ADJACENT[other]:
                (ax, ay), (bx, by) = GRID.side_points(h, n)
                grid.append(f"M{round(ax)} {round(ay)}L{round(bx)} {round(by)}")

    def bars(keys: list[Side]) -> str:
        parts = []
        for key in keys:
            a, b = _side_points(key)
            (ax, ay), (bx, by) = towards(a, b, 0.06), towards(b, a, 0.06)
            parts.append(f"M{round(ax)} {round(ay)}L{round(bx)} {round(by)}")
        return "".join(parts)

    sea = [key for key, kind in sorted(WATER_SIDES.items()) if kind == "all-sea"]
    lake = [key for key, kind in sorted(WATER_SIDES.items()) if kind == "all-lake"]
    return [
        f'<path d="{"".join(grid)}" stroke="{INK}" stroke-opacity=".32" stroke-width="1" fill="none"/>',
        f'<path d="{bars(sea)}" stroke="#2f4a5c" stroke-width="13" stroke-linecap="round"/>',
        f'<path d="{bars(sea)}" stroke="{SEA}" stroke-width="9" stroke-linecap="round"/>',
        f'<path d="{bars(lake)}" stroke="#1f5f8a" stroke-width="14" stroke-linecap="round"/>',
        f'<path d="{bars(lake)}" stroke="#6fb4dc" stroke-width="10" stroke-linecap="round"/>',
        f'<path d="{bars(sorted(BLOCKED))}" stroke="#2b1d10" stroke-width="7" stroke-linecap="round"/>',
        f'<path d="{bars(sorted(BLOCKED))}" stroke="#b88a52" stroke-width="2" stroke-dasharray="3 4"/>',
    ]


def _numbers() -> list[str]:
    texts = []
    for h in LAND:
        x, y = GRID.centre(h)
        texts.append(f'<text x="{round(x)}" y="{round(y) - 22}">{NAMES[h]}</text>')
    return [
        f'<g font-family="{SANS}" font-size="8.5" text-anchor="middle" fill="{INK}" fill-opacity=".62">',
        *texts,
        "</g>",
    ]


def _place(place: Place) -> str:
    x, y = (round(v) for v in GRID.centre(place.index))
    parts: list[str] = []
    if place.city:
        parts.append(
            f'<path d="M{x - 17} {y + 9}v-12h7v-7h8v5h6v-9h8v6h5v17z" fill="#c8462f" stroke="{INK}"'
            ' stroke-width="1.6"/>'
        )
    else:
        parts.append(f'<circle cx="{x}" cy="{y}" r="6.5" fill="#fdf8e8" stroke="{INK}" stroke-width="2.2"/>')
        parts.append(f'<circle cx="{x}" cy="{y}" r="2.6" fill="{INK}"/>')
    if place.harbour:
        ax, ay = x + 17, y - 6
        parts.append(
            f'<path d="M{ax} {ay - 7}v14M{ax - 4} {ay - 4}h8M{ax - 7} {ay + 2}q1 6 7 6q6 0 7-6" fill="none"'
            ' stroke="#173f63" stroke-width="2.1" stroke-linecap="round"/>'
            f'<circle cx="{ax}" cy="{ay - 8.5}" r="1.9" fill="none" stroke="#173f63" stroke-width="1.5"/>'
        )
    if place.airbase:
        ax, ay = x - 17, y - 7
        parts.append(
            f'<path d="M{ax} {ay - 8}l2 6 8 4v2l-8-2-1 5 3 2v1.5h-8v-1.5l3-2-1-5-8 2v-2l8-4z" fill="#3d4f2b"'
            ' stroke="#fdf8e8" stroke-width=".8"/>'
        )
    size = 18 if place.city else 14
    weight = "bold" if place.city or place.harbour == "major" else "normal"
    anchor, tx = ("start", 10) if x < 60 else ("middle", x)
    parts.append(
        f'<text x="{tx}" y="{y + 25}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}"'
        f' stroke="#f6edd6" stroke-width="3.2" paint-order="stroke" stroke-linejoin="round">{place.name}</text>'
    )
    return "".join(parts)


def _places() -> list[str]:
    return [
        f'<g font-family="{SERIF}" text-anchor="middle" fill="#201509">',
        *[_place(place) for place in PLACES.values()],
        "</g>",
    ]


def _control_line() -> list[str]:
    """The Initial Allied Control Line (7.7): between hexes of either side at the start."""
    south = [h for h in LAND if ALLIED_AT_START[h] and NAMES[h][:2] >= "49"]
    edge: list[tuple[Point, Point]] = []
    for h in south:
        for n, other in enumerate(GRID.neighbour_table[h]):
            if other >= 0 and TERRAIN[other] and not ALLIED_AT_START[other]:
                edge.append(GRID.side_points(h, n))
    data = "".join(path(line, closed=False) for line in chains(edge))
    return [
        f'<path d="{data}" fill="none" stroke="#f6edd6" stroke-width="7"/>',
        f'<path d="{data}" fill="none" stroke="#8d1f4d" stroke-width="3.6" stroke-dasharray="12 7"/>',
    ]


def _north_edge() -> list[str]:
    """Arrows at the hexes of row 10xx, where German supply and reinforcements come from (10.2, 11.4)."""
    arrows = []
    for h in NORTH_EDGE:
        y = round(GRID.centre(h)[1])
        arrows.append(f"M6 {y - 9}l13 9l-13 9z")
    return [f'<path d="{"".join(arrows)}" fill="#20251f" stroke="#f6edd6" stroke-width="1.2"/>']


@cache
def picture() -> str:
    """The whole map sheet as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        *_water(),
        *_relief(),
        *_hexsides(),
        *_rivers(),
        *_roads(),
        *_control_line(),
        *_numbers(),
        *_north_edge(),
        *_places(),
        *furniture(),
        "</svg>",
    ]
    return "".join(parts)
