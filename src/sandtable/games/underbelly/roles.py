"""What each action is to whoever decides: it begins, adds, aims, carries out, gives up or lets pass."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.games.underbelly import actions as a

ROLES: dict[type[Action], str] = {
    **dict.fromkeys((a.Move, a.MoveFight, a.Attack, a.FightMove, a.Enter, a.BuildFort, a.Drop, a.Assault), "start"),
    a.LaunchEndRun: "start",
    a.Place: "place",
    a.Add: "add",
    **dict.fromkeys((a.Leave, a.Withhold), "leave"),
    **dict.fromkeys((a.UseTac, a.UseBombers), "vary"),
    **dict.fromkeys((a.Begin, a.Resolve), "resolve"),
    a.Cancel: "cancel",
    a.Halt: "stop",
    **dict.fromkeys((a.EndPhase, a.PassDrop, a.Decline, a.DeclineTac, a.CeaseFire), "pass"),
}
"""All others are done at once."""


def role_of(action: Action) -> str:
    """The role of an action."""
    if isinstance(action, a.Advance) and not action.units:
        return "pass"
    return ROLES.get(type(action), "do")
