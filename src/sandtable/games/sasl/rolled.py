"""What a mission has rolled for itself: it stands in the key of the setting, so that map and forces follow from it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from sandtable.games.sasl.mission_words import PARTISANS, REMARKS, SUMMARIES
from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.sasl.tables.cards import Card, card
from sandtable.games.sasl.tables.missions import Mission, mission
from sandtable.games.squad.cards.scenario import (
    Area,
    BoardPlace,
    Entry,
    ExitPoints,
    Group,
    MapPlan,
    PointValues,
    Remark,
    Scenario,
    Side,
    SmokeExponent,
    Turns,
    UnitLine,
)
from sandtable.games.squad.ground.areas import edge_hexes
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.part import Aim, Condition
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space import bridges
from sandtable.space.board import load_board
from sandtable.space.maps import BoardPlace as BoardOnMap
from sandtable.space.maps import MapSpec, load_map

ADJECTIVES = {
    "Germany": "German", "Italy": "Italian", "France": "French", "Vichy France": "Vichy French", "Britain": "British",
    "Russia": "Russian", "Japan": "Japanese", "China": "Chinese", "Norway": "Norwegian", "Denmark": "Danish",
    "Netherlands": "Dutch", "Belgium": "Belgian", "Greece": "Greek", "Poland": "Polish", "Yugoslavia": "Yugoslav",
}  # fmt: skip
"""What the powers of the opposition chart are called in a sentence."""
RUSTIC = "v41"
"""The board of note 2 of A9."""
DESTROYED = "Destroyed"
"""The result of A9c for a bridge that does not stand."""
LAST_TURN = 40
"""A mission that has not ended by the dice ends here (SA-52)."""


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board of the map: what A9 gave, what lies in its place, how it lies, its VPO."""

    printed: str
    """As A9 has it: `v10`."""
    board: str
    """The board that is played on."""
    type: str
    turned: bool = False
    prefix: str = ""
    """What stands before the names of its hexes."""
    vpo: tuple[tuple[str, ...], ...] = ()
    """Hexes of each VPO, by the names of the map."""
    bridges: tuple[tuple[str, str], ...] = ()
    """One-hex bridges that have been rolled for, by the names printed on the board: `Destroyed` or the type {A9d}."""

    @property
    def kind(self) -> str:
        """c city, v village, w woods, or empty (A9)."""
        return self.printed[0] if self.printed[:1].isalpha() else ""


def changed_bridges(board: Board) -> tuple[tuple[str, str], ...]:
    """The bridges of a board that are not as printed, each with what is there instead (S13.5)."""
    printed = load_board(board.board)
    now = [(name, _bridge_kind(result)) for name, result in board.bridges]
    return tuple((name, kind) for name, kind in now if printed[name].terrain != kind)


def rustic(rolled: Rolled, board: Board) -> bool:
    """Whether all buildings of a board are wooden and all its roads unpaved: board 41 in Russia (note 2 of A9)."""
    return board.printed == RUSTIC and "Russia" in rolled.places


def _bridge_kind(result: str) -> str:
    """The terrain of a result of A9c or A9d."""
    if result == DESTROYED:
        return bridges.DESTROYED
    return "stone_bridge" if result.endswith("stone") else "wooden_bridge"


def board_title(name: str) -> str:
    """What a board is called in a sentence: `Board y`, or `Village 38` for a made one."""
    return load_board(name).title


class Rolled(msgspec.Struct, frozen=True, omit_defaults=True):
    """The choices and rolls of a set-up (12. to 15.)."""

    mission: int = 1
    theatre: str = ""
    date: str = "1944-06"
    friendly: str = "G"
    """The card of the FRIENDLY side."""
    friendly_nation: str = "german"
    friendly_title: str = "FRIENDLY"
    enemy: str = "R"
    enemy_title: str = ""
    enemy_group: str = ""
    places: tuple[str, ...] = ()
    """Words that notes of the tables ask for: PTO, Russia, Vichy French."""
    company: str = ""
    units: tuple[tuple[str, int], ...] = ()
    """FRIENDLY counters with their nation, and how many."""
    engineers: tuple[tuple[str, int], ...] = ()
    """Assault Engineers beside the company (Mission 4)."""
    boards: tuple[Board, ...] = ()
    config: str = "A"
    table: str = ""
    """The table A8 for all boards, where the mission rolls for it."""
    first: str = FRIENDLY
    bonus: int = 0
    """VP that the ENEMY gains before play for FRIENDLY reinforcements (Mission 4)."""
    gone: int = 0
    """Boards that have been taken off on the west (Mission 3)."""
    entry: str = ""
    """Where the rest of the FRIENDLY column enters, beside the road (Mission 8)."""
    evacuating: bool = False
    """FRIENDLY units earn Exit VP on the FBE (RE 75-76)."""

    @property
    def card(self) -> Card:
        """The ENEMY's card."""
        return card(self.enemy)

    @property
    def rules(self) -> Mission:
        """The tables of the mission."""
        return mission(self.mission)

    @property
    def pto(self) -> bool:
        """Whether it is fought in the Pacific theatre."""
        return "PTO" in self.places


