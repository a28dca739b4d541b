"""Whether the ENEMY leaves a close combat, and where it goes (S11.51, SA-115)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play
from sandtable.games.asl.leaving.model import WITHDRAWS, LeaveTo, Leaving, StayAndFight, Withdraw, Withdrawing
from sandtable.games.asl.leaving.who import DRM
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.dice import best, say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ENEMY, FRIENDLY, TRIED
from sandtable.games.sasl.readings import reading
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.strengths import Block
from sandtable.games.squad.ground.knowledge import concealed, known_to
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import ALL
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import SquadState

BROKEN_ONLY = "broken"
HIGHEST = 12
"""The highest DR: an attack with a higher kill number kills whatever is rolled."""


def declare(play: Play[SquadState], frame: Withdrawing, legal: Sequence[Action]) -> Action:
    """Location by Location: all that can withdraw do where the ENEMY is outmatched, else nobody (S11.51)."""
    state = play.state
    free = [action for action in legal if isinstance(action, Withdraw)]
    for cell in facts.locations(state):
        here = [action for action in free if state.units[action.unit].at == cell]
        if here and breaks_off(play, cell, at_once=False):
            return here[0]
    return Done()


def breaks_off(play: Play[SquadState], cell: int, *, at_once: bool) -> bool:
    """Whether the unbroken units of a Location leave: decided and logged once in a CCPh (SA-115).

    `at_once`: they would get away without being attacked.
    """
    state = play.state
    tried = TRIED.of(state)
    mark = f"S11.51 {cell}"
    if mark not in tried:
        own, foe = kill_number(state, cell, ENEMY), kill_number(state, cell, FRIENDLY)
        hopeless = not at_once and foe - DRM > HIGHEST
        tried[mark] = int(outmatched(state, cell) and not hopeless)
        row = "leaves" if tried[mark] else "stays"
        words = f"kill number {own} of its best attack, {foe} of the one against it"
        words += ", from which nobody would get away" if hopeless else ""
        if any([concealed(state, unit) for unit in units_at(state, cell, ENEMY)]):
            words = 'there are units under a "?" among them'
        say(play, "S11.51", row, (), f"{name_of(state, cell)}: {words}", "S11.51")
    return bool(tried[mark])


def outmatched(state: SquadState, cell: int) -> bool:
    """Whether the best attack of the ENEMY is clearly worse than the best one against it (SA-115)."""
    margin = reading(state, "withdrawal")
    if margin == BROKEN_ONLY:
        return False
    return kill_number(state, cell, FRIENDLY) - kill_number(state, cell, ENEMY) >= int(margin)


def kill_number(state: SquadState, cell: int, side: str) -> int:
    """The kill number of an attack of all on all, less its DRM: an Original DR below it kills; 0 if nobody attacks."""
    other = setting_of(state).others[side]
    able = [block for block in _blocks(state, cell, side) if strengths.may_attack(state, block)]
    able = [block for block in able if unit_kind(state, block.base).mmc] or able
    targets = _blocks(state, cell, other)
    if not able or not targets:
        return 0
    figures = strengths.assault_of(state, able, targets)
    return max(figures.kill - int(figures.drm.total), 0)


def _blocks(state: SquadState, cell: int, side: str) -> list[Block]:
    """The groups of a side in a Location; of the FRIENDLY side those that are Known."""
    known = {unit.id for unit in units_at(state, cell, side) if side == ENEMY or known_to(state, ENEMY, unit) == ALL}
    found = strengths.blocks_of(state, cell, side, strengths.default_pairs(state, cell, side, known)).values()
    return [block for block in found if block.base.id in known]


def leave(play: Play[SquadState], frame: Leaving, legal: Sequence[Action]) -> Action:
    """Who must go or is outmatched leaves, and broken units; nobody where no enemy is left (S11.51, SA-115)."""
    state = play.state
    ways = [action for action in legal if isinstance(action, LeaveTo)]
    if StayAndFight() in legal and frame.why == WITHDRAWS:
        ways = []
    elif StayAndFight() in legal:
        broken = [action for action in ways if state.units[action.unit].broken]
        ways = broken or (ways if ways and breaks_off(play, frame.at, at_once=True) else [])
    if not ways:
        return StayAndFight()
    first = [action for action in ways if action.unit == ways[0].unit]
    chosen, why = best(play, first, _refuge(state), "where to withdraw")
    reason = f" ({', '.join(why)})" if why else ""
    say(play, "S11.51", "goes", (), f"{name_of(state, frame.at)} to {name_of(state, chosen.to)}{reason}", "S11.51")
    return chosen


def _refuge(state: SquadState) -> list[tuple[str, object]]:
    """What the ENEMY looks for where it goes, the most important first (SA-115)."""
    setting = setting_of(state)
    far = distances(setting, "east")
    return [
        ("no concealed FRIENDLY unit", lambda action: bool(facts.foes_at(state, action.to))),
        ("no known mines", lambda action: facts.shunned(state, action.to)),
        ("seen by the fewest", lambda action: facts.watchers(state, action.to)),
        ("rally terrain", lambda action: not setting.ground.cover[action.to]),
        ("highest TEM", lambda action: -setting.ground.tem[action.to]),
        ("towards the EBE", lambda action: far[action.to]),
    ]
