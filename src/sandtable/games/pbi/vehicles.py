"""Vehicles and towed guns: their action points and what these buy."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import (
    Aim,
    Assault,
    Deploy,
    Disembark,
    Done,
    Face,
    Flame,
    Forward,
    Keep,
    Pack,
    Reroll,
    Reverse,
    Shell,
    Shoot,
    Unpin,
)
from sandtable.games.pbi.assault import ASSAULT_COST, begin_assault
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.events import Alighted, Faced, Moved, PointsRolled, SetOut
from sandtable.games.pbi.foot import enemies_in_sight, pay, unpin
from sandtable.games.pbi.guns import aim, flame, flame_actions, shell, square_of
from sandtable.games.pbi.model import Driving, PbiState, Piece, Rerolling, Unit
from sandtable.games.pbi.position import (
    TOWED_GUN_PLACES,
    ground_of,
    load,
    places_used,
    room_for_foot,
    room_for_vehicles,
    send_home,
    shift,
    side_in,
    take_objective,
    unload,
)
from sandtable.games.pbi.reaction import gun_bears, open_opportunity, open_return
from sandtable.games.pbi.saves import can_be_shot, is_soft
from sandtable.games.pbi.smallarms import MAX_SHOTS, can_use_small_arms, flame_cost, volley
from sandtable.games.pbi.table import Ground

RESIDUAL = 2
LEAVE_OPEN, LEAVE_PARTIAL, LEAVE_DIFFICULT = 1, 2, 5
REVERSE_EXTRA = 1
MG_COST, GUN_COST = 1, 4
VEHICLE_FLAMES = 2
DEPLOY_COST = 6
DISEMBARK_COST = 5


def points_tally(unit: Unit, piece: Piece) -> Tally:
    """What is added to 2D6 (vehicle-ap-roll)."""
    return Tally.of(
        "Action points",
        [
            ("veteran", 2 if unit.quality == "veteran" else 0, "vehicle-ap-roll"),
            ("raw", -2 if unit.quality == "raw" else 0, "vehicle-ap-roll"),
            ("pinned deployed towed gun", -4 if piece.pinned and piece.deployed else 0, "vehicle-ap-roll"),
        ],
    )


def _rolled(play: Play[PbiState], unit: Unit, piece: Piece) -> int:
    """2D6 with modifiers, never below 2 (vehicle-ap-roll)."""
    tally = points_tally(unit, piece)
    faces = play.roll(6, 2, "action points", by=unit.side, tally=tally)
    return max(RESIDUAL, sum(faces) + int(tally.total))


def roll_vehicle_points(play: Play[PbiState], piece: Piece) -> None:
    """A vehicle or gun gets its action points and acts."""
    state = play.state
    points = _rolled(play, state.units[piece.unit], piece)
    state.pieces[piece.id] = replace(piece, ap=points, acted=True)
    play.emit(PointsRolled(unit=piece.unit, at=piece.at, ap=points))
    play.push(Driving((piece.id,)))


def roll_group_points(play: Play[PbiState], vehicles: Sequence[Piece]) -> None:
    """One roll for a group that only moves, and the choice to roll it again (odds-vehicle-group)."""
    state = play.state
    points = _rolled(play, state.units[vehicles[0].unit], vehicles[0])
    play.push(Rerolling(tuple([piece.id for piece in vehicles]), points))


class RerollingProcedure(Procedure[PbiState, Rerolling]):
    """A vehicle group may re-roll its action points (odds-vehicle-group)."""

    def to_act(self, state: PbiState, frame: Rerolling) -> tuple[str, ...]:
        return (state.pieces[frame.pieces[0]].side,)

    def actions(self, state: PbiState, frame: Rerolling, side: str) -> Sequence[Action]:
        return [Keep(), Reroll()]

    def apply(self, play: Play[PbiState], frame: Rerolling, side: str, action: Keep | Reroll) -> None:
        state = play.state
        first = state.pieces[frame.pieces[0]]
        points = frame.ap
        if isinstance(action, Reroll):
            points = _rolled(play, state.units[first.unit], first)
        for id in frame.pieces:
            state.pieces[id] = replace(state.pieces[id], ap=points, acted=True)
        play.emit(PointsRolled(unit=first.unit, at=first.at, ap=points))
        play.replace(Driving(frame.pieces, only_move=True))


def leave_cost(g: Ground, square: str) -> int:
    """What leaving a square costs a vehicle (vehicle-ap-cost-leave)."""
    if square in g.difficult:
        return LEAVE_DIFFICULT
    return LEAVE_PARTIAL if square in g.partial else LEAVE_OPEN


def tower_for(state: PbiState, gun: Piece) -> Piece | None:
    """A transport in the gun's square with room to tow it."""
    pieces = state.pieces
    for id in state.at.get(gun.at, ()):
        kind = KINDS[pieces[id].kind]
        hooked = [load for load in state.cargo.get(id, ()) if KINDS[pieces[load].kind].form == "gun"]
        wanted = TOWED_GUN_PLACES if state.rules.towing == "two" else 0
        if kind.transport and not hooked and kind.carry - places_used(state, id) >= wanted:
            return pieces[id]
    return None


