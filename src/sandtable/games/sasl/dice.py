"""Rolling on the tables: each roll says which table, which row and what it gave."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from sandtable.engine import Decided, Play
from sandtable.games.sasl.model import ENEMY
from sandtable.games.sasl.tables.model import NOTHING, Cell, Table
from sandtable.games.squad.pieces.model import SquadState

T = TypeVar("T")
NATION = "nation "
"""How a note begins that says whose counter an item is."""


def rolled(play: Play[SquadState], dice: int, why: str) -> tuple[int, ...]:
    """A dr or DR of the ENEMY's tables."""
    return play.roll(6, dice, why, by=ENEMY)


def say(play: Play[SquadState], table: str, row: str, faces: Sequence[int] = (), why: str = "", rule: str = "") -> None:
    """Leave the line in the log that tells how the tables decided."""
    cited = f"S{rule}" if rule[:1].isdigit() else rule
    play.emit(Decided(side=ENEMY, table=table, row=row, faces=tuple(faces), why=why, rule=cited))


def printed(words: str) -> str:
    """Words with the signs of the printed tables: the keys of rows are plain text."""
    return words.replace("<=", "≤").replace(">=", "≥")


def many(number: int, what: str, several: str = "") -> str:
    """So many of a thing: `1 Gun`, `2 Guns`."""
    return f"{number} {what if number == 1 else several or f'{what}s'}"


class Found(NamedTuple):
    """What a table gave: the item, what the cell has without its notes, and whose counter it is if not the card's."""

    item: str
    printed: str
    nation: str = ""


def on_table(play: Play[SquadState], table: Table, **asked: Any) -> str:
    """Roll on a table and read it; `asked` as for `read`."""
    return read(play, table, **asked).item


def read(
    play: Play[SquadState],
    table: Table,
    *,
    drm: int = 0,
    date: str = "",
    group: str = "",
    side: str = "",
    places: Collection[str] = (),
    facts: Collection[str] = (),
    what: str = "",
) -> Found:
    """Roll on a table and read it: modifiers, brackets and notes included; `what`: if the title says too little."""
    faces = rolled(play, table.dice, what or table.title)
    final = sum(faces) + drm + table.drm(date or "1944-01", facts)
    row = table.row(final)
    place = table.column(date, group, side)
    found = settle(play, table, row.cells[place], date, places, table.columns[place].marks)
    whose = f" ({found.nation})" if found.nation and found.item != NOTHING else ""
    say(play, table.id, row.key, faces, f"{found.item}{whose}", table.cites)
    return found


def settle(
    play: Play[SquadState], table: Table, cell: Cell, date: str, places: Collection[str], heading: tuple[str, ...] = ()
) -> Found:
    """The item of a cell: its brackets by a subsequent dr, its notes and those of its heading by date, place and dr."""
    dr = rolled(play, 1, f"{table.title}: which")[0] if len(cell.choices) > 1 else 1
    choice = cell.pick(dr)
    item, nation = choice.item, ""
    marked = replace(choice, marks=(*choice.marks, *heading))
    for note in table.notes_on(marked, date or "1944-01", places):
        if note.use.startswith(NATION):
            nation = note.use.removeprefix(NATION)
        elif note.use and item == choice.item:
            if (note.low, note.high) != (1, 6):
                (again,) = rolled(play, 1, f"{table.title}: note {note.mark}")
                if not note.low <= again <= note.high:
                    continue
            item = note.use
    return Found(item, choice.item, nation)


def pick(play: Play[SquadState], among: Sequence[T], why: str) -> T:
    """One of several at random; no die is cast for a single one."""
    if len(among) == 1:
        return among[0]
    (face,) = play.roll(len(among), 1, why, by=ENEMY)
    return among[face - 1]


def best(play: Play[SquadState], among: Sequence[T], keys: Sequence[tuple[str, Any]], why: str) -> tuple[T, list[str]]:
    """Sieve by keys in order, each keeps the best of those left; the last tie is random. Also: which sieves decided."""
    left = list(among)
    decided: list[str] = []
    for name, key in keys:
        if len(left) == 1:
            break
        values = [key(one) for one in left]
        least = min(values)
        kept = [one for one, value in zip(left, values, strict=True) if value == least]
        if len(kept) < len(left):
            decided.append(name)
            left = kept
    if len(left) > 1:
        decided.append("at random")
    return pick(play, left, why), decided
