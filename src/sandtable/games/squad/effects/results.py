"""What a result of the Infantry Fire Table does to the units attacked (3.2.3, 4.0)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from sandtable.engine import Play, Tally
from sandtable.games.squad.cards.tables import IFT, FireResult
from sandtable.games.squad.effects.morale import Loss, casualty_reduce, put_under_dm, remove, suffer
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.effects.verdicts import spared_by
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import destroy_weapon, name_of, update_weapon, weapon_at
from sandtable.games.squad.pieces.events import WeaponBroke
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon


class Impact(NamedTuple):
    """The result of an attack on one of its targets, on its own column and with its own DRM."""

    unit: str
    result: FireResult
    column: int
    drm: int = 0
    spares_guns: bool = False
    """The Gun it mans has been judged already (Ordnance and DC against Guns, 6.7)."""
    gun_drm: int | None = None
    """The DRM against its Gun, which the gunshield does not protect; None: as against the unit (6.7)."""
    saved: bool = False
    """Only the gunshield has saved it from a KIA (6.7, note 2 of the Gun Destruction Table)."""
    apart: bool = False
    """Judged by itself: no Random Selection with others of the same result."""


def random_selection(
    play: Play[SquadState], units: Sequence[Unit], why: str, count: int = 1, *, to: tuple[str, ...] | None = None
) -> list[Unit]:
    """The units with the highest dr, one die each; one more roll decides a tie for the last place (3.2.3, D-15).

    In the guide, or if the players have agreed so, all who tie with the last are selected too (G11).
    `to`: who may know the rolls.
    """
    if not count:
        return []
    if len(units) <= count:
        return list(units)
    dice = play.roll(6, len(units), f"{why}: {', '.join(short(play.state, unit) for unit in units)}", to=to)
    limit = sorted(dice, reverse=True)[count - 1]
    rolled = list(zip(units, dice, strict=True))
    tied = [unit for unit, die in rolled if die == limit]
    higher = [unit for unit, die in rolled if die > limit]
    places = count - len(higher)
    if places < len(tied) and not setting_of(play.state).rules.of(EffectRules).selection_ties:
        ways = list(combinations(tied, places))
        (die,) = play.roll(len(ways), 1, f"{why}, tied: {', '.join(short(play.state, unit) for unit in tied)}", to=to)
        tied = list(ways[die - 1])
    chosen = {unit.id for unit in (*higher, *tied)}
    return [unit for unit in units if unit.id in chosen]


_SEVERITY = {"KIA": 0, "K": 1, "MC": 2, "PTC": 3, "-": 4}


def by_result(impacts: Sequence[Impact]) -> list[tuple[FireResult, list[Impact]]]:
    """The impacts by result, the worst result first."""
    groups: dict[tuple[FireResult, str], list[Impact]] = {}
    for impact in impacts:
        groups.setdefault((impact.result, impact.unit if impact.apart else ""), []).append(impact)
    found = [(result, group) for (result, _), group in groups.items()]
    return sorted(found, key=lambda pair: (_SEVERITY[pair[0].kind], -pair[0].number))


def kill(play: Play[SquadState], group: list[Impact], count: int, losses: list[Loss]) -> None:
    """#KIA: so many are eliminated; the others break, or are reduced if they were broken (3.2.3)."""
    state = play.state
    units = [state.units[impact.unit] for impact in group]
    killed = {unit.id for unit in random_selection(play, units, "KIA", count)}
    for impact in group:
        unit = state.units[impact.unit]
        if unit.id in killed:
            damage_weapons(
                play, unit, impact.column, impact.drm, spares_guns=impact.spares_guns, gun_drm=impact.gun_drm
            )
            remove(play, state.units[unit.id], "KIA", losses=losses)
    for impact in group:
        if impact.unit in killed:
            continue
        left = suffer(
            play, state.units[impact.unit], spared_by(setting_of(state), state.units[impact.unit]), losses=losses
        )
        if left is not None:
            put_under_dm(play, left)


