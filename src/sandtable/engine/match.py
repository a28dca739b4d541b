"""A match: the one place where actions are checked, carried out, recorded and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine.dice import Dice, RecordedDice, Roll, StreamDice
from sandtable.engine.errors import (
    ActionRefused,
    CannotUndo,
    IllegalAction,
    MatchOver,
    RulesFault,
    SandtableError,
    StaleAction,
    WrongSide,
)
from sandtable.engine.events import Ended, Event, TookBack
from sandtable.engine.game import Game
from sandtable.engine.play import Play, TellingPlay
from sandtable.engine.record import Entry, Header, Number, Record, Step, Takeback
from sandtable.engine.state import Action, Outcome, State
from sandtable.engine.view import Description, Preview, Refusal
from sandtable.reading import fits

CHECKPOINT = 128
"""A copy of the state is kept every so many actions, so that taking back is quick."""

NEAR = 8
"""On the way back to a state copies are kept closer, so that taking back again and again is quick too."""

_LOOP_LIMIT = 100_000


class Actions(Sequence[Action]):
    """The legal actions of a side now: lazy, sized, and `in` works."""

    __slots__ = ("_find", "_found", "_side")

    def __init__(self, find: Callable[[str], Sequence[Action]], side: str) -> None:
        self._find = find
        self._side = side
        self._found: Sequence[Action] | None = None

    @property
    def all(self) -> Sequence[Action]:
        """The actions themselves, found at the first look."""
        if self._found is None:
            self._found = self._find(self._side)
        return self._found

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, n: Any) -> Any:
        return self.all[n]

    def __iter__(self) -> Iterator[Action]:
        return iter(self.all)

    def __contains__(self, action: object) -> bool:
        return action in self.all

    def __repr__(self) -> str:
        return f"<{len(self)} actions>"


class _Line:
    """One action of the line of play that led here; lines share their past."""

    __slots__ = ("before", "checkpoint", "depth", "step")

    def __init__(self, before: _Line | None, step: Step, checkpoint: State | None) -> None:
        self.before = before
        self.step = step
        self.checkpoint = checkpoint
        self.depth: int = 1 if before is None else before.depth + 1


class _Past:
    """One entry of the record and the log; clones share their past."""

    __slots__ = ("before", "entry", "events", "said")

    def __init__(
        self, before: _Past | None, entry: Entry | None, events: tuple[Event, ...], said: Sequence[str] = ()
    ) -> None:
        self.before = before
        self.entry = entry
        self.events = events
        self.said = said


class Match:
    """A game being played. Made by `sandtable.new`, `sandtable.replay` or `clone`."""

    __slots__ = (
        "_barrier",
        "_barrier_why",
        "_legal",
        "_line",
        "_numbers",
        "_past",
        "_start",
        "_to_act",
        "dice",
        "game",
        "header",
        "narrator",
        "outcome",
        "start_rolls",
        "state",
        "taken_up",
        "version",
    )

    def __init__(self, game: Game[Any], header: Header, state: Any, dice: Dice) -> None:
        self.game = game
        self.header = header
        self.state = state
        self.dice = dice
        self.version = 0
        self.outcome: Outcome | None = None
        self.narrator: Callable[[Event, Any], str] | None = None
        """Finds words for events as they happen, for whoever keeps a log (see `told`)."""
        self._line: _Line | None = None
        self._past: _Past | None = None
        self._barrier = 0
        self._barrier_why = "Nothing has been done yet."
        self._legal: dict[str, Sequence[Action]] = {}
        self._numbers: dict[str, str] = {}
        self.taken_up = False
        play: Play[Any] = TellingPlay(state, dice, hear=game.hears) if game.hears else Play(state, dice)
        self._to_act = self._run_on(play)
        self._start = state.clone()
        self.start_rolls = tuple(play.rolls)
        if play.events:
            self._past = _Past(None, None, tuple(play.events))

    @classmethod
    def resumed(
        cls, game: Game[Any], header: Header, state: Any, dice: Dice, entries: Sequence[Entry], start: tuple[Roll, ...]
    ) -> Match:
        """A match that goes on from a state that was kept, with the record that led there; nothing is played again."""
        new = cls.__new__(cls)
        new.game, new.header, new.state, new.dice = game, header, state, dice
        new.version = len(entries)
        new.outcome = game.outcome(state)
        new.start_rolls = start
        new._line, new._past, new._start = None, _Past(None, None, ()), state.clone()
        new._barrier, new._barrier_why = 0, "The match was taken up again from a kept position since."
        new._legal, new._to_act, new.taken_up = {}, (), True
        new._numbers = {entry.side: entry.number for entry in entries if isinstance(entry, Number)}
        for entry in entries:
            new._past = _Past(new._past, entry, ())
        if new.outcome is None:
            frame = state.stack[-1]
            new._to_act = game.procedures[type(frame)].to_act(state, frame)
        return new

    # -- asking -------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides of the match."""
        return self.header.sides

    @property
    def to_act(self) -> tuple[str, ...]:
        """The sides that owe a decision."""
        return self._to_act

    def actions(self, side: str) -> Actions:
        """The legal actions of a side; empty if it owes no decision."""
        return Actions(self._legal_actions, side)

    def _legal_actions(self, side: str) -> Sequence[Action]:
        legal = self._legal.get(side)
        if legal is None:
            if side in self._to_act:
                frame = self.state.stack[-1]
                legal = self.game.procedures[type(frame)].actions(self.state, frame, side)
            else:
                legal = ()
            self._legal[side] = legal
        return legal

    def view(self, side: str | None = None) -> dict[str, Any]:
        """What the side (None: an observer) may know, as JSON-able data."""
        view: dict[str, Any] = msgspec.to_builtins(self.game.view(self.state, side), str_keys=True)
        view["version"] = self.version
        view["to_act"] = list(self._to_act)
        view["outcome"] = msgspec.to_builtins(self.outcome)
        return view

    def describe(self, side: str, action: Action) -> Description:
        """An action in words, with the pieces and cells it touches."""
        found = self.game.describe(self.state, side, action)
        return found if found.role else replace(found, role=found.known_role())

    def refusals(self, side: str) -> Sequence[Refusal]:
        """What the side may look for but a rule forbids now."""
        return self.game.refusals(self.state, side) if side in self._to_act else ()

    def preview(self, side: str, action: Action) -> Preview | None:
        """Tally and exact odds of a legal action before it is committed."""
        self._check(side, action)
        return self.game.preview(self.state, side, action)

    def events(self, side: str | None = None, *, since: int = 0, everything: bool = False) -> list[tuple[int, Event]]:
        """(version, event) pairs that the side may know, from a version on."""
        cells: list[tuple[int, _Past]] = []
        past, version = self._past, self.version
        while past is not None and version > since - 1:
            cells.append((version, past))
            past = past.before
            version -= 1
        return [
            (number, event)
            for number, cell in reversed(cells)
            if number >= since
            for event in cell.events
            if everything or event.known_to(side)
        ]

    def told(self, version: int) -> list[tuple[Event, str]]:
        """The events of one of the last steps with the narrator's words, found when each happened."""
        past, number = self._past, self.version
        while past is not None and number > version:
            past, number = past.before, number - 1
        if past is None:
            return []
        said = past.said or tuple([self.narrator(event, self.state) if self.narrator else "" for event in past.events])
        return list(zip(past.events, said, strict=True))

    # -- acting -------------------------------------------------------------------------

    def _check(self, side: str, action: Action) -> None:
        if side not in self._to_act:
            if self.outcome is not None:
                raise MatchOver("The match is over: nothing more can be done in it.")
            if side not in self.header.sides:
                raise WrongSide(f"There is no side {side!r} here; the sides are {', '.join(self.header.sides)}.")
            raise WrongSide(f"It is for {' and '.join(self._to_act)} to decide now, not for {side}.")
        if action in self._legal_actions(side):
            return
        if not fits(action, self.game.action_type):
            raise IllegalAction(f"This is no action of {self.game.id}: take one that match.actions({side!r}) lists")
        reason, rule = self.game.why_not(self.state, side, action)
        raise IllegalAction(reason, rule)

    def apply(self, side: str, action: Action, *, at: int | None = None) -> list[Event]:
        """Carry out an action and return what happened; a refusal changes nothing.

        `at` is the version that the action was chosen for: a later match refuses it as stale.
        """
        if at is not None and at != self.version:
            raise StaleAction(f"This was chosen at step {at}, but the match is at step {self.version} now: look again.")
        legal = self._legal.get(side)
        if legal is None or side not in self._to_act or action not in legal:
            self._check(side, action)
        state = self.state
        line = self._line
        checkpoint = state.clone() if line is not None and line.depth % CHECKPOINT == 0 else None
        dice = self.dice
        if self.narrator or self.game.hears:
            play: Play[Any] = TellingPlay(state, dice, self.narrator, self.game.hears)
        else:
            play = Play(state, dice)
        mark = dice.position
        try:
            frame = state.stack[-1]
            self.game.procedures[type(frame)].apply(play, frame, side, action)
            to_act = self._run_on(play)
        except Exception as fault:
            dice.position = mark
            self._restore()
            if isinstance(fault, SandtableError) and not isinstance(fault, ActionRefused):
                raise
            raise RulesFault(f"The rules failed on {action!r}: {type(fault).__name__}: {fault}") from fault
        events = play.events
        rolls = tuple(play.rolls)
        step = Step(side, action, rolls)
        self._line = line = _Line(line, step, checkpoint)
        self._past = _Past(self._past, step, tuple(events), play.said)
        self.version += 1
        self._legal = {}
        if rolls:
            self._barrier, self._barrier_why = line.depth, "Dice have been rolled since."
        elif to_act != self._to_act:
            self._barrier, self._barrier_why = line.depth, "The decision has passed to the other side since."
        else:
            for event in events:
                if event.reveals:
                    self._barrier, self._barrier_why = line.depth, "Something hidden has been revealed since."
                    break
        self._to_act = to_act
        return events

    def _run_on(self, play: Play[Any]) -> tuple[str, ...]:
        """Run frames that need no decision, until one does or the match is over."""
        state, game = self.state, self.game
        procedures = game.procedures
        for _ in range(_LOOP_LIMIT):
            outcome = game.outcome(state)
            if outcome is not None:
                self.outcome = outcome
                play.emit(Ended(winner=outcome.winner, reason=outcome.reason, rule=outcome.rule))
                return ()
            frame = state.stack[-1]
            procedure = procedures[type(frame)]
            to_act = procedure.to_act(state, frame)
            if not to_act:
                procedure.run(play, frame)
                continue
            if not game.rules_choose:
                return to_act
            ruled = game.ruled(state)
            side = next((side for side in to_act if side in ruled), "")
            if not side:
                return to_act
            legal = procedure.actions(state, frame, side)
            action = game.decide(play, frame, side, legal)
            if action not in legal:
                raise RulesFault(f"The rules chose {action!r} for {side}, which is not legal now.")
            procedure.apply(play, frame, side, action)
        raise RulesFault(f"The procedure {state.stack[-1]!r} never comes to a decision.")

    def numbers(self) -> dict[str, str]:
        """The numbers that players have added to the dice, by side."""
        return dict(self._numbers)

    def add_number(self, side: str, number: str) -> None:
        """Add a player's own number to the dice; each side may do so once."""
        if self.outcome is not None:
            raise MatchOver("The match is over: nothing more can be done in it.")
        if side not in self.header.sides:
            raise WrongSide(f"There is no side {side!r} here; the sides are {', '.join(self.header.sides)}.")
        if not re.fullmatch("[0-9a-f]{64}", number):
            raise IllegalAction("A number for the dice has 64 hexadecimal digits")
        if side in self._numbers:
            raise IllegalAction(f"{side} has added its number to the dice already")
        if isinstance(self.dice, StreamDice):
            self.dice.mix(side, number)
        self._numbers = {**self._numbers, side: number}
        self._past = _Past(self._past, Number(side, number), ())
        self.version += 1

    # -- taking back --------------------------------------------------------------------

    def why_no_undo(self, side: str) -> str | None:
        """Why the side cannot take back its last action without asking; None: it can."""
        if self.outcome is not None:
            return "The match is over."
        line = self._line
        if line is None:
            return "Nothing has been done yet."
        while line is not None and line.depth > self._barrier:
            if line.step.side == side:
                return None
            line = line.before
        return self._barrier_why

    def undo(self, side: str, *, consent: bool = False) -> None:
        """Take back the side's last action; beyond a barrier only with the others' consent.

        Dice never rewind: what is rolled after a takeback is new.
        """
        if self.outcome is not None:
            raise CannotUndo("The match is over.")
        why_not = self.why_no_undo(side)
        if why_not is not None and not consent:
            raise CannotUndo(why_not)
        later: list[_Line] = []
        line = self._line
        while line is not None and line.step.side != side:
            later.append(line)
            line = line.before
        if line is None:
            raise CannotUndo(f"{side} has done nothing yet.")
        self.rewind(1 + len(later), side, consent=why_not is not None)
        if why_not is None:  # what the other side decided at the same time stands
            for cell in reversed(later):
                self.apply(cell.step.side, cell.step.action)

    def rewind(self, steps: int, side: str, *, consent: bool = False) -> None:
        """Go back so many steps; the record keeps them and the takeback."""
        line = self._line
        for _ in range(steps):
            if line is None:
                raise CannotUndo(f"There are no {steps} steps to take back.")
            line = line.before
        self._line = line
        depth = 0 if line is None else line.depth
        self._barrier = min(self._barrier, depth)
        self._restore()
        self.version += 1
        self._past = _Past(self._past, Takeback(steps, side, consent), (TookBack(side=side, with_consent=consent),))

    def _restore(self) -> None:
        """Make the state anew from the line of play, with the dice that were rolled then."""
        cells: list[_Line] = []
        line = self._line
        base: State = self._start
        while line is not None:
            cells.append(line)
            if line.checkpoint is not None:
                base = line.checkpoint
                break
            line = line.before
        self.state = base.clone()
        self.outcome = None
        self._legal = {}
        self._to_act = self._run_on(Play(self.state, RecordedDice(())))
        for number, cell in enumerate(reversed(cells)):
            if cell.checkpoint is None and (number % NEAR == 0 or cell is self._line):
                cell.checkpoint = self.state.clone()  # who takes back once will do it again
            play = Play(self.state, RecordedDice(cell.step.rolls))
            frame = self.state.stack[-1]
            self.game.procedures[type(frame)].apply(play, frame, cell.step.side, cell.step.action)
            self._to_act = self._run_on(play)

    # -- keeping ------------------------------------------------------------------------

    def clone(self, dice: Dice | None = None) -> Match:
        """An independent match in the same situation (with the same dice to come, or others)."""
        new = Match.__new__(Match)
        new.game = self.game
        new.header = self.header
        new.state = self.state.clone()
        new.dice = self.dice.clone() if dice is None else dice
        new.version = self.version
        new.outcome = self.outcome
        new.narrator = self.narrator
        new._line = self._line
        new._past = self._past
        new._start = self._start
        new.start_rolls = self.start_rolls
        new._barrier = self._barrier
        new._barrier_why = self._barrier_why
        new._legal = self._legal.copy()
        new._numbers = self._numbers
        new.taken_up = self.taken_up
        new._to_act = self._to_act
        return new

    def adopt(self, state: Any) -> None:
        """Go on from another state (imagined positions); taking back ends here."""
        self.state = state
        self._start = state.clone()
        self._line = None
        self._barrier = 0
        self._legal = {}
        if self.outcome is None:
            frame = state.stack[-1]
            self._to_act = self.game.procedures[type(frame)].to_act(state, frame)

    def forget(self) -> None:
        """Drop the record, the log and the secret (imagined positions)."""
        self._past = None
        self.header = self.header.public()

    def record(self) -> Record:
        """Header and everything done so far; the secret is told only when the match is over."""
        entries: list[Entry] = []
        past = self._past
        while past is not None:
            if past.entry is not None:
                entries.append(past.entry)
            past = past.before
        secret = self.header.secret if self.outcome is not None or self.header.seed is not None else None
        return Record(self.header.public(), tuple(reversed(entries)), self.start_rolls, secret, self.outcome)

    @property
    def last_rolls(self) -> tuple[Roll, ...]:
        """The dice of the last action."""
        return self._line.step.rolls if self._line is not None else ()

    def position(self) -> dict[str, Any]:
        """The situation as plain data that `sandtable.new` can open again."""
        return {
            "sandtable_position": 1,
            "game": self.header.game,
            "scenario": self.header.scenario,
            "options": dict(self.header.options),
            "state": self.game.write_position(self.state),
        }

    def __repr__(self) -> str:
        what = "over" if self.outcome else f"{' and '.join(self._to_act)} to act"
        return f"<Match {self.header.game}/{self.header.scenario} step {self.version}, {what}>"
