"""The ENEMY's choice in every frame that asks it: which chapter decides, and what is done where none does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine import Action, Frame, Play
from sandtable.games.asl.concealment.model import EndSearch, KeepConcealed
from sandtable.games.asl.deploying.model import EndReforming, Reforming
from sandtable.games.asl.leaving.model import Leaving, Withdrawing
from sandtable.games.asl.prisoners.model import StayCaptive
from sandtable.games.asl.snipers.model import LetSniperGo, Snipe, SnipeUnits
from sandtable.games.asl.terrain.claims import DONE, ClaimWall, WallChoice
from sandtable.games.sasl.enemy import breaking_off, closing, firing, marching, orders
from sandtable.games.squad.combat.model import AdvanceDraft, AdvancePhase, CloseCombatPhase, Combat
from sandtable.games.squad.fire.model import AdvancingFirePhase, DefensiveFirePhase, FireDraft, PrepFirePhase
from sandtable.games.squad.movement.model import Move, MovementPhase, Pass, Reaction, StackDraft, Stop
from sandtable.games.squad.ordnance.model import KeepArcs, OrdnanceDraft
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rally.model import RallyPhase
from sandtable.games.squad.rout.model import EndRout, LetGo, Rout, RoutPhase

Decider = Callable[[Play[SquadState], Any, Sequence[Action]], Action]


def _claim(play: Play[SquadState], frame: WallChoice, legal: Sequence[Action]) -> Action:
    """Wall Advantage is claimed wherever it may be (B9.322)."""
    return next((action for action in legal if isinstance(action, ClaimWall)), DONE)


DECIDERS: dict[type[Frame], Decider] = {
    Reforming: closing.reform,
    RallyPhase: closing.rally,
    PrepFirePhase: lambda play, frame, legal: orders.prep(play, legal),
    DefensiveFirePhase: lambda play, frame, legal: orders.fire_phase(play, legal, "final"),
    AdvancingFirePhase: lambda play, frame, legal: orders.fire_phase(play, legal, "advancing"),
    FireDraft: firing.draft,
    OrdnanceDraft: firing.shot,
    Reaction: firing.react,
    MovementPhase: lambda play, frame, legal: marching.movement(play, legal),
    StackDraft: marching.drafting,
    Move: marching.going,
    RoutPhase: closing.rout_phase,
    Rout: closing.rout,
    AdvancePhase: lambda play, frame, legal: closing.advance(play, legal),
    AdvanceDraft: closing.advance_draft,
    CloseCombatPhase: lambda play, frame, legal: closing.combat_order(play, legal),
    Combat: closing.combat,
    Withdrawing: breaking_off.declare,
    Leaving: breaking_off.leave,
    WallChoice: _claim,
}
PASSING = (
    KeepConcealed(),
    EndSearch(),
    EndReforming(),
    Snipe(),
    SnipeUnits(),
    LetSniperGo(),
    StayCaptive(),
    Done(),
    EndPhase(),
    Pass(),
    Stop(),
    KeepArcs(),
    LetGo(),
    EndRout(),
)
"""What lets a moment go by."""


def decide(play: Play[SquadState], frame: Frame, legal: Sequence[Action]) -> Action:
    """The ENEMY's choice from what is legal."""
    decider = DECIDERS.get(type(frame))
    if decider is not None:
        action = decider(play, frame, legal)
        if action in legal:
            return action
    return next((action for action in PASSING if action in legal), legal[0])
