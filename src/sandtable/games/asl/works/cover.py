"""What works do for those in them: TEM, the open, rally, whom fire spares, and what may be fired at from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.engine.part import Bar
from sandtable.games.asl.terrain.walls import hexside_tem
from sandtable.games.asl.works.model import ENTRENCHMENTS, PILLBOX, PILLBOXES, SHELTERS, WIRE, within
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.ground.cover import NOT_REVERSED
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.ordnance.tohit import OrdnanceShot
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit, Weapon

ON_WIRE = "on wire"
OUTSIDE_ARC, INDIRECT = NOT_REVERSED


def covers(state: SquadState, source: int, target: int, unit: Unit | None, mortar: bool, item: Item) -> Item:
    """TEM in a foxhole, a trench or a pillbox (B27.3, B30.112)."""
    if unit is None or not unit.within:
        return item
    ground = setting_of(state).ground
    box = within(state, unit, PILLBOX)
    if box is not None:
        figures = PILLBOXES.of(state)[box.id]
        if mortar or source < 0:
            return (INDIRECT, figures.outside, "B30.112")
        inside = ground.in_arc(target, figures.facing, source)
        return ("pillbox", figures.inside, "B30.112") if inside else (OUTSIDE_ARC, figures.outside, "B30.112")
    hole = within(state, unit, *ENTRENCHMENTS)
    if hole is None or item[0] != hole.kind:
        return item
    tem = item[1]
    if mortar:
        tem += min(ground.mortar_tem[target], 0)
    elif source >= 0:
        tem -= max(ground.level[source] - ground.level[target] - ground.ranges[source][target], 0)
    return (hole.kind, max(tem, 0), "B27.3")


def opens(state: SquadState, source: int, target: int, mover: Mover | None, mortar: bool, found: bool) -> bool:
    """Nobody in a work is in the open (B27.3)."""
    unit = state.units.get(mover.id) if mover is not None else None
    return found and (unit is None or within(state, unit, *SHELTERS) is None)


def shelters(state: SquadState, unit: Unit, found: str) -> str:
    """Trenches and pillboxes help to rally (A10.61, B30.5)."""
    work = within(state, unit, "trench", PILLBOX)
    return work.kind if work is not None else found


def remains(state: SquadState, unit: Unit) -> bool:
    """Who is broken in a pillbox need not rout (B30.5)."""
    return within(state, unit, PILLBOX) is not None


def spares(state: SquadState, unit: Unit, target: int, sources: Sequence[int], what: str) -> bool:
    """Pillboxes from outside their arc, and entrenched units behind their own wall (B30.113, B30.34, B9.21)."""
    if not unit.within or what == "indirect":
        return False
    ground = setting_of(state).ground
    box = within(state, unit, PILLBOX)
    if box is not None:
        facing = PILLBOXES.of(state)[box.id].facing
        if what == "small arms" and not all([ground.in_arc(target, facing, source) for source in sources]):
            return True
        if not setting_of(state).rules.of(WorksRules).outside_first:
            return False
        return any([other.side == unit.side and not other.within for other in units_at(state, target)])
    if within(state, unit, *ENTRENCHMENTS) is None:
        return False
    return any([_behind_wall(state, source, target) for source in sources])


def _behind_wall(state: SquadState, source: int, target: int) -> bool:
    """Whether a wall or hedge of an entrenched unit's own hex hides it from far firers no higher than it (B9.21)."""
    ground = setting_of(state).ground
    if ground.ranges[source][target] <= 1 or ground.level[source] > ground.level[target]:
        return False
    return hexside_tem(state, source, target, None, indirect=False) is not None


def line_bar(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> Bar | None:
    """What cannot be fired at from a pillbox, or from an entrenchment behind a wall (B30.2, B9.21)."""
    if not unit.within:
        return None
    ground = setting_of(state).ground
    box = within(state, unit, PILLBOX)
    if box is not None:
        if weapon is not None and weapon_kind(weapon).mortar:
            return ("No mortar may be fired from a pillbox", "B30.2")
        if not ground.in_arc(unit.at, PILLBOXES.of(state)[box.id].facing, target):
            return ("The target is outside the Covered Arc of the pillbox", "B30.2")
        return None
    mortar = weapon is not None and weapon_kind(weapon).mortar
    if within(state, unit, *ENTRENCHMENTS) is not None and not mortar and _behind_wall(state, target, unit.at):
        return ("Units in an entrenchment cannot see over a wall or hedge of their own hex", "B9.21")
    return None


# -- wire -------------------------------------------------------------------------------


def fire_lines(state: SquadState, attack: FireAttack, unit: Unit | None) -> list[Item]:
    """Whoever fires from on top of wire fires worse (B26.31)."""
    firing = [*attack.units, *(state.weapons[name].owner for name in attack.weapons)]
    return _from_wire(state, firing)


def shot_lines(state: SquadState, shot: OrdnanceShot, unit: Unit | None) -> list[Item]:
    """The same for ordnance (B26.31)."""
    return _from_wire(state, [state.weapons[shot.weapon].owner])


def _from_wire(state: SquadState, firing: Iterable[str]) -> list[Item]:
    on = any([within(state, state.units[name], WIRE) is not None for name in firing])
    return [(ON_WIRE, 1, "B26.31")] if on else []


def combat_lines(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """In close combat wire is bad for those on it, a pillbox good for those in it (A11, B26.31)."""
    items: list[Item] = []
    if any([within(state, unit, WIRE) is not None for unit in attackers]):
        items.append((ON_WIRE, 1, "B26.31"))
    if targets and all([within(state, unit, WIRE) is not None for unit in targets]):
        items.append(("target on wire", -1, "B26.31"))
    if targets and any([within(state, unit, PILLBOX) is not None for unit in targets]):
        items.append(("target in a pillbox", 2, "B30.6"))
    return items
