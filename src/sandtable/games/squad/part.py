"""Parts of the squad-level family: what a chapter adds at the points where the shared rules ask for more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from sandtable.engine import Frame, Play
from sandtable.engine.part import Bar, with_needed
from sandtable.engine.part import Part as EnginePart
from sandtable.engine.view import MarkView, PanelView, PieceView
from sandtable.games.squad.cards.doors import BARS, FATES, PROCEDURES, TALLIES
from sandtable.games.squad.cards.location_counters import COUNTERS, CounterKind
from sandtable.games.squad.pieces.counters import Counter
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit, Weapon
from sandtable.space.los import STARTER_KIT, LosRules

Item = tuple[str, float, str]
"""A line of a tally: label, value, rule."""
Hook = Callable[[Play[SquadState]], None]
Closing = Callable[[Play[SquadState], str], bool]
"""(play, side): whether something must be decided before the side's fire phase can end."""
NOTHING, CONCEALED, ALL = range(3)
"""What a side knows of a piece: nothing at all, that something is there, or everything."""
Knows = Callable[[SquadState, str | None, Unit], int]
"""(state, side, unit): NOTHING, CONCEALED or ALL; the least answer counts, and ALL leaves it to the others."""
ComesOut = Callable[[Play[SquadState], Unit, str], bool]
"""(play, unit, why): a unit does or suffers something that may show it; whether nothing more is to follow from it."""
Meets = Callable[[Play[SquadState], int, str, tuple[str, ...]], str]
"""(play, cell, side, units): units of a side run into enemies that they did not know in a hex.

What follows: `on`, nobody is there; `back`, they stay where they were; `spent`, so, and the MF is gone; empty: no say.
"""
Starters = Callable[[SquadState, str, str], Sequence[str]]
"""(state, side, mode): weapons that start attacks of their own kind in a fire phase."""


class Shown(NamedTuple):
    """What a part adds to the view of a side."""

    pieces: tuple[PieceView, ...] = ()
    marks: tuple[MarkView, ...] = ()
    panels: tuple[PanelView, ...] = ()


Shows = Callable[[SquadState, str | None], Shown]
"""(state, side): what the side may know of it; side None: an observer."""
Lines = Callable[..., Iterable[Item]]
"""Lines for a tally; the names of the tallies and what their lines are asked with stand in `TALLIES`."""

Locations = Callable[[Any], Sequence[Any]]
"""(ground): the Locations (`ground.map.Location`) that a part adds to a map."""
Cover = Callable[[SquadState, int, int, Unit | None, bool, Item], Item]
"""(state, source, target, unit, mortar, so far): the TEM line of a unit, or of the hex, against fire from a hex."""
Opens = Callable[[SquadState, int, int, Mover | None, bool, bool], bool]
"""(state, source, target, mover, mortar, so far): whether FFMO or Interdiction could apply to a mover."""
Shelters = Callable[[SquadState, Unit, str], str]
"""(state, unit, so far): what makes its rally easier and keeps off DM, such as `woods`; empty: nothing."""
Enters = Callable[[Play[SquadState], Sequence[str], int, int, str], None]
"""(play, units, from, to, how): what follows when units have entered a Location; how: `moves`, `routs` and so on."""

Stays = Callable[[SquadState, str, str], bool]
"""(state, side, mode): whether a fire phase in which a side could fire nothing goes on for the part's sake."""
Spares = Callable[[SquadState, Unit, int, Sequence[int], str], bool]
"""(state, unit, target, sources, what): whether fire from some hexes cannot harm a unit in the Location it is aimed at.

What fires: `small arms`, `flames`, `direct` or `indirect` ordnance.
"""

Havens = Callable[[SquadState, Sequence[Unit]], Iterable[int]]
"""(state, units): Locations that routing units may make for as they do for buildings and woods."""
Remains = Callable[[SquadState, Unit], bool]
"""(state, unit): whether a broken unit need not rout from where it is."""
Reaches = Callable[[SquadState, int, Sequence[int]], Iterable[int]]
"""(state, target, sources): other Locations whose units fire from some hexes at a Location hits as well."""


class MarkKind(msgspec.Struct, frozen=True, kw_only=True):
    """A counter that lies on a unit, and what it does to it; its face is among the part's faces."""

    name: str
    bars: tuple[str, ...] = ()
    """What the unit may not do: questions of `BARS` that begin with the unit, `lead`, `led` and `cower`."""
    why: str = ""
    """Why it may not, in words."""
    goes: str = ""
    """When it is removed: `CCPh ends`, `player turn ends`; empty: a rule of its own removes it."""
    combat_fp: int = 0
    """FP in close combat, whatever the counter says; 0: as printed."""
    inexperienced: bool = False
    """The unit is Inexperienced, whatever its class (5.4)."""
    waits: bool = False
    """The unit has waited to fire: in the AFPh it fires as in the PFPh, at full FP and with its ROF (A7.25)."""
    inherited: bool = False
    """A leader who rises from the ranks of a unit has it too."""
    rule: str = ""


