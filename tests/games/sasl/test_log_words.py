"""What the log and the tables say, word by word."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, playing

import sandtable
from sandtable.engine import Decided, Rolled
from sandtable.engine.registry import register
from sandtable.games.asl.concealment.model import ConcealmentLost
from sandtable.games.asl.heat.model import Hardened
from sandtable.games.asl.prisoners.model import Rearmed
from sandtable.games.asl.works.mines import MinesAttack
from sandtable.games.asl.works.sheltering import Sheltered
from sandtable.games.sasl import GAME, charts, setting_up, show, suspects
from sandtable.games.sasl.cautious_advance import CautiousAdvance
from sandtable.games.sasl.command import Panicked
from sandtable.games.sasl.dice import many, on_table
from sandtable.games.sasl.enemy.orders import article
from sandtable.games.sasl.events import Happened
from sandtable.games.sasl.model import ENEMY, OBJECTIVES, ROAD, Activated, BoardJoined, SuspectsPlaced
from sandtable.games.sasl.rolled import Board, rolled_in
from sandtable.games.sasl.shortage import LESS
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.dates import span, span_words
from sandtable.games.squad.effects.morale import suffer
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.movement.model import MoveBegan
from sandtable.games.squad.pieces.events import Reduced
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.scene import aims

register(GAME)


@pytest.fixture
def state() -> SquadState:
    found: SquadState = sandtable.new("sasl/1", seed=3, options=OPTIONS).state
    return found


def said(state: SquadState, table: str, row: str, faces: tuple[int, ...], why: str) -> str:
    return show.WORDS[Decided](state, Decided(side=ENEMY, table=table, row=row, faces=faces, why=why))


def test_rows_are_written_with_the_signs_of_print(state: SquadState) -> None:
    assert said(state, "A3a", ">=11", (6, 5), "x: all FP") == "A3a (rolled 6 5), ≥11: x: all FP"
    assert said(state, "A6c", "<=2", (1,), "3") == "A6c (rolled 1), ≤2: 3"


@pytest.mark.parametrize(
    ("table", "row", "faces", "words"),
    [
        ("A3a", "5", (4, 3), "7, which refers to 5"),
        ("A4a", "7", (1, 2), "3, which refers to 7"),
        ("A3a", "8", (4, 4), "8"),
        ("A3d", "8-9", (4, 5), "8-9"),
        ("A3d", ">=10", (4, 6), "≥10"),
        ("A2b", "S6.311", (4, 6), "S6.311"),
        ("A4b", "RAS", (4,), "RAS"),
    ],
)
def test_a_row_that_another_sends_to_says_so(
    state: SquadState, table: str, row: str, faces: tuple[int, ...], words: str
) -> None:
    rolled = " ".join(map(str, faces))
    assert said(state, table, row, faces, "x") == f"{table} (rolled {rolled}), {words}: x"


def test_a_board_goes_by_its_title(state: SquadState) -> None:
    placed = SuspectsPlaced(board="make2-village-7", number=1, case="4.1b")
    assert show.WORDS[SuspectsPlaced](state, placed) == "1 S? is set up on Village 7 (S4.1b)"
    assert show.WORDS[BoardJoined](state, BoardJoined(board="y")) == "Board y is activated along the EBE"


@pytest.mark.rule("S12.32")
def test_a_roll_says_whose_it_is_and_what_for(state: SquadState) -> None:
    play = playing(state, 4, 5, 3, 1, 3, 3, 2)
    setting_up.roll_roster(play, rolled_in(state))
    whys = [event.why for event in play.events if isinstance(event, Rolled)]
    assert whys == ["ENEMY SAN", "FRIENDLY SAN", "ENEMY AC#", "ENEMY RE#s", "FRIENDLY RE#s"]


@pytest.mark.rule("S4.12")
def test_how_many_buildings_have_a_suspect_is_no_row_of_a9e(state: SquadState) -> None:
    ground = setting_of(state).ground
    cells = [hexes[0] for hexes in ground.buildings.values()][:2]
    play = playing(state, 1, 3)
    suspects.in_buildings(play, Board("c20", "w", "city"), cells)
    (decided,) = [event for event in play.events if isinstance(event, Decided)]
    assert show.WORDS[Decided](state, decided) == "A9e, ground level: S? in 1 of 2 buildings"


def test_the_map_says_what_the_vpo_are_for(state: SquadState) -> None:
    assert [aim["label"] for aim in aims(setting_of(state))] == ["German: take and hold the VPO"]


@pytest.mark.rule("S13.231")
def test_the_map_shows_the_road_that_is_to_be_cleared() -> None:
    found: SquadState = sandtable.new("sasl/5", seed=3, options=OPTIONS).state
    scene = GAME.scene_of(found)
    assert scene is not None
    (aim,) = scene["aims"]
    assert aim["label"] == f"{setting_of(found).titles['friendly']}: clear the Road Network"
    assert aim["cells"] == [setting_of(found).ground.names[cell] for cell in ROAD.of(found)]


def test_a_nation_is_named_once(state: SquadState) -> None:
    units = [unit for unit in state.units.values() if unit.kind.startswith("german ")][:2]
    event = Activated(suspect="s", at="x", units=tuple(unit.id for unit in units))
    first, second = (unit.kind.partition(" ")[2] for unit in units)
    assert show.WORDS[Activated](state, event) == f"The S? in x is Activated: German {first}, {second}"


@pytest.mark.parametrize(
    ("why", "words"), [("the Mission is over", "the Mission is over"), ("eliminated", "it is eliminated")]
)
def test_why_a_question_mark_goes_is_a_sentence(state: SquadState, why: str, words: str) -> None:
    unit = next(iter(state.units.values()))
    event = ConcealmentLost(unit=unit.id, at="x", why=why)
    assert GAME.words(event, state).endswith(f"in x loses its concealment: {words} (A12.14)")


def test_who_is_replaced_for_lack_of_ammunition_has_not_failed_a_check(state: SquadState) -> None:
    play = playing(state)
    unit = next(unit for unit in state.units.values() if unit_kind(state, unit).replaced)
    suffer(play, unit, LESS, why="Ammunition Shortage")
    (event,) = [event for event in play.events if isinstance(event, Reduced)]
    assert event.why == "Ammunition Shortage"


def test_how_many_there_are() -> None:
    assert [many(1, "Gun"), many(2, "Gun"), many(1, "hex", "hexes"), many(5, "hex", "hexes")] == [
        "1 Gun",
        "2 Guns",
        "1 hex",
        "5 hexes",
    ]
    assert [article(name) for name in ("Elite", "1st Line", "Partisan")] == ["an Elite", "a 1st Line", "a Partisan"]


@pytest.mark.parametrize("text", ["6/41", "7-12/41", "1942", "1939-41", "9/42-12/44", "7/41+"])
def test_spans_are_written_as_they_are_printed(text: str) -> None:
    assert span_words(span(text)) == text


def test_the_page_of_a_table_has_its_modifiers_and_whole_notes() -> None:
    notes = {name: (charts.chart(name) or {})["notes"] for name in ("A1", "A10b", "G1", "G5a")}
    assert notes["A1"][:2] == [
        "DRM -1: S? in Advance Attitude",
        "1: SPG {x6a} (ENEMY has a table x6a, dr <=2); in a prohibited Location see 5.61",
    ]
    assert "drm +1: board has >=3 VPO" in notes["A10b"]
    assert "drm +2: S? on a City board (not for: Advance Attitude)" in notes["G1"]
    assert "2: 28LL AT (1942, dr >=5)" in notes["G5a"]
    assert (charts.chart("A1") or {})["rows"][0] == ["<=1", "AFV^1, S^2"]


def test_a_ladder_names_who_must_be_there_and_its_months() -> None:
    russian, marines = charts.chart("R1") or {}, charts.chart("M1") or {}
    assert russian["columns"] == ["case", "hexes", "IFT DRM", "FRIENDLY"]
    assert russian["rows"][3] == ["D", "3", "<=1", "Infantry, unarmored vehicle"]
    assert russian["rulings"] == ["SA-2"]
    assert marines["columns"][1:3] == ["hexes 1941-43", "hexes 1944-45"]
    assert [row[:3] for row in marines["rows"][:2]] == [["A", "10", "12"], ["B", "7", "8"]]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("J4", "Each .50cal, HMG, MMG and ATR has a 2-2-8 crew besides the other units activated."),
        ("A3d", "Direct Fire where possible; each SA has its own DR; weapons that are not ordnance use A3a."),
        ("A10a", "X/Y: the one nearer to the EBE (14.13)"),
        ("A11", "*: only once in a Mission (2.31)"),
        ("M4 Reinforcement Chart", "3: a DR {x3} for an Armor Leader (5.711)"),
        ("Theater Opposition Chart", "†: Finland may be an ally of Germany only"),
        ("P4", "B: British weapons"),
    ],
)
def test_what_is_printed_beside_a_table_stands_below_it(name: str, note: str) -> None:
    assert note in (charts.chart(name) or {})["notes"]


def test_marks_that_are_no_numbers_are_not_raised() -> None:
    rows = {name: (charts.chart(name) or {})["rows"] for name in ("P4", "U2", "C10a", "A11")}
    assert (charts.chart("P4") or {})["columns"][-1] == "PTO (C)"
    assert rows["P4"][0][1] == "HMG (B)"
    assert rows["U2"][0][1] == "7-4-7*"
    assert rows["C10a"][0][1] == "4-4-7 x 2, LMG*^1"
    assert [row[1] for row in rows["A11"][:2]] == ["Wire*", "Armored Cupola"]


@pytest.mark.rule("S5.7")
@pytest.mark.parametrize(("code", "name"), [("U", "U2"), ("U-PTO", "U2 PTO"), ("B", "B2"), ("B-PTO", "B2 PTO")])
def test_a_roll_on_a_card_for_the_pto_opens_its_own_table(state: SquadState, code: str, name: str) -> None:
    table = card(code).table("x2")
    play = playing(state, 3, 4)
    on_table(play, table, date="1944-01", group="elsewhere" * (code == "U-PTO"))
    decided = next(event for event in play.events if isinstance(event, Decided))
    found = charts.chart(decided.table) or {}
    assert decided.table == name
    assert found["columns"][1:] == [column.label for column in table.columns]
    assert found["rows"] != (charts.chart(name[:2] + " PTO" * (" PTO" not in name)) or {})["rows"]


@pytest.mark.rule("M1")
def test_what_comes_without_objectives_is_shown_on_its_table(state: SquadState) -> None:
    for name, goal in list(OBJECTIVES.of(state).items()):
        OBJECTIVES.of(state)[name] = replace(goal, owners=("friendly",) * len(goal.owners))
    play = playing(state, 1)
    CautiousAdvance().begin_enemy_turn(play)
    decided = next(event for event in play.events if isinstance(event, Decided))
    assert decided.row in [row[0] for row in (charts.chart(decided.table) or {})["rows"]]
    assert decided.table.endswith("Chart"), "the names that the browser opens"


def test_the_roster_stands_above_what_does_not_change() -> None:
    match = sandtable.new("sasl/1", seed=3, options=OPTIONS)
    panels = [panel["id"] for panel in match.view("friendly")["panels"]]
    assert panels[:3] == ["roster", "suspects", "victory"]


def test_no_row_of_a10a_is_marked_for_a_board_that_it_does_not_have(state: SquadState) -> None:
    base = rolled_in(state)
    played = playing(state, 3, 4), playing(state, 3, 4)
    for play, name in zip(played, ("12", base.boards[0].board), strict=True):
        setting_up.roll_objectives(play, base, Board(name, name, "village", prefix="x"), 1, ())
    known, made = (next(event for event in play.events if isinstance(event, Decided)) for play in played)
    assert (known.table, known.row) == ("A10a", "12 (dr 3)")
    assert (made.table, made.row) == ("SA-42", "")
    assert charts.chart(made.table) is None
    said = GAME.words(made, state)
    assert said.startswith("SA-42 (rolled 3): VPO ")
    assert "dr 3" not in said, "the roll is told once"


@pytest.mark.parametrize(
    ("assault", "double", "words"),
    [
        (False, 2, " move by Double Time"),
        (False, 1, " move, {} by Double Time"),
        (False, 0, " move"),
        (True, 2, " move by Assault Movement and Double Time"),
        (True, 1, " move by Assault Movement, {} also by Double Time"),
    ],
)
def test_double_time_names_only_some_of_a_stack(state: SquadState, assault: bool, double: int, words: str) -> None:
    names = tuple(state.units)[:2]
    event = MoveBegan(units=names, at="x", assault=assault, double=names[:double])
    assert GAME.words(event, state).endswith(f"in x{words.format(short(state, names[0]))}")


def test_a_line_without_a_row_has_no_stray_comma(state: SquadState) -> None:
    assert said(state, "Theater Opposition Chart", "", (), "left open") == "Theater Opposition Chart: left open"


def test_an_event_is_written_with_the_signs_of_print(state: SquadState) -> None:
    event = Happened(side=ENEMY, table="A11", number="03", title="Minefield", effect="6 FP on a dr <=2, 12 FP on >=5.")
    words = "Random Event A11 03, Minefield: 6 FP on a dr ≤2, 12 FP on ≥5."
    assert GAME.words(event, state) == words


@pytest.mark.rule("S16.3")
def test_who_fails_a_command_dr_is_said_in_the_right_number(state: SquadState) -> None:
    names = [unit.id for unit in state.units.values()][:2]
    for units, fails in ((names[:1], "fails its"), (names, "fail their")):
        words = GAME.words(Panicked(units=tuple(units), at="x"), state)
        assert words.endswith(f" in x {fails} Command DR: Panicked for this Player Turn (S16.3)")


@pytest.mark.parametrize(
    ("number", "inside", "words"),
    [(1, True, "goes into"), (2, True, "go into"), (1, False, "comes out of"), (2, False, "come out of")],
)
def test_units_take_cover_in_the_right_number(state: SquadState, number: int, words: str, *, inside: bool) -> None:
    names = tuple([unit.id for unit in state.units.values()][:number])
    event = Sheltered(units=names, at="x", work="foxhole", inside=inside)
    assert GAME.words(event, state).endswith(f" {words} the foxhole in x")


@pytest.mark.rule("B28.4")
def test_mines_without_effect_say_so(state: SquadState) -> None:
    event = MinesAttack(units=(next(iter(state.units)),), at="x", factors=6, dice=(6, 6), result="-")
    assert GAME.words(event, state).endswith(": rolled 6 6, no effect")


def test_a_unit_is_named_once_where_its_two_names_are_alike(state: SquadState) -> None:
    unit = next(iter(state.units))
    hardened = Hardened(unit=unit, at="x", was="?", now="?")
    assert GAME.words(hardened, state) == 'Battle Hardening in x under the "?" (A15.3)'
    assert GAME.words(Rearmed(unit=unit, at="x", now="german 3-3-6"), state).startswith("3-3-6")
