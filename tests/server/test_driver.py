"""What goes on by itself in a match fails, or comes at the same moment as something else: nobody is left waiting."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sandtable.engine import Action, Match
from sandtable.server import loading
from sandtable.server.driver import Automatic, Driver
from sandtable.server.live import LiveMatch
from sandtable.server.refusal import Overtaken
from sandtable.server.store import Statement
from server.conftest import Postgres
from server.helpers import run, serving, settings_for

BOTH = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
AGAINST_THE_COMPUTER = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}}


async def _fails(*_: Any, **__: Any) -> None:
    raise RuntimeError("boom")


def test_what_cannot_be_done_for_a_player_he_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """He saw "One moment" for good."""
    carry_out = Driver._carry_out
    monkeypatch.setattr(Driver, "_carry_out", _fails)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats=BOTH)
            live = await running.state.hall.get(match["id"])
            monkeypatch.setattr(live, "automatic_answer", _always(live))
            async with anna.live(match["id"], side="blue") as blue:
                await blue.until("welcome")
                live.driver.wake()
                while not blue.actions or live.driver.busy:
                    await blue.receive() if not blue.actions else await asyncio.sleep(0.01)
                monkeypatch.setattr(Driver, "_carry_out", carry_out)
                live.driver.wake()
                while live.driver.busy:
                    await asyncio.sleep(0.01)
                assert live.version == 0, "the decision is his own now"
                assert (await blue.act(0))["t"] == "done"

    run(story)


def _always(live: LiveMatch) -> Any:
    return lambda match, side: Automatic(side, match.actions(side)[0]) if match is live.match else None


def test_a_computer_player_that_fails_inside_the_server_has_broken_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Driver, "_think", _fails)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats=AGAINST_THE_COMPUTER)
            while not (await anna.get(f"/api/matches/{match['id']}"))["match"]["seats"][1].get("stalled"):
                await asyncio.sleep(0.02)
            async with anna.live(match["id"]) as red:
                told = (await red.until("welcome"))["chat"][0]["text"]
                assert told.startswith("The computer player Random failed. Choose in the match")

    run(story)


def test_a_change_by_another_process_is_no_fault_of_a_computer_player(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player gave standing orders at another process while the computer made its move here: it stood still."""
    settings = settings_for(tmp_path, database=postgres.database("nofault"))
    think, act = Driver._think, LiveMatch.act
    changed: list[int] = []

    async def overtaken(self: Driver, side: str, match: Match) -> tuple[Action, str]:
        choice = await think(self, side, match)
        if not changed:  # the others do not hear of it at once
            changed.append(match.version)
            sql = "UPDATE matches SET revision = revision + 1 WHERE id = ?"
            await self._live.hall.store.write(Statement(sql, (self._live.id,), 1))
        return choice

    async def hears_of_it(self: LiveMatch, *arguments: Any, **more: Any) -> None:
        try:
            await act(self, *arguments, **more)
        except Overtaken:
            await loading.catch_up(self.hall, self)
            raise

    async def story() -> None:
        async with serving(settings) as running, running.client() as anna:
            match = await anna.new_match(seats=AGAINST_THE_COMPUTER)
            async with anna.live(match["id"]) as red:
                await red.until("welcome")
                await red.at(1)
            card = (await anna.get(f"/api/matches/{match['id']}"))["match"]
            assert not any(seat.get("stalled") for seat in card["seats"])

    monkeypatch.setattr(Driver, "_think", overtaken)
    monkeypatch.setattr(LiveMatch, "act", hears_of_it)
    run(story)
