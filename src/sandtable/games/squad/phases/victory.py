"""Victory: points, control, and the conditions that hold at once or at the end (1.3, 2.0)."""

from __future__ import annotations

from sandtable.engine import Outcome, Play
from sandtable.games.squad.ground.knowledge import concealed, hidden
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.worth import worth
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.conditions import CONDITIONS, rules_for
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.events import ControlChanged
from sandtable.games.squad.pieces.model import SquadState, Unit

RULE = "1.3"


def exit_cells(state: SquadState, side: str) -> tuple[int, ...]:
    """Hexes from which a side may leave the map for the victory conditions (3.3)."""
    return setting_of(state).exits.get(side, ())


def score_exit(play: Play[SquadState], side: str, points: int) -> None:
    """Count the points of a unit that left the map."""
    play.state.points[side] = play.state.points.get(side, 0) + points


def score_reduction(play: Play[SquadState], before: Unit, after: Unit) -> None:
    """The half of a squad that is lost counts for the enemy as a half-squad eliminated (ruling M-17)."""
    state = play.state
    lost = worth(state, before) - worth(state, after)
    if lost > 0:
        enemy = setting_of(state).others[before.side]
        state.halves[enemy] = state.halves.get(enemy, 0) + lost


# -- at once ----------------------------------------------------------------------------


def check_at_once(play: Play[SquadState]) -> None:
    """End the match if a condition that wins immediately holds."""
    state = play.state
    if state.outcome is not None or state.phase == "set-up":
        return
    setting = setting_of(state)
    for condition in setting.immediate:
        if rules_for(setting, condition).holds(state, condition):
            state.outcome = Outcome(condition.winner, condition.text, RULE)


# -- control ----------------------------------------------------------------------------


def update_control(play: Play[SquadState]) -> None:
    """A Good Order MMC gains a building that no enemy shares with it (2.0)."""
    state = play.state
    setting = setting_of(state)
    secretly = setting.rules.of(PhaseRules).concealed_take_control
    for building in setting.watched:
        holders, present = set(), set()
        for cell in setting.ground.buildings[building]:
            for name in state.stacks.get(cell, ()):
                unit = state.units[name]
                if hidden(unit):
                    continue  # a marker would tell where it hides
                present.add(unit.side)
                if unit.good_order and (secretly or not concealed(state, unit)) and unit_kind(state, unit).mmc:
                    holders.add(unit.side)
        if len(present) == 1 and holders == present:
            (side,) = holders
            if state.control.get(building) != side:
                state.control[building] = side
                where = setting.ground.names[setting.ground.buildings[building][0]]
                play.emit(ControlChanged(place=f"building {where}", side=side, at=where))


# -- at the end -------------------------------------------------------------------------


def decide_at_end(play: Play[SquadState]) -> None:
    """The game has run its turns: say who won (1.3)."""
    state = play.state
    setting = setting_of(state)
    for condition in setting.scenario.conditions:
        if rules_for(setting, condition).holds(state, condition):
            state.outcome = Outcome(condition.winner, condition.text, RULE)
            return
    title = setting.titles[setting.scenario.otherwise]
    state.outcome = Outcome(setting.scenario.otherwise, f"{title} held out to the end", RULE)


PART = Part(left=check_at_once, conditions=CONDITIONS)
