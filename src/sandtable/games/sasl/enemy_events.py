"""ENEMY Random Events of A11 and P9 that need only what is played (S2.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.engine import Play
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import activation, entering, victory
from sandtable.games.sasl import generation as make
from sandtable.games.sasl.compass import OPPOSITE, distances
from sandtable.games.sasl.crests import line_up, stands, tell
from sandtable.games.sasl.dice import best, on_table, pick, rolled, say
from sandtable.games.sasl.hazards import friends, nearest_ebe
from sandtable.games.sasl.model import (
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ROSTER,
    STRONGPOINT,
    SUSPECTS,
    Activated,
    Suspect,
)
from sandtable.games.sasl.rolled import Board, Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import (
    IN_POCKET,
    board_cells,
    board_of,
    in_buildings,
    place,
    remove,
    spread,
    turn_to_advance,
)
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.events import Event, sub_table
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, sharing_room
from sandtable.games.squad.pieces.counters import UnknownCounter
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


def counterattack(play: Play[SquadState], event: Event) -> bool:
    """RE 05: S? within five hexes of a hex on the board with the most S? take Advance Attitude."""
    state = play.state
    there = [one for one in SUSPECTS.of(state).values() if one.at >= 0]
    waiting = [one for one in there if one.attitude == HOLD]
    if not waiting:
        return False
    board = _fullest(state, [one.at for one in there])
    centre = random_hex(play, board)
    ranges = setting_of(state).ground.ranges[centre]
    turned = turn_to_advance(state, [one for one in waiting if ranges[one.at] <= 5], "red")
    say(
        play,
        "A11 05",
        name_of(state, centre),
        (),
        f"{turned or 'no'} S? {'take' if turned > 1 else 'takes'} Advance Attitude",
        "S2.3",
    )
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
    return not any(sharing_room(state, other, FRIENDLY) for other in near)


def infiltration(play: Play[SquadState], event: Event) -> bool:
    """RE 06: a S? in each free building Location of the board with the most FRIENDLY units (S4.12)."""
    state = play.state
    if not friends(state):
        return False
    board = _fullest(state, [unit.at for unit in friends(state)])
    ground = setting_of(state).ground
    cells = [c for c in board_cells(setting_of(state), board) if ground.in_building[c] and _free(state, c)]
    return _infiltrate(play, in_buildings(play, board, cells), board.board)


def _infiltrate(play: Play[SquadState], cells: Sequence[int], board: str) -> bool:
    if not cells:
        return False
    place(play, cells, where=board, case="infiltration", colour="brown")
    victory.update_control(play)  # a S? holds its Location
    return True


def infiltration_vpo(play: Play[SquadState], event: Event) -> bool:
    """RE 15: the same in and beside VPO Locations only, unless each of them has a S?."""
    state = play.state
    ground = setting_of(state).ground
    goals = [cell for goal in OBJECTIVES.of(state).values() for cell in goal.cells]
    if {one.at for one in SUSPECTS.of(state).values()}.issuperset(goals):
        return False
    cells: list[int] = []
    for cell in goals:
        cells += [cell, *[other for other in ground.near[cell] if concealment_terrain(ground, other)]]
    return _infiltrate(play, [cell for cell in dict.fromkeys(cells) if _free(state, cell)], "")


def infiltrators(play: Play[SquadState], event: Event) -> bool:
    """RE 61: one pocket of 4.1e on the board with the most FRIENDLY Infantry (SA-55)."""
    state = play.state
    if not friends(state):
        return False
    board = _fullest(state, [unit.at for unit in friends(state)])
    centre = random_hex(play, board)
    ground = setting_of(state).ground
    say(play, "4.1e", name_of(state, centre), (), "a pocket of radius 2", "S4.1")
    near = [c for c in board_cells(setting_of(state), board) if ground.ranges[centre][c] <= 2]
    taken = {one.at for one in SUSPECTS.of(state).values()}
    able = [c for c in near if c not in taken and not sharing_room(state, c, FRIENDLY)]
    cells = [c for c in able if concealment_terrain(ground, c) or c == centre]
    most = IN_POCKET[setting_of(state).options.get("suspects", "20")]
    return _infiltrate(play, spread(play, cells, most), board.board)


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


EXTRA = {
    ("A11", "34"): 2, ("A11", "63"): 3, ("A11", "75"): 6, ("A11", "36"): 4, ("A11", "54"): 4,
    ("P9", "34"): 2, ("P9", "35"): 4, ("P9", "73"): 4, ("P9", "36"): 3, ("P9", "61"): 5,
}  # fmt: skip
"""What is added to the DR of S? that enter, by table and first number of the event."""
FLANKS = ("north", "south")
RANDOM = {"any": (*FLANKS, "east"), "flank": FLANKS}
"""Random edges, drawn each time: any but the FBE (P9 61-64), the north or south one (M19 MSR 3)."""


def reinforcements(play: Play[SquadState], event: Event) -> bool:
    """RE 34, 63, 75-76: S? enter along the EBE, Partisans along any edge but the FBE, and perhaps more later."""
    edge = _ebe(play.state) if event.table == "A11" or rolled_in(play.state).mission == 19 else "any"
    _come(play, event, edge, limit=2 if event.table == "P9" else 3)
    return True


def _ebe(state: SquadState) -> str:
    """The EBE; in Mission 19 units of events enter by a random flank instead (M19 MSR 3)."""
    return "flank" if rolled_in(state).mission == 19 else "east"


def flank_attack(play: Play[SquadState], event: Event) -> bool:
    """RE 36, 54: S? enter along the north or south edge; those of A11 are followed along the EBE, Partisans there."""
    edge = pick(play, FLANKS, "which edge")
    _come(play, event, edge, limit=3, later=edge if event.table == "P9" else "east")
    return True


def allied_support(play: Play[SquadState], event: Event) -> bool:
    """P9 34, 35, 73-75: regular troops of another card come to the help of the Partisans along the EBE."""
    card = ally_of(rolled_in(play.state))
    if not card:
        return False
    _come(play, event, _ebe(play.state), limit=2, card=card)
    return True


def ally_of(base: Rolled) -> str:
    """The card of those who help Partisans, empty: nobody does there (P9 34)."""
    if "Greece" in base.places:
        return "B"
    if "Russia" in base.places or "Balkans" in base.places:
        return "R"
    if "Philippines" in base.places:
        return "U-PTO"
    return "U" if "France" in base.places and base.date >= "1942-11" else ""


def _come(play: Play[SquadState], event: Event, edge: str, *, limit: int, later: str = "", card: str = "") -> None:
    """S? of an event enter, and a reinforcement dr is due in the ENEMY RPh of each later turn."""
    number = sum(rolled(play, 2, "S? entering")) + EXTRA[event.table, event.numbers[0]]
    reinforce(play, number, edge, card)
    roster = ROSTER.of(play.state)
    mark = f"{play.state.turn} {later or edge} {limit} {card}".strip()
    put_roster(play.state, follow=(*roster.follow, mark))


def reinforce(play: Play[SquadState], number: int, edge: str, card: str = "") -> None:
    """S? come on along an edge in Advance Attitude and go for the FBE, in a flank attack for the opposite edge."""
    towards = OPPOSITE[edge] if edge in FLANKS else "west"
    edge = pick(play, RANDOM[edge], "which edge") if edge in RANDOM else edge
    entering.enter(play, number, edge, "yellow" if card else "red", "reinforcements", card=card, towards=towards)


def elite(play: Play[SquadState], *, far: bool) -> str:
    """The ENEMY's Elite squad of the longest or shortest range."""
    base = rolled_in(play.state)
    found = make.elite_squads(base, base.card.nation)
    if not found:
        return ""
    one = max(found, key=lambda squad: ((squad.range if far else -squad.range), squad.fp, squad.name))
    return f"{one.nation} {one.name}"


