"""Setting up a mission: theatre, date, nations, company, boards, VPO and the Mission Tables (12. to 15.)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.dice import on_table, pick, rolled, say
from sandtable.games.sasl.model import ROSTER, Roster
from sandtable.games.sasl.rolled import Board, Rolled
from sandtable.games.sasl.tables import campaign, counters, general
from sandtable.games.sasl.tables.campaign import Company, Opposition
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.dates import month_text
from sandtable.games.sasl.tables.missions import mission
from sandtable.games.squad.pieces.counters import UnknownCounter
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.board import board_names, load_board
from sandtable.space.making.maker import made_name
from sandtable.space.maps import BoardPlace, MapSpec, load_map

POWERS = {
    "Germany": "G", "Italy": "I", "Italian Fascist": "I", "France": "F", "Vichy France": "F", "Britain": "B",
    "U.S.": "U", "U.S. Army": "U-PTO", "U.S.M.C.": "M", "Russia": "R", "Japan": "J", "China": "C", "Norway": "L",
    "Denmark": "L", "Netherlands": "L", "Belgium": "L", "Greece": "L", "Poland": "L", "Yugoslavia": "L",
}  # fmt: skip
"""The powers of the opposition chart that have a card; others cannot be met."""
MINORS = ("Norway", "Denmark", "Netherlands", "Belgium", "Greece", "Poland", "Yugoslavia")
PACIFIC = ("Pacific Islands", "China-Burma-India")
SHIPPED = {
    "village": ("w", "y", "ambrey", "thornwick"), "farmland": ("x", "barleymow", "hollen"),
    "city": ("z", "1", "calder", "norrey"), "rural": ("marrow", "lindley"), "hills": ("highcombe", "stanrigg"),
}  # fmt: skip
"""Boards that come with the program, by terrain."""
SEEDS = 99
"""Made boards of a terrain that a mission draws from; small numbers keep the names of hexes short."""
ANY_BOARD = ("x", "y", "w", "z", "1")
US = {"squad": 3, "half": 2, "leader": 1}
"""US# of a unit (A1.6)."""


class Meeting(NamedTuple):
    """A line of the opposition chart with the two powers that meet."""

    line: Opposition
    friendly: str
    enemy: str


def code_of(power: str, theatre: str) -> str:
    """The card of a power in a theatre."""
    code = POWERS.get(power.rstrip("*"), "")
    return "B-PTO" if code == "B" and theatre in PACIFIC else code


def company_card(code: str) -> str:
    """The card that a power's companies bear: one for Europe and the Pacific."""
    return {"B-PTO": "B", "U-PTO": "U"}.get(code, code)


def companies_of(code: str, date: str) -> list[Company]:
    """The companies of a card on a date that can be made up of counters."""
    return [
        one
        for one in campaign.companies()
        if one.card == company_card(code) and date in one.span and not one.title.startswith("Free French")
    ]


def meetings(options: Mapping[str, str]) -> tuple[Meeting, ...]:
    """Who may meet whom under the options, on the opposition chart."""
    return _meetings(*[options.get(name, "roll") for name in ("friendly", "enemy", "year")])


@cache
def _meetings(wanted: str, against: str, year: str) -> tuple[Meeting, ...]:
    options = {"friendly": wanted, "enemy": against, "year": year}
    found = []
    for line in campaign.oppositions():
        for own, others in ((line.axis, line.allies), (line.allies, line.axis)):
            for friendly in own:
                for enemy in others:
                    one = Meeting(line, friendly, enemy)
                    if _allowed(one, options) and _months(one, options):
                        found.append(one)
    return tuple(found)


def _allowed(one: Meeting, options: Mapping[str, str]) -> bool:
    friendly, enemy = code_of(one.friendly, one.line.theatre), code_of(one.enemy, one.line.theatre)
    wanted, against = options.get("friendly", "roll"), options.get("enemy", "roll")
    return (
        bool(friendly and enemy)
        and wanted in ("roll", company_card(friendly))
        and against in ("roll", enemy, company_card(enemy))
    )


def _months(one: Meeting, options: Mapping[str, str]) -> list[int]:
    """The months in which both sides have what they need."""
    year = options.get("year", "roll")
    code, enemy = code_of(one.friendly, one.line.theatre), card(code_of(one.enemy, one.line.theatre))
    return [
        month
        for month in one.line.span.months()
        if (year == "roll" or month_text(month).startswith(year))
        and companies_of(code, month_text(month))
        and (enemy.span is None or month_text(month) in enemy.span)
    ]


def roll_nations(play: Play[SquadState], number: int, options: Mapping[str, str]) -> Rolled:
    """Theatre, date, nations and company, rolled where they are not chosen (S12., S17.21)."""
    found = meetings(options) or meetings({"friendly": options.get("friendly", "roll")})
    one = pick(play, found, "who meets whom")
    months = _months(one, options) or _months(one, {})
    date = month_text(pick(play, months, "month"))
    theatre, enemy = one.line.theatre, one.enemy.rstrip("*")
    say(play, "Theater Opposition Chart", one.line.dates, (), f"{one.friendly} against {one.enemy}, {date}", "S17.21")
    code, against = code_of(one.friendly, theatre), code_of(one.enemy, theatre)
    places = [theatre]
    if theatre in PACIFIC:
        places.append("PTO")
    if theatre == "Eastern ETO" and date >= "1941-06":
        places.append("Russia")
    if "Vichy" in one.enemy:
        places.append("Vichy French")
    base = Rolled(
        mission=number, theatre=theatre, date=date, friendly=code, enemy=against, places=tuple(places),
        friendly_nation=card(code).nation, friendly_title=one.friendly.rstrip("*"), enemy_title=enemy,
        enemy_group=enemy if enemy in MINORS else _group(play, against, date),
    )  # fmt: skip
    return _company(play, base)


