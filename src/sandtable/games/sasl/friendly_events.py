"""FRIENDLY Random Events of the tables x9 that need only what is played (S2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.surrender import DISRUPTED
from sandtable.games.sasl import valour
from sandtable.games.sasl.crests import stands
from sandtable.games.sasl.dice import pick, rolled, say
from sandtable.games.sasl.enemy_events import shift
from sandtable.games.sasl.growing import change_map
from sandtable.games.sasl.hazards import friends
from sandtable.games.sasl.model import ATTITUDES, FRIENDLY, HOLD, OBJECTIVES, ROSTER, SUSPECTS, Suspect
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.sniping import friendly_sniper
from sandtable.games.sasl.suspects import remove
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState

Effect = Callable[[Play[SquadState], Event], bool]
EVACUATION = 5
"""Game Turns that an evacuation takes, the present one included (RE 75-76)."""


def information(play: Play[SquadState], event: Event) -> bool:
    """RE 14: up to a dr of S? in LOS of one FRIENDLY unit are removed (SA-61)."""
    state = play.state
    (dr,) = rolled(play, 1, "S? removed")
    found = {
        unit.id: [
            one for one in SUSPECTS.of(state).values() if one.at >= 0 and sees(state, unit.at, stands(state, one))
        ]
        for unit in friends(state)
        if not unit.broken
    }
    if not any(found.values()):
        return False
    unit = state.units[max(found, key=lambda name: (len(found[name]), name))]
    ranges = setting_of(state).ground.ranges[unit.at]
    nearest = sorted(found[unit.id], key=lambda one: (ranges[one.at], one.id))
    _take_off(play, event, _some(play, nearest, dr))
    return True


def _some(play: Play[SquadState], able: Sequence[Suspect], number: int) -> list[Suspect]:
    """So many S?: the first of them, or any at random (SA-61)."""
    left, found = list(able), []
    for _ in range(min(number, len(able))):
        one = pick(play, left, "S? removed") if reading(play.state, "removed") == "random" else left[0]
        left.remove(one)
        found.append(one)
    return found


def _take_off(play: Play[SquadState], event: Event, some: Sequence[Suspect]) -> None:
    """Remove S? and say where they were."""
    for one in some:
        remove(play.state, one)
    where = ", ".join([name_of(play.state, one.at) for one in some])
    words = f"{len(some)} S? {'is' if len(some) == 1 else 'are'} removed from {where}"
    say(play, event.table, event.key, (), words, "S2.3")


def fading(play: Play[SquadState], event: Event) -> bool:
    """RE 15: up to a DR of S? are removed, those in VPO Locations last (SA-61)."""
    state = play.state
    some = [one for one in SUSPECTS.of(state).values() if one.at >= 0]
    if not some:
        return False
    number = sum(rolled(play, 2, "S? removed"))
    ground = setting_of(state).ground
    held = {cell for goal in OBJECTIVES.of(state).values() for cell in goal.cells}
    ours = [unit.at for unit in friends(state)]
    some.sort(key=lambda one: (min([ground.ranges[one.at][at] for at in ours], default=0), one.id))
    outside = [one for one in some if one.at not in held]
    inside = [one for one in some if one.at in held]
    _take_off(play, event, [*_some(play, outside, number), *_some(play, inside, number - len(outside))])
    return True


def slackens(play: Play[SquadState], event: Event) -> bool:
    """RE 43: the AC# falls; at 2 RE 15 instead."""
    ac = ROSTER.of(play.state).ac
    if ac <= general.activation_check().lowest:
        return fading(play, event)
    put_roster(play.state, ac=ac - 1)
    return True


def numbers(play: Play[SquadState], event: Event) -> bool:
    """RE 44: the ENEMY RE Numbers fall, or the FRIENDLY ones rise."""
    state = play.state
    roster = ROSTER.of(state)
    (dr,) = rolled(play, 1, "Fortunes of war")
    if dr <= 3:
        if shift(roster.enemy_re, -1) == roster.enemy_re:
            return slackens(play, event)
        put_roster(state, enemy_re=shift(roster.enemy_re, -1))
        return True
    put_roster(state, friendly_re=shift(roster.friendly_re, 1))
    return shift(roster.friendly_re, 1) != roster.friendly_re


def fortification(play: Play[SquadState], event: Event) -> bool:
    """RE 04: +2 on each dr of A5."""
    put_roster(play.state, fort_drm=ROSTER.of(play.state).fort_drm + 2)
    return True


def rally(play: Play[SquadState], event: Event) -> bool:
    """Every broken MMC that is not Disrupted rallies if it is with an unbroken leader."""
    state = play.state
    done = False
    for unit in [unit for unit in friends(state) if unit.broken and unit_kind(state, unit).mmc]:
        here = [state.units[name] for name in state.stacks[unit.at]]
        led = any(u.side == FRIENDLY and not u.broken and unit_kind(state, u).leads for u in here)
        if led and DISRUPTED not in unit.marks:
            valour.rally(play, unit, event)
            done = True
    return done


def called_off(play: Play[SquadState], event: Event) -> bool:
    """RE 74: all take Hold Attitude, A1 has +1 DRM and no negative one, the ENEMY RE Numbers fall; else RE 46."""
    state = play.state
    roster = ROSTER.of(state)
    if roster.evacuate:
        return friendly_sniper(play, event)
    for one in list(SUSPECTS.of(state).values()):
        SUSPECTS.of(state)[one.id] = replace(one, attitude=HOLD)
    ATTITUDES.of(state).clear()
    put_roster(state, attitude=HOLD, calm=True, drm=max(0, roster.drm) + 1, enemy_re=shift(roster.enemy_re, -1))
    return True


def evacuate(play: Play[SquadState], event: Event) -> bool:
    """RE 75-76: units that leave by the FBE earn Exit VP; the Mission ends after five Game Turns (SA-83)."""
    state = play.state
    roster = ROSTER.of(state)
    if roster.calm:
        return False
    last = state.turn + EVACUATION - 1
    put_roster(state, evacuate=last, friendly_re=shift(roster.friendly_re, -1))
    change_map(play, replace(rolled_in(state), evacuating=True))
    say(play, event.table, event.key, (), f"the Mission ends after turn {last}", "S2.3")
    return True


EFFECTS: dict[str, Effect] = {
    "information": information,
    "fading": fading,
    "slackens": slackens,
    "numbers": numbers,
    "fortification": fortification,
    "rally": rally,
    "called off": called_off,
    "evacuate": evacuate,
}
