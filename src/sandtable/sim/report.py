"""One self-contained page about one or several simulations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from sandtable.engine import get_game, get_scenario
from sandtable.sim import charts, figures
from sandtable.sim.loss_map import loss_maps
from sandtable.sim.playing import Result
from sandtable.sim.results import BadResults, Results
from sandtable.sim.statistics import Share, share

STYLE = """
:root { color-scheme: light dark; --ink: #1d1f1a; --paper: #f6f3ea; --card: #fffdf7; --line: #cfc8b4; --soft: #5d5b50 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9e6da; --paper: #191b17; --card: #22251f; --line: #4b4f44; --soft: #aaa797 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1080px;
  margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.2 }
h2 { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem }
.lead { font-size: 1.1rem; max-width: 50rem }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 1rem }
.card, figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem }
.card h3 { margin: 0 0 .5rem }
table { border-collapse: collapse; width: 100% }
td, th { padding: 4px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
tr:last-child td { border-bottom: 0 }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 0 }
.card, figure { overflow-x: auto; min-width: 0 }
.wide { margin: 1rem 0 }
figcaption { font-size: .9rem; color: var(--soft); margin-top: .25rem }
svg { max-width: 100%; height: auto; display: block }
@media (max-width: 560px) { svg { min-width: 480px } }
"""

REASONS = 12
"""Rows of the table of reasons at most."""
NUMBER = re.compile(r"\d+(?:\.\d+)?")
MASK = "\0"


def make_page(results: Sequence[Results]) -> str:
    """The page as HTML; everything is in it."""
    batches = []
    for one in results:
        games = one.games()
        if not games:
            raise BadResults(f"{one.folder} has no finished game yet.")
        batches.append((one, games))
    title = ", ".join(dict.fromkeys(_scenario_title(one) for one in results))
    sections = "".join(_section(one, games, f"board-{n}") for n, (one, games) in enumerate(batches))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: simulation</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{_overview(batches)}{sections}</body></html>\n"
    )


def _scenario_title(results: Results) -> str:
    name, _, scenario = results.plan.scenario.partition("/")
    return f"{scenario}: {get_scenario(get_game(name), scenario).title}"


def batch_words(results: Results) -> str:
    """What was simulated: players by side, and options that were chosen."""
    players = " against ".join(f"{side} ({level})" for side, level in results.plan.players.items())
    options = ", ".join(f"{name} {value}" for name, value in results.plan.options.items())
    return f"{players}{f'; {options}' if options else ''}"


def win_share(games: Sequence[Result], side: str) -> Share:
    """Share of wins of a side; a draw counts half."""
    draws = sum(1 for game in games if not game.winner)
    return share(sum(1 for game in games if game.winner == side) + draws / 2, len(games))


def _overview(batches: Sequence[tuple[Results, Sequence[Result]]]) -> str:
    """The shares of wins of all batches, with a line for each side, player and option."""
    rows: list[dict[str, Any]] = []
    sides: list[str] = []
    options = len({tuple(sorted(one.plan.options.items())) for one, _ in batches}) > 1
    scenarios = len({one.plan.scenario for one, _ in batches}) > 1
    for one, games in batches:
        for side, level in one.plan.players.items():
            won = win_share(games, side)
            words = [one.plan.scenario] if scenarios else []
            words.append(f"{side} ({level})")
            if options:
                words.append(", ".join(f"{name} {value}" for name, value in one.plan.options.items()) or "no option")
            what = " · ".join(words)
            while any(row["what"] == what for row in rows):
                what += "\u00a0"
            rows.append({"what": what, "side": side, "share": won.value, "low": won.low, "high": won.high})
            if side not in sides:
                sides.append(side)
    lead = _in_a_sentence(*batches[0]) if len(batches) == 1 else f"{len(batches)} simulations side by side."
    drawn = charts.shares(rows, sides)
    return f'<p class="lead">{escape(lead)}</p>' + _figure(
        drawn, "Share of wins with 95% intervals; a draw counts half for each side.", "wide"
    )


def _in_a_sentence(results: Results, games: Sequence[Result]) -> str:
    """The result in words."""
    won = {side: win_share(games, side) for side in results.plan.players}
    best = max(won, key=lambda side: won[side].value)
    verdict = "no side is shown to be better" if won[best].low <= 0.5 else f"{best} is ahead"
    return f"{batch_words(results)}: {best} wins {won[best]}; {verdict}."


def _section(results: Results, games: Sequence[Result], board: str) -> str:
    sides = list(results.plan.players)
    good = get_game(results.plan.scenario.partition("/")[0]).good_dice
    found = figures.leads(games, sides)
    maps = "".join(_figure(svg, words) for svg, words in loss_maps(results.plan, games, board))
    turning = figures.turning_point(found, games, sides)
    return "".join(
        (
            f"<h2>{escape(batch_words(results))}</h2><p>{escape(_scenario_title(results))}</p>",
            f'<div class="cards">{_card("The games", _facts(results, games))}{_card("How they end", _reasons(games))}',
            f"{_card('Length', charts.lengths(games, sides))}{_card('Losses', _losses(games, sides))}</div>",
            "<h3>Losses</h3>",
            f'<div class="cards">{_figure(charts.losses(games, sides), "Pieces lost in each turn, a game.")}',
            _figure(
                charts.strengths(games, sides),
                "On the map at the start of each turn; the band holds four games of five. Reinforcements raise it.",
            ),
            "</div>",
            f'<h3>Where pieces were lost</h3><div class="cards">{maps}</div>' if maps else "",
            '<h3>Turning points</h3><div class="cards">',
            _figure(charts.leads(found, sides), f"The exchange of losses in games that either side wins. {turning}"),
            f"{_card('Does the side ahead win?', _ahead(games, sides))}</div>",
            '<h3>Dice</h3><div class="cards">',
            _figure(
                charts.luck(games, sides, good),
                f"{figures.luck_words(games, sides, good)} The lines are 95% intervals.",
            ),
            f"{_card('Dice of each side', _dice(games, sides, good))}</div>",
        )
    )


def _figure(svg: str, words: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f"<figure{style}>{svg}<figcaption>{escape(words)}</figcaption></figure>"


def _card(title: str, body: str) -> str:
    return f'<div class="card"><h3>{escape(title)}</h3>{body}</div>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> str:
    """A table; `numbers` are the columns that are set to the right."""

    def line(cells: Sequence[str], kind: str) -> str:
        marks = [' class="n"' if n in numbers else "" for n in range(len(cells))]
        parts = [f"<{kind}{mark}>{escape(cell)}</{kind}>" for mark, cell in zip(marks, cells, strict=True)]
        return f"<tr>{''.join(parts)}</tr>"

    top = line(head, "th") if head else ""
    return f"<table>{top}{''.join(line(row, 'td') for row in rows)}</table>"


def _facts(results: Results, games: Sequence[Result]) -> str:
    n = len(games)
    rows = [
        ("Games", str(n)),
        ("Seeds", f"{games[0].seed} to {games[-1].seed}"),
        ("Turns begun a game", f"{figures.mean([game.turns for game in games]):.1f}"),
        ("Actions a game", f"{figures.mean([game.actions for game in games]):.0f}"),
        ("Seconds a game", f"{figures.mean([game.seconds for game in games]):.2f}"),
    ]
    faults = sum(len(game.faults) for game in games)
    if faults:
        rows.append(("Breakdowns of players", str(faults)))
    rows.append(("Made with version", f"{results.manifest.version}, rules {results.manifest.rules_version}"))
    return _table((), rows, (1,))


def _reasons(games: Sequence[Result]) -> str:
    counts = Counter((game.winner or "draw", game.reason, game.rule) for game in games)
    if len(counts) > REASONS:
        counts = _alike(counts)
    rows = [
        (winner, f"{reason} ({rule})" if rule else reason, str(count))
        for (winner, reason, rule), count in counts.most_common(REASONS)
    ]
    return _table(("winner", "reason", "games"), rows, (2,))


def _alike(counts: Counter[tuple[str, str, str]]) -> Counter[tuple[str, str, str]]:
    """Reasons that differ only in their figures as one, with the means of the figures."""
    groups: dict[tuple[str, str, str], list[tuple[list[float], int]]] = {}
    for (winner, reason, rule), count in counts.items():
        figures_in = [float(figure) for figure in NUMBER.findall(reason)]
        groups.setdefault((winner, NUMBER.sub(MASK, reason), rule), []).append((figures_in, count))
    found: Counter[tuple[str, str, str]] = Counter()
    for (winner, reason, rule), rows in groups.items():
        total = sum(count for _, count in rows)
        sums = [sum(values[place] * count for values, count in rows) for place in range(len(rows[0][0]))]
        words = "".join(
            part + (f"{sums[n] / total:.3g}" if n < len(sums) else "") for n, part in enumerate(reason.split(MASK))
        )
        found[winner, f"{words}, on average" if len(rows) > 1 else words, rule] += total
    return found


def _losses(games: Sequence[Result], sides: Sequence[str]) -> str:
    """Casualties by side: on average, and in games won and lost."""
    rows = []
    for side in sides:
        groups = [
            games,
            [game for game in games if game.winner == side],
            [game for game in games if game.winner and game.winner != side],
        ]
        rows.append((side, *(_lost(group, side) for group in groups)))
    return _table(("pieces lost a game", "all", "if it wins", "if it loses"), rows, (1, 2, 3))


def _lost(games: Sequence[Result], side: str) -> str:
    if not games:
        return "-"
    lost = [float(sum(1 for who, *_ in game.losses if who == side)) for game in games]
    low, high = figures.spread(lost)
    return f"{figures.mean(lost):.1f} ({low:g} to {high:g})"


def _ahead(games: Sequence[Result], sides: Sequence[str]) -> str:
    """How often the side that has lost fewer pieces so far wins in the end."""
    rows = [
        (turn, f"{won.value:.0%}", f"{won.low:.0%} to {won.high:.0%}", str(won.n))
        for turn, won in figures.ahead_wins(games, sides)
    ]
    words = "<p>After each turn: how often the side that has lost fewer pieces so far wins in the end.</p>"
    return words + _table(("after", "wins", "95%", "games"), rows, (1, 2, 3))


def _dice(games: Sequence[Result], sides: Sequence[str], good: str) -> str:
    rows = []
    for side in sides:
        gaps = [game.luck.get(side, 0.0) for game in games]
        low, high = spread_words(gaps)
        rows.append((side, f"{figures.mean(gaps):+.3f}", f"{low} to {high}"))
    which = {"low": "Low rolls are good in this game.", "high": "High rolls are good in this game."}.get(
        good, "Now low and now high rolls are good in this game."
    )
    words = f"<p>What a die showed above or below its fair mean, on average of a game. {which}</p>"
    return words + _table(("side", "mean", "four games of five"), rows, (1, 2))


def spread_words(values: Sequence[float]) -> tuple[str, str]:
    """Between which values four of five lie, with their signs."""
    low, high = figures.spread(values)
    return f"{low:+.2f}", f"{high:+.2f}"
