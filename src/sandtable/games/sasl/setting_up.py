"""Setting up a mission: nations, boards, VPO and the Mission Tables (12. to 14.)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.engine.errors import BadOption
from sandtable.games.sasl import partisan
from sandtable.games.sasl.crossing import crossable
from sandtable.games.sasl.dice import on_table, rolled, say
from sandtable.games.sasl.model import ROSTER, Roster
from sandtable.games.sasl.opposition import MINORS, PACIFIC, Meeting, code_of
from sandtable.games.sasl.rolled import Board, Rolled, board_title, rustic
from sandtable.games.sasl.tables import counters, general
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.missions import mission
from sandtable.games.squad.pieces.counters import UnknownCounter
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.board import board_names, load_board
from sandtable.space.making.maker import made_name
from sandtable.space.maps import BoardPlace, MapSpec, load_map

SHIPPED = {
    "village": ("w", "y", "ambrey", "thornwick"), "farmland": ("x", "barleymow", "hollen"),
    "city": ("z", "1", "calder", "norrey"), "rural": ("marrow", "lindley"), "hills": ("highcombe", "stanrigg"),
}  # fmt: skip
"""Boards that come with the program, by terrain."""
ON_THE_ROAD = {5, 8}
"""Missions that need a Road Network from the FBE to the EBE (S13.231)."""
SEEDS = 99
"""Made boards of a terrain that a mission draws from; small numbers keep the names of hexes short."""
ANY_BOARD = ("x", "y", "w", "z", "1")
US = {"squad": 3, "half": 2, "leader": 1}
"""US# of a unit (A1.6)."""


def with_nations(play: Play[SquadState], number: int, one: Meeting, date: str) -> Rolled:
    """The set-up of a mission between two powers in a month, before force and boards (S12)."""
    theatre, enemy = one.line.theatre, one.enemy.rstrip("*")
    code, against = code_of(one.friendly, theatre), code_of(one.enemy, theatre)
    places = [theatre]
    if theatre in PACIFIC:
        places.append("PTO")
    places += partisan.places_of(theatre, date, enemy)
    if "Vichy" in one.enemy:
        places.append("Vichy French")
    return Rolled(
        mission=number, theatre=theatre, date=date, friendly=code, enemy=against, places=tuple(places),
        friendly_nation=card(code).nation, friendly_title=one.friendly.rstrip("*"), enemy_title=enemy,
        enemy_group=enemy if enemy in MINORS else _group(play, against, date, theatre),
    )  # fmt: skip


def _group(play: Play[SquadState], code: str, date: str, theatre: str = "Pacific Islands") -> str:
    if code == "U-PTO":
        return "Philippines" if theatre == "Pacific Islands" and date <= "1942-05" else "elsewhere"
    if code != "C":
        return ""
    return "GMD" if date < "1943-11" else on_table(play, card("C").tables["C0"])


def counter_kind(nation: str, printed: str) -> str:
    """Nation and name of the counter that a company or table names; empty: there is none that can be played."""
    for find in (_unit_kind, _weapon_kind, _gun_kind):
        if kind := find(nation, printed):
            return kind
    return ""


def _unit_kind(nation: str, printed: str) -> str:
    for owner in (nation, "german_ss") if nation == "german" else (nation,):
        try:
            one = counters.unit(owner, printed)
            return f"{one.nation} {one.name}"
        except (UnknownCounter, KeyError):
            continue
    return ""


def _weapon_kind(nation: str, printed: str) -> str:
    try:
        one = counters.weapons(nation, printed)[0]
    except (UnknownCounter, KeyError):
        return ""
    return f"{one.nation} {one.name}"


def _gun_kind(nation: str, printed: str) -> str:
    for owner, name in counters.guns(nation, printed):
        if counters.known_gun(owner, name):
            return f"{owner} {name}"
    return ""


# -- boards -------------------------------------------------------------------------------


def roll_board(play: Play[SquadState], base: Rolled, table: str, drm: int = 0) -> Board:
    """The board that A8 and A9 name, none twice (S13.2, S13.21); which one is played on is still open."""
    column = on_table(play, general.table(table), what="type of mapboard")
    boards = general.table("A9")
    for _ in range(40):
        faces = rolled(play, 2, "mapboard")
        row = boards.row(sum(faces) + drm)
        cell = row.cells[boards.column(group=column)]
        dr = rolled(play, 1, "which mapboard")[0] if len(cell.choices) > 1 else 1
        printed = cell.pick(dr).item
        if printed not in {board.printed for board in base.boards}:
            break
    say(play, "A9", f"{column} {row.key}", faces, f"board {printed}", "S13.21")
    return Board(printed, "", column.lower())


