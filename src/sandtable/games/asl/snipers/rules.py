"""When a Sniper attacks, whom, and what it does (A14.1-14.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Rolled, Tally
from sandtable.games.asl.busy import TI
from sandtable.games.asl.concealment.losing import vanish
from sandtable.games.asl.concealment.seen import real
from sandtable.games.asl.snipers.model import (
    LEAST_SAN,
    SNIPERS,
    CheckForSniper,
    Checking,
    LetSniperGo,
    MoveSniper,
    Snipe,
    SniperActive,
    SniperActs,
    SniperAims,
    SniperAttacked,
    SniperHit,
    SniperMoved,
    SniperSought,
    SnipeSniper,
    SnipeUnits,
)
from sandtable.games.asl.strength import half_squads
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.squad.effects.morale import (
    Loss,
    break_unit,
    casualty_reduce,
    leader_loss,
    leadership,
    pin,
    put_under_dm,
    remove,
)
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.knowledge import UNKNOWN, concealed, hidden, onlookers
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.setting import defender, ground_of, other_side, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import come_out, name_of, release_melee, units_at
from sandtable.games.squad.part import Item, Roll
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit

PHASES = ("PFPh", "MPh", "DFPh", "AFPh")
CALLING = ("fire", "residual", "to hit", "effect", "charge", "morale", "task", "labour")
WORKS = 2
"""A Sniper dr of this or less works (A14.2)."""
REACH, WANTED = 6, 6
"""A Sniper counter lies within six hexes of six hexes with enemies, or of as many as there are (A14.2)."""
KILLED, PINNED = 2, 3
SNIPE, MOVE, CHECK, LET_GO, AT_UNITS, AT_SNIPER = (
    Snipe(),
    MoveSniper(),
    CheckForSniper(),
    LetSniperGo(),
    SnipeUnits(),
    SnipeSniper(),
)


# -- the counter ------------------------------------------------------------------------


def best_hex(state: SquadState, side: str) -> int:
    """An empty hex within six hexes of as many hexes with enemies as count, the nearest of them (ruling N-1)."""
    ground = ground_of(state)
    foes = [
        cell
        for cell, names in state.stacks.items()
        if any([state.units[name].side != side and not hidden(state.units[name]) for name in names])
    ]
    empty = [cell for cell in range(ground.size) if cell not in state.stacks]

    def worth(cell: int) -> tuple[int, int]:
        near = sorted([ground.ranges[cell][foe] for foe in foes if ground.ranges[cell][foe] <= REACH])
        return -min(len(near), WANTED), sum(near[:WANTED])

    return min(empty, key=worth) if empty and foes else -1


def place(play: Play[SquadState]) -> None:
    """Play begins: the Sniper counters are placed (A14.2)."""
    state = play.state
    if state.turn == 1:
        for side in SNIPERS.of(state):
            put(play, side, best_hex(state, side))


def put(play: Play[SquadState], side: str, cell: int) -> None:
    """A Sniper counter lies in a hex now."""
    state = play.state
    SNIPERS.of(state)[side] = replace(SNIPERS.of(state)[side], at=cell)
    if cell >= 0:
        play.emit(SniperMoved(side=side, at=name_of(state, cell)))


# -- the call ---------------------------------------------------------------------------


def called(play: Play[SquadState], roll: Roll) -> None:
    """An Original DR of the enemy's SAN calls his Sniper (A14.1)."""
    state = play.state
    if state.phase not in PHASES or roll.kind not in CALLING or state.outcome is not None:
        return
    side = other_side(state, roll.side or defender(state))
    sniper = SNIPERS.of(state).get(side)
    if sniper is None or sniper.san < LEAST_SAN or sniper.san != roll.original or not _targets(state, side):
        return
    (dr,) = play.roll(6, 1, "Sniper", by=side)
    play.emit(SniperActive(side=side, dr=dr, at=name_of(state, sniper.at)))
    if dr > WORKS:
        return
    if sniper.pinned:
        SNIPERS.of(state)[side] = replace(sniper, pinned=False)
    else:
        play.push(SniperActs(side, dr))


def _targets(state: SquadState, side: str) -> dict[int, list[Unit]]:
    """Enemies whom a Sniper may attack, by Location: neither hidden nor deep inside a building (A14.22)."""
    found: dict[int, list[Unit]] = {}
    for unit in state.units.values():
        safe = unit.side == side or unit.at < 0 or hidden(unit)
        if not safe and not interior(state, unit.at):
            found.setdefault(unit.at, []).append(unit)
    return found


def interior(state: SquadState, cell: int) -> bool:
    """Whether a hex lies inside a building, with hexes of that building on all sides (A14.22)."""
    ground = ground_of(state)
    building = ground.building[cell]
    return bool(building) and all([near >= 0 and ground.building[near] == building for near in ground.sides[cell]])


