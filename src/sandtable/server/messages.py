"""What clients send through the WebSocket, as typed messages: anything else is refused before it is looked at."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandtable.engine.tools import Orders
from sandtable.server.refusal import Refused

Short = Annotated[str, msgspec.Meta(max_length=80)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**40)]


class Message(msgspec.Struct, tag_field="t", kw_only=True):
    """The base of all; `id` comes back with the answer."""

    id: int | str | None = None


class Act(Message, tag="act"):
    version: Number
    n: Number | None = None
    action: msgspec.Raw = msgspec.Raw()
    then: Annotated[list[msgspec.Raw], msgspec.Meta(max_length=200)] = []
    whole: bool = False
    """`action` and `then` are one declaration: all of it is done in one step, or nothing."""


class Undo(Message, tag="undo"):
    version: Number | None = None


class AskUndo(Message, tag="ask_undo"):
    pass


class AnswerTo(Message, tag="answer"):
    kind: Short
    agree: bool


class OfferDraw(Message, tag="offer_draw"):
    pass


class Resign(Message, tag="resign"):
    pass


class ClaimTimeout(Message, tag="claim_timeout"):
    pass


class Say(Message, tag="chat"):
    text: Annotated[str, msgspec.Meta(max_length=2000)]
    room: Short = "all"


class SetOrders(Message, tag="orders"):
    orders: Orders


class AskPreview(Message, tag="preview"):
    version: Number
    n: Number | None = None
    action: msgspec.Raw = msgspec.Raw()


class AskPath(Message, tag="path"):
    pieces: Annotated[list[Short], msgspec.Meta(max_length=50)]
    to: Short
    via: Annotated[list[Short], msgspec.Meta(max_length=50)] = []


class AskPlan(Message, tag="plan"):
    """What can these pieces do at that place, or with that piece?"""

    version: Number
    pieces: Annotated[list[Short], msgspec.Meta(max_length=50)] = []
    cell: Short = ""
    target: Short = ""


class AskGoals(Message, tag="goals"):
    """Where can these pieces go, and what can they act on?"""

    version: Number
    pieces: Annotated[list[Short], msgspec.Meta(max_length=50)]


class Reopen(Message, tag="reopen"):
    """Ask me about the step that was passed for me at this version, if it can still be taken back."""

    version: Number


class AskLos(Message, tag="los"):
    a: Short
    b: Short


class AskVisible(Message, tag="visible"):
    a: Short


class TakeSeat(Message, tag="seat"):
    side: Short


class Platoon(Message, tag="platoon"):
    """Put units into the platoon of a player who shares my side; 0 is the commander."""

    pieces: Annotated[list[Short], msgspec.Meta(max_length=200)]
    to: Number


class AddNumber(Message, tag="number"):
    number: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class SetPace(Message, tag="pace"):
    pace: Short


class Resync(Message, tag="resync"):
    pass


class Ping(Message, tag="ping"):
    pass


Any_ = (
    Act
    | Undo
    | AskUndo
    | AnswerTo
    | OfferDraw
    | Resign
    | ClaimTimeout
    | Say
    | SetOrders
    | AskPreview
    | AskPath
    | AskPlan
    | AskGoals
    | Reopen
    | AskLos
    | AskVisible
    | TakeSeat
    | Platoon
    | AddNumber
    | SetPace
    | Resync
    | Ping
)


class _Numbered(msgspec.Struct):
    id: int | str | None = None


_decoder: msgspec.json.Decoder[Any_] = msgspec.json.Decoder(Any_)


def number_of(text: str | bytes) -> int | str | None:
    """The number of a message that cannot be read otherwise."""
    try:
        return msgspec.json.decode(text, type=_Numbered).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def read_message(text: str | bytes) -> Any_:
    """A message from its text."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused("bad_request", f"This message cannot be read: {str(error)[:200]}.") from None
