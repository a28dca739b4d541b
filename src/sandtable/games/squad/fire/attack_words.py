"""Words for attacks on the IFT and their results (3.2.2, 3.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.squad.cards.tables import on_column
from sandtable.games.squad.fire.announcing import MODE_WORDS
from sandtable.games.squad.fire.model import AlsoFired, Fired, ResidualAttack
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.pieces.model import SquadState


def fired(state: SquadState, event: Fired) -> str:
    """Who fired at what with how much, and the result."""
    how = MODE_WORDS[event.mode]
    cowered = f", cowering {event.cowered} column{'s' if event.cowered > 1 else ''}" if event.cowered else ""
    text = f"{how}: {names(state, event.firers)} at {event.at}, {event.fp:g} FP {on_column(event.column)}{cowered}"
    result = "no effect" if event.result == "-" else event.result
    return f"{text}: final DR {event.dr}, {result}{others(state, event.others)}"


def also_fired(state: SquadState, event: AlsoFired) -> str:
    """What the same fire did in its other Location."""
    drms = ", ".join([f"{label} {value:+g}" for label, value in event.items])
    result = "no effect" if event.result == "-" else event.result
    text = f"The same fire at {event.at}, {event.fp:g} FP {on_column(event.column)}"
    return f"{text}: final DR {event.dr}{f' ({drms})' if drms else ''}, {result}{others(state, event.others)}"


def others(state: SquadState, differing: Sequence[tuple[str, str]]) -> str:
    """Targets with results of their own."""
    words = [f"{short(state, name)}: {'no effect' if result == '-' else result}" for name, result in differing]
    return f" ({'; '.join(words)})" if words else ""


def residual(state: SquadState, event: ResidualAttack) -> str:
    """An attack of Residual FP."""
    result = "no effect" if event.result == "-" else event.result
    return f"{event.fp} Residual FP in {event.at}: final DR {event.dr}, {result}{others(state, event.others)}"
