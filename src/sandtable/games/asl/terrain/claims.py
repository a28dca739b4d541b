"""Claiming and giving up Wall Advantage, and being asked for it (B9.322, B9.323)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Event, Frame, Play, Procedure
from sandtable.engine.view import Description, MarkView, PanelView, RowView
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.terrain.walls import (
    HELD,
    LEFT,
    barred,
    holders,
    holds,
    may_claim,
    may_leave,
    own_walls,
    settle_claims,
)
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import MovementPhase
from sandtable.games.squad.part import Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.marker_faces import tag
from sandtable.games.squad.show.palette import PAPER

FACE = "marker/wall-advantage"


class ClaimWall(Action, frozen=True):
    """Claim Wall Advantage in a hex."""

    at: int


class LeaveWall(Action, frozen=True):
    """Give up Wall Advantage in a hex."""

    at: int


class WallsDone(Action, frozen=True):
    """Claim no more."""


class WallAdvantage(Event, frozen=True):
    """Wall Advantage of a hex was claimed or given up."""

    side: str
    at: str
    held: bool


class WallChoice(Frame, frozen=True):
    """A side is asked for Wall Advantage at the end of the RPh; the ATTACKER first (B9.322)."""

    side: str


DONE = WallsDone()


def choices(state: SquadState, side: str) -> list[Action]:
    """What a side may claim or give up now."""
    if not setting_of(state).rules.of(TerrainRules).wall_advantage:
        return []
    cells = own_walls(state, side)
    found: list[Action] = [ClaimWall(cell) for cell in cells if may_claim(state, cell, side)]
    return found + [LeaveWall(cell) for cell in cells if may_leave(state, cell, side)]


def _offered(state: SquadState, frame: Frame, side: str) -> Sequence[Action]:
    return choices(state, side) if side == state.attacker else ()


def _claim(play: Play[SquadState], frame: Frame, side: str, action: ClaimWall) -> None:
    settle_claims(play)
    HELD.of(play.state)[action.at] = side
    play.emit(WallAdvantage(side=side, at=name_of(play.state, action.at), held=True))


def _leave(play: Play[SquadState], frame: Frame, side: str, action: LeaveWall) -> None:
    HELD.of(play.state).pop(action.at, None)
    LEFT.put(play.state, (*LEFT.of(play.state), action.at))
    play.emit(WallAdvantage(side=side, at=name_of(play.state, action.at), held=False))


class Claiming(Procedure[SquadState, WallChoice]):
    """One side after the other claims as it likes (B9.322)."""

    def to_act(self, state: SquadState, frame: WallChoice) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: SquadState, frame: WallChoice, side: str) -> Sequence[Action]:
        return [*choices(state, side), DONE]

    def apply(self, play: Play[SquadState], frame: WallChoice, side: str, action: Action) -> None:
        if isinstance(action, ClaimWall):
            _claim(play, frame, side, action)
        elif isinstance(action, LeaveWall):
            _leave(play, frame, side, action)
        else:
            play.pop()
            other = setting_of(play.state).others[side]
            if side == play.state.attacker and choices(play.state, other):
                play.push(WallChoice(other))


def _ask(play: Play[SquadState]) -> None:
    """At the end of the RPh both sides may claim, if the game asks them (ruling T-2)."""
    state = play.state
    settle_claims(play)
    if not setting_of(state).rules.of(TerrainRules).wall_claims_asked:
        return
    for side in (state.attacker, setting_of(state).others[state.attacker]):
        if choices(state, side):
            play.push(WallChoice(side))
            return


def _describe_claim(state: SquadState, side: str, action: ClaimWall) -> Description:
    where = name_of(state, action.at)
    units = tuple(unit.id for unit in holders(state, action.at, side))
    return Description(f"Claim Wall Advantage in {where}", "wall", units, (where,), rule="B9.322")


def _describe_leave(state: SquadState, side: str, action: LeaveWall) -> Description:
    where = name_of(state, action.at)
    units = tuple(unit.id for unit in holders(state, action.at, side))
    return Description(f"Give up Wall Advantage in {where}", "wall", units, (where,), rule="B9.322")


def _why_not_claim(state: SquadState, side: str, action: ClaimWall) -> tuple[str, str] | None:
    if action in choices(state, side):
        return None
    if action.at not in own_walls(state, side):
        return "Wall Advantage is claimed where your units are behind a wall or hedge", "B9.32"
    where = name_of(state, action.at)
    if holds(state, action.at, side):
        return f"Wall Advantage is already held in {where}", "B9.32"
    if action.at in LEFT.of(state):
        return f"Wall Advantage in {where} was given up in this phase", "B9.322"
    if barred(state, action.at, side):
        return f"An enemy adjacent to {where} holds Wall Advantage over their common hexside", "B9.321"
    return f"No unit in {where} can claim it: broken, pinned, entrenched and mixed units cannot", "B9.32"


def _why_not_leave(state: SquadState, side: str, action: LeaveWall) -> tuple[str, str] | None:
    if action in choices(state, side):
        return None
    if not holds(state, action.at, side):
        return "Wall Advantage is not held there", "B9.32"
    return "Units that are pinned or TI, or have no TEM of their hex, keep Wall Advantage", "B9.323"


def _words(state: SquadState, event: WallAdvantage) -> str:
    title = setting_of(state).titles[event.side]
    return f"{title} {'claims' if event.held else 'gives up'} Wall Advantage in {event.at}"


def _shows(state: SquadState, side: str | None) -> Shown:
    marks = []
    for own in setting_of(state).sides:
        for cell in own_walls(state, own):
            if holds(state, cell, own):
                marks.append(MarkView(name_of(state, cell), FACE, "Wall Advantage", own))
    rows = (RowView("Upper storeys of buildings are not in play yet", "ground level only", "T-1"),)
    panels: tuple[PanelView, ...] = ()
    if setting_of(state).rules.of(TerrainRules).storeys_absent:
        panels = (PanelView("terrain", "Terrain", rows),)
    return Shown(marks=tuple(marks), panels=panels)


MOMENTS = ("RPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")

PART = Part(
    fields=(HELD, LEFT),
    procedures={WallChoice: Claiming()},
    offers={MovementPhase: _offered, AdvancePhase: _offered},
    does={ClaimWall: _claim, LeaveWall: _leave},
    begins={"PFPh": _ask, **dict.fromkeys(MOMENTS, settle_claims)},
    describe={
        ClaimWall: _describe_claim,
        LeaveWall: _describe_leave,
        WallsDone: lambda state, side, action: Description("Claim nothing more", "done", key="Enter", rule="B9.322"),
    },
    why_not={ClaimWall: _why_not_claim, LeaveWall: _why_not_leave},
    words={WallAdvantage: _words},
    prompts={WallChoice: lambda state, frame: ("Claim or give up Wall Advantage, or go on", "B9.322")},
    faces={FACE: Look(tag("WA", PAPER, "#4d5b39"), "Wall Advantage", "The hexsides cover, the hex does not", "B9.32")},
    shows=_shows,
)
