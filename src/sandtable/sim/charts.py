"""Charts of a report, as SVG made without a browser (optional extra `charts`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sandtable.engine.errors import SandtableError
from sandtable.sim.figures import LUCK_NAMES, Lead, by_luck, losses_by_turn, mean, spread
from sandtable.sim.playing import Result

COLOURS = ("#c8692e", "#3f8fd2", "#5f9e45", "#a566a8")
"""Of the sides, by their order: to be read on light and on dark ground."""
INK, LINE = "#010203", "#040506"
"""Stand for the page's own colours of text and lines, which follow the reader's choice of light or dark."""
WIDTH = 560


class NoCharts(SandtableError):
    """The drawing library is not installed."""


def _altair() -> tuple[Any, Any]:
    try:
        import altair
        import vl_convert
    except ImportError:
        raise NoCharts("A report needs the extra `charts`: pip install 'sandtable[charts]'.") from None
    return altair, vl_convert


def _svg(chart: Any, height: int, width: int = WIDTH) -> str:
    """The drawing of a chart; it takes its ink from the page and refers to nothing outside."""
    _, convert = _altair()
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    config = {
        "background": "transparent",
        "font": "sans-serif",
        "padding": 8,
        "view": {"stroke": None},
        "axis": {**text, "gridColor": LINE, "domainColor": LINE, "tickColor": LINE, "labelAngle": 0},
        "legend": text,
        "text": {"color": INK},
    }
    svg: str = convert.vegalite_to_svg(chart.properties(width=width, height=height).configure(**config).to_dict())
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    return svg.replace(INK, "currentColor").replace(LINE, "var(--line)")


def _scale(alt: Any, sides: Sequence[str]) -> Any:
    """The colours of the sides; a draw, if there is one, is grey."""
    known = [side for side in sides if side != "draw"]
    return alt.Scale(domain=[*known, "draw"], range=[*COLOURS[: len(known)], "#8a8a8a"])


def _colour(alt: Any, sides: Sequence[str], field: str = "side") -> Any:
    values = list(sides)
    return alt.Color(
        f"{field}:N",
        title=None,
        scale=_scale(alt, sides),
        legend=alt.Legend(orient="top", values=values, symbolOpacity=1),
    )


def _names(alt: Any, names: Sequence[str]) -> Any:
    """An axis with room for its words, whatever fonts the reader has."""
    return alt.Axis(labelLimit=400, minExtent=min(8 * max(len(name) for name in names), 400), titlePadding=12)


def shares(rows: Sequence[dict[str, Any]], sides: Sequence[str]) -> str:
    """Win shares with their intervals; a line at one half."""
    alt, _ = _altair()
    axis = alt.Axis(format="%", tickCount=5)
    base = alt.Chart(alt.Data(values=list(rows))).encode(
        y=alt.Y("what:N", title=None, sort=None, axis=_names(alt, [row["what"] for row in rows])),
        color=_colour(alt, sides),
    )
    place = alt.X("low:Q", title="share of wins", scale=alt.Scale(domain=[0, 1]), axis=axis)
    bars = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x=place, x2="high:Q")
    points = base.mark_circle(size=130, opacity=1).encode(x="share:Q")
    words = base.mark_text(dy=-13, fontSize=12).encode(x="share:Q", text=alt.Text("share:Q", format=".0%"))
    half = alt.Chart(alt.Data(values=[{"half": 0.5}])).mark_rule(strokeDash=[4, 4], color=LINE).encode(x="half:Q")
    return _svg(half + bars + points + words, 40 * len(rows) + 10, 720)


def lengths(games: Sequence[Result], sides: Sequence[str]) -> str:
    """How many turns games take, by winner."""
    alt, _ = _altair()
    values = [{"turns": game.turns, "winner": game.winner or "draw"} for game in games]
    winners = [*sides, *(["draw"] if any(not game.winner for game in games) else [])]
    drawn = alt.Chart(alt.Data(values=values)).mark_bar()
    return _svg(
        drawn.encode(
            x=alt.X("turns:O", title="turns begun"),
            y=alt.Y("count():Q", title="games", axis=alt.Axis(tickMinStep=1)),
            color=_colour(alt, winners, "winner"),
        ),
        160,
    )


def strengths(games: Sequence[Result], sides: Sequence[str]) -> str:
    """What each side has on the map at the start of each turn: the mean, and where four games of five lie."""
    alt, _ = _altair()
    values = []
    for n in range(max(len(game.strength) for game in games)):
        for side in sides:
            left = [float(game.strength[n][1].get(side, 0)) for game in games if n < len(game.strength)]
            low, high = spread(left)
            values.append({"turn": n + 1, "side": side, "left": mean(left), "low": low, "high": high})
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("turn:O", title="turn"), color=_colour(alt, sides))
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title="on the map"), y2="high:Q")
    line = base.mark_line(point=True).encode(y="left:Q")
    return _svg(band + line, 200)


def losses(games: Sequence[Result], sides: Sequence[str]) -> str:
    """Pieces lost in each turn, on average."""
    alt, _ = _altair()
    values = [
        {"turn": n, "side": side, "lost": lost}
        for n, row in enumerate(losses_by_turn(games, sides), 1)
        for side, lost in row.items()
    ]
    drawn = alt.Chart(alt.Data(values=values)).mark_bar()
    return _svg(
        drawn.encode(
            x=alt.X("turn:O", title="turn"),
            xOffset=alt.XOffset("side:N", sort=list(sides)),
            y=alt.Y("lost:Q", title="pieces lost a game"),
            color=_colour(alt, sides),
        ),
        160,
    )


def leads(found: Sequence[Lead], sides: Sequence[str]) -> str:
    """How the exchange of losses develops in games that one side or the other wins."""
    alt, _ = _altair()
    values = [{"turn": lead.turn, "winner": lead.winner, "lead": lead.value} for lead in found]
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("turn:O", title="end of turn"))
    line = base.mark_line(point=True).encode(
        y=alt.Y("lead:Q", title=f"lost by {sides[1]} less {sides[0]}"), color=_colour(alt, sides, "winner")
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=LINE, strokeDash=[4, 4]).encode(y="zero:Q")
    return _svg(zero + line, 180)


def luck(games: Sequence[Result], sides: Sequence[str], good: str) -> str:
    """Wins of the first side, by quarters of the games from its worst dice to its best."""
    alt, _ = _altair()
    values = [
        {"dice": name, "share": won.value, "low": won.low, "high": won.high}
        for name, won in zip(LUCK_NAMES[good], by_luck(games, sides, good), strict=False)
    ]
    axis = alt.Axis(format="%", tickCount=5)
    names = _names(alt, LUCK_NAMES[good])
    base = alt.Chart(alt.Data(values=values)).encode(y=alt.Y("dice:N", sort=None, title=None, axis=names))
    place = alt.X("share:Q", title=f"{sides[0]} wins, by its dice", scale=alt.Scale(domain=[0, 1]), axis=axis)
    bars = base.mark_bar(color=COLOURS[0], opacity=0.8).encode(x=place)
    rules = base.mark_rule(color=INK, strokeWidth=2).encode(x="low:Q", x2="high:Q")
    return _svg(bars + rules, 120)


__all__ = ["COLOURS", "NoCharts", "leads", "lengths", "losses", "luck", "shares", "strengths"]
