"""Leaving close combat in words: what may be done, with which chances, what happened, and why not (A11.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Tally
from sandtable.engine.odds import sum_of_dice
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, OddsLine, Preview, Refusal
from sandtable.games.asl.leaving.model import (
    AMBUSHES,
    INFILTRATES,
    WITHDRAWING,
    WITHDRAWS,
    LeaveTo,
    Leaving,
    LeftCombat,
    NoWayOut,
    StayAndFight,
    StayInMelee,
    Withdraw,
    WithdrawalDeclared,
    Withdrawing,
)
from sandtable.games.asl.leaving.who import (
    becoming_cx,
    firsts,
    going_from,
    left_behind,
    lines_against,
    must_withdraw,
    refuge_bar,
    withdraw_bar,
)
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.strengths import Assault
from sandtable.games.squad.ground.knowledge import known_to, under_question
from sandtable.games.squad.ground.names import names, short, verb
from sandtable.games.squad.ground.setting import ground_of, other_side, unit_kind
from sandtable.games.squad.ground.stacks import has_enemy, name_of, sharing_room, units_at
from sandtable.games.squad.part import ALL
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import SquadState, Unit

RULES = {WITHDRAWS: "A11.21", INFILTRATES: "A11.22", AMBUSHES: "A11.41"}
LOST, LESS, AWAY = "eliminated", "reduced", "none"


# -- chances ------------------------------------------------------------------------------


def worst_attack(state: SquadState, unit: Unit, going: set[str]) -> Assault | None:
    """The attack of all Known enemies on a unit while these units of its side withdraw; None if nobody can attack."""
    foe = other_side(state, unit.side)
    known = {one.id for one in units_at(state, unit.at, foe) if known_to(state, unit.side, one) == ALL}
    blocks = strengths.blocks_of(state, unit.at, foe, strengths.default_pairs(state, unit.at, foe, known)).values()
    able = [block for block in blocks if block.base.id in known and strengths.may_attack(state, block)]
    # a leader who stands alone does not join the attack of a MMC (3.8)
    attackers = [block for block in able if unit_kind(state, block.base).mmc] or able
    if not attackers:
        return None
    figures = strengths.assault_of(state, attackers, [strengths.Block(unit)])
    # the lines of those who have declared so far make way for the lines of this question
    items = [(item.label, item.value, item.rule) for item in figures.drm.items if item.rule != "A11.2"]
    return figures._replace(drm=Tally.of(figures.drm.title, [*items, *lines_against(state, [unit], going)]))


def fate(figures: Assault | None) -> dict[str, float]:
    """The exact chances of an attack."""
    found = {LOST: 0.0, LESS: 0.0, AWAY: 0.0}
    if figures is None:
        return found | {AWAY: 1.0}
    for dr, chance in sum_of_dice(2).items():
        found[strengths.result_of(figures.kill, dr + int(figures.drm.total))] += float(chance)
    return found


def preview(state: SquadState, side: str, action: Withdraw) -> Preview | None:
    """What the enemies can do to a unit that withdraws, and what they could if it stayed (A11.2)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side or unit.at < 0:
        return None
    going = going_from(state, unit.at, side)
    attack, staying = worst_attack(state, unit, going | {unit.id}), worst_attack(state, unit, going - {unit.id})
    chances, stays = fate(attack), fate(staying)
    odds = (
        OddsLine("gets away unhurt", chances[AWAY], unit.id),
        OddsLine("Casualty Reduction", chances[LESS], unit.id),
        OddsLine("eliminated", chances[LOST], unit.id),
    )
    tallies = (attack.attack, attack.defence, attack.drm) if attack is not None else ()
    notes = (
        "If all enemies attack only this unit, which makes no attack itself",
        f"The same attack if it stays: {stays[LOST]:.0%} eliminated, {stays[LESS]:.0%} Casualty Reduction",
    )
    return Preview(f"Withdrawal of {short(state, unit)}", tallies, odds, notes)


# -- descriptions -------------------------------------------------------------------------


def describe_withdraw(state: SquadState, side: str, action: Withdraw) -> Description:
    """A unit is declared to withdraw."""
    where = name_of(state, state.units[action.unit].at)
    return Description(f"{short(state, action.unit)} withdraws", "combat", (action.unit,), (where,), rule="A11.2")


def describe_stay(state: SquadState, side: str, action: StayInMelee) -> Description:
    """It stays after all."""
    where = name_of(state, state.units[action.unit].at)
    return Description(f"{short(state, action.unit)} stays in Melee", "cancel", (action.unit,), (where,), rule="A11.2")


def describe_done(state: SquadState, side: str, action: Done) -> Description:
    """Nobody else withdraws."""
    return Description("Fight the close combats", "done", rule="A11.2", key="Enter")


def _party(state: SquadState, action: LeaveTo) -> tuple[str, ...]:
    frame = state.stack[-1]
    groups = frame.groups if isinstance(frame, Leaving) else ()
    found = next((group for group in groups if action.unit in group), (action.unit,))
    return tuple([name for name in found if name in state.units])


