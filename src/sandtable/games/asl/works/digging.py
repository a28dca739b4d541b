"""Digging foxholes, clearing wire and mines in the Prep Fire Phase; labour; TI (B24.7, B24.8, B27.11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.engine import Action, Event, Play, Tally
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, OddsLine, Preview
from sandtable.games.asl.busy import BUSY, TI
from sandtable.games.asl.terrain.walls import is_outside
from sandtable.games.asl.works.model import (
    FOXHOLE,
    LABOUR,
    MINES,
    SHELTERS,
    WIRE,
    lay_foxhole,
    may_entrench_in,
    put_in,
    within,
    works_at,
)
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.squad.effects.morale import casualty_reduce, leadership
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.model import PrepFirePhase
from sandtable.games.squad.ground.counters import take_up
from sandtable.games.squad.ground.doors import part_bar, rolled, settled
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import rules_of, unit_kind
from sandtable.games.squad.ground.stacks import come_out, has_enemy, inexperienced, name_of, units_at, update
from sandtable.games.squad.part import Item, Part, Roll
from sandtable.games.squad.pieces.model import NO_MARKER, PREP_FIRE, SquadState, Unit

DIGS, CLEARS = 5, 2
"""A Final DR up to this digs a foxhole, clears wire (B27.11, B24.7)."""
MOST_LABOUR = 2
MINEFIELD = "mines"
TITLES = {FOXHOLE: "Entrenching", WIRE: "Clearing wire", MINEFIELD: "Clearing mines"}


class Dig(Action, frozen=True):
    """A unit tries to entrench, with a leader's help or without."""

    unit: str
    leader: str = ""


class ClearWire(Action, frozen=True):
    """A unit beneath wire tries to clear it."""

    unit: str
    leader: str = ""


class ClearMines(Action, frozen=True):
    """A unit in a known minefield tries to clear it."""

    unit: str
    leader: str = ""


class Worked(Event, frozen=True):
    """An entrenching attempt or a clearance was made."""

    unit: str
    at: str
    what: str
    success: bool


# -- who may ----------------------------------------------------------------------------


def is_free(state: SquadState, unit: Unit) -> bool:
    """Whether a unit has done nothing yet and is able to work."""
    if unit.broken or unit.melee or unit.pinned or unit.at < 0 or unit.marker != NO_MARKER or unit.used:
        return False
    return part_bar(state, "move", unit) is None


def may_dig(state: SquadState, unit: Unit) -> bool:
    """Whether a unit may try to entrench (B27.11)."""
    kind = unit_kind(state, unit)
    if not is_free(state, unit) or not kind.mmc or not is_outside(unit):
        return False
    if kind.nation == "partisan" and not rules_of(state).of(WorksRules).partisans_dig:
        return False
    if not may_entrench_in(state, unit.at) or has_enemy(state, unit.at, unit.side):
        return False
    holes = works_at(state, unit.at, FOXHOLE)
    return not works_at(state, unit.at, *[kind for kind in SHELTERS if kind != FOXHOLE]) and (
        not holes or holes[0].value < 3
    )


def may_clear(state: SquadState, unit: Unit) -> bool:
    """Whether a unit beneath wire may try to clear it (B24.73)."""
    if not is_free(state, unit) or not unit_kind(state, unit).mmc or within(state, unit, WIRE) is not None:
        return False
    return bool(works_at(state, unit.at, WIRE)) and not has_enemy(state, unit.at, unit.side)


def may_clear_mines(state: SquadState, unit: Unit) -> bool:
    """Whether a unit in a known minefield may try to clear it (B24.74)."""
    field = MINES.of(state).get(unit.at)
    if field is None or not (field.known or field.side == unit.side) or not is_outside(unit):
        return False
    return is_free(state, unit) and unit_kind(state, unit).mmc and not has_enemy(state, unit.at, unit.side)


def helpers(state: SquadState, unit: Unit, *, heroes: bool = False) -> list[str]:
    """Leaders who may lend a hand, heroes where they count too, and nobody."""
    found = [""]
    for other in units_at(state, unit.at, unit.side):
        kind = unit_kind(state, other)
        if (kind.leads or (heroes and kind.smc)) and is_free(state, other) and is_outside(other):
            found.append(other.id)
    return found


