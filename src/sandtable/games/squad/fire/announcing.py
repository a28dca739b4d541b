"""What everybody hears of a fire attack (3.2.2, 3.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.fire.firepower import Volley
from sandtable.games.squad.fire.model import AlsoFired, FireAttack, Fired
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState


def announce(
    play: Play[SquadState],
    attack: FireAttack,
    figures: Volley,
    original: int,
    cowered: int,
    impacts: Sequence[Impact],
) -> None:
    """An attack and its result, as its firer may know it."""
    column = IFT.shift(figures.column, cowered) if cowered else figures.column
    drm = int(figures.drm.total)
    unseen = {target.unit for target in figures.targets if target.hidden}
    play.emit(
        Fired(
            by=attack.side,
            firers=(*attack.units, *attack.weapons, *attack.leaders),
            at=name_of(play.state, attack.target),
            mode=attack.mode,
            fp=figures.fp.total,
            column=column,
            dr=original + drm,
            result=str(IFT.result(column, original + drm)),
            cowered=cowered,
            others=differing(impacts, column, drm, unseen),
        )
    )


def announce_other(
    play: Play[SquadState],
    attack: FireAttack,
    volleys: Sequence[Volley],
    original: int,
    cowered: int,
    impacts: Sequence[Impact],
) -> None:
    """What the DR comes to in the other Location; where nobody can be hit it only leaves Residual FP."""
    first, figures = volleys
    if not figures.targets and attack.mode == "first":
        return
    column = IFT.shift(figures.column, cowered) if cowered else figures.column
    drm = int(figures.drm.total)
    unseen = {target.unit for target in figures.targets if target.hidden}
    play.emit(
        AlsoFired(
            by=attack.side,
            at=name_of(play.state, attack.target),
            fp=figures.fp.total,
            column=column,
            items=tuple([(one.label, one.value) for one in figures.drm.items if one not in first.drm.items]),
            dr=original + drm,
            result=str(IFT.result(column, original + drm)),
            others=differing(impacts, column, drm, unseen),
        )
    )


def differing(impacts: Sequence[Impact], column: int, drm: int, unseen: set[str]) -> tuple[tuple[str, str], ...]:
    """Targets whose column or DRM is not that of the attack as announced."""
    return tuple(
        [
            (impact.unit, str(impact.result))
            for impact in impacts
            if (impact.column != column or impact.drm != drm) and impact.unit not in unseen
        ]
    )
