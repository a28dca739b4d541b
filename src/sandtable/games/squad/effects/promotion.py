"""Field Promotions: an original 2 in a self-rally or a CC attack of a MMC may make a leader (5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine import Play, Tally
from sandtable.games.squad.cards.charts import LEADER_CREATION_DRM, created_leader, leader_creation_drm
from sandtable.games.squad.effects.morale import morale_level
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, new_id, put
from sandtable.games.squad.pieces.counters import UnknownCounter
from sandtable.games.squad.pieces.events import Promoted
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState, Unit

PROMOTING_DR = 2
_CLASSES = ("E", "1", "2", "P", "G", "C")
"""The best first; Partisans are neither elite nor inexperienced."""


def best_base(state: SquadState, units: Iterable[Unit]) -> Unit | None:
    """The best MMC of an attack, on which the Leader Creation dr is based (5.3)."""
    candidates = [unit for unit in units if unit_kind(state, unit).mmc and unit_kind(state, unit).makes_leaders]
    if not candidates:
        return None
    return min(candidates, key=lambda unit: (-morale_level(state, unit), _rank(state, unit)))


def _rank(state: SquadState, unit: Unit) -> int:
    kind = unit_kind(state, unit)
    return 0 if kind.elite else _CLASSES.index(kind.unit_class)


def creation_tally(state: SquadState, unit: Unit, columns_below_even: int = 0) -> Tally:
    """The drm of the Leader Creation dr of a MMC, with its morale level of that moment (5.3)."""
    found = leader_creation_drm(
        nation=unit_kind(state, unit).nation,
        columns_below_even=columns_below_even,
        morale=morale_level(state, unit),
        broken=unit.broken,
    )
    return Tally.of("Leader Creation", [(LEADER_CREATION_DRM[key].what, value, "5.3") for key, value in found.items()])


def promote(play: Play[SquadState], unit: Unit, *, columns_below_even: int = 0) -> Unit | None:
    """Make the Leader Creation dr of a MMC; returns the leader, who joins it in Good Order (5.3)."""
    state = play.state
    tally = creation_tally(state, unit, columns_below_even)
    (dr,) = play.roll(6, 1, f"Leader Creation: {short(state, unit)}", by=unit.side, tally=tally)
    name = created_leader(dr + int(tally.total))
    where = name_of(state, unit.at)
    kind = leader_kind(unit_kind(state, unit).nation, name)
    if not kind:
        play.emit(Promoted(unit=unit.id, leader="", kind="", at=where))
        return None
    table = setting_of(state).points.marks
    marks = tuple([name for name in unit.marks if name in table and table[name].inherited])
    lifted = unit.lifted if marks else 0
    leader = Unit(
        new_id(state, unit.id), unit.side, kind, group=unit.group, melee=unit.melee, marks=marks, lifted=lifted
    )
    state.units[leader.id] = leader
    leader = put(state, leader, unit.at)
    play.emit(Promoted(unit=unit.id, leader=leader.id, kind=kind, at=where))
    return leader


def leader_kind(nation: str, name: str | None) -> str:
    """The counter of a created leader, empty if none was created or the nation has none like him."""
    if name is None:
        return ""
    kind = f"{nation} {name}"
    try:
        printed_unit(kind)
    except UnknownCounter:
        return ""
    return kind


def may_promote(state: SquadState, original: int) -> bool:
    """Whether a DR calls for a Field Promotion under the rules in force (5.3)."""
    return original == PROMOTING_DR and setting_of(state).rules.of(EffectRules).field_promotion
