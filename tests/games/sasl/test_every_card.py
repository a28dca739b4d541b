"""Every cell of the nationality cards that this step plays is read by play code, and the ladder x1 with every drm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import Falling, field, friend, mission_without_suspects, playing, seen

from sandtable.engine import Decided, Play, Tally
from sandtable.games.sasl import activation, force, generation, setting_up, suspects
from sandtable.games.sasl.model import HOLD, SUSPECTS
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import cards, files, general
from sandtable.games.sasl.tables.dates import month_text
from sandtable.games.sasl.tables.model import Cell, Choice, Row, Table
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


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


@pytest.mark.rule("S5.72")
def test_a_japanese_half_squad_is_the_one_at_the_end_of_its_steps() -> None:
    base = rolled_in(mission_without_suspects())
    assert generation.half_squad(replace(base, enemy="J"), "japanese 4-4-7") == "japanese 2-3-7"
    assert "japanese 3-4-7 striped" not in force.wares("J", "1943-01")
