"""Every line of every table that this step plays is reached by the code that plays it.

The tables come from the data and from the list of rules (`sandtable rules sasl`): a table in play without a walk, a
line that no walk reaches and a line that waits for a later step but is reached all make a test fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import THROWS, Falling, field, friend, mission_without_suspects, playing, seen

from sandtable.engine import Decided, Play, Tally
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.asl.works.model import lay_foxhole, put_in
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
from sandtable.games.sasl.enemy import closing, firing, marching, orders
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import (
    ADVANCE,
    ATTITUDES,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ORDERS,
    PANIC,
    ROSTER,
    SUSPECTS,
    TRIED,
    Objective,
    Order,
)
from sandtable.games.sasl.rolled import Board, Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import cards, files, general
from sandtable.games.sasl.tables.dates import month_text
from sandtable.games.sasl.tables.missions import inside, inside_names, mission
from sandtable.games.sasl.tables.model import Cell, Choice, Row, Table
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.combat.model import Combat
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.model import Acquired, SquadState, Weapon

FOLDERS = ("activation", "action", "fire", "movement", "numbers", "boards", "objectives", "command")
GENERAL = {name: data for folder in FOLDERS for name, data in files.load(f"enemy/{folder}.toml").items()}
IN_PLAY = [name.removeprefix("Table ") for name, (_, how) in states.states().items() if "in play" in how]
Lines = set[str]


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def said(play: Play[SquadState], table: str) -> Lines:
    return {event.row for event in play.events if isinstance(event, Decided) and event.table == table}


def why(play: Play[SquadState], table: str) -> Lines:
    return {event.why for event in play.events if isinstance(event, Decided) and event.table == table}


# -- what is printed ------------------------------------------------------------------------------------------


def printed(name: str) -> Lines:
    """The lines of a general table as the data have them: rows, modifiers, notes, tracks."""
    data = GENERAL[name]
    if name == "A9":
        table = general.table(name)
        return {f"{column.label} {row.key}: board {choice.item}" for column, row, choice in table.choices()}
    if name == "A10a":
        return {f"{board}, dr {dr}" for board in general.objectives() for dr in range(1, 7)}
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


def ordered(state: SquadState) -> Iterator[tuple[str, tuple[int, ...], str, Decided]]:
    """Action Checks of units of all classes, with and without a Target, dug in or not, on good and bad ground."""
    ground = setting_of(state).ground
    dug, undug = (
        field(state),
        next(cell for cell in range(200, ground.size) if ground.paved[cell] and ground.near[cell]),
    )
    classes = {
        "1": "russian 4-4-7",
        "E": "russian 4-5-8",
        "C": "russian 4-2-6",
        "2": "german 4-4-7",
        "P": "partisan 3-3-7",
    }
    classes["G"] = "french 4-3-7"
    for attitude, place, target, within in product((HOLD, ADVANCE), (dug, undug), (False, True), (False, True)):
        base = state.clone()
        where = place
        if target:
            friend(base, seen(base, where, 3)[-1], 9)
        for letter, kind in classes.items():
            for faces in product(range(1, 7), repeat=2):
                if faces[0] != faces[1] and letter != "1":
                    continue
                again = base.clone()
                unit = generation.new_unit(playing(again), kind, where)
                ATTITUDES.of(again)[unit.id] = attitude
                if within and where == dug:
                    put_in(again, again.units[unit.id], lay_foxhole(again, where, ENEMY))
                play = Play(again, Falling(0, *faces))
                orders.order_location(play, where, [StartFire(unit.id)])
                for event in play.events:
                    if isinstance(event, Decided) and event.table in ("A2a", "A2b"):
                        yield orders.panic_class(again, unit), faces, again_what(again, unit.id), event


def again_what(state: SquadState, name: str) -> str:
    return ORDERS.of(state)[name].what


ORDERED: list[tuple[str, tuple[int, ...], str, Decided]] = []


def checks(state: SquadState) -> list[tuple[str, tuple[int, ...], str, Decided]]:
    if not ORDERED:
        ORDERED.extend(ordered(state))
    return ORDERED


def actions(name: str) -> Callable[[SquadState], Lines]:
    def walk(state: SquadState) -> Lines:
        found = {event.row for _, _, _, event in checks(state) if event.table == name}
        return {row for row in found if not row.startswith("S6.") and row != "Panic"} | {
            "12"
            for _, faces, what, event in checks(state)
            if event.table == name and sum(faces) == 12 and what == PANIC
        }

    return walk


def panic(state: SquadState) -> Lines:
    """Each class Panics on its doubles and on no lower ones."""
    found: Lines = set()
    for name, low in general.panic_from().items():
        rolls = {sum(faces) for who, faces, what, _ in checks(state) if who == name and what == PANIC}
        if rolls == {total for total in range(2, 13, 2) if total >= low}:
            found.add(name)
    return found


def action_notes(state: SquadState) -> Lines:
    """Each note about Infantry: what is done instead, with the number of the note told."""
    told = {(event.why.partition("note ")[2][:1], what) for _, _, what, event in checks(state) if "note " in event.why}
    fired = {event.row for _, _, what, event in checks(state) if what == "Fire"}
    found: Lines = set()
    for row in general.action_notes():
        line = f"{row['mark']} {row['who']}, {row['when']}: {row['does']}"
        meant = (row["mark"], row["does"] if row["does"] != "nothing" else "Nothing")
        if meant in {(mark, what.capitalize()) for mark, what in told}:
            found.add(line)
        elif row["when"] == "Target, entrenched" and "S6.312" in fired:
            found.add(line)  # whoever is dug in and has a Target fires by the automatic action before (6.312)
    return {line for line in found if "vehicle" not in line}


def shots(name: str) -> Callable[[SquadState], Lines]:
    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        cell = field(state)
        gun = name == "A3d"
        for total, hidden in product(range(2, 13), (False, True)):
            again = state.clone()
            unit = generation.new_unit(playing(again), "russian 2-2-8" if gun else "russian 4-4-7", cell)
            kind = "russian 82mm BM obr. 37 MTR" if gun else "russian LMG"
            weapon = generation.new_weapon(playing(again), kind, unit)
            near = seen(again, cell, 9 if gun else 4)
            goal = next(iter(OBJECTIVES.of(again).values()))
            OBJECTIVES.of(again)[goal.id] = replace(goal, cells=(near[-1], *goal.cells[1:]))
            for number, place in enumerate(near[-3:]):
                friend(again, place, number, concealed=hidden)
            start = [StartShot(weapon.id)] if gun else [StartFire(unit.id), StartFire(weapon.id)]
            play = Play(again, Falling(total))
            firing.fire_location(play, cell, start, "prep")
            found |= said(play, name)
        return found

    return walk


def close_combat(state: SquadState) -> Lines:
    found: Lines = set()
    for dr in range(1, 7):
        again = state.clone()
        generation.new_unit(playing(again), "russian 4-4-7", field(again))
        friend(again, field(again), 1)
        play = playing(again, dr)
        closing.combat(play, Combat(field(again), step="attacks"), [])
        found |= said(play, "A3e")
    return found


def into_combat(state: SquadState) -> Lines:
    """Each DRM by a pair of situations that differ in it alone, and each preference between two Locations."""
    cell = field(state)
    near = [other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other]]
    here, there = near[0], near[2]

    def stage() -> SquadState:
        again = state.clone()
        OBJECTIVES.of(again).clear()
        generation.new_unit(playing(again), "russian 4-4-7", cell)
        friend(again, here, 1)
        return again

    def mg(again: SquadState) -> None:
        again.weapons["mg"] = Weapon("mg", FRIENDLY, "german HMG", "company", owner="t1")
        again.units["t1"] = replace(again.units["t1"], weapons=("mg",))

    def japanese(again: SquadState) -> None:
        unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
        again.units[unit.id] = replace(unit, kind="japanese 4-4-7")

    def change(again: SquadState, when: str) -> None:
        unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
        match when.split(" "):
            case ["FRIENDLY", *_]:
                OBJECTIVES.of(again)["goal"] = Objective("goal", (here,), (ENEMY,))
            case ["Japanese", *_]:
                japanese(again)
            case ["Advance", *_]:
                ATTITUDES.of(again)[unit.id] = ADVANCE
            case ["each", "pinned", *_]:
                ORDERS.of(again)["t1"] = Order(PANIC)
            case ["each", "FRIENDLY", *_]:
                mg(again)
            case ["each", "ENEMY", *_]:
                TRIED.of(again)[generation.new_unit(playing(again), "russian 4-4-7", cell).id] = here
            case ["any", *_]:
                again.units["t1"] = replace(again.units["t1"], concealed=True)

    found: Lines = set()
    for modifier in general.advance_modifiers():
        plainly, changed = stage(), stage()
        change(changed, modifier.when)
        drms = []
        for again in (plainly, changed):
            unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
            drms.append(closing.advance_drm(again, unit, here))
        if drms[1] - drms[0] == modifier.drm:
            found.add(modifier.when)
    found |= preferences(state, cell, here, there)
    return found


PREFERENCES = {
    "FRIENDLY VPO": "FRIENDLY-Controlled VPO",
    "least US#": "Known Infantry of least US#",
    "MMC easiest to kill": "MMC easiest to kill",
    "Ambush possible": "Ambush possible",
    "highest TEM": "highest inherent TEM",
}


def preferences(state: SquadState, cell: int, here: int, there: int) -> Lines:
    """Two Locations that differ in one thing alone: it decides, and the log says so."""
    ground = setting_of(state).ground
    woods = next(c for c in range(ground.size) if ground.woods[c] and any(ground.open[n] for n in ground.near[c]))
    found: Lines = set()
    for name in PREFERENCES:
        again = state.clone()
        OBJECTIVES.of(again).clear()
        at, first, second = cell, here, there
        if name in ("Ambush possible", "highest TEM"):
            at = next(n for n in ground.near[woods] if ground.open[n])
            first, second = woods, next(n for n in ground.near[at] if ground.open[n] and n != woods)
        unit = generation.new_unit(playing(again), "russian 4-4-7", at)
        kinds = ("german 4-6-7", "german 4-6-7")
        if name == "least US#":
            kinds = ("german 2-4-7", "german 4-6-7")
        if name == "MMC easiest to kill":
            kinds = ("german 4-6-7", "german 8-3-8")
        if name == "FRIENDLY VPO":
            OBJECTIVES.of(again)["goal"] = Objective("goal", (first,), (FRIENDLY,))
        for number, (place, kind) in enumerate(zip((first, second), kinds, strict=True)):
            friend(again, place, number, kind)
        keys = dict(closing._into(again))
        if name == "highest TEM":
            found.add(PREFERENCES[name]) if keys[name](first) < keys[name](second) else None  # type: ignore[operator]
            continue
        play = Play(again, Falling(12))
        closing.into_combat(play, unit)
        if any(name in words for words in why(play, "A3f")):
            found.add(PREFERENCES[name])
    return found


def situations(state: SquadState) -> Iterator[SquadState]:
    """Nobody about; a concealed unit; one, two and four Known ones; then each with a FRIENDLY VPO in LOS."""
    cell = field(state)
    for taken, (number, hidden) in product((False, True), ((0, False), (1, True), (1, False), (2, False), (4, False))):
        again = state.clone()
        generation.new_unit(playing(again), "russian 4-4-7", cell)
        near = seen(again, cell, 4)
        for place in range(number):
            friend(again, near[-1 - 2 * place], place, concealed=hidden)
        if taken:
            goal = next(iter(OBJECTIVES.of(again).values()))
            owners = (FRIENDLY,) * len(goal.owners)
            OBJECTIVES.of(again)[goal.id] = replace(goal, cells=(near[len(near) // 2], *goal.cells[1:]), owners=owners)
        yield again


def marches(name: str) -> Callable[[SquadState], Lines]:
    """Each line's condition holds somewhere and its DR is obeyed there."""

    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        for again in situations(state):
            unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
            for row in general.moves(name):
                if marching.condition(again, row.when, unit.at, [unit]):
                    total = max(2, min(12, row.low if row.low > 1 else row.high))
                    play = Play(again.clone(), StreamDice(secret_of_seed(total)))
                    marching.obey(play, name, total, unit.at, [unit], THROWS[total])
                    assert any(isinstance(event, Decided) for event in play.events)
                    found.add(f"{row.key} {row.when}")
        return found

    return walk


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
            kept = suspects._buildings(Play(state, Falling(dr)), Board(f"{kind}20", "z", "city"), cells)
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
    "A10a": objectives, "A10b": objective_values, "CMD": command_numbers,
    **{name: plain(name) for name in IN_PLAY if name[:2] in ("A6", "A8")},
}  # fmt: skip


