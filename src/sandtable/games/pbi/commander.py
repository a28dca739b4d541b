"""Step 2: the company commander carries out three things."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Call, Comfort, Done, Rally, Step, Urge
from sandtable.games.pbi.events import CommanderActed
from sandtable.games.pbi.foot import CASUALTY_SCORE, PIN_SCORE_WITH_OFFICER
from sandtable.games.pbi.model import Commander, PbiState, Piece
from sandtable.games.pbi.position import ground_of, pieces_in, room_for_foot, shift, side_in, take_objective

THINGS = 3
"""Three things in a turn are printed (turn-commander); which they are is ours (ruling commander_things)."""


def commander_of(state: PbiState, side: str) -> Piece | None:
    """The company commander of a side, if he is alive and on the table."""
    for piece in state.pieces.values():
        if piece.kind == "commander" and piece.side == side and piece.at:
            return piece
    return None


class CommanderProcedure(Procedure[PbiState, Commander]):
    """Three things: step, rally, comfort, urge or call (turn-commander)."""

    def to_act(self, state: PbiState, frame: Commander) -> tuple[str, ...]:
        return (frame.side,) if frame.left and commander_of(state, frame.side) else ()

    def run(self, play: Play[PbiState], frame: Commander) -> None:
        play.pop()

    def actions(self, state: PbiState, frame: Commander, side: str) -> Sequence[Action]:
        commander = commander_of(state, side)
        assert commander is not None
        g = ground_of(state)
        near = g.near[commander.at]
        actions: list[Action] = [Done()]
        for to in g.steps[commander.at]:
            if to not in state.at or (side_in(state, to) == side and room_for_foot(state, to, 1)):
                actions.append(Step(to))
        units: dict[str, None] = {}
        for square in (commander.at, *g.ahead[commander.at]):
            ids = state.at.get(square)
            if ids is not None and square in near and state.pieces[ids[0]].side == side:
                there = [state.pieces[id] for id in ids]
                if any([piece.pinned for piece in there]):
                    actions.append(Rally(square))
                units.update(dict.fromkeys([piece.unit for piece in there]))
        for id in units:
            unit = state.units[id]
            if unit.casualties:
                actions.append(Comfort(id))
            if unit.kind in ("platoon", "weapons", "guns") and not unit.urged and not unit.silent:
                actions.append(Urge(id))
        if any([unit.off and unit.side == side for unit in state.units.values()]):
            actions.append(Call())
        if state.rules.commander_things == "once each":
            actions = [action for action in actions if type(action).__name__ not in frame.done]
        return actions

    def apply(self, play: Play[PbiState], frame: Commander, side: str, action: Action) -> None:
        state = play.state
        commander = commander_of(state, side)
        assert commander is not None
        if isinstance(action, Done):
            play.pop()
            return
        play.replace(Commander(side, frame.left - 1, (*frame.done, type(action).__name__)))
        at, well = commander.at, True
        match action:
            case Step(to=to):
                state.pieces[commander.id] = replace(commander, moved=commander.moved + 1)
                shift(state, (commander.id,), to)
                take_objective(play, to, side)
                at = to
            case Rally(at=square):
                (face,) = play.roll(6, 1, f"rally, {PIN_SCORE_WITH_OFFICER}+", by=side)
                well, at = face >= PIN_SCORE_WITH_OFFICER, square
                if well:
                    for piece in pieces_in(state, square):
                        if piece.pinned:
                            state.pieces[piece.id] = replace(piece, pinned=False)
            case Comfort(unit=id):
                (face,) = play.roll(6, 1, f"casualty removal, {CASUALTY_SCORE}+", by=side)
                well = face >= CASUALTY_SCORE
                if well:
                    unit = state.units[id]
                    state.units[id] = replace(unit, casualties=unit.casualties - 1)
            case Urge(unit=id):
                state.units[id] = replace(state.units[id], urged=True)
            case _:
                state.hurry[side] = state.hurry.get(side, 0) + 1
        unit_id = action.unit if isinstance(action, (Comfort, Urge)) else ""
        play.emit(CommanderActed(side=side, what=type(action).__name__.lower(), at=at, well=well, unit=unit_id))


PART: Part[PbiState] = Part(procedures={Commander: CommanderProcedure()})
