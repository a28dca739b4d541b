"""Foot: the action point roll, and everything that action points buy."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import (
    Aim,
    Assault,
    Bomb,
    Deploy,
    Disembark,
    Done,
    Embark,
    Flame,
    Move,
    Pack,
    Recover,
    Shoot,
    Split,
    Unpin,
)
from sandtable.games.pbi.artillery import fire_mortar, spotted
from sandtable.games.pbi.assault import assault_cost, begin_assault
from sandtable.games.pbi.catalogue import KINDS, lists
from sandtable.games.pbi.events import (
    Alighted,
    Boarded,
    CasualtyTended,
    Moved,
    PointsRolled,
    SetOut,
    Unpinned,
)
from sandtable.games.pbi.guns import aim, flame, flame_actions, square_of
from sandtable.games.pbi.model import Acting, PbiState, Piece, Unit
from sandtable.games.pbi.position import (
    clear,
    ground_of,
    load,
    officer_present,
    places_used,
    room_for_foot,
    send_home,
    shift,
    take_objective,
    unload,
)
from sandtable.games.pbi.reaction import open_opportunity, open_return
from sandtable.games.pbi.saves import can_be_shot
from sandtable.games.pbi.smallarms import (
    MAX_SHOTS,
    NO_LIMIT,
    best_shooter,
    can_use_small_arms,
    flame_cost,
    small_arms_reach,
    volley,
)

RESIDUAL = 1
LEAVE_EASY, LEAVE_DIFFICULT = 1, 2
DEPLOY_COST = 3
DISEMBARK_COST = 2
MORTAR_COST = 2
MORTAR_SHOTS = {"light": 1, "medium": 2}
PIN_SCORE, PIN_SCORE_WITH_OFFICER = 4, 3
CASUALTY_SCORE = 4


def points_tally(state: PbiState, unit: Unit, square: str, pieces: Sequence[Piece]) -> Tally:
    """What is added to 1D6 (foot-ap-roll, ruling pinned_group)."""
    held = all if state.rules.pinned_group == "all" else any
    plus = unit.quality == "veteran" or officer_present(state, square, unit.side)
    return Tally.of(
        "Action points",
        [
            ("pinned", -2 if held([piece.pinned for piece in pieces]) else 0, "foot-ap-roll"),
            ("raw", -1 if unit.quality == "raw" else 0, "foot-ap-roll"),
            ("veteran or officer present", int(plus), "foot-ap-roll"),
        ],
    )


def roll_points(play: Play[PbiState], unit: Unit, square: str, pieces: Sequence[Piece], *, residual: bool) -> None:
    """1D6 for the group, never below the residual point; then its bases act (foot-ap-roll, foot-ap-residual)."""
    state = play.state
    total = RESIDUAL
    if not residual:
        tally = points_tally(state, unit, square, pieces)
        (face,) = play.roll(6, 1, "action points", by=unit.side, tally=tally)
        total = face + int(tally.total)
        residual = total <= RESIDUAL if state.rules.residual == "one or less" else total < RESIDUAL
    points = max(RESIDUAL, total)
    for piece in pieces:
        state.pieces[piece.id] = replace(piece, ap=points, acted=True)
    play.emit(PointsRolled(unit=unit.id, at=square, ap=points, residual=residual))
    play.push(Acting(unit.id, (tuple([piece.id for piece in pieces]),), residual))


def living(state: PbiState, team: tuple[str, ...]) -> list[Piece]:
    """The bases of a team that are still there."""
    pieces = state.pieces
    return [pieces[id] for id in team if id in pieces]


def step_cost(state: PbiState, square: str, *, residual: bool) -> int:
    """What leaving a square costs; the residual point buys any one square (foot-ap-cost-leave, foot-ap-residual)."""
    if residual or square not in ground_of(state).difficult:
        return LEAVE_EASY
    return LEAVE_DIFFICULT


def can_leave(state: PbiState, team: Sequence[Piece], *, residual: bool) -> bool:
    """Whether all bases of a team can afford the step and none is a deployed weapon."""
    cost = step_cost(state, team[0].at, residual=residual)
    return all([piece.ap >= cost and not (piece.deployed and KINDS[piece.kind].deploys) for piece in team])


def ready_shooters(state: PbiState, team: Sequence[Piece]) -> list[Piece]:
    """Bases of a team that may use small arms now (foot-ap-cost-shoot, transports-shooters)."""
    found = [
        piece
        for piece in team
        if piece.ap >= 1 and piece.shots < MAX_SHOTS and can_use_small_arms(KINDS[piece.kind], piece)
    ]
    if found and found[0].within:
        weapon = state.pieces[found[0].within].weapon
        return [piece for piece in found if weapon in ("", piece.id)]
    return found


def shooters_at(state: PbiState, ready: Sequence[Piece], square: str) -> list[Piece]:
    """Those whose weapons reach the square."""
    distance = ground_of(state).range[ready[0].at][square]
    able = [piece for piece in ready if small_arms_reach(KINDS[piece.kind], state.rules) >= distance]
    return best_shooter(able) if able and able[0].within else able


def enemies_in_sight(state: PbiState, square: str, side: str) -> list[str]:
    """Squares with enemies that a square sees."""
    g = ground_of(state)
    sees, pieces = g.sees[square], state.pieces
    smoke = state.smoke
    return [
        other
        for other, ids in state.at.items()
        if other in sees and pieces[ids[0]].side != side and (not smoke or clear(state, g, square, other))
    ]


def assault_price(state: PbiState, unit: Unit, target: str, *, residual: bool) -> int:
    """Action points for assaulting a square; the residual point buys none (foot-ap-cost-assault)."""
    if residual:
        return NO_LIMIT
    keen = unit.quality == "veteran" or lists().nations[unit.nation].assault
    return assault_cost(state, target, keen=keen)


class ActingProcedure(Procedure[PbiState, Acting]):
    """Bases spend their action points, team by team (Foot Action Points)."""

    def to_act(self, state: PbiState, frame: Acting) -> tuple[str, ...]:
        pieces = state.pieces
        for id in frame.teams[0]:
            piece = pieces.get(id)
            if piece is not None and piece.ap > 0:
                return (piece.side,)
        return ()

    def run(self, play: Play[PbiState], frame: Acting) -> None:
        self._next(play, frame)

    def _next(self, play: Play[PbiState], frame: Acting) -> None:
        if len(frame.teams) > 1:
            play.replace(Acting(frame.unit, frame.teams[1:], frame.residual))
        else:
            play.pop()

    # -- what is legal ------------------------------------------------------------------

    def actions(self, state: PbiState, frame: Acting, side: str) -> Sequence[Action]:
        """Everything the first team can pay for; MMGs and medium mortars deploy and pack up (foot-ap-cost-deploy)."""
        team = living(state, frame.teams[0])
        first = team[0]
        residual = frame.residual
        actions: list[Action] = [Done()]
        least = min([piece.ap for piece in team])
        if least >= 1:
            if any([piece.pinned for piece in team]):
                actions.append(Unpin())
            unit = state.units[frame.unit]
            if unit.casualties and (
                state.rules.casualty_removal == "any group" or officer_present(state, first.at, side)
            ):
                actions.append(Recover())
        if first.within:
            if least >= DISEMBARK_COST and room_for_foot(state, first.at, len(team)):
                actions.append(Disembark())
        else:
            self._moves(state, frame, team, actions)
        self._shots(state, team, residual, actions)
        for piece in team:
            kind = KINDS[piece.kind]
            if kind.deploys and not piece.within and piece.ap >= (RESIDUAL if residual else DEPLOY_COST):
                actions.append(Pack(piece.id) if piece.deployed else Deploy(piece.id))
        if len(team) > 1:
            actions += [Split(piece.id) for piece in team]
        return actions

    def _moves(self, state: PbiState, frame: Acting, team: list[Piece], actions: list[Action]) -> None:
        first = team[0]
        at, pieces = first.at, state.pieces
        g = ground_of(state)
        occupied = state.at
        mobile = can_leave(state, team, residual=frame.residual)
        if mobile:
            for to in g.steps[at]:
                ids = occupied.get(to)
                if ids is None or (pieces[ids[0]].side == first.side and room_for_foot(state, to, len(team))):
                    actions.append(Move(to))
        if frame.residual:
            return
        least = min([piece.ap for piece in team])
        if least >= 3 and not any([piece.deployed for piece in team]):
            unit = state.units[frame.unit]
            for to in g.assaults[at]:
                ids = occupied.get(to)
                if (
                    ids is not None
                    and pieces[ids[0]].side != first.side
                    and least >= assault_price(state, unit, to, residual=False)
                ):
                    actions.append(Assault(to))
        if least >= int(state.rules.embark):
            for id in occupied[at]:
                capacity = KINDS[pieces[id].kind].capacity
                if capacity and _room_on(state, id, capacity) >= len(team) and not any([p.deployed for p in team]):
                    actions.append(Embark(id))

    def _shots(self, state: PbiState, team: list[Piece], residual: bool, actions: list[Action]) -> None:
        """Small arms together, anti-tank weapons, HMGs, panzerfausts, mortars and flamethrowers one by one.

        Their prices are data of each weapon (foot-ap-cost-at, foot-ap-cost-hmg, foot-ap-cost-faust).
        """
        first = team[0]
        at, rules, pieces = first.at, state.rules, state.pieces
        ready = ready_shooters(state, team)
        heavy = [] if residual or first.within else [piece for piece in team if piece.ap >= 2 and _special(piece)]
        if not ready and not heavy:
            return
        distances = ground_of(state).range[at]
        reach = max([small_arms_reach(KINDS[piece.kind], rules) for piece in ready], default=0)
        squares = enemies_in_sight(state, at, first.side)
        for square in squares:
            if distances[square] <= reach and can_be_shot(state, square):
                actions.append(Shoot(square))
        for piece in heavy:
            kind = KINDS[piece.kind]
            if kind.mortar:
                mortar_actions(state, piece, actions)
                continue
            if kind.at:
                if piece.ap < kind.at_ap or piece.special >= kind.at_max or (kind.deploys and not piece.deployed):
                    continue
                limit = NO_LIMIT if rules.weapon_reach == "unlimited" else kind.at_reach
                for square in squares:
                    if distances[square] <= limit:
                        actions += [Aim(piece.id, id) for id in state.at[square] if KINDS[pieces[id].kind].vehicle]
            elif not piece.special:
                limit = int(rules.flame_reach)
                for square in squares:
                    if distances[square] <= limit:
                        actions += flame_actions(state, piece, square)

    # -- what it does ---------------------------------------------------------------------

    def apply(self, play: Play[PbiState], frame: Acting, side: str, action: Action) -> None:
        """Carry it out; by a ruling the whole group has spent what one base spends (ruling foot_points)."""
        state = play.state
        if state.rules.foot_points == "whole group" and not isinstance(action, (Done, Split)):
            before = {id: piece.ap for id in frame.teams[0] if (piece := state.pieces.get(id)) is not None}
            self._act(play, frame, action)
            spent = max([before[id] - state.pieces[id].ap for id in before if id in state.pieces], default=0)
            for piece in [piece for team in frame.teams for piece in living(state, team)]:
                if piece.ap == before.get(piece.id, piece.ap):
                    state.pieces[piece.id] = replace(piece, ap=max(0, piece.ap - spent))
        else:
            self._act(play, frame, action)

    def _shoot(self, play: Play[PbiState], team: list[Piece], action: Shoot | Aim | Flame | Bomb) -> None:
        state = play.state
        first = team[0]
        match action:
            case Shoot(at=at):
                shooters = shooters_at(state, ready_shooters(state, team), at)
                pay(state, shooters, 1, shots=1)
                if first.within:
                    state.pieces[first.within] = replace(state.pieces[first.within], weapon=shooters[0].id)
                open_return(play, at, first.at)
                volley(play, [state.pieces[piece.id] for piece in shooters], at)
            case Aim(piece=id, target=target):
                pay(state, [state.pieces[id]], KINDS[state.pieces[id].kind].at_ap, special=1)
                open_return(play, state.pieces[target].at, first.at)
                aim(play, state.pieces[id], state.pieces[target])
            case Flame(piece=id, target=target):
                pay(state, [state.pieces[id]], flame_cost(state.rules, KINDS[state.pieces[id].kind]), special=1)
                open_return(play, square_of(state, target), first.at)
                flame(play, state.pieces[id], target)
            case Bomb(piece=id, at=at, smoke=smoke, shots=shots):
                pay(state, [state.pieces[id]], MORTAR_COST * shots, special=shots)
                mortar = state.pieces[id] = replace(state.pieces[id], aimed=at)
                fire_mortar(play, mortar, at, shots, smoke=smoke)

    def _act(self, play: Play[PbiState], frame: Acting, action: Action) -> None:
        state = play.state
        team = living(state, frame.teams[0])
        first = team[0]
        match action:
            case Done():
                for piece in team:
                    state.pieces[piece.id] = replace(piece, ap=0)
                self._next(play, frame)
            case Split(piece=id):
                rest = tuple([piece.id for piece in team if piece.id != id])
                play.replace(Acting(frame.unit, ((id,), rest, *frame.teams[1:]), frame.residual))
            case Move(to=to):
                move(play, team, to, step_cost(state, first.at, residual=frame.residual))
            case Shoot() | Aim() | Flame() | Bomb():
                self._shoot(play, team, action)
            case Unpin():
                pay(state, team, 1)
                unpin(play, living(state, frame.teams[0]))
            case Recover():
                pay(state, team, 1)
                recover(play, state.units[frame.unit], first.at)
            case Deploy(piece=id) | Pack(piece=id):
                cost = min(DEPLOY_COST, state.pieces[id].ap)
                pay(state, [state.pieces[id]], cost)
                piece = state.pieces[id] = replace(state.pieces[id], deployed=isinstance(action, Deploy))
                play.emit(SetOut(piece=id, at=piece.at, deployed=piece.deployed))
            case Embark(vehicle=id):
                embark(play, team, state.pieces[id])
            case Disembark():
                pay(state, team, DISEMBARK_COST)
                disembark(play, living(state, frame.teams[0]))
            case Assault(to=to):
                price = assault_price(state, state.units[frame.unit], to, residual=False)
                pay(state, team, price)
                begin_assault(play, [piece.id for piece in team], to)


def _special(piece: Piece) -> bool:
    kind = KINDS[piece.kind]
    return bool(kind.at or kind.mortar or kind.flame)


def _room_on(state: PbiState, vehicle: str, capacity: int) -> int:
    """Places left on a transport (odds-capacity)."""
    return capacity - places_used(state, vehicle)


def mortar_actions(state: PbiState, piece: Piece, actions: list[Action]) -> None:
    """A mortar's shots of a turn are placed together on one square, then they deviate (artillery-place)."""
    kind = KINDS[piece.kind]
    shots = min(MORTAR_SHOTS[kind.mortar], piece.ap // MORTAR_COST)
    if shots < 1 or piece.special or (kind.deploys and not piece.deployed):
        return
    pieces = state.pieces
    for square in spotted(state, piece):
        actions.append(Bomb(piece.id, square, True))
        ids = state.at.get(square)
        if ids is not None and pieces[ids[0]].side != piece.side:
            actions += [Bomb(piece.id, square, False, number) for number in range(1, shots + 1)]


def pay(state: PbiState, pieces: Sequence[Piece], cost: int, *, shots: int = 0, special: int = 0) -> None:
    """Take action points."""
    for piece in pieces:
        state.pieces[piece.id] = replace(
            piece, ap=piece.ap - cost, shots=piece.shots + shots, special=piece.special + special
        )


def move(play: Play[PbiState], team: Sequence[Piece], to: str, cost: int) -> None:
    """A team steps into the next square; the enemy may shoot (foot-ap-cost-leave, turn-opportunity)."""
    state = play.state
    start = team[0].at
    ids = tuple([piece.id for piece in team])
    for piece in team:
        state.pieces[piece.id] = replace(piece, ap=piece.ap - cost, moved=piece.moved + 1, aimed="")
    shift(state, ids, to)
    play.emit(Moved(pieces=ids, start=start, at=to))
    take_objective(play, to, team[0].side)
    open_opportunity(play, to)


def unpin(play: Play[PbiState], team: Sequence[Piece], *, officers_help: bool = True) -> None:
    """4, 5, 6 removes a pin, 3 too with an officer (foot-ap-cost-pin); guns have 4, 5, 6 only (vehicle-ap-cost-pin)."""
    state = play.state
    side = team[0].side
    led = officers_help and officer_present(state, team[0].at, side)
    score = PIN_SCORE_WITH_OFFICER if led else PIN_SCORE
    pinned = [piece for piece in team if piece.pinned]
    whole = state.rules.pin_removal == "group"
    faces = play.roll(6, 1 if whole else len(pinned), f"remove pin, {score}+", by=side)
    freed = [piece for n, piece in enumerate(pinned) if faces[0 if whole else n] >= score]
    for piece in freed:
        state.pieces[piece.id] = replace(piece, pinned=False)
    ids = tuple([piece.id for piece in (freed or pinned)])
    play.emit(Unpinned(pieces=ids, at=team[0].at, well=bool(freed)))


def recover(play: Play[PbiState], unit: Unit, square: str) -> None:
    """4, 5, 6 removes a casualty mark (foot-ap-cost-casualty)."""
    (face,) = play.roll(6, 1, f"casualty removal, {CASUALTY_SCORE}+", by=unit.side)
    if face >= CASUALTY_SCORE:
        play.state.units[unit.id] = replace(unit, casualties=unit.casualties - 1)
    play.emit(CasualtyTended(unit=unit.id, at=square, well=face >= CASUALTY_SCORE))


def embark(play: Play[PbiState], team: Sequence[Piece], vehicle: Piece) -> None:
    """A team gets on a transport in its square (ruling embark)."""
    state = play.state
    pay(state, team, int(state.rules.embark))
    for piece in team:
        load(state, state.pieces[piece.id], vehicle)
    play.emit(Boarded(pieces=tuple([piece.id for piece in team]), vehicle=vehicle.id, at=vehicle.at))


def disembark(play: Play[PbiState], team: Sequence[Piece]) -> None:
    """A team gets out into the vehicle's square (foot-ap-cost-disembark); an empty truck may leave."""
    state = play.state
    vehicle = team[0].within
    at = team[0].at
    for piece in team:
        unload(state, piece)
    play.emit(Alighted(pieces=tuple([piece.id for piece in team]), at=at))
    take_objective(play, at, team[0].side)
    send_home(play, state.pieces[vehicle])
    open_opportunity(play, at)


PART: Part[PbiState] = Part(procedures={Acting: ActingProcedure()})
