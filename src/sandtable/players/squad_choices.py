"""What the veteran of the squad-level games thinks over: how boldly, fire or hold, at whom, who moves and advances."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine import Action, Seat
from sandtable.players.squad_candidates import candidates
from sandtable.players.squad_habits import Habits
from sandtable.players.squad_regular import Look, Regular
from sandtable.players.squad_shots import promise

FEW = 3
LISTED = ("AimAt", "AdvanceTo", "CancelAdvance", "RoutStep", "LowCrawl", "EndRout")
"""Decisions with few choices, of which the first ones are looked at."""
DOUBTFUL = 0.03
"""What a held shot must promise to be thought of again."""


class Style(NamedTuple):
    """A way to play a player turn, by what is changed in the usual habits."""

    pull: float = 1.0
    risk: float = 1.0
    fear: float = 1.0
    prep: float = 1.0

    def changed(self, habits: Habits) -> Habits:
        """The habits in this style."""
        return habits._replace(
            pull=habits.pull * self.pull,
            risk=habits.risk * self.risk,
            fear=habits.fear * self.fear,
            prep=habits.prep * self.prep,
        )


STYLES = {
    "storm": Style(pull=2.0, risk=0.5, fear=0.7, prep=4.0),
    "press": Style(pull=1.5, prep=2.0),
    "shoot": Style(pull=0.6, prep=0.2),
    "care": Style(pull=0.7, risk=2.0, fear=1.5),
}


class Seasoned(Regular):
    """A regular that decides anew in every player turn how it is played."""

    settled = ""
    """The phase for which that is decided."""
    style = ""
    lasting = ""
    """The player turn for which the style holds."""

    def new_phase(self, view: dict[str, Any]) -> None:
        """With a new player turn it comes back to its usual habits."""
        now = f"{view['turn']} {view['active']}"
        if now != self.lasting:
            self.lasting = now
            self.take("")

    def take(self, style: str) -> None:
        """Play in a style from now on."""
        kind = type(self)
        self.style = style
        change = STYLES.get(style, Style())
        self.attack, self.defence = change.changed(kind.attack), change.changed(kind.defence)
        self.breakout, self.blocking = change.changed(kind.breakout), change.changed(kind.blocking)


Pairs = list[tuple[Action, Regular]]


def variants(player: Seasoned, seat: Seat, own: Action) -> Pairs:
    """Other choices than the regular's own, each with a twin who has made it; none where little hangs on it."""
    kind = type(own).__name__
    if kind in ("StartFire", "StartShot", "StartMove", "EndPhase") and _begins(player, seat):
        return _tempers(player, seat)
    if kind in ("StartMove", "StartAdvance"):
        return _asked_again(player, seat)
    if kind in ("ResolveFire", "Shoot", "CancelFire"):
        return _fire_or_hold(player, Look(seat, seat.view(), seat.actions().all, player), own)
    return _looked_up(player, seat, own) if kind in LISTED else []


def _begins(player: Seasoned, seat: Seat) -> bool:
    """Whether an own Prep Fire or Movement Phase begins: then it is decided how it is played."""
    phase = player.phase
    if phase == player.settled or not phase.endswith(seat.side) or not ("Prep" in phase or "Movement" in phase):
        return False
    player.settled = phase
    return True


def _tempers(player: Seasoned, seat: Seat) -> Pairs:
    """The phase from its beginning, played in other styles."""
    found: Pairs = []
    for style in ("", *STYLES):
        if style != player.style:
            twin = player.fork()
            assert isinstance(twin, Seasoned)
            twin.take(style)
            twin.phase = ""  # without a phase in its memory it begins it anew
            found.append((twin.choose(seat, random.Random(0)), twin))
    return found


def _asked_again(player: Regular, seat: Seat) -> Pairs:
    """Whom it has just picked it leaves alone: the next one, or nobody."""
    twin = player.fork()
    return [(twin.choose(seat, random.Random(0)), twin)]


def _fire_or_hold(player: Regular, look: Look, own: Action) -> Pairs:
    cancel = look.first("CancelFire")
    if cancel is None:
        return []
    if own != cancel:
        return [(cancel, player.fork())]
    shots: Sequence[Action] = look.all("ResolveFire", "Shoot")
    promises = [(promise(look, shot), number) for number, shot in enumerate(shots)]
    best, number = max(promises, default=(0.0, 0))
    return [(shots[number], player.fork())] if best > DOUBTFUL else []


def _looked_up(player: Regular, seat: Seat, own: Action) -> Pairs:
    """The regular's own list of choices."""
    found: Pairs = []
    for action in candidates(player, seat, FEW):
        if action != own:
            twin = player.fork()
            twin.took(seat, action)
            found.append((action, twin))
    return found
