"""`sandtable sim`: many games between computer players."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail, note, progress
from sandtable.commands.developer import with_test_games


def sim(
    scenario: Annotated[str, typer.Argument(metavar="GAME/SCENARIO")],
    games: Annotated[int, typer.Option(help="How many games there shall be in all.")] = 100,
    players: Annotated[str, typer.Option(help="A level for each side: regular,recruit or german=regular,...")] = "",
    seed: Annotated[int, typer.Option(help="The seed of the first game.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="A match option: NAME=VALUE.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes on this machine; 0: as many as make sense.")] = 0,
    cluster: Annotated[str, typer.Option(help="The scheduler of a Dask cluster: tcp://HOST:PORT.")] = "",
    out: Annotated[Path | None, typer.Option(help="The folder of the results.")] = None,
    records: Annotated[bool, typer.Option("--records", help="Keep the record of every game.")] = False,
    think: Annotated[str, typer.Option(help="A veteran's budget a decision: 0.5 (seconds) or 200r (rollouts).")] = "",
    on_fault: Annotated[str, typer.Option(help="A player that breaks down: forfeit or replace.")] = "forfeit",
    decision_seconds: Annotated[float, typer.Option(help="How long a player may think.")] = 120.0,
    as_json: AsJson = False,
) -> int:
    """Play games between computer players; an interrupted run goes on where it stopped."""
    from sandtable.players.hands import processors
    from sandtable.sim.batch import make_plan, run
    from sandtable.sim.crew import Crew
    from sandtable.sim.results import Results
    from sandtable.sim.statistics import share

    with_test_games()
    _check(games, decision_seconds, jobs)
    words = players or _default_players(scenario)
    plan = make_plan(
        scenario,
        words,
        options=_options(option or []),
        seed=seed,
        think=think,
        on_fault=on_fault,
        decision_seconds=decision_seconds,
    )
    folder = out or Path("results") / plan.scenario.replace("/", "-")
    results = Results.create(folder, plan)
    results.mend()
    wins = Counter(result.winner for result in results.games())
    with progress(f"Playing {plan.scenario}", games, "games") as task:
        task.begin(min(wins.total(), games))

        def count(result: Any) -> None:
            wins[result.winner] += 1
            first = next(iter(plan.players))
            points = wins[first] + wins[""] / 2
            won = share(points, wins.total())
            task.update(wins.total(), f"{first} wins {won.value:.0%} ({won.low:.0%} to {won.high:.0%})")

        with Crew(jobs or processors(), with_test_games) as crew:
            play = _cluster(cluster) if cluster else crew.play
            try:
                run(results, games, keep_records=records, play=play, on_game=count)
            except KeyboardInterrupt:
                note(f"Stopped: {wins.total()} of {games} games are kept in {folder}; the same command goes on.")
                raise
    table = results.write_table()
    data = summary(results)
    data["table"] = str(table)
    emit(data, as_json, render)
    return 0


def _check(games: int, decision_seconds: float, jobs: int) -> None:
    if games < 1:
        fail("--games must be at least 1.")
    if decision_seconds <= 0:
        fail("--decision-seconds must be more than 0.")
    if jobs < 0:
        fail("--jobs must be at least 1, or 0 for as many as make sense.")


def _cluster(address: str) -> Any:
    from sandtable.sim.cluster import on_cluster

    return on_cluster(address)


def _default_players(scenario: str) -> str:
    from sandtable.engine.registry import get_game, get_scenario
    from sandtable.players import usual_level
    from sandtable.sim.batch import played_sides

    name, _, part = scenario.partition("/")
    game = get_game(name)
    info = get_scenario(game, part) if part else game.scenarios()[0]
    return ",".join([usual_level(name)] * len(played_sides(game, info)))


def _options(words: list[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            fail(f"A match option is written NAME=VALUE, not {word!r}.")
    return dict(word.split("=", 1) for word in words)


def summary(results: Any) -> dict[str, Any]:
    """The main figures of a folder of results."""
    from sandtable.sim.statistics import share

    games = results.games()
    n = len(games)
    draws = sum(1 for game in games if not game.winner)
    sides = {}
    for side, level in results.plan.players.items():
        won = share(sum(1 for game in games if game.winner == side) + draws / 2, n)
        times = [game.thinking[side] for game in games if side in game.thinking]
        sides[side] = {
            "player": level,
            "wins": sum(1 for game in games if game.winner == side),
            "share": won.value,
            "low": won.low,
            "high": won.high,
            "decision_ms": sum(mean for mean, _ in times) / len(times) if times else None,
            "decision_ms_p95": sum(late for _, late in times) / len(times) if times else None,
        }
    return {
        "scenario": results.plan.scenario,
        "folder": str(results.folder),
        "games": n,
        "draws": draws,
        "sides": sides,
        "actions": sum(game.actions for game in games) / n if n else 0,
        "seconds": sum(game.seconds for game in games) / n if n else 0,
        "faults": [fault for game in games for fault in game.faults][:10],
    }


def render(data: dict[str, Any]) -> str:
    """The main figures in words."""
    lines = [f"{data['scenario']}: {data['games']} games, {data['draws']} draws"]
    for side, row in data["sides"].items():
        share = f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%})"
        think = f", {row['decision_ms']:.1f} ms a decision" if row["decision_ms"] is not None else ""
        lines.append(f"  {side} ({row['player']}): {share}{think}")
    lines.append(f"  {data['actions']:.0f} actions and {data['seconds']:.2f} s a game; results in {data['folder']}")
    lines += [f"  fault: {fault}" for fault in data["faults"]]
    return "\n".join(lines)
