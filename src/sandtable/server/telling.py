"""What a side is told about the decision before it: choices, taking back, the handing over of one screen, questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.server import seats, sharing
from sandtable.server.forms import side_name
from sandtable.server.pupils import pupil
from sandtable.server.store.base import now

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch


def decision(live: LiveMatch, side: str | None, user: str) -> dict[str, Any]:
    """What a player of a side can do now."""
    told: dict[str, Any] = {}
    if live.clocks is not None:
        told["clocks"] = clocks_now(live)
    if side is None:
        return told
    told["actions"] = live.choices(side, user)
    if not told["actions"] and side in live.to_act and (waits := sharing.waits(live, side)):
        told["waits"] = waits
    told["refusals"] = live.match.refusals(side) if side in live.to_act else ()
    why_not = live.match.why_no_undo(side) if not live.result else "The match is over."
    told["undo"] = {"possible": why_not is None, "why_not": why_not or "", "ask": may_ask(live, side, why_not)}
    told["handover"] = _handover(live, side, user)
    if live.setup.lesson and (learner := pupil(live)) is not None:
        told["lesson"] = learner.now(live)
    return told


def may_ask(live: LiveMatch, side: str, why_not: str | None) -> bool:
    """Whether the others can be asked to let a side take back its last action; where the rules lead, nobody can."""
    return why_not is not None and not live.result and side in live.acted and not seats.ruled(live.match)


def _handover(live: LiveMatch, side: str, user: str) -> dict[str, Any] | None:
    if side in live.to_act:
        return None
    others = [other for other in live.to_act if live.seats[other].user == user]
    return {"to": others[0], "curtain": live.hidden()} if user and others else None


def requests_for(live: LiveMatch, side: str | None) -> list[dict[str, Any]]:
    """The open questions, as one side sees them."""
    user = live.seats[side].user if side is not None else None
    words = {"undo": "asks to take back the last action", "draw": "offers a draw"}
    return [
        {
            "kind": request.kind,
            "by": request.by,
            "text": f"{side_name(request.by)} {words[request.kind]}",
            "yours": request.by == side,
            "answer": user is not None and user in live.others(request.by) and user not in request.agreed,
        }
        for request in live.requests
    ]


def clocks_now(live: LiveMatch) -> dict[str, Any] | None:
    """What is left to each side now."""
    clocks = live.clocks_at(now())
    if clocks is None:
        return None
    running, left = live.running_clocks(), clocks.left
    told: dict[str, Any] = {s: {"left_ms": left[s], "running": s in running} for s in left}
    told["claim"] = [side for side in running if left[side] <= 0]
    return told
