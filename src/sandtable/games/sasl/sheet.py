"""The sheet of a mission that is being set up: what is settled, what may be chosen or rolled next (S12 to S15)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.engine import Action, Event, Frame
from sandtable.engine.part import Field
from sandtable.games.sasl import force, opposition, partisan, setting_up
from sandtable.games.sasl.bridges import any_open
from sandtable.games.sasl.force import Units
from sandtable.games.sasl.missions import MISSIONS, Rules
from sandtable.games.sasl.opposition import Chosen, Meeting
from sandtable.games.sasl.rolled import Board, Rolled
from sandtable.games.squad.pieces.model import SquadState

MADE = "made"
"""A board that is made, in the place of one that is not at hand."""
ACCEPT, REFUSE = "accept", "refuse"
REGULARS = "regulars"
"""The ENEMY is not Partisan although he might be."""
TITLES = {
    "mission": "Mission",
    "theatre": "Theatre",
    "friendly": "Your nation (FRIENDLY)",
    "enemy": "ENEMY nation",
    "year": "Year",
    "month": "Month",
    "force": "Your force",
    "board": "Board",
    "reinforcements": "Assault reinforcements",
    "partisans": "Partisan ENEMY",
}


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is settled of a mission before it begins."""

    mission: int = 0
    chosen: Chosen = ()
    """Theatre, nations and date as far as they have been chosen or rolled."""
    force: str = ""
    bought: Units = ()
    base: Rolled | None = None
    """From the moment when nations and force stand."""
    laid: bool = False
    """How the boards lie has been rolled."""
    board: Board | None = None
    """A board that A9 has named; which one is played on is open."""
    asked: bool = False
    """Reinforcements have been rolled."""
    answered: bool = False
    """They have been taken or refused."""
    partisans: str = ""
    """Whether the ENEMY is Partisan, where he may be; empty: the dr of 12.21 decides."""

    @property
    def rules(self) -> Rules:
        """The rules of the mission."""
        return MISSIONS[self.mission]

    @property
    def whole(self) -> Rolled:
        """The set-up once nations and force stand."""
        assert self.base is not None
        return self.base


SHEET: Field[Sheet] = Field("sheet", Sheet, Sheet())


class Preparing(Frame, frozen=True):
    """The player chooses or rolls one thing after another."""


class Settle(Action, frozen=True):
    """Choose something of the set-up; an empty value leaves it open again."""

    what: str
    value: str


class RollFor(Action, frozen=True):
    """Roll for something of the set-up."""

    what: str


class RollRest(Action, frozen=True):
    """Roll everything that is still open, and begin."""


class Buy(Action, frozen=True):
    """Buy a unit."""

    kind: str


class Return(Action, frozen=True):
    """Give a unit back that was bought."""

    kind: str


class Settled(Event, frozen=True):
    """Something of the set-up was settled, by choice or by dice."""

    what: str
    value: str
    by: str = "chosen"


def settled(sheet: Sheet, options: Mapping[str, str]) -> dict[str, str]:
    """Theatre, nations and date as far as they are settled or follow."""
    return opposition.settled(options, sheet.chosen)


def meeting_of(sheet: Sheet, options: Mapping[str, str]) -> tuple[Meeting, str]:
    """The one meeting and month that is left."""
    one = opposition.left(options, tuple(settled(sheet, options).items()))[0]
    return one.meeting, one.month


def stage(sheet: Sheet, options: Mapping[str, str]) -> str:
    """Where the set-up stands: mission, nations, force, purchase, leaders, board, place, bridges, offer and so on."""
    if not sheet.mission:
        return "mission"
    if sheet.base is None:
        if len(settled(sheet, options)) < len(opposition.FIELDS):
            return "nations"
        if sheet.force == force.PURCHASE:
            return "purchase"
        return "leaders" if sheet.force else "force"
    if sheet.board is not None:
        return "place"
    if len(sheet.base.boards) < sheet.rules.boards:
        return "board"
    if any_open(sheet.base, options):
        return "bridges"
    if sheet.rules.offers and not sheet.answered:
        return "answer" if sheet.asked else "offer"
    return "tables"


def points_left(sheet: Sheet, options: Mapping[str, str]) -> int:
    """BPV that can still be spent."""
    one, month = meeting_of(sheet, options)
    code = opposition.code_of(one.friendly, one.line.theatre)
    return force.budget(options, code, month) - force.cost(sheet.bought)


def legal(state: SquadState) -> list[Action]:
    """Everything that may be chosen or rolled now."""
    sheet, options = SHEET.of(state), setting_up.read_options(state.setting)
    now = stage(sheet, options)
    found: list[Action] = [RollRest()]
    if now == "mission":
        found += [RollFor(column) for column in ("Offense", "Defense")]
        found += [Settle("mission", str(number)) for number in sorted(MISSIONS)]
    if now in ("nations", "force", "leaders", "purchase"):
        found += _nations(sheet, options)
    if now in ("force", "leaders", "purchase"):
        found += _force(sheet, options, now)
    if sheet.base is not None and partisan.possible(sheet.base) and options.get("enemy", "roll") == "roll":
        others = ("",) if sheet.partisans else (partisan.CODE, REGULARS)
        found += [Settle("partisans", value) for value in others]
    if now == "board":
        found.append(RollFor("board"))
    if now == "place":
        assert sheet.board is not None
        base = sheet.whole
        printed = setting_up.own_board(state, base, sheet.board)
        names = dict.fromkeys((*([printed] if printed else []), MADE, *setting_up.substitutes(base, sheet.board)))
        found += [Settle("board", name) for name in names]
    if now == "bridges":
        found.append(RollFor("bridges"))
    if now == "offer":
        found.append(RollFor("reinforcements"))
    if now == "answer":
        found += [Settle("reinforcements", answer) for answer in (ACCEPT, REFUSE)]
    if now == "tables":
        found.append(RollFor("tables"))
    return found


def _nations(sheet: Sheet, options: Mapping[str, str]) -> list[Action]:
    found: list[Action] = []
    known, chosen = settled(sheet, options), dict(sheet.chosen)
    for field in opposition.FIELDS:
        if field in chosen:
            found.append(Settle(field, ""))
        elif field not in known and (field != "month" or "year" in known):
            found.append(RollFor(field))
            found += [Settle(field, value) for value in opposition.values(options, sheet.chosen, field)]
    return found


def _force(sheet: Sheet, options: Mapping[str, str], now: str) -> list[Action]:
    one, month = meeting_of(sheet, options)
    code = opposition.code_of(one.friendly, one.line.theatre)
    if now == "force":
        titles = [company.title for company in opposition.companies_of(code, month)]
        return [RollFor("force"), *[Settle("force", title) for title in (*titles, force.PURCHASE)]]
    found: list[Action] = [Settle("force", "")]
    if now == "leaders":
        return [*found, RollFor("leaders")]
    points = points_left(sheet, options)
    found += [Buy(kind) for kind in force.wares(code, month) if force.price(kind) <= points]
    found += [Return(kind) for kind, _ in sheet.bought]
    if sheet.bought:
        found.append(RollFor("equipment"))
    return found