def own_boards() -> str:
    """The numbers of the boards of A9 that have been imported or shipped, as the option `own` holds them."""
    have = {name.lstrip("0") for name in board_names()}
    return ",".join(sorted(have & printed_boards(), key=int)) or "none"


def printed_boards() -> set[str]:
    """The numbers of the boards of A9."""
    return {choice.item.lstrip("cvw") for _, _, choice in general.table("A9").choices()}


def own_board(state: SquadState, base: Rolled, board: Board) -> str:
    """The printed board, if the match began with it at hand; empty: it did not."""
    number = board.printed.lstrip("cvw")
    if number not in read_options(state.setting).get("own", "none").split(","):
        return ""
    found = at_hand(board.printed)
    if not found:
        raise BadOption(f"The match uses your board {number}, which is not at hand: import it to play on.")
    return "" if found in _taken(base) or divided(state, base, found) else found


def divided(state: SquadState, base: Rolled, name: str) -> bool:
    """Whether a river that cannot be crossed bars a board from the mission (SA-109)."""
    needed = base.mission in ON_THE_ROAD or read_options(state.setting).get("rivers") != "printed"
    return needed and not crossable(name, base.config)


def substitutes(base: Rolled, board: Board) -> list[str]:
    """The program's boards that may lie in the place of one that is not at hand, those of its terrain first (SA-41)."""
    taken = _taken(base)
    return [name for name in dict.fromkeys((*shipped_boards(board.type), *ANY_BOARD)) if name not in taken]


def make_board(play: Play[SquadState], base: Rolled, board: Board) -> str:
    """A board of the right terrain that is made for one that is not at hand (SA-41)."""
    taken = _taken(base)
    while True:
        (seed,) = play.roll(SEEDS, 1, "number of the made board", by="enemy")
        if made_name(board.type, seed) not in taken:
            return made_name(board.type, seed)


def _taken(base: Rolled) -> set[str]:
    return {one.board for one in base.boards}


def find_board(play: Play[SquadState], base: Rolled, board: Board) -> str:
    """What is played on for a printed board: itself, or what the options say (SA-41)."""
    name = own_board(play.state, base, board)
    if not name and read_options(play.state.setting).get("boards") == "shipped":
        name = next(iter(substitutes(base, board)), "")
    return name or make_board(play, base, board)


def lay_board(play: Play[SquadState], base: Rolled, board: Board, name: str) -> Board:
    """Lay a board out, by the alignment dr: its number to the north, in Configuration B to the east (S13.23)."""
    (side,) = rolled(play, 1, "alignment")
    printed = at_hand(board.printed)
    cut = printed and divided(play.state, base, printed)
    why = "its river cannot be crossed yet, SA-109" if cut else "not at hand"
    here = "" if name == printed else f" ({why}; {board_title(name)} takes its place)"
    low, high = ("east", "west") if base.config == "B" else ("north", "south")
    way = low if side <= 3 else high
    plain = ", all its buildings wooden and its roads unpaved (note 2)" if rustic(base, board) else ""
    told = f"board {board.printed}{here}, with its number to the {way}{plain}"
    say(play, "Alignment", str(side), (side,), told, "S13.23")
    return replace(board, board=name, turned=side > 3, prefix=load_board(name).prefix)


def at_hand(printed: str) -> str:
    """The board at hand for a printed one such as `v10`; empty: the player does not have it."""
    number = printed.lstrip("cvw")
    have = set(board_names())
    return next((name for name in (number, number.zfill(2)) if name in have), "")


def shipped_boards(column: str) -> tuple[str, ...]:
    """The program's own boards of a terrain, in the order in which they are taken."""
    return SHIPPED.get(column, ())


def read_options(key: str) -> dict[str, str]:
    """The options in the key of a setting."""
    chosen = key.partition("#")[0].partition("?")[2]
    return dict(pair.split("=", 1) for pair in chosen.split("&")) if chosen else {}


