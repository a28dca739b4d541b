"""How strong the players are: one against another on both sides of every scenario, as tables with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sandtable.engine import game_names, get_game, get_scenario
from sandtable.engine.errors import SandtableError
from sandtable.engine.record import write_whole
from sandtable.players import levels
from sandtable.reading import decode
from sandtable.sim.batch import make_plan, played_sides
from sandtable.sim.crew import Finished
from sandtable.sim.playing import Plan, Result
from sandtable.sim.results import Results
from sandtable.sim.statistics import Share, share


class BadRow(SandtableError):
    """A row of players that cannot be compared."""


class Goal(NamedTuple):
    """What a row must reach, and over what it is averaged."""

    share: float
    over: str
    """`side`, `scenario` or `all`."""


ROWS = "recruit:random,regular:recruit,veteran:regular"
GOALS = {
    ("recruit", "random"): Goal(0.95, "side"),
    ("regular", "recruit"): Goal(0.75, "scenario"),
    ("veteran", "regular"): Goal(0.60, "all"),
}
OVER = {"side": "each side of each scenario", "scenario": "the sides of each scenario", "all": "everything"}


class Row(NamedTuple):
    """A player and the one it is measured against."""

    player: str
    against: str

    @property
    def name(self) -> str:
        """How the row is written, without budgets."""
        return f"{self.player.partition('@')[0]}:{self.against.partition('@')[0]}"

    @property
    def goal(self) -> Goal | None:
        """What it must reach."""
        one, _, other = self.name.partition(":")
        return GOALS.get((one, other))


class Task(NamedTuple):
    """One scenario from one side."""

    row: Row
    side: str
    folder: Path
    plan: Plan


def read_rows(text: str) -> list[Row]:
    """Rows as a person writes them: `recruit:random,regular:recruit`."""
    rows = []
    for word in text.split(","):
        player, mark, against = word.strip().partition(":")
        if not (player and mark and against) or ":" in against:
            raise BadRow(f"A row is written PLAYER:AGAINST, such as regular:recruit, not {word.strip()!r}.")
        rows.append(Row(player, against))
    return rows


def scenarios(where: str) -> list[str]:
    """All scenarios in which players meet, those of a game, or one."""
    name, _, part = where.partition("/")
    games = [get_game(name)] if name else [get_game(one) for one in game_names()]
    if part:
        return [f"{games[0].id}/{get_scenario(games[0], part).id}"]
    return [
        f"{game.id}/{info.id}"
        for game in games
        for info in game.scenarios()
        if len(played_sides(game, info)) == len(info.sides)
    ]


def tasks(rows: Sequence[Row], where: str, out: Path, *, seed: int, think: str) -> list[Task]:
    """Both sides of every scenario for every row; games that have not got a level are left out."""
    found = []
    for row in rows:
        here = []
        for scenario in scenarios(where):
            game = scenario.partition("/")[0]
            known = levels(game)
            if row.player.partition("@")[0] in known and row.against.partition("@")[0] in known:
                here += list(_sides(row, scenario, out, seed, think))
        if not here:
            raise BadRow(f"No game here has both {row.player} and {row.against}: see sandtable games for the games.")
        found += here
    return found


def _sides(row: Row, scenario: str, out: Path, seed: int, think: str) -> Iterator[Task]:
    game, _, part = scenario.partition("/")
    for side in get_scenario(get_game(game), part).sides:
        words = [f"{one}={row.player if one == side else row.against}" for one in _all_sides(game, part)]
        plan = make_plan(scenario, ",".join(words), seed=seed, think=think)
        against = next(level for one, level in plan.players.items() if one != side)
        exact = Row(plan.players[side], against)
        yield Task(exact, side, out / f"{exact.player}-{exact.against}" / f"{game}-{part}-{side}", plan)


def _all_sides(game: str, part: str) -> tuple[str, ...]:
    return get_scenario(get_game(game), part).sides


# -- what came of it ----------------------------------------------------------------------


class Line(NamedTuple):
    """One scenario from one side, measured."""

    scenario: str
    side: str
    won: Share
    mean_ms: float
    late_ms: float
    seconds: float
    faults: int


def measure(task_side: str, scenario: str, games: Sequence[Result]) -> Line:
    """The figures of some games for a side."""
    points = sum(1.0 if game.winner == task_side else 0.0 if game.winner else 0.5 for game in games)
    times = [game.thinking[task_side] for game in games if task_side in game.thinking]
    return Line(
        scenario,
        task_side,
        share(points, len(games)),
        _mean([mean for mean, _ in times]),
        _mean([late for _, late in times]),
        _mean([game.seconds for game in games]),
        sum(len(game.faults) for game in games),
    )


def plain(row: Row, lines: Sequence[Line]) -> dict[str, Any]:
    """What was measured of a row, as data."""
    measured = [line._asdict() | {"won": line.won._asdict()} for line in lines]
    goal = row.goal
    return {
        "player": row.player,
        "against": row.against,
        "all": together(lines)._asdict(),
        "goal": goal._asdict() | {"reached": reached(goal, lines)} if goal else None,
        "lines": measured,
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def collect(out: Path, row: str) -> dict[Row, list[Line]]:
    """Everything measured of a row in a folder of results, by exact players (budgets apart)."""
    found: dict[Row, list[Line]] = {}
    for manifest in sorted(out.glob("*/*/sim.json")):
        results = Results.open(manifest.parent)
        side = manifest.parent.name.rpartition("-")[2]
        player = results.plan.players.get(side, "")
        against = next((level for one, level in results.plan.players.items() if one != side), "")
        exact = Row(player, against)
        games = results.games()
        if exact.name == row and games:
            found.setdefault(exact, []).append(measure(side, results.plan.scenario, games))
    return {exact: sorted(lines, key=_place) for exact, lines in found.items()}


def _place(line: Line) -> tuple[str, int, int]:
    """Games by name, scenarios and sides in their game's order."""
    name, _, part = line.scenario.partition("/")
    info = get_scenario(get_game(name), part)
    return name, list(get_game(name).scenarios()).index(info), info.sides.index(line.side)


