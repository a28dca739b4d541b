"""Search and Mopping Up (A12.152-12.154)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Bar
from sandtable.games.asl.busy import TI
from sandtable.games.asl.concealment.losing import lose, put_under_question, vanish
from sandtable.games.asl.concealment.model import (
    EndSearch,
    MoppedUp,
    MopUp,
    Search,
    SearchBegan,
    Searched,
    SearchHex,
    Searching,
)
from sandtable.games.asl.concealment.seen import real
from sandtable.games.asl.nations.traits import lax, stealthy
from sandtable.games.asl.strength import half_squads
from sandtable.games.asl.surrender import NO_QUARTER, UNARMED, give_up, takes_prisoners
from sandtable.games.asl.works.model import BOOBYTRAPS, MINES
from sandtable.games.squad.effects.morale import casualty_reduce, leadership
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.setting import ground_of, other_side, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.movement.model import MfSpent, Move, Spent
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import able_movers, affordable, end_movers, spend
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.events import ControlChanged
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit

COST = 2
"""Half MF (A12.152)."""
SEARCH, END = Search(), EndSearch()
NEAR_BUILDING = 2
"""Whoever mops up must be within so many hexes of every part of the building (A12.153)."""
JAPANESE = 2
LOST_ON = 1
"""A search casualty dr of this or less costs a Casualty Reduction (A12.154)."""


# -- search -----------------------------------------------------------------------------


def search_bar(state: SquadState) -> Bar | None:
    """Why the moving units may not search now (A12.152)."""
    movers = able_movers(state)
    units = [state.units[mover.id] for mover in movers]
    if not units or units[0].at < 0 or not any([unit_kind(state, unit).mmc and unit.good_order for unit in units]):
        return "Only a stack with a Good Order squad, half-squad or crew may Search", "A12.152"
    if any([mover.assault for mover in movers]):
        return "Units using Assault Movement may not Search", "A12.152"
    if not affordable(state, movers, allotments(state, movers), COST, road=False):
        return "Searching costs 1 MF, which they do not have", "A12.152"
    return None


def search_actions(state: SquadState, frame: Move, side: str) -> list[Action]:
    """The moving units may end their move by a Search (A12.152)."""
    return [SEARCH] if search_bar(state) is None else []


def search(play: Play[SquadState], frame: Move, side: str, action: Search) -> None:
    """One MF is spent; if fire leaves them able to, they search (A12.152)."""
    state = play.state
    names = tuple([mover.id for mover in able_movers(state)])
    cell = state.units[names[0]].at
    spend(play, COST)
    play.emit(MfSpent(units=names, at=name_of(state, cell), mf=COST / 2, what="Search"))
    play.push(Searching(names, cell))
    play.push(Spent())


def searchers(state: SquadState, frame: Searching) -> list[Unit]:
    """Those of the searching units that are able to."""
    units = [state.units[name] for name in frame.units if name in state.units]
    return [unit for unit in units if unit.good_order and not unit.pinned and unit.at == frame.at]


def search_tally(state: SquadState, units: Sequence[Unit], enemy: str, *, cells: Sequence[int] = ()) -> Tally:
    """The drm of a Search (A12.152)."""
    careful = sum([stealthy(state, unit) for unit in units])
    items: list[Item] = [("Stealthy", -careful, "A12.152")]
    halves = sum([half_squads(state, unit) for unit in units])
    if halves > 1:
        items.append(("half-squads beyond the first", 1 - halves, "A12.152"))
    leaders = [leadership(state, unit) for unit in units if unit_kind(state, unit).leads]
    if leaders:
        items.append(("leader", min(leaders), "A12.152"))
    careless = sum([lax(state, unit) or unit.cx for unit in units])
    items.append(("Lax or CX", careless, "A12.152"))
    japanese = "japanese" in setting_of(state).nations_of(enemy)
    ground = ground_of(state)
    if japanese and not all([ground.in_building[cell] for cell in cells]):
        items.append(("against Japanese", JAPANESE, "A12.152"))
    return Tally.of("Search", items)


class SearchAround(Procedure[SquadState, Searching]):
    """A dr tells how many hexes are not searched; the searcher picks the others (A12.152)."""

    def to_act(self, state: SquadState, frame: Searching) -> tuple[str, ...]:
        return (state.attacker,) if frame.left > 0 and open_hexes(state, frame) else ()

    def actions(self, state: SquadState, frame: Searching, side: str) -> Sequence[Action]:
        return [*(SearchHex(cell) for cell in open_hexes(state, frame)), END]

    def apply(self, play: Play[SquadState], frame: Searching, side: str, action: Action) -> None:
        if isinstance(action, SearchHex):
            frame = replace(frame, left=frame.left - 1, searched=(*frame.searched, action.at))
            play.replace(frame)
            uncover(play, action.at, side)
        else:
            play.replace(replace(frame, left=0))

    def run(self, play: Play[SquadState], frame: Searching) -> None:
        units = searchers(play.state, frame)
        if frame.left < 0 and any([unit_kind(play.state, unit).mmc for unit in units]):
            self._roll(play, frame, units)
            return
        play.pop()
        _end_search(play, frame, units)

    def _roll(self, play: Play[SquadState], frame: Searching, units: list[Unit]) -> None:
        state = play.state
        side = units[0].side
        around = accessible(state, frame.at)
        tally = search_tally(state, units, other_side(state, side), cells=around)
        (dr,) = play.roll(6, 1, "search", by=side, tally=tally)
        left = max(0, len(around) - max(0, dr + int(tally.total)))
        names = tuple([unit.id for unit in units])
        play.emit(SearchBegan(units=names, at=name_of(state, frame.at), hexes=left))
        play.replace(replace(frame, left=left))


def open_hexes(state: SquadState, frame: Searching) -> list[int]:
    """Accessible hexes that have not been searched."""
    return [cell for cell in accessible(state, frame.at) if cell not in frame.searched]


def accessible(state: SquadState, cell: int) -> list[int]:
    """Other hexes into which Infantry could advance from a Location (A12.152, A.8)."""
    ground = ground_of(state)
    around = [near for near in ground.near[cell] if ground.hex_of(near) != ground.hex_of(cell)]
    ways = [(near, ground.way(cell, near)) for near in around]
    return [near for near, way in ways if way is not None and not way.all_mf]


def _end_search(play: Play[SquadState], frame: Searching, units: list[Unit]) -> None:
    """Casualties, then the searchers are TI and their MPh is over (A12.152, A12.154)."""
    state = play.state
    if units:
        search_casualties(play, units, frame.searched)
    for unit in units:
        if unit.id in state.units:
            mark(play, state.units[unit.id], TI)
    if state.moving is not None:
        end_movers(play, [unit.id for unit in units if unit.id in state.units])


def uncover(play: Play[SquadState], cell: int, side: str) -> None:
    """A hex is searched: "?" are lost, hidden units are put under one (A12.152)."""
    state = play.state
    found = False
    for place in ground_of(state).locations_of(ground_of(state).hex_of(cell)):
        for unit in units_at(state, place, other_side(state, side)):
            found = found or real(state, unit)
            if hidden(unit):
                put_under_question(play, unit, "is searched")
            elif unit.concealed:
                lose(play, unit, "is searched")
    for hook in setting_of(state).points.searches:
        found = hook(play, cell, side) or found
    play.emit(Searched(side=side, at=name_of(state, cell), found=found))


def search_casualties(play: Play[SquadState], units: Sequence[Unit], cells: Sequence[int]) -> None:
    """Armed Good Order enemies in a searched hex may cost the searchers a Casualty Reduction (A12.154)."""
    state = play.state
    enemy = other_side(state, units[0].side)
    there = [unit for cell in cells for unit in units_at(state, cell, enemy)]
    met = [unit for unit in there if unit.good_order and real(state, unit) and UNARMED not in unit.marks]
    if not met and not any([_dangerous(state, cell, units[0].side) for cell in cells]):
        return
    items: list[Item] = []
    halves = sum([half_squads(state, unit) for unit in met])
    if halves > 1:
        items.append(("enemy half-squads beyond one", 1 - halves, "A12.154"))
    careful, careless = sum([stealthy(state, unit) for unit in met]), sum([lax(state, unit) for unit in met])
    if careful:
        items.append(("Stealthy enemies", -careful, "A12.154"))
    if careless:
        items.append(("Lax enemies", careless, "A12.154"))
    leaders = [leadership(state, unit) for unit in met if unit_kind(state, unit).leads]
    if leaders:
        items.append(("enemy leader", min(leaders), "A12.154"))
    tally = Tally.of("Search casualties", items)
    (dr,) = play.roll(6, 1, "search casualties", by=enemy, tally=tally)
    if dr + tally.total <= LOST_ON:
        present = [state.units[unit.id] for unit in units if unit.id in state.units]
        for unit in random_selection(play, present, "Search casualty"):
            casualty_reduce(play, unit)


def _dangerous(state: SquadState, cell: int, side: str) -> bool:
    """Whether mines, Residual FP or boobytraps lie in wait for searchers (A12.154)."""
    if residual_in(state, cell):
        return True
    if not hasattr(state, MINES.name):
        return False
    field = MINES.of(state).get(cell)
    return bool(BOOBYTRAPS.of(state).get(side)) or (field is not None and field.side != side)


# -- Mopping Up -------------------------------------------------------------------------


def moppers(state: SquadState, side: str, building: str) -> list[str]:
    """The fewest units, found in the order of the stacks, that can mop up a building; none: it cannot be (A12.153)."""
    ground = ground_of(state)
    cells = ground.buildings[building]
    able = [unit for cell in cells for unit in units_at(state, cell, side) if _may_mop(state, unit)]
    missing = set(cells)
    chosen: list[str] = []
    for unit in sorted(able, key=lambda unit: -len(_covers(ground.ranges[unit.at], cells))):
        new = _covers(ground.ranges[unit.at], cells) & missing
        if new:
            chosen.append(unit.id)
            missing -= new
    return chosen if not missing else []


def _covers(ranges: Sequence[int], cells: Sequence[int]) -> set[int]:
    return {cell for cell in cells if ranges[cell] <= NEAR_BUILDING}


def _may_mop(state: SquadState, unit: Unit) -> bool:
    """Armed, unpinned Good Order MMC that has not fired and is free to act: not TI, nor in Panic (A12.153)."""
    kind = unit_kind(state, unit)
    return (
        kind.mmc
        and unit.good_order
        and not unit.pinned
        and UNARMED not in unit.marks
        and unit.marker == NO_MARKER
        and not unit.used
        and not hidden(unit)
        and part_bar(state, "move", unit) is None
    )


def mop_bar(state: SquadState, side: str, building: str) -> Bar | None:
    """Why a side may not mop up a building (A12.153)."""
    ground = ground_of(state)
    cells = ground.buildings.get(building, ())
    if takes_prisoners(state) and side in NO_QUARTER.of(state):
        return "Your side gives No Quarter: no enemy comes out to surrender", "A12.153"
    if len(cells) < 2:
        return "Only buildings of more than one hex are mopped up", "A12.153"
    for cell in cells:
        for unit in units_at(state, cell, other_side(state, side)):
            if not unit.broken and not unit.concealed and not hidden(unit):
                return "An unbroken enemy still holds it: defeat him first", "A12.153"
    if not moppers(state, side, building):
        return "Good Order units must be within two hexes of every part of the building", "A12.153"
    return None


def mop_actions(state: SquadState, frame: object, side: str) -> list[Action]:
    """Buildings that the ATTACKER may mop up in his PFPh (A12.153)."""
    ground = ground_of(state)
    mine = {ground.building[unit.at] for unit in state.units.values() if unit.side == side and unit.at >= 0}
    return [MopUp(building) for building in sorted(mine - {""}) if mop_bar(state, side, building) is None]


def mop_up(play: Play[SquadState], frame: object, side: str, action: MopUp) -> None:
    """Hidden units come under a "?", Dummies go; if nobody is concealed the building is taken (A12.153)."""
    state = play.state
    ground = ground_of(state)
    cells = ground.buildings[action.building]
    names = moppers(state, side, action.building)
    units = [mark(play, state.units[name], TI) for name in names]
    for cell in cells:
        for hook in setting_of(state).points.searches:
            hook(play, cell, side)
    enemies = [unit for cell in cells for unit in units_at(state, cell, other_side(state, side))]
    for unit in enemies:
        if hidden(unit):
            put_under_question(play, unit, "is searched")
        elif unit.concealed and not real(state, unit):
            vanish(play, unit)
    present = [state.units[unit.id] for unit in enemies if unit.id in state.units]
    left = [unit for unit in present if unit.concealed or not unit.broken]
    play.emit(MoppedUp(side=side, units=tuple(names), at=ground.names[cells[0]], cleared=not left))
    search_casualties(play, units, cells)
    if not left:
        for unit in enemies:
            if unit.id in state.units and state.units[unit.id].broken:
                give_up(play, state.units[unit.id], side, "mopped up", guards=names)
        if action.building in setting_of(state).watched and state.control.get(action.building) != side:
            state.control[action.building] = side
            where = ground.names[cells[0]]
            play.emit(ControlChanged(place=f"building {where}", side=side, at=where))
    list_firers_anew(play)
