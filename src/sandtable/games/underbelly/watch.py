"""Watch on the Tiber and the End-Run (8.0)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Add, Begin, Cancel, Plot, SendEndRun
from sandtable.games.underbelly.airpower import airbases, open_commands
from sandtable.games.underbelly.data import ALLIED, GERMAN, LAST_TURN, tables
from sandtable.games.underbelly.events import (
    Assembled,
    Commanded,
    EndRunJoined,
    EndRunLaunched,
    EndRunRolled,
    Plotted,
    ScenarioDecided,
)
from sandtable.games.underbelly.model import (
    AIRBORNE,
    ALLIED_BOX,
    ARMY_BOX,
    ASIDE,
    END_RUN_BOX,
    GERMAN_BOX,
    GONE,
    HISTORICAL,
    WAT,
    LaunchDraft,
    Plotting,
    Reinforcing,
    UnderbellyState,
)
from sandtable.games.underbelly.places import relocate
from sandtable.games.underbelly.victory import forfeit, judge_control, win
from sandtable.games.underbelly.zones import UNITS, field

FIRST_PLOT, LAST_PLOT = 13, 22
WAVE, WAVE_SUPPORT, WAVE_LIMIT = 4, 1, 6
LAUNCH_COST, CONSULT_COST, SEND_COST = 3, 2, 1
ARMY_SIZE = 15
"""14 ground units and one aircraft (8.7)."""


def decide_scenario(play: Play[UnderbellyState]) -> None:
    """Between the first two turns the die, or the players' agreement, picks the scenario (8.1, 8.2, 8.3, 8.4)."""
    state = play.state
    if state.agreed:
        state.scenario = state.agreed
    else:
        (die,) = play.roll(10, 1, "Scenario: 1 to 5 Historical, 6 to 10 Watch on the Tiber", by=GERMAN)
        state.scenario = HISTORICAL if die <= 5 else WAT
    other = WAT if state.scenario == HISTORICAL else HISTORICAL
    for unit, kind in UNITS.items():
        if kind.scenario == other and unit in state.at:
            state.at[unit] = GONE
    play.emit(ScenarioDecided(scenario=state.scenario))
    judge_control(state)


def of_group(state: UnderbellyState, group: str, place: str) -> list[str]:
    """Units of a German organisation in a place."""
    return [u for u, at in state.at.items() if at == place and UNITS[u].group == group]


def muster_ss(play: Play[UnderbellyState]) -> None:
    """II SS Panzer Corps comes on 1-4 before turn 3, on 1-8 before turn 4, and surely before turn 5 (8.5)."""
    state = play.state
    if state.ss != "aside" or not 3 <= state.turn <= 5:
        return
    limit = {3: 4, 4: 8}.get(state.turn)
    if limit is not None:
        (die,) = play.roll(10, 1, f"II SS Panzer Corps on 1 to {limit}", by=GERMAN)
        if die > limit:
            return
    units = of_group(state, "2ss", ASIDE)
    for unit in units:
        state.at[unit] = GERMAN_BOX
    state.ss = "box"
    play.emit(Assembled(units=tuple(units), corps="II SS Panzer Corps"))


def muster_army(play: Play[UnderbellyState]) -> None:
    """5th Panzer Army assembles by half a die before turns 6 and 9 and every turn from 11 on (8.7)."""
    state = play.state
    if state.army != "aside" or not (state.turn in (6, 9) or state.turn >= 11):
        return
    (die,) = play.roll(10, 1, "5th Panzer Army assembles half as many units", by=GERMAN)
    room = ARMY_SIZE - state.assembled
    number = min(die // 2, room)
    ground = of_group(state, "5pz", ASIDE)[:number]
    for unit in ground:
        state.at[unit] = ARMY_BOX
    state.assembled += number
    if state.assembled == ARMY_SIZE:
        state.army = "box"
    play.emit(Assembled(units=tuple(ground), corps="5th Panzer Army"))


class PlottingProcedure(Procedure[UnderbellyState, Plotting]):
    """The Allied player writes down his plan; nobody else sees it (8.9, 8.10)."""

    def to_act(self, state: UnderbellyState, frame: Plotting) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: UnderbellyState, frame: Plotting, side: str) -> Sequence[Action]:
        return [Plot(0), *(Plot(turn) for turn in range(FIRST_PLOT, LAST_PLOT + 1))]

    def apply(self, play: Play[UnderbellyState], frame: Plotting, side: str, action: Plot) -> None:
        play.state.end_run = replace(play.state.end_run, plotted=True, turn=action.turn)
        play.emit(Plotted())
        play.emit(Plotted(turn=action.turn, to=(ALLIED,)))
        play.replace(Reinforcing(ALLIED))


