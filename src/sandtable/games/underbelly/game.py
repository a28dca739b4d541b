"""Soft Underbelly as a game of the engine."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.engine import Action, Event, Game, Option, Outcome, ScenarioInfo
from sandtable.engine.tools import Path, Term
from sandtable.engine.view import Description, Preview, Refusal, View
from sandtable.games.underbelly import aids, combat, drafts, model, reinforcement, sequence, setup, watch
from sandtable.games.underbelly.actions import AnyAction
from sandtable.games.underbelly.airpower import DropSiteProcedure, InterruptionProcedure
from sandtable.games.underbelly.commands import CommandsProcedure
from sandtable.games.underbelly.data import ALLIED, GERMAN, rule_titles
from sandtable.games.underbelly.model import UnderbellyState
from sandtable.games.underbelly.movement import MovingProcedure
from sandtable.games.underbelly.retreat import RetreatingProcedure
from sandtable.games.underbelly.wording import words

OPTIONS = (
    Option(
        "switch_deadline",
        "Deadline of the supply switch",
        ("both", "historical"),
        "Whether missing the switch by the end of turn 20 loses in both scenarios (U-6)",
    ),
    Option("loc", "Line of communications", ("taranto", "salerno"), "Naples must be linked to this city (U-5)"),
    Option(
        "naples_switch",
        "Supply switch to Naples",
        ("vacated", "controlled"),
        "Whether Naples must also be Allied controlled (U-14)",
    ),
    Option(
        "mixed_attack",
        "Attacks by both groupings together",
        ("forbidden", "penalised"),
        "Outside ports and the multi-national corps (U-8)",
    ),
    Option(
        "german_tac",
        "German TAC in the turn of entry",
        ("turn", "entry"),
        "For the whole game turn in which 5th Panzer Army enters, or from its German phase on (U-30)",
    ),
    Option(
        "end_run_tac",
        "Aircraft of the End-Run",
        ("besides", "included"),
        "Whether airbases count only the aircraft on the map, or that of the End-Run too (U-31)",
    ),
    Option(
        "port_lines",
        "German supply lines through a lone port marker",
        ("open", "closed"),
        "Whether a port supply marker alone stops a German supply line (U-32)",
    ),
    Option("withheld", "Units withheld from an attack", ("used", "free"), "Whether they have obeyed a command (U-10)"),
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
    rules_version = 2
    good_dice = "low"
    state_type = UnderbellyState
    action_type = AnyAction
    procedures = {
        model.Placement: setup.PlacementProcedure(),
        model.TurnStart: sequence.TurnStartProcedure(),
        model.Plotting: watch.PlottingProcedure(),
        model.Reinforcing: reinforcement.ReinforcingProcedure(),
        model.Substitution: reinforcement.SubstitutionProcedure(),
        model.Opening: sequence.OpeningProcedure(),
        model.LaunchDraft: watch.LaunchDraftProcedure(),
        model.Commands: CommandsProcedure(),
        model.BoxDraft: drafts.BoxDraftProcedure(),
        model.Moving: MovingProcedure(),
        model.AttackChoice: drafts.AttackChoiceProcedure(),
        model.AttackDraft: drafts.AttackDraftProcedure(),
        model.DefenderTac: combat.DefenderTacProcedure(),
        model.Barrage: combat.BarrageProcedure(),
        model.DefensiveFire: combat.DefensiveFireProcedure(),
        model.BreakOffChoice: combat.BreakOffProcedure(),
        model.OffensiveFire: combat.OffensiveFireProcedure(),
        model.RetreatChoice: combat.RetreatChoiceProcedure(),
        model.Restoring: combat.RestoringProcedure(),
        model.Retreating: RetreatingProcedure(),
        model.Advancing: combat.AdvancingProcedure(),
        model.FortSite: drafts.FortSiteProcedure(),
        model.DropSite: DropSiteProcedure(),
        model.Interruption: InterruptionProcedure(),
        model.OverStacked: drafts.OverStackedProcedure(),
        model.BariChoice: sequence.BariChoiceProcedure(),
        model.TurnEnd: sequence.TurnEndProcedure(),
    }
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
        return setup.start(scenario, options)

    def outcome(self, state: UnderbellyState) -> Outcome | None:
        return state.outcome

    def view(self, state: UnderbellyState, side: str | None) -> View:
        from sandtable.games.underbelly.views import view

        return view(state, side)

    def turn(self, state: UnderbellyState) -> str:
        return f"Turn {state.turn}"

    def describe(self, state: UnderbellyState, side: str, action: Action) -> Description:
        from sandtable.games.underbelly.describe import describe

        return describe(state, side, action)

    def refusals(self, state: UnderbellyState, side: str) -> Sequence[Refusal]:
        from sandtable.games.underbelly.refusals import refusals

        return refusals(state, side)

    def why_not(self, state: UnderbellyState, side: str, action: Action) -> tuple[str, str]:
        from sandtable.games.underbelly.refusals import why_not

        return why_not(state, side, action)

    def preview(self, state: UnderbellyState, side: str, action: Action) -> Preview | None:
        from sandtable.games.underbelly.preview import preview

        return preview(state, side, action)

    def words(self, event: Event, state: UnderbellyState) -> str:
        return words(event)

    def reshuffle(self, state: UnderbellyState, side: str | None, source: random.Random) -> UnderbellyState | None:
        from sandtable.games.underbelly.fog import reshuffle

        return reshuffle(state, side, source)

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        from sandtable.games.underbelly.scene import scene

        return scene()

    def faces(self) -> Mapping[str, str]:
        from sandtable.games.underbelly.faces import faces

        return faces()

    def path(
        self, state: UnderbellyState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()
    ) -> Path | None:
        return aids.path(state, side, pieces, to)

    def glossary(self) -> Sequence[Term]:
        return aids.glossary()

    def rule_titles(self) -> Mapping[str, str]:
        return rule_titles()
