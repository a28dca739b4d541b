"""What bars bases, vehicles and guns from spending their points as somebody might wish, with the line of the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.engine.part import Bar, BarKey, WhyNot
from sandtable.engine.view import Refusal
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.artillery import spotted
from sandtable.games.pbi.assault import ASSAULT_COST
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import (
    DEPLOY_COST,
    DISEMBARK_COST,
    MORTAR_COST,
    RESIDUAL,
    assault_price,
    can_leave,
    living,
    mortar_actions,
    step_cost,
)
from sandtable.games.pbi.model import Acting, Driving, PbiState, Piece
from sandtable.games.pbi.position import clear, ground_of, room_for_foot, side_in
from sandtable.games.pbi.saves import can_be_shot
from sandtable.games.pbi.smallarms import MAX_SHOTS, can_use_small_arms, small_arms_reach
from sandtable.games.pbi.table import OTHER
from sandtable.games.pbi.vehicles import GUN_COST


def foot_refusals(state: PbiState, side: str, frame: Acting) -> list[Refusal]:
    """What the acting bases cannot do, near at hand as it is."""
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


def vehicle_refusals(state: PbiState, side: str, frame: Driving) -> list[Refusal]:
    """What the acting vehicle or gun cannot do."""
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


# -- bars: legal is what nothing bars -----------------------------------------------------------------------


def _team(state: PbiState) -> tuple[Acting, list[Piece]]:
    frame = state.stack[-1]
    assert isinstance(frame, Acting)
    return frame, living(state, frame.teams[0])


def _move_bar(state: PbiState, side: str, action: a.Move) -> Bar | None:
    frame, team = _team(state)
    to = action.to
    if team[0].within:
        return "they are aboard a vehicle: they get off first", "foot-ap-cost-disembark"
    if to not in ground_of(state).steps[team[0].at]:
        return f"{to} is not next to {team[0].at}", "foot-ap-cost-leave"
    if side_in(state, to) == OTHER[side]:
        return f"the enemy is in {to}: it takes an assault to go there", "foot-ap-cost-assault"
    if to in state.at and not room_for_foot(state, to, len(team)):
        return f"{to} has no room for {len(team)} more bases", "transports-clustering"
    if not can_leave(state, team, residual=frame.residual):
        return _why_stay(state, frame, team), "foot-ap-cost-leave"
    return None


def _shoot_bar(state: PbiState, side: str, action: a.Shoot) -> Bar | None:
    _, team = _team(state)
    if side_in(state, action.at) != OTHER[side]:
        return f"there is no enemy in {action.at}", "foot-ap-cost-shoot"
    reason = _why_no_shot(state, team, action.at)
    if not reason and not can_be_shot(state, action.at):
        reason = "small arms hurt no vehicle"
    return (reason, "foot-ap-cost-shoot") if reason else None


def _assault_bar(state: PbiState, side: str, action: a.Assault) -> Bar | None:
    frame, team = _team(state)
    if action.to not in ground_of(state).assaults[team[0].at] or side_in(state, action.to) != OTHER[side]:
        return f"{action.to} is no square with enemies in front of {team[0].at}", "odds-arc"
    reason = _why_no_assault(state, frame, team, action.to)
    return (reason, "foot-ap-cost-assault") if reason else None


def _disembark_bar(state: PbiState, side: str, action: a.Disembark) -> Bar | None:
    _, team = _team(state)
    able = min([piece.ap for piece in team]) >= DISEMBARK_COST and room_for_foot(state, team[0].at, len(team))
    if team[0].within and able:
        return None
    return f"getting out costs {DISEMBARK_COST} AP and needs room in the square", "foot-ap-cost-disembark"


def _deploy_bar(state: PbiState, side: str, action: a.Deploy | a.Pack) -> Bar | None:
    frame, team = _team(state)
    for piece in team:
        if piece.id == action.piece and KINDS[piece.kind].deploys and not piece.within:
            if piece.deployed is isinstance(action, a.Deploy):
                return f"{KINDS[piece.kind].name} is {'' if piece.deployed else 'not '}deployed", "foot-ap-cost-deploy"
            if piece.ap >= (RESIDUAL if frame.residual else DEPLOY_COST):
                return None
    return f"this costs {DEPLOY_COST} AP and needs an MMG or medium mortar", "foot-ap-cost-deploy"


def _bomb_bar(state: PbiState, side: str, action: a.Bomb) -> Bar | None:
    frame, team = _team(state)
    for piece in team:
        if piece.id == action.piece:
            reason = _why_no_bomb(state, piece, action, residual=frame.residual)
            return (reason, "artillery-place") if reason else None
    return None


def _why_no_bomb(state: PbiState, piece: Piece, action: a.Bomb, *, residual: bool) -> str:
    kind = KINDS[piece.kind]
    at = action.at
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
    found: list[Action] = []
    mortar_actions(state, piece, found)
    if action in found:
        return ""
    return f"high explosive needs an enemy in {at}, and {piece.ap} AP pay for {piece.ap // MORTAR_COST} shots"


def _vehicle_bar(state: PbiState, side: str, *titles: str) -> Bar | None:
    """What the refusals of these titles say."""
    frame = state.stack[-1]
    assert isinstance(frame, Driving)
    for refusal in vehicle_refusals(state, side, frame):
        if refusal.text in titles:
            return refusal.reason, refusal.rule
    return None


def _machine_gun_bar(state: PbiState, side: str, action: a.Shoot) -> Bar | None:
    return _vehicle_bar(state, side, "Shoot", "Shoot the machine-gun")


def _aim_bar(state: PbiState, side: str, action: a.Aim) -> Bar | None:
    target = state.pieces.get(action.target)
    return _vehicle_bar(state, side, "Shoot", "Shoot the main gun", f"Shoot at {target.at if target else ''}")


def _shell_bar(state: PbiState, side: str, action: a.Shell) -> Bar | None:
    return _vehicle_bar(state, side, "Shoot", "Shoot the main gun", f"Shoot at {action.at}")


def _ram_bar(state: PbiState, side: str, action: a.Assault) -> Bar | None:
    return _vehicle_bar(state, side, f"Assault {action.to}")


BARS: dict[BarKey, WhyNot] = {
    (Acting, a.Move): _move_bar,
    (Acting, a.Shoot): _shoot_bar,
    (Acting, a.Assault): _assault_bar,
    (Acting, a.Disembark): _disembark_bar,
    (Acting, a.Bomb): _bomb_bar,
    (Acting, a.Deploy): _deploy_bar,
    (Acting, a.Pack): _deploy_bar,
    (Driving, a.Shoot): _machine_gun_bar,
    (Driving, a.Aim): _aim_bar,
    (Driving, a.Shell): _shell_bar,
    (Driving, a.Assault): _ram_bar,
}
