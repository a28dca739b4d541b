"""A regular for Soft Underbelly: plans with its command points, fights by the odds, and holds a line."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandtable.engine import Action, Match, Seat
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.data import GERMAN
from sandtable.players import underbelly_conduct as conduct
from sandtable.players.underbelly_command import AlliedStaff
from sandtable.players.underbelly_recruit import Recruit
from sandtable.players.underbelly_staff import GermanStaff


class Regular:
    """Holds a line or looks for the gap in it, fights only by the odds, and spends its points by a plan"""

    def __init__(self) -> None:
        self.explanation = ""
        self._recruit = Recruit()
        self._german = GermanStaff()
        self._allied = AlliedStaff()
        self._phase = (0, "")
        self._command: Action | None = None
        self._given_up: list[Action] = []

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """Pick a legal action; everything is judged on an imagined match, as hidden things might be."""
        actions = list(seat.actions())
        if len(actions) == 1:
            return self._say((actions[0], "there is no other choice"))
        match = seat.imagine(source)
        frame = match.state.stack[-1]
        if isinstance(frame, m.Commands):
            actions = self._still_open(match.state, actions)
        choice = self._decide(match, seat.side, actions)
        if choice is not None:
            if isinstance(frame, m.Commands):
                self._command = choice[0]
            elif isinstance(choice[0], a.Cancel) and self._command is not None:
                self._given_up.append(self._command)
            return self._say(choice)
        action = self._recruit.choose(seat, source)
        self.explanation = self._recruit.explanation
        return action

    def _still_open(self, state: m.UnderbellyState, actions: list[Action]) -> list[Action]:
        """Commands that have not been begun and given up in this phase: what failed once fails again."""
        if self._phase != (state.turn, state.side):
            self._phase = state.turn, state.side
            self._given_up = []
        return [action for action in actions if action not in self._given_up]

    def took(self, seat: Seat, action: Action) -> None:
        """Be told that something else is done than one would have chosen."""
        self._german.forget()
        self._command = action

    def candidates(self, seat: Seat, limit: int) -> list[Action]:
        """The few choices worth a closer look in this decision, the best first; none: the first idea will do."""
        actions = list(seat.actions())
        match = seat.imagine(random.Random(0))
        state: m.UnderbellyState = match.state
        frame = state.stack[-1]
        if isinstance(frame, (m.RetreatChoice, m.BreakOffChoice)):
            return actions
        if not isinstance(frame, m.Commands):
            return []
        if seat.side == GERMAN:
            return self._german.ranked(state, actions)[:limit]
        return self._allied.ranked(state, actions)[:limit]

    def _say(self, choice: conduct.Choice) -> Action:
        self.explanation = choice[1]
        return choice[0]

    def _decide(self, match: Match, side: str, actions: Sequence[Action]) -> conduct.Choice | None:
        state: m.UnderbellyState = match.state
        if state.battle is not None:
            return self._fight(state, side, actions)
        if side == GERMAN:
            return self._german.decide(state, actions)
        return self._allied.decide(state, actions)

    def _fight(self, state: m.UnderbellyState, side: str, actions: Sequence[Action]) -> conduct.Choice | None:
        frame = state.stack[-1]
        shots = [action for action in actions if isinstance(action, a.Shoot)]
        if shots:
            return conduct.shot(state, side, shots)
        if isinstance(frame, m.DefenderTac):
            return a.UseTac(), "air support makes every shot better"
        if isinstance(frame, m.BreakOffChoice):
            return conduct.break_off(state, side)
        if isinstance(frame, m.RetreatChoice):
            return conduct.stand(state, side)
        advances = [action for action in actions if isinstance(action, a.Advance)]
        if advances:
            staff = self._german if side == GERMAN else self._allied
            return staff.advance(state, advances)
        retreats = [action for action in actions if isinstance(action, a.RetreatTo)]
        if retreats:
            return conduct.retreat(state, side, retreats)
        restores = [action for action in actions if isinstance(action, a.Restore)]
        if restores:
            return conduct.restore(state, restores)
        return None
