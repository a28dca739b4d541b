"""Every cell of the nationality cards that this step plays is read by play code, and the ladder x1 with every drm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import Falling, field, friend, mission_without_suspects, playing, seen

from sandtable.engine import Decided, Play, Tally
from sandtable.games.sasl import activation, arrivals, force, generation, setting_up, suspects
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


# -- what the modifiers of x2 and x3 ask for ---------------------------------------------------------------------------


@pytest.mark.rule("S5.72")
@pytest.mark.parametrize(
    ("code", "group", "places", "date", "drm"),
    [
        ("L", "Yugoslavia", ("Eastern ETO", "Balkans"), "1941-04", 1),
        ("L", "Greece", ("Western ETO", "Balkans", "Greece"), "1941-04", 0),
        ("F", "", ("North Africa", "Vichy French"), "1942-11", 1),
        ("U-PTO", "Philippines", ("Pacific Islands", "PTO", "Philippines"), "1942-05", 0),
        ("U-PTO", "elsewhere", ("Pacific Islands", "PTO", "Philippines"), "1942-06", 1),
        ("U-PTO", "elsewhere", ("Pacific Islands", "PTO", "Philippines"), "1945-03", -1),
    ],
)
def test_the_drm_of_squads_is_that_of_force_and_place(
    state: SquadState, code: str, group: str, places: tuple[str, ...], date: str, drm: int
) -> None:
    base = replace(rolled_in(state), enemy=code, enemy_group=group, places=places, date=date)
    table = cards.card(code).table("x2")
    for faces in product(range(1, 7), repeat=2):
        play = playing(state, *faces)
        generation.squad(play, base)
        first = next(event for event in play.events if isinstance(event, Decided))
        assert first.row == table.row(sum(faces) + drm).key


@pytest.mark.rule("S5.73")
@pytest.mark.parametrize(
    ("base", "drm"),
    [
        ({"enemy": "C", "enemy_group": "X/Y Force", "date": "1944-01"}, -1),
        ({"enemy": "C", "enemy_group": "GMD", "date": "1944-01"}, 0),
        ({"enemy": "G", "enemy_group": "", "date": "1944-01"}, 0),
    ],
)
def test_the_drm_of_leaders_is_that_of_the_force(state: SquadState, base: dict[str, str], drm: int) -> None:
    set_up = replace(rolled_in(state), places=(), **base)
    table = cards.card(set_up.enemy).table("x3")
    for faces in product(range(1, 7), repeat=2):
        play = playing(state, *faces)
        generation.leader(play, set_up, [])
        first = next(event for event in play.events if isinstance(event, Decided))
        assert first.row == table.row(sum(faces) + drm).key


@pytest.mark.rule("S5.73")
@pytest.mark.parametrize(("enemy", "drm"), [("P", 1), ("R", 0)])
@pytest.mark.parametrize("own", [arrivals.as_enemy, force.as_own])
def test_germans_have_poorer_leaders_against_partisans(
    state: SquadState, own: Callable[[Rolled], Rolled], enemy: str, drm: int
) -> None:
    base = own(replace(rolled_in(state), friendly="G", enemy=enemy, date="1944-01"))
    table = cards.card("G").table("x3")
    for faces in product(range(1, 7), repeat=2):
        play = playing(state, *faces)
        generation.leader(play, base, [])
        first = next(event for event in play.events if isinstance(event, Decided))
        assert first.row == table.row(sum(faces) + drm).key


@pytest.mark.rule("S5.75")
@pytest.mark.parametrize(("enemy", "light"), [("R", True), ("P", True), ("B", False)])
def test_friendly_italians_have_another_atr_against_russians_and_partisans(
    state: SquadState, enemy: str, light: bool
) -> None:
    base = arrivals.as_enemy(replace(rolled_in(state), friendly="I", friendly_nation="italian", enemy=enemy))
    play = playing(state, 4, 5, *([1] * light))
    assert generation.support_weapon(play, base) == ("italian ATR" if light else "italian 20L ATR")


@pytest.mark.rule("S12.3")
def test_americans_of_burma_are_not_those_of_the_philippines(state: SquadState) -> None:
    assert setting_up._group(playing(state), "U-PTO", "1942-04", "China-Burma-India") == "elsewhere"


@pytest.mark.rule("S5.76")
@pytest.mark.parametrize(
    ("group", "faces", "guns"),
    [
        ("GMD", (1, 4), {"75* ART Krupp M08", "75* ART 75/13", "75* ART leIG 18"}),
        ("X/Y Force", (1, 4), {"75* ART M1A1"}),
        ("X/Y Force", (1, 2, 1, 4), {"75* ART Krupp M08", "75* ART 75/13", "75* ART leIG 18"}),
        ("X/Y Force", (2, 4), {"81* MTR M1"}),
    ],
)
def test_x_y_force_has_the_guns_of_u_s_make(
    state: SquadState, group: str, faces: tuple[int, ...], guns: set[str]
) -> None:
    """Notes 1, 5 and 6 of C5: GMD has the other versions, also where X/Y Force rolls on its column."""
    base = replace(rolled_in(state), enemy="C", enemy_group=group, date="1944-01", places=())
    found = {
        generation.gun(playing(state, *faces, *([which] if len(guns) > 1 else [])), base, inside=False)
        for which in range(1, len(guns) + 1)
    }
    assert found == {f"chinese {gun}" for gun in guns}


@pytest.mark.rule("S5.75")
@pytest.mark.parametrize(("faces", "weapon", "crew"), [((3, 5), "japanese LMG", False), ((1, 2), "japanese HMG", True)])
def test_japanese_machine_guns_come_with_a_crew(
    state: SquadState, faces: tuple[int, int], weapon: str, crew: bool
) -> None:
    """J4: besides the other units activated; the squad has what needs no crew."""
    base = replace(rolled_in(state), enemy="J", enemy_group="", date="1942-06", places=("PTO",))
    at = field(state)
    play = playing(state, *faces)
    squad = generation.new_unit(play, "japanese 4-4-7", at)
    made = [squad]
    one = suspects.add(state, at=at, attitude=HOLD)
    activation._weapons(play, base, one, ["S", "SW"], made, -1, generation.Numbers(0, apart=False))
    (found,) = [piece for piece in state.weapons.values() if piece.owner in {unit.id for unit in made}]
    assert found.kind == weapon
    assert state.units[found.owner].kind == ("japanese 2-2-8" if crew else "japanese 4-4-7")
    assert len(made) == 1 + crew


@pytest.mark.rule("S5.75")
@pytest.mark.parametrize(
    ("squad", "weapon"),
    [("usmc 5-5-8 Paramarine", "LMG"), ("usmc 5-5-8 Raider", "ATR"), ("usmc 6-6-8", "HMG")],
)
def test_paramarines_and_raiders_have_other_weapons(state: SquadState, squad: str, weapon: str) -> None:
    base = replace(rolled_in(state), enemy="M", enemy_group="", date="1943-01", places=("PTO",))
    found = generation.support_weapon(playing(state, 1, 2), base, squad=squad)
    assert found.partition(" ")[2] == weapon


@pytest.mark.rule("S5.72")
@pytest.mark.parametrize(
    ("company", "squad"),
    [
        ("SS company", "german_ss 6-5-8"),
        ("Fallschirmjaeger company", "german 5-4-8"),
        ("Infantry company", "german 4-6-8"),
    ],
)
def test_the_elite_of_a_german_company_are_of_its_kind(state: SquadState, company: str, squad: str) -> None:
    """The house table G2 (SA-10)."""
    base = replace(rolled_in(state), friendly="G", enemy="R", date="1944-01", company=company)
    assert generation.squad(playing(state, 1, 2), arrivals.as_enemy(base)) == squad
