"""ENEMY Random Events that meet FRIENDLY units where they stand: wire, mines, boobytraps, what a house hides (S2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.engine import Play, Tally
from sandtable.games.asl.works import mines
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import finds
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.dice import on_table, pick, rolled, say
from sandtable.games.sasl.model import ENEMY, FRIENDLY, HOLD, ROSTER
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import board_of
from sandtable.games.sasl.tables.events import Event, sub_table
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.effects.morale import remove
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.pieces.model import SquadState, Unit

Effect = Callable[[Play[SquadState], Event], bool]
NO_WIRE = ("rubble", "water")
NO_MINES = ("marsh", "crag", "stone_bridge", "wooden_bridge", "pontoon_bridge", "foot_bridge", "runway")
"""Ground without A-P mines, beside buildings, paved roads, rubble and water (B28.1)."""


def friends(state: SquadState) -> list[Unit]:
    """FRIENDLY units on the map; whoever is a prisoner is not on it."""
    return [
        unit
        for unit in state.units.values()
        if unit.side == FRIENDLY and unit.at >= 0 and not unit_kind(state, unit).dummy
    ]


def nearest_ebe(state: SquadState) -> list[Unit]:
    """FRIENDLY units, the one closest to the EBE first."""
    far = distances(setting_of(state), "east")
    return sorted(friends(state), key=lambda unit: (far[unit.at], unit.id))


# -- wire ---------------------------------------------------------------------------------------


def wire(play: Play[SquadState], event: Event) -> bool:
    """RE 01: a line of wire parallel to the EBE is sighted ahead of the unbroken unit nearest to it (SA-80)."""
    state = play.state
    setting = setting_of(state)
    far = distances(setting, "east")
    spotter = next((unit for unit in nearest_ebe(state) if not unit.broken), None)
    if spotter is None:
        return False
    (dr,) = rolled(play, 1, "hexes to the wire")
    for line in range(max(0, far[spotter.at] - dr), far[spotter.at] + 1):
        cells = [cell for cell in range(setting.ground.size) if far[cell] == line and _takes_wire(state, cell)]
        seen = [cell for cell in cells if sees(state, spotter.at, cell)]
        if seen:
            first = min(seen, key=lambda cell: (setting.ground.ranges[spotter.at][cell], cell))
            number = sum(rolled(play, 2, "Wire counters")) + 2
            laid = _along(state, cells, first)[:number]
            for cell in laid:
                counter = works.lay_wire(state, cell, ENEMY)
                for unit in units_at(state, cell, FRIENDLY):
                    works.put_in(state, unit, counter)
            words = f"{len(laid)} Wire counters, {name_of(state, first)} first"
            say(play, event.table, event.key, (dr,), words, "B26.1")
            return True
    return False


def _takes_wire(state: SquadState, cell: int) -> bool:
    """Whether a Location may hold wire and has none (B26.1)."""
    ground = setting_of(state).ground
    kind = ground.kinds[cell]
    barred = ground.in_building[cell] or kind.mf is None or kind.group in NO_WIRE or kind.name == "marsh"
    return not barred and not works.works_at(state, cell, works.WIRE)


def _along(state: SquadState, cells: Sequence[int], first: int) -> list[int]:
    """A line of hexes from the first one outwards, by turns on either side, the lower hexrow first."""
    ranges = setting_of(state).ground.ranges[first]
    return sorted(cells, key=lambda cell: (ranges[cell], cell))


# -- mines and boobytraps -------------------------------------------------------------------------


def minefield(play: Play[SquadState], event: Event) -> bool:
    """RE 03-04, 13-14: the Infantry nearest the EBE that stands in the open has stumbled into A-P mines."""
    state = play.state
    if event.numbers[0] != "03" and _panji(state):
        return False
    far = distances(setting_of(state), "east")
    able = [unit for unit in nearest_ebe(state) if not unit.melee and mineable(state, unit.at)]
    if not able:
        return False
    nearest = far[able[0].at]
    for cell in dict.fromkeys(unit.at for unit in able if far[unit.at] == nearest):
        strength = int(on_table(play, sub_table("A11-03")))
        _strike_later(state, f"mines {strength} {name_of(state, cell)}")
    return True


def _panji(state: SquadState) -> bool:
    """Whether a Panji would be crossed instead, which waits for PTO Terrain (RE 13-14, P9 04-05, S2.31)."""
    base = rolled_in(state)
    return base.pto and base.enemy in ("J", "P") and base.rules.attitude == HOLD


def mineable(state: SquadState, cell: int) -> bool:
    """Whether A-P mines may lie in a Location, and not on a board that the FRIENDLY side set up on (B28.1)."""
    ground = setting_of(state).ground
    kind = ground.kinds[cell]
    if (
        cell in ground.floors
        or ground.in_building[cell]
        or ground.paved[cell]
        or kind.mf is None
        or kind.group in ("rubble", "water")
    ):
        return False
    return kind.name not in NO_MINES and cell not in works.MINES.of(state) and not _home(state, cell)


def _home(state: SquadState, cell: int) -> bool:
    """Whether a Location lies on a board that the FRIENDLY side set up on (Mission 3: the first)."""
    base = rolled_in(state)
    return base.mission == 3 and board_of(state, cell) == base.boards[0]


def boobytrap(play: Play[SquadState], event: Event) -> bool:
    """RE 12: a boobytrap goes off in a building Location with FRIENDLY Infantry; its FP is a DR."""
    places = list(dict.fromkeys(unit.at for unit in _housed(play.state)))
    if not places:
        return False
    _set_off(play, pick(play, places, "which Location"))
    return True


def _set_off(play: Play[SquadState], cell: int) -> None:
    fp = sum(rolled(play, 2, "FP of the boobytrap"))
    _strike_later(play.state, f"boobytrap {fp} {name_of(play.state, cell)}")


def _strike_later(state: SquadState, mark: str) -> None:
    """Note what attacks as the first thing in the coming ENEMY PFPh."""
    put_roster(state, strikes=(*ROSTER.of(state).strikes, mark))


def strike(play: Play[SquadState]) -> None:
    """Mines and boobytraps of events attack as the first thing in the ENEMY PFPh."""
    state = play.state
    strikes = [mark for mark in ROSTER.of(state).strikes if mark.startswith(("mines", "boobytrap"))]
    if not strikes or state.attacker != ENEMY:
        return
    put_roster(state, strikes=tuple([mark for mark in ROSTER.of(state).strikes if mark not in strikes]))
    ground = setting_of(state).ground
    for mark in strikes:
        what, fp, name = mark.split(" ", 2)
        if name not in ground.names:
            continue  # its board has been rolled up since
        cell = ground.index(name)
        who = [unit.id for unit in units_at(state, cell, FRIENDLY)]
        if what == "mines":
            works.lay_mines(state, cell, ENEMY, int(fp), known=True)
        if who and what == "mines":
            mines.attack(play, cell, works.Minefield(ENEMY, int(fp), known=True), who)
        elif who:
            explode(play, cell, int(fp), who)


def explode(play: Play[SquadState], cell: int, fp: int, who: Sequence[str]) -> None:
    """A boobytrap attacks a Location with its TEM reversed, as a CH does (RE 12, C3.7)."""
    state = play.state
    tem = setting_of(state).ground.tem[cell]
    column = IFT.column(fp)
    tally = Tally.of(f"boobytrap of {fp} FP", [("TEM reversed", -tem, "C3.7")] if tem else [])
    dice = play.roll(6, 2, f"boobytrap in {name_of(state, cell)}", tally=tally)
    result = IFT.result(column, sum(dice) - tem)
    say(play, "RE 12", f"{fp} FP", tuple(dice), f"boobytrap in {name_of(state, cell)}, TEM reversed: {result}", "S2.3")
    resolve_effects(play, who, result, column=column)


# -- in houses and woods ---------------------------------------------------------------------------------


def _housed(state: SquadState) -> list[Unit]:
    ground = setting_of(state).ground
    return [unit for unit in friends(state) if ground.in_building[unit.at]]


def _sheltered(state: SquadState) -> list[Unit]:
    """FRIENDLY Infantry in woods, else in buildings (P9)."""
    ground = setting_of(state).ground
    return [unit for unit in friends(state) if ground.woods[unit.at]] or _housed(state)


def in_a_building(play: Play[SquadState], event: Event) -> bool:
    """RE 11: papers, company, a lamp or a boobytrap await a Good Order unit in a building."""
    state = play.state
    able = [unit for unit in _housed(state) if unit.good_order]
    if not able:
        return False
    unit = pick(play, able, "which unit")
    found = on_table(play, sub_table("A11-11"))
    if found == "papers":
        finds.take_papers(play, unit, "dr-1")
    elif found == "company":
        finds.distract(play, unit)
    elif found == "boobytrap":
        _set_off(play, unit.at)
    else:
        say(play, event.table, event.key, (), "a lamp is upset, but flames are not played yet", "S2.31")
        return False
    return True


def seductress(play: Play[SquadState], event: Event) -> bool:
    """P9 13-14: a unit is lured away: eliminated on a low dr, else TI for a while."""
    state = play.state
    able = _sheltered(state)
    if not able:
        return False
    unit = pick(play, able, "which unit")
    kind = unit_kind(state, unit)
    drm = (3 if kind.squad else 2 if kind.mmc else 1) + len(units_at(state, unit.at, FRIENDLY)) - 1
    (dr,) = rolled(play, 1, "seductress")
    lost = dr + drm <= 4
    where = name_of(state, unit.at)
    say(play, event.table, event.key, (dr,), f"{where}: {dr}{drm:+d}, {'eliminated' if lost else 'TI'}", "S2.3")
    if lost:
        remove(play, unit, "lured away")
    else:
        finds.distract(play, unit)
    return True


def dead_leader(play: Play[SquadState], event: Event) -> bool:
    """P9 21: a unit in woods or a building finds papers."""
    able = _sheltered(play.state)
    if able:
        finds.take_papers(play, pick(play, able, "which unit"), "dr-1")
    return bool(able)


EFFECTS: dict[str, Effect] = {
    "wire": wire,
    "minefield": minefield,
    "boobytrap": boobytrap,
    "building": in_a_building,
    "seductress": seductress,
    "papers": dead_leader,
}
