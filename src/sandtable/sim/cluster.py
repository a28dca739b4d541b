"""The same games on a Dask cluster (optional extra `cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandtable.engine.errors import SandtableError
from sandtable.sim.crew import Finished, play_one
from sandtable.sim.playing import Plan


class NoCluster(SandtableError):
    """The cluster cannot be used."""


RETRIES = 5
"""How often a game is given out again when its worker dies."""


def on_cluster(address: str) -> Callable[[Plan, Sequence[int], bool], Iterator[Finished]]:
    """Play on the cluster whose scheduler is at `address`, for example tcp://127.0.0.1:8786."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise NoCluster("A cluster needs the extra `cluster`: pip install 'sandtable[cluster]'.") from None

    def play(plan: Plan, numbers: Sequence[int], keep_records: bool) -> Iterator[Finished]:
        try:
            client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise NoCluster(f"There is no cluster at {address}: {error}") from None
        with client:
            futures = [
                client.submit(play_one, plan, number, keep_records, pure=False, retries=RETRIES, key=f"game-{number}")
                for number in numbers
            ]
            for future in as_completed(futures):  # type: ignore[no-untyped-call]
                yield future.result()
                future.release()

    return play
