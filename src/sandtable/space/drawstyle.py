"""Colours and patterns of boards; material and terrain differ in shape and hatching, not only in colour."""

from __future__ import annotations

import msgspec

from sandtable.space.cells import chance


class Theme(msgspec.Struct, frozen=True):
    """The colours of a board."""

    grass: str
    grass_dark: str
    grass_light: str
    hill: tuple[str, ...]
    """Tints of level 1, 2, 3 ...; the last serves all higher levels."""
    sunken: str
    """Ground below level 0."""
    crest: str
    shade: str
    woods: str
    woods_dark: str
    woods_light: str
    orchard_floor: str
    orchard: str
    orchard_light: str
    grain: str
    grain_dark: str
    grain_light: str
    dirt: str
    dirt_edge: str
    paved: str
    paved_edge: str
    stone: str
    stone_dark: str
    stone_light: str
    wood: str
    wood_dark: str
    wood_light: str
    water: str
    brush: str
    grid: str
    dot: str
    label: str
    halo: str
    sheet: str


LIGHT = Theme(
    grass="#c6d59a",
    grass_dark="#aec07f",
    grass_light="#d3dfac",
    hill=("#cdb87f", "#bd9f64", "#a9864c", "#93703a", "#7f5c2c"),
    sunken="#a9ab7c",
    crest="#8a6230",
    shade="#2c3318",
    woods="#4f7a3a",
    woods_dark="#375c29",
    woods_light="#6b9850",
    orchard_floor="#b9cd84",
    orchard="#5f9147",
    orchard_light="#85b463",
    grain="#e2c56c",
    grain_dark="#c7a349",
    grain_light="#efd98e",
    dirt="#d6b98a",
    dirt_edge="#a98757",
    paved="#c9c7c0",
    paved_edge="#8f8d86",
    stone="#8b8f98",
    stone_dark="#4b4f58",
    stone_light="#aeb2ba",
    wood="#a5703f",
    wood_dark="#5f3817",
    wood_light="#c8935e",
    water="#7fb0cf",
    brush="#9aa85e",
    grid="#3d4a25",
    dot="#fffdf2",
    label="#20260f",
    halo="#f4f6e4",
    sheet="#f4f1e6",
)

DARK = Theme(
    grass="#4c5a39",
    grass_dark="#414e30",
    grass_light="#566541",
    hill=("#6c5a38", "#7d6740", "#8e7548", "#9f8451", "#b0935a"),
    sunken="#35402a",
    crest="#c79a5a",
    shade="#0d1107",
    woods="#24401f",
    woods_dark="#182c15",
    woods_light="#355a2d",
    orchard_floor="#55683c",
    orchard="#3f6a35",
    orchard_light="#578848",
    grain="#93793a",
    grain_dark="#725c28",
    grain_light="#ab9150",
    dirt="#8a7350",
    dirt_edge="#5d4b30",
    paved="#84837e",
    paved_edge="#55544f",
    stone="#767b86",
    stone_dark="#2b2e35",
    stone_light="#979ca6",
    wood="#7d5229",
    wood_dark="#3a210c",
    wood_light="#9c6d3e",
    water="#3f6682",
    brush="#5d6a38",
    grid="#0f140a",
    dot="#f3f0dc",
    label="#f2f1e2",
    halo="#1a2011",
    sheet="#1d2117",
)

THEMES = {"light": LIGHT, "dark": DARK}


def patterns(theme: Theme, prefix: str = "") -> str:
    """Textures that all boards share."""
    return "".join(
        (
            _pattern(f"{prefix}grass", 120, 120, theme.grass, _tufts(theme)),
            _pattern(f"{prefix}woods", 76, 76, theme.woods, _canopy(theme)),
            _furrows(theme, prefix),
            _pattern(
                f"{prefix}stone",
                9,
                9,
                theme.stone,
                f'<path d="M0 9L9 0M-1 1L1-1M8 10L10 8M0 0L9 9" stroke="{theme.stone_dark}" '
                'stroke-width=".7" stroke-opacity=".48"/>',
            ),
            _pattern(
                f"{prefix}wood",
                4.2,
                12,
                theme.wood,
                f'<path d="M.4 0v12" stroke="{theme.wood_dark}" stroke-width=".8" stroke-opacity=".7"/>',
            ),
            _pattern(
                f"{prefix}brush",
                26,
                24,
                theme.brush,
                f'<g fill="{theme.woods}"><circle cx="6" cy="6" r="3"/><circle cx="18" cy="14" r="3.6"/>'
                f'<circle cx="8" cy="18" r="2.4"/><circle cx="20" cy="3" r="2.2"/></g>',
            ),
            _pattern(
                f"{prefix}water",
                40,
                16,
                theme.water,
                '<path d="M0 5q5-3 10 0t10 0 10 0 10 0M8 13q5-3 10 0t10 0" fill="none" '
                'stroke="#fff" stroke-opacity=".35"/>',
            ),
            *_grounds(theme, prefix),
        )
    )