def describe_leave(state: SquadState, side: str, action: LeaveTo) -> Description:
    """Where units go, and what awaits them there."""
    frame = state.stack[-1]
    assert isinstance(frame, Leaving)
    who = _party(state, action)
    units = [state.units[name] for name in who]
    notes = []
    if cx := becoming_cx(state, units, action.to):
        notes.append(f"{names(state, cx)} {verb(cx, 'becomes', 'become')} CX")
    if left := left_behind(state, units):
        notes.append(f"{names(state, left)} {verb(left, 'stays', 'stay')} behind")
    if any([one.side != side and under_question(state, one) for one in sharing_room(state, action.to)]):
        notes.append('A "?" is there: units that withdraw into real enemies are eliminated')
    where = name_of(state, action.to)
    text = f"{names(state, who)} {verb(who, 'leaves', 'leave')} for {where}"
    cells = (name_of(state, frame.at), where)
    return Description(text, "combat", who, cells, rule=RULES[frame.why], notes=tuple(notes))


def describe_fight(state: SquadState, side: str, action: StayAndFight) -> Description:
    """They stay."""
    frame = state.stack[-1]
    where = name_of(state, frame.at) if isinstance(frame, Leaving) else ""
    rule = RULES[frame.why] if isinstance(frame, Leaving) else "A11.22"
    return Description(f"Stay in {where}", "done", cells=(where,), rule=rule, key="Enter")


# -- why not --------------------------------------------------------------------------------


def withdraw_refused(state: SquadState, side: str, action: Withdraw) -> Bar | None:
    """Why a unit does not withdraw."""
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, Withdrawing) or unit is None:
        return ("Withdrawal is declared at the start of the Close Combat Phase", "A11.2")
    if unit.side != side:
        return ("It is an enemy", "A11.2")
    if WITHDRAWING in unit.marks:
        return ("It is already withdrawing", "A11.2")
    return withdraw_bar(state, unit)


def stay_refused(state: SquadState, side: str, action: StayInMelee) -> Bar | None:
    """Why a declaration is not taken back."""
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, Withdrawing) or unit is None or unit.side != side or WITHDRAWING not in unit.marks:
        return ("Only a Withdrawal that has just been declared is taken back", "A11.2")
    return ("Broken units in Melee must withdraw", "A11.16") if must_withdraw(state, unit) else None


def leave_refused(state: SquadState, side: str, action: LeaveTo) -> Bar | None:
    """Why units do not leave for a Location."""
    frame = state.stack[-1]
    if not isinstance(frame, Leaving) or frame.side != side or action.unit not in firsts(state, frame):
        return ("That unit does not leave a close combat now", "A11.21")
    if action.to not in ground_of(state).near[frame.at]:
        return ("Units that leave a close combat go one hex", "A11.21")
    return refuge_bar(state, [state.units[name] for name in _party(state, action)], action.to)


def fight_refused(state: SquadState, side: str, action: StayAndFight) -> Bar | None:
    """Why units cannot stay."""
    frame = state.stack[-1]
    if isinstance(frame, Leaving) and frame.why == WITHDRAWS and has_enemy(state, frame.at, side, known=False):
        return ("A declared Withdrawal is carried out while enemies are there", "A11.21")
    return None if isinstance(frame, Leaving) else ("No unit is leaving a close combat now", "A11.22")


def refusals(state: SquadState, side: str, frame: Withdrawing) -> Sequence[Refusal]:
    """Units in Melee that cannot withdraw, each with its reason."""
    found = []
    for unit in state.units.values():
        if unit.side == side and unit.melee and (bar := withdraw_bar(state, unit)) is not None:
            where = name_of(state, unit.at)
            found.append(Refusal(f"{short(state, unit)} withdraws", bar[0], bar[1], (unit.id,), (where,)))
    return found


# -- questions and events ---------------------------------------------------------------------


def ask_leaving(state: SquadState, frame: Leaving) -> tuple[str, str]:
    """What is asked of those who leave, or may."""
    where = name_of(state, frame.at)
    asked = {
        WITHDRAWS: f"Choose where the units that withdraw from {where} go",
        INFILTRATES: f"Units in {where} may Infiltrate: they leave at once, or stay",
        AMBUSHES: f"Your ambush lets units leave {where} unharmed, or stay",
    }
    return asked[frame.why], RULES[frame.why]


def declared_words(state: SquadState, event: WithdrawalDeclared) -> str:
    """Who withdraws."""
    must = " (broken units must)" if event.must else ""
    withdraw = verb(event.units, "withdraws", "withdraw")
    return f"{names(state, event.units)} {withdraw} from the Melee in {event.at}{must}"


def left_words(state: SquadState, event: LeftCombat) -> str:
    """Who has left for where."""
    who = names(state, event.units)
    does = {
        WITHDRAWS: verb(event.units, "withdraws", "withdraw"),
        INFILTRATES: verb(event.units, "Infiltrates", "Infiltrate"),
        AMBUSHES: verb(event.units, "slips away", "slip away"),
    }
    cx = f" ({names(state, event.cx)}: CX)" if event.cx else ""
    return f"{who} {does[event.why]} from {event.frm} to {event.at}{cx}"


def no_way_words(state: SquadState, event: NoWayOut) -> str:
    """Who could not."""
    has = verb(event.units, "has", "have")
    return f"{names(state, event.units)} {has} no Location to withdraw to from {event.at}"
