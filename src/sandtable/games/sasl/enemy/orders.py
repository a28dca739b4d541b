"""Action Checks in the ENEMY's Prep Fire Phase: automatic actions, Panic, tables A2a and A2b (6.)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.games.asl.deploying.model import Deployed
from sandtable.games.asl.deploying.part import guards_freely, half_of
from sandtable.games.asl.deploying.part import split as split_squad
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.surrender import CAPTIVES, held_by
from sandtable.games.asl.works.digging import Dig, may_dig
from sandtable.games.sasl.command import panicked
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.enemy import facts, firing, opportunity
from sandtable.games.sasl.enemy.automatic import TELLING, automatic, pick_leaving, split
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    ENTRENCH,
    FIRE,
    MOVE,
    NOTHING,
    ORDERS,
    PANIC,
    TRIED,
    VOLLEYS,
    Order,
)
from sandtable.games.sasl.partisan import is_partisan
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.tables import general
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import SquadState, Unit

CLASSES = {"E": "Elite", "1": "1st Line", "2": "2nd Line", "G": "Green", "C": "Conscript"}

GUN_STAYS = " (a Gun stays)"


def article(noun: str) -> str:
    """A word with its article: `an Elite`, `a 1st Line`."""
    return f"{'an' if noun[:1] in 'AEIO' else 'a'} {noun}"


def panic_class(state: SquadState, unit: Unit) -> str:
    """The class by which a unit Panics; leaders and crews count as Elite (S6.21)."""
    kind = unit_kind(state, unit)
    if kind.nation == "partisan":
        return "Partisan"
    return CLASSES.get(kind.unit_class, "Elite") if kind.mmc and not kind.crew else "Elite"


def panics(unit_class: str, faces: Sequence[int]) -> bool:
    """Whether an Action DR is Panic for a class: doubles of its number or more (S6.21)."""
    return faces[0] == faces[1] and sum(faces) >= general.panic_from()[unit_class]


def prep(play: Play[SquadState], legal: Sequence[Action]) -> Action:
    """The ENEMY's PFPh: Location by Location an Action Check, and at once what it fires (S6.1, S6.2)."""
    state = play.state
    while True:
        start = firing.next_volley(state, legal) or next_dig(state, legal) or opportunity.next_wait(state, legal)
        if start is not None:
            return start
        cell = next_location(state)
        if cell is None:
            again = _rate_kept(play, legal, "prep")
            return again or EndPhase()
        order_location(play, cell, legal)


def next_location(state: SquadState) -> int | None:
    """The next Location whose units have no orders yet."""
    orders = ORDERS.of(state)
    for cell in facts.locations(state):
        if any(unit.id not in orders for unit in units_at(state, cell, ENEMY)):
            return cell
    return None


def next_dig(state: SquadState, legal: Sequence[Action]) -> Action | None:
    """A unit that is to entrench tries it, with a leader's help where it has one (S6.24)."""
    digs = [action for action in legal if isinstance(action, Dig)]
    for action in digs:
        order = ORDERS.of(state).get(action.unit)
        if order is not None and order.what == ENTRENCH and not order.done:
            ORDERS.of(state)[action.unit] = Order(ENTRENCH, done=True)
            helped = [one for one in digs if one.unit == action.unit and one.leader]
            return helped[0] if helped else action
    return None


def _rate_kept(play: Play[SquadState], legal: Sequence[Action], mode: str) -> Action | None:
    """A weapon that keeps its ROF fires again (S8.13)."""
    state = play.state
    for action in legal:
        name = action.firer if isinstance(action, StartFire) else action.weapon if isinstance(action, StartShot) else ""
        if name in state.weapons and state.weapons[name].shots:
            firing.fire_location(play, state.units[state.weapons[name].owner].at, [action], mode)
            start = firing.next_volley(state, legal)
            if start is not None:
                return start
    return None


def settle_orders(play: Play[SquadState]) -> None:
    """At the end of the ENEMY's PFPh the Locations that nobody asked for get their orders too (S6.2)."""
    if play.state.attacker != ENEMY:
        return
    cell = next_location(play.state)
    while cell is not None:
        order_location(play, cell, ())
        VOLLEYS.of(play.state).clear()
        cell = next_location(play.state)


