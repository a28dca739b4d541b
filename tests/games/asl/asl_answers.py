"""Crowded positions whose rules are asked all they can be asked (tests/answers.py)."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import asl_support
import msgspec

from answers import Scene, Words, scene_of
from crowds import crowd
from golden_games import Game
from sandtable.engine import registry
from sandtable.games.asl.heat.model import FIGHTING
from sandtable.games.asl.surrender import CAPTIVES, NO_QUARTER, Captive
from sandtable.games.asl.terrain.walls import HELD, LEFT, asl_ground
from sandtable.games.asl.works.model import LABOUR
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.model import Gone, SquadState

GOLDEN = Path(__file__).parent / "golden"
NATIONS = (
    "german",
    "russian",
    "american",
    "british",
    "italian",
    "french",
    "japanese",
    "chinese",
    "finnish",
    "axis_minor",
    "allied_minor",
    "partisan",
)
PLACES = 3
"""Middles of crowds on each map: few, since each new hex has its lines of sight to be worked out."""
WORDS: Words = {
    "what": ("foxhole", "wire", "mines", "small arms", "indirect"),
    "cases": ("A", "B", "C", "D", "E", "F", "G", "g", "H", "AB"),
    "seen": ("near", "far", "none"),
    "ammo": ("HE", "AP", "s", "H"),
    "kinds": ("foxhole", "trench", "pillbox", "wire"),
    "limit": range(3, 8),
    "levels": (1, 2, 3),
    "front": range(6),
}

LEFT_OUT: frozenset[str] = frozenset()


@cache
def scenes() -> tuple[Scene, ...]:
    """Crowds where the golden fights on the parade ground begin."""
    for game in asl_support.GAMES:
        registry._registered[game.id] = game
    found = []
    for number, file in enumerate(sorted(GOLDEN.glob("parade-*.moves"))):
        lot = random.Random(number)
        match = msgspec.json.decode(file.read_text("utf-8").partition("\n")[0], type=Game).begin()
        state: SquadState = match.state
        size = setting_of(state).ground.size
        places = [0, *random.Random(match.header.scenario).sample(range(size), PLACES)]
        sides = {side: lot.sample(NATIONS, 2) for side in setting_of(state).sides}
        crowded = crowd(state, lot, sides, places)
        _conditions(crowded, lot)
        if number % 2:
            found.append(scene_of(match))
        match.adopt(crowded)
        found.append(scene_of(match))
    return tuple(found)


def _conditions(state: SquadState, lot: random.Random) -> None:
    """Prisoners, walls that are held, berserk units that fight, labour."""
    units = list(state.units.values())
    moving = {mover.id for mover in state.moving.movers} if state.moving is not None else set()
    for prisoner in lot.sample(units, 3):
        guard = lot.choice([unit for unit in units if unit.side != prisoner.side])
        if not prisoner.weapons and prisoner.id not in moving:
            CAPTIVES.of(state)[prisoner.id] = Captive(put(state, prisoner, -1), guard.id)
            state.gone[prisoner.id] = Gone(prisoner.id, prisoner.side, prisoner.kind, "captured", points=2)
            del state.units[prisoner.id]
    units = list(state.units.values())
    walled = asl_ground(state).walled
    HELD.of(state).update({unit.at: unit.side for unit in units if walled[unit.at] and lot.random() < 0.5})
    LEFT.put(state, tuple([unit.at for unit in lot.sample(units, 3)]))
    FIGHTING.put(state, tuple([unit.id for unit in units if "berserk" in unit.marks]))
    LABOUR.of(state).update({unit.id: (unit.at, lot.randrange(1, 3)) for unit in lot.sample(units, 4)})
    if lot.random() < 0.3:
        NO_QUARTER.put(state, (lot.choice(units).side,))
