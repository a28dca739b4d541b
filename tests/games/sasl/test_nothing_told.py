"""What the FRIENDLY player sees does not depend on what lies under an ENEMY "?" (C-1, C-3, SA-90)."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, friend, seen

import sandtable
from sandtable.engine import Action, Match
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.play import Play
from sandtable.engine.registry import register
from sandtable.games.asl.deploying.model import Deploy
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.missions import MISSIONS, rules_of
from sandtable.games.sasl.model import FRIENDLY, OBJECTIVES, ROAD, SUSPECTS
from sandtable.games.squad.combat.model import AttackUnit
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, DestroyWeapon, PrepFirePhase, StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.movement.model import DoubleTime, DropWeapon, MovementPhase, Recover
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rally.model import RallyUnit, Repair

register(GAME)
KINDS = ("russian 6-2-8", "russian 4-4-7", "russian 4-2-6", "russian 2-2-8 crew", "russian 9-2", "russian 8-0")
WEAPONS = ("russian LMG", "russian HMG", "russian 76* INF PP obr. 27")
DEALS = 8


@cache
def begun(mission: int) -> Match:
    return sandtable.new(f"sasl/{mission}", seed=8, options=OPTIONS)


def places(state: SquadState) -> list[int]:
    """VPO, road and other hexes, where a count or a mark could tell something."""
    found = [cell for one in OBJECTIVES.of(state).values() for cell in one.cells][:2]
    found += list(ROAD.of(state))[4:6]
    found += [one.at for one in SUSPECTS.of(state).values() if one.at >= 0][:2]
    ground = setting_of(state).ground
    found += [cell for cell in range(100, ground.size, 97) if ground.cover[cell]][:2]
    return list(dict.fromkeys(found))


def lies_under(play: Play[SquadState], cell: int, chance: random.Random) -> None:
    """One to three ENEMY units of any kind under a "?"."""
    state = play.state
    for _ in range(chance.randint(1, 3)):
        unit = generation.new_unit(play, chance.choice(KINDS), cell)
        if chance.random() < 0.5:
            generation.new_weapon(play, chance.choice(WEAPONS), state.units[unit.id])
        update(play, state.units[unit.id], concealed=True)


def dealt(mission: int, chance: random.Random) -> Match:
    """The mission with a "?" in each of some places that are FRIENDLY, and other contents under each every time."""
    match = begun(mission).clone()
    state: SquadState = match.state
    play = Play(state, StreamDice(secret_of_seed(1)))
    for cell in places(state):
        for name in [name for name, one in SUSPECTS.of(state).items() if one.at == cell]:
            SUSPECTS.of(state).pop(name)
        for name, one in OBJECTIVES.of(state).items():
            OBJECTIVES.of(state)[name] = replace(one, owners=(FRIENDLY,) * len(one.owners))
        if cell in ROAD.of(state):
            ROAD.of(state)[cell] = FRIENDLY
        lies_under(play, cell, chance)
    state.phase = "PFPh"
    return match


@pytest.mark.rule("A12.11", "S12.6", "S14")
@pytest.mark.parametrize("mission", sorted(MISSIONS))
def test_neither_map_nor_roster_tells_what_lies_under_a_question_mark(mission: int) -> None:
    chance = random.Random(mission)
    deals = [dealt(mission, chance) for _ in range(DEALS)]
    for ended in (False, True):
        if ended:
            for match in deals:
                rules_of(match.state).control(Play(match.state, StreamDice(secret_of_seed(2))))
        for side in (FRIENDLY, None):
            views = [match.view(side) for match in deals]
            assert all(view == views[0] for view in views[1:])


@pytest.mark.rule("A12.11", "A12.13")
def test_neither_choices_nor_odds_tell_what_lies_under_a_question_mark() -> None:
    chance = random.Random(5)
    start = begun(1).state
    cell = next(c for c in range(150, 400) if setting_of(start).ground.in_building[c] and seen(start, c, 2))
    told = []
    for _ in range(DEALS):
        match = begun(1).clone()
        state: SquadState = match.state.clone()
        SUSPECTS.of(state).clear()
        lies_under(Play(state, StreamDice(secret_of_seed(1))), cell, chance)
        shooter = friend(state, seen(state, cell, 2)[0])
        state.attacker, state.phase = FRIENDLY, "PFPh"
        state.stack = [PrepFirePhase(listed=True, firers=(shooter.id,))]
        match.adopt(state)
        heard: list[object] = [list(match.actions(FRIENDLY)), list(match.refusals(FRIENDLY))]
        match.apply(FRIENDLY, StartFire(shooter.id))
        match.apply(FRIENDLY, AimAt(cell))
        for action in match.actions(FRIENDLY):
            heard += [action, match.describe(FRIENDLY, action), match.preview(FRIENDLY, action)]
        told.append(heard)
    assert name_of(start, cell) in str(told[0])
    assert all(heard == told[0] for heard in told[1:])


@pytest.mark.rule("A12.11")
def test_no_refusal_tells_which_pieces_lie_under_a_question_mark() -> None:
    state: SquadState = begun(1).state.clone()
    cell = next(c for c in range(150, 400) if setting_of(state).ground.in_building[c])
    play = Play(state, StreamDice(secret_of_seed(1)))
    leader = generation.new_unit(play, "russian 9-2", cell)
    weapon = generation.new_weapon(play, "russian HMG", leader)
    state.units[leader.id] = replace(state.units[leader.id], concealed=True, wounded=True)
    asked: list[Callable[[str], Action]] = [StartFire, AddFirer, AddDirector, DoubleTime, Deploy, AttackUnit]
    asked += [StartShot, DropWeapon, Repair, DestroyWeapon]
    asked += [lambda name: Recover("t1", name), lambda name: RallyUnit("t1", name)]
    for one, nobody in ((leader.id, "e999"), (weapon.id, "w999")):
        for action in asked:
            told, other = (GAME.why_not(state, FRIENDLY, action(name)) for name in (one, nobody))
            assert told == other
    own = friend(state, setting_of(state).ground.near[cell][0])
    state.attacker, state.phase, state.stack = FRIENDLY, "MPh", [MovementPhase()]
    there = name_of(state, setting_of(state).ground.near[own.at][0])
    ways = [GAME.path(state, FRIENDLY, [own.id, name], there) for name in (leader.id, "e999")]
    assert ways[0] == ways[1]
