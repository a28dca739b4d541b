"""What a player may look for but cannot do now, with the reason and the line of the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.engine.view import Refusal
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.armies import check_army
from sandtable.games.pbi.artillery import spotted
from sandtable.games.pbi.assault import ASSAULT_COST
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import (
    DEPLOY_COST,
    DISEMBARK_COST,
    MORTAR_COST,
    assault_price,
    can_leave,
    living,
    step_cost,
)
from sandtable.games.pbi.model import Acting, Driving, Muster, PbiState, Piece, SetUp, Units, Window
from sandtable.games.pbi.position import clear, ground_of, room_for_foot, side_in
from sandtable.games.pbi.setup import fits, mustered, next_section, zone
from sandtable.games.pbi.smallarms import MAX_SHOTS, can_use_small_arms, small_arms_reach
from sandtable.games.pbi.table import OTHER
from sandtable.games.pbi.vehicles import GUN_COST


def refusals(state: PbiState, side: str) -> Sequence[Refusal]:
    """Things that are near at hand but forbidden now."""
    frame = state.stack[-1]
    match frame:
        case Acting():
            return _foot(state, frame, side)
        case Driving():
            return _vehicle(state, frame, side)
        case Muster():
            return [Refusal(f"Complete the army: {p.where}", p.sentence) for p in check_army(mustered(frame))]
        case Units():
            return [
                Refusal(f"Begin with {unit.name}", reason, "turn-units", _pieces(state, unit.id))
                for unit in state.units.values()
                if unit.side == side and unit.kind != "command" and (reason := _unit_reason(unit.done, unit.off))
            ]
    return ()


def _unit_reason(done: bool, off: bool) -> str:
    if off:
        return "it is off the table: it may arrive by a reinforcement roll"
    return "it has had its turn" if done else ""


def _pieces(state: PbiState, unit: str) -> tuple[str, ...]:
    return tuple(piece.id for piece in state.pieces.values() if piece.unit == unit)


def _foot(state: PbiState, frame: Acting, side: str) -> list[Refusal]:
    team = living(state, frame.teams[0])
    ids = tuple(piece.id for piece in team)
    at = team[0].at
    g = ground_of(state)
    found: list[Refusal] = []
    if not team[0].within:
        if not can_leave(state, team, residual=frame.residual):
            found.append(Refusal("Step", _why_stay(state, frame, team), "foot-ap-cost-leave", ids, g.steps[at]))
        for to in g.steps[at]:
            if side_in(state, to) == side and not room_for_foot(state, to, len(team)):
                reason = f"{to} has no room for {len(team)} more bases"
                found.append(Refusal(f"Step to {to}", reason, "transports-clustering", ids, (to,)))
        for to in g.assaults[at]:
            if side_in(state, to) == OTHER[side]:
                reason = _why_no_assault(state, frame, team, to)
                if reason:
                    found.append(Refusal(f"Assault {to}", reason, "foot-ap-cost-assault", ids, (to,)))
    for square in _enemies(state, side):
        reason = _why_no_shot(state, team, square)
        if reason:
            found.append(Refusal(f"Shoot at {square}", reason, "foot-ap-cost-shoot", ids, (square,)))
    return found


def _why_stay(state: PbiState, frame: Acting, team: Sequence[Piece]) -> str:
    for piece in team:
        if piece.deployed and KINDS[piece.kind].deploys:
            return f"{KINDS[piece.kind].name} is deployed: pack it up ({DEPLOY_COST} AP) or let it act alone"
    cost = step_cost(state, team[0].at, residual=frame.residual)
    return f"leaving {team[0].at} costs {cost} AP, and not all of these bases have that"


def _why_no_assault(state: PbiState, frame: Acting, team: Sequence[Piece], to: str) -> str:
    if frame.residual:
        return "the residual action point buys no assault"
    price = assault_price(state, state.units[frame.unit], to, residual=False)
    if min(piece.ap for piece in team) < price:
        return f"an assault costs {price} AP, and not all of these bases have that"
    if any(piece.deployed for piece in team):
        return "a deployed weapon cannot assault: pack it up or let it act alone"
    return ""


def _why_no_shot(state: PbiState, team: Sequence[Piece], square: str) -> str:
    g = ground_of(state)
    at = team[0].at
    if square not in g.sees[at]:
        return f"{at} does not see {square}: wood or buildings are in the way"
    if not clear(state, g, at, square):
        return f"smoke is between {at} and {square}"
    armed = [piece for piece in team if can_use_small_arms(KINDS[piece.kind], piece)]
    if not armed:
        return "none of these bases has small arms ready"
    reach = max(small_arms_reach(KINDS[piece.kind], state.rules) for piece in armed)
    if reach < g.range[at][square]:
        return f"{square} is {g.range[at][square]} squares away, the weapons reach {reach}"
    if team[0].within and state.pieces[team[0].within].weapon not in ("", *[piece.id for piece in armed]):
        return "one weapon shoots from a vehicle with men aboard in a turn, and another has"
    if all(piece.shots >= MAX_SHOTS or piece.ap < 1 for piece in armed):
        return f"each base has had its {MAX_SHOTS} shots or has no action point left"
    return ""


def _vehicle(state: PbiState, frame: Driving, side: str) -> list[Refusal]:
    piece = state.pieces[frame.pieces[0]]
    kind = KINDS[piece.kind]
    g = ground_of(state)
    ids = (piece.id,)
    found: list[Refusal] = []
    if piece.immobile:
        found.append(Refusal("Move", "it is immobilised until it recovers in step 12", "shooting-effect", ids))
    if frame.only_move:
        found.append(Refusal("Shoot", "vehicles that move as a group do nothing else", "odds-vehicle-group", ids))
        return found
    if kind.gun and piece.ap < GUN_COST:
        reason = f"the main gun costs {GUN_COST} AP, {piece.ap} are left"
        found.append(Refusal("Shoot the main gun", reason, "vehicle-ap-cost-shoot", ids))
    if piece.shots >= MAX_SHOTS:
        found.append(Refusal("Shoot", f"it has had its {MAX_SHOTS} shots", "vehicle-ap-cost-shoot", ids))
    elif kind.mg and piece.weapon not in ("", piece.id):
        reason = "one weapon shoots from a vehicle with men aboard in a turn, and another has"
        found.append(Refusal("Shoot the machine-gun", reason, "transports-shooters", ids))
    to = g.ahead[piece.at][piece.facing]
    if to and side_in(state, to) == OTHER[side] and piece.ap < ASSAULT_COST:
        reason = f"an assault costs {ASSAULT_COST} AP, {piece.ap} are left"
        found.append(Refusal(f"Assault {to}", reason, "vehicle-ap-cost-assault", ids, (to,)))
    if not kind.turret or kind.form == "gun":
        for square in _enemies(state, side):
            if square in g.sees[piece.at] and square not in g.arcs[piece.at][piece.facing]:
                reason = f"{square} is outside the arc that starts in front: turn first"
                found.append(Refusal(f"Shoot at {square}", reason, "odds-arc", ids, (square,)))
    return found


def _enemies(state: PbiState, side: str) -> list[str]:
    return [square for square, ids in state.at.items() if state.pieces[ids[0]].side != side]


# -- refusing an action ---------------------------------------------------------------------------------


def why_not(state: PbiState, side: str, action: Action) -> tuple[str, str]:
    """(reason, rule) for an action that is not legal now."""
    frame = state.stack[-1]
    if isinstance(frame, Acting):
        reason = _why_not_foot(state, frame, side, action)
        if reason[0]:
            return reason
    if isinstance(frame, Window):
        return f"only shots at {frame.target} are possible now, or holding fire", "odds-opportunity"
    if isinstance(frame, SetUp) and isinstance(action, a.Place):
        if action.at not in zone(state, ground_of(state), side):
            return f"{action.at} is outside the {side}'s zone: set up in the {state.zones[side]} rows at your edge", ""
        if not fits(state, action.at, next_section(state, side)):
            return f"{action.at} has no room left", "transports-clustering"
    if isinstance(frame, Driving) and isinstance(action, (a.Aim, a.Shell, a.Shoot, a.Assault)):
        for refusal in _vehicle(state, frame, side):
            if refusal.text.startswith(type(action).__name__) or refusal.text.startswith("Shoot"):
                return refusal.reason, refusal.rule
    doing = {
        "Acting": "bases are spending action points",
        "Driving": "a vehicle or gun is spending action points",
        "Hits": "hits are being given to bases",
        "Losses": "casualties are being chosen",
        "Units": "a unit is to be chosen",
        "Activation": "a group or vehicle is to be chosen",
    }.get(type(frame).__name__, "something else is to be decided")
    return f"{type(action).__name__} is not possible now: {doing}", ""


def _why_not_foot(state: PbiState, frame: Acting, side: str, action: Action) -> tuple[str, str]:
    team = living(state, frame.teams[0])
    g = ground_of(state)
    match action:
        case a.Move(to=to):
            if to not in g.steps[team[0].at]:
                return f"{to} is not next to {team[0].at}", "foot-ap-cost-leave"
            if side_in(state, to) == OTHER[side]:
                return f"the enemy is in {to}: it takes an assault to go there", "foot-ap-cost-assault"
            if not room_for_foot(state, to, len(team)):
                return f"{to} has no room for {len(team)} more bases", "transports-clustering"
            return _why_stay(state, frame, team), "foot-ap-cost-leave"
        case a.Shoot(at=at):
            if side_in(state, at) != OTHER[side]:
                return f"there is no enemy in {at}", "foot-ap-cost-shoot"
            return _why_no_shot(state, team, at) or "small arms hurt no vehicle", "foot-ap-cost-shoot"
        case a.Assault(to=to):
            if to not in g.assaults[team[0].at] or side_in(state, to) != OTHER[side]:
                return f"{to} is no square with enemies in front of {team[0].at}", "odds-arc"
            return _why_no_assault(state, frame, team, to), "foot-ap-cost-assault"
        case a.Disembark():
            return f"getting out costs {DISEMBARK_COST} AP and needs room in the square", "foot-ap-cost-disembark"
        case a.Bomb(piece=id, at=at) if id in frame.teams[0] and id in state.pieces:
            return _why_no_bomb(state, state.pieces[id], at, residual=frame.residual), "artillery-place"
        case a.Deploy() | a.Pack():
            return f"this costs {DEPLOY_COST} AP and needs an MMG or medium mortar", "foot-ap-cost-deploy"
    return "", ""


def _why_no_bomb(state: PbiState, piece: Piece, at: str, *, residual: bool) -> str:
    kind = KINDS[piece.kind]
    if not kind.mortar:
        return f"{kind.name} is no mortar"
    if piece.special:
        return "a mortar places all its shots of a turn at once, before they deviate"
    if kind.deploys and not piece.deployed:
        return f"{kind.name} must be deployed first ({DEPLOY_COST} AP)"
    if residual or piece.ap < MORTAR_COST:
        return f"a mortar shot costs {MORTAR_COST} AP, and the residual point buys none"
    if piece.at in state.smoke or at in state.smoke:
        return "nobody shoots out of smoke or into it"
    if at not in spotted(state, piece):
        return f"{at} is not in reach, or neither the mortar nor an officer sees it"
    return f"high explosive needs an enemy in {at}, and {piece.ap} AP pay for {piece.ap // MORTAR_COST} shots"
