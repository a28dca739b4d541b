"""How the ENEMY's ordnance hits most easily: Target Type, ammunition, and how hard a Location is to hit (A3d)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.sasl.model import ENEMY
from sandtable.games.squad.ordnance.model import OrdnanceDraft, Shoot
from sandtable.games.squad.ordnance.shooting import shot_of
from sandtable.games.squad.ordnance.shots import ammunition, shots_of
from sandtable.games.squad.ordnance.tohit import ATT, ITT, SMOKES, to_hit
from sandtable.games.squad.pieces.model import SquadState


def hard_to_hit(state: SquadState, name: str, target: int, mode: str, *, area: bool) -> int:
    """What is added to the To Hit DR less the To Hit number, for the easiest unit there: the least is easiest (A3d)."""
    draft = OrdnanceDraft(ENEMY, mode, name, target=target)
    shots = [one for one in shots_of(state, draft) if one.ammo not in SMOKES]
    if not shots:
        return HARDEST
    hit = to_hit(state, shot_of(draft, best_shot(shots, area=area)))
    return min([aimed.drm for aimed in hit.targets], default=int(hit.hex.total)) - hit.number.number


HARDEST = 99
"""A Location that cannot be hit."""


def fires_area(state: SquadState, name: str, target: int, mode: str) -> bool:
    """Whether ordnance may use the Area Target Type: mortars, and Guns with HE; AP and HEAT may not (C3.33)."""
    return any(
        kind == ATT and ammo not in SMOKES for kind, ammo in ammunition(state, state.weapons[name], target, mode)
    )


def best_shot(shots: Sequence[Shoot], *, area: bool) -> Shoot:
    """The shot of the Target Type that is called for where there is one, with HE where there is any (A3d)."""
    wanted = ATT if area else ITT

    def value(action: Shoot) -> tuple[bool, bool, bool, bool]:
        return (action.target_type != wanted, action.ammo != "HE", action.forgo, action.backblast == "suffered")

    return min(shots, key=value)
