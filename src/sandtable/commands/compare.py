"""`sandtable compare`: whether two simulations differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail


def compare(
    first: Annotated[Path, typer.Argument(help="A folder of results.")],
    second: Annotated[Path, typer.Argument(help="Another one: other options, scenario or players.")],
    side: Annotated[str, typer.Option(help="The side whose wins are compared; the first one if not named.")] = "",
    as_json: AsJson = False,
) -> None:
    """Compare two simulations game by game (same seeds) and say whether they differ."""
    from sandtable.sim.results import Results
    from sandtable.sim.statistics import paired_difference, share

    a, b = Results.open(first), Results.open(second)
    chosen = side or next(iter(a.plan.players))
    for results in (a, b):
        if chosen not in results.plan.players:
            fail(f"There is no side {chosen!r} in {results.folder}; there are {', '.join(results.plan.players)}.")
    games_a = {game.seed: game for game in a.games()}
    games_b = {game.seed: game for game in b.games()}
    seeds = sorted(games_a.keys() & games_b.keys())
    if not seeds:
        fail("The two simulations have no seed in common: run both with the same --seed.")
    points_a = [_points(games_a[seed].winner, chosen) for seed in seeds]
    points_b = [_points(games_b[seed].winner, chosen) for seed in seeds]
    gap = paired_difference(points_a, points_b)
    data = {
        "side": chosen,
        "pairs": len(seeds),
        "first": {"folder": str(first), "changes": _apart(a, b), **share(sum(points_a), len(seeds))._asdict()},
        "second": {"folder": str(second), "changes": _apart(b, a), **share(sum(points_b), len(seeds))._asdict()},
        "difference": gap._asdict(),
        "differ": gap.clear,
    }
    emit(data, as_json, _sentence)


def _points(winner: str, side: str) -> float:
    return 1.0 if winner == side else 0.0 if winner else 0.5


def _apart(results: Any, other: Any) -> dict[str, Any]:
    """What a plan has that the other has not."""
    plan, rest = results.plan, other.plan
    names = ("scenario", "players", "options")
    return {name: getattr(plan, name) for name in names if getattr(plan, name) != getattr(rest, name)}


def _changes(changes: dict[str, Any]) -> str:
    """What sets a simulation apart, in words."""
    words = []
    for name, value in changes.items():
        if isinstance(value, dict):
            words.append(", ".join(f"{key} {item}" for key, item in value.items()) or f"no {name}")
        else:
            words.append(str(value))
    return "; ".join(words)


def _sentence(data: dict[str, Any]) -> str:
    side, gap = data["side"], data["difference"]
    lines = []
    for name in ("first", "second"):
        row = data[name]
        what = _changes(row["changes"])
        won = f"{side} wins {row['value']:.1%} ({row['low']:.1%} to {row['high']:.1%})"
        lines.append(f"{row['folder']}{f' ({what})' if what else ''}: {won}")
    if not data["first"]["changes"] and not data["second"]["changes"]:
        lines.append("Both have the same scenario, options and players.")
    reach = f"{gap['low'] * 100:+.1f} to {gap['high'] * 100:+.1f}"
    pairs = f"over {data['pairs']} pairs of games with the same seeds"
    if data["differ"]:
        more = "more" if gap["value"] > 0 else "less"
        lines.append(
            f"They differ: in the second {side} wins {abs(gap['value']) * 100:.1f} percentage points {more} often "
            f"(95% interval {reach}, {pairs})."
        )
    else:
        lines.append(
            f"No difference is shown: {gap['value'] * 100:+.1f} percentage points for {side} in the second "
            f"(95% interval {reach}, {pairs}). More games narrow the interval."
        )
    return "\n".join(lines)
