"""The story of a match, a report as one file, readable text, words for every step, and lessons on the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.helpers import Answered, run, serving, settings_for

WATCHED = {"red": {"kind": "computer", "level": "recruit"}, "blue": {"kind": "computer", "level": "recruit"}}


def test_a_finished_match_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats=WATCHED, seed=3)
            async with anna.live(match["id"]) as table:
                while table.result is None:
                    await table.receive()
            told = (await anna.get(f"/api/matches/{match['id']}/story"))["story"]
            assert told["sides"] == ["red", "blue"]
            assert told["moments"][0]["step"] == 0
            assert told["luck"]
            page = await anna.http.get(f"/api/matches/{match['id']}/report.html")
            assert page.text.startswith("<!doctype html>")
            assert "Luck" in page.text
            assert "<script" not in page.text
            assert "http" not in page.text.replace("http-equiv", ""), "it needs nothing from elsewhere"
            words = (await anna.http.get(f"/api/matches/{match['id']}/record.txt")).text
            assert "victory" in words.splitlines()[-1] or "draw" in words.splitlines()[-1]
            steps = await anna.get(f"/api/matches/{match['id']}/steps")
            replay = await anna.get(f"/api/matches/{match['id']}/replay")
            for step in replay["steps"]:
                assert step["text"] or steps["texts"][str(step["n"])], "every step has words"

    run(story)


def test_sides_are_called_as_their_game_calls_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            names = {"friendly": "FRIENDLY", "enemy": "ENEMY"}
            games = (await anna.get("/api/games"))["games"]
            (cards,) = [one["scenarios"] for one in games if one["id"] == "sasl"]
            assert all(card["side_labels"] == names for card in cards)
            match = await anna.new_match(game="sasl", scenario="1", options={"boards": "shipped"}, seed=3)
            assert match["side_labels"] == names
            (listed,) = (await anna.get("/api/matches"))["matches"]
            assert listed["side_labels"] == names
            async with anna.live(match["id"]) as table:
                await table.ask("resign")
            page = (await anna.http.get(f"/api/matches/{match['id']}/report.html")).text
            assert "ENEMY victory: FRIENDLY resigned" in page
            assert "<th>FRIENDLY</th>" in page
            assert "Friendly" not in page

    run(story)


def test_a_running_match_is_not_told_to_one_of_its_players(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer"}}
            match = await anna.new_match(seats=seats, seed=3)
            for path in ("story", "report.html", "record.txt"):
                with pytest.raises(Answered, match="when the match is over"):
                    await anna.get(f"/api/matches/{match['id']}/{path}")
            steps = await anna.get(f"/api/matches/{match['id']}/steps", side="observer")
            assert all("not seen" in text or "begins" in text for text in steps["texts"].values())

    run(story)


def test_the_lesson_goes_along_and_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(game="aslguide", lesson="first-game")
            async with anna.live(match["id"]) as table:
                while not table.actions:
                    await table.receive()
                assert table.last["lesson"] == {"step": 0, "passed": [], "cut_short": False}
                for pieces, words in ((["r1"], "Move"), (None, "step by step"), (None, "N3")):
                    found = [one for one in table.actions if words in one["text"]]
                    await table.act(next(one["n"] for one in found if pieces in (None, one.get("pieces"))))
                assert table.last["lesson"]["step"] == 1
                done = await table.ask("undo")
                await table.at(done["version"])
                assert table.last["lesson"]["step"] == 0
            skipped = await anna.post(f"/api/matches/{match['id']}/lesson", {"skip": 0})
            assert skipped["lesson"]["step"] == 1
            with pytest.raises(Answered, match="steps 0 to"):
                await anna.post(f"/api/matches/{match['id']}/lesson", {"skip": 99})

    run(story)
