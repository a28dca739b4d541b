"""What a game gives to the engine."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from sandtable.engine.events import Decided, Ended, Event, Note, Rolled, TookBack
from sandtable.engine.play import Play
from sandtable.engine.rule_exceptions import RuleExceptions
from sandtable.engine.state import Action, Frame, Outcome, State
from sandtable.engine.tools import Idle, Lesson, Los, Orders, Path, Term, Visible
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.reading import convert

S = TypeVar("S", bound=State)
F = TypeVar("F", bound=Frame)


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice made before the match; the first value is the default."""

    id: str
    label: str
    values: tuple[str, ...]
    help: str = ""
    page: str = ""
    """What is offered first where people choose, if not the default."""
    pattern: str = ""
    """Values of this form are good too: what was at hand when a match began, say."""
    names: tuple[str, ...] = ()
    """The values in words, where they are not words themselves."""
    reading: bool = False
    """How the rules are read: of interest to few, shown apart from the others."""


class RuleState(NamedTuple):
    """A rule or table that is listed beside the rules in play: how far it has come, its data and its tests."""

    title: str
    state: str
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


class ScenarioInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player reads before picking a scenario."""

    id: str
    title: str
    sides: tuple[str, ...]
    summary: str = ""
    length: str = ""
    first: str = ""
    """The side that moves first."""
    options: tuple[Option, ...] = ()
    reconstructed: tuple[str, ...] = ()
    """What in it is not printed fact but was reconstructed."""
    facts: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs for the card: date, place, forces."""


class Procedure(Generic[S, F]):
    """How one kind of frame goes on. A frame that asks nobody runs by itself."""

    offers: Sequence[Callable[[Any, Any, str], Sequence[Action]]] = ()
    """What other parts offer in this frame; set when the rulebook of a game is made."""
    places_offers: bool = False
    """It puts what others offer into its own list; otherwise that comes last."""

    def offered(self, state: S, frame: F, side: str) -> list[Action]:
        """The actions that other parts offer in this frame."""
        return [action for offer in self.offers for action in offer(state, frame, side)]

    def to_act(self, state: S, frame: F) -> tuple[str, ...]:
        """The sides that must decide; none: `run` is called."""
        return ()

    def actions(self, state: S, frame: F, side: str) -> Sequence[Action]:
        """Every legal action of the side, each once."""
        return ()

    def apply(self, play: Play[S], frame: F, side: str, action: Any) -> None:
        """Carry out a legal action."""
        raise TypeError(f"{type(frame).__name__} takes no actions")

    def run(self, play: Play[S], frame: F) -> None:
        """Go on without a decision; must change the stack or end the game."""
        raise TypeError(f"{type(frame).__name__} does not run by itself")