def _group(play: Play[SquadState], code: str, date: str) -> str:
    if code == "U-PTO":
        return "elsewhere"
    if code != "C":
        return ""
    return "GMD" if date < "1943-11" else pick(play, ("GMD", "X/Y Force"), "Chinese force")


def _company(play: Play[SquadState], base: Rolled) -> Rolled:
    """The FRIENDLY company with its leaders (S18.1, S17.81)."""
    one = pick(play, companies_of(base.friendly, base.date), "which company")
    nation = base.friendly_nation
    found: dict[str, int] = {}
    for printed, count in one.units.items():
        if printed == "Leader":
            for _ in range(count):
                kind = f"{nation} {_leader(play, base, one)}"
                found[kind] = found.get(kind, 0) + 1
        else:
            kind = counter_kind(nation, printed)
            if kind:
                found[kind] = found.get(kind, 0) + count
    return replace(base, company=f"{one.title} company", units=tuple(found.items()))


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


def _leader(play: Play[SquadState], base: Rolled, company: Company) -> str:
    """The type of a company's leader (S17.81)."""
    table = campaign.refit("leader")
    group = "Japanese" if base.friendly == "J" else "Other"
    drm = sum(modifier.drm for modifier in table.modifiers if _leader_fact(modifier.when, base, company))
    (dr,) = rolled(play, 1, "company leader")
    choice = table.cell(dr + drm, group=group).choices[0].item
    say(play, "S17.81", str(dr + drm), (dr,), choice, "S17.81")
    return choice


def _leader_fact(when: str, base: Rolled, company: Company) -> bool:
    """Whether a modifier of 17.81 such as `German 1939-42` counts."""
    squads = {name: count for name, count in company.units.items() if name.count("-") == 2}
    if when.startswith("most squads"):
        kinds = [printed_unit(counter_kind(base.friendly_nation, name)) for name in squads]
        elite = sum(c for k, c in zip(kinds, squads.values(), strict=True) if k.squad and k.unit_class == "E")
        return when == "most squads Elite" and 2 * elite > sum(squads.values())
    who, _, dates = when.rpartition(" ")
    if who.endswith("pre"):
        who, dates = who.removesuffix(" pre"), f"pre {dates}"
    nations = {"G": "German", "R": "Russian", "U": "U.S.", "B": "British or French", "F": "British or French"}
    nations |= {"C": "Chinese", "I": "Italian", "M": "U.S."}
    from sandtable.games.sasl.tables.dates import is_date, span

    return nations.get(base.friendly[0]) == who and is_date(dates) and base.date in span(dates)


# -- boards -------------------------------------------------------------------------------


def roll_board(play: Play[SquadState], base: Rolled, table: str, drm: int = 0) -> Board:
    """A board by A8 and A9: the printed one if it is at hand, else one of its kind of terrain (S13.2)."""
    column = on_table(play, general.table(table))
    taken = {board.board for board in base.boards}
    boards = general.table("A9")
    for _ in range(40):
        faces = rolled(play, 2, "mapboard")
        row = boards.row(sum(faces) + drm)
        cell = row.cells[boards.column(group=column)]
        dr = rolled(play, 1, "which mapboard")[0] if len(cell.choices) > 1 else 1
        printed = cell.pick(dr).item
        if printed not in {board.printed for board in base.boards}:
            break
    name = stand_in(play, printed, column.lower(), taken)
    (side,) = rolled(play, 1, "alignment")
    here = "" if name == printed.lstrip("cvw") else f"; board {name} lies in its place, the printed one is not at hand"
    say(play, "A9", f"{column} {row.key}", faces, f"board {printed}{here}", "S13.21")
    return Board(printed, name, column.lower(), turned=side > 3, prefix=load_board(name).prefix)


def stand_in(play: Play[SquadState], printed: str, column: str, taken: set[str]) -> str:
    """The board that is played on for a printed one: itself, or one of its terrain that is made for it (SA-41)."""
    own = at_hand(printed)
    if own and own not in taken:
        return own
    if read_options(play.state.setting).get("boards") == "shipped":
        for name in (*shipped_boards(column), *ANY_BOARD):
            if name not in taken:
                return name
    while True:
        (seed,) = play.roll(SEEDS, 1, "which board is made", by="enemy")
        if made_name(column, seed) not in taken:
            return made_name(column, seed)


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
        say(play, "A10a", f"board {board.printed} dr {dr}", (dr,), "-".join(hexes), "S14.2")
    return replace(board, vpo=tuple(found))


def objective_places(board: Board) -> list[tuple[str, ...]]:
    """The six VPO places of a board: A10a for the printed one, else a list made from its ground (SA-42)."""
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
        figures[title] = on_table(play, one.table(title))
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
