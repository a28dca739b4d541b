"""Control of VPO, VP of both sides, and the verdict (S12.6, S14)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Outcome, Play
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.asl.works.model import PILLBOX, works_at
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import (
    ENEMY,
    FRIENDLY,
    OBJECTIVES,
    SCORE,
    SUSPECTS,
    VERDICT,
    Objective,
    ObjectiveTaken,
    PointsGained,
    Tallied,
)
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import VALUES, rolled_in
from sandtable.games.sasl.suspects import stone
from sandtable.games.sasl.tables import general
from sandtable.games.squad.ground.knowledge import hidden, known_to
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import name_of, sharing_room
from sandtable.games.squad.ground.worth import points_of
from sandtable.games.squad.part import ALL
from sandtable.games.squad.pieces.kinds import printed_weapon
from sandtable.games.squad.pieces.model import Gone, SquadState, Unit, Weapon

CAPTURED = 2
"""Prisoners and captured Guns count twice at the end (A26.222, A20.1)."""
CHINESE = 4
"""Chinese Guns count four times (A26.222)."""
GUN_VP = 2
"""Casualty VP of a Gun (A26.211)."""
Line = tuple[str, float, float]


def update_control(play: Play[SquadState], cell: int | None = None) -> None:
    """A side controls a VPO Location with a Good Order MMC there and no enemy; a S? is an enemy (S14, A26.1).

    `cell`: only this Location is looked at.
    """
    state = play.state
    objectives = OBJECTIVES.of(state)
    for one in list(objectives.values()):
        if cell is not None and cell not in one.cells:
            continue
        owners = tuple([_controller(state, one, at) or owner for at, owner in zip(one.cells, one.owners, strict=True)])
        if owners != one.owners:
            gained = FRIENDLY in owners
            objectives[one.id] = new = replace(one, owners=owners, was_friendly=one.was_friendly or gained)
            for at, before, after in zip(one.cells, one.owners, owners, strict=True):
                if before != after:
                    play.emit(ObjectiveTaken(objective=new.id, at=name_of(state, at), side=after))


def _controller(state: SquadState, objective: Objective, cell: int) -> str:
    if any(one.at == cell for one in SUSPECTS.of(state).values()):
        return "" if sharing_room(state, cell, FRIENDLY) else ENEMY
    boxes = [work.id for work in works_at(state, cell, PILLBOX)] if objective.worth else []
    return controller(state, cell, boxes)


def controller(state: SquadState, cell: int, boxes: Sequence[str] = ()) -> str:
    """The side that gains Control of a hex: its armed Good Order MMC are there, and no armed enemy (A26.1).

    An ENEMY under a "?" keeps the other side out but gains nothing, whatever it is: that would tell (C-3, SA-90).
    `boxes`: a pillbox is gained from within (A26.14).
    """
    here = [unit for unit in sharing_room(state, cell) if not hidden(unit) and UNARMED not in unit.marks]
    if len({unit.side for unit in here}) != 1:
        return ""
    able = [unit for unit in here if unit.good_order and unit_kind(state, unit).mmc]
    able = [unit for unit in able if not boxes or unit.within in boxes]
    side = here[0].side
    return side if any(side == FRIENDLY or counted(state, unit) for unit in able) else ""


def counted(state: SquadState, unit: Unit) -> bool:
    """Whether the roster may count what an ENEMY unit is: the player knows it; at Mission end all are shown (SA-90)."""
    return known_to(state, FRIENDLY, unit) == ALL


def gain(play: Play[SquadState], side: str, points: float, why: str) -> None:
    """VP gained during the mission."""
    key = f"{side} {why}"
    SCORE.of(play.state)[key] = SCORE.of(play.state).get(key, 0) + points
    play.emit(PointsGained(side=side, points=points, why=why))


def gained(state: SquadState) -> list[Line]:
    """VP gained in play so far, line by line."""
    lines = []
    for key, points in SCORE.of(state).items():
        side, _, why = key.partition(" ")
        lines.append((why, points if side == FRIENDLY else 0, points if side == ENEMY else 0))
    return lines


def casualties(state: SquadState, side: str) -> float:
    """Casualty VP for the losses of a side: units eliminated, prisoners, halves of squads and Guns (A26.2)."""
    other = setting_of(state).others[side]
    counts = {"eliminated": 1, "captured": CAPTURED}
    lost = sum(
        gone.points * counts.get(gone.how, 0) * worth(state, gone) for gone in state.gone.values() if gone.side == side
    )
    return lost + state.halves.get(other, 0) + guns_lost(state, side)


def attached(state: SquadState, gone: Gone | Weapon) -> bool:
    """Whether a unit is Temporarily Attached: an event or the mission gave it to a FRIENDLY side that is not Russian.

    Mission 19 does not count so (S17.1321, SA-98).
    """
    base = rolled_in(state)
    lent = gone.group == "engineers" or gone.group.startswith("from ")
    return lent and base.friendly != "R" and base.mission != 19


def worth(state: SquadState, gone: Gone | Weapon) -> float:
    """How often the Casualty VP of a unit count: more for Temporarily Attached ones (S17.1321, SA-98)."""
    return float(reading(state, "attached")) if attached(state, gone) else 1


def guns_destroyed(state: SquadState, side: str) -> list[Gone]:
    """Guns of a side that have been destroyed."""
    lost = [gone for gone in state.gone.values() if gone.side == side and gone.how == "destroyed"]
    return [gone for gone in lost if printed_weapon(gone.kind).gun]


def left_behind(state: SquadState) -> int:
    """Casualty VP of the FRIENDLY units still in play (Mission 19)."""
    return sum(points_of(VALUES, unit_kind(state, unit)) for unit in state.units.values() if unit.side == FRIENDLY)


def guns_lost(state: SquadState, side: str) -> float:
    """Casualty VP for Guns of a side: destroyed, or captured, which counts more (S15.7, A26.211, A26.222)."""
    base = rolled_in(state)
    times = CHINESE if (base.enemy if side == ENEMY else base.friendly) == "C" else CAPTURED
    taken = [
        weapon
        for weapon in state.weapons.values()
        if weapon.side == side and weapon_kind(weapon).gun and weapon.owner and state.units[weapon.owner].side != side
    ]
    lost: list[Gone | Weapon] = [*guns_destroyed(state, side), *taken * times]
    return sum(GUN_VP * worth(state, one) for one in lost)


def objective_lines(play: Play[SquadState]) -> list[Line]:
    """Each VPO with its value, rolled only now {A10b} (S14)."""
    state = play.state
    lines: list[Line] = []
    boards = [one.board for one in OBJECTIVES.of(state).values()]
    for one in OBJECTIVES.of(state).values():
        value = value_of(play, one, boards)
        owner = one.owner()
        lines.append((f"VPO {one.id}", value if owner == FRIENDLY else 0, value if owner == ENEMY else 0))
    return lines


def value_of(play: Play[SquadState], one: Objective, boards: Sequence[str] = ()) -> float:
    """The value of a VPO {A10b}, or of the fortification that it is (S14)."""
    if one.worth:
        return float(one.worth)
    state = play.state
    ground = setting_of(state).ground
    tall = any(cell >= 0 and stone(ground, cell) and _storeys(state, cell) for cell in one.cells)
    known = boards or [other.board for other in OBJECTIVES.of(state).values()]
    drm = objective_drm(known, one, stone=tall)
    (dr,) = rolled(play, 1, f"value of VPO {one.id}")
    row = general.table("A10b").row(dr + drm)
    say(play, "A10b", row.key, (dr,), f"VPO {one.id} is worth {row.cells[0].text} VP", "S14")
    return float(row.cells[0].text)


def objective_drm(boards: Sequence[str], one: Objective, *, stone: bool) -> int:
    """The drm on A10b: multi-storey stone, the only VPO of its board, three or more there (S14)."""
    number = sum(board == one.board for board in boards)
    facts = [("multi-storey stone building", stone), ("only VPO of its board", number == 1)]
    facts.append(("board has >=3 VPO", number >= 3))
    return general.table("A10b").drm("", [words for words, true in facts if true])


def _storeys(state: SquadState, cell: int) -> bool:
    return setting_of(state).ground.kinds[cell].storeys > 0


def verdict(play: Play[SquadState], lines: Sequence[Line], why: str) -> None:
    """The higher total wins; equal ones are a draw (S12.6, SA-51)."""
    state = play.state
    play.emit(Tallied(lines=tuple(lines)))
    VERDICT.put(state, tuple(lines))
    ours, theirs = sum(line[1] for line in lines), sum(line[2] for line in lines)
    tied = ENEMY if reading(state, "tie") == "enemy" else ""
    winner = FRIENDLY if ours > theirs else ENEMY if theirs > ours else tied
    state.outcome = Outcome(winner, f"{why}: FRIENDLY {ours:g} VP, ENEMY {theirs:g} VP", "S12.6")
