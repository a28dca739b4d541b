"""A game of the squad-level family: scenarios and a ruleset on the shared rules."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Event, Game, Option, Outcome, ScenarioInfo
from sandtable.engine.game import words
from sandtable.engine.part import Rulebook
from sandtable.engine.rule_exceptions import RuleExceptions, read_exceptions
from sandtable.engine.tools import Idle, Lesson, Los, Orders, Path, Term, Visible
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.setting import Setting, find_setting, setting_of, unit_kind, write_key
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.part import Part, Points, Ruleset
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.model import TurnBegan
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.pieces.events import Eliminated
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario import hidden, position, setup
from sandtable.games.squad.scenario.making import make_setting
from sandtable.games.squad.show import aids, glossary, idle, roles, scene, standing, view
from sandtable.games.squad.show.heard import as_known, heard

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
    reading=True,
)
TARGET_SIZE = Option(
    "target_size",
    "Target size of Guns",
    ("corrected", "card"),
    "corrected: small Guns are harder to hit and large ones easier; card: the signs of the card (6.7, ruling D-34)",
    reading=True,
)
SELECTION = Option(
    "selection",
    "Random Selection",
    ("number", "ties"),
    "number: one more roll decides between tied dice, so that only as many are hit as the result says; ties: all who"
    " tie are hit"
    " (3.2.3, ruling D-15)",
    reading=True,
)
AREA_FIRE = Option(
    "area_fire",
    "Guns after the Area Target Type",
    ("silent", "intensive"),
    "silent: they do not fire again in that Player Turn; intensive: Intensive Fire stays open (3.2.4, ruling O-1)",
    reading=True,
)
DIRECTION = Option(
    "direction",
    "Direction again",
    ("group", "members"),
    "group: a leader directs one unit or group of the same firers again; members: each of them apart (ruling F-3)",
    reading=True,
)
SET_UP = Option("setup", "Set-up", ("auto", "players"), names=("by the program", "by the players"))


class SquadGame(Game[SquadState]):
    """The shared rules with the scenarios and the ruleset of one game; once dice are cast results stand (G36)."""

    rules_version = 4
    oldest_record = 3
    place_fields: tuple[str, ...] = ("at", "to")
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
        *,
        parts: Sequence[Part] = COMMON,
        lessons: Callable[[], Sequence[Lesson]] = tuple,
    ) -> None:
        self.id = game_id
        self.title = title
        self.rules = rules
        self.book = Rulebook(parts, SquadState)
        self.points = Points(parts)
        counters.bring(self.points.pieces)
        self.state_type = self.book.state_type
        self.action_type = self.book.action_type
        self.procedures = self.book.procedures
        self.hears = heard if self.points.conceals else None
        self._load = load
        self._titles = titles
        self._cited = cited or {}
        self._lessons = lessons

    # -- scenarios ------------------------------------------------------------------------

    @functools.cached_property
    def cards(self) -> dict[str, Scenario]:
        """The scenario cards by id."""
        return {scenario.id: scenario for scenario in self._load()}

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [view.scenario_info(scenario, self.options_of(scenario)) for scenario in self.cards.values()]

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        """Set-up, lines of sight, rulings, other readings of the card, and the balance of each side (1.3)."""
        balance = tuple(
            Option(f"balance_{help_.side}", f"Balance for {help_.side.capitalize()}", ("off", "on"), help_.text)
            for help_ in scenario.balance
        )
        readings = tuple(
            Option(other.id, other.title, other.values, other.text, reading=True) for other in scenario.alternatives
        )
        rulings = (TARGET_SIZE, SELECTION, AREA_FIRE) if self.rules.of(OrdnanceRules).ordnance else ()
        return (SET_UP, FREE_LOS, LEADERS, DIRECTION, *rulings, *readings, *balance)

    def make_setting(self, key: str, scenario: str, options: Mapping[str, str], rolled: Mapping[str, Any]) -> Setting:
        """The setting of a key; called once for each key. `rolled`: what the match has rolled for itself."""
        found = self.scenario_of(scenario, rolled)
        return make_setting(key, found, options, self.rules_for(options), self.points, self.book)

    def rules_for(self, options: Mapping[str, str]) -> Ruleset:
        """The ruleset as the options of a match change it."""
        return self.rules.changed(
            free_los=options.get("los", "free") == "free",
            leader_acts_once=options.get("leaders", "phase") == "turn",
            card_target_size=options.get("target_size") == "card",
            selection_ties=self.rules.of(EffectRules).selection_ties or options.get("selection") == "ties",
            intensive_after_area=options.get("area_fire") == "intensive",
            direct_members=options.get("direction", "group") == "members",
        )

    def scenario_of(self, scenario: str, rolled: Mapping[str, Any]) -> Scenario:
        """The scenario card as it is in a match; games whose matches roll their own change it."""
        return self.cards[scenario]

    def place_names(self, scenario: str, options: Mapping[str, str]) -> Sequence[str]:
        return find_setting(write_key(self.id, scenario, options)).ground.names

    def setup(self, scenario: str, options: Mapping[str, str]) -> SquadState:
        return setup.new_state(find_setting(write_key(self.id, scenario, options)))

    def outcome(self, state: SquadState) -> Outcome | None:
        return state.outcome

    # -- words ----------------------------------------------------------------------------

    def view(self, state: SquadState, side: str | None) -> View:
        frame = state.stack[-1]
        to_act = self.procedures[type(frame)].to_act(state, frame)
        return view.make_view(state, side, self.book.prompt(state), to_act)

    def describe(self, state: SquadState, side: str, action: Action) -> Description:
        found: Description = self.book.at(self.book.describe, state, action)(state, side, action)
        return replace(found, role=roles.ROLES[type(action)]) if type(action) in roles.ROLES else found

    def bar(self, state: SquadState, side: str, action: Action) -> tuple[str, str] | None:
        return self.book.bar(state, side, action)

    def why_not(self, state: SquadState, side: str, action: Action) -> tuple[str, str]:
        action = as_known(action, state, side)
        reason, rule = self.bar(state, side, action) or self._not_now(state)
        frame = state.stack[-1]
        legal = self.procedures[type(frame)].actions(state, frame, side)
        other = self.book.instead(state, side, action, legal)
        return f"{reason}. Legal instead: {other}" if other else reason, rule

    def _not_now(self, state: SquadState) -> tuple[str, str]:
        """Why something unknown is not possible: what is asked for now."""
        asked, rule = self.book.prompt(state)
        return (f"This is not possible now. {asked}" if asked else "This is not possible now"), rule

    def refusals(self, state: SquadState, side: str) -> Sequence[Refusal]:
        return self.book.refused(state, side)

    def preview(self, state: SquadState, side: str, action: Action) -> Preview | None:
        make = self.book.at(self.book.preview, state, action)
        return make(state, side, action) if make else None

    def words(self, event: Event, state: SquadState) -> str:
        say = self.book.words.get(type(event))
        return say(state, event) if say else words(event, self, state)

    def side_title(self, state: SquadState, side: str) -> str:
        return find_setting(state.setting).titles.get(side, side)

    def reshuffle(self, state: SquadState, side: str | None, source: random.Random) -> SquadState | None:
        return hidden.reshuffle(state, side, source)

    def rule_titles(self) -> Mapping[str, str]:
        return self._titles

    def rule_exceptions(self) -> RuleExceptions:
        return read_exceptions(f"sandtable.games.{self.id}")

    def cited_rules(self) -> Mapping[str, str]:
        return {**self._cited, **self._titles}

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        return scene.make_scene(find_setting(write_key(self.id, scenario, options)))

    def faces(self) -> Mapping[str, str]:
        return scene.make_faces(self.cards.values(), self.points)

    def line_of_sight(self, state: SquadState, side: str | None, a: str, b: str) -> Los | None:
        return aids.line_of_sight(state, a, b)

    def visible_from(self, state: SquadState, side: str | None, a: str) -> Visible | None:
        return aids.visible_from(state, a)

    def path(
        self, state: SquadState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()
    ) -> Path | None:
        return aids.path(state, side, pieces, to, via)

    def reach(self, state: SquadState, side: str, pieces: Sequence[str]) -> Mapping[str, str]:
        return aids.reach(state, side, pieces)

    def entered_by(self, state: SquadState, cell: str) -> str:
        return setting_of(state).ground.ways_in.get(cell, cell)

    def danger(self, state: SquadState, side: str, pieces: Sequence[str], cells: Sequence[str]) -> Mapping[str, float]:
        return aids.danger(state, side, pieces, cells)

    def idle(self, state: SquadState, side: str) -> Idle | None:
        return idle.idle(state, side)

    def standing_order(self, state: SquadState, side: str, orders: Orders) -> standing.Answer:
        return standing.standing_order(state, side, orders)

    def glossary(self) -> Sequence[Term]:
        return (*glossary.glossary(), *glossary.part_terms(self.points.faces))

    def lessons(self) -> Sequence[Lesson]:
        return self._lessons()

    def turn(self, state: SquadState) -> str:
        return f"Turn {state.turn}"

    def begins(self, event: Event) -> bool:
        return isinstance(event, TurnBegan) and event.turn == 1

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
