"""Who may leave a close combat, who must, and where he may go (A11.16, A11.2, A11.21)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from sandtable.engine.part import Bar
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.leaving.model import WITHDRAWING, Leaving
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.asl.surrender import DISRUPTED, held_by
from sandtable.games.squad.combat.advance import exhausted_by, to_bar
from sandtable.games.squad.combat.strengths import Block
from sandtable.games.squad.ground.setting import ground_of, rules_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import has_enemy, name_of, units_at
from sandtable.games.squad.movement.portage import capacity, spare_capacity
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit

DRM = -2
"""Against units that withdraw (A11.2)."""
STAYS = 1
"""For each unit of their side that stays (A11.2)."""


def held_bar(unit: Unit) -> Bar | None:
    """What keeps a unit in a close combat, whatever lets others leave (A11.2, A11.41)."""
    if unit.pinned:
        return ("Pinned units do not leave a close combat", "A11.2")
    if BERSERK in unit.marks:
        return ("Berserk units fight on", "A11.2")
    if DISRUPTED in unit.marks:
        return ("Disrupted units do not leave a close combat", "A19.12")
    return None


def withdraw_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Why a unit may not withdraw from Melee (A11.2)."""
    if not unit.melee:
        return ("Only units held in Melee may withdraw", "A11.2")
    if (bar := held_bar(unit)) is not None:
        return bar
    if not refuges(state, [unit]):
        return ("No Accessible Location without Known enemies is open to it", "A11.21")
    return None


def must_withdraw(state: SquadState, unit: Unit) -> bool:
    """Broken units in Melee have no choice, unless they guard prisoners (A11.16)."""
    return unit.melee and unit.broken and not held_by(state, unit.id)


def refuge_bar(state: SquadState, units: Sequence[Unit], to: int) -> Bar | None:
    """Why units may not leave a close combat for a Location (A11.21)."""
    if has_enemy(state, to, units[0].side):
        return (f"Known enemies are in {name_of(state, to)}", "A11.21")
    way = ground_of(state).way(units[0].at, to)
    if way is None or way.all_mf:
        return (f"{name_of(state, to)} is not Accessible from here", "A11.21")
    return to_bar(*unburdened(state, units), to)


def refuges(state: SquadState, units: Sequence[Unit]) -> list[int]:
    """Locations to which units may leave together (A11.21)."""
    near = setting_of(state).ground.near[units[0].at]
    return [to for to in near if refuge_bar(state, units, to) is None]


# -- what they carry ----------------------------------------------------------------------


def carried(state: SquadState, party: Sequence[Unit]) -> dict[str, tuple[str, ...]]:
    """What each of those who leave together takes along: no Gun, nothing beyond the IPC, the heaviest first (A11.21).

    A leader lends what is left of his IPC to the MMC that he goes with (A4.42).
    """
    leaders = [unit for unit in party if unit_kind(state, unit).leads and not unit.broken]
    lent = max([spare_capacity(state, leader) for leader in leaders], default=0)
    found = {}
    for unit in party:
        able = capacity(state, unit) + (lent if unit_kind(state, unit).mmc else 0)
        kept = [name for name in unit.weapons if not weapon_kind(state.weapons[name]).gun]
        while sum([weapon_kind(state.weapons[name]).pp for name in kept]) > able:
            kept.remove(max(kept, key=lambda name: weapon_kind(state.weapons[name]).pp))
        found[unit.id] = tuple(kept)
    return found


def left_behind(state: SquadState, party: Sequence[Unit]) -> list[str]:
    """What those who leave together cannot take along (A11.21)."""
    kept = carried(state, party)
    return [name for unit in party for name in unit.weapons if name not in kept[unit.id]]


def unburdened(state: SquadState, party: Sequence[Unit]) -> tuple[SquadState, Sequence[Unit]]:
    """The position as if those who leave had dropped what they cannot take along, and they themselves."""
    if not left_behind(state, party):
        return state, party
    kept = carried(state, party)
    light = [replace(unit, weapons=kept[unit.id]) for unit in party]
    return replace(state, units={**state.units, **{unit.id: unit for unit in light}}), light


def becoming_cx(state: SquadState, party: Sequence[Unit], to: int) -> list[str]:
    """Who of those who leave together becomes CX by it; broken units never are (3.7, A4.51, A11.21)."""
    found = exhausted_by(*unburdened(state, party), to)
    return [name for name in found if not (state.units[name].cx or state.units[name].broken)]


# -- groups -------------------------------------------------------------------------------


def parties(blocks: Collection[Block], names: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Those of some units that leave together, group by group; whoever is held stays."""
    found = [[unit.id for unit in block.units if unit.id in names and held_bar(unit) is None] for block in blocks]
    return tuple([tuple(party) for party in found if party])


def present(state: SquadState, frame: Leaving) -> list[list[Unit]]:
    """The groups of those who are still there."""
    found = []
    for group in frame.groups:
        here = [state.units[name] for name in group if name in state.units and state.units[name].at == frame.at]
        if here:
            found.append(here)
    return found


def firsts(state: SquadState, frame: Leaving) -> list[str]:
    """The units by which the groups are named."""
    return [party[0].id for party in present(state, frame)]


# -- in close combat --------------------------------------------------------------------


def pair_bar(state: SquadState, leader: Unit, base: Unit) -> Bar | None:
    """A leader goes or stays as the MMC does on which he is stacked (A11.2)."""
    if (WITHDRAWING in leader.marks) == (WITHDRAWING in base.marks):
        return None
    return ("One of them withdraws and the other stays", "A11.2")


def lines_against(state: SquadState, targets: Sequence[Unit], going: Collection[str]) -> list[Item]:
    """The DRM of an attack on units some of which withdraw (A11.2, ruling SA-116)."""
    leaving = [unit for unit in targets if unit.id in going]
    if not leaving:
        return []
    here = units_at(state, leaving[0].at, leaving[0].side)
    cover = STAYS * sum([unit.id not in going and not unit_kind(state, unit).dummy for unit in here])
    if not rules_of(state).of(LeavingRules).cover_unlimited:
        cover = min(cover, -DRM)
    items: list[Item] = [("against units that withdraw", DRM, "A11.2")]
    return [*items, ("their friends who stay", cover, "A11.2")] if cover else items


def going_from(state: SquadState, cell: int, side: str) -> set[str]:
    """Units of a side in a Location that withdraw from it."""
    return {unit.id for unit in units_at(state, cell, side) if WITHDRAWING in unit.marks}


def combat_lines(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """The same, for an attack in play."""
    if not any([WITHDRAWING in unit.marks for unit in targets]):
        return []
    return lines_against(state, targets, going_from(state, targets[0].at, targets[0].side))