@pytest.mark.rule("S5.1", "S6.2", "S8.", "S9.2", "S11.4", "S13.21", "S14.2", "S16.2")
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
        opened |= said(play, "M1-msr2")
    assert opened == {row.key for row in inside("M1-msr2").rows}
    helped: Lines = set()
    for dr in range(1, 7):
        play = playing(state, dr)
        offensives.BunkerBusting().reinforcements(play, rolled_in(state))
        helped |= said(play, "M4 Reinforcement Chart")
    assert helped == {row.key for row in inside("M4-msr3").rows}


# -- the cards ------------------------------------------------------------------------------------------------------

LATER_NUMBERS = ("1", "6", "7", "8", "9", "10")
"""The ladder x1 has a test of its own; x6 to x10 wait for vehicles, artillery and Human Waves."""
Read = tuple[str, str, str, str]


def played_tables(code: str) -> dict[str, Table]:
    tables = cards.card(code).tables
    return {name: table for name, table in tables.items() if name[1:].rstrip("abc") not in LATER_NUMBERS}


def cells(table: Table) -> set[Read]:
    """Every choice of every cell, but for armor leaders."""
    return {
        (table.id, column.label, row.key, choice.item)
        for column, row, choice in table.choices()
        if column.label != "Armor Leader"
    }


