"""Helpers of the Solitaire ASL tests: the second reading, and the dice that a table must cover."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import sandtable
from sandtable.engine import Match, Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME
from sandtable.games.sasl.model import ENEMY, FRIENDLY, SUSPECTS
from sandtable.games.sasl.tables.model import Table
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.model import SquadState, Unit

HERE = Path(__file__).parent
OPTIONS = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}
"""Germans against Russians on boards that are always there."""


def second_reading(name: str) -> dict[str, Any]:
    """A file of the second reading."""
    return tomllib.loads((HERE / "second_reading" / f"{name}.toml").read_text("utf-8"))


def listed(name: str, key: str) -> list[dict[str, str]]:
    """The rows of a text table of the second reading."""
    return texttable.rows(second_reading(name)[key])


def bare(text: str) -> str:
    """A cell without mere typography: spaces, brackets of names, the bar between choices, the sign of a mark."""
    text = text.replace(" / ", "").replace(".50cal", ".50c").replace("-Ton", "Ton").translate(str.maketrans("{}", "()"))
    return re.sub(r"[\s()^,]", "", text).casefold()


def rolls(dice: int) -> Counter[int]:
    """How many of the 6 or 36 throws make each sum."""
    return Counter(sum(throw) for throw in product(range(1, 7), repeat=dice))


def gaps(table: Table) -> list[str]:
    """What is wrong with the keys of a table: rolls without a row or with two, also after any modifier."""
    wrong = []
    reach = sum(abs(modifier.drm) for modifier in table.modifiers) + (3 if table.roll.startswith("Final") else 0)
    thrown = sorted(rolls(table.dice))
    for roll in range(thrown[0] - reach, thrown[-1] + reach + 1):
        rows = [row for row in table.rows if row.low <= roll <= row.high]
        if len(rows) != 1:
            wrong.append(f"{table.id}: {len(rows)} rows for {roll}")
    return wrong


def playing(state: SquadState, *faces: int) -> Play[SquadState]:
    """A play in which the dice fall as the test says."""
    return Play(state, ScriptedDice(*faces))


THROWS = {total: throw for throw in product(range(1, 7), repeat=2) for total in [sum(throw)]}


class Falling(ScriptedDice):
    """Two dice always make the same total, or fall as named; one die shows `extra`, else the total or a 6."""

    def __init__(
        self, total: int, *pair: int, extra: int = 0, named: Mapping[str, tuple[int, ...]] | None = None
    ) -> None:
        super().__init__()
        self.pair = pair or THROWS[min(12, max(2, total))]
        self.single = extra or min(6, max(1, total))
        self.named = named or {}

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if why in self.named:
            return self.named[why]
        return tuple(self.pair) if n == 2 and sides == 6 else (min(self.single, sides),) * n


def seen(state: SquadState, cell: int, most: int) -> list[int]:
    """Hexes in LOS of another up to a range, the nearest first."""
    ranges = setting_of(state).ground.ranges[cell]
    near = [other for other in range(len(ranges)) if 0 < ranges[other] <= most and sees(state, cell, other)]
    return sorted(near, key=lambda other: (ranges[other], other))


@cache
def _mission_1() -> Match:
    register(GAME)
    return sandtable.new("sasl/1", seed=8, options=OPTIONS)


def mission_without_suspects() -> SquadState:
    """Mission 1 when play begins, with no S? on the map."""
    found: SquadState = _mission_1().state.clone()
    SUSPECTS.of(found).clear()
    return found


def field(state: SquadState) -> int:
    """Open ground with open ground around it."""
    ground = setting_of(state).ground
    return next(
        cell
        for cell in range(150, ground.size)
        if ground.open[cell] and not ground.paved[cell] and sum(ground.open[near] for near in ground.near[cell]) >= 5
    )


def friend(state: SquadState, cell: int, number: int = 1, name: str = "german 4-6-7", **values: object) -> Unit:
    """A FRIENDLY unit in a hex."""
    unit = Unit(f"t{number}", FRIENDLY, name, group="company")
    state.units[unit.id] = unit
    put(state, unit, cell)
    state.units[unit.id] = replace(state.units[unit.id], **values)
    return state.units[unit.id]


def stand(state: SquadState, name: str, kind: str, cell: int, **more: Any) -> Unit:
    """A unit of either side in a hex."""
    side = ENEMY if kind.startswith("russian") else FRIENDLY
    unit = Unit(name, side, kind, group="enemy" if side == ENEMY else "company", **more)
    state.units[name] = unit
    return put(state, unit, cell)
