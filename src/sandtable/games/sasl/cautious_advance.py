"""Mission 1: the FRIENDLY side advances with caution, and boards open before it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.sasl import events, victory
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.bridges import roll_bridges
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.dice import on_table, rolled, say
from sandtable.games.sasl.growing import change_map
from sandtable.games.sasl.missions import Rules
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROSTER, BoardJoined
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables.missions import inside
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit


class CautiousAdvance(Rules):
    """Mission 1: one board, more may open to the east as the FRIENDLY side comes near (M1)."""

    numbers = "c"
    most_more = 2

    def entered(self, play: Play[SquadState], units: Sequence[Unit]) -> None:
        state = play.state
        roster = ROSTER.of(state)
        if len(rolled_in(state).boards) + len(roster.ahead) >= 1 + self.most_more:
            return
        able = [unit for unit in units if not unit.broken]
        if not able:
            return
        setting = setting_of(state)
        cell = able[0].at
        distance = 1 + min(setting.ground.ranges[cell][edge] for edge in edge_cells(setting, "east"))
        if distance > 5:
            return
        (dr,) = rolled(play, 1, "new mapboard")
        drm = max(0, setting.ground.level[cell])
        opens = dr + drm > distance
        how = "more" if opens else "not more"
        why = f"{how} than the {distance} hexes to a new board: {'it is activated' if opens else 'no effect'}"
        say(play, "Mapboard Activation", f"{dr}{drm:+d}", (dr,), why, "S13")
        if opens:
            rolling.put_roster(state, ahead=(*roster.ahead, 1))

    def begin_enemy_turn(self, play: Play[SquadState]) -> None:
        state = play.state
        if any(ENEMY in one.owners for one in OBJECTIVES.of(state).values()):
            return
        result = on_table(play, inside("M1-msr2"))
        if result.startswith("a new board"):
            rolling.put_roster(state, ahead=(*ROSTER.of(state).ahead, 1))
        elif result.startswith("ENEMY RE"):
            events.happen(play, ENEMY)

    def quiet(self, play: Play[SquadState]) -> None:
        state = play.state
        ahead = ROSTER.of(state).ahead
        if not ahead or state.moving is not None:
            return
        rolling.put_roster(state, ahead=())
        options = setting_of(state).options
        for _ in ahead:
            base = roll_bridges(play, self.add_board(play, rolled_in(state), table="A8a"))
            change_map(play, base)
            board = base.boards[-1]
            play.emit(BoardJoined(board=board.board))
            victory.gain(play, FRIENDLY, 3, "mapboards activated")
            self.open_board(play, board, options)

    def tally(self, state: SquadState) -> list[victory.Line]:
        return [
            ("Casualty VP", 0, victory.casualties(state, FRIENDLY)),
            ("ENEMY Guns", victory.guns_lost(state, ENEMY), 0),
        ]
