"""Airpower (9.9 to 9.15): TAC by airbases, aerial supply, and the drop of the 82nd Airborne (12.9)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Cancel, Drop, PassDrop, Site
from sandtable.games.underbelly.atlas import CLEAR_BITS, FOGGIA, INDEX, NAMES, NAPLES, hexes_of
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.events import AirSupply, Dropped
from sandtable.games.underbelly.model import (
    AIRBORNE,
    ALLIED_BOX,
    Commands,
    DropSite,
    Interruption,
    UnderbellyState,
)
from sandtable.games.underbelly.places import relocate
from sandtable.games.underbelly.stacking import may_end
from sandtable.games.underbelly.supply import overland_network
from sandtable.games.underbelly.zones import field

TAC_UNITS = 3
TAC_COST, AERIAL_COST, AIRBORNE_COST, BOMBER_COST = 1, 2, 2, 2


def airbases(state: UnderbellyState) -> int:
    """How many of Naples and Foggia the Allies control, whatever their supply (9.9)."""
    return (state.control[NAPLES] == ALLIED) + (state.control[FOGGIA] == ALLIED)


def tac_units(state: UnderbellyState) -> int:
    """TAC units that one CP makes available on the map (9.9, 9.15); one of the three stays with an End-Run (8.13)."""
    units = 1 + airbases(state)
    if not state.end_run.launched:
        return units
    return units - 1 if state.options.get("end_run_tac") == "included" else min(units, TAC_UNITS - 1)


def open_commands(play: Play[UnderbellyState], *, tac: bool) -> None:
    """The Allied CP Expenditure Phase goes on after its opening decisions (9.9, 9.10)."""
    state = play.state
    state.tac = tac_units(state) if tac else 0
    state.tac_on = tac
    entering = state.army == "box" and state.options.get("german_tac") != "entry"
    state.german_tac = 1 if not tac and (state.army == "in" or entering) else 0
    play.replace(Commands(ALLIED))


def aerial_sites(state: UnderbellyState) -> list[str]:
    """Hexes whose units would otherwise be out of supply or on coastal supply (11.7)."""
    now = field(state)
    overland = overland_network(state, now, ALLIED)
    return [force[0] for force in now.forces[ALLIED] if not overland & force[1]]


def supply_by_air(play: Play[UnderbellyState], at: str) -> None:
    """Put the aerial supply marker on a hex (9.11, 11.7)."""
    play.state.aerial = at
    play.state.aerial_used = True
    play.emit(AirSupply(at=at))


def can_drop(state: UnderbellyState) -> bool:
    """Whether the 82nd may be dropped now (9.12, 12.9)."""
    return state.airborne == "ready" and state.tac_on and not state.quiet and state.at[AIRBORNE] == ALLIED_BOX


def drop_sites(state: UnderbellyState) -> list[str]:
    """Clear hexes without German units or forts and with room for one more division (12.9)."""
    now = field(state)
    free = CLEAR_BITS & ~now.german
    sites = []
    for h in hexes_of(free):
        name = NAMES[h]
        if name not in state.forts and (name not in now.stacks or may_end(now, name, (AIRBORNE,))):
            sites.append(name)
    return sites


def drop(play: Play[UnderbellyState], at: str) -> None:
    """The drop succeeds without a die; the hex gets the aerial supply marker (11.7, 12.9)."""
    state = play.state
    state.airborne = "dropped"
    state.dropped = state.turn
    state.used[AIRBORNE] = "dropped"
    play.emit(Dropped(at=at))
    relocate(play, (AIRBORNE,), at)
    supply_by_air(play, at)


_SITES = {name: Site(name) for name in INDEX}


def site_actions(names: Sequence[str]) -> list[Action]:
    """Choices of a hex, with one value for each hex of the map."""
    return [_SITES[name] for name in names]


class InterruptionProcedure(Procedure[UnderbellyState, Interruption]):
    """Between German activations the Allied player may drop his airborne division (12.9)."""

    def to_act(self, state: UnderbellyState, frame: Interruption) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: UnderbellyState, frame: Interruption, side: str) -> Sequence[Action]:
        return (PassDrop(), PassDrop(rest=True), Drop())

    def apply(self, play: Play[UnderbellyState], frame: Interruption, side: str, action: Action) -> None:
        if isinstance(action, Drop):
            play.push(DropSite())
            return
        if isinstance(action, PassDrop) and action.rest:
            play.state.quiet = True
        play.pop()


class DropSiteProcedure(Procedure[UnderbellyState, DropSite]):
    """The hex of the drop is chosen (12.9)."""

    def to_act(self, state: UnderbellyState, frame: DropSite) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: UnderbellyState, frame: DropSite, side: str) -> Sequence[Action]:
        return [*site_actions(drop_sites(state)), Cancel()]

    def apply(self, play: Play[UnderbellyState], frame: DropSite, side: str, action: Action) -> None:
        play.pop()
        if isinstance(action, Site):
            drop(play, action.at)
            if isinstance(play.state.stack[-1], Interruption):
                play.pop()


PART: Part[UnderbellyState] = Part(
    procedures={
        DropSite: DropSiteProcedure(),
        Interruption: InterruptionProcedure(),
    }
)
