"""Parts: what one chapter of the rules adds to a game, and the rulebook that a game's parts make up."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, Union

import msgspec

from sandtable.engine.events import Event
from sandtable.engine.game import Procedure
from sandtable.engine.play import Play
from sandtable.engine.state import Action, Frame, State
from sandtable.engine.view import Description, Preview, Refusal

S = TypeVar("S", bound=State)
T = TypeVar("T")

Bar = tuple[str, str]
"""Why something may not be done, and the rule."""
Describe = Callable[[Any, str, Any], Description]
Words = Callable[[Any, Any], str]
WhyNot = Callable[[Any, str, Any], Bar | None]
MakePreview = Callable[[Any, str, Any], Preview | None]
Refusals = Callable[[Any, str, Any], Sequence[Refusal]]
Prompt = Callable[[Any, Any], Bar]
Offer = Callable[[Any, Any, str], Sequence[Action]]
Does = Callable[[Play[Any], Any, str, Any], None]
ActionKey = type[Action] | tuple[type[Frame], type[Action]]
"""An action, or an action in one frame, where it means something else than elsewhere."""
BarKey = ActionKey | type[Frame]
"""An action, an action in one frame, or a frame in which something bars actions of every kind."""


class Field(Generic[T]):
    """A field of the state that a part brings: containers of frozen values, or a frozen value."""

    def __init__(self, name: str, kind: Any, start: T) -> None:
        self.name = name
        self.kind = kind
        self.start = start

    def of(self, state: State) -> T:
        """Its value in a state."""
        value: T = getattr(state, self.name)
        return value

    def put(self, state: State, value: T) -> None:
        """Give it another value."""
        setattr(state, self.name, value)


ALTERNATIVES = 3
"""So many legal actions are named beside a refusal."""


@dataclass(kw_only=True, eq=False)
class Part(Generic[S]):
    """One chapter of rules: state of its own, procedures by frame, actions in frames of other parts, words."""

    needs: Sequence[Part[S]] = ()
    """Parts without which it does not work; a game has them too, each once."""
    fields: Sequence[Field[Any]] = ()
    """What the state of the game gets from it."""
    procedures: Mapping[type[Frame], Procedure[Any, Any]] = field(default_factory=dict)
    offers: Mapping[type[Frame], Offer] = field(default_factory=dict)
    """Actions that it offers in frames of other parts."""
    does: Mapping[ActionKey, Does] = field(default_factory=dict)
    """What those actions do."""
    describe: Mapping[ActionKey, Describe] = field(default_factory=dict)
    """Every action type must be described somewhere: the game's list of actions is made of it."""
    words: Mapping[type[Event], Words] = field(default_factory=dict)
    why_not: Mapping[BarKey, WhyNot] = field(default_factory=dict)
    preview: Mapping[ActionKey, MakePreview] = field(default_factory=dict)
    refusals: Mapping[type[Frame], Refusals] = field(default_factory=dict)
    prompts: Mapping[type[Frame], Prompt] = field(default_factory=dict)
    """What the player is asked, with the rule."""


P = TypeVar("P", bound=Part[Any])


def with_needed(parts: Iterable[P]) -> tuple[P, ...]:
    """Parts in their order, each once, with those that they need before them."""
    found: dict[Any, None] = {}
    for part in parts:
        found |= dict.fromkeys([*with_needed(part.needs), part])
    return tuple(found)


class Extended(Procedure[Any, Any]):
    """A procedure in whose frame other parts offer actions of their own."""

    def __init__(self, own: Procedure[Any, Any], offers: Sequence[Offer], does: Mapping[type[Action], Does]) -> None:
        self._own = copy.copy(own)
        self._own.offers = tuple(offers)
        self._does = does
        self.to_act = own.to_act  # type: ignore[method-assign]
        self.run = own.run  # type: ignore[method-assign]

    def actions(self, state: Any, frame: Any, side: str) -> Sequence[Action]:
        own = self._own
        found = own.actions(state, frame, side)
        return found if own.places_offers else [*found, *own.offered(state, frame, side)]

    def offers_it(self, state: Any, frame: Any, side: str, action: Action) -> bool:
        """Whether another part offers an action: what is offered is legal, and its `why_not` is for the rest."""
        return type(action) in self._does and action in self._own.offered(state, frame, side)

    def apply(self, play: Play[Any], frame: Any, side: str, action: Any) -> None:
        do = self._does.get(type(action))
        if do is None:
            self._own.apply(play, frame, side, action)
        else:
            do(play, frame, side, action)


