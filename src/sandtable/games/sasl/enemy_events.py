"""ENEMY Random Events of A11 and P9 that need only what is played (S2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.works import mines
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import activation, entering
from sandtable.games.sasl import generation as make
from sandtable.games.sasl.compass import OPPOSITE, distances
from sandtable.games.sasl.dice import best, pick, rolled, say
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, HOLD, OBJECTIVES, ROSTER, SUSPECTS, Activated, Suspect
from sandtable.games.sasl.rolled import Board, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import board_cells, board_of, concealing, place, remove, turn_to_advance
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.events import Event
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.pieces.counters import Mmc, UnknownCounter, all_counters
from sandtable.games.squad.pieces.kinds import printed_weapon
from sandtable.games.squad.pieces.model import SquadState, Unit

Effect = Callable[[Play[SquadState], Event], bool]


def _boards(state: SquadState) -> list[Board]:
    base = rolled_in(state)
    return list(base.boards[base.gone :])


def _fullest(state: SquadState, places: Sequence[int]) -> Board:
    """The board on which most of some Locations lie."""
    counts = {board.board: 0 for board in _boards(state)}
    for cell in places:
        board = board_of(state, cell)
        if board is not None and board.board in counts:
            counts[board.board] += 1
    most = max(counts, key=lambda name: counts[name])
    return next(board for board in _boards(state) if board.board == most)


def friends(state: SquadState) -> list[Unit]:
    """FRIENDLY units on the map."""
    return [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0]


def nearest_ebe(state: SquadState) -> list[Unit]:
    """FRIENDLY units, the one closest to the EBE first."""
    far = distances(setting_of(state), "east")
    return sorted(friends(state), key=lambda unit: (far[unit.at], unit.id))


def counterattack(play: Play[SquadState], event: Event) -> bool:
    """RE 05: S? within five hexes of a hex on the board with the most S? take Advance Attitude."""
    state = play.state
    waiting = [one for one in SUSPECTS.of(state).values() if one.attitude == HOLD and one.at >= 0]
    if not waiting:
        return False
    board = _fullest(state, [one.at for one in waiting])
    centre = random_hex(play, board)
    ranges = setting_of(state).ground.ranges[centre]
    turned = turn_to_advance(state, [one for one in waiting if ranges[one.at] <= 5], "red")
    say(play, "A11 05", name_of(state, centre), (), f"{turned} S? take Advance Attitude", "S2.3")
    return turned > 0


def random_hex(play: Play[SquadState], board: Board) -> int:
    """A hex by a Letter Chit for the hexrow and a dr +2 for the coordinate."""
    setting = setting_of(play.state)
    rows: dict[str, list[int]] = {}
    for cell in board_cells(setting, board):
        letters = setting.ground.names[cell].removeprefix(board.prefix).rstrip("0123456789")
        rows.setdefault(letters, []).append(cell)
    row = rows[pick(play, list(rows), "Letter Chit")]
    (dr,) = rolled(play, 1, "coordinate")
    return row[min(dr + 2, len(row)) - 1]


def _free(state: SquadState, cell: int) -> bool:
    """Whether a Location may get a S? by infiltration: none there, no FRIENDLY unit there or ADJACENT."""
    near = (cell, *setting_of(state).ground.near[cell])
    if any(one.at == cell for one in SUSPECTS.of(state).values()):
        return False
    return not any(units_at(state, other, FRIENDLY) for other in near)


def infiltration(play: Play[SquadState], event: Event) -> bool:
    """RE 06: a S? in each free building Location of the board with the most FRIENDLY units."""
    state = play.state
    if not friends(state):
        return False
    board = _fullest(state, [unit.at for unit in friends(state)])
    ground = setting_of(state).ground
    cells = [c for c in board_cells(setting_of(state), board) if ground.in_building[c] and _free(state, c)]
    return _infiltrate(play, cells, board.board)


def _infiltrate(play: Play[SquadState], cells: Sequence[int], board: str) -> bool:
    state = play.state
    if not cells:
        return False
    place(play, cells, where=board, case="infiltration", colour="brown")
    objectives = OBJECTIVES.of(state)
    for goal in list(objectives.values()):
        owners = tuple([ENEMY if cell in cells else side for cell, side in zip(goal.cells, goal.owners, strict=True)])
        objectives[goal.id] = replace(goal, owners=owners)
    return True


def infiltration_vpo(play: Play[SquadState], event: Event) -> bool:
    """RE 15: the same in and beside VPO Locations only."""
    state = play.state
    ground = setting_of(state).ground
    cells: list[int] = []
    for goal in OBJECTIVES.of(state).values():
        for cell in goal.cells:
            cells += [cell, *[other for other in ground.near[cell] if concealing(ground, other)]]
    return _infiltrate(play, [cell for cell in dict.fromkeys(cells) if _free(state, cell)], "")


def infiltrators(play: Play[SquadState], event: Event) -> bool:
    """RE 61: one pocket of 4.1e on the board with the most FRIENDLY Infantry."""
    state = play.state
    if not friends(state):
        return False
    board = _fullest(state, [unit.at for unit in friends(state)])
    centre = random_hex(play, board)
    ground = setting_of(state).ground
    near = [c for c in board_cells(setting_of(state), board) if ground.ranges[centre][c] <= 2]
    taken = {one.at for one in SUSPECTS.of(state).values()}
    cells = [c for c in near if concealing(ground, c) and c not in taken and not units_at(state, c, FRIENDLY)]
    return _infiltrate(play, cells, board.board)


def stiffens(play: Play[SquadState], event: Event) -> bool:
    """RE 23: the AC# rises, to 5 at most."""
    ac = ROSTER.of(play.state).ac
    if ac >= general.activation_check().highest:
        return False
    put_roster(play.state, ac=ac + 1)
    return True


