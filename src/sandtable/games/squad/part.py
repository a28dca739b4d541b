"""Parts of the squad-level family: what a chapter adds at the points where the shared rules ask for more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from sandtable.engine import Frame, Play
from sandtable.engine.part import Part as EnginePart
from sandtable.engine.view import MarkView, PanelView, PieceView
from sandtable.games.squad.cards.location_counters import COUNTERS, CounterKind
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
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

What becomes of them: `on`, nobody is there after all; `back`, they stay where they were; `spent`, they do and have
spent the MF all the same; empty, it is left to the others.
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
"""(play, units, from, to, how): what follows when units have entered a Location; how: `moves`, `routs`, `advances`."""

TALLIES = {
    "fire": "(state, attack, unit): DRM of a fire attack on a unit, or on the hex where unit is None (3.2.3)",
    "to hit": "(state, shot, unit): DRM of an ordnance shot at a unit or a hex (3.2.4)",
    "cost": "(state, way, road): half MF of a step, on top of the terrain's (1.1.1)",
    "rally": "(state, unit, leader): DRM of a rally attempt; leader None: a self-rally (3.1)",
    "combat": "(state, attackers, targets): DRM of a close combat attack (3.8)",
    "combat FP": "(state, attackers, targets): factors by which the FP of a close combat attack is multiplied (3.8)",
    "ambush": "(state, cell, side): drm of an ambush (3.8)",
}


class MarkKind(msgspec.Struct, frozen=True, kw_only=True):
    """A counter that lies on a unit, and what it does to it."""

    name: str
    bars: tuple[str, ...] = ()
    """What the unit may not do: `fire`, `move`, `advance`, `lead`, `act` (in the RPh)."""
    why: str = ""
    """Why it may not, in words."""
    goes: str = ""
    """When it is removed: `CCPh ends`, `player turn ends`; empty: a rule of its own removes it."""
    words: str = ""
    """The word on its face; empty: it is not shown."""
    ink: str = "#f6f3e8"
    ground: str = "#4a4a42"
    label: str = ""
    rule: str = ""


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


T = TypeVar("T", bound=msgspec.Struct)


class Ruleset:
    """What is in force in a game: the switches of its parts, each in a struct of its chapter."""

    def __init__(self, name: str, *switches: msgspec.Struct) -> None:
        self.name = name
        self._switches = {type(one): one for one in switches}

    def of(self, kind: type[T]) -> T:
        """The switches of a chapter."""
        return self._switches[kind]  # type: ignore[return-value]

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


class Part(EnginePart[SquadState]):
    """A chapter of squad-level rules."""

    def __init__(
        self,
        *,
        phases: Mapping[str, Phase] | None = None,
        begins: Mapping[str, Hook] | None = None,
        ends: Mapping[str, Hook] | None = None,
        closing: Closing | None = None,
        starters: Starters | None = None,
        left: Hook | None = None,
        lines: Mapping[str, Lines] | None = None,
        counters: Sequence[CounterKind] = (),
        locations: Locations | None = None,
        shows: Shows | None = None,
        conditions: Mapping[type, Condition] | None = None,
        knows: Knows | None = None,
        conceals: bool = False,
        comes_out: ComesOut | None = None,
        spent: Hook | None = None,
        meets: Meets | None = None,
        joins: Callable[[Play[SquadState], int], None] | None = None,
        marks: Sequence[MarkKind] = (),
        ground: GroundKind | None = None,
        covers: Cover | None = None,
        opens: Opens | None = None,
        shelters: Shelters | None = None,
        enters: Enters | None = None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.phases = dict(phases or {})
        self.begins = dict(begins or {})
        """What happens when a phase, a `player turn` or a `turn` begins."""
        self.ends = dict(ends or {})
        """What happens when a phase, a `player turn` or a `turn` ends."""
        self.closing = closing
        """What comes between the last shot of a fire phase and its end."""
        self.starters = starters
        self.left = left
        """What follows when a piece has left play."""
        self.lines = dict(lines or {})
        """Lines that it adds to tallies of other parts."""
        self.counters = tuple(counters)
        """Kinds of counters in a Location that it adds to the table."""
        self.locations = locations
        """Locations that it adds to a map."""
        self.shows = shows
        self.conditions = dict(conditions or {})
        """Conditions of victory, by their type in scenario files."""
        self.knows = knows
        """What a side knows of an enemy unit that is not hidden."""
        self.conceals = conceals
        """It puts units under a "?": sides hear of them what they may know, and set up in secret."""
        self.comes_out = comes_out
        """What follows when a unit does or suffers what may show it."""
        self.spent = spent
        """What follows when the moving units have spent MF, before anybody fires at them."""
        self.meets = meets
        """What becomes of units that run into enemies whom they did not know."""
        self.joins = joins
        """What comes first when the close combat of a hex begins: (play, cell)."""
        self.marks = tuple(marks)
        """Counters that it puts on units."""
        self.ground = ground
        """How it reads maps; one part of a game may say so."""
        self.covers = covers
        self.opens = opens
        self.shelters = shelters
        self.enters = enters


class Points:
    """What the parts of a game bring, by the points at which the shared rules ask."""

    def __init__(self, parts: Iterable[Part]) -> None:
        parts = tuple(parts)
        self.frames = _sequence(parts)
        """The phases in their order, each with its frame."""
        self.phases = tuple(self.frames)
        self.begins = _hooks(parts, "begins")
        self.ends = _hooks(parts, "ends")
        self.closing = tuple([part.closing for part in parts if part.closing is not None])
        self.starters = tuple([part.starters for part in parts if part.starters is not None])
        self.left = tuple([part.left for part in parts if part.left is not None])
        self.conditions = {kind: rules for part in parts for kind, rules in part.conditions.items()}
        self.shows = tuple([part.shows for part in parts if part.shows is not None])
        self.locations = tuple([part.locations for part in parts if part.locations is not None])
        self.counters = _counters(parts)
        """The kinds of counters in a Location by name."""
        self.knows = tuple([part.knows for part in parts if part.knows is not None])
        self.conceals = any([part.conceals for part in parts])
        self.comes_out = tuple([part.comes_out for part in parts if part.comes_out is not None])
        self.spent = tuple([part.spent for part in parts if part.spent is not None])
        self.meets = tuple([part.meets for part in parts if part.meets is not None])
        self.joins = tuple([part.joins for part in parts if part.joins is not None])
        self.marks = _marks(parts)
        """The counters on units by name."""
        grounds = [part.ground for part in parts if part.ground is not None]
        if len(grounds) > 1:
            raise ValueError("two parts read maps in their own way; a game can have one")
        self.ground = grounds[0] if grounds else None
        self.covers = tuple([part.covers for part in parts if part.covers is not None])
        self.opens = tuple([part.opens for part in parts if part.opens is not None])
        self.shelters = tuple([part.shelters for part in parts if part.shelters is not None])
        self.enters = tuple([part.enters for part in parts if part.enters is not None])
        self.fire, self.to_hit, self.cost, self.rally, self.combat, self.combat_fp, self.ambush = (
            tuple([part.lines[tally] for part in parts if tally in part.lines]) for tally in TALLIES
        )
        for part in parts:
            if unknown := part.lines.keys() - TALLIES.keys():
                raise ValueError(f"no tally is called {min(unknown)!r}; there are {', '.join(TALLIES)}")


def _counters(parts: Sequence[Part]) -> dict[str, CounterKind]:
    """The table of counters with the kinds that parts add."""
    found = dict(COUNTERS)
    for part in parts:
        for kind in part.counters:
            if kind.name in found:
                raise ValueError(f"two kinds of counters are called {kind.name!r}")
            found[kind.name] = kind
    return found


def _marks(parts: Sequence[Part]) -> dict[str, MarkKind]:
    """The table of counters on units."""
    found: dict[str, MarkKind] = {}
    for part in parts:
        for kind in part.marks:
            if kind.name in found:
                raise ValueError(f"two counters on units are called {kind.name!r}")
            found[kind.name] = kind
    return found


def _sequence(parts: Sequence[Part]) -> dict[str, type[Frame]]:
    """Each phase right behind the one that it follows."""
    waiting = [(name, phase) for chapter in parts for name, phase in chapter.phases.items()]
    order: dict[str, type[Frame]] = {}
    while waiting:
        ready = [(name, phase) for name, phase in waiting if not phase.after or phase.after in order]
        if not ready:
            raise ValueError(f"{waiting[0][0]} follows {waiting[0][1].after}, which no part brings")
        for name, phase in ready:
            names = list(order)
            place = names.index(phase.after) + 1 if phase.after else 0
            order = dict([*list(order.items())[:place], (name, phase.frame), *list(order.items())[place:]])
        waiting = [pair for pair in waiting if pair not in ready]
    return order


def _hooks(parts: Sequence[Part], name: str) -> dict[str, tuple[Hook, ...]]:
    found: dict[str, tuple[Hook, ...]] = {}
    for chapter in parts:
        for phase, hook in getattr(chapter, name).items():
            found[phase] = (*found.get(phase, ()), hook)
    return found
