"""Going into works and out of them, on the move and by an advance; from trench to trench (B27.4-B27.6, B30.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.engine import Action, Event, Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.terrain.walls import is_outside
from sandtable.games.asl.works.model import (
    ENTRENCHMENTS,
    FOXHOLE,
    PILLBOX,
    SHELTERS,
    TRENCH,
    TRENCHED,
    WIRE,
    has_room,
    put_in,
    within,
    works_at,
)
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.squad.combat.advance import may_advance
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.ground.counters import kind_of
from sandtable.games.squad.ground.cover import mover_of
from sandtable.games.squad.ground.names import names, short, verb
from sandtable.games.squad.ground.setting import rules_of, setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import fits, has_enemy, name_of, units_at, update
from sandtable.games.squad.movement.model import MfSpent, Move, Spent
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import able_movers, affordable, enter, runs_into, spend
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import Counter, Mover, SquadState, Unit

IN_OR_OUT = 2
"""Half MF to go into a work or to come out of it (B27.4, B30.4)."""


class GoIn(Action, frozen=True):
    """The moving units go into a work of their hex."""

    work: str


class ComeOut(Action, frozen=True):
    """The moving units come out of the work that they are in."""


class AlongTrench(Action, frozen=True):
    """From a trench into the trench of an adjacent hex."""

    to: int


class AdvanceIn(Action, frozen=True):
    """A unit advances into a work of its own hex."""

    unit: str
    work: str


class Sheltered(Event, frozen=True):
    """Units went into a work, or came out."""

    units: tuple[str, ...]
    at: str
    work: str
    inside: bool


# -- what is possible -------------------------------------------------------------------


def open_works(state: SquadState, place: int, units: Sequence[Unit]) -> list[Counter]:
    """Works of a hex into which these units may go together (B27.13, B30.4)."""
    if has_enemy(state, place, units[0].side):
        return []
    present = works_at(state, place, *SHELTERS)
    return [work for work in present if units[0].within != work.id and has_room(state, place, work, units)]


def _movers(state: SquadState) -> tuple[list[Mover], list[Unit]]:
    movers = able_movers(state)
    units = [state.units[mover.id] for mover in movers]
    if not units or units[0].at < 0 or any([unit.within != units[0].within for unit in units]):
        return [], []
    return movers, units


def _has_gun(state: SquadState, units: Sequence[Unit]) -> bool:
    """Whether a Gun would have to go along; it stays in trenches and pillboxes (B27.1, B27.5, B30.45)."""
    return any([weapon_kind(state.weapons[name]).gun for unit in units for name in unit.weapons])


def _offers(state: SquadState, frame: Move, side: str) -> Sequence[Action]:
    movers, units = _movers(state)
    if not units:
        return ()
    allowed = allotments(state, movers)
    if not affordable(state, movers, allowed, IN_OR_OUT, road=False):
        return ()
    found: list[Action] = []
    shelter = within(state, units[0], *SHELTERS)
    gun = _has_gun(state, units)
    if shelter is not None and (not gun or shelter.kind == FOXHOLE):
        found.append(ComeOut())
    if gun:
        return found
    if within(state, units[0], WIRE) is None and shelter is None:
        found += [GoIn(work.id) for work in open_works(state, units[0].at, units)]
    if shelter is not None and shelter.kind == TRENCH and not any([m.assault and m.hexes for m in movers]):
        for to, cost in joined(state, units):
            if affordable(state, movers, allowed, cost, road=False):
                found.append(AlongTrench(to))
    return found


def joined(state: SquadState, units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Adjacent trenches with room, each with its half MF: one MF, two uphill (B27.54)."""
    ground = setting_of(state).ground
    cell, side = units[0].at, units[0].side
    found = []
    for way in ground.ways[cell]:
        if has_enemy(state, way.to, side) or not fits(state, way.to, side, units):
            continue
        for trench in works_at(state, way.to, TRENCH):
            if has_room(state, way.to, trench, units):
                found.append((way.to, IN_OR_OUT * (2 if way.change > 0 else 1)))
    return found


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """Whoever is in a work comes out before he goes on; nobody advances out of a besieged pillbox (B27.4, B30.44)."""
    if state.phase == "MPh":
        for unit in units:
            work = within(state, unit, *SHELTERS)
            if work is not None and work.kind != FOXHOLE and _has_gun(state, [unit]):
                return (f"A Gun stays in its {work.kind}", kind_of(state, work).rule)
            if work is not None:
                return (f"It comes out of the {work.kind} first, for 1 MF", kind_of(state, work).rule)
    boxed = state.phase in ("APh", "CCPh") and any([within(state, unit, PILLBOX) is not None for unit in units])
    if boxed and frm >= 0 and has_enemy(state, frm, units[0].side):
        return ("From a pillbox with an enemy outside one advances into its own hex only", "B30.44")
    return None


