"""Computer players of the FRIENDLY side of `sasl`."""

from __future__ import annotations

import random
from typing import Any

from sandtable.engine import Action, Seat
from sandtable.players.sasl_plan import MissionPlan
from sandtable.players.sasl_sheet import Sheet
from sandtable.players.sasl_small import answer
from sandtable.players.sasl_worth import worth
from sandtable.players.squad import Marcher as SquadMarcher
from sandtable.players.squad import Recruit as SquadRecruit
from sandtable.players.squad_choices import Seasoned as SquadSeasoned
from sandtable.players.squad_choices import variants
from sandtable.players.squad_habits import HURRIED, KEEN, SPARING, WARY, Habits
from sandtable.players.squad_men import Board
from sandtable.players.squad_plan import Plan
from sandtable.players.squad_regular import Look
from sandtable.players.squad_regular import Regular as SquadRegular
from sandtable.players.squad_table import Table, setting_of

HEAVY = 4
"""PP from which on a weapon is a crew's."""
CROWDED = 0.5
"""Half MF that an edge hex seems farther by the square of the half-squads beside it."""


class _Reader(SquadRegular):
    """Reads the roster sheet and goes for what the mission asks for."""

    _picked = ""
    """Who was picked last of those who are to come on."""
    _waiting: tuple[str, frozenset[str]] = ("", frozenset())
    """The turn, and who found no room off board in it."""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """Small decisions at once, all others as in the other squad-level games."""
        small = answer(seat.actions().all)
        if small is None:
            return super().choose(seat, source)
        self.explanation, self.version = "", seat.version
        return small

    def board_of(self, view: dict[str, Any], side: str) -> Board:
        return Sheet(setting_of(view), side, view)

    def plan_of(self, board: Board) -> Plan:
        assert isinstance(board, Sheet)
        return MissionPlan(board)

    def reinforce(self, look: Look) -> Action | None:
        """Off board at the near end of the way to the goals, a few to a hex, so that they come on together."""
        places = look.all("PlaceUnit")
        if not places:
            armed = _arm_crews(look) if look.all("PickWeapon", "GiveWeapon") and not look.value.plan.exits else None
            if armed is not None:
                return armed
            return self._next_up(look)
        ready: dict[int, int] = {}
        for man in look.board.men.values():
            if man.off and man.cell >= 0:
                ready[man.cell] = ready.get(man.cell, 0) + (man.kind.size or 1)
        far = look.value.plan.far
        return min(places, key=lambda place: (far[place.at] + CROWDED * ready.get(place.at, 0) ** 2, place.at))  # type: ignore[no-any-return]

    def _next_up(self, look: Look) -> Action | None:
        """Squads before leaders; who was picked and found no room waits for another turn (SA-99)."""
        turn = look.view["turn"]
        if self._waiting[0] != turn:
            self._picked, self._waiting = "", (turn, frozenset())
        picks = look.all("PickUnit")
        if self._picked in [pick.unit for pick in picks]:
            self._waiting = (turn, self._waiting[1] | {self._picked})
        picks = [pick for pick in picks if pick.unit not in self._waiting[1]]
        if not picks:
            return look.first("SetUpDone" if self._waiting[1] else "AutoSetUp")
        men = look.board.men
        pick = min(picks, key=lambda pick: (men[pick.unit].kind.smc, pick.unit))
        self._picked = pick.unit
        return pick  # type: ignore[no-any-return]


def _arm_crews(look: Look) -> Action | None:
    """Mortars and heavy machine guns to crews without a weapon: they stay behind, the squads go on."""
    men = look.board.men
    for give in look.all("GiveWeapon"):
        if men[give.unit].kind.crew and not men[give.unit].arms:
            return give  # type: ignore[no-any-return]
    idle = [man for man in men.values() if man.off and man.cell < 0 and man.kind.crew and not man.arms]
    for pick in look.all("PickWeapon") if idle else ():
        arm = look.board.arms[pick.weapon]
        if arm.kind.pp >= HEAVY and not arm.kind.gun and not men[arm.owner].kind.crew:
            return pick  # type: ignore[no-any-return]
    return None


class Regular(_Reader):
    """The regular of a mission: losses count for the ENEMY in all of them."""

    attack = SPARING
    breakout = HURRIED

    def habits(self, plan: Plan) -> Habits:
        """More care in a cautious advance, less where time runs short."""
        assert isinstance(plan, MissionPlan)
        return WARY if plan.wary else KEEN if plan.keen else super().habits(plan)


class Seasoned(_Reader, SquadSeasoned):
    """The veteran's own regular."""


class Marcher(_Reader, SquadMarcher):
    """How a recruit goes."""


class MissionTable(Table):
    """The pieces of one view, S? among the enemies."""

    def __init__(self, view: dict[str, Any], side: str) -> None:
        super().__init__(setting_of(view), side, view)
        sheet = Sheet(self.setting, side, view)
        self._plan = MissionPlan(sheet)
        self.turns_left = sheet.turns_left
        for cell, men in sheet.foes.items():
            for man in men:
                if man.suspected or man.id.startswith("?"):
                    share = man.suspected or 1.0
                    self.enemy_units[cell] = self.enemy_units.get(cell, 0) + 1
                    self.enemies[cell] = self.enemies.get(cell, 0) + share * man.kind.fp

    def goals(self) -> tuple[frozenset[int], bool]:
        return self._plan.goals, True

    @property
    def marching(self) -> bool:
        return True


class Recruit(SquadRecruit):
    """The recruit of a mission."""

    marcher = Marcher

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """Small decisions at once, all others as in the other squad-level games."""
        small = answer(seat.actions().all)
        if small is None:
            return super().choose(seat, source)
        self.explanation, self._version = "", seat.version
        return small

    def table_of(self, view: dict[str, Any], side: str) -> Table:
        return MissionTable(view, side)


PLAYERS = {"regular": Regular}
quick = Regular
base = Seasoned

__all__ = ["PLAYERS", "Recruit", "Regular", "base", "quick", "variants", "worth"]
