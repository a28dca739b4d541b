"""Pictures of boards and maps: well-formed, small, deterministic, and without anything from outside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from png_pixels import pixels

from sandtable.space.board import Board, load_board
from sandtable.space.boardfile import parse_board
from sandtable.space.cells import cells
from sandtable.space.draw import LABEL, draw_board, label_height, svg_to_png
from sandtable.space.drawpaint import path_data
from sandtable.space.drawtext import GLYPHS, text_path, text_width
from sandtable.space.grid import GridError
from sandtable.space.maps import GameMap, load_map, parse_layout
from sandtable.space.overlay import BLOCKED, HINDERED, Overlay, Thread
from sandtable.space.terrain import Season, code
from sandtable.space.trace import trace

SMALL = """board t
title T
hexes 9 6
A3 open dirt=2
B3 open dirt=5
C3 woods reach=1
D2 woods reach=4
E3 orchard
F3 grain
G4 stone_building
H2 wooden_building parts=2
D5 open level=1 hedge=2
F5 brush
G2 water wall=0
"""


def small() -> Board:
    """A board with a little of everything."""
    return parse_board(SMALL)


@pytest.mark.parametrize("name", ["w", "x", "y", "z", "1"])
def test_a_shipped_board_makes_a_small_well_formed_picture(name: str) -> None:
    svg = draw_board(load_board(name))
    root = ElementTree.fromstring(svg)
    assert root.attrib["viewBox"] == "0 0 1800 645"
    assert len(svg) < 300_000
    assert svg.count("<") < 250, "few elements, for a browser that pans and zooms"


def test_a_picture_refers_to_nothing_outside_itself() -> None:
    svg = draw_board(small(), overlay=Overlay(heat={"C3": ("#f00", "+1")}))
    assert set(re.findall(r'href="([^"]*)"', svg)) <= {f"#{id}" for id in re.findall(r'id="([^"]*)"', svg)}
    assert set(re.findall(r"url\(([^)]*)\)", svg)) <= {f"#{id}" for id in re.findall(r'id="([^"]*)"', svg)}
    assert "<image" not in svg
    assert "<text" not in svg, "no font is needed"
    assert "<filter" not in svg
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_ids_are_used_once_and_carry_the_prefix() -> None:
    svg = draw_board(small(), prefix="left-")
    ids = re.findall(r'id="([^"]*)"', svg)
    assert len(ids) == len(set(ids))
    assert all(id.startswith("left-") for id in ids)


def test_drawing_is_deterministic() -> None:
    assert draw_board(small()) == draw_board(small())


def test_themes_and_seasons_change_the_picture_and_nothing_else() -> None:
    light, dark = draw_board(small()), draw_board(small(), theme="dark")
    winter = draw_board(small(), season=Season.of_month(12))
    assert len({light, dark, winter}) == 3
    shapes = re.compile(r' d="([^"]*)"')
    assert shapes.findall(light)[-3:] == shapes.findall(dark)[-3:]


def test_grid_and_coordinates_can_be_left_out() -> None:
    assert 'id="names"' in draw_board(small())
    assert 'id="names"' not in draw_board(small(), coordinates=False)
    assert 'id="dots"' not in draw_board(small(), grid=False)


def test_an_overlay_draws_lines_hexes_and_heat() -> None:
    overlay = Overlay(
        threads=(
            Thread("A1", "E3", hindering=("C2",)),
            Thread("A1", "G4", blocked_at=(150.0, 130.0), blocking="D3"),
        ),
        marked={"B2": "#123456"},
        heat={"F2": ("#abcdef", "12%"), "F3": ("#fedcba", "")},
    )
    svg = draw_board(small(), overlay=overlay)
    ElementTree.fromstring(svg)
    for colour in ("#123456", "#abcdef", "#fedcba", HINDERED, BLOCKED):
        assert colour in svg
    assert 'cx="150.0" cy="130.0"' in svg, "the point that blocks"


def test_an_overlay_knows_joined_hexes_by_either_name_and_refuses_others() -> None:
    game_map = load_map(parse_layout("w:U-GG x:A-E"))
    either = [draw_board(game_map, overlay=Overlay(marked={name: "red"})) for name in ("wGG3", "xA3")]
    assert either[0] == either[1]
    with pytest.raises(GridError, match="there is no hex 'xZ5' on this map"):
        draw_board(game_map, overlay=Overlay(marked={"xZ5": "red"}))
    with pytest.raises(GridError, match="there is no hex 'Z9' here"):
        draw_board(small(), overlay=Overlay(marked={"Z9": "red"}))


def test_an_overlay_cannot_smuggle_markup_in() -> None:
    svg = draw_board(small(), overlay=Overlay(marked={"B2": '"><script>'}, heat={"C2": ("red", "<b>")}))
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_a_png_has_the_size_of_the_board() -> None:
    png = svg_to_png(draw_board(small()), 0.5)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert (width, height) == (225, 194)


def woods_seen(ground: Board | GameMap) -> tuple[float, float]:
    """Share of the woods' pixels, and of the open ground's, that the picture shows in woods' colours."""
    picture = pixels(svg_to_png(draw_board(ground, grid=False, coordinates=False), 0.25))
    red, green, blue, _ = picture.transpose(2, 0, 1)
    wooded = (green < 165) & (green > red) & (red < 125) & (blue < 100)
    terrain = (ground.raster if isinstance(ground, GameMap) else ground.raster()).terrain
    rows, columns = wooded.shape[0] - 1, wooded.shape[1]
    blocks = terrain[: rows * 4, : columns * 4].reshape(rows, 4, columns, 4)
    woods = (blocks == code("woods")).all(axis=(1, 3))
    bare = (blocks == code("open")).all(axis=(1, 3))
    return float(wooded[:-1][woods].mean()), float(wooded[:-1][bare].mean())


