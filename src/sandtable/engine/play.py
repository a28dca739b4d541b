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

    __slots__ = ("_dice", "events", "rolls", "state")

    said: Sequence[str] = ()
    """Words for the events, where they are told as they happen."""

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self._dice = dice
        self.events: list[Event] = []
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
        faces = self.cast(sides, n, why)
        self.emit(Rolled(why=why, sides=sides, faces=faces, by=by, tally=tally, to=to))
        return faces

    def cast(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        """Roll dice that the log tells later, together with others."""
        faces = self._dice.roll(sides, n, why)
        self.rolls.append((sides, faces))
        return faces

    def emit(self, event: Event) -> None:
        """Say what happened."""
        self.events.append(event)

    def emit_before(self, place: int, event: Event) -> None:
        """Say what happened in front of the events from a place on, which are what came of it."""
        later = self.events[place:]
        del self.events[place:]
        self.emit(event)
        self.events += later

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


class TellingPlay(Play[S]):
    """A play that is told to somebody while it goes on: each side hears its own, a narrator finds words."""

    __slots__ = ("_hear", "_say", "said")

    def __init__(
        self,
        state: S,
        dice: Dice,
        say: Callable[[Event, S], str] | None = None,
        hear: Callable[[Event, S], Sequence[Event]] | None = None,
    ) -> None:
        super().__init__(state, dice)
        self._say = say
        self._hear = hear
        self.said: list[str] = []
        """Found when each event happened: later in the same step a unit may have another name."""

    def emit(self, event: Event) -> None:
        """Say what happened; where sides may not know the same of it, each is told its own."""
        for told in (event,) if self._hear is None else self._hear(event, self.state):
            self.events.append(told)
            if self._say is not None:
                self.said.append(self._say(told, self.state))

    def emit_before(self, place: int, event: Event) -> None:
        said = self.said[place:]
        del self.said[place:]
        super().emit_before(place, event)
        self.said += said