# -- launching and reinforcing ------------------------------------------------------------


def embarkable(state: UnderbellyState) -> list[str]:
    """Full-strength divisions and corps support that may sail: in the box, or in a port free of enemy zones (8.13)."""
    now = field(state)
    ports = [at for at in state.ports if not now.in_ezoc(ALLIED, at)]
    return [
        u
        for u, at in state.at.items()
        if UNITS[u].side == ALLIED
        and (at == ALLIED_BOX or at in ports)
        and state.steps[u] == UNITS[u].steps
        and u not in state.used
        and not (u == AIRBORNE and state.dropped)
    ]


def can_launch(state: UnderbellyState) -> bool:
    """Whether the plotted turn has come and the first wave can be found (8.11, 8.12, 8.13)."""
    run = state.end_run
    if state.scenario != WAT or run.launched or not run.turn or run.turn != state.turn or state.cp < LAUNCH_COST:
        return False
    units = embarkable(state)
    divisions = sum(UNITS[u].division for u in units)
    return divisions >= WAVE and len(units) - divisions >= WAVE_SUPPORT


def boardable(state: UnderbellyState, frame: LaunchDraft) -> list[str]:
    """Units that can still join the first wave (8.13)."""
    divisions = sum(UNITS[u].division for u in frame.units)
    support = len(frame.units) - divisions
    return [
        u
        for u in embarkable(state)
        if u not in frame.units and (divisions < WAVE if UNITS[u].division else support < WAVE_SUPPORT)
    ]


class LaunchDraftProcedure(Procedure[UnderbellyState, LaunchDraft]):
    """The first wave: four full-strength divisions and one corps support unit (8.13)."""

    def to_act(self, state: UnderbellyState, frame: LaunchDraft) -> tuple[str, ...]:
        return (ALLIED,)

    def actions(self, state: UnderbellyState, frame: LaunchDraft, side: str) -> Sequence[Action]:
        divisions = sum(UNITS[u].division for u in frame.units)
        support = len(frame.units) - divisions
        actions: list[Action] = [Add(u) for u in boardable(state, frame)]
        if divisions == WAVE and support == WAVE_SUPPORT:
            actions.append(Begin())
        return [*actions, Cancel()]

    def apply(self, play: Play[UnderbellyState], frame: LaunchDraft, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, Add):
            play.replace(LaunchDraft((*frame.units, action.unit)))
        elif isinstance(action, Cancel):
            play.pop()
        else:
            state.end_run = replace(state.end_run, launched=state.turn)
            state.cp -= LAUNCH_COST
            play.emit(Commanded(side=ALLIED, what="End-Run", cost=LAUNCH_COST))
            play.emit(EndRunLaunched(units=frame.units))
            ship(play, frame.units)
            play.pop()
            open_commands(play, tac=True)


def ship(play: Play[UnderbellyState], units: Sequence[str]) -> None:
    """Send units to the End-Run holding box, stack by stack."""
    for unit in units:
        relocate(play, (unit,), END_RUN_BOX)


def end_run_actions(state: UnderbellyState, cp: int) -> list[Action]:
    """Reinforcing the End-Run with up to two full-strength divisions in all (8.15)."""
    run = state.end_run
    if not run.launched or run.over or run.launched >= state.turn or cp < SEND_COST:
        return []
    room = WAVE_LIMIT - WAVE - run.reinforced
    if room < 1:
        return []
    new = str(state.turn)  # those who arrived in this player turn did not begin it in the box
    divisions = [u for u in embarkable(state) if UNITS[u].division and UNITS[u].setup != new]
    actions: list[Action] = [SendEndRun((u,)) for u in divisions]
    if room >= 2:
        actions += [SendEndRun(pair) for pair in combinations(divisions, 2) if state.at[pair[0]] == state.at[pair[1]]]
    return actions


