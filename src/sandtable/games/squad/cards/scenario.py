"""The parts of a scenario file as typed data: map, groups, special rules, victory, balance (1.3)."""

from __future__ import annotations

import datetime
from typing import Any, Literal

import msgspec

SideId = str
GroupId = str
Edge = Literal["north", "east", "south", "west"]
Status = Literal["printed", "inferred", "reconstructed"]
Confidence = Literal["high", "medium", "low"]
EDGES: tuple[Edge, ...] = ("north", "east", "south", "west")


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a scenario file; a word it does not know is a mistake."""


class Area(Part, frozen=True, kw_only=True, rename={"not_": "not", "all_": "all", "any_": "any"}):
    """A set of hexes; several words in one table must all be true (docs/scenarios.md)."""

    everywhere: bool = False
    hexes: tuple[str, ...] = ()
    hexrows: str = ""
    """`L-GG`, on a map of several boards `wU-wGG`."""
    numbers: str = ""
    """Hex coordinates such as `3-7` or `0-7`."""
    within: int | None = None
    of: str = ""
    """The hex that `within` counts from."""
    building: str | tuple[str, ...] = ()
    """Hexes of the buildings that stand in these hexes, or `any`."""
    from_buildings: int = 0
    """At least so many hexes from every building."""
    level: int | None = None
    terrain: str | tuple[str, ...] = ()
    edge: Edge | None = None
    all_: tuple[Area, ...] = ()
    any_: tuple[Area, ...] = ()
    not_: Area | None = None


class BoardPlace(Part, frozen=True, kw_only=True):
    """One board of the map; boards are joined in the order of the list."""

    board: str
    hexrows: str = ""
    """The playable hexrows, empty: all."""
    turned: bool = False
    """Turned by 180 degrees."""
    join: Literal["right", "below"] = "right"
    """Where it lies of the board before it."""
    bridges: tuple[tuple[str, str], ...] = ()
    """Bridges that are not as printed: hex, and `stone_bridge`, `wooden_bridge` or `destroyed`."""
    wooden: bool = False
    """All its buildings are of wood and all its roads unpaved, whatever is printed."""


class MapPlan(Part, frozen=True, kw_only=True):
    """The map: boards, which of its sides is north, and the season where it does not follow from the date."""

    boards: tuple[BoardPlace, ...]
    north: Literal["top", "right", "bottom", "left"] = "top"
    grain: bool | None = None
    orchard: bool | None = None
    prefix: bool = False
    """Hexes bear the name of their board even while there is only one, for maps that grow."""


class Turns(Part, frozen=True, kw_only=True):
    """Length of the game: with `half` one more turn follows that only the first side plays (3.9)."""

    count: int
    half: bool = False


class Side(Part, frozen=True, kw_only=True):
    """A player's side."""

    id: SideId
    title: str
    nations: tuple[str, ...] = ()


class UnitLine(Part, frozen=True, kw_only=True):
    """Counters of one kind in a group; the marks say how sure they are."""

    unit: str
    count: int = 1
    nation: str = ""
    """Of another nationality than the group's, as captured weapons are."""
    captured: bool = False
    status: Status = "printed"
    confidence: Confidence = "high"
    note: str = ""


class EntryRoll(Part, frozen=True, kw_only=True):
    """A dr at or under the number of the turn brings the group (3.1 a)."""

    turn: int
    number: int


class Entry(Part, frozen=True, kw_only=True):
    """Where and when a group comes on; `at` lists edges, each with hexes if only some of it is open."""

    at: tuple[str, ...]
    turn: int = 1
    or_later: bool = False
    mf_spent: int = 0
    one_edge: bool = False
    """All of the group on one of the edges."""
    rolls: tuple[EntryRoll, ...] = ()


class GunSpacing(Part, frozen=True, kw_only=True):
    """Where Guns may stand: distances to buildings and to each other, in hexes."""

    from_buildings: int = 0
    apart: int = 0
    """From every other Gun at least."""
    near: int = 0
    """Some other Gun at most so far, 0: no matter."""


class TriedSetUp(Part, frozen=True, kw_only=True):
    """A set-up that has proved itself in many games; automatic set-ups and computer players use it."""

    units: tuple[tuple[str, str], ...] = ()
    """Counters and their hexes; whoever is not listed is placed by the program."""
    hidden: tuple[tuple[str, ...], ...] = ()
    """Layouts of the hidden Guns, a hex for each Gun; the match's dice draw one of them (6.4)."""


class Group(Part, frozen=True, kw_only=True):
    """Counters that set up together or come on together."""

    id: GroupId
    side: SideId
    nation: str
    title: str
    units: tuple[UnitLine, ...]
    elr: int | None = None
    """Experience Level Rating (5.1); none where the game has no such rule."""
    setup: Area | None = None
    entry: Entry | None = None
    max_mmc_per_hex: int = 0
    guns: GunSpacing | None = None
    same_building: bool = False
    """All of it in one of the buildings of its area."""
    not_with: tuple[GroupId, ...] = ()
    """Not in a hex with units of these groups."""
    not_in_building_of: tuple[GroupId, ...] = ()
    tried: TriedSetUp = TriedSetUp()
    elr_status: Status = "printed"


