"""Seats: whoever has seen what a side hides plays against nobody at that side; links are for those they are for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.helpers import Answered, Client, run, serving, settings_for
from server.test_attacks import closed_with
from server.test_table import duel

TWO = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}


async def seat(client: Client, match: dict[str, Any], side: str, kind: str) -> Any:
    return await client.post(f"/api/matches/{match['id']}/seats/{side}", {"kind": kind})


async def hidden(client: Client, match: dict[str, Any]) -> None:
    """Blue hides its ambusher."""
    async with client.live(match["id"], side="blue") as live:
        await live.until("welcome")
        await live.act(live.choice("set up", cells=["c1"]))


def test_the_creator_cannot_look_at_a_seat_and_leave_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats=TWO)
            await seat(anna, match, "blue", "me")
            await hidden(anna, match)
            with pytest.raises(Answered, match="You have seen what Blue hides"):
                await seat(anna, match, "blue", "invitation")
            await seat(anna, match, "blue", "computer")  # against the computer he cheats nobody but himself
            with pytest.raises(Answered, match="You have seen what Blue hides"):
                await seat(anna, match, "blue", "invitation")
        async with serving(settings_for(tmp_path)) as running, running.client() as again:
            again.http.cookies.set("sandtable", anna.token)  # the server remembers it over a restart
            with pytest.raises(Answered, match="You have seen what Blue hides"):
                await seat(again, match, "blue", "invitation")

    run(story)


def test_before_anything_is_hidden_seats_may_be_changed(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats=TWO)
            await seat(anna, match, "blue", "me")
            opened = await seat(anna, match, "blue", "invitation")
            assert "blue" in opened["match"]["invitations"]

    run(story)


def test_who_has_given_up_a_side_does_not_play_the_other(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client("Carl") as carl:
            left = (await seat(t.bert, t.match, "blue", "invitation"))["match"]
            link = left["invitations"]["blue"]
            await carl.join(link)
            opened = (await seat(t.anna, t.match, "red", "invitation"))["match"]
            with pytest.raises(Answered, match="You have seen what Blue hides"):
                await t.bert.join(opened["invitations"]["red"])

    run(story)


def test_an_opponent_cannot_take_a_substitutes_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client("Carl") as carl:
            left = (await seat(t.bert, t.match, "blue", "invitation"))["match"]
            link = left["invitations"]["blue"]
            seen = (await t.anna.get(f"/api/matches/{t.match['id']}"))["match"]
            assert seen["creator"] is True
            assert seen["invitations"] == {}  # it is for whom Bert gives it to
            with pytest.raises(Answered, match="You play Red in this match"):
                await t.anna.join(link)
            with pytest.raises(Answered, match="waits for a substitute"):
                await seat(t.anna, t.match, "blue", "me")
            assert (await carl.join(link))["side"] == "blue"
            assert (await carl.get(f"/api/matches/{t.match['id']}"))["match"]["invitations"] == {}

    run(story)


def test_players_do_not_hear_what_observers_say(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client("Carl") as carl:
            await carl.post("/api/watch", {"token": t.match["watch"].rpartition("/")[2]})
            async with carl.live(t.match["id"]) as watcher, t.anna.live(t.match["id"], side="observer") as red:
                await watcher.until("welcome")
                await red.until("welcome")
                await watcher.ask("chat", text="The ambusher must be in c1")
                await watcher.ask("ping")
                await red.ask("ping")
                assert not [message for message in red.told if message["t"] == "chat"]
            async with t.anna.live(t.match["id"], side="observer") as red:
                assert (await red.until("welcome"))["chat"] == []

    run(story)


def test_nobody_sits_where_the_rules_lead(tmp_path: Path) -> None:
    """Whoever could look on as the ENEMY of Solitaire ASL would know what lies under every "?"."""

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            for kind in ("me", "hotseat", "invitation"):
                seats = {"friendly": {"kind": "me"}, "enemy": {"kind": kind}}
                match = await anna.new_match(game="sasl", scenario="1", seats=seats)
                assert (match["yours"], match["invitations"]) == (["friendly"], {})
                assert match["seats"][1]["name"] == "the rules"
                assert await closed_with(anna.live(match["id"], side="enemy")) == 4404
                with pytest.raises(Answered, match="can be had when the match is over"):
                    await anna.get(f"/api/matches/{match['id']}/record")
            for kind in ("me", "hotseat", "invitation", "partner", "computer"):
                with pytest.raises(Answered) as refused:
                    await seat(anna, match, "enemy", kind)
                assert refused.value.code == "forbidden"
            match = await anna.new_match(game="sasl", scenario="1", seats={"enemy": {"kind": "me"}})
            assert match["yours"] == ["friendly"]

    run(story)


def test_nobody_lets_a_player_take_dice_back_where_the_rules_lead(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(game="sasl", scenario="1", seed=3)
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while live.last["undo"]["possible"] or not live.view["version"]:
                    passing = [one["n"] for one in live.actions if one.get("role") == "pass"]
                    await live.act(passing[0] if passing else live.actions[-1]["n"])
                assert live.last["undo"]["ask"] is False
                assert (await live.ask("ask_undo"))["code"] == "no_undo"
                assert (await live.ask("offer_draw"))["code"] == "not_now"

    run(story)