def together(lines: Sequence[Line]) -> Share:
    """The mean of shares, each counting the same, with the interval of as many games."""
    n = sum(line.won.n for line in lines)
    return share(_mean([line.won.value for line in lines]) * n, n)


def reached(goal: Goal, lines: Sequence[Line]) -> bool:
    """Whether the shares measured reach the goal."""
    if goal.over == "side":
        shares = [line.won for line in lines]
    elif goal.over == "scenario":
        shares = [together(some) for some in _by_scenario(lines).values()]
    else:
        shares = [together(lines)]
    return all(one.value >= goal.share - 1e-9 for one in shares)


def _by_scenario(lines: Sequence[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.scenario, []).append(line)
    return found


# -- as words -----------------------------------------------------------------------------


def percent(won: Share) -> str:
    """A share with its interval."""
    return f"{won.value:.0%} ({won.low * 100:.0f}-{won.high * 100:.0f})"


def table(row: Row, lines: Sequence[Line]) -> str:
    """A table in Markdown: a line for each scenario, the first player's shares on each side and on both."""
    goal = row.goal
    text = [
        f"`{row.player}` against `{row.against}`:",
        "",
        "| scenario | games | side by side: wins (95% interval) | both | decision, mean / p95 | game |",
        "|---|---|---|---|---|---|",
    ]
    for scenario, some in _by_scenario(lines).items():
        sides = ", ".join(f"{line.side} {percent(line.won)}" for line in some)
        mean, late = _mean([line.mean_ms for line in some]), _mean([line.late_ms for line in some])
        n = "+".join(str(line.won.n) for line in some)
        game = _mean([line.seconds for line in some])
        both = percent(together(some))
        text.append(f"| {scenario} | {n} | {sides} | {both} | {_ms(mean)} / {_ms(late)} ms | {game:.1f} s |")
    every = together(lines)
    text += ["", f"All together: {percent(every)} of {every.n} games."]
    if goal is not None:
        word = "reached" if reached(goal, lines) else "not reached everywhere"
        text[-1] += f" Wanted over {OVER[goal.over]}: {goal.share:.0%}, {word}."
    broken = sum(line.faults for line in lines)
    text[-1] += f" {broken} players broke down." if broken else ""
    return "\n".join(text) + "\n"


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def mark(row: str) -> tuple[str, str]:
    """The comments between which the table of a row stands in a page."""
    return f"<!-- strength {row} -->\n", f"<!-- /strength {row} -->"


def write_tables(page: Path, tables: dict[str, str]) -> None:
    """Put tables into a page, each between its comments."""
    text = page.read_text(encoding="utf-8")
    for row, words in tables.items():
        start, end = mark(row)
        before, found, rest = text.partition(start)
        _, also, after = rest.partition(end)
        if not (found and also):
            raise BadRow(f"{page} has no place for the table: write {start.strip()} and {end} into it.")
        text = before + start + words + end + after
    write_whole(page, text)


def missing(work: Sequence[Task], games: int) -> list[tuple[Results, int]]:
    """Games that are still to be played, row by row; all scenarios of a row grow together."""
    found: list[tuple[Results, int]] = []
    if not games:
        return found
    for row in dict.fromkeys(task.row.name for task in work):
        some = [Results.create(task.folder, task.plan) for task in work if task.row.name == row]
        for results in some:
            results.mend()
        done = [{result.number for result in results.games()} for results in some]
        for number in range(games):
            found += [(results, number) for results, there in zip(some, done, strict=True) if number not in there]
    return found


def run_all(
    todo: Sequence[tuple[Results, int]],
    play: Callable[[Iterable[tuple[Plan, int]]], Iterator[tuple[int, Finished]]],
    *,
    in_time: Callable[[], bool],
    on_game: Callable[[], None],
) -> bool:
    """Play games and keep each as it ends; False if the time was up before all were begun."""
    begun = 0

    def games() -> Iterator[tuple[Plan, int]]:
        nonlocal begun
        for results, number in todo:
            if not in_time():
                return
            begun += 1
            yield results.plan, number

    for place, (encoded, _) in play(games()):
        todo[place][0].add(decode(encoded, Result), None)
        on_game()
    return begun == len(todo)
