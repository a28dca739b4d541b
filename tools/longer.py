"""What longer thinking gains: `python tools/longer.py aslsk2/S14 60 10,40,160`.

Regulars play; in some of their decisions (here 60) a veteran looks ahead with so many rollouts. What it picks is then
tried against the regular's own choice in fresh worlds, as often for each budget, so that luck of the look-ahead does
not count. The gain is in the chance to win, as the player judges positions.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from math import sqrt

import sandtable
from sandtable.engine import Seat
from sandtable.engine.errors import SandtableError
from sandtable.players import knowledge
from sandtable.players.imagining import Imagination, fork
from sandtable.players.lookahead import Choice, choices_of, compare

FRESH = 60
"""Worlds in which a pick is tried."""
EVERY = 0.05
"""How many of the decisions are looked at: few of each game."""


def gains(scenario: str, count: int, budgets: Sequence[int]) -> list[list[float]]:
    """For each budget what the picks of so many decisions gain."""
    know = knowledge(scenario.partition("/")[0])
    found: list[list[float]] = [[] for _ in budgets]
    pick = random.Random(1)
    seed = 0
    while len(found[0]) < count:
        seed += 1
        match = sandtable.new(scenario, seed=seed)
        players = {side: know.base() for side in match.sides}
        source = random.Random(seed)
        while match.to_act and len(found[0]) < count:
            (side, *_) = match.to_act
            seat, player = Seat(match, side), players[side]
            memory = fork(player)
            own = player.choose(seat, source)
            if len(seat.actions()) > 1 and pick.random() < EVERY:
                choices = choices_of(know, seat, player, memory, own, seed)
                if len(choices) > 1:
                    dream, fresh = (Imagination(seat, know, pick.getrandbits(48), lambda: True) for _ in range(2))
                    picks = [picked(dream, choices, budget) for budget in budgets]
                    tried = {best: gain(fresh, choices, best) for best in set(picks)}
                    for row, best in zip(found, picks, strict=True):
                        row.append(tried[best])
                    sys.stderr.write(f"\r{len(found[0])} of {count} ")
            match.apply(side, own)
    return found


def picked(dream: Imagination, choices: Sequence[Choice], budget: int) -> int:
    """What a look ahead with so many rollouts picks."""
    rollouts = 0

    def value(number: int, world: int) -> float | None:
        nonlocal rollouts
        rollouts += 1
        return dream.value(*choices[number], world)

    return compare(len(choices), value, lambda: rollouts / budget).best


def gain(fresh: Imagination, choices: Sequence[Choice], best: int) -> float:
    """What a choice gains against the first one in fresh worlds."""
    total = 0.0
    for world in range(FRESH if best else 0):
        mine, own = fresh.value(*choices[best], world), fresh.value(*choices[0], world)
        assert mine is not None
        assert own is not None
        total += mine - own
    return total / FRESH


def main() -> None:
    """Measure and print a table."""
    numbers = [number for word in sys.argv[2:] for number in word.split(",")]
    if len(sys.argv) != 4 or "," in sys.argv[2] or not all(number.isdecimal() and int(number) for number in numbers):
        sys.exit("Say scenario, decisions and rollouts: python tools/longer.py aslsk2/S14 60 10,40,160")
    count, *budgets = map(int, numbers)
    try:
        found = gains(sys.argv[1], count, budgets)
    except SandtableError as fault:
        sys.exit(str(fault))
    for budget, row in zip(budgets, found, strict=True):
        mean = sum(row) / len(row)
        error = sqrt(sum((one - mean) ** 2 for one in row) / len(row) / max(1, len(row) - 1))
        changed = sum(one != 0 for one in row) / len(row)
        points = f"{100 * mean:+.2f} points a decision (+-{100 * error:.2f})"
        sys.stdout.write(f"{budget:6} rollouts: {changed:4.0%} changed, {points}\n")


if __name__ == "__main__":
    main()
