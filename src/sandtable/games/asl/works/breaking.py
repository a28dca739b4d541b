"""What breaks a pillbox open, and flames from outside its arc (B30.31, B30.92)."""

from __future__ import annotations

from sandtable.engine import Event, Play
from sandtable.games.asl.works.cover import OUTSIDE_ARC
from sandtable.games.asl.works.model import PILLBOX, PILLBOXES, occupants, within, works_at
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.aftermath import Attack
from sandtable.games.squad.fire.firepower import is_flamethrower
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.ground.counters import take_up
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import eliminate, name_of
from sandtable.games.squad.part import Item, Part, Stage
from sandtable.games.squad.pieces.model import SquadState, Unit

CHARGE_BONUS = 2
"""A placed Demolition Charge breaks a pillbox as if its KIA number were so much higher (B30.92)."""


class PillboxDestroyed(Event, frozen=True):
    """A pillbox is destroyed with all that is in it."""

    at: str


def _tem(state: SquadState, attack: Attack, work: str, place: int) -> int:
    """The TEM that applied: inside the Covered Arc or not; that of a charge is the one of the arc (B30.31)."""
    box = PILLBOXES.of(state)[work]
    assert attack.roll is not None
    if attack.roll.kind == "charge" or not attack.roll.units:
        return box.inside
    weapon = state.weapons.get(attack.roll.units[0])
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if owner is None or setting_of(state).ground.in_arc(place, box.facing, owner.at):
        return box.inside
    return box.outside


def _break_open(play: Play[SquadState], attack: Attack) -> None:
    """An Original KIA of ordnance or a charge, with a number that reaches the TEM, destroys it (B30.92).

    Shots on the Area Target Type, those of mortars among them, do not.
    """
    state = play.state
    roll = attack.roll
    if roll is None or roll.kind not in ("charge", "effect") or roll.at < 0 or not attack.impacts or attack.area:
        return
    for work in works_at(state, roll.at, PILLBOX):
        inside = [unit.id for unit in occupants(state, roll.at, work)]
        struck = [impact for impact in attack.impacts if impact.unit in inside]
        if not struck:
            continue
        result = IFT.result(struck[0].column, roll.original)
        number = result.number + (CHARGE_BONUS if roll.kind == "charge" else 0)
        if result.kind != "KIA" or number < _tem(state, attack, work.id, roll.at):
            continue
        play.emit(PillboxDestroyed(at=name_of(state, roll.at)))
        for name in inside:
            eliminate(play, state.units[name], "its pillbox is destroyed")
        take_up(state, roll.at, work)
        del PILLBOXES.of(state)[work.id]
        attack.impacts = [impact for impact in attack.impacts if impact.unit not in inside]


def _flames(state: SquadState, attack: FireAttack, unit: Unit | None) -> list[Item]:
    """Only from outside its arc does a pillbox cover against flames (B30.112, A22.1)."""
    box = within(state, unit, PILLBOX) if unit is not None else None
    if box is None or not is_flamethrower(state, attack):
        return []
    figures = PILLBOXES.of(state)[box.id]
    ground = setting_of(state).ground
    sources = [state.units[state.weapons[name].owner].at for name in attack.weapons]
    if all([ground.in_arc(attack.target, figures.facing, source) for source in sources]):
        return []
    return [(OUTSIDE_ARC, figures.outside, "B30.112")]


PART = Part(
    steps={"attack": {"pillbox": Stage(_break_open)}},
    lines={"fire": _flames},
    words={PillboxDestroyed: lambda state, event: f"The pillbox in {event.at} is destroyed with all that is in it"},
)
