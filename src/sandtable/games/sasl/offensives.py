"""Missions 2, 3, 4 and 5: the FRIENDLY side attacks an ENEMY in Hold Attitude."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.concealment.gaining import conceal
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.asl.snipers.model import SNIPERS
from sandtable.games.asl.snipers.rules import best_hex
from sandtable.games.asl.snipers.rules import put as put_sniper
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.sasl import free_french, generation, victory
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.bridges import roll_bridges
from sandtable.games.sasl.compass import distances, edge_cells
from sandtable.games.sasl.crests import stands
from sandtable.games.sasl.dice import on_table, pick, rolled, say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.fortify import discovered
from sandtable.games.sasl.growing import change_map
from sandtable.games.sasl.missions import Rules
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROAD, ROSTER, SUSPECTS, BoardJoined
from sandtable.games.sasl.roads import intersections, network, tell_network
from sandtable.games.sasl.rolled import VALUES, Board, Rolled, board_title, rolled_in
from sandtable.games.sasl.suspects import (
    IN_POCKET,
    MOST,
    board_cells,
    by_cases,
    in_buildings,
    place,
    set_up_cells,
    spread,
    woods_edge,
)
from sandtable.games.sasl.tables import counters, general
from sandtable.games.sasl.tables.missions import inside, listed
from sandtable.games.squad.ground.knowledge import hidden, known_to
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.worth import points_of
from sandtable.games.squad.part import ALL, CONCEALED
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

NUMBERED = r"\{\w+\} ?"
"""A table that a chart names for how many or of which type."""
POCKETS = 3
"""Letter Chits that 4.1e draws for a board (SA-55)."""
LEAST = 15
"""S? that Mission 2 must begin with."""


def pocket(play: Play[SquadState], board: Board, radius: int) -> list[int]:
    """Concealment Terrain around a hex that a Letter Chit and a dr +2 name (4.1e)."""
    state = play.state
    setting = setting_of(state)
    cells = board_cells(setting, board)
    letters = list(dict.fromkeys(_hexrow(setting.ground.names[cell], board.prefix) for cell in cells))
    letter = pick(play, letters, "Letter Chit")
    (dr,) = rolled(play, 1, "coordinate")
    row = [cell for cell in cells if _hexrow(setting.ground.names[cell], board.prefix) == letter]
    centre = row[min(dr + 2, len(row)) - 1]
    free = set(set_up_cells(state, board))
    say(play, "4.1e", setting.ground.names[centre], (dr,), f"a pocket of radius {radius}", "S4.1")
    ranges = setting.ground.ranges[centre]
    return [c for c in free if ranges[c] <= radius and (concealment_terrain(setting.ground, c) or c == centre)]


def _hexrow(name: str, board: str) -> str:
    return name.removeprefix(board).rstrip("0123456789")


class Pockets(Rules):
    """Mission 2: isolated pockets on two boards; it lasts by their number (M2)."""

    boards, tables, configurations, cases = 2, ("A8a", "A8a"), "AB", "e"
    ends_at = 2
    events_at_once = True

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        state = play.state
        for _ in range(12):
            SUSPECTS.of(state).clear()
            for board in rolled_in(state).boards:
                for _ in range(POCKETS):
                    radius = int(on_table(play, general.table("A6f"), what="radius of the pocket"))
                    cells = spread(play, sorted(pocket(play, board, radius)), IN_POCKET[options.get("suspects", "20")])
                    place(play, cells, where=board.board, case="4.1e")
            if len(SUSPECTS.of(state)) >= LEAST:
                break
        rolling.put_roster(state, placed=len(SUSPECTS.of(state)))

    def shortest(self, state: SquadState) -> int:
        """A third of the S? set up, fractions rounded up."""
        return minimum_turns(ROSTER.of(state).placed, 3)

    def may_end(self, state: SquadState) -> bool:
        return False

    def end_words(self, state: SquadState) -> str:
        return f"at the end of each Player Turn from turn {self.shortest(state)}, on a dr of {self.ends_at} or less"

    def end_of_player_turn(self, play: Play[SquadState]) -> None:
        super().end_of_player_turn(play)
        if play.state.outcome is None and play.state.turn >= self.shortest(play.state):
            self.end_roll(play)

    def tally(self, state: SquadState) -> list[victory.Line]:
        return [
            ("Casualty VP", victory.casualties(state, ENEMY), victory.casualties(state, FRIENDLY)),
            ("S? on the map", 0, 2 * sum(one.at >= 0 for one in SUSPECTS.of(state).values())),
            ("Known ENEMY units left", 0, units_left(state)),
        ]


def minimum_turns(number: int, divisor: int) -> int:
    """The turn from which a mission may end: a number divided, fractions rounded up."""
    return max(1, math.ceil(number / divisor))


def units_left(state: SquadState) -> int:
    """Casualty VP of the ENEMY units and their Guns on the map, as far as they are Known (Mission 2)."""
    points = 0
    for unit in state.units.values():
        if unit.side == ENEMY and unit.at >= 0 and victory.counted(state, unit):
            points += points_of(VALUES, unit_kind(state, unit))
            points += 2 * sum(weapon_kind(state.weapons[name]).gun for name in unit.weapons)
    return points


class TakeTheHighway(Rules):
    """Mission 5: clear a road from the FBE to the EBE over three boards (M5)."""

    boards, tables, board_drm = 3, ("A8e",), -1
    ends_at = 3
    events_at_once = True

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        """S? in buildings and woods about intersections of the road; 4.11 to 4.13 hold there too (S4.12, S4.13)."""
        state = play.state
        setting = setting_of(state)
        road = network(setting)
        rolling.put_roster(state, road=len(road))
        tell_network(play)
        for cell in road:
            ROAD.of(state)[cell] = ENEMY
        crossings = set(intersections(setting))
        for board in rolled_in(state).boards:
            radius = int(on_table(play, general.table("A6f"), what="radius about intersections"))
            here = [cell for cell in board_cells(setting, board) if cell in crossings]
            free = set_up_cells(state, board)
            ground = setting.ground
            near = [cell for cell in free if any(ground.ranges[cell][one] <= radius for one in here)]
            woods = [cell for cell in near if ground.woods[cell] and not ground.in_building[cell]]
            found = in_buildings(play, board, [cell for cell in near if ground.in_building[cell]])
            found += woods_edge(ground, woods) if board.kind == "w" else woods
            found += [cell for cell in near if cell in here and concealment_terrain(ground, cell) and cell not in found]
            place(play, found, where=board.board, case="Mission 5")
        rolling.put_roster(state, placed=len(SUSPECTS.of(state)))

    def shortest(self, state: SquadState) -> int:
        """A fifth of the road, fractions rounded up."""
        return minimum_turns(ROSTER.of(state).road, 5)

    def may_end(self, state: SquadState) -> bool:
        return False

    def end_words(self, state: SquadState) -> str:
        return f"at the end of each Player Turn from turn {self.shortest(state)}, on a dr of {self.ends_at} or less"

    def end_of_player_turn(self, play: Play[SquadState]) -> None:
        super().end_of_player_turn(play)
        if play.state.outcome is None and play.state.turn >= self.shortest(play.state):
            self.end_roll(play)

    def control(self, play: Play[SquadState]) -> None:
        """Hexes of the road change hands when a Good Order MMC is alone in them (A26.14)."""
        super().control(play)
        ground = setting_of(play.state).ground
        for cell in {ground.floor_of(cell) for cell in play.state.stacks}:
            self.passed(play, cell)

    def passed(self, play: Play[SquadState], cell: int) -> None:
        super().passed(play, cell)
        road = ROAD.of(play.state)
        if cell in road:
            road[cell] = victory.controller(play.state, cell) or road[cell]

    def tally(self, state: SquadState) -> list[victory.Line]:
        setting = setting_of(state)
        road = network(setting)
        ranges = setting.ground.ranges
        foes = [u for u in state.units.values() if u.side == ENEMY and u.at >= 0 and not u.broken]
        places = [u.at for u in foes if victory.counted(state, u)]
        # how many lie under a "?" is not told before the end
        places += {u.at for u in foes if known_to(state, FRIENDLY, u) == CONCEALED}
        places += [one.at for one in SUSPECTS.of(state).values() if one.at >= 0]
        near = sum(any(ranges[at][cell] <= 4 for cell in road) for at in places)
        return [
            ("Casualty VP", 0, victory.casualties(state, FRIENDLY)),
            ("Road hexes", 0.5 * safe_road(state), 0),
            ("ENEMY near the road", 0, near),
        ]


def safe_road(state: SquadState) -> int:
    """Road hexes that are FRIENDLY, joined to the FBE, and not under an armed unbroken ENEMY's eyes (Mission 5)."""
    setting = setting_of(state)
    threats = _threats(state)
    count = 0
    for cell in network(setting):
        if ROAD.of(state).get(cell) != FRIENDLY:
            break
        seen = any(setting.ground.ranges[at][cell] <= reach and sees(state, at, cell) for at, reach in threats)
        count += not seen
    return count


