"""ENEMY Infantry at the lips of gullies: when it takes Crest status, and by which ways it goes on (S9.28, SA-127)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.engine import Action, Play
from sandtable.games.asl.crest.going import AdvanceToCrest, EnterCrest, entry_cost
from sandtable.games.asl.crest.model import crest_of, facing, front_of, fronts, protected
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.sasl.command import panicked
from sandtable.games.sasl.crests import IN, shielded
from sandtable.games.sasl.dice import say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ENEMY, March
from sandtable.games.sasl.readings import reading
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.movement.model import Step
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.model import SquadState, Unit

OUT_OF_SIGHT = ("out of all LOS", "out of most LOS", "FBE")
"""Aims that are not served by looking over the lip: the bed hides, and who makes for the FBE goes on."""
OFF = ("S6.302", "S6.303")
"""Automatic Moves of those who leave the battle: unarmed MMC, and guards."""


def ways(state: SquadState, cell: int, units: Sequence[Unit]) -> Sequence[Way]:
    """The ways on from a Location; from a Crest over the front of all units there, or down INTO the hex (B20.93)."""
    ground = setting_of(state).ground
    found = ground.ways[cell]
    if cell not in ground.floors:
        return found
    kept = [protected(state, unit) for unit in units if unit.at == cell]
    return [way for way in found if way.to == ground.floors[cell] or all([way.side in sides for sides in kept])]


def best_front(state: SquadState, cell: int, units: Sequence[Unit], able: Iterable[int]) -> int:
    """The front at the Crest of a hex with the most Targets before it, IN: none has any (SA-127).

    Nor is it taken by who has a Target for a HW IN the hex, for that is not fired from the Crest (B20.95).
    """
    ground = asl_ground(state)
    heavy = [unit for unit in units if facts.heavy(state, unit)]
    if heavy and facts.targets_from(state, cell, heavy):
        return IN
    place, reach = crest_of(state, cell), 2 * facts.normal_range(state, units)
    aims = [foe.at for foe in facts.seen_from(state, place) if ground.ranges[place][foe.at] <= reach]
    lines = [ground.entered_through(at, place) for at in aims]
    free = fronts(ground, cell)

    def before(front: int) -> int:
        sides = shielded(free, front)
        return sum([any([side in sides for side in line]) for line in lines])

    chosen = max(sorted(able), key=before, default=IN)
    return chosen if chosen >= 0 and before(chosen) else IN


def entry(play: Play[SquadState], march: March, to: int, legal: Sequence[Action]) -> Action | None:
    """The last hex of a move is entered at its Crest if that costs no more and there are Targets (S9.28, SA-127)."""
    state = play.state
    able = [action.front for action in legal if isinstance(action, EnterCrest) and action.to == to]
    if not able or not _wanted(state, march) or state.moving is None:
        return None
    units = [state.units[name] for name in state.moving.active if name in state.units]
    way = setting_of(state).ground.way(units[0].at, to)
    steps = [action for action in legal if isinstance(action, Step) and action.to == to]
    if way is None or any(
        [step_cost(state, way, road=step.road) < entry_cost(state, units[0].at, way) for step in steps]
    ):
        return None
    front = best_front(state, to, units, able)
    if front == IN:
        return None
    _tell(play, to, front)
    return EnterCrest(to, front)


def _wanted(state: SquadState, march: March) -> bool:
    """Whether who moves so would take Crest status (SA-127)."""
    if reading(state, "enemy_crest") == "never" or march.wander:
        return False
    return march.aim not in OUT_OF_SIGHT and march.command not in OFF


def advance(play: Play[SquadState], legal: Sequence[Action]) -> Action | None:
    """Who stays IN a depression goes up in the APh if there are Targets, SMC after the MMC beside them (S9.28)."""
    state = play.state
    if reading(state, "enemy_crest") == "never":
        return None
    able: dict[str, list[int]] = {}
    for action in legal:
        if isinstance(action, AdvanceToCrest) and not panicked(state, action.unit):
            able.setdefault(action.unit, []).append(action.front)
    for name in sorted(able, key=lambda name: (unit_kind(state, state.units[name]).smc, name)):
        unit = state.units[name]
        front = best_front(state, unit.at, [unit], able[name])
        if front == IN and unit_kind(state, unit).smc:
            front = _beside(state, unit)
        if front in able[name]:
            _tell(play, unit.at, front)
            return AdvanceToCrest(name, front)
    return None


def _beside(state: SquadState, unit: Unit) -> int:
    """The front of the MMC that have gone up and left a SMC alone IN the hex, IN: there are none."""
    if any([unit_kind(state, one).mmc and not one.broken for one in units_at(state, unit.at, ENEMY)]):
        return IN
    above = [one for one in units_at(state, crest_of(state, unit.at), ENEMY) if unit_kind(state, one).mmc]
    return front_of(state, above[0]) if above else IN


def _tell(play: Play[SquadState], cell: int, front: int) -> None:
    state = play.state
    words = f"{name_of(state, cell)}: takes Crest status {facing(state, cell, front)}, with a Target before it"
    say(play, "S9.28", "Crest", (), words, "S9.28")