def shift(numbers: str, by: int) -> str:
    """The RE Numbers one place higher or lower on their track; the same at its end (S2.4, S2.5)."""
    track = general.event_numbers()
    return track[min(len(track) - 1, max(0, track.index(numbers) + by))]


def numbers_up(play: Play[SquadState], event: Event) -> bool:
    """RE 51: the ENEMY RE Numbers rise."""
    now = ROSTER.of(play.state).enemy_re
    put_roster(play.state, enemy_re=shift(now, 1))
    return shift(now, 1) != now


def numbers_down(play: Play[SquadState], event: Event) -> bool:
    """RE 52: the FRIENDLY RE Numbers fall."""
    now = ROSTER.of(play.state).friendly_re
    put_roster(play.state, friendly_re=shift(now, -1))
    return shift(now, -1) != now


EXTRA = {"34": 2, "63": 3, "75": 6, "61": 2, "73": 4}
"""What is added to the DR of S? that enter, by the first number of the event."""


def reinforcements(play: Play[SquadState], event: Event) -> bool:
    """RE 34, 63, 75-76: a DR and more of S? enter along the EBE, and perhaps more later."""
    number = sum(rolled(play, 2, "S? entering")) + EXTRA.get(event.numbers[0], 2)
    edge = pick(play, ("north", "south"), "which edge") if rolled_in(play.state).mission == 19 else "east"
    reinforce(play, number, edge)
    _follow(play, edge)
    return True


def flank_attack(play: Play[SquadState], event: Event) -> bool:
    """RE 36: a DR +4 of S? enter along the north or south edge."""
    if rolled_in(play.state).mission == 19:
        return False
    number = sum(rolled(play, 2, "S? entering")) + 4
    edge = pick(play, ("north", "south"), "which edge")
    reinforce(play, number, edge)
    _follow(play, edge)
    return True


def _follow(play: Play[SquadState], edge: str) -> None:
    limit = 2 if rolled_in(play.state).enemy == "P" else 3
    roster = ROSTER.of(play.state)
    put_roster(play.state, follow=(*roster.follow, f"{edge} {limit}"))


def reinforce(play: Play[SquadState], number: int, edge: str) -> None:
    """S? come on along an edge in Advance Attitude and go for the opposite one."""
    entering.enter(play, number, edge, "red", "reinforcements")


def human_wave(play: Play[SquadState], event: Event) -> bool:
    """RE 54: waves are not played yet; nations without them make a flank attack."""
    if rolled_in(play.state).enemy in ("R", "C", "J"):
        return False
    return flank_attack(play, event)


def elite(play: Play[SquadState], *, far: bool) -> str:
    """The ENEMY's Elite squad of the longest or shortest range."""
    nation = rolled_in(play.state).card.nation
    found = [
        one
        for one in all_counters().values()
        if isinstance(one, Mmc) and one.nation == nation and one.kind == "squad" and one.unit_class == "E"
    ]
    if not found:
        return ""
    one = max(found, key=lambda squad: ((squad.range if far else -squad.range), squad.fp, squad.name))
    return f"{one.nation} {one.name}"


def _suspect_for(play: Play[SquadState], within: int) -> tuple[Suspect, Unit] | None:
    """The S? nearest to the FRIENDLY unit nearest the EBE that sees it, by the priorities of RE 45."""
    state = play.state
    ground = setting_of(state).ground
    for unit in nearest_ebe(state):
        seeing = [
            one
            for one in SUSPECTS.of(state).values()
            if one.at >= 0 and ground.ranges[one.at][unit.at] <= within and sees(state, one.at, unit.at)
        ]
        if seeing:
            return _preferred(play, seeing, unit), unit
    return None


def _preferred(play: Play[SquadState], seeing: Sequence[Suspect], unit: Unit) -> Suspect:
    state = play.state
    ground = setting_of(state).ground
    keys = [
        ("nearest", lambda one: ground.ranges[one.at][unit.at]),
        ("highest TEM", lambda one: -ground.tem[one.at]),
        ("highest", lambda one: -ground.level[one.at]),
        ("most FRIENDLY units", lambda one: -sum(sees(state, one.at, other.at) for other in friends(state))),
    ]
    return best(play, seeing, keys, "which S?")[0]


