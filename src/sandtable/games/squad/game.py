"""A game of the squad-level family: scenarios and a ruleset on the shared rules."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Union

from msgspec.structs import replace

from sandtable.engine import Action, Event, Frame, Game, Option, Outcome, Procedure, ScenarioInfo
from sandtable.engine.game import words
from sandtable.engine.tools import Lesson, Los, Orders, Path, Term, Visible
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.squad import (
    advance,
    advance_words,
    aids,
    close_combat,
    combat_words,
    defensive_fire,
    excess,
    fire,
    fire_preview,
    fire_words,
    hidden,
    lessons,
    manhandling,
    move_words,
    movement,
    moving,
    ordnance,
    ordnance_preview,
    ordnance_words,
    position,
    rally,
    rally_words,
    reaction,
    refused,
    reinforcements,
    rout,
    rout_words,
    setup,
    setup_words,
    standing,
    turning,
    view,
    wording,
)
from sandtable.games.squad.card import make_setting
from sandtable.games.squad.fire_model import Eliminated
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.part import Part
from sandtable.games.squad.ruleset import Ruleset
from sandtable.games.squad.scenario_types import Scenario
from sandtable.games.squad.setting import Setting, find_setting, unit_kind, write_key

PARTS: tuple[Part, ...] = (
    setup.PART,
    setup_words.PART,
    reinforcements.PART,
    rally.PART,
    rally_words.PART,
    fire.PART,
    fire_words.PART,
    fire_preview.PART,
    ordnance.PART,
    ordnance_words.PART,
    ordnance_preview.PART,
    turning.PART,
    movement.PART,
    moving.PART,
    manhandling.PART,
    move_words.PART,
    refused.PART,
    reaction.PART,
    excess.PART,
    defensive_fire.PART,
    rout.PART,
    rout_words.PART,
    advance.PART,
    advance_words.PART,
    close_combat.PART,
    combat_words.PART,
    wording.PART,
)

FREE_LOS = Option(
    "los",
    "Lines of sight",
    ("free", "declared"),
    "free: blocked targets are not offered; declared: a line is checked only after the attack is declared (3.2.1)",
)
LEADERS = Option(
    "leaders",
    "Leaders in Defensive Fire",
    ("phase", "turn"),
    "phase: a leader who fired a weapon in the MPh may direct in the DFPh; turn: not in that Player Turn (ruling F-3)",
)
SET_UP = Option("setup", "Set-up", ("auto", "players"), "auto: the program sets up; players: the players do")


def _joined(name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for part in PARTS:
        for key, value in getattr(part, name).items():
            if key in found:
                raise ValueError(f"{key.__name__} has two entries under {name}")
            found[key] = value
    return found


PROCEDURES: dict[type[Frame], Procedure[SquadState, Any]] = _joined("procedures")
DESCRIBE = _joined("describe")
WORDS = _joined("words")
WHY_NOT = _joined("why_not")
PREVIEW = _joined("preview")
REFUSALS = _joined("refusals")
PROMPTS = _joined("prompts")


class SquadGame(Game[SquadState]):
    """The shared rules with the scenarios and the ruleset of one game; once dice are cast results stand (G36)."""

    state_type = SquadState
    action_type: ClassVar[Any] = Union[tuple(DESCRIBE)]  # noqa: UP007
    procedures: ClassVar[Mapping[type[Frame], Procedure[Any, Any]]] = PROCEDURES
    length_limit = 60_000
    good_dice = "low"

    def __init__(
        self,
        game_id: str,
        title: str,
        rules: Ruleset,
        load: Callable[[], Sequence[Scenario]],
        titles: Mapping[str, str],
        cited: Mapping[str, str] | None = None,
    ) -> None:
        self.id = game_id  # type: ignore[misc]
        self.title = title  # type: ignore[misc]
        self.rules = rules
        self._load = load
        self._titles = titles
        self._cited = cited or {}

    # -- scenarios ------------------------------------------------------------------------

    @functools.cached_property
    def cards(self) -> dict[str, Scenario]:
        """The scenario cards by id."""
        return {card.id: card for card in self._load()}

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [view.scenario_info(card, self.options_of(card)) for card in self.cards.values()]

    def options_of(self, card: Scenario) -> tuple[Option, ...]:
        """Set-up, lines of sight, a ruling, and the balance of each side (1.3)."""
        balance = tuple(
            Option(f"balance_{help_.side}", f"Balance for {help_.side.capitalize()}", ("off", "on"), help_.text)
            for help_ in card.balance
        )
        return (SET_UP, FREE_LOS, LEADERS, *balance)

    def make_setting(self, key: str, scenario: str, options: Mapping[str, str]) -> Setting:
        """The setting of a key; called once for each key."""
        rules = replace(
            self.rules,
            free_los=options.get("los", "free") == "free",
            leader_acts_once=options.get("leaders", "phase") == "turn",
        )
        return make_setting(key, self.cards[scenario], options, rules)

    def setup(self, scenario: str, options: Mapping[str, str]) -> SquadState:
        return setup.new_state(find_setting(write_key(self.id, scenario, options)))

    def outcome(self, state: SquadState) -> Outcome | None:
        return state.outcome

    # -- words ----------------------------------------------------------------------------

    def view(self, state: SquadState, side: str | None) -> View:
        frame = state.stack[-1]
        prompt = PROMPTS.get(type(frame))
        to_act = PROCEDURES[type(frame)].to_act(state, frame)
        return view.make_view(state, side, prompt(state, frame) if prompt else ("", ""), to_act)

    def describe(self, state: SquadState, side: str, action: Action) -> Description:
        found: Description = DESCRIBE[type(action)](state, side, action)
        return found

    def why_not(self, state: SquadState, side: str, action: Action) -> tuple[str, str]:
        explain = WHY_NOT.get(type(action))
        found = explain(state, side, action) if explain else None
        reason, rule = found or wording.not_now(state, PROMPTS)
        frame = state.stack[-1]
        legal = PROCEDURES[type(frame)].actions(state, frame, side)
        other = refused.instead(state, side, action, legal, DESCRIBE)
        return f"{reason}. Legal instead: {other}" if other else reason, rule

    def refusals(self, state: SquadState, side: str) -> Sequence[Refusal]:
        frame = state.stack[-1]
        explain = REFUSALS.get(type(frame))
        return explain(state, side, frame) if explain else ()

    def preview(self, state: SquadState, side: str, action: Action) -> Preview | None:
        make = PREVIEW.get(type(action))
        return make(state, side, action) if make else None

    def words(self, event: Event, state: SquadState) -> str:
        say = WORDS.get(type(event))
        return say(state, event) if say else words(event)

    def reshuffle(self, state: SquadState, side: str | None, source: random.Random) -> SquadState | None:
        return hidden.reshuffle(state, side, source)

    def rule_titles(self) -> Mapping[str, str]:
        return self._titles

    def cited_rules(self) -> Mapping[str, str]:
        return {**self._cited, **self._titles}

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        # drawing needs libraries that playing does not
        from sandtable.games.squad.scene import make_scene

        return make_scene(find_setting(write_key(self.id, scenario, options)))

    def faces(self) -> Mapping[str, str]:
        from sandtable.games.squad.scene import make_faces

        return make_faces(self.cards.values())

    def line_of_sight(self, state: SquadState, side: str | None, a: str, b: str) -> Los | None:
        return aids.line_of_sight(state, a, b)

    def visible_from(self, state: SquadState, side: str | None, a: str) -> Visible | None:
        return aids.visible_from(state, a)

    def path(
        self, state: SquadState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()
    ) -> Path | None:
        return aids.path(state, side, pieces, to, via)

    def standing_order(self, state: SquadState, side: str, orders: Orders) -> standing.Answer:
        return standing.standing_order(state, side, orders)

    def glossary(self) -> Sequence[Term]:
        from sandtable.games.squad.glossary import glossary

        return glossary()

    def lessons(self) -> Sequence[Lesson]:
        return lessons.lessons() if self.id == "aslsk2" else ()

    def turn(self, state: SquadState) -> str:
        return f"Turn {state.turn}"

    def loss(self, event: Event) -> tuple[str, str] | None:
        return (event.side, event.at) if isinstance(event, Eliminated) else None

    def strength(self, state: SquadState) -> Mapping[str, int]:
        """Half-squads of each side on the map, broken ones too; a leader counts as one."""
        counts = dict.fromkeys(find_setting(state.setting).sides, 0)
        for unit in state.units.values():
            if unit.at >= 0:
                counts[unit.side] += unit_kind(state, unit).size or 1
        return counts

    # -- positions ------------------------------------------------------------------------

    def write_position(self, state: SquadState) -> dict[str, Any]:
        return position.write(state)

    def read_position(self, scenario: str, options: Mapping[str, str], data: Mapping[str, Any]) -> SquadState:
        return position.read(find_setting(write_key(self.id, scenario, options)), data)
