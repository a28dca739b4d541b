"""One exception for everything the server refuses: a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any

from sandtable.engine.errors import (
    ActionRefused,
    CannotUndo,
    IllegalAction,
    MatchOver,
    SandtableError,
    StaleAction,
    WrongSide,
)

STATUS = {
    "bad_request": 400,
    "no_account": 401,
    "account_lost": 401,
    "forbidden": 403,
    "wrong_origin": 403,
    "not_found": 404,
    "not_now": 409,
    "taken": 409,
    "too_big": 413,
    "too_many": 429,
    "not_saved": 503,
}

NOT_SAVED = "This could not be saved, and nothing has changed: try again in a moment."
NO_MATCH = "There is no match of that number, or it is not yours to see."


class Refused(Exception):
    """The server does not do what it was asked to; nothing has changed."""

    def __init__(self, code: str, text: str, *, rule: str = "", retry: float = 0) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.rule = rule
        self.retry = retry

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return STATUS.get(self.code, 409)

    def message(self, number: Any = None) -> dict[str, Any]:
        """The refusal as a WebSocket message."""
        answer = {"t": "refused", "code": self.code, "text": self.text, "rule": self.rule}
        return answer if number is None else {**answer, "id": number}


class Overtaken(Refused):
    """Another process has changed the match in the same moment; nothing of this was saved: catch up, look again."""

    def __init__(self) -> None:
        super().__init__("stale", "Something happened in the meantime: look again.")


def from_engine(error: SandtableError) -> Refused:
    """The engine's refusal as the server's."""
    if isinstance(error, IllegalAction):
        return Refused("illegal", error.reason, rule=error.rule)
    codes: tuple[tuple[type[ActionRefused], str], ...] = (
        (StaleAction, "stale"),
        (WrongSide, "not_your_turn"),
        (MatchOver, "over"),
        (CannotUndo, "no_undo"),
    )
    for kind, code in codes:
        if isinstance(error, kind):
            return Refused(code, str(error))
    return Refused("bad_request", str(error))


def whole_number(text: str) -> int | None:
    """A number as it stands in an address; None if it is none, or bigger than anything that is counted here."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
