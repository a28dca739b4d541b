"""What the server sends through the WebSocket, as typed messages: the client's types are made from these.

The server builds its messages as tables, for speed; tests read every one of them as its type.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sandtable.engine.plan import Goal, Plan
from sandtable.engine.tools import Los, Orders, Path
from sandtable.engine.view import Preview, Refusal, View
from sandtable.server.forms import ChatLine, Result
from sandtable.server.picture import Choice
from sandtable.server.rebuild import Line


class _Said(msgspec.Struct, tag_field="t", kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: int | str | None = None
    """The number of the message that this answers."""


class Seen(View, frozen=True, kw_only=True, omit_defaults=True):
    """A view as it is sent: with the step it belongs to."""

    version: int
    to_act: tuple[str, ...] = ()
    outcome: Result | None = None


class UndoState(msgspec.Struct, forbid_unknown_fields=True):
    """Whether the last action can be taken back."""

    possible: bool
    why_not: str = ""
    ask: bool = False


class Handover(msgspec.Struct, forbid_unknown_fields=True):
    """Another side of the same account decides next."""

    to: str
    curtain: bool = False


class LessonState(msgspec.Struct, forbid_unknown_fields=True):
    """How far the player of a lesson has come: the step he is at, and those that were passed over."""

    step: int
    passed: tuple[int, ...] = ()
    cut_short: bool = False
    """Whether the game ended before the lesson did."""


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """An open question between the players."""

    kind: Literal["undo", "draw"]
    by: str
    text: str
    yours: bool = False
    answer: bool = False


class _State(_Said, kw_only=True):
    version: int
    now: int
    log: tuple[Line, ...] = ()
    actions: tuple[Choice, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    undo: UndoState | None = None
    handover: Handover | None = None
    waits: str = ""
    """Who else of a shared side is to decide."""
    lesson: LessonState | None = None
    requests: tuple[Asked, ...] = ()
    clocks: dict[str, Any] | None = None
    result: Result | None = None


class Welcome(_State, tag="welcome", kw_only=True):
    """The whole picture."""

    match: dict[str, Any]
    side: str | None
    yours: tuple[str, ...]
    view: Seen
    chat: tuple[ChatLine, ...] = ()
    pace: str = "watch"
    thinking: str = ""
    orders: Orders | None = None


class Update(_State, tag="update", kw_only=True):
    """What has changed since the view of step `base`."""

    base: int
    view: Seen | None = None
    patch: dict[str, Any] | None = None


class Done(_Said, tag="done", kw_only=True):
    """A receipt; `did` is the number of actions of a plan that were done."""

    version: int
    did: int = 0


class PreviewAnswer(_Said, tag="preview", kw_only=True):
    preview: Preview | None = None


class PathAnswer(_Said, tag="path", kw_only=True):
    path: Path | None = None


class PlanAnswer(_Said, tag="plan", kw_only=True):
    """What the pieces can do there, or the rule that forbids it."""

    plans: tuple[Plan, ...] = ()
    why: Refusal | None = None


class GoalsAnswer(_Said, tag="goals", kw_only=True):
    """Places within reach, and the danger in them."""

    goals: tuple[Goal, ...] = ()
    danger: dict[str, float] = {}


class LosAnswer(_Said, tag="los", kw_only=True):
    los: Los


class VisibleAnswer(_Said, tag="visible", kw_only=True):
    a: str
    cells: dict[str, float] = {}
    blocked: tuple[str, ...] = ()


class ChatMessage(_Said, tag="chat", kw_only=True):
    lines: tuple[ChatLine, ...]


class Presence(_Said, tag="presence", kw_only=True):
    connected: dict[str, bool] = {}
    observers: int = 0


class Thinking(_Said, tag="thinking", kw_only=True):
    side: str


class MatchMessage(_Said, tag="match", kw_only=True):
    match: dict[str, Any]


class OrdersMessage(_Said, tag="orders", kw_only=True):
    orders: Orders


class Refusing(_Said, tag="refused", kw_only=True):
    code: str
    text: str
    rule: str = ""


class Pong(_Said, tag="pong", kw_only=True):
    now: int


Sent = (
    Welcome
    | Update
    | Done
    | PreviewAnswer
    | PathAnswer
    | PlanAnswer
    | GoalsAnswer
    | LosAnswer
    | VisibleAnswer
    | ChatMessage
    | Presence
    | Thinking
    | MatchMessage
    | OrdersMessage
    | Refusing
    | Pong
)
