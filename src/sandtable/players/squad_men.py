"""What stands on the map of a squad-level game, read from a player's view once for each decision."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.pieces.kinds import UnitKind, WeaponKind, printed_unit, printed_weapon

FIRED = ("marker/prep-fire", "marker/first-fire", "marker/final-fire", "marker/intensive-fire")
OFF = -1


@cache
def unit_printed(face: str) -> UnitKind | None:
    """Printed values of a unit's face; a weapon has none."""
    try:
        return printed_unit(face.removesuffix("/broken"))
    except ValueError:
        return None


@cache
def weapon_printed(face: str) -> WeaponKind | None:
    """Printed values of a weapon's face; a unit has none."""
    try:
        return printed_weapon(face)
    except ValueError:
        return None


class Arm:
    """A support weapon or Gun as the view shows it."""

    __slots__ = ("acquired", "broken", "cell", "facing", "fired", "hip", "id", "kind", "owner", "side")

    def __init__(self, piece: dict[str, Any], kind: WeaponKind, cell: int) -> None:
        markers = piece.get("markers", ())
        self.id: str = piece["id"]
        self.side: str = piece.get("side", "")
        self.kind = kind
        self.cell = cell
        self.owner: str = piece.get("within", "") or ""
        self.broken = "marker/malfunction" in markers
        self.hip = "marker/hip" in markers
        self.fired = any(marker in FIRED for marker in markers)
        self.facing = piece.get("facing")
        self.acquired = any(name == "Acquired" for name, _ in piece.get("facts", ()))


class Man:
    """A squad, half-squad, crew or leader as the view shows it."""

    __slots__ = (
        "arms",
        "broken",
        "cell",
        "cx",
        "dm",
        "fired",
        "hip",
        "id",
        "kind",
        "melee",
        "moved",
        "off",
        "pinned",
        "side",
        "suspected",
    )

    def __init__(self, piece: dict[str, Any], kind: UnitKind, cell: int, off: bool, suspected: float = 0.0) -> None:
        markers = piece.get("markers", ())
        self.id: str = piece["id"]
        self.side: str = piece.get("side", "")
        self.kind = kind
        self.cell = cell
        self.off = off
        self.broken = piece["face"].endswith("/broken")
        self.dm = self.pinned = self.cx = self.melee = self.hip = self.moved = self.fired = False
        for marker in markers:
            name = marker[7:]
            if name in ("dm", "cx", "melee", "hip", "moved"):
                setattr(self, name, True)
            elif name == "pin":
                self.pinned = True
            elif marker in FIRED:
                self.fired = True
        self.arms: list[Arm] = []
        self.suspected = suspected
        """Nobody knows whether he is there: how many such units are to be expected; 0: he is seen."""

    @property
    def good(self) -> bool:
        """In Good Order (2.0)."""
        return not self.broken and not self.melee

    @property
    def size(self) -> float:
        """Squads that it counts for; a leader counts half for what he does for others."""
        return self.kind.size / 2 if self.kind.mmc else 0.6 - 0.3 * self.kind.leadership


class Board:
    """All pieces of a view, by id and by hex number."""

    def __init__(self, setting: Setting, side: str, view: Mapping[str, Any]) -> None:
        self.setting = setting
        self.ground = setting.ground
        self.side = side
        self.enemy = setting.others[side]
        self.active: str = view.get("active", "")
        self.phase: str = view.get("phase", "")
        self.turn = next((track["at"] for track in view.get("tracks", ()) if track["id"] == "turn"), 0)
        self.men: dict[str, Man] = {}
        self.arms: dict[str, Arm] = {}
        self.own: dict[int, list[Man]] = {}
        self.foes: dict[int, list[Man]] = {}
        """By the Location that is entered to get at them: those at the lip of a gully by its hex."""
        self.points: dict[str, int] = {}
        """Victory points lost by each side with its eliminated units, and won by its exits (`exit-side`)."""
        index = setting.ground.index
        guns: list[Arm] = []
        for piece in view.get("pieces", ()):
            at, side_of = piece["at"], piece.get("side", "")
            if at.startswith("gone-"):
                facts = dict(piece.get("facts", ()))
                key = f"exit-{side_of}" if facts.get("How") == "exited" else side_of
                self.points[key] = self.points.get(key, 0) + int(facts.get("Points", 0))
                continue
            off = at.startswith("off-")
            cell = OFF if off else index(at)
            kind = unit_printed(piece["face"])
            if kind is None:
                weapon = weapon_printed(piece["face"])
                if weapon is not None:
                    arm = Arm(piece, weapon, cell)
                    self.arms[arm.id] = arm
                    guns.append(arm)
                continue
            if off:
                beside = next((value for name, value in piece.get("facts", ()) if name == "Off board beside"), "")
                cell = index(beside) if beside else OFF
            man = Man(piece, kind, cell, off)
            self.men[man.id] = man
            if not off:
                if side_of == side:
                    self.own.setdefault(cell, []).append(man)
                else:
                    self.foes.setdefault(self.ground.floor_of(cell), []).append(man)
        for arm in guns:
            if arm.owner in self.men:
                self.men[arm.owner].arms.append(arm)
        self.smoke = {index(mark["at"]) for mark in view.get("marks", ()) if "Smoke" in mark.get("label", "")}
        self.residual = {
            index(mark["at"]): int(mark["face"].rpartition("-")[2])
            for mark in view.get("marks", ())
            if mark["face"].startswith("marker/residual")
        }
        self.control = {
            index(mark["at"]): mark.get("side", "")
            for mark in view.get("marks", ())
            if mark["face"].startswith("marker/control")
        }
        """First hex of a watched building, and who controls it."""

    @property
    def turns_left(self) -> int:
        """Player Turns that this side may still play, the present one included."""
        setting = self.setting
        left = setting.turns - self.turn
        if self.active != self.side and (self.side == setting.first):
            left -= 1
        if setting.half and self.side == setting.second:
            left -= 1
        return max(left, 0)
