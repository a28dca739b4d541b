"""Manhandling of Guns (6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Tally
from sandtable.engine.odds import PAIRS
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, OddsLine, Preview
from sandtable.games.squad.cards.tables import MANHANDLING_DRM, gun_figures
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.ground.counters import mf_in
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.guns import counter_of, manned_gun
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import mf_words, short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import (
    fits,
    has_enemy,
    name_of,
    update,
    update_weapon,
)
from sandtable.games.squad.movement.model import Spent
from sandtable.games.squad.movement.portage import allotments, carried_pp
from sandtable.games.squad.movement.steps import (
    able_movers,
    active_movers,
    affordable,
    end_movers,
    enter,
    leaving,
    runs_into,
    settle,
    step_cost,
)
from sandtable.games.squad.ordnance.model import FaceGun, Manhandle, Manhandled
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import SquadState, Weapon

DOUBLE = int(gun_figures("manhandling")["mf_factor"])
"""The MF cost of a Gun is double that of the terrain (6.5)."""
MOST_HANDS = int(gun_figures("manhandling")["extra_maximum"])

NO_GUN: Bar = ("No Gun is in the moving stack: start the move with its crew", "6.5")
TWO_GUNS: Bar = ("One Gun is pushed at a time; drop the other", "6.5")
LIMBERED: Bar = ("This Gun must be limbered to move and stays where it is", "6.5")
LOADED: Bar = ("Whoever pushes a Gun carries nothing else; drop the support weapons", "6.5")
ASSAULT: Bar = ("A Gun cannot be pushed by Assault Movement: start the move without it", "6.5")
MOVED_ALREADY: Bar = ("It was moved by others in this Movement Phase: push it again in the next turn", "4.0")
NO_ROOM: Bar = ("Too many units would be in the hex, or an enemy is there: push it into another hex", "3.3")
NOT_INSIDE: Bar = ("This Gun is too large for a building: push it round it", "1.2.6")
NO_MF: Bar = ("The MF do not suffice, a Gun costs double: add a leader or Double Time before the move", "6.5")
ALONE: Bar = ("A leader alone does not push a Gun: a squad, half-squad or crew must", "6.5")


def stack_bar(state: SquadState, names: Sequence[str]) -> Bar | None:
    """Why a moving stack may not push a Gun at all (6.5)."""
    units = [state.units[name] for name in names]
    guns = [gun for unit in units if unit.weapons and (gun := manned_gun(state, unit)) is not None]
    if not guns:
        return NO_GUN
    if len(guns) > 1 or any(_guns_of(state, name) > 1 for name in names):
        return TWO_GUNS
    gun = guns[0]
    if not counter_of(gun).qsu:
        return LIMBERED
    if not unit_kind(state, state.units[gun.owner]).mans_guns:
        return ALONE
    if any(carried_pp(state, unit) for unit in units):
        return LOADED
    if any(mover.assault for mover in able_movers(state)):
        return ASSAULT
    return MOVED_ALREADY if gun.moved and not state.units[gun.owner].hazardous else None


def _guns_of(state: SquadState, name: str) -> int:
    return sum([state.weapons[weapon].facing >= 0 for weapon in state.units[name].weapons])


def push_cost(state: SquadState, way: Way, *, road: bool) -> int:
    """Half MF to push a Gun into a hex: double the terrain; Smoke is paid once (6.5, 1.2.5)."""
    cost = step_cost(state, way, road=road)
    smoke = mf_in(state, way.to)
    return DOUBLE * (cost - smoke) + smoke


def push_bar(state: SquadState, names: Sequence[str], way: Way, *, road: bool) -> Bar | None:
    """Why the Gun of a stack may not be pushed into a hex (1.2.6, 3.3, 6.5)."""
    gun = gun_in(state, names)
    side = state.units[names[0]].side
    if has_enemy(state, way.to, side) or not fits(state, way.to, side, [state.units[name] for name in names]):
        return NO_ROOM
    if setting_of(state).ground.in_building[way.to] and not counter_of(gun).building:
        return NOT_INSIDE
    bar = part_bar(state, "enter", [state.units[name] for name in names], state.units[gun.owner].at, way.to)
    if bar is not None:
        return bar
    movers = able_movers(state)
    cost = push_cost(state, way, road=road)
    return None if affordable(state, movers, allotments(state, movers), cost, road=False) else NO_MF


def gun_in(state: SquadState, names: Sequence[str]) -> Weapon:
    """The Gun that a stack pushes."""
    return next(gun for name in names if (gun := manned_gun(state, state.units[name])) is not None)


def manhandle_actions(state: SquadState, names: Sequence[str]) -> list[Action]:
    """Where a moving stack may try to push its Gun (6.5)."""
    if stack_bar(state, names) is not None:
        return []
    gun = gun_in(state, names)
    found: list[Action] = []
    for way in setting_of(state).ground.ways[state.units[gun.owner].at]:
        if way.road and push_bar(state, names, way, road=True) is None:
            found.append(Manhandle(gun.id, way.to, road=True))
        if (not way.road or way.choice) and push_bar(state, names, way, road=False) is None:
            found.append(Manhandle(gun.id, way.to))
    return found


def manhandling_tally(state: SquadState, names: Sequence[str], way: Way, *, road: bool) -> Tally:
    """The modifiers of a manhandling DR: terrain, MF, hands, road, a leader (6.5)."""
    ground = setting_of(state).ground
    units = [state.units[name] for name in names]
    kinds = [unit_kind(state, unit) for unit in units]
    items: list[Item] = [
        (ground.kinds[way.to].title.lower(), ground.tem[way.to], "6.5"),
        *ground.hexside_items(way),
        ("MF", push_cost(state, way, road=road) / 2, "6.5"),
    ]
    hands = sum([kind.size for kind in kinds]) - 1
    items.append(("extra hands", max(hands * (MANHANDLING_DRM["half"].value or 0), MOST_HANDS), "6.5"))
    if way.road:
        items.append(("road hexside", MANHANDLING_DRM["road"].value or 0, "6.5"))
    leaders = [unit for unit, kind in zip(units, kinds, strict=True) if kind.leads and not unit.broken]
    if leaders:
        best = min(leaders, key=lambda leader: leadership(state, leader))
        items.append((f"leader {short(state, best)}", min(leadership(state, best), 0), "6.5"))
    return Tally.of(f"Manhandling number M{counter_of(gun_in(state, names)).manhandling}", items)


def manhandle(play: Play[SquadState], action: Manhandle) -> None:
    """Try to push a Gun into an adjacent hex: less than M# goes on, equal stops there, more is stuck (6.5)."""
    state = play.state
    names = tuple([mover.id for mover in active_movers(state)])
    gun = state.weapons[action.weapon]
    frm = state.units[gun.owner].at
    side = state.units[gun.owner].side
    way = setting_of(state).ground.way(frm, action.to)
    assert way is not None
    assert state.moving is not None
    for name in names:
        update(play, state.units[name], hazardous=True)
    movers = tuple([replace(m, hazardous=True) if m.id in names else m for m in state.moving.movers])
    state.moving = replace(state.moving, movers=movers)
    tally = manhandling_tally(state, names, way, road=action.road)
    final = sum(play.roll(6, 2, f"manhandling {short(state, gun)}", by=side, tally=tally)) + tally.total
    number = counter_of(gun).manhandling
    if final > number:
        play.emit(Manhandled(weapon=gun.id, at=name_of(state, frm), outcome="stuck"))
        end_movers(play, names)
        return
    names = leaving(play, names, frm, action.to, "moves")
    settle(play)
    if gun.owner not in names or state.outcome is not None:
        return
    if runs_into(play, names, action.to, push_cost(state, way, road=action.road)):
        return
    outcome = "moved" if final < number else "moved and stopped"
    play.emit(Manhandled(weapon=gun.id, at=name_of(state, action.to), outcome=outcome))
    update_weapon(play, gun, emplaced=False)
    top = len(state.stack)
    enter(play, names, action.to, push_cost(state, way, road=action.road), road=action.road)
    if final == number:
        state.stack[top] = Spent(ends=names)
    play.push(FaceGun(side, gun.id))