class Reading:
    """It notes every cell that play code reads."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.found: set[Read] = set()
        self.last: tuple[Table, Row, int] | None = None
        row, column, pick = Table.row, Table.column, Cell.pick

        def read_row(table: Table, roll: int) -> Row:
            found = row(table, roll)
            self.last = (table, found, -1)
            return found

        def read_column(table: Table, *asked: str) -> int:
            place = column(table, *asked)
            if self.last is not None and self.last[0] is table:
                self.last = (table, self.last[1], place)
            return place

        def read_choice(cell: Cell, dr: int) -> Choice:
            choice = pick(cell, dr)
            if self.last is not None and self.last[2] >= 0:
                table, found, place = self.last
                self.found.add((table.id, table.columns[place].label, found.key, choice.item))
            return choice

        patch.setattr(Table, "row", read_row)
        patch.setattr(Table, "column", read_column)
        patch.setattr(Cell, "pick", read_choice)


def bases(code: str, base: Rolled) -> Iterator[Rolled]:
    """The card at the ends of every column's months, for each force and place that its columns name."""
    one = cards.card(code)
    tables = played_tables(code).values()
    spans = [line.span for table in tables for line in (*table.columns, *table.modifiers) if line.span]
    months = {month_text(when) for span in spans for when in (span.first, span.last)}
    within = sorted(date for date in months if one.span is None or date in one.span)
    dates = within or [month_text(one.span.first) if one.span else "1944-01"]
    named = {column.group for table in tables for column in table.columns} - {"", "Infantry Leader", "Armor Leader"}
    groups = sorted(named) if code in ("L", "C", "U-PTO") else [""]
    places = (("France",), ("Russia",), ("Balkans",), ("PTO",)) if code == "P" else (("Indo-China",), ("Europe",))
    for date, group, place in product(dates, groups, places):
        late = group == "X/Y Force" and date < "1943-11"
        if not late and not (group == "Philippines" and date > "1942-05"):
            yield replace(base, enemy=code, friendly="B", date=date, enemy_group=group, places=place)


