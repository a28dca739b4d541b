"""Exact odds against a simulation of 200,000 battles that shares no code with them (13.2 to 13.6)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace
from underbelly_story import do, play

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.course import Course, Fighter, exact_chance
from sandtable.games.underbelly.odds import BattleOdds, _forecast, forecast

rule = pytest.mark.rule
BATTLES = 200_000
SIGMA = 5
"""Standard deviations that a share of the battles may be off."""


class Board:
    """Many battles at once: steps of every unit, a column for each; the last unit of a side is its corps support."""

    def __init__(self, attackers: list[tuple[int, int]], defenders: list[tuple[int, int]], seed: int) -> None:
        self.factors = np.array([*attackers, *defenders])  # full strength, reduced
        self.number = len(attackers)
        self.start = np.array([2] * (len(attackers) - 1) + [1] + [2] * (len(defenders) - 1) + [1])
        self.steps = np.tile(self.start, (BATTLES, 1))
        self.random = np.random.default_rng(seed)

    def factor(self, unit: int) -> np.ndarray:
        full = self.steps[:, unit] == self.start[unit]
        return np.where(full, self.factors[unit, 0], self.factors[unit, 1])

    def shot(self, fires: np.ndarray, need: np.ndarray, targets: list[int]) -> None:
        """One die in every battle where somebody fires: at the weakest division, of those at the strongest factor."""
        *divisions, support = targets
        ranks = np.stack(
            [np.where(self.steps[:, u] > 0, self.steps[:, u] * 100 - self.factor(u), 9999) for u in divisions], axis=1
        )
        target = np.where(ranks.min(axis=1) < 9999, np.array(divisions)[ranks.argmin(axis=1)], support)
        rows = np.arange(BATTLES)
        hit = fires & (self.steps[rows, target] > 0) & (self.random.integers(1, 11, BATTLES) <= need)
        self.steps[rows[hit], target[hit]] -= 1

    def volley(self, units: list[int], targets: list[int], change: int = 0) -> None:
        """All shots of a step; nobody who fires in it loses steps meanwhile."""
        fired = self.steps[:, units].copy()
        for n, unit in enumerate(units):
            need = self.factor(unit) + change
            for shot in range(2):
                self.shot(fired[:, n] > shot, need, targets)

    def fight(self, change: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(steps lost by the attackers, by the defenders, whether the hex is cleared) of each battle."""
        attackers, defenders = list(range(self.number)), list(range(self.number, len(self.start)))
        self.volley(attackers[-1:], defenders, change)
        self.volley(defenders, attackers)
        self.volley(attackers[:-1], defenders, change)
        lost = self.start - self.steps
        only_support = (self.steps[:, attackers[:-1]].sum(axis=1) == 0) & (self.steps[:, attackers[-1]] > 0)
        theirs = lost[:, attackers].sum(axis=1) - only_support  # the attack must be broken off
        return theirs, lost[:, defenders].sum(axis=1), self.steps[:, defenders].sum(axis=1) == 0


@rule("13.2")
@rule("13.3")
@rule("13.4")
@pytest.mark.parametrize(("at", "target", "change"), [("2608", "2708", 0), ("3218", "3118", -1)])
def test_the_preview_agrees_with_200_000_simulated_battles(at: str, target: str, change: int) -> None:
    """Two panzer divisions and corps support against two US divisions and theirs, in the open and in mountains."""
    germans, allies = ("10-16Pz", "10-26Pz", "10-14Pz"), ("US-36", "US-45", "US-VI")
    match = play({**dict.fromkeys(germans, at), **dict.fromkeys(allies, target)}, ports={"3306": "us"})
    do(match, a.Attack(at, target))
    battle = deploy(match.state, match.state.stack[-1])
    assert {state for _, state in battle.supply} == {"supplied"}
    odds = BattleOdds(match.state, battle)
    board = Board([(7, 6), (7, 6), (5, 5)], [(5, 4), (6, 5), (5, 5)], seed=12)
    theirs, ours, cleared = board.fight(change)
    for exact, counted in ((odds.losses(attacker=True), theirs), (odds.losses(attacker=False), ours)):
        for lost, p in exact.items():
            close(float(p), float((counted == lost).mean()))
        assert sum(exact.values()) == 1
    close(float(odds.cleared()), float(cleared.mean()))


def close(exact: float, share: float) -> None:
    """A share of the battles lies where chance puts it."""
    assert abs(exact - share) <= SIGMA * (exact * (1 - exact) / BATTLES) ** 0.5 + 1e-9, (exact, share)


@rule("13.2")
@rule("13.6")
def test_bombers_find_nobody_where_the_barrage_has_cleared_the_hex() -> None:
    """One step faces support that hits by 4 in 10 and bombers that hit by 5 in 10."""
    attack = (Fighter(2, True, (4, 5), (4, 5)), Fighter(1, False, (4, 4), (4, 4)))
    defence = (Fighter(1, True, (3, 3), (3, 3)),)
    found = list(Course(attack, defence, exact_chance).exchanges(bombers=True, shelter=False, city=False))
    assert sum(one.chance for one in found) == 1
    assert sum(one.chance for one in found if one.struck) == Fraction(4, 10) + Fraction(6, 10) * Fraction(5, 10)


def test_an_attack_on_an_empty_hex_is_sure_to_clear_it() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"}, ports={"3306": "us"})
    do(match, a.Attack("2608", "2708"))
    battle = replace(deploy(match.state, match.state.stack[-1]), defenders=())
    assert forecast(match.state, battle) == (0, 0, 1, 0)


@rule("13.6")
def test_odds_in_round_numbers_know_how_often_no_attacker_is_left() -> None:
    """A single step meets support that hits by 4 in 10; two divisions are never all lost to one shot."""
    defence = (Fighter(1, True, (4, 4), (4, 4)),)
    alone, both = (Fighter(1, True, (3, 3), (3, 3)),), (Fighter(1, True, (3, 3), (3, 3)),) * 2
    assert _forecast(alone, defence, bombers=False, city=False).broken == pytest.approx(0.4)
    assert _forecast(both, defence, bombers=False, city=False).broken == 0
