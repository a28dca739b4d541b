"""What one audience is shown: the view, the choices with their words, and the difference to what it saw before."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from sandtable.engine import Action, Match
from sandtable.engine.errors import RulesFault
from sandtable.engine.plan import outcome_without_dice
from sandtable.engine.view import Description, PieceView, View
from sandtable.server.forms import Result

log = logging.getLogger("sandtable.server")

T = TypeVar("T")

VIEW_FIELDS = View.__struct_fields__
DESCRIPTION_FIELDS = Description.__struct_fields__


class Choice(msgspec.Struct, omit_defaults=True):
    """A legal action as clients get it; the fields after `action` are those of a description."""

    n: int
    action: Action
    text: str
    group: str = ""
    pieces: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    rule: str = ""
    key: str = ""
    cost: str = ""
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    role: str = ""
    warning: str = ""
    """What could lose the whole match if it is done: to be asked about once more."""


def choices(match: Match, side: str) -> list[Choice]:
    """The legal actions of a side in words."""
    found: list[Choice] = []
    for number, action in enumerate(match.actions(side)):
        d = described(match, side, action)
        words = {name: getattr(d, name) for name in DESCRIPTION_FIELDS}
        found.append(Choice(n=number, action=action, warning=warning(match, side, action, d), **words))
    return found


def warning(match: Match, side: str, action: Action, said: Description) -> str:
    """What a side should know before it lets the moment pass or leaves its post: that it loses by it."""
    try:
        found = match.game.warning(match.state, side, action)
        if found or said.role != "pass":
            return found
        if match.game.reshuffle(match.state, side, random.Random(0)) is not None:
            return ""  # how it would end may hang on what is hidden from the side
        end = outcome_without_dice(match, side, action)
    except Exception:
        log.exception("%s cannot judge %r", match.header.game, action)
        return ""
    if end is None or end.winner == side:
        return ""
    who = f"{match.game.side_title(match.state, end.winner)} wins" if end.winner else "it ends in a draw"
    return f"This ends the match, and {who}: {end.reason}."


def described(match: Match, side: str, action: Action) -> Description:
    """An action in words; a game that fails to find them must not keep the player from acting."""
    try:
        return match.describe(side, action)
    except Exception:
        log.exception("%s has no words for %r", match.header.game, action)
        return Description(type(action).__name__)


def at_leisure(work: Callable[[Match], T], candidate: Match) -> T:
    """Work on a copy and look at what comes of it, so that what cannot be shown is found out in time."""
    done = work(candidate)
    try:
        for side in (*candidate.sides, None):
            candidate.game.view(candidate.state, side)
        for side in candidate.to_act:
            choices(candidate, side)
    except Exception as error:
        raise RulesFault(f"{type(error).__name__} after the action: {error}") from None
    return done


def whole_view(match: Match, side: str | None, result: Result | None) -> dict[str, Any]:
    """The view as a table of its fields; the pieces in it are still typed, which makes comparing quick."""
    return view_table(match.game.view(match.state, side), match.version, () if result else match.to_act, result)


def view_table(view: View, version: int, to_act: Sequence[str], result: Result | None) -> dict[str, Any]:
    """The fields of a view, with the step it belongs to."""
    table = {name: getattr(view, name) for name in VIEW_FIELDS}
    table["version"] = version
    table["to_act"] = tuple(to_act)
    table["outcome"] = result
    return table


def patch(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The fields that changed; pieces by difference where that gives the right order."""
    changed = {name: value for name, value in new.items() if name != "pieces" and old[name] != value}
    if old["pieces"] != new["pieces"]:
        changed["pieces"] = _pieces(old["pieces"], new["pieces"])
    return changed


def _pieces(old: Sequence[PieceView], new: Sequence[PieceView]) -> Any:
    before = {piece.id: piece for piece in old}
    after = {piece.id for piece in new}
    put = [piece for piece in new if before.get(piece.id) != piece]
    order = [piece.id for piece in old if piece.id in after]
    order += [piece.id for piece in put if piece.id not in before]
    if 2 * len(put) > len(new) or order != [piece.id for piece in new]:
        return new
    return {"put": put, "gone": [piece.id for piece in old if piece.id not in after]}


def everything(match_game: Any, state: Any, sides: Sequence[str]) -> View:
    """All that any side knows, for looking back after the end: each side's pieces as it sees them itself."""
    base: View = match_game.view(state, None)
    views = [match_game.view(state, side) for side in sides]
    pieces = {piece.id: piece for view in (base, *views) for piece in view.pieces}
    for side, view in zip(sides, views, strict=True):
        pieces.update({piece.id: piece for piece in view.pieces if piece.side == side})
    marks = {mark: None for view in (base, *views) for mark in view.marks}
    boxes = {box.id: box for view in (base, *views) for box in view.boxes}
    return msgspec.structs.replace(base, pieces=tuple(pieces.values()), marks=tuple(marks), boxes=tuple(boxes.values()))
