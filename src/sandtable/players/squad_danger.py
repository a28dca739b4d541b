"""Fields of fire: what fire from one hex does to a unit in another, from the IFT itself (3.2.2, 3.2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from sandtable.engine.odds import TWO_DICE
from sandtable.games.squad.cards.tables import FP_FACTORS, IFT
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.movers import FFMO, FFNAM
from sandtable.players.squad_men import Arm, Board, Man
from sandtable.space.remembered import also_forget

PIN = 0.25
"""What pinning a unit is worth beside breaking it."""
GUN_RANGE = 24
FFNAM_DRM, FFMO_DRM = int(FFNAM[1]), int(FFMO[1])


def _below(limit: int) -> float:
    """The chance of a DR of this number or less."""
    return sum(chance for total, chance in TWO_DICE if total <= limit)


@cache
def harm(fp: int, drm: int, morale: int = 7) -> float:
    """What an attack is worth against one unit: 1 for its loss, about half for breaking it (3.2.3).

    An estimate of worth, not of effects: a player knows only the morale of most targets, while `effects.verdicts`
    judges a unit of a match (wounds, ELR, what it is broken to). It is asked for every hex of a way, so it is kept by
    its three figures; exact odds, which previews show, come from the verdicts of play.
    """
    column = IFT.column(fp)
    if not column:
        return 0.0
    total = 0.0
    for roll, chance in TWO_DICE:
        result = IFT.result(column, roll + drm)
        if result.kind == "KIA":
            total += chance * 1.5
        elif result.kind == "K":
            total += chance * 1.1
        elif result.kind == "MC":
            total += chance * (1 - _below(morale - result.number)) * 0.9 + chance * PIN * 0.1
        elif result.kind == "PTC":
            total += chance * (1 - _below(morale)) * PIN
    return total


def firepower(man: Man, far: int, *, arms: Iterable[Arm] = ()) -> float:
    """FP of a unit and its machine guns at a range (3.2.2); ordnance counts for what it hits on average."""
    kind = man.kind
    fp = _at_range(kind.fp, kind.range, far)
    for arm in arms or man.arms:
        if not arm.broken:
            fp += arm_power(arm, far)
    return fp


def arm_power(arm: Arm, far: int) -> float:
    """FP of a weapon at a range."""
    kind = arm.kind
    if kind.charge:
        return 0.0
    if kind.ordnance and not kind.fp:
        if kind.latw:
            return 4.0 if far <= 3 else 0.0
        return 6.0 if far <= GUN_RANGE and not (kind.mortar and far < 3) else 0.0
    power = _at_range(kind.fp, kind.range or 1, far)
    return power * (1.0 + 0.25 * kind.rof)


def _at_range(fp: int, reach: int, far: int) -> float:
    if far <= 1:
        return FP_FACTORS["point_blank"] * fp
    if far <= reach:
        return float(fp)
    return FP_FACTORS["long_range"] * fp if far <= 2 * reach else 0.0


class Threat:
    """The enemies of one hex as firers."""

    __slots__ = ("_power", "cell", "leadership", "men", "seen", "spent", "weight")

    def __init__(self, cell: int, men: list[Man]) -> None:
        self.cell = cell
        self.men = [man for man in men if man.kind.fires]
        self.leadership = min((man.kind.leadership for man in men if man.kind.leads), default=0)
        fired = [man for man in self.men if man.fired]
        self.spent = len(fired) / max(len(self.men), 1)
        self._power: dict[int, float] = {}
        expected = [man.suspected for man in self.men if man.suspected]
        self.seen = len(expected) < len(self.men)
        """Whether somebody can be fired at."""
        self.weight = 1.0 if self.seen else min(sum(expected), 1.0)
        """How likely it is that this fire comes."""

    def power(self, far: int) -> float:
        """FP of the whole hex at a range."""
        found = self._power.get(far)
        if found is None:
            found = self._power[far] = sum(firepower(man, far) for man in self.men)
        return found

    @property
    def key(self) -> tuple[object, ...]:
        """What its fire depends on, apart from what it has fired."""
        return (self.cell, self.leadership, self.weight, *(armed(man) for man in self.men))


def armed(man: Man) -> tuple[int, ...]:
    """What the fire of a unit depends on: its counter and its working weapons."""
    return (id(man.kind), *(id(arm.kind) for arm in man.arms if not arm.broken))


class Memory:
    """What has been worked out for one disposition of the enemy; most decisions leave it as it is."""

    def __init__(self) -> None:
        self.standing: dict[int, float] = {}
        self.punch: dict[tuple[object, ...], float] = {}
        self.moving: dict[tuple[object, ...], dict[tuple[int, bool], float]] = {}


_memories: dict[tuple[object, ...], Memory] = {}
also_forget(_memories.clear)
KEPT = 24
"""Dispositions that are remembered."""


def _recall(key: tuple[object, ...]) -> Memory:
    found = _memories.get(key)
    if found is None:
        for oldest in list(_memories)[: max(0, len(_memories) + 1 - KEPT)]:
            _memories.pop(oldest, None)
        found = _memories[key] = Memory()
    return found


class Fields:
    """Where the enemy can shoot, worked out for a position and kept for its decisions."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.ground = board.ground
        firing: dict[int, list[Man]] = {}
        for men in board.foes.values():
            for man in men:
                if not man.broken:
                    firing.setdefault(man.cell, []).append(man)
        self.threats = [Threat(cell, men) for cell, men in firing.items() if any(man.kind.fires for man in men)]
        memory = _recall((board.ground, frozenset(board.smoke), *(threat.key for threat in self.threats)))
        spent = (tuple(threat.spent for threat in self.threats), tuple(board.residual.items()))
        self._moving = memory.moving.setdefault(spent, {})
        self._standing = memory.standing
        self._punch = memory.punch

    def drm(self, frm: int, to: int) -> int | None:
        """TEM and hindrance of a shot; None: no line of sight."""
        # the lines of the enemy's hexes serve for all hexes that are thought of
        hindrance = self.ground.line(to, frm) if to in self.board.foes else self.ground.line(frm, to)
        if hindrance == BLOCKED:
            return None
        smoke = 2 if to in self.board.smoke or frm in self.board.smoke else 0
        return int(self.ground.tem[to]) + int(hindrance) + smoke

    def moving(self, cell: int, *, assault: bool = False) -> float:
        """Expected harm of the First Fire that a unit draws by entering a hex (3.3.1)."""
        key = (cell, assault)
        found = self._moving.get(key)
        if found is None:
            found = self._moving[key] = self._first_fire(cell, assault)
        return found

    def _first_fire(self, cell: int, assault: bool) -> float:
        found = 0.0
        ranges = self.ground.ranges[cell]
        for threat in self.threats:
            far = ranges[threat.cell]
            power = threat.power(far) if far <= GUN_RANGE else 0.0
            drm = self.drm(threat.cell, cell) if power >= 1 else None
            if drm is None:
                continue
            if threat.spent:
                # who has fired may fire again only at the near ones, at half FP
                power *= 1 - threat.spent * (0.5 if far <= 2 else 0.95)
            if self.ground.open[cell] and drm <= 0:
                drm += FFMO_DRM
            found += threat.weight * harm(int(power), drm + (0 if assault else FFNAM_DRM) + threat.leadership)
        residual = self.board.residual.get(cell, 0)
        if residual:
            moving = (0 if assault else FFNAM_DRM) + (FFMO_DRM if self.ground.open[cell] else 0)
            found += harm(residual, int(self.ground.tem[cell]) + moving)
        return min(found, 2.0)

    def standing(self, cell: int) -> float:
        """Expected harm of the fire at a unit that stands in a hex in the next fire phases."""
        found = self._standing.get(cell)
        if found is None:
            found = 0.0
            ranges = self.ground.ranges[cell]
            for threat in self.threats:
                far = ranges[threat.cell]
                power = threat.power(far) if far <= GUN_RANGE else 0.0
                drm = self.drm(threat.cell, cell) if power >= 1 else None
                if drm is not None:
                    found += threat.weight * harm(int(power), drm + threat.leadership)
            found = self._standing[cell] = min(found, 2.0)
        return found

    def punch(self, man: Man, cell: int, *, factor: float = 1.0) -> float:
        """The best harm that a unit can do from a hex, by what its targets are worth."""
        key = (cell, factor, armed(man))
        found = self._punch.get(key)
        if found is None:
            found = 0.0
            ranges = self.ground.ranges[cell]
            for threat in self.threats:
                power = firepower(man, ranges[threat.cell]) * factor
                if power < 1 or not threat.seen:
                    continue
                drm = self.drm(cell, threat.cell)
                if drm is not None:
                    found = max(found, harm(int(power), drm) * (0.7 + 0.3 * len(threat.men)))
            self._punch[key] = found
        return found