def _advances(state: SquadState, frame: AdvancePhase, side: str) -> Sequence[Action]:
    """Units that have not advanced may go into a work of their hex instead (B27.42)."""
    if side != state.attacker:
        return ()
    found: list[Action] = []
    for place in sorted(state.counters):
        if works_at(state, place, *SHELTERS):
            for unit in units_at(state, place, side):
                if is_outside(unit) and may_advance(state, unit):
                    found += [AdvanceIn(unit.id, work.id) for work in open_works(state, place, [unit])]
    return found


# -- what is done -----------------------------------------------------------------------


def _named(state: SquadState, place: int, work: str) -> Counter:
    return next(counter for counter in state.counters[place] if counter.id == work)


def _go_in(play: Play[SquadState], frame: Move, side: str, action: GoIn) -> None:
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    place = state.units[who[0]].at
    work = _named(state, place, action.work)
    spend(play, IN_OR_OUT)
    for name in who:
        put_in(state, state.units[name], work)
    play.emit(MfSpent(units=who, at=name_of(state, place), mf=IN_OR_OUT / 2, what=f"goes into the {work.kind}"))
    play.push(Spent())


def _come_out(play: Play[SquadState], frame: Move, side: str, action: ComeOut) -> None:
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    place = state.units[who[0]].at
    work = within(state, state.units[who[0]], *SHELTERS)
    assert work is not None
    spend(play, IN_OR_OUT)
    _forget(state, who)
    for name in who:
        update(play, state.units[name], within="")
    play.emit(MfSpent(units=who, at=name_of(state, place), mf=IN_OR_OUT / 2, what=f"comes out of the {work.kind}"))
    play.push(Spent())


def _along(play: Play[SquadState], frame: Move, side: str, action: AlongTrench) -> None:
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    cost = dict(joined(state, [state.units[name] for name in who]))[action.to]
    if runs_into(play, who, action.to, cost):
        return
    TRENCHED.put(state, tuple(dict.fromkeys((*TRENCHED.of(state), *who))))
    enter(play, who, action.to, cost)
    trench = works_at(state, action.to, TRENCH)[0]
    for name in who:
        if name in state.units:
            put_in(state, state.units[name], trench)


def _advance_in(play: Play[SquadState], frame: AdvancePhase, side: str, action: AdvanceIn) -> None:
    state = play.state
    unit = state.units[action.unit]
    work = _named(state, unit.at, action.work)
    put_in(state, update(play, unit, advanced=True), work)
    play.emit(Sheltered(units=(unit.id,), at=name_of(state, unit.at), work=work.kind, inside=True))


def _forget(state: SquadState, who: Sequence[str]) -> None:
    """These units are seen moving again."""
    if TRENCHED.of(state):
        TRENCHED.put(state, tuple([name for name in TRENCHED.of(state) if name not in who]))


def _move_ends(play: Play[SquadState]) -> None:
    TRENCHED.put(play.state, ())


def _trench_line(state: SquadState, attack: Any, unit: Unit | None) -> list[Item]:
    """Whoever goes from trench to trench suffers no FFNAM (B27.54)."""
    if unit is None or unit.id not in TRENCHED.of(state):
        return []
    mover = mover_of(state, unit.id)
    if mover is None or mover.assault or unit.pinned:
        return []
    return [("from trench to trench: no FFNAM", 1, "B27.54")]


def _pillbox_havens(state: SquadState) -> bool:
    return rules_of(state).of(WorksRules).pillbox_havens


