"""Set-up, rally, rout and small decisions of the regular (1.3, 3.1, 3.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.engine import Action
from sandtable.players import squad_setup
from sandtable.players.squad_men import Man

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look, Regular


def set_up(player: Regular, look: Look) -> Action | None:
    """Its own set-up where the players set up; reinforcements come on where the way is shortest."""
    ready = squad_setup.place(look) if look.view["phase"] == "Set-up" else player.reinforce(look)
    ready = ready or look.first("SetUpDone")
    if ready is not None:
        return ready
    edges = look.by_kind.get("PickEdge")
    if edges:
        setting, far = look.board.setting, look.value.plan.far
        by_edge = {place: cells for group in setting.groups for place, cells in setting.edges_of(group).items()}
        return min(edges, key=lambda action: min((far[c] for c in by_edge.get(action.edge, ())), default=0))  # type: ignore[attr-defined]
    places = look.all("PlaceUnit")
    if places:
        far = look.value.plan.far
        nearest: Action = min(places, key=lambda action: far[action.at])
        return nearest
    return look.first("PickUnit")


def rally(player: Regular, look: Look) -> Action | None:
    """Rally with the best chance first; recover and repair what is worth it."""
    if not look.view["phase"].startswith("Rally"):
        return None
    tries = [*look.all("RallyUnit"), *(a for a in look.all("SelfRally") if not _led(look, a.unit))]
    if tries:
        best: Action = max(tries, key=look.success)
        player.explanation = f"{look.seat.describe(best).text}: {look.success(best):.0%}"
        return best
    # a leader with a machine gun on his back leads nobody
    recover = [a for a in look.all("Recover") if look.board.men[a.unit].kind.mmc and look.success(a) > 0.4]
    if recover:
        return recover[0]  # type: ignore[no-any-return]
    repairs = [action for action in look.all("Repair") if look.success(action) >= _lost(look, action)]
    if repairs:
        return repairs[0]  # type: ignore[no-any-return]
    return look.first("Done")


def _led(look: Look, name: str) -> bool:
    """Whether a leader can rally the unit better than it can itself."""
    man = look.board.men[name]
    return any(other.kind.leads and other.good for other in look.board.own.get(man.cell, ()))


def _lost(look: Look, action: Action) -> float:
    preview = look.seat.preview(action)
    odds = preview.odds if preview is not None else ()
    return next((line.chance for line in odds if line.label.startswith("lost")), 0.0)


def _leads(look: Look, man: Man) -> bool:
    return man.side == look.board.side and man.kind.leads and man.good and not man.off


def rout(player: Regular, look: Look) -> Action | None:
    """Run to cover out of sight, crawl if the enemy looks on, stop where a leader can rally."""
    start = look.first("StartRout")
    if start is not None:
        return start
    if not any(name in look.by_kind for name in ("RoutStep", "LowCrawl", "EndRout")):
        return None
    board, fields = look.board, look.value.fields
    end = look.first("EndRout")
    options: list[Any] = look.all("RoutStep", "LowCrawl")

    leaders = [man.cell for man in board.men.values() if _leads(look, man)]
    homing = look.value.habits.homing

    def haven(cell: int) -> float:
        friends = board.own.get(cell, ())
        value: float = -2.0 * fields.standing(cell) + (0.6 if board.ground.cover[cell] else 0.0)
        if any(man.kind.leads and not man.broken for man in friends):
            value += 0.8
        near = min((board.ground.ranges[cell][at] for at in leaders), default=0)
        return value - 0.1 * float(sum(man.broken for man in friends)) - homing * min(near, 8)

    if end is not None:
        pieces = [board.men[name].cell for name in look.seat.describe(end).pieces if name in board.men]
        if pieces and (board.ground.cover[pieces[0]] or not options):
            return end
        if pieces and all(haven(action.to) <= haven(pieces[0]) for action in options):
            return end
    if not options:
        return end
    claims = look.first("ClaimInterdiction")
    if claims is not None:
        return claims
    best: Action = max(options, key=lambda action: haven(action.to) - (0.3 if "Crawl" in type(action).__name__ else 0))
    return best


def others(player: Regular, look: Look) -> Action | None:
    """What is left to decide."""
    claim = look.first("ClaimInterdiction")
    if claim is not None:
        return claim
    return look.first("KeepArcs", "KeepAcquired", "RemoveExcess", "Done", "EndPhase", "Pass")
