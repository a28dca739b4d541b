"""Soft Underbelly as a game of the engine."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Event, Game, Option, Outcome, ScenarioInfo
from sandtable.engine.game import words
from sandtable.engine.part import Bar
from sandtable.engine.rule_exceptions import RuleExceptions, read_exceptions
from sandtable.engine.tools import Lesson, Path, Term
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.underbelly import aids, fog, setup, views
from sandtable.games.underbelly.data import ALLIED, GERMAN, roster, rule_titles
from sandtable.games.underbelly.events import Died
from sandtable.games.underbelly.faces import faces
from sandtable.games.underbelly.lessons import lessons
from sandtable.games.underbelly.model import UnderbellyState
from sandtable.games.underbelly.parts import BOOK
from sandtable.games.underbelly.roles import role_of
from sandtable.games.underbelly.scene import scene
from sandtable.games.underbelly.wording import SIDES
from sandtable.games.underbelly.zones import UNITS

OPTIONS = (
    Option(
        "switch_deadline",
        "Deadline of the supply switch",
        ("both", "historical"),
        "Whether missing the switch by the end of turn 20 loses in both scenarios (U-6)",
        reading=True,
    ),
    Option(
        "loc",
        "Line of communications",
        ("taranto", "salerno"),
        "Naples must be linked to this city (U-5)",
        reading=True,
    ),
    Option(
        "naples_switch",
        "Supply switch to Naples",
        ("vacated", "controlled"),
        "Whether Naples must also be Allied controlled (U-14)",
        reading=True,
    ),
    Option(
        "mixed_attack",
        "Attacks by both groupings together",
        ("forbidden", "penalised"),
        "Outside ports and the multi-national corps (U-8)",
        reading=True,
    ),
    Option(
        "german_tac",
        "German TAC in the turn of entry",
        ("turn", "entry"),
        "For the whole game turn in which 5th Panzer Army enters, or from its German phase on (U-30)",
        reading=True,
    ),
    Option(
        "end_run_tac",
        "Aircraft of the End-Run",
        ("besides", "included"),
        "Whether airbases count only the aircraft on the map, or that of the End-Run too (U-31)",
        reading=True,
    ),
    Option(
        "port_lines",
        "German supply lines through a lone port marker",
        ("open", "closed"),
        "Whether a port supply marker alone stops a German supply line (U-32)",
        reading=True,
    ),
    Option(
        "withheld",
        "Units withheld from an attack",
        ("used", "free"),
        "Whether they have obeyed a command (U-10)",
        reading=True,
    ),
)
RECONSTRUCTED = (
    "The map was rebuilt from geography, the hex numbers in the rules and history.",
    "Combat factors, most arrival turns and several unit names are reconstructed.",
    "The Terrain Effects Chart, the End-Run table and the raid table are designs that fit the text.",
)


class Underbelly(Game[UnderbellyState]):
    """The war in southern Italy, September to December 1943 (1.1, 1.6)."""

    id = "underbelly"
    title = "Soft Underbelly"
    rules_version = 3
    good_dice = "low"
    state_type = BOOK.state_type
    action_type = BOOK.action_type
    procedures = BOOK.procedures
    length_limit = 20_000

    def scenarios(self) -> Sequence[ScenarioInfo]:
        def info(id_: str, title: str, summary: str) -> ScenarioInfo:
            return ScenarioInfo(
                id=id_,
                title=title,
                sides=(ALLIED, GERMAN),
                summary=summary,
                length="23 turns",
                first=GERMAN,
                options=OPTIONS,
                reconstructed=RECONSTRUCTED,
                facts=(("date", "9 September to 31 December 1943"), ("place", "southern Italy"), ("hex", "12 km")),
            )

        return [
            info("campaign", "Soft Underbelly", "A die after the first turn decides between history and the what-if."),
            info("historical", "Historical", "10th Army delays the Allies from Salerno to the Gustav Line and beyond."),
            info("wat", "Watch on the Tiber", "Hitler's reserves come south; the Allies may answer with an End-Run."),
        ]

    def setup(self, scenario: str, options: Mapping[str, str]) -> UnderbellyState:
        return setup.start(scenario, options, BOOK.state_type)

    def read_position(self, scenario: str, options: Mapping[str, str], data: Mapping[str, Any]) -> UnderbellyState:
        state = super().read_position(scenario, options, data)
        for unit, steps in state.steps.items():
            if unit not in UNITS or not 0 <= steps <= UNITS[unit].steps:
                raise ValueError(f"{unit} cannot have {steps} steps")
        if any(getattr(frame, "side", ALLIED) not in (ALLIED, GERMAN) for frame in state.stack):
            raise ValueError("what is going on in it belongs to no side")
        return state

    def outcome(self, state: UnderbellyState) -> Outcome | None:
        return state.outcome

    def view(self, state: UnderbellyState, side: str | None) -> View:
        return views.view(state, side, BOOK.prompt)

    def loss(self, event: Event) -> tuple[str, str] | None:
        return (roster()[event.unit].side, event.at) if isinstance(event, Died) else None

    def turn(self, state: UnderbellyState) -> str:
        return f"Turn {state.turn}"

    def describe(self, state: UnderbellyState, side: str, action: Action) -> Description:
        found: Description = BOOK.at(BOOK.describe, state, action)(state, side, action)
        return replace(found, role=role_of(action))

    def refusals(self, state: UnderbellyState, side: str) -> Sequence[Refusal]:
        return BOOK.refused(state, side)

    def bar(self, state: UnderbellyState, side: str, action: Action) -> Bar | None:
        return BOOK.bar(state, side, action)

    def preview(self, state: UnderbellyState, side: str, action: Action) -> Preview | None:
        make = BOOK.at(BOOK.preview, state, action)
        return make(state, side, action) if make else None

    def words(self, event: Event, state: UnderbellyState) -> str:
        say = BOOK.words.get(type(event))
        return say(state, event) if say else words(event)

    def side_title(self, state: UnderbellyState, side: str) -> str:
        return SIDES.get(side, side)

    def warning(self, state: UnderbellyState, side: str, action: Action) -> str:
        return aids.warning(state, side, action)

    def reshuffle(self, state: UnderbellyState, side: str | None, source: random.Random) -> UnderbellyState | None:
        return fog.reshuffle(state, side, source)

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        return scene()

    def faces(self) -> Mapping[str, str]:
        return faces()

    def path(
        self, state: UnderbellyState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()
    ) -> Path | None:
        return aids.path(state, side, pieces, to)

    def glossary(self) -> Sequence[Term]:
        return aids.glossary()

    def lessons(self) -> Sequence[Lesson]:
        return lessons()

    def rule_titles(self) -> Mapping[str, str]:
        return rule_titles()

    def rule_exceptions(self) -> RuleExceptions:
        return read_exceptions("sandtable.games.underbelly")
