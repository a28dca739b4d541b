"""A regular for Soft Underbelly: plans with its command points, fights by the odds, and holds a line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import copy

from sandtable.engine import Action, Match, Seat
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import around
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.players import underbelly_conduct as conduct
from sandtable.players.underbelly_command import AlliedStaff, plot
from sandtable.players.underbelly_ground import FAR, exit_turns, ground_of
from sandtable.players.underbelly_recruit import Recruit
from sandtable.players.underbelly_staff import GermanStaff
from sandtable.players.underbelly_style import OTHERS, SEASONED, USUAL, Style

POOR, LITTLE = -0.5, 0.1
"""What attacks and other commands must be worth for each point to be looked at."""
FULL = {ALLIED: 6, GERMAN: 6}
"""Command points with which a phase has just begun (the Allies may have paid for air power)."""


def _in_contact(state: m.UnderbellyState) -> bool:
    """Whether anything can happen soon: the armies touch, or the way north is open."""
    here = ground_of(state)
    return bool(around(here.allied) & here.german) or exit_turns(here) < FAR


class Regular:
    """Holds a line or looks for the gap in it, fights only by the odds, and spends its points by a plan"""

    usual = USUAL

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
        if isinstance(frame, m.Plotting):
            return self._say(plot(source))
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
            self._german.style, self._allied.style = self.usual[GERMAN], self.usual[ALLIED]
        return [action for action in actions if action not in self._given_up]

    def took(self, seat: Seat, action: Action) -> None:
        """Be told that something else is done than one would have chosen."""
        self._german.forget()
        self._command = action

    def fork(self) -> Regular:
        """A twin with the same memory that goes its own way."""
        twin = copy(self)
        twin._recruit, twin._german, twin._allied = copy(self._recruit), copy(self._german), copy(self._allied)
        twin._given_up = list(self._given_up)
        return twin

    def variants(self, seat: Seat, own: Action) -> list[tuple[Action, Regular]]:
        """Other choices than one's own that deserve a look, each with a twin who has made it.

        At the start of a phase these are other styles for the whole of it, then other commands; none in quiet times.
        """
        actions = list(seat.actions())
        state: m.UnderbellyState = seat.imagine(random.Random(0)).state
        frame = state.stack[-1]
        if isinstance(frame, (m.RetreatChoice, m.BreakOffChoice)):
            return [(action, self._told(seat, action)) for action in actions if action != own]
        if not isinstance(frame, m.Commands) or not _in_contact(state):
            return []
        others = [(action, self._told(seat, action)) for action in self._others(seat.side, state, actions, own)]
        if state.cp < FULL[seat.side]:
            return others
        styles = [self._in_style(seat, style) for style in OTHERS[seat.side]]
        return [*others[:1], *styles[:1], *others[1:2], *styles[1:]]

    def _others(self, side: str, state: m.UnderbellyState, actions: list[Action], own: Action) -> list[Action]:
        """Other commands: the best attacks, and for the Allies the best of the rest (mere order matters little).

        Not the end of the phase: what reserves are good for is seen later than one looks ahead; so is what it costs
        the Germans to give up a post for a better one.
        """
        staff = self._german if side == GERMAN else self._allied
        ranked = [(value, action) for value, action in staff.ranked(state, actions) if action != own]
        attacks = [x for value, x in ranked if isinstance(x, (a.Attack, a.FightMove)) and value > POOR]
        rest = [x for value, x in ranked if not isinstance(x, (a.Attack, a.FightMove)) and value > LITTLE]
        return [*attacks[:1], *(rest[:1] if side == ALLIED else ()), *attacks[1:2]]

    def style(self, side: str) -> Style:
        """The style of a side's staff."""
        return (self._german if side == GERMAN else self._allied).style

    def _told(self, seat: Seat, action: Action) -> Regular:
        twin = self.fork()
        twin.took(seat, action)
        return twin

    def _in_style(self, seat: Seat, style: Style) -> tuple[Action, Regular]:
        """What one would do in another style, which lasts to the end of the phase."""
        twin = self.fork()
        (twin._german if seat.side == GERMAN else twin._allied).style = style
        return twin.choose(seat, random.Random(0)), twin

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


class Seasoned(Regular):
    """A regular with the styles of a veteran."""

    usual = SEASONED
