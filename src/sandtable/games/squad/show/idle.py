"""Optional steps in which a side can do nothing sensible: they may be passed without asking (3.1, 3.2.4, 3.6)."""

from __future__ import annotations

from sandtable.engine.tools import Idle
from sandtable.games.squad.fire.drafting import END, MODES
from sandtable.games.squad.fire.model import AdvancingFirePhase
from sandtable.games.squad.ground.knowledge import unsure_units
from sandtable.games.squad.ground.names import phase_name
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ordnance.model import TurnGuns
from sandtable.games.squad.ordnance.special_weapons import charge_actions
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.ordnance.turning import KEEP
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rally.model import RallyPhase
from sandtable.games.squad.rally.rallying import DONE
from sandtable.games.squad.rout.model import RoutPhase
from sandtable.games.squad.show.standing import candidates


def idle(state: SquadState, side: str) -> Idle | None:
    """The present step, if nothing sensible can be done in it."""
    frame = state.stack[-1]
    if isinstance(frame, RallyPhase) and frame.step == "d":
        return Idle("transfer", "No weapons change hands", DONE)
    if isinstance(frame, TurnGuns):
        return Idle("arcs", "The Guns keep their Covered Arcs", KEEP)
    if isinstance(frame, RoutPhase) and not frame.waiting:
        return Idle("rout", "Nobody has to rout", DONE)
    if type(frame) in MODES and not _can_fire(state, side, frame) and not _more_to_do(state, side, MODES[type(frame)]):
        return Idle("fire", f"{phase_name(state.phase)}: nobody has a target", END)
    return None


def _can_fire(state: SquadState, side: str, frame: object) -> bool:
    """Whether somebody has a known enemy to fire at, or a charge is to go off."""
    if isinstance(frame, AdvancingFirePhase) and charge_actions(state, frame, side):
        return True
    if isinstance(frame, AdvancingFirePhase) and _as_in_prep_fire(state, side):
        return False
    if unsure_units(state, side):
        return True  # who passes at once must not tell that his hidden Guns have no target (6.4)
    firers, shooters = getattr(frame, "firers", ()), getattr(frame, "shooters", ())
    return any(each.targets for each in candidates(state, side, firers, shooters, MODES[type(frame)]))  # type: ignore[index]


def _more_to_do(state: SquadState, side: str, mode: str) -> bool:
    """Whether parts offer something else than fire: a unit may dig, or wait for a target that will show itself."""
    return any([stays(state, side, mode) for stays in setting_of(state).points.stays])


def _as_in_prep_fire(state: SquadState, side: str) -> bool:
    """Whether all is as it was when the side held its Prep Fire: the same shots, now with half FP (3.5).

    Where there are Guns a hidden one may have shown itself meanwhile.
    """
    moved = any(unit.moved for unit in state.units.values() if unit.side == side)
    return not moved and not setting_of(state).rules.of(OrdnanceRules).ordnance
