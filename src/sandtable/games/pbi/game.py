"""PBI as a game of the engine."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Event, Game, Outcome, ScenarioInfo
from sandtable.engine.game import words
from sandtable.engine.part import Bar
from sandtable.engine.rule_exceptions import RuleExceptions, read_exceptions
from sandtable.engine.tools import Lesson, Los, Path, Term, Visible
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.pbi import aids, battles, sound, ways
from sandtable.games.pbi.draw import scene
from sandtable.games.pbi.events import Lost
from sandtable.games.pbi.faces import faces
from sandtable.games.pbi.lessons import lessons
from sandtable.games.pbi.model import Acting, Activation, Driving, Hits, Losses, PbiState, Units
from sandtable.games.pbi.parts import BOOK
from sandtable.games.pbi.roles import role_of
from sandtable.games.pbi.views import view
from sandtable.games.pbi.words import place

DOING = {
    Acting: "bases are spending action points",
    Driving: "a vehicle or gun is spending action points",
    Hits: "hits are being given to bases",
    Losses: "casualties are being chosen",
    Units: "a unit is to be chosen",
    Activation: "a group or vehicle is to be chosen",
}
"""What is going on instead of something that is not possible now."""


@cache
def rule_titles() -> dict[str, str]:
    """Every line of the sheet by its id, with a title in our words."""
    text = (resources.files("sandtable.games.pbi") / "rules.toml").read_text(encoding="utf-8")
    return {id: title for section in tomllib.loads(text).values() for id, title in section.items()}


class Pbi(Game[PbiState]):
    """The company-level miniatures game on squares: the quick-reference sheet, with house rules."""

    id = "pbi"
    title = "PBI: quick-reference ruleset, with house rules"
    rules_version = 4
    state_type = BOOK.state_type
    action_type = BOOK.action_type
    procedures = BOOK.procedures
    length_limit = 20_000

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return battles.scenarios()

    def setup(self, scenario: str, options: Mapping[str, str]) -> PbiState:
        return battles.start(scenario, options, BOOK.state_type)

    def read_position(self, scenario: str, options: Mapping[str, str], data: Mapping[str, Any]) -> PbiState:
        state = super().read_position(scenario, options, data)
        sound.check(state)
        return state

    def outcome(self, state: PbiState) -> Outcome | None:
        return state.outcome

    def view(self, state: PbiState, side: str | None) -> View:
        return view(state, side, BOOK.prompt)

    def describe(self, state: PbiState, side: str, action: Action) -> Description:
        found: Description = BOOK.at(BOOK.describe, state, action)(state, side, action)
        return replace(found, role=role_of(state, action))

    def refusals(self, state: PbiState, side: str) -> Sequence[Refusal]:
        return BOOK.refused(state, side)

    def bar(self, state: PbiState, side: str, action: Action) -> Bar | None:
        return BOOK.bar(state, side, action)

    def why_not(self, state: PbiState, side: str, action: Action) -> tuple[str, str]:
        doing = DOING.get(type(state.stack[-1]), "something else is to be decided")
        return self.bar(state, side, action) or (f"{type(action).__name__} is not possible now: {doing}", "")

    def preview(self, state: PbiState, side: str, action: Action) -> Preview | None:
        make = BOOK.at(BOOK.preview, state, action)
        return make(state, side, action) if make else None

    def words(self, event: Event, state: PbiState) -> str:
        say = BOOK.words.get(type(event))
        return say(state, event) if say else words(event)

    def place(self, event: Event) -> tuple[str, ...]:
        return place(event)

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        return scene(scenario, options)

    def faces(self) -> Mapping[str, str]:
        return faces()

    def rule_titles(self) -> Mapping[str, str]:
        return rule_titles()

    def rule_exceptions(self) -> RuleExceptions:
        return read_exceptions("sandtable.games.pbi")

    def glossary(self) -> Sequence[Term]:
        return aids.glossary()

    def loss(self, event: Event) -> tuple[str, str] | None:
        return (event.side, event.at) if isinstance(event, Lost) else None

    def lessons(self) -> Sequence[Lesson]:
        return lessons()

    def line_of_sight(self, state: PbiState, side: str | None, a: str, b: str) -> Los | None:
        return aids.line_of_sight(state, a, b)

    def visible_from(self, state: PbiState, side: str | None, a: str) -> Visible | None:
        return aids.visible_from(state, a)

    def path(self, state: PbiState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
        return ways.path(state, side, pieces, to, via)

    def reach(self, state: PbiState, side: str, pieces: Sequence[str]) -> Mapping[str, str]:
        return ways.reach(state, side, pieces)

    def danger(self, state: PbiState, side: str, pieces: Sequence[str], cells: Sequence[str]) -> Mapping[str, float]:
        return ways.dangers(state, side, cells)


GAME = Pbi()
