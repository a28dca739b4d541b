"""A sensible set-up by the program: cover, fields of fire, and where the victory conditions lie (1.3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.cards.scenario import (
    Group,
)
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.map import BLOCKED, Ground
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, put, units_at
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon
from sandtable.games.squad.scenario.model import Placed
from sandtable.games.squad.scenario.placing import emplaced_at_start, gun_of, hip_allowed, may_hide, may_place, unplaced
from sandtable.space.remembered import remembered

T = TypeVar("T")
HEXES_PER_GUN = 4
"""Hexes that a hidden Gun draws from, with the same chance: the first from the best ones, the next from the next."""
KEPT_PER_GUN = 2
"""Good hexes that others leave free for each hidden Gun."""


NEAR_GOALS, DUG_IN = 0.7, 1.0
"""For a hidden Gun: what each hex between it and the goals costs beyond the usual, and what the open costs less."""
GIVEN_AWAY = 5.0
"""What it costs to stand with a hidden Gun, or where one could be: it would be given away."""


def goal_cells(setting: Setting) -> tuple[int, ...]:
    """Hexes that the scenario is about."""
    return next((tuple(sorted(aim.cells)) for _, aim in setting.aims if aim.cells), ())


def enemy_cells(setting: Setting, side: str) -> tuple[int, ...]:
    """Where the enemy comes from: his entry edges and set-up areas."""
    found: list[int] = []
    for group in setting.scenario.groups:
        if group.side != side:
            found += setting.entry_areas.get(group.id, ())
            area = setting.setup_areas.get(group.id, ())
            found += area if len(area) < setting.ground.size // 2 else ()
    return tuple(found)


def nearest(ground: Ground, cell: int, cells: tuple[int, ...]) -> int:
    """Hexes from one to the nearest of some."""
    ranges = ground.ranges[cell]
    return min((ranges[other] for other in cells), default=0)


def hidden_worth(setting: Setting, side: str, cell: int) -> float:
    """What a hex is worth to a hidden Gun besides what it is worth to every Gun (6.4).

    In the open it stays hidden only until somebody sees it: not at all where the enemy is on the map from the start.
    """
    unseen = not any(setting.setup_areas.get(group.id) for group in setting.scenario.groups if group.side != side)
    far = nearest(setting.ground, cell, goal_cells(setting))
    if not setting.ground.open[cell]:
        return -NEAR_GOALS * far
    return (DUG_IN if unseen else -GIVEN_AWAY) - NEAR_GOALS * far


class Plan:
    """Scores of the hexes of an area for one side."""

    def __init__(self, setting: Setting, group: Group) -> None:
        self.setting, self.group = setting, group
        ground = setting.ground
        goals, enemies = goal_cells(setting), enemy_cells(setting, group.side)
        attacks = any(condition.winner == group.side for condition in setting.scenario.conditions)
        self.area = area = tuple(setting.setup_areas[group.id])
        near = ground.seen_within(8, area)
        self.score: dict[int, float] = {}
        for cell in area:
            value = 1.2 * ground.tem[cell] + 0.02 * min(near[cell], 100)
            if goals:
                value -= (0.5 if attacks else 0.25) * nearest(ground, cell, goals)
            if enemies and not attacks:
                # a defender leaves some room between himself and the enemy's edge, but faces it
                distance = nearest(ground, cell, enemies)
                value -= 0.15 * abs(distance - 5)
            self.score[cell] = value

    def best(self, state: SquadState, unit: Unit, kept: Collection[int] = ()) -> int:
        """The best hex for a unit, given who stands where already and what is kept for hidden Guns."""
        worth = self.worth(state, unit)
        return max(worth, key=lambda cell: worth[cell] - (GIVEN_AWAY if cell in kept else 0.0), default=-1)

    def hiding_places(self, state: SquadState, unit: Unit) -> list[int]:
        """All hexes for a Gun that is to be hidden, the best first: near what the scenario is about, off the roads."""
        worth, paved = self.worth(state, unit), self.setting.ground.paved
        for cell in worth:
            worth[cell] += hidden_worth(self.setting, self.group.side, cell)
        return sorted(worth, key=lambda cell: (paved[cell], -worth[cell], cell))

    def worth(self, state: SquadState, unit: Unit) -> dict[int, float]:
        """What each hex that a unit may be placed in is worth to it, given who stands where already."""
        kind = unit_kind(state, unit)
        gun = gun_of(state, unit) is not None
        ground = self.setting.ground
        found: dict[int, float] = {}
        for cell, score in self.score.items():
            if not may_place(state, unit.id, cell):
                continue
            value = score
            friends = units_at(state, cell, unit.side)
            if kind.mmc:
                value -= 1.5 * sum(unit_kind(state, other).mmc for other in friends)
                for near in ground.near[cell]:
                    value -= 0.2 * len(state.stacks.get(near, ()))
            else:
                alone = not any(unit_kind(state, other).mmc for other in friends)
                value += -6.0 if alone else 1.0 - 3.0 * sum(unit_kind(state, other).smc for other in friends)
                value += 0.5 * sum(unit_kind(state, other).mmc for other in friends)
            if gun:
                # emplaced, in sight of much, and where it can stay hidden
                value += 0.04 * min(ground.seen_within(16, self.area)[cell], 150) - (4.0 if ground.paved[cell] else 0.0)
                value -= 1.5 * ground.open[cell] + 3.0 * bool(friends)
            elif any(gun_of(state, other) is not None for other in friends):
                value -= GIVEN_AWAY
            found[cell] = value
        return found


@remembered(64)
def _plan(setting: Setting, group: Group) -> Plan:
    return Plan(setting, group)


def place_rest(play: Play[SquadState], group: Group) -> None:
    """Place all units of a group that are not placed yet.

    Guns that can be hidden come last, and the others keep more hexes free than they need: where those stand does
    not tell where the Guns are (6.4).
    """
    state = play.state
    secret = setting_of(state).secret_setup
    for name, cell, facing in _placements(state, group):
        unit = put(state, state.units[name], cell)
        gun = gun_of(state, unit)
        if gun is not None:
            place_gun(play, gun, facing, hip=hip_allowed(state, gun))
        else:
            play.emit(Placed(unit=name, at=name_of(state, cell), to=(unit.side,) if secret else None))
    hiding = _hiding(state, group)
    if hiding:
        places = _hiding_places(state, group, hiding[0])
        for number, unit in enumerate(hiding):
            _hide(play, unit, places, number)


def _hiding(state: SquadState, group: Group) -> list[Unit]:
    return [unit for unit in unplaced(state, group.id) if may_hide(state, unit)]


def _hide(play: Play[SquadState], unit: Unit, places: Sequence[int], number: int) -> None:
    """The match's dice draw a hidden Gun's hex among good ones; only its own side sees the roll (6.4).

    Without layouts that have been tried each Gun has hexes of its own: so each layout has one of the best, and no hex
    comes up more often than others.
    """
    state = play.state
    able = [cell for cell in places if may_place(state, unit.id, cell)]
    mine = [cell for cell in places[HEXES_PER_GUN * number :] if cell in able and not units_at(state, cell, unit.side)]
    able = _tried_hexes(state, unit) or (mine or able)[:HEXES_PER_GUN]
    if not able:
        raise _no_room(unit.group, unit)
    (face,) = play.roll(len(able), 1, "hidden set-up", by=unit.side, to=(unit.side,))
    put(state, unit, able[face - 1])
    gun = gun_of(state, state.units[unit.id])
    assert gun is not None
    place_gun(play, gun, best_facing(state, gun), hip=hip_allowed(state, gun))


def _tried_hexes(state: SquadState, unit: Unit) -> list[int]:
    """A hidden Gun's hexes in those tried layouts that agree with the Guns before it; a hex for each layout."""
    setting = setting_of(state)
    before = sorted(other.at for other in state.units.values() if other.group == unit.group and hidden(other))
    found = []
    for names in setting.groups[unit.group].tried.hidden:
        layout = [setting.ground.index(name) for name in names]
        rest = layout[len(before) :]
        free = all(may_place(state, unit.id, cell) and not units_at(state, cell, unit.side) for cell in rest)
        if rest and free and sorted(layout[: len(before)]) == before:
            found.append(rest[0])
    return found