def heavy_gun(play: Play[SquadState], event: Event) -> bool:
    """RE 45: a S? turns out to be an Elite squad with a HMG and a leader."""
    state = play.state
    found = _suspect_for(play, 99)
    kind = elite(play, far=True)
    base = rolled_in(state)
    weapon = _weapon(base.card.nation, "HMG")
    if found is None or not kind or not weapon:
        return False
    one, unit = found
    remove(state, one)
    squad = make.new_unit(play, kind, make.room_for(play, one.at, kind))
    leader = make.leader(play, base, make.classes_of(state, [squad]), drm=-1)
    made = [squad.id]
    if leader:
        made.append(make.new_unit(play, leader, squad.at).id)
    heavy = _weapon(base.card.nation, ".50-cal HMG")
    if heavy and rolled(play, 1, ".50-cal")[0] <= 3:
        weapon = heavy
    make.new_weapon(play, weapon, state.units[squad.id])
    play.emit(Activated(suspect=one.id, at=name_of(state, one.at), units=tuple(made)))
    return unit is not None


def _weapon(nation: str, name: str) -> str:
    kind = f"{nation if nation not in ('usmc', 'partisan') else 'american' if nation == 'usmc' else 'russian'} {name}"
    try:
        printed_weapon(kind)
    except (UnknownCounter, ValueError):
        return ""
    return kind


def flamethrower(play: Play[SquadState], event: Event) -> bool:
    """RE 46: a S? within four hexes is an Elite squad with a FT; else RE 45."""
    state = play.state
    found = _suspect_for(play, 4)
    kind = elite(play, far=False)
    weapon = _weapon(rolled_in(state).card.nation, "FT")
    if found is None or not kind or not weapon:
        return heavy_gun(play, event)
    one, _ = found
    remove(state, one)
    squad = make.new_unit(play, kind, make.room_for(play, one.at, kind))
    make.new_weapon(play, weapon, state.units[squad.id])
    play.emit(Activated(suspect=one.id, at=name_of(state, one.at), units=(squad.id,)))
    return True


def minefield(play: Play[SquadState], event: Event) -> bool:
    """RE 03-04, 13-14: the stack nearest the EBE that stands in the open has stumbled into A-P mines."""
    state = play.state
    ground = setting_of(state).ground
    able = [unit for unit in nearest_ebe(state) if not ground.in_building[unit.at] and not ground.paved[unit.at]]
    able = [unit for unit in able if not unit.melee and unit.at not in works.MINES.of(state)]
    if not able:
        return False
    (dr,) = rolled(play, 1, "mines")
    factors = 6 if dr <= 2 else 8 if dr <= 4 else 12
    mark = f"mines {factors} {name_of(state, able[0].at)}"
    put_roster(state, strikes=(*ROSTER.of(state).strikes, mark))
    return True


def boobytrap(play: Play[SquadState], event: Event) -> bool:
    """RE 12: a boobytrap goes off in a building Location with FRIENDLY Infantry; its FP is a DR."""
    state = play.state
    ground = setting_of(state).ground
    places = list(dict.fromkeys(unit.at for unit in friends(state) if ground.in_building[unit.at]))
    if not places:
        return False
    cell = pick(play, places, "which Location")
    fp = sum(rolled(play, 2, "FP of the boobytrap"))
    put_roster(state, strikes=(*ROSTER.of(state).strikes, f"boobytrap {fp} {name_of(state, cell)}"))
    return True


def strike(play: Play[SquadState]) -> None:
    """Mines and boobytraps of events attack as the first thing in the ENEMY PFPh."""
    state = play.state
    strikes = ROSTER.of(state).strikes
    if not strikes or state.attacker != ENEMY:
        return
    put_roster(state, strikes=())
    ground = setting_of(state).ground
    for mark in strikes:
        what, fp, name = mark.split(" ", 2)
        cell = ground.index(name)
        who = [unit.id for unit in units_at(state, cell, FRIENDLY)]
        if what == "mines":
            works.lay_mines(state, cell, ENEMY, int(fp), known=True)
        if who:
            # the TEM of a building is reversed against a boobytrap, which adds to its FP by the column (RE 12)
            factors = int(fp) if what == "mines" else int(fp) + 2 * ground.tem[cell]
            mines.attack(play, cell, works.Minefield(ENEMY, factors, known=True), who)


EFFECTS: dict[str, Effect] = {
    "minefield": minefield,
    "boobytrap": boobytrap,
    "counterattack": counterattack,
    "infiltration": infiltration,
    "infiltration by VPO": infiltration_vpo,
    "infiltrators": infiltrators,
    "stiffens": stiffens,
    "numbers up": numbers_up,
    "numbers down": numbers_down,
    "reinforcements": reinforcements,
    "flank attack": flank_attack,
    "human wave": human_wave,
    "HMG": heavy_gun,
    "flamethrower": flamethrower,
}

__all__ = ["ADVANCE", "EFFECTS", "OPPOSITE", "activation", "reinforce", "shift"]
