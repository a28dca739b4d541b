"""FRIENDLY Random Events of the tables x9 that need only what is played (S2.3)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl import generation as make
from sandtable.games.sasl.dice import on_table, pick, rolled, say
from sandtable.games.sasl.enemy_events import friends, shift
from sandtable.games.sasl.model import ATTITUDES, FRIENDLY, HOLD, OBJECTIVES, ROSTER, SUSPECTS
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import counter_kind, put_roster
from sandtable.games.sasl.suspects import remove
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.pieces.model import SquadState, Unit

Effect = Callable[[Play[SquadState], Event], bool]
SW_FOR = 3
"""A SW comes with every so many squads of a reinforcement, a leader likewise (house rates, SA-60)."""


def information(play: Play[SquadState], event: Event) -> bool:
    """RE 14: up to a dr of S? in LOS of one FRIENDLY unit are removed; the program takes the nearest (SA-61)."""
    state = play.state
    (dr,) = rolled(play, 1, "S? removed")
    found = {
        unit.id: [one for one in SUSPECTS.of(state).values() if one.at >= 0 and sees(state, unit.at, one.at)]
        for unit in friends(state)
        if not unit.broken
    }
    if not any(found.values()):
        return False
    unit = state.units[max(found, key=lambda name: (len(found[name]), name))]
    ranges = setting_of(state).ground.ranges[unit.at]
    for one in sorted(found[unit.id], key=lambda one: (ranges[one.at], one.id))[:dr]:
        remove(state, one)
    return True


def fading(play: Play[SquadState], event: Event) -> bool:
    """RE 15: up to a DR of S? are removed, those in VPO Locations last; the nearest to FRIENDLY units go (SA-61)."""
    state = play.state
    if not SUSPECTS.of(state):
        return False
    number = sum(rolled(play, 2, "S? removed"))
    ground = setting_of(state).ground
    held = {cell for goal in OBJECTIVES.of(state).values() for cell in goal.cells}
    ours = [unit.at for unit in friends(state)]
    some = [one for one in SUSPECTS.of(state).values() if one.at >= 0]
    some.sort(key=lambda one: (one.at in held, min([ground.ranges[one.at][at] for at in ours], default=0), one.id))
    for one in some[:number]:
        remove(state, one)
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
    """Every broken MMC with an unbroken leader rallies."""
    state = play.state
    done = False
    for unit in [unit for unit in friends(state) if unit.broken and unit_kind(state, unit).mmc]:
        here = [state.units[name] for name in state.stacks[unit.at]]
        if any(u.side == FRIENDLY and not u.broken and unit_kind(state, u).leads for u in here):
            state.units[unit.id] = replace(unit, broken=False, dm=False)
            done = True
    return done


def called_off(play: Play[SquadState], event: Event) -> bool:
    """RE 74: all take Hold Attitude, A1 has +1 DRM, the ENEMY RE Numbers fall."""
    state = play.state
    if rolled_in(state).mission == 19:
        return False
    for one in list(SUSPECTS.of(state).values()):
        SUSPECTS.of(state)[one.id] = replace(one, attitude=HOLD)
    for unit in state.units.values():
        if unit.side != FRIENDLY:
            ATTITUDES.of(state)[unit.id] = HOLD
    base = rolled_in(state)
    roster = ROSTER.of(state)
    negative = min(0, base.rules.drm.get("A1", 0))
    put_roster(state, drm=roster.drm + 1 - negative, enemy_re=shift(roster.enemy_re, -1))
    return True


# -- reinforcements ------------------------------------------------------------------------------


def _number(play: Play[SquadState], words: str) -> int:
    """A number such as `A6b + A6b`, `DR` or `3`."""
    total = 0
    for word in words.split(" + "):
        if word.startswith("A6"):
            total += int(on_table(play, general.table(word)))
        elif word == "DR":
            total += sum(rolled(play, 2, "how many"))
        elif word.isdecimal():
            total += int(word)
    return total


def infantry(play: Play[SquadState], event: Event) -> bool:
    """RE 34-36: squads of one type {x2}, with leaders and SW at house rates (SA-60), enter on the FBE."""
    return _arrive(play, _number(play, event.number), _squad(play), "west")


def infantry_flank(play: Play[SquadState], event: Event) -> bool:
    """RE 51: the same along the north or south edge."""
    if rolled_in(play.state).mission == 19:
        return False
    return _arrive(play, _number(play, event.number), _squad(play), pick(play, ("north", "south"), "which edge"))


def sappers(play: Play[SquadState], event: Event) -> bool:
    """RE 05: Sapper squads with a leader {x3}."""
    words = event.squad.split(",")[0].split(" ")[0]
    kind = counter_kind(rolled_in(play.state).friendly_nation, words)
    return bool(kind) and _arrive(play, _number(play, event.number), kind, "west")


def engineers(play: Play[SquadState], event: Event) -> bool:
    """RE 02: three Assault Engineer squads, each with a DC, and a FT."""
    state = play.state
    nation = rolled_in(state).friendly_nation
    kind = counter_kind(nation, event.squad.split(",")[0].split(" ")[0])
    if not kind:
        return False
    before = set(state.units)
    _arrive(play, 3, kind, "west")
    squads = [unit for name, unit in state.units.items() if name not in before and unit_kind(state, unit).squad]
    for number, unit in enumerate(squads):
        for name in ("DC", *(["FT"] if number == 0 else [])):
            weapon = counter_kind(nation, name)
            if weapon:
                make.new_weapon(play, weapon, state.units[unit.id])
    return True


def _squad(play: Play[SquadState]) -> str:
    """The type of a FRIENDLY squad {x2}."""
    return make.squad(play, _as_enemy(rolled_in(play.state)))


def _as_enemy(base: Rolled) -> Rolled:
    """The FRIENDLY card read like the ENEMY's."""
    group = "elsewhere" if base.friendly == "U-PTO" else "GMD" if base.friendly == "C" else ""
    return replace(base, enemy=base.friendly, enemy_group=group)


def _arrive(play: Play[SquadState], number: int, kind: str, edge: str) -> bool:
    """Squads with leaders and SW come as reinforcements of this turn or later (S15.5)."""
    state = play.state
    if not kind or not number:
        return False
    base = _as_enemy(rolled_in(state))
    squads = [_new(play, kind, edge) for _ in range(number)]
    kinds = make.classes_of(state, squads)
    for place in range(0, number, SW_FOR):
        leader = make.leader(play, base, kinds)
        if leader:
            _new(play, leader, edge)
        weapon = make.support_weapon(play, base)
        if weapon:
            make.new_weapon(play, weapon, state.units[squads[place].id])
    say(play, "S15.5", f"{number} squads", (), f"{kind}, along the {edge} edge", "S15.5")
    return True


def _new(play: Play[SquadState], kind: str, edge: str) -> Unit:
    return make.new_unit(play, kind, -1, FRIENDLY, f"from {edge}")


EFFECTS: dict[str, Effect] = {
    "information": information,
    "fading": fading,
    "slackens": slackens,
    "numbers": numbers,
    "fortification": fortification,
    "rally": rally,
    "called off": called_off,
    "infantry": infantry,
    "infantry flank": infantry_flank,
    "sappers": sappers,
    "engineers": engineers,
}

__all__ = ["EFFECTS", "card"]
