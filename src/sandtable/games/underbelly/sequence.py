"""Sequence of play (5.0): the turns, their beginnings and their ends."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import (
    ActivateTac,
    Decline,
    DeclineTac,
    DesignateCorps,
    LaunchEndRun,
    OpenBari,
)
from sandtable.games.underbelly.airpower import TAC_COST, open_commands
from sandtable.games.underbelly.atlas import BARI, NAPLES, NEAR_BARI, NEAR_NAPLES, PAESTUM, SALERNO
from sandtable.games.underbelly.commands import pay
from sandtable.games.underbelly.data import ALLIED, LAST_TURN, markers, tables
from sandtable.games.underbelly.events import (
    Died,
    PortOpened,
    Raid,
    SfLeft,
    SupplySwitched,
    TurnBegan,
)
from sandtable.games.underbelly.model import (
    HISTORICAL,
    WAT,
    BariChoice,
    LaunchDraft,
    Opening,
    Plotting,
    Reinforcing,
    TurnEnd,
    TurnStart,
    UnderbellyState,
)
from sandtable.games.underbelly.places import lose_port, settle_control
from sandtable.games.underbelly.stacking import is_mixed
from sandtable.games.underbelly.victory import (
    DEADLINE,
    deadline_passed,
    judge_control,
    judge_end,
    last_supply_check,
    win,
)
from sandtable.games.underbelly.watch import can_launch, decide_scenario, muster_army, muster_ss
from sandtable.games.underbelly.zones import field

State = UnderbellyState
RAIDS_FROM = 21


class TurnStartProcedure(Procedure[State, TurnStart]):
    """Before a turn: scenario, SS corps, 5th Panzer Army, Luftwaffe raid (8.2, 8.5, 8.7, 11.11)."""

    def run(self, play: Play[State], frame: TurnStart) -> None:
        state = play.state
        state.side, state.cp = ALLIED, 0
        play.emit(TurnBegan(turn=state.turn))
        plot = False
        if state.turn == 2:
            decide_scenario(play)
            plot = state.scenario == WAT
        if state.scenario == WAT:
            muster_ss(play)
            muster_army(play)
        if state.turn >= RAIDS_FROM and not state.raided:
            self._raid(play)
        if state.outcome is None:
            play.replace(Plotting() if plot else Reinforcing(ALLIED))

    def _raid(self, play: Play[State]) -> None:
        """The first 1 to 5 is the only raid of the game; it fails if no marker is there (11.11)."""
        state = play.state
        ports = tables()["raid"]["wat" if state.scenario == WAT else "historical"]["ports"]
        (die,) = play.roll(10, 1, "Luftwaffe port raid on 1 to 5", by="german")
        if die > len(ports):
            return
        state.raided = True
        at = ports[die - 1]
        sunk = at in state.ports
        play.emit(Raid(at=at, sunk=sunk))
        if sunk:
            lose_port(play, at, "Luftwaffe raid")
            settle_control(play)


class OpeningProcedure(Procedure[State, Opening]):
    """What must be decided at the very start of the Allied CP Expenditure Phase (6.5, 8.11, 8.14, 9.9)."""

    def to_act(self, state: State, frame: Opening) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: State, frame: Opening, side: str) -> Sequence[Action]:
        actions: list[Action] = [ActivateTac()]
        if not state.end_run.launched:
            actions.append(DeclineTac())
        if can_launch(state):
            actions.append(LaunchEndRun())
        if not state.corps:
            stacks = [(force[0], force[5]) for force in field(state).forces[ALLIED] if len(force[5]) > 1]
            actions += [DesignateCorps(at) for at, stack in stacks if is_mixed(stack)]
        return actions

    def apply(self, play: Play[State], frame: Opening, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, DesignateCorps):
            state.corps = tuple(field(state).stack(action.at))
            pay(play, ALLIED, "multi-national corps", 0, action.at)
        elif isinstance(action, LaunchEndRun):
            play.push(LaunchDraft())
        elif isinstance(action, ActivateTac):
            pay(play, ALLIED, "TAC", TAC_COST)
            open_commands(play, tac=True)
        else:
            pay(play, ALLIED, "no TAC", 0)
            open_commands(play, tac=False)


def switch_due(state: State) -> bool:
    """Whether the Salerno/Paestum-Naples supply switch takes place at the end of this turn (11.9)."""
    if state.switched or field(state).german & NEAR_NAPLES:
        return False
    return state.options.get("naples_switch") != "controlled" or state.control[NAPLES] == ALLIED


def switch_supply(play: Play[State]) -> None:
    """The markers of Salerno and Paestum go, the US one is placed in Naples, the SF unit leaves (3.6, 11.9)."""
    state = play.state
    state.switched = state.turn
    us = [at for at in (PAESTUM, SALERNO) if state.ports.get(at) == "us"]
    for at in (SALERNO, PAESTUM):
        state.ports.pop(at, None)
    if us:
        state.ports[NAPLES] = "us"
    play.emit(SupplySwitched(turn=state.turn))
    if state.sf:
        state.sf = False
        play.emit(SfLeft(why="the supply switch"))
    settle_control(play)


def bari_open(state: State) -> bool:
    """Whether the Bari marker may be placed now (11.10)."""
    return (
        BARI not in state.ports
        and not state.bari_placed
        and state.control[BARI] == ALLIED
        and not field(state).german & NEAR_BARI
    )


class TurnEndProcedure(Procedure[State, TurnEnd]):
    """The end of a game turn: supply switch, Bari, and the final reckoning (5.1, 5.3, 11.9, 11.10)."""

    def run(self, play: Play[State], frame: TurnEnd) -> None:
        state = play.state
        if frame.stage == 0:
            play.replace(replace(frame, stage=1))
            if switch_due(state):
                switch_supply(play)
            if state.outcome is None and bari_open(state):
                play.push(BariChoice())
        elif deadline_passed(state):
            win(state, "german", f"No supply switch to Naples by the end of turn {DEADLINE}", "11.9")
        elif state.turn == LAST_TURN:
            if state.scenario == HISTORICAL:
                for unit in last_supply_check(state):
                    play.emit(Died(unit=unit, why="out of supply at the end"))
                judge_control(state)
            judge_end(state)
        else:
            state.turn += 1
            play.replace(TurnStart())


class BariChoiceProcedure(Procedure[State, BariChoice]):
    """The Allied player may place the Bari marker; he need not (11.10)."""

    def to_act(self, state: State, frame: BariChoice) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: State, frame: BariChoice, side: str) -> Sequence[Action]:
        return (OpenBari(), Decline())

    def apply(self, play: Play[State], frame: BariChoice, side: str, action: Action) -> None:
        if isinstance(action, OpenBari):
            play.state.bari_placed = True
            play.state.ports[BARI] = markers()["PORT-BARI"]["group"]
            play.emit(PortOpened(at=BARI))
        play.pop()


PART: Part[UnderbellyState] = Part(
    procedures={
        TurnStart: TurnStartProcedure(),
        Opening: OpeningProcedure(),
        TurnEnd: TurnEndProcedure(),
        BariChoice: BariChoiceProcedure(),
    }
)