# Special rules (SSR). Each is a switch of rules that exist; `text` is what the player reads.


class NoCowering(Part, frozen=True, kw_only=True, tag_field="rule", tag="no_cowering"):
    """These units never cower (3.2.2)."""

    text: str
    groups: tuple[GroupId, ...]
    classes: tuple[Literal["E", "1", "2", "G", "C", "crew"], ...] = ()
    """Only these classes, empty: all MMC."""


class ForeignLeaders(Part, frozen=True, kw_only=True, tag_field="rule", tag="foreign_leaders"):
    """Leaders rally and direct units of another nationality with a DRM."""

    text: str
    side: SideId
    drm: int = 1
    same: tuple[tuple[GroupId, ...], ...] = ()
    """Groups that count as one nationality although they differ."""


class StartsMalfunctioned(Part, frozen=True, kw_only=True, tag_field="rule", tag="starts_malfunctioned"):
    """A weapon begins malfunctioned and may not be repaired before a turn of its side."""

    text: str
    group: GroupId
    weapon: str
    repair_from_turn: int = 1


class BrokenMorale(Part, frozen=True, kw_only=True, tag_field="rule", tag="broken_morale"):
    """MMC of these groups have another broken morale level."""

    text: str
    groups: tuple[GroupId, ...]
    add: int


class OffBoardTerrain(Part, frozen=True, kw_only=True, tag_field="rule", tag="off_board_terrain"):
    """The parts of the boards that were cut off count as terrain for units off the map."""

    text: str


class NoHip(Part, frozen=True, kw_only=True, tag_field="rule", tag="no_hip"):
    """Guns of these groups may not set up hidden (6.4)."""

    text: str
    groups: tuple[GroupId, ...]


class NoSmoke(Part, frozen=True, kw_only=True, tag_field="rule", tag="no_smoke"):
    """Nobody may place Smoke of any kind."""

    text: str


class Rain(Part, frozen=True, kw_only=True, tag_field="rule", tag="elevation_mf"):
    """Each change of elevation costs more MF, unless along a paved road."""

    text: str
    mf: int
    except_paved_road: bool = True


class FortifiedBuilding(Part, frozen=True, kw_only=True, tag_field="rule", tag="fortified_building"):
    """The building in which a group sets up has this TEM and is controlled by its side at the start."""

    text: str
    group: GroupId
    tem: int


class AssaultFire(Part, frozen=True, kw_only=True, tag_field="rule", tag="assault_fire"):
    """These squads have Assault Fire (3.5)."""

    text: str
    groups: tuple[GroupId, ...]
    units: tuple[str, ...]


class SmokeExponent(Part, frozen=True, kw_only=True, tag_field="rule", tag="smoke_exponent"):
    """These squads have another Smoke Exponent (1.2.2)."""

    text: str
    groups: tuple[GroupId, ...]
    exponent: int


class SeasonRule(Part, frozen=True, kw_only=True, tag_field="rule", tag="season"):
    """Grain or orchards are in season, or not, whatever the date."""

    text: str
    grain: bool | None = None
    orchard: bool | None = None


class ProvisionalEntry(Part, frozen=True, kw_only=True, tag_field="rule", tag="provisional_entry"):
    """A group comes on by the dice of its entry; this only explains it to the player."""

    text: str
    group: GroupId


class Remark(Part, frozen=True, kw_only=True, tag_field="rule", tag="remark"):
    """Something the player should know that changes no rule."""

    text: str


SpecialRule = (
    NoCowering
    | ForeignLeaders
    | StartsMalfunctioned
    | BrokenMorale
    | OffBoardTerrain
    | NoHip
    | NoSmoke
    | Rain
    | FortifiedBuilding
    | AssaultFire
    | SmokeExponent
    | SeasonRule
    | ProvisionalEntry
    | Remark
)


# Victory conditions


class PointValues(Part, frozen=True, kw_only=True):
    """Victory points by unit: leaders by their printed modifier (`"-2"`, `"-1"`, `"0"`, `"+1"`)."""

    squad: int = 0
    half_squad: int = 0
    crew: int = 0
    leader: dict[str, int] = {}


class NoEnemyLeft(Part, frozen=True, kw_only=True, tag_field="kind", tag="no_enemy_left"):
    """At the end no unit of a side in this state stands in the area."""

    winner: SideId
    text: str
    side: SideId
    state: Literal["unbroken", "good_order"]
    area: Area