def _threats(state: SquadState) -> list[tuple[int, int]]:
    """Where armed unbroken ENEMY units and S? are, with their Normal Range; ordnance reaches 16 hexes at most.

    Until the Mission is over a "?" counts as a S?, and who is hidden not at all: the roster tells nothing of them.
    """
    first_line = first_line_range(rolled_in(state))
    found = [(stands(state, one), first_line) for one in SUSPECTS.of(state).values() if one.at >= 0]
    for unit in state.units.values():
        if unit.side == ENEMY and unit.at >= 0 and not unit.broken and UNARMED not in unit.marks:
            known = known_to(state, FRIENDLY, unit)
            if known == CONCEALED:
                found.append((unit.at, first_line))
            if known != ALL:
                continue
            weapons = [weapon_kind(state.weapons[n]) for n in unit.weapons if not state.weapons[n].broken]
            reach = max([unit_kind(state, unit).range, *[min(16, kind.range or 16) for kind in weapons]])
            if reach:
                found.append((unit.at, reach))
    return found


def first_line_range(base: Rolled) -> int:
    """The greatest range of the ENEMY's First Line squads {x2}."""
    table = base.card.table("x2")
    reach = 0
    for _, _, choice in table.choices():
        try:
            one = counters.unit(base.card.nation, choice.item)
        except (KeyError, ValueError, LookupError):
            continue
        kind = printed_unit(f"{one.nation} {one.name}")
        if kind.unit_class == "1":
            reach = max(reach, kind.range)
    return reach or 4


