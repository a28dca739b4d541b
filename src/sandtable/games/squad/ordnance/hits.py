"""What an ordnance hit does: columns, Critical Hits, Guns as targets, White Phosphorus (3.2.4, 6.1, 6.2, 6.6, 6.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.engine import Play, Tally
from sandtable.games.squad.cards.tables import IFT, FireResult
from sandtable.games.squad.effects.aftermath import Attack, carry_out
from sandtable.games.squad.effects.morale import Loss, casualty_reduce, remove
from sandtable.games.squad.effects.results import (
    Impact,
    damage_weapons,
    lose_weapon,
    malfunction,
    random_selection,
    threatens,
)
from sandtable.games.squad.fire.firepower import carried_item
from sandtable.games.squad.ground.cover import NOT_REVERSED
from sandtable.games.squad.ground.doors import rolled
from sandtable.games.squad.ground.guns import manned_gun, shield_item
from sandtable.games.squad.ground.knowledge import concealed, known_units
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.movers import movement_items
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import come_out, name_of
from sandtable.games.squad.ordnance.model import GunHit, OrdnanceHit
from sandtable.games.squad.ordnance.tohit import ATT, OrdnanceShot, ToHit, cover_item
from sandtable.games.squad.part import Item, Roll
from sandtable.games.squad.pieces.model import SquadState, Unit


class Struck(NamedTuple):
    """A unit that was hit: its column, its IFT modifiers and its gunshield."""

    unit: str
    column: int
    tally: Tally
    shield: int = 0
    """What the gunshield adds if it is no Direct Hit (6.6)."""
    critical: bool = False
    gun: str = ""
    """The Gun that it mans."""

    @property
    def drm(self) -> int:
        """What is added to the IFT DR before the gunshield."""
        return int(self.tally.total)

    def result(self, original: int) -> FireResult:
        """The result of an original IFT DR before the gunshield: it decides on Direct Hits (6.7)."""
        return IFT.result(self.column, original + self.drm)

    def near_miss(self, original: int) -> FireResult:
        """The result with the gunshield, for a crew whose Gun was not directly hit (6.7)."""
        return IFT.result(self.column, original + self.drm + self.shield)

    def outcome(self, original: int) -> FireResult:
        """What the unit suffers."""
        found = self.result(original)
        return found if found.kind in ("KIA", "K") or not self.shield else self.near_miss(original)


# -- figures ----------------------------------------------------------------------------


def struck(state: SquadState, shot: OrdnanceShot, figures: ToHit, unit: Unit, *, critical: bool = False) -> Struck:
    """The IFT attack on a unit that was hit; a Critical Hit reverses its TEM (3.2.4, 6.1, 6.6)."""
    weapon = state.weapons[shot.weapon]
    source = state.units[weapon.owner].at
    mortar = weapon_kind(weapon).mortar
    label, tem, rule = cover_item(state, source, unit.at, unit, mortar=mortar)
    if critical and label in NOT_REVERSED:
        tem = 0
    items: list[Item] = list(carried_item(state, unit))
    cover = 0
    if critical:
        items.append((f"{label}, reversed" if tem > 0 else label, -tem if tem > 0 else tem, "6.1" if tem > 0 else rule))
        line = los(state, source, unit.at)
        items += movement_items(state, source, unit, 0 if line == BLOCKED else line, mortar=mortar)
    elif shot.target_type == ATT:
        items.append((label, tem, rule))
        cover = int(tem)
    shield = shield_item(state, (source,), unit, mortar=mortar) if unit.weapons else None
    gain = max(int(shield[1]) - cover, 0) if shield is not None and not critical else 0
    gun = manned_gun(state, unit) if unit.weapons else None
    column = figures.critical if critical else figures.column
    title = f"{'Critical Hit' if critical else 'Hit'} on the {column} column{figures.scaled}"
    return Struck(unit.id, column, Tally.of(title, items), gain, critical, gun.id if gun is not None else "")


def struck_hex(state: SquadState, shot: OrdnanceShot, figures: ToHit) -> Tally:
    """The IFT modifiers of a hit on a hex without a known enemy (6.4)."""
    weapon = state.weapons[shot.weapon]
    source = state.units[weapon.owner].at
    items = []
    if shot.target_type == ATT:
        items.append(cover_item(state, source, shot.target, None, mortar=weapon_kind(weapon).mortar))
    return Tally.of(f"Hit on the {figures.column} column{figures.scaled}", items)


def the_one(play: Play[SquadState], units: Sequence[Unit], why: str) -> Unit:
    """One unit by Random Selection; ties roll again, as a Critical Hit strikes only one (6.1).

    Whether it is a hidden one is rolled for in secret, so that the open dice tell of known units only (6.4).
    """
    if len(units) == 1:
        return units[0]
    unseen = [unit for unit in units if concealed(play.state, unit)]
    if unseen:
        (die,) = play.roll(len(units), 1, why, to=(unseen[0].side,))
        if die <= len(unseen):
            return unseen[die - 1]
    chosen = known_units(play.state, units)
    while len(chosen) > 1:
        chosen = random_selection(play, chosen, why)
    return chosen[0]


# -- effects ----------------------------------------------------------------------------


def resolve_hit(
    play: Play[SquadState], shot: OrdnanceShot, figures: ToHit, hit: Sequence[str], critical: Sequence[str]
) -> None:
    """One IFT DR for all units hit; a Critical Hit counts for one of them (3.2.4, 6.1, 6.7)."""
    state = play.state
    where = name_of(state, shot.target)
    units = [state.units[name] for name in hit]
    chosen = the_one(play, [state.units[name] for name in critical], "Critical Hit").id if critical else ""
    blows = [struck(state, shot, figures, unit, critical=unit.id == chosen) for unit in units]
    plain = [blow for blow in blows if not concealed(state, state.units[blow.unit])]
    if not plain or any(not blow.critical for blow in plain):
        first = next((blow.tally for blow in plain if not blow.critical), None) or struck_hex(state, shot, figures)
        column = figures.column
    else:
        first, column = plain[0].tally, plain[0].column
    why = f"effect of the hit in {where}" if plain else f"Area Fire in {where}"
    dice = play.roll(6, 2, why, by=shot.side, tally=first)
    roll = rolled(play, Roll("effect", shot.side, dice, (shot.weapon,), shot.target))
    original = roll.original
    final = original + int(first.total)
    result = str(IFT.result(column, final)) if plain else ""
    play.emit(OrdnanceHit(weapon=shot.weapon, at=where, column=column, dr=final, result=result))
    for blow in plain:
        if (blow.column, blow.drm) != (column, int(first.total)):
            play.emit(
                OrdnanceHit(
                    weapon=shot.weapon,
                    at=where,
                    column=blow.column,
                    dr=original + blow.drm,
                    result=str(blow.outcome(original)),
                    unit=blow.unit,
                )
            )
    endangered = [blow.unit for blow in blows if threatens(blow.column, blow.drm)]
    losses: list[Loss] = []
    impacts = impacts_of(play, blows, roll.original, ap=shot.ammo == "AP", losses=losses)
    area = shot.target_type == ATT
    carry_out(play, Attack(impacts, at=shot.target, roll=roll, endangered=endangered, losses=losses, area=area))


def impacts_of(
    play: Play[SquadState], blows: Sequence[Struck], original: int, *, losses: list[Loss], ap: bool = False
) -> list[Impact]:
    """Impacts of an ordnance hit or a Demolition Charge, once Guns are judged by their own table (6.7)."""
    rest: list[Struck] = []
    killed = reduced = 0
    impacts: list[Impact] = []
    for blow in blows:
        kind = "KIA" if blow.gun and blow.critical else blow.result(original).kind
        if not blow.gun or kind not in ("KIA", "K"):
            rest.append(blow)
        elif kind == "KIA":
            _destroy_gun(play, blow, losses)
            killed += 1
        else:
            left = _damage_gun(play, blow, ap=ap, losses=losses)
            reduced += 1
            if left is not None:
                # a half-squad that is left checks like any other unit under the K result
                impacts.append(Impact(blow.unit, FireResult("MC", blow.result(original).number), blow.column, blow.drm))
    for blow in rest:
        outcome = blow.outcome(original)
        if outcome.kind == "KIA" and killed:
            # what is left of its number; the others break (3.2.3)
            outcome = FireResult("KIA", max(outcome.number - killed, 0))
        elif outcome.kind == "K" and reduced:
            outcome = FireResult("MC", outcome.number)
        impacts.append(Impact(blow.unit, outcome, blow.column, blow.drm, spares_guns=True))
    return impacts


def _come_out(play: Play[SquadState], name: str) -> Unit:
    return come_out(play, play.state.units[name], "hit by fire")


def _destroy_gun(play: Play[SquadState], blow: Struck, losses: list[Loss]) -> None:
    """A Critical Hit or a KIA: the Gun and its manning Infantry are eliminated (6.1, 6.7)."""
    state = play.state
    unit = _come_out(play, blow.unit)
    play.emit(GunHit(weapon=blow.gun, at=name_of(state, unit.at), destroyed=True))
    damage_weapons(play, unit, blow.column, blow.drm, spares_guns=True)
    lose_weapon(play, state.weapons[blow.gun])
    remove(play, state.units[unit.id], "Direct Hit on its Gun", losses=losses)


def _damage_gun(play: Play[SquadState], blow: Struck, *, ap: bool, losses: list[Loss]) -> Unit | None:
    """A K: the Gun malfunctions, or is destroyed by AP, and its Infantry suffers Casualty Reduction (6.7)."""
    state = play.state
    unit = _come_out(play, blow.unit)
    play.emit(GunHit(weapon=blow.gun, at=name_of(state, unit.at), destroyed=ap))
    if ap:
        lose_weapon(play, state.weapons[blow.gun])
    else:
        malfunction(play, state.weapons[blow.gun])
    return casualty_reduce(play, state.units[unit.id], "Direct Hit on its Gun", losses=losses)


# -- White Phosphorus ---------------------------------------------------------------------


def burn(play: Play[SquadState], shot: OrdnanceShot, hit: Iterable[str], critical: Sequence[str]) -> None:
    """Units hit by WP take a NMC: TEM is subtracted, Air Bursts and a Critical Hit's TEM are added (6.2)."""
    state = play.state
    weapon = state.weapons[shot.weapon]
    source = state.units[weapon.owner].at
    mortar = weapon_kind(weapon).mortar
    chosen = the_one(play, [state.units[name] for name in critical], "Critical Hit").id if critical else ""
    units = [_come_out(play, name) for name in hit]
    attack = Attack(at=shot.target, endangered=[unit.id for unit in units])
    for unit in units:
        label, tem, _ = cover_item(state, source, unit.at, unit, mortar=mortar)
        value = tem if unit.id == chosen and tem > 0 else -tem
        attack.checks[unit.id] = 0
        attack.items[unit.id] = [(label, value, "6.2")] if tem else []
        attack.words[unit.id] = f"White Phosphorus: {short(state, unit)}"
    carry_out(play, attack)
