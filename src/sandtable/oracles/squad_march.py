"""Movement by the text, read a second time: what a hex costs, what a stack may spend, who fits where (1.1.1, 3.3, 4.0).

MF are counted as the booklet counts them. Nothing here comes from the modules that move units in play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.pieces.model import SquadState, Unit

TERRAIN_MF = {"open": 1.0, "road": 1.0, "building": 2.0, "woods": 2.0, "orchard": 1.0, "grain": 1.5}
SQUADS, LEADERS = 3.0, 4
SMOKE = ("grenade", "smoke", "dispersed", "wp", "wp dispersed")


@dataclass(frozen=True)
class Walker:
    """A unit that moves or advances with others: what it has spent and carries."""

    unit: Unit
    spent: float = 0.0
    double: bool = False
    carried: int = 0
    """PP of all items carried in this MPh."""
    inexperienced: bool = False
    on_road: bool = False
    """All MF so far went along roads."""
    assault: bool = False


# -- the map ------------------------------------------------------------------------------


def smoke_in(state: SquadState, cell: int) -> bool:
    """Whether Smoke lies in a hex (1.2.5)."""
    return any(counter.kind in SMOKE for counter in state.counters.get(cell, ()))


def terrain_mf(state: SquadState, cell: int) -> float:
    """MF of the terrain of a hex (1.1.1)."""
    kind = setting_of(state).ground.kinds[cell]
    found = TERRAIN_MF.get(kind.group)
    return found if found is not None else float(kind.mf or 1)


def is_building(state: SquadState, cell: int) -> bool:
    return setting_of(state).ground.kinds[cell].group == "building"


def is_cover(state: SquadState, cell: int) -> bool:
    """Woods and buildings, to which units rout (3.6)."""
    return setting_of(state).ground.kinds[cell].group in ("building", "woods")


def is_open(state: SquadState, cell: int) -> bool:
    return setting_of(state).ground.kinds[cell].group in ("open", "road")


def neighbours(state: SquadState, cell: int) -> list[tuple[int, int]]:
    """Hexsides of a hex with the hexes beyond them."""
    return [(side, int(to)) for side, to in enumerate(setting_of(state).ground.sides[cell]) if to >= 0]


def road_between(state: SquadState, cell: int, side: int, to: int) -> str:
    """The surface of the road that crosses a hexside, empty: none does."""
    facts = setting_of(state).ground.facts
    there = dict(facts[to].roads).get((side + 3) % 6, "")
    return there if side in dict(facts[cell].roads) else ""


def step_mf(state: SquadState, cell: int, side: int, to: int, *, road: bool) -> float:
    """MF to enter an adjacent hex: doubled uphill, one more for Smoke, and a special rule's for slopes."""
    setting = setting_of(state)
    rise = setting.ground.level[to] - setting.ground.level[cell]
    cost = 1.0 if road and not is_building(state, to) else terrain_mf(state, to)
    if rise > 0:
        cost *= 2
    if setting.rules.of(MovementRules).elevation_mf and not (road and road_between(state, cell, side, to) == "paved"):
        cost += setting.rules.of(MovementRules).elevation_mf * abs(rise)
    return cost + (1 if smoke_in(state, to) else 0)


def ways(state: SquadState, cell: int) -> Iterator[tuple[int, bool, float]]:
    """Every way into an adjacent hex: the hex, whether along a road, and its MF (1.1.1, ruling M-10)."""
    for side, to in neighbours(state, cell):
        road = bool(road_between(state, cell, side, to))
        if road:
            yield to, True, step_mf(state, cell, side, to, road=True)
        if not road or not (is_open(state, to) or is_building(state, to)):
            yield to, False, step_mf(state, cell, side, to, road=False)


def road_leaves_map(state: SquadState, cell: int) -> bool:
    """Whether a road of an edge hex leads off the map (3.3)."""
    ground = setting_of(state).ground
    return any(ground.sides[cell][side] < 0 for side, _ in ground.facts[cell].roads)


def off_map_mf(state: SquadState, cell: int) -> float:
    """MF of the ground off board: Open Ground, unless a special rule makes the cut-off terrain real (3.3)."""
    return setting_of(state).ground.off_board.get(cell, 2) / 2


# -- units --------------------------------------------------------------------------------


def is_mmc(state: SquadState, unit: Unit) -> bool:
    return unit_kind(state, unit).mmc


def is_leader(state: SquadState, unit: Unit) -> bool:
    return unit_kind(state, unit).leads


