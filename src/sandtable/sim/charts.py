"""Charts of a report, as SVG made without a browser (optional extra `charts`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sandtable.engine.errors import SandtableError
from sandtable.sim.playing import Result

COLOURS = ("#8a4b14", "#2f5d8a", "#4f7d3a", "#7a3b7a")


class NoCharts(SandtableError):
    """The drawing library is not installed."""


def _altair() -> tuple[Any, Any]:
    try:
        import altair
        import vl_convert
    except ImportError:
        raise NoCharts("A report needs the extra `charts`: pip install 'sandtable[charts]'.") from None
    return altair, vl_convert


def _svg(chart: Any) -> str:
    _, convert = _altair()
    svg: str = convert.vegalite_to_svg(chart.to_dict())
    return svg


def _scale(alt: Any, sides: Sequence[str]) -> Any:
    return alt.Scale(domain=list(sides), range=list(COLOURS[: len(sides)]))


def shares(rows: Sequence[dict[str, Any]], sides: Sequence[str]) -> str:
    """Win shares with their intervals; a line at one half."""
    alt, _ = _altair()
    data = alt.Data(values=list(rows))
    base = alt.Chart(data).encode(y=alt.Y("what:N", title=None, sort=None))
    share = alt.X("share:Q", title="share of wins", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    colour = alt.Color("side:N", title=None, scale=_scale(alt, sides))
    bars = base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q", title="share of wins"), x2="high:Q", color=colour)
    points = base.mark_circle(size=110).encode(x=share, color=colour)
    half = alt.Chart(alt.Data(values=[{"half": 0.5}])).mark_rule(strokeDash=[4, 4], color="#888").encode(x="half:Q")
    return _svg((half + bars + points).properties(width=520))


def lengths(games: Sequence[Result]) -> str:
    """How long games take."""
    alt, _ = _altair()
    values = [{"turns": game.turns, "winner": game.winner or "draw"} for game in games]
    sides = sorted({game.winner or "draw" for game in games})
    chart = alt.Chart(alt.Data(values=values)).mark_bar()
    return _svg(
        chart.encode(
            x=alt.X("turns:O", title="turns played"),
            y=alt.Y("count():Q", title="games"),
            color=alt.Color("winner:N", title="winner", scale=_scale(alt, sides)),
        ).properties(width=520, height=180)
    )


def strengths(games: Sequence[Result], sides: Sequence[str]) -> str:
    """What each side has left at the start of each turn, in games that it won and lost."""
    alt, _ = _altair()
    totals: dict[tuple[int, str, str], list[int]] = {}
    for game in games:
        for n, (_, left) in enumerate(game.strength, 1):
            for side in sides:
                how = "won" if game.winner == side else "did not win"
                totals.setdefault((n, side, how), []).append(left.get(side, 0))
    values = [
        {"turn": n, "side": side, "how": how, "left": sum(left) / len(left)} for (n, side, how), left in totals.items()
    ]
    chart = alt.Chart(alt.Data(values=values)).mark_line(point=True)
    return _svg(
        chart.encode(
            x=alt.X("turn:O", title="turn"),
            y=alt.Y("left:Q", title="left, on average"),
            color=alt.Color("side:N", title=None, scale=_scale(alt, sides)),
            strokeDash=alt.StrokeDash("how:N", title="games that the side"),
        ).properties(width=520, height=220)
    )


def turning_points(games: Sequence[Result], sides: Sequence[str]) -> tuple[str, int | None]:
    """How often the side that has lost less so far wins in the end, by turn; and the turn where that grows most."""
    alt, _ = _altair()
    first, second = sides[0], sides[1]
    tally: dict[int, list[float]] = {}
    for game in games:
        begun = game.strength[0][1] if game.strength else {}
        for n, (_, left) in enumerate(game.strength, 1):
            kept = [left.get(side, 0) / max(begun.get(side, 0), 1) for side in (first, second)]
            if kept[0] != kept[1] and game.winner:
                ahead = first if kept[0] > kept[1] else second
                tally.setdefault(n, []).append(1.0 if game.winner == ahead else 0.0)
    values = [{"turn": n, "share": sum(won) / len(won), "n": len(won)} for n, won in sorted(tally.items())]
    steps = [(b["share"] - a["share"], b["turn"]) for a, b in pairwise(values) if b["n"] >= 10]
    chart = alt.Chart(alt.Data(values=values)).mark_line(point=True, color=COLOURS[0])
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format="%")
    drawn = chart.encode(
        x=alt.X("turn:O", title="turn"), y=alt.Y("share:Q", title="the side ahead wins", scale=scale, axis=axis)
    )
    return _svg(drawn.properties(width=520, height=160)), int(max(steps)[1]) if steps else None


def luck(games: Sequence[Result], sides: Sequence[str]) -> str:
    """Wins of the first side by how much luckier its dice were."""
    alt, _ = _altair()
    first, second = sides[0], sides[1]
    rows = sorted((game.luck.get(first, 0.0) - game.luck.get(second, 0.0), game.winner == first) for game in games)
    values = []
    quarter = max(len(rows) // 4, 1)
    names = ("unluckiest quarter", "second quarter", "third quarter", "luckiest quarter")
    for n, name in enumerate(names):
        part = rows[n * quarter : (n + 1) * quarter if n < 3 else len(rows)]
        if part:
            values.append({"dice": name, "share": sum(won for _, won in part) / len(part)})
    chart = alt.Chart(alt.Data(values=values)).mark_bar(color=COLOURS[1])
    axis = alt.Axis(format="%")
    drawn = chart.encode(
        y=alt.Y("dice:N", sort=None, title=f"dice of {first}"),
        x=alt.X("share:Q", title=f"{first} wins", scale=alt.Scale(domain=[0, 1]), axis=axis),
    )
    return _svg(drawn.properties(width=520))
