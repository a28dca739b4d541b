"""Odds of previews against attacks that are carried out many times, on positions made up by a seed.

`python test_odds_simulated.py FIRST LAST TIMES` compares more of them than a test run should.
"""

from __future__ import annotations

import math
import random
import sys
from collections import defaultdict
from typing import Any

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, rule, unit, weapon

from sandtable.engine import Action, Match, Play, SampledDice
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.fire.preview import FATES, UNHURT, fate_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ordnance.model import Shoot, StartShot
from sandtable.games.squad.pieces.events import Wounded

SQUADS = ("german 4-6-7", "german 4-4-7", "german 2-4-7", "german 4-3-6", "german 5-4-8")
LEADERS = ("german 9-2", "german 9-1", "german 8-0", "german 7-0", "german 6+1")
GUNS = ("german 7.5cm PaK 40 AT", "german 8.8cm FlaK 18 o. 36 AA")
FIRERS = ("american 7-4-7", "russian 4-4-7", "russian 6-2-8", "american 5-3-6", "russian 4-2-6")
PLACES = (("K3", "K5"), ("J3", "K4"), ("I5", "I7"), ("M6", "N6"), ("K5", "J5"))
"""Firers and targets on board z, in sight of each other."""
ORDNANCE = (
    "american M2A1 105mm ART",
    "russian 76.2mm P obr. 39 ART",
    "american M1 81mm MTR",
    "russian 45mm PTP obr. 32 AT",
)


def targets(rnd: random.Random, at: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A stack of one to four Germans, perhaps with a Gun, perhaps in Melee."""
    melee = rnd.random() < 0.3
    units, weapons = [], []
    for n in range(rnd.randint(0, 2)):
        units.append(unit(f"l{n}", rnd.choice(LEADERS), at, wounded=rnd.random() < 0.3, pinned=rnd.random() < 0.1))
    for n in range(rnd.randint(1, 2)):
        units.append(unit(f"g{n}", rnd.choice(SQUADS), at, broken=rnd.random() < 0.3, dm=True, cx=rnd.random() < 0.2))
    if melee:
        units.append(unit("enemy", "russian 4-4-7", at, broken=rnd.random() < 0.3, dm=True))
        units = [line | {"melee": True} for line in units]
    elif rnd.random() < 0.5:
        units.append(unit("crew", "german 2-2-8", at))
        weapons.append(weapon("gun", rnd.choice(GUNS), "crew", facing=rnd.randrange(6), emplaced=rnd.random() < 0.3))
    for line in units:
        if not line.get("broken"):
            line.pop("dm", None)
    return units, weapons


def position(seed: int) -> tuple[Match, Action] | None:
    """A match in which an attack is drafted and ready, with the action that carries it out."""
    rnd = random.Random(seed)
    source, target = rnd.choice(PLACES)
    units, weapons = targets(rnd, target)
    phase = rnd.choice(("PFPh", "AFPh"))
    if rnd.random() < 0.5:
        units += [unit("f", rnd.choice(FIRERS), source, cx=rnd.random() < 0.2), unit("boss", "russian 9-1", source)]
        weapons.append(weapon("mg", "russian MMG", "f"))
        match = drill("z", phase, units, weapons)
        do(match, StartFire("f"), AimAt(cell(match, target)))
        if AddFirer("mg") in match.actions("russian") and rnd.random() < 0.7:
            do(match, AddFirer("mg"))
        if rnd.random() < 0.4:
            do(match, AddDirector("boss"))
        return match, ResolveFire()
    units.append(unit("f", "american 2-2-7", source))
    weapons.append(weapon("piece", rnd.choice(ORDNANCE), "f", facing=rnd.randrange(6)))
    match = drill("z", "PFPh", units, weapons)
    do(match, StartShot("piece"))
    if AimAt(cell(match, target)) not in match.actions("russian"):
        return None
    do(match, AimAt(cell(match, target)))
    shots = [action for action in match.actions("russian") if isinstance(action, Shoot) and action.ammo in ("HE", "AP")]
    return match, rnd.choice(shots)


def simulated(match: Match, action: Action, times: int, seed: int) -> tuple[dict[tuple[str, str], float], float]:
    """Frequencies of what becomes of each unit, and of anybody being hurt."""
    rnd = random.Random(seed)
    setting = setting_of(match.state)
    preview = match.preview("russian", action)
    assert preview is not None
    cells = {line.piece for line in preview.odds if line.piece}
    found: dict[tuple[str, str], float] = defaultdict(float)
    hurt = 0
    for _ in range(times):
        state = match.state.clone()
        play: Play[Any] = Play(state, SampledDice(rnd))
        frame = state.stack[-1]
        match.game.procedures[type(frame)].apply(play, frame, "russian", action)
        wounds = {event.unit for event in play.events if isinstance(event, Wounded)}
        harm = False
        for name in [name for name in match.state.units if name in cells]:
            now = state.units.get(name)
            now = replace(now, hurt=True) if now is not None and name in wounds else now
            before = replace(match.state.units[name], hurt=False)
            fate = fate_of(setting, before, now if now is None or name in wounds else replace(now, hurt=False))
            found[name, fate] += 1 / times
            harm = harm or fate not in UNHURT
        hurt += harm
    return found, hurt / times


def deviations(seed: int, times: int) -> list[str]:
    """Where the odds of a preview lie too far from what happened, in words."""
    made = position(seed)
    if made is None:
        return []
    match, action = made
    preview = match.preview("russian", action)
    assert preview is not None
    found, hurt = simulated(match, action, times, seed + 1)
    odds = {(line.piece, line.label): line.chance for line in preview.odds if line.label in FATES and line.piece}
    anybody = [line.chance for line in preview.odds if line.label.startswith("somebody")]
    wrong = []
    pairs = [(f"{key}", odds.get(key, 0.0), found.get(key, 0.0)) for key in {*odds, *found}]
    pairs += [("anybody hurt", chance, hurt) for chance in anybody]
    for what, chance, share in pairs:
        spread = 5 * math.sqrt(max(chance * (1 - chance), 0.0) / times) + 3 / times
        if abs(chance - share) > spread:
            wrong.append(f"{seed} {action}: {what}: odds {chance:.4f}, happened {share:.4f}")
    return sorted(wrong)


@rule("3.2.3")
@pytest.mark.parametrize("seed", range(12))
def test_odds_are_what_happens(seed: int) -> None:
    assert deviations(seed, 400) == []


if __name__ == "__main__":
    first, last, often = (int(word) for word in sys.argv[1:])
    told = [line for number in range(first, last) for line in deviations(number, often)]
    sys.stdout.write("\n".join(told) or f"{last - first} positions, {often} times each: as foretold\n")