class Acting(Procedure[SquadState, SniperActs]):
    """The owner attacks, or places the counter anew (A14.2)."""

    def to_act(self, state: SquadState, frame: SniperActs) -> tuple[str, ...]:
        return (frame.side,) if _targets(state, frame.side) else ()

    def actions(self, state: SquadState, frame: SniperActs, side: str) -> Sequence[Action]:
        return [SNIPE, MOVE]

    def apply(self, play: Play[SquadState], frame: SniperActs, side: str, action: Action) -> None:
        play.pop()
        if isinstance(action, MoveSniper):
            put(play, side, best_hex(play.state, side))
            return
        cell = aimed_at(play, side)
        put(play, side, cell)
        play.push(SniperAims(side, frame.dr, cell))

    def run(self, play: Play[SquadState], frame: SniperActs) -> None:
        play.pop()


def aimed_at(play: Play[SquadState], side: str) -> int:
    """The nearest Location with a target to a random hex; ties: least cover, then the order of the map (A14.2)."""
    state = play.state
    ground = ground_of(state)
    here = SNIPERS.of(state)[side].at
    direction, distance = play.roll(6, 2, "Sniper: direction and distance", by=side)
    spot = here if here >= 0 else best_hex(state, side)
    for _ in range(distance):
        beyond = ground.sides[spot][direction - 1]
        if beyond < 0:
            break
        spot = beyond
    ranges = ground.ranges[spot]
    return min(_targets(state, side), key=lambda cell: (ranges[cell], ground.tem[cell], cell))


class Aiming(Procedure[SquadState, SniperAims]):
    """The enemy Sniper may be named first; otherwise chance picks (A14.21)."""

    def to_act(self, state: SquadState, frame: SniperAims) -> tuple[str, ...]:
        other = SNIPERS.of(state).get(other_side(state, frame.side))
        return (frame.side,) if other is not None and other.at == frame.at and other.san >= LEAST_SAN else ()

    def actions(self, state: SquadState, frame: SniperAims, side: str) -> Sequence[Action]:
        return [AT_UNITS, AT_SNIPER]

    def apply(self, play: Play[SquadState], frame: SniperAims, side: str, action: Action) -> None:
        play.pop()
        if isinstance(action, SnipeSniper):
            hit(play, other_side(play.state, side), killed=frame.dr == 1)
        else:
            attack(play, frame)

    def run(self, play: Play[SquadState], frame: SniperAims) -> None:
        play.pop()
        attack(play, frame)


# -- the attack -------------------------------------------------------------------------


def attack(play: Play[SquadState], frame: SniperAims) -> None:
    """Random Selection; whoever ties with the first takes a dr of his own (A14.2-14.3)."""
    state = play.state
    victim = other_side(state, frame.side)
    losses: list[Loss] = []
    chosen = _chosen(play, frame)
    for number, unit in enumerate(chosen):
        dr = frame.dr if number == 0 else play.roll(6, 1, "Sniper, another target", by=frame.side)[0]
        if dr <= WORKS and unit.id in state.units:
            strike(play, frame.side, state.units[unit.id], dr, losses)
    for unit in units_at(state, frame.at, victim):
        put_under_dm(play, unit)
    leader_loss(play, losses)
    release_melee(play, frame.at)
    play.push(Checking(victim, frame.at))


def _chosen(play: Play[SquadState], frame: SniperAims) -> list[Unit]:
    """Whom Random Selection picks; all that lies under a "?" is one candidate (A14.21, A14.23)."""
    state = play.state
    victim = other_side(state, frame.side)
    present = _targets(state, frame.side).get(frame.at, [])
    covered = [unit for unit in present if unit.concealed]
    candidates = [unit for unit in present if not unit.concealed] + covered[:1]
    chosen = random_selection(play, candidates, "Sniper") if candidates else []
    if not any([unit.concealed for unit in chosen]):
        return chosen
    # asked for proof, Dummies are gone, and a stack of them has nobody
    for unit in covered:
        if not real(state, unit):
            vanish(play, unit)
    people = [state.units[unit.id] for unit in covered if unit.id in state.units]
    only = (victim,)  # how many there are would tell
    picked = random_selection(play, people, "Sniper: under the ?", to=only) if people else []
    return [unit for unit in chosen if not unit.concealed] + picked


