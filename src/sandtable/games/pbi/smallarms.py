"""Small arms, machine-guns and flamethrowers against foot."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.events import Shot
from sandtable.games.pbi.model import PbiState, Piece
from sandtable.games.pbi.rulings import Rules
from sandtable.games.pbi.saves import hit_square

MAX_SHOTS = 3
"""Shots of a rifle or machine-gun base in a turn (foot-ap-cost-shoot)."""
OPPORTUNITY_HIT = 5
"""Opportunity and return shooting: 5, 6 (odds-opportunity)."""
NO_LIMIT = 99
FOOT_FLAME_COST = 2


def small_arms_dice(kind: Kind) -> int:
    """Dice of one shot: a base's own, or the machine-guns of a vehicle."""
    return kind.mg if kind.vehicle else kind.dice


def small_arms_reach(kind: Kind, rules: Rules) -> int:
    """How far small arms carry (ruling weapon_reach)."""
    if rules.weapon_reach == "unlimited" or kind.vehicle:
        return NO_LIMIT
    return kind.reach


def can_use_small_arms(kind: Kind, piece: Piece) -> bool:
    """Whether a piece has small arms that are ready to shoot."""
    if kind.vehicle:
        return kind.mg > 0 and not piece.silenced
    return kind.dice > 0 and (piece.deployed or not kind.deploys)


def hit_score(rules: Rules, *, reacting: bool) -> int:
    """The face that hits (rulings foot_hit and opportunity_score)."""
    if reacting and rules.opportunity_score == "hits":
        return OPPORTUNITY_HIT
    return int(rules.foot_hit)


def dice_tally(shooters: Sequence[Piece]) -> Tally:
    """The dice of a volley, weapon by weapon (foot-ap-cost-shoot, vehicle-ap-cost-shoot)."""
    dice: dict[tuple[str, str], int] = {}
    for piece in shooters:
        kind = KINDS[piece.kind]
        item = kind.name, "vehicle-ap-cost-shoot" if kind.vehicle else "foot-ap-cost-shoot"
        dice[item] = dice.get(item, 0) + small_arms_dice(kind)
    return Tally.of("Dice", [(name, number, rule) for (name, rule), number in dice.items()])


def best_shooter(shooters: Sequence[Piece]) -> list[Piece]:
    """From a transport one weapon shoots, its own included (transports-shooters)."""
    return [max(shooters, key=lambda piece: small_arms_dice(KINDS[piece.kind]))] if shooters else []


def volley(play: Play[PbiState], shooters: Sequence[Piece], target: str, *, reacting: bool = False) -> None:
    """Small arms shoot at a square (foot-ap-cost-shoot); in the enemy's turn at 5, 6 (odds-opportunity)."""
    state = play.state
    first = shooters[0]
    for piece in shooters:
        state.pieces[piece.id] = replace(piece, aimed=target, reacted=piece.reacted or reacting)
    hits = 0
    if not reacting or may_react(play, first.side):
        tally = dice_tally(shooters)
        score = hit_score(state.rules, reacting=reacting)
        faces = play.roll(6, int(tally.total), f"shooting, {score}+ hits", by=first.side, tally=tally)
        hits = sum([face >= score for face in faces])
    ids = tuple([piece.id for piece in shooters])
    play.emit(Shot(shooters=ids, start=first.at, at=target, hits=hits, reacting=reacting))
    hit_square(play, target, first.at, hits, "small arms")


def may_react(play: Play[PbiState], side: str) -> bool:
    """The other reading of 5, 6: a die for being allowed to shoot (ruling opportunity_score)."""
    if play.state.rules.opportunity_score != "permission":
        return True
    (face,) = play.roll(6, 1, "opportunity, 5+", by=side)
    return face >= OPPORTUNITY_HIT


def flame_cost(rules: Rules, kind: Kind) -> int:
    """Action points for a shot of a flamethrower (foot-ap-cost-flame, ruling flame_cost)."""
    return int(rules.flame_cost) if kind.vehicle else FOOT_FLAME_COST


def flame_dice(rules: Rules, kind: Kind) -> int:
    """Dice of a flamethrower at foot (odds-flame, ruling flame_factors)."""
    return 9 if kind.vehicle == (rules.flame_factors == "foot 7") else 7


def burn(play: Play[PbiState], piece: Piece, target: str) -> None:
    """A flamethrower shoots at the foot of a square (foot-ap-cost-flame, odds-flame)."""
    state = play.state
    kind = KINDS[piece.kind]
    tally = Tally.of("Dice", [(kind.name, flame_dice(state.rules, kind), "odds-flame")])
    score = hit_score(state.rules, reacting=False)
    faces = play.roll(6, int(tally.total), f"flame, {score}+ hits", by=piece.side, tally=tally)
    hits = sum([face >= score for face in faces])
    play.emit(Shot(shooters=(piece.id,), start=piece.at, at=target, hits=hits))
    hit_square(play, target, piece.at, hits, "small arms")