def _grounds(theme: Theme, prefix: str) -> tuple[str, ...]:
    """Marsh, graves, crags, shellholes, sand and bare ground."""
    reeds = f'<path d="M6 12v-6m-3 6l-1-4m7 4l1-4M21 21v-6m-3 6l-1-4m7 4l1-4" stroke="{theme.woods_dark}" fill="none"/>'
    pools = f'<path d="M14 7h10M1 18h11" stroke="{theme.water}" stroke-width="4" stroke-linecap="round"/>'
    crosses = f'<path d="M6 4v8m-3-5h6M19 15v8m-3-5h6" stroke="{theme.stone_dark}" stroke-width="1.8" fill="none"/>'
    rocks = '<path d="M3 11l4-7 5 7zM15 22l5-8 5 8zM17 7l3-4 3 4z" '
    pits = f'<g fill="{theme.dirt_edge}"><circle cx="8" cy="8" r="4.2"/><circle cx="22" cy="20" r="5"/></g>'
    dots = (
        f'<path d="M3 4h0M11 9h0M6 14h0M15 2h0" stroke="{theme.dirt_edge}" stroke-width="1.6" stroke-linecap="round"/>'
    )
    return (
        _pattern(f"{prefix}marsh", 28, 24, theme.grass_light, pools + reeds),
        _pattern(f"{prefix}graves", 26, 26, theme.orchard_floor, crosses),
        _pattern(
            f"{prefix}crag", 28, 25, theme.grass_dark, f'{rocks}fill="{theme.stone}" stroke="{theme.stone_dark}"/>'
        ),
        _pattern(f"{prefix}holes", 30, 28, theme.dirt, pits),
        _pattern(f"{prefix}sand", 18, 16, theme.grain_light, dots),
        _pattern(f"{prefix}bare", 18, 16, theme.dirt, dots),
    )


def _pattern(id: str, width: float, height: float, ground: str, marks: str) -> str:
    return (
        f'<pattern id="{id}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f'<path fill="{ground}" d="M0 0h{width}v{height}H0z"/>{marks}</pattern>'
    )


def _tufts(theme: Theme) -> str:
    """Tufts of grass and a few paler spots, away from the tile's edge so that no seam shows."""
    pale, tufts = [], []
    for index in range(7):
        x, y = 14 + 92 * chance("pale", index), 14 + 92 * chance("pale", index, "y")
        pale.append(f"M{x:.0f} {y:.0f}h{6 + 8 * chance('wide', index):.0f}")
    for index in range(24):
        x, y = 5 + 110 * chance("tuft", index), 6 + 108 * chance("tuft", index, "y")
        tufts.append(f"M{x:.1f} {y:.1f}l-1.3-2.6m1.3 2.6l.2-3m-.2 3l1.6-2.2")
    return (
        f'<path d="{"".join(pale)}" stroke="{theme.grass_light}" stroke-width="9" stroke-opacity=".5" '
        'stroke-linecap="round"/>'
        f'<path d="{"".join(tufts)}" stroke="{theme.grass_dark}" stroke-width=".8" fill="none" '
        'stroke-linecap="round"/>'
    )


def _canopy(theme: Theme) -> str:
    """Crowns of trees; those at the edge of the tile appear on both sides of the seam."""
    crowns = []
    step = 76 / 7
    for row in range(7):
        for column in range(7):
            x = (column + 0.5 * (row % 2) + 0.5 * chance("cx", row, column)) * step
            y = (row + 0.5 * chance("cy", row, column)) * step
            crowns.append((y, x % 76, 5.2 + 1.9 * chance("cr", row, column), chance("tone", row, column)))
    marks = []
    for y, x, radius, tone in sorted(crowns):
        for dx in (-76, 0, 76):
            for dy in (-76, 0, 76):
                if -8 < x + dx < 84 and -8 < y + dy < 84:
                    marks.append(_crown(theme, x + dx, y + dy, radius, tone))
    return "".join(marks)


def _crown(theme: Theme, x: float, y: float, radius: float, tone: float) -> str:
    fill = theme.woods_light if tone > 0.72 else theme.woods
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" '
        f'stroke="{theme.woods_dark}" stroke-width="1.1"/>'
    )


def _furrows(theme: Theme, prefix: str) -> str:
    return (
        f'<pattern id="{prefix}grain" width="9" height="9" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(28)"><path fill="{theme.grain}" d="M0 0h9v9H0z"/>'
        f'<path d="M0 2.2h9M0 6.7h9" stroke="{theme.grain_dark}" stroke-width="1" stroke-opacity=".75"/>'
        f'<path d="M0 4.4h9" stroke="{theme.grain_light}" stroke-width="1.4"/></pattern>'
    )
