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


def _sentence(data: dict[str, Any]) -> str:
    lines = []
    for name in ("first", "second"):
        row = data[name]
        lines.append(f"{row['folder']}: {data['side']} wins {row['value']:.1%} ({row['low']:.1%} to {row['high']:.1%})")
    gap = data["difference"]
    words = f"{gap['value']:+.1%} ({gap['low']:+.1%} to {gap['high']:+.1%}) over {data['pairs']} pairs"
    if data["differ"]:
        lines.append(f"They differ: {words}.")
    else:
        lines.append(f"No difference is shown: {words}.")
    return "\n".join(lines)
