"""The one harness: random play of any game, with what must always hold checked on the way."""

from __future__ import annotations

import copy
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.errors import ActionRefused, IllegalAction, RulesFault, WrongSide
from sandtable.engine.events import Decided, Event
from sandtable.engine.match import Match
from sandtable.engine.record import Record, Step
from sandtable.engine.start import new, read_record, replay
from sandtable.engine.state import Action, shared_containers
from sandtable.reading import decode

REFUSED = 3
"""So many actions of earlier steps that are not legal now are tried at a step that is checked."""


class Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that must hold and did not."""

    scenario: str
    seed: int
    step: int
    what: str
    record: str = ""
    """Where the record that leads to it was saved."""


class Report(msgspec.Struct):
    """What random play came to."""

    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    """Time spent in listing and applying actions, without the checks."""
    outcomes: dict[str, int] = {}
    lengths: list[int] = []
    errors: list[Failure] = []

    @property
    def actions_per_second(self) -> float:
        """How quick the rules are."""
        return self.actions / self.seconds if self.seconds else 0.0


class Broken(AssertionError):
    """A check that failed."""


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise Broken(what)


def fuzz(
    scenario: str,
    *,
    games: int,
    seed: int,
    checks: float = 0.02,
    options: dict[str, str] | None = None,
    save: Path | None = None,
    on_game: Callable[[], None] | None = None,
) -> Report:
    """Play so many games of `game/scenario` at random; `checks` is the share of steps that are checked."""
    report = Report()
    outcomes: Counter[str] = Counter()
    for number in range(seed, seed + games):
        match = new(scenario, seed=number, options=options)
        source = random.Random(f"fuzz {scenario} {number}")
        attempt: list[tuple[str, Action]] = []
        try:
            _play(match, source, checks, report, attempt)
            _check_end(match)
            assert match.outcome is not None
            outcomes[match.outcome.winner or "draw"] += 1
        except Exception as error:  # whatever breaks, the other games go on and the record is kept
            what = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
            where = _save_failure(match, attempt, save, number)
            name = f"{match.header.game}/{match.header.scenario}"
            report.errors.append(Failure(name, number, match.version, what, where))
        report.games += 1
        report.lengths.append(match.version)
        if on_game is not None:
            on_game()
    report.outcomes = dict(sorted(outcomes.items()))
    return report


def _play(
    match: Match, source: random.Random, checks: float, report: Report, attempt: list[tuple[str, Action]]
) -> None:
    clock = time.process_time  # other programs on the machine do not count
    rnd = source.random
    limit = match.game.length_limit
    seen: dict[type[Action], Action] = {}
    while match.to_act:
        _require(match.version < limit, f"random play has not ended after {limit} actions")
        checked = rnd() < checks
        sides = match.to_act
        start = clock()
        side = sides[0] if len(sides) == 1 else sides[int(rnd() * len(sides))]
        actions = match.actions(side).all
        report.seconds += clock() - start
        _require(len(actions) > 0, f"{side} must decide but has no legal action in {match.state.stack[-1]!r}")
        action = actions[int(rnd() * len(actions))]
        attempt[:] = [(side, action)]
        if checked:
            _check_step(match, side, action, seen, source)
        start = clock()
        match.apply(side, action)
        report.seconds += clock() - start
        report.actions += 1
        seen[type(action)] = action
        attempt.clear()


def _picture(match: Match) -> bytes:
    return msgspec.json.encode(match.state)


def _check_step(
    match: Match, side: str, action: Action, seen: Mapping[type[Action], Action], source: random.Random
) -> None:
    """Everything that must hold at a decision; `seen`: the last action of each kind."""
    game = match.game
    actions = match.actions(side).all
    doubled = [one for one, count in Counter(actions).items() if count > 1]
    _require(not doubled, f"an action is listed twice: {doubled[:1]!r}")
    for one in source.sample(list(actions), min(5, len(actions))):
        again = decode(msgspec.json.encode(one), game.action_type)
        _require(again == one, f"{one!r} does not survive JSON")
        _require(bool(match.describe(side, one).text), f"{one!r} has no words")
        bar = game.bar(match.state, side, one)
        _require(bar is None, f"{one!r} is legal, but a rule bars it: {bar}")
    picture = _picture(match)
    _check_state(match, picture)
    others = [one for one in seen.values() if one not in actions]
    picked = random.Random(match.version).sample(others, min(REFUSED, len(others)))  # the games stay the same
    _check_refusals(match, side, picked)
    match.preview(side, action)
    match.refusals(side)
    for viewer in (*match.sides, None):
        json.dumps(match.view(viewer))
    _require(_picture(match) == picture, "asking for views, previews or a refused action changed the state")
    copy = match.clone()
    copy.narrator = game.words
    copy.apply(side, action)
    _require(_picture(match) == picture, "applying to a clone changed the original")
    for event, said in copy.told(copy.version):
        _require(bool(said), f"{event!r} has no words")
    if copy.why_no_undo(side) is None:
        copy.undo(side)
        _require(_picture(copy) == picture, f"taking back {action!r} does not restore the state")
    for viewer in (*match.sides, None):
        _check_hidden(match, viewer, (side, action), source)


def _check_state(match: Match, picture: bytes) -> None:
    back = decode(picture, match.game.state_type)
    _require(back == match.state, "the state does not survive JSON")
    shared = shared_containers(match.state)
    _require(not shared, f"clones share something mutable: {shared[:3]}")


def _check_refusals(match: Match, side: str, illegal: Sequence[Action]) -> None:
    """The other side may not act, and what is not legal is refused with a reason."""
    for other in match.sides:
        if other not in match.to_act:
            try:
                match.apply(other, match.actions(side)[0])
            except WrongSide:
                continue
            raise Broken(f"{other} could act although it is for {match.to_act} to decide")
    for old in illegal:
        try:
            match.apply(side, old)
        except IllegalAction as refusal:
            _require(bool(refusal.reason.strip()), f"{old!r} was refused without a reason")
        except (RulesFault, ActionRefused) as error:
            raise Broken(f"{old!r} should be refused as illegal, not {error!r}") from error
        else:
            raise Broken(f"{old!r} is not legal but was carried out")


def _until_rules_choose(match: Match, side: str, action: Action, viewer: str | None) -> tuple[list[Event], bool]:
    """What a viewer hears before the rules choose for a side that nobody plays, and whether they do.

    What they choose may follow from what that side hides.
    """
    alone = match.clone()
    alone.game = copy.copy(match.game)
    alone.game.rules_choose = False
    events = list(alone.apply(side, action))
    before = list(itertools.takewhile(lambda event: not isinstance(event, Decided), events))
    return [event for event in before if event.known_to(viewer)], len(before) < len(events)


def _check_hidden(match: Match, viewer: str | None, step: tuple[str, Action], source: random.Random) -> None:
    """What a side sees, may do and hears does not depend on what is hidden from it."""
    dealt = match.game.reshuffle(match.state.clone(), viewer, source)
    if dealt is None:
        return
    other = match.clone()
    other.adopt(dealt)
    _require(other.view(viewer) == match.view(viewer), f"the view of {viewer} tells what is hidden from it")
    if viewer in match.to_act:
        same = list(other.actions(viewer)) == list(match.actions(viewer))
        _require(same, f"the actions of {viewer} tell what is hidden from it")
    side, action = step
    if action in other.actions(side):
        heard = [_until_rules_choose(one, side, action, viewer) for one in (match, other)]
        ours, theirs = match.clone().apply(side, action), other.apply(side, action)
        if not any(event.reveals for event in (*ours, *theirs)):
            ends = [len(events) for events, chosen in heard if chosen]  # from there on the other may choose otherwise
            first, second = [events[: min(ends, default=None)] for events, _ in heard]
            _require(first == second, f"the events of {action!r} tell {viewer} what is hidden from it")


def _check_end(match: Match) -> None:
    """A finished match has a sane outcome, and its record gives the same match again."""
    outcome = match.outcome
    assert outcome is not None
    _require(outcome.winner in (*match.sides, ""), f"{outcome.winner!r} cannot win")
    _require(bool(outcome.reason), "the outcome has no reason")
    text = match.record().to_lines()
    record = read_record(text)
    _require(record.to_lines() == text, "the record does not survive being written and read")
    again = replay(record)
    _require(_picture(again) == _picture(match), "the record replays to another state")
    _require(again.outcome == outcome, "the record replays to another outcome")


def check_position(match: Match) -> None:
    """A position written from a match opens to the same situation."""
    position: dict[str, Any] = json.loads(json.dumps(match.position()))
    again = new(position, seed=0)
    _require(_picture(again) == _picture(match), "the position opens to another state")
    _require(again.to_act == match.to_act, "the position opens with another side to act")


def _save_failure(match: Match, attempt: list[tuple[str, Action]], save: Path | None, number: int) -> str:
    if save is None:
        return ""
    save.mkdir(parents=True, exist_ok=True)
    record = match.record()
    tried = tuple(Step(side, action, ()) for side, action in attempt)
    path = save / f"{match.header.game}-{match.header.scenario}-{number}.jsonl"
    Record(record.header, record.entries + tried, record.start).save(path)
    return str(path)
