"""The page on which a mission is set up: what is settled, what may be chosen, in words."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.part import ActionKey, Describe
from sandtable.engine.view import Description, PanelView, RowView, View
from sandtable.games.sasl import force, opposition, partisan, setting_up
from sandtable.games.sasl.bridges import bridge_words
from sandtable.games.sasl.dice import many
from sandtable.games.sasl.mission_words import REMARKS
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.sasl.rolled import Board, Rolled, board_title
from sandtable.games.sasl.sheet import (
    MADE,
    SHEET,
    TITLES,
    Buy,
    Preparing,
    Return,
    RollFor,
    RollRest,
    Settle,
    Settled,
    Sheet,
    legal,
    meeting_of,
    points_left,
    settled,
    stage,
)
from sandtable.games.sasl.tables.dates import month_words
from sandtable.games.sasl.tables.missions import mission
from sandtable.games.squad.pieces.model import SquadState

RULES = {"mission": "S12", "force": "S15.1", "board": "S13.2", "reinforcements": "M4 MSR 3", "partisans": "S12.21"}
ROLLS = {
    "Offense": ("Roll on A7, Offense", TITLES["mission"], "S17.22"),
    "Defense": ("Roll on A7, Defense", TITLES["mission"], "S17.22"),
    "leaders": ("Continue: muster the company and roll its leaders", "go on", "S17.81"),
    "equipment": ("Continue: roll leaders and support weapons for the units that you have bought", "go on", "S15.1"),
    "board": ("Roll the next board (A8, A9)", "go on", "S13.21"),
    "bridges": ("Roll for the bridges (A9c, A9d)", "go on", "S13.5"),
    "reinforcements": ("Roll for Assault reinforcements", "go on", "M4 MSR 3"),
    "tables": ("Roll on the Mission Tables, set up the S? and begin", "go on", "S12.32"),
}
PROMPTS = {
    "mission": ("Choose a mission, or roll for it on A7", "S17.22"),
    "nations": ("Where, when and against whom? Choose or roll, in any order", "S17.21"),
    "force": ("Choose the company that you will lead, or buy your own force", "S15.1"),
    "leaders": ("Your company is chosen: continue, or change something", "S17.81"),
    "purchase": ("Buy squads and half-squads; leaders and weapons are then rolled", "S15.1"),
    "board": ("Roll the mapboards one by one", "S13.21"),
    "place": ("Which board do you want to play on?", "S13.2"),
    "bridges": ("Roll for the bridges: which of them still stand?", "S13.5"),
    "offer": ("Roll for Assault reinforcements", "M4 MSR 3"),
    "answer": ("Do you accept the engineers? The ENEMY gains VP for them", "M4 MSR 3"),
    "tables": ("The map is ready: the Mission Tables are next", "S12.32"),
}


def value_words(what: str, value: str) -> str:
    """A value of the sheet as people say it."""
    if what == "month":
        return month_words(value)
    if what == "mission":
        return f"Mission {value}: {mission(int(value)).title}"
    if what == "force":
        return "your own, bought at house prices" if value == force.PURCHASE else f"{value} company"
    if what == "partisans":
        return "Partisans" if value == partisan.CODE else "regular troops"
    if what == "board":
        return "a board made for it" if value == MADE else f"board {value}"
    return value


def prompt(state: SquadState, frame: Preparing) -> tuple[str, str]:
    """What the player is asked."""
    sheet, options = SHEET.of(state), setting_up.read_options(state.setting)
    now = stage(sheet, options)
    words, rule = PROMPTS[now]
    if now == "purchase":
        words = f"{words}: {points_left(sheet, options)} BPV left"
    if now == "place" and sheet.board is not None:
        words = f"A9 names board {sheet.board.printed} ({sheet.board.type}). {words}"
    return words, rule


# -- actions ------------------------------------------------------------------------------------


def roll_rest(state: SquadState, side: str, action: RollRest) -> Description:
    """The one big button."""
    sheet = SHEET.of(state)
    return Description("Roll everything" if sheet == Sheet(mission=sheet.mission) else "Roll the rest",
                       "at once", rule="S12", role="resolve")  # fmt: skip


def roll_for(state: SquadState, side: str, action: RollFor) -> Description:
    """A roll for one thing."""
    if action.what in ROLLS:
        text, group, rule = ROLLS[action.what]
        return Description(text, group, rule=rule)
    return Description("Roll", TITLES[action.what], rule=RULES.get(action.what, "S17.21"))


def settle(state: SquadState, side: str, action: Settle) -> Description:
    """A choice of one thing."""
    what, value = action.what, action.value
    if not value:
        return Description("Change", TITLES[what], rule=RULES.get(what, "S17.21"), role="cancel")
    if what == "board" and value != MADE:
        board = SHEET.of(state).board
        printed = board is not None and value.lstrip("0") == board.printed.lstrip("cvw")
        words = board_title(value) + ("" if printed else " in its place")
        return Description(words, TITLES[what], rule="SA-41" if not printed else RULES[what])
    if what == "board":
        kind = getattr(SHEET.of(state).board, "type", "")
        return Description(f"A {kind} board made to replace it", TITLES[what], rule="SA-41")
    if what == "reinforcements":
        return Description({"accept": "Accept them", "refuse": "Refuse them"}[value], TITLES[what], rule=RULES[what])
    words = value_words(what, value)
    notes = company_words(state, value) if what == "force" and value != force.PURCHASE else ()
    return Description(words[:1].upper() + words[1:], TITLES[what], rule=RULES.get(what, "S17.21"), notes=notes)


def company_words(state: SquadState, title: str) -> tuple[str, ...]:
    """What a company that may be chosen consists of: `3 leaders, 9 x 4-6-7`."""
    sheet, options = SHEET.of(state), setting_up.read_options(state.setting)
    if stage(sheet, options) != "force":
        return ()
    one, month = meeting_of(sheet, options)
    company = force.company_named(opposition.code_of(one.friendly, one.line.theatre), month, title)
    words = ", ".join(
        many(count, "leader") if name == "Leader" else f"{count} x {name}" if count > 1 else name
        for name, count in company.units.items()
    )
    return (words,)


def buy(state: SquadState, side: str, action: Buy) -> Description:
    """Buying a unit."""
    name = action.kind.partition(" ")[2]
    return Description(f"Buy a {name}", "buy", rule="S15.1", cost=f"{force.price(action.kind)} BPV", role="add")


def give_back(state: SquadState, side: str, action: Return) -> Description:
    """Giving a unit back."""
    name = action.kind.partition(" ")[2]
    return Description(
        f"Give a {name} back", "give back", rule="S15.1", cost=f"{force.price(action.kind)} BPV", role="leave"
    )


def why_not(state: SquadState, side: str, action: object) -> tuple[str, str] | None:
    """Why something of the set-up cannot be chosen now."""
    if not isinstance(state.stack[-1], Preparing):
        return "The mission has been set up", "S12"
    if action in legal(state):
        return None
    return "The opposition chart and your earlier choices rule this out", "S17.21"


DESCRIBE: dict[ActionKey, Describe] = {
    RollRest: roll_rest,
    RollFor: roll_for,
    Settle: settle,
    Buy: buy,
    Return: give_back,
}


def settled_words(state: SquadState, event: Settled) -> str:
    """A line of the log."""
    title = TITLES[event.what]
    if not event.value:
        return f"{title}: reopened"
    words = value_words(event.what, event.value)
    return f"{words if words.startswith(title) else f'{title}: {words}'} ({event.by})"


# -- the page -----------------------------------------------------------------------------------


def view(state: SquadState, side: str | None, asked: tuple[str, str]) -> View:
    """The sheet instead of a map."""
    mine = side == FRIENDLY
    return View(
        side=side,
        turn="Setting up",
        phase="",
        active=FRIENDLY,
        prompt=asked[0] if mine else "Waiting for the FRIENDLY player",
        prompt_rule=asked[1] if mine else "",
        panels=panels(state),
        bare=True,
        extra={"setting": state.setting},
    )


def panels(state: SquadState) -> tuple[PanelView, ...]:
    """What has been bought; what is settled so far; how things are read for now."""
    sheet, options = SHEET.of(state), setting_up.read_options(state.setting)
    found = []
    if stage(sheet, options) == "purchase":
        found.append(
            PanelView("bought", f"Bought ({points_left(sheet, options)} BPV left)", tuple(_bought(sheet.bought)))
        )
    found.append(PanelView("sheet", "The mission so far", tuple(_rows(sheet, options))))
    found.append(PanelView("readings", "Special rules", tuple(RowView(text) for text in REMARKS)))
    return tuple(found)


def _rows(sheet: Sheet, options: Mapping[str, str]) -> list[RowView]:
    rows = [_row("mission", value_words("mission", str(sheet.mission)) if sheet.mission else "")]
    if sheet.base is not None:
        return rows + _base_rows(sheet.base, sheet, options)
    known = settled(sheet, options)
    for field in opposition.FIELDS:
        words = value_words(field, known[field]) if field in known else ""
        if words and field not in dict(sheet.chosen):
            words += " (the only possibility)"
        number = len(opposition.values(options, sheet.chosen, field))
        waits = field == "month" and "year" not in known
        rows.append(_row(field, words, "follows the year" if waits else f"open: {number} possible"))
    rows.append(_row("force", value_words("force", sheet.force) if sheet.force else ""))
    return rows


def _row(what: str, value: str, none: str = "open") -> RowView:
    return RowView(TITLES[what], value or none, RULES.get(what, "S17.21"), "good" if value else "")


def _base_rows(base: Rolled, sheet: Sheet, options: Mapping[str, str]) -> list[RowView]:
    rows = [
        RowView("Where and when", f"{base.theatre}, {month_words(base.date)}", "S17.21", "good"),
        RowView("You", base.friendly_title, "S17.21", "good"),
        RowView("ENEMY", f"{base.enemy_title}, {base.rules.attitude} Attitude", "S3.2", "good"),
        RowView(base.company, units_words(base.units), "S15.1", "good"),
    ]
    if base.engineers:
        rows.append(RowView("Assault Engineers", units_words(base.engineers), "M4 MSR 3", "good"))
    if partisan.possible(base):
        words = f"on a dr of {partisan.ALWAYS - partisan.drm(base)} or less, or choose"
        words = value_words("partisans", sheet.partisans) if sheet.partisans else words
        rows.append(RowView(TITLES["partisans"], words, "S12.21", "good" if sheet.partisans else ""))
    for number in range(sheet.rules.boards):
        board = base.boards[number] if number < len(base.boards) else None
        words = board_words(board) if board else "open"
        rows.append(RowView(f"Board {number + 1}", words, "S13.2", "good" if board else ""))
        if board and (words := bridge_words(board, options)):
            rows.append(RowView(f"Bridges of board {number + 1}", words, "S13.5", "good" if board.bridges else ""))
    return rows


def units_words(units: force.Units) -> str:
    """Counters in words: `9 x 4-6-7, 8-1`."""
    return ", ".join(f"{count} x {_name(kind)}" if count > 1 else _name(kind) for kind, count in units)


def _name(kind: str) -> str:
    return kind.partition(" ")[2]


def board_words(board: Board) -> str:
    """A board with what lies in its place and its VPO."""
    own = board.board == board.printed.lstrip("cvw") or board.board.lstrip("0") == board.printed.lstrip("cvw")
    words = f"{board.printed} ({board.type})" + ("" if own else f", played on {board_title(board.board)}")
    places = ", ".join("-".join(hexes) for hexes in board.vpo)
    return words + (f"; VPO {places}" if places else "")


def _bought(units: force.Units) -> list[RowView]:
    rows = [RowView(f"{count} x {_name(kind)}", f"{force.price(kind) * count} BPV") for kind, count in units]
    return rows or [RowView("Nothing yet")]
