"""Cheapest ways over a grid: reachable cells with their costs, and the paths that lead there (Dijkstra)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from math import nextafter

IMPASSABLE = float("inf")

StepCost = Callable[[int, int], float | None]
"""Cost of the step from one cell to an adjacent one; None where the step is not allowed."""

StepTable = Sequence[Sequence[tuple[int, float]]]
"""For each cell the cells it leads to with the cost of each step."""


class Reach:
    """Cells reachable from a start within a budget, each with its cost and the way there."""

    def __init__(self, start: int, costs: Mapping[int, float], previous: Mapping[int, int]) -> None:
        self.start = start
        self.costs = costs
        self.previous = previous

    def __contains__(self, cell: object) -> bool:
        return cell in self.costs

    def __len__(self) -> int:
        return len(self.costs)

    def cost(self, cell: int) -> float:
        """Cost of the cheapest way, or IMPASSABLE when there is none within the budget."""
        return self.costs.get(cell, IMPASSABLE)

    def path(self, cell: int) -> list[int]:
        """The cheapest way from the start, both ends included; empty when there is none."""
        if cell not in self.costs:
            return []
        way = [cell]
        while way[-1] != self.start:
            way.append(self.previous[way[-1]])
        return way[::-1]


def step_table(neighbours: Sequence[Iterable[int]], cost: StepCost) -> StepTable:
    """Work out every step of a board once, so that many searches are quick."""
    table = []
    for cell, around in enumerate(neighbours):
        steps = ((other, cost(cell, other)) for other in around)
        table.append(tuple((other, price) for other, price in steps if price is not None))
    return tuple(table)


def reachable(table: StepTable, start: int, budget: float = IMPASSABLE) -> Reach:
    """All cells within a budget of movement; of equal ways the one through lower cell numbers wins."""
    # a cell not reached yet costs a hair more than the budget, so one comparison serves both purposes
    beyond = nextafter(budget, IMPASSABLE)
    best = [beyond] * len(table)
    best[start] = 0.0
    previous: dict[int, int] = {}
    settled: dict[int, float] = {}
    queue = [(0.0, start)]
    while queue:
        spent, cell = heappop(queue)
        if cell in settled:
            continue
        settled[cell] = spent
        for other, price in table[cell]:
            total = spent + price
            if total < best[other]:
                best[other] = total
                previous[other] = cell
                heappush(queue, (total, other))
    return Reach(start, settled, previous)
