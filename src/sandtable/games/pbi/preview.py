"""What an action would come to, before it is done: the rules' own tallies and exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.engine import Action, Tally
from sandtable.engine.odds import at_least, sum_of_dice
from sandtable.engine.view import OddsLine, Preview
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.artillery import ARTILLERY_DRIFT, MORTAR_DICE, SMOKE_STAYS
from sandtable.games.pbi.assault import assaulters_of, fighters_in, side_dice
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import (
    CASUALTY_SCORE,
    PIN_SCORE,
    PIN_SCORE_WITH_OFFICER,
    living,
    points_tally,
    ready_shooters,
    shooters_at,
)
from sandtable.games.pbi.guns import aspect, gun_value, he_hits, hit_tally, is_hit
from sandtable.games.pbi.model import Acting, Activation, Driving, PbiState, Piece, Placing, Window
from sandtable.games.pbi.motivation import motivation_tally
from sandtable.games.pbi.odds import (
    SIXTH,
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
from sandtable.games.pbi.reaction import volley_shooters
from sandtable.games.pbi.saves import needed, save_tally, soft_targets
from sandtable.games.pbi.smallarms import OPPORTUNITY_HIT, dice_tally, flame_dice, hit_score
from sandtable.games.pbi.vehicles import points_tally as vehicle_points_tally

CAREFUL = {
    "even": "the owner is taken to give hits to the best saves first",
    "free": "the owner is taken to give all hits to the best save",
}
"""What the exact odds take the owner to do, by the ruling hits_spread."""


def preview(state: PbiState, side: str, action: Action) -> Preview | None:
    """Tally and odds of a legal action."""
    frame = state.stack[-1]
    reacting = isinstance(frame, Window)
    match action:
        case a.Shoot(at=at):
            return _volley(state, _shooters(state, at), at, reacting=False)
        case a.Volley(at=at) if isinstance(frame, Window):
            return _volley(state, volley_shooters(state, at, frame.target), frame.target, reacting=True)
        case a.Aim(piece=id, target=target):
            return _aim(state, state.pieces[id], state.pieces[target], reacting=reacting)
        case a.Shell(piece=id, at=at):
            return _shell(state, state.pieces[id], at, reacting=reacting)
        case a.Flame(piece=id, target=target):
            if target in state.pieces:
                return _aim(state, state.pieces[id], state.pieces[target], reacting=reacting, flame=True)
            return _flame(state, state.pieces[id], target, reacting=reacting)
        case a.Bomb(at=at, smoke=False, shots=shots):
            return _bomb(state, at, shots)
        case a.Assault(to=to):
            return _assault(state, to)
        case a.Motivate(at=at) if isinstance(frame, Activation):
            return _motivation(state, frame.unit, at)
        case a.Man(piece=id) | a.Drive(piece=id):
            return _points(state, state.pieces[id])
        case a.Unpin():
            return _unpin(state, side, isinstance(frame, Acting))
        case a.Recover():
            return _one("Casualty removal", "a mark is removed", CASUALTY_SCORE)
        case a.Rally():
            return _one("Rally", "no longer pinned", PIN_SCORE_WITH_OFFICER)
        case a.Comfort():
            return _one("Casualty removal", "a mark is removed", CASUALTY_SCORE)
        case a.PlacePattern(at=at, shape=shape):
            return _strike(state, side, ground_of(state).patterns[shape][at])
    return None


def _one(title: str, label: str, score: int) -> Preview:
    return Preview(title, (), (OddsLine(label, float(at_least(score))),), (f"needs {score} or more",))


def _shooters(state: PbiState, at: str) -> list[Piece]:
    frame = state.stack[-1]
    if isinstance(frame, Acting):
        return shooters_at(state, ready_shooters(state, living(state, frame.teams[0])), at)
    assert isinstance(frame, Driving)
    return [state.pieces[frame.pieces[0]]]


def _loss_lines(toll: Toll) -> list[OddsLine]:
    lines = []
    for number in range(1, len(toll.bases)):
        label = "at least one base lost" if number == 1 else f"at least {number} bases lost"
        lines.append(OddsLine(label, float(sum(toll.bases[number:]))))
    if len(toll.machine_guns) > 1:
        lines.append(OddsLine("a mounted machine-gun silenced", float(1 - toll.machine_guns[0])))
    return lines


def _saves(state: PbiState, square: str, source: str, how: str) -> tuple[Tally, ...]:
    """The different save tallies in the square, the best first."""
    found: dict[Tally, None] = {}
    for piece in save_order(state, square, source, how):
        found.setdefault(save_tally(state, piece, source, how))
    return tuple(found)


def _volley(state: PbiState, shooters: Sequence[Piece], target: str, *, reacting: bool) -> Preview:
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


def _flame(state: PbiState, piece: Piece, target: str, *, reacting: bool) -> Preview:
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


def _aim(state: PbiState, shooter: Piece, target: Piece, *, reacting: bool, flame: bool = False) -> Preview:
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


def _shell(state: PbiState, shooter: Piece, square: str, *, reacting: bool) -> Preview:
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


def _bomb(state: PbiState, square: str, shots: int) -> Preview:
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


def _assault(state: PbiState, square: str) -> Preview:
    frame = state.stack[-1]
    ids = [piece.id for piece in living(state, frame.teams[0])] if isinstance(frame, Acting) else []
    if isinstance(frame, Driving):
        ids = [frame.pieces[0]]
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


def _motivation(state: PbiState, unit_id: str, at: str) -> Preview:
    unit = state.units[unit_id]
    group = [
        piece for piece in unit_pieces(state, unit_id) if (piece.within or piece.at) == at and KINDS[piece.kind].foot
    ]
    square = group[0].at
    tally = motivation_tally(state, unit, square)
    chance = Fraction(0) if unit.silent else at_least(tally.total)
    points = points_tally(state, unit, square, group)
    mean = sum(max(1, face + int(points.total)) for face in range(1, 7)) / 6
    return Preview(
        f"Motivate {unit.name} in {square}",
        (tally, points),
        (OddsLine("motivated", float(chance)),),
        (f"{mean:.1f} action points on average",),
    )


def _points(state: PbiState, piece: Piece) -> Preview:
    unit = state.units[piece.unit]
    tally = vehicle_points_tally(unit, piece)
    lines = [
        OddsLine(f"{number} action points or more", float(at_least(number - tally.total, 2)))
        for number in (4, 6, 8, 10, 12)
    ]
    tallies = [tally]
    if KINDS[piece.kind].form == "gun" and not piece.within:
        need = motivation_tally(state, unit, piece.at)
        tallies.insert(0, need)
        lines.insert(0, OddsLine("motivated", float(Fraction(0) if unit.silent else at_least(need.total))))
    return Preview(f"Action points of {KINDS[piece.kind].name}", tuple(tallies), tuple(lines))


def _unpin(state: PbiState, side: str, foot: bool) -> Preview:
    frame = state.stack[-1]
    assert isinstance(frame, (Acting, Driving))
    first = living(state, frame.teams[0])[0] if isinstance(frame, Acting) else state.pieces[frame.pieces[0]]
    led = foot and officer_present(state, first.at, side)
    return _one("Remove the pin", "no longer pinned", PIN_SCORE_WITH_OFFICER if led else PIN_SCORE)


def _strike(state: PbiState, side: str, squares: Sequence[str]) -> Preview:
    under = [state.pieces[id].side == side for square in squares for id in state.at.get(square, ())]
    struck = "a square" if state.rules.he_dice == "square" else "a piece"
    on_target = Fraction(0)
    for rolled, p in sum_of_dice(2).items():
        if rolled not in ARTILLERY_DRIFT:
            on_target += p
    frame = state.stack[-1]
    effect = f"{struck} there is hit if one of three dice shows a 6: {float(1 - (1 - SIXTH) ** 3):.0%}"
    if isinstance(frame, Placing) and frame.smoke:
        effect = f"smoke stays on {SMOKE_STAYS} or more in each of your turns"
    return Preview(
        "Off-table artillery",
        (),
        (OddsLine("each square falls on target", float(on_target)),),
        (f"{under.count(False)} of the enemy's and {under.count(True)} of your own pieces are there", effect),
    )
