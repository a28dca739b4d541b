"""One-hex bridges: rolled for when the boards lie, told, and what a destroyed one means for those who come (S13.5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from sasl_support import friend, mission_without_suspects, playing

import sandtable
from sandtable.engine import Decided, Match, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.engine.start import read_record
from sandtable.games.asl.crest.going import up_cost
from sandtable.games.asl.crest.model import fronts
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.sasl import GAME, charts
from sandtable.games.sasl.bridges import bridge_words, open_bridges, roll_bridges
from sandtable.games.sasl.crossing import crossable
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.sasl.roads import gaps, network
from sandtable.games.sasl.rolled import DESTROYED, Board, Rolled, changed_bridges, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.sheet import SHEET, Preparing, RollFor, RollRest, Settle
from sandtable.games.sasl.sheet_page import panels
from sandtable.games.squad.combat.advance import entry_cost
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.board import load_board
from sandtable.space.making.maker import made_name

register(GAME)
STONE, PLANKS = "Two-lane stone", "One-lane wooden"


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def board(name: str, letter: str = "", **more: object) -> Board:
    """A board of the program's in the place of a printed one that A9 marks with a letter."""
    return replace(Board(f"{letter}99", name, "rural", prefix=load_board(name).prefix), **more)


def laid(state: SquadState, *boards: Board, mission: int = 1) -> Rolled:
    return replace(rolled_in(state), mission=mission, boards=boards)


def on(state: SquadState, *boards: Board, **options: str) -> Setting:
    """The map of a state changes to these boards."""
    state.setting = key_of(with_options(state, **options), laid(state, *boards))
    return setting_of(state)


def with_options(state: SquadState, **options: str) -> SquadState:
    """The state of a match that was begun with some options."""
    place, _, rolled = state.setting.partition("#")
    known, _, chosen = place.partition("?")
    both = dict(pair.split("=", 1) for pair in chosen.split("&")) | options
    state.setting = f"{known}?{'&'.join(f'{name}={value}' for name, value in sorted(both.items()))}#{rolled}"
    return state


def told(play: Play[SquadState]) -> list[tuple[str, str, str]]:
    """Table, row and words of what was decided."""
    return [(one.table, one.row, one.why) for one in play.events if isinstance(one, Decided)]


# -- the dice -------------------------------------------------------------------------------------


@pytest.mark.rule("S13.5")
@pytest.mark.parametrize(
    ("letter", "faces", "result"),
    [
        ("", (4, 2), "Two-lane stone"),
        ("", (1, 3), "One-lane stone"),
        ("", (4, 4), "Two-lane wooden"),
        ("", (4, 5), "One-lane wooden"),
        ("v", (4, 5), "Two-lane wooden"),
        ("v", (4, 3), "Two-lane stone"),
        ("c", (4, 6), "Two-lane wooden"),
        ("c", (4, 5), "One-lane stone"),
        ("w", (4, 6), "One-lane wooden"),
        ("", (5,), "Destroyed"),
        ("c", (6,), "Destroyed"),
    ],
)
def test_a_bridge_gets_a_dr_for_whether_it_stands_and_one_for_its_type(
    state: SquadState, letter: str, faces: tuple[int, ...], result: str
) -> None:
    play = playing(state, *faces)
    base = roll_bridges(play, laid(state, board("thornwick", letter)))
    assert base.boards[0].bridges == (("K9", result),)
    lines = told(play)
    assert [line[0] for line in lines] == ["A9c", "A9d"][: len(faces)]
    assert all(line[2].startswith("bridge in thornwickK9: ") for line in lines)
    assert result in lines[-1][2]
    for table, row, _ in lines:
        assert row in [one[0] for one in (charts.chart(table) or {})["rows"]]


@pytest.mark.rule("S13.5")
def test_bridges_are_rolled_for_board_by_board_and_once(state: SquadState) -> None:
    play = playing(state, 6, 1, 1, 5)
    base = roll_bridges(play, laid(state, board("stanrigg"), board("thornwick")))
    first, second = base.boards
    assert first.bridges == (("G7", DESTROYED), ("Q3", STONE))
    assert second.bridges == (("K9", DESTROYED),)
    assert roll_bridges(playing(state), base) == base, "no dice are left to roll"


@pytest.mark.rule("S13.5")
def test_boards_without_bridges_of_one_hex_take_no_dice(state: SquadState) -> None:
    base = laid(state, board("w"), board("waterley"))
    assert roll_bridges(playing(state), base) == base


