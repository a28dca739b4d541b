"""Command points (9.0): what a player can order, what it costs, and when a phase ends."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import (
    ActivateAirborne,
    Attack,
    BuildFort,
    ConsultEndRun,
    Drop,
    EndPhase,
    Enter,
    FightMove,
    Move,
    MoveFight,
    Reclaim,
    Replenish,
    SendEndRun,
    ShowTop,
    SupplyByAir,
)
from sandtable.games.underbelly.after_command import finish_command
from sandtable.games.underbelly.airpower import (
    AERIAL_COST,
    AIRBORNE_COST,
    aerial_sites,
    can_drop,
    supply_by_air,
)
from sandtable.games.underbelly.atlas import ADJACENT, BIT, BLOCKED, INDEX, NAMES, NORTH_BITS, SF_HEX, ZONE
from sandtable.games.underbelly.atlas import side as hexside
from sandtable.games.underbelly.data import ALLIED, FORTS, GERMAN, OTHER
from sandtable.games.underbelly.events import Commanded, PhaseBegan, Shown
from sandtable.games.underbelly.model import (
    AIRBORNE,
    ALLIED_BOX,
    ARMY_BOX,
    GERMAN_BOX,
    HISTORICAL,
    AttackDraft,
    BoxDraft,
    Commands,
    DropSite,
    FortSite,
    Interruption,
    Reinforcing,
    TurnEnd,
    UnderbellyState,
)
from sandtable.games.underbelly.movement import hesitant, hesitation, start_move
from sandtable.games.underbelly.replacements import replace_step, replacement_actions
from sandtable.games.underbelly.supply import overland_network
from sandtable.games.underbelly.watch import (
    SEND_COST,
    consult,
    consult_cost,
    end_run_actions,
    judge_withdrawal,
    must_consult,
    obligation,
    of_group,
    send,
)
from sandtable.games.underbelly.zones import UNITS, Field, field

State = UnderbellyState
ALLIED_CP, GERMAN_CP = 7, 6
MOVE_COST, ATTACK_COST, SPECIAL_COST, FORT_COST = 1, 2, 3, 1
FORTS_FROM = 8
_END = EndPhase()
_MOVES = {name: Move(name) for name in NAMES}
_COLUMNS = {name: Move(name, column=True) for name in NAMES}
_MOVE_FIGHTS = {name: MoveFight(name) for name in NAMES}
_SHOW_TOP = {unit: ShowTop(unit) for unit in UNITS}
_ENTER = {
    (box, kind): Enter(box, kind)
    for box in (ALLIED_BOX, GERMAN_BOX, ARMY_BOX)
    for kind in ("move", "column", "move-fight", "end-run")
}


def begin_phase(play: Play[State], side: str) -> None:
    """The start of a CP Expenditure Phase: fresh points, nothing carried over (9.1, 9.2, 9.3)."""
    state = play.state
    state.side = side
    state.cp = ALLIED_CP if side == ALLIED else GERMAN_CP
    state.used.clear()
    state.attacked.clear()
    state.special = ""
    if side == ALLIED:
        state.arranged.clear()
        state.corps = ()
        state.aerial, state.aerial_used, state.bombed = "", False, False
        state.tac, state.tac_on, state.german_tac = 0, False, 0
        state.quiet = False
        if state.airborne == "ready":  # the points paid for an earlier turn are lost (12.9)
            state.airborne = "box"
    else:
        state.replaced.clear()
    play.emit(PhaseBegan(side=side, cp=state.cp))


def begin_german_phase(play: Play[State]) -> None:
    """The German CP Expenditure Phase, which the 82nd may interrupt (12.9)."""
    begin_phase(play, GERMAN)
    if play.state.army == "box" and not play.state.tac_on:  # 5th Panzer Army enters in this turn (9.10)
        play.state.german_tac = 1
    play.replace(Commands(GERMAN))
    if can_drop(play.state):
        play.push(Interruption())


def fresh(state: State, units: Sequence[str], *, move: bool = False) -> Sequence[str]:
    """Units that may still obey a command in this player turn (9.18); Germans may move after replacement (9.17)."""
    used = state.used
    if not used:
        return units
    return [u for u in units if u not in used or (move and used[u] == "replaced" and UNITS[u].side == GERMAN)]


def in_column(state: State, units: Sequence[str]) -> Sequence[str]:
    """The units of a stack that may march in column: not the British while they hesitate (5.5, 12.7)."""
    return [u for u in units if not hesitant(state, u)]


def spendable(state: State, side: str) -> int:
    """CP that are not owed to the End-Run (8.17)."""
    return state.cp - consult_cost(state) if side == ALLIED and must_consult(state) else state.cp


def attack_targets(state: State, now: Field, side: str, at: str, units: Sequence[str]) -> list[str]:
    """Adjacent hexes that these units may attack (3.6, 11.12, 12.10, 13.1, 13.5)."""
    h = INDEX[at]
    enemy = now.occupied(OTHER[side])
    if not ZONE[h] & enemy and (side == ALLIED or not any([ZONE[h] & BIT[INDEX[port]] for port in state.ports])):
        return []
    if not any([UNITS[u].division for u in units]):
        return []
    alpine = any(UNITS[u].division and UNITS[u].mobility == "mountain" for u in units)
    found = []
    for n in ADJACENT[h]:
        name = NAMES[n]
        lone_port = side == GERMAN and name in state.ports
        if not (enemy & BIT[n] or lone_port) or name in state.attacked:
            continue
        if side == GERMAN and state.sf and name == SF_HEX:
            continue
        if hexside(h, n) in BLOCKED and not alpine:
            continue
        found.append(name)
    return found


def attackers_for(at: str, target: str, units: Sequence[str]) -> tuple[str, ...]:
    """The units of an activated stack that can attack a hex: over a blocked hexside only mountain divisions (12.10)."""
    if hexside(INDEX[at], INDEX[target]) in BLOCKED:
        return tuple(u for u in units if UNITS[u].division and UNITS[u].mobility == "mountain")
    return tuple(units)


def box_units(state: State, side: str, box: str) -> list[str]:
    """Units in a holding box that may be commanded (9.16, 9.17, 12.9)."""
    if box not in state.at.values():  # mostly it is empty
        return []
    inside = [u for u, at in state.at.items() if at == box]
    return [
        u for u in inside if UNITS[u].side == side and u not in state.used and not (u == AIRBORNE and not state.dropped)
    ]


def any_in_box(state: State, side: str, box: str) -> bool:
    """Whether a unit in a holding box may be commanded (9.16, 9.17, 12.9)."""
    if box not in state.at.values():  # mostly it is empty
        return False
    used = state.used
    for unit, at in state.at.items():
        if at == box and unit not in used and UNITS[unit].side == side and (unit != AIRBORNE or state.dropped):
            return True
    return False


def can_build_fort(state: State, cp: int) -> bool:
    """Whether the German may construct a fortification at all (9.8)."""
    return state.scenario == HISTORICAL and state.turn >= FORTS_FROM and cp >= FORT_COST and state.forts_built < FORTS


def ordered_commands(state: State) -> list[Action]:
    """Only the forced commitment may be carried out (8.6, 8.8)."""
    box = obligation(state)
    actions: list[Action] = [Enter(box)]
    now = field(state)
    if NORTH_BITS & ~now.allied & ~now.allied_zoc:
        actions.append(Enter(box, "column"))
    stacks = stacks_needed(of_group(state, "5pz", ARMY_BOX)) if box == ARMY_BOX else 1
    if not state.special and state.cp >= SPECIAL_COST + stacks - 1:
        actions.append(Enter(box, "move-fight"))
    return actions


class CommandsProcedure(Procedure[State, Commands]):
    """A player spends his command points in any order (9.19)."""

    def to_act(self, state: State, frame: Commands) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: State, frame: Commands, side: str) -> Sequence[Action]:
        now = field(state)
        cp = spendable(state, side)
        if side == GERMAN and obligation(state):
            return ordered_commands(state)
        actions: list[Action] = []
        if cp >= MOVE_COST:
            overland = overland_network(state, now, side)
            ezoc = now.ezoc(side)
            enemy = now.occupied(OTHER[side])
            if side == GERMAN:
                for port in state.ports:
                    enemy |= BIT[INDEX[port]]
            aerial = state.aerial
            slow = side == ALLIED and hesitation(state)
            for at, bit, _, _, _, stack, _ in now.forces[side]:
                movers = fresh(state, stack, move=True)
                if not movers:
                    continue
                supplied, in_ezoc = overland & bit, ezoc & bit
                if supplied or aerial != at:
                    actions.append(_MOVES[at])
                    if supplied and not in_ezoc and not (slow and not in_column(state, movers)):
                        actions.append(_COLUMNS[at])
                close = bool(ZONE[INDEX[at]] & enemy)
                if cp >= ATTACK_COST and (close or (side == GERMAN and supplied and not in_ezoc)):
                    fighters = movers if side == ALLIED else fresh(state, stack)
                    if fighters:
                        special = bool(supplied) and side == GERMAN and cp >= SPECIAL_COST and not state.special
                        self._fights(state, now, side, at, fighters, actions, (special, bool(in_ezoc), close))
            self._from_boxes(state, side, cp, actions)
            actions += replacement_actions(state, side, cp)
        if side == ALLIED:
            self._allied(state, now, cp, actions)
        elif can_build_fort(state, cp):
            actions.append(BuildFort())
        if not (side == ALLIED and must_consult(state)):
            actions.append(_END)
        return actions

    def _fights(
        self,
        state: State,
        now: Field,
        side: str,
        at: str,
        fighters: Sequence[str],
        actions: list[Action],
        status: tuple[bool, bool, bool],
    ) -> None:
        """The attacks of one stack; its status: special commands allowed, in an enemy zone, close to a target."""
        special, in_ezoc, close = status
        if special and not in_ezoc:
            actions.append(_MOVE_FIGHTS[at])
        for target in attack_targets(state, now, side, at, fighters) if close else ():
            actions.append(Attack(at, target))
            if special and in_ezoc and hexside(INDEX[at], INDEX[target]) not in BLOCKED:
                actions.append(FightMove(at, target))

    def _from_boxes(self, state: State, side: str, cp: int, actions: list[Action]) -> None:
        if side == ALLIED:
            if any_in_box(state, side, ALLIED_BOX):
                actions.append(_ENTER[ALLIED_BOX, "move"])
            return
        for box in (GERMAN_BOX, ARMY_BOX):
            if box == ARMY_BOX and state.army != "in":
                continue
            if not any_in_box(state, side, box):
                continue
            actions += [_ENTER[box, "move"], _ENTER[box, "column"]]
            if cp >= SPECIAL_COST and not state.special:
                actions.append(_ENTER[box, "move-fight"])
            run = state.end_run
            if run.launched and not run.over and any(UNITS[u].group == "10" for u in box_units(state, side, box)):
                actions.append(_ENTER[box, "end-run"])

    def _allied(self, state: State, now: Field, cp: int, actions: list[Action]) -> None:
        if state.tac_on and cp >= AERIAL_COST and not state.aerial_used and state.dropped != state.turn:
            actions += [SupplyByAir(at) for at in aerial_sites(state)]
        if state.tac_on and cp >= AIRBORNE_COST and state.airborne == "box" and state.at[AIRBORNE] == ALLIED_BOX:
            actions.append(ActivateAirborne())
        if can_drop(state):
            actions.append(Drop())
        actions += end_run_actions(state, cp)
        if must_consult(state) and state.cp >= consult_cost(state):
            actions.append(ConsultEndRun())
        for at, _, _, _, _, stack, _ in now.forces[ALLIED]:
            if len(stack) > 1 and at not in state.arranged:
                top = state.top[at]
                actions += [_SHOW_TOP[u] for u in stack if u != top]

    # -- carrying out ---------------------------------------------------------------------

    def apply(self, play: Play[State], frame: Commands, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, EndPhase):
            self._end(play, side)
        elif isinstance(action, Move):
            self._activate(play, side, "column" if action.column else "move", action.at, MOVE_COST)
        elif isinstance(action, MoveFight):
            state.special = "move-fight"
            self._activate(play, side, "move-fight", action.at, SPECIAL_COST)
        elif isinstance(action, (Attack, FightMove)):
            kind = "attack" if isinstance(action, Attack) else "fight-move"
            units = tuple(fresh(state, field(state).stack(action.at)))
            force = attackers_for(action.at, action.target, units)
            play.push(AttackDraft(side, kind, action.at, action.target, force, units))
        elif isinstance(action, Enter):
            self._enter(play, side, action)
        elif isinstance(action, (Replenish, Reclaim)):
            price = replace_step(play, side, action)
            pay(play, side, "replacement", price)
            finish_command(play)
        elif isinstance(action, BuildFort):
            play.push(FortSite())
        else:
            self._apply_allied(play, action)

    def _apply_allied(self, play: Play[State], action: Action) -> None:
        state = play.state
        if isinstance(action, SupplyByAir):
            pay(play, ALLIED, "aerial supply", AERIAL_COST, action.at)
            supply_by_air(play, action.at)
        elif isinstance(action, ActivateAirborne):
            pay(play, ALLIED, "82nd Airborne", AIRBORNE_COST)
            state.airborne = "ready"
        elif isinstance(action, Drop):
            play.push(DropSite())
        elif isinstance(action, SendEndRun):
            pay(play, ALLIED, "End-Run reinforcement", SEND_COST)
            send(play, action.units)
        elif isinstance(action, ConsultEndRun):
            pay(play, ALLIED, "End-Run", consult_cost(state))
            consult(play)
        elif isinstance(action, ShowTop):
            at = state.at[action.unit]
            state.top[at] = action.unit
            state.arranged.append(at)
            play.emit(Shown(unit=action.unit, at=at))

    def _activate(self, play: Play[State], side: str, kind: str, at: str, cost: int) -> None:
        state = play.state
        regular = kind in ("move", "column")
        units = fresh(state, field(state).stack(at), move=regular)
        movers = in_column(state, units) if kind == "column" else units
        pay(play, side, kind, cost, at)
        for unit in movers if state.options.get("withheld") == "free" else units:
            state.used[unit] = kind
        start_move(play, side, kind, at, movers)

    def _enter(self, play: Play[State], side: str, action: Enter) -> None:
        units: tuple[str, ...] = ()
        if side == GERMAN and play.state.ss == "box" and action.box == GERMAN_BOX:
            units = tuple(of_group(play.state, "2ss", GERMAN_BOX))
        play.push(BoxDraft(side, action.box, action.kind, units))

    def _end(self, play: Play[State], side: str) -> None:
        if side == ALLIED:
            play.replace(Reinforcing(GERMAN))
        else:
            judge_withdrawal(play.state)
            play.replace(TurnEnd())


def stacks_needed(units: Sequence[str]) -> int:
    """How many stacks it takes to bring units in (6.3)."""
    divisions = sum(UNITS[u].division for u in units)
    return max(-(-divisions // 3), len(units) - divisions)


def pay(play: Play[State], side: str, what: str, cost: int, at: str = "", *cells: str) -> None:
    """Spend command points and announce it (9.1, 9.19)."""
    play.state.cp -= cost
    play.emit(Commanded(side=side, what=what, cost=cost, at=at, cells=cells))


PART: Part[UnderbellyState] = Part(procedures={Commands: CommandsProcedure()})
