"""One game between computer players, and what is kept of it."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Literal

import msgspec

from sandtable.engine import Action, Match, Seat, new
from sandtable.engine.events import Rolled
from sandtable.players import Player, make_player
from sandtable.players.random_player import RandomPlayer

OnFault = Literal["forfeit", "replace"]
DECISION_SECONDS = 120.0


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is simulated; two runs of one plan give the same results."""

    scenario: str
    """`game/scenario`."""
    players: dict[str, str]
    """The level of each side's player."""
    options: dict[str, str] = {}
    seed: int = 1
    """The first game's seed; each game takes the next one."""
    on_fault: OnFault = "forfeit"
    """What happens to a player that breaks down: it loses, or the random player takes its place."""
    decision_seconds: float = DECISION_SECONDS
    """A player that thinks longer has broken down."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finished game."""

    number: int
    seed: int
    winner: str
    reason: str
    rule: str = ""
    actions: int = 0
    turns: int = 0
    seconds: float = 0.0
    """Processor time: what it took does not depend on what else the machine does."""
    faults: tuple[str, ...] = ()
    luck: dict[str, float] = {}
    """By side: the mean of its dice minus what fair dice give, in units of one die."""
    losses: tuple[tuple[str, str, str], ...] = ()
    """(side, cell, turn) of every piece lost."""
    strength: tuple[tuple[str, dict[str, int]], ...] = ()
    """At the start of each turn: pieces left by side."""
    thinking: dict[str, tuple[float, float]] = {}
    """By side: mean and 95th percentile of the milliseconds of processor time for a decision."""


class Broken(Exception):
    """A player broke down."""


Dead = Mapping[str, tuple[int, str]]
"""By side: the step at which its player took the whole process down, and how."""


def play_game(
    plan: Plan, number: int, *, dead: Dead | None = None, tell: Callable[[str, int], None] | None = None
) -> tuple[Result, Match]:
    """Play one game of a plan to its end; `tell` is called with side and step before each decision."""
    seed = plan.seed + number
    match = new(plan.scenario, seed=seed, options=plan.options)
    game = match.header.game
    ruled = match.game.ruled(match.state)
    players = {side: make_player(game, plan.players[side]) for side in match.sides if side not in ruled}
    sources = {side: random.Random(f"{plan.scenario} {seed} {side}") for side in match.sides}
    watch = _Watch(match)
    faults: list[str] = []
    forfeited = ""
    start = time.process_time()
    while match.to_act and match.version < match.game.length_limit:
        side = match.to_act[0]
        before = time.process_time()
        if tell is not None:
            tell(side, match.version)
        try:
            if dead and dead.get(side, ("", ""))[0] == match.version:
                raise Broken(dead[side][1])
            action = _decide(match, side, players[side], sources[side], plan.decision_seconds)
        except Broken as fault:
            faults.append(f"{side}: {fault}")
            if plan.on_fault == "forfeit":
                forfeited = side
                break
            players[side] = RandomPlayer()
            dead = {other: end for other, end in (dead or {}).items() if other != side}
            continue
        watch.thought(side, time.process_time() - before)
        match.apply(side, action)
        watch.look(match)
    seconds = time.process_time() - start
    if forfeited:
        others = [side for side in match.sides if side != forfeited]
        winner, reason, rule = others[0], f"{forfeited} forfeits: {faults[-1]}", ""
    elif match.outcome is None:
        winner, reason, rule = "", f"The players had not come to an end after {match.version} actions", ""
        faults.append(reason)
    else:
        winner, reason, rule = match.outcome.winner, match.outcome.reason, match.outcome.rule
    result = Result(
        number=number,
        seed=seed,
        winner=winner,
        reason=reason,
        rule=rule,
        actions=match.version,
        turns=len(watch.strength),
        seconds=round(seconds, 3),
        faults=tuple(faults),
        luck=watch.luck(),
        losses=tuple(watch.losses),
        strength=tuple(watch.strength),
        thinking=watch.thinking(),
    )
    return result, match


def _decide(match: Match, side: str, player: Player, source: random.Random, limit: float) -> Action:
    """The player's choice; whatever it does wrong is a breakdown."""
    try:
        with _time_limit(limit):
            action = player.choose(Seat(match, side), source)
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    if action not in match.actions(side):
        raise Broken(f"it chose {action!r}, which is not legal")
    return action


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Stop a player that hangs; only the main thread of a process can be stopped."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"it thought longer than {seconds:g} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


class _Watch:
    """Keeps what the reports want to know of a game."""

    def __init__(self, match: Match) -> None:
        self.losses: list[tuple[str, str, str]] = []
        self.strength: list[tuple[str, dict[str, int]]] = []
        self._turn = ""
        self._begun = False
        self._dice: dict[str, list[float]] = {side: [] for side in match.sides}
        self._times: dict[str, list[float]] = {side: [] for side in match.sides}
        self.look(match)

    def thought(self, side: str, seconds: float) -> None:
        """Note how long a decision took."""
        self._times[side].append(seconds * 1000)

    def look(self, match: Match) -> None:
        """Note what the last step brought."""
        game = match.game
        for _, event in match.events(since=match.version, everything=True):
            if isinstance(event, Rolled) and event.by in self._dice:
                fair = (event.sides + 1) / 2
                self._dice[event.by] += [face - fair for face in event.faces]
            if not self._begun and game.begins(event):
                self._begun = True
                for dice in self._dice.values():
                    dice.clear()
            loss = game.loss(event)
            if loss is not None:
                self.losses.append((*loss, self._turn))
        turn = game.turn(match.state)
        if turn != self._turn:
            self._turn = turn
            self.strength.append((turn, dict(game.strength(match.state))))

    def luck(self) -> dict[str, float]:
        """Mean deviation from fair dice."""
        return {side: round(sum(dice) / len(dice), 4) for side, dice in self._dice.items() if dice}

    def thinking(self) -> dict[str, tuple[float, float]]:
        """Mean and 95th percentile of the time for a decision."""
        found: dict[str, tuple[float, float]] = {}
        for side, times in self._times.items():
            if times:
                late = sorted(times)[int(len(times) * 0.95)]
                found[side] = (round(sum(times) / len(times), 3), round(late, 3))
        return found