def roll_objectives(play: Play[SquadState], base: Rolled, board: Board, number: int, ahead: Sequence[Board]) -> Board:
    """The VPO of a board: so many by A10a, none twice (S14.2)."""
    places = objective_places(board)
    found: list[tuple[str, ...]] = []
    left = list(range(1, 7))
    while len(found) < min(number, 6):
        (dr,) = rolled(play, 1, "VPO")
        if dr not in left:
            continue
        left.remove(dr)
        hexes = tuple(f"{board.prefix}{name}" for name in places[dr - 1])
        found.append(hexes)
        known = board.board.lstrip("0")
        if known in general.objectives():
            say(play, "A10a", f"{known} (dr {dr})", (dr,), "-".join(hexes), "S14.2")
        else:
            # no row of A10a is to be marked for it
            why = f"VPO {'-'.join(hexes)} (A10a does not list {board_title(board.board)})"
            say(play, "SA-42", "", (dr,), why, "SA-42")
    return replace(board, vpo=tuple(found))


def objective_places(board: Board) -> list[tuple[str, ...]]:
    """The six VPO places of a board: A10a for the printed one, else a list made from its ground (S14.13, SA-42)."""
    listed = general.objectives().get(board.board.lstrip("0"))
    if listed:
        places = []
        for entry in listed:
            pair = entry.split("/")
            # of the two hexes of a river board the one nearer the EBE counts: the second, or turned the first
            places.append(tuple((pair[0] if board.turned or len(pair) == 1 else pair[-1]).split("-")))
        return places
    if own := load_board(board.board).objectives:
        return [one.hexes for one in (*own, *own, *own, *own, *own, *own)][:6]
    return [(name,) for name in house_objectives(board.board)]


def house_objectives(name: str) -> list[str]:
    """Six hexes of a board without A10a: large and stone buildings, well apart, then crossroads (SA-42)."""
    game_map = load_map(MapSpec(((BoardPlace(name),),)))
    grid = game_map.grid
    sizes: dict[str, int] = {}
    for fact in game_map.facts:
        if fact.building:
            sizes[fact.building] = sizes.get(fact.building, 0) + 1

    def value(cell: int) -> tuple[float, int]:
        fact = game_map.facts[cell]
        building = (2 + sizes[fact.building] + fact.kind.tem) if fact.building else 0
        return (-(building or 1.5 * (len(fact.roads) >= 3) + fact.level + fact.kind.tem / 4), cell)

    inner = [cell for cell in range(grid.size) if all(side >= 0 for side in grid.neighbour_table[cell])]
    chosen: list[int] = []
    for apart in (6, 4, 2, 1):
        for cell in sorted(inner, key=value):
            if len(chosen) < 6 and all(grid.ranges[cell][other] >= apart for other in chosen):
                chosen.append(cell)
    return [grid.names[cell] for cell in sorted(chosen)]


# -- the Mission Tables --------------------------------------------------------------------


def roll_roster(play: Play[SquadState], base: Rolled) -> Roster:
    """SAN, AC#, RE Numbers and boobytraps by the Mission Tables (S12.32)."""
    one = mission(base.mission)
    figures: dict[str, str] = {}
    for title in ("ENEMY SAN", "FRIENDLY SAN", "ENEMY AC#", "ENEMY RE#s", "FRIENDLY RE#s"):
        figures[title] = on_table(play, one.table(title), what=title)
    booby = on_table(play, one.table("Boobytrap")) if "Boobytrap" in one.tables else ""
    return Roster(
        enemy_san=int(figures["ENEMY SAN"]),
        friendly_san=int(figures["FRIENDLY SAN"]),
        ac=int(figures["ENEMY AC#"]),
        enemy_re=figures["ENEMY RE#s"],
        friendly_re=figures["FRIENDLY RE#s"],
        boobytrap=booby.strip("-"),
    )


def strength_number(units: Sequence[tuple[str, int]]) -> int:
    """US# of a force (A1.6): three a squad, two a half-squad or crew, one a leader."""
    total = 0
    for kind, count in units:
        try:
            one = printed_unit(kind)
        except ValueError:
            continue
        total += count * (US["squad"] if one.squad else US["half"] if one.mmc else US["leader"])
    return total


MOST_BOARDS = 12
"""Boards that a rolling map reaches at most (Mission 3, SA-59)."""


def put_roster(state: SquadState, **changes: object) -> Roster:
    """Change figures of the roster."""
    new = replace(ROSTER.of(state), **changes)
    ROSTER.put(state, new)
    return new
