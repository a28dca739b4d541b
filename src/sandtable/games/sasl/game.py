"""Solitaire ASL as a game: the squad-level rules, a FRIENDLY player and an ENEMY that the tables run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine import Action, Frame, Option, Play, RuleState, ScenarioInfo
from sandtable.engine.tools import Term
from sandtable.engine.view import View
from sandtable.games.asl import spraying
from sandtable.games.asl.concealment import part as concealment
from sandtable.games.asl.crest import fighting
from sandtable.games.asl.crest.part import CRESTS
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.deploying import part as deploying
from sandtable.games.asl.fanatics import part as fanatics
from sandtable.games.asl.glossary import terms
from sandtable.games.asl.heat import part as heat
from sandtable.games.asl.leaving import part as leaving
from sandtable.games.asl.leaving.model import WITHDRAWS
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.asl.molotovs import part as molotovs
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.nations import traits as nations
from sandtable.games.asl.opportunity import part as opportunity
from sandtable.games.asl.prisoners import part as prisoners
from sandtable.games.asl.rulesets import PEOPLE
from sandtable.games.asl.snipers import part as snipers
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.works.part import WORKS
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.sasl import (
    activation,
    charts,
    command,
    events,
    finds,
    hazards,
    meetings,
    missions,
    offensives,
    options,
    partisan,
    preparing,
    roaming,
    sheet_page,
    shortage,
    show,
    sniping,
    states,
    suspects,
)
from sandtable.games.sasl.boards_here import boards_here
from sandtable.games.sasl.bridges import show_bridges
from sandtable.games.sasl.cautious_advance import CautiousAdvance
from sandtable.games.sasl.crest_options import crest_switches
from sandtable.games.sasl.enemy import deciding, orders
from sandtable.games.sasl.leaving_options import leaving_switches
from sandtable.games.sasl.lessons import lessons
from sandtable.games.sasl.model import ENEMY, FIELDS, FRIENDLY, ROAD, RollMission
from sandtable.games.sasl.ordnance import guns
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.roads import road_aim
from sandtable.games.sasl.rolled import MissionPoints, PointsDecide, Rolled, as_data, rolled_in, scenario_of
from sandtable.games.sasl.rule_options import full_switches
from sandtable.games.sasl.sheet import SHEET, Preparing, Settled
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import find_setting, setting_of, write_key
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.part import Part, Ruleset
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario import position
from sandtable.games.squad.scenario.shipped import rule_titles
from sandtable.games.squad.scenario.switches import ScenarioRules
from sandtable.games.squad.show import scene

PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
FIRST_PANELS = ("verdict", "roster", "suspects")
"""What changes in play is shown above what does not."""
ANY_TITLE = "Any mission"
ANY_SUMMARY = "Choose a mission or roll it on A7, Offense or Defense."
RULES = PEOPLE.extended(
    "sasl",
    TerrainRules(),
    CrestRules(),
    WorksRules(partisans_dig=False),
    MolotovRules(),
    LeavingRules(),
    ScenarioRules(late_units_wait=True),
)


def _moved(play: Play[SquadState]) -> None:
    """Movers gain Control; FRIENDLY ones trigger Activation Checks before they are fired at (A26.11, S5.1, S5.3)."""
    state = play.state
    movers = [state.units[name] for name in moving_units(state) if state.units[name].at >= 0]
    if not movers:
        return
    missions.rules_of(state).passed(play, setting_of(state).ground.floor_of(movers[0].at))
    if state.attacker == FRIENDLY:
        activation.trigger(play, movers, "movement")
        missions.rules_of(state).entered(play, movers)


def _advanced(play: Play[SquadState], names: Sequence[str], frm: int, to: int, how: str) -> None:
    """FRIENDLY units that advance activate the S? that they come upon, and trigger Activation Checks (S5.1).

    Where boards open before them, they do so before those who leave a close combat, too.
    """
    state = play.state
    if how == "advances" and state.attacker == FRIENDLY:
        if activation.reveal_entered(play, to):
            fighting.entered(play, names, frm, to, how)  # those who were found at the Crest
        units = [unit for unit in units_at(state, to, FRIENDLY) if unit.id in names]
        activation.trigger(play, units, "advance")
        missions.rules_of(state).entered(play, units)
    elif how == WITHDRAWS:
        units = [unit for unit in units_at(state, to, FRIENDLY) if unit.id in names]
        missions.rules_of(state).entered(play, units)


def _self_rallies(state: SquadState, side: str) -> int:
    """The ENEMY may self-rally two MMC in its RPh (S7.1)."""
    return int(reading(state, "self_rally")) if side == ENEMY else 1


def _exited(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).exited(play)


def _begin_phase(play: Play[SquadState]) -> None:
    orders.begin_phase(play)
    suspects.begin_phase(play)
    finds.keep_busy(play)
    missions.rules_of(play.state).quiet(play)


def _end_phase(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).control(play)


def _begin_movement(play: Play[SquadState]) -> None:
    if play.state.attacker == ENEMY:
        roaming.move_suspects(play)


def _begin_advance(play: Play[SquadState]) -> None:
    if play.state.attacker == ENEMY:
        roaming.advance_suspects(play)


def _begin_prep(play: Play[SquadState]) -> None:
    command.checks(play)
    hazards.strike(play)
    sniping.strike(play)


def _begin_rally(play: Play[SquadState]) -> None:
    events.check(play)


def _begin_turn(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).begin_turn(play)


def _begin_player_turn(play: Play[SquadState]) -> None:
    orders.begin_player_turn(play)
    if play.state.attacker == ENEMY:
        missions.rules_of(play.state).begin_enemy_turn(play)


def _end_player_turn(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).end_of_player_turn(play)


def _end_turn(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).end_of_turn(play)


EVERY_PHASE = Part(begins=dict.fromkeys(PHASES, _begin_phase), ends=dict.fromkeys(PHASES, _end_phase))
MISSION = Part(
    fields=FIELDS,
    procedures={RollMission: preparing.Rolling()},
    begins={
        "turn": _begin_turn,
        "player turn": _begin_player_turn,
        "RPh": _begin_rally,
        "PFPh": _begin_prep,
        "MPh": _begin_movement,
        "APh": _begin_advance,
    },
    ends={"PFPh": orders.settle_orders, "player turn": _end_player_turn, "turn": _end_turn},
    pieces=guns(),
    enters=_advanced,
    exited=_exited,
    self_rallies=_self_rallies,
    watches=suspects.watching,
    searches=activation.searched,
    bars={"enter": suspects.enter_bar, **dict.fromkeys(("move", "advance", "fire", "direct"), command.panic_bar)},
    lines={"combat": command.combat_lines, "ambush": command.ambush_lines, "their cost": partisan.woods_cost},
    after={"harden": command.steadied},
    shows=show.shown,
    words={**show.WORDS, **command.WORDS, **events.WORDS},
    conditions={MissionPoints: PointsDecide()},
)
MOVES = Part(spent=_moved)
"""Before concealment among the parts: what movers show is seen after they have triggered Activation Checks."""
PEOPLE_PARTS = (
    nations.PART,
    fanatics.PART,
    concealment.PART,
    deploying.PART,
    prisoners.PART,
    leaving.PART,
    heat.PART,
    snipers.PART,
    molotovs.PART,
    opportunity.PART,
    spraying.PART,
)
SET_UP = Part(
    fields=(SHEET,),
    procedures={Preparing: preparing.Prepare()},
    prompts={Preparing: sheet_page.prompt},
    describe=sheet_page.DESCRIBE,
    why_not=dict.fromkeys(sheet_page.DESCRIBE, sheet_page.why_not),
    words={Settled: sheet_page.settled_words},
)
BATTLEFIELD = (*TERRAIN, *CRESTS, *WORKS)
PARTS = (*COMMON, *BATTLEFIELD, MOVES, *PEOPLE_PARTS, EVERY_PHASE, SET_UP, MISSION, finds.PART, shortage.PART)


class SaslGame(SquadGame):
    """Solitaire ASL."""

    rules_version = 4
    oldest_record = 1
    place_fields = ()
    length_limit = 120_000
    own_maps = True
    rule_packages = ("sandtable.games.asl", "sandtable.space")

    def __init__(self) -> None:
        super().__init__(
            "sasl",
            "Solitaire ASL",
            RULES,
            self._cards,
            rule_titles("sasl"),
            rule_titles("aslsk2"),
            parts=PARTS,
            lessons=lessons,
        )

    def rule_states(self) -> dict[str, RuleState]:
        return states.states()

    @staticmethod
    def _cards() -> Sequence[Scenario]:
        cards = [replace(scenario_of(Rolled(mission=number)), id=str(number)) for number in missions.MISSIONS]
        return [*cards, replace(cards[0], id=preparing.ANY, title=ANY_TITLE, summary=ANY_SUMMARY)]

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        return options.options_of(scenario.id)

    def rules_for(self, options: Mapping[str, str]) -> Ruleset:
        elr, bonus = options.get("elr") == "5", options.get("waited_bonus") == "on"
        without = (FRIENDLY,) if options.get("partisans_mol") == "enemy" else ()
        rules = super().rules_for(options)
        rules = rules.changed(elr=elr, sides_without=without, assault_fire_after_waiting=bonus)
        return rules.changed(**crest_switches(options), **leaving_switches(options), **full_switches(options))

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [show.scenario_info(scenario, self.options_of(scenario)) for scenario in self.cards.values()]

    def scenario_of(self, scenario: str, rolled: Mapping[str, Any]) -> Scenario:
        return scenario_of(msgspec.convert(rolled, Rolled)) if rolled else self.cards[scenario]

    def setup(self, scenario: str, options: Mapping[str, str]) -> SquadState:
        state: SquadState = self.state_type(  # type: ignore[assignment]
            setting=write_key(self.id, scenario, options), attacker=FRIENDLY, stack=[RollMission()]
        )
        return state

    def view(self, state: SquadState, side: str | None) -> View:
        if isinstance(state.stack[-1], Preparing):
            return sheet_page.view(state, side, self.book.prompt(state))
        found = super().view(state, side)
        # Mission End is rolled for: the turns that may follow are not told
        tracks = tuple(
            [replace(one, boxes=one.boxes[: one.at + 1]) if one.id == "turn" else one for one in found.tracks]
        )
        first = [one for name in FIRST_PANELS for one in found.panels if one.id == name]
        rest = [one for one in found.panels if one.id not in (*FIRST_PANELS, "victory")]
        panels = (*first, show.victory_panel(state), *rest)
        return replace(found, turn=found.turn.partition(" of ")[0], tracks=tracks, panels=panels)

    def side_name(self, side: str) -> str:
        return side.upper()

    def ruled(self, state: SquadState) -> Sequence[str]:
        return (ENEMY,)

    def decide(self, play: Play[SquadState], frame: Frame, side: str, legal: Sequence[Action]) -> Action:
        return deciding.decide(play, frame, legal)

    def scene_of(self, state: SquadState) -> dict[str, Any] | None:
        base = rolled_in(state)
        if not base.boards:
            return None
        setting = setting_of(state)
        found = show_bridges(scene.make_scene(setting), base)
        if ROAD.of(state):
            found["aims"].append(road_aim(setting))
        return found

    def write_position(self, state: SquadState) -> dict[str, Any]:
        return {**super().write_position(state), "rolled": as_data(rolled_in(state))}

    def read_position(self, scenario: str, options: Mapping[str, str], data: Mapping[str, Any]) -> SquadState:
        rest = {name: value for name, value in data.items() if name != "rolled"}
        rolled = as_data(msgspec.convert(data.get("rolled", {}), Rolled))
        return position.read(find_setting(write_key(self.id, scenario, options, rolled)), rest)

    def table(self, name: str) -> Mapping[str, Any] | None:
        return charts.chart(name)

    def boards(self, scenario: str) -> Mapping[str, Any] | None:
        if scenario == preparing.ANY:
            return None
        found: dict[str, Any] = msgspec.to_builtins(boards_here(int(scenario)))
        return found

    def glossary(self) -> Sequence[Term]:
        return (*super().glossary(), *terms())

    def faces(self) -> Mapping[str, str]:
        return {**super().faces(), **show.faces()}


missions.MISSIONS.update(
    {
        1: CautiousAdvance(),
        2: offensives.Pockets(),
        3: offensives.Recon(),
        4: offensives.BunkerBusting(),
        5: offensives.TakeTheHighway(),
        8: meetings.Patrol(),
        19: meetings.Escape(),
    }
)
GAME = SaslGame()
