"""Sniper attacks that a Random Event brings (A11 53, P9 53-54, x9 46; S8.8, A14.3)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.asl.snipers.model import SNIPERS, Sniper, SniperAims
from sandtable.games.asl.snipers.rules import aimed_at, put
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import ENEMY, FRIENDLY, ROSTER
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.pieces.model import SquadState


def targets(state: SquadState, side: str) -> bool:
    """Whether a side's Sniper has anybody to attack."""
    return any(unit.side != side and unit.at >= 0 and not hidden(unit) for unit in state.units.values())


def attack(play: Play[SquadState], side: str, strength: int) -> None:
    """A Sniper Attack of type 1 or 2 (S8.8, A14.3); a side without a Sniper borrows one for it."""
    if side not in SNIPERS.of(play.state):
        SNIPERS.of(play.state)[side] = Sniper(0)
    cell = aimed_at(play, side)
    put(play, side, cell)
    play.push(SniperAims(side, strength, cell))


def enemy_sniper(play: Play[SquadState], event: Event) -> bool:
    """A11 53: a dr with -2 drm, 2 at most; P9 53-54: of type 1 on a dr <= 3, else of type 2. At once."""
    if not targets(play.state, ENEMY):
        return False
    (dr,) = rolled(play, 1, "Sniper")
    strength = 1 if dr <= 3 else 2
    say(play, event.table, event.key, (dr,), f"a Sniper Attack of type {strength}", "A14.3")
    attack(play, ENEMY, strength)
    return True


def friendly_sniper(play: Play[SquadState], event: Event) -> bool:
    """RE 46: first thing in the coming PFPh a Sniper Attack of type 1 on a dr <= 3, else of type 2."""
    state = play.state
    if not targets(state, FRIENDLY):
        return False
    (dr,) = rolled(play, 1, "Sniper")
    put_roster(state, strikes=(*ROSTER.of(state).strikes, f"sniper {1 if dr <= 3 else 2} {FRIENDLY}"))
    return True


def strike(play: Play[SquadState]) -> None:
    """The PFPh begins: Snipers that an event has called attack."""
    state = play.state
    marks = [mark for mark in ROSTER.of(state).strikes if mark.startswith("sniper")]
    if not marks:
        return
    put_roster(state, strikes=tuple([mark for mark in ROSTER.of(state).strikes if mark not in marks]))
    for mark in marks:
        _, strength, side = mark.split(" ")
        if targets(state, side):
            attack(play, side, int(strength))