class Game(ABC, Generic[S]):
    """A rule system. It holds no state of a match, does no input or output and reads no clock."""

    id: str
    title: str
    rules_version: int = 1
    oldest_record: int = 1
    """Records of older versions of the rules are not read any more."""
    rule_packages: tuple[str, ...] = ()
    """Packages besides those of its classes whose code and tests belong to its rules."""
    place_fields: tuple[str, ...] = ()
    """Fields of actions that hold Locations by number; records name them."""
    """Raised when a change of the rules makes old records replay differently."""
    state_type: type[State]
    action_type: Any
    """The union of the game's actions, for reading them from JSON."""
    procedures: Mapping[type[Frame], Procedure[Any, Any]]
    for_beginners: bool = False
    """Whether somebody who is new to everything begins with it."""
    length_limit: int = 20_000
    """Actions within which random play must end."""
    own_maps = False
    """Whether each match is fought on a map of its own, which nobody needs any more when it is over."""
    good_dice: str = ""
    """Whether `low` or `high` rolls mostly help whoever rolls (for reports on luck); empty: either, as it comes."""

    hears: Callable[[Event, Any], Sequence[Event]] | None = None
    """(event, state): the event as each side may hear it, each with its `to`; None: all hear the same."""

    # -- what must be there -------------------------------------------------------------

    @abstractmethod
    def scenarios(self) -> Sequence[ScenarioInfo]:
        """All scenarios that ship with the game."""

    @abstractmethod
    def setup(self, scenario: str, options: Mapping[str, str]) -> S:
        """The state at the start (no dice yet: a frame rolls them). The arguments have been checked."""

    @abstractmethod
    def view(self, state: S, side: str | None) -> View:
        """What a side (None: an observer) may know, built by addition."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, if it has."""

    # -- sides that the rules run ---------------------------------------------------------

    rules_choose = False
    """Whether the rules may run a side: the game has a `ruled` of its own."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.rules_choose = cls.ruled is not Game.ruled

    def ruled(self, state: S) -> Sequence[str]:
        """Sides that nobody plays: the rules choose for them from the ordinary legal actions."""
        return ()

    def decide(self, play: Play[S], frame: Frame, side: str, legal: Sequence[Action]) -> Action:
        """The choice of such a side, by its tables and dice; says with `Decided` which row it was."""
        raise TypeError(f"{self.id} has no rules that choose for {side}")

    # -- what has a sensible default ----------------------------------------------------

    def describe(self, state: S, side: str, action: Action) -> Description:
        """The action in words."""
        return Description(text=str(action))

    def refusals(self, state: S, side: str) -> Sequence[Refusal]:
        """Things that a player may look for now but that a rule forbids."""
        return ()

    def place_names(self, scenario: str, options: Mapping[str, str]) -> Sequence[str]:
        """The Locations of a scenario's map in the order of their numbers, for records; none: actions hold names."""
        return ()

    def bar(self, state: S, side: str, action: Action) -> tuple[str, str] | None:
        """(reason, rule) if a rule bars an action now; nothing bars a legal one (the harness asks)."""
        return None

    def why_not(self, state: S, side: str, action: Action) -> tuple[str, str]:
        """(reason, rule) for refusing an action that is not legal now: what bars it, or that it is not its time."""
        return self.bar(state, side, action) or (f"{type(action).__name__} is not possible now", "")

    def preview(self, state: S, side: str, action: Action) -> Preview | None:
        """Tally and exact odds of an action, from the rules' own calculation."""
        return None

    def warning(self, state: S, side: str, action: Action) -> str:
        """A sentence if the action would leave the side open to losing the whole match; it is asked once more then."""
        return ""

    def words(self, event: Event, state: S) -> str:
        """An event in words for the log; this is the one place where words are made."""
        return words(event, self, state)

    def side_title(self, state: S, side: str) -> str:
        """A side as people call it: `German`."""
        return side[:1].upper() + side[1:]

    def side_name(self, side: str) -> str:
        """A side as people call it where no match is at hand: in lists, on cards and in reports."""
        return side.replace("_", " ").capitalize()

    def place(self, event: Event) -> tuple[str, ...]:
        """The cells that an event is about, so that the log can show its place on the map."""
        at = getattr(event, "at", None)
        return (at,) if isinstance(at, str) and at else ()

    # -- for simulation -----------------------------------------------------------------

    def turn(self, state: S) -> str:
        """The name of the present turn; a change of it is a new turn."""
        return self.view(state, None).turn

    def begins(self, event: Event) -> bool:
        """Whether play begins with the event, for the first time: what was rolled before is nobody's luck."""
        return False

    def loss(self, event: Event) -> tuple[str, str] | None:
        """(side, cell) if the event is the loss of a piece."""
        return None

    def strength(self, state: S) -> Mapping[str, int]:
        """What each side has left, in pieces or points."""
        counts: dict[str, int] = {}
        for piece in self.view(state, None).pieces:
            if piece.side and piece.at and not piece.within:
                counts[piece.side] = counts.get(piece.side, 0) + 1
        return counts

    def reshuffle(self, state: S, side: str | None, source: random.Random) -> S | None:
        """A state that the side cannot tell from this one, with hidden things dealt anew.

        None: nothing is hidden from the side. Used to test that hidden things stay hidden, and by
        computer players to imagine what they cannot see.
        """
        return None

    def write_position(self, state: S) -> dict[str, Any]:
        """The state as plain data for a position file."""
        data: dict[str, Any] = msgspec.to_builtins(state, str_keys=True)
        return data

    def read_position(self, scenario: str, options: Mapping[str, str], data: Mapping[str, Any]) -> S:
        """The state that a position file describes; raises ValueError with a sentence."""
        return convert(data, self.state_type, str_keys=True, strict=False)  # type: ignore[return-value]

    # -- for the client -----------------------------------------------------------------

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        """What does not change during a match: map picture, cells with their outlines, legend."""
        return {}

    def scene_of(self, state: S) -> dict[str, Any] | None:
        """The scene of a match that has made its own map; None: that of its scenario and options."""
        return None

    def faces(self) -> Mapping[str, str]:
        """The piece-drawing table: SVG fragments in a 100 x 100 box, by face."""
        return {}

    def table(self, name: str) -> Mapping[str, Any] | None:
        """A printed table by the name that a `Decided` gives it: title, columns, rows that begin with their key."""
        return None

    def boards(self, scenario: str) -> Mapping[str, Any] | None:
        """Which boards a scenario may roll and which of them are at hand; None: it rolls none."""
        return None

    def rule_titles(self) -> Mapping[str, str]:
        """Every numbered rule with its title in our words."""
        return {}

    def rule_exceptions(self) -> RuleExceptions:
        """The exceptions of each rule in our words, with the tests that show them."""
        return {}

    def rule_states(self) -> Mapping[str, RuleState]:
        """Rules, tables and the like that are listed beside the rules in play: title and how far each has come."""
        return {}

    def cited_rules(self) -> Mapping[str, str]:
        """Titles of all rule numbers that words and tallies cite; a game on the rules of another adds theirs."""
        return self.rule_titles()

    def glossary(self) -> Sequence[Term]:
        """The terms of the game for tooltips, in our words."""
        return ()

    def lessons(self) -> Sequence[Lesson]:
        """Walkthroughs on small positions."""
        return ()

    def line_of_sight(self, state: S, side: str | None, a: str, b: str) -> Los | None:
        """A line of sight by the rules' own judgement; raises IllegalAction where lines may not be tried freely."""
        return None

    def visible_from(self, state: S, side: str | None, a: str) -> Visible | None:
        """All that can be seen from a cell, by the same judgement."""
        return None

    def path(self, state: S, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
        """A way for the pieces to a cell, with what the side knows of the danger on it."""
        return None

    def reach(self, state: S, side: str, pieces: Sequence[str]) -> Mapping[str, str]:
        """Every cell that the pieces can move to, farther ones too, with what it costs in words."""
        return {}

    def entered_by(self, state: S, cell: str) -> str:
        """The cell that is entered to get at what stands in another, such as the hex of those at its lip."""
        return cell

    def danger(self, state: S, side: str, pieces: Sequence[str], cells: Sequence[str]) -> Mapping[str, float]:
        """The chance that known enemies harm the pieces in each of the cells; cells without danger are left out."""
        return {}

    def idle(self, state: S, side: str) -> Idle | None:
        """The present decision, if it is an optional step in which the side can do nothing sensible.

        It is about convenience, not about rules: the step is there and can be opened.
        """
        return None

    def standing_order(self, state: S, side: str, orders: Orders) -> Action | Literal["ask"] | None:
        """What the side's standing orders ask for; "ask": the player; None: the common rules for orders decide.

        `orders.absent` is "pass" only while the player is away and has said so.
        """
        return None


def words(event: Event, game: Game[Any] | None = None, state: Any = None) -> str:
    """Words for the events that every game has."""

    def title(side: str) -> str:
        return game.side_title(state, side) if game is not None else side[:1].upper() + side[1:]

    if isinstance(event, Rolled):
        dice = " ".join(str(face) for face in event.faces)
        tally = ""
        if event.tally is not None:
            tally, heading = str(event.tally), event.tally.title
            if heading and event.why.casefold().startswith(heading.casefold()):  # what is rolled for is said once
                tally = tally.removeprefix(f"{heading}: ")
        return f"{event.why[:1].upper()}{event.why[1:]}: rolled {dice}" + (f" ({tally})" if tally else "")
    if isinstance(event, TookBack):
        return f"{title(event.side)} takes back the last action" + (" by agreement" if event.with_consent else "")
    if isinstance(event, Ended):
        who = f"{title(event.winner)} wins" if event.winner else "A draw"
        return f"{who}: {event.reason}{cited(event.rule)}"
    if isinstance(event, Decided):
        roll = f" (rolled {' '.join(map(str, event.faces))})" if event.faces else ""
        why = f": {event.why}" if event.why else ""
        return f"{event.table}{roll}, {event.row}{why}"
    if isinstance(event, Note):
        return event.text
    return str(event)


def cited(rule: str) -> str:
    """A rule in brackets after a sentence, if it has a number to be looked up by."""
    return f" ({rule})" if any(sign.isdigit() for sign in rule) else ""