@pytest.mark.rule("S5.7", "S5.72", "S5.73", "S5.75", "S5.76")
@pytest.mark.parametrize("code", list(cards.FILES))
def test_every_cell_of_a_card_is_read_by_what_generates_units(
    state: SquadState, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Squads, leaders, SW, Guns and AT Guns; tables to which notes send; C0 at set-up."""
    reading = Reading(monkeypatch)
    base = rolled_in(state)
    for one in bases(code, base):
        for total, extra, drm in product(range(2, 13), range(1, 7), (-2, 0, 3)):
            play = Play(state, Falling(total, extra=extra))
            generation.squad(play, one, drm)
            generation.leader(play, one, [], drm)
            if drm == 0:
                generation.support_weapon(play, one)
                generation.gun(play, one, inside=True)
                generation.gun(play, one, inside=False)
                generation.at_gun(play, one)
    if code == "C":
        for dr in range(1, 7):
            setting_up._group(playing(state, dr), "C", "1944-01")
    wanted = {read for table in played_tables(code).values() for read in cells(table)}
    assert wanted - reading.found == set()


@pytest.mark.rule("S5.75", "S5.76")
@pytest.mark.parametrize("code", list(cards.FILES))
def test_whatever_sw_or_gun_a_card_names_comes_into_play(state: SquadState, code: str) -> None:
    """Nothing that is printed is lost between the table and the counter, but for what is not played yet."""
    lost: set[str] = set()
    for one, total, extra in product(bases(code, rolled_in(state)), range(2, 13), range(1, 7)):
        for make in (generation.support_weapon, generation.at_gun, partial(generation.gun, inside=extra > 3)):
            play = Play(state, Falling(total, extra=extra))
            kind = make(play, one)
            items = [event.why for event in play.events if isinstance(event, Decided)]
            if items and not kind and items[-1] != "-":
                lost.add(items[0])
    assert lost <= {"20L ATR (japanese)", "reroll"}, "an ATR among the Guns, and a roll that these dice repeat for ever"


# -- the ladder -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S5.1")
@pytest.mark.parametrize("code", list(cards.FILES))
def test_the_ladder_of_a_card_with_every_drm_at_every_range(
    state: SquadState, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which case is met is compared with the printed ladder, read once more from its text, for each DRM and range."""
    one = cards.card(code)
    data = files.load(f"cards/{cards.FILES[code]}.toml")[f"{one.letter}1"]["table"]
    head, *body = texttable.grid(data)
    ground = setting_of(state).ground
    cell = field(state)
    by_range: dict[int, int] = {}
    for other in seen(state, cell, 14):
        by_range.setdefault(ground.ranges[cell][other], other)
    met: set[str] = set()
    for column in range(1, len(head) - 2):
        date = next(date for date in ("1942-05", "1944-05") if len(head) == 4 or date in cards.span(head[column]))
        base = replace(rolled_in(state), enemy=code, date=date)
        for hexes, drm in product(sorted(by_range), range(-5, 8)):
            monkeypatch.setattr(activation, "_drm", lambda *asked, drm=drm: drm)
            again = state.clone()
            unit = friend(again, by_range[hexes], 1)
            cases = [
                row[0]
                for row in body
                if (hexes <= 1 if not row[column].isdecimal() else hexes <= int(row[column]))
                and (not row[-2].startswith("<=") or drm <= int(row[-2].removeprefix("<=")))
            ]
            found = activation.ladder_case(again, base, cell, [unit])
            assert (found[0].case if found else None) == (cases[0] if cases else None), (date, hexes, drm)
            met |= {found[0].case} if found else set()
    assert met == {row[0] for row in body}


@pytest.mark.rule("S5.1")
def test_an_activation_check_with_every_drm(state: SquadState, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dr with every drm against every AC#: an Original 1 always Activates, a 6 never does."""
    check = general.activation_check()
    step = cards.card("R").steps("1943-05")[0]
    for ac, dr, drm in product(range(check.lowest, check.highest + 1), range(1, 7), range(-5, 4)):
        again = state.clone()
        put_roster(again, ac=ac)
        one = suspects.add(again, at=field(again), attitude=HOLD)
        unit = friend(again, seen(again, one.at, 2)[-1], 1)
        tally = Tally.of("Activation Check", [("all drm", drm, "S5.1")])
        monkeypatch.setattr(activation, "check_tally", lambda *asked, tally=tally: tally)
        activation.check(Play(again, Falling(7, extra=dr)), one, (step, unit, -2), unit.at, "moves")
        gone = one.id not in SUSPECTS.of(again)
        assert gone == (dr == check.always or (dr != check.never and dr + drm <= ac)), (ac, dr, drm)
