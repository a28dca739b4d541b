"""What bars a command, and what a player may look for in vain: legal is what nothing bars."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.part import Bar, BarKey, WhyNot
from sandtable.engine.view import Refusal
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import BIT, BLOCKED, CITY, INDEX, MARSH, SF_HEX, TERRAIN
from sandtable.games.underbelly.atlas import side as hexside
from sandtable.games.underbelly.commands import (
    ATTACK_COST,
    FORT_COST,
    FORTS_FROM,
    MOVE_COST,
    SPECIAL_COST,
    attack_targets,
    can_build_fort,
    fresh,
    in_column,
    ordered_commands,
    spendable,
)
from sandtable.games.underbelly.data import ALLIED, FORTS, GERMAN, OTHER
from sandtable.games.underbelly.drafts import fort_sites, joinable
from sandtable.games.underbelly.replacements import replacement_actions
from sandtable.games.underbelly.stacking import within_limits
from sandtable.games.underbelly.supply import OVERLAND, overland_network, supply_state
from sandtable.games.underbelly.watch import must_consult, obligation
from sandtable.games.underbelly.wording import names, unit_name, where
from sandtable.games.underbelly.zones import UNITS, field

State = m.UnderbellyState


def obligation_bar(state: State, side: str, action: Action) -> Bar | None:
    """A corps that must enter the map comes before all other commands (8.6, 8.8)."""
    if side == GERMAN and obligation(state) and action not in ordered_commands(state):
        return "The assembled corps must enter the map before any other command", "8.6" if state.ss == "box" else "8.8"
    return None


def _stack_bar(state: State, side: str, at: str, price: int, *, move: bool = False) -> Bar | None:
    """No units, not enough CP, or a command carried out already (9.1, 9.4, 9.18)."""
    stack = field(state).stack(at)
    if not stack or UNITS[stack[0]].side != side:
        return f"You have no units in {where(at)}", "9.4"
    cp = spendable(state, side)
    if cp < price:
        return f"This costs {price} CP and you can spend {cp}", "9.1"
    if not fresh(state, stack, move=move):
        return f"The units in {where(at)} have carried out a command in this player turn", "9.18"
    return None


def column_bar(state: State, side: str, at: str) -> Bar | None:
    """Why a force may not move in column (5.5, 12.7)."""
    now = field(state)
    units = fresh(state, now.stack(at), move=True)
    if now.in_ezoc(side, at):
        return "A column may not start in an enemy zone of control", "12.7"
    if not in_column(state, units):
        return "British units do not use column movement in turns 2 to 5", "5.5"
    if any(supply_state(state, u, now) not in OVERLAND for u in units):
        return "A column needs regular overland supply", "12.7"
    return None


def move_bar(state: State, side: str, action: a.Move) -> Bar | None:
    """Why a stack may not move (9.4, 11.7, 12.7)."""
    barred = _stack_bar(state, side, action.at, MOVE_COST, move=True)
    if barred is None and action.column:
        barred = column_bar(state, side, action.at)
    if barred is None and state.aerial == action.at:
        now = field(state)
        if not overland_network(state, now, side) & BIT[INDEX[action.at]]:
            return "A force on aerial supply may not move", "11.7"
    return barred


def _special_bar(state: State, side: str, at: str, rule: str) -> Bar | None:
    """What move-fights and fight-moves have in common (9.6, 9.7)."""
    now = field(state)
    if side == ALLIED:
        return "Only the German player has this command", rule
    if state.special:
        return f"There has been a {state.special} in this phase already", rule
    if supply_state(state, now.stack(at)[0], now) not in OVERLAND:
        return "The force must be in regular overland supply", rule
    return None


def move_fight_bar(state: State, side: str, action: a.MoveFight) -> Bar | None:
    """Why there is no move-fight (9.6)."""
    barred = _stack_bar(state, side, action.at, SPECIAL_COST) or _special_bar(state, side, action.at, "9.6")
    if barred is None and field(state).in_ezoc(side, action.at):
        return "The force may not start in an enemy zone of control", "9.6"
    return barred


def fight_move_bar(state: State, side: str, action: a.FightMove) -> Bar | None:
    """Why there is no fight-move (9.7, 12.10)."""
    barred = _stack_bar(state, side, action.at, SPECIAL_COST) or _special_bar(state, side, action.at, "9.7")
    if barred is None and not field(state).in_ezoc(side, action.at):
        return "The force must start in an enemy zone of control", "9.7"
    barred = barred or _target_bar(state, side, action.at, action.target)
    if barred is None and hexside(INDEX[action.at], INDEX[action.target]) in BLOCKED:
        return "A fight-move does not lead over a blocked hexside", "12.10"
    return barred


def attack_bar(state: State, side: str, action: a.Attack) -> Bar | None:
    """Why there is no attack (9.5)."""
    return _stack_bar(state, side, action.at, ATTACK_COST) or _target_bar(state, side, action.at, action.target)


def _target_bar(state: State, side: str, at: str, target: str) -> Bar | None:
    """Why a hex cannot be attacked from another (3.6, 12.10, 13.1, 13.5)."""
    now = field(state)
    h, t = INDEX.get(at), INDEX.get(target)
    if h is None or t is None:
        return "There is no such hex on the map", "2.3"
    units = fresh(state, now.stack(at))
    if target in attack_targets(state, now, side, at, units):
        return None
    if not now.occupied(OTHER[side]) & BIT[t]:
        return f"There is nobody to attack in {where(target)}", "13.1"
    if target in state.attacked:
        return f"{where(target)} has already been attacked in this phase", "13.1"
    if side == GERMAN and state.sf and target == SF_HEX:
        return "The Special Forces keep the Germans out of 2823", "3.6"
    if not any(UNITS[u].division for u in units):
        return "Corps support never attacks alone", "13.5"
    if hexside(h, t) in BLOCKED:
        return "Only mountain divisions attack over a blocked hexside", "12.10"
    return f"{where(target)} is not adjacent by land", "13.1"


def end_bar(state: State, side: str, action: a.EndPhase) -> Bar | None:
    """Why the phase may not end yet (8.17)."""
    if side == ALLIED and must_consult(state):
        return "The End-Run table must be consulted before the phase ends", "8.17"
    return None


def replacement_bar(state: State, side: str, action: a.Replenish | a.Reclaim) -> Bar | None:
    """Why a unit gets no replacement step (9.16, 9.17, 9.18)."""
    if action in replacement_actions(state, side, spendable(state, side)):
        return None
    if action.unit in state.used:
        return f"{unit_name(action.unit)} has carried out a command in this player turn", "9.18"
    return "No replacement is possible for this unit now", "9.16" if side == ALLIED else "9.17"


def build_bar(state: State, side: str, action: a.BuildFort) -> Bar | None:
    """Why no fortification is built (9.8)."""
    cp = spendable(state, side)
    if side == GERMAN and can_build_fort(state, cp):
        return None
    if state.scenario != m.HISTORICAL or state.turn < FORTS_FROM:
        return f"Fortifications are built in the Historical scenario from turn {FORTS_FROM} on", "9.8"
    if side == ALLIED:
        return "Only the German player builds fortifications", "9.8"
    if cp < FORT_COST:
        return f"This costs {FORT_COST} CP and you can spend {cp}", "9.8"
    return f"All {FORTS} fortifications are built", "9.8"


def fort_bar(state: State, side: str, action: a.Site) -> Bar | None:
    """Why a hex cannot be fortified (9.8)."""
    h = INDEX.get(action.at)
    if h is None or CITY[h] or TERRAIN[h] == MARSH:
        return "Fortifications cannot be built in city or marsh hexes", "9.8"
    if action.at in state.forts:
        return "There is a fortification in this hex already", "9.8"
    if action.at not in fort_sites(state):
        return "The hex must be in supply, and in an Allied zone of control it must hold a German unit", "9.8"
    return None


def add_bar(state: State, side: str, action: a.Add) -> Bar | None:
    """Why a unit does not join the stack that is being put together (6.3, 9.4)."""
    frame = state.stack[-1]
    assert isinstance(frame, m.BoxDraft)
    if action.unit in joinable(state, frame):
        return None
    if not within_limits((*frame.units, action.unit) if action.unit in UNITS else frame.units):
        return "Three divisions and one corps support unit are the most that stack", "6.3"
    return f"{action.unit} is not at hand in this box", "9.4"


BARS: dict[BarKey, WhyNot] = {
    m.Commands: obligation_bar,
    (m.Commands, a.Move): move_bar,
    (m.Commands, a.MoveFight): move_fight_bar,
    (m.Commands, a.Attack): attack_bar,
    (m.Commands, a.FightMove): fight_move_bar,
    (m.Commands, a.EndPhase): end_bar,
    (m.Commands, a.Replenish): replacement_bar,
    (m.Commands, a.Reclaim): replacement_bar,
    (m.Commands, a.BuildFort): build_bar,
    (m.FortSite, a.Site): fort_bar,
    (m.BoxDraft, a.Add): add_bar,
}


# -- what is looked for in vain -----------------------------------------------------------


def refusals(state: State, side: str, frame: m.Commands) -> list[Refusal]:
    """The commands that players ask for most often and that are not possible now."""
    found = _stacks(state, side)
    if side == ALLIED and must_consult(state):
        found.append(Refusal("End the phase", "The End-Run table must be consulted first", "8.17"))
    if side == GERMAN and obligation(state):
        found.append(Refusal("Any other command", "The assembled corps must enter the map first", "8.6"))
    if side == GERMAN and state.scenario == m.HISTORICAL and state.turn < FORTS_FROM:
        found.append(Refusal("Construct a fortification", f"Only from turn {FORTS_FROM} on", "9.8"))
    return found


def _stacks(state: State, side: str) -> list[Refusal]:
    found: list[Refusal] = []
    for at, stack in field(state).stacks.items():
        if UNITS[stack[0]].side != side:
            continue
        if not fresh(state, stack, move=True):
            text = f"Command {names(stack)}"
            reason = "They have carried out a command in this player turn"
            found.append(Refusal(text, reason, "9.18", tuple(stack), (at,)))
            continue
        barred = column_bar(state, side, at)
        if barred:
            found.append(Refusal(f"Column movement from {where(at)}", *barred, tuple(stack), (at,)))
    return found
