"""A search of whole games for words that tell what lies under a "?" or is hidden, in everything a viewer is sent."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec

import sandtable
from sandtable.engine import Match, Seat
from sandtable.engine.events import Decided, Rolled
from sandtable.games.asl.concealment.model import ConcealmentGained
from sandtable.games.asl.prisoners.model import Freed
from sandtable.games.sasl.events import Happened
from sandtable.games.sasl.model import Activated
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import ALL
from sandtable.games.squad.pieces.events import Promoted
from sandtable.games.squad.pieces.model import SquadState
from sandtable.players import make_player
from sandtable.server.picture import choices, whole_view
from sandtable.server.rebuild import lines_of
from server.leaksearch import asked


class Searched(msgspec.Struct):
    """What a search has looked at and found."""

    secrets: int = 0
    messages: int = 0
    """Views, lines of the log, lists of choices and refusals, and answers that were searched."""
    leaks: list[str] = msgspec.field(default_factory=list)
    steps: int = 0
    ended: bool = False


class Secret(msgspec.Struct):
    """What a viewer may not know of a unit."""

    ids: tuple[str, ...]
    name: str
    printed: tuple[str, ...]
    """What is printed on its counter and those of its weapons."""
    hex: str


def secrets(state: SquadState, viewer: str | None) -> dict[str, Secret]:
    """The units on the map that a viewer does not know."""
    found = {}
    for unit in state.units.values():
        if unit.at >= 0 and known_to(state, viewer, unit) != ALL:
            kinds = (unit.kind, *[state.weapons[name].kind for name in unit.weapons])
            printed = tuple([kind.partition(" ")[2] for kind in kinds])
            found[unit.id] = Secret((unit.id, *unit.weapons), short(state, unit.id), printed, name_of(state, unit.at))
    return found


SUM = re.compile(r"\b\d+[+-]\d+(?=: | against |\): |, kill number )")
"""A DR with its DRM, or odds, which look like a leader."""


def _named(text: str, word: str) -> bool:
    return word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _told(match: Match, viewer: str | None) -> tuple[list[str], list[Any], set[str]]:
    """Every message to a viewer after a step, also if it asks; the events it hears; the units that they show to it."""
    events = [event for _, event in match.events(since=match.version, everything=True)]
    said = [(event, match.game.words(event, match.state)) for event in events]
    lines = [line.raw for line in lines_of(match.game, match.version, said) if line.known_to(viewer)]
    heard = [event for event in events if event.known_to(viewer)]
    showing = [event for event in heard if event.reveals]
    shown = {name for event in showing for name in (getattr(event, "unit", ""), *getattr(event, "units", ()))}
    shown |= {event.leader for event in heard if isinstance(event, Promoted)}  # in a close combat, before all eyes
    parts: list[Any] = [whole_view(match, viewer, None), *lines]
    if viewer is not None and viewer in match.to_act:
        parts += [choices(match, viewer), match.refusals(viewer)]
    texts = [msgspec.json.encode(part).decode() for part in parts]
    return [*texts, *[answer.decode() for answer in asked(match, viewer, (), match.version).values()]], heard, shown


def _made_in_sight(events: list[Any]) -> tuple[set[str], list[Any]]:
    """The units that S? became in sight of all in a step, and what was rolled for them (S5.6, SA-90)."""
    units: set[str] = set()
    rows: list[Any] = []
    face_down: set[str] = set()
    here: list[Any] = []
    for event in events:
        here.append(event)
        if isinstance(event, Rolled) and event.why == "ENEMY Activation":
            here, face_down = [event], set()
        elif isinstance(event, ConcealmentGained):
            face_down |= {*event.units}
        elif isinstance(event, Activated):
            in_sight = {*event.units} - face_down
            units |= in_sight
            rows += [row for row in here if in_sight and isinstance(row, Decided | Rolled)]
            here = []
    return units, rows


def _printed(state: SquadState, unknown: set[str]) -> set[str]:
    """What is printed on the counters of all but some units."""
    kinds = [unit.kind for unit in state.units.values() if unit.id not in unknown]
    kinds += [weapon.kind for weapon in state.weapons.values() if weapon.owner not in unknown]
    return {kind.partition(" ")[2] for kind in kinds}


def _look(match: Match, viewer: str | None, before: Match, searched: Searched) -> None:
    """Search what a viewer was told in a step for units that it knew neither before the step nor knows after it."""
    now = secrets(match.state, viewer)
    if not now:
        return  # there is nothing to look for
    messages, heard, shown = _told(match, viewer)
    searched.secrets += len(now)
    searched.messages += len(messages)
    then = secrets(before.state, viewer)
    shown |= {unit.id for unit in before.state.units.values() if unit.at >= 0 and unit.id not in then}
    made, rolled = _made_in_sight([event for _, event in match.events(since=match.version, everything=True)])
    shown |= made  # an ENEMY turn is one step: they may be concealed later in it
    heard = [event for event in heard if not any(event is row for row in rolled)]
    shown |= {event.unit for event in heard if isinstance(event, Freed)}  # its guard has seen it
    loose = {weapon.id for weapon in before.state.weapons.values() if not weapon.owner}
    shown |= before.state.units.keys() - match.state.units.keys()  # who dies was there for all to see
    seen = _printed(before.state, {*now, *then} - shown) | _printed(match.state, {*now, *then} - shown)
    called = {
        short(one.state, unit) for one in (before, match) for unit in one.state.units if unit not in {*now, *then}
    }
    # who is reduced and dies in one step is seen in no position
    seen |= {getattr(event, name, "").partition(" ")[2] for event in heard for name in ("now", "was", "kind")}
    seen |= {event.title for event in heard if isinstance(event, Happened)}  # what a Random Event brings is printed
    seen |= {kind.partition(" ")[0] for kind in seen}
    for unit, secret in now.items():
        if unit not in shown:
            secret.ids = tuple([word for word in secret.ids if word not in loose])  # what lay on the ground was seen
            who = f"step {match.version}: {viewer or 'an observer'} is told of {secret.name} in {secret.hex}"
            searched.leaks += [f"{who}{how}" for how in _leaks(secret, "\n".join(messages), heard, seen, called)]


def _leaks(secret: Secret, text: str, heard: list[Any], seen: set[str], called: set[str]) -> Iterator[str]:
    """How a secret is told: by an id, by a name that nobody in sight has, or by what is printed on no counter seen."""
    yield from [f" ({word})" for word in secret.ids if f'"{word}"' in text]
    if secret.name not in called and _named(text, secret.name):
        yield " by name"
    for event in heard:
        if isinstance(event, Decided | Rolled):
            words = SUM.sub("", f"{event.why} {getattr(event, 'row', '')} {getattr(event, 'tally', None) or ''}")
            yield from [f": {words}" for kind in secret.printed if kind not in seen and _named(words, kind)]


def search_words(what: str, *, seed: int, steps: int, level: str = "", **options: str) -> Searched:
    """Play a game, at random or by a computer player, and search all that is told of it."""
    source, searched = random.Random(seed), Searched()
    match = sandtable.new(what, seed=seed, options=options)
    player = make_player(match.header.game, level) if level else None
    viewers = [*[side for side in match.sides if side not in match.game.ruled(match.state)], None]
    while match.to_act and match.version < steps:
        side = match.to_act[0]
        before = match.clone()
        action = player.choose(Seat(match, side), source) if player else source.choice(match.actions(side))
        match.apply(side, action)
        for viewer in viewers:
            _look(match, viewer, before, searched)
    searched.steps, searched.ended = match.version, match.outcome is not None
    return searched
