"""How good a mission looks to the FRIENDLY side, from the VP that stand on the roster (S12.6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sandtable.games.sasl.model import FRIENDLY
from sandtable.players.sasl_sheet import lead, roster

LEAD = 8.0
"""VP by which a lead is all but safe."""


def worth(view: Mapping[str, Any], side: str) -> float:
    """Chance of winning as it looks, 0 to 1, by the VP of both sides if the mission ended now."""
    outcome = view.get("outcome")
    if outcome:
        winner = outcome.get("winner", "")
        return 1.0 if winner == side else 0.0 if winner else 0.5
    chance = 1 / (1 + math.exp(-lead(roster(view)) / LEAD))
    return chance if side == FRIENDLY else 1 - chance
