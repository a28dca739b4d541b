"""What each action is to whoever decides: it begins, aims, carries out, gives up or lets pass."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.model import Acting, Activation, Driving, PbiState

ROLES: dict[type[Action], str] = {
    **dict.fromkeys((a.Activate, a.Motivate, a.Man, a.Drive, a.MoveTogether, a.UseAsset), "start"),
    **dict.fromkeys((a.Shape, a.Split), "vary"),
    a.Dismiss: "leave",
    a.Place: "place",
    **dict.fromkeys((a.Ready, a.Accept, a.Hold), "pass"),
    a.Keep: "stop",
}
"""All others are done at once; what `Done` ends depends on who acts."""


def role_of(state: PbiState, action: Action) -> str:
    """The role of an action now."""
    if isinstance(action, a.Done):
        return "stop" if isinstance(state.stack[-1], (Activation, Acting, Driving)) else "pass"
    return ROLES.get(type(action), "do")
