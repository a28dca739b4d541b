"""Standing orders: decisions in the other side's move answered for a player, by rules that he can see and change."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Match
from sandtable.engine.tools import Idle, OrderRule, Orders
from sandtable.engine.view import Description
from sandtable.server.picture import Choice, choices
from sandtable.server.refusal import Refused

PASSING = ("pass", "stop", "done")
"""Roles of actions that let the moment pass; of a game that names no roles, groups."""
REACTING = ("fire",)
MOST_RULES = 100

CHANCE = random.Random(0)
"""For asking whether hidden things could be dealt anew; what would be dealt does not matter."""


def told(orders: Orders) -> dict[str, Any]:
    """Orders as clients get them, with every field: nobody should have to know what a missing one means."""
    rules = [{"unit": rule.unit, "do": rule.do, "only": rule.only} for rule in orders.rules]
    return {
        "forced": orders.forced,
        "absent": orders.absent,
        "rules": rules,
        "idle": orders.idle,
        "open": orders.open,
    }


def checked(orders: Orders) -> Orders:
    """Orders that make sense, or a sentence that says what does not."""
    if orders.absent not in ("wait", "pass"):
        raise Refused("bad_request", "`absent` is wait or pass.")
    if len(orders.open) > MOST_RULES or any(len(step) > 40 for step in orders.open):
        raise Refused("bad_request", "`open` names steps, a few words at most.")
    if len(orders.rules) > MOST_RULES:
        raise Refused("bad_request", f"There may be {MOST_RULES} standing orders.")
    for rule in orders.rules:
        if rule.do not in ("never", "ask", "always"):
            raise Refused("bad_request", "A standing order says never, ask or always.")
        for condition in rule.only:
            if not re.fullmatch(r"open|adjacent|range:\d{1,3}|group:[\w -]{1,40}", condition):
                raise Refused("bad_request", "Conditions are open, adjacent, range:N and group:NAME.")
        if len(rule.unit) > 80 or len(rule.only) > 10:
            raise Refused("bad_request", "That standing order is too long.")
    return orders


def hides(match: Match, side: str) -> bool:
    """Whether something of a side is hidden from another one now."""
    deal, state = match.game.reshuffle, match.state
    return any([deal(state, other, CHANCE) is not None for other in match.sides if other != side])


def passes(said: Description | Choice) -> bool:
    """Whether an action lets the moment pass."""
    return (said.role or said.group) in PASSING


def idle(match: Match, side: str, orders: Orders) -> Idle | None:
    """The optional step that the side is at, if it can do nothing sensible in it and wants it passed."""
    found = match.game.idle(match.state, side) if orders.idle else None
    return found if found is not None and found.step not in orders.open else None


def forced(match: Match, side: str) -> Action | None:
    """The only thing the side can do, unless doing it would take away the chance to take something back.

    A side that hides something is asked all the same: who is never kept waiting where nothing can be done learns
    where something can.
    """
    actions = match.actions(side)
    if len(actions) != 1 or hides(match, side):
        return None
    only: Action = actions[0]
    if match.why_no_undo(side) is None and passes(match.describe(side, only)):
        return None
    return only


def answer(match: Match, side: str, orders: Orders, *, present: bool) -> Action | None:
    """What the standing orders say to the present decision; None: the player is asked."""
    if not present and orders.absent == "pass":
        turned = [replace(rule, do="never") if rule.do == "ask" else rule for rule in orders.rules]
        orders = replace(orders, rules=(*turned, OrderRule(do="never")))
    else:
        orders = replace(orders, absent="wait")
    if not orders.rules or match.game.view(match.state, side).active == side:
        return None
    action = match.game.standing_order(match.state, side, orders)
    if action == "ask":
        return None
    if action is not None:
        return action if action in match.actions(side) else None
    if not _settles_all(orders.rules) and hides(match, side):
        return None  # such orders would wait or not by what a hidden piece can do
    return by_common_rules(choices(match, side), orders.rules)


def _settles_all(rules: Sequence[OrderRule]) -> bool:
    """Whether the orders never ask the player about fire."""
    general = [rule for rule in rules if not rule.unit and not any([cond.startswith("group:") for cond in rule.only])]
    return bool(general) and not any([rule.do == "ask" for rule in rules])


def by_common_rules(offered: Sequence[Choice], rules: Sequence[OrderRule]) -> Action | None:
    """If any action says ask, the player is asked; else the first `always` is done; else the window is passed."""
    passing = [choice for choice in offered if passes(choice)]
    if not passing:
        return None
    wanted: list[Choice] = []
    for choice in offered:
        if choice in passing:
            continue
        verdict = _verdict(choice, rules)
        if verdict == "ask":
            return None
        if verdict == "always":
            wanted.append(choice)
    return (wanted or passing)[0].action


def _verdict(choice: Choice, rules: Sequence[OrderRule]) -> str:
    covering = [rule for rule in rules if _covers(rule, choice)]
    own = [rule for rule in covering if rule.unit and rule.unit in choice.pieces]
    side = [rule for rule in covering if not rule.unit]
    rule = (own or side or [OrderRule()])[0]
    if rule.do == "never":
        return "never"
    held = [_holds(condition, choice) for condition in rule.only]
    if False in held:
        return "never"
    return "ask" if None in held else rule.do


def _covers(rule: OrderRule, choice: Choice) -> bool:
    """Orders are about fire, unless they name another group: nobody's rout is decided by an order not to shoot."""
    groups = [condition.partition(":")[2] for condition in rule.only if condition.startswith("group:")]
    return choice.group in (groups or REACTING)


def _holds(condition: str, choice: Choice) -> bool | None:
    """Whether a condition holds; None: the action does not say."""
    name, _, value = condition.partition(":")
    if name == "group":
        return True
    facts = dict(choice.facts)
    if name == "range":
        return int(facts["range"]) <= int(value) if facts.get("range", "").isdigit() else None
    if name == "adjacent" and "adjacent" not in facts and facts.get("range", "").isdigit():
        return int(facts["range"]) <= 1
    return facts[name] == "yes" if name in facts else None
