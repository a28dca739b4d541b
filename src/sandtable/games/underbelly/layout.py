"""The furniture of the map sheet: title, holding boxes, Battle Board, turn record, chart and compass."""

from __future__ import annotations

from sandtable.games.underbelly.atlas import GRID
from sandtable.games.underbelly.data import tables, turn_record
from sandtable.games.underbelly.model import ALLIED_BOX, ARMY_BOX, DEAD, END_RUN_BOX, GERMAN_BOX, LOST

WIDTH, HEIGHT = round(GRID.width), round(GRID.height)
PAPER, FRAME, INK = "#f4ecd8", "#5a452c", "#2c2013"
SERIF = "Georgia, 'DejaVu Serif', serif"

Box = tuple[str, str, int, int, int, int, str]
BOXES: tuple[Box, ...] = (
    # id, label, x, y, width, height, colour
    (GERMAN_BOX, "German Available Units", 24, 24, 420, 190, "#7d857a"),
    (ARMY_BOX, "5th Panzer Army", 24, 232, 420, 230, "#9aa0a6"),
    (END_RUN_BOX, "End-Run Invasion", 24, 480, 420, 190, "#5f7f8f"),
    (ALLIED_BOX, "Allied Available Units", 1040, 1604, 420, 358, "#6f7440"),
    (DEAD, "Dead pile", 1480, 1604, 410, 172, "#6b5b52"),
    (LOST, "Lost for good", 1480, 1790, 410, 172, "#4c423c"),
    ("battle-attacker", "Battle Board: attacker", 740, 1604, 280, 172, "#8d3b2c"),
    ("battle-defender", "Battle Board: defender", 740, 1790, 280, 172, "#3f5a78"),
)


def _box(label: str, x: int, y: int, width: int, height: int, colour: str) -> str:
    return (
        f'<g><rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{PAPER}" fill-opacity=".86"'
        f' stroke="{FRAME}" stroke-width="2.4"/>'
        f'<rect x="{x}" y="{y}" width="{width}" height="30" rx="6" fill="{colour}"/>'
        f'<text x="{x + width // 2}" y="{y + 21}" text-anchor="middle" font-family="{SERIF}" font-size="17"'
        f' fill="#fff">{label}</text></g>'
    )


def _title() -> str:
    x, y = 480, 24
    return (
        f'<g font-family="{SERIF}" fill="{INK}"><rect x="{x}" y="{y}" width="470" height="128" fill="{PAPER}"'
        f' stroke="{FRAME}" stroke-width="3"/><rect x="{x + 7}" y="{y + 7}" width="456" height="114" fill="none"'
        f' stroke="{FRAME}" stroke-width="1"/>'
        f'<text x="{x + 235}" y="{y + 62}" text-anchor="middle" font-size="46">Soft Underbelly</text>'
        f'<text x="{x + 235}" y="{y + 97}" text-anchor="middle" font-size="16" font-style="italic">'
        "The war in southern Italy, September to December 1943</text></g>"
    )


def _compass() -> str:
    x, y = 1020, 96
    return (
        f'<g transform="translate({x} {y}) rotate(-56)"><path d="M0-52L13 10L0 0L-13 10z" fill="{INK}"/>'
        f'<path d="M0 52L13-10L0 0L-13-10z" fill="{PAPER}" stroke="{INK}" stroke-width="1.4"/>'
        f'<text y="-58" text-anchor="middle" font-family="{SERIF}" font-size="24" fill="{INK}">N</text></g>'
    )


