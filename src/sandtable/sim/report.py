"""One self-contained page about one or several simulations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from sandtable.engine import get_game
from sandtable.sim import charts
from sandtable.sim.playing import Result
from sandtable.sim.results import BadResults, Results
from sandtable.sim.statistics import share

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1d1f1a; background: #f6f3ea; max-width: 960px;
  margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 }
table { border-collapse: collapse }
td, th { padding: 4px 12px; border-bottom: 1px solid #d5cfbd; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums }
figure { margin: 1rem 0; overflow-x: auto }
figcaption { font-size: .9rem; color: #555 }
svg { max-width: 100%; height: auto }
"""


def make_page(results: Sequence[Results]) -> str:
    """The page as HTML; everything is in it."""
    parts = []
    for one in results:
        games = one.games()
        if not games:
            raise BadResults(f"{one.folder} has no finished game yet.")
        parts.append(_section(one, games))
    title = ", ".join(dict.fromkeys(one.plan.scenario for one in results))
    overview = _overview(results)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{overview}{''.join(parts)}</body></html>\n"
    )


def _title(results: Results) -> str:
    players = " against ".join(f"{side} ({level})" for side, level in results.plan.players.items())
    options = ", ".join(f"{name}: {value}" for name, value in results.plan.options.items())
    return f"{players}{f', {options}' if options else ''}"


def _overview(results: Sequence[Results]) -> str:
    rows: list[dict[str, Any]] = []
    sides: list[str] = []
    for one in results:
        games = one.games()
        draws = sum(1 for game in games if not game.winner)
        for side in one.plan.players:
            won = share(sum(1 for game in games if game.winner == side) + draws / 2, len(games))
            what = f"{side}, {one.plan.scenario}, {_title(one)}" if len(results) > 1 else side
            rows.append({"what": what, "side": side, "share": won.value, "low": won.low, "high": won.high})
            if side not in sides:
                sides.append(side)
    return _figure(charts.shares(rows, sides), "Share of wins with 95 % intervals; a draw counts half for each side.")


def _section(results: Results, games: Sequence[Result]) -> str:
    sides = list(results.plan.players)
    head = f"<h2>{escape(_title(results))}</h2>"
    facts = _facts(results, games)
    drawn, turn = charts.turning_points(games, sides)
    turning = f"The lead comes to matter most in turn {turn}." if turn else "No turn stands out."
    return "".join(
        (
            head,
            facts,
            "<h3>How games end</h3>",
            _reasons(games),
            _figure(charts.lengths(games), "Length of games."),
            "<h3>Losses</h3>",
            _figure(charts.strengths(games, sides), "What is left at the start of each turn."),
            _loss_map(results, games),
            "<h3>Turning points</h3>",
            _figure(drawn, f"How often the side that has lost less so far wins in the end. {turning}"),
            "<h3>Dice</h3>",
            _figure(charts.luck(games, sides), "Wins by luck: games sorted by how much better one side's dice were."),
        )
    )


def _figure(svg: str, words: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(words)}</figcaption></figure>"


def _facts(results: Results, games: Sequence[Result]) -> str:
    n = len(games)
    rows = [("Games", str(n)), ("Seeds", f"{games[0].seed} to {games[-1].seed}")]
    rows.append(("Actions a game", f"{sum(game.actions for game in games) / n:.0f}"))
    rows.append(("Seconds a game", f"{sum(game.seconds for game in games) / n:.2f}"))
    for side in results.plan.players:
        lost = sum(1 for game in games for who, *_ in game.losses if who == side) / n
        rows.append((f"Pieces lost by {side}", f"{lost:.1f} a game"))
    faults = sum(len(game.faults) for game in games)
    if faults:
        rows.append(("Breakdowns of players", str(faults)))
    made = f"{results.manifest.version}, rules {results.manifest.rules_version}"
    rows.append(("Made with version", made))
    cells = "".join(f'<tr><td>{escape(name)}</td><td class="n">{escape(value)}</td></tr>' for name, value in rows)
    return f"<table>{cells}</table>"


def _reasons(games: Sequence[Result]) -> str:
    counts = Counter((game.winner or "draw", game.reason, game.rule) for game in games)
    rows = "".join(
        f'<tr><td>{escape(winner)}</td><td>{escape(reason)}</td><td>{escape(rule)}</td><td class="n">{count}</td></tr>'
        for (winner, reason, rule), count in counts.most_common(12)
    )
    return f"<table><tr><th>winner</th><th>reason</th><th>rule</th><th>games</th></tr>{rows}</table>"


def _loss_map(results: Results, games: Sequence[Result]) -> str:
    """Where pieces were lost, drawn on the game's own map."""
    name, _, scenario = results.plan.scenario.partition("/")
    scene = get_game(name).scene(scenario, results.plan.options)
    counts = Counter((side, cell) for game in games for side, cell, _ in game.losses)
    places = {cell["id"]: cell for cell in scene.get("cells", ())}
    if not counts or not scene.get("picture"):
        return ""
    most = max(counts.values())
    colours = dict(zip(results.plan.players, charts.COLOURS, strict=False))
    reach = float(scene.get("piece_size", 40)) * 0.62
    spots = []
    for n, side in enumerate(results.plan.players):
        for (who, cell), count in sorted(counts.items()):
            if who == side and cell in places:
                place, size = places[cell], reach * (count / most) ** 0.5
                shift = (n - 0.5) * reach * 0.35
                spots.append(
                    f'<circle cx="{place["x"] + shift:g}" cy="{place["y"]:g}" r="{size:.1f}" fill="{colours[side]}" '
                    f'fill-opacity=".6" stroke="#fff"><title>{escape(side)}: {count} in {escape(cell)}</title></circle>'
                )
    width, height = scene["width"], scene["height"]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
        f"{scene['picture']}{''.join(spots)}</svg>"
    )
    left, *_, right = results.plan.players
    words = f"{left} is drawn to the left of a hex's middle, {right} to the right"
    return _figure(svg, f"Where pieces were lost: the bigger the disc, the more; {words}.")
