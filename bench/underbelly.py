"""Soft Underbelly: random play, supply, moves of a stack, the recruit, and exact against simulated battles."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Match, SampledDice, Seat
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import flood
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.model import AttackDraft, Commands, Moving
from sandtable.games.underbelly.movement import MovingProcedure
from sandtable.games.underbelly.odds import BattleOdds, pick_target
from sandtable.games.underbelly.supply import all_supply
from sandtable.games.underbelly.zones import field, forget
from sandtable.players.underbelly import Recruit

ACTIONS = 3_000
ROUNDS = 16
BATTLES = 3_000


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part, in processor time, as the machine may be shared; the best of several rounds."""
    for scenario in ("historical", "wat"):
        yield {
            "name": f"actions a second, underbelly/{scenario}, random play",
            "value": max(actions_per_second(scenario) for _ in range(ROUNDS)),
            "unit": "/s",
            "must": 10_000,
        }
    supply, moves, choice = supply_milliseconds(), stack_milliseconds(), choice_milliseconds()
    for name, value, must in (
        ("supply of the whole map after a change", supply, 2),
        ("legal moves of a stack of three", moves, 10),
        ("one choice of the recruit, on average", choice, 100),
    ):
        yield {"name": name, "value": value, "unit": "ms", "must": must, "better": "lower"}
    yield {
        "name": f"exact odds against {BATTLES:,} simulated battles, greatest difference",
        "value": battle_difference(BATTLES),
        "must": 0.03,
        "better": "lower",
    }


def actions_per_second(scenario: str) -> float:
    """Random play through `Match`, with the start of matches and the listing of legal actions."""
    rnd = random.Random(1).random
    done = seed = 0
    start = time.process_time()
    while done < ACTIONS:
        match = sandtable.new(f"underbelly/{scenario}", seed=seed)
        seed += 1
        while match.to_act and done < ACTIONS:
            side = match.to_act[0]
            legal = match.actions(side).all
            match.apply(side, legal[int(rnd() * len(legal))])
            done += 1
    return done / (time.process_time() - start)


def supply_milliseconds() -> float:
    """The supply state of every unit, with nothing remembered from before."""
    state = sandtable.new("underbelly/historical", seed=1).state
    best = 99.0
    for _ in range(20):
        forget()
        flood.cache_clear()
        start = time.process_time()
        all_supply(state)
        best = min(best, time.process_time() - start)
    return best * 1000


def stack_milliseconds() -> float:
    """Every goal of two panzer divisions and an infantry division in column, with nothing remembered."""
    state = sandtable.new("underbelly/historical", seed=1).state
    units = ("10-16Pz", "10-26Pz", "10-65")
    for unit in units:
        state.at[unit] = "2608"
    frame = Moving("german", "column", "2608", "2608", units, (16, 16, 8))
    best = 99.0
    for _ in range(10):
        forget()
        start = time.process_time()
        MovingProcedure().actions(state, frame, "german")
        best = min(best, time.process_time() - start)
    return best * 1000


def choice_milliseconds() -> float:
    """A match of the recruit against itself, by choice."""
    match = sandtable.new("underbelly/wat", seed=1)
    source, player = random.Random(1), Recruit()
    number = 0
    start = time.process_time()
    while match.to_act:
        side = match.to_act[0]
        match.apply(side, player.choose(Seat(match, side), source))
        number += 1
    return (time.process_time() - start) * 1000 / number


def battlefield() -> Match:
    """Two panzer divisions with corps support against a US corps in the open, about to be resolved."""
    match = sandtable.new("underbelly/historical", seed=1)
    state = match.state
    for unit in state.at:
        state.at[unit] = "aside"
    for unit in ("10-16Pz", "10-26Pz", "10-14Pz"):
        state.at[unit] = "2608"
    for unit in ("US-36", "US-45", "US-VI"):
        state.at[unit] = "2708"
    state.turn, state.side, state.cp, state.tac, state.airborne = 6, "german", 6, 0, "box"
    state.top = {at: stack[0] for at, stack in field(state).stacks.items() if stack[0].startswith("US")}
    state.stack = [Commands("german")]
    return Match(match.game, match.header, state, SampledDice(random.Random(1)))


def battle_difference(battles: int, seed: int = 7) -> float:
    """The greatest difference between an exact chance and its share among simulated battles."""
    start = battlefield()
    start.apply("german", a.Attack("2608", "2708"))
    draft = start.state.stack[-1]
    assert isinstance(draft, AttackDraft)
    odds = BattleOdds(start.state, deploy(start.state, draft))
    start.apply("german", a.Resolve())
    source = random.Random(seed)
    seen: dict[tuple[bool, int], int] = {}
    for _ in range(battles):
        match = start.clone(SampledDice(source))
        for attacker, lost in zip((True, False), fight(match), strict=True):
            seen[attacker, lost] = seen.get((attacker, lost), 0) + 1
    return max(
        abs(seen.get((attacker, lost), 0) / battles - float(p))
        for attacker in (True, False)
        for lost, p in odds.losses(attacker=attacker).items()
    )


def fight(match: Match) -> tuple[int, int]:
    """Fight a battle by standard conduct; steps lost by the attacker and by the defender."""
    battle = match.state.battle
    before = dict(match.state.steps)
    while match.state.battle is not None:
        (side,) = match.to_act
        actions = match.actions(side).all
        first = actions[0]
        if a.CeaseFire() in actions:
            first = a.CeaseFire()
        elif isinstance(first, a.Shoot):
            aimed = [shot.target for shot in actions if isinstance(shot, a.Shoot) and shot.unit == first.unit]
            first = a.Shoot(first.unit, pick_target(match.state, aimed))
        else:
            first = next((x for x in (a.PressOn(), a.Stand(), a.Advance(())) if x in actions), first)
        match.apply(side, first)
    after = match.state.steps
    attacker, defender = (sum(before[u] - after[u] for u in units) for units in (battle.attackers, battle.defenders))
    return attacker, defender
