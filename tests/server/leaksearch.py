"""A search for leaks: hidden things are dealt anew, and nothing that others see, ask or wait for may change."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

import sandtable
from sandtable.engine import Match
from sandtable.engine.plan import goals, plans
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


def told(match: Match, before: Match, side: str | None) -> list[bytes]:
    """What an audience is told of a step: view, difference, log, choices, taking back."""
    old, new = whole_view(before, side, None), whole_view(match, side, None)
    events = [event for _, event in match.events(since=match.version, everything=True)]
    said = [(event, match.game.words(event, match.state)) for event in events]
    lines = [line.raw for line in lines_of(match.game, match.version, said) if line.known_to(side)]
    parts: list[Any] = [new, patch(old, new), lines]
    if side is not None:
        parts.append(match.why_no_undo(side))
    if side is not None and side in match.to_act:
        parts += [choices(match, side), match.refusals(side)]
    return [msgspec.json.encode(part) for part in parts]


def asked(match: Match, side: str | None, said: Sequence[Any], number: int) -> dict[str, bytes]:
    """What an audience gets by asking: sight, ways, plans, goals, odds, and why something strange is refused."""
    source, state, game = random.Random(number), match.state, match.game
    view = game.view(state, side)
    cells = sorted({piece.at for piece in view.pieces} | {cell for mark in view.marks for cell in [mark.at]})
    if not cells:
        return {}
    a, b = source.choice(cells), source.choice(cells)
    found = {
        f"sight from {a} to {b}": _answer(game.line_of_sight, state, side, a, b),
        f"all that is seen from {a}": _answer(game.visible_from, state, side, a),
    }
    if side is None:
        return found
    own = [piece.id for piece in view.pieces if piece.side == side]
    foes = [piece.id for piece in view.pieces if piece.side != side]
    pieces, target = source.sample(own, min(1, len(own))), source.choice(foes) if foes else ""
    found[f"the way of {pieces} to {b}"] = _answer(game.path, state, side, pieces, b, ())
    found[f"the danger for {pieces} in {a}"] = _answer(game.danger, state, side, pieces, [a, b])
    if side in match.to_act:
        for action in said:
            found[f"why not {action}"] = _answer(game.why_not, state, side, action)
        found[f"what {pieces} can reach"] = _answer(goals, match.clone(), side, pieces)
        found[f"what {pieces} can do in {a} to {target}"] = _answer(plans, match.clone(), side, pieces, a, target)
        actions = match.actions(side)
        for action in source.sample(range(len(actions)), min(3, len(actions))):
            found[f"the odds of {actions[action]}"] = _answer(match.preview, side, actions[action])
    return found


def _answer(question: Callable[..., Any], *about: Any) -> bytes:
    try:
        return msgspec.json.encode(question(*about), enc_hook=repr)
    except Exception as error:
        return f"{type(error).__name__}: {error}".encode()


def strange(match: Match, known: list[Any], source: random.Random) -> list[Any]:
    """Actions that somebody might try who guesses: what was possible once, with other places and pieces in it."""
    places = [value for action in known for value in msgspec.structs.astuple(action) if type(value) is int]
    names = list(_ids(match.state))
    found = []
    for action in source.sample(known, min(6, len(known))):
        fields = {
            name: source.choice(places) if type(value) is int else source.choice(names)
            for name, value in msgspec.structs.asdict(action).items()
            if (type(value) is int and places) or (isinstance(value, str) and value in names)
        }
        found.append(msgspec.structs.replace(action, **fields))
    return found


def _ids(state: Any) -> set[str]:
    """The names of all pieces, be they hidden."""
    tables = [getattr(state, name) for name in state.__struct_fields__]
    return {key for table in tables if isinstance(table, dict) for key in table if isinstance(key, str)} or {""}


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
    source, guesses = random.Random(seed), random.Random(seed)
    match = sandtable.new(what, seed=seed, options=options)
    looked, found, known = 0, [], []
    while match.outcome is None and looked < moments and match.version < 4000:
        side = match.to_act[0]
        action = _careful(match, side, source)
        known = [*known[-50:], *guesses.sample(list(match.actions(side)), min(3, len(match.actions(side))))]
        tried = strange(match, known, guesses)
        after = match.clone()
        after.apply(side, action)
        hidden = [other for other in match.sides if other != side and orders.hides(match, other)]
        if hidden and not reveals(after):
            looked += 1
            passed_on = side not in after.to_act  # whether the other side is asked now is what could tell most
            for _ in range(deals * (4 if passed_on else 1)):
                found += _compare(match, after, side, action, source, tried, viewer=side)
            found += _compare(match, after, side, action, source, tried, viewer=None)
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
    match: Match,
    after: Match,
    side: str,
    action: Any,
    source: random.Random,
    tried: Sequence[Any],
    *,
    viewer: str | None,
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
        found.append(f"step {match.version}: {who} is told something else after {action}")
    one, two = asked(after, viewer, tried, match.version), asked(other, viewer, tried, match.version)
    found += [
        f"step {match.version}: {who} hears something else of {what}: {one[what]!r} or {two[what]!r}"
        for what in one
        if one[what] != two[what]
    ]
    if differ(waits(after), waits(other)):
        found.append(f"step {match.version}: whether the match waits tells {who} something after {action}")
    return found
