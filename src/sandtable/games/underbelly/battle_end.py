"""The end of a battle (13.2, 13.8, 13.9): the dead are removed, the beaten retreat, the victors advance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Advance, RetreatTo
from sandtable.games.underbelly.after_command import finish_command
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.events import BattleEnded
from sandtable.games.underbelly.model import AERIAL, Advancing, Battle, Retreating, UnderbellyState
from sandtable.games.underbelly.movement import start_move
from sandtable.games.underbelly.places import bury, lose_port, relocate, settle_control
from sandtable.games.underbelly.retreat import alive, may_cross, retreat_options
from sandtable.games.underbelly.zones import UNITS

State = UnderbellyState


def the_battle(state: State) -> Battle:
    """The battle that lies on the board."""
    assert state.battle is not None
    return state.battle


def end_battle(play: Play[State], how: str) -> None:
    """Step 7: the dead are removed, survivors are back in their hexes; step 9 follows (13.2)."""
    state = play.state
    battle = the_battle(state)
    supply = dict(battle.supply)
    for unit in (*battle.attackers, *battle.defenders):
        if state.steps[unit] == 0:
            bury(play, unit, supply[unit], "battle")
    cleared = battle.retreated or not alive(state, battle.defenders)
    if cleared and battle.target in state.ports and battle.defender == ALLIED:
        lose_port(play, battle.target, "fell with its last defender")
    settle_control(play)
    play.emit(BattleEnded(at=battle.target, how=how or ("cleared" if cleared else "held")))
    if cleared and state.outcome is None and any(UNITS[u].division for u in advancers(state, battle)):
        play.push(Advancing())
    else:
        close_battle(play)


def advancers(state: State, battle: Battle) -> list[str]:
    """The surviving attackers, but those on aerial supply, who may not move but to retreat (11.7, 13.8)."""
    supply = dict(battle.supply)
    return [u for u in alive(state, battle.attackers) if supply[u] != AERIAL]


def close_battle(play: Play[State]) -> None:
    """The battle is over; a victorious fight-move may go on (9.7)."""
    state = play.state
    battle = the_battle(state)
    state.battle = None
    force = alive(state, battle.activated)
    if battle.kind == "fight-move" and force and all(state.at[u] == battle.target for u in force):
        start_move(play, battle.attacker, "fight-move", battle.target, force)
    else:
        finish_command(play)


class RetreatingProcedure(Procedure[State, Retreating]):
    """Step 8: the owner moves his units out of the hex (13.2, 13.9)."""

    def to_act(self, state: State, frame: Retreating) -> tuple[str, ...]:
        assert state.battle is not None
        return (state.battle.defender,) if frame.units else ()

    def actions(self, state: State, frame: Retreating, side: str) -> Sequence[Action]:
        assert state.battle is not None
        return retreat_options(state, state.battle, frame.units)

    def apply(self, play: Play[State], frame: Retreating, side: str, action: RetreatTo) -> None:
        movers = (action.unit,) if action.unit else frame.units
        relocate(play, movers, action.to)
        play.replace(Retreating(tuple(u for u in frame.units if u not in movers)))

    def run(self, play: Play[State], frame: Retreating) -> None:
        battle = play.state.battle
        assert battle is not None
        play.state.battle = replace(battle, retreated=True)
        play.pop()
        end_battle(play, "retreat")


class AdvancingProcedure(Procedure[State, Advancing]):
    """Step 9: one, some or all of the victorious attackers enter the vacated hex, a lone port surely (11.12, 13.8)."""

    def to_act(self, state: State, frame: Advancing) -> tuple[str, ...]:
        return (the_battle(state).attacker,)

    def actions(self, state: State, frame: Advancing, side: str) -> Sequence[Action]:
        battle = the_battle(state)
        able = [u for u in advancers(state, battle) if may_cross(u, battle.at, battle.target)]
        return [
            Advance(units)
            for size in range(len(able), -1, -1)
            for units in combinations(able, size)
            if any(UNITS[u].division for u in units) or (not units and battle.defenders)
        ]

    def apply(self, play: Play[State], frame: Advancing, side: str, action: Advance) -> None:
        play.pop()
        if action.units:
            relocate(play, action.units, the_battle(play.state).target)
        if play.state.outcome is None:
            close_battle(play)


PART: Part[UnderbellyState] = Part(procedures={Retreating: RetreatingProcedure(), Advancing: AdvancingProcedure()})
