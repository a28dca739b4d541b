"""What the veteran of the squad-level games thinks over: how boldly, held shots, who moves and advances, and where."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sandtable.engine import Action, Seat
from sandtable.players.squad_habits import HURRIED, Habits
from sandtable.players.squad_regular import Look, Regular
from sandtable.players.squad_shots import promise
from sandtable.players.squad_table import setting_of

FEW = 2
"""Other advances that are looked at."""
BEGINNINGS = ("StartFire", "StartShot", "StartMove", "EndPhase", "Pass")
"""Choices with which a phase or a window of it begins."""
ADVANCES = ("CancelAdvance", "AdvanceTo")
DOUBTFUL = 0.03
"""What a held shot must promise to be thought of again."""

Style = dict[str, float]
"""A way to play a player turn: how much more each habit counts than usually."""

ATTACKS: dict[str, Style] = {
    "storm": {"pull": 2.0, "risk": 0.5, "fear": 0.7, "prep": 4.0},
    "press": {"pull": 1.5, "prep": 2.0},
    "shoot": {"pull": 0.6, "prep": 0.2},
    "care": {"pull": 0.4, "risk": 1.6, "cover": 1.8, "storm": 1.6, "follow": 2.0},
    "close": {"storm": 2.5, "melee": 1.5, "prep": 2.0},
}
"""For the own player turn of an attacker."""
DEFENCES: dict[str, Style] = {
    "bold": {"fear": 0.4, "hope": 2.0, "risk": 0.5},
    "care": {"fear": 2.2, "risk": 2.0, "hope": 0.7},
    "stay": {"moving": 8.0, "prep": 0.2},
    "hide": {"fear": 5.0, "hope": 0.4, "risk": 1.5, "prep": 3.0},
}
"""For the own player turn of a defender."""
FIRES: dict[str, Style] = {"eager": {"hold": 0.35}, "patient": {"hold": 2.2}}
"""For the enemy's Movement Phase."""
STYLES = ATTACKS | DEFENCES | FIRES


def in_style(habits: Habits, style: Style) -> Habits:
    """The habits in a style."""
    return habits._replace(**{name: getattr(habits, name) * factor for name, factor in style.items()})


class Seasoned(Regular):
    """A regular that decides anew in every player turn how it is played, and has a few better habits."""

    breakout = HURRIED
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
        change = STYLES.get(style, {})
        self.attack, self.defence = in_style(kind.attack, change), in_style(kind.defence, change)
        self.breakout, self.blocking = in_style(kind.breakout, change), in_style(kind.blocking, change)


Pairs = list[tuple[Action, Regular]]


def variants(player: Seasoned, seat: Seat, own: Action) -> Pairs:
    """Other choices than the regular's own, each with a twin who has made it; none where little hangs on it."""
    kind = type(own).__name__
    if kind in BEGINNINGS and player.phase != player.settled:
        player.settled = player.phase
        return _tempers(player, seat)
    if kind in ("StartMove", "StartAdvance"):
        return _asked_again(player, seat)
    if kind == "CancelFire":
        return _held_shot(player, Look(seat, seat.view(), seat.actions().all, player))
    return _elsewhere(player, seat, own) if kind in ADVANCES else []


def _tempers(player: Seasoned, seat: Seat) -> Pairs:
    """The phase from its beginning, played in other styles."""
    found: Pairs = []
    for style in ("", *_styles(player.phase, seat)):
        if style != player.style:
            twin = player.fork()
            assert isinstance(twin, Seasoned)
            twin.take(style)
            twin.phase = ""  # without a phase in its memory it begins it anew
            found.append((twin.choose(seat, random.Random(0)), twin))
    return found


def _styles(phase: str, seat: Seat) -> dict[str, Style]:
    """The styles for a phase: the own Prep Fire and Movement Phases, and the fire at an enemy who moves."""
    if not phase.endswith(seat.side):
        return FIRES if "Movement" in phase else {}
    if "Prep" not in phase and "Movement" not in phase:
        return {}
    conditions = setting_of(seat.view()).scenario.conditions
    return ATTACKS if any(condition.winner == seat.side for condition in conditions) else DEFENCES


def _asked_again(player: Regular, seat: Seat) -> Pairs:
    """Whom it has just picked it leaves alone: the next one, or nobody."""
    twin = player.fork()
    return [(twin.choose(seat, random.Random(0)), twin)]


def _held_shot(player: Regular, look: Look) -> Pairs:
    """The best of the shots that it would rather hold, if that promises anything."""
    shots: Sequence[Action] = look.all("ResolveFire", "Shoot")
    promises = [(promise(look, shot), number) for number, shot in enumerate(shots)]
    best, number = max(promises, default=(0.0, 0))
    return [(shots[number], player.fork())] if best > DOUBTFUL else []


def _elsewhere(player: Regular, seat: Seat, own: Action) -> Pairs:
    """To stay, or another hex to advance to."""
    others = [action for action in seat.actions().all if type(action).__name__ in ADVANCES and action != own]
    return [(action, player.fork()) for action in others[:FEW]]
