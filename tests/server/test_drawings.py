"""Drawn maps are kept for the next start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandtable.engine import register
from sandtable.server.catalogue import Catalogue
from sandtable.server.drawings import Drawings
from sandtable.server.settings import default_drawings
from server.helpers import as_json
from server.outpost import GAME, Post

OPTIONS = (("reds", "3"),)


class Drawn(Post):
    """A game that counts how often its map is drawn."""

    id = "drawn"

    def __init__(self) -> None:
        self.times = 0

    def scene(self, scenario: str, options: Mapping[str, str]) -> dict[str, Any]:
        self.times += 1
        return super().scene(scenario, options)


def test_a_drawing_is_found_again_under_the_same_options(tmp_path: Path) -> None:
    kept = Drawings(str(tmp_path / "kept"))
    assert kept.find(GAME, "post", OPTIONS) is None
    scene = GAME.scene("post", dict(OPTIONS))
    kept.keep(GAME, "post", OPTIONS, scene)
    assert Drawings(str(tmp_path / "kept")).find(GAME, "post", OPTIONS) == as_json(scene)
    assert kept.find(GAME, "post", (("reds", "4"),)) is None


def test_a_drawing_that_cannot_be_read_is_made_anew(tmp_path: Path) -> None:
    kept = Drawings(str(tmp_path))
    kept.keep(GAME, "post", OPTIONS, {"cells": []})
    (file,) = tmp_path.iterdir()
    file.write_text("half a dra")
    assert kept.find(GAME, "post", OPTIONS) is None


def test_where_nothing_can_be_kept_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    for folder in (str(tmp_path / "file" / "kept"), ""):
        drawings = Drawings(folder)
        drawings.keep(GAME, "post", OPTIONS, {"cells": []})
        assert drawings.find(GAME, "post", OPTIONS) is None


def test_a_second_start_draws_nothing(tmp_path: Path) -> None:
    game = Drawn()
    register(game)
    pages = [Catalogue(str(tmp_path)).scene("drawn", "post", dict(OPTIONS)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert game.times == 1


def test_drawings_live_with_the_data_of_who_names_a_place_for_it(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    assert default_drawings() == str(tmp_path / "drawings")
    monkeypatch.delenv("SANDTABLE_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    assert default_drawings() == str(tmp_path / "c" / "sandtable" / "drawings")