class Roll(NamedTuple):
    """An Original DR that was made."""

    kind: str
    """One of `cards.doors.ROLLS`."""
    side: str
    """Who rolled; empty: nobody in particular."""
    dice: tuple[int, ...]
    units: tuple[str, ...] = ()
    """Who rolled for himself, or who fired."""
    at: int = -1
    """The Location that it was about."""
    leader: str = ""
    """Of a rally attempt: the leader who leads it; empty: a self-rally."""

    @property
    def original(self) -> int:
        """The sum of the dice, without modifiers."""
        return sum(self.dice)


Told = Callable[[Play[SquadState], Roll], None]
Before = Callable[[Play[SquadState], Unit, str], bool]
"""(play, unit, why): whether the part has dealt with it, so that it does not happen."""
After = Callable[[Play[SquadState], Unit, str], None]
"""(play, unit, why): it has happened; the unit as it was before."""
Hinders = Callable[[SquadState, int, int], int]
"""(state, source, target): Hindrance on a line besides terrain and counters; `BLOCKS` or more blocks it."""
Watches = Callable[[SquadState, str], Iterable[int]]
"""(state, side): hexes from which something that is no unit watches a side, so that it gains no concealment."""
Searches = Callable[[Play[SquadState], int, str], bool]
"""(play, cell, side): a side searches a hex or mops it up; whether it has found something."""
BLOCKS = 99
Stacks = Callable[[SquadState, Unit], tuple[int, int] | None]
"""(state, unit): what it counts for in stacking, half-squads and single men; None leaves it to the others."""
SelfRallies = Callable[[SquadState, str], int]
"""(state, side): how many MMC the ATTACKER may self-rally in his RPh; without parts one (3.1)."""
Factors = Callable[[SquadState, Unit, Weapon | None, int, str], Iterable[Item]]
"""(state, unit, weapon, target, mode): factors of a firer's FP, as (why, factor, rule)."""
Bursts = Callable[[SquadState, Weapon, int, str], Iterable[Item]]
"""(state, weapon, target, ammo): factors of the FP of an ordnance hit, as (why, factor, rule)."""
Judges = Callable[[Any, Unit, int, Any], Any]
"""(setting, unit, original, verdict): the verdict of a check as the part has it; pure, for odds ask it too.

The original DR is 0 where there is none that counts: of a task check, or for those whom a KIA spares.
"""


Fights = Callable[[Play[SquadState], Any, str], None]
"""(play, frame, moment): a close combat has come to one of `cards.doors.MOMENTS`; a frame pushed is played first."""


class Stage(NamedTuple):
    """A named step of a procedure, right behind the one that it follows."""

    do: Callable[..., None]
    after: str = ""
    """Empty: it is the first."""


class Look(NamedTuple):
    """A marker of a part: its drawing in the box of a counter (100 by 100), and what it means."""

    svg: str
    label: str
    text: str
    rule: str


class GroundKind(NamedTuple):
    """Another way to read a map: the class of its tables, and how its lines of sight are judged."""

    tables: Any
    """A class like `ground.map.Ground`."""
    los: LosRules = STARTER_KIT


class Phase(NamedTuple):
    """A phase of the Player Turn."""

    frame: type[Frame]
    after: str = ""
    """The phase that it follows; empty: it is the first."""


class Aim(NamedTuple):
    """What a condition of victory makes a side go for."""

    what: str = "force"
    """`clear` an area, `leave` the map, take the `guns`, `hold` buildings, or beat the enemy by `force`."""
    cells: frozenset[int] = frozenset()
    """The hexes that it is about."""
    wanted: tuple[str, ...] = ()
    """Buildings that the winner needs."""
    buildings: tuple[str, ...] = ()
    """All buildings that count."""
    needed: float = 0
    """How much of it wins: buildings, the lead in them, points, a ratio."""
    limit: int = 0
    """Points of the enemy with which it is lost all the same; 0: there is no such limit."""
    values: Any = None
    """What units count for (`PointValues`)."""
    words: str = ""
    """What the map says of the area, if that is not to clear it."""


Kind = TypeVar("Kind", MarkKind, CounterKind)
Placed = TypeVar("Placed", Phase, Stage)