@pytest.mark.parametrize("layout", ["x", "x*"])
def test_what_is_drawn_is_what_blocks(layout: str) -> None:
    ground = load_board("x") if layout == "x" else load_map(parse_layout(layout))
    shown, strayed = woods_seen(ground)
    assert shown > 0.95
    assert strayed < 0.03


def test_a_map_shows_its_boards_in_their_places_turned_and_cut() -> None:
    game_map = load_map(parse_layout("w:U-GG x*", Season.of_month(11)))
    svg = draw_board(game_map)
    root = ElementTree.fromstring(svg)
    width, height = (float(word) for word in root.attrib["viewBox"].split()[2:])
    assert (width, height) == (game_map.grid.width, game_map.grid.height)
    assert len(re.findall(r"<clipPath", svg)) == 3, "the edge of the map and one for each board"
    ids = re.findall(r'id="([^"]*)"', svg)
    assert len(ids) == len(set(ids))


def test_an_imported_board_is_traced_back_to_outlines() -> None:
    drawn = small()
    copy = Board("copy", "Copy", drawn.grid, drawn.hexes, stored=drawn.raster())
    traced = trace(drawn.raster())
    for kind, area in drawn.geometry.areas.items():
        if kind != "water":
            assert traced.areas[kind].symmetric_difference(area).area < 0.12 * area.area, kind
    assert len(traced.buildings) == 3
    assert traced.hills[1].symmetric_difference(drawn.geometry.hills[1]).area < 0.1 * traced.hills[1].area
    ElementTree.fromstring(draw_board(copy))


def test_every_coordinate_can_be_lettered() -> None:
    letters = {letter for name in cells(load_board("w").grid) for letter in name}
    assert letters <= set(GLYPHS)
    assert text_width("GG10", 6) == pytest.approx(20.2)
    assert text_path("I", 10, 0, 6) == "M10 0 10 6M9 0 11 0M9 6 11 6"


def test_path_data_is_short_and_closed() -> None:
    from shapely.geometry import box

    assert path_data(box(0, 0, 10.04, 5.5)) == "M10 0l0 5.5-10 0 0-5.5z"


def test_a_long_coordinate_is_smaller_than_the_hex() -> None:
    assert label_height("wR6", 56) == LABEL, "short ones are all alike"
    height = label_height("highcombeBB5", 56)
    assert 0 < height < LABEL
    assert text_width("highcombeBB5", height) == pytest.approx(56)
