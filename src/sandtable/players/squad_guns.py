"""The Covered Arcs of the regular's Guns at the end of a fire phase (3.2.4, 6.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine import Action
from sandtable.players.squad_men import Arm
from sandtable.players.squad_setup import FAR_REACH, lanes

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look, Regular

BETTER = 0.6
"""What more than the present arc another one must promise: the enemy may go elsewhere."""
EXPECTED = 0.03
"""What a hex on the enemy's way is worth beside a squad that stands there."""


def turn(player: Regular, look: Look) -> Action | None:
    """Turn Guns to where the enemies are; who is hidden stays so."""
    options = look.all("TurnGun")
    if not options:
        return None
    board = look.board
    best: tuple[float, Action] | None = None
    for action in options:
        gun = board.arms.get(action.weapon)
        owner = board.men.get(gun.owner) if gun is not None else None
        if gun is None or owner is None or (owner.hip and "KeepArcs" in look.by_kind):
            continue
        gain = _promise(look, gun, owner.cell, action.facing)
        if "KeepArcs" in look.by_kind:
            gain -= BETTER + (_promise(look, gun, owner.cell, gun.facing) if gun.facing is not None else 0.0)
            if gain <= 0 or gun.acquired:
                continue
        if best is None or gain > best[0]:
            best = (gain, action)
    if best is None:
        return None
    player.explanation = f"{look.seat.describe(best[1]).text}: more enemies there"
    return best[1]


def _promise(look: Look, gun: Arm, cell: int, facing: int) -> float:
    """The enemies in an arc who can be seen, by how well they can be hit, and the ways on which more may come."""
    board, fields = look.board, look.value.fields
    lane = lanes(board.setting, board.side)
    ranges = board.ground.ranges[cell]
    total = 0.0
    for to in board.ground.grid.covered_arc(board.ground.hex_of(cell), facing):
        if not 0 < ranges[to] <= FAR_REACH:
            continue
        foes = [man for man in board.foes.get(to, ()) if not man.broken]
        if not foes and lane[to] < EXPECTED:
            continue
        drm = fields.drm(cell, to)
        if drm is not None:
            total += sum(man.size for man in foes) * 0.75 ** max(drm, 0) + EXPECTED * lane[to]
    return total