@pytest.mark.rule("S13.5")
def test_the_option_leaves_every_bridge_as_printed(state: SquadState) -> None:
    base = laid(with_options(state, bridges="printed"), board("stanrigg"))
    assert roll_bridges(playing(state), base) == base


@pytest.mark.rule("S13.5", "S14.12")
def test_a_bridge_that_is_a_vpo_stands(state: SquadState) -> None:
    play = playing(state, 5, 4, 1)
    base = roll_bridges(play, laid(state, board("stanrigg", vpo=(("stanriggA1", "stanriggG7"),))))
    assert base.boards[0].bridges == (("G7", PLANKS), ("Q3", STONE))
    assert told(play)[0] == ("S13.5", "Intact", "bridge in stanriggG7: no dr, for it is a VPO (SA-130)")


@pytest.mark.rule("S13.5", "S13.2311")
@pytest.mark.parametrize(("mission", "rolls"), [(5, False), (8, False), (1, True), (3, True)])
def test_the_road_network_keeps_its_bridges(state: SquadState, mission: int, rolls: bool) -> None:
    assert network_crosses(state, "elderholt", "Q7")
    play = playing(state, 6) if rolls else playing(state, 5)
    base = roll_bridges(play, laid(state, board("elderholt"), mission=mission))
    assert base.boards[0].bridges == (("Q7", DESTROYED if rolls else PLANKS),)
    assert ("no dr, for the Road Network crosses it (SA-131)" in told(play)[0][2]) is not rolls


def network_crosses(state: SquadState, name: str, bridge: str) -> bool:
    setting = on(state, board(name))
    return setting.ground.index(load_board(name).prefix + bridge) in network(setting)


@pytest.mark.rule("S13.2311", "S13.2312")
def test_where_the_option_says_so_the_network_loses_a_bridge(state: SquadState) -> None:
    with_options(state, bridges="network")
    base = roll_bridges(playing(state, 6), laid(state, board("elderholt"), mission=5))
    assert base.boards[0].bridges == (("Q7", DESTROYED),)
    whole = on(state, board("elderholt"))
    assert gaps(whole) == 0
    cut = on(state, base.boards[0])
    spot = cut.ground.index(f"{base.boards[0].prefix}Q7")
    assert spot not in network(cut) or gaps(cut) > 0


@pytest.fixture
def canal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """A board that a canal divides from A5 to GG5, with bridges in I5 and Q5."""
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *[2 * letter for letter in "ABCDEFG"]]
    water = [f"{letter}5 canal level=-1 cover=100" for letter in letters if letter not in "IQ"]
    ways = [f"{letter}5 stone_bridge dirt=0,3 canal=1,2,4,5" for letter in "IQ"]
    text = "\n".join(["board 07", "title Canal", "hexes 33 10", *water, *ways])
    (tmp_path / "boards" / "07.board").write_text(text + "\n")
    return Board("7", "07", "rural", prefix="07")


@pytest.mark.rule("S13.5")
def test_the_last_bridge_of_a_board_in_two_stands(state: SquadState, canal: Board) -> None:
    play = playing(state, 5, 6, 5)
    (found,) = roll_bridges(play, laid(state, canal)).boards
    assert found.bridges == (("I5", DESTROYED), ("Q5", PLANKS))
    assert told(play)[1][2] == "bridge in 07Q5: Intact, for nobody could cross the board without it (SA-132)"
    assert crossable("07", "A", changed_bridges(found))
    assert not crossable("07", "A", (("I5", "destroyed"), ("Q5", "destroyed")))
    lengthwise = replace(laid(state, canal), config="B")
    (found,) = roll_bridges(playing(state, 5, 6), lengthwise).boards
    assert [result for _, result in found.bridges] == [DESTROYED, DESTROYED], "along the canal nobody needs them"


# -- every board ----------------------------------------------------------------------------------


