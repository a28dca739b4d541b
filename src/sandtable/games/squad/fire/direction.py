"""Who may direct fire (1.2.1, 3.2.2, 3.4, G14, G35)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.part import Bar
from sandtable.games.squad.effects.morale import leads
from sandtable.games.squad.fire.eligibility import BROKEN, DIRECTED, MANHANDLED, MELEE, Firer, acted_in_mph
from sandtable.games.squad.fire.mandatory import keeps_rate
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.marks import waits
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit


def director_bar(state: SquadState, leader: Unit, firers: Iterable[Firer], mode: str) -> Bar | None:
    """Why a leader may not direct these firers (1.2.1, 3.2.2, 3.4, G14, G35)."""
    setting = setting_of(state)
    if not setting.kinds[leader.group, leader.kind].leads:
        return ("Only leaders direct fire: add the unit to the fire group instead", "3.2.2")
    if leader.pinned:
        return ("A pinned leader may not use his leadership: fire without him", "3.2.3")
    if not leads(setting, leader):
        return BROKEN if leader.broken else MELEE
    free = acted_in_mph(setting, leader, mode)
    if leader.used and not free:
        return ("He has fired a weapon in this phase and so lends nobody his leadership in it", "4.0")
    if mode == "advancing" and leader.hazardous:
        return MANHANDLED
    if "direct" in setting.points.barred and (bar := part_bar(state, "direct", leader)):
        return bar
    firing = list(firers)
    if any(firer.kind is not None and firer.kind.flamethrower for firer in firing):
        return ("Leadership does not help flamethrowers: fire without him", "4.2")
    if not leader.directed:
        return DIRECTED if leader.marker != NO_MARKER and not (free and leader.used) else None
    members = setting.rules.of(FireRules).direct_members
    same = all(firer.id in leader.directed or (members and firer.unit.id in leader.directed) for firer in firing)
    if mode == "prep" or (mode == "advancing" and firing and all([waits(setting, firer.unit) for firer in firing])):
        return None if same and all(keeps_rate(firer.weapon) for firer in firing) else DIRECTED
    if mode == "advancing":
        return DIRECTED
    return None if same else ("He may only direct the firers again whom he directed before", "3.4")
