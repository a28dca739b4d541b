"""What a player of a mission sees beside the units: S? with their odds, concealed stacks, VPO, the time left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.sasl.rolled import rolled_of
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.pieces.counters import Mmc, all_counters
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit
from sandtable.players.squad_men import Board, Man

SHOWN = "marker/stack"
"""The mark of enemies under a "?"."""
MINES = "marker/mines"
TWICE = 2
SQUADS = {"squad": 1.0, "half-squad": 0.5, "leader": 0.3, "SW": 0.3, "Gun": 1.0, "AFV": 1.0, "SPG": 1.0}
"""What the contents of a S? count for."""
SHARE = re.compile(r"(\d+)/(\d+)")
USUAL = 0.5
"""Checks of ten that are made before a S? has done harm are about five."""
SOUGHT, NERVE = (4,), 0.5
"""Missions in which each S? left costs VP: there it is feared less than its odds would have it."""
WORTH = re.compile(r"(FRIENDLY|ENEMY), (\d+) VP")
POINTS = re.compile(r"FRIENDLY ([\d.]+), ENEMY ([\d.]+) VP")
OBJECTIVE = 3.5
"""VP of a VPO on average {A10b}."""
LONGER = 1
"""Turns for which a mission goes on after the first Mission End dr, on average."""


@cache
def usual_squad(nation: str) -> UnitKind:
    """A common squad of a nation: what a S? or a concealed unit is taken for."""
    squads = [one for one in all_counters().values() if isinstance(one, Mmc) and one.nation == nation]
    squads = [one for one in squads if one.kind == "squad"]
    first = [one for one in squads if one.unit_class == "1"] or squads
    chosen = sorted(first, key=lambda one: (one.fp, one.range, one.name))[len(first) // 2]
    return printed_unit(f"{chosen.nation} {chosen.name}")


@cache
def expected(facts: tuple[tuple[str, str], ...]) -> float:
    """How many squads will come out of a S? in a check, by the odds that stand on it (S5.1, S5.6)."""
    chance, squads = USUAL, 0.0
    for name, words in facts:
        if name == "Activation Check":
            chance = int(words.split()[0]) / 6
        elif share := SHARE.search(name):
            squads += int(share[1]) / int(share[2]) * sum(SQUADS.get(one, 0.0) for one in words.split(", "))
    return max(min(chance * squads, 1.0), 0.05)


class Sheet(Board):
    """The map of a mission with its roster sheet."""

    def __init__(self, setting: Setting, side: str, view: Mapping[str, Any]) -> None:
        super().__init__(setting, side, view)
        self.rolled = rolled_of(setting)
        self.mission = self.rolled.mission
        self.suspects: dict[int, list[Man]] = {}
        """The S? of each hex."""
        nation = self.rolled.card.nation
        self._enemy = usual_squad(nation if nation != "partisan" else "russian")
        index = setting.ground.index
        for piece in view.get("pieces", ()):
            if piece["face"].startswith("suspect/"):
                self._suspect(piece, index(piece["at"]))
        marks = view.get("marks", ())
        self._concealed(index(mark["at"]) for mark in marks if mark["face"] == SHOWN and mark.get("side") == ENEMY)
        self.wanted = {
            index(mark["at"]) for mark in marks if mark["face"].startswith("vpo/") and mark["face"] != f"vpo/{FRIENDLY}"
        }
        """Hexes of VPO that the FRIENDLY side does not control."""
        self.kept = {index(mark["at"]) for mark in marks if mark["face"] == f"vpo/{FRIENDLY}"}
        self.road = {index(mark["at"]) for mark in marks if mark["face"] == f"road/{FRIENDLY}"}
        """Hexes of the Road Network that it controls."""
        self.mines = {index(mark["at"]): _factors(mark["label"]) for mark in marks if mark["face"] == MINES}
        """Minefields that are known, with their factors."""
        # they attack who enters and again who leaves (B28.41)
        self.residual |= {
            cell: max(TWICE * factors, self.residual.get(cell, 0)) for cell, factors in self.mines.items()
        }
        rows = roster(view)
        self.first_end = _first_end(rows)
        self.lead = lead(rows)
        """VP of the FRIENDLY side less those of the ENEMY, VPO at what they are worth on average."""

    def _suspect(self, piece: dict[str, Any], cell: int) -> None:
        likely = expected(tuple(map(tuple, piece.get("facts", ()))))
        if self.mission in SOUGHT:
            likely *= NERVE
        man = Man(piece, self._enemy, cell, off=False, suspected=likely)
        self.men[man.id] = man
        self.suspects.setdefault(self.ground.floor_of(cell), []).append(man)
        self.foes.setdefault(self.ground.floor_of(cell), []).append(man)

    def _concealed(self, cells: Iterable[int]) -> None:
        for cell in cells:
            piece = {"id": f"?{cell}", "side": ENEMY, "face": self._enemy.kind}
            man = Man(piece, self._enemy, cell, off=False)
            self.men[man.id] = man
            self.foes.setdefault(self.ground.floor_of(cell), []).append(man)

    @property
    def turns_left(self) -> int:
        """Turns that are likely still to be played, the present one included (S12.5)."""
        return max(self.first_end + LONGER - self.turn, 1 + LONGER)


def _factors(label: str) -> int:
    """The factors of a minefield, as its mark says."""
    found = re.search(r"\d+", label)
    return int(found[0]) if found else 0


def roster(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The rows of the roster."""
    return [row for panel in view.get("panels", ()) if panel["id"] == "roster" for row in panel.get("rows", ())]


def _first_end(rows: Iterable[Mapping[str, Any]]) -> int:
    """The turn of the first Mission End dr, as the roster says."""
    for row in rows:
        if row["label"] == "Mission End":
            found = re.search(r"turn (\d+)", row.get("value", ""))
            return int(found[1]) if found else 10
    return 10


def lead(rows: Iterable[Mapping[str, Any]]) -> float:
    """By how many VP the FRIENDLY side is ahead on the roster."""
    ahead = 0.0
    for row in rows:
        words = row.get("value", "")
        found = POINTS.search(words)
        if found:
            ahead += float(found[1]) - float(found[2])
        elif row["label"].startswith("VPO "):
            worth = WORTH.search(words)
            points = float(worth[2]) if worth else OBJECTIVE
            ahead += points if words.startswith("FRIENDLY") else -points if words.startswith("ENEMY") else 0.0
    return ahead