def _suspect_for(play: Play[SquadState]) -> tuple[Suspect, Unit] | None:
    """The S? nearest to the FRIENDLY unit nearest the EBE that sees it, by the priorities of RE 45."""
    state = play.state
    for unit in nearest_ebe(state):
        seeing = [
            one for one in SUSPECTS.of(state).values() if one.at >= 0 and sees(state, stands(state, one), unit.at)
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
        ("highest", lambda one: -ground.level[stands(state, one)]),
        (
            "most FRIENDLY units",
            lambda one: -sum(sees(state, stands(state, one), other.at) for other in friends(state)),
        ),
    ]
    return best(play, seeing, keys, "which S?")[0]


def heavy_gun(play: Play[SquadState], event: Event) -> bool:
    """RE 45: a S? turns out to be an Elite squad with a HMG and a leader; Partisans have a 3-3-7 (P9 44-46)."""
    state = play.state
    base = rolled_in(state)
    found = _suspect_for(play)
    kind = "partisan 3-3-7" if base.enemy == "P" else elite(play, far=True)
    weapon = _weapon(base.card.nation, "HMG")
    if found is None or not kind or not weapon:
        return False
    one, unit = found
    place = len(play.events)
    remove(state, one)
    numbers = make.Numbers(state.serial, activation.face_down(state, one.at, unit.at))
    squad = make.new_unit(play, kind, make.room_for(play, one.at, kind))
    leader = make.leader(play, base, make.classes_of(state, [squad]), drm=-1)
    made = [squad.id]
    numbers.go_on(state, "leader")
    if leader:
        made.append(make.join(play, base, leader, squad.at).id)
    heavy = _weapon(base.card.nation, ".50-cal HMG") if base.enemy != "P" else ""
    if heavy and rolled(play, 1, ".50-cal")[0] <= 3:
        weapon = heavy
    numbers.go_on(state, "SW")
    make.new_weapon(play, weapon, state.units[squad.id])
    numbers.go_on(state, "end")
    rolls = (place, len(play.events))
    lined_up = line_up(play, one, [state.units[name] for name in made])
    activation.hide(play, made, one.at, unit.at, rolls)
    play.emit(Activated(suspect=one.id, at=name_of(state, one.at), units=tuple(made)))
    tell(play, one, lined_up)
    return True