def _no_room(group: str, unit: Unit) -> ValueError:
    return ValueError(f"{group}: no hex is left for {unit.kind}; the set-up area is too small")


_KNOWN: dict[tuple[object, ...], Any] = {}
"""Placements that were worked out before; they follow from the card and from who stands where."""


def _known(state: SquadState, group: Group, what: str, work_out: Callable[[], T]) -> T:
    seen = [unit for unit in state.units.values() if unit.side == group.side or not hidden(unit)]
    standing = tuple([(u.id, u.at, u.weapons) for u in seen if u.at >= 0 or u.group == group.id])
    key = (what, state.setting, group.id, standing)
    found: T | None = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) > 200:
            _KNOWN.clear()
        found = _KNOWN[key] = work_out()
    return found


def _placements(state: SquadState, group: Group) -> list[tuple[str, int, int]]:
    """(unit, hex, Covered Arc) for all units of a group that are not placed yet and cannot be hidden."""
    return _known(state, group, "placements", lambda: _place_all(_as_seen(state, group.side), group))


def _as_seen(state: SquadState, side: str) -> SquadState:
    """A copy without what is hidden from a side: where hidden enemies stand must not show in its set-up (6.4)."""
    copy = state.clone()
    unseen = {unit.id for unit in copy.units.values() if unit.side != side and hidden(unit)}
    copy.stacks = {
        cell: left for cell, names in copy.stacks.items() if (left := tuple([n for n in names if n not in unseen]))
    }
    return copy


