"""Solitaire ASL as a game: the squad-level rules, a FRIENDLY player and an ENEMY that the tables run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine import Action, Frame, Option, Play, Procedure, ScenarioInfo
from sandtable.games.sasl import activation, missions, roaming, show, suspects, victory
from sandtable.games.sasl.enemy import deciding, orders
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import ENEMY, FIELDS, FRIENDLY, ROSTER, RollMission
from sandtable.games.sasl.rolled import MissionPoints, PointsDecide, Rolled, card_of, rolled_in
from sandtable.games.sasl.setting_up import roll_roster
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.combat.model import AdvanceDraft, AdvanceTo
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import find_setting, setting_of, write_key
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.movement.model import Spent
from sandtable.games.squad.part import Part
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.sequence import begin_play
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rulesets import STARTER_KIT
from sandtable.games.squad.scenario import setup
from sandtable.games.squad.show import scene

PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
POWERS = Option(
    "friendly",
    "FRIENDLY nation",
    ("roll", "G", "R", "U", "B", "F", "I", "J", "M", "C"),
    "roll: by the opposition chart; or a card: German, Russian, U.S., British, French, Italian, Japanese, Marines,"
    " Chinese",
)
AGAINST = Option(
    "enemy",
    "ENEMY nation",
    ("roll", "G", "R", "U", "B", "F", "I", "J", "M", "C", "L"),
    "roll: by the opposition chart; or a card, where the chart lets the two meet",
)
YEAR = Option("year", "Year", ("roll", *map(str, range(1937, 1946))), "roll: any month in which the two may meet")
MANY = Option("suspects", "S? on a board", tuple(suspects.MOST), "how many 4.1 a and b place at most (SA-43)")
LOS = Option("los", "Lines of sight", ("free",), "Lines may be checked freely (S.2)")


class Rolling(Procedure[SquadState, RollMission]):
    """The set-up of a mission: every roll stands in the log (12. to 15.)."""

    def run(self, play: Play[SquadState], frame: RollMission) -> None:
        state = play.state
        setting = setting_of(state)
        number = int(setting.scenario.id)
        rules = missions.MISSIONS[number]
        base = rules.roll(play, number, setting.options)
        state.setting = key_of(state, base)
        ROSTER.put(state, roll_roster(play, base))
        made = setup.new_state(setting_of(state))
        state.units.update(made.units)
        state.weapons.update(made.weapons)
        rules.begin(play, setting.options)
        begin_play(play)


class WatchMoves(Procedure[SquadState, Spent]):
    """FRIENDLY movers who spent MF trigger Activation Checks before they are fired at (5.1, 5.3)."""

    def __init__(self, own: Procedure[Any, Any]) -> None:
        self._own = own

    def run(self, play: Play[SquadState], frame: Spent) -> None:
        state = play.state
        if frame.step == 0 and state.attacker == FRIENDLY:
            movers = [state.units[name] for name in moving_units(state) if state.units[name].at >= 0]
            if movers:
                activation.trigger(play, movers, "movement")
                missions.rules_of(state).entered(play, movers)
        self._own.run(play, frame)


class WatchAdvance(Procedure[SquadState, AdvanceDraft]):
    """FRIENDLY units that advance trigger Activation Checks, and activate the S? that they come upon (5.1)."""

    def __init__(self, own: Procedure[Any, Any]) -> None:
        self._own = own
        self.to_act = own.to_act  # type: ignore[method-assign]
        self.actions = own.actions  # type: ignore[method-assign]
        self.run = own.run  # type: ignore[method-assign]

    def apply(self, play: Play[SquadState], frame: AdvanceDraft, side: str, action: Action) -> None:
        self._own.apply(play, frame, side, action)
        state = play.state
        if isinstance(action, AdvanceTo) and side == FRIENDLY:
            activation.reveal_entered(play, action.to)
            units = [unit for unit in units_at(state, action.to, FRIENDLY) if unit.id in frame.units]
            activation.trigger(play, units, "advance")
            missions.rules_of(state).entered(play, units)


def _begin_phase(play: Play[SquadState]) -> None:
    orders.begin_phase(play)
    suspects.begin_phase(play)
    missions.rules_of(play.state).quiet(play)


def _begin_movement(play: Play[SquadState]) -> None:
    if play.state.attacker == ENEMY:
        roaming.move_suspects(play)


def _begin_advance(play: Play[SquadState]) -> None:
    if play.state.attacker == ENEMY:
        roaming.advance_suspects(play)


def _begin_player_turn(play: Play[SquadState]) -> None:
    orders.begin_player_turn(play)
    if play.state.attacker == ENEMY:
        missions.rules_of(play.state).begin_enemy_turn(play)


def _end_player_turn(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).end_of_player_turn(play)


def _end_turn(play: Play[SquadState]) -> None:
    missions.rules_of(play.state).end_of_turn(play)


EVERY_PHASE = Part(begins=dict.fromkeys(PHASES, _begin_phase), ends=dict.fromkeys(PHASES, victory.update_control))
MISSION = Part(
    fields=FIELDS,
    procedures={RollMission: Rolling()},
    begins={"player turn": _begin_player_turn, "MPh": _begin_movement, "APh": _begin_advance},
    ends={"PFPh": orders.settle_orders, "player turn": _end_player_turn, "turn": _end_turn},
    lines={"cost": suspects.holds_off},
    shows=show.shown,
    words=show.WORDS,
    conditions={MissionPoints: PointsDecide()},
)
PARTS = (*COMMON, EVERY_PHASE, MISSION)


class SaslGame(SquadGame):
    """Solitaire ASL."""

    rules_version = 1
    length_limit = 120_000

    def __init__(self) -> None:
        super().__init__("sasl", "Solitaire ASL", STARTER_KIT, self._cards, {}, parts=PARTS)
        procedures = dict(self.procedures)
        procedures[Spent] = WatchMoves(procedures[Spent])
        procedures[AdvanceDraft] = WatchAdvance(procedures[AdvanceDraft])
        self.procedures = procedures

    @staticmethod
    def _cards() -> Sequence[Scenario]:
        return [replace(card_of(Rolled(mission=number)), id=str(number)) for number in missions.MISSIONS]

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        return (POWERS, AGAINST, YEAR, MANY)

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [show.scenario_info(card, self.options_of(card)) for card in self.cards.values()]

    def card_of(self, scenario: str, rolled: Mapping[str, Any]) -> Scenario:
        return card_of(msgspec.convert(rolled, Rolled)) if rolled else self.cards[scenario]

    def setup(self, scenario: str, options: Mapping[str, str]) -> SquadState:
        setting = find_setting(write_key(self.id, scenario, options))
        return setting.state_type(setting=setting.key, attacker=setting.first, stack=[RollMission()])

    def ruled(self, state: SquadState) -> Sequence[str]:
        return (ENEMY,)

    def decide(self, play: Play[SquadState], frame: Frame, side: str, legal: Sequence[Action]) -> Action:
        return deciding.decide(play, frame, legal)

    def scene_of(self, state: SquadState) -> dict[str, Any] | None:
        return scene.make_scene(setting_of(state)) if rolled_in(state).boards else None

    def faces(self) -> Mapping[str, str]:
        return show.faces()


GAME = SaslGame()
