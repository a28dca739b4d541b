"""Names in words, and plain descriptions: what every chapter's words are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.engine import Action
from sandtable.engine.state import Frame
from sandtable.engine.view import Description
from sandtable.games.underbelly.atlas import INDEX, describe_hex
from sandtable.games.underbelly.data import TurnRow
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ARMY_BOX,
    ASIDE,
    DEAD,
    END_RUN_BOX,
    GERMAN_BOX,
    GONE,
    LOST,
    AttackDraft,
    Moving,
    UnderbellyState,
)
from sandtable.games.underbelly.modifiers import BOMBERS
from sandtable.games.underbelly.zones import UNITS

BOX_NAMES = {
    ALLIED_BOX: "Allied Available Units",
    GERMAN_BOX: "German Available Units",
    ARMY_BOX: "5th Panzer Army",
    END_RUN_BOX: "End-Run Invasion",
    DEAD: "dead pile",
    LOST: "lost for good",
    ASIDE: "off to the side",
    GONE: "out of play",
}
MONTHS = {"09": "Sep", "10": "Oct", "11": "Nov", "12": "Dec"}
SIDES = {"allied": "Allies", "german": "Germans"}


def unit_name(unit: str) -> str:
    """A unit or the heavy bombers by name."""
    return "Heavy bombers" if unit == BOMBERS else UNITS[unit].name


def names(units: Sequence[str]) -> str:
    """Several units by name."""
    return ", ".join(unit_name(u) for u in units) or "nobody"


def where(place: str) -> str:
    """A hex or a box in words."""
    return describe_hex(place) if place in INDEX else BOX_NAMES.get(place, place)


def dates(row: TurnRow) -> str:
    """The dates of a turn, short: 28 Oct to 2 Nov 1943."""
    (year, month, day), (_, last_month, last) = row.start.split("-"), row.end.split("-")
    first = int(day) if month == last_month else f"{int(day)} {MONTHS[month]}"
    return f"{first} to {int(last)} {MONTHS[last_month]} {year}"


# -- descriptions that need no state ------------------------------------------------------

Touched = tuple[tuple[str, ...], tuple[str, ...]]


def _moving(frame: Moving) -> Touched:
    return frame.group, (frame.at,) if frame.at in INDEX else ()


def _attack(frame: AttackDraft) -> Touched:
    return frame.units, (frame.at, frame.target)


_TOUCHED: dict[type[Frame], Callable[..., Touched]] = {Moving: _moving, AttackDraft: _attack}


def plain(
    text: str, group: str, rule: str = "", key: str = "", *, cost: int = 0, pieces: tuple[str, ...] = ()
) -> Callable[[UnderbellyState, str, Action], Description]:
    """The description of an action that always has the same words; it touches whoever moves or attacks."""

    def describe(state: UnderbellyState, side: str, action: Action) -> Description:
        frame = state.stack[-1]
        find = _TOUCHED.get(type(frame))
        touched, cells = find(frame) if find else (pieces, ())
        return Description(text, group, touched, cells, rule=rule, key=key, cost=f"{cost} CP" if cost else "")

    return describe
