"""Gaining concealment: at set-up, on entry, and at the end of one's own Player Turn (A12.12)."""

from __future__ import annotations

from sandtable.engine import Play, Tally
from sandtable.engine.part import Field
from sandtable.games.asl.concealment.losing import lose
from sandtable.games.asl.concealment.model import ConcealmentFailed, ConcealmentGained, ForcesSeen
from sandtable.games.asl.concealment.seen import NEAR_RANGE, concealment_terrain, denying, real
from sandtable.games.asl.concealment.switches import ConcealmentRules
from sandtable.games.asl.nations.traits import lax, stealthy
from sandtable.games.asl.strength import us_number
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.ground.counters import cover_of
from sandtable.games.squad.ground.guns import manned_gun
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import ground_of, other_side, rules_of, setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import leave_map, name_of, units_at, update
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit

GAINS_ON = 5
"""A concealment dr of this or less (A12.122)."""
JAPANESE = -2
NO, ROLL, GAINED = range(3)

MAY_HIDE: Field[dict[str, int]] = Field("may_hide", dict[str, int], {})
"""Half-squads that each side may set up hidden (A12.3)."""


def conceal(play: Play[SquadState], names: list[str], why: str = "", *, secret: bool = False) -> None:
    """Units of one Location come to lie under a "?" (A12.11); `secret`: nobody has seen them yet."""
    state = play.state
    if not names:
        return
    first = state.units[names[0]]
    to = (first.side,) if secret else None
    play.emit(ConcealmentGained(units=tuple(names), at=name_of(state, first.at), why=why, to=to))
    for name in names:
        update(play, state.units[name], concealed=True)


# -- at the start -----------------------------------------------------------------------


def begin(play: Play[SquadState]) -> None:
    """Both sides stand: "?" of the order of battle, then one for every stack that no enemy sees (A12.12)."""
    state = play.state
    if state.turn != 1:
        return
    if rules_of(state).of(ConcealmentRules).enter_concealed:
        for unit in [unit for unit in state.units.values() if unit.at < 0]:
            update(play, unit, concealed=True)
    play.emit(ForcesSeen())
    for side in setting_of(state).sides:
        for cell in list(state.stacks):
            here = units_at(state, cell, side)
            if here:
                _at_start(play, cell, here)


def _at_start(play: Play[SquadState], cell: int, here: list[Unit]) -> None:
    state = play.state
    dummies = [unit for unit in here if not real(state, unit)]
    people = [unit.id for unit in here if real(state, unit) and not hidden(unit) and not unit.concealed]
    ground = ground_of(state)
    free = not seen_near(state, here[0].side, cell)
    if dummies and people:
        # the "?" lies on the stack; more of them than one are nothing
        for dummy in dummies:
            leave_map(play, dummy, "dummy")
            del state.gone[dummy.id]
        if concealment_terrain(ground, cell) or free:
            conceal(play, people, "set-up", secret=True)
        return
    for dummy in dummies:
        update(play, dummy, concealed=True)
        if not free and not concealment_terrain(ground, cell):
            lose(play, state.units[dummy.id], "set-up")
    if people and free:
        conceal(play, people, "set-up", secret=True)


def seen_near(state: SquadState, side: str, cell: int) -> bool:
    """Whether an unbroken enemy within 16 hexes sees a hex (A12.12)."""
    seen = range_of_view(state, side, cell)
    return seen is not None and seen <= NEAR_RANGE


def range_of_view(state: SquadState, side: str, cell: int) -> int | None:
    """The range from which the nearest unbroken enemy, or what counts as one, sees a hex; None: nobody (A12.1)."""
    ground = ground_of(state)
    ranges = ground.ranges[cell]
    places = denying(state, side).union(watching(state, side))
    for place in sorted(places, key=lambda one: (ranges[one], one)):
        # the lines of the hex itself are worked out, not those of all enemies
        if ground.line(cell, place) != BLOCKED and sees(state, place, cell):
            return ranges[place]
    return None


