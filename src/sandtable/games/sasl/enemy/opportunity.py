"""Opportunity Fire of the ENEMY in place of a Move Command: HW that have somebody in range wait (S9.2, SA-122)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play
from sandtable.games.asl.opportunity.model import WaitToFire
from sandtable.games.asl.opportunity.part import can_fire
from sandtable.games.sasl.dice import say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ENEMY, ORDERS, WAIT, Order
from sandtable.games.sasl.readings import reading
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.ground.names import names
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.ordnance.shots import known_targets
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon


def stay(play: Play[SquadState], cell: int, units: Sequence[Unit], legal: Sequence[Action]) -> None:
    """Of units that are to move, those who wait instead are given that order, and the log says so (S9.2, SA-122)."""
    state = play.state
    waiting = who_wait(state, units, legal)
    if not waiting:
        return
    for unit in waiting:
        ORDERS.of(state)[unit.id] = Order(WAIT, rule="S9.2")
    who = names(state, [unit.id for unit in waiting if not unit.concealed])  # SA-90
    why = "a HW with a FRIENDLY unit in LOS and normal range waits in place of a Move Command (SA-122)"
    say(play, "S9.2", WAIT, (), f"{name_of(state, cell)}: {who}; {why}", "S9.2")


def who_wait(state: SquadState, units: Sequence[Unit], legal: Sequence[Action]) -> list[Unit]:
    """Who of some units waits: MMC with a HW that commands somebody, and their leaders if no other MMC moves off."""
    how = reading(state, "opportunity")
    if how == "never":
        return []
    waiting = [unit for unit in units if WaitToFire(unit.id) in legal and overwatches(state, unit)]
    troops = [unit for unit in units if unit_kind(state, unit).mmc]
    if waiting and all(unit in waiting for unit in troops):
        return list(units) if how == "HW" else []
    return waiting


def overwatches(state: SquadState, unit: Unit) -> bool:
    """Whether a MMC that is no secret has a HW with a FRIENDLY unit in LOS and within its normal range (SA-122)."""
    if unit.concealed or not unit_kind(state, unit).mmc or facts.has_gun(state, unit):
        return False
    weapons = [state.weapons[name] for name in unit.weapons]
    return any(facts.is_heavy(unit, weapon) and _commands(state, unit, weapon) for weapon in weapons)


def _commands(state: SquadState, unit: Unit, weapon: Weapon) -> bool:
    """Whether a HW could fire in the AFPh at a FRIENDLY unit that is within its normal range now."""
    if not can_fire(state, weapon.id):
        return False
    kind = weapon_kind(weapon)
    if kind.ordnance:
        cells = known_targets(state, weapon, "advancing", [foe.at for foe in facts.foes(state)])
    else:
        ranges = setting_of(state).ground.ranges[unit.at]
        found = targets_of(state, ENEMY, firer_of(state, weapon.id), "advancing")
        cells = [cell for cell in found if ranges[cell] <= kind.range]
    return any(facts.foes_at(state, cell) for cell in cells)


def next_wait(state: SquadState, legal: Sequence[Action]) -> Action | None:
    """The next unit that was told to wait is given its counter (A7.25)."""
    orders = ORDERS.of(state)
    for action in legal:
        if isinstance(action, WaitToFire):
            order = orders.get(action.unit)
            if order is not None and order.what == WAIT and not order.done:
                orders[action.unit] = Order(WAIT, done=True, rule=order.rule)
                return action
    return None
