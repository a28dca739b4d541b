"""Outpost's rules: one procedure for each frame."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Outcome, Play, Procedure, Tally
from tiny.model import (
    BLUE,
    HIDING_PLACES,
    NEAR,
    POST,
    RANGE,
    RED,
    TURNS,
    WOODS,
    Done,
    Fire,
    Hidden,
    Hide,
    HideAt,
    Hit,
    Hold,
    Move,
    Moved,
    OutpostState,
    Piece,
    Reaction,
    Revealed,
    Turn,
    TurnBegan,
)

FIRE_RANGE = 2
HIT, KILL = 8, 11


def other(side: str) -> str:
    return BLUE if side == RED else RED


def fire_tally(shooter: Piece, target: Piece, *, moving: bool) -> Tally:
    """What is added to two dice (rules 3.1 to 3.4); 8 shakes, 11 or a second hit kills."""
    return Tally.of(
        "Fire",
        (
            ("next to the target", 2 if RANGE[shooter.at][target.at] == 1 else 0, "3.1"),
            ("target in woods", -2 if target.at in WOODS else 0, "3.2"),
            ("shooter shaken", -1 if shooter.shaken else 0, "3.3"),
            ("target moves", 1 if moving else 0, "3.4"),
        ),
    )


def shoot(play: Play[OutpostState], shooter: Piece, target: Piece, *, moving: bool) -> None:
    pieces = play.state.pieces
    if shooter.hidden:
        shooter = replace(shooter, hidden=False)
        play.emit(Revealed(piece=shooter.id, at=shooter.at))
    pieces[shooter.id] = replace(shooter, spent=True)
    tally = fire_tally(shooter, target, moving=moving)
    total = sum(play.roll(6, 2, "fire", by=shooter.side, tally=tally)) + tally.total
    if total >= HIT:
        killed = target.shaken or total >= KILL
        if killed:
            del pieces[target.id]
        else:
            pieces[target.id] = replace(target, shaken=True)
        play.emit(Hit(piece=target.id, killed=killed, at=target.at))
        judge(play.state)


def judge(state: OutpostState) -> None:
    """Killing everybody wins at once (4.1)."""
    alive = {piece.side for piece in state.pieces.values()}
    if RED not in alive:
        state.outcome = Outcome(BLUE, "No red piece is left", "4.1")
    elif BLUE not in alive:
        state.outcome = Outcome(RED, "No blue piece is left", "4.1")


def able_to_shoot(pieces: Sequence[Piece], at: str) -> list[str]:
    return [piece.id for piece in pieces if not piece.spent and RANGE[piece.at][at] <= FIRE_RANGE]


class HideProcedure(Procedure[OutpostState, Hide]):
    def to_act(self, state: OutpostState, frame: Hide) -> tuple[str, ...]:
        return (BLUE,)

    def actions(self, state: OutpostState, frame: Hide, side: str) -> Sequence[Action]:
        return [HideAt(at) for at in HIDING_PLACES]

    def apply(self, play: Play[OutpostState], frame: Hide, side: str, action: HideAt) -> None:
        play.state.pieces["b3"] = Piece("b3", BLUE, action.at, hidden=True)
        play.emit(Hidden(at=action.at, to=(BLUE,)))
        play.replace(Turn(RED))
        play.emit(TurnBegan(side=RED, turn=1))


class TurnProcedure(Procedure[OutpostState, Turn]):
    _acting = {RED: (RED,), BLUE: (BLUE,)}

    def to_act(self, state: OutpostState, frame: Turn) -> tuple[str, ...]:
        return self._acting[frame.side]

    def actions(self, state: OutpostState, frame: Turn, side: str) -> Sequence[Action]:
        actions: list[Action] = []
        pieces = state.pieces.values()
        seen = {piece.at for piece in pieces if piece.side == side or not piece.hidden}
        targets = [piece for piece in pieces if piece.side != side and not piece.hidden]
        for piece in pieces:
            if piece.side != side or piece.spent:
                continue
            if not piece.shaken:
                actions += [Move(piece.id, to) for to in NEAR[piece.at] if to not in seen]
            near = RANGE[piece.at]
            actions += [Fire(piece.id, target.id) for target in targets if near[target.at] <= FIRE_RANGE]
        actions.append(Done())
        return actions

    def apply(self, play: Play[OutpostState], frame: Turn, side: str, action: Move | Fire | Done) -> None:
        pieces = play.state.pieces
        if isinstance(action, Move):
            self._move(play, pieces[action.piece], action.to)
        elif isinstance(action, Fire):
            shoot(play, pieces[action.piece], pieces[action.target], moving=False)
        else:
            self._end(play, side)

    def _move(self, play: Play[OutpostState], piece: Piece, to: str) -> None:
        pieces = play.state.pieces
        for enemy in pieces.values():
            if enemy.hidden and enemy.at == to:  # bumped into: found, and the mover stays (2.3)
                pieces[enemy.id] = replace(enemy, hidden=False)
                pieces[piece.id] = replace(piece, spent=True)
                play.emit(Revealed(piece=enemy.id, at=to))
                return
        if piece.hidden:
            play.emit(Revealed(piece=piece.id, at=piece.at))
        moved = pieces[piece.id] = replace(piece, at=to, spent=True, hidden=False)
        play.emit(Moved(piece=piece.id, at=to))
        enemies = [p for p in pieces.values() if p.side != moved.side]
        if able_to_shoot(enemies, to) or any([p.hidden for p in enemies]):
            play.push(Reaction(moved.id))

    def _end(self, play: Play[OutpostState], side: str) -> None:
        state = play.state
        pieces = state.pieces
        for piece in pieces.values():
            if piece.side == RED == side and piece.at == POST:
                state.outcome = Outcome(RED, "Red holds the post", "4.2")
                return
        if side == BLUE:
            if state.turn == TURNS:
                state.outcome = Outcome(BLUE, "The post held out", "4.3")
                return
            state.turn += 1
        for piece in list(pieces.values()):
            if piece.side == side:
                pieces[piece.id] = replace(piece, spent=False, shaken=piece.shaken and piece.spent)
        play.replace(Turn(other(side)))
        play.emit(TurnBegan(side=other(side), turn=state.turn))


class ReactionProcedure(Procedure[OutpostState, Reaction]):
    def to_act(self, state: OutpostState, frame: Reaction) -> tuple[str, ...]:
        return (other(state.pieces[frame.mover].side),)

    def actions(self, state: OutpostState, frame: Reaction, side: str) -> Sequence[Action]:
        own = [piece for piece in state.pieces.values() if piece.side == side]
        shooters = able_to_shoot(own, state.pieces[frame.mover].at)
        return [*[Fire(shooter, frame.mover) for shooter in shooters], Hold()]

    def apply(self, play: Play[OutpostState], frame: Reaction, side: str, action: Fire | Hold) -> None:
        pieces = play.state.pieces
        if isinstance(action, Hold):
            play.pop()
            return
        shoot(play, pieces[action.piece], pieces[frame.mover], moving=True)
        if frame.mover not in pieces:
            play.pop()
