"""Leaders who drive their men: Commissars, and Japanese leaders in their way (A25.22, G1.4)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.cards.charts import RALLY_DRM
from sandtable.games.squad.effects.morale import casualty_reduce, remove
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.part import Item, Roll
from sandtable.games.squad.pieces.events import Reduced
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.eligibility import CASUALTY_DR

RAISED = 1
"""By how much they raise the morale of all others in their Location (A25.221)."""


def zealous(kind: UnitKind) -> UnitKind:
    """A leader with what makes him a Commissar, or a Japanese leader like one (A25.221, G1.4)."""
    if not kind.leads:
        return kind
    commissar = "Commissar" in kind.name
    if not commissar and kind.nation != "japanese":
        return kind
    return replace(kind, inspires=RAISED, superior=commissar, elr_exempt=True, unshaken=not commissar)


def rally_items(state: SquadState, unit: Unit, leader: Unit | None) -> list[Item]:
    """No DM counts when such a leader rallies, and morale is one higher (A25.222)."""
    if leader is None or not unit_kind(state, leader).inspires:
        return []
    items: list[Item] = [("he raises their morale", -RAISED, "A25.221")]
    if unit.dm:
        items.append(("no DM under him", -(RALLY_DRM["dm"].value or 0), "A25.222"))
    return items


def after_rally(play: Play[SquadState], roll: Roll) -> None:
    """Whom he fails to rally is replaced by a lower type; the lowest are reduced or eliminated (A25.222)."""
    state = play.state
    leader = state.units.get(roll.leader) if roll.kind == "rally" else None
    unit = state.units.get(roll.units[0]) if leader is not None else None
    if leader is None or unit is None or not unit.broken or not unit_kind(state, leader).inspires:
        return
    if roll.original == CASUALTY_DR:
        return  # it has lost men by that
    kind = unit_kind(state, unit)
    why = f"{short(state, leader)} did not rally it"
    if kind.replaced and kind.mmc:
        play.emit(Reduced(unit=unit.id, at=name_of(state, unit.at), now=kind.replaced, why=why, was=unit.kind))
        update(play, unit, kind=kind.replaced)
    elif kind.squad:
        casualty_reduce(play, unit, why)
    else:
        remove(play, unit, why)
