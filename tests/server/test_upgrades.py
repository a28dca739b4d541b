"""An upgrade changes the rules: running matches go on, finished ones can be looked at."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.engine import start
from sandtable.engine.errors import Divergence
from sandtable.engine.record import Header
from sandtable.reading import decode
from sandtable.server import live as server_live
from sandtable.server import salvage
from sandtable.server.album import unpacked
from sandtable.server.rebuild import read_record_of, rebuild_with_log
from server.helpers import Answered, Client, Live, Running, run, serving, settings_for
from server.test_play import play_out
from tiny import Outpost, rules
from tiny.model import Done, HideAt, Hold, Move

SHAKEN = 4
"""The seed of a match that can be played again when nobody is hit, to another position."""
BOTH = {"red": {"kind": "me"}, "blue": {"kind": "me"}}


async def fought(client: Client, steps: int | None, seed: int) -> dict[str, Any]:
    """A match with so many steps (None: to its end), in which somebody has fired at range 2."""
    match = await client.new_match(seats=BOTH, seed=seed)
    async with client.live(match["id"], side="red") as red, client.live(match["id"], side="blue") as blue:
        lives = {"red": red, "blue": blue}
        for live in lives.values():
            await live.until("welcome")
            await live.ask("orders", orders={"forced": False})
        if steps is None:
            await play_out(lives, random.Random(seed))
            return match
        while True:
            newest = max(live.view["version"] for live in lives.values())
            for live in lives.values():
                await live.at(newest)
            if newest >= steps:
                return match
            live = next(live for side, live in lives.items() if side in live.view["to_act"])
            far = [c["n"] for c in live.actions if c.get("group") == "fire" and dict(c["facts"]).get("range") == "2"]
            await live.act(far[0] if far else random.Random(newest).choice(live.actions)["n"])


def other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fire reaches one hex only: shots of old records are not possible any more."""
    monkeypatch.setattr(rules, "FIRE_RANGE", 1)


def test_matches_of_older_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token, me = anna.token, anna.user["id"]
            going_on = await fought(anna, 30, 4)
            finished = await fought(anna, None, 5)
            before = await anna.get(f"/api/matches/{finished['id']}/replay")
            assert any("fire" in step["text"].lower() for step in before["steps"])
            while not await running.state.store.read("SELECT 1 FROM albums"):
                await asyncio.sleep(0.02)
        other_rules(monkeypatch)
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            anna.http.cookies.set("sandtable", token)
            anna.token = token
            assert (await anna.get("/api/me"))["user"]["id"] == me
            after = await anna.get(f"/api/matches/{finished['id']}/replay")
            assert after["steps"] == before["steps"]
            last = len(before["steps"]) - 1
            assert (await anna.get(f"/api/matches/{finished['id']}/replay/{last}"))["view"]["version"] == last
            for match, page in ((finished, "story"), (finished, "record.txt"), (going_on, "steps")):
                with pytest.raises(Answered, match="this match can only be looked back at") as refused:
                    await anna.get(f"/api/matches/{match['id']}/{page}")
                assert "fires" not in refused.value.text
            async with anna.live(finished["id"]) as live:
                assert (await live.until("welcome"))["result"]["how"] == "rules"
            async with anna.live(going_on["id"]) as live:
                welcome = await live.until("welcome")
                assert (welcome["version"], welcome["match"]["status"]) == (30, "running")
                assert any("goes on from the position after step 30" in line["text"] for line in welcome["log"])
                side = live.view["to_act"][0]
            async with anna.live(going_on["id"], side=side) as live:
                await live.until("welcome")
                assert (await live.act(live.actions[-1]["n"]))["t"] == "done"
            back = await anna.get(f"/api/matches/{going_on['id']}/replay", side=side)
            assert 2 < len(back["steps"]) < 32  # as far as it can be played again, and the present
            last = len(back["steps"]) - 1
            assert (await anna.get(f"/api/matches/{going_on['id']}/replay/{last}", side=side))["view"]["turn"]

    run(story)


