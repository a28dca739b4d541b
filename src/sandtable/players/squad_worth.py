"""How good a position of a squad-level game looks to a side, from its own view, for look-ahead."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from sandtable.games.squad.ground.setting import Setting, find_setting
from sandtable.games.squad.ground.worth import points_of
from sandtable.games.squad.part import Aim
from sandtable.games.squad.scenario.setup import new_state
from sandtable.players.squad_men import Board, Man
from sandtable.players.squad_plan import PACE, Plan
from sandtable.players.squad_table import FAR, distances
from sandtable.space.remembered import remembered

BROKEN = 0.45
"""What a broken unit is worth beside an unbroken one."""
WEIGHTS = (3.0, -3.5, 1.5, 3.5, -3.2, 0.55, 0.3, 0.8, 0.05, -0.5, 1.5)
"""Of the features, fitted to the winners of some thousand positions between computer players."""


def worth(view: Mapping[str, Any], side: str) -> float:
    """Chance of winning as it looks, 0 to 1: objectives by the time left, and what is left of both sides."""
    outcome = view.get("outcome")
    if outcome:
        winner = outcome.get("winner", "")
        return 1.0 if winner == side else 0.0 if winner else 0.5
    setting = find_setting(view["extra"]["setting"])
    attacker = setting.scenario.conditions[0].winner
    score = sum(weight * x for weight, x in zip(WEIGHTS, features(Board(setting, attacker, view)), strict=True))
    chance = 1 / (1 + math.exp(-score))
    return chance if side == attacker else 1 - chance


def features(board: Board) -> tuple[float, ...]:
    """What speaks for the attacker, by the time that has gone: forces, conditions, who is broken, who is near."""
    setting, attacker, defender = board.setting, board.side, board.enemy
    own, foes = _force(board, attacker), _force(board, defender)
    balance = math.log((own + 0.5) / (foes + 0.5)) - _start_ratio(setting, attacker)
    played = min((board.turn + (0.5 if board.active != setting.first else 0.0)) / max(setting.turns, 1), 1.0)
    stand = max(_standing(board, condition.winner, aim, played) for condition, aim in setting.aims)
    near, against, coming = _presence(board)
    here, ahead = math.log(near / against), math.log(coming / (foes + 0.5))
    return (
        balance,
        balance * played,
        stand,
        stand * played,
        played,
        _broken(board, attacker),
        _broken(board, defender),
        here,
        here * played,
        ahead,
        ahead * played,
    )


def _broken(board: Board, side: str) -> float:
    """The share of a side that is broken."""
    men = [man for man in board.men.values() if man.side == side]
    return sum(man.size for man in men if man.broken) / max(sum(man.size for man in men), 0.5)


def _presence(board: Board) -> tuple[float, float, float]:
    """Attackers near the goals, defenders there, and attackers who get there in time: half a squad more of each."""
    far = Plan(board).far
    pace = PACE * max(board.turns_left, 0.5)
    near = coming = against = 0.5
    for man in board.men.values():
        if not man.kind.mmc or man.broken or man.cell < 0:
            continue
        if man.side == board.side:
            coming += man.size * min(1.0, pace / (far[man.cell] + 6))
            if not man.off:
                near += man.size / (1 + far[man.cell] / 8)
        elif far[man.cell] < 8:
            against += man.size
    return near, against, coming


def _force(board: Board, side: str) -> float:
    total = 0.0
    for man in board.men.values():
        if man.side == side:
            value = man.size * (BROKEN if man.broken else 1.0)
            total += value * (0.9 if man.pinned else 1.0)
            total += sum(0.3 for arm in man.arms if not arm.broken)
    return total


@remembered(64)
def _start_ratio(setting: Setting, side: str) -> float:
    """The ratio of the printed forces, which is what the scenario is balanced for."""
    forces = dict.fromkeys(setting.sides, 0.5)
    state = new_state(setting)
    for unit in state.units.values():
        kind = setting.kinds[unit.group, unit.kind]
        forces[unit.side] += (kind.size / 2 if kind.mmc else 0.6 - 0.3 * kind.leadership) + 0.3 * len(unit.weapons)
    return math.log(forces[side] / forces[setting.others[side]])


def _standing(board: Board, winner: str, aim: Aim, played: float) -> float:
    """How far the attacker is with a condition: 1 it is met, 0 far from it."""
    return STANDING[aim.what](board, winner, aim, played)


def _men(board: Board, side: str, *, unbroken: bool = False) -> list[Man]:
    """MMC of a side on the map."""
    men = [man for man in board.men.values() if man.side == side and man.kind.mmc and not man.off]
    return [man for man in men if not man.broken] if unbroken else men


def _clearing(board: Board, winner: str, aim: Aim, played: float) -> float:
    losers = _men(board, board.setting.others[winner])
    left = sum(man.kind.size / 2 for man in losers if man.cell in aim.cells and not man.broken)
    return 1.0 / (1.0 + 0.5 * left) + 0.02 * _nearness(board.setting, _men(board, winner, unbroken=True), aim.cells)


def _taking_guns(board: Board, winner: str, aim: Aim, played: float) -> float:
    loser = board.setting.others[winner]
    guns = [arm for arm in board.arms.values() if arm.kind.gun and arm.side == loser and arm.cell >= 0]
    if not guns:
        return 1.0
    done = 0.0
    for gun in guns:
        held = gun.owner in board.men and not board.men[gun.owner].broken
        done += 0.0 if held else 0.4
    near = _nearness(board.setting, _men(board, winner, unbroken=True), frozenset(gun.cell for gun in guns))
    return (3 - min(len(guns), 3)) / 3 * 0.6 + 0.4 * done / len(guns) * 0.6 + 0.05 * near


def _holding(board: Board, winner: str, aim: Aim, played: float) -> float:
    """Buildings in hand; where own ones count against it, the lead."""
    if aim.wanted == aim.buildings:
        count = sum(holder == winner for holder in board.control.values())
        return float(min(count / aim.needed, 1.0) ** 1.5)
    loser = board.setting.others[winner]
    lead = 0.0
    for building in aim.buildings:
        cells = board.setting.ground.buildings[building]
        sides = {man.side for man in board.men.values() if not man.off and man.cell in cells and not man.broken}
        if building in aim.wanted:
            lead += 1.0 if sides == {winner} else 0.4 if winner in sides else 0.0
        else:
            lead -= 1.0 if sides == {loser} else 0.0
    return max(0.0, min((lead + 0.5) / (aim.needed + 0.5), 1.0))


def _by_force(board: Board, winner: str, aim: Aim, played: float) -> float:
    unbroken = dict.fromkeys(board.setting.sides, 0.5)
    for man in board.men.values():
        if not man.broken:
            unbroken[man.side] += man.kind.size / 2
    ratio = unbroken[winner] / ((aim.needed or 3) * unbroken[board.setting.others[winner]])
    return max(0.0, min(ratio, 1.0)) ** 2


def _nearness(setting: Setting, men: list[Man], cells: frozenset[int]) -> float:
    """How many units are close to hexes, 0 to 5."""
    if not cells or not men:
        return 0.0
    far = distances(setting, cells)
    return min(sum(1.0 / (1.0 + far[man.cell] / 6) for man in men if man.cell >= 0), 5.0)


def _leaving(board: Board, winner: str, aim: Aim, played: float) -> float:
    """Points that are out, and those that can still get out in time."""
    setting = board.setting
    out = board.points.get(f"exit-{winner}", 0)
    if out >= aim.needed:
        return 1.0
    far = distances(setting, frozenset(setting.exits.get(winner, ())))
    left = max((1 - played) * setting.turns, 0.3)
    coming = 0.0
    for man in board.men.values():
        if man.side != winner or man.cell < 0 or far[man.cell] >= FAR:
            continue
        points = points_of(aim.values, man.kind) if aim.values is not None else man.kind.size
        pace = 10.0 * left
        chance = min(1.0, max(0.0, 1.3 - (far[man.cell] + 2) / pace)) * (0.35 if man.broken else 0.75)
        coming += points * chance
    stand = (out + coming) / (1.5 * aim.needed)
    if aim.limit:
        lost = board.points.get(winner, 0)
        if lost >= aim.limit:
            return 0.0
        stand *= 1 - 0.4 * lost / aim.limit
    return min(stand, 0.97)


STANDING: dict[str, Callable[[Board, str, Aim, float], float]] = {
    "clear": _clearing,
    "leave": _leaving,
    "guns": _taking_guns,
    "hold": _holding,
    "force": _by_force,
}
"""By what a condition makes its winner go for."""