class Condition:
    """The rules of one kind of victory condition; the condition itself is data of the scenario."""

    at_once = False
    """It wins as soon as it holds; otherwise it is looked at when the turns are over."""

    def holds(self, state: SquadState, condition: Any) -> bool:
        """Whether it is met as things stand."""
        raise TypeError(f"{type(self).__name__} does not say when it holds")

    def standing(self, state: SquadState, condition: Any, side: str | None) -> str:
        """How it stands, in words; what is hidden from the side is not counted."""
        return ""

    def aim(self, setting: Any, condition: Any) -> Aim:
        """What to go for."""
        return Aim()

    def exits(self, setting: Any, condition: Any) -> tuple[int, ...]:
        """Hexes from which the winner may leave the map for it."""
        return ()

    def watched(self, setting: Any, condition: Any) -> tuple[str, ...]:
        """Buildings whose control must be kept account of."""
        return ()

    def owners(self, state: SquadState, condition: Any) -> Iterable[tuple[str, str]]:
        """Buildings with the side that holds each as things stand, where it is not kept account of."""
        return ()


T = TypeVar("T", bound=msgspec.Struct)


class Ruleset:
    """What is in force in a game: the switches of its parts, each in a struct of its chapter."""

    def __init__(self, name: str, *switches: msgspec.Struct) -> None:
        self.name = name
        self._switches = {type(one): one for one in switches}
        if not TYPE_CHECKING:
            self.of = self._switches.__getitem__  # asked so often that a call of our own would be felt

    @property
    def switches(self) -> tuple[msgspec.Struct, ...]:
        """The switches of all chapters, for a ruleset that adds to them."""
        return tuple(self._switches.values())

    if TYPE_CHECKING:

        def of(self, kind: type[T]) -> T:
            """The switches of a chapter."""
            raise KeyError(kind)

    def extended(self, name: str, *more: msgspec.Struct) -> Ruleset:
        """The same under another name, with the switches of more parts; those of a chapter it has are replaced."""
        return Ruleset(name, *{**self._switches, **{type(one): one for one in more}}.values())

    def changed(self, **values: Any) -> Ruleset:
        """The same with some switches set otherwise."""
        switches = dict(self._switches)
        for name, value in values.items():
            kind = next((kind for kind in switches if name in kind.__struct_fields__), None)
            if kind is None:
                raise TypeError(f"no part has a switch {name}")
            switches[kind] = msgspec.structs.replace(switches[kind], **{name: value})
        return Ruleset(self.name, *switches.values())


@dataclass(kw_only=True, eq=False)
class Part(EnginePart[SquadState]):
    """A chapter of squad-level rules, and what it brings at the points where the shared rules ask."""

    phases: Mapping[str, Phase] = field(default_factory=dict)
    begins: Mapping[str, Hook] = field(default_factory=dict)
    """What happens when a phase, a `player turn` or a `turn` begins."""
    ends: Mapping[str, Hook] = field(default_factory=dict)
    """What happens when a phase, a `player turn` or a `turn` ends."""
    closing: Closing | None = None
    """What comes between the last shot of a fire phase and its end."""
    starters: Starters | None = None
    left: Hook | None = None
    exited: Hook | None = None
    """What follows when a piece has left play, and when units have left by an edge of the map."""
    lines: Mapping[str, Lines] = field(default_factory=dict)
    """Lines that it adds to tallies of other parts."""
    counters: Sequence[CounterKind] = ()
    """Kinds of counters in a Location that it adds to the table."""
    pieces: Mapping[tuple[str, str], Counter] = field(default_factory=dict)
    """Counters of units, weapons and Guns beside the common ones, by nationality and name."""
    locations: Locations | None = None
    """Locations that it adds to a map."""
    shows: Shows | None = None
    conditions: Mapping[type, Condition] = field(default_factory=dict)
    """Conditions of victory, by their type in scenario files."""
    knows: Knows | None = None
    """What a side knows of an enemy unit that is not hidden."""
    kinds: Callable[[UnitKind], UnitKind] | None = None
    """What it changes about the printed values of units."""
    conceals: bool = False
    """It puts units under a "?": sides hear of them what they may know, and set up in secret."""
    comes_out: ComesOut | None = None
    """What follows when a unit does or suffers what may show it."""
    spent: Hook | None = None
    """What follows when the moving units have spent MF, before anybody fires at them."""
    meets: Meets | None = None
    """What becomes of units that run into enemies whom they did not know."""
    joins: Callable[[Play[SquadState], int], None] | None = None
    """What comes first when the close combat of a hex begins: (play, cell)."""
    fights: Fights | None = None
    """What it puts in between the steps of a close combat."""
    marks: Sequence[MarkKind] = ()
    """Counters that it puts on units."""
    bars: Mapping[str, Callable[..., Bar | None]] = field(default_factory=dict)
    """Why not, for the questions of `BARS`."""
    before: Mapping[str, Before] = field(default_factory=dict)
    """What it does when something of `FATES` is about to befall a unit."""
    after: Mapping[str, After] = field(default_factory=dict)
    rolled: Told | None = None
    """It hears of every Original DR, before that takes effect."""
    settled: Told | None = None
    """The same, once all effects of the DR have been carried out."""
    hinders: Hinders | None = None
    watches: Watches | None = None
    searches: Searches | None = None
    """What is found when a side searches a hex besides units."""
    self_rallies: SelfRallies | None = None
    stacks: Stacks | None = None
    factors: Factors | None = None
    bursts: Bursts | None = None
    judges: Judges | None = None
    throws: Any = None
    """What one of those who fire throws along with the fire of the group (`fire.throwing.Throwing`)."""
    steps: Mapping[str, Mapping[str, Stage]] = field(default_factory=dict)
    """Steps of `PROCEDURES` that it adds."""
    sections: Mapping[str, type[msgspec.Struct]] = field(default_factory=dict)
    """Sections of scenario files that it reads, each into a struct; `setting.section` gives it."""
    ground: GroundKind | None = None
    """How it reads maps; one part of a game may say so."""
    covers: Cover | None = None
    opens: Opens | None = None
    shelters: Shelters | None = None
    enters: Enters | None = None
    faces: Mapping[str, Look] = field(default_factory=dict)
    """How its markers look, by face (`marker/foxhole`)."""
    leaves: Enters | None = None
    """What works on units that are about to leave a Location; `enters` with the same arguments."""
    stays: Stays | None = None
    spares: Spares | None = None
    reaches: Reaches | None = None
    havens: Havens | None = None
    remains: Remains | None = None


