"""Heat of Battle: the DR, heroes and Battle Hardening (A15.1-15.3)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.asl.fanatics.part import make_fanatic
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.ladder import harder
from sandtable.games.asl.heat.model import (
    HERO,
    HEROIC,
    BecameHeroic,
    Hardened,
    HeatRolled,
    HeroAppeared,
)
from sandtable.games.asl.heat.who import exempt
from sandtable.games.asl.nations.table import nation_of
from sandtable.games.asl.surrender import give_up, never_surrenders
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.ground.doors import befallen
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import inexperienced, name_of, new_id, put, update
from sandtable.games.squad.part import Item, Roll
from sandtable.games.squad.pieces.model import SquadState, Unit

CALLS = 2
"""The Original DR that calls for it (A15.1)."""
HERO_TO, BOTH_TO, HARDENS_TO, BERSERK_TO = 4, 6, 8, 11
WEAK = ("italian", "axis_minor")
WEAK_SURRENDERS = 10
"""Non-elite Italians and Axis Minors surrender from this DR on (A15.1)."""
HERO_RESULT, BOTH, HARDENING, FURY, SURRENDER = (
    "a hero",
    "a hero and Battle Hardening",
    "Battle Hardening",
    "berserk",
    "surrender",
)


def called(play: Play[SquadState], roll: Roll) -> None:
    """An Original 2 on a MC, or on a rally led by a leader (A15.1); of several who check by one DR one (A8.31)."""
    state = play.state
    if roll.original != CALLS or roll.kind not in ("morale", "protective", "rally"):
        return
    if roll.kind == "rally" and not roll.leader:
        return
    able = [state.units[name] for name in roll.units if name in state.units]
    able = [unit for unit in able if unit.at >= 0 and not exempt(state, unit)]
    if able:
        unit = random_selection(play, able, "Heat of Battle")[0]
        heat_of_battle(play, unit, was_broken=unit.broken or roll.kind == "rally")


def heat_tally(state: SquadState, unit: Unit, *, was_broken: bool) -> Tally:
    """The DRM of a Heat of Battle DR (A15.1)."""
    kind = unit_kind(state, unit)
    items: list[Item] = []
    if kind.elite:
        items.append(("elite", -1, "A15.1"))
    if "NKVD" in kind.name:
        items.append(("NKVD", -1, "A25.25"))
    if was_broken:
        items.append(("broken", 1, "A15.1"))
    if kind.mmc and inexperienced(state, unit):
        items.append(("Inexperienced", 1, "A15.1"))
    if heat := nation_of(kind.nation).heat:
        items.append(("nationality", heat, "A15.1"))
    return Tally.of(f"Heat of Battle of {short(state, unit)}", items)


def result_of(state: SquadState, unit: Unit, final: int) -> str:
    """What a final DR brings (A15.1, A15.5)."""
    kind = unit_kind(state, unit)
    if final <= HERO_TO:
        return HERO_RESULT
    if final <= BOTH_TO:
        return BOTH
    if final <= HARDENS_TO:
        return HARDENING
    weak = kind.nation in WEAK and not kind.elite
    gives_up = final > BERSERK_TO or (weak and final >= WEAK_SURRENDERS)
    if gives_up and not never_surrenders(state, unit):
        return SURRENDER
    return FURY if berserk.target_of(state, unit) >= 0 else HARDENING


def heat_of_battle(play: Play[SquadState], unit: Unit, *, was_broken: bool) -> None:
    """Make the DR and carry it out (A15.1)."""
    state = play.state
    tally = heat_tally(state, unit, was_broken=was_broken)
    final = sum(play.roll(6, 2, tally.title, by=unit.side, tally=tally)) + int(tally.total)
    result = result_of(state, unit, final)
    play.emit(HeatRolled(unit=unit.id, at=name_of(state, unit.at), dr=final, result=result))
    if result in (HERO_RESULT, BOTH):
        make_hero(play, unit)
    if result in (BOTH, HARDENING):
        harden(play, state.units[unit.id])
    if result == FURY:
        berserk.go_berserk(play, unit)
    if result == SURRENDER:
        give_up(play, unit, setting_of(state).others[unit.side], "Heat of Battle")


def make_hero(play: Play[SquadState], unit: Unit) -> Unit:
    """A leader becomes heroic; a MMC brings forth a hero who shares what it has done in this Player Turn (A15.2)."""
    state = play.state
    where = name_of(state, unit.at)
    if unit_kind(state, unit).smc:
        unit = mark(play, update(play, unit, broken=False, dm=False, pinned=False), HEROIC)
        play.emit(BecameHeroic(unit=unit.id, at=where))
        return unit
    table = setting_of(state).points.marks
    marks = tuple([name for name in unit.marks if name in table and table[name].inherited])
    nation = unit.kind.partition(" ")[0]
    hero = Unit(
        new_id(state, unit.id),
        unit.side,
        f"{nation} {HERO}",
        group=unit.group,
        melee=unit.melee,
        marker=unit.marker,
        moved=unit.moved,
        concealed=unit.concealed,
        marks=marks,
        lifted=unit.lifted if marks else 0,
    )
    state.units[hero.id] = hero
    hero = put(state, hero, unit.at)
    hero = update(play, hero, within=unit.within)
    moving = state.moving
    mover = moving.mover(unit.id) if moving is not None else None
    if moving is not None and mover is not None:
        state.moving = replace(
            moving,
            movers=(*moving.movers, replace(mover, id=hero.id, leader="", burden=())),
            active=(*moving.active, hero.id) if unit.id in moving.active else moving.active,
        )
    play.emit(HeroAppeared(unit=unit.id, hero=hero.id, at=where))
    return hero


def harden(play: Play[SquadState], unit: Unit) -> Unit:
    """Exchanged, unbroken and unpinned, for the next better counter; else it becomes Fanatic (A15.3)."""
    state = play.state
    better, before = harder(unit.kind), unit
    unit = update(play, unit, broken=False, dm=False, pinned=False)
    if better:
        play.emit(Hardened(unit=unit.id, at=name_of(state, unit.at), was=unit.kind, now=better))
        unit = update(play, unit, kind=better)
    else:
        unit = make_fanatic(play, unit)
    befallen(play, "harden", before)
    return unit
