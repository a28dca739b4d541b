"""Flamethrowers, Demolition Charges and light anti-tank weapons (4.2 to 4.4)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.model import Charge, SquadState, Unit, Weapon
from sandtable.games.squad.setting import unit_kind
from sandtable.games.squad.stacks import destroy_weapon


def place_charge(play: Play[SquadState], unit: Unit, weapon: Weapon, cell: int) -> None:
    """A Demolition Charge lies in a hex until the AFPh (4.3)."""
    elite = unit_kind(play.state, unit).elite
    destroy_weapon(play, weapon)
    play.state.charges.append(Charge(weapon.id, weapon.kind, cell, unit.id, cx=unit.cx, elite=elite))
