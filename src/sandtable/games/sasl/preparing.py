"""Setting up a mission, one thing after another or all at once; every roll stands in the log (S12 to S15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.asl.snipers.model import SNIPERS, Sniper
from sandtable.games.asl.works.model import BOOBYTRAPS
from sandtable.games.sasl import force, opposition, partisan
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.bridges import roll_bridges
from sandtable.games.sasl.dice import pick, say
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import ENEMY, FRIENDLY, ROSTER, RollMission
from sandtable.games.sasl.opposition import Chosen, Meeting
from sandtable.games.sasl.rolled import Rolled
from sandtable.games.sasl.sheet import (
    ACCEPT,
    MADE,
    REFUSE,
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
)
from sandtable.games.sasl.tables.dates import month_words
from sandtable.games.sasl.tables.missions import selection
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.phases.sequence import begin_play
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario import setup
from sandtable.games.squad.scenario.model import SetUp

CHART = "Theater Opposition Chart"
ANY = "any"
"""The scenario whose mission is chosen or rolled too (A7)."""


class Rolling(Procedure[SquadState, RollMission]):
    """The beginning: the player is asked step by step, or all is rolled at once."""

    def run(self, play: Play[SquadState], frame: RollMission) -> None:
        state = play.state
        options = rolling.read_options(state.setting)
        place = state.setting.partition("#")[0].partition("?")[0].partition("/")[2]
        SHEET.put(state, Sheet(mission=0 if place == ANY else int(place)))
        if opposition.impossible(options):
            words = f"{opposition.never(options)}: the ENEMY and the year are left open"
            say(play, CHART, "", (), words, "S17.21")
        if options.get("set_up") == "steps":
            play.replace(Preparing())
        else:
            roll_rest(play)


class Prepare(Procedure[SquadState, Preparing]):
    """The player chooses or rolls one thing after another."""

    def to_act(self, state: SquadState, frame: Preparing) -> tuple[str, ...]:
        return (FRIENDLY,)

    def actions(self, state: SquadState, frame: Preparing, side: str) -> Sequence[Action]:
        return legal(state)

    def apply(self, play: Play[SquadState], frame: Preparing, side: str, action: Action) -> None:
        if isinstance(action, RollRest):
            roll_rest(play)
        elif isinstance(action, RollFor):
            _roll(play, action.what)
        elif isinstance(action, Settle):
            _settle(play, action.what, action.value)
        elif isinstance(action, Buy | Return):
            _buy(play, action)


def _put(play: Play[SquadState], **changes: object) -> Sheet:
    sheet = replace(SHEET.of(play.state), **changes)
    SHEET.put(play.state, sheet)
    return sheet


def _options(play: Play[SquadState]) -> dict[str, str]:
    return rolling.read_options(play.state.setting)


# -- choosing -------------------------------------------------------------------------------


def _settle(play: Play[SquadState], what: str, value: str) -> None:
    sheet = SHEET.of(play.state)
    play.emit(Settled(what=what, value=value))
    if what == "board":
        _place(play, value)
    elif what == "reinforcements":
        _answer(play, value)
    elif what == "mission":
        _put(play, mission=int(value))
    elif what == "force":
        _put(play, force=value, bought=())
    elif what == "partisans":
        _put(play, partisans=value)
    else:
        _put(play, chosen=_changed(sheet.chosen, what, value), force="", bought=())


def _changed(chosen: Chosen, what: str, value: str) -> Chosen:
    others = tuple(pair for pair in chosen if pair[0] != what)
    return (*others, (what, value)) if value else others


def _buy(play: Play[SquadState], action: Buy | Return) -> None:
    bought = dict(SHEET.of(play.state).bought)
    bought[action.kind] = bought.get(action.kind, 0) + (1 if isinstance(action, Buy) else -1)
    _put(play, bought=tuple((kind, count) for kind, count in bought.items() if count))


def _place(play: Play[SquadState], name: str) -> None:
    """Which board is played on is settled: it is laid out, with its VPO."""
    sheet = SHEET.of(play.state)
    board, base = sheet.board, sheet.whole
    assert board is not None
    if name == MADE:
        name = rolling.make_board(play, base, board)
    _put(play, base=sheet.rules.join_board(play, base, board, name), board=None)


def _answer(play: Play[SquadState], answer: str) -> None:
    sheet = SHEET.of(play.state)
    base = sheet.whole
    base = sheet.rules.accept(play, base) if answer == ACCEPT else replace(base, bonus=0)
    _put(play, base=base, answered=True)


# -- rolling --------------------------------------------------------------------------------


def _roll(play: Play[SquadState], what: str) -> None:
    sheet = SHEET.of(play.state)
    if what in ("Offense", "Defense"):
        _put(play, mission=roll_mission(play, what))
    elif what in opposition.FIELDS:
        _roll_field(play, what)
    elif what == "force":
        _roll_company(play)
    elif what in ("leaders", "equipment"):
        _muster(play)
    elif what == "board":
        _name_board(play)
    elif what == "bridges":
        _put(play, base=roll_bridges(play, sheet.whole))
    elif what == "reinforcements":
        base = sheet.rules.reinforcements(play, sheet.whole)
        _put(play, base=base, asked=True, answered=not base.bonus)
    elif what == "tables":
        begin(play, sheet.whole)


def roll_mission(play: Play[SquadState], column: str) -> int:
    """A mission by A7: one of the throws that give a mission which is played, as if others were rerolled (S17.22)."""
    throws = mission_throws(column)
    faces, row, number = pick(play, [one for one in throws if one[2] in MISSIONS], f"Mission Selection, {column}")
    others = ", ".join([str(other) for other in sorted({one[2] for one in throws} - MISSIONS.keys())])
    why = f"Mission {number}; rolls for Missions not played yet ({others}) are ignored"
    say(play, "A7", row, faces, why, "S17.22")
    play.emit(Settled(what="mission", value=str(number), by="rolled"))
    return number


def mission_throws(column: str) -> list[tuple[tuple[int, ...], str, int]]:
    """All throws of A7, equally likely: the DR with the dr of a bracket, the row, the mission."""
    table = selection()
    place = table.column(group=column)
    found = []
    for *dice, dr in product(range(1, 7), repeat=table.dice + 1):
        row = table.row(sum(dice))
        cell = row.cells[place]
        faces = (*dice, dr) if len(cell.choices) > 1 else tuple(dice)
        found.append((faces, row.key, int(cell.pick(dr).item)))
    return found


def _roll_field(play: Play[SquadState], field: str) -> None:
    """Draw a meeting of those that are left, and keep one thing of it (SA-39)."""
    sheet, options = SHEET.of(play.state), _options(play)
    title = TITLES[field]
    one = pick(play, opposition.meetings_left(options, sheet.chosen), f"{title}, line of the chart")
    month = ""
    if field in ("year", "month"):
        month = pick(play, opposition.months_left(options, sheet.chosen, one), title)
    value = opposition.Possible(one, month).value(field)
    _put(play, chosen=_changed(sheet.chosen, field, value), force="", bought=())
    said = month_words(value) if field == "month" else value
    say(play, CHART, _row(one), (), f"{title}: {said}", "S17.21")


def _row(one: Meeting) -> str:
    return f"{one.line.theatre} {one.line.dates}"


def _roll_company(play: Play[SquadState]) -> None:
    one, month = meeting_of(SHEET.of(play.state), _options(play))
    company = pick(
        play, opposition.companies_of(opposition.code_of(one.friendly, one.line.theatre), month), "which company"
    )
    _put(play, force=company.title)
    play.emit(Settled(what="force", value=company.title, by="rolled"))


def _muster(play: Play[SquadState]) -> None:
    """Nations and force stand: leaders are rolled, or leaders and SW for what has been bought."""
    sheet, options = SHEET.of(play.state), _options(play)
    one, month = meeting_of(sheet, options)
    base = rolling.with_nations(play, sheet.mission, one, month)
    if sheet.force == force.PURCHASE:
        base = force.equip(play, base, sheet.bought)
    else:
        base = force.muster(play, base, force.company_named(base.friendly, month, sheet.force))
    _put(play, base=base)


def _name_board(play: Play[SquadState]) -> None:
    sheet = SHEET.of(play.state)
    base = sheet.whole if sheet.laid else sheet.rules.lay_out(play, sheet.whole)
    board = rolling.roll_board(play, base, sheet.rules.board_table(base), sheet.rules.board_drm)
    _put(play, base=base, laid=True, board=board)


def roll_rest(play: Play[SquadState]) -> None:
    """Roll everything that is still open, and begin."""
    options = _options(play)
    if not SHEET.of(play.state).mission:
        _put(play, mission=roll_mission(play, pick(play, ("Offense", "Defense"), "Offense or Defense")))
    if SHEET.of(play.state).base is None:
        _roll_nations(play, options)
    sheet = SHEET.of(play.state)
    rules, base = sheet.rules, sheet.whole
    if not sheet.laid:
        base = rules.lay_out(play, base)
    if sheet.board is not None:
        base = rules.join_board(play, base, sheet.board, rolling.find_board(play, base, sheet.board))
    while len(base.boards) < rules.boards:
        base = rules.add_board(play, base)
    base = roll_bridges(play, base)
    if rules.offers and not sheet.asked:
        base = rules.reinforcements(play, base)
    if rules.offers and not sheet.answered and base.bonus:
        taken = options.get("engineers", ACCEPT) != REFUSE
        base = rules.accept(play, base) if taken else replace(base, bonus=0)
    begin(play, base)


def _roll_nations(play: Play[SquadState], options: Mapping[str, str]) -> None:
    """Theatre, nations, date and force, as far as they are open (SA-39)."""
    sheet = SHEET.of(play.state)
    one = pick(play, opposition.meetings_left(options, sheet.chosen), "line of the opposition chart")
    month = pick(play, opposition.months_left(options, sheet.chosen, one), "month")
    found = opposition.Possible(one, month)
    nations = f"{found.value('friendly')} against {found.value('enemy')}"
    say(play, CHART, _row(one), (), f"{nations}, {month_words(month)}", "S17.21")
    chosen = tuple((field, found.value(field)) for field in opposition.FIELDS)
    sheet = _put(play, chosen=chosen)
    if not sheet.force:
        _roll_company(play)
    elif sheet.force == force.PURCHASE:
        base = rolling.with_nations(play, sheet.mission, one, month)
        points = force.budget(options, base.friendly, month)
        _put(play, bought=force.spend_rest(play, base, sheet.bought, points))
    _muster(play)


def begin(play: Play[SquadState], base: Rolled) -> None:
    """The Mission Tables, the map with VPO and S?, and the first decision of play (S12.32, S4.1)."""
    state = play.state
    options = _options(play)
    rules = MISSIONS[base.mission]
    base = partisan.roll(play, base, SHEET.of(state).partisans or options.get("enemy", "roll"))
    SHEET.put(state, Sheet())
    state.setting = key_of(state, base)
    roster = rolling.roll_roster(play, base)
    ROSTER.put(state, roster)
    SNIPERS.put(state, {FRIENDLY: Sniper(roster.friendly_san), ENEMY: Sniper(roster.enemy_san)})
    if roster.boobytrap:
        BOOBYTRAPS.of(state)[FRIENDLY] = roster.boobytrap
    made = setup.new_state(setting_of(state))
    state.units.update(made.units)
    state.weapons.update(made.weapons)
    rules.begin(play, options)
    if setting_of(state).setup_order:
        play.replace(SetUp())
    else:
        begin_play(play)
