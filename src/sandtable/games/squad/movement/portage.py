"""Movement Factors and Portage Points: what a unit may spend and what it carries (3.3, 4.0).

MF are counted in halves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandtable.games.squad.cards.charts import figures, movement_factors
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import inexperienced
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit

_PORTAGE = figures("portage")
_MF = figures("mf")
CX_IPC = int(figures("counter_exhausted")["ipc"])
MMC_IPC, SMC_IPC, WOUNDED_IPC = _PORTAGE["mmc"], _PORTAGE["smc"], _PORTAGE["wounded_smc"]
SMC_MOST = _PORTAGE["smc_maximum"]
_BASE, _LED, _DOUBLE, _ = [2 * int(mf) for mf in movement_factors()["MMC"]]
MMC_MF, SMC_MF, WOUNDED_MF = _BASE, 2 * int(movement_factors()["SMC"][0]), 2 * _MF["wounded_mf"]
INEXPERIENCED_MF = 2 * int(movement_factors()["Inexperienced"][0])
LEADER_BONUS, DOUBLE_TIME, ROAD_BONUS = _LED - _BASE, _DOUBLE - _BASE, 2 * _MF["road_bonus"]
"""All in half MF (3.3)."""


def carried_pp(state: SquadState, unit: Unit) -> int:
    """PP that a unit carries; a Gun is pushed, not carried (6.5)."""
    weapons = state.weapons
    return sum([weapon_kind(weapons[name]).pp for name in unit.weapons]) if unit.weapons else 0


def capacity(state: SquadState, unit: Unit, *, double: bool = False) -> int:
    """Inherent Portage Capacity: three PP of a MMC, one of a leader, one less if CX, none if wounded (4.0, 3.2.3)."""
    if setting_of(state).kinds[unit.group, unit.kind].smc:
        ipc = WOUNDED_IPC if unit.wounded else SMC_IPC
    else:
        ipc = MMC_IPC
    return max(ipc + CX_IPC, 0) if unit.cx or double else int(ipc)


def spare_capacity(state: SquadState, leader: Unit, *, double: bool = False, dropped_pp: int = 0) -> int:
    """What is left of a leader's IPC for one MMC that moves with him (4.0)."""
    return max(capacity(state, leader, double=double) - dropped_pp - carried_pp(state, leader), 0)


def half_mf(
    state: SquadState,
    unit: Unit,
    *,
    leader: Unit | None = None,
    double: bool = False,
    leader_double: bool = False,
    dropped_pp: int = 0,
    leader_dropped_pp: int = 0,
    shared: int | None = None,
    green: bool = False,
) -> int:
    """Half MF of a unit for the MPh, less one MF for each PP over its IPC (3.3, 4.0).

    `leader`: it moves with this leader. `dropped_pp`, `leader_dropped_pp`: PP that they carried earlier in their move.
    `shared`: IPC that the leader lends it, if not all he can spare. `green`: it was Inexperienced earlier in its move.
    """
    kind = setting_of(state).kinds[unit.group, unit.kind]
    carried = dropped_pp + carried_pp(state, unit)
    able = capacity(state, unit, double=double)
    if kind.mmc:
        half = INEXPERIENCED_MF if green or inexperienced(state, unit) else MMC_MF
        if leader is not None:
            half += LEADER_BONUS
            if shared is None:
                shared = spare_capacity(state, leader, double=leader_double, dropped_pp=leader_dropped_pp)
            able += shared
    else:
        half = WOUNDED_MF if unit.wounded else SMC_MF
    if double:
        half += DOUBLE_TIME
    half -= 2 * max(carried - able, 0)
    if leader is not None:
        half = min(half, half_mf(state, leader, double=leader_double, dropped_pp=leader_dropped_pp))
    return max(half, 0)


def allotments(state: SquadState, movers: Iterable[Mover]) -> dict[str, int]:
    """Half MF of units that move together; each leader lends his spare IPC to one MMC (3.3, 4.0)."""
    group = list(movers)
    if len(group) == 1:
        return {group[0].id: _alone(state, group[0])}
    leaders = {mover.id: mover for mover in group if _leads(state, state.units[mover.id])}
    found: dict[str, int] = {}
    loaded: list[Mover] = []
    for mover in group:
        guide = _guide(mover, leaders)
        if guide is None:
            found[mover.id] = _alone(state, mover)
            continue
        unit = state.units[mover.id]
        found[mover.id] = _led(state, mover, guide, 0)
        if mover.dropped_pp + carried_pp(state, unit) > capacity(state, unit, double=mover.double):
            loaded.append(mover)
    if loaded:
        # whoever has the fewest MF left holds the others up, so he is helped first
        loaded.sort(key=lambda mover: found[mover.id] - mover.spent)
        spare = [
            spare_capacity(state, state.units[m.id], double=m.double, dropped_pp=m.dropped_pp) for m in leaders.values()
        ]
        for mover, lent in zip(loaded, [lent for lent in spare if lent], strict=False):
            guide = _guide(mover, leaders)
            assert guide is not None
            found[mover.id] = _led(state, mover, guide, lent)
    return found


def _guide(mover: Mover, leaders: Mapping[str, Mover]) -> Mover | None:
    """The leader of a MMC; should he fall, another one who started with them leads on."""
    if not mover.leader:
        return None
    return leaders.get(mover.leader) or next((m for m in leaders.values() if m.start == mover.start), None)


def _led(state: SquadState, mover: Mover, guide: Mover, lent: int) -> int:
    return half_mf(
        state,
        state.units[mover.id],
        leader=state.units[guide.id],
        double=mover.double,
        leader_double=guide.double,
        dropped_pp=mover.dropped_pp,
        leader_dropped_pp=guide.dropped_pp,
        shared=lent,
        green=mover.green,
    )


def _alone(state: SquadState, mover: Mover) -> int:
    return half_mf(state, state.units[mover.id], double=mover.double, dropped_pp=mover.dropped_pp, green=mover.green)


def _leads(state: SquadState, unit: Unit) -> bool:
    return setting_of(state).kinds[unit.group, unit.kind].leads


def overloaded(state: SquadState, unit: Unit) -> bool:
    """A single man may never carry more than two PP (4.0)."""
    return setting_of(state).kinds[unit.group, unit.kind].smc and carried_pp(state, unit) > SMC_MOST
