"""What players that look ahead share: what they must know of a game, and games played on in the mind."""

from __future__ import annotations

import copy
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from sandtable.engine import Action, Match, Seat

PATIENCE = 16
"""Decisions between two looks at the clock."""
EXTREME = 0.02
"""A position looks never so lost or won that a little more would not count."""


class Thinker(Protocol):
    """A player, as far as it is needed here."""

    explanation: str

    def choose(self, seat: Seat, source: random.Random) -> Action: ...


class Knowledge(NamedTuple):
    """What is good in a game, for a player that looks ahead; it lives with the game's other players."""

    base: Callable[[], Thinker]
    """The player whose choices are improved on."""
    quick: Callable[[], Thinker]
    """The player that plays the other sides in the mind; the own side goes on as it would in earnest."""
    worth: Callable[[Mapping[str, Any], str], float] | None = None
    """How good a view looks for its side, from 0 to 1; None: only the end of the game tells."""
    candidates: Callable[[Any, Seat, int], Sequence[Action]] | None = None
    """The few choices that deserve a look in a decision; None: any."""
    variants: Callable[[Any, Seat, Action], Sequence[tuple[Action, Thinker]]] | None = None
    """Instead of candidates: other choices than the player's own, each with a twin of the player who has made it."""
    horizon: int = 2
    """How many player turns are looked ahead, the present one included (with `worth`)."""
    player_turn: Callable[[Any], object] | None = None
    """What changes with every player turn, from a state."""


def player_turn(state: Any) -> object:
    """What changes with every player turn in the games that ship: the turn, and the side of it or of its frame."""
    side = getattr(state, "attacker", None) or getattr(state, "side", None)
    return state.turn, side or (getattr(state.stack[0], "side", None) if state.stack else None)


def fork(player: Thinker) -> Thinker:
    """A player with the same memory that goes its own way."""
    own = getattr(player, "fork", None)
    twin: Thinker = own() if own is not None else copy.deepcopy(player)
    return twin


_MASK = (1 << 64) - 1


class FateDice:
    """Dice that fall by what they are rolled for: a morale check of a squad comes out the same after every choice.

    So the luck that has nothing to do with a choice falls out of the comparison.
    """

    __slots__ = ("_counts", "_seed", "position")

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._counts: dict[str, int] = {}
        self.position = 0

    def clone(self) -> FateDice:
        """Dice that will fall the same."""
        new = FateDice(self._seed)
        new._counts = self._counts.copy()
        return new

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        """Roll n dice."""
        count = self._counts.get(why, 0)
        self._counts[why] = count + 1
        key = self._seed + zlib.crc32(why.encode()) * 0x9E3779B97F4A7C15 + count * 0xD1B54A32D192ED03
        faces = []
        for _ in range(n):
            key = (key + 0x9E3779B97F4A7C15) & _MASK
            mixed = ((key ^ key >> 30) * 0xBF58476D1CE4E5B9) & _MASK
            mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _MASK
            faces.append((mixed ^ mixed >> 31) % sides + 1)
        return tuple(faces)


class World:
    """One way in which hidden things may lie and the dice may fall; every choice is tried in the same worlds."""

    def __init__(self, seat: Seat, seed: int) -> None:
        self._match = seat.imagine(random.Random(seed))
        self._seed = seed
        self.side = seat.side

    def after(self, action: Action) -> Match:
        """The match of this world when the side does this."""
        match = self._match.clone(FateDice(self._seed))
        match.apply(self.side, action)
        return match

    def source(self) -> random.Random:
        """Chance for the players in it, the same for every choice."""
        return random.Random(self._seed + 2)


def play_on(
    match: Match,
    players: dict[str, Thinker],
    source: random.Random,
    *,
    over: Callable[[Match], bool],
    in_time: Callable[[], bool],
) -> bool:
    """Play a match in the mind until it is over; False if the time was up before."""
    limit = match.version + match.game.length_limit
    while match.to_act and match.version < limit and not over(match):
        if match.version % PATIENCE == 0 and not in_time():
            return False
        side = match.to_act[0]
        seat = Seat(match, side)
        legal = seat.actions().all
        if len(legal) == 1:
            match.apply(side, legal[0])
            continue
        try:
            match.apply(side, players[side].choose(seat, source))
        except Exception:
            # A player that stumbles over a position it would not have come to itself does not spoil the thought.
            match.apply(side, legal[int(source.random() * len(legal))])
    return True


class Imagination:
    """Tries choices of one decision in imagined worlds."""

    def __init__(self, seat: Seat, know: Knowledge, seed: int, in_time: Callable[[], bool]) -> None:
        self._seat = seat
        self._know = know
        self._seed = seed
        self._in_time = in_time
        self._worlds: dict[int, World] = {}
        self._now = 0.5 if know.worth is None else know.worth(seat.view(), seat.side)

    def value(self, action: Action, mind: Thinker, number: int) -> float | None:
        """What a choice leads to in a world, from 0 (lost) to 1 (won), now being the middle; None: no time for it.

        `mind` is the player who has made the choice: the memory of a plan goes with it.
        """
        if number not in self._worlds:
            self._worlds[number] = World(self._seat, self._seed + 1000 * number)
        world, know, side = self._worlds[number], self._know, self._seat.side
        match = world.after(action)
        players = {other: fork(mind) if other == side else know.quick() for other in match.sides}
        over = self._horizon(match) if know.worth is not None else lambda _: False
        if not play_on(match, players, world.source(), over=over, in_time=self._in_time):
            return None
        return beside(judge(match, side, know), self._now)

    def _horizon(self, match: Match) -> Callable[[Match], bool]:
        """Whether so many player turns are over."""
        mark = self._know.player_turn or player_turn
        last, left = mark(match.state), self._know.horizon

        def over(now: Match) -> bool:
            nonlocal last, left
            at = mark(now.state)
            if at != last:
                last = at
                left -= 1
            return left <= 0

        return over


def judge(match: Match, side: str, know: Knowledge) -> float:
    """What a match is worth for a side: its outcome, or how it looks."""
    if match.outcome is not None:
        winner = match.outcome.winner
        return 0.5 if not winner else float(winner == side)
    return 0.5 if know.worth is None else know.worth(match.view(side), side)


def beside(worth: float, now: float) -> float:
    """A worth by how it compares with the worth now, which becomes one half; won and lost stay what they are.

    So small differences count in positions that look almost won or lost, too, and a judgement that leans to one side
    all the time does no harm.
    """
    now = min(max(now, EXTREME), 1 - EXTREME)
    better = worth * (1 - now)
    return better / (better + (1 - worth) * now)