class Points:
    """What the parts of a game bring, by the points at which the shared rules ask."""

    def __init__(self, parts: Iterable[Part]) -> None:
        parts = with_needed(parts)
        self.frames = _sequence(parts)
        """The phases in their order, each with its frame."""
        self.phases = tuple(self.frames)
        self.begins = _hooks(parts, "begins")
        self.ends = _hooks(parts, "ends")
        self.closing, self.starters = _given(parts, "closing"), _given(parts, "starters")
        self.left, self.exited = _given(parts, "left"), _given(parts, "exited")
        self.conditions = {kind: rules for part in parts for kind, rules in part.conditions.items()}
        self.shows = _given(parts, "shows")
        self.locations = _given(parts, "locations")
        self.counters = _by_name([kind for part in parts for kind in part.counters], COUNTERS, "kinds of counters")
        """The kinds of counters in a Location by name."""
        self.pieces = {key: one for part in parts for key, one in part.pieces.items()}
        self.knows, self.kinds = _given(parts, "knows"), _given(parts, "kinds")
        self.conceals = any([part.conceals for part in parts])
        self.comes_out = _given(parts, "comes_out")
        self.spent = _given(parts, "spent")
        self.meets = _given(parts, "meets")
        self.joins, self.fights = _given(parts, "joins"), _given(parts, "fights")
        self.marks = _by_name([kind for part in parts for kind in part.marks], {}, "counters on units")
        """The counters on units by name."""
        self.marks_going = _going(self.marks.values())
        """Those that go at a moment, such as `CCPh ends`."""
        self.ground = _ground(parts)
        self.faces = {face: look for part in parts for face, look in part.faces.items()}
        self.covers, self.opens = _given(parts, "covers"), _given(parts, "opens")
        self.enters, self.leaves = _given(parts, "enters"), _given(parts, "leaves")
        self.stays, self.shelters = _given(parts, "stays"), _given(parts, "shelters")
        self.spares, self.reaches = _given(parts, "spares"), _given(parts, "reaches")
        self.havens, self.remains = _given(parts, "havens"), _given(parts, "remains")
        self.rolled, self.settled = _given(parts, "rolled"), _given(parts, "settled")
        self.hinders, self.watches = _given(parts, "hinders"), _given(parts, "watches")
        self.searches, self.self_rallies = _given(parts, "searches"), _given(parts, "self_rallies")
        self.stacks, self.throws = _given(parts, "stacks"), _given(parts, "throws")
        self.factors, self.bursts = _given(parts, "factors"), _given(parts, "bursts")
        self.judges = _given(parts, "judges")
        lines = _named(parts, "lines", TALLIES)
        self.morale, self.fire, self.to_hit = lines["morale"], lines["fire"], lines["to hit"]
        self.fire_fp, self.cost, self.their_cost = lines["fire FP"], lines["cost"], lines["their cost"]
        self.rally, self.breakdown = lines["rally"], lines["breakdown"]
        self.combat, self.combat_fp, self.ambush = lines["combat"], lines["combat FP"], lines["ambush"]
        self.bars = _named(parts, "bars", BARS)
        by_marks = {question for kind in self.marks.values() for question in kind.bars}
        self.barred = frozenset([question for question, found in self.bars.items() if found or question in by_marks])
        """Questions on which some part may say no."""
        self.bars_targets = "aim" in self.barred or "line" in self.barred
        self.before, self.after = _named(parts, "before", FATES), _named(parts, "after", FATES)
        self.sections = {name: kind for part in parts for name, kind in part.sections.items()}
        self.steps = _steps(parts)
        """The steps of each procedure in their order, by name."""


