"""Ammunition Shortage of a side for the rest of a Mission (RE 72, RE 24; A19.131)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine import Event as EngineEvent
from sandtable.engine import Play
from sandtable.engine.part import Field
from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.effects.morale import suffer
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.effects.verdicts import BROKEN, Verdict
from sandtable.games.squad.ground.setting import unit_kind, weapon_kind
from sandtable.games.squad.part import Item, Part, Roll
from sandtable.games.squad.pieces.model import SquadState, Weapon

SHORT: Field[tuple[str, ...]] = Field("short", tuple[str, ...], ())
"""Sides that are short of ammunition."""
SPENT = 12
"""The Original IFT DR on which a MMC that is short of ammunition is replaced."""
LESS = Verdict(True, replaced=True)


class RunsShort(EngineEvent, frozen=True):
    """A side is short of ammunition from now on."""

    side: str


def _run_short(play: Play[SquadState], side: str) -> bool:
    """A side is short of ammunition; False: it is so already."""
    state = play.state
    if side in SHORT.of(state):
        return False
    SHORT.put(state, (*SHORT.of(state), side))
    play.emit(RunsShort(side=side))
    return True


def friendly_short(play: Play[SquadState], event: Event) -> bool:
    """RE 72: FRIENDLY units have Ammunition Shortage."""
    return _run_short(play, FRIENDLY)


def enemy_short(play: Play[SquadState], event: Event) -> bool:
    """RE 24: the ENEMY has Ammunition Shortage."""
    return _run_short(play, ENEMY)


def _breakdown(state: SquadState, weapon: Weapon) -> Iterable[Item]:
    """B# and X# are one less, but not of captured weapons nor of DC (A19.131, A21.11)."""
    if weapon.side in SHORT.of(state) and weapon_kind(weapon).type != "DC":
        owner = state.units.get(weapon.owner)
        if owner is not None and owner.side == weapon.side:
            yield ("Ammunition Shortage", -1, "A19.131")


def _fired(play: Play[SquadState], roll: Roll) -> None:
    """An Original 12 of its own FP replaces a MMC by the next lower type, or breaks it (A19.131)."""
    state = play.state
    if roll.kind != "fire" or roll.original != SPENT or roll.side not in SHORT.of(state):
        return
    able = [state.units[name] for name in roll.units if name in state.units]
    able = [unit for unit in able if unit_kind(state, unit).mmc and unit.marker and not unit.broken]
    if not able:
        return
    unit = random_selection(play, able, "Ammunition Shortage")[0]
    suffer(play, unit, LESS if unit_kind(state, unit).replaced else BROKEN, why="Ammunition Shortage")


PART = Part(
    fields=(SHORT,),
    lines={"breakdown": _breakdown},
    settled=_fired,
    words={
        RunsShort: lambda state, event: (
            f"{'FRIENDLY' if event.side == FRIENDLY else 'ENEMY'} units are short of ammunition for the rest of the"
            " Mission (A19.131)"
        )
    },
)