def test_a_match_that_cannot_go_on_says_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_live, "SNAPSHOT_STEPS", 10_000)
    monkeypatch.setattr(server_live.LiveMatch, "last_snapshot", lambda live: [])

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token = anna.token
            match = await fought(anna, 30, 4)
        other_rules(monkeypatch)
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            anna.http.cookies.set("sandtable", token)
            anna.token = token
            async with anna.live(match["id"]) as live:
                welcome = await live.until("welcome")
                assert welcome["match"]["status"] == "over"
                assert welcome["result"]["how"] == "rules changed"
                assert "have been changed since this match began: Step" in welcome["result"]["reason"]
                assert len(welcome["log"]) > 3
            replay = await anna.get(f"/api/matches/{match['id']}/replay")
            assert 2 < len(replay["steps"]) <= 30

    run(story)


def test_rules_that_lead_elsewhere_do_not_change_a_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is still possible, but nobody is hit any more: the match stays where it stood."""

    async def pieces_of(anna: Client, match: str) -> Any:
        async with anna.live(match, side="red") as live:
            welcome = await live.until("welcome")
            return welcome["view"]["pieces"], [line["text"] for line in welcome["log"]]

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token = anna.token
            match = (await fought(anna, 30, SHAKEN))["id"]
            before, _ = await pieces_of(anna, match)
        monkeypatch.setattr(rules, "HIT", 100)
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            anna.http.cookies.set("sandtable", token)
            anna.token = token
            rows = await running.state.store.read("SELECT header, start FROM matches WHERE id = ?", match)
            steps = await running.state.store.read("SELECT entry FROM steps WHERE match_id = ? ORDER BY n", match)
            header = msgspec.json.decode(rows[0][0], type=Header)
            record = read_record_of(header, msgspec.json.decode(rows[0][1]), [entry for (entry,) in steps])
            assert rebuild_with_log(record)[0].version == 30, "the other rules play the record to its end"
            after, log = await pieces_of(anna, match)
            assert after == before
            assert any("goes on from the position after step 30" in text for text in log)

    run(story)


@asynccontextmanager
async def back_again(tmp_path: Path, token: str) -> AsyncIterator[tuple[Running, Client]]:
    """The server after a restart, and the same account."""
    async with serving(settings_for(tmp_path)) as running, running.client() as anna:
        anna.http.cookies.set("sandtable", token)
        anna.token = token
        yield running, anna


async def sit(live: Live) -> str:
    """Go on as the side that must decide."""
    side: str = live.view["to_act"][0]
    if live.last["side"] != side:
        await live.send("seat", side=side)
        await live.until("welcome")
    return side


def killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server does not come to keep anything when it ends."""
    monkeypatch.setattr(server_live.LiveMatch, "last_snapshot", lambda live: [])


def test_actions_that_other_rules_do_not_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match goes on where it stood, and keeps its whole record."""

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token = anna.token
            match = (await fought(anna, 30, 4))["id"]
        monkeypatch.setattr(Outpost, "action_type", HideAt | Move | Hold | Done)
        for version in (30, 31):
            async with back_again(tmp_path, token) as (_, anna), anna.live(match) as live:
                welcome = await live.until("welcome")
                assert (welcome["version"], welcome["match"]["status"]) == (version, "running")
                side = await sit(live)
                if version == 30:
                    passing = next(c["n"] for c in live.actions if c["action"]["type"] in ("Done", "Hold"))
                    assert (await live.act(passing))["t"] == "done"
                    continue
                assert len((await anna.http.get(f"/api/matches/{match}/record")).text.splitlines()) == 33
                back = await anna.get(f"/api/matches/{match}/replay", side=side)
                assert 2 < len(back["steps"]) < 32

    run(story)


def test_a_match_that_has_just_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rules set up with other dice: what is on the table stays there."""

    def other_dice(rolled: Any, recorded: Any, step: int) -> None:
        if step == 0:
            raise Divergence("Step 0 of the record says nothing, but its dice roll 6.", 0)

    async def story() -> None:
        killed(monkeypatch)
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token = anna.token
            begun, five = (await anna.new_match(seats=BOTH, seed=4))["id"], (await fought(anna, 5, 4))["id"]
        monkeypatch.setattr(start, "_same_rolls", other_dice)
        async with back_again(tmp_path, token) as (_, anna):
            for match, version in ((begun, 0), (five, 5)):
                async with anna.live(match) as live:
                    welcome = await live.until("welcome")
                    assert (welcome["version"], welcome["match"]["status"]) == (version, "running")
                    await sit(live)
                    assert (await live.act())["t"] == "done"

    run(story)


