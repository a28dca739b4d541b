"""Crowds of broken and unbroken units at random: what must hold in every rout, advance and close combat."""

from __future__ import annotations

import random
from typing import Any

import pytest
from squad_support import drill, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.start import new
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rout.model import LowCrawl, Rout, RoutStep

KINDS = {
    "russian": ["4-4-7", "5-2-7", "4-2-6", "2-3-7", "9-1", "8-0"],
    "german": ["4-6-7", "5-4-8", "2-4-7", "4-3-6", "9-2", "8-1"],
}


def crowd(seed: int, game: str, board: str) -> Match:
    """Up to twenty units of both sides within three hexes, a third of them broken."""
    source = random.Random(seed)
    ground = ground_of(drill(board, "RPh", [unit("x", "german 4-6-7", "A1")], game=game).state)
    centre = source.randrange(ground.size)
    pool = [cell for cell in range(ground.size) if ground.ranges[centre][cell] <= 3]
    sides: dict[int, str] = {}
    units, weapons = [], []
    for number in range(20):
        cell = source.choice(pool)
        side = sides.setdefault(cell, source.choice(("russian", "german")))
        if sum(line["at"] == ground.names[cell] for line in units) > 2:
            continue
        name = f"{side[0]}{number}"
        broken = source.random() < 0.4
        kind = f"{side} {source.choice(KINDS[side])}"
        units.append(unit(name, kind, ground.names[cell], broken=broken, dm=broken and source.random() < 0.7))
        if source.random() < 0.3:
            weapons.append(weapon(f"w{number}", f"{side} LMG", name))
    phase = source.choice(("RtPh", "APh"))
    state = {"phase": phase, "attacker": source.choice(("russian", "german")), "units": units, "weapons": weapons}
    return new({"game": game, "scenario": board, "state": state}, seed=seed)


def toward_a_seen_enemy(state: SquadState, trail: list[int], to: int, side: str) -> bool:
    """A plain reading of 3.6: some enemy who saw the unit in a hex of its rout would be nearer."""
    ground = ground_of(state)
    here = trail[-1]
    for enemy in state.units.values():
        if enemy.side == side or enemy.hip or enemy.at < 0:
            continue
        seen = any(sees(state, enemy.at, cell) for cell in trail)
        if seen and ground.ranges[to][enemy.at] < ground.ranges[here][enemy.at]:
            return True
    return False


@rule("3.6")
@rule("3.8")
@pytest.mark.parametrize("seed", range(12))
def test_crowds(seed: int) -> None:
    game = "guidedrill" if seed % 3 == 0 else "drill"
    match = crowd(seed, game, "1" if game == "guidedrill" else "z")
    source = random.Random(seed)
    trail: list[int] = []
    for _ in range(60):
        if match.outcome is not None:
            break
        side = match.to_act[0]
        actions = list(match.actions(side))
        assert len(set(actions)) == len(actions) > 0
        state: SquadState = match.state
        frame = state.stack[-1]
        if isinstance(frame, Rout):
            here = state.units[frame.unit].at
            trail = [here] if not frame.hexes else [*trail, here]
            for action in actions:
                if isinstance(action, RoutStep | LowCrawl):
                    assert not toward_a_seen_enemy(state, trail, action.to, side)
                    assert len({state.units[name].side for name in state.stacks.get(action.to, ())} - {side}) == 0
        phase = state.phase
        match.apply(side, source.choice(actions))
        check(match.state)
        if phase == "RtPh" != match.state.phase:
            nobody_beside_the_enemy(match.state)


def check(state: SquadState) -> None:
    """Melee holds both sides, and possession is mutual."""
    for cell, names in state.stacks.items():
        units: list[Any] = [state.units[name] for name in names]
        if any(one.melee for one in units):
            assert len({one.side for one in units}) == 2, cell
    for one in state.units.values():
        assert all(state.weapons[name].owner == one.id for name in one.weapons)


def nobody_beside_the_enemy(state: SquadState) -> None:
    """After the Rout Phase no broken unit outside Melee is left beside an unbroken enemy."""
    ranges = ground_of(state).ranges
    unbroken = [one for one in state.units.values() if not one.broken and one.at >= 0]
    for one in state.units.values():
        if one.broken and not one.melee and one.at >= 0:
            assert all(enemy.side == one.side or ranges[one.at][enemy.at] > 1 for enemy in unbroken)
