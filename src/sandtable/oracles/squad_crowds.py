"""Positions for oracles: the forces of a scenario close together, so that much can happen at once."""

from __future__ import annotations

import random
from typing import Any

from sandtable.engine.match import Match
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.kinds import SQUAD, printed_weapon
from sandtable.games.squad.pieces.model import SquadState, Unit

PLACES = 4
"""Parts of a map where crowds stand: few, since each new hex has its lines of sight to be worked out."""
DEFENDER_HEXES, ATTACKER_HEXES = 4, 6
SQUADS, LEADERS = 3, 4
"""What a hex holds (3.3)."""


def crowded(match: Match, source: random.Random) -> dict[str, Any]:
    """A MPh of one side with all who are not hidden within a few hexes, and support weapons handed out at random."""
    state: SquadState = match.state
    setting = setting_of(state)
    ground = setting.ground
    places = random.Random(f"crowds of {match.header.scenario}").sample(range(ground.size), PLACES)
    centre = source.choice(places)
    around = sorted(range(ground.size), key=lambda cell: (ground.ranges[centre][cell], source.random()))
    attacker = setting.sides[source.randrange(2)]
    hexes = {
        setting.others[attacker]: around[:DEFENDER_HEXES],
        attacker: around[DEFENDER_HEXES + 3 : DEFENDER_HEXES + 3 + ATTACKER_HEXES],
    }
    position: dict[str, Any] = match.position()
    data = position["state"]
    units, squads = [], []
    room: dict[tuple[int, bool], int] = {}
    for line in data["units"]:
        unit = state.units[line["id"]]
        line.pop("beside", None)
        if not _stays(state, unit):
            cell = _place(state, unit, hexes[unit.side], room, source)
            if cell < 0:
                continue
            line["at"] = ground.names[cell]
            if setting.kinds[unit.group, unit.kind].mmc:
                squads.append(unit)
        units.append(line)
    weapons = []
    there = {line["id"] for line in units}
    for line in data["weapons"]:
        if not printed_weapon(line["kind"]).gun:
            hands = [unit.id for unit in squads if unit.side == line["side"]]
            if not hands:
                continue
            line["owner"] = hands[source.randrange(len(hands))]
        if line.get("owner") in there:
            weapons.append(line)
    position["state"] = {"turn": 1, "attacker": attacker, "phase": "MPh", "units": units, "weapons": weapons}
    return position


def _stays(state: SquadState, unit: Unit) -> bool:
    """Guns stay where they were set up, and whoever is hidden."""
    return unit.at >= 0 and (unit.hip or any(printed_weapon(state.weapons[name].kind).gun for name in unit.weapons))


def _place(
    state: SquadState, unit: Unit, hexes: list[int], room: dict[tuple[int, bool], int], source: random.Random
) -> int:
    """A hex with room for the unit, or -1."""
    kind = setting_of(state).kinds[unit.group, unit.kind]
    limit = SQUADS * SQUAD if kind.mmc else LEADERS
    size = kind.size if kind.mmc else 1
    free = [
        cell
        for cell in hexes
        if room.get((cell, kind.mmc), 0) + size <= limit
        and not any(other.at == cell and _stays(state, other) for other in state.units.values())
    ]
    if not free:
        return -1
    cell = free[source.randrange(len(free))]
    room[cell, kind.mmc] = room.get((cell, kind.mmc), 0) + size
    return cell
