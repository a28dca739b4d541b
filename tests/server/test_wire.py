"""Every message of the server can be read as the type from which the client's own is made; plans and whole attacks."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import msgspec

from sandtable.server import wire
from server.helpers import Live, run, serving, settings_for

TOOL = Path(__file__).parents[2] / "tools" / "web_types.py"


def test_the_clients_types_are_those_of_the_server() -> None:
    found = importlib.util.spec_from_file_location("web_types", TOOL)
    assert found is not None
    assert found.loader is not None
    tool = importlib.util.module_from_spec(found)
    found.loader.exec_module(tool)
    assert tool.TARGET.read_text(encoding="utf-8") == tool.written()


def typed(message: dict[str, Any]) -> None:
    """Reads a message as its type; what the server gives as tables of tables is not looked into."""
    told = {**message}
    told.pop("patch", None)
    for one in (told.get("view"), told):
        if one:
            one.pop("outcome", None)
    for line in told.get("log", ()):
        line.pop("event", None)
    for offered in told.get("actions", ()):
        offered["action"] = {}
    for offered in told.get("plans", ()):
        offered["actions"] = []
    msgspec.convert(told, wire.Sent, strict=False)


GUIDE = {"game": "aslguide", "scenario": "intro", "seed": 1}


async def prep_fire(live: Live) -> None:
    welcome = await live.until("welcome")
    assert welcome["version"] >= 0
    while "Prep Fire" not in live.view["prompt"] or not live.actions:
        await live.receive()


def test_a_whole_attack_is_one_message_and_one_update(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client("Anna") as anna:
            match = await anna.new_match(**GUIDE, seats={"russian": {"kind": "me"}, "german": {"kind": "hotseat"}})
            async with anna.live(match["id"], side="russian") as live:
                await prep_fire(live)
                stack = [piece["id"] for piece in live.view["pieces"] if piece["at"] == "E4"]
                version = live.view["version"]
                goals = await live.ask("goals", version=version, pieces=stack)
                aimed = [goal for goal in goals["goals"] if goal.get("chance") is not None]
                assert aimed
                best = max(aimed, key=lambda goal: float(goal["chance"]))
                plan = await live.ask("plan", version=version, pieces=stack, cell=best["cell"])
                actions = plan["plans"][0]["actions"]
                assert set(plan["plans"][0]["pieces"]) >= {"r24"}
                done = await live.ask("act", version=version, action=actions[0], then=actions[1:], whole=True)
                assert done["did"] == len(actions)
                updates = [
                    message for message in live.told if message["t"] == "update" and message["version"] > version
                ]
                assert len(updates) == 1
                assert any(line["kind"] == "Fired" for line in updates[0]["log"])
                for message in live.told:
                    typed(message)

    run(story)


def test_a_declaration_with_a_mistake_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client("Anna") as anna:
            match = await anna.new_match(**GUIDE, seats={"russian": {"kind": "me"}, "german": {"kind": "hotseat"}})
            async with anna.live(match["id"], side="russian") as live:
                await prep_fire(live)
                version = live.view["version"]
                start = next(choice["action"] for choice in live.actions if choice["role"] == "start")
                refused = await live.ask("act", version=version, action=start, then=[start], whole=True)
                assert refused["t"] == "refused"
                again = await live.ask("plan", version=version, pieces=["r1"], cell="K4")
                assert again["t"] == "plan", "the match is at the same step"

    run(story)


def test_an_optional_step_is_passed_told_of_and_opened(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client("Anna") as anna:
            match = await anna.new_match(**GUIDE, seats={"russian": {"kind": "me"}, "german": {"kind": "me"}})
            async with anna.live(match["id"], side="german") as live:
                passed: list[dict[str, Any]] = []
                while not passed:
                    message = await live.receive()
                    typed(json.loads(json.dumps(message)))
                    passed = [line for line in message.get("log", ()) if line["kind"] == "Passed"]
                assert passed[0]["private"]
                assert passed[0]["by"] == "german"
                refused = await live.ask("reopen", version=passed[0]["version"] + 50)
                assert refused["t"] == "refused"

    run(story)
