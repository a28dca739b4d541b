"""What a fire phase leaves behind, and the counters that come off at its end (3.4, 3.5)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.fire.model import FirePhaseFrame
from sandtable.games.squad.ground.markers import change_units, change_weapons, clear_weapons
from sandtable.games.squad.ground.setting import defender, setting_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.pieces.model import FIRST_FIRE, NO_MARKER, PREP_FIRE, SquadState


def list_firers_anew(play: Play[SquadState]) -> None:
    """An attack changes who may fire: the fire phase at the bottom of the stack lists them again."""
    stack = play.state.stack
    if isinstance(stack[0], FirePhaseFrame):
        stack[0] = type(stack[0])()


def finish_fire_phase(play: Play[SquadState], side: str) -> None:
    """A side fires no more: what must be decided or goes off before its phase ends comes first."""
    for close in setting_of(play.state).points.closing:
        if close(play, side) or play.state.outcome is not None:
            return
    end_phase(play)


def _end_prep_fire(play: Play[SquadState]) -> None:
    """A weapon that kept its Rate of Fire has fired in the PFPh all the same (3.5)."""
    weapons = play.state.weapons.values()
    change_weapons(play.state, [w for w in weapons if w.shots > 0 and w.marker == NO_MARKER], marker=PREP_FIRE)


def _end_defensive_fire(play: Play[SquadState]) -> None:
    """First and Final Fire counters are removed at the end of the DFPh (3.4)."""
    state = play.state
    side = defender(state)
    marked = [unit for unit in state.units.values() if unit.marker >= FIRST_FIRE and unit.side == side]
    change_units(state, marked, marker=NO_MARKER)
    clear_weapons(state, side)


def _end_advancing_fire(play: Play[SquadState]) -> None:
    """Prep Fire counters are removed at the end of the AFPh (3.5)."""
    state = play.state
    marked = [unit for unit in state.units.values() if unit.marker != NO_MARKER and unit.side == state.attacker]
    change_units(state, marked, marker=NO_MARKER)
    clear_weapons(state, state.attacker)


PART = Part(ends={"PFPh": _end_prep_fire, "DFPh": _end_defensive_fire, "AFPh": _end_advancing_fire})
