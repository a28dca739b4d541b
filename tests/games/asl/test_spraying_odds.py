"""The odds of Spraying Fire are exact: they are compared with every course that the dice could take (A9.5)."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from asl_support import field
from msgspec.structs import replace
from squad_support import Course, MoreDice, cell, do, rule, unit, weapon

from sandtable.engine import Match, Play, SampledDice
from sandtable.games.asl.spraying import SprayAt
from sandtable.games.squad.effects.odds import SUMS
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.fire.preview import FATES, HARM, UNHURT, fate_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.events import Wounded

Chances = dict[tuple[str, str], float]


def throws(n: int, sides: int, why: str) -> Iterator[tuple[tuple[int, ...], float]]:
    """All ways of rolling; of the two dice of a check only the sum counts."""
    if n == 2 and "check" in why:
        for total, chance in SUMS:
            yield (min(6, total - 1), total - min(6, total - 1)), chance
    else:
        for roll in product(range(1, sides + 1), repeat=n):
            yield roll, float(sides) ** -n


def fired(match: Match, dice: Any) -> dict[str, str]:
    """What becomes of each unit of the other side when the draft is fired."""
    state = match.state.clone()
    play: Play[Any] = Play(state, dice)
    frame = state.stack[-1]
    match.game.procedures[type(frame)].apply(play, frame, frame.side, ResolveFire())
    hurt = {event.unit for event in play.events if isinstance(event, Wounded)}
    found = {}
    for name, before in match.state.units.items():
        if before.side != frame.side:
            now = state.units.get(name)
            now = replace(now, hurt=name in hurt) if now is not None else None
            found[name] = fate_of(setting_of(state), replace(before, hurt=False), now)
    return found


def every_course(match: Match) -> tuple[Chances, dict[str, float]]:
    """Chances of all fates, and of harm in each Location and in any."""
    chances: Chances = defaultdict(float)
    harm: dict[str, float] = defaultdict(float)
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        course, chance = waiting.pop()
        try:
            fates = fired(match, Course(course))
        except MoreDice as wanted:
            waiting += [(course + roll, chance * part) for roll, part in throws(*wanted.args)]
            continue
        names = setting_of(match.state).ground.names
        hurt = {names[match.state.units[name].at] for name, fate in fates.items() if fate not in UNHURT}
        for name, fate in fates.items():
            chances[name, fate] += chance
        for where in hurt:
            harm[f"{HARM} in {where}"] += chance
        harm[HARM] += chance if hurt else 0.0
    return chances, harm


def foretold(match: Match) -> tuple[Chances, dict[str, float]]:
    preview = match.preview(match.to_act[0], ResolveFire())
    assert preview is not None
    odds = {(line.piece, line.label): line.chance for line in preview.odds if line.piece and line.label in FATES}
    return odds, {line.label: line.chance for line in preview.odds if line.label.startswith(HARM)}


def drafted(
    *units: dict[str, Any],
    phase: str = "PFPh",
    by: tuple[str, ...] = ("s",),
    at: tuple[str, str] = ("D4", "E4"),
    more: tuple[Any, ...] = (),
    weapons: tuple[dict[str, Any], ...] = (),
) -> Match:
    """A draft of Spraying Fire, ready to be fired."""
    match = field(phase, *units, weapons=list(weapons), game="spraying")
    do(match, StartFire(by[0]), AimAt(cell(match, at[0])))
    do(match, *[AddFirer(name) for name in by[1:]], SprayAt(cell(match, at[1])), *more)
    return match


MEN, OTHER = unit("s", "russian 6-2-8", "B5"), unit("t", "russian 5-2-7", "B5")
OPEN, INSIDE = unit("d", "german 4-6-7", "D4"), unit("e", "german 4-4-7", "E4")
NEAR = ("C5", "C6")
CASES = {
    "one in the open, one in a building": lambda: drafted(MEN | {"at": "D3"}, OPEN, INSIDE),
    "a group that is CX": lambda: drafted(MEN, OTHER | {"cx": True}, OPEN, INSIDE, by=("s", "t")),
    "a leader directs": lambda: drafted(MEN, unit("l", "russian 9-1", "B5"), OPEN, INSIDE, more=(AddDirector("l"),)),
    "point blank": lambda: drafted(MEN, OPEN | {"at": "C5"}, INSIDE | {"at": "C6"}, at=NEAR),
    "a broken unit": lambda: drafted(MEN, OPEN | {"at": "C5", "broken": True}, INSIDE | {"at": "C6"}, at=NEAR),
    "a leader and his squad": lambda: drafted(MEN, OPEN, unit("b", "german 8-0", "D4"), INSIDE),
    "Advancing Fire": lambda: drafted(MEN, OPEN | {"at": "C5"}, INSIDE | {"at": "C6"}, at=NEAR, phase="AFPh"),
}  # fmt: skip


@rule("A9.5")
@pytest.mark.parametrize("case", CASES)
def test_the_odds_at_both_are_those_of_all_courses_of_the_dice(case: str) -> None:
    match = CASES[case]()
    (odds, told), (chances, harm) = foretold(match), every_course(match)
    assert odds == pytest.approx({key: chance for key, chance in chances.items() if chance})
    assert {label: chance for label, chance in told.items() if chance} == pytest.approx(dict(harm))


@rule("A9.5")
def test_one_dr_for_both_makes_harm_in_both_likelier_than_two_would() -> None:
    told = foretold(CASES["point blank"]())[1]
    first, second = told[f"{HARM} in C5"], told[f"{HARM} in C6"]
    assert told[HARM] < first + second - first * second


def position(seed: int) -> Match:
    """Spraying Fire at two stacks, made up by a seed."""
    rnd = random.Random(seed)
    at = rnd.choice((("D4", "E4"), NEAR, ("C5", "D5"), ("D5", "D4")))
    units = [MEN, OTHER, unit("l", rnd.choice(("russian 9-1", "russian 8-0")), "B5")]
    for place, where in enumerate(at):
        for number in range(rnd.randint(1, 3)):
            kind = rnd.choice(("german 4-6-7", "german 4-4-7", "german 2-4-7", "german 8-1", "german 7-0"))
            units.append(unit(f"g{place}{number}", kind, where, broken=rnd.random() < 0.2))
    more = (AddDirector("l"),) if rnd.random() < 0.5 else ()
    by = rnd.choice((("s",), ("s", "t"), ("s", "t", "mg")))
    arms = (weapon("mg", "russian MMG", "s"),)
    return drafted(*units, by=by, at=at, more=more, weapons=arms, phase=rnd.choice(("PFPh", "AFPh")))


@rule("A9.5")
@pytest.mark.parametrize("seed", range(8))
def test_odds_of_larger_stacks_are_what_happens(seed: int) -> None:
    match, times = position(seed), 400
    odds, told = foretold(match)
    rnd = random.Random(seed)
    found: Chances = defaultdict(float)
    for _ in range(times):
        fates = fired(match, SampledDice(rnd))
        for name, fate in fates.items():
            found[name, fate] += 1 / times
        found["", HARM] += any(fate not in UNHURT for fate in fates.values()) / times
    for key, chance in [*odds.items(), (("", HARM), told[HARM])]:
        spread = 5 * math.sqrt(chance * (1 - chance) / times) + 3 / times
        assert abs(found[key] - chance) <= spread, key
