"""Exact chances of shots, saves and assaults, from the rules' own tallies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from sandtable.engine.odds import Chances, at_least, count_passing, sum_of_dice
from sandtable.engine.tally import Tally
from sandtable.games.pbi.assault import (
    KILL,
    TANK_TOLL,
    vehicle_save,
)
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.guns import ASPECT_SAVES, AUTOMATIC_HIT, AUTOMATIC_MISS, DESTROYED, EFFECT, HIT
from sandtable.games.pbi.model import PbiState, Piece
from sandtable.games.pbi.saves import DESTROYED_TRANSPORT_SAVE, needed, save_tally, soft_targets

SIXTH = Fraction(1, 6)


@cache
def successes(dice: int, score: int) -> tuple[Fraction, ...]:
    """How many of so many dice show the score or more: entry k is the chance of exactly k."""
    return tuple(count_passing([at_least(score)] * dice))


def hit_chance(tally: Tally) -> Fraction:
    """The chance of a gun's hit (shooting-hit)."""
    chance = Fraction(0)
    for rolled, p in sum_of_dice(2).items():
        if rolled > AUTOMATIC_MISS and (rolled >= AUTOMATIC_HIT or rolled + tally.total >= HIT):
            chance += p
    return chance


def damage_chances(gun: int, armour: int, aspect: str) -> Chances[str]:
    """What a hit does to a vehicle: nothing, immobilised or destroyed (shooting-magnitude, shooting-effect)."""
    result = {"nothing": Fraction(0), "immobilised": Fraction(0), "destroyed": Fraction(0)}
    for effects, p in enumerate(successes(gun, EFFECT)):
        for saves, q in enumerate(successes(armour, ASPECT_SAVES[aspect])):
            excess = effects - saves
            name = "nothing" if excess <= 0 else "destroyed" if excess >= DESTROYED else "immobilised"
            result[name] += p * q
    return result


def save_order(state: PbiState, square: str, source: str, how: str) -> list[Piece]:
    """The order in which a careful owner takes hits: the best saves first."""
    targets = soft_targets(state, square, how)
    return sorted(targets, key=lambda piece: needed(save_tally(state, piece, source, how)))


class Toll(NamedTuple):
    """What hits on a square come to."""

    bases: list[Fraction]
    """The chance of each number of bases and guns lost."""
    machine_guns: list[Fraction]
    """The chance of each number of machine-guns of transports lost."""


def losses_from_hits(state: PbiState, square: str, source: str, how: str, hits: int) -> Toll:
    """What so many hits cost an owner who loses as little as he can (saves-shooting, ruling hits_spread).

    Spread evenly, the best saves take the first hits. Where he may spread them as he likes, the base with the best save
    takes all: a second hit on it loses less than a first on any other.
    """
    order = save_order(state, square, source, how)
    bases: list[Fraction] = []
    guns: list[Fraction] = []
    for n, piece in enumerate(order):
        if state.rules.hits_spread == "free":
            number = 0 if n else hits
        else:
            number = hits // len(order) + (1 if n < hits % len(order) else 0)
        if number:
            lost = 1 - at_least(needed(save_tally(state, piece, source, how))) ** number
            (guns if KINDS[piece.kind].vehicle else bases).append(lost)
    return Toll(count_passing(bases), count_passing(guns))


def volley_losses(state: PbiState, square: str, source: str, how: str, hits: Sequence[Fraction]) -> Toll:
    """What a volley costs, from the chances of each number of hits."""
    total = Toll([], [])
    for number, p in enumerate(hits):
        toll = losses_from_hits(state, square, source, how, number)
        add(total.bases, toll.bases, p)
        add(total.machine_guns, toll.machine_guns, p)
    return total


def add(total: list[Fraction], chances: Sequence[Fraction], weight: Fraction) -> None:
    """Add weighted chances of 0, 1, 2 ... to others."""
    total.extend([Fraction(0)] * (len(chances) - len(total)))
    for number, p in enumerate(chances):
        total[number] += weight * p


def casualty_order(state: PbiState, ids: Sequence[str]) -> list[Piece]:
    """The order in which a careful owner chooses assault casualties: cheap foot first, officers and vehicles last."""
    pieces = [state.pieces[id] for id in ids if id in state.pieces]
    return sorted(
        pieces, key=lambda piece: (KINDS[piece.kind].vehicle, piece.officer, KINDS[piece.kind].points, piece.id)
    )


class _Party(NamedTuple):
    """What the saves of a side's vehicles in an assault depend on."""

    square: str
    against_at: bool


def _escapes(state: PbiState, vehicle: Piece) -> Sequence[Fraction]:
    """How many of the men on a vehicle live when it is destroyed (transports-destroyed)."""
    men = sum([KINDS[state.pieces[id].kind].foot for id in state.cargo.get(vehicle.id, ())])
    return successes(men, DESTROYED_TRANSPORT_SAVE)


def _take(state: PbiState, order: tuple[Piece, ...], party: _Party, kills: int) -> Chances[tuple[int, int]]:
    """(toll, pieces left) after so many casualties (assault-vehicle-save, ruling transport_toll).

    The men who leave a destroyed vehicle are among those left, on either side.
    """
    if not kills or not order:
        return {(0, len(order)): Fraction(1)}
    first, rest = order[0], order[1:]
    kind = KINDS[first.kind]
    following = _take(state, rest, party, kills - 1)
    if not kind.vehicle:
        return {(toll + 1, left): q for (toll, left), q in following.items()}
    score = int(vehicle_save(state, first, party.square, against_at=party.against_at).total)
    saved = at_least(score)
    result: Chances[tuple[int, int]] = {}
    for outcome, q in _take(state, order, party, kills - 1).items():
        result[outcome] = result.get(outcome, Fraction(0)) + saved * q
    escapes = _escapes(state, first)
    for alive, p in enumerate(escapes):
        worth = TANK_TOLL if kind.fighting else 1
        if state.rules.transport_toll == "with its men":
            worth += len(escapes) - 1 - alive
        for (toll, left), q in following.items():
            key = (toll + worth, left + alive)
            result[key] = result.get(key, Fraction(0)) + (1 - saved) * p * q
    return result


def assault_chance(
    state: PbiState, own: Sequence[Piece], enemies: Sequence[Piece], square: str, dice: tuple[int, int]
) -> Fraction:
    """The chance that the assaulter wins, both sides choosing casualties carefully (assault-results)."""
    own_at = any(KINDS[piece.kind].foot_at for piece in own)
    their_at = any(KINDS[piece.kind].foot_at for piece in enemies)
    theirs = _joint(state, enemies, _Party(square, own_at), successes(dice[0], KILL))
    ours = _joint(state, own, _Party(square, their_at), successes(dice[1], KILL))
    won = Fraction(0)
    for (dead_enemy, enemies_left), p in theirs.items():
        for (dead_own, own_left), q in ours.items():
            if own_left and (dead_enemy > dead_own or not enemies_left):
                won += p * q
    return won


def _joint(
    state: PbiState, fighters: Sequence[Piece], party: _Party, kills: Sequence[Fraction]
) -> Chances[tuple[int, int]]:
    order = tuple(casualty_order(state, [piece.id for piece in fighters if not piece.within]))
    result: Chances[tuple[int, int]] = {}
    for number, p in enumerate(kills):
        for outcome, q in _take(state, order, party, number).items():
            result[outcome] = result.get(outcome, Fraction(0)) + p * q
    return result
