"""S? counters: where they are set up (S4.1), and what they are to the rest of the rules (S3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.crests import front_of_suspect, stands
from sandtable.games.sasl.dice import many, rolled, say
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, HOLD, OBJECTIVES, SUSPECTS, Suspect, SuspectsPlaced
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import Board, rolled_of
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import general
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, fresh_id, sharing_room, stacking_of
from sandtable.games.squad.pieces.kinds import SQUAD
from sandtable.games.squad.pieces.model import SquadState, Unit

MOST = {"20": 20, "30": 30, "all": 999}
"""S? that 4.1 a and b put on one board at most, by the option (SA-43)."""
IN_POCKET = {"20": 5, "30": 6, "all": 999}
"""S? of one pocket at most, by the option (SA-55)."""


def stone(ground: Ground, cell: int) -> bool:
    """Whether a Location is in a stone building."""
    return ground.in_building[cell] and ground.kinds[cell].material == "stone"


def suspects_at(state: SquadState, cell: int) -> list[Suspect]:
    """The S? of a Location."""
    return [one for one in SUSPECTS.of(state).values() if one.at == cell]


def has_room(state: SquadState, cell: int, units: Sequence[Unit] = ()) -> bool:
    """Whether ENEMY units, or without any one more S?, fit into a Location; a S? counts as a squad there (S3.11)."""
    joining = {unit.id for unit in units}
    present = [unit for unit in sharing_room(state, cell, ENEMY) if unit.id not in joining]
    size, leaders = stacking_of(state, [*present, *units])
    size += SQUAD * (len(suspects_at(state, cell)) + (not units))
    return size <= STACK_SQUADS and leaders <= STACK_LEADERS


def board_cells(setting: Setting, board: Board) -> list[int]:
    """The hexes that bear the name of a board."""
    names = setting.ground.names
    return [cell for cell in range(setting.ground.size) if _rest(names[cell], board.prefix)]


@lru_cache(maxsize=20_000)
def _rest(name: str, prefix: str) -> bool:
    """Whether what follows the board's prefix is the name of a hex, such as K5."""
    if not name.startswith(prefix):
        return False
    rest = name[len(prefix) :]
    letters = rest.rstrip("0123456789")
    return letters.isalpha() and letters.isupper() and len(rest) > len(letters)


def board_of(state: SquadState, cell: int) -> Board | None:
    """The board that a Location lies on."""
    setting = setting_of(state)
    name = setting.ground.names[setting.ground.hex_of(cell)]
    for board in rolled_of(setting).boards:
        if _rest(name, board.prefix):
            return board
    return None


def set_up_cells(state: SquadState, board: Board) -> list[int]:
    """Where S? may set up on a board: not near the FBE, nor where FRIENDLY units or other S? are (S4.11)."""
    setting = setting_of(state)
    far = distances(setting, "west")
    free = int(reading(state, "near_fbe"))
    taken = {one.at for one in SUSPECTS.of(state).values()}
    return [
        cell
        for cell in board_cells(setting, board)
        if far[cell] > free and cell not in taken and not sharing_room(state, cell)
    ]


def place(
    play: Play[SquadState],
    cells: Iterable[int],
    *,
    attitude: str = HOLD,
    edge: str = "west",
    colour: str = "black",
    where: str = "",
    case: str = "S4.1",
) -> int:
    """Set up a S? in each of these Locations, at the Crest of one that lies in a depression (S4.1, S4.14)."""
    state = play.state
    number = 0
    for cell in cells:
        add(state, at=cell, attitude=attitude, edge=edge, colour=colour, front=front_of_suspect(state, cell))
        number += 1
    if number:
        play.emit(SuspectsPlaced(board=where, number=number, case=case))
    return number


def add(state: SquadState, **values: object) -> Suspect:
    """A new S?."""
    one = Suspect(fresh_id(state, "s"), **values)  # type: ignore[arg-type]
    SUSPECTS.of(state)[one.id] = one
    return one


