"""Looking back: replays, records to take away and to bring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.helpers import Answered, run, serving, settings_for
from server.test_table import duel, move


def test_a_player_looks_back_at_what_he_saw(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            before = t.red.view
            await move(t.red, "r1", "b1")
            path = f"/api/matches/{t.match['id']}/replay"
            back = await t.anna.get(path)
            assert (back["side"], back["sides"], back["everything"]) == ("red", ["red", "observer"], False)
            assert [step["kind"] for step in back["steps"]] == ["start", "action", "action"]
            assert back["steps"][1]["text"] == "Turn 1: red to move"  # that blue hid somebody is blue's secret
            assert (back["steps"][2]["text"], back["steps"][2]["turn"]) == ("Red 1 moves to b1", "Turn 1")
            step = await t.anna.get(f"{path}/1")
            assert step["view"]["pieces"] == before["pieces"]
            with pytest.raises(Answered, match="2 steps"):
                await t.anna.get(f"{path}/3")
            hidden = await t.bert.get(f"{path}/1")
            assert "b3" in [piece["id"] for piece in hidden["view"]["pieces"]]

    run(story)


def test_after_the_end_everything_is_shown(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await t.red.ask("resign")
            path = f"/api/matches/{t.match['id']}/replay"
            back = await t.anna.get(path)
            assert (back["side"], back["everything"]) == ("all", True)
            step = await t.anna.get(f"{path}/1", side="all")
            assert "b3" in [piece["id"] for piece in step["view"]["pieces"]]
            assert [line["kind"] for line in step["log"]] == ["Hidden", "TurnBegan"]
            as_red = await t.anna.get(f"{path}/1", side="red")
            assert "b3" not in [piece["id"] for piece in as_red["view"]["pieces"]]
            last = await t.bert.get(f"{path}/1", side="observer")
            assert last["view"]["outcome"]["how"] == "resigned"

    run(story)


def test_a_record_is_taken_away_and_brought_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await move(t.red, "r1", "b1")
            await t.red.ask("resign")
            answer = await t.anna.http.get(f"/api/matches/{t.match['id']}/record")
            assert answer.headers["content-disposition"].startswith("attachment")
            body = {"record": answer.text, "title": "The duel"}
            study = (await t.bert.post("/api/records", body))["match"]
            assert (study["status"], study["title"], study["version"]) == ("study", "The duel", 2)
            back = await t.bert.get(f"/api/matches/{study['id']}/replay/1")
            assert "b3" in [piece["id"] for piece in back["view"]["pieces"]]
            with pytest.raises(Answered) as refused:
                await t.anna.get(f"/api/matches/{study['id']}")
            assert refused.value.status == 404
            async with t.bert.live(study["id"]) as live:
                welcome = await live.until("welcome")
                assert (welcome["side"], welcome["version"]) == (None, 2)
            again = (await t.bert.http.get(f"/api/matches/{study['id']}/record")).text
            assert [json.loads(line) for line in again.splitlines()[1:]] == [
                json.loads(line) for line in answer.text.splitlines()[1:]
            ]

    run(story)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("nonsense", "not JSON"),
        ('{"sandtable_record": 1}', "damaged"),
        ('{"sandtable_record": 99}', "update Sandtable"),
    ],
)
def test_a_damaged_record_is_refused_with_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            with pytest.raises(Answered, match=words):
                await anna.post("/api/records", {"record": text})

    run(story)


def test_a_record_whose_dice_were_changed_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}}, seed=7)
            async with anna.live(match["id"], side="blue") as live:
                await live.until("welcome")
                await live.act(0)
            text = (await anna.http.get(f"/api/matches/{match['id']}/record")).text
            lines = text.splitlines()
            lines[1] = lines[1].removesuffix("]") + ",[[6,[1,1]]]]"
            with pytest.raises(Answered, match="but its dice roll"):
                await anna.post("/api/records", {"record": "\n".join(lines) + "\n"})

    run(story)


def test_a_takeback_stays_in_the_record_and_in_the_replay(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            async with anna.live(match["id"], side="blue") as blue, anna.live(match["id"], side="red") as red:
                await blue.until("welcome")
                await red.until("welcome")
                await blue.act(0)
                assert (await blue.ask("ask_undo"))["t"] == "done"
                await blue.at(2)
                assert blue.actions
                await blue.act(1)
            steps = (await anna.get(f"/api/matches/{match['id']}/replay"))["steps"]
            assert [step["kind"] for step in steps] == ["start", "action", "takeback", "action"]
            token = anna.token
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            anna.token = token
            async with anna.live(match["id"], side="blue") as blue:
                assert (await blue.until("welcome"))["version"] == 3

    run(story)
