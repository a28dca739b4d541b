"""Play every scenario between two regulars and write players/chances.toml: `python tools/chances.py GAMES`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from sandtable.engine import game_names, get_game, get_scenario
from sandtable.players.chances import EVEN, UNEVEN
from sandtable.players.hands import processors
from sandtable.sim.batch import make_plan, played_sides
from sandtable.sim.playing import play_game

FILE = Path(__file__).parents[1] / "src/sandtable/players/chances.toml"
HEAD = "# Wins of each side between two regulars, made by tools/chances.py; a draw counts half.\n"


def measured(scenario: str, games: int) -> str:
    """The table of a scenario; of one that is uneven, and has a balance, a second table with it."""
    game, _, part = scenario.partition("/")
    info = get_scenario(get_game(game), part)
    text, won = played(scenario, scenario, info.sides, games, {})
    weaker = min(won, key=won.__getitem__)
    helped = f"balance_{weaker}"
    if won[weaker] < UNEVEN * games and any(option.id == helped for option in info.options):
        text += "\n" + played(scenario, scenario + EVEN, info.sides, games, {helped: "on"})[0]
    return text


def played(
    scenario: str, title: str, sides: Sequence[str], games: int, options: dict[str, str]
) -> tuple[str, dict[str, float]]:
    """A table, and the wins in it."""
    won = dict.fromkeys(sides, 0.0)
    game, _, part = scenario.partition("/")
    players = ["regular"] * len(played_sides(get_game(game), get_scenario(get_game(game), part)))
    plan = make_plan(scenario, ",".join(players), seed=1, options=options)
    for number in range(games):
        winner = play_game(plan, number)[0].winner
        for side in [winner] if winner else sides:
            won[side] += 1.0 if winner else 0.5
    lines = [f'["{title}"]', f"games = {games}", *(f"{side} = {wins:g}" for side, wins in won.items())]
    return "\n".join(lines) + "\n", won


def main() -> None:
    """Play and write."""
    if len(sys.argv) != 2 or not sys.argv[1].isdecimal() or not int(sys.argv[1]):
        sys.exit("Say how many games to play of each scenario: python tools/chances.py 40")
    games = int(sys.argv[1])
    names = [f"{game}/{info.id}" for game in game_names() for info in get_game(game).scenarios()]
    with ProcessPoolExecutor(processors()) as pool:
        found = list(pool.map(measured, names, [games] * len(names)))
    FILE.write_text("\n".join([HEAD, *found]), encoding="utf-8")


if __name__ == "__main__":
    main()
