"""Losing concealment, by every cause of the table (A12.121, A12.14)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.concealment.model import (
    ConcealmentLost,
    DummyRemoved,
    Glimpsed,
    KeptUnderFire,
    Proved,
    PutUnderQuestion,
)
from sandtable.games.asl.concealment.seen import FAR, NEAR, NONE, cases_of, in_plain_view, real, seen_from, watchers
from sandtable.games.asl.concealment.switches import ConcealmentRules
from sandtable.games.asl.works.model import TRENCHED
from sandtable.games.squad.ground.cover import in_the_open, mover_of
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import ground_of, rules_of
from sandtable.games.squad.ground.stacks import leave_map, mark_dm_near, name_of, update
from sandtable.games.squad.part import Before
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit

ALWAYS = "*"
"""Whatever the distance, and seen or not."""
CASES = {
    "fires": "BD",
    "fires ordnance": "B",
    "fires a Gun with 5": "g",
    "fires a Gun with 6": "G",
    "directs": "B",
    "acts": "C",
    "destroys its Gun": "C",
    "waits to fire": "D",
    "hit by fire": "AE",
    "breaks": "AEF",
    "is reduced": "AEF",
    "is wounded": "AEF",
    "goes berserk": "AE",
    "is hit by a sniper": "AE",
    "is thrown back": "A",
    "fights": "A",
    "is ambushed": ALWAYS,
    "is searched": ALWAYS,
    "is captured": ALWAYS,
    "is detected": ALWAYS,
    "shows itself": ALWAYS,
    "eliminated": ALWAYS,
    "leaves the map": ALWAYS,
}
"""The cases that each doing or suffering belongs to; others show nobody."""
UNDER_QUESTION = ("moves", "advances", "found", "in the open and in sight of an enemy", "joins close combat")
"""What puts a hidden unit under a "?" instead of showing it (A12.31-12.34)."""
DUMMY_GOES = ("is pinned", "fights")
"""What ends a Dummy besides the loss of its "?": any pin or failed check, and being asked to fight (A12.11)."""


def comes_out(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """A unit does or suffers something: it may lose its "?", or come from hiding under one (A12.14, A12.3)."""
    state = play.state
    if hidden(unit):
        return _from_hiding(play, unit, why)
    if not unit.concealed:
        return False
    if not real(state, unit) and why in ("eliminated", *DUMMY_GOES):
        if why != "eliminated":
            vanish(play, unit)
        return False
    if loses(play, unit, why):
        lose(play, unit, why)
    elif why in ("drops a weapon", "destroys its Gun"):
        play.emit(Glimpsed(side=unit.side, at=name_of(state, unit.at)))
    elif why == "hit by fire":
        play.emit(KeptUnderFire(side=unit.side, at=name_of(state, unit.at)))
    return False


FATES = {"break": "breaks", "pin": "is pinned", "reduce": "is reduced", "wound": "is wounded"}
"""What befalls a unit, as a cause of loss."""


def before(cause: str) -> Before:
    """Something befalls a unit: it may lose its "?"; with a Dummy nothing more happens."""

    def befalls(play: Play[SquadState], unit: Unit, why: str) -> bool:
        comes_out(play, unit, cause)
        return unit.id not in play.state.units

    return befalls


def _from_hiding(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """A hidden unit is put under a "?", stays hidden, or is shown in full (False) (A12.3, A12.34)."""
    if why in ("fires ordnance", "fires a Gun with 5", "fires a Gun with 6"):
        if seen_from(play.state, unit)[0] == NONE:
            return True
        put_under_question(play, unit, why)
        return False
    if why in UNDER_QUESTION:
        put_under_question(play, unit, why)
        return True
    # what nobody notices leaves him hidden; whatever hurts him shows him (A12.3)
    return why in ("fires", "directs", "acts", "waits to fire") and not noticed(play, unit, CASES[why])


def loses(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """Whether what a unit does or suffers costs it its concealment; a concealed watcher proves himself (A12.14)."""
    cases = CASES.get(why, "")
    if cases == ALWAYS:
        return True
    return bool(cases) and noticed(play, unit, cases)


def noticed(play: Play[SquadState], unit: Unit, cases: str) -> bool:
    """Whether a unit loses its concealment by one of these cases, as well as it is seen (A12.121).

    A small g is case G for those near enough.
    """
    state = play.state
    seen, by = seen_from(state, unit)
    if cases == "g" and seen == NEAR:
        cases = "G"
    if seen != NONE and in_plain_view(state, unit):
        return _proved(play, by)
    if not set(cases).intersection(cases_of(state, unit, seen)):
        return False
    return seen == NONE or ("E" in cases and seen == FAR) or _proved(play, by)


def _proved(play: Play[SquadState], by: Unit | None) -> bool:
    """A concealed watcher shows for a moment that he is real, and keeps his "?" (A12.14, ruling C-2)."""
    if by is None or not by.concealed:
        return True
    if not rules_of(play.state).of(ConcealmentRules).proof_is_automatic:
        return False
    proof = Proved(side=by.side, at=name_of(play.state, by.at))
    if proof not in play.events:  # once is enough for a whole stack
        play.emit(proof)
    return True


def lose(play: Play[SquadState], unit: Unit, why: str) -> None:
    """The "?" comes off; there was nobody under that of a Dummy (A12.11)."""
    state = play.state
    unit = state.units[unit.id]
    if not real(state, unit):
        vanish(play, unit)
        return
    update(play, unit, concealed=False)
    play.emit(ConcealmentLost(unit=unit.id, at=name_of(state, unit.at), why=why))
    if unit.at >= 0:
        mark_dm_near(play, unit.at, unit.side)


def vanish(play: Play[SquadState], unit: Unit) -> None:
    """A Dummy is removed (A12.11)."""
    state = play.state
    play.emit(DummyRemoved(side=unit.side, at=name_of(state, unit.at)))
    leave_map(play, unit, "dummy")
    del state.gone[unit.id]


def put_under_question(play: Play[SquadState], unit: Unit, why: str) -> Unit:
    """A hidden unit and its weapons are on the map now, under a "?" (A12.31)."""
    state = play.state
    for name in unit.weapons:
        if hidden(state.weapons[name]):
            state.weapons[name] = replace(state.weapons[name], hip=False)
    new = update(play, unit, hip=False, concealed=True)
    play.emit(PutUnderQuestion(side=unit.side, at=name_of(state, unit.at), why=why))
    return new


# -- movement ---------------------------------------------------------------------------


def spent(play: Play[SquadState]) -> None:
    """Movers have spent MF in sight: all but Assault Movement, and any entry of Open Ground, cost the "?" (A12.14)."""
    state = play.state
    for name in moving_units(state):
        unit = state.units[name]
        if unit.concealed and unit.at >= 0 and (cases := _moving_cases(state, unit)) and noticed(play, unit, cases):
            lose(play, unit, "moves in sight")


def _moving_cases(state: SquadState, unit: Unit) -> str:
    mover = mover_of(state, unit.id)
    assert mover is not None
    if hasattr(state, TRENCHED.name) and unit.id in TRENCHED.of(state):
        return ""  # from trench to trench (B27.54)
    cases = "" if mover.assault else "A"
    return cases + ("B" if mover.hexes and _into_the_open(state, unit, road=mover.road_rate) else "")


def in_open_ground(state: SquadState, cell: int, *, road: bool = False) -> bool:
    """Whether a hex is Open Ground for a unit that has just come into it (A12.14)."""
    ground = ground_of(state)
    return ground.open[cell] or (road and not ground.in_building[cell])


def _into_the_open(state: SquadState, unit: Unit, *, road: bool = False) -> bool:
    """Whether a unit is in Open Ground now; at a Crest only if somebody sees it other than over its front (B20.91)."""
    if not in_open_ground(state, unit.at, road=road):
        return False
    if unit.at not in ground_of(state).floors:
        return True
    mover = mover_of(state, unit.id) or Mover(unit.id, unit.at)
    return any([in_the_open(state, enemy.at, unit.at, mover) for enemy in watchers(state, unit.side, unit.at)])


def enters(play: Play[SquadState], names: Sequence[str], frm: int, to: int, how: str) -> None:
    """Units have advanced or withdrawn: into Open Ground in sight they lose their "?" (A12.14, A11.21)."""
    state = play.state
    for name in names if how in ("advances", "withdraws") else ():
        unit = state.units.get(name)
        if unit is not None and unit.concealed and _into_the_open(state, unit) and noticed(play, unit, "B"):
            lose(play, unit, f"{how} into Open Ground")
