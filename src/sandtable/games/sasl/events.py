"""Random Events: when they happen, which one, and the round of rerolls (S2)."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine import Event as EngineEvent
from sandtable.engine import Play
from sandtable.engine.part import Words
from sandtable.games.sasl import arrivals, enemy_events, friendly_events, hazards, shortage, sniping, valour
from sandtable.games.sasl.dice import printed, rolled, say
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
        tens = min(7, max(0, coloured + drm))
        event = tables.event(name, tens, white)
        number, faces = f"{tens}{white}", (coloured, white)
        why = barred(state, side, event)
        if why:
            say(play, name, number, faces, f"{event.title}: {why}; rolled again", "S2.31")
            continue
        before = len(play.events)
        if occur(play, side, event):
            happened = Happened(side=side, table=name, number=number, title=event.title, effect=event.effect)
            play.emit_before(before, happened)
            say(play, name, number, faces, event.title, "S2.3")
            return
        say(play, name, number, faces, f"{event.title}: impossible now; rolled again", "S2.31")
    say(play, name, "none", (), "no event is possible", "S2.31")


def key_of(event: Event) -> str:
    """The name under which an event is remembered as used."""
    return f"{event.table} {event.numbers[0]}"


def barred(state: SquadState, side: str, event: Event) -> str:
    """Why an event cannot occur whatever the situation, empty: it may (S2.31)."""
    if event.once and key_of(event) in ROSTER.of(state).used:
        return "can occur only once"
    if event.event == "human wave" and rolled_in(state).enemy in ("R", "C", "J"):
        return "needs Human Waves (not played yet)"
    if event.event in NEEDS:
        return f"needs {NEEDS[event.event]} (not played yet)"
    return rules_of(state).bars_event(state, side, event)


def occur(play: Play[SquadState], side: str, event: Event) -> bool:
    """Carry out an event; False: the situation makes it impossible."""
    state = play.state
    if not effects(side)[event.event](play, event):
        return False
    if event.once:
        put_roster(state, used=(*ROSTER.of(state).used, key_of(event)))
    return True


def effects(side: str) -> dict[str, Effect]:
    """What the events of a side do, by their names in the tables."""
    return ENEMY_EFFECTS if side == ENEMY else FRIENDLY_EFFECTS


VEHICLES, AIRCRAFT, ARTILLERY, WEATHER, FLAMES = "vehicles", "aircraft", "off-board artillery", "weather", "flames"
NEEDS = {
    "cupola": VEHICLES, "convoy": VEHICLES, "immobilized": VEHICLES, "recalled": VEHICLES, "AFV": VEHICLES,
    "SPG": VEHICLES, "recon": VEHICLES, "TD": VEHICLES, "rider": VEHICLES, "flamethrower tanks": VEHICLES,
    "recon mixed": VEHICLES, "halftracks": VEHICLES, "tank riders": VEHICLES, "tanks": VEHICLES,
    "tanks mixed": VEHICLES, "tanks by flank": VEHICLES, "tanks flank": VEHICLES, "combined": VEHICLES,
    "cavalry": "horses", "recon plane": AIRCRAFT, "aircraft": AIRCRAFT, "ground support": AIRCRAFT,
    "airstrike": AIRCRAFT, "airdrop": "parachutes", "artillery again": ARTILLERY, "barrage": ARTILLERY,
    "artillery": ARTILLERY, "harassing fire": ARTILLERY, "overcast": WEATHER, "mist": WEATHER, "lamp": FLAMES,
    "scorched earth": FLAMES,
}  # fmt: skip
"""Events that need a part which is not played yet (S2.31)."""
ENEMY_EFFECTS: dict[str, Effect] = {
    **enemy_events.EFFECTS,
    **hazards.EFFECTS,
    **valour.ENEMY_EFFECTS,
    "sniper": sniping.enemy_sniper,
    "ammunition": shortage.friendly_short,
}
FRIENDLY_EFFECTS: dict[str, Effect] = {
    **friendly_events.EFFECTS,
    **arrivals.EFFECTS,
    **valour.FRIENDLY_EFFECTS,
    "sniper": sniping.friendly_sniper,
    "ammunition": shortage.enemy_short,
}


def follow_up(play: Play[SquadState]) -> None:
    """Reinforcement dr of events of earlier turns, until one fails (A11 34, 36, 63, 75; P9 34-36, 61, 73)."""
    state = play.state
    if state.attacker != ENEMY:
        return
    for mark in ROSTER.of(state).follow:
        since, edge, limit, *card = mark.split(" ")
        if int(since) == state.turn:
            continue  # it came as this ENEMY Player Turn began (M1 MSR 2)
        (dr,) = rolled(play, 1, "additional reinforcements")
        words = f"<={limit}" if dr <= int(limit) else f">={int(limit) + 1}"
        if dr <= int(limit):
            say(play, table_of(state, ENEMY), words, (dr,), "additional reinforcements", "S2.3")
            enemy_events.reinforce(play, sum(rolled(play, 2, "S? entering")), edge, *card)
        else:
            say(play, table_of(state, ENEMY), words, (dr,), "no more reinforcements", "S2.3")
            left = list(ROSTER.of(state).follow)
            left.remove(mark)
            put_roster(state, follow=tuple(left))


WORDS: dict[type[EngineEvent], Words] = {
    Happened: lambda state, event: printed(f"Random Event {event.table} {event.number}, {event.title}: {event.effect}"),
}
