"""Random Events: when they happen, which one, and the round of rerolls (2.)."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine import Event as EngineEvent
from sandtable.engine import Play
from sandtable.engine.part import Words
from sandtable.games.sasl import enemy_events, friendly_events
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.missions import rules_of
from sandtable.games.sasl.model import ENEMY, FRIENDLY, ROSTER
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import events as tables
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.pieces.model import SquadState

TRIES = 60
"""Rerolls of impossible events after which none happens (S2.31)."""
Effect = Callable[[Play[SquadState], Event], bool]


class Happened(EngineEvent, frozen=True):
    """A Random Event of a side (S2.3)."""

    side: str
    table: str
    number: str
    title: str
    effect: str


def check(play: Play[SquadState]) -> None:
    """The Wind Change DR of each RPh: a RE Number of the side whose turn it is brings an event (S2.2)."""
    state = play.state
    side = state.attacker
    roster = ROSTER.of(state)
    follow_up(play)
    roll = sum(play.roll(6, 2, "Wind Change and Random Event", by=side))
    numbers = roster.friendly_re if side == FRIENDLY else roster.enemy_re
    if not occurs(numbers, roll):
        return
    if side == ENEMY and not roster.activated and not rules_of(state).events_at_once:
        say(play, "S2.2", f"RE {numbers}", (), "no ENEMY unit has been Activated: no event", "S2.2")
        return
    happen(play, side)


def occurs(numbers: str, roll: int) -> bool:
    """Whether a DR is one of the two RE Numbers (S2.11)."""
    return str(roll) in numbers.split("/")


def table_of(state: SquadState, side: str) -> str:
    """Which table of events a side uses: A11, P9 for Partisans, x9 (S2.3, 12.213)."""
    base = rolled_in(state)
    if side == ENEMY:
        return "P9" if base.enemy == "P" else "A11"
    return tables.FRIENDLY[base.friendly]


def happen(play: Play[SquadState], side: str) -> None:
    """Roll an event; used and impossible ones are rolled again (S2.3, S2.31)."""
    state = play.state
    name = table_of(state, side)
    drm = rolled_in(state).rules.drm.get("A11" if side == ENEMY else "x9", 0)
    for _ in range(TRIES):
        coloured, white = rolled(play, 2, f"Random Event {name}")
        event = tables.event(name, min(7, max(0, coloured + drm)), white)
        number = f"{min(7, max(0, coloured + drm))}{white}"
        key = f"{name} {event.numbers[0]}"
        if key in ROSTER.of(state).used:
            say(play, name, number, (coloured, white), f"{event.title}: once only, rolled again", "S2.31")
            continue
        effect = effects(side).get(event.event)
        if effect is None:
            say(play, name, number, (coloured, white), f"{event.title}: not played yet, rolled again", "S2.31")
            continue
        play.emit(Happened(side=side, table=name, number=number, title=event.title, effect=event.effect))
        if effect(play, event):
            say(play, name, number, (coloured, white), event.title, "S2.3")
            if event.once:
                put_roster(state, used=(*ROSTER.of(state).used, key))
            return
        say(play, name, number, (coloured, white), f"{event.title}: impossible, rolled again", "S2.31")
    say(play, name, "none", (), "no event is possible", "S2.31")


def effects(side: str) -> dict[str, Effect]:
    """What the events of a side do, by their names in the tables; the others need parts that are not played yet."""
    return enemy_events.EFFECTS if side == ENEMY else friendly_events.EFFECTS


def follow_up(play: Play[SquadState]) -> None:
    """Reinforcement dr of earlier events, each ENEMY RPh until one fails (A11 34, 36, 63, 75)."""
    state = play.state
    if state.attacker != ENEMY:
        return
    for mark in ROSTER.of(state).follow:
        edge, _, limit = mark.partition(" ")
        (dr,) = rolled(play, 1, "additional reinforcements")
        if dr <= int(limit):
            number = sum(rolled(play, 2, "S? entering"))
            enemy_events.reinforce(play, number, edge)
        else:
            say(play, "A11", "additional reinforcements", (dr,), "no more of them", "S2.3")
            left = list(ROSTER.of(state).follow)
            left.remove(mark)
            put_roster(state, follow=tuple(left))


WORDS: dict[type[EngineEvent], Words] = {
    Happened: lambda state, event: f"Random Event {event.table} {event.number}, {event.title}: {event.effect}",
}