class Rulebook(Generic[S]):
    """The parts of a game joined: made once, when the game is built."""

    def __init__(self, parts: Iterable[Part[S]], state: type[S]) -> None:
        self.parts = with_needed(parts)
        self.fields = tuple([field for part in self.parts for field in part.fields])
        self.describe = self._joined("describe")
        self.words = self._joined("words")
        self.why_not = self._joined("why_not")
        self.preview = self._joined("preview")
        self.prompts = self._joined("prompts")
        self.refusals = self._listed("refusals")
        self.procedures = self._procedures()
        self.action_type: Any = Union[tuple(self._action_types())]  # noqa: UP007
        self.state_type = self._state_type(state)

    def _joined(self, name: str) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for part in self.parts:
            for key, value in getattr(part, name).items():
                if key in found:
                    raise ValueError(f"{key} has two entries under {name}")
                found[key] = value
        return found

    def _listed(self, name: str) -> dict[Any, tuple[Any, ...]]:
        found: dict[Any, tuple[Any, ...]] = {}
        for part in self.parts:
            for key, value in getattr(part, name).items():
                found[key] = (*found.get(key, ()), value)
        return found

    def _procedures(self) -> dict[type[Frame], Procedure[S, Any]]:
        procedures: dict[type[Frame], Procedure[S, Any]] = self._joined("procedures")
        does = self._joined("does")
        common = {key: do for key, do in does.items() if not isinstance(key, tuple)}
        for frame, offers in self._listed("offers").items():
            if frame not in procedures:
                raise ValueError(f"actions are offered in {frame.__name__}, which no part plays")
            own = {key[1]: do for key, do in does.items() if isinstance(key, tuple) and key[0] is frame}
            procedures[frame] = Extended(procedures[frame], offers, {**common, **own})
        return procedures

    def _action_types(self) -> list[type[Action]]:
        return list(dict.fromkeys([key[1] if isinstance(key, tuple) else key for key in self.describe]))

    def _state_type(self, base: type[S]) -> type[S]:
        """The state with the fields of all parts, and a stack of their frames."""
        frames: Any = Union[tuple(self.procedures)]  # noqa: UP007
        fields: list[tuple[str, Any, Any]] = [("stack", list[frames], [])]
        fields += [(field.name, field.kind, field.start) for field in self.fields]
        made: Any = msgspec.defstruct(base.__name__, fields, bases=(base,), module=base.__module__, omit_defaults=True)
        return made  # type: ignore[no-any-return]

    # -- what the game asks -------------------------------------------------------------

    def at(self, table: Mapping[Any, Any], state: S, action: Action) -> Any:
        """The entry of an action: that of the present frame first, then the common one."""
        frame = state.stack[-1]  # type: ignore[attr-defined]
        return table.get((type(frame), type(action))) or table.get(type(action))

    def bar(self, state: S, side: str, action: Action) -> Bar | None:
        """What bars an action, as far as the parts can tell: first in the whole frame, then of this action."""
        frame = state.stack[-1]  # type: ignore[attr-defined]
        procedure = self.procedures.get(type(frame))
        if isinstance(procedure, Extended) and procedure.offers_it(state, frame, side, action):
            return None
        for explain in (self.why_not.get(type(frame)), self.at(self.why_not, state, action)):
            found: Bar | None = explain(state, side, action) if explain is not None else None
            if found is not None:
                return found
        return None

    def instead(self, state: S, side: str, action: Action, legal: Sequence[Action]) -> str:
        """What would be legal in the place of an action, in words: the most alike first."""

        def likeness(other: Action) -> int:
            shared = len(set(_values(action)) & set(_values(other)))
            return -(shared + (10 if type(other) is type(action) else 0))

        words: list[str] = []
        for other in sorted(legal, key=likeness):
            text = self.at(self.describe, state, other)(state, side, other).text
            if text not in words:
                words.append(text)
        more = "" if len(words) <= ALTERNATIVES else ", and more"
        return "; ".join(words[:ALTERNATIVES]) + more

    def refused(self, state: S, side: str) -> list[Refusal]:
        """What all parts have to say about things that are forbidden now."""
        frame = state.stack[-1]  # type: ignore[attr-defined]
        return [refusal for find in self.refusals.get(type(frame), ()) for refusal in find(state, side, frame)]

    def prompt(self, state: S) -> Bar:
        """What is asked now, with the rule."""
        frame = state.stack[-1]  # type: ignore[attr-defined]
        ask = self.prompts.get(type(frame))
        return ask(state, frame) if ask else ("", "")


def _values(action: Action) -> list[Any]:
    values = msgspec.structs.astuple(action)
    return [value for value in values if isinstance(value, str | int) and value not in ("", -1)]
