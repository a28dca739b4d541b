"""Many games: on this machine in several processes, or on a cluster; the results do not depend on which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from sandtable.engine import Game, ScenarioInfo, get_game, get_scenario
from sandtable.engine.errors import SandtableError
from sandtable.engine.start import check_options
from sandtable.players import read_level, with_budget
from sandtable.players.thinking import check_fits
from sandtable.reading import convert, decode
from sandtable.sim.crew import Crew, Finished, play_one
from sandtable.sim.playing import DECISION_SECONDS, Plan, Result
from sandtable.sim.results import Results


class BadPlan(SandtableError):
    """A plan that cannot be carried out."""


BY_RULES = "rules"
"""Stands for the player of a side that the rules run."""


def played_sides(game: Game[Any], info: ScenarioInfo) -> list[str]:
    """The sides of a scenario that need a player: all but those that the rules run."""
    ruled = game.ruled(game.setup(info.id, check_options(info, {})))
    return [side for side in info.sides if side not in ruled]


def make_plan(
    scenario: str,
    players: str,
    *,
    options: dict[str, str] | None = None,
    seed: int = 1,
    think: str = "",
    **settings: object,
) -> Plan:
    """A plan from what a person writes: `regular,recruit` or `german=regular,american=recruit`.

    `think` is the budget of players that look ahead, unless their own is written behind them (`veteran@2`).
    """
    name, _, part = scenario.partition("/")
    game = get_game(name)
    info = get_scenario(game, part) if part else game.scenarios()[0]
    check_options(info, options or {})
    sides = played_sides(game, info)
    words = [word.strip() for word in players.split(",") if word.strip()]
    if all("=" in word for word in words):
        chosen = dict(word.split("=", 1) for word in words)
    elif len(words) == len(sides):
        chosen = dict(zip(sides, words, strict=True))
    elif len(sides) == 1:
        raise BadPlan(f"Only the side {sides[0]} of {info.id} is played; name one player.")
    else:
        raise BadPlan(f"{info.id} has {len(sides)} sides ({', '.join(sides)}); name a player for each.")
    for side, level in chosen.items():
        if side not in sides:
            raise BadPlan(f"There is no side {side!r} to play in {info.id}; the sides are {', '.join(sides)}.")
        chosen[side] = _checked(game.id, level, think, settings)
    missing = [side for side in sides if side not in chosen]
    if missing:
        raise BadPlan(f"No player is named for {missing[0]}.")
    chosen |= {side: BY_RULES for side in info.sides if side not in sides}
    plan = {"scenario": f"{game.id}/{info.id}", "players": chosen, "options": options or {}, "seed": seed, **settings}
    try:
        return convert(plan, Plan)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The plan does not work: {error}.") from None


def _checked(game: str, level: str, think: str, settings: dict[str, object]) -> str:
    """A level that can play, with its budget written out."""
    try:
        level = with_budget(game, level, think)
        _, budget = read_level(game, level)
        limit = settings.get("decision_seconds", DECISION_SECONDS)
        if budget is not None and isinstance(limit, (int, float)):
            check_fits(budget, limit)
    except SandtableError as error:
        raise BadPlan(str(error)) from None
    return level


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
    with ExitStack() as stack:
        if play is None:
            play = here if jobs == 1 else stack.enter_context(Crew(jobs, register)).play
        for encoded, record in play(results.plan, missing, keep_records):
            result = decode(encoded, Result)
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