def casualty(play: Play[SquadState], names: list[str], losses: list[Loss]) -> list[str]:
    """K/#: one suffers Casualty Reduction; returns who must check: the others, and the half-squad left (3.2.3)."""
    state = play.state
    chosen = {unit.id for unit in random_selection(play, [state.units[name] for name in names], "Casualty Reduction")}
    checking = []
    for name in names:
        if name not in chosen:
            checking.append(name)
            continue
        left = casualty_reduce(play, state.units[name], losses=losses)
        if left is not None and setting_of(state).kinds[left.group, left.kind].mmc:
            checking.append(name)
    return checking


# -- weapons ----------------------------------------------------------------------------


def strike_gun(play: Play[SquadState], impact: Impact, losses: list[Loss]) -> bool:
    """A KIA but for the gunshield: a dr for the Gun; returns whether its Infantry is lost with it (6.7, card)."""
    state = play.state
    if not setting_of(state).rules.of(EffectRules).weapon_destruction:
        return False
    drm = impact.drm if impact.gun_drm is None else impact.gun_drm
    for name in state.units[impact.unit].weapons:
        weapon = state.weapons[name]
        if weapon_kind(weapon).gun and _damage(play, weapon, impact.column, drm):
            remove(play, state.units[impact.unit], "its Gun is destroyed", losses=losses)
            return True
    return False


def damage_weapons(
    play: Play[SquadState],
    unit: Unit,
    column: int,
    drm: int,
    *,
    spares_guns: bool = False,
    gun_drm: int | None = None,
) -> None:
    """A KIA of the owner: a dr on the same column for each weapon; KIA destroys it, K malfunctions it (4.0)."""
    state = play.state
    if not setting_of(state).rules.of(EffectRules).weapon_destruction:
        return
    for name in unit.weapons:
        weapon = state.weapons[name]
        if spares_guns and weapon_kind(weapon).gun:
            continue
        _damage(play, weapon, column, gun_drm if gun_drm is not None and weapon_kind(weapon).gun else drm)


def _damage(play: Play[SquadState], weapon: Weapon, column: int, drm: int) -> bool:
    """The dr for a weapon; returns whether it is destroyed (4.0, 6.7)."""
    state = play.state
    gun = weapon_kind(weapon).gun
    title = "Gun under a KIA" if gun else "Weapon of a unit killed"
    tally = Tally.of(title, [("DRM of the attack", drm, "6.7" if gun else "4.0")])
    (dr,) = play.roll(6, 1, f"weapon destruction: {short(state, weapon)}", tally=tally)
    result = IFT.result(column, dr + drm)
    if result.kind == "KIA":
        lose_weapon(play, weapon)
        return True
    if result.kind == "K":
        malfunction(play, weapon)
    return False


def malfunction(play: Play[SquadState], weapon: Weapon) -> None:
    """A weapon breaks down until it is repaired; what it had acquired is lost (4.1, 6.10, 6.12)."""
    if weapon.broken:
        return
    play.emit(WeaponBroke(weapon=weapon.id, at=name_of(play.state, weapon_at(play.state, weapon))))
    update_weapon(play, weapon, broken=True, acquired=None)


def lose_weapon(play: Play[SquadState], weapon: Weapon) -> None:
    """A weapon is removed from play (4.0)."""
    play.emit(WeaponBroke(weapon=weapon.id, at=name_of(play.state, weapon_at(play.state, weapon)), removed=True))
    destroy_weapon(play, weapon)


# -- Desperation Morale -------------------------------------------------------------------


def threatens(column: int, drm: int, *, cowers: int = 0) -> bool:
    """Whether an attack could give a NMC or worse, a cowering original 2 included (3.2.3)."""
    if cowers and IFT.result(column, 3 + drm).kind in ("KIA", "K", "MC"):
        return True
    return IFT.can_check_morale(IFT.shift(column, cowers) if cowers else column, drm)
