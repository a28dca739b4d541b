"""Demolition Charges and the backblast of light anti-tank weapons (4.3, 4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Tally
from sandtable.games.squad.cards.tables import BACKBLAST_COLUMN, IFT
from sandtable.games.squad.effects.aftermath import Attack, carry_out, resolve_effects
from sandtable.games.squad.effects.morale import Loss
from sandtable.games.squad.effects.results import threatens
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.firepower import carried_item
from sandtable.games.squad.fire.model import AdvancingFirePhase
from sandtable.games.squad.ground.counters import CHARGE, all_counters, lay, take_up
from sandtable.games.squad.ground.cover import also_reached
from sandtable.games.squad.ground.doors import rolled, settled
from sandtable.games.squad.ground.guns import manned_gun, shield_item
from sandtable.games.squad.ground.knowledge import concealed, known_units
from sandtable.games.squad.ground.movers import movement_items
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import (
    captured,
    destroy_weapon,
    inexperienced,
    name_of,
    units_at,
    update,
    weapon_at,
)
from sandtable.games.squad.ordnance.hits import Struck, impacts_of
from sandtable.games.squad.ordnance.model import Backblast, ChargeWentOff, SetOffCharge
from sandtable.games.squad.ordnance.tohit import cover_item
from sandtable.games.squad.part import Item, Part, Roll
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit, Weapon

CHARGE_FP = 30
NON_ELITE, CAPTURED, INEXPERIENCED = 2, 2, 1
"""What lowers the X# of a Demolition Charge (4.3, 4.0)."""


# -- Demolition Charges -----------------------------------------------------------------


def place_charge(play: Play[SquadState], unit: Unit, weapon: Weapon, cell: int) -> None:
    """A Demolition Charge lies in a hex until the AFPh; placing it is the use of a weapon (4.0, 4.3)."""
    state = play.state
    number = weapon_kind(weapon).removal - CAPTURED * int(captured(state, weapon))
    number -= 0 if unit_kind(state, unit).elite else NON_ELITE
    if unit_kind(state, unit).mmc:
        number -= INEXPERIENCED * int(inexperienced(state, unit))
    destroy_weapon(play, weapon)
    unit = state.units[unit.id]
    update(play, unit, used=(*unit.used, weapon.id))
    lay(state, cell, Counter(CHARGE, unit.side, number, weapon.id, frm=unit.at, cx=unit.cx))


def find_charge(state: SquadState, weapon: str) -> tuple[int, Counter] | None:
    """A placed charge and its Location; its figure is the X#: an original DR of so much or more is no attack (4.3)."""
    return next((found for found in all_counters(state, CHARGE) if found[1].id == weapon), None)


def charge_actions(state: SquadState, frame: AdvancingFirePhase, side: str) -> list[Action]:
    """Demolition Charges that the ATTACKER may let go off in the AFPh (4.3)."""
    return [SetOffCharge(charge.id) for _, charge in all_counters(state, CHARGE)]


def charge_blow(state: SquadState, at: int, charge: Counter, unit: Unit) -> Struck:
    """The attack of a charge on one unit: 30 FP, TEM, CX of the placer; half FP against hidden ones (4.3, 6.4)."""
    items: list[Item] = [cover_item(state, charge.frm, at, unit, mortar=False), *carried_item(state, unit)]
    items += movement_items(state, charge.frm, unit, 0)
    if charge.cx:
        items.append(("CX", 1, "4.3"))
    shield = shield_item(state, (charge.frm,), unit) if unit.weapons else None
    gain = max(int(shield[1]) - int(items[0][1]), 0) if shield is not None else 0
    gun = manned_gun(state, unit) if unit.weapons else None
    column = IFT.column(CHARGE_FP / 2 if concealed(state, unit) else CHARGE_FP)
    title = f"Demolition Charge in {name_of(state, at)}"
    return Struck(unit.id, column, Tally.of(title, items), gain, gun=gun.id if gun is not None else "")


def charged(state: SquadState, at: int, charge: Counter) -> list[Unit]:
    """Units that a charge attacks: all in its Location, and whom parts say (4.3)."""
    found = units_at(state, at)
    return found + also_reached(state, at, (charge.frm,)) if setting_of(state).points.reaches else found


def charge_tally(state: SquadState, at: int, charge: Counter) -> Tally:
    """The modifiers of a charge against the first known unit, or the hex."""
    for unit in known_units(state, charged(state, at, charge)):
        return charge_blow(state, at, charge, unit).tally
    items: list[Item] = [cover_item(state, charge.frm, at, None, mortar=False)]
    if charge.cx:
        items.append(("CX", 1, "4.3"))
    return Tally.of(f"Demolition Charge in {name_of(state, at)}", items)


def set_off(play: Play[SquadState], action: SetOffCharge) -> None:
    """A charge attacks all units in its hex and is removed from play (4.3)."""
    state = play.state
    found = find_charge(state, action.weapon)
    assert found is not None
    at, charge = found
    take_up(state, at, charge)
    tally = charge_tally(state, at, charge)
    blows = [charge_blow(state, at, charge, unit) for unit in charged(state, at, charge)]
    where = name_of(state, at)
    dice = play.roll(6, 2, f"Demolition Charge in {where}", by=state.attacker, tally=tally)
    roll = rolled(play, Roll("charge", state.attacker, dice, (charge.id,), at))
    original = roll.original
    final = original + int(tally.total)
    if original >= charge.value:
        play.emit(ChargeWentOff(weapon=charge.id, at=where, dr=final, failed=True))
        settled(play, roll)
        return
    result = str(IFT.result(CHARGE_FP, final))
    play.emit(ChargeWentOff(weapon=charge.id, at=where, dr=final, failed=False, result=result))
    losses: list[Loss] = []
    endangered = [blow.unit for blow in blows if threatens(blow.column, blow.drm)]
    impacts = impacts_of(play, blows, original, losses=losses)
    carry_out(play, Attack(impacts, at=at, roll=roll, endangered=endangered, losses=losses))


def set_off_all(play: Play[SquadState], side: str) -> bool:
    """Charges that nobody has let go off do so at the end of the AFPh (4.3)."""
    for _, charge in list(all_counters(play.state, CHARGE)):
        if play.state.phase == "AFPh" and play.state.outcome is None:
            set_off(play, SetOffCharge(charge.id))
    return False


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
    broken = [unit.id for unit in units if unit.broken] if threatens(BACKBLAST_COLUMN, 0) else []
    resolve_effects(play, [unit.id for unit in units], result, column=BACKBLAST_COLUMN, endangered=broken)


def _chosen(play: Play[SquadState], frame: AdvancingFirePhase, side: str, action: SetOffCharge) -> None:
    list_firers_anew(play)
    set_off(play, action)


PART = Part(offers={AdvancingFirePhase: charge_actions}, does={SetOffCharge: _chosen}, closing=set_off_all)