def strike(play: Play[SquadState], side: str, unit: Unit, dr: int, losses: list[Loss]) -> None:
    """1: a single man dies, others break, or lose men if they cannot; 2: wounded, or pinned (A14.3)."""
    state = play.state
    unit = come_out(play, unit, "is hit by a sniper")
    play.emit(SniperAttacked(side=side, unit=unit.id, at=name_of(state, unit.at), dr=dr))
    smc = unit_kind(state, unit).smc
    if dr == 1:
        if smc:
            remove(play, unit, "Sniper", losses=losses)
        elif unit.broken:
            casualty_reduce(play, unit, losses=losses)
        else:
            break_unit(play, unit, losses=losses)
    elif smc:
        casualty_reduce(play, unit, losses=losses)
    elif not unit.broken:
        pin(play, unit)


def hit(play: Play[SquadState], side: str, *, killed: bool) -> None:
    """A Sniper is eliminated, which lowers the SAN, or pinned (A14.3, A14.4)."""
    state = play.state
    sniper = SNIPERS.of(state)[side]
    where = name_of(state, sniper.at)
    if killed:
        SNIPERS.of(state)[side] = replace(sniper, san=sniper.san - 1, pinned=False)
    else:
        SNIPERS.of(state)[side] = replace(sniper, pinned=True)
    play.emit(SniperHit(side=side, at=where, killed=killed, san=SNIPERS.of(state)[side].san))
    if killed:
        put(play, side, best_hex(state, side) if sniper.san - 1 >= LEAST_SAN else -1)


# -- Sniper Check -----------------------------------------------------------------------


def seekers(state: SquadState, frame: Checking) -> list[Unit]:
    """Unpinned, armed Good Order Infantry of the Location that has neither fired nor moved (A14.4)."""
    return [
        unit
        for unit in units_at(state, frame.at, frame.side)
        if unit.good_order
        and UNARMED not in unit.marks
        and not (unit.pinned or unit.moved or unit.used or hidden(unit) or unit.marker != NO_MARKER)
        and part_bar(state, "move", unit) is None  # TI, in Panic, or waiting to fire
        and unit_kind(state, unit).personnel
        and (state.moving is None or state.moving.mover(unit.id) is None)
    ]


def check_tally(state: SquadState, units: Sequence[Unit]) -> Tally:
    """The DRM of a Sniper Check: half-squads, heroes, a leader with others (A14.4)."""
    items: list[Item] = []
    if halves := sum([half_squads(state, unit) for unit in units]):
        items.append(("half-squads", -halves, "A14.4"))
    kinds = [(unit, unit_kind(state, unit)) for unit in units]
    if heroes := sum([kind.smc and not kind.leads for _, kind in kinds]):
        items.append(("heroes", -heroes, "A14.4"))
    leaders = [leadership(state, unit) for unit, kind in kinds if kind.leads]
    if leaders and len(units) > 1:
        items.append(("leader", min(leaders), "A14.4"))
    return Tally.of("Sniper Check", items)


class SniperCheck(Procedure[SquadState, Checking]):
    """One combined DR of all who look for the Sniper; they are TI then (A14.4)."""

    def to_act(self, state: SquadState, frame: Checking) -> tuple[str, ...]:
        unsure = any([unit.concealed for unit in units_at(state, frame.at, frame.side)])
        return (frame.side,) if unsure or seekers(state, frame) else ()  # who is not asked tells what he is

    def actions(self, state: SquadState, frame: Checking, side: str) -> Sequence[Action]:
        return [CHECK, LET_GO] if seekers(state, frame) else [LET_GO]

    def apply(self, play: Play[SquadState], frame: Checking, side: str, action: Action) -> None:
        play.pop()
        if not isinstance(action, CheckForSniper):
            return
        state = play.state
        units = [come_out(play, unit, "acts") for unit in seekers(state, frame)]
        units = [unit for unit in units if unit.id in state.units]
        tally = check_tally(state, units)
        only = (side,) if any([concealed(state, unit) for unit in units]) else None
        dice = play.roll(6, 2, "Sniper Check", by=side, tally=tally, to=only)
        final = sum(dice) + int(tally.total)
        names, at = tuple([unit.id for unit in units]), name_of(state, frame.at)
        play.emit(SniperSought(units=names, at=at, dr=final, to=only))
        if only:
            others = onlookers(state, side)
            seen = tuple([unit.id for unit in units if not concealed(state, unit)])
            play.emit(Rolled(why="Sniper Check", sides=6, faces=dice, by=side, to=others))
            play.emit(SniperSought(units=(*seen, UNKNOWN), at=at, dr=None, to=others))
        for unit in units:
            mark(play, state.units[unit.id], TI)
        if final <= PINNED:
            hit(play, other_side(state, side), killed=final <= KILLED)

    def run(self, play: Play[SquadState], frame: Checking) -> None:
        play.pop()


def titles(state: SquadState, side: str) -> str:
    """A side as people call it."""
    return setting_of(state).titles[side]
