"""The painter: each layer of a board's geometry as a few SVG elements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.prepared import prep

from sandtable.space.cells import chance
from sandtable.space.drawstyle import Theme
from sandtable.space.footprint import Building
from sandtable.space.geometry import BoardGeometry
from sandtable.space.terrain import IN_SEASON, Season, terrain_table

DETAIL = 0.3
"""Outlines are drawn this exactly, in pixels; far less than a pixel of the raster."""
BLOCKS = 5.2
"""How far apart the blocks of a fallen bridge lie."""

GROUNDS = {
    "marsh": "marsh",
    "swamp": "marsh",
    "mudflats": "marsh",
    "rice_paddy": "marsh",
    "graveyard": "graves",
    "crag": "crag",
    "debris": "crag",
    "hammada": "crag",
    "shellholes": "holes",
    "lumberyard": "wood",
    "beach": "sand",
    "sand": "sand",
    "sand_dune": "sand",
    "deir": "sand",
}
"""Pattern of the kinds of ground that have one of their own."""


def paint(
    geometry: BoardGeometry, theme: Theme, *, prefix: str = "", part: str = "", season: Season = IN_SEASON
) -> Iterator[str]:
    """All ground of a board, from the grass up; `prefix` marks ids of the picture, `part` those of this board."""
    ids = prefix + part
    yield from _hills(geometry, theme, prefix, ids)
    yield from _fields(geometry, theme, prefix, season)
    yield from _roads(geometry, theme, ids)
    yield from _orchards(geometry, theme, season)
    yield from _woods(geometry, theme, prefix, ids)
    yield from _beds(geometry, theme, prefix)
    yield from _hexsides(geometry, theme, ids)
    yield from _buildings(geometry.buildings, theme, prefix, ids)
    for wall in geometry.party_walls.values():
        yield f'<path d="{path_data(wall, 0)}" fill="{theme.shade}"/>'


def path_data(area: BaseGeometry, detail: float = DETAIL) -> str:
    """Path data of an area or of lines, in relative steps of a tenth of a pixel."""
    slim = area.simplify(detail) if detail else area
    data = []
    for part in getattr(slim, "geoms", [slim]):
        if part.is_empty:
            continue
        if isinstance(part, Polygon):
            data += [_ring(ring.coords, "z") for ring in (part.exterior, *part.interiors)]
        elif isinstance(part, LineString):
            data.append(_ring(part.coords, ""))
    return "".join(data)


def _ring(points: Iterable[tuple[float, ...]], end: str) -> str:
    tenths = [(round(x * 10), round(y * 10)) for x, y, *_ in points]
    words = [f"M{_tenth(tenths[0][0])} {_tenth(tenths[0][1])}l"]
    last = tenths[0]
    for point in tenths[1:-1] if end else tenths[1:]:
        dx, dy = _tenth(point[0] - last[0]), _tenth(point[1] - last[1])
        gap = "" if words[-1].endswith("l") or dx.startswith("-") else " "
        words.append(f"{gap}{dx}{'' if dy.startswith('-') else ' '}{dy}")
        last = point
    return "".join(words) + end


def layers(id: str, data: str, *styles: str) -> Iterator[str]:
    """One shape drawn several times over: its path is written once."""
    if data:
        yield f'<defs><path id="{id}" d="{data}"/></defs>'
        for style in styles:
            yield f'<use href="#{id}" {style}/>'


def _tenth(value: int) -> str:
    whole, rest = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{rest}"


def _polygons(area: BaseGeometry) -> list[Polygon]:
    if isinstance(area, Polygon):
        return [] if area.is_empty else [area]
    return [part for part in getattr(area, "geoms", []) if isinstance(part, Polygon)]


def _hills(geometry: BoardGeometry, theme: Theme, prefix: str, ids: str) -> Iterator[str]:
    """Tinted ground with a crest line, hachures down the slope and a soft shadow on the far side."""
    if geometry.lowest < 0:
        # far beyond the edges, at which the picture is cut
        yield f'<path d="M-30000-30000h90000v90000h-90000z" fill="{theme.sunken}"/>'
    for level, hill in sorted(geometry.hills.items()):
        if hill.is_empty:
            continue
        grass = f"url(#{prefix}grass)" if level == 0 else theme.sunken
        tint = theme.hill[min(level, len(theme.hill)) - 1] if level > 0 else grass
        strokes = _hachures(hill)
        yield from layers(
            f"{ids}hill{level}",
            path_data(hill),
            f'transform="translate(2.5 4)" fill="{theme.shade}" fill-opacity=".22"',
            f'fill="{tint}" stroke="{theme.crest}" stroke-width="1.8"',
        )
        if level > 0:
            yield f'<path d="{path_data(hill.buffer(-9))}" fill="{theme.grass_light}" fill-opacity=".13"/>'
        yield f'<path d="{strokes}" stroke="{theme.crest}" stroke-opacity=".75" fill="none"/>'


def _hachures(hill: BaseGeometry, gap: float = 7.0, length: float = 5.0) -> str:
    """Short strokes inside the crest line, square to it."""
    marks = []
    for part in _polygons(hill):
        for ring in (part.exterior, *part.interiors):
            count = max(3, int(ring.length / gap))
            outward = -1 if ring.is_ccw else 1
            for index in range(count):
                at = ring.length * index / count
                a, b = ring.interpolate(at), ring.interpolate(min(at + 1.5, ring.length))
                dx, dy = b.x - a.x, b.y - a.y
                size = math.hypot(dx, dy)
                if size < 0.1:
                    continue
                reach = length * (0.7 + 0.6 * chance("hachure", round(a.x), round(a.y))) * outward
                x, y = round(-dy / size * reach * 10), round(dx / size * reach * 10)
                marks.append(f"M{_tenth(round(a.x * 10))} {_tenth(round(a.y * 10))}l{_tenth(x)} {_tenth(y)}")
    return "".join(marks)


def _fields(geometry: BoardGeometry, theme: Theme, prefix: str, season: Season) -> Iterator[str]:
    """Grain, brush, water and all other ground that is neither trees nor road."""
    for kind, area in geometry.areas.items():
        group = terrain_table()[kind].group
        if group in ("woods", "orchard") or area.is_empty:
            continue
        data = path_data(area)
        if group == "grain":
            crop = f'fill="url(#{prefix}grain)"' if season.grain else f'fill="{theme.grain_light}" fill-opacity=".45"'
            yield f'<path d="{data}" {crop} stroke="{theme.grain_dark}" stroke-width="1.6"/>'
        elif group == "water" or kind.endswith("stream"):
            yield f'<path d="{data}" fill="url(#{prefix}water)" stroke="{theme.paved_edge}"/>'
        elif group == "depression":
            yield f'<path d="{data}" fill="{theme.dirt}" stroke="{theme.crest}" stroke-width="1.6"/>'
        elif _is_bridge(kind):
            continue
        elif group == "rubble":
            yield f'<path d="{data}" fill="url(#{prefix}stone)" stroke="{theme.stone_dark}"/>'
        else:
            pattern = GROUNDS.get(kind, "bare" if group in ("open", "entrenchment") else "brush")
            yield f'<path d="{data}" fill="url(#{prefix}{pattern})" stroke="{theme.grass_dark}"/>'


def _roads(geometry: BoardGeometry, theme: Theme, ids: str) -> Iterator[str]:
    """Verge, edge and surface; dirt roads show wheel tracks, paved roads a pale crown."""
    for surface, area in geometry.paving.items():
        if area.is_empty:
            continue
        fill, edge = (theme.dirt, theme.dirt_edge) if surface == "dirt" else (theme.paved, theme.paved_edge)
        yield from layers(
            f"{ids}{surface}",
            path_data(area),
            f'fill="none" stroke="{theme.grass_dark}" stroke-width="6" stroke-opacity=".7"',
            f'fill="{fill}" stroke="{edge}" stroke-width="1.3"',
        )
        lines = (piece.line for piece in geometry.roads if piece.surface == surface and not piece.square)
        tracks = [f'fill="none" stroke="{theme.sheet}" stroke-width="6" stroke-opacity=".28"']
        if surface == "dirt":
            wheels = f'fill="none" stroke="{edge}" stroke-width="5.4" stroke-opacity=".45"'
            tracks = [wheels, f'fill="none" stroke="{fill}" stroke-width="3.4"']
        yield from layers(f"{ids}{surface}track", "".join(path_data(line, 0.15) for line in lines), *tracks)


def _orchards(geometry: BoardGeometry, theme: Theme, season: Season) -> Iterator[str]:
    """Mown ground with rows of round trees, bare out of season."""
    for kind, area in geometry.areas.items():
        if terrain_table()[kind].group != "orchard" or area.is_empty:
            continue
        yield (
            f'<path d="{path_data(area)}" fill="{theme.orchard_floor}" stroke="{theme.grass_dark}" '
            'stroke-width="1.2" stroke-dasharray="3 2"/>'
        )
        places = _rows(area.buffer(-4.5))
        if not season.orchard:
            bare = f' stroke="{theme.wood_dark}" stroke-dasharray="2 1.4"'
            yield _crowns(places, 4.8, theme.orchard_floor, extra=bare)
            yield _crowns(places, 1.3, theme.wood_dark)
            continue
        yield _crowns(places, 5.4, theme.shade, shift=(1.6, 2.2), extra=' fill-opacity=".3"')
        yield _crowns(places, 5.0, theme.orchard, extra=f' stroke="{theme.woods_dark}" stroke-width=".9"')
        yield _crowns(places, 1.9, theme.orchard_light, shift=(-1.4, -1.5))


def _rows(area: BaseGeometry, gap: float = 14.06, row_gap: float = 12.9) -> list[tuple[float, float]]:
    """Places of trees in rows that continue from hex to hex."""
    if area.is_empty:
        return []
    inside = prep(area)
    left, top, right, bottom = area.bounds
    places = []
    for row in range(int(top / row_gap), int(bottom / row_gap) + 1):
        for column in range(int(left / gap), int(right / gap) + 1):
            x, y = column * gap + gap / 2, row * row_gap + row_gap / 2
            if inside.contains(Point(x, y)):
                places.append((x, y))
    return places


def _crowns(
    places: Iterable[tuple[float, float]],
    radius: float,
    fill: str,
    *,
    shift: tuple[float, float] = (0.0, 0.0),
    extra: str = "",
) -> str:
    """Round tree tops as one path."""
    r, d = _tenth(round(radius * 10)), _tenth(round(radius * 20))
    data = "".join(
        f"M{_tenth(round((x + shift[0] - radius) * 10))} {_tenth(round((y + shift[1]) * 10))}"
        f"a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0"
        for x, y in places
    )
    return f'<path d="{data}" fill="{fill}"{extra}/>'


def _woods(geometry: BoardGeometry, theme: Theme, prefix: str, ids: str) -> Iterator[str]:
    """A shadow, a canopy of crowns, and clumps along the edge that keep inside the outline."""
    for kind, area in geometry.areas.items():
        if terrain_table()[kind].group != "woods" or area.is_empty:
            continue
        yield from layers(
            f"{ids}{kind}area",
            path_data(area),
            f'transform="translate(2.2 3.4)" fill="{theme.shade}" fill-opacity=".38"',
            f'fill="url(#{prefix}woods)" stroke="{theme.woods_dark}" stroke-width="1.4"',
        )
        groups: list[list[tuple[float, float]]] = [[], []]
        for number, place in enumerate(_along_edge(area.buffer(-4.4), 7.6)):
            groups[int(chance("clump", number) > 0.62)].append(place)
        edge = f' stroke="{theme.woods_dark}" stroke-width="1.1"'
        yield _crowns(groups[0], 4.6, theme.woods, extra=edge)
        yield _crowns(groups[1], 4.6, theme.woods_light, extra=edge)


def _along_edge(area: BaseGeometry, gap: float) -> list[tuple[float, float]]:
    places = []
    for part in _polygons(area):
        for ring in (part.exterior, *part.interiors):
            count = int(ring.length / gap)
            for index in range(count):
                spot = ring.interpolate(ring.length * index / count)
                places.append((spot.x, spot.y))
    return places


def _beds(geometry: BoardGeometry, theme: Theme, prefix: str) -> Iterator[str]:
    """Gullies and streams between their banks, and the bridges over them."""
    for bed in geometry.beds:
        wet = terrain_table()[bed.kind].group == "water" or bed.kind.endswith("stream")
        fill = f"url(#{prefix}water)" if wet else theme.dirt
        yield (
            f'<path d="{path_data(bed.area)}" fill="{fill}" stroke="{theme.crest}" stroke-width="2" '
            'stroke-dasharray="5 1.5"/>'
        )
    traced = {kind: area for kind, area in geometry.areas.items() if _is_bridge(kind)}
    for kind, area in (traced | geometry.bridges).items():
        draw = _fallen if terrain_table()[kind].in_bed else _bridge
        yield from draw(kind, area, theme, prefix)


def _is_bridge(kind: str) -> bool:
    """A bridge, or what is left of one."""
    return terrain_table()[kind].group == "bridge" or terrain_table()[kind].in_bed


def _fallen(kind: str, area: BaseGeometry, theme: Theme, prefix: str) -> Iterator[str]:
    """Blocks of stone, or beams, that lie in the bed where a bridge stood."""
    stone = kind.startswith("stone")
    fill, edge = (theme.stone_light, theme.stone_dark) if stone else (theme.wood_light, theme.wood_dark)
    long, wide = (3.0, 2.2) if stone else (7.0, 1.1)
    data = []
    for x, y in _rows(area.buffer(-1.5), BLOCKS, BLOCKS):
        turn = 2 * math.pi * chance("block", round(x * 10), round(y * 10))
        size = 0.7 + 0.6 * chance("size", round(x * 10), round(y * 10))
        a, b = (
            (size * long * math.cos(turn), size * long * math.sin(turn)),
            (-size * wide * math.sin(turn), size * wide * math.cos(turn)),
        )
        corners = [(x + i * a[0] + j * b[0], y + i * a[1] + j * b[1]) for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        data.append("M" + "L".join(f"{_tenth(round(p * 10))} {_tenth(round(q * 10))}" for p, q in corners) + "z")
    yield f'<path d="{path_data(area, 0)}" fill="{theme.shade}" fill-opacity=".3"/>'
    yield f'<path d="{"".join(data)}" fill="{fill}" stroke="{edge}" stroke-width="1.1"/>'


def _bridge(kind: str, area: BaseGeometry, theme: Theme, prefix: str) -> Iterator[str]:
    """A deck of stone or planks between parapets."""
    stone = kind.startswith("stone")
    fill, edge = ("stone", theme.stone_dark) if stone else ("wood", theme.wood_dark)
    yield f'<path d="{path_data(area, 0)}" fill="url(#{prefix}{fill})" stroke="{edge}" stroke-width="2.2"/>'


def _hexsides(geometry: BoardGeometry, theme: Theme, ids: str) -> Iterator[str]:
    """Walls grey and studded, hedges green and broad."""
    for kind, line in geometry.hexsides.items():
        solid = bool(_polygons(line))
        if kind in ("cliff", "dune_crest", "deir_lip"):
            ground, dark, light, dash = theme.crest, theme.shade, theme.grain_light, "1.5 4"
        elif kind in ("hedge", "bocage", "cactus_hedge"):
            ground, dark, light, dash = theme.woods, theme.woods_dark, theme.woods_light, "2 3"
        else:
            ground, dark, light, dash = theme.stone, theme.stone_dark, theme.stone_light, "4 1.5"
        yield from layers(
            f"{ids}{kind}line",
            path_data(line),
            f'fill="{ground if solid else "none"}" stroke="{dark}" stroke-width="{1 if solid else 4}"',
            f'fill="none" stroke="{light}" stroke-width="{1 if solid else 2}" stroke-dasharray="{dash}"',
        )


def _buildings(buildings: Iterable[Building], theme: Theme, prefix: str, ids: str) -> Iterator[str]:
    """Shadow, walls and roof: stone is cross-hatched under a hipped roof, wood is planked under one ridge."""
    built = list(buildings)
    if not built:
        return
    for material in ("stone", "wood"):
        parts = [part for building in built if building.material == material for part in building.parts]
        if not parts:
            continue
        dark = theme.stone_dark if material == "stone" else theme.wood_dark
        light = theme.stone_light if material == "stone" else theme.wood_light
        yield from layers(
            f"{ids}{material}walls",
            path_data(MultiPolygon(parts), 0),
            f'transform="translate(2.6 3.6)" fill="{theme.shade}" fill-opacity=".45"',
            f'fill="url(#{prefix}{material})" stroke="{dark}" stroke-width="1.6"',
        )
        roofs = "".join(_sunny_side(part) for part in parts)
        yield f'<path d="{roofs}" fill="{light}" fill-opacity=".5"/>'
        ridges = "".join(_ridge(part, hipped=material == "stone") for part in parts)
        yield f'<path d="{ridges}" fill="none" stroke="{dark}" stroke-width="1.2" stroke-linecap="round"/>'


def _box(part: Polygon) -> list[tuple[float, float]] | None:
    """Corners of a plain rectangle, a long wall first; None for any other footprint."""
    plain = part.simplify(0.5)
    corners = [(x, y) for x, y, *_ in plain.exterior.coords][:-1]
    if len(corners) != 4 or plain.interiors:
        return None
    if math.dist(corners[0], corners[1]) < math.dist(corners[1], corners[2]):
        corners = corners[1:] + corners[:1]
    return corners


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _sunny_side(part: Polygon) -> str:
    """The half of the roof towards the upper left."""
    corners = _box(part)
    if corners is None:
        inner = part.buffer(-3.4, join_style="mitre")
        return path_data(inner, 0) if not inner.is_empty else ""
    a, b, c, d = corners
    first, second = _middle(b, c), _middle(d, a)
    if sum(_middle(a, b)) > sum(_middle(c, d)):
        a, b, first, second = c, d, second, first
    return path_data(Polygon([a, b, first, second]), 0)


def _ridge(part: Polygon, *, hipped: bool) -> str:
    """Lines of the roof."""
    corners = _box(part)
    if corners is None:
        inner = part.buffer(-3.4, join_style="mitre")
        return path_data(inner.boundary, 0) if not inner.is_empty else ""
    a, b, c, d = corners
    start, end = _middle(d, a), _middle(b, c)
    if not hipped:
        return path_data(LineString([start, end]), 0)
    long, short = math.dist(a, b), math.dist(b, c)
    inset = min(0.45, short / 2 / long) if long else 0.0
    first = (start[0] + (end[0] - start[0]) * inset, start[1] + (end[1] - start[1]) * inset)
    last = (end[0] + (start[0] - end[0]) * inset, end[1] + (start[1] - end[1]) * inset)
    lines = [LineString([a, first, d]), LineString([b, last, c]), LineString([first, last])]
    return "".join(path_data(line, 0) for line in lines if line.length > 0.2)
