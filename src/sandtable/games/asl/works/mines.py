"""A-P mines attack whoever enters or leaves their hex; boobytraps go off at task checks (B28.4, B28.9)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Event, Play, Tally
from sandtable.engine.view import MarkView
from sandtable.games.asl.works.model import BOOBYTRAPS, MINES, TRENCH, TRENCHED, Minefield, within, works_at
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.effects.morale import casualty_reduce
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.ground.setting import rules_of
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Look, Part, Roll, Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.marker_faces import tag
from sandtable.games.squad.show.palette import PAPER

TRIGGERS = {"A": (11, 12), "B": (11,), "C": (12,)}
"""Original task check DRs that set off boobytraps of a level (B28.9)."""


class MinesAttack(Event, frozen=True):
    """Mines went off under units."""

    units: tuple[str, ...]
    at: str
    factors: int
    dice: tuple[int, ...]
    result: str


class Boobytrapped(Event, frozen=True):
    """A boobytrap went off."""

    unit: str
    at: str


def attack(play: Play[SquadState], place: int, field: Minefield, who: Sequence[str]) -> None:
    """The mines of a hex attack units together, without DRM; they are known from now on (B28.41)."""
    state = play.state
    if not field.known:
        MINES.of(state)[place] = replace(field, known=True)
    column = IFT.column(field.factors)
    tally = Tally.of(f"{field.factors} factors of mines", [])
    dice = play.roll(6, 2, f"mines in {name_of(state, place)}", tally=tally)
    result = IFT.result(column, sum(dice))
    play.emit(
        MinesAttack(
            units=tuple(who), at=name_of(state, place), factors=field.factors, dice=tuple(dice), result=str(result)
        )
    )
    resolve_effects(play, who, result, column=column)


def _struck(play: Play[SquadState], who: Sequence[str], place: int, over: tuple[int, int]) -> None:
    state = play.state
    field = MINES.of(state).get(place)
    units = [state.units[name] for name in who if name in state.units]
    if field is None or not units or state.outcome is not None:
        return
    if units[0].side == field.side and not rules_of(state).of(WorksRules).mines_attack_owner:
        return
    if _by_trench(state, who, over):
        return
    attack(play, place, field, [unit.id for unit in units])


def _by_trench(state: SquadState, who: Sequence[str], over: tuple[int, int]) -> bool:
    """Whether units go from trench to trench, where no mines are (B28.44)."""
    frm, to = over
    if frm < 0 or not works_at(state, frm, TRENCH) or not works_at(state, to, TRENCH):
        return False
    on_the_way = TRENCHED.of(state)
    units = [state.units[name] for name in who if name in state.units]
    return all([unit.id in on_the_way or within(state, unit, TRENCH) is not None for unit in units])


def entered(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Mines attack on entry (B28.4)."""
    _struck(play, who, to, (frm, to))


def leaves(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Mines attack on exit; whoever is pinned or broken stays (B28.412)."""
    _struck(play, who, frm, (frm, to))


def settled(play: Play[SquadState], roll: Roll) -> None:
    """A task check sets off a boobytrap: one of the Personnel there suffers Casualty Reduction (B28.9)."""
    if roll.kind != "task" or roll.at < 0 or len(roll.dice) != 2:
        return
    state = play.state
    level = BOOBYTRAPS.of(state).get(roll.side, "")
    if not level or roll.original not in TRIGGERS[level]:
        return
    units = units_at(state, roll.at, roll.side)
    if not units:
        return
    (victim,) = random_selection(play, units, "boobytrap")[:1]
    play.emit(Boobytrapped(unit=victim.id, at=name_of(state, roll.at)))
    casualty_reduce(play, victim, "boobytrap")


def searched(play: Play[SquadState], cell: int, side: str) -> bool:
    """A Search shows that there are mines (A12.152)."""
    field = MINES.of(play.state).get(cell)
    if field is None or field.side == side:
        return False
    MINES.of(play.state)[cell] = replace(field, known=True)
    return True


def _words(state: SquadState, event: MinesAttack) -> str:
    dice = " ".join(map(str, event.dice))
    result = "no effect" if event.result == "-" else event.result
    return f"Mines ({event.factors}) in {event.at} attack {names(state, event.units)}: rolled {dice}, {result}"


def _shows(state: SquadState, side: str | None) -> Shown:
    marks = [
        MarkView(name_of(state, place), "marker/mines", f"Minefield, {field.factors} factors", field.side)
        for place, field in sorted(MINES.of(state).items())
        if field.known or field.side == side
    ]
    return Shown(marks=tuple(marks))


PART = Part(
    fields=(MINES, BOOBYTRAPS),
    enters=entered,
    leaves=leaves,
    settled=settled,
    searches=searched,
    words={
        MinesAttack: _words,
        Boobytrapped: lambda state, event: f"A boobytrap goes off under {short(state, event.unit)} in {event.at}",
    },
    faces={
        "marker/mines": Look(tag("MINES", PAPER, "#6b3a1e"), "Minefield", "Attacks whoever enters or leaves", "B28.4")
    },
    shows=_shows,
)
