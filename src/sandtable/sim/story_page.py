"""The story of a match as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from sandtable.sim.story import Luck, Story

WIDTH, HEIGHT, LEFT, BELOW = 760, 220, 40, 34
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:820px;margin:2rem auto;padding:0 1rem;color:#222;background:#faf8f1}
h1{margin-bottom:0}h2{margin-top:1.8rem;font-size:1.15rem}table{border-collapse:collapse}
td,th{padding:2px 12px 2px 0;text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}
svg{max-width:100%;height:auto}pre{white-space:pre-wrap;font-size:.82rem}.quiet{color:#666}
@media(prefers-color-scheme:dark){body{background:#1d1f1b;color:#e8e4d8}.quiet{color:#aaa}}
"""


class Cover(NamedTuple):
    """What stands above the story."""

    title: str
    game: str
    when: str
    players: Mapping[str, str]
    """Who played each side."""
    names: Mapping[str, str]
    """The sides as people call them."""
    colours: Mapping[str, str]
    ending: str


def luck_words(luck: Luck) -> str:
    """What to make of dice, in a word."""
    if not luck.luck:
        return ""
    size = "very " if abs(luck.luck) >= 2 else ""
    if abs(luck.luck) < 1:
        return "as expected"
    return size + ("lucky" if luck.luck > 0 else "unlucky")


def page(story: Story, cover: Cover, record: str) -> str:
    """The whole page; `record` is the match as readable text."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>{escape(cover.title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(cover.title)}</h1><p class='quiet'>{escape(cover.game)} · {escape(cover.when)}</p>",
        f"<p><b>{escape(cover.ending)}</b></p>",
        _players(cover),
        _curve(story, cover),
        _points(story, cover),
        _losses(story, cover),
        _luck(story, cover),
        f"<h2>Every step</h2><details><summary>{story.steps} steps</summary><pre>{escape(record)}</pre></details>",
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part)


def _players(cover: Cover) -> str:
    rows = "".join(
        f"<tr><th>{escape(cover.names[side])}</th><td>{escape(name)}</td></tr>" for side, name in cover.players.items()
    )
    return f"<table>{rows}</table>"


def _curve(story: Story, cover: Cover) -> str:
    judged = [moment for moment in story.moments if moment.chances]
    if len(judged) < 2:
        return ""
    first, last = story.sides[0], max(story.steps, 1)

    def x(step: int) -> float:
        return LEFT + (WIDTH - LEFT - 8) * step / last

    def y(chance: float) -> float:
        return 8 + (HEIGHT - BELOW - 8) * (1 - chance)

    points = " ".join(f"{x(one.step):.1f},{y(one.chances[first]):.1f}" for one in judged)
    lines = [
        f"<line x1='{LEFT}' x2='{WIDTH - 8}' y1='{y(share)}' y2='{y(share)}' stroke='#8886'/>"
        f"<text x='{LEFT - 6}' y='{y(share) + 4}' text-anchor='end' font-size='11' fill='currentColor'>"
        f"{share:.0%}</text>"
        for share in (0, 0.5, 1)
    ]
    turn = ""
    for moment in story.moments:
        if moment.turn != turn:
            turn = moment.turn
            at = f"{x(moment.step):.1f}"
            lines.append(
                f"<line x1='{at}' x2='{at}' y1='8' y2='{HEIGHT - BELOW}' stroke='#8884'/>"
                f"<text x='{x(moment.step) + 3:.1f}' y='{HEIGHT - BELOW + 16}' font-size='11' fill='currentColor'>"
                f"{escape(turn.partition(':')[0].partition(' of ')[0])}</text>"
            )
    colour = cover.colours.get(first, "#2e5fb0")
    name = escape(cover.names[first])
    return (
        f"<h2>Chances of winning: {name}</h2><svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' "
        f"aria-label='Chances of {name} through the match'>{''.join(lines)}"
        f"<polyline points='{points}' fill='none' stroke='{escape(colour)}' stroke-width='2.5'/></svg>"
        "<p class='quiet'>As the computer players judge positions: an estimate, not a measurement.</p>"
    )


def _points(story: Story, cover: Cover) -> str:
    if not story.points:
        return ""
    rows = "".join(
        f"<li>{escape(point.turn)}, {escape(point.phase)}: {escape(point.text)} "
        f"(<b>{escape(cover.names[point.side])} +{point.gain:.0%}</b>, step {point.step})</li>"
        for point in story.points
    )
    return f"<h2>Where it turned</h2><ol>{rows}</ol>"


def _losses(story: Story, cover: Cover) -> str:
    if not story.losses:
        return ""
    turns = list(dict.fromkeys(loss.turn for loss in story.losses))
    head = "".join(f"<th>{escape(cover.names[side])}</th>" for side in story.sides)

    def cells(of: Sequence[str]) -> str:
        return "".join(
            f"<td class='n'>{sum(loss.side == side and loss.turn in of for loss in story.losses)}</td>"
            for side in story.sides
        )

    rows = "".join(f"<tr><td>{escape(turn)}</td>{cells([turn])}</tr>" for turn in turns)
    return f"<h2>Losses</h2><table><tr><th></th>{head}</tr>{rows}<tr><th>All</th>{cells(turns)}</tr></table>"


def _luck(story: Story, cover: Cover) -> str:
    if not story.luck:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one.kind)}</td><td>{escape(cover.names.get(one.side, one.side))}</td>"
        f"<td class='n'>{one.rolls}</td><td class='n'>{one.mean:.2f}</td><td class='n'>{one.fair:.2f}</td>"
        f"<td>{luck_words(one)}</td></tr>"
        for one in story.luck
    )
    head = "<tr><th>Rolls</th><th>Side</th><th>Number</th><th>Mean of a die</th><th>Fair</th><th></th></tr>"
    return f"<h2>Luck</h2><table>{head}{rows}</table>"
