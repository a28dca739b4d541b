"""Actions in words, with the pieces and squares that they touch."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.view import Description
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.armies import unit_points
from sandtable.games.pbi.catalogue import KINDS, lists
from sandtable.games.pbi.commander import commander_of
from sandtable.games.pbi.foot import (
    DEPLOY_COST,
    DISEMBARK_COST,
    MORTAR_COST,
    assault_price,
    living,
    ready_shooters,
    shooters_at,
    step_cost,
)
from sandtable.games.pbi.model import (
    Acting,
    Activation,
    Arrival,
    Deviating,
    Driving,
    Hits,
    Muster,
    PbiState,
    Piece,
    Rerolling,
    SetUp,
    Window,
)
from sandtable.games.pbi.position import ground_of, unit_pieces
from sandtable.games.pbi.reaction import volley_shooters
from sandtable.games.pbi.setup import next_section
from sandtable.games.pbi.smallarms import flame_cost
from sandtable.games.pbi.vehicles import DEPLOY_COST as GUN_DEPLOY_COST
from sandtable.games.pbi.vehicles import DISEMBARK_COST as VEHICLE_DISEMBARK_COST
from sandtable.games.pbi.vehicles import GUN_COST, MG_COST, REVERSE_EXTRA, leave_cost
from sandtable.games.pbi.words import FACINGS, named, verb

ARMY_GROUPS = {"platoon": "platoons", "weapons": "weapons", "guns": "guns", "vehicles": "vehicles"}
PATTERN_NAMES = {"square": "Two by two squares", "row": "A row of four", "column": "A column of four"}
AIMED = {"square": 0, "row": 1, "column": 1}
"""The square of a pattern that one points at to place it: of a square the upper left one, else the second."""


def actors(state: PbiState) -> tuple[str, ...]:
    """The pieces that act now."""
    frame = state.stack[-1]
    if isinstance(frame, Acting):
        return tuple(piece.id for piece in living(state, frame.teams[0]))
    if isinstance(frame, Driving):
        return frame.pieces[:1]
    if isinstance(frame, Rerolling):
        return frame.pieces
    if isinstance(frame, SetUp):
        return tuple(piece.id for piece in next_section(state, frame.side))
    return ()


def _name(state: PbiState, id: str) -> str:
    return named(state, (id,))


def _ap(number: int) -> str:
    return f"{number} AP"


def describe(state: PbiState, side: str, action: Action) -> Description:
    """An action as a player would name it."""
    for part in (_before_battle, _command, _choosing, _acting, _shooting):
        found = part(state, side, action)
        if found is not None:
            return found
    return _done(state, action)


def _before_battle(state: PbiState, side: str, action: Action) -> Description | None:
    frame = state.stack[-1]
    match action:
        case a.Enlist(entry=entry, quality=quality):
            assert isinstance(frame, Muster)
            found = lists().entry(frame.nation, entry)
            assert found is not None
            cost = f"{unit_points(frame.nation, entry, quality)} points"
            return Description(f"Take {quality} {found.name}", ARMY_GROUPS[found.kind], cost=cost)
        case a.TakeAsset(asset=asset):
            it = lists().assets[asset]
            return Description(f"Take {it.name}", "assets", cost=f"{it.points} points")
        case a.Dismiss():
            return Description("Leave out what was taken last", "army", key="Backspace")
        case a.Ready():
            return Description("The army is complete", "done", key="Enter")
        case a.Place(at=at):
            pieces = actors(state)
            return Description(f"Set up {named(state, pieces)} in {at}", "set up", pieces, (at,))
    return None


def _command(state: PbiState, side: str, action: Action) -> Description | None:
    frame = state.stack[-1]
    commander = commander_of(state, side)
    who = (commander.id,) if commander else ()
    match action:
        case a.UseAsset(asset=asset):
            return Description(f"Use {lists().assets[asset].name}", "asset")
        case a.PlacePattern(at=at, shape=shape):
            squares = ground_of(state).patterns[shape][at]
            aim = squares[AIMED[shape]]
            cells = (*[square for square in squares if square != aim], aim)
            return Description(f"{PATTERN_NAMES[shape]}: {squares[0]} to {squares[-1]}", "strike", cells=cells)
        case a.Shape(shape=shape):
            return Description(f"{PATTERN_NAMES[shape]} instead", "pattern")
        case a.Encourage(unit=unit):
            return Description(
                f"Remove all pins of {state.units[unit].name}",
                "asset",
                _ids(unit_pieces(state, unit)),
            )
        case a.AskReroll(shot=shot):
            assert isinstance(frame, Deviating)
            square, drift = frame.squares[shot], frame.drift[shot]
            how = "on target" if not drift else f"{abs(drift)} {'over' if drift > 0 else 'short'}"
            return Description(f"Have {square} ({how}) rolled again", "reroll", cells=(square,))
        case a.Accept():
            return Description("Let the deviation stand", "done", key="Enter")
        case a.Step(to=to):
            return Description(f"The commander goes to {to}", "move", who, (to,), cost="1 thing")
        case a.Rally(at=at):
            return Description(f"Rally the pinned in {at}", "rally", who, (at,), cost="1 thing")
        case a.Comfort(unit=unit):
            text = f"See to the casualties of {state.units[unit].name}"
            them = _ids(unit_pieces(state, unit))
            return Description(text, "rally", who, targets=them, cost="1 thing")
        case a.Urge(unit=unit):
            text = f"Urge on {state.units[unit].name}"
            them = _ids(unit_pieces(state, unit))
            return Description(text, "urge", who, targets=them, cost="1 thing")
        case a.Call():
            return Description("Call for the reinforcements", "call", who, cost="1 thing")
    return None


def _choosing(state: PbiState, side: str, action: Action) -> Description | None:
    frame = state.stack[-1]
    match action:
        case a.Activate(unit=unit):
            ids = _ids(unit_pieces(state, unit))
            return Description(f"Begin with {state.units[unit].name}", "unit", ids)
        case a.Motivate(at=at):
            assert isinstance(frame, Activation)
            group = [
                piece
                for piece in unit_pieces(state, frame.unit)
                if (piece.within or piece.at) == at and KINDS[piece.kind].foot and not piece.acted
            ]
            carrier = f" on {_name(state, group[0].within)}" if group[0].within else ""
            text = f"Motivate {named(state, _ids(group))}{carrier} in {group[0].at}"
            return Description(text, "motivate", _ids(group), (group[0].at,), rule="motivation")
        case a.Man(piece=id):
            return Description(f"Man {_name(state, id)}", "motivate", (id,), _at(state, id), rule="vehicle-ap-roll")
        case a.Drive(piece=id):
            men = named(state, state.cargo.get(id, ()))
            text = f"Roll for {_name(state, id)} in {state.pieces[id].at}" + (f" (with {men})" if men else "")
            return Description(text, "drive", (id,), _at(state, id), rule="vehicle-ap-roll")
        case a.MoveTogether(at=at):
            assert isinstance(frame, Activation)
            ids = _ids([piece for piece in unit_pieces(state, frame.unit) if piece.at == at and not piece.within])
            return Description(f"Move the vehicles in {at} as a group", "drive", ids, (at,), rule="odds-vehicle-group")
        case a.Reroll():
            return Description("Roll the action points again", "reroll", actors(state), rule="odds-vehicle-group")
        case a.Keep():
            assert isinstance(frame, Rerolling)
            return Description(f"Keep {frame.ap} action points", "done", actors(state), key="Enter")
        case a.Take(piece=id):
            name = _name(state, id)
            fate = (
                ("takes the hit", "take the hit")
                if isinstance(frame, Hits)
                else ("is the casualty", "are the casualty")
            )
            return Description(f"{name} {verb(1, name, *fate)}", "choose", (id,), _at(state, id))
        case a.Promote(piece=id):
            text = f"{_name(state, id)} in {state.pieces[id].at} takes command"
            return Description(text, "choose", (id,), _at(state, id), rule="turn-new-officer")
        case a.Arrive(at=at):
            assert isinstance(frame, Arrival)
            ids = _ids(unit_pieces(state, frame.unit))
            return Description(
                f"{state.units[frame.unit].name} enters at {at}", "arrive", ids, (at,), rule="turn-arrivals"
            )
    return None


def _acting(state: PbiState, side: str, action: Action) -> Description | None:
    frame = state.stack[-1]
    who = actors(state)
    first = state.pieces[who[0]] if who else None
    g = ground_of(state)
    match action:
        case a.Move(to=to) if isinstance(frame, Acting) and first:
            cost = step_cost(state, first.at, residual=frame.residual)
            return Description(f"Step to {to}", "move", who, (to,), rule="foot-ap-cost-leave", cost=_ap(cost))
        case a.Forward() if first:
            to = g.ahead[first.at][first.facing]
            cost = leave_cost(g, first.at)
            return Description(
                f"Ahead to {to}", "move", who, (to,), rule="vehicle-ap-cost-leave", key="w", cost=_ap(cost)
            )
        case a.Reverse() if first:
            to = g.ahead[first.at][(first.facing + 4) % 8]
            cost = leave_cost(g, first.at) + REVERSE_EXTRA
            return Description(
                f"Back to {to}", "move", who, (to,), rule="vehicle-ap-cost-leave", key="s", cost=_ap(cost)
            )
        case a.Face(facing=facing) if first:
            key = "d" if facing == (first.facing + 1) % 8 else "a"
            text = f"Turn {FACINGS[facing]}"
            return Description(text, "turn", who, rule="vehicle-ap-cost-facing", key=key, cost=_ap(1))
        case a.Unpin():
            return Description("Try to remove the pin", "rally", who, rule="foot-ap-cost-pin", cost=_ap(1))
        case a.Recover():
            text = "Try to remove a casualty mark"
            return Description(text, "rally", who, rule="foot-ap-cost-casualty", cost=_ap(1))
        case a.Deploy(piece=id) | a.Pack(piece=id):
            cost = DEPLOY_COST if isinstance(frame, Acting) else GUN_DEPLOY_COST
            if isinstance(frame, Acting) and frame.residual:
                cost = 1
            what = "Deploy" if isinstance(action, a.Deploy) else "Pack up"
            rule = "foot-ap-cost-deploy" if isinstance(frame, Acting) else "vehicle-ap-cost-deploy"
            return Description(f"{what} {_name(state, id)}", "deploy", (id,), rule=rule, cost=_ap(cost))
        case a.Embark(vehicle=id):
            cost = int(state.rules.embark)
            text = f"Get on {_name(state, id)}"
            return Description(text, "transport", who, targets=(id,), rule="odds-capacity", cost=_ap(cost))
        case a.Disembark():
            driving = isinstance(frame, Driving)
            rule = "vehicle-ap-cost-disembark" if driving else "foot-ap-cost-disembark"
            cost = VEHICLE_DISEMBARK_COST if driving else DISEMBARK_COST
            return Description("Get off", "transport", who, rule=rule, cost=_ap(cost))
        case a.Assault(to=to):
            cost = 4
            if isinstance(frame, Acting):
                cost = assault_price(state, state.units[frame.unit], to, residual=False)
            return Description(
                f"Assault {to}", "assault", who, (to,), state.at.get(to, ()), rule="assault-dice", cost=_ap(cost)
            )
        case a.Split(piece=id):
            name = _name(state, id)
            text = f"{name} {verb(1, name, 'acts', 'act')} alone first"
            return Description(text, "alone", (id,), notes=("the others follow",))
    return None


def _shooting(state: PbiState, side: str, action: Action) -> Description | None:
    frame = state.stack[-1]
    match action:
        case a.Shoot(at=at):
            who = actors(state)
            if isinstance(frame, Acting):
                who = _ids(shooters_at(state, ready_shooters(state, living(state, frame.teams[0])), at))
            rule = "foot-ap-cost-shoot" if isinstance(frame, Acting) else "vehicle-ap-cost-shoot"
            text = f"{_guns_shoot(state, who)} at {at}"
            return Description(text, "fire", who, (at,), state.at.get(at, ()), rule=rule, cost=_ap(MG_COST))
        case a.Volley(at=at):
            assert isinstance(frame, Window)
            who = _ids(volley_shooters(state, at, frame.target))
            start = state.pieces[at].at if at in state.pieces else at
            text = f"{start}: {_guns_shoot(state, who)} at {frame.target}"
            there = state.at.get(frame.target, ())
            facts = shot_facts(state, start, frame.target)
            return Description(text, "fire", who, (frame.target,), there, "odds-opportunity", facts=facts)
        case a.Aim(piece=id, target=target):
            cost = GUN_COST if not KINDS[state.pieces[id].kind].foot else KINDS[state.pieces[id].kind].at_ap
            text = f"{_name(state, id)} shoots at {_name(state, target)} in {state.pieces[target].at}"
            return _shot(state, frame, text, id, state.pieces[target].at, target, cost, "shooting-hit")
        case a.Shell(piece=id, at=at):
            text = f"{_name(state, id)} shoots high explosive at {at}"
            return _shot(state, frame, text, id, at, "", GUN_COST, "he-at-foot")
        case a.Flame(piece=id, target=target):
            cost = flame_cost(state.rules, KINDS[state.pieces[id].kind])
            at = state.pieces[target].at if target in state.pieces else target
            what = f"{_name(state, target)} in {at}" if target in state.pieces else f"the foot in {at}"
            text = f"{_name(state, id)} burns {what}"
            return _shot(state, frame, text, id, at, target if target != at else "", cost, "odds-flame")
        case a.Bomb(piece=id, at=at, smoke=smoke, shots=shots):
            what = "smoke" if smoke else f"{shots} shots of high explosive" if shots > 1 else "high explosive"
            text = f"{_name(state, id)}: {what} on {at}"
            group = "smoke" if smoke else "fire"
            return Description(text, group, (id,), (at,), rule="artillery-place", cost=_ap(MORTAR_COST * shots))
    return None


def _guns_shoot(state: PbiState, who: tuple[str, ...]) -> str:
    """Who shoots with small arms; of a vehicle its machine-guns."""
    name = named(state, who)
    if len(who) == 1 and KINDS[state.pieces[who[0]].kind].vehicle:
        return f"{name} shoots machine-guns"
    return f"{name} {verb(len(who), name, 'shoots', 'shoot')}"


def _shot(
    state: PbiState, frame: object, text: str, id: str, at: str, target: str, cost: int, rule: str
) -> Description:
    price = "" if isinstance(frame, Window) else _ap(cost)
    facts = shot_facts(state, state.pieces[id].at, at)
    return Description(text, "fire", (id,), (at,), (target,) if target else (), rule, cost=price, facts=facts)


def shot_facts(state: PbiState, start: str, at: str) -> tuple[tuple[str, str], ...]:
    """What standing orders ask of a shot: its range, and whether the target is in the open or near."""
    g = ground_of(state)
    in_open = at not in g.difficult and at not in g.partial
    return (
        ("range", str(g.range[start][at])),
        ("open", "yes" if in_open else "no"),
        ("adjacent", "yes" if start in g.near[at] else "no"),
    )


def _done(state: PbiState, action: Action) -> Description:
    if isinstance(action, a.Hold):
        return Description("Hold fire", "done", rule="odds-opportunity", key="Enter")
    words = {
        "Assets": "No asset now",
        "Commander": "The commander has done enough",
        "Units": "No more units",
        "Activation": "This unit is done",
        "Acting": "These bases are done",
        "Driving": "Done",
    }
    text = words.get(type(state.stack[-1]).__name__, "Done")
    return Description(text, "done", actors(state), key="Enter")


def _ids(pieces: list[Piece]) -> tuple[str, ...]:
    return tuple(piece.id for piece in pieces)


def _at(state: PbiState, id: str) -> tuple[str, ...]:
    return (state.pieces[id].at,) if state.pieces[id].at else ()
