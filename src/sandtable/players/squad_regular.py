"""The regular of the squad-level games: a plan by the victory conditions, and every choice judged by its odds."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine import Action, Seat
from sandtable.players import squad_care, squad_fight, squad_guns, squad_march, squad_shots
from sandtable.players.squad_habits import ATTACK, BLOCKING, BREAKOUT, DEFENCE, Habits
from sandtable.players.squad_men import Board
from sandtable.players.squad_plan import Plan
from sandtable.players.squad_table import setting_of
from sandtable.players.squad_value import Value


class Regular:
    """Plans by the victory conditions, reads the fields of fire, and acts where the odds are good."""

    herd = 0
    """How many others always move along; none: as it fits."""
    attack: Habits = ATTACK
    breakout: Habits = BREAKOUT
    defence: Habits = DEFENCE
    blocking: Habits = BLOCKING

    def __init__(self) -> None:
        self.explanation = ""
        self.phase = ""
        self.version = -2
        self.left: set[str] = set()
        """Pieces that were looked at in this phase or window and left alone."""
        self.draft: list[str] = []
        self.order: list[str] = []
        """Units in the order in which they move."""
        self.gone: set[str] = set()
        """Units that have been sent off in this phase."""
        self.spent: frozenset[str] | None = None
        """The enemies who could fire no more when that order was made."""
        self.path: tuple[int, ...] = ()
        self.goal = -1
        self.assault = False
        self.double = False
        self.party: tuple[str, ...] = ()
        self.tried = 0
        self.aimed = -1
        """The hex that ordnance was aimed at last."""

    def fork(self) -> Regular:
        """A player with the same memory that goes its own way."""
        twin = type(self)()
        twin.__dict__.update(self.__dict__)
        twin.left, twin.draft, twin.order = set(self.left), list(self.draft), list(self.order)
        twin.gone = set(self.gone)
        return twin

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """The part of the player that knows the phase decides."""
        actions = seat.actions().all
        self.explanation = ""
        if len(actions) == 1:
            only: Action = actions[0]
            self.version = seat.version
            return only
        view = seat.view()
        phase = f"{view['turn']} {view['phase']} {view['active']}"
        if phase != self.phase:
            self.new_phase(view)
            self.phase, self.left, self.tried, self.order = phase, set(), 0, []
            self.gone, self.spent = set(), None
        elif seat.version > self.version + 1 and view["active"] != seat.side:
            self.left, self.tried = set(), 0
        self.version = seat.version
        look = Look(seat, view, actions, self, source)
        for habit in HABITS:
            chosen = habit(self, look)
            if chosen is not None:
                return chosen
        for name in ("Done", "EndPhase", "Pass", "Stop", "KeepArcs", "EndRout"):
            if name in look.by_kind:
                return look.by_kind[name][0]
        return source.choice(list(actions))

    def habits(self, plan: Plan) -> Habits:
        """Its habits in a position like this."""
        if not plan.attacking:
            return self.blocking if plan.fleeing else self.defence
        return self.breakout if plan.exits else self.attack

    def board_of(self, view: dict[str, Any], side: str) -> Board:
        """What it sees on the map."""
        return Board(setting_of(view), side, view)

    def plan_of(self, board: Board) -> Plan:
        """What it goes for in a position."""
        return Plan(board)

    def reinforce(self, look: Look) -> Action | None:
        """How its reinforcements stand ready off board: as the program places them."""
        return look.first("AutoSetUp")

    def new_phase(self, view: dict[str, Any]) -> None:
        """A phase begins."""

    def leave(self, pieces: Sequence[str]) -> None:
        """Do not think of these again in this phase or window."""
        self.left.update(pieces)


class Look:
    """One decision: the view, the actions by kind, and what is worked out from them when needed."""

    def __init__(
        self,
        seat: Seat,
        view: dict[str, Any],
        actions: Sequence[Action],
        player: Regular,
        source: random.Random | None = None,
    ) -> None:
        self.seat = seat
        self.player = player
        self.source = source or random.Random(0)
        """Chance, where the enemy must not be able to guess the choice."""
        self.view = view
        self.by_kind: dict[str, list[Action]] = {}
        for action in actions:
            self.by_kind.setdefault(type(action).__name__, []).append(action)
        self._value: Value | None = None

    @property
    def value(self) -> Value:
        """The position as the plan sees it."""
        if self._value is None:
            board = self.player.board_of(self.view, self.seat.side)
            self._value = Value(board, self.player.habits, self.player.plan_of(board))
        return self._value

    @property
    def board(self) -> Board:
        """The pieces on the map."""
        return self.value.board

    def all(self, *names: str) -> list[Any]:
        """The actions of these kinds."""
        return [action for name in names for action in self.by_kind.get(name, ())]

    def first(self, *names: str) -> Action | None:
        """The first action of these kinds."""
        for name in names:
            if self.by_kind.get(name):
                return self.by_kind[name][0]
        return None

    def success(self, action: Action) -> float:
        """The chance of the first line of a preview."""
        preview = self.seat.preview(action)
        return preview.odds[0].chance if preview is not None and preview.odds else 0.0


HABITS: tuple[Callable[[Regular, Look], Action | None], ...] = (
    squad_care.set_up,
    squad_care.rally,
    squad_shots.fire,
    squad_march.move,
    squad_care.rout,
    squad_fight.advance,
    squad_fight.close_combat,
    squad_guns.turn,
    squad_care.others,
)
