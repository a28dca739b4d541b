"""The set-up of the regular: cover, fields of fire on the enemy's ways to the goals, leaders with their men (1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING, Any

from sandtable.engine import Action
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.scenario.auto_setup import (
    GIVEN_AWAY,
    HEXES_PER_GUN,
    KEPT_PER_GUN,
    enemy_cells,
    goal_cells,
    hidden_worth,
    nearest,
)
from sandtable.games.squad.scenario.placing import hip_in_group
from sandtable.players.squad_men import Board, Man
from sandtable.space.remembered import remembered

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look

COVER = 1.5
"""What each +1 of TEM is worth."""
FIRE = 2.5
"""What the best field of fire of the area is worth."""
GOAL = 0.25
"""What a hex nearer to the goals is worth."""
ROOM, TOO_NEAR = 8, 0.15
"""Hexes that a defender keeps between himself and the enemy's edge, and what each too few or too many costs."""
CROWDED, NEIGHBOUR = 1.5, 0.2
"""What another squad in the hex or in the next one costs."""
LEADER = 0.3
"""How much the hex counts for a leader: he belongs to his men."""
LANE = 3.0
"""Hexes of a detour that the enemy hardly makes."""
REACH, FAR_REACH, FAR_SHARE = 7, 14, 0.7
"""Hexes that squads and weapons fire at well, and what the hexes farther away count for a Gun."""
HINDERED = 0.8


def place(look: Look) -> Action | None:
    """Pick who is placed next, and put him where he is worth most; a hidden Gun in one of many good hexes (6.4)."""
    board = look.board
    picks = look.all("PickUnit")
    if picks and any(group.tried.hidden for group in board.setting.scenario.groups if group.side == board.side):
        return look.first("AutoSetUp")
    if picks:
        return min(picks, key=lambda pick: (*_rank(board, board.men[pick.unit]), pick.unit))  # type: ignore[no-any-return]
    places = look.all("PlaceUnit")
    if places:
        man = board.men[look.seat.describe(places[0]).pieces[0]]
        cells = tuple(action.at for action in places)
        guns = [other for other in board.men.values() if _hides(board, other)]
        if man in guns:
            ranked = _hiding_places(board, man, cells)
            others = (HEXES_PER_GUN - 1) * sum(gun.hip for gun in guns)  # left of those that hidden ones drew from
            cell = look.source.choice(ranked[others:][:HEXES_PER_GUN] or ranked)
        else:
            kept = _hiding_places(board, guns[0], cells)[: KEPT_PER_GUN * len(guns) + 1] if guns else ()
            scores = _scores(board, man, cells)
            worth = {c: score - (GIVEN_AWAY if c in kept else 0.0) for c, score in zip(cells, scores, strict=True)}
            cell = max(cells, key=worth.__getitem__)
        return places[cells.index(cell)]  # type: ignore[no-any-return]
    turns = look.all("PlaceGun")
    return _face(look, turns) if turns else None


def _rank(board: Board, man: Man) -> tuple[bool, bool, bool, int]:
    """Guns in the open, then those with the most weapons, leaders with their men, and last who is to be hidden.

    So where the others stand does not tell where the hidden Guns are.
    """
    return _hides(board, man), not any(arm.kind.gun for arm in man.arms), man.kind.smc, -len(man.arms)


def _hides(board: Board, man: Man) -> bool:
    """Whether a man of the side mans a Gun that can be set up hidden (6.4)."""
    if man.side != board.side or not man.kind.crew or not any(arm.kind.gun for arm in man.arms):
        return False
    return all(
        hip_in_group(board.setting, group.id) for group in board.setting.scenario.groups if group.side == man.side
    )


def _hiding_places(board: Board, man: Man, cells: tuple[int, ...]) -> list[int]:
    """Hexes for a Gun that is to be hidden, the best first."""
    ground = board.ground
    counter = next(arm.kind.counter for arm in man.arms if arm.kind.gun)
    inside = isinstance(counter, Gun) and counter.building
    scores = zip(cells, _scores(board, man, cells), strict=True)
    worth = {cell: score + hidden_worth(board.setting, board.side, cell) for cell, score in scores}
    free = [cell for cell in cells if not ground.paved[cell] and not board.own.get(cell)]
    able = [cell for cell in free if inside or not ground.in_building[cell]]
    return sorted(able or cells, key=lambda cell: (-worth[cell], cell))