def test_a_match_of_which_nothing_is_left_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*about: Any) -> None:
        raise ValueError("no such hex")

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token, match = anna.token, (await fought(anna, 5, 4))["id"]
        with monkeypatch.context() as broken:
            broken.setattr(Outpost, "setup", fails)
            broken.setattr(Outpost, "view", fails)
            async with back_again(tmp_path, token) as (_, anna):
                with pytest.raises(Answered, match="have been changed since this match began: no such hex"):
                    await anna.get(f"/api/matches/{match}")
                (listed,) = (await anna.get("/api/matches"))["matches"]
                assert (listed["status"], listed["result"]["how"]) == ("over", "rules changed")

    run(story)


def test_taking_back_what_was_done_before_the_kept_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of older rules has nothing but the kept position: it must not be older than what is taken back to."""

    async def story() -> None:
        killed(monkeypatch)
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token, match = anna.token, (await fought(anna, 40, 4))["id"]
        other_rules(monkeypatch)
        monkeypatch.setattr(server_live, "SNAPSHOT_STEPS", 2)
        async with back_again(tmp_path, token) as (running, anna), anna.live(match) as live:
            await live.until("welcome")
            back = False
            while not back:
                await sit(live)
                ((kept,),) = await running.state.store.read("SELECT n FROM snapshots WHERE match_id = ?", match)
                back = live.last["undo"].get("possible", False) and kept == live.view["version"]
                if back:
                    await live.at((await live.ask("undo", version=kept))["version"])
                else:
                    await live.act(next(c["n"] for c in live.actions if c.get("group") != "fire"))
            version, pieces = live.view["version"], live.view["pieces"]
        async with back_again(tmp_path, token) as (_, anna), anna.live(match) as live:
            welcome = await live.until("welcome")
            assert (welcome["version"], welcome["match"]["status"]) == (version, "running")
            await sit(live)
            assert len(live.view["pieces"]) == len(pieces)

    run(story)


def unknown(text: Any, kind: Any) -> Any:
    """States have another form."""
    if kind is Outpost.state_type:
        raise msgspec.ValidationError("no such field")
    return decode(text, kind)


def test_a_finished_match_of_which_no_state_can_be_read_is_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(game: Any, text: str) -> Any:
        album = unpacked(game, text)
        monkeypatch.setattr(album, "state", lambda n: unknown("", Outpost.state_type))
        return album

    async def log_of(anna: Client, match: str) -> list[str]:
        async with anna.live(match) as live:
            return [line["text"] for line in (await live.until("welcome"))["log"]]

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token, match = anna.token, (await fought(anna, None, 5))["id"]
            before = await log_of(anna, match)
            while not await running.state.store.read("SELECT 1 FROM albums"):
                await asyncio.sleep(0.02)
        other_rules(monkeypatch)
        monkeypatch.setattr(salvage, "decode", unknown)
        monkeypatch.setattr(salvage, "unpacked", unreadable)
        async with back_again(tmp_path, token) as (_, anna):
            assert await log_of(anna, match) == before
            assert len((await anna.get(f"/api/matches/{match}/replay"))["steps"]) > 2

    run(story)


def test_a_match_that_cannot_go_on_keeps_its_whole_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            token, match = anna.token, (await fought(anna, 30, 4))["id"]
        other_rules(monkeypatch)
        monkeypatch.setattr(salvage, "decode", unknown)
        async with back_again(tmp_path, token) as (_, anna):
            assert (await anna.get(f"/api/matches/{match}"))["match"]["result"]["how"] == "rules changed"
            record = (await anna.http.get(f"/api/matches/{match}/record")).text.splitlines()
            assert len(record) == 32, "the header, every step and the closing line"
            assert "have been changed since" in record[-1]
            with pytest.raises(Answered, match="can only be looked back at"):
                await anna.get(f"/api/matches/{match}/story")

    run(story)
