"""Movement Factors and Portage Points: what a unit may spend and what it carries (3.3, 4.0).

MF are counted in halves.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.squad.charts import figures
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.move_model import Mover
from sandtable.games.squad.setting import setting, weapon_kind
from sandtable.games.squad.stacks import inexperienced

_PORTAGE = figures("portage")
_MF = figures("mf")
MMC_IPC, SMC_IPC, SMC_MOST = _PORTAGE["mmc"], _PORTAGE["smc"], _PORTAGE["smc_maximum"]
MMC_MF, SMC_MF, WOUNDED_MF = 8, 12, 2 * _MF["wounded_mf"]
INEXPERIENCED_MF, LEADER_BONUS, DOUBLE_TIME, ROAD_BONUS = 6, 4, 4, 2 * _MF["road_bonus"]


def load_of(state: SquadState, unit: Unit) -> int:
    """PP that a unit carries; a Gun is pushed, not carried (6.5)."""
    weapons = state.weapons
    return sum([weapon_kind(weapons[name]).pp for name in unit.weapons]) if unit.weapons else 0


def capacity(state: SquadState, unit: Unit, *, double: bool = False) -> int:
    """Inherent Portage Capacity: three PP of a MMC, one of a leader, one less if CX, none if wounded (4.0, 3.2.3)."""
    if setting(state).kinds[unit.group, unit.kind].mmc:
        ipc = MMC_IPC
    else:
        ipc = 0 if unit.wounded else SMC_IPC
    return max(ipc - 1, 0) if unit.cx or double else int(ipc)


def spare_capacity(state: SquadState, leader: Unit, *, double: bool = False) -> int:
    """What is left of a leader's IPC for one MMC that moves with him (4.0)."""
    return max(capacity(state, leader, double=double) - load_of(state, leader), 0)


def half_mf(
    state: SquadState,
    unit: Unit,
    *,
    leader: Unit | None = None,
    double: bool = False,
    leader_double: bool = False,
    load: int = 0,
    shared: int | None = None,
) -> int:
    """Half MF of a unit for the MPh, less one MF for each PP over its IPC (3.3, 4.0).

    `leader`: it moves with this leader. `load`: PP that it carried earlier in its move. `shared`: IPC that the
    leader lends it, if not all he can spare.
    """
    kind = setting(state).kinds[unit.group, unit.kind]
    carried = max(load, load_of(state, unit))
    able = capacity(state, unit, double=double)
    if kind.mmc:
        half = INEXPERIENCED_MF if inexperienced(state, unit) else MMC_MF
        if leader is not None:
            half += LEADER_BONUS
            if shared is None:
                shared = spare_capacity(state, leader, double=leader_double)
            able += shared
    else:
        half = WOUNDED_MF if unit.wounded else SMC_MF
    if double:
        half += DOUBLE_TIME
    half -= 2 * max(carried - able, 0)
    if leader is not None:
        half = min(half, half_mf(state, leader, double=leader_double))
    return max(half, 0)


def allotments(state: SquadState, movers: Iterable[Mover]) -> dict[str, int]:
    """Half MF of units that move together; each leader lends his spare IPC to one MMC (3.3, 4.0)."""
    units = state.units
    group = list(movers)
    if len(group) == 1:
        mover = group[0]
        return {mover.id: half_mf(state, units[mover.id], double=mover.double, load=mover.load)}
    leaders = {mover.id: mover for mover in group if not _mmc(state, units[mover.id])}
    lent: set[str] = set()
    found: dict[str, int] = {}
    for mover in group:
        unit = units[mover.id]
        # should his leader fall, another one who started with them leads on
        guide = leaders.get(mover.leader) or next((m for m in leaders.values() if m.start == mover.start), None)
        if guide is None or not mover.leader:
            found[mover.id] = half_mf(state, unit, double=mover.double, load=mover.load)
            continue
        leader = units[guide.id]
        excess = max(mover.load, load_of(state, unit)) - capacity(state, unit, double=mover.double)
        shared = 0
        if excess > 0 and guide.id not in lent:
            shared = spare_capacity(state, leader, double=guide.double)
            lent.add(guide.id)
        found[mover.id] = half_mf(
            state,
            unit,
            leader=leader,
            double=mover.double,
            leader_double=guide.double,
            load=mover.load,
            shared=shared,
        )
    return found


def _mmc(state: SquadState, unit: Unit) -> bool:
    return setting(state).kinds[unit.group, unit.kind].mmc


def overloaded(state: SquadState, unit: Unit) -> bool:
    """A leader may never carry more than two PP (4.0)."""
    return not _mmc(state, unit) and load_of(state, unit) > SMC_MOST
