"""Close combat about a Crest, broken units at it, and weapons left there (B20.96-B20.98)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Event, Play
from sandtable.engine.part import Field
from sandtable.games.asl.crest.model import CREST, at_crest, front_of, protected
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.names import names
from sandtable.games.squad.ground.setting import rules_of
from sandtable.games.squad.ground.stacks import has_enemy, name_of, put, units_at, update
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import SquadState, Unit

DRM = 2
"""What those at Crest suffer in close combat, both ways (B20.96)."""
CAME: Field[dict[str, int]] = Field("crest_came", dict[str, int], {})
"""Units that came into the hex of a Crest held by the enemy, with the hexside that they came over."""


class WentDown(Event, frozen=True):
    """Units have lost their Crest status."""

    units: tuple[str, ...]
    at: str
    why: str


def entered(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Over which hexside enemies came at those at Crest (B20.96); who is charged there fights at once."""
    state = play.state
    ground = asl_ground(state)
    if to not in ground.twins or to in ground.floors or how == "routs":
        return
    side = next((state.units[name].side for name in who if name in state.units), "")
    if not side or not any([unit.side != side for unit in units_at(state, ground.twins[to])]):
        return
    way = ground.way(frm, to) if frm >= 0 else None
    came = (way.side + 3) % 6 if way is not None else -1
    CAME.of(state).update(dict.fromkeys([name for name in who if name in state.units], came))
    if how == "moves":
        _meet(play, ground.twins[to], to)


def _meet(play: Play[SquadState], place: int, cell: int) -> None:
    """Those at Crest fight in the hex, and keep their front in mind; whether they get back is seen afterwards."""
    state = play.state
    for unit in units_at(state, place):
        front = front_of(state, unit)
        update(play, put(state, unit, cell), within=f"{CREST} {front}")


def _defends(state: SquadState, unit: Unit) -> bool:
    """Whether a unit fights about its Crest."""
    return unit.at >= 0 and unit.within.startswith(CREST) and not at_crest(state, unit)


def begin(play: Play[SquadState]) -> None:
    """The CCPh begins: where enemies have come into the hex, those at its Crest fight them (B20.96, ruling T-13)."""
    state = play.state
    if not rules_of(state).of(CrestRules).crest_fights_below:
        return
    for place, cell in asl_ground(state).floors.items():
        if place in state.stacks and has_enemy(state, place, state.units[state.stacks[place][0]].side, known=False):
            _meet(play, place, cell)


def end(play: Play[SquadState]) -> None:
    """Who is held in Melee has dropped his Crest status; the others have it again (B20.96)."""
    state = play.state
    for unit in [unit for unit in state.units.values() if _defends(state, unit)]:
        if unit.melee or has_enemy(state, unit.at, unit.side, known=False):
            update(play, unit, within="")
            play.emit(WentDown(units=(unit.id,), at=name_of(state, unit.at), why="held in Melee"))
        else:
            update(play, put(state, unit, asl_ground(state).twins[unit.at]), within=unit.within)
    CAME.of(state).clear()


def combat_lines(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """+2 by those at Crest, -2 against them, unless the others came over their front (B20.96)."""
    items: list[Item] = []
    if any([_taken_in_rear(state, unit, targets) for unit in attackers if _defends(state, unit)]):
        items.append(("attacks from Crest status", DRM, "B20.96"))
    if any([_taken_in_rear(state, unit, attackers) for unit in targets if _defends(state, unit)]):
        items.append(("target in Crest status", -DRM, "B20.96"))
    return items


def _taken_in_rear(state: SquadState, unit: Unit, enemies: Sequence[Unit]) -> bool:
    """Whether some of its enemies did not come over a unit's front."""
    front = protected(state, unit)
    return any([CAME.of(state).get(enemy.id, -1) not in front for enemy in enemies])


def rout_begins(play: Play[SquadState]) -> None:
    """Broken units leave their Crest in the RtPh (B20.97, ruling T-14)."""
    state = play.state
    if not rules_of(state).of(CrestRules).crest_broken_go_down:
        return
    for place, cell in asl_ground(state).floors.items():
        broken = [unit for unit in units_at(state, place) if unit.broken]
        for unit in broken:
            put(state, unit, cell)
        if broken:
            play.emit(WentDown(units=tuple([unit.id for unit in broken]), at=name_of(state, cell), why="broken"))


def weapons_fall(play: Play[SquadState]) -> None:
    """What nobody holds at a Crest lies IN the hex (B20.98, ruling T-15)."""
    state = play.state
    if not rules_of(state).of(CrestRules).crest_weapons_fall:
        return
    for place in [place for place in state.loose if place in asl_ground(state).floors]:
        cell = asl_ground(state).floors[place]
        fallen = state.loose.pop(place)
        for name in fallen:
            state.weapons[name] = replace(state.weapons[name], at=cell)
        state.loose[cell] = (*state.loose.get(cell, ()), *fallen)


def _went_down(state: SquadState, event: WentDown) -> str:
    verb = "lose their" if len(event.units) > 1 else "loses its"
    return f"{names(state, event.units)} {verb} Crest status and {_are(event)} IN {event.at}: {event.why}"


def _are(event: WentDown) -> str:
    return "are" if len(event.units) > 1 else "is"


PART = Part(
    fields=(CAME,),
    lines={"combat": combat_lines},
    enters=entered,
    begins={"RtPh": rout_begins, "CCPh": begin},
    ends={**dict.fromkeys(("MPh", "AFPh", "RtPh"), weapons_fall), "CCPh": end},
    words={WentDown: _went_down},
)
