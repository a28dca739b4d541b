"""Odds of fire are exact: they are compared with every course that the dice could take through the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace
from squad_support import Course, MoreDice, cell, do, drill, rule, unit, weapon

from sandtable.engine import Match, Play
from sandtable.games.squad.cards.tables import fire_result
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.effects.odds import SUMS, AttackOdds, subset_chance
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.fire.preview import fate_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.events import Wounded
from sandtable.games.squad.pieces.model import FINAL_FIRE


def faces(n: int, sides: int, *, selection: bool) -> Iterator[tuple[tuple[int, ...], float]]:
    """All ways of rolling; of two dice for a check only the sum counts."""
    if n == 2 and sides == 6 and not selection:
        for total, chance in SUMS:
            yield (min(6, total - 1), total - min(6, total - 1)), chance
    else:
        for roll in product(range(1, sides + 1), repeat=n):
            yield roll, float(sides) ** -n


def brute_force(match: Match, result: str, victims: list[str]) -> dict[tuple[str, str], float]:
    """What becomes of each unit, by following every course of the dice through the rules."""
    chances: dict[tuple[str, str], float] = defaultdict(float)
    setting = setting_of(match.state)
    selection = fire_result(result).kind in ("KIA", "K") and len(victims) > 1
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        course, chance = waiting.pop()
        state = match.state.clone()
        play = Play(state, Course(course))  # type: ignore[arg-type]
        try:
            resolve_effects(play, victims, fire_result(result), column=8)
        except MoreDice as wanted:
            first = selection and not course
            waiting += [(course + roll, chance * p) for roll, p in faces(*wanted.args[:2], selection=first)]
            continue
        hurt = {event.unit for event in play.events if isinstance(event, Wounded)}
        for name in victims:
            now = state.units.get(name)
            now = replace(now, hurt=True) if now is not None and name in hurt else now
            chances[name, fate_of(setting, match.state.units[name], now)] += chance
    return chances


def stack(*units: dict[str, Any], selection: str = "number") -> tuple[Match, list[str]]:
    match = drill("z", "PFPh", [*units, unit("r", "russian 4-4-7", "A1")], options={"selection": selection})
    return match, [line["id"] for line in units]


SQUAD = unit("g", "german 4-6-7", "K5")
BROKEN = unit("b", "german 4-6-7", "K5", broken=True)
LEADER = unit("l", "german 9-2", "K5")
POOR = unit("p", "german 7-0", "K5", wounded=True)


CASES = {
    "one": ((SQUAD,), ("1KIA", "K/2", "2MC", "PTC")),
    "two": ((SQUAD, BROKEN), ("1KIA", "K/2")),
    "led": ((LEADER, SQUAD), ("1KIA", "K/2", "2MC", "PTC")),
    "leaders": ((LEADER, POOR), ("2MC", "PTC")),
}


@rule("3.2.3")
@pytest.mark.parametrize(
    ("units", "result"),
    [pytest.param(units, result, id=f"{name} {result}") for name, (units, all_) in CASES.items() for result in all_],
)
@pytest.mark.parametrize("selection", ["number", "ties"])
def test_odds_are_those_of_all_courses_of_the_dice(
    units: tuple[dict[str, Any], ...], result: str, selection: str
) -> None:
    match, victims = stack(*units, selection=selection)
    setting = setting_of(match.state)
    present = {name: match.state.units[name] for name in victims}
    odds = AttackOdds(setting, present, [Impact(name, fire_result(result), 8) for name in victims])
    found: dict[tuple[str, str], float] = defaultdict(float)
    for name, now, chance in odds.outcomes():
        found[name, fate_of(setting, present[name], now)] += chance
    assert dict(found) == pytest.approx(dict(brute_force(match, result, victims)))


@rule("3.2.3")
@pytest.mark.parametrize(("n", "count"), [(2, 1), (3, 1), (3, 2), (4, 3)])
def test_random_selection_in_figures(n: int, count: int) -> None:
    counted: dict[int, float] = defaultdict(float)
    for dice in product(range(1, 7), repeat=n):
        limit = sorted(dice, reverse=True)[count - 1]
        chosen = tuple(die >= limit for die in dice)
        if chosen == tuple(place < sum(chosen) for place in range(n)):
            counted[sum(chosen)] += 6.0**-n
    with_ties = {size: subset_chance(n, count, size, ties=True) for size in range(count, n + 1)}
    assert with_ties == pytest.approx(dict(counted))
    assert subset_chance(n, count, count, ties=False) == pytest.approx(1 / comb(n, count))
    assert not subset_chance(n, count, count + 1, ties=False)


def previewed(match: Match, *actions: Any) -> Any:
    do(match, *actions)
    return match.preview("german", ResolveFire())


@rule("3.2.2")
def test_a_preview_shows_the_tallies_that_decide() -> None:
    units = [unit("g", "german 4-6-7", "N5"), unit("l", "german 9-1", "N5"), unit("r", "russian 4-4-7", "P5")]
    match = drill("y", "PFPh", units, [weapon("mg", "german MMG", "g")], attacker="german", dice=[3, 4])
    aim = AimAt(cell(match, "P5"))
    preview = previewed(match, StartFire("g"), aim, AddFirer("mg"), AddDirector("l"))
    power, drm = preview.tallies
    assert power.total == 9
    assert drm.total == 3 + 1 - 1
    chances = {line.label: line.chance for line in preview.odds if not line.piece}
    assert chances["no effect"] == pytest.approx(21 / 36), "7 or more, on the 8 column with +3"
    gun = {line.label: line.chance for line in preview.odds if line.piece == "mg"}
    assert gun["breaks down"] == pytest.approx(1 / 36)
    assert gun["keeps Rate of Fire"] == pytest.approx(12 / 36)
    (rolled, *_) = do(match, ResolveFire())
    assert rolled.tally == drm


@rule("3.3.1")
def test_the_chances_of_one_unit_add_up() -> None:
    units = [unit("g", "german 4-6-7", "W4"), unit("a", "russian 4-4-7", "R3"), unit("b", "russian 9-1", "R3")]
    match = drill("y", "PFPh", units, attacker="german")
    preview = previewed(match, StartFire("g"), AimAt(cell(match, "R3")))
    for name in ("a", "b"):
        assert sum(line.chance for line in preview.odds if line.piece == name) == pytest.approx(1)
    assert sum(line.chance for line in preview.odds if line.label == "cowers (1 column)") == pytest.approx(1 / 6)


@rule("3.3.1")
def test_final_protective_fire_shows_its_own_risk() -> None:
    from sandtable.games.squad.movement.model import BeginMove, StartMove, Step

    units = [unit("g", "german 4-6-7", "W4", marker=FINAL_FIRE), unit("r", "russian 4-4-7", "U3")]
    match = drill("y", "MPh", units)
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "V3")))
    preview = previewed(match, StartFire("g"))
    own = [line.chance for line in preview.odds if line.piece == "g" and line.label == "fails its own NMC"]
    assert own == [pytest.approx(15 / 36)]
