"""A play in progress: what the rules may do while an action is carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from sandtable.engine.dice import Dice, Roll
from sandtable.engine.events import Event, Rolled
from sandtable.engine.state import Frame, State
from sandtable.engine.tally import Tally

S = TypeVar("S", bound=State)


class Play(Generic[S]):
    """Gives the rules the state, the dice, the event list and the stack of procedures."""

    __slots__ = ("_dice", "_hear", "_plain", "_say", "events", "rolls", "said", "state")

    def __init__(
        self,
        state: S,
        dice: Dice,
        say: Callable[[Event, S], str] | None = None,
        hear: Callable[[Event, S], Sequence[Event]] | None = None,
    ) -> None:
        self.state = state
        self._dice = dice
        self._say = say
        self._hear = hear
        self._plain = hear is None and say is None
        self.events: list[Event] = []
        self.said: list[str] = []
        """Words for the events, found when each happened: later in the same step a unit may have another name."""
        self.rolls: list[Roll] = []

    def roll(
        self,
        sides: int,
        n: int,
        why: str,
        *,
        by: str = "",
        tally: Tally | None = None,
        to: tuple[str, ...] | None = None,
    ) -> tuple[int, ...]:
        """Roll dice and log the roll."""
        faces = self._dice.roll(sides, n, why)
        self.rolls.append((sides, faces))
        rolled = Rolled(why=why, sides=sides, faces=faces, by=by, tally=tally, to=to)
        if self._plain:
            self.events.append(rolled)
        else:
            self.emit(rolled)
        return faces

    def emit(self, event: Event) -> None:
        """Say what happened; where sides may not know the same of it, each is told its own."""
        if self._plain:
            self.events.append(event)
            return
        for told in (event,) if self._hear is None else self._hear(event, self.state):
            self.events.append(told)
            if self._say is not None:
                self.said.append(self._say(told, self.state))

    def emit_before(self, place: int, event: Event) -> None:
        """Say what happened in front of the events from a place on, which are what came of it."""
        events, said = self.events[place:], self.said[place:]
        del self.events[place:], self.said[place:]
        self.emit(event)
        self.events += events
        self.said += said

    def tell_only(self, to: tuple[str, ...], first: int, last: int) -> None:
        """What was said from one place in the events up to another is for these sides alone."""
        self.events[first:last] = [msgspec.structs.replace(event, to=to) for event in self.events[first:last]]

    def push(self, frame: Frame) -> None:
        """Start a procedure on top of the present one."""
        self.state.stack.append(frame)  # type: ignore[attr-defined]

    def pop(self) -> None:
        """End the present procedure."""
        self.state.stack.pop()  # type: ignore[attr-defined]

    def replace(self, frame: Frame) -> None:
        """Put another frame in the place of the top one."""
        self.state.stack[-1] = frame  # type: ignore[attr-defined]