def rolled_of(setting: Setting) -> Rolled:
    """What the match of a setting has rolled; defaults before that."""
    return _read(setting.key)


@lru_cache(maxsize=200)
def _read(key: str) -> Rolled:
    _, _, text = key.partition("#")
    return msgspec.json.decode(text, type=Rolled) if text else Rolled()


def rolled_in(state: SquadState) -> Rolled:
    """What the match has rolled."""
    return rolled_of(setting_of(state))


def scenario_of(rolled: Rolled) -> Scenario:
    """The scenario card that a set-up amounts to."""
    year, _, month = rolled.date.partition("-")
    boards = rolled.boards[rolled.gone :] or (Board("", "w", "village", prefix="w"),)
    friendly = ADJECTIVES.get(rolled.friendly_title, rolled.friendly_title)
    enemy = ADJECTIVES.get(rolled.enemy_title, rolled.enemy_title)
    return Scenario(
        id=str(rolled.mission),
        title=rolled.rules.title,
        date=datetime.date(int(year), int(month[:2]), 15),
        place=rolled.theatre or "rolled when play begins",
        map=MapPlan(
            boards=tuple(
                BoardPlace(
                    board=board.board,
                    turned=board.turned,
                    join="below" if number else "right",
                    bridges=changed_bridges(board),
                    wooden=rustic(rolled, board),
                )
                for number, board in enumerate(boards)
            ),
            north="right" if rolled.config == "A" else "top",
            prefix=True,
        ),
        turns=Turns(count=LAST_TURN),
        moves_first=rolled.first,
        sides=(
            Side(id=FRIENDLY, title=friendly, nations=(rolled.friendly_nation, *_allies(rolled))),
            Side(
                id=ENEMY,
                title=f"{enemy} (ENEMY)" if enemy else "ENEMY",
                nations=(rolled.card.nation,),
            ),
        ),
        groups=_groups(rolled, boards[0]),
        conditions=conditions_of(rolled),
        otherwise=ENEMY,
        summary=SUMMARIES.get(rolled.mission, ""),
        ssr=(*[Remark(text=text) for text in REMARKS], *_engineers_rule(rolled), *_partisans_rule(rolled)),
        theatre="P" if rolled.pto else "E",
    )


def _engineers_rule(rolled: Rolled) -> tuple[SmokeExponent, ...]:
    """The Smoke Exponent of Assault Engineers (M4 MSR 3)."""
    text = "Assault Engineer squads have a Smoke Exponent of 3."
    return (SmokeExponent(text=text, groups=("engineers",), exponent=3),) if rolled.engineers else ()


def _lines(units: Sequence[tuple[str, int]]) -> tuple[UnitLine, ...]:
    return tuple(
        UnitLine(unit=kind.partition(" ")[2], count=count, nation=kind.partition(" ")[0]) for kind, count in units
    )


def _partisans_rule(rolled: Rolled) -> tuple[Remark, ...]:
    """What the Partisan ENEMY can and cannot do (12.211)."""
    return (Remark(text=PARTISANS),) if rolled.enemy == "P" else ()


def _allies(rolled: Rolled) -> tuple[str, ...]:
    """Nations beside the company's own whose weapons are captured ones in ENEMY hands (P4, P5 note G).

    The German weapons of Partisans are captured ones against Italians as well.
    """
    return ("german",) if rolled.enemy == "P" and rolled.friendly_nation == "italian" else ()