def _works(state: SquadState, side: str) -> Iterable[Action]:
    if not rules_of(state).of(WorksRules).entrenching:
        return
    for unit in state.units.values():
        if unit.side != side or unit.at < 0:
            continue
        if may_dig(state, unit):
            yield from [Dig(unit.id, leader) for leader in helpers(state, unit)]
        if may_clear(state, unit):
            yield from [ClearWire(unit.id, leader) for leader in helpers(state, unit, heroes=True)]
        if may_clear_mines(state, unit):
            yield from [ClearMines(unit.id, leader) for leader in helpers(state, unit, heroes=True)]


def _offers(state: SquadState, frame: PrepFirePhase, side: str) -> Sequence[Action]:
    return list(_works(state, side))


def _stays(state: SquadState, side: str, mode: str) -> bool:
    return mode == "prep" and next(iter(_works(state, side)), None) is not None


# -- the DR -----------------------------------------------------------------------------


def work_tally(state: SquadState, unit: Unit, leader: str, what: str) -> Tally:
    """DRM of an entrenching attempt or a clearance (B24.7, B24.8, B27.11)."""
    kind = unit_kind(state, unit)
    items: list[Item] = []
    if what == FOXHOLE and not kind.squad:
        items.append(("half-squad or crew", 1, "B27.11"))
    if what != FOXHOLE and kind.squad:
        items.append(("squad", -1, "B24.7"))
    if leader:
        helper = state.units[leader]
        if unit_kind(state, helper).leads:
            items.append((f"leader {short(state, helper)}", leadership(state, helper), "B27.11"))
        else:
            items.append((f"hero {short(state, helper)}", -1, "B24.7"))
    if labour := labour_of(state, unit):
        items.append(("labour", -labour, "B24.8"))
    if what == FOXHOLE and kind.nation == "russian":
        items.append(("Russians", -1, "A25.21"))
    if unit.cx:
        items.append(("CX", 1, "A4.51"))
    return Tally.of(TITLES[what], items)


def labour_of(state: SquadState, unit: Unit) -> int:
    """Labour that a unit has put in where it is (B24.8)."""
    place, number = LABOUR.of(state).get(unit.id, (-1, 0))
    return number if place == unit.at else 0


def _work(play: Play[SquadState], name: str, leader: str, what: str, limit: int, *, deadly: int = 99) -> bool:
    """Roll, and make everybody who took part TI, whether it works or not."""
    state = play.state
    for busy in (name, *([leader] if leader else [])):
        come_out(play, state.units[busy], "acts")
    unit = state.units[name]
    tally = work_tally(state, unit, leader, what)
    why = f"{tally.title} by {short(state, unit.id)}" if unit.concealed else tally.title
    # whoever is seen at work has come out; who is still concealed works out of sight, and the rolls would tell how many
    # dig and, with what is seen on the map, by what DRM
    only = (unit.side,) if unit.concealed else None
    dice = play.roll(6, 2, why, by=unit.side, tally=tally, to=only)
    roll = rolled(play, Roll("labour", unit.side, dice, (unit.id,), unit.at))
    success = roll.original + tally.total <= limit
    for busy in (name, *([leader] if leader else [])):
        mark(play, update(play, state.units[busy], marker=PREP_FIRE), TI)
    if success:
        LABOUR.of(state).pop(name, None)
    else:
        LABOUR.of(state)[name] = (unit.at, min(labour_of(state, unit) + 1, MOST_LABOUR))
    play.emit(Worked(unit=name, at=name_of(state, unit.at), what=what, success=success, to=only))
    if roll.original >= deadly:
        casualty_reduce(play, state.units[name], "mines")
    settled(play, roll)
    return success


def _dig(play: Play[SquadState], frame: PrepFirePhase, side: str, action: Dig) -> None:
    state = play.state
    unit = state.units[action.unit]
    if _work(play, action.unit, action.leader, FOXHOLE, DIGS):
        hole = lay_foxhole(state, unit.at, side)
        for name in (action.unit, *([action.leader] if action.leader else [])):
            put_in(state, state.units[name], hole)
    list_firers_anew(play)


def _clear(play: Play[SquadState], frame: PrepFirePhase, side: str, action: ClearWire) -> None:
    state = play.state
    unit = state.units[action.unit]
    if _work(play, action.unit, action.leader, WIRE, CLEARS):
        wire = works_at(state, unit.at, WIRE)[0]
        take_up(state, unit.at, wire)
        for other in units_at(state, unit.at):
            if other.within == wire.id:
                update(play, other, within="")
    list_firers_anew(play)


