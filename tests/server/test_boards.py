"""GET /api/boards: the boards a player has, and how to add more."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.space.board import shipped_names
from server.helpers import run, serving, settings_for


def test_the_list_names_boards_and_the_way_to_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            found = (await anna.http.get("/api/boards")).json()
            assert {board["name"] for board in found["boards"]} == shipped_names()
            assert found["boards"][0]["objectives"] == ["G6", "K5", "L6", "U3", "X4", "BB4"]
            assert found["boards"][0]["types"] == ["city"]
            assert "sandtable board import FOLDER" in found["how_to_add"]
            assert str(tmp_path) not in str(found), "no path of the server's machine"
            (tmp_path / "boards" / "mine.board").write_text("board mine\ntitle Mine\nhexes 5 6\n")
            found = (await anna.http.get("/api/boards")).json()
            assert {board["name"]: board["origin"] for board in found["boards"]}["mine"] == "own"

    run(story)


def test_a_mission_tells_which_boards_it_may_roll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            found = (await anna.http.get("/api/games/sasl/1/boards")).json()
            assert {one["type"] for one in found["terrains"]} == {"city", "village", "farmland", "rural", "hills"}
            assert str(tmp_path) not in str(found), "no path of the server's machine"
            assert (await anna.http.get("/api/games/aslsk2/S9/boards")).json() == {}
            assert (await anna.http.get("/api/games/sasl/77/boards")).status_code == 404

    run(story)
