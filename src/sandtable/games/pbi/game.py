"""PBI as a game of the engine."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from sandtable.engine import Action, Event, Game, Outcome, ScenarioInfo
from sandtable.engine.tools import Lesson, Los, Path, Term, Visible
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.pbi import aids, battles
from sandtable.games.pbi.actions import AnyAction
from sandtable.games.pbi.artillery import (
    AnyHitsProcedure,
    AssetsProcedure,
    DeviatingProcedure,
    EncouragingProcedure,
    PlacingProcedure,
)
from sandtable.games.pbi.assault import FightProcedure, LossesProcedure
from sandtable.games.pbi.commander import CommanderProcedure
from sandtable.games.pbi.describe import describe
from sandtable.games.pbi.draw import scene
from sandtable.games.pbi.faces import faces
from sandtable.games.pbi.foot import ActingProcedure
from sandtable.games.pbi.guns import EscapeProcedure
from sandtable.games.pbi.model import (
    Acting,
    Activation,
    Arrival,
    Assets,
    Commander,
    Deviating,
    DrawUp,
    Driving,
    Encouraging,
    Escape,
    Fight,
    Hits,
    Losses,
    Muster,
    PbiState,
    Placing,
    Promotion,
    Rerolling,
    SetUp,
    Turn,
    Units,
    Window,
)
from sandtable.games.pbi.preview import preview
from sandtable.games.pbi.reaction import WindowProcedure
from sandtable.games.pbi.refusals import refusals, why_not
from sandtable.games.pbi.setup import DrawUpProcedure, MusterProcedure, SetUpProcedure
from sandtable.games.pbi.turn import (
    ActivationProcedure,
    ArrivalProcedure,
    PromotionProcedure,
    TurnProcedure,
    UnitsProcedure,
)
from sandtable.games.pbi.vehicles import DrivingProcedure, RerollingProcedure
from sandtable.games.pbi.views import view
from sandtable.games.pbi.words import place, words


@cache
def rule_titles() -> dict[str, str]:
    """Every line of the sheet by its id, with a title in our words."""
    text = (resources.files("sandtable.games.pbi") / "rules.toml").read_text(encoding="utf-8")
    return {id: title for section in tomllib.loads(text).values() for id, title in section.items()}


class Pbi(Game[PbiState]):
    """The company-level miniatures game on squares: the quick-reference sheet, with house rules."""

    id = "pbi"
    title = "PBI: quick-reference ruleset, with house rules"
    rules_version = 3
    state_type = PbiState
    action_type = AnyAction
    procedures = {
        Muster: MusterProcedure(),
        DrawUp: DrawUpProcedure(),
        SetUp: SetUpProcedure(),
        Turn: TurnProcedure(),
        Assets: AssetsProcedure(),
        Encouraging: EncouragingProcedure(),
        Placing: PlacingProcedure(),
        Deviating: DeviatingProcedure(),
        Commander: CommanderProcedure(),
        Units: UnitsProcedure(),
        Activation: ActivationProcedure(),
        Acting: ActingProcedure(),
        Driving: DrivingProcedure(),
        Rerolling: RerollingProcedure(),
        Window: WindowProcedure(),
        Hits: AnyHitsProcedure(),
        Escape: EscapeProcedure(),
        Losses: LossesProcedure(),
        Fight: FightProcedure(),
        Promotion: PromotionProcedure(),
        Arrival: ArrivalProcedure(),
    }
    length_limit = 20_000

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return battles.scenarios()

    def setup(self, scenario: str, options: Mapping[str, str]) -> PbiState:
        return battles.start(scenario, options)

    def outcome(self, state: PbiState) -> Outcome | None:
        return state.outcome

    def view(self, state: PbiState, side: str | None) -> View:
        return view(state, side)

    def describe(self, state: PbiState, side: str, action: Action) -> Description:
        return describe(state, side, action)

    def refusals(self, state: PbiState, side: str) -> Sequence[Refusal]:
        return refusals(state, side)

    def why_not(self, state: PbiState, side: str, action: Action) -> tuple[str, str]:
        return why_not(state, side, action)

    def preview(self, state: PbiState, side: str, action: Action) -> Preview | None:
        return preview(state, side, action)

    def words(self, event: Event, state: PbiState) -> str:
        return words(event, state)

    def place(self, event: Event) -> tuple[str, ...]:
        return place(event)

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        return scene(scenario, options)

    def faces(self) -> Mapping[str, str]:
        return faces()

    def rule_titles(self) -> Mapping[str, str]:
        return rule_titles()

    def glossary(self) -> Sequence[Term]:
        return aids.glossary()

    def lessons(self) -> Sequence[Lesson]:
        return aids.lessons()

    def line_of_sight(self, state: PbiState, side: str | None, a: str, b: str) -> Los | None:
        return aids.line_of_sight(state, a, b)

    def visible_from(self, state: PbiState, side: str | None, a: str) -> Visible | None:
        return aids.visible_from(state, a)

    def path(self, state: PbiState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
        return aids.path(state, side, pieces, to, via)


GAME = Pbi()
