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
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import ALL
from sandtable.games.squad.pieces.model import SquadState
from sandtable.players import make_player
from sandtable.server.picture import choices, whole_view
from sandtable.server.rebuild import lines_of
from server.leaksearch import asked


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


SUM = re.compile(r"\b\d+[+-]\d+(?=: | against )")
"""A DR with its DRM, which looks like a leader."""


def _named(text: str, word: str) -> bool:
    return word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _told(match: Match, viewer: str | None) -> tuple[str, list[Any], set[str]]:
    """All that a viewer is sent after a step, also if it asks; the events it hears; the units that they show to it."""
    events = [event for _, event in match.events(since=match.version, everything=True)]
    said = [(event, match.game.words(event, match.state)) for event in events]
    lines = [line.raw for line in lines_of(match.game, match.version, said) if line.known_to(viewer)]
    heard = [event for event in events if event.known_to(viewer)]
    shown = {getattr(event, "unit", "") for event in heard if event.reveals}
    parts: list[Any] = [whole_view(match, viewer, None), lines]
    if viewer is not None and viewer in match.to_act:
        parts += [choices(match, viewer), match.refusals(viewer)]
    parts.append([answer.decode() for answer in asked(match, viewer, (), match.version).values()])
    return msgspec.json.encode(parts).decode(), heard, shown


def _printed(state: SquadState, unknown: set[str]) -> set[str]:
    """What is printed on the counters of all but some units."""
    kinds = [unit.kind for unit in state.units.values() if unit.id not in unknown]
    kinds += [weapon.kind for weapon in state.weapons.values() if weapon.owner not in unknown]
    return {kind.partition(" ")[2] for kind in kinds}


def _leaks(match: Match, viewer: str | None, before: Match) -> Iterator[str]:
    """What a viewer was told of units that it knew neither before a step nor knows after it."""
    now, then = secrets(match.state, viewer), secrets(before.state, viewer)
    text, heard, shown = _told(match, viewer)
    shown |= {unit.id for unit in before.state.units.values() if unit.at >= 0 and unit.id not in then}
    seen = _printed(before.state, {*now, *then} - shown) | _printed(match.state, {*now, *then} - shown)
    # who is reduced and dies in one step is seen in no position
    seen |= {getattr(event, name, "").partition(" ")[2] for event in heard for name in ("now", "was", "kind")}
    for unit, secret in now.items():
        if unit in shown:
            continue
        who = f"step {match.version}: {viewer or 'an observer'} is told of {secret.name} in {secret.hex}"
        yield from [f"{who} ({word})" for word in secret.ids if f'"{word}"' in text]
        if _named(text, secret.name):
            yield f"{who} by name"
        for event in heard:
            if isinstance(event, Decided | Rolled):
                words = SUM.sub("", f"{event.why} {getattr(event, 'row', '')} {getattr(event, 'tally', None) or ''}")
                yield from [f"{who}: {words}" for kind in secret.printed if kind not in seen and _named(words, kind)]


def search_words(what: str, *, seed: int, steps: int, level: str = "", **options: str) -> tuple[int, list[str]]:
    """Play a game, at random or by a computer player; how many secrets were looked for, and the leaks found."""
    source = random.Random(seed)
    match = sandtable.new(what, seed=seed, options=options)
    player = make_player(match.header.game, level) if level else None
    viewers = [*[side for side in match.sides if side not in match.game.ruled(match.state)], None]
    looked, found = 0, []
    while match.to_act and match.version < steps:
        side = match.to_act[0]
        before = match.clone()
        action = player.choose(Seat(match, side), source) if player else source.choice(match.actions(side))
        match.apply(side, action)
        for viewer in viewers:
            found += _leaks(match, viewer, before)
            looked += len(secrets(match.state, viewer))
    return looked, found