def here(state: SquadState, unit: Unit) -> list[Unit]:
    """Units of its side in the hex of a unit, or beside the same edge hex; itself too."""
    return [
        other
        for other in state.units.values()
        if other.side == unit.side and other.at == unit.at and (unit.at >= 0 or other.beside == unit.beside >= 0)
    ]


def is_inexperienced(state: SquadState, unit: Unit) -> bool:
    """Conscripts, and Green MMC that no Good Order leader is stacked with (5.4)."""
    quality = unit_kind(state, unit).unit_class
    if quality == "G":
        return not any(is_leader(state, other) and other.good_order for other in here(state, unit))
    return quality == "C"


def pp_of(state: SquadState, unit: Unit) -> int:
    return sum(weapon_kind(state.weapons[name]).pp for name in unit.weapons)


def holds_gun(state: SquadState, unit: Unit) -> bool:
    return any(weapon_kind(state.weapons[name]).gun for name in unit.weapons)


def ipc(state: SquadState, unit: Unit, *, double: bool = False) -> int:
    """Three PP of a MMC, one of a leader, none of a wounded one; one less if CX (4.0, 3.2.3, 3.3)."""
    able = 3 if is_mmc(state, unit) else 0 if unit.wounded else 1
    return max(able - 1, 0) if unit.cx or double else able


def stacked_size(state: SquadState, units: Sequence[Unit], *, without_guns: Sequence[str] = ()) -> tuple[float, int]:
    """Squad equivalents and leaders; a half-squad or crew with a Gun is a squad (3.3)."""
    squads, leaders = 0.0, 0
    for unit in units:
        kind = unit_kind(state, unit)
        if kind.smc:
            leaders += 1
        elif kind.squad or (unit.id not in without_guns and holds_gun(state, unit)):
            squads += 1
        else:
            squads += 0.5
    return squads, leaders


def has_room(state: SquadState, cell: int, units: Sequence[Unit], *, drop_guns: bool = False) -> bool:
    """Whether units fit into a hex with those of their side who are there (3.3)."""
    names = {unit.id for unit in units}
    side = units[0].side
    there = [u for u in state.units.values() if u.at == cell and u.side == side and u.id not in names]
    squads, leaders = stacked_size(state, [*there, *units], without_guns=tuple(names) if drop_guns else ())
    return squads <= SQUADS and leaders <= LEADERS


def known_enemy_in(state: SquadState, cell: int, side: str) -> bool:
    return any(unit.at == cell and unit.side != side and not unit.hip for unit in state.units.values())


# -- what a stack may spend ---------------------------------------------------------------


def own_mf(state: SquadState, walker: Walker, *, led: bool, lent: int) -> float:
    """MF of a unit: 4, 3 or 6, a leader's bonus, Double Time, less the PP over its IPC (3.3, 4.0, 5.4)."""
    unit = walker.unit
    if is_mmc(state, unit):
        mf = 3 if walker.inexperienced or is_inexperienced(state, unit) else 4
        mf += 2 if led else 0
    else:
        mf = 3 if unit.wounded else 6
    mf += 2 if walker.double else 0
    return max(mf - max(walker.carried - ipc(state, unit, double=walker.double) - lent, 0), 0)


def readings(state: SquadState, walkers: Sequence[Walker]) -> Iterator[list[float]]:
    """MF of all, for every way in which each leader may lend his spare IPC to one MMC (4.0)."""
    leaders = [w for w in walkers if is_leader(state, w.unit)]
    squads = [place for place, w in enumerate(walkers) if is_mmc(state, w.unit)]
    spare = [max(ipc(state, w.unit, double=w.double) - w.carried, 0) for w in leaders]
    for choice in product([-1, *squads], repeat=len(leaders)):
        helped = [place for place in choice if place >= 0]
        if len(set(helped)) == len(helped):
            lent = {place: able for place, able in zip(choice, spare, strict=True) if place >= 0}
            yield [own_mf(state, w, led=bool(leaders), lent=lent.get(i, 0)) for i, w in enumerate(walkers)]


def can_spend(state: SquadState, walkers: Sequence[Walker], cost: float, *, road: bool) -> bool:
    """Whether all have the MF, with the road bonus where all was and is along roads (1.1.1, 3.3)."""
    all_but_one = setting_of(state).rules.of(MovementRules).assault_movement_needs_mf
    for mf in readings(state, walkers):
        for walker, own in zip(walkers, mf, strict=True):
            left = own - walker.spent + (1 if road and walker.on_road else 0)
            if left < cost or (walker.assault and all_but_one and left == cost):
                break
        else:
            return True
    return False