def _clear_mines(play: Play[SquadState], frame: PrepFirePhase, side: str, action: ClearMines) -> None:
    """The field is gone, or somebody steps on a mine (B24.74, ruling W-9)."""
    state = play.state
    unit = state.units[action.unit]
    deadly = 11 if inexperienced(state, unit) else 12
    if _work(play, action.unit, action.leader, MINEFIELD, CLEARS, deadly=deadly):
        del MINES.of(state)[unit.at]
    list_firers_anew(play)


# -- words ------------------------------------------------------------------------------


def _helped(state: SquadState, action: Dig | ClearWire | ClearMines) -> str:
    return f", {short(state, action.leader)} helps" if action.leader else ""


def _describe_dig(state: SquadState, side: str, action: Dig) -> Description:
    where = name_of(state, state.units[action.unit].at)
    text = f"{short(state, action.unit)} digs a foxhole in {where}{_helped(state, action)}"
    who = (action.unit, *([action.leader] if action.leader else []))
    return Description(text, "dig", who, (where,), rule="B27.11")


def _describe_clear(state: SquadState, side: str, action: ClearWire) -> Description:
    where = name_of(state, state.units[action.unit].at)
    text = f"{short(state, action.unit)} clears the wire in {where}{_helped(state, action)}"
    who = (action.unit, *([action.leader] if action.leader else []))
    return Description(text, "dig", who, (where,), rule="B24.73")


def _describe_mines(state: SquadState, side: str, action: ClearMines) -> Description:
    where = name_of(state, state.units[action.unit].at)
    text = f"{short(state, action.unit)} clears the mines in {where}{_helped(state, action)}"
    who = (action.unit, *([action.leader] if action.leader else []))
    note = "An original 12 costs it men; 11 too if it is Inexperienced"
    return Description(text, "dig", who, (where,), rule="B24.74", notes=(note,))


def _odds(tally: Tally, limit: int, good: str) -> Preview:
    hits = sum([a + b + tally.total <= limit for a in range(1, 7) for b in range(1, 7)])
    rows = (OddsLine(good, hits / 36), OddsLine("no result", 1 - hits / 36))
    return Preview(tally.title, (tally,), rows)


def _preview_dig(state: SquadState, side: str, action: Dig) -> Preview:
    return _odds(work_tally(state, state.units[action.unit], action.leader, FOXHOLE), DIGS, "foxhole")


def _preview_clear(state: SquadState, side: str, action: ClearWire) -> Preview:
    return _odds(work_tally(state, state.units[action.unit], action.leader, WIRE), CLEARS, "wire cleared")


def _preview_mines(state: SquadState, side: str, action: ClearMines) -> Preview:
    tally = work_tally(state, state.units[action.unit], action.leader, MINEFIELD)
    return _odds(tally, CLEARS, "mines cleared")


def _why_not(state: SquadState, side: str, action: Any) -> Bar | None:
    if not isinstance(state.stack[-1], PrepFirePhase):
        return "Foxholes are dug and wire is cleared in your own Prep Fire Phase", "B27.11"
    if action in _works(state, side):
        return None
    return (
        "Only an unengaged MMC digs where that is possible, or clears Known mines or wire that it is beneath",
        "B27.11",
    )


def _words(state: SquadState, event: Worked) -> str:
    who = short(state, event.unit)
    if event.what == FOXHOLE:
        return f"{who} {'digs' if event.success else 'fails to dig'} a foxhole in {event.at}"
    what = "the wire" if event.what == WIRE else "the mines"
    return f"{who} {'clears' if event.success else 'fails to clear'} {what} in {event.at}"


PART = Part(
    needs=(BUSY,),
    fields=(LABOUR,),
    offers={PrepFirePhase: _offers},
    does={Dig: _dig, ClearWire: _clear, ClearMines: _clear_mines},
    stays=_stays,
    describe={Dig: _describe_dig, ClearWire: _describe_clear, ClearMines: _describe_mines},
    preview={Dig: _preview_dig, ClearWire: _preview_clear, ClearMines: _preview_mines},
    why_not={Dig: _why_not, ClearWire: _why_not, ClearMines: _why_not},
    words={Worked: _words},
)
