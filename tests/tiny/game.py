"""Outpost as a game of the engine."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Event, Game, Option, Outcome, ScenarioInfo
from sandtable.engine.game import words
from sandtable.engine.odds import at_least
from sandtable.engine.view import Description, MarkView, OddsLine, PanelView, PieceView, Preview, RowView, View
from tiny.model import (
    BLUE,
    HIDING_PLACES,
    POST,
    RED,
    TURNS,
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
from tiny.rules import HIT, HideProcedure, ReactionProcedure, TurnProcedure, fire_tally

NAMES = {"r1": "Red 1", "r2": "Red 2", "r3": "Red 3", "r4": "Red 4", "b1": "Blue 1", "b2": "Blue 2", "b3": "Ambusher"}


class Outpost(Game[OutpostState]):
    id = "tiny"
    title = "Outpost"
    state_type = OutpostState
    action_type = HideAt | Move | Fire | Hold | Done
    procedures = {Hide: HideProcedure(), Turn: TurnProcedure(), Reaction: ReactionProcedure()}
    length_limit = 2_000

    def scenarios(self) -> Sequence[ScenarioInfo]:
        reds = Option("reds", "Red pieces", ("3", "4"))
        return [ScenarioInfo("post", "The Post", (RED, BLUE), "Take the post.", f"{TURNS} turns", RED, (reds,))]

    def setup(self, scenario: str, options: Mapping[str, str]) -> OutpostState:
        places = ("a1", "a3", "a5", "a4")[: int(options["reds"])]
        reds = [Piece(f"r{n}", RED, at) for n, at in enumerate(places, 1)]
        blues = [Piece("b1", BLUE, "e3"), Piece("b2", BLUE, "e2")]
        return OutpostState(pieces={piece.id: piece for piece in (*reds, *blues)}, stack=[Hide()])

    def outcome(self, state: OutpostState) -> Outcome | None:
        return state.outcome

    def view(self, state: OutpostState, side: str | None) -> View:
        frame = state.stack[-1]
        active = frame.side if isinstance(frame, Turn) else BLUE if isinstance(frame, Hide) else ""
        pieces = tuple(
            PieceView(
                piece.id,
                piece.at,
                f"{piece.side}{'/shaken' if piece.shaken else ''}",
                NAMES[piece.id],
                piece.side,
                markers=("hidden",) * piece.hidden + ("spent",) * piece.spent,
            )
            for piece in state.pieces.values()
            if not piece.hidden or piece.side == side
        )
        left = PanelView("turns", "Turns", (RowView("Turns left", str(TURNS - state.turn), "4.3"),))
        return View(
            side,
            f"Turn {state.turn}",
            type(frame).__name__,
            active,
            "Move, fire or end the turn",
            pieces=pieces,
            marks=(MarkView(POST, "post", "The post"),),
            panels=(left,),
            focus=(state.pieces[frame.mover].at,) if isinstance(frame, Reaction) else (),
        )

    def describe(self, state: OutpostState, side: str, action: Action) -> Description:
        pieces = state.pieces
        if isinstance(action, HideAt):
            return Description(f"Hide at {action.at}", "set up", cells=(action.at,))
        if isinstance(action, Move):
            return Description(f"{NAMES[action.piece]} moves to {action.to}", "move", (action.piece,), (action.to,))
        if isinstance(action, Fire):
            target = pieces[action.target]
            text = f"{NAMES[action.piece]} fires at {NAMES[target.id]} in {target.at}"
            return Description(text, "fire", (action.piece,), (target.at,), (target.id,))
        return Description("Hold fire" if isinstance(action, Hold) else "End the turn", "done")

    def why_not(self, state: OutpostState, side: str, action: Action) -> tuple[str, str]:
        if isinstance(action, (Move, Fire)):
            piece = state.pieces.get(action.piece)
            if piece is None or piece.side != side:
                return f"{side} has no piece {action.piece}", "1.1"
            if piece.spent:
                return f"{NAMES[piece.id]} has acted already: end the turn or use another piece", "2.1"
            if isinstance(action, Move) and piece.shaken:
                return f"{NAMES[piece.id]} is shaken and cannot move: let it fire or rest", "2.2"
        return super().why_not(state, side, action)

    def preview(self, state: OutpostState, side: str, action: Action) -> Preview | None:
        if not isinstance(action, Fire):
            return None
        shooter, target = state.pieces[action.piece], state.pieces[action.target]
        tally = fire_tally(shooter, target, moving=isinstance(state.stack[-1], Reaction))
        hit = at_least(HIT - tally.total, 2)
        return Preview("Fire", (tally,), (OddsLine("hit", float(hit), target.id),))

    def words(self, event: Event, state: OutpostState) -> str:
        if isinstance(event, Hidden):
            return f"Blue hides its ambusher in {event.at}"
        if isinstance(event, Moved):
            return f"{NAMES[event.piece]} moves to {event.at}"
        if isinstance(event, Revealed):
            return f"{NAMES[event.piece]} shows itself in {event.at}"
        if isinstance(event, Hit):
            return f"{NAMES[event.piece]} is {'killed' if event.killed else 'shaken'}"
        if isinstance(event, TurnBegan):
            return f"Turn {event.turn}: {event.side} to move"
        return words(event)

    def reshuffle(self, state: OutpostState, side: str | None, source: random.Random) -> OutpostState | None:
        ambusher = state.pieces.get("b3")
        if side == BLUE or ambusher is None or not ambusher.hidden:
            return None
        taken = {piece.at for piece in state.pieces.values() if piece.id != "b3"}
        new = state.clone()
        free = [at for at in HIDING_PLACES if at not in taken]
        new.pieces["b3"] = replace(ambusher, at=source.choice(free))
        return new


OUTPOST = Outpost()
