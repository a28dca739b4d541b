"""Missions 8 and 19: the ENEMY comes on in Advance Attitude."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl import activation, entering, victory
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.crests import stands
from sandtable.games.sasl.dice import pick, rolled, say
from sandtable.games.sasl.growing import change_map
from sandtable.games.sasl.missions import Rules
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, ROSTER, SUSPECTS
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.roads import network, tell_network
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.suspects import add
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, put, stacking_of
from sandtable.games.squad.pieces.model import SquadState, Unit

IN_COLUMN = 2
"""S? in each hex of a column (M8 MSR 1)."""


def column_length(number: int) -> int:
    """Hexes of a column of so many S?: two in each, an odd one last."""
    return math.ceil(number / IN_COLUMN)


def stacks_of(state: SquadState) -> list[list[Unit]]:
    """The FRIENDLY company in column: stacks within the limits, leaders with the first (S15.4, E11.5)."""
    units = [unit for unit in state.units.values() if unit.side == FRIENDLY]
    leaders = [unit for unit in units if unit_kind(state, unit).smc]
    rest = [unit for unit in units if not unit_kind(state, unit).smc]
    stacks: list[list[Unit]] = [[]]
    for unit in rest:
        size, _ = stacking_of(state, [*stacks[-1], unit])
        if size > STACK_SQUADS:
            stacks.append([])
        stacks[-1].append(unit)
    for number, unit in enumerate(leaders):
        place = stacks[number % len(stacks)]
        if stacking_of(state, [*place, unit])[1] <= STACK_LEADERS:
            place.append(unit)
    return stacks


class Patrol(Rules):
    """Mission 8: two columns meet on a road (M8)."""

    boards, tables = 2, ("A8a", "A8b", "A8c", "A8d", "A8e")
    first_end, ends_at, end_help = 8, 1, ", -1 drm for each later turn"

    def lay_out(self, play: Play[SquadState], base: Rolled) -> Rolled:
        table = pick(play, self.tables, "which table A8")
        say(play, "Mission 8", table, (), "all boards are rolled on this table", "S13.21")
        return replace(super().lay_out(play, base), table=table)

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        state = play.state
        pool = math.ceil(2 * rolling.strength_number(rolled_in(state).units) / 3)
        rolling.put_roster(state, pool=pool, road=len(network(setting_of(state))))
        say(
            play, "Mission 8", f"{pool} S?", (), f"two thirds of the US#, a column of {column_length(pool)} hexes", "M8"
        )
        self.meet(play, pool)
        first = pick(play, (FRIENDLY, ENEMY), "which side moves first")
        setting = setting_of(state)
        beside = setting.ground.ranges[network(setting)[0]]
        near = [setting.ground.names[cell] for cell in edge_cells(setting, "west") if beside[cell] <= 1]
        change_map(play, replace(rolled_in(state), first=first, entry=f"west {near[0]}-{near[-1]}"))
        state.attacker = setting_of(state).first

    def meet(self, play: Play[SquadState], pool: int) -> None:
        """Columns move hex by hex along the road, the ENEMY first, until they see each other (M8 MSR 2)."""
        state = play.state
        setting = setting_of(state)
        road = network(setting)
        tell_network(play)
        last = len(road) - 1
        stacks = stacks_of(state)
        theirs = ours = -1
        met = False
        while not met:
            if theirs <= ours:
                theirs += 1
            else:
                ours += 1
            if ours >= 0 and theirs >= 0:
                met = last - theirs - ours <= 1 or any(
                    sees(state, road[ours - a], road[last - theirs + b])
                    for a in range(min(ours + 1, len(stacks)))
                    for b in range(min(theirs + 1, column_length(pool)))
                )
        self._deploy(play, road, stacks, ours, theirs, pool)

    def _deploy(
        self,
        play: Play[SquadState],
        road: Sequence[int],
        stacks: Sequence[Sequence[Unit]],
        ours: int,
        theirs: int,
        pool: int,
    ) -> None:
        state = play.state
        last = len(road) - 1
        for number, stack in enumerate(stacks[: ours + 1]):
            for unit in stack:
                put(state, state.units[unit.id], road[ours - number])
        placed = min(pool, IN_COLUMN * (theirs + 1))
        for number in range(placed):
            add(state, at=road[last - theirs + number // IN_COLUMN], attitude=ADVANCE, edge="west", colour="red")
        rolling.put_roster(state, pool=pool - placed, placed=placed)
        words = f"after {ours + 1} and {theirs + 1} hexes the columns see each other"
        say(play, "M8 MSR 2", "columns meet", (), words, "M8")
        friends = [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0]
        for one in list(SUSPECTS.of(state).values()):
            seen = [unit for unit in friends if sees(state, stands(state, one), unit.at)]
            if seen:
                activation.activate(play, one, seen[0].at)

    def begin_enemy_turn(self, play: Play[SquadState]) -> None:
        state = play.state
        pool = ROSTER.of(state).pool
        if pool:
            road = network(setting_of(state))
            number = reading(state, "column")
            coming = pool if number == "all" else min(pool, int(number))
            for _ in range(coming):
                add(state, beside=road[-1], attitude=ADVANCE, edge="west", colour="red")
            rolling.put_roster(state, pool=pool - coming)

    def end_drm(self, state: SquadState) -> int:
        return -max(0, state.turn - 8)

    def tally(self, state: SquadState) -> list[victory.Line]:
        return [
            ("Casualty VP", victory.casualties(state, ENEMY), victory.casualties(state, FRIENDLY)),
            ("Exit VP", 0, state.points.get(ENEMY, 0)),
        ]


class Escape(Rules):
    """Mission 19: from the east to the west edge, between an ENEMY who comes from north and south (M19)."""

    boards, tables, board_drm = 3, ("A8e",), -1
    ends_at = 3
    events_at_once = True

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        state = play.state
        pool = 2 * rolling.strength_number(rolled_in(state).units)
        rolling.put_roster(state, pool=pool)
        say(play, "Mission 19", f"{pool} S?", (), "twice the US# of the company", "M19")

    def bars_event(self, state: SquadState, side: str, event: Event) -> str:
        """FRIENDLY RE 74 to 76 and all flank attacks do not occur (M19 MSR 4)."""
        if event.event in ("called off", "evacuate", "human wave") or "flank" in event.event:
            return "not in Mission 19 (MSR 4)"
        return ""

    def begin_enemy_turn(self, play: Play[SquadState]) -> None:
        entering.from_pool(play, 9 if play.state.turn == 1 else 3, ("north", "south"), ("blue", "green"))

    def away(self, state: SquadState) -> bool:
        """Whether all unbroken FRIENDLY units have left by the FBE, and somebody has."""
        if any(unit.side == FRIENDLY and not unit.broken for unit in state.units.values()):
            return False
        return any(gone.side == FRIENDLY and gone.how == "exited" for gone in state.gone.values())

    def exited(self, play: Play[SquadState]) -> None:
        """The Mission ends immediately when all unbroken FRIENDLY units are away (M19)."""
        state = play.state
        if state.outcome is None and self.away(state):
            early = max(0, 10 - state.turn)
            if early:
                victory.gain(play, FRIENDLY, 3 * early, "turns saved")
            self.finish(play, f"All unbroken units have left the map in turn {state.turn}")

    def end_of_player_turn(self, play: Play[SquadState]) -> None:
        self.exited(play)  # the last unbroken unit may have broken, or been lost
        super().end_of_player_turn(play)

    def end_of_turn(self, play: Play[SquadState]) -> None:
        state = play.state
        if state.outcome is None and state.turn > 10:
            victory.gain(play, ENEMY, 1, "turns after the tenth")
        super().end_of_turn(play)

    def tally(self, state: SquadState) -> list[victory.Line]:
        left = victory.left_behind(state)
        return [
            ("Casualty VP", victory.casualties(state, ENEMY), victory.casualties(state, FRIENDLY)),
            ("Left behind", 0, left),
            ("Exit VP", 0, state.points.get(ENEMY, 0)),
        ]


__all__ = ["Escape", "Patrol", "column_length", "rolled"]
