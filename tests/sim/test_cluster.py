"""Games on a real Dask scheduler with real workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from distributed import LocalCluster
from msgspec.structs import replace

from sandtable.sim.batch import make_plan, run
from sandtable.sim.cluster import NoCluster, on_cluster
from sandtable.sim.playing import Result
from sandtable.sim.results import Results

GAMES = 24


def test_a_killed_worker_loses_and_doubles_no_game(tmp_path: Path) -> None:
    plan = make_plan("pbi", "random,random")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        seen: list[int] = []

        def kill_one(result: Result) -> None:
            seen.append(result.number)
            if len(seen) == 4:
                victim = next(iter(cluster.workers.values()))
                os.kill(victim.pid, signal.SIGKILL)

        shared = Results.create(tmp_path / "cluster", plan)
        run(shared, GAMES, play=on_cluster(cluster.scheduler_address), on_game=kill_one)
    assert sorted(seen) == list(range(GAMES))
    alone = Results.create(tmp_path / "alone", plan)
    run(alone, GAMES)

    def timeless(results: Results) -> list[Result]:
        return [replace(game, seconds=0.0, thinking={}) for game in results.games()]

    assert timeless(shared) == timeless(alone)


def test_a_cluster_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    results = Results.create(tmp_path / "none", make_plan("pbi", "random,random"))
    with pytest.raises(NoCluster, match="no cluster at"):
        run(results, 1, play=on_cluster("tcp://127.0.0.1:1"))
    assert results.games() == []
