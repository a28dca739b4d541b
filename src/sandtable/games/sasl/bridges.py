"""One-hex bridges: whether each stands {A9c}, and of which type it is {A9d} (S13.5, SA-129 to SA-133)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.crossing import crossable
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.readings import DEFAULTS
from sandtable.games.sasl.roads import network
from sandtable.games.sasl.rolled import DESTROYED, Board, Rolled, changed_bridges
from sandtable.games.sasl.setting_up import ON_THE_ROAD, read_options
from sandtable.games.sasl.tables import general
from sandtable.games.squad.ground.setting import find_setting
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.board import load_board
from sandtable.space.bridges import below, one_hex_bridges
from sandtable.space.terrain import terrain_table

KINDS_OF_BOARDS = {"v": "Village board", "c": "City board"}
"""Boards whose bridges are rolled for with a drm, by the letter that A9 gives them."""


def how_read(options: Mapping[str, str]) -> str:
    """Which bridges are rolled for, by the option (SA-129, SA-131)."""
    return options.get("bridges") or DEFAULTS["bridges"]


def open_bridges(board: Board, options: Mapping[str, str]) -> list[str]:
    """The one-hex bridges of a board that have not been rolled for yet, by the names printed on it."""
    if not board.board or how_read(options) == "printed":
        return []
    known = dict(board.bridges)
    return [name for name in one_hex_bridges(load_board(board.board)) if name not in known]


def any_open(base: Rolled, options: Mapping[str, str]) -> bool:
    """Whether a bridge of the boards on the table has not been rolled for."""
    return any(open_bridges(board, options) for board in base.boards[base.gone :])


def roll_bridges(play: Play[SquadState], base: Rolled) -> Rolled:
    """Roll for every one-hex bridge of the boards that has not been rolled for, board by board (S13.5, SA-129)."""
    options = read_options(play.state.setting)
    if not any_open(base, options):
        return base
    stands = _of_network(play.state, base, options)
    boards = list(base.boards)
    for number, board in enumerate(boards):
        # a board that has been rolled up is not looked at again
        if number >= base.gone:
            for name in open_bridges(board, options):
                board = _roll_bridge(play, base, board, name, stands)
            boards[number] = board
    return replace(base, boards=tuple(boards))


def _of_network(state: SquadState, base: Rolled, options: Mapping[str, str]) -> frozenset[str]:
    """Hexes of the Road Network in a mission that needs one, as it runs while all bridges stand (SA-131)."""
    if base.mission not in ON_THE_ROAD or how_read(options) == "network":
        return frozenset()
    setting = find_setting(key_of(state, base))
    return frozenset([setting.ground.names[cell] for cell in network(setting)])


def _roll_bridge(play: Play[SquadState], base: Rolled, board: Board, name: str, stands: Collection[str]) -> Board:
    """One bridge: the dr of A9c, but not if it is a VPO or of the Road Network, then that of A9d (S13.2311, S14.12)."""
    full, sure, rule = board.prefix + name, "", ""
    if any(full in hexes for hexes in board.vpo):
        sure, rule = "it is a VPO (SA-130)", "S14.12"
    elif full in stands:
        sure, rule = "the Road Network crosses it (SA-131)", "S13.2311"
    elif _is_destroyed(play, base, board, name):
        return replace(board, bridges=(*board.bridges, (name, DESTROYED)))
    if sure:
        say(play, "S13.5", "Intact", (), f"bridge in {full}: no dr, for {sure}", rule)
    return replace(board, bridges=(*board.bridges, (name, _type_of(play, board, name))))


def _is_destroyed(play: Play[SquadState], base: Rolled, board: Board, name: str) -> bool:
    """The dr of A9c; a bridge without which nobody could cross the board stands after all (SA-132)."""
    table = general.table("A9c")
    faces = rolled(play, 1, f"bridge in {board.prefix}{name}")
    row = table.row(sum(faces))
    result = row.cells[0].choices[0].item
    needed = result == DESTROYED and _is_needed(base, board, name)
    why = "Intact, for nobody could cross the board without it (SA-132)" if needed else result
    say(play, table.id, row.key, faces, f"bridge in {board.prefix}{name}: {why}", table.cites)
    return result == DESTROYED and not needed


def _is_needed(base: Rolled, board: Board, name: str) -> bool:
    """Whether a board can be crossed with a bridge, but not without it (SA-109, SA-132)."""
    if terrain_table()[below(load_board(board.board), name)].mf is not None:
        return False
    now = changed_bridges(board)
    gone = changed_bridges(replace(board, bridges=(*board.bridges, (name, DESTROYED))))
    return crossable(board.board, base.config, now) and not crossable(board.board, base.config, gone)


def _type_of(play: Play[SquadState], board: Board, name: str) -> str:
    """The dr of A9d: stone or wooden, two lanes or one."""
    table = general.table("A9d")
    faces = rolled(play, 1, f"type of the bridge in {board.prefix}{name}")
    drm = table.drm("1944-01", {KINDS_OF_BOARDS.get(board.kind, "")})
    row = table.row(sum(faces) + drm)
    result = row.cells[0].choices[0].item
    change = f" (drm {drm:+d})" if drm else ""
    say(play, table.id, row.key, faces, f"bridge in {board.prefix}{name}: {result}{change}", table.cites)
    return result


# -- what is told ---------------------------------------------------------------------------


def bridge_words(board: Board, options: Mapping[str, str]) -> str:
    """The bridges of a board for the page of the set-up, empty: it has none that are rolled for."""
    known = [f"{board.prefix}{name} {result.lower()}" for name, result in board.bridges]
    waiting = [f"{board.prefix}{name}" for name in open_bridges(board, options)]
    return "; ".join([*known, *([f"open: {', '.join(waiting)}"] if waiting else [])])


def fact_words(board: Board, name: str) -> str:
    """What the tooltip of a bridge's hex says of it; of rubble what it costs beside the bed (B6.331)."""
    result, printed = dict(board.bridges)[name], load_board(board.board)
    under = terrain_table()[below(printed, name)]
    if result != DESTROYED:
        return f"{result}, over {'water' if under.mf is None else f'a {under.title.lower()}'}"
    facts = printed.with_bridges(changed_bridges(board))[name]
    if not facts.kind.in_bed:
        return "Destroyed"
    cost = (facts.kind.mf or 0) + (under.mf or 0 if facts.bed else 0)
    return f"Destroyed: its rubble lies in the {under.title.lower()}, {cost:g} MF to enter"


def show_bridges(scene: dict[str, Any], base: Rolled) -> dict[str, Any]:
    """The scene with the type of each bridge among the facts of its hex (S13.5)."""
    words = {
        board.prefix + name: fact_words(board, name) for board in base.boards[base.gone :] for name, _ in board.bridges
    }
    for cell in scene["cells"]:
        if cell["id"] in words:
            cell["facts"].append(("Bridge", words[cell["id"]], "S13.5"))
    return scene