def order_location(play: Play[SquadState], cell: int, legal: Sequence[Action]) -> None:
    """One Action Check for the units of a Location (S6.2)."""
    state = play.state
    orders = ORDERS.of(state)
    waiting = [unit for unit in units_at(state, cell, ENEMY) if unit.id not in orders]
    able = [unit for unit in waiting if unit.good_order or BERSERK in unit.marks]
    for unit in waiting:
        orders[unit.id] = Order(NOTHING)
    if not able:
        return
    faces = rolled(play, 2, f"Action Check in {name_of(state, cell)}")
    # berserk units do not Panic (S6.21)
    calm = [unit for unit in able if BERSERK in unit.marks or not panics(panic_class(state, unit), faces)]
    if panicking := [unit for unit in able if unit not in calm]:
        _panic(play, cell, panicking, faces)
    told = bool(panicking)
    calm = _deploy_guards(play, calm)
    pick_leaving(play, cell, calm)
    for (what, row, why), group in _actions(state, cell, calm, faces, legal):
        for unit in group:
            orders[unit.id] = Order(what, rule=row if row.startswith("S6") else "")
        unseen = any(unit.concealed for unit in group)
        if unseen:
            row, why = untold(row, why)
        if not (unseen and told and what == NOTHING):  # who does nothing beside others is not told (SA-90)
            say(play, _table(state, group[0]), row, faces, f"{name_of(state, cell)}: {what}{why}", "S6.2")
        told = True
        if what == FIRE:
            firing.fire_location(play, cell, _of_calm(state, group, legal), "prep")
            firing.group_up(play, legal, "prep")
        elif what == MOVE and not row.startswith("S6"):  # an automatic action is no Move Command
            opportunity.stay(play, cell, group, legal)


def _deploy_guards(play: Play[SquadState], units: Sequence[Unit]) -> list[Unit]:
    """A squad that guards prisoners Deploys, and one half-squad takes them along; weapons stay (S6.303, A20.5).

    It needs neither a leader nor a task check.
    """
    state = play.state
    guards = []
    for unit in units:
        if not guards_freely(state, unit) or not half_of(unit.kind) or unit.concealed or BERSERK in unit.marks:
            continue
        held = held_by(state, unit.id)
        guard = split_squad(play, unit)
        for captive in held:
            CAPTIVES.of(state)[captive.unit.id] = replace(captive, guard=guard.id)
        ORDERS.of(state)[guard.id] = Order(NOTHING)
        play.emit(Deployed(unit=unit.id, other=guard.id, at=name_of(state, unit.at), success=True))
        guards.append(guard.id)
    return [state.units[name] for name in (*[unit.id for unit in units], *guards)]


def _actions(
    state: SquadState, cell: int, calm: Sequence[Unit], faces: Sequence[int], legal: Sequence[Action]
) -> list[tuple[tuple[str, str, str], list[Unit]]]:
    """What the units of a Location do by one Action DR: those who do the same together, who does nothing last."""
    found: dict[tuple[str, str, str], list[Unit]] = {}
    for group in split(state, calm):
        found.setdefault(action_of(state, cell, group, faces, legal), []).extend(group)
    return sorted(found.items(), key=lambda entry: entry[0][0] == NOTHING)


def _panic(play: Play[SquadState], cell: int, units: Sequence[Unit], faces: Sequence[int]) -> None:
    """Units Panic: how many of which class, but not what lies under a "?" nor how many (S6.21, SA-90)."""
    state = play.state
    lines: dict[tuple[str, str], int] = {}
    for unit in units:
        ORDERS.of(state)[unit.id] = Order(PANIC)
        line = _table(state, unit), "" if unit.concealed else panic_class(state, unit)
        lines[line] = lines.get(line, 0) + 1
    for (table, unit_class), number in lines.items():
        who = f"{article(unit_class)} unit" if number == 1 else f"{number} units ({unit_class})"
        who = who if unit_class else 'the "?"'
        say(play, table, "Panic", faces, f"{who} in {name_of(state, cell)}")


def _of_calm(state: SquadState, calm: Sequence[Unit], legal: Sequence[Action]) -> list[Action]:
    names = {unit.id for unit in calm} | {name for unit in calm for name in state.units[unit.id].weapons}
    return [
        action
        for action in legal
        if (isinstance(action, StartFire) and action.firer in names)
        or (isinstance(action, StartShot) and action.weapon in names)
    ]


def _table(state: SquadState, unit: Unit) -> str:
    return "A2a" if facts.attitude(state, unit) == ADVANCE else "A2b"


