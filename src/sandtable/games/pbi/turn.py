"""A turn in its twelve printed steps, and units one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import (
    Activate,
    Arrive,
    Done,
    Drive,
    Man,
    Motivate,
    MoveTogether,
    Promote,
)
from sandtable.games.pbi.artillery import smoke_step
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.commander import THINGS
from sandtable.games.pbi.events import (
    Arrived,
    CountedDown,
    NewOfficer,
    OfficerSought,
    Recovered,
    ReinforcementRolled,
    TurnBegan,
)
from sandtable.games.pbi.foot import roll_points
from sandtable.games.pbi.model import (
    Activation,
    Arrival,
    Assets,
    Commander,
    PbiState,
    Piece,
    Promotion,
    Turn,
    Units,
)
from sandtable.games.pbi.morale import morale_step
from sandtable.games.pbi.motivation import try_motivation
from sandtable.games.pbi.position import (
    ground_of,
    hold_objective,
    one_of_each,
    put,
    room_for_foot,
    room_for_vehicles,
    side_in,
    unit_pieces,
)
from sandtable.games.pbi.reaction import open_opportunity
from sandtable.games.pbi.table import ATTACKER, DEFENDER, FORWARD, OTHER
from sandtable.games.pbi.vehicles import roll_group_points, roll_vehicle_points
from sandtable.games.pbi.victory import final_outcome, judge

RECOVERY = {"veteran": 3, "average": 4, "raw": 5}
"""Immobilised vehicles recover on this or more (shooting-effect)."""
ARRIVED_MOVED = 2
"""An arrival counts as a move of two squares (shooting-hit)."""


class TurnProcedure(Procedure[PbiState, Turn]):
    """The turn sequence, step by step (turn-sequence)."""

    def run(self, play: Play[PbiState], frame: Turn) -> None:
        state = play.state
        side = frame.side
        step = frame.step + 1
        if frame.step == 12:
            self._next_turn(play, frame)
            return
        play.replace(Turn(side, step))
        match step:
            case 1:
                begin_turn(play, side)
                if state.assets.get(side):
                    play.push(Assets(side))
            case 2:
                play.push(Commander(side, THINGS))
            case 3:
                morale_step(play, side)
                judge(state)
            case 5:
                play.push(Units(side))
            case 8:
                smoke_step(play, side)
            case 9:
                reinforcement_step(play, side)
            case 11:
                judge(state, turn_ends=True)
                if side == DEFENDER and state.outcome is None:
                    countdown_step(play)
            case 12:
                recovery_step(play, side)
                end_turn(state, side)
            case _:
                pass  # 4, 6, 7 and 10 happen inside the others

    def _next_turn(self, play: Play[PbiState], frame: Turn) -> None:
        state = play.state
        first = ATTACKER if state.rules.first_turn == "attacker" else DEFENDER
        if frame.side != first:
            state.turn += 1
        play.replace(Turn(OTHER[frame.side]))


def begin_turn(play: Play[PbiState], side: str) -> None:
    """What a new turn makes good: own action points and the enemy's reactions."""
    state = play.state
    play.emit(TurnBegan(side=side, turn=state.turn))
    state.bombed.clear()
    pieces = state.pieces
    for piece in list(pieces.values()):
        if piece.side == side:
            if piece.moved or piece.shots or piece.special or piece.weapon or piece.acted or piece.ap:
                pieces[piece.id] = replace(piece, ap=0, shots=0, special=0, weapon="", acted=False, moved=0)
        elif piece.reacted:
            pieces[piece.id] = replace(piece, reacted=False)


def end_turn(state: PbiState, side: str) -> None:
    """Units are ready again, and what was said for this turn is over."""
    state.hurry.pop(side, None)
    for unit in list(state.units.values()):
        if unit.side == side and (unit.done or unit.silent or unit.urged):
            state.units[unit.id] = replace(unit, done=False, silent=False, urged=False)


# -- steps 5 to 7: units ------------------------------------------------------------------------


class UnitsProcedure(Procedure[PbiState, Units]):
    """Steps 5 and 7: a unit, then the next (turn-units); step 6 for those passed over (ruling officer_roll)."""

    def to_act(self, state: PbiState, frame: Units) -> tuple[str, ...]:
        side = frame.side
        for unit in state.units.values():
            if unit.side == side and not (unit.done or unit.gone or unit.off or unit.kind == "command"):
                return (side,)
        return ()

    def run(self, play: Play[PbiState], frame: Units) -> None:
        play.pop()

    def actions(self, state: PbiState, frame: Units, side: str) -> Sequence[Action]:
        found: list[Action] = [
            Activate(unit.id)
            for unit in state.units.values()
            if unit.side == side and not (unit.done or unit.gone or unit.off or unit.kind == "command")
        ]
        found.append(Done())
        return found

    def apply(self, play: Play[PbiState], frame: Units, side: str, action: Activate | Done) -> None:
        state = play.state
        if isinstance(action, Done):
            play.pop()
            if state.rules.officer_roll == "every unit":
                for id in [each.unit for each in self.actions(state, frame, side) if isinstance(each, Activate)]:
                    seek_officer(play, id)
            return
        state.units[action.unit] = replace(state.units[action.unit], done=True)
        play.push(Activation(action.unit))