def send(play: Play[UnderbellyState], units: Sequence[str]) -> None:
    """Carry out a reinforcement of the End-Run (8.15)."""
    state = play.state
    state.end_run = replace(state.end_run, reinforced=state.end_run.reinforced + len(units))
    ship(play, units)
    play.emit(EndRunJoined(side=ALLIED, units=tuple(units)))


# -- resolution ---------------------------------------------------------------------------


def must_consult(state: UnderbellyState) -> bool:
    """Whether the Allied player still owes a roll on the End-Run table in this phase (8.17)."""
    run = state.end_run
    return bool(run.launched) and not run.over and run.launched < state.turn and run.consulted < state.turn


def consult_cost(state: UnderbellyState) -> int:
    """The first roll is free, every later one costs two CP (8.17)."""
    return CONSULT_COST if state.end_run.consulted else 0


def end_run_tally(state: UnderbellyState) -> Tally:
    """What is added to the die on the End-Run table (8.17)."""
    chart = tables()["end_run_modifiers"]
    box = [u for u, at in state.at.items() if at == END_RUN_BOX]
    divisions = sum(UNITS[u].side == ALLIED and UNITS[u].division for u in box)
    steps = sum(state.steps[u] for u in box if UNITS[u].side == GERMAN)
    more, per = chart["division_beyond_four"], chart["german_steps"]
    return Tally.of(
        "End-Run",
        [
            ("divisions beyond four", more["value"] * min(max(divisions - WAVE, 0), more["limit"]), "8.17"),
            ("no German unit there", chart["no_german"]["value"] if not steps else 0, "8.17"),
            ("Naples and Foggia Allied", chart["both_airbases"]["value"] if airbases(state) == 2 else 0, "8.17"),
            ("German steps there", per["value"] * min(steps // per["each"], per["limit"]), "8.17"),
            ("winter seas", chart["winter"]["value"] if state.turn >= chart["winter"]["from_turn"] else 0, "8.17"),
        ],
    )


def consult(play: Play[UnderbellyState]) -> None:
    """Roll on the End-Run Invasion Table (8.17, 8.18)."""
    state = play.state
    tally = end_run_tally(state)
    (die,) = play.roll(10, 1, "End-Run Invasion Table", by=ALLIED, tally=tally)
    result = die + int(tally.total)
    chart = tables()["end_run"]
    run = replace(state.end_run, consulted=state.turn)
    steps = 0
    if result >= chart["win"]["least"]:
        win(state, ALLIED, "The End-Run has broken the German position in the north", "8.17")
    elif result <= chart["lose"]["most"]:
        win(state, GERMAN, "The End-Run has been thrown back into the sea", "8.17")
    elif result >= 8:
        row = chart["nine" if result == 9 else "eight"]
        steps = row["steps"]
        deadline = min(state.turn + row["turns"] - 1, LAST_TURN)
        run = replace(run, over=True, demanded=steps, deadline=deadline)
    state.end_run = run
    play.emit(EndRunRolled(result=result, steps=steps))


def judge_withdrawal(state: UnderbellyState) -> None:
    """The German forfeits if he has not withdrawn the steps in time (8.18)."""
    run = state.end_run
    if run.demanded and state.turn >= run.deadline:
        forfeit(state, GERMAN, f"{run.demanded} steps were not withdrawn to the north in time", "8.18")


# -- forced commitment --------------------------------------------------------------------


def obligation(state: UnderbellyState) -> str:
    """The box that the German must empty first in this phase (8.6, 8.8)."""
    if state.ss == "box":
        return GERMAN_BOX
    if state.army == "box":
        return ARMY_BOX
    return ""


def settle_obligations(state: UnderbellyState) -> None:
    """See whether the forced commitments have been carried out (8.6, 8.8)."""
    if state.ss == "box" and not of_group(state, "2ss", GERMAN_BOX):
        state.ss = "in"
    if state.army == "box" and not of_group(state, "5pz", ARMY_BOX):
        state.army = "in"


PART: Part[UnderbellyState] = Part(
    procedures={
        Plotting: PlottingProcedure(),
        LaunchDraft: LaunchDraftProcedure(),
    }
)
