"""Several players share a side, each with his platoon."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sandtable.engine.view import PieceView
from sandtable.server import sharing
from sandtable.server.forms import Partner
from server.helpers import Answered, Client, Live, Running, run, serving, settings_for

MISSION = {"game": "sasl", "scenario": "1", "options": {"set_up": "rolled"}, "seed": 3}


class Shared(NamedTuple):
    running: Running
    anna: Client
    bert: Client
    match: dict[str, Any]
    red: Live
    second: Live


async def seat(client: Client, match: dict[str, Any], side: str, **wish: Any) -> Any:
    return (await client.post(f"/api/matches/{match['id']}/seats/{side}", wish))["match"]


def link_of(match: dict[str, Any], side: str = "red") -> str:
    found = [one["link"] for one in next(s for s in match["seats"] if s["side"] == side)["partners"] if one["link"]]
    return str(found[-1])


def units_of(live: Live, name: str) -> set[str]:
    """The pieces that the page shows in somebody's platoon."""
    return {p["id"] for p in live.view["pieces"] if ["Platoon", name] in p.get("facts", [])}


def rows(live: Live) -> dict[str, str]:
    panel = next(panel for panel in live.view["panels"] if panel["id"] == "platoons")
    return {row["label"]: row["value"] for row in panel["rows"]}


@asynccontextmanager
async def shared(tmp_path: Path, **changes: Any) -> AsyncIterator[Shared]:
    """Anna commands red against a friend's blue; Bert has come by a link and has his platoon."""
    async with (
        serving(settings_for(tmp_path, **changes)) as running,
        running.client("Anna") as anna,
        running.client("Bert") as bert,
        running.client("Cora") as cora,
    ):
        match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "invitation"}}, seed=7)
        await cora.join(match["invitations"]["blue"])
        opened = await seat(anna, match, "red", kind="partner")
        await bert.join(link_of(opened))
        async with anna.live(match["id"]) as red, bert.live(match["id"]) as second, cora.live(match["id"]) as blue:
            for live in (red, second, blue):
                await live.until("welcome")
            await blue.act(blue.choice("set up", cells=["c1"]))
            await red.at(1)
            await second.at(1)
            yield Shared(running, anna, bert, match, red, second)


