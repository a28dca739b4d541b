"""Demolition Charges and the backblast of light anti-tank weapons (4.3, 4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Tally
from sandtable.games.squad.cover import Item
from sandtable.games.squad.defensive_fire import movement_items
from sandtable.games.squad.effects import desperate, resolve_effects, threatens
from sandtable.games.squad.firepower import carried_item
from sandtable.games.squad.guns import manned_gun, shield_item
from sandtable.games.squad.hits import Struck, strike
from sandtable.games.squad.kinds import printed_weapon
from sandtable.games.squad.model import Charge, SquadState, Unit, Weapon
from sandtable.games.squad.morale import Loss, leader_loss
from sandtable.games.squad.ordnance_model import Backblast, ChargeWentOff, SetOffCharge
from sandtable.games.squad.setting import unit_kind
from sandtable.games.squad.stacks import (
    captured,
    destroy_weapon,
    inexperienced,
    name_of,
    release_melee,
    units_at,
    update,
    weapon_at,
)
from sandtable.games.squad.tables import IFT
from sandtable.games.squad.tohit import cover_item

CHARGE_FP = 30
NON_ELITE, CAPTURED, INEXPERIENCED = 2, 2, 1
"""What lowers the X# of a Demolition Charge (4.3, 4.0)."""
BACKBLAST_COLUMN = 1


# -- Demolition Charges -----------------------------------------------------------------


def place_charge(play: Play[SquadState], unit: Unit, weapon: Weapon, cell: int) -> None:
    """A Demolition Charge lies in a hex until the AFPh; placing it is the use of a weapon (4.0, 4.3)."""
    state = play.state
    elite = unit_kind(state, unit).elite
    lowered = CAPTURED * int(captured(state, weapon))
    if unit_kind(state, unit).mmc:
        lowered += INEXPERIENCED * int(inexperienced(state, unit))
    destroy_weapon(play, weapon)
    unit = state.units[unit.id]
    update(play, unit, used=(*unit.used, weapon.id))
    state.charges.append(
        Charge(weapon.id, weapon.kind, cell, unit.id, cx=unit.cx, elite=elite, frm=unit.at, lowered=lowered)
    )


def charge_actions(state: SquadState, side: str) -> list[Action]:
    """Demolition Charges that the ATTACKER may let go off in the AFPh (4.3)."""
    return [SetOffCharge(charge.weapon) for charge in state.charges]


def charge_number(charge: Charge) -> int:
    """The X# of a placed charge: an original DR of so much or more is no attack (4.3)."""
    return printed_weapon(charge.kind).removal - (0 if charge.elite else NON_ELITE) - charge.lowered


def charge_blow(state: SquadState, charge: Charge, unit: Unit) -> Struck:
    """The attack of a charge on one unit: 30 FP, TEM, CX of the placer; half FP against hidden ones (4.3, 6.4)."""
    items: list[Item] = [cover_item(state, charge.frm, charge.at, unit, mortar=False), *carried_item(state, unit)]
    items += movement_items(state, charge.frm, unit, 0)
    if charge.cx:
        items.append(("CX", 1, "4.3"))
    shield = shield_item(state, (charge.frm,), unit) if unit.weapons else None
    gain = max(int(shield[1]) - int(items[0][1]), 0) if shield is not None else 0
    gun = manned_gun(state, unit) if unit.weapons else None
    column = IFT.column(CHARGE_FP / 2 if unit.hip else CHARGE_FP)
    title = f"Demolition Charge in {name_of(state, charge.at)}"
    return Struck(unit.id, column, Tally.of(title, items), gain, gun=gun.id if gun is not None else "")


def charge_tally(state: SquadState, charge: Charge) -> Tally:
    """The modifiers of a charge against the first known unit, or the hex."""
    for unit in units_at(state, charge.at):
        if not unit.hip:
            return charge_blow(state, charge, unit).tally
    items: list[Item] = [cover_item(state, charge.frm, charge.at, None, mortar=False)]
    if charge.cx:
        items.append(("CX", 1, "4.3"))
    return Tally.of(f"Demolition Charge in {name_of(state, charge.at)}", items)


def set_off(play: Play[SquadState], action: SetOffCharge) -> None:
    """A charge attacks all units in its hex and is removed from play (4.3)."""
    state = play.state
    charge = next(found for found in state.charges if found.weapon == action.weapon)
    state.charges = [other for other in state.charges if other.weapon != charge.weapon]
    tally = charge_tally(state, charge)
    blows = [charge_blow(state, charge, unit) for unit in units_at(state, charge.at)]
    where = name_of(state, charge.at)
    original = sum(play.roll(6, 2, f"Demolition Charge in {where}", by=state.attacker, tally=tally))
    final = original + int(tally.total)
    if original >= charge_number(charge):
        play.emit(ChargeWentOff(weapon=charge.weapon, at=where, dr=final, failed=True))
        return
    result = str(IFT.result(CHARGE_FP, final))
    play.emit(ChargeWentOff(weapon=charge.weapon, at=where, dr=final, failed=False, result=result))
    losses: list[Loss] = []
    endangered = [blow.unit for blow in blows if threatens(blow.column, blow.drm)]
    strike(play, blows, original, losses=losses)
    desperate(play, [name for name in endangered if name in state.units and not state.units[name].hip])
    leader_loss(play, losses)
    release_melee(play, charge.at)


def set_off_all(play: Play[SquadState]) -> None:
    """Charges that nobody has let go off do so at the end of the AFPh (4.3)."""
    while play.state.charges and play.state.phase == "AFPh" and play.state.outcome is None:
        set_off(play, SetOffCharge(play.state.charges[0].weapon))


# -- backblast ----------------------------------------------------------------------------


def backblast(play: Play[SquadState], weapon: str, coloured: int) -> None:
    """All occupants of the firer's building hex are attacked on the 1 column with the coloured die, no TEM (4.4.2)."""
    state = play.state
    fired = state.weapons.get(weapon)
    if fired is None:
        return
    cell = weapon_at(state, fired)
    units: Sequence[Unit] = units_at(state, cell)
    result = IFT.result(BACKBLAST_COLUMN, coloured)
    play.emit(Backblast(weapon=weapon, at=name_of(state, cell), dr=coloured, result=str(result)))
    broken = [unit.id for unit in units if unit.broken]
    resolve_effects(play, [unit.id for unit in units], result, column=BACKBLAST_COLUMN)
    if threatens(BACKBLAST_COLUMN, 0):
        desperate(play, [name for name in broken if name in state.units])
