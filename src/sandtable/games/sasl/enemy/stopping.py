"""Where a Move Command of A4a or A4b ends: the kind of Location, and whom it must see (S9.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import FRIENDLY, OBJECTIVES
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit


def stops(state: SquadState, stop: str, here: int, units: Sequence[Unit]) -> bool:
    """Whether a stop of a Move Command is reached: the kind of Location, and whom it must see."""
    where, _, sight = stop.partition(" with a ")
    return _place(state, where, here) and _sight(state, sight, here, units)


def _place(state: SquadState, where: str, here: int) -> bool:
    ground = setting_of(state).ground
    if where == "VPO":
        return facts.in_objective(state, here)
    if where.startswith("VPO that"):
        ours = [one for one in OBJECTIVES.of(state).values() if ground.floor_of(here) in one.cells]
        return any(one.was_friendly or FRIENDLY in one.owners for one in ours)
    if where == "building":
        return ground.in_building[here]
    if where == "positive TEM":
        return facts.tem_at(state, here) > 0
    return facts.tem_at(state, here) >= (2 if "+2" in where else 1)


def _sight(state: SquadState, sight: str, here: int, units: Sequence[Unit]) -> bool:
    if not sight:
        return True
    if "in LOS" in sight:
        return bool(facts.known(state, facts.seen_from(state, here)))
    targets = facts.targets_from(state, here, units)
    if "Known" in sight:
        targets = facts.known(state, targets)
    if "Good Order" in sight:
        targets = [unit for unit in targets if unit.good_order]
    return bool(targets)