class ActivationProcedure(Procedure[PbiState, Activation]):
    """A unit's groups, guns and vehicles, in the order its owner likes (turn-units)."""

    def _waiting(self, state: PbiState, unit: str) -> list[Piece]:
        return [piece for piece in state.pieces.values() if piece.unit == unit and not piece.acted and piece.at]

    def to_act(self, state: PbiState, frame: Activation) -> tuple[str, ...]:
        return tuple([piece.side for piece in self._waiting(state, frame.unit)[:1]])

    def run(self, play: Play[PbiState], frame: Activation) -> None:
        play.pop()
        seek_officer(play, frame.unit)

    def actions(self, state: PbiState, frame: Activation, side: str) -> Sequence[Action]:
        found: list[Action] = [Done()]
        foot: dict[str, None] = {}
        together: dict[str, int] = {}
        for piece in self._waiting(state, frame.unit):
            kind = KINDS[piece.kind]
            if kind.foot:
                foot[piece.within or piece.at] = None
            elif kind.form == "gun":
                found.append(Man(piece.id))
            else:
                found.append(Drive(piece.id))
                if not piece.immobile:
                    together[piece.at] = together.get(piece.at, 0) + 1
        found += [Motivate(at) for at in foot]
        if state.rules.group_reroll == "group move":
            found += [MoveTogether(at) for at, number in together.items() if number > 1]
        return found

    def apply(self, play: Play[PbiState], frame: Activation, side: str, action: Action) -> None:
        state = play.state
        waiting = self._waiting(state, frame.unit)
        match action:
            case Motivate(at=at):
                group = [piece for piece in waiting if (piece.within or piece.at) == at and KINDS[piece.kind].foot]
                self._motivate(play, frame, group)
            case Man(piece=id):
                gun = state.pieces[id]
                if gun.within or try_motivation(play, state.units[frame.unit], gun.at):
                    roll_vehicle_points(play, gun)
                else:
                    state.pieces[id] = replace(gun, acted=True)
            case Drive(piece=id):
                roll_vehicle_points(play, state.pieces[id])
            case MoveTogether(at=at):
                roll_group_points(
                    play,
                    [p for p in waiting if p.at == at and KINDS[p.kind].vehicle and not p.immobile],
                )
            case _:
                for piece in waiting:
                    state.pieces[piece.id] = replace(piece, acted=True)

    def _motivate(self, play: Play[PbiState], frame: Activation, group: list[Piece]) -> None:
        state = play.state
        unit = state.units[frame.unit]
        square = group[0].at
        if try_motivation(play, unit, square):
            roll_points(play, unit, square, group, residual=False)
        elif state.rules.motivation_failed == "residual" and not unit.silent:
            roll_points(play, unit, square, group, residual=True)
        else:
            for piece in group:
                state.pieces[piece.id] = replace(piece, acted=True)


# -- step 6: officers ---------------------------------------------------------------------------


def seek_officer(play: Play[PbiState], unit_id: str) -> None:
    """Step 6: a unit without its officer rolls for a new one (turn-new-officer)."""
    state = play.state
    unit = state.units[unit_id]
    if unit.gone or unit.officer != "dead":
        return
    score = int(state.rules.new_officer)
    (face,) = play.roll(6, 1, f"new officer, {score}+", by=unit.side)
    well = face >= score and bool(_candidates(state, unit_id))
    play.emit(OfficerSought(unit=unit_id, well=well))
    if well:
        play.push(Promotion(unit_id))


def _candidates(state: PbiState, unit: str) -> list[Piece]:
    return [piece for piece in unit_pieces(state, unit) if KINDS[piece.kind].foot]


class PromotionProcedure(Procedure[PbiState, Promotion]):
    """The owner chooses the base that takes command (turn-new-officer)."""

    def to_act(self, state: PbiState, frame: Promotion) -> tuple[str, ...]:
        return (state.units[frame.unit].side,)

    def actions(self, state: PbiState, frame: Promotion, side: str) -> Sequence[Action]:
        found: dict[tuple[str, str], Piece] = {}
        for piece in one_of_each(_candidates(state, frame.unit)):
            found.setdefault((piece.at, piece.kind), piece)
        for piece in _candidates(state, frame.unit):
            found.setdefault((piece.at, piece.kind), piece)
        return [Promote(piece.id) for piece in found.values()]

    def apply(self, play: Play[PbiState], frame: Promotion, side: str, action: Promote) -> None:
        state = play.state
        piece = state.pieces[action.piece]
        state.pieces[piece.id] = replace(piece, officer=True)
        state.units[frame.unit] = replace(state.units[frame.unit], officer="alive")
        play.emit(NewOfficer(unit=frame.unit, piece=piece.id, at=piece.at))
        play.pop()


# -- steps 9 and 10: reinforcements ---------------------------------------------------------------