def havens(state: SquadState, units: Sequence[Unit]) -> Iterator[int]:
    """Pillboxes with room are goals of a rout, as buildings are (B30.5, ruling W-8)."""
    if not _pillbox_havens(state):
        return
    for place in {place for place, counters in state.counters.items() for c in counters if c.kind == PILLBOX}:
        if any([work.kind == PILLBOX for work in open_works(state, place, units)]):
            yield place


def entered(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Units that rout or advance into a hex with room in an entrenchment go under it (B27.42, ruling W-2).

    Who routs goes into a pillbox, too (B30.5, ruling W-8).
    """
    state = play.state
    if how == "moves" or works_at(state, to, WIRE):
        return
    for name in who:
        unit = state.units.get(name)
        if unit is None or unit.within or unit.at != to:
            continue
        kinds = (PILLBOX, *ENTRENCHMENTS) if how == "routs" and _pillbox_havens(state) else ENTRENCHMENTS
        works = [work for work in open_works(state, to, [unit]) if work.kind in kinds]
        if works:
            put_in(state, unit, min(works, key=lambda work: kinds.index(work.kind)))


# -- words ------------------------------------------------------------------------------


def _who(state: SquadState) -> tuple[str, ...]:
    return tuple(mover.id for mover in able_movers(state))


def _where(state: SquadState) -> str:
    return name_of(state, state.units[_who(state)[0]].at)


def _kind(state: SquadState, place: int, work: str) -> str:
    return next((counter.kind for counter in state.counters.get(place, ()) if counter.id == work), "work")


def _describe_in(state: SquadState, side: str, action: GoIn) -> Description:
    place = state.units[_who(state)[0]].at
    text = f"Go into the {_kind(state, place, action.work)}"
    return Description(text, "move", _who(state), (_where(state),), rule="B27.4", cost="1 MF")


def _describe_out(state: SquadState, side: str, action: ComeOut) -> Description:
    work = within(state, state.units[_who(state)[0]], *SHELTERS)
    text = f"Come out of the {work.kind if work is not None else 'work'}"
    return Description(text, "move", _who(state), (_where(state),), rule="B27.4", cost="1 MF")


def _describe_along(state: SquadState, side: str, action: AlongTrench) -> Description:
    cost = dict(joined(state, [state.units[name] for name in _who(state)])).get(action.to, IN_OR_OUT)
    where = name_of(state, action.to)
    return Description(
        f"Go along the trench to {where}", "move", _who(state), (where,), rule="B27.54", cost=f"{cost / 2:g} MF"
    )


def _describe_advance(state: SquadState, side: str, action: AdvanceIn) -> Description:
    place = state.units[action.unit].at
    text = f"{short(state, action.unit)} advances into the {_kind(state, place, action.work)}"
    return Description(text, "advance", (action.unit,), (name_of(state, place),), rule="B27.42")


def _why_not(state: SquadState, side: str, action: Any) -> Bar | None:
    frame = state.stack[-1]
    if isinstance(frame, Move) and action in _offers(state, frame, side):
        return None
    if isinstance(frame, AdvancePhase) and action in _advances(state, frame, side):
        return None
    if not isinstance(frame, Move | AdvancePhase):
        return None
    return "The fortification has no room for these units, they lack the MF, or an enemy is in the hex", "B27.13"


def _sheltered(state: SquadState, event: Sheltered) -> str:
    enters, leaves = verb(event.units, "goes into", "go into"), verb(event.units, "comes out of", "come out of")
    return f"{names(state, event.units)} {enters if event.inside else leaves} the {event.work} in {event.at}"


PART = Part(
    fields=(TRENCHED,),
    lines={"fire": _trench_line, "to hit": _trench_line},
    ends={"MPh": _move_ends},
    offers={Move: _offers, AdvancePhase: _advances},
    does={GoIn: _go_in, ComeOut: _come_out, AlongTrench: _along, AdvanceIn: _advance_in},
    bars={"enter": enter_bar},
    enters=entered,
    havens=havens,
    describe={
        GoIn: _describe_in,
        ComeOut: _describe_out,
        AlongTrench: _describe_along,
        AdvanceIn: _describe_advance,
    },
    why_not=dict.fromkeys((GoIn, ComeOut, AlongTrench, AdvanceIn), _why_not),
    words={Sheltered: _sheltered},
)