def action_of(
    state: SquadState, cell: int, units: Sequence[Unit], faces: Sequence[int], legal: Sequence[Action]
) -> tuple[str, str, str]:
    """What a Location does: automatic actions first (S6.3), then the table with its notes: action, row, why."""
    target = firing.has_target(state, _of_calm(state, units, legal))
    given = automatic(state, cell, units, target=target)
    if given is not None:
        return given.what, given.rule, f" ({given.why})"
    table = _table(state, units[0])
    row = general.table(table).row(sum(faces))
    what = row.cells[0].choices[0].item
    return (*_with_notes(state, table, what, units, target=target, key=row.key),)


def _with_notes(
    state: SquadState, table: str, what: str, units: Sequence[Unit], *, target: bool, key: str
) -> tuple[str, str, str]:
    """The notes of A2: what is done instead where there is no Target, or no place to entrench (S6.22, S6.23, S6.24)."""
    guns = [facts.has_gun(state, unit) for unit in units]
    gun = any(guns) and all(has or not unit_kind(state, unit).mmc for has, unit in zip(guns, units, strict=True))
    if what == FIRE and not target:
        if table == "A2a":
            what, why = MOVE, " (no Target, note 3)"
        else:
            what, why = (ENTRENCH if can_entrench(state, units) else NOTHING), " (no Target, note 4)"
    elif what == ENTRENCH and not can_entrench(state, units):
        if target and (table == "A2b" or all(unit.within for unit in units)):
            what, why = FIRE, f" (entrenched, or may not Entrench here; note {5 if table == 'A2a' else 6})"
        else:
            what, why = MOVE, f" (note {5 if table == 'A2a' else 6})"
    elif what == ENTRENCH and not target:
        what, why = MOVE, f" (no Target, note {5 if table == 'A2a' else 6})"
    else:
        why = ""
    if what == PANIC:
        what, why = NOTHING, " (not a class that Panics)"
    if what == MOVE and gun:
        return (FIRE if target else NOTHING), key, f"{why}{GUN_STAYS}"
    return what, key, why


def untold(row: str, why: str) -> tuple[str, str]:
    """Row and reason of an action of units under a "?", without what would tell what they are (SA-90)."""
    if row.startswith(TELLING):
        return "automatic", ""
    return row, why.removesuffix(GUN_STAYS)


def can_entrench(state: SquadState, units: Sequence[Unit]) -> bool:
    """Whether some unit could try to dig in here, and would see something from there (B27.11, S6.241)."""
    if not any(may_dig(state, unit) and not is_partisan(state, unit) for unit in units):
        return False
    return reading(state, "restricted") == "allowed" or not restricted(state, units[0].at)


def restricted(state: SquadState, cell: int) -> bool:
    """Whether a Location has LOS to ADJACENT hexes at most, so that nobody entrenches there (S6.241, SA-103)."""
    ground = setting_of(state).ground
    row, ranges = ground.los_row(cell), ground.ranges[cell]
    return not any(ranges[other] > 1 and row[other] != BLOCKED for other in range(ground.size))


def fire_phase(play: Play[SquadState], legal: Sequence[Action], mode: str) -> Action:
    """DFPh and AFPh: every Location with a Target fires, by A3 (S8.62)."""
    state = play.state
    tried = TRIED.of(state)
    while True:
        start = firing.next_volley(state, legal)
        if start is not None:
            return start
        cell = next((c for c in facts.locations(state) if f"{mode} {c}" not in tried), None)
        if cell is None:
            return _rate_kept(play, legal, mode) or EndPhase()
        tried[f"{mode} {cell}"] = 1
        # who has Panicked does not fire by choice (S6.21)
        here = [unit for unit in units_at(state, cell, ENEMY) if not panicked(state, unit.id)]
        if firing.fire_location(play, cell, _of_calm(state, here, legal), mode):
            firing.group_up(play, legal, mode)


def begin_player_turn(play: Play[SquadState]) -> None:
    """Orders and Panic last for a Player Turn (S6.2, S6.21)."""
    ORDERS.of(play.state).clear()
    TRIED.of(play.state).clear()
    VOLLEYS.of(play.state).clear()


def begin_phase(play: Play[SquadState]) -> None:
    """What was tried counts for one phase."""
    TRIED.of(play.state).clear()
    VOLLEYS.of(play.state).clear()