def _groups(rolled: Rolled, first: Board) -> tuple[Group, ...]:
    """The company, what may come to its help, and the ENEMY."""
    engineers = Group(
        id="engineers",
        side=FRIENDLY,
        nation=rolled.friendly_nation,
        title="Assault Engineers",
        units=_lines(rolled.engineers),
        entry=Entry(at=("west",), turn=1, or_later=True),
    )
    return (
        Group(
            id="company",
            side=FRIENDLY,
            nation=rolled.friendly_nation,
            title=rolled.company or "A company, rolled when play begins",
            units=_lines(rolled.units),
            setup=Area(hexes=hexes_of(first)) if rolled.mission == 3 else None,
            entry=None if rolled.mission == 3 else Entry(at=(entry_edge(rolled),), turn=1, or_later=True),
        ),
        *([engineers] if rolled.engineers else []),
        *[
            Group(
                id=f"from {edge}",
                side=FRIENDLY,
                nation=rolled.friendly_nation,
                title=f"Reinforcements on the {edge} edge",
                units=(),
                entry=Entry(at=(edge,), turn=1, or_later=True),
            )
            for edge in ("west", "north", "south")
        ],
        Group(
            id="enemy",
            side=ENEMY,
            nation=rolled.card.nation if rolled.card.nation != "partisan" else "russian",
            title="ENEMY",
            units=(),
        ),
    )


VALUES = PointValues(squad=2, half_squad=1, crew=2, leader={"+1": 1, "0": 1, "-1": 2, "-2": 3, "-3": 4})
"""Casualty and Exit VP (A26.211)."""


class MissionPoints(ExitPoints, frozen=True, kw_only=True, tag="mission_points"):
    """The side with more VP when the mission ends wins; units are worth their Casualty VP (S12.6)."""


class PointsDecide(Condition):
    """The mission itself adds up the points; here is what to go for and where one may leave."""

    def standing(self, state: SquadState, condition: Any, side: str | None) -> str:
        return ""

    def exits(self, setting: Any, condition: Any) -> tuple[int, ...]:
        found: tuple[int, ...] = setting.edge(condition.at)
        return found

    def aim(self, setting: Any, condition: Any) -> Aim:
        if condition.winner == ENEMY:
            return Aim()
        base = rolled_of(setting)
        names = [name for board in base.boards[base.gone :] for hexes in board.vpo for name in hexes]
        cells = frozenset(setting.ground.index(name) for name in names)
        return Aim("clear", cells, words="take and hold the VPO") if names else Aim()


EXITS = {19: {FRIENDLY: ("west",), ENEMY: ("west",)}, 8: {ENEMY: ("west",)}}
"""Edges that a side leaves by for VP, by mission."""


def conditions_of(rolled: Rolled) -> tuple[MissionPoints, ...]:
    """How each side wins: by more VP, and where it exits; the FRIENDLY side only where that counts (S15.6, SA-107)."""
    exits = dict(EXITS.get(rolled.mission, {}))
    if rolled.evacuating:
        exits[FRIENDLY] = ("west",)
    text = "More VP at Mission end"
    return tuple(
        MissionPoints(winner=side, text=text, points=10**6, at=exits.get(side, ()), values=VALUES)
        for side in (FRIENDLY, ENEMY)
    )


def hexes_of(board: Board) -> tuple[str, ...]:
    """The hexes of a board by the names of the map."""
    return tuple(board.prefix + name for name in load_board(board.board).grid.names)


def entry_edge(rolled: Rolled) -> str:
    """Where the FRIENDLY side enters: the FBE, of it what Mission 8 says, or hexrows I to Y of the EBE (Mission 19)."""
    if rolled.mission != 19 or not rolled.boards:
        return rolled.entry or "west"
    places = tuple((BoardOnMap(board.board, turned=board.turned),) for board in rolled.boards)
    game_map = load_map(MapSpec(places, prefix=True))
    last = rolled.boards[-1].prefix
    names = edge_hexes(game_map, "east", north="right")
    inner = [name for name in names if 8 <= _column(name.removeprefix(last)) <= 24]
    return f"east {inner[0]}-{inner[-1]}"


def _column(name: str) -> int:
    """The number of a hexrow: A is 0, I is 8, Y is 24, AA is 26."""
    letters = name.rstrip("0123456789")
    return ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)


def as_data(rolled: Rolled) -> dict[str, Any]:
    """The set-up as it is written into the key of the setting."""
    data: dict[str, Any] = msgspec.to_builtins(rolled)
    return data
