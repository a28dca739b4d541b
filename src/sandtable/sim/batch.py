"""Many games: on this machine in several processes, or on a cluster; the results do not depend on which."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

import msgspec

from sandtable.engine import get_game, get_scenario
from sandtable.engine.errors import SandtableError
from sandtable.engine.start import check_options
from sandtable.players import levels
from sandtable.sim.playing import Plan, Result, play_game
from sandtable.sim.results import Results

AHEAD = 3
"""Games handed to each process before it asks for more."""

Finished = tuple[bytes, str | None]
"""A result as JSON, and the record."""


class BadPlan(SandtableError):
    """A plan that cannot be carried out."""


def make_plan(
    scenario: str, players: str, *, options: dict[str, str] | None = None, seed: int = 1, **settings: object
) -> Plan:
    """A plan from what a person writes: `regular,recruit` or `german=regular,american=recruit`."""
    name, _, part = scenario.partition("/")
    game = get_game(name)
    info = get_scenario(game, part) if part else game.scenarios()[0]
    check_options(info, options or {})
    words = [word.strip() for word in players.split(",") if word.strip()]
    if all("=" in word for word in words):
        chosen = dict(word.split("=", 1) for word in words)
    elif len(words) == len(info.sides):
        chosen = dict(zip(info.sides, words, strict=True))
    else:
        raise BadPlan(f"{info.id} has {len(info.sides)} sides ({', '.join(info.sides)}); name a player for each.")
    for side, level in chosen.items():
        if side not in info.sides:
            raise BadPlan(f"There is no side {side!r} in {info.id}; the sides are {', '.join(info.sides)}.")
        if level not in levels(game.id):
            raise BadPlan(f"There is no player {level!r} for {game.id}; there are {', '.join(levels(game.id))}.")
    missing = [side for side in info.sides if side not in chosen]
    if missing:
        raise BadPlan(f"No player is named for {missing[0]}.")
    plan = {"scenario": f"{game.id}/{info.id}", "players": chosen, "options": options or {}, "seed": seed, **settings}
    try:
        return msgspec.convert(plan, Plan)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The plan does not work: {error}.") from None


def play_one(plan: Plan, number: int, keep_record: bool) -> Finished:
    """Play one game; runs in a worker."""
    result, match = play_game(plan, number)
    return msgspec.json.encode(result), match.record().to_lines() if keep_record else None


def _prepare(paths: Sequence[str], register: Callable[[], object] | None) -> None:
    """A new process knows the games that the parent's path leads to, and those that the parent registers."""
    sys.path[:] = list(dict.fromkeys([*paths, *sys.path]))
    if register is not None:
        register()


def run(
    results: Results,
    games: int,
    *,
    jobs: int = 1,
    register: Callable[[], object] | None = None,
    keep_records: bool = False,
    play: Callable[[Plan, Sequence[int], bool], Iterator[Finished]] | None = None,
    on_game: Callable[[Result], None] | None = None,
) -> int:
    """Play what is missing of so many games and keep each as it ends; the number played now is returned.

    `register` is called in every new process (games that are not installed); `play` replaces this machine.
    """
    results.mend()
    done = {result.number for result in results.games()}
    missing = [number for number in range(games) if number not in done]
    if play is None:
        play = here if jobs == 1 else _in_processes(jobs, register)
    for encoded, record in play(results.plan, missing, keep_records):
        result = msgspec.json.decode(encoded, type=Result)
        if result.number in done:
            continue
        done.add(result.number)
        results.add(result, record)
        if on_game is not None:
            on_game(result)
    return len(missing)


def here(plan: Plan, numbers: Sequence[int], keep_records: bool) -> Iterator[Finished]:
    """In this process, one after the other."""
    for number in numbers:
        yield play_one(plan, number, keep_records)


def _in_processes(
    jobs: int, register: Callable[[], object] | None
) -> Callable[[Plan, Sequence[int], bool], Iterator[Finished]]:
    def play(plan: Plan, numbers: Sequence[int], keep_records: bool) -> Iterator[Finished]:
        context = multiprocessing.get_context("spawn")
        start = (tuple(sys.path), register)
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare, initargs=start) as pool:
            waiting: set[Future[Finished]] = set()
            left = iter(numbers)
            try:
                while True:
                    for number in left:
                        waiting.add(pool.submit(play_one, plan, number, keep_records))
                        if len(waiting) >= jobs * AHEAD:
                            break
                    if not waiting:
                        return
                    ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in sorted(ended, key=id):
                        yield future.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return play


def processors() -> int:
    """How many processes make sense here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
