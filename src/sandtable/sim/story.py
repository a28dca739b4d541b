"""The story of a finished match, from its record: chances turn by turn, losses, luck, and where it turned."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine import Match, Record, replay
from sandtable.engine.events import Event, Rolled
from sandtable.engine.record import Step
from sandtable.players import knowledge

SWING = 0.08
"""A change of the chances within a phase that counts as a turning point."""
POINTS = 6
"""Turning points that are told."""
ENOUGH = 5
"""Dice of a kind before anything is said about luck with them."""


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it stood at the beginning of a phase."""

    step: int
    turn: str
    phase: str
    chances: dict[str, float] = {}
    """By side, as the computer players judge positions."""


class Loss(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece that was lost."""

    step: int
    side: str
    at: str
    text: str
    turn: str


class Luck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The dice of a side in rolls of one kind."""

    side: str
    kind: str
    rolls: int
    dice: int
    mean: float
    """Of one die."""
    fair: float
    luck: float = 0
    """In standard deviations, above zero where it helped; zero where the game does not say which dice help."""


class TurningPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment at which the chances changed."""

    step: int
    turn: str
    phase: str
    side: str
    """Who gained."""
    gain: float
    text: str


class Story(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is told of a match."""

    sides: tuple[str, ...]
    moments: tuple[Moment, ...]
    losses: tuple[Loss, ...] = ()
    luck: tuple[Luck, ...] = ()
    points: tuple[TurningPoint, ...] = ()
    steps: int = 0


def kind_of(event: Rolled) -> str:
    """The kind of a roll, without the names in it: `Prep Fire`, `1MC`, `save`."""
    title = event.tally.title if event.tally is not None else ""
    if title.endswith(" to hit"):
        return "Shots"
    name = event.why
    for mark in (": ", ", ", " of ", " at ", " on ", " in ", " from "):
        name = name.partition(mark)[0]
    return name[:1].upper() + name[1:]


def chances(match: Match) -> dict[str, float]:
    """The chances of the sides as computer players judge the position; empty if nobody can judge it."""
    worth = knowledge(match.header.game).worth
    if worth is None or len(match.sides) != 2:
        return {}
    first, second = match.sides
    try:
        share = (worth(match.view(first), first) + 1 - worth(match.view(second), second)) / 2
    except (KeyError, ValueError, ZeroDivisionError):  # a position that no judge was made for: set-up, say
        return {}
    return {first: round(share, 4), second: round(1 - share, 4)}


class _Teller:
    """Reads a match step by step."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.moments: list[Moment] = []
        self.losses: list[Loss] = []
        self.busy: list[tuple[int, int, str]] = []
        """(step, number of events, words) of each step with dice."""
        self.dice: dict[tuple[str, str], list[tuple[int, tuple[int, ...]]]] = {}
        self.begun = False

    def look(self, match: Match, step: int) -> None:
        """One more entry of the record."""
        game, state = match.game, match.state
        view = game.view(state, None)
        entry = self.record.entries[step - 1] if step else None
        actor = entry.side if isinstance(entry, Step) else ""
        events = [event for _, event in match.events(since=step, everything=True)]
        for event in events:
            self._event(match, event, step, actor, view.turn)
        told = [event for event in events if not isinstance(event, Rolled)]
        if step and told and len(told) < len(events):
            self.busy.append((step, len(events), game.words(told[-1], state)))
        last = self.moments[-1] if self.moments else None
        if last is None or (last.turn, last.phase) != (view.turn, view.phase) or match.outcome is not None:
            # what is settled before play belongs to no phase and is no swing of fortune
            self.moments.append(Moment(step, view.turn, view.phase, chances(match) if view.phase else {}))

    def _event(self, match: Match, event: Event, step: int, actor: str, turn: str) -> None:
        if isinstance(event, Rolled):
            kept = self.dice.setdefault((event.by or actor, kind_of(event)), [])
            kept.append((event.sides, event.faces))
        if not self.begun and match.game.begins(event):
            self.begun = True
            self.dice.clear()
        loss = match.game.loss(event)
        if loss is not None:
            text = match.game.words(event, match.state)
            self.losses.append(Loss(step, loss[0], loss[1], text, turn))

    def story(self, match: Match) -> Story:
        """All of it."""
        sides = match.sides
        luck = [_luck(side, kind, rolls, match.game.good_dice) for (side, kind), rolls in self.dice.items() if side]
        return Story(
            sides=sides,
            moments=tuple(self.moments),
            losses=tuple(self.losses),
            luck=tuple(sorted(luck, key=lambda one: (one.kind, sides.index(one.side) if one.side in sides else 9))),
            points=tuple(self._points(sides)),
            steps=len(self.record.entries),
        )

    def _points(self, sides: Sequence[str]) -> list[TurningPoint]:
        found = []
        judged = [moment for moment in self.moments if moment.chances]
        for before, after in itertools.pairwise(judged):
            change = after.chances[sides[0]] - before.chances[sides[0]]
            if abs(change) < SWING:
                continue
            gainer = sides[0] if change > 0 else sides[1]
            hurt = [one for one in self.losses if before.step < one.step <= after.step and one.side != gainer]
            span = [one for one in self.busy if before.step < one[0] <= after.step]
            step, _, text = max(span, key=lambda one: one[1], default=(before.step, 0, ""))
            if hurt:
                step, text = hurt[0].step, hurt[0].text + (f" and {len(hurt) - 1} more" if len(hurt) > 1 else "")
            found.append(TurningPoint(step, before.turn, before.phase, gainer, round(abs(change), 4), text))
        best = sorted(found, key=lambda one: -one.gain)[:POINTS]
        return sorted(best, key=lambda one: one.step)


def _luck(side: str, kind: str, rolls: Sequence[tuple[int, tuple[int, ...]]], good: str) -> Luck:
    dice = [(face, size) for size, faces in rolls for face in faces]
    gap = sum(face - (size + 1) / 2 for face, size in dice)
    spread = math.sqrt(sum((size * size - 1) / 12 for _, size in dice)) or 1.0
    sign = {"low": -1, "high": 1}.get(good, 0)
    told = sign * gap / spread if len(dice) >= ENOUGH else 0.0
    mean = sum(face for face, _ in dice) / len(dice)
    fair = sum((size + 1) / 2 for _, size in dice) / len(dice)
    return Luck(side, kind, len(rolls), len(dice), round(mean, 3), round(fair, 3), round(told, 2))


def tell(record: Record) -> Story:
    """The story of a record."""
    teller = _Teller(record)
    return teller.story(replay(record, steps=len(record.entries), each=teller.look))


def as_text(record: Record, title: str, names: dict[str, str], ending: str) -> str:
    """A record as people read it: every turn and phase as a heading, every event as a line."""
    lines = [title, "=" * len(title), ""]
    heading: list[Any] = [None]

    def each(match: Match, step: int) -> None:
        view = match.game.view(match.state, None)
        told = [match.game.words(event, match.state) for _, event in match.events(since=step, everything=True)]
        entry = record.entries[step - 1] if step else None
        who = f"{names.get(entry.side, entry.side)}: " if isinstance(entry, Step) else ""
        lines.extend(f"{step:5}  {who if n == 0 else ''}{words}" for n, words in enumerate(told))
        if heading[0] != (view.turn, view.phase):
            heading[0] = (view.turn, view.phase)
            head = ", ".join(part for part in heading[0] if part)
            lines.extend(["", head, "-" * len(head)])

    replay(record, steps=len(record.entries), each=each)
    return "\n".join([*lines, "", ending, ""])
