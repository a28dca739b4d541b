"""A search for leaks by size and by waiting: hidden things are dealt anew, and nothing that others see may change."""

from __future__ import annotations

import random
from typing import Any

import msgspec

import sandtable
from sandtable.engine import Match
from sandtable.engine.tools import OrderRule, Orders
from sandtable.server import orders
from sandtable.server.picture import choices, patch, whole_view
from sandtable.server.rebuild import lines_of

ORDERS = (
    (Orders(), True),
    (Orders(), False),
    (Orders(absent="pass"), False),
    (Orders(rules=(OrderRule(do="never"),)), True),
    (Orders(rules=(OrderRule(do="always"),)), False),
    (Orders(rules=(OrderRule(do="always", only=("range:4",)), OrderRule(do="never"))), True),
)
"""Standing orders that players have, and whether the player is there."""

STAYS_HIDDEN = 0.9


def told(match: Match, before: Match, side: str | None) -> list[int]:
    """The sizes of what an audience is told of a step: view, difference, log, choices."""
    old, new = whole_view(before, side, None), whole_view(match, side, None)
    events = [event for _, event in match.events(since=match.version, everything=True)]
    said = [(event, match.game.words(event, match.state)) for event in events]
    lines = [line.raw for line in lines_of(match.game, match.version, said) if line.known_to(side)]
    parts: list[Any] = [new, patch(old, new), lines]
    if side is not None and side in match.to_act:
        parts += [choices(match, side), match.refusals(side)]
    return [len(msgspec.json.encode(part)) for part in parts]


def waits(match: Match) -> dict[tuple[str, int], str]:
    """For each side that must decide and each kind of orders: whether it is asked, passes by itself, or acts."""
    found = {}
    for side in match.to_act:
        for number, (standing, present) in enumerate(ORDERS):
            answer = orders.forced(match, side) if standing.forced else None
            step = orders.idle(match, side, standing) if answer is None else None
            if step is not None:
                answer = step.action
            if answer is None:
                answer = orders.answer(match, side, standing, present=present)
            passes = answer is not None and match.describe(side, answer).group in orders.PASSING
            found[side, number] = "asked" if answer is None else "passes" if passes else "acts"
    return found


def differ(one: dict[tuple[str, int], str], other: dict[tuple[str, int], str]) -> bool:
    """Whether one match waits where the other goes on as if nothing could be done; who acts shows himself anyway."""
    return one.keys() != other.keys() or any({one[key], other[key]} == {"asked", "passes"} for key in one)


def reveals(match: Match) -> bool:
    """Whether the last step showed something or ended the match; dice fall alike however hidden things lie."""
    events = [event for _, event in match.events(since=match.version, everything=True)]
    return any(event.reveals for event in events) or match.outcome is not None


def search(what: str, *, seed: int, moments: int, deals: int = 3, **options: str) -> tuple[int, list[str]]:
    """Play at random; how many moments with hidden things were dealt anew, and the leaks that were found."""
    source = random.Random(seed)
    match = sandtable.new(what, seed=seed, options=options)
    looked, found = 0, []
    while match.outcome is None and looked < moments and match.version < 4000:
        side = match.to_act[0]
        action = _careful(match, side, source)
        after = match.clone()
        after.apply(side, action)
        hidden = [other for other in match.sides if other != side and orders.hides(match, other)]
        if hidden and not reveals(after):
            looked += 1
            passed_on = side not in after.to_act  # whether the other side is asked now is what could tell most
            for _ in range(deals * (4 if passed_on else 1)):
                found += _compare(match, after, side, action, source, viewer=side)
            found += _compare(match, after, side, action, source, viewer=None)
        match = after
    return looked, found


def _careful(match: Match, side: str, source: random.Random) -> Any:
    """An action at random; who hides something mostly lets the others' moves pass, so that it stays hidden."""
    actions = match.actions(side)
    if orders.hides(match, side) and source.random() < STAYS_HIDDEN:
        passing = [action for action in actions if orders.passes(match.describe(side, action))]
        return source.choice(passing or actions)
    return source.choice(actions)


def _compare(
    match: Match, after: Match, side: str, action: Any, source: random.Random, *, viewer: str | None
) -> list[str]:
    """What another deal of what a viewer cannot see would have told it; viewer None: an observer."""
    dealt = match.game.reshuffle(match.state, viewer, source)
    if dealt is None:
        return []
    other = match.clone()
    other.adopt(dealt)
    if action not in other.actions(side):
        return [f"step {match.version}: {action} is possible or not by what is hidden"] if viewer == side else []
    before = other.clone()
    other.apply(side, action)
    if reveals(other):
        return []
    found = []
    who = viewer or "an observer"
    if told(after, match, viewer) != told(other, before, viewer):
        found.append(f"step {match.version}: {who} is told another size after {action}")
    if differ(waits(after), waits(other)):
        found.append(f"step {match.version}: whether the match waits tells {who} something after {action}")
    return found