def reinforcement_step(play: Play[PbiState], side: str) -> None:
    """Step 9, not in the first turn: each unit off the table rolls (turn-reinforcements)."""
    state = play.state
    if state.turn == 1:
        return
    score = int(state.rules.reinforcement) - state.hurry.get(side, 0)
    arriving = []
    for unit in state.units.values():
        if unit.off and not unit.gone and unit.side == side:
            (face,) = play.roll(6, 1, f"reinforcement, {score}+", by=side)
            play.emit(ReinforcementRolled(unit=unit.id, well=face >= score))
            if face >= score:
                arriving.append(unit.id)
    for id in reversed(arriving):
        play.push(Arrival(id))


class ArrivalProcedure(Procedure[PbiState, Arrival]):
    """Step 10: arrivals and deviations (turn-arrivals)."""

    def to_act(self, state: PbiState, frame: Arrival) -> tuple[str, ...]:
        return (state.units[frame.unit].side,) if self._entries(state, frame) else ()

    def run(self, play: Play[PbiState], frame: Arrival) -> None:
        play.pop()  # the whole edge is held by the enemy or full: the unit rolls again next turn

    def _entries(self, state: PbiState, frame: Arrival) -> list[str]:
        side = state.units[frame.unit].side
        return [square for square in ground_of(state).edge[side] if side_in(state, square) in ("", side)]

    def actions(self, state: PbiState, frame: Arrival, side: str) -> Sequence[Action]:
        return [Arrive(square) for square in self._entries(state, frame)]

    def apply(self, play: Play[PbiState], frame: Arrival, side: str, action: Arrive) -> None:
        state = play.state
        play.pop()
        square = arrival_square(play, side, action.at)
        enter(state, frame.unit, square)
        state.units[frame.unit] = replace(state.units[frame.unit], off=False)
        play.emit(Arrived(unit=frame.unit, at=square))
        for at in dict.fromkeys([piece.at for piece in unit_pieces(state, frame.unit)]):
            hold_objective(play, at)
            open_opportunity(play, at)


def arrival_square(play: Play[PbiState], side: str, square: str) -> str:
    """One die: an arrival may deviate to the left or right (turn-arrivals, ruling arrival_deviation)."""
    state = play.state
    ruling = state.rules.arrival_deviation
    if ruling == "none":
        return square
    (face,) = play.roll(6, 1, "arrival deviation", by=side)
    left, right = ((1,), (6,)) if ruling == "1 and 6" else ((1, 2), (5, 6))
    edge = ground_of(state).edge[side]
    place = edge.index(square) + (-1 if face in left else 1 if face in right else 0)
    if 0 <= place < len(edge) and side_in(state, edge[place]) in ("", side):
        return edge[place]
    return square


def enter(state: PbiState, unit: str, square: str) -> None:
    """The unit comes on: so many bases in a square, the rest beside it along the edge (ruling arrival_group)."""
    dense = int(state.rules.arrival_group)
    side = state.units[unit].side
    edge = ground_of(state).edge[side]
    centre = edge.index(square)
    order = sorted(range(len(edge)), key=lambda place: (abs(place - centre), place))
    squares = [edge[place] for place in order if side_in(state, edge[place]) in ("", side)]
    facing = FORWARD[side]
    crowd: dict[str, int] = {}
    pieces = [piece for piece in unit_pieces(state, unit) if not piece.within]
    for piece in pieces:
        vehicle = KINDS[piece.kind].vehicle
        room = room_for_vehicles if vehicle else room_for_foot
        free = [at for at in squares if room(state, at, 1)]
        best = next((at for at in free if vehicle or crowd.get(at, 0) < dense), None)
        at = best or (free[0] if free else square)
        if not vehicle:
            crowd[at] = crowd.get(at, 0) + 1
        put(state, replace(piece, facing=facing, moved=ARRIVED_MOVED), at)
        for load in state.cargo.get(piece.id, ()):
            state.pieces[load] = replace(state.pieces[load], at=at, moved=ARRIVED_MOVED)


# -- steps 11 and 12 ------------------------------------------------------------------------------


def countdown_step(play: Play[PbiState]) -> None:
    """Step 11, in the defender's turn only: one die less on the clock (turn-countdown)."""
    state = play.state
    (face,) = play.roll(6, 1, "countdown", by=DEFENDER)
    state.countdown = max(0, state.countdown - face)
    play.emit(CountedDown(left=state.countdown))
    if not state.countdown:
        state.outcome = final_outcome(state, "The time is up")


def recovery_step(play: Play[PbiState], side: str) -> None:
    """Step 12: immobilised vehicles try to recover (turn-recovery, shooting-effect)."""
    state = play.state
    for piece in [piece for piece in state.pieces.values() if piece.immobile and piece.side == side]:
        score = RECOVERY[state.units[piece.unit].quality]
        (face,) = play.roll(6, 1, f"recovery, {score}+", by=side)
        if face >= score:
            state.pieces[piece.id] = replace(piece, immobile=False)
        play.emit(Recovered(piece=piece.id, at=piece.at, well=face >= score))


PART: Part[PbiState] = Part(
    procedures={
        Turn: TurnProcedure(),
        Units: UnitsProcedure(),
        Activation: ActivationProcedure(),
        Promotion: PromotionProcedure(),
        Arrival: ArrivalProcedure(),
    }
)