class ExitPoints(Part, frozen=True, kw_only=True, tag_field="kind", tag="exit_points"):
    """At once when a side has exited so many VP off an edge, unless the enemy has earned his own before."""

    winner: SideId
    text: str
    points: int
    at: tuple[str, ...]
    values: PointValues
    unless_enemy_points: int = 0
    """VP of the enemy, for units eliminated, that spoil it; 0: no such thing."""


class GunsLost(Part, frozen=True, kw_only=True, tag_field="kind", tag="guns_lost"):
    """At once when every Gun of the groups is captured or destroyed."""

    winner: SideId
    text: str
    groups: tuple[GroupId, ...]
    sole_occupation: bool = False
    """Or when the winner alone occupies each hex of a Gun not captured."""


class BuildingControl(Part, frozen=True, kw_only=True, tag_field="kind", tag="building_control"):
    """At the end the side controls so many buildings of the area."""

    winner: SideId
    text: str
    count: int
    area: Area
    multi_hex: bool = False


class BuildingBalance(Part, frozen=True, kw_only=True, tag_field="kind", tag="building_balance"):
    """At the end: enemy buildings completely occupied, less own buildings lost, at least so many."""

    winner: SideId
    text: str
    lead: int
    enemy: tuple[str, ...]
    own: tuple[str, ...]


class SquadRatio(Part, frozen=True, kw_only=True, tag_field="kind", tag="squad_ratio"):
    """At the end: unbroken squads (two half-squads are one) stand in this ratio to the enemy's."""

    winner: SideId
    text: str
    ratio: int


VictoryCondition = NoEnemyLeft | ExitPoints | GunsLost | BuildingControl | BuildingBalance | SquadRatio


# Balance options


class AddUnits(Part, frozen=True, kw_only=True, tag_field="do", tag="add"):
    """More counters for a group."""

    group: GroupId
    unit: str
    count: int = 1


class ReplaceUnit(Part, frozen=True, kw_only=True, tag_field="do", tag="replace"):
    """One counter of a group for another."""

    group: GroupId
    unit: str
    by: str


class SetCount(Part, frozen=True, kw_only=True, tag_field="do", tag="count"):
    """Another number of a counter that a group has."""

    group: GroupId
    unit: str
    count: int


class EnterOn(Part, frozen=True, kw_only=True, tag_field="do", tag="enter"):
    """Another turn of entry."""

    group: GroupId
    turn: int


class EnterByRoll(Part, frozen=True, kw_only=True, tag_field="do", tag="entry_rolls"):
    """Other entry dice."""

    group: GroupId
    rolls: tuple[EntryRoll, ...]


class ChangeTurns(Part, frozen=True, kw_only=True, tag_field="do", tag="turns"):
    """A longer or shorter game."""

    count: int
    half: bool = False


class ChangeHexrows(Part, frozen=True, kw_only=True, tag_field="do", tag="hexrows"):
    """Another part of a board is playable."""

    board: str
    hexrows: str


class ChangeVictoryArea(Part, frozen=True, kw_only=True, tag_field="do", tag="victory_area"):
    """Another area in the first victory condition."""

    area: Area


Change = AddUnits | ReplaceUnit | SetCount | EnterOn | EnterByRoll | ChangeTurns | ChangeHexrows | ChangeVictoryArea


class Balance(Part, frozen=True, kw_only=True):
    """A help for one side, if both players agree."""

    side: SideId
    text: str
    changes: tuple[Change, ...]


class Alternative(Part, frozen=True, kw_only=True):
    """Another reading of the card for players to choose: the file has the first value, the changes make the second."""

    id: str
    title: str
    values: tuple[str, str]
    text: str
    changes: tuple[Change, ...]


class Scenario(
    Part,
    frozen=True,
    kw_only=True,
    rename={"ssr": "ssr", "groups": "group", "sides": "side", "conditions": "victory", "alternatives": "alternative"},
):
    """One scenario card."""

    id: str
    title: str
    date: datetime.date
    place: str
    map: MapPlan
    turns: Turns
    moves_first: SideId
    sides: tuple[Side, ...]
    groups: tuple[Group, ...]
    conditions: tuple[VictoryCondition, ...]
    otherwise: SideId
    """Who wins when no condition is met."""
    summary: str = ""
    theatre: Literal["E", "P"] = "E"
    setup_order: tuple[GroupId, ...] = ()
    secret_setup: bool = False
    """Stacks may not be inspected before play."""
    ssr: tuple[SpecialRule, ...] = ()
    balance: tuple[Balance, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    reconstructed: tuple[str, ...] = ()
    """What is not printed fact, in words for the player."""
    parts: dict[str, dict[str, Any]] = {}
    """What parts of the game read, a section each."""

    def group(self, group_id: GroupId) -> Group:
        """The group of that id."""
        return next(group for group in self.groups if group.id == group_id)

    @property
    def year_month(self) -> str:
        """The date as `1944-09`, for weapons that depend on it."""
        return f"{self.date.year}-{self.date.month:02d}"