class Recon(Rules):
    """Mission 3: a map that rolls east; boards, Guns and fortifications found are worth VP (M3)."""

    boards, tables, numbers, cases = 2, ("A8a", "A8e"), "h", "c"
    ends_at, end_help = 1, ", after even turns only; -1 drm for every two boards of A8e"
    events_at_once = True

    def objectives_on(self, play: Play[SquadState], *, first: bool) -> int:
        return 0 if first else super().objectives_on(play, first=first)

    def open_board(self, play: Play[SquadState], board: Board, options: Mapping[str, str]) -> None:
        if board is not rolled_in(play.state).boards[0]:
            super().open_board(play, board, options)

    def begin_turn(self, play: Play[SquadState]) -> None:
        """All FRIENDLY units begin concealed, wherever they stand and whoever sees them (M3, A12.12)."""
        state = play.state
        if state.turn != 1:
            return
        ours = [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0]
        ours = [unit for unit in ours if not unit.concealed and not hidden(unit)]
        for cell in dict.fromkeys(unit.at for unit in ours):
            conceal(play, [unit.id for unit in ours if unit.at == cell], "set-up", secret=True)

    def entered(self, play: Play[SquadState], units: Sequence[Unit]) -> None:
        state = play.state
        setting = setting_of(state)
        if ROSTER.of(state).ahead or not units or len(rolled_in(state).boards) >= rolling.MOST_BOARDS:
            return
        cell = units[0].at
        if 1 + min(setting.ground.ranges[cell][edge] for edge in edge_cells(setting, "east")) <= 3:
            say(play, "Mapboard Activation", "within three hexes", (), "a new board is activated along the EBE", "S13")
            rolling.put_roster(state, ahead=(1,))

    def quiet(self, play: Play[SquadState]) -> None:
        state = play.state
        if state.moving is not None:
            return
        if ROSTER.of(state).ahead:
            rolling.put_roster(state, ahead=())
            base = roll_bridges(play, self.add_board(play, rolled_in(state), table="A8e"))
            change_map(play, base)
            play.emit(BoardJoined(board=base.boards[-1].board))
            victory.gain(play, FRIENDLY, 2, "mapboards activated")
            self.open_board(play, base.boards[-1], setting_of(state).options)
        if state.phase == "RPh":
            self.roll_up(play)

    def roll_up(self, play: Play[SquadState]) -> None:
        """The westernmost board goes when nobody is left on it and two others are in play."""
        state = play.state
        base = rolled_in(state)
        left = base.boards[base.gone :]
        if len(left) < 3:
            return
        setting = setting_of(state)
        west = set(board_cells(setting, left[0]))
        if any(setting.ground.floor_of(unit.at) in west or unit.beside in west for unit in state.units.values()):
            return
        for one in [one for one in SUSPECTS.of(state).values() if one.at in west]:
            SUSPECTS.of(state).pop(one.id)
        for goal in [goal for goal in OBJECTIVES.of(state).values() if goal.board == left[0].board]:
            points = victory.value_of(play, goal)
            if goal.owner():
                victory.gain(play, goal.owner(), points, f"VPO {goal.id} on a board rolled up")
            OBJECTIVES.of(state).pop(goal.id)
        found = discovered(state, west)
        if found:
            victory.gain(play, FRIENDLY, found, "fortifications found on a board rolled up")
        say(play, "Mapboard removed", board_title(left[0].board), (), "no unit is left on the westernmost board", "M3")
        change_map(play, replace(base, gone=base.gone + 1))
        for side, sniper in list(SNIPERS.of(state).items()):
            if sniper.at < 0:
                put_sniper(play, side, best_hex(state, side))

    def may_end(self, state: SquadState) -> bool:
        return state.turn == 10 or (state.turn > 10 and state.turn % 2 == 0)

    def end_drm(self, state: SquadState) -> int:
        return -((len(rolled_in(state).boards) - 1) // 2)

    def end_of_turn(self, play: Play[SquadState]) -> None:
        super().end_of_turn(play)
        state = play.state
        if state.outcome is None and state.turn % 5 == 0:
            rise(play)

    def tally(self, state: SquadState) -> list[victory.Line]:
        theirs = [weapon for weapon in state.weapons.values() if weapon.side == ENEMY and weapon_kind(weapon).gun]
        guns = sum(_found(state, weapon) for weapon in theirs)
        lost = len(victory.guns_destroyed(state, ENEMY))
        return [
            ("Casualty VP", 0, victory.casualties(state, FRIENDLY)),
            ("ENEMY Guns found", 2 * (guns + lost), 0),
            ("Fortifications found", discovered(state), 0),
        ]


def _found(state: SquadState, weapon: Weapon) -> bool:
    """Whether the player knows of a weapon: nobody under a "?" has it."""
    return not weapon.owner or victory.counted(state, state.units[weapon.owner])


def rise(play: Play[SquadState]) -> None:
    """The ENEMY RE Numbers rise if a dr is more than the lower of them (M3 MSR 2)."""
    state = play.state
    now = ROSTER.of(state).enemy_re
    track = general.event_numbers()
    if now == track[-1]:
        return
    (dr,) = rolled(play, 1, "ENEMY RE Numbers")
    higher = re_rises(now, dr)
    new = track[track.index(now) + 1] if higher else now
    words = f"ENEMY RE Numbers rise from {now} to {new}" if higher else f"ENEMY RE Numbers stay at {now}"
    say(play, "M3 MSR 2", str(dr), (dr,), words, "M3")
    if higher:
        rolling.put_roster(state, enemy_re=new)


def re_rises(now: str, dr: int) -> bool:
    """Whether a dr is more than the lower of two RE Numbers."""
    return dr > int(now.partition("/")[0])


def engineers(play: Play[SquadState], base: Rolled, mark: int) -> list[tuple[str, int]]:
    """An Assault Engineer section or platoon: Elite squads of the highest FP, a leader, DC and FT (M4 MSR 3)."""
    own = replace(base, enemy=base.friendly, enemy_group="", places=generation.facing(base))
    squads = generation.elite_squads(own, base.friendly_nation)
    if not squads:
        return []
    best = max(squads, key=lambda one: (one.fp, one.name))
    row = next(row for row in listed("M4-msr3") if row["mark"] == str(mark))
    found = [(f"{best.nation} {best.name}", int(row["squads"]))]
    leader = ""
    for _ in range(30):
        leader = leader or generation.leader(play, own, [printed_unit(found[0][0])])
    if leader:
        found.append((free_french.own(base, leader), 1))
    for name in ("DC", "FT"):
        kind = free_french.counter(base, name)
        if kind:
            found.append((kind, int(row[name])))
    return found


class BunkerBusting(Rules):
    """Mission 4: what is dug in is what counts; each fortification found is a VPO (M4)."""

    boards, tables, configurations, cases = 2, ("A8c", "A8c"), "AB", "ab"
    ends_at, end_help = 1, ", -1 drm for each later turn"
    offers = True

    def reinforcements(self, play: Play[SquadState], base: Rolled) -> Rolled:
        result = inside("M4-msr3")
        (dr,) = rolled(play, 1, "Assault reinforcements")
        mark = {1: 1, 2: 2, 5: 2, 6: 2}.get(dr, 0)
        words = result.row(dr).cells[0].choices[0].item
        say(
            play,
            "M4 Reinforcement Chart",
            str(dr),
            (dr,),
            f"{re.sub(NUMBERED, '', words)}{': vehicles are not played yet' if 'vehicles' in words else ''}",
            "M4 MSR 3",
        )
        return replace(base, bonus=mark)

    def accept(self, play: Play[SquadState], base: Rolled) -> Rolled:
        return replace(base, engineers=tuple(engineers(play, base, base.bonus)))

    def begin(self, play: Play[SquadState], options: Mapping[str, str]) -> None:
        super().begin(play, options)
        bonus = rolled_in(play.state).bonus
        if bonus:
            victory.gain(play, ENEMY, bonus, "engineers of the FRIENDLY side")

    def end_drm(self, state: SquadState) -> int:
        return -max(0, state.turn - 10)

    def open_board(self, play: Play[SquadState], board: Board, options: Mapping[str, str]) -> None:
        by_cases(play, board, self.cases, MOST[options.get("suspects", "20")])

    def tally(self, state: SquadState) -> list[victory.Line]:
        return [
            ("Casualty VP", 0, victory.casualties(state, FRIENDLY)),
            ("ENEMY Guns", victory.guns_lost(state, ENEMY), 0),
            ("S? on the map", 0, 0.5 * sum(one.at >= 0 for one in SUSPECTS.of(state).values())),
        ]


__all__ = ["BunkerBusting", "Pockets", "Recon", "TakeTheHighway", "distances", "facts"]