def disembark_room(state: PbiState, vehicle: Piece) -> list[Piece]:
    """The foot on a vehicle, if its square has room for them."""
    foot = [state.pieces[id] for id in state.cargo.get(vehicle.id, ()) if KINDS[state.pieces[id].kind].foot]
    return foot if foot and room_for_foot(state, vehicle.at, len(foot)) else []


class DrivingProcedure(Procedure[PbiState, Driving]):
    """A vehicle or gun spends its action points (Using Action Points)."""

    def to_act(self, state: PbiState, frame: Driving) -> tuple[str, ...]:
        piece = state.pieces.get(frame.pieces[0])
        return (piece.side,) if piece is not None and piece.ap > 0 else ()

    def run(self, play: Play[PbiState], frame: Driving) -> None:
        if len(frame.pieces) > 1:
            play.replace(Driving(frame.pieces[1:], frame.only_move))
        else:
            play.pop()

    # -- what is legal ------------------------------------------------------------------

    def actions(self, state: PbiState, frame: Driving, side: str) -> Sequence[Action]:
        """Driving, turning, assaulting what is in front, letting men out and shooting (vehicle-ap-cost-assault)."""
        piece = state.pieces[frame.pieces[0]]
        kind = KINDS[piece.kind]
        actions: list[Action] = [Done()]
        if kind.form == "gun":
            self._gun_actions(state, piece, kind, actions)
            return actions
        g = ground_of(state)
        if not piece.immobile:
            cost = leave_cost(g, piece.at)
            if piece.ap >= cost and self._free(state, g.ahead[piece.at][piece.facing], side):
                actions.append(Forward())
            back = g.ahead[piece.at][(piece.facing + 4) % 8]
            if piece.ap >= cost + REVERSE_EXTRA and self._free(state, back, side):
                actions.append(Reverse())
            actions += [Face((piece.facing + 1) % 8), Face((piece.facing + 7) % 8)]
        if frame.only_move:
            return actions
        if piece.ap >= ASSAULT_COST and not piece.immobile and kind.armour:
            to = g.ahead[piece.at][piece.facing]
            if to in g.assaults[piece.at] and side_in(state, to) not in ("", side):
                actions.append(Assault(to))
        if piece.ap >= DISEMBARK_COST and disembark_room(state, piece):
            actions.append(Disembark())
        self._shots(state, g, piece, kind, actions)
        return actions

    def _free(self, state: PbiState, square: str, side: str) -> bool:
        return bool(square) and side_in(state, square) in ("", side) and room_for_vehicles(state, square)

    def _gun_actions(self, state: PbiState, piece: Piece, kind: Kind, actions: list[Action]) -> None:
        if not piece.within:
            if not piece.immobile:
                actions += [Face((piece.facing + 1) % 8), Face((piece.facing + 7) % 8)]
            if piece.pinned:
                actions.append(Unpin())
            if not piece.immobile and piece.ap >= DEPLOY_COST and tower_for(state, piece):
                actions.append(Pack(piece.id))
            self._shots(state, ground_of(state), piece, kind, actions)
        elif piece.ap >= DEPLOY_COST and room_for_foot(state, piece.at, 1):
            actions.append(Deploy(piece.id))

    def _shots(self, state: PbiState, g: Ground, piece: Piece, kind: Kind, actions: list[Action]) -> None:
        """Machine-gun and main gun, three shots together (vehicle-ap-cost-shoot); one weapon with men aboard."""
        if piece.shots >= MAX_SHOTS or (piece.immobile and state.rules.immobilised_shoots == "no"):
            return
        machine_gun = can_use_small_arms(kind, piece) and piece.weapon in ("", piece.id)
        gun = (kind.gun > 0 and piece.ap >= GUN_COST) or (
            kind.flame and piece.ap >= flame_cost(state.rules, kind) and piece.special < VEHICLE_FLAMES
        )
        if not machine_gun and not gun:
            return
        pieces = state.pieces
        for square in enemies_in_sight(state, piece.at, piece.side):
            soft = is_soft(state, square)
            if machine_gun and (soft or can_be_shot(state, square)):
                actions.append(Shoot(square))
            if not gun:
                continue
            if kind.flame:
                if g.range[piece.at][square] <= int(state.rules.flame_reach):
                    actions += flame_actions(state, piece, square)
            elif gun_bears(g, piece, kind, square):
                actions += [Aim(piece.id, id) for id in state.at[square] if KINDS[pieces[id].kind].vehicle]
                if soft and kind.he:
                    actions.append(Shell(piece.id, square))

    # -- what it does ---------------------------------------------------------------------

    def apply(self, play: Play[PbiState], frame: Driving, side: str, action: Action) -> None:
        """Carry it out; each turn of 45 degrees costs a point (vehicle-ap-cost-facing)."""
        state = play.state
        piece = state.pieces[frame.pieces[0]]
        g = ground_of(state)
        match action:
            case Done():
                state.pieces[piece.id] = replace(piece, ap=0)
                self.run(play, frame)
            case Forward():
                drive(play, piece, g.ahead[piece.at][piece.facing], leave_cost(g, piece.at))
            case Reverse():
                cost = leave_cost(g, piece.at) + REVERSE_EXTRA
                drive(play, piece, g.ahead[piece.at][(piece.facing + 4) % 8], cost)
            case Face(facing=facing):
                state.pieces[piece.id] = replace(piece, facing=facing, ap=piece.ap - 1)
                play.emit(Faced(piece=piece.id, facing=facing, at=piece.at))
            case Shoot(at=at):
                weapon = piece.id if KINDS[piece.kind].capacity else ""
                piece = replace(piece, ap=piece.ap - MG_COST, shots=piece.shots + 1, weapon=weapon)
                state.pieces[piece.id] = piece
                open_return(play, at, piece.at)
                volley(play, [piece], at)
            case Aim(target=target):
                pay(state, [piece], GUN_COST, shots=1)
                open_return(play, state.pieces[target].at, piece.at)
                aim(play, state.pieces[piece.id], state.pieces[target])
            case Shell(at=at):
                pay(state, [piece], GUN_COST, shots=1)
                open_return(play, at, piece.at)
                shell(play, state.pieces[piece.id], at)
            case Flame(target=target):
                pay(state, [piece], flame_cost(state.rules, KINDS[piece.kind]), shots=1, special=1)
                open_return(play, square_of(state, target), piece.at)
                flame(play, state.pieces[piece.id], target)
            case Unpin():
                pay(state, [piece], 1)
                unpin(play, [state.pieces[piece.id]], officers_help=False)
            case Deploy():
                deploy_gun(play, piece)
            case Pack():
                tower = tower_for(state, piece)
                assert tower is not None
                pay(state, [piece], DEPLOY_COST)
                load(state, state.pieces[piece.id], tower)
                play.emit(SetOut(piece=piece.id, at=piece.at, deployed=False))
            case Disembark():
                pay(state, [piece], DISEMBARK_COST)
                unload_all(play, piece)
            case Assault(to=to):
                pay(state, [piece], ASSAULT_COST)
                begin_assault(play, [piece.id], to)