def by_cases(play: Play[SquadState], board: Board, cases: str, most: int) -> int:
    """S? of a board by 4.1: a buildings, b woods, c in and beside VPO."""
    state = play.state
    ground = setting_of(state).ground
    free = set_up_cells(state, board)
    number = 0
    if "c" in cases:
        near = _near_objectives(state, board)
        number += place(play, [cell for cell in free if cell in near], where=board.board, case="4.1c")
    taken = {one.at for one in SUSPECTS.of(state).values()}
    buildings = in_buildings(play, board, [c for c in free if ground.in_building[c] and c not in taken])
    buildings = buildings if "a" in cases else []
    woods = [cell for cell in free if ground.woods[cell] and cell not in taken] if "b" in cases else []
    woods = woods_edge(ground, woods)
    room = max(0, most - number)
    chosen = spread(play, buildings, room)
    number += place(play, chosen, where=board.board, case="4.1a")
    chosen = spread(play, woods, max(0, room - len(chosen)))
    return number + place(play, chosen, where=board.board, case="4.1b")


def _near_objectives(state: SquadState, board: Board) -> set[int]:
    ground = setting_of(state).ground
    found = set()
    for objective in OBJECTIVES.of(state).values():
        if objective.board == board.board:
            for cell in objective.cells:
                found |= {cell, *[other for other in ground.near[cell] if concealment_terrain(ground, other)]}
    return found


def in_buildings(play: Play[SquadState], board: Board, cells: Sequence[int]) -> list[int]:
    """Building Locations with a S?; on a Built-Up board A9e says for each building whether its ground level (S4.12)."""
    if board.kind not in ("c", "v"):
        return list(cells)
    ground = setting_of(play.state).ground
    table = general.table("A9e")
    drm = table.drm("1944-01", ("Village board",) if board.kind == "v" else ())
    kept: dict[str, bool] = {}
    names = list(dict.fromkeys(ground.building[cell] for cell in cells))
    if names:
        faces = play.roll(6, len(names), "A9e for each building", by="enemy")
        for name, face in zip(names, faces, strict=True):
            level = table.row(face + drm).cells[0].text
            kept[name] = level.startswith(("ground", "each"))
        words = f"S? in {sum(kept.values())} of {many(len(names), 'building')}"
        say(play, "A9e", "ground level", (), words, "S4.12")
    return [cell for cell in cells if kept[ground.building[cell]]]


def woods_edge(ground: Ground, cells: Sequence[int]) -> list[int]:
    """Woods Locations that border other terrain: no others have a S? by 4.1b, nor on Woods boards at all (S4.13)."""
    return [cell for cell in cells if any(not ground.woods[other] for other in ground.near[cell])]


def spread(play: Play[SquadState], cells: Sequence[int], room: int) -> list[int]:
    """So many of some Locations, evenly spread from a rolled beginning (SA-43)."""
    if len(cells) <= room:
        return list(cells)
    if room <= 0:
        return []
    (start,) = rolled(play, 1, "which Locations")
    step = len(cells) / room
    return [cells[int((number + start / 6) * step) % len(cells)] for number in range(room)]


def remove(state: SquadState, one: Suspect) -> None:
    """Take a S? off."""
    SUSPECTS.of(state).pop(one.id, None)


def turn_to_advance(state: SquadState, some: Iterable[Suspect], colour: str) -> int:
    """S? take Advance Attitude (RE 05)."""
    number = 0
    for one in list(some):
        SUSPECTS.of(state)[one.id] = replace(one, attitude=ADVANCE, colour=colour)
        number += 1
    return number


def watching(state: SquadState, side: str) -> list[int]:
    """S? on the map keep FRIENDLY units from gaining concealment, like unbroken units (S3.1)."""
    if side != FRIENDLY:
        return []
    return [stands(state, one) for one in SUSPECTS.of(state).values() if one.at >= 0]


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> tuple[str, str] | None:
    """A S? counts as an unbroken unit: FRIENDLY units neither move nor rout into its Location (S3.1, SA-47).

    For ENEMY units it takes the room of a squad (S3.11).
    """
    if not units or not any(one.at == to for one in SUSPECTS.of(state).values()):
        return None
    if units[0].side == ENEMY:
        if has_room(state, to, units):
            return None
        return ("The S? there and the units that enter would exceed the stacking limit", "S3.11")
    if state.phase != "APh":
        return ("A S? is there: advance into its Location to find out what it is", "S3.1")
    return None


def begin_phase(play: Play[SquadState]) -> None:
    """In a new phase each S? may be triggered by everybody again (S5.1)."""
    suspects = SUSPECTS.of(play.state)
    for one in [one for one in suspects.values() if one.checked]:
        suspects[one.id] = replace(one, checked=())


def count_placed(state: SquadState) -> None:
    """Note how many S? are set up before play (Mission End of 2, 6)."""
    put_roster(state, placed=len([one for one in SUSPECTS.of(state).values() if one.at >= 0]))
