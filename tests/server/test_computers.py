"""Computer players: beside the server, one move at a time, and what becomes of one that breaks down."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.engine.errors import SandtableError
from sandtable.players import UnknownPlayer, levels, make_player
from sandtable.server.computers import PlayerFault
from sandtable.server.worker import Memory, Question
from server.helpers import Answered, run, serving, settings_for
from tiny.model import HideAt


def test_a_game_against_the_computer_to_its_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(
                seats={"red": {"kind": "computer", "level": "recruit"}, "blue": {"kind": "me"}}
            )
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while live.result is None:
                    if live.actions:
                        await live.send("act", version=live.view["version"], n=0)
                    await live.until("update")
                thinking = [message for message in live.told if message["t"] == "thinking"]
                assert thinking[0]["side"] == "red"
                updates = [message for message in live.told if message["t"] == "update"]
                assert all(message["version"] == message["base"] + 1 for message in updates[:-1])  # one by one
            steps = (await anna.get(f"/api/matches/{match['id']}/replay"))["steps"]
            n = next(step["n"] for step in steps if step["side"] == "red")
            why = (await anna.get(f"/api/matches/{match['id']}/replay/{n}"))["why"]
            assert why in ("Nobody is in range.", "There is somebody to shoot at.")

    run(story)


def test_computers_play_each_other_while_nobody_looks(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            kinds = {"kind": "computer", "level": "random"}
            match = await anna.new_match(seats={"red": kinds, "blue": kinds})
            while (await anna.get(f"/api/matches/{match['id']}"))["match"]["status"] != "over":
                await asyncio.sleep(0.05)

    run(story)


@pytest.mark.parametrize("level", ["cheat", "sleeper", "mortal"])
@pytest.mark.parametrize("on_fault", ["replace", "forfeit"])
def test_a_player_that_breaks_down(tmp_path: Path, level: str, on_fault: str) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path, think_seconds=1.5)) as running, running.client() as anna:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": level}}
            match = await anna.new_match(seats=seats, on_fault=on_fault)
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                if on_fault == "forfeit":
                    while live.result is None:
                        await live.receive()
                    assert (live.result["winner"], live.result["how"]) == ("red", "forfeit")
                else:
                    while not live.actions:
                        await live.receive()
                    now = (await anna.get(f"/api/matches/{match['id']}"))["match"]
                    assert now["seats"][1]["level"] == "random"
                    (told,) = [line for message in live.told if message["t"] == "chat" for line in message["lines"]]
                    assert told["name"] == "Sandtable"
                    assert told["text"].startswith(f"The computer player {level.capitalize()} ")
                    assert told["text"].endswith("The random player goes on in its place.")

    run(story)


def test_a_thinking_computer_delays_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path, think_seconds=60)) as running, running.client() as anna:
            slow = await anna.new_match(seats={"blue": {"kind": "computer", "level": "sleeper"}})
            async with anna.live(slow["id"]) as waiting:
                assert (await waiting.until("welcome"))["thinking"] == "blue"
                quick = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
                async with anna.live(quick["id"]) as live:
                    await live.until("welcome")
                    assert (await live.act(0))["t"] == "done"
                assert (await waiting.ask("ping"))["t"] == "pong"

    run(story)


def test_a_player_that_looks_ahead_delays_no_other_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.server import computers

    monkeypatch.setattr(computers, "thinks", lambda game, level: level == "sleeper")

    async def story() -> None:
        async with serving(settings_for(tmp_path, think_seconds=60, workers=1)) as running, running.client() as anna:
            slow = await anna.new_match(seats={"blue": {"kind": "computer", "level": "sleeper"}})
            async with anna.live(slow["id"]) as waiting:
                assert (await waiting.until("welcome"))["thinking"] == "blue"
                kinds = {"kind": "computer", "level": "random"}
                quick = await anna.new_match(seats={"red": kinds, "blue": kinds})
                while (await anna.get(f"/api/matches/{quick['id']}"))["match"]["status"] != "over":
                    await asyncio.sleep(0.05)
                assert (await waiting.ask("ping"))["t"] == "pong"

    run(story)


def test_a_veteran_thinks_as_long_as_was_chosen(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            games = {game["id"]: game for game in (await anna.get("/api/games"))["games"]}
            assert {one["level"]: one["thinks"] for one in games["outpost"]["players"]}["veteran"] is True
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "veteran@0.05"}}
            match = await anna.new_match(seats=seats)
            assert match["seats"][1]["level"] == "veteran@0.05"
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()
            for wrong in ("veteran@1000", "veteran@soon", "veteran@50r", "recruit@1"):
                with pytest.raises(Answered) as refused:
                    await anna.new_match(seats={"blue": {"kind": "computer", "level": wrong}})
                assert refused.value.status == 400

    run(story)


def test_the_watchers_pace_can_be_changed(tmp_path: Path) -> None:
    async def story() -> None:
        settings = settings_for(tmp_path, watch_pause=3600)
        async with serving(settings) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                assert (await live.ask("pace", pace="skip"))["t"] == "done"
                while not live.actions:
                    await live.receive()

    run(story)


def test_a_worker_is_not_told_the_secret_of_the_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.server import computers

    asked: list[Any] = []
    ask = computers.Worker.ask

    async def listening(self: computers.Worker, question: Question, seconds: float) -> Any:
        asked.append(question)
        return await ask(self, question, seconds)

    monkeypatch.setattr(computers.Worker, "ask", listening)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "computer"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()
                secret = running.state.hall._live[match["id"]].match.header.secret
                assert asked
                assert all(secret not in json.dumps(str(question)) for question in asked)

    run(story)


def test_a_worker_that_does_not_know_the_match_asks_for_all_of_it() -> None:
    import sandtable

    match = sandtable.new("tiny/post", seed=3)
    question = Question("m1", "blue", "random", 1, match.header.public(), match.start_rolls, 4, [])
    assert Memory().answer(question).knows == 0


def test_levels() -> None:
    assert levels("no-game") == ["random"]
    assert levels("outpost")[:2] == ["random", "recruit"]
    with pytest.raises(UnknownPlayer, match="there are random"):
        make_player("no-game", "genius")


def test_a_level_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            with pytest.raises(Answered, match="it has random, recruit"):
                await anna.new_match(seats={"red": {"kind": "computer", "level": "genius"}})

    run(story)


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ("veteran@-1", "'-1' is no budget"),
        ("veteran@nan", "'nan' is no budget"),
        ("veteran@50", "more than 60 s has broken down"),
        ("veteran@50r", "thinks for seconds"),
        ("recruit@2", "Only a veteran"),
    ],
)
def test_an_impossible_budget_is_refused(tmp_path: Path, level: str, words: str) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path, think_seconds=60)) as running, running.client() as anna:
            with pytest.raises(Answered, match=words):
                await anna.new_match(seats={"red": {"kind": "computer", "level": level}})

    run(story)


def test_a_veteran_thinks_beside_the_server_with_the_budget_of_its_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"blue": {"kind": "computer", "level": "veteran@0.01"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()
            now = (await anna.get(f"/api/matches/{match['id']}"))["match"]
            (blue,) = (seat for seat in now["seats"] if seat["side"] == "blue")
            assert (blue["level"], blue["name"]) == ("veteran@0.01", "Veteran (0.01 s)")

    run(story)


def test_a_computer_with_nothing_to_choose_takes_as_long_as_one_that_has_a_choice(tmp_path: Path) -> None:
    """A window in which its hidden piece could fire must not be told by the time that it takes."""

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "random"}}
            match = await anna.new_match(seats=seats, seed=7)
            live = running.state.hall._live[match["id"]]
            usual = live.driver._as_usual
            inner = live.match.clone()
            while len(inner.actions("blue")) == 1:
                inner.apply("blue", inner.actions("blue")[0])
            assert usual("blue", inner, 3.5) == 3.5
            alone = type("Alone", (), {"actions": lambda self, side: [None]})()
            assert [usual("blue", alone, 0.01) for _ in range(5)] == [3.5] * 5

    run(story)


def test_a_worker_takes_a_match_up_that_other_rules_played() -> None:
    match = sandtable.new("tiny/post", seed=3)
    match.apply("blue", HideAt("c1"))
    impossible = ["red", {"type": "Fire", "piece": "r1", "target": "b1"}]  # under other rules it reached so far
    unknown = ["red", {"type": "Dig", "piece": "r1"}]
    entries = [["blue", {"type": "HideAt", "at": "c1"}], impossible, unknown]
    about = ("m1", "red", "random", 1, match.header.public(), match.start_rolls, 0, entries)
    with pytest.raises(SandtableError):
        Memory().answer(Question(*about))
    answer = Memory().answer(Question(*about, state=msgspec.json.encode(match.state).decode()))
    assert msgspec.convert(answer.action, match.game.action_type) in match.actions("red")


def test_a_killed_worker_is_nobodys_fault(tmp_path: Path) -> None:
    """The decision is tried again, and the player stays."""

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            computers = running.state.hall.computers
            ask, deaths = computers._ask, []

            async def dying(worker: Any, match: Any, *more: Any) -> Any:
                if len(deaths) < 2:
                    deaths.append(1)
                    raise PlayerFault("died")
                return await ask(worker, match, *more)

            computers._ask = dying
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "computer"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()
                assert len(deaths) == 2
                now = (await anna.get(f"/api/matches/{match['id']}"))["match"]
                assert (now["seats"][1]["level"], now["seats"][1]["stalled"]) == ("recruit", False)
                assert not [message for message in live.told if message["t"] == "chat"]

    run(story)


def test_the_person_chooses_what_becomes_of_a_player_that_breaks_down(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "computer", "level": "mortal"}})
            async with anna.live(match["id"]) as live:
                told = (await live.until("chat"))["lines"][0]
                assert told["text"].startswith("The computer player Mortal died, 3 times. Choose")
                seat = (await live.until("match"))["match"]["seats"][1]
                assert (seat["level"], seat["stalled"]) == ("mortal", True)
                path = f"/api/matches/{match['id']}/seats/blue"
                await anna.post(path, {"kind": "computer", "level": "mortal"})  # once more
                assert "3 times" in (await live.until("chat"))["lines"][0]["text"]
                await anna.post(path, {"kind": "computer", "level": "random"})
                while not live.actions:
                    await live.receive()

    run(story)