# -- words ------------------------------------------------------------------------------


def _names(state: SquadState) -> list[str]:
    return [mover.id for mover in able_movers(state)]


def _describe(state: SquadState, side: str, action: Manhandle) -> Description:
    gun = state.weapons[action.weapon]
    frm = state.units[gun.owner].at
    way = setting_of(state).ground.way(frm, action.to)
    cost = mf_words(push_cost(state, way, road=action.road) / 2) if way is not None else ""
    how = " along the road" if action.road else ""
    text = f"Push {short(state, gun)} to {name_of(state, action.to)}{how}"
    cells = (name_of(state, frm), name_of(state, action.to))
    return Description(text, "move", (gun.id,), cells, rule="6.5", cost=cost)


def _preview(state: SquadState, side: str, action: Manhandle) -> Preview | None:
    names = _names(state)
    gun = state.weapons.get(action.weapon)
    if gun is None or not gun.owner or action not in manhandle_actions(state, names):
        return None
    way = setting_of(state).ground.way(state.units[gun.owner].at, action.to)
    assert way is not None
    tally = manhandling_tally(state, names, way, road=action.road)
    number = counter_of(gun).manhandling
    finals = [a + b + tally.total for a, b in PAIRS]
    odds = (
        OddsLine("moves and may go on", sum(final < number for final in finals) / 36),
        OddsLine("moves and stops", sum(final == number for final in finals) / 36),
        OddsLine("does not move", sum(final > number for final in finals) / 36),
    )
    notes = ("Hazardous Movement: -2 to all fire at the stack in this Player Turn (6.5)",)
    return Preview(f"Manhandling to {name_of(state, action.to)}", (tally,), odds, notes)


def _manhandle_bar(state: SquadState, side: str, action: Manhandle) -> Bar | None:
    names = _names(state)
    if state.moving is None or not names or state.units[names[0]].side != side:
        return None
    bar = stack_bar(state, names)
    if bar is not None:
        return bar
    way = setting_of(state).ground.way(state.units[gun_in(state, names).owner].at, action.to)
    if way is None:
        return ("A Gun is pushed into an adjacent hex: pick one", "6.5")
    if action.road and not way.road:
        return ("No road crosses that hexside: push it at the terrain's cost", "1.1.1")
    return push_bar(state, names, way, road=action.road)


_OUTCOMES = {
    "moved": "{gun} is pushed to {at}",
    "moved and stopped": "{gun} is pushed to {at} and stops there",
    "stuck": "{gun} does not move in {at}",
}

PART = Part(
    describe={Manhandle: _describe},
    preview={Manhandle: _preview},
    why_not={Manhandle: _manhandle_bar},
    words={
        Manhandled: lambda state, event: _OUTCOMES[event.outcome].format(gun=short(state, event.weapon), at=event.at)
    },
)
