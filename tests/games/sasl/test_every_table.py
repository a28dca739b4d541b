"""Every line of every table that this step plays is reached by the code that plays it.

The tables come from the data and from the list of rules (`sandtable rules sasl`): a table in play without a walk, a
line that no walk reaches and a line that waits for a later step but is reached all make a test fail.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from enemy_walks import Lines, action_notes, actions, close_combat, into_combat, marches, panic, said, shots, why
from msgspec.structs import replace
from sasl_support import THROWS, Falling, field, friend, mission_without_suspects, playing, seen

from sandtable.engine import Play
from sandtable.games.sasl import (
    activation,
    arrivals,
    cautious_advance,
    command,
    enemy_events,
    fortify,
    generation,
    offensives,
    setting_up,
    states,
    suspects,
    victory,
)
from sandtable.games.sasl.bridges import roll_bridges
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ROSTER,
    Objective,
)
from sandtable.games.sasl.rolled import Board, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import files, general
from sandtable.games.sasl.tables.missions import inside, inside_names, mission
from sandtable.games.sasl.tables.model import Table
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import Acquired, SquadState, Weapon

FOLDERS = ("activation", "action", "fire", "movement", "numbers", "boards", "objectives", "command")
GENERAL = {name: data for folder in FOLDERS for name, data in files.load(f"enemy/{folder}.toml").items()}
IN_PLAY = [name.removeprefix("Table ") for name, one in states.states().items() if "in play" in one.state]


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


# -- what is printed ------------------------------------------------------------------------------------------


def printed(name: str) -> Lines:
    """The lines of a general table as the data have them: rows, modifiers, notes, tracks."""
    data = GENERAL[name]
    if name == "A9":
        table = general.table(name)
        return {f"{column.label} {row.key}: board {choice.item}" for column, row, choice in table.choices()}
    if name == "A10a":
        return {f"{board} (dr {dr})" for board in general.objectives() for dr in range(1, 7)}
    if name == "A2":
        return {f"{row['mark']} {row['who']}, {row['when']}: {row['does']}" for row in general.action_notes()}
    if name.startswith("A4"):
        return {f"{row.key} {row.when}" for row in general.moves(name)}
    found = set(data.get("track", ()))
    for part in ("table", "more", "rest"):
        if part in data:
            found |= {row[0] for row in texttable.grid(data[part])[1:]}
    found |= {modifier["when"] for modifier in texttable.rows(data["drm"])} if "drm" in data else set()
    if name == "A3f":
        found |= {words for words in general.advance_into() if "AFV" not in words}
    return found


def waits(name: str, line: str) -> bool:
    return any(words in line for words in states.LATER_ROWS.get(name, {}))


# -- walks ----------------------------------------------------------------------------------------------------


def plain(name: str) -> Callable[[SquadState], Lines]:
    """A number or a terrain: the code reads the row of the roll with whatever modifier it is given."""

    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        for total in range(1, 13):
            play = Play(state, Falling(total))
            if name.startswith("A8"):
                setting_up.roll_board(play, rolled_in(state), name)
            elif name[:2] == "A6":
                arrivals._number(play, name)
            found |= said(play, name)
        return found

    return walk


def activation_rows(state: SquadState) -> Lines:
    found: Lines = set()
    cell = field(state)
    for attitude, more, total in product((HOLD, ADVANCE), (-1, 0, 1), range(2, 13)):
        again = state.clone()
        one = suspects.add(again, at=cell, attitude=attitude)
        put_roster(again, drm=more)
        play = Play(again, Falling(total))
        activation.activate(play, one, seen(again, cell, 6)[-1])
        found |= said(play, "A1")
    hold, advance = (suspects.add(state, at=cell, attitude=attitude) for attitude in (HOLD, ADVANCE))
    if activation.contents_drm(state, advance) == activation.contents_drm(state, hold) - 1:
        found.add("S? in Advance Attitude")
    return found - {"AFV", "SPG"}


def activation_check(state: SquadState) -> Lines:
    """The drm of the check in situations that bring each of them about, and what they do to the dr."""
    found: Lines = set()
    ground = setting_of(state).ground
    base = rolled_in(state)
    stone = next(cell for cell in range(ground.size) if suspects.stone(ground, cell))
    plain_cell = field(state)
    for kind, cell, company, goal in product("cv", (stone, plain_cell), (False, True), (False, True)):
        again = state.clone()
        boards = tuple(replace(board, printed=f"{kind}20") for board in base.boards)
        again.setting = key_of(again, replace(base, boards=boards))
        OBJECTIVES.of(again).clear()
        if goal:
            OBJECTIVES.of(again)["goal"] = Objective("goal", (cell,), (ENEMY,))
        if company:
            generation.new_unit(playing(again), "russian 4-4-7", ground.near[cell][0])
        one = suspects.add(again, at=cell, attitude=HOLD)
        tally = activation.check_tally(again, one)
        assert tally.total == sum(modifier_of("AC", item.label) for item in tally.items)
        found |= {item.label for item in tally.items}
        bold = suspects.add(again, at=cell, attitude=ADVANCE)
        assert not any("board" in item.label for item in activation.check_tally(again, bold).items)
    return found


def modifier_of(name: str, when: str) -> int:
    return next(int(row["drm"]) for row in texttable.rows(GENERAL[name]["drm"]) if row["when"] == when)


def event_track(state: SquadState) -> Lines:
    found = {"2/3"}
    put_roster(state, enemy_re="2/3")
    while enemy_events.numbers_up(playing(state), None):  # type: ignore[arg-type]
        found.add(ROSTER.of(state).enemy_re)
    return found


def fortifications(state: SquadState) -> Lines:
    found: Lines = set()
    asked: dict[str, int] = {}
    for dr, kind in product(range(1, 7), ("russian 4-5-8", "russian 4-4-7", "russian 4-2-6")):
        again = state.clone()
        unit = generation.new_unit(playing(again), kind, field(again))
        play = playing(again, dr)
        fortify.fortify(play, [unit], unit.at, seen(again, unit.at, 4)[-1], gun=False)
        (row,) = said(play, "A5")
        found.add(row.partition(" ")[0])
        asked[kind] = int(row.partition("(")[2].rstrip(")")[1:])
    for when, kind in (("any MMC Elite", "russian 4-5-8"), ("all MMC Conscript or Green", "russian 4-2-6")):
        if asked[kind] - asked["russian 4-4-7"] == modifier_of("A5", when):
            found.add(when)
    return found


def boards(state: SquadState) -> Lines:
    """A9 by its own code: terrain first, then the board, with the DRM of the missions."""
    found: Lines = set()
    base = replace(rolled_in(state), boards=())
    for table, first, second, which, drm in product("abcde", range(1, 13), range(2, 13), range(1, 7), (-1, 0)):
        named = {"mapboard": THROWS[second], "which mapboard": (which,)}
        play = Play(state, Falling(first, named=named))
        board = setting_up.roll_board(play, base, f"A8{table}", drm)
        (row,) = said(play, "A9")
        found.add(f"{row}: board {board.printed}")
    return found


def bridges(name: str) -> Callable[[SquadState], Lines]:
    """A9c and A9d for one bridge, on a board with each of the letters that A9 has."""

    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        boards = {"v": "Village board", "c": "City board"}
        for letter, stands, type in product(("v", "c", ""), range(1, 7), range(1, 7)):
            board = Board(f"{letter}20", "thornwick", "rural", prefix="thornwick")
            play = playing(state, stands, *([type] if stands < 5 else []))
            roll_bridges(play, replace(rolled_in(state), boards=(board,)))
            found |= said(play, name)
            when = boards.get(letter, "")
            if when and any([f"(drm {modifier_of('A9d', when):+d})" in line for line in why(play, "A9d")]):
                found.add(when)
        return found

    return walk


def built_up(state: SquadState) -> Lines:
    """A9e: the ground level of each building by one die each, on city and village boards."""
    reached: Lines = set()
    table = general.table("A9e")
    ground = setting_of(state).ground
    cells = [cell for cell in range(ground.size) if ground.in_building[cell]]
    plain_row = Table.row
    try:
        Table.row = lambda self, roll: reached.add(plain_row(self, roll).key) or plain_row(self, roll)  # type: ignore
        for kind, dr in product("cv", range(1, 7)):
            kept = suspects.in_buildings(Play(state, Falling(dr)), Board(f"{kind}20", "z", "city"), cells)
            assert bool(kept) == table.cell(dr - (kind == "v")).text.startswith(("ground", "each"))
    finally:
        Table.row = plain_row  # type: ignore[method-assign]
    if table.drm("", ("Village board",)) == -1:
        reached.add("Village board")
    return reached


def objectives(state: SquadState) -> Lines:
    found: Lines = set()
    base = rolled_in(state)
    for name, dr in product(general.objectives(), range(1, 7)):
        play = playing(state, dr)
        laid = setting_up.roll_objectives(play, base, Board(name, name, "village", prefix="x"), 1, ())
        assert laid.vpo[0][0].startswith("x")
        found |= said(play, "A10a")
    return found


def objective_values(state: SquadState) -> Lines:
    """A10b at Mission end: one VPO of a board, two, three or more; in a tall stone building or not."""
    found: Lines = set()
    ground = setting_of(state).ground
    tall = next(c for c in range(ground.size) if suspects.stone(ground, c) and ground.kinds[c].storeys)
    whens = {1: "only VPO of its board", 3: "board has >=3 VPO"}
    for number, cell, dr in product((1, 2, 3), (tall, field(state)), range(1, 7)):
        one = Objective("x", (cell,), (ENEMY,), board="a")
        play = playing(state, dr)
        victory.value_of(play, one, ["a"] * number)
        found |= said(play, "A10b")
        drm = victory.objective_drm(["a"] * number, one, stone=cell == tall)
        whole = modifier_of("A10b", whens[number]) if number in whens else 0
        assert drm == whole + (modifier_of("A10b", "multi-storey stone building") if cell == tall else 0)
        found |= {whens[number]} if number in whens else set()
        found |= {"multi-storey stone building"} if cell == tall else set()
    return found


def command_numbers(state: SquadState) -> Lines:
    """Command Numbers by kind of unit, and each DRM by a unit that has it."""
    found: Lines = set()
    cell = field(state)
    kinds = {"leader": "german 8-0", "crew": "german 2-2-8", "squad, half-squad": "german 4-6-7"}
    for number, (row, kind) in enumerate(kinds.items()):
        unit = friend(state, cell, number, kind)
        if command.command_number(state, unit) == {"leader": 9, "crew": 9, "squad, half-squad": 7}[row]:
            found.add(row)
    for number, kind in enumerate(
        ("american 6-6-6", "italian 3-4-7", "chinese 4-4-7", "japanese 9-0", "german 4-6-7"), 10
    ):
        unit = friend(state, cell, number, kind)
        if number == 14:
            state.weapons["g"] = Weapon(
                "g", FRIENDLY, "german LMG", "company", owner=unit.id, acquired=Acquired(cell, 1)
            )
            unit = state.units[unit.id] = replace(unit, weapons=("g",))
        found |= {item.label for item in command.command_tally(state, unit).items}
    return found


WALKS: dict[str, Callable[[SquadState], Lines]] = {
    "A1": activation_rows, "AC": activation_check, "RE": event_track, "A5": fortifications,
    "A2a": actions("A2a"), "A2b": actions("A2b"), "panic": panic, "A2": action_notes,
    "A3a": shots("A3a"), "A3d": shots("A3d"), "A3e": close_combat, "A3f": into_combat,
    "A4a": marches("A4a"), "A4b": marches("A4b"), "A9": boards, "A9e": built_up,
    "A9c": bridges("A9c"), "A9d": bridges("A9d"), "A10a": objectives, "A10b": objective_values, "CMD": command_numbers,
    **{name: plain(name) for name in IN_PLAY if name[:2] in ("A6", "A8")},
}  # fmt: skip


@pytest.mark.rule("S5.1", "S6.2", "S8", "S9.2", "S11.4", "S13.21", "S14.2", "S16.2")
@pytest.mark.parametrize("name", [name for name in IN_PLAY if name in GENERAL])
def test_every_line_of_a_table_in_play_is_reached(state: SquadState, name: str) -> None:
    assert name in WALKS, f"{name} is said to be in play, and no walk plays it"
    lines = printed(name)
    reached = WALKS[name](state)
    assert lines, name
    assert {line for line in lines - reached if not waits(name, line)} == set()
    assert {line for line in lines & reached if waits(name, line)} == set(), "it is played: take it off LATER_ROWS"


def test_every_line_that_waits_is_one_of_its_table() -> None:
    for name, waiting in states.LATER_ROWS.items():
        for words in waiting:
            assert any(words in line for line in printed(name)), words


# -- Mission Tables and the tables inside missions ----------------------------------------------------------------


@pytest.mark.rule("S12.32")
@pytest.mark.parametrize("number", sorted(MISSIONS))
def test_every_row_of_the_mission_tables_is_rolled_at_set_up(state: SquadState, number: int) -> None:
    base = replace(rolled_in(state), mission=number)
    reached: dict[str, Lines] = {}
    for total in range(1, 13):
        play = Play(state, Falling(total))
        setting_up.roll_roster(play, base)
        for table in mission(number).tables.values():
            reached.setdefault(table.id, set()).update(said(play, table.id))
    for table in mission(number).tables.values():
        assert reached[table.id] == {row.key for row in table.rows}, table.id


def test_every_row_of_the_tables_inside_missions(state: SquadState) -> None:
    rolled_on = [name for name in inside_names() if int(name[1:].partition("-")[0]) in MISSIONS and name != "M3-vp"]
    assert rolled_on == ["M1-msr2", "M4-msr3"]
    opened: Lines = set()
    for dr in range(1, 7):
        again = state.clone()
        for name, goal in list(OBJECTIVES.of(again).items()):
            OBJECTIVES.of(again)[name] = replace(goal, owners=(FRIENDLY,) * len(goal.owners))
        play = Play(again, Falling(dr))
        cautious_advance.CautiousAdvance().begin_enemy_turn(play)
        opened |= said(play, "M1 MSR 2 Chart")
    assert opened == {row.key for row in inside("M1-msr2").rows}
    helped: Lines = set()
    for dr in range(1, 7):
        play = playing(state, dr)
        offensives.BunkerBusting().reinforcements(play, rolled_in(state))
        helped |= said(play, "M4 Reinforcement Chart")
    assert helped == {row.key for row in inside("M4-msr3").rows}
