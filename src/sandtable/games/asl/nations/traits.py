"""What a nationality or class makes of a unit: Lax and Stealthy, cowering, leaders (A11.17, A11.18, A25)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.games.asl.nations.japanese import combat_items, instead_of_breaking, judge, not_pinned, stepping
from sandtable.games.asl.nations.table import nation_of
from sandtable.games.asl.nations.zeal import after_rally, rally_items, zealous
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import inexperienced, units_at
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import SquadState, Unit


def lax(state: SquadState, unit: Unit) -> bool:
    """Careless troops: Inexperienced MMC, and those of some nationalities (A11.18)."""
    kind = unit_kind(state, unit)
    if "berserk" in unit.marks:
        return True
    return kind.mmc and (inexperienced(state, unit) or kind.unit_class in nation_of(kind.nation).lax)


def stealthy(state: SquadState, unit: Unit) -> bool:
    """Careful troops in Good Order, never Green or Conscript ones (A11.17)."""
    kind = unit_kind(state, unit)
    nation = nation_of(kind.nation)
    if not unit.good_order or kind.dummy or kind.green or kind.conscript:
        return False
    if kind.smc:
        return not kind.leads or kind.nation == "partisan" or "heroic" in unit.marks
    return kind.unit_class in nation.stealthy or (
        bool(nation.stealthy_kinds) and kind.name.endswith(nation.stealthy_kinds)
    )


def changed(kind: UnitKind) -> UnitKind:
    """A counter with what its nationality changes: cowering, Leader Creation, steps, leaders (A7.9, A18.1, A25)."""
    if kind.smc:
        return zealous(kind)
    if not kind.mmc:
        return kind
    kind = stepping(kind)
    nation = nation_of(kind.nation)
    steady = kind.unit_class in nation.steady or (kind.crew and bool(nation.steady))
    return replace(kind, cowers=kind.cowers and not steady, makes_leaders=kind.makes_leaders and nation.makes_leaders)


def ambush(state: SquadState, cell: int, side: str) -> list[Item]:
    """Stealthy, Lax and broken troops in an ambush; one that qualifies is enough (A11.4)."""
    units = units_at(state, cell, side)
    items: list[Item] = [("broken", 1, "A11.4")] if any([unit.broken for unit in units]) else []
    if any([stealthy(state, unit) for unit in units]):
        items.append(("Stealthy", -1, "A11.17"))
    counted = any([inexperienced(state, unit) for unit in units])
    if not counted and any([lax(state, unit) for unit in units]):
        items.append(("Lax", 1, "A11.18"))
    return items


PART = Part(
    kinds=changed,
    judges=judge,
    before={"break": instead_of_breaking, "pin": not_pinned},
    settled=after_rally,
    lines={"ambush": ambush, "rally": rally_items, "combat": combat_items},
)
