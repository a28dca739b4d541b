"""The missions: how each is set up, what happens in it, when it ends and what counts (S12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.concealment.losing import lose
from sandtable.games.sasl import finds, victory
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.dice import on_table, rolled, say
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROSTER, Objective
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import LAST_TURN, Board, Rolled, rolled_in
from sandtable.games.sasl.suspects import MOST, by_cases, count_placed
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import reveal
from sandtable.games.squad.pieces.model import SquadState, Unit


class Rules:
    """A mission's own rules; the common ones are here."""

    boards = 1
    tables: tuple[str, ...] = ("A8a",)
    """The tables A8 that its boards are rolled on."""
    board_drm = 0
    configurations = "A"
    numbers = ""
    """The table A6 for the number of VPO on a board, empty: none."""
    cases = "abc"
    first_end = 10
    """The turn at whose end the first Mission End dr is made."""
    ends_at = 2
    """A dr of this or less ends it."""
    end_help = ""
    """What makes it easier, in words."""
    offers = False
    """Whether reinforcements are rolled for that the FRIENDLY side may refuse."""
    events_at_once = False
    """ENEMY events happen before any ENEMY unit has been Activated."""

    # -- set-up -------------------------------------------------------------------------------

    def lay_out(self, play: Play[SquadState], base: Rolled) -> Rolled:
        """What is rolled before the boards: how they lie (S13.23)."""
        if len(self.configurations) > 1:
            (dr,) = rolled(play, 1, "Mapboard Configuration")
            base = replace(base, config="A" if dr <= 3 else "B")
            say(play, "Configuration", base.config, (dr,), "", "S13.23")
        return base

    def board_table(self, base: Rolled) -> str:
        """The table A8 for the next board."""
        return base.table or self.tables[min(len(base.boards), len(self.tables) - 1)]

    def add_board(self, play: Play[SquadState], base: Rolled, *, table: str = "") -> Rolled:
        """Roll one more board with its VPO."""
        board = rolling.roll_board(play, base, table or self.board_table(base), self.board_drm)
        return self.join_board(play, base, board, rolling.find_board(play, base, board))

    def join_board(self, play: Play[SquadState], base: Rolled, board: Board, name: str) -> Rolled:
        """Lay a board out beside the others, with its VPO."""
        board = rolling.lay_board(play, base, board, name)
        number = self.objectives_on(play, first=not base.boards)
        if number:
            board = rolling.roll_objectives(play, base, board, number, base.boards)
        return replace(base, boards=(*base.boards, board))

    def reinforcements(self, play: Play[SquadState], base: Rolled) -> Rolled:
        """Roll what the FRIENDLY side is offered beside its force; it may be refused."""
        return base

    def accept(self, play: Play[SquadState], base: Rolled) -> Rolled:
        """The FRIENDLY side takes what it is offered."""
        return base

    def objectives_on(self, play: Play[SquadState], *, first: bool) -> int:
        """How many VPO a board has {A6}."""
        return int(on_table(play, general.table(f"A6{self.numbers}"), what="number of VPO")) if self.numbers else 0

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        """Put VPO and S? on the map."""
        base = rolled_in(play.state)
        for board in base.boards:
            self.open_board(play, board, options)
        count_placed(play.state)

    def open_board(self, play: Play[SquadState], board: Board, options: Mapping[str, str]) -> None:
        """VPO and S? of a board that has just been laid out."""
        add_objectives(play.state, board)
        by_cases(play, board, self.cases, MOST[options.get("suspects", "20")])

    # -- in play ---------------------------------------------------------------------------------

    def entered(self, play: Play[SquadState], units: Sequence[Unit]) -> None:
        """FRIENDLY units have entered a Location."""

    def exited(self, play: Play[SquadState]) -> None:
        """Units have left the map."""

    def begin_turn(self, play: Play[SquadState]) -> None:
        """A Game Turn begins."""

    def begin_enemy_turn(self, play: Play[SquadState]) -> None:
        """An ENEMY Player Turn begins."""

    def quiet(self, play: Play[SquadState]) -> None:
        """A phase begins: what had to wait for a quiet moment."""

    def control(self, play: Play[SquadState]) -> None:
        """A phase or the mission ends: who controls what (S14)."""
        victory.update_control(play)

    def passed(self, play: Play[SquadState], cell: int) -> None:
        """Units on the move are in a Location: Control is gained in passing (A26.11)."""
        victory.update_control(play, cell)

    def end_words(self, state: SquadState) -> str:
        """When the mission may end, for the roster."""
        return f"at the end of each turn from turn {self.first_end}, on a dr of {self.ends_at} or less{self.end_help}"

    def bars_event(self, state: SquadState, side: str, event: Event) -> str:
        """Why an event does not occur in the mission, empty: it may (MSR)."""
        return ""

    # -- the end ---------------------------------------------------------------------------------

    def end_drm(self, state: SquadState) -> int:
        """The drm of the Mission End dr."""
        return 0

    def may_end(self, state: SquadState) -> bool:
        """Whether a Mission End dr is due at the end of this turn."""
        return state.turn >= self.first_end

    def end_of_turn(self, play: Play[SquadState]) -> None:
        """The Mission End dr (S12.5)."""
        state = play.state
        last = ROSTER.of(state).evacuate
        if last and state.outcome is None and state.turn >= last:
            self.finish(play, f"The evacuation ended after turn {last}")
        if state.outcome is None and self.may_end(state):
            self.end_roll(play)
        if state.outcome is None and state.turn >= LAST_TURN:
            self.finish(play, f"The Mission ended after turn {state.turn} (SA-52)")

    def end_roll(self, play: Play[SquadState]) -> None:
        """A Mission End dr; an evacuation has an end of its own (RE 75-76)."""
        state = play.state
        if ROSTER.of(state).evacuate:
            return
        drm = self.end_drm(state)
        (dr,) = rolled(play, 1, "Mission End")
        over = dr + drm <= self.ends_at
        say(play, "Mission End", f"{dr}{drm:+d}", (dr,), "the Mission ends" if over else "the Mission goes on", "S12.5")
        if over:
            self.finish(play, f"The Mission ended after turn {state.turn}")

    def end_of_player_turn(self, play: Play[SquadState]) -> None:
        """A Player Turn is over: the mission ends if no FRIENDLY unit is left (SA-53)."""
        state = play.state
        if reading(state, "last_unit") == "goes on" and not ROSTER.of(state).evacuate:
            return
        if state.outcome is None and not any(unit.side == FRIENDLY for unit in state.units.values()):
            gone = "All FRIENDLY units have left the map" if ROSTER.of(state).evacuate else "No FRIENDLY unit is left"
            self.finish(play, gone)

    def finish(self, play: Play[SquadState], why: str) -> None:
        """Add up the VP and say who has won (S12.6)."""
        _show_all(play)
        self.control(play)
        victory.verdict(play, self.score(play), why)

    def score(self, play: Play[SquadState]) -> list[victory.Line]:
        """The VP Schedule, with what events have added to it."""
        lines = [*victory.objective_lines(play), *victory.gained(play.state), *self.tally(play.state)]
        if ROSTER.of(play.state).evacuate:
            lines.append(("Evacuated", play.state.points.get(FRIENDLY, 0), 0))
        papers = finds.papers_value(play)
        return [*lines, ("Papers", papers, 0)] if papers else lines

    def tally(self, state: SquadState) -> list[victory.Line]:
        """VP that follow from the position."""
        return []


