"""Whom Heat of Battle concerns, and whom it passes by (A15.1)."""

from __future__ import annotations

from sandtable.games.asl.heat.model import BERSERK, HEROIC
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import SquadState, Unit


def heroic(kind: UnitKind, unit: Unit) -> bool:
    """A hero, or a heroic leader (A15.2)."""
    return (kind.smc and kind.fires) or HEROIC in unit.marks


def exempt(state: SquadState, unit: Unit) -> bool:
    """Whether Heat of Battle passes a unit by: crews, heroes, berserk and unarmed units, Dummies (A15.1)."""
    kind = unit_kind(state, unit)
    if kind.crew or not kind.personnel or heroic(kind, unit):
        return True
    return BERSERK in unit.marks or UNARMED in unit.marks