def _given(parts: Sequence[Part], name: str) -> tuple[Any, ...]:
    """What the parts that have something of a name bring, in their order."""
    return tuple([found for part in parts if (found := getattr(part, name)) is not None])


def _ground(parts: Sequence[Part]) -> GroundKind | None:
    """The way in which a part reads maps, if one does."""
    found: tuple[GroundKind, ...] = _given(parts, "ground")
    if len(found) > 1:
        raise ValueError("two parts read maps in their own way; a game can have one")
    return found[0] if found else None


def _going(marks: Collection[MarkKind]) -> dict[str, frozenset[str]]:
    """The counters on units that go at each moment."""
    moments = dict.fromkeys([kind.goes for kind in marks if kind.goes])
    return {moment: frozenset([kind.name for kind in marks if kind.goes == moment]) for moment in moments}


def _named(parts: Sequence[Part], name: str, known: Mapping[str, str]) -> dict[str, tuple[Any, ...]]:
    """What the parts bring under each of the known names."""
    for part in parts:
        if unknown := getattr(part, name).keys() - known.keys():
            raise ValueError(f"{min(unknown)!r} is not known under {name}; there are {', '.join(known)}")
    return {key: tuple([getattr(part, name)[key] for part in parts if key in getattr(part, name)]) for key in known}


def _steps(parts: Sequence[Part]) -> dict[str, dict[str, Callable[..., None]]]:
    found: dict[str, dict[str, Callable[..., None]]] = {}
    for part in parts:
        if unknown := part.steps.keys() - PROCEDURES.keys():
            raise ValueError(f"no procedure is called {min(unknown)!r}; there are {', '.join(PROCEDURES)}")
    for procedure in PROCEDURES:
        waiting = [pair for part in parts for pair in part.steps.get(procedure, {}).items()]
        found[procedure] = {name: stage.do for name, stage in ordered(waiting).items()}
    return found


def _by_name(kinds: Iterable[Kind], known: Mapping[str, Kind], what: str) -> dict[str, Kind]:
    """Kinds that parts bring beside those that are known, by name."""
    found = dict(known)
    for kind in kinds:
        if kind.name in found:
            raise ValueError(f"two {what} are called {kind.name!r}")
        found[kind.name] = kind
    return found


def ordered(waiting: Sequence[tuple[str, Placed]]) -> dict[str, Placed]:
    """Each phase or step right behind the one that it follows."""
    found: list[tuple[str, Placed]] = []
    waiting = list(waiting)
    while waiting:
        ready = [(name, one) for name, one in waiting if not one.after or one.after in dict(found)]
        if not ready:
            raise ValueError(f"{waiting[0][0]} follows {waiting[0][1].after}, which no part brings")
        for name, one in ready:
            names = [other for other, _ in found]
            if name in names:
                raise ValueError(f"two parts bring {name}")
            found.insert(names.index(one.after) + 1 if one.after else 0, (name, one))
        waiting = [pair for pair in waiting if pair not in ready]
    return dict(found)


def _sequence(parts: Sequence[Part]) -> dict[str, type[Frame]]:
    """The phases of the Player Turn in their order."""
    waiting = [pair for part in parts for pair in part.phases.items()]
    return {name: phase.frame for name, phase in ordered(waiting).items()}


def _hooks(parts: Sequence[Part], name: str) -> dict[str, tuple[Hook, ...]]:
    found: dict[str, tuple[Hook, ...]] = {}
    for chapter in parts:
        for phase, hook in getattr(chapter, name).items():
            found[phase] = (*found.get(phase, ()), hook)
    return found
