"""Conduct of a battle in Soft Underbelly: whom to shoot, when to break off, retreat and advance (13.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import (
    BIT,
    CITY,
    INDEX,
    MOUNTAIN,
    NAPLES,
    PAESTUM,
    PLACES,
    SALERNO,
    TARANTO,
    TERRAIN,
    ZONE,
)
from sandtable.games.underbelly.combat import is_division, shots_of
from sandtable.games.underbelly.course import OFFENSIVE_FIRE, firing
from sandtable.games.underbelly.course import chance as chance_of
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.modifiers import DIE, combat_factor, hit_tally
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_ground import FAR, NORTH_DISTANCE, Ground, exit_turns, ground_of

Choice = tuple[Action, str]
"""What is done, and why."""
NORTH_LOSS = {1: 9.0, 2: 3.0, 3: 1.0, 4: 0.4, FAR: 0.0}
"""What an open way north is worth to the Allies, in steps, by their player turns to the edge."""


def chance_to_hit(state: m.UnderbellyState, battle: m.Battle, unit: str, target: str = "") -> float:
    """The chance of one shot."""
    return chance_of(int(hit_tally(state, battle, unit, target).total))


def shot(state: m.UnderbellyState, side: str, shots: Sequence[a.Shoot]) -> Choice:
    """While the target can still fire back its fire counts, afterwards what it costs to lose it (13.3)."""
    battle = state.battle
    assert battle is not None
    answers = isinstance(state.stack[-1], (m.Barrage, m.DefensiveFire))

    def value(target: str) -> float:
        steps = state.steps[target]
        if not steps:
            return 0.0
        kind = UNITS[target]
        fire = combat_factor(state, target)
        after = kind.reduced * (steps - 1)
        saved = (fire * steps - after) / DIE
        lasting = (1.4 if steps == 1 else 1.0) + 0.05 * kind.full
        return 2.0 * saved + 0.3 * lasting if answers else lasting

    unit = shots[0].unit
    mine = [s for s in shots if s.unit == unit]
    best = max(mine, key=lambda s: (value(s.target), -UNITS[s.target].order))
    chance = chance_to_hit(state, battle, unit, best.target)
    name = UNITS[best.target].name
    what = "eliminate" if state.steps[best.target] == 1 else "reduce"
    return best, f"fires at the {name}: {chance:.0%} to {what} it"


def expected_hits(state: m.UnderbellyState, battle: m.Battle) -> float:
    """What the offensive fire still to come will do, at most the steps that are there (13.2, step 5)."""
    shots = shots_of(state, battle, firing(OFFENSIVE_FIRE, battle.attackers, is_division))
    hits = sum(chance_to_hit(state, battle, unit) * number for unit, number in shots)
    return float(min(hits, sum(state.steps[u] for u in battle.defenders)))


def break_off(state: m.UnderbellyState, side: str) -> Choice:
    """Breaking off saves one step and gives up all fire still to come (13.2, step 4)."""
    battle = state.battle
    assert battle is not None
    hits = expected_hits(state, battle)
    standing = sum(state.steps[u] for u in battle.defenders)
    prize = prize_of(state, side, battle.target) if hits >= standing else 0.3
    if hits + 0.5 * prize >= 1.0:
        return a.PressOn(), f"presses on: {hits:.1f} hits are still to be expected"
    return a.BreakOff(), f"breaks off: only {hits:.1f} hits are to be expected, a step is saved"


def prize_of(state: m.UnderbellyState, side: str, at: str) -> float:
    """What it is worth to take a hex, in steps, apart from the way north."""
    if side == GERMAN:
        if at in (SALERNO, PAESTUM) and not state.switched:
            return 30.0
        if state.scenario == m.WAT and at in (NAPLES, TARANTO):
            other = TARANTO if at == NAPLES else NAPLES
            return 30.0 if state.control[other] == GERMAN else 3.0
    if at in state.ports:
        return 3.0
    if side == ALLIED and at == NAPLES:
        return 3.0
    return 1.0 if at in PLACES else 0.4


def _without(state: m.UnderbellyState, at: str, into: str) -> Ground:
    """The ground when the German units of a hex have gone to another, or nowhere."""
    here = ground_of(state)
    now = field(state)
    german = here.german & ~BIT[INDEX[at]]
    zone = 0
    for place, _, _, _, _, _, exerted in now.forces[GERMAN]:
        if place != at:
            zone |= exerted
    if into:
        german |= BIT[INDEX[into]]
        zone |= ZONE[INDEX[into]]
    return here._replace(allied=here.allied | BIT[INDEX[at]], german=german, german_zoc=zone)


def stand(state: m.UnderbellyState, side: str) -> Choice:
    """A hex is attacked once a phase, so that standing risks nothing more; leaving saves a step (13.1, 13.2)."""
    battle = state.battle
    assert battle is not None
    own = sum(state.steps[u] for u in battle.defenders)
    if not own:
        return a.Retreat(), "retreats: one step is better than none"
    loss = 0.8 * prize_of(state, "allied" if side == GERMAN else GERMAN, battle.target)
    if TERRAIN[INDEX[battle.target]] == MOUNTAIN or CITY[INDEX[battle.target]]:
        loss += 0.3
    if side == GERMAN:
        loss += NORTH_LOSS[exit_turns(_without(state, battle.target, ""))] - NORTH_LOSS[exit_turns(ground_of(state))]
        near = sum(
            state.steps[u]
            for at, _, _, _, _, stack, _ in field(state).forces[ALLIED]
            for u in stack
            if ZONE[INDEX[battle.target]] & BIT[INDEX[at]]
        )
        if own == 1 and near >= 5:
            loss -= 0.5
    if loss < 1.0:
        return a.Retreat(), "retreats: the hex is not worth a step"
    return a.Stand(), "stands: the hex is worth more than a step"


def retreat(state: m.UnderbellyState, side: str, choices: Sequence[a.RetreatTo]) -> Choice:
    """Where the beaten go: where the way north stays shut, then good ground."""
    battle = state.battle
    assert battle is not None

    def value(choice: a.RetreatTo) -> tuple[float, float, str]:
        h = INDEX[choice.to]
        good = 0.5 if TERRAIN[h] == MOUNTAIN else 0.0
        good += 0.8 if CITY[h] or choice.to in state.forts else 0.0
        if side == GERMAN:
            good -= NORTH_LOSS[exit_turns(_without(state, battle.target, choice.to))]
        else:
            good += 0.1 * NORTH_DISTANCE[INDEX[battle.target]] - 0.1 * NORTH_DISTANCE[h]
            good += 2.0 if choice.to in state.ports else 0.0
        return good, -NORTH_DISTANCE[h], choice.to

    best = max(choices, key=value)
    return best, f"falls back to {best.to}"


def restore(state: m.UnderbellyState, choices: Sequence[a.Restore]) -> Choice:
    """The step is taken back where it is worth most: a unit saved, then the strongest."""
    best = max(choices, key=lambda r: (state.steps[r.unit] == 0, UNITS[r.unit].full, -UNITS[r.unit].order))
    return best, f"the {UNITS[best.unit].name} gets its step back"
