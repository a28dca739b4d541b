"""The few choices of a squad-level decision that deserve a look ahead, the regular's own first."""

from __future__ import annotations

import random
from typing import Any

from sandtable.engine import Action, Seat
from sandtable.players.squad_fight import best_advance
from sandtable.players.squad_march import best_move
from sandtable.players.squad_regular import Look, Regular
from sandtable.players.squad_shots import promise


def candidates(player: Regular, seat: Seat, limit: int) -> list[Action]:
    """Move or fire, at what, hold or shoot, how far, where to advance or rout; one choice where nothing hangs on it."""
    own = player.fork().choose(seat, random.Random(0))
    found = [own]
    look = Look(seat, seat.view(), seat.actions().all, player)
    kinds = look.by_kind
    others: list[Any] = []
    if "AimAt" in kinds:
        others = sorted(look.all("AimAt"), key=lambda action: -promise(look, action))
    elif "ResolveFire" in kinds or "Shoot" in kinds:
        others = [*look.all("ResolveFire")[:1], *look.all("CancelFire")]
        others += sorted(look.all("Shoot"), key=lambda action: -promise(look, action))[:2]
    elif "Stop" in kinds:
        others = [*look.all("ExitMap", "Stop"), *_steps(look)]
    elif "BeginMove" in kinds:
        others = look.all("BeginMove")
    elif "StartMove" in kinds:
        free = {action.unit for action in look.all("StartMove")}
        ranked = []
        for action in look.all("StartMove"):
            if action.unit not in player.gone:
                choice = best_move(player, look, look.board.men[action.unit], free)
                ranked.append((-(choice.gain if choice is not None else -9.0), action.unit, action))
        others = [*look.all("EndPhase"), *(action for _, _, action in sorted(ranked, key=lambda item: item[:2]))]
    elif "StartFire" in kinds or "StartShot" in kinds:
        fresh = [a for a in look.all("StartFire", "StartShot") if _name(a) not in player.left]
        others = [*look.all("Pass", "EndPhase"), *fresh]
    elif "AdvanceTo" in kinds:
        others = [*look.all("CancelAdvance"), *look.all("AdvanceTo")]
    elif "StartAdvance" in kinds:
        others = [*look.all("EndPhase"), *(a for a in look.all("StartAdvance") if a.unit not in player.left)]
    elif "RoutStep" in kinds or "LowCrawl" in kinds:
        others = look.all("EndRout", "RoutStep", "LowCrawl")
    for action in others:
        if len(found) >= limit:
            break
        if action not in found:
            found.append(action)
    return found


def _name(action: Any) -> str:
    name: str = getattr(action, "firer", "") or getattr(action, "weapon", "")
    return name


def _steps(look: Look) -> list[Any]:
    """Steps of a moving stack, the best hexes first."""
    movers = [look.board.men[name] for name in look.seat.describe(look.by_kind["Stop"][0]).pieces]
    if not movers:
        return []
    man, value = movers[0], look.value
    return sorted(
        look.all("Step"),
        key=lambda step: value.fields.moving(step.to) - value.stand(man, step.to, man.cell),
    )


def took(player: Regular, seat: Seat, action: Any) -> None:
    """The memory of a player that has been told to do something else than it would have chosen."""
    player.version = seat.version
    look = Look(seat, seat.view(), seat.actions().all, player)
    name = type(action).__name__
    if name in ("StartFire", "StartShot"):
        player.draft = [_name(action)]
    elif name in ("CancelFire", "Pass"):
        player.leave(player.draft)
    elif name == "StartMove":
        free = {other.unit for other in look.all("StartMove")}
        choice = best_move(player, look, look.board.men[action.unit], free)
        player.gone.add(action.unit)
        if choice is not None:
            player.party, player.path, player.goal = choice.party, choice.route.path, choice.route.to
            player.assault, player.double = choice.route.assault, choice.double
            player.gone.update(choice.party)
    elif name == "Step":
        player.path, player.goal = (action.to,), action.to
    elif name == "StartAdvance":
        plan = best_advance(look, look.board.men[action.unit])
        player.leave([action.unit])
        if plan is not None:
            player.goal, player.party, player.draft = plan[1], plan[2], [action.unit]