def test_each_sees_the_side_and_acts_with_his_own_units(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t:
            hers, his = units_of(t.red, "Anna"), units_of(t.red, "Bert")
            assert hers
            assert his
            assert not hers & his
            assert t.second.view["side"] == "red"
            assert units_of(t.second, "Bert") == his
            acting = {piece for choice in t.second.actions for piece in choice.get("pieces", [])}
            assert acting <= his
            mine, yours = sorted(hers)[0], sorted(his)[0]
            choice = t.red.choice("move", pieces=[mine])
            refused = await t.second.ask("act", version=1, n=choice)
            assert (refused["t"], refused["code"]) == ("refused", "forbidden")
            assert refused["text"] == "This unit is in the platoon of Anna: it is for Anna to act with it."
            action = next(one["action"] for one in t.red.actions if one["n"] == choice)
            whole = await t.second.ask("act", version=1, action=action, then=[action], whole=True)
            assert whole["code"] == "forbidden"
            assert (await t.second.act(t.second.choice("move", pieces=[yours])))["t"] == "done"

    run(story)


def test_the_commander_ends_the_turn_unless_he_is_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t:
            ends = [one for one in t.red.actions if one.get("role") == "pass" and not one.get("pieces")]
            assert len(ends) == 1
            assert not [one for one in t.second.actions if one.get("role") == "pass"]
            refused = await t.second.ask("act", version=1, n=ends[0]["n"])
            assert "it is for Anna, who commands it" in refused["text"]
            await t.red.socket.close()
            while not [one for one in t.second.actions if one.get("role") == "pass"]:
                await t.second.receive()  # she has gone: the others go on without her
            assert (await t.second.act(ends[0]["n"]))["t"] == "done"

    run(story)


def test_the_page_says_who_has_what_and_who_is_to_act(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t:
            assert set(rows(t.red)) == {"Anna, who commands: to act", "Bert: to act"}
            his = sorted(units_of(t.red, "Bert"))
            await t.red.send("platoon", pieces=his, to=0)
            while rows(t.second).get("Bert") != "no units":
                await t.second.receive()
            assert t.second.last["waits"] == "Waiting for Anna."
            assert not t.second.actions
            plan = await t.second.ask("plan", version=1, pieces=his[:1], cell="b1")
            assert "platoon of Anna" in plan["why"]["reason"]
            refused = await t.second.ask("platoon", pieces=his, to=1)
            assert refused["text"] == "Only the commander gives away units of others."
            assert (await t.red.ask("platoon", pieces=his[:1], to=1))["t"] == "done"
            assert units_of(t.red, "Bert") == {his[0]}
            assert (await t.red.ask("platoon", pieces=["b1"], to=1))["code"] == "bad_request"
            assert (await t.red.ask("platoon", pieces=his, to=7))["code"] == "not_found"

    run(story)


def test_what_concerns_the_whole_match_is_the_commanders(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t:
            for kind in ("resign", "offer_draw"):
                refused = await t.second.ask(kind)
                assert refused["text"] == "That is for whoever commands the side."
            listed = (await t.bert.get("/api/matches"))["matches"][0]
            assert (listed["yours"], listed["your_turn"]) == (["red"], True)

    run(story)


def test_places_are_the_commanders_to_give_and_to_take(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t, t.running.client("Dora") as dora:
            with pytest.raises(Answered, match="Only the player of a seat can share it"):
                await seat(t.bert, t.match, "red", kind="partner")
            opened = await seat(t.anna, t.match, "red", kind="partner")
            seen = (await t.bert.get(f"/api/matches/{t.match['id']}"))["match"]
            assert [one["link"] for one in seen["seats"][0]["partners"]] == [None, None]
            link = link_of(opened)
            card = await dora.get(f"/api/invitations/{link.rpartition('/')[2]}")
            assert card["side"] == "red"
            with pytest.raises(Answered, match="You play Red in this match"):
                await t.bert.join(link)
            await dora.join(link)
            with pytest.raises(Answered, match="not valid"):
                await t.bert.join(link)
            with pytest.raises(Answered, match="Only the commander and the partner himself"):
                await seat(t.bert, t.match, "red", kind="without", partner=2)
            await seat(t.anna, t.match, "red", kind="without", partner=1)
            with pytest.raises(Answered, match="no match of that number"):
                await t.bert.get(f"/api/matches/{t.match['id']}")
            while True:
                try:
                    await t.second.receive()
                except Exception as closed:  # his connection is closed
                    assert "4409" in str(closed)
                    break

    run(story)


def test_platoons_outlive_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as t:
            his = units_of(t.red, "Bert")
        async with serving(settings_for(tmp_path)) as running, running.client() as again:
            again.http.cookies.set("sandtable", t.bert.token)
            again.token = t.bert.token
            async with again.live(t.match["id"]) as live:
                await live.until("welcome")
                assert units_of(live, "Bert") == his
                assert {piece for choice in live.actions for piece in choice.get("pieces", [])} <= his

    run(story)


def test_a_partner_has_seen_what_the_side_hides(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
            running.client("Cora") as cora,
        ):
            match = await anna.new_match(seats={"blue": {"kind": "me"}, "red": {"kind": "invitation"}})
            await bert.join(link_of(await seat(anna, match, "blue", kind="partner"), "blue"))
            await cora.join(match["invitations"]["red"])
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                await live.act(live.choice("set up", cells=["c1"]))
            await seat(anna, match, "blue", kind="without", partner=1)
            opened = await seat(cora, match, "red", kind="invitation")
            with pytest.raises(Answered, match="You have seen what Blue hides"):
                await bert.join(opened["invitations"]["red"])

    run(story)


def test_two_players_set_up_and_move_in_a_mission(tmp_path: Path) -> None:
    """Solitaire ASL: each places and moves his own platoon; half-squads stay in the platoon of their squad."""

    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
        ):
            match = await anna.new_match(**MISSION)
            await bert.join(link_of(await seat(anna, match, "friendly", kind="partner"), "friendly"))
            async with anna.live(match["id"]) as first, bert.live(match["id"]) as second:
                await first.until("welcome")
                await second.until("welcome")
                his = units_of(second, "Bert")
                leaders = {p["id"] for p in second.view["pieces"] if "Leadership" in dict(p.get("facts", []))}
                assert his & leaders  # every platoon has some of each kind
                lives = {"Anna": first, "Bert": second}
                owner = dict.fromkeys(his, "Bert") | dict.fromkeys(units_of(first, "Anna"), "Anna")
                for number in range(40):
                    if "Movement" in first.view["phase"]:
                        break
                    version = first.view["version"]
                    rest = [one for one in first.actions if one["text"] == "Place all the rest for me"]
                    passing = [one for one in first.actions if one.get("role") == "pass"]
                    name = "Bert" if number < 8 else "Anna"  # he places four of his units, the rest is left to her
                    live = lives[name]
                    choice = (second.actions if name == "Bert" else rest or passing or first.actions)[0]
                    named = {owner[p] for p in choice.get("pieces", []) if p in owner}
                    assert not named or name in named
                    assert (await live.act(choice["n"]))["t"] == "done"
                    for other in lives.values():
                        while other.view["version"] <= version:
                            await other.receive()
                assert "Movement" in first.view["phase"]
                acting = {p for c in second.actions for p in c.get("pieces", []) if p in owner}
                assert acting
                assert acting <= his

    run(story)


def test_half_squads_stay_in_the_platoon_of_their_squad() -> None:
    """One of them is the squad's counter turned over; a hero or what comes from elsewhere is the commander's."""

    def piece(name: str, face: str, at: str = "K5") -> PieceView:
        return PieceView(name, at, face, name, "friendly")

    partner = Partner("friendly", user="bert", units=("c5",))
    squad, half = piece("c5", "german 4-6-7"), piece("c5", "german 2-4-7")
    broken = piece("c5", "german 4-6-7/broken")

    def his(now: list[PieceView]) -> tuple[str, ...]:
        (after,) = sharing._heirs((partner,), "friendly", [squad], now)
        return after.units

    assert his([half, piece("c5+9", "german 2-4-7")]) == ("c5", "c5+9")
    assert his([squad, piece("c5+9", "german Hero 1-4-9")]) == ("c5",)
    assert his([broken, piece("c6+9", "german Hero 1-4-9")]) == ("c5",)
    assert his([half, piece("f9", "german 4-6-7", "M5")]) == ("c5",)
