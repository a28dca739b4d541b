"""Set-up (3.0): where everything stands before the first German player turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Place
from sandtable.games.underbelly.atlas import ALLIED_AT_START, INDEX, NAMES, PLACES, hexes_of, within
from sandtable.games.underbelly.data import ALLIED, GERMAN, markers, roster
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ASIDE,
    GERMAN_BOX,
    HISTORICAL,
    OPEN,
    WAT,
    Placement,
    Reinforcing,
    UnderbellyState,
)
from sandtable.games.underbelly.places import relocate, settle_control
from sandtable.games.underbelly.stacking import may_end
from sandtable.games.underbelly.zones import UNITS, control_changes, field

AREA = "5322-2"
_CENTRE, _RADIUS = AREA.split("-")
AREA_HEXES = tuple(NAMES[h] for h in hexes_of(within(_CENTRE, int(_RADIUS))))
"""Hexes within two of 5322 (3.2)."""


def start(scenario: str, options: Mapping[str, str], make: type[UnderbellyState] = UnderbellyState) -> UnderbellyState:
    """The position when the Allied set-up is nearly done (3.1, 3.2, 3.3, 3.4, 3.6, 5.4)."""
    at: dict[str, str] = {}
    steps: dict[str, int] = {}
    for unit, kind in roster().items():
        steps[unit] = kind.steps
        if kind.setup == "A":
            at[unit] = ALLIED_BOX if kind.side == ALLIED else GERMAN_BOX
        else:
            at[unit] = kind.setup if kind.setup in INDEX else ASIDE
    ports = {row["hex"]: row["group"] for row in markers().values() if row["type"] == "port"}
    control = {name: ALLIED if ALLIED_AT_START[INDEX[name]] else GERMAN for name in PLACES}
    state = make(
        scenario=OPEN,
        agreed={"historical": HISTORICAL, "wat": WAT}.get(scenario, ""),
        turn=1,
        side=ALLIED,
        stack=[Placement()],
        at=at,
        steps=steps,
        control=control,
        ports=ports,
        tac=1,
        tac_on=True,
        airborne="ready",
        options=dict(options),
    )
    for place, stack in field(state).stacks.items():
        if UNITS[stack[0]].side == ALLIED:
            state.top[place] = stack[0]
    for name, side in control_changes(state):
        state.control[name] = side
    return state


def to_place(state: UnderbellyState) -> list[str]:
    """Units marked 5322-2 that are not on the map yet (3.2)."""
    return [u for u, kind in UNITS.items() if kind.setup == AREA and state.at[u] == ASIDE]


class PlacementProcedure(Procedure[UnderbellyState, Placement]):
    """The three British units near 5322 are placed one by one (3.2)."""

    def to_act(self, state: UnderbellyState, frame: Placement) -> tuple[str, ...]:
        return (ALLIED,) if to_place(state) else ()

    def actions(self, state: UnderbellyState, frame: Placement, side: str) -> Sequence[Action]:
        now = field(state)
        unit = to_place(state)[0]
        return [Place(unit, at) for at in AREA_HEXES if may_end(now, at, (unit,)) and not now.german & (1 << INDEX[at])]

    def apply(self, play: Play[UnderbellyState], frame: Placement, side: str, action: Place) -> None:
        relocate(play, (action.unit,), action.at)
        settle_control(play)

    def run(self, play: Play[UnderbellyState], frame: Placement) -> None:
        """The Allied player turn of the first turn is over with the set-up (5.4)."""
        play.replace(Reinforcing(GERMAN))


PART: Part[UnderbellyState] = Part(procedures={Placement: PlacementProcedure()})
