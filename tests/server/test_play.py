"""Whole games over the WebSocket, played as a client plays them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from sandtable.engine import read_record, verify
from server.helpers import Live, as_json, later, run, serving, settings_for, state_of


async def play_out(lives: dict[str, Live], source: random.Random) -> dict[str, Any]:
    """Clients play at random until the match is over."""
    while True:
        while len(seen := {live.view["version"] for live in lives.values()}) > 1:
            for live in lives.values():
                await live.at(max(seen))
        ended = next((live.result for live in lives.values() if live.result), None)
        if ended:
            result: dict[str, Any] = ended
            return result
        live = next(live for side, live in lives.items() if side in live.view["to_act"])
        if not live.actions:  # it is about to be answered for the side
            await live.receive()
            continue
        answer = await live.act(source.randrange(len(live.actions)))
        # A forced choice may have been made in the meantime.
        assert answer["t"] == "done" or answer["code"] == "stale"


def test_a_whole_game_by_two_clients(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client("Anna") as anna, running.client() as bert:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
            match = await anna.new_match(scenario="post", seats=seats, title="Tuesday")
            assert match["status"] == "waiting"
            joined = await bert.join(match["invitations"]["blue"])
            assert (joined["side"], joined["match"]["status"]) == ("blue", "running")
            async with anna.live(match["id"]) as red, bert.live(match["id"], full=1) as blue:
                await red.until("welcome")
                await blue.until("welcome")
                result = await play_out({"red": red, "blue": blue}, random.Random(5))
                assert result["how"] == "rules"
                inner = state_of(running, match["id"])
                for side, live in (("red", red), ("blue", blue)):
                    should = {name: value for name, value in as_json(inner.view(side)).items() if name != "outcome"}
                    assert {name: live.view[name] for name in should} == should
            text = (await anna.http.get(f"/api/matches/{match['id']}/record")).text
            assert verify(read_record(text)).outcome is not None

    run(story)


def test_players_add_numbers_to_the_dice_and_check_them_after_a_claim(tmp_path: Path) -> None:
    """A match that is never finished tells its secret too, after it has been claimed."""

    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
        ):
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}})
            noted = match["commitment"]
            assert match["numbers"] == []
            await bert.join(match["invitations"]["blue"])
            async with anna.live(match["id"]) as red, bert.live(match["id"]) as blue:
                await red.until("welcome")
                await blue.until("welcome")
                assert (await red.ask("number", number="ab" * 32))["version"] == 1
                assert (await red.ask("number", number="cd" * 32))["code"] == "illegal"
                assert (await blue.ask("number", number="short"))["code"] == "bad_request"
                assert (await blue.ask("number", number="cd" * 32))["version"] == 2
                await blue.at(2)
                await red.at(2)
                await blue.act(blue.choice("set up", cells=["c1"]))
                await red.at(3)
                assert (await anna.get(f"/api/matches/{match['id']}"))["match"]["numbers"] == ["red", "blue"]
                refused = await blue.ask("claim_timeout")
                assert "30 days" in refused["text"]
                with later(31 * 24 * 3600):
                    assert (await red.ask("claim_timeout"))["code"] == "not_now"  # it is for red to decide
                    assert (await blue.ask("claim_timeout"))["t"] == "done"
                await red.until("update")
                assert (red.result["winner"], red.result["how"]) == ("blue", "abandoned")
            record = read_record((await anna.http.get(f"/api/matches/{match['id']}/record")).text)
            checked = verify(record, commitment=noted)
            assert checked.numbers() == {"red": "ab" * 32, "blue": "cd" * 32}
            assert record.ended is not None
            assert "30 days" in record.ended.reason

    run(story)
