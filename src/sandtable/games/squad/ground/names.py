"""Names in words: units, weapons, MF, phases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from sandtable.games.squad.cards.charts import PHASES
from sandtable.games.squad.pieces.counters import nations
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

_PHASE_NAMES = {phase.id: phase.name for phase in PHASES}


def letter(name: str) -> str:
    """The letter on a counter that tells it from others of its kind: A for the first of a group, AA after Z.

    A counter of a position file that was given a name without a number keeps it.
    """
    base, _, made = name.partition("+")
    digits = base[len(base.rstrip("0123456789")) :]
    if not digits:
        return name
    number, letters = int(digits), ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters + made


@lru_cache(maxsize=10_000)
def called(kind: str, name: str) -> str:
    """A counter by its kind and letter: `4-6-7 C`."""
    return f"{kind.partition(' ')[2]} {letter(name)}".strip()


def short(state: SquadState, what: Unit | Weapon | str) -> str:
    """A unit or weapon in few words: `4-6-7 C`; ids of those that left play are known too."""
    name = what if isinstance(what, str) else what.id
    found = what if not isinstance(what, str) else state.units.get(name) or state.weapons.get(name)
    kind = found.kind if found is not None else state.gone[name].kind if name in state.gone else ""
    return called(kind, name)


def verb(ids: Sequence[str], one: str, more: str) -> str:
    """The form of a verb that fits so many units."""
    return one if len(ids) == 1 else more


def full(state: SquadState, what: Unit | Weapon) -> str:
    """A unit or weapon with its nationality: `German 4-6-7`."""
    return titled(what.kind)


def titled(kind: str) -> str:
    """A kind of counter with its nationality: `German 8cm GrW 34 MTR`."""
    nation, _, name = kind.partition(" ")
    return f"{nations()[nation].title if nation in nations() else nation} {name}"


def names(state: SquadState, ids: Iterable[str]) -> str:
    """Several units or weapons in a row."""
    return ", ".join(short(state, name) for name in ids)


def mf_words(mf: float) -> str:
    """MF as people write them: `1½ MF`."""
    whole, half = int(mf), mf != int(mf)
    return f"{whole if whole or not half else ''}{'½' if half else ''} MF"


def phase_name(phase: str) -> str:
    """The name of a phase: `Rally Phase`."""
    return _PHASE_NAMES.get(phase, "Set-up")
