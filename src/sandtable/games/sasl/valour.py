"""Random Events about single people and what they do: berserk, hardened, heroic, fanatic, massacred (S2.3)."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine import Play
from sandtable.games.asl.fanatics.part import FANATIC, make_fanatic
from sandtable.games.asl.heat import berserk as charges
from sandtable.games.asl.heat.ladder import harder
from sandtable.games.asl.heat.model import HEROIC
from sandtable.games.asl.heat.rules import harden, make_hero
from sandtable.games.asl.heat.who import exempt
from sandtable.games.asl.prisoners.guarding import guards, kill
from sandtable.games.asl.prisoners.taking import refuse
from sandtable.games.asl.surrender import DISRUPTED, held_by
from sandtable.games.sasl.dice import best, pick, rolled, say
from sandtable.games.sasl.hazards import friends, nearest_ebe
from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.effects.verdicts import level
from sandtable.games.squad.ground.doors import befallen
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, units_at, update
from sandtable.games.squad.pieces.model import SquadState, Unit

Effect = Callable[[Play[SquadState], Event], bool]


def foes(state: SquadState) -> list[Unit]:
    """Activated ENEMY units on the map."""
    return [unit for unit in state.units.values() if unit.side == ENEMY and unit.at >= 0]


def _passes(play: Play[SquadState], unit: Unit, drm: int, event: Event) -> bool:
    """A NTC, in which failing has no effect."""
    state = play.state
    dice = rolled(play, 2, "NTC")
    morale = level(unit_kind(state, unit), unit)
    passed = sum(dice) + drm <= morale
    figures = "" if unit.concealed and unit.side == ENEMY else f"{sum(dice)}{drm:+d} against {morale}, "
    words = f"NTC in {name_of(state, unit.at)}: {figures}{'passed' if passed else 'failed'}"
    say(play, event.table, event.key, dice, words, "S2.3")
    return passed


def rally(play: Play[SquadState], unit: Unit, event: Event) -> Unit:
    """An event rallies a broken unit."""
    state = play.state
    rallied = update(play, unit, broken=False, dm=False)
    where = name_of(state, unit.at)
    say(play, event.table, event.key, (), f"{short(state, unit)} in {where} rallies", "S2.3")
    befallen(play, "rally", unit)
    return state.units.get(unit.id, rallied)


# -- the ENEMY ---------------------------------------------------------------------------------


def berserk(play: Play[SquadState], event: Event) -> bool:
    """RE 41, 66: the closest ENEMY unit in LOS of the FRIENDLY unit nearest the EBE; those beside it take a NTC."""
    state = play.state
    ranges = setting_of(state).ground.ranges
    for unit in nearest_ebe(state):
        able = [foe for foe in foes(state) if _can_rage(state, foe) and sees(state, foe.at, unit.at)]
        if able:
            distance = [("closest", lambda foe, at=unit.at: ranges[foe.at][at])]
            first, _ = best(play, able, distance, "which unit")
            # A15.42 for a leader of Partisans, its DRM into ADJACENT hexes too (P9 41)
            leads = event.table == "P9" and unit_kind(state, first).leads
            drm = leadership(state, first) if leads else 0
            others = [foe for foe in foes(state) if foe.id != first.id and ranges[foe.at][first.at] <= 1]
            others = [foe for foe in others if not leads or foe.at != first.at]
            charges.go_berserk(play, first, spreads=leads)
            for foe in others:
                now = state.units.get(foe.id)
                if now is not None and _can_rage(state, now) and _passes(play, now, drm, event):
                    charges.go_berserk(play, state.units[foe.id], spreads=False)
            return True
    return False


def _can_rage(state: SquadState, unit: Unit) -> bool:
    """Whether a unit may go berserk and has somebody to charge (A15.1)."""
    raging = "berserk" in unit.marks
    return unit.good_order and not raging and not exempt(state, unit) and charges.target_of(state, unit) >= 0


def hardens(play: Play[SquadState], event: Event) -> bool:
    """RE 26: the best ENEMY leader who can be bettered Battle Hardens; the broken of his Location rally."""
    state = play.state
    able = [unit for unit in foes(state) if unit_kind(state, unit).leads and harder(unit.kind)]
    if not able:
        return False
    keys = [
        ("best leadership", lambda unit: leadership(state, unit)),
        ("best morale", lambda unit: -unit_kind(state, unit).morale),
    ]
    leader, _ = best(play, able, keys, "which leader")
    harden(play, leader)
    if event.table != "P9":
        for unit in [unit for unit in units_at(state, leader.at, ENEMY) if unit.broken]:
            rally(play, unit, event)
    return True


def massacre(play: Play[SquadState], event: Event) -> bool:
    """P9 55: all prisoners of one Partisan unit are killed."""
    state = play.state
    able = guards(state, ENEMY)
    if not able:
        return False
    guard = pick(play, able, "which guard")
    for captive in held_by(state, guard.id):
        kill(play, captive, name_of(state, guard.at))
    refuse(play, ENEMY, name_of(state, guard.at))
    return True


# -- FRIENDLY units -------------------------------------------------------------------------------


def _leaders(state: SquadState, mark: str) -> list[Unit]:
    """FRIENDLY leaders on the map who are not Disrupted and do not have a mark yet."""
    return [
        unit
        for unit in friends(state)
        if unit_kind(state, unit).leads and mark not in unit.marks and DISRUPTED not in unit.marks
    ]


def heroic(play: Play[SquadState], event: Event) -> bool:
    """RE 45: a leader turns Heroic."""
    able = _leaders(play.state, HEROIC)
    if able:
        make_hero(play, pick(play, able, "which leader"))
    return bool(able)


def fanatic(play: Play[SquadState], event: Event) -> bool:
    """RE 63: a leader turns Fanatic; so does each unit of his Location that passes a NTC with his DRM."""
    state = play.state
    able = [unit for unit in _leaders(state, FANATIC) if not unit.broken]
    if not able:
        return False
    leader = pick(play, able, "which leader")
    drm = leadership(state, leader)
    make_fanatic(play, leader)
    for unit in [unit for unit in units_at(state, leader.at, FRIENDLY) if unit.id != leader.id]:
        if unit.broken and "rallies first" in event.effect and DISRUPTED not in unit.marks:
            unit = rally(play, unit, event)
        if not unit.broken and FANATIC not in unit.marks and _passes(play, unit, drm, event):
            make_fanatic(play, state.units[unit.id])
    return True


def hero(play: Play[SquadState], event: Event) -> bool:
    """RE 66: a hero rises from the FRIENDLY MMC closest to an unbroken ENEMY unit."""
    state = play.state
    ranges = setting_of(state).ground.ranges
    near = [foe.at for foe in foes(state) if not foe.broken]
    able = [unit for unit in friends(state) if unit_kind(state, unit).mmc]
    if not near or not able:
        return False
    keys = [("closest", lambda unit: min(ranges[unit.at][cell] for cell in near))]
    make_hero(play, best(play, able, keys, "which unit")[0])
    return True


ENEMY_EFFECTS: dict[str, Effect] = {"berserk": berserk, "battle hardens": hardens, "massacre": massacre}
FRIENDLY_EFFECTS: dict[str, Effect] = {"heroic": heroic, "fanatic": fanatic, "hero": hero}
