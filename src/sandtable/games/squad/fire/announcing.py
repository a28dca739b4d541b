"""What a fire attack is called, and what everybody hears of it (3.2.2, 3.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.fire.firepower import Volley, firing_units
from sandtable.games.squad.fire.model import AlsoFired, FireAttack, Fired
from sandtable.games.squad.ground.marks import waits
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState

MODE_WORDS = {
    "prep": "Prep Fire",
    "first": "Defensive First Fire",
    "final": "Final Fire",
    "advancing": "Advancing Fire",
    "waiting": "Opportunity Fire",
}


def manner(state: SquadState, attack: FireAttack) -> str:
    """How an attack is made, for its name: its mode, or `waiting` where all its firers have waited (A7.25)."""
    setting = setting_of(state)
    if attack.mode == "advancing" and all([waits(setting, state.units[n]) for n in firing_units(state, attack)]):
        return "waiting"
    return attack.mode


def title_of(state: SquadState, attack: FireAttack) -> str:
    """The name of an attack, with its Locations."""
    cells = [name_of(state, one.target) for one in attack.by_location()]
    return f"{MODE_WORDS[manner(state, attack)]} at {' and '.join(cells)}"


def announce(
    play: Play[SquadState],
    attack: FireAttack,
    figures: Volley,
    original: int,
    cowered: int,
    impacts: Sequence[Impact],
) -> None:
    """An attack and its result, as its firer may know it."""
    column, final, others = _outcome(figures, original, cowered, impacts)
    play.emit(
        Fired(
            by=attack.side,
            firers=(*attack.units, *attack.weapons, *attack.leaders),
            at=name_of(play.state, attack.target),
            mode=manner(play.state, attack),
            fp=figures.fp.total,
            column=column,
            dr=final,
            result=str(IFT.result(column, final)),
            cowered=cowered,
            others=others,
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
    column, final, others = _outcome(figures, original, cowered, impacts)
    play.emit(
        AlsoFired(
            by=attack.side,
            at=name_of(play.state, attack.target),
            fp=figures.fp.total,
            column=column,
            items=tuple([(one.label, one.value) for one in figures.drm.items if one not in first.drm.items]),
            dr=final,
            result=str(IFT.result(column, final)),
            others=others,
        )
    )


def _outcome(
    figures: Volley, original: int, cowered: int, impacts: Sequence[Impact]
) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """The column, the Final DR and the results of other targets, as the firer may know them."""
    column = IFT.shift(figures.column, cowered) if cowered else figures.column
    drm = int(figures.drm.total)
    unseen = {target.unit for target in figures.targets if target.hidden}
    return column, original + drm, differing(impacts, column, drm, unseen)


def differing(impacts: Sequence[Impact], column: int, drm: int, unseen: set[str]) -> tuple[tuple[str, str], ...]:
    """Targets whose column or DRM is not that of the attack as announced."""
    return tuple(
        [
            (impact.unit, str(impact.result))
            for impact in impacts
            if (impact.column != column or impact.drm != drm) and impact.unit not in unseen
        ]
    )