@pytest.mark.rule("S13.5")
@pytest.mark.parametrize(
    "name",
    ["ambrey", "stanrigg", "hollen", *[made_name(type, seed) for type in ("village", "hills") for seed in (6, 37, 60)]],
)
def test_whatever_is_rolled_the_map_is_sound(state: SquadState, name: str) -> None:
    for seed in range(6):
        play = Play(state, StreamDice(secret_of_seed(seed)))
        (found,) = roll_bridges(play, laid(state, board(name))).boards
        assert not open_bridges(found, {})
        assert crossable(name, "A", changed_bridges(found))
        facts = load_board(name).with_bridges(changed_bridges(found)).hexes
        for bridge, result in found.bridges:
            if result == DESTROYED:
                assert facts[bridge].bridge_rubble
                assert not facts[bridge].roads
            else:
                assert facts[bridge].terrain == f"{result.rpartition(' ')[2]}_bridge"
                assert facts[bridge].roads == load_board(name)[bridge].roads


# -- what it means --------------------------------------------------------------------------------


@pytest.mark.rule("B6.331")
def test_no_road_leads_over_a_destroyed_bridge(state: SquadState) -> None:
    ground = on(state, board("thornwick")).ground
    spot = ground.index("thornwickK9")
    near = [cell for cell in ground.near[spot] if (way := ground.way(cell, spot)) is not None and way.road]
    assert len(near) == 2
    ground = on(state, board("thornwick", bridges=(("K9", DESTROYED),))).ground
    assert not ground.has_road[spot]
    for cell in near:
        way = ground.way(cell, spot)
        assert way is not None
        assert (way.road, way.cost) == (0, 10), "2 MF for the gully, 3 for the rubble"
        back = ground.way(spot, cell)
        assert back is not None
        assert back.road == 0


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize(("name", "bridge", "cost"), [("thornwick", "K9", 10), ("stanrigg", "Q3", 12)])
def test_an_advance_into_the_rubble_takes_more_than_a_squad_has(
    state: SquadState, name: str, bridge: str, cost: int
) -> None:
    ground = on(state, board(name, bridges=((bridge, DESTROYED),))).ground
    spot = ground.index(name + bridge)
    near = next(cell for cell in ground.near[spot] if cell < ground.size and ground.has_road[cell])
    unit = friend(state, near)
    assert entry_cost(state, [unit], spot) == cost > 2 * 4


@pytest.mark.rule("B6.331")
@pytest.mark.parametrize(("name", "bridge", "tem"), [("thornwick", "K9", 3), ("highcombe", "K4", 2)])
def test_who_is_in_the_rubble_is_in_the_depression_and_in_cover(
    state: SquadState, name: str, bridge: str, tem: int
) -> None:
    ground = on(state, board(name, bridges=((bridge, DESTROYED),))).ground
    spot = ground.index(f"{name}{bridge}")
    there = asl_ground(state)
    assert (ground.tem[spot], ground.level[spot], ground.open[spot]) == (tem, -1, False)
    assert there.depression[spot]
    assert there.concealment[spot]
    assert not ground.cover[spot], "rubble is no building to rally in"


@pytest.mark.rule("B20.9", "B6.331")
def test_crest_status_above_the_rubble_costs_four_mf(state: SquadState) -> None:
    spot = on(state, board("thornwick")).ground.index("thornwickK9")
    assert spot not in asl_ground(state).twins, "no Crest at a bridge"
    on(state, board("thornwick", bridges=(("K9", DESTROYED),)))
    ground = asl_ground(state)
    crest = ground.twins[spot]
    assert fronts(ground, spot)
    assert (ground.kinds[crest].name, ground.level[crest]) == ("open", 0)
    assert up_cost(state, spot) == 8


@pytest.mark.rule("S13.5")
def test_the_tooltip_of_the_hex_says_what_the_dice_gave(state: SquadState) -> None:
    on(state, board("stanrigg", bridges=(("G7", DESTROYED), ("Q3", PLANKS))))
    scene = GAME.scene_of(state)
    assert scene is not None
    facts = {cell["id"]: {fact[0]: fact[1:] for fact in cell["facts"]} for cell in scene["cells"]}
    assert facts["stanriggQ3"]["Bridge"] == ("One-lane wooden, over a shallow stream", "S13.5")
    words = "Destroyed: its rubble lies in the shallow stream, 6 MF to enter"
    assert facts["stanriggG7"]["Bridge"] == (words, "S13.5")
    assert facts["stanriggG7"]["Terrain"][0].startswith("Rubble of a Stone Bridge")
    assert "Bridge" not in facts["stanriggA1"]