def _hiding_places(state: SquadState, group: Group, unit: Unit) -> list[int]:
    """Hexes for hidden Guns once all others stand, the best first."""
    plan = _plan(setting_of(state), group)
    return _known(state, group, f"hiding {unit.id}", lambda: plan.hiding_places(_as_seen(state, group.side), unit))


def _place_all(state: SquadState, group: Group) -> list[tuple[str, int, int]]:
    plan = _plan(setting_of(state), group)
    hiding = _hiding(state, group)
    kept = plan.hiding_places(state, hiding[0])[: KEPT_PER_GUN * len(hiding) + 1] if hiding else ()
    waiting = [unit for unit in unplaced(state, group.id) if unit not in hiding]
    waiting.sort(key=lambda unit: (gun_of(state, unit) is None, unit_kind(state, unit).smc, -len(unit.weapons)))
    tried = list(group.tried.units)
    found = []
    for unit in waiting:
        cell = _tried_hex(state, unit, tried)
        if cell < 0:
            cell = plan.best(state, unit, kept)
        if cell < 0:
            raise _no_room(group.id, unit)
        put(state, unit, cell)
        gun = gun_of(state, unit)
        found.append((unit.id, cell, best_facing(state, gun) if gun is not None else -1))
    return found


def _tried_hex(state: SquadState, unit: Unit, tried: list[tuple[str, str]]) -> int:
    """The hex of the first such counter that the card's set-up still has, which is used up; none: -1."""
    for line in tried:
        name, at = line
        cell = setting_of(state).ground.index(at)
        if unit.kind.endswith(f" {name}") and may_place(state, unit.id, cell):
            tried.remove(line)
            return cell
    return -1


def best_facing(state: SquadState, gun: Weapon) -> int:
    """The Covered Arc that sees most of the way the enemy comes."""
    unit = state.units[gun.owner]
    return _best_facing(setting_of(state), unit.side, unit.at)


@remembered(4096)
def _best_facing(setting: Setting, side: str, at: int) -> int:
    ground = setting.ground
    enemies = set(enemy_cells(setting, side))
    row, ranges = ground.los_row(at), ground.ranges[at]
    scores = []
    for spine in range(6):
        arc = ground.grid.covered_arc(ground.hex_of(at), spine)
        seen = sum(1 for cell in arc if ranges[cell] <= 12 and row[cell] != BLOCKED)
        scores.append(seen + 3 * sum(1 for cell in arc if cell in enemies))
    return scores.index(max(scores))


def place_gun(play: Play[SquadState], gun: Weapon, facing: int, *, hip: bool) -> None:
    """Give a Gun its Covered Arc; if hidden only its own side is told (3.2.4, 6.3, 6.4)."""
    state = play.state
    unit = state.units[gun.owner]
    state.weapons[gun.id] = replace(gun, facing=facing, emplaced=emplaced_at_start(state, gun), hip=hip)
    if hip:
        state.units[unit.id] = replace(unit, hip=True)
    play.emit(Placed(unit=unit.id, at=name_of(state, unit.at), to=(unit.side,) if hip else None))