def watching(state: SquadState, side: str) -> list[int]:
    """Hexes with what counts as an unbroken enemy, although it is no unit (S3.1)."""
    return [place for watch in setting_of(state).points.watches for place in watch(state, side)]


def enter_concealed(play: Play[SquadState]) -> None:
    """Good Order units that are about to come on have a "?" (A12.12, ruling C-4)."""
    state = play.state
    if not rules_of(state).of(ConcealmentRules).enter_concealed:
        return
    for unit in list(state.units.values()):
        due = unit.at < 0 and unit.beside >= 0 and unit.side == state.attacker
        if due and unit.good_order and not unit.concealed:
            update(play, unit, concealed=True)


# -- at the end of a Player Turn --------------------------------------------------------


def chance_of(state: SquadState, unit: Unit) -> int:
    """Whether a unit gains concealment now: not at all, by a dr, or without (A12.121 table)."""
    ground = ground_of(state)
    ranges = ground.ranges[unit.at]
    seen = range_of_view(state, unit.side, unit.at)
    hides = concealment_terrain(ground, unit.at) or unit.within.startswith("pillbox")  # B30.7
    if seen is not None:
        far = seen > NEAR_RANGE
        return ROLL if far and hides and manned_gun(state, unit) is None else NO
    if hides:
        return GAINED
    enemy = other_side(state, unit.side)
    close = any(
        [
            other.side == enemy
            and not other.broken
            and not hidden(other)
            and other.at >= 0
            and ranges[other.at] <= NEAR_RANGE
            for other in state.units.values()
        ]
    ) or any([ranges[place] <= NEAR_RANGE for place in watching(state, unit.side)])
    return ROLL if close else GAINED


def dr_tally(state: SquadState, unit: Unit) -> Tally:
    """The drm of a concealment dr (A12.122)."""
    items: list[Item] = [("US#", us_number(state, unit), "A1.6")]
    leaders = [
        leadership(state, other)
        for other in units_at(state, unit.at, unit.side)
        if other.id != unit.id and other.good_order and not other.pinned and unit_kind(state, other).leads
    ]
    if leaders:
        items.append(("leader", min(leaders), "A12.122"))
    if lax(state, unit):
        items.append(("Lax", 1, "A11.18"))
    if stealthy(state, unit):
        items.append(("Stealthy", -1, "A11.17"))
    kind = ground_of(state).kinds[unit.at]
    laid = cover_of(state, unit.at, unit)
    if laid is not None and laid[1] > kind.tem:
        items.append((laid[0], -laid[1], "A12.122"))
        if kind.hindrance:
            items.append((kind.title.lower(), -kind.hindrance, "A12.122"))
    elif kind.tem + kind.hindrance:
        items.append((kind.title.lower(), -(kind.tem + kind.hindrance), "A12.122"))
    if unit_kind(state, unit).nation == "japanese":
        items.append(("Japanese", JAPANESE, "A12.122"))
    return Tally.of("Concealment", items)


def gain(play: Play[SquadState]) -> None:
    """The Player Turn ends: Good Order units of the ATTACKER gain concealment where they can (A12.12)."""
    state = play.state
    for names in list(state.stacks.values()):
        units = [state.units[name] for name in names]
        waiting = [u for u in units if u.side == state.attacker and u.good_order and not u.concealed and not hidden(u)]
        gained: list[str] = []
        for unit in waiting:
            chance = chance_of(state, unit)
            if chance == GAINED or (chance == ROLL and _rolls(play, unit)):
                gained.append(unit.id)
        conceal(play, gained)


def _rolls(play: Play[SquadState], unit: Unit) -> bool:
    tally = dr_tally(play.state, unit)
    if 1 + tally.total > GAINS_ON:
        return False
    if 6 + tally.total <= GAINS_ON:
        return True
    (dr,) = play.roll(6, 1, "concealment", by=unit.side, tally=tally)
    if dr + tally.total <= GAINS_ON:
        return True
    play.emit(ConcealmentFailed(unit=unit.id, at=name_of(play.state, unit.at)))
    return False