@pytest.mark.rule("S13.5")
def test_the_tooltip_over_deep_water(state: SquadState, canal: Board) -> None:
    on(state, replace(canal, bridges=(("I5", DESTROYED), ("Q5", STONE))))
    scene = GAME.scene_of(state)
    assert scene is not None
    facts = {cell["id"]: dict(fact[:2] for fact in cell["facts"]) for cell in scene["cells"]}
    assert (facts["07I5"]["Bridge"], facts["07Q5"]["Bridge"]) == ("Destroyed", "Two-lane stone, over water")
    assert "impassable" in facts["07I5"]["Terrain"]


# -- when they are rolled -------------------------------------------------------------------------


def with_a_bridge(**options: str) -> Match:
    """A mission that is set up step by step, with Stanrigg as its board."""
    match = sandtable.new("sasl/1", seed=4, options={"set_up": "steps", "own": "none", **options})
    for what in ("theatre", "friendly", "enemy", "year", "month", "force", "leaders", "board"):
        wanted = RollFor(what)
        if wanted in match.actions(FRIENDLY):
            match.apply(FRIENDLY, wanted)
    sheet = SHEET.of(match.state)
    assert sheet.board is not None
    SHEET.put(match.state, replace(sheet, board=replace(sheet.board, type="hills")))
    match.apply(FRIENDLY, Settle("board", "stanrigg"))
    return match


@pytest.mark.rule("S13.5")
def test_the_page_of_the_set_up_asks_for_the_bridges_when_the_boards_lie() -> None:
    match = with_a_bridge()
    actions = list(match.actions(FRIENDLY))
    assert [one for one in actions if isinstance(one, RollFor)] == [RollFor("bridges")]
    assert match.describe(FRIENDLY, RollFor("bridges")).rule == "S13.5"
    rows = {row.label: row.value for panel in panels(match.state) for row in panel.rows}
    assert rows["Bridges of board 1"] == "open: stanriggG7, stanriggQ3"
    events = match.apply(FRIENDLY, RollFor("bridges"))
    assert next(one.table for one in events if isinstance(one, Decided)) in ("A9c", "S13.5")
    (one,) = SHEET.of(match.state).whole.boards
    rows = {row.label: row.value for panel in panels(match.state) for row in panel.rows}
    assert rows["Bridges of board 1"] == bridge_words(one, {})
    assert rows["Bridges of board 1"].startswith(f"stanriggG7 {one.bridges[0][1].lower()}; stanriggQ3 ")
    assert RollFor("tables") in match.actions(FRIENDLY)
    match.apply(FRIENDLY, RollFor("tables"))
    assert rolled_in(match.state).boards[0].bridges == one.bridges
    assert not isinstance(match.state.stack[-1], Preparing)


@pytest.mark.rule("S13.5")
def test_no_step_for_bridges_that_are_as_printed() -> None:
    match = with_a_bridge(bridges="printed")
    assert RollFor("tables") in match.actions(FRIENDLY)
    assert not any("Bridges" in row.label for panel in panels(match.state) for row in panel.rows)


@pytest.mark.rule("S13.5")
def test_the_one_button_rolls_for_bridges_too_and_the_record_replays() -> None:
    match = with_a_bridge()
    match.apply(FRIENDLY, RollRest())
    assert not isinstance(match.state.stack[-1], Preparing)
    assert len(rolled_in(match.state).boards[0].bridges) == 2
    whole = sandtable.new("sasl/2", seed=1)
    assert any(one.bridges for one in rolled_in(whole.state).boards)
    again = sandtable.replay(read_record(whole.record().to_lines()))
    assert again.state.setting == whole.state.setting


@pytest.mark.rule("S13", "S13.5")
@pytest.mark.parametrize("mission", [1, 3])
def test_bridges_of_a_board_that_joins_in_play_are_rolled_for_then(
    mission: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = sandtable.new(f"sasl/{mission}", seed=8, options={"own": "none", "boards": "shipped"}).state.clone()
    before = rolled_in(state).boards
    monkeypatch.setattr("sandtable.games.sasl.missions.rolling.find_board", lambda *_: "stanrigg")
    put_roster(state, ahead=(1,))
    play = Play(state, StreamDice(secret_of_seed(4)))
    MISSIONS[mission].quiet(play)
    *old, new = rolled_in(state).boards
    assert tuple(old) == before
    assert [name for name, _ in new.bridges] == ["G7", "Q3"]
    tables = [one.table for one in play.events if isinstance(one, Decided)]
    first = next(number for number, table in enumerate(tables) if table in ("A9c", "A9d"))
    assert first > tables.index("Alignment"), "after the board has been laid"