def _weapon(nation: str, name: str) -> str:
    kind = f"{nation if nation not in ('usmc', 'partisan') else 'american' if nation == 'usmc' else 'russian'} {name}"
    try:
        printed_weapon(kind)
    except (UnknownCounter, ValueError):
        return ""
    return kind


def flamethrower(play: Play[SquadState], event: Event) -> bool:
    """RE 46: the S? closest to a FRIENDLY unit in LOS, four hexes at most, is an Elite squad with a FT; else RE 45."""
    state = play.state
    ground = setting_of(state).ground
    kind = elite(play, far=False)
    weapon = _weapon(rolled_in(state).card.nation, "FT")
    near: dict[str, int] = {}
    for one in SUSPECTS.of(state).values():
        seen = [unit.at for unit in friends(state) if one.at >= 0 and sees(state, stands(state, one), unit.at)]
        if seen:
            near[one.id] = min(ground.ranges[one.at][cell] for cell in seen)
    near = {name: hexes for name, hexes in near.items() if hexes <= FLAMES_FROM}
    if not near or not kind or not weapon:
        return heavy_gun(play, event)
    name, _ = best(play, list(near), [("closest to a FRIENDLY unit", near.__getitem__)], "which S?")
    one = SUSPECTS.of(state)[name]
    remove(state, one)
    squad = make.new_unit(play, kind, make.room_for(play, one.at, kind))
    make.new_weapon(play, weapon, state.units[squad.id])
    lined_up = line_up(play, one, [squad])
    play.emit(Activated(suspect=one.id, at=name_of(state, one.at), units=(squad.id,)))
    tell(play, one, lined_up)
    return True


def strongpoint(play: Play[SquadState], event: Event) -> bool:
    """P9 02-03: a 1+3+5 pillbox with a Gun, or a squad with a machine gun and a leader (SA-84)."""
    state = play.state
    setting = setting_of(state)
    ground = setting.ground
    far = distances(setting, "east")
    spotter = next((unit for unit in nearest_ebe(state) if not unit.broken), None)
    if spotter is None:
        return False
    (dr,) = rolled(play, 1, "hexes to the strongpoint")
    able = [
        cell
        for cell in range(ground.size)
        if far[spotter.at] - far[cell] >= dr
        and works.may_entrench_in(state, cell)
        and not works.works_at(state, cell, *works.SHELTERS)
        and not sharing_room(state, cell)
        and not any(one.at == cell for one in SUSPECTS.of(state).values())
        and sees(state, spotter.at, cell)
    ]
    if not able:
        return False
    cell = min(able, key=lambda one: (ground.ranges[spotter.at][one], one))
    spines = ground.spines_towards(cell, spotter.at)
    box = works.lay_pillbox(state, cell, ENEMY, (1, 3, 5), spines[0] if spines else 0)
    say(play, event.table, event.key, (dr,), f"a 1+3+5 pillbox in {name_of(state, cell)}", "S2.3")
    names = _garrison(play, cell, spotter.at)
    for name in names:
        works.put_in(state, state.units[name], box)
    play.emit(Activated(suspect=STRONGPOINT, at=name_of(state, cell), units=tuple(names)))
    return True


def _garrison(play: Play[SquadState], cell: int, towards: int) -> list[str]:
    """Who is in a strongpoint (P9 02-03)."""
    state = play.state
    base = rolled_in(state)
    contents = on_table(play, sub_table("P9-02"))
    if contents.startswith("Gun"):
        gun = make.gun(play, base, inside=True, pillbox=True)
        crew = make.join(play, base, make.gun_crew(base), cell)
        if gun:
            weapon = make.new_weapon(play, gun, crew)
            make.point_gun(play, weapon, cell, towards, emplaced=True)
        return [crew.id]
    squad = make.new_unit(play, make.squad(play, base), cell)
    machine_gun = _weapon(base.card.nation, contents.partition(",")[0])
    if machine_gun:
        make.new_weapon(play, machine_gun, squad)
    leader = make.leader(play, base, make.classes_of(state, [squad]))
    return [squad.id, *([make.join(play, base, leader, cell).id] if leader else [])]


EFFECTS: dict[str, Effect] = {
    "counterattack": counterattack,
    "infiltration": infiltration,
    "infiltration by VPO": infiltration_vpo,
    "infiltrators": infiltrators,
    "stiffens": stiffens,
    "numbers up": numbers_up,
    "numbers down": numbers_down,
    "reinforcements": reinforcements,
    "flank attack": flank_attack,
    "human wave": flank_attack,
    "HMG": heavy_gun,
    "flamethrower": flamethrower,
    "allied support": allied_support,
    "strongpoint": strongpoint,
}
FLAMES_FROM = 4
"""Hexes within which a S? may turn out to have a flamethrower (RE 46)."""