def _show_all(play: Play[SquadState]) -> None:
    """Nothing of the ENEMY stays hidden when the VP are added up."""
    units = play.state.units
    for unit in [unit for unit in units.values() if unit.side == ENEMY and unit.at >= 0]:
        if hidden(unit):
            reveal(play, unit, "the Mission is over")
        elif unit.concealed:
            lose(play, unit, "the Mission is over")


def add_objectives(state: SquadState, board: Board) -> None:
    """The VPO of a board, each with all hexes of the building that it is in (S14.3, S14.32, SA-42)."""
    ground = setting_of(state).ground
    for hexes in board.vpo:
        cells: list[int] = []
        for name in hexes:
            cell = ground.index(name)
            building = ground.building[cell]
            whole = building and reading(state, "vpo") == "building"
            cells += ground.buildings[building] if whole else (cell,)
        cells = list(dict.fromkeys(cells))
        name = "-".join(hexes)
        OBJECTIVES.of(state)[name] = Objective(name, tuple(cells), (ENEMY,) * len(cells), board.board)


MISSIONS: dict[int, Rules] = {}
"""The missions that can be played, filled in `game.py`."""


def rules_of(state: SquadState) -> Rules:
    """The rules of the mission that is played."""
    return MISSIONS[rolled_in(state).mission]
