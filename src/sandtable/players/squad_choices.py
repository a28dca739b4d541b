"""What the veteran of the squad-level games thinks over: how boldly, fire or hold, at whom, who moves and advances."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandtable.engine import Action, Seat
from sandtable.players.squad_candidates import candidates
from sandtable.players.squad_regular import Look, Regular
from sandtable.players.squad_shots import promise

FEW = 3
LISTED = ("AimAt", "AdvanceTo", "CancelAdvance", "RoutStep", "LowCrawl", "EndRout")
"""Decisions with few choices, of which the first ones are looked at."""
DOUBTFUL = 0.03
"""What a held shot must promise to be thought of again."""
NERVES = (0.6, 1.0, 1.6)
"""Ways to look at fire that may come: below one boldly, above one carefully."""


class Seasoned(Regular):
    """A regular that decides anew in every phase how boldly it is played."""

    nerve: float = 1.0
    settled = ""
    """The phase for which that is decided."""


Pairs = list[tuple[Action, Regular]]


def variants(player: Seasoned, seat: Seat, own: Action) -> Pairs:
    """Other choices than the regular's own, each with a twin who has made it; none where little hangs on it."""
    kind = type(own).__name__
    if kind in ("StartFire", "StartShot", "StartMove", "EndPhase") and _begins(player, seat):
        return _tempers(player, seat)
    if kind in ("StartMove", "StartAdvance"):
        return _asked_again(player, seat)
    if kind in ("ResolveFire", "Shoot", "CancelFire"):
        return _fire_or_hold(player, Look(seat, seat.view(), seat.actions().all), own)
    return _looked_up(player, seat, own) if kind in LISTED else []


def _begins(player: Seasoned, seat: Seat) -> bool:
    """Whether an own Prep Fire or Movement Phase begins: then it is decided how boldly it is played."""
    phase = player.phase
    if phase == player.settled or not phase.endswith(seat.side) or not ("Prep" in phase or "Movement" in phase):
        return False
    player.settled = phase
    return True


def _tempers(player: Seasoned, seat: Seat) -> Pairs:
    """The phase from its beginning, played more boldly or more carefully."""
    found: Pairs = []
    for nerve in NERVES:
        if nerve != player.nerve:
            twin = player.fork()
            assert isinstance(twin, Seasoned)
            twin.nerve, twin.phase = nerve, ""  # without a phase in its memory it begins it anew
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