def _turns() -> str:
    """All turns with their dates (14.0)."""
    x, y, wide, high, row = 1985, 560, 88, 46, 9
    middle = round(x + row * wide / 2)
    parts = [f'<g font-family="{SERIF}" fill="{INK}" text-anchor="middle">']
    parts.append(f'<text x="{middle}" y="{y - 12}" font-size="20">Turn record</text>')
    for n, turn in enumerate(turn_record()):
        bx, by = x + n % row * wide, y + n // row * (high + 4)
        day, month = turn.start[8:], {"09": "Sep", "10": "Oct", "11": "Nov", "12": "Dec"}[turn.start[5:7]]
        colour = {"Sep": "#efe3b8", "Oct": "#e6d3a3", "Nov": "#d9c79c", "Dec": "#cfd6d8"}[month]
        parts.append(
            f'<rect x="{bx}" y="{by}" width="{wide - 4}" height="{high}" fill="{colour}" stroke="{FRAME}"/>'
            f'<text x="{bx + 20}" y="{by + 30}" font-size="22" font-weight="bold">{turn.turn}</text>'
            f'<text x="{bx + 58}" y="{by + 29}" font-size="13">{int(day)} {month}</text>'
        )
    return "".join([*parts, "</g>"])


def _chart() -> str:
    """The Terrain Effects Chart (12.2, 13.13)."""
    x, y = 1908, 1664
    move, attack = tables()["movement"], tables()["attack"]
    rows = [
        ("Clear, town", move["clear"], attack["clear"]["value"]),
        ("Mountain", move["mountain"], attack["mountain"]["value"]),
        ("Mountain by road", move["road"], ""),
        ("Marsh", move["marsh"], attack["marsh"]["value"]),
        ("City", move["clear"], attack["city"]["value"]),
        ("Fortification", None, attack["fort"]["value"]),
        ("River hexside", None, attack["river"]["value"]),
    ]
    head = (
        f'<rect x="{x}" y="{y}" width="500" height="292" fill="{PAPER}" fill-opacity=".9" stroke="{FRAME}"'
        f' stroke-width="2"/><text x="{x + 250}" y="{y + 30}" font-size="20" text-anchor="middle">'
        "Terrain Effects</text>"
    )
    columns = (("Mtn", 235), ("Foot", 295), ("Mech", 360), ("Attack", 440))
    for name, at in columns:
        head += f'<text x="{x + at}" y="{y + 60}" text-anchor="middle" font-size="15">{name}</text>'
    body = ""
    for n, (name, cost, value) in enumerate(rows):
        line = y + 88 + n * 26
        body += f'<text x="{x + 18}" y="{line}" font-size="16">{name}</text>'
        cells = [cost[m] if cost else "" for m in ("mountain", "nonmech", "mech")]
        shown = f"{value:+d}" if isinstance(value, int) and value else ("0" if value == 0 else "")
        for cell, (_, at) in zip([*cells, shown], columns, strict=True):
            body += f'<text x="{x + at}" y="{line}" text-anchor="middle" font-size="16">{cell}</text>'
    return f'<g font-family="{SERIF}" fill="{INK}">{head}{body}</g>'


def _seas() -> str:
    def name(text: str, x: int, y: int, size: int, turn: int) -> str:
        return f'<text x="{x}" y="{y}" font-size="{size}" transform="rotate({turn} {x} {y})">{text}</text>'

    return (
        f'<g font-family="{SERIF}" font-style="italic" fill="#2f5873" fill-opacity=".75" letter-spacing="6">'
        + name("ADRIATIC SEA", 1080, 170, 44, 7)
        + name("Gulf of Taranto", 2010, 480, 30, 0)
        + name("TYRRHENIAN", 390, 1790, 30, 0)
        + name("SEA", 500, 1830, 30, 0)
        + name("IONIAN SEA", 2560, 1010, 34, 62)
        + "</g>"
    )


def furniture() -> list[str]:
    """Everything on the sheet that is not the land."""
    frame = (
        f'<rect x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}" fill="none" stroke="{FRAME}" stroke-width="5"/>'
    )
    boxes = [_box(label, x, y, width, height, colour) for _, label, x, y, width, height, colour in BOXES]
    return [_seas(), _title(), _compass(), *boxes, _turns(), _chart(), frame]