def _scores(board: Board, man: Man, cells: tuple[int, ...]) -> list[float]:
    """What each hex is worth to a unit, given who stands where already."""
    setting, ground = board.setting, board.ground
    gun = any(arm.kind.gun for arm in man.arms)
    fires = [fire_from(setting, board.side, cell, gun) for cell in cells]
    most = max(fires) or 1.0
    goals, enemies = goal_cells(setting), enemy_cells(setting, board.side)
    attacking = any(condition.winner == board.side for condition in setting.scenario.conditions)
    found = []
    for cell, fire in zip(cells, fires, strict=True):
        value = COVER * ground.tem[cell] + FIRE * fire / most
        value -= GOAL * (2 if attacking else 1) * nearest(ground, cell, goals)
        if not attacking:
            value -= TOO_NEAR * abs(nearest(ground, cell, enemies) - ROOM)
        found.append(value * (LEADER if man.kind.leads else 1.0) + _company(board, man, cell, gun=gun))
    return found


def _company(board: Board, man: Man, cell: int, *, gun: bool) -> float:
    """What the others in a hex and around it make of it: squads apart, leaders with squads, Guns alone."""
    here = board.own.get(cell, ())
    squads = sum(other.kind.mmc for other in here)
    if man.kind.leads:
        return 1.0 + 0.5 * squads - 3.0 * (len(here) - squads) if squads else -6.0
    value = -CROWDED * squads - NEIGHBOUR * sum(len(board.own.get(near, ())) for near in board.ground.near[cell])
    if gun:
        return value - 1.5 * board.ground.open[cell] - 3.0 * bool(here) - (4.0 if board.ground.paved[cell] else 0.0)
    # who stands with a hidden Gun gives it away
    return value - (GIVEN_AWAY if any(arm.kind.gun for other in here for arm in other.arms) else 0.0)


@remembered(64)
def lanes(setting: Setting, side: str) -> tuple[float, ...]:
    """How likely and how openly the enemies of a side come through each hex on their ways to the goals."""
    ground = setting.ground
    goals, enemies = goal_cells(setting), enemy_cells(setting, side)
    ways = [nearest(ground, cell, goals) + nearest(ground, cell, enemies) for cell in range(ground.places)]
    shortest = min(ways)
    open_to = [1.0 if ground.open[cell] else 0.6 * HINDERED ** ground.tem[cell] for cell in range(ground.places)]
    return tuple(exp((shortest - way) / LANE) * share for way, share in zip(ways, open_to, strict=True))


@remembered(4096)
def fire_from(setting: Setting, side: str, cell: int, far: bool) -> float:
    """How much of the enemy's ways a hex can fire at; `far`: with a Gun."""
    ground, lane = setting.ground, lanes(setting, side)
    row, ranges = ground.los_row(cell), ground.ranges[cell]
    total = 0.0
    for to, share in enumerate(lane):
        reach = ranges[to]
        if 0 < reach <= (FAR_REACH if far else REACH) and row[to] != BLOCKED:
            total += share * HINDERED ** max(row[to], 0) * (1.0 if reach <= REACH else FAR_SHARE)
    return total


def _face(look: Look, turns: Sequence[Any]) -> Action:
    """Turn a Gun to where the enemy comes, and hide it where that is allowed (3.2.4, 6.4)."""
    board = look.board
    gun = board.arms[look.seat.describe(turns[0]).pieces[0]]
    cell = board.men[gun.owner].cell
    row, ranges = board.ground.los_row(cell), board.ground.ranges[cell]
    lane = lanes(board.setting, board.side)

    def seen(action: Any) -> tuple[bool, float]:
        arc = board.ground.grid.covered_arc(board.ground.hex_of(cell), action.facing)
        return action.hip, sum(lane[to] for to in arc if 0 < ranges[to] <= FAR_REACH and row[to] != BLOCKED)

    return max(turns, key=seen)  # type: ignore[no-any-return]
