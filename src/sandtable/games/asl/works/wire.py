"""Wire: entering puts a unit on top of it, a dr gets it beneath (B26.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Event, Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.works.model import WIRE, put_in, within, works_at
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import weapon_kind
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.movement.model import MfSpent, Move, Spent
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import able_movers
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState, Unit


class GetBeneath(Action, frozen=True):
    """The moving units try to get beneath the wire that they are on."""


class Wired(Event, frozen=True):
    """A unit got beneath wire, or hangs on it."""

    unit: str
    at: str
    mf: int
    beneath: bool


def _on_top(state: SquadState, units: Sequence[Unit]) -> bool:
    return bool(units) and all([within(state, unit, WIRE) is not None for unit in units])


def _offers(state: SquadState, frame: Move, side: str) -> Sequence[Action]:
    movers = able_movers(state)
    if not _on_top(state, [state.units[mover.id] for mover in movers]):
        return ()
    allowed = allotments(state, movers)
    return [GetBeneath()] if all([allowed[m.id] - m.spent >= 2 and not m.double for m in movers]) else ()


def _get_beneath(play: Play[SquadState], frame: Move, side: str, action: GetBeneath) -> None:
    """Each unit pays the MF of its own dr; whoever has not so many left is hung up (B26.4)."""
    state = play.state
    movers = able_movers(state)
    allowed = allotments(state, movers)
    where = name_of(state, state.units[movers[0].id].at)
    hung: list[str] = []
    spent: dict[str, int] = {}
    for mover in movers:
        (dr,) = play.roll(6, 1, f"getting beneath wire: {short(state, mover.id)}", by=side)
        left = allowed[mover.id] - mover.spent
        beneath = 2 * dr <= left
        spent[mover.id] = 2 * dr if beneath else left
        if beneath:
            update(play, state.units[mover.id], within="")
        else:
            hung.append(mover.id)
        play.emit(Wired(unit=mover.id, at=where, mf=dr, beneath=beneath))
    moving = state.moving
    assert moving is not None
    state.moving = replace(
        moving,
        movers=tuple(
            replace(m, spent=m.spent + spent[m.id], here=m.here + spent[m.id], road=False) if m.id in spent else m
            for m in moving.movers
        ),
    )
    who = tuple(spent)
    play.emit(MfSpent(units=who, at=where, mf=max(spent.values()) / 2, what="works through the wire"))
    play.push(Spent(ends=tuple(hung)))


def entered(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Whoever enters is on top of the wire (B26.4)."""
    state = play.state
    for wire in works_at(state, to, WIRE):
        for name in who:
            unit = state.units.get(name)
            if unit is not None and unit.at == to:
                put_in(state, unit, wire)


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """Nobody leaves from on top of wire, routs into it or pushes a Gun there (B26.4, B26.41, C10.3, ruling W-4)."""
    if state.phase in ("MPh", "APh", "CCPh") and any([within(state, unit, WIRE) is not None for unit in units]):
        return ("It is on top of wire and must get beneath it first, in the Movement Phase", "B26.4")
    if state.phase == "RtPh" and to >= 0 and works_at(state, to, WIRE):
        return ("No unit may rout into wire", "B26.41")
    pushed = any([weapon_kind(state.weapons[name]).gun for unit in units for name in unit.weapons])
    if pushed and to >= 0 and works_at(state, to, WIRE):
        return ("No Gun may be pushed into wire", "C10.3")
    return None


def _describe(state: SquadState, side: str, action: GetBeneath) -> Description:
    who = tuple(mover.id for mover in able_movers(state))
    where = name_of(state, state.units[who[0]].at)
    return Description(
        "Get beneath the wire", "move", who, (where,), rule="B26.4", cost="1 to 6 MF", notes=("a dr for each unit",)
    )


def _why_not(state: SquadState, side: str, action: Any) -> Bar | None:
    frame = state.stack[-1]
    if not isinstance(frame, Move) or action in _offers(state, frame, side):
        return None
    return "Only units on top of wire get beneath it, with 1 MF left and without Double Time", "B26.4"


def _words(state: SquadState, event: Wired) -> str:
    who = short(state, event.unit)
    if event.beneath:
        return f"{who} gets beneath the wire in {event.at} ({event.mf} MF)"
    return f"{who} fails to get beneath the wire in {event.at}"


PART = Part(
    offers={Move: _offers},
    does={GetBeneath: _get_beneath},
    enters=entered,
    bars={"enter": enter_bar},
    describe={GetBeneath: _describe},
    why_not={GetBeneath: _why_not},
    words={Wired: _words},
)