def drive(play: Play[PbiState], piece: Piece, to: str, cost: int) -> None:
    """A vehicle goes one square (vehicle-ap-cost-leave); the enemy may shoot."""
    state = play.state
    start = piece.at
    state.pieces[piece.id] = replace(piece, ap=piece.ap - cost, moved=piece.moved + 1, aimed="")
    shift(state, (piece.id,), to)
    for id in state.cargo.get(piece.id, ()):
        state.pieces[id] = replace(state.pieces[id], moved=state.pieces[id].moved + 1)
    play.emit(Moved(pieces=(piece.id,), start=start, at=to))
    open_opportunity(play, to)


def deploy_gun(play: Play[PbiState], gun: Piece) -> None:
    """A gun comes off its hook, facing as its tractor did (vehicle-ap-cost-deploy)."""
    state = play.state
    vehicle = state.pieces[gun.within]
    pay(state, [gun], DEPLOY_COST)
    gun = unload(state, state.pieces[gun.id])
    state.pieces[gun.id] = replace(gun, deployed=True, facing=vehicle.facing)
    play.emit(SetOut(piece=gun.id, at=gun.at, deployed=True))
    send_home(play, vehicle)


def unload_all(play: Play[PbiState], vehicle: Piece) -> None:
    """The vehicle pays and its foot get out (vehicle-ap-cost-disembark)."""
    state = play.state
    foot = disembark_room(state, vehicle)
    for piece in foot:
        unload(state, piece)
    play.emit(Alighted(pieces=tuple([piece.id for piece in foot]), at=vehicle.at))
    take_objective(play, vehicle.at, vehicle.side)
    send_home(play, state.pieces[vehicle.id])
    open_opportunity(play, vehicle.at)


PART: Part[PbiState] = Part(
    procedures={
        Driving: DrivingProcedure(),
        Rerolling: RerollingProcedure(),
    }
)
