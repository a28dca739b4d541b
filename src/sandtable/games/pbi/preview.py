"""What things would come to, before they are done: the rules' own tallies and exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.engine import Tally
from sandtable.engine.odds import at_least, sum_of_dice
from sandtable.engine.view import OddsLine, Preview
from sandtable.games.pbi.artillery import MORTAR_DICE
from sandtable.games.pbi.assault import assaulters_of, fighters_in, side_dice
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import (
    PIN_SCORE,
    PIN_SCORE_WITH_OFFICER,
    points_tally,
)
from sandtable.games.pbi.guns import aspect, gun_value, he_hits, hit_tally, is_hit
from sandtable.games.pbi.model import PbiState, Piece, Unit
from sandtable.games.pbi.motivation import motivation_chance, motivation_tally
from sandtable.games.pbi.odds import (
    Toll,
    add,
    assault_chance,
    damage_chances,
    hit_chance,
    save_order,
    successes,
    volley_losses,
)
from sandtable.games.pbi.position import ground_of, officer_present, unit_pieces
from sandtable.games.pbi.saves import needed, save_tally, soft_targets
from sandtable.games.pbi.smallarms import OPPORTUNITY_HIT, dice_tally, flame_dice, hit_score
from sandtable.games.pbi.vehicles import points_tally as vehicle_points_tally

CAREFUL = {
    "even": "the owner is taken to give hits to the best saves first",
    "free": "the owner is taken to give all hits to the best save",
}
"""What the exact odds take the owner to do, by the ruling hits_spread."""


def one_die(title: str, label: str, score: int) -> Preview:
    """A die that must reach a score."""
    return Preview(title, (), (OddsLine(label, float(at_least(score))),), (f"needs {score} or more",))


def _loss_lines(toll: Toll) -> list[OddsLine]:
    lines = []
    for number in range(1, len(toll.bases)):
        label = "at least one base lost" if number == 1 else f"at least {number} bases lost"
        lines.append(OddsLine(label, float(sum(toll.bases[number:])), decides=number == 1))
    if len(toll.machine_guns) > 1:
        lines.append(OddsLine("a mounted machine-gun silenced", float(1 - toll.machine_guns[0])))
    return lines


def _saves(state: PbiState, square: str, source: str, how: str) -> tuple[Tally, ...]:
    """The different save tallies in the square, the best first."""
    found: dict[Tally, None] = {}
    for piece in save_order(state, square, source, how):
        found.setdefault(save_tally(state, piece, source, how))
    return tuple(found)


def volley(state: PbiState, shooters: Sequence[Piece], target: str, *, reacting: bool) -> Preview:
    """Small arms together at a square."""
    dice = dice_tally(shooters)
    score = hit_score(state.rules, reacting=reacting)
    hits = list(successes(int(dice.total), score))
    notes = [f"hits on {score} or more", CAREFUL[state.rules.hits_spread]]
    if reacting and state.rules.opportunity_score == "permission":
        allowed = at_least(OPPORTUNITY_HIT)
        hits = [allowed * p for p in hits]
        hits[0] += 1 - allowed
        notes.append("a die of 5 or 6 is needed first")
    source = shooters[0].at
    toll = volley_losses(state, target, source, "small arms", hits)
    lines = [OddsLine("any hit", float(1 - hits[0])), *_loss_lines(toll)]
    return Preview(
        f"Shoot at {target}", (dice, *_saves(state, target, source, "small arms")), tuple(lines), tuple(notes)
    )


def flame(state: PbiState, piece: Piece, target: str, *, reacting: bool) -> Preview:
    """A flamethrower at the foot in a square."""
    number = flame_dice(state.rules, KINDS[piece.kind])
    dice = Tally.of("Dice", [(KINDS[piece.kind].name, number, "odds-flame")])
    score = hit_score(state.rules, reacting=False)
    hits = list(successes(number, score))
    if reacting and state.rules.opportunity_guns == "5,6 first":
        allowed = at_least(OPPORTUNITY_HIT)
        hits = [allowed * p for p in hits]
        hits[0] += 1 - allowed
    toll = volley_losses(state, target, piece.at, "small arms", hits)
    lines = [OddsLine("any hit", float(1 - hits[0])), *_loss_lines(toll)]
    tallies = (dice, *_saves(state, target, piece.at, "small arms"))
    notes = (f"hits on {score} or more", CAREFUL[state.rules.hits_spread])
    return Preview(f"Burn {target}", tallies, tuple(lines), notes)


def _in_time(state: PbiState, *, reacting: bool) -> Fraction:
    if reacting and state.rules.opportunity_guns == "5,6 first":
        return at_least(OPPORTUNITY_HIT)
    return Fraction(1)


def aim(state: PbiState, shooter: Piece, target: Piece, *, reacting: bool, flame: bool = False) -> Preview:
    """A gun or flamethrower at a vehicle."""
    tally = hit_tally(state, shooter, target.at, target, reacting=reacting, flame=flame)
    hit = hit_chance(tally) * _in_time(state, reacting=reacting)
    where = aspect(state, ground_of(state), target, shooter.at)
    gun = gun_value(KINDS[shooter.kind], flame=flame)
    armour = KINDS[target.kind].armour
    damage = damage_chances(gun, armour, where)
    destroyed = damage["destroyed"] + (damage["immobilised"] if target.immobile else 0)
    immobilised = Fraction(0) if target.immobile else damage["immobilised"]
    lines = (
        OddsLine("hit", float(hit), target.id),
        OddsLine("immobilised", float(hit * immobilised), target.id),
        OddsLine("destroyed", float(hit * destroyed), target.id),
    )
    notes = [f"gun {gun} against armour {armour}, {where}"]
    if reacting and state.rules.opportunity_guns == "5,6 first":
        notes.append("a die of 5 or 6 is needed first")
    return Preview(f"Shoot at {KINDS[target.kind].name}", (tally,), lines, tuple(notes))


def shell(state: PbiState, shooter: Piece, square: str, *, reacting: bool) -> Preview:
    """High explosive at a square."""
    tally = hit_tally(state, shooter, square, None, reacting=reacting)
    kind = KINDS[shooter.kind]
    chance = _in_time(state, reacting=reacting)
    hit = chance * hit_chance(tally)
    hits = [1 - hit]
    for rolled, p in sum_of_dice(2).items():
        if is_hit((rolled,), tally):
            number = he_hits(state, kind, rolled + tally.total)
            add(hits, [Fraction(0)] * number + [chance * p], Fraction(1))
    toll = volley_losses(state, square, shooter.at, "HE", hits)
    lines = [OddsLine("hit", float(hit)), *_loss_lines(toll)]
    tallies = (tally, *_saves(state, square, shooter.at, "HE"))
    return Preview(f"High explosive at {square}", tallies, tuple(lines), (CAREFUL[state.rules.hits_spread],))


def bomb(state: PbiState, square: str, shots: int) -> Preview:
    """A mortar on a square."""
    hits = successes(MORTAR_DICE, 6)
    notes = [f"{MORTAR_DICE} dice on each, a 6 hits", "before any re-roll of the deviation"]
    survives = Fraction(1)
    if state.rules.he_dice == "square":
        notes = [f"{MORTAR_DICE} dice on the square, a 6 hits", CAREFUL[state.rules.hits_spread], *notes[1:]]
        survives = volley_losses(state, square, "", "bombs", hits).bases[0] ** shots
    else:
        for piece in soft_targets(state, square, "bombs"):
            saved = at_least(needed(save_tally(state, piece, "", "bombs")))
            one = sum((p * saved**n for n, p in enumerate(hits)), Fraction(0))
            survives *= one**shots
    on_target = Fraction(4, 6)
    lines = (
        OddsLine("falls on target", float(on_target)),
        OddsLine("at least one base lost there", float(on_target * (1 - survives))),
    )
    return Preview(f"Mortar on {square}", _saves(state, square, "", "bombs"), lines, tuple(notes))


def assault(state: PbiState, ids: Sequence[str], square: str) -> Preview:
    """An assault by these pieces."""
    own = assaulters_of(state, ids)
    enemies = fighters_in(state, square)
    ours = side_dice(state, own, square, assaulting=True)
    theirs = side_dice(state, enemies, square, assaulting=False)
    win = assault_chance(state, own, enemies, square, (int(ours.total), int(theirs.total)))
    lines = (OddsLine("the assault succeeds", float(win)), OddsLine("it is beaten off", float(1 - win)))
    notes = ["both sides are taken to choose cheap casualties first"]
    if state.rules.assault_reaction == "target":
        notes.append("before the target's opportunity shooting")
    own_tally = Tally("Assaulter's dice", ours.items)
    their_tally = Tally("Target's dice", theirs.items)
    return Preview(f"Assault {square}", (own_tally, their_tally), lines, tuple(notes))


def motivation(state: PbiState, unit_id: str, at: str) -> Preview:
    """The die for motivation and the action points of a group."""
    unit = state.units[unit_id]
    group = [
        piece for piece in unit_pieces(state, unit_id) if (piece.within or piece.at) == at and KINDS[piece.kind].foot
    ]
    square = group[0].at
    need, motivated, notes = _motivated(state, unit, square)
    points = points_tally(state, unit, square, group)
    mean = sum(max(1, face + int(points.total)) for face in range(1, 7)) / 6
    return Preview(
        f"Motivate {unit.name} in {square}",
        (*need, points),
        (motivated,),
        (*notes, f"{mean:.1f} action points on average"),
    )


def _motivated(state: PbiState, unit: Unit, square: str) -> tuple[tuple[Tally, ...], OddsLine, tuple[str, ...]]:
    """What the die needs, the chance, and why no die is rolled (motivation)."""
    chance = motivation_chance(state, unit, square)
    line = OddsLine("motivated", float(chance))
    if unit.silent:
        return (), line, ("shaken by its morale test: no motivation in this turn",)
    need = motivation_tally(state, unit, square)
    if chance == 1:
        urged = need.total > 1
        return () if urged else (need,), line, ("urged by the company commander" if urged else "no die is needed",)
    return (need,), line, ()


def vehicle_points(state: PbiState, piece: Piece) -> Preview:
    """The action points of a vehicle or gun."""
    unit = state.units[piece.unit]
    tally = vehicle_points_tally(unit, piece)
    lines = [
        OddsLine(f"{number} action points or more", float(at_least(number - tally.total, 2)))
        for number in (4, 6, 8, 10, 12)
    ]
    tallies: tuple[Tally, ...] = (tally,)
    notes: tuple[str, ...] = ()
    if KINDS[piece.kind].form == "gun" and not piece.within:
        need, motivated, notes = _motivated(state, unit, piece.at)
        tallies, lines = (*need, tally), [motivated, *lines]
    return Preview(f"Action points of {KINDS[piece.kind].name}", tallies, tuple(lines), notes)


def unpin(state: PbiState, side: str, square: str, *, foot: bool) -> Preview:
    """The die against a pin, easier for foot beside an officer."""
    led = foot and officer_present(state, square, side)
    return one_die("Remove the pin", "no longer pinned", PIN_SCORE_WITH_OFFICER if led else PIN_SCORE)
