"""What players do at a table beside acting: taking back, draws, resigning, clocks, chat, seats, orders."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from server.helpers import Answered, Client, Live, Running, later, run, serving, settings_for


class Table(NamedTuple):
    running: Running
    anna: Client
    bert: Client
    match: dict[str, Any]
    red: Live
    blue: Live


@asynccontextmanager
async def duel(tmp_path: Path, **wish: Any) -> AsyncIterator[Table]:
    """Anna plays red, Bert plays blue and has hidden his ambusher in c1."""
    async with (
        serving(settings_for(tmp_path)) as running,
        running.client("Anna") as anna,
        running.client("Bert") as bert,
    ):
        seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
        match = await anna.new_match(seats=seats, seed=7, **wish)
        await bert.join(match["invitations"]["blue"])
        async with anna.live(match["id"]) as red, bert.live(match["id"]) as blue:
            await red.until("welcome")
            await blue.until("welcome")
            await blue.act(blue.choice("set up", cells=["c1"]))
            await red.at(1)
            yield Table(running, anna, bert, match, red, blue)


async def move(live: Live, piece: str, to: str) -> dict[str, Any]:
    return await live.act(live.choice("move", pieces=[piece], cells=[to]))


def test_a_reaction_window_refuses_taking_back_and_says_why(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            assert t.red.last["undo"] == {
                "possible": False,
                "why_not": "The decision has passed to the other side since.",
                "ask": False,
            }
            await move(t.red, "r1", "b1")
            assert t.red.last["undo"]["ask"] is True
            refused = await t.red.ask("undo", version=t.red.view["version"])
            assert (refused["t"], refused["code"]) == ("refused", "no_undo")
            assert "other side" in refused["text"]

    run(story)


def test_taking_back_by_consent(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await move(t.red, "r1", "b1")
            await t.red.ask("ask_undo")
            await t.blue.until("update")
            asked = t.blue.last["requests"]
            while not asked:
                await t.blue.receive()
                asked = t.blue.last["requests"]
            assert asked[0] == {
                "kind": "undo",
                "by": "red",
                "text": "Red asks to take back the last action",
                "yours": False,
                "answer": True,
            }
            await t.blue.ask("answer", kind="undo", agree=True)
            await t.red.at(t.blue.view["version"])
            while t.red.view["to_act"] != ["red"]:
                await t.red.receive()
            assert [piece["at"] for piece in t.red.view["pieces"] if piece["id"] == "r1"] == ["a1"]
            assert t.red.last["log"][-1]["kind"] == "TookBack"

    run(story)


def test_declining_and_withdrawing(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await t.red.ask("offer_draw")
            again = await t.red.ask("offer_draw")
            assert again["code"] == "not_now"
            assert (await t.blue.ask("answer", kind="draw", agree=False))["t"] == "done"
            await t.red.ask("offer_draw")
            assert (await t.red.ask("answer", kind="draw", agree=False))["t"] == "done"
            nobody = await t.blue.ask("answer", kind="draw", agree=True)
            assert nobody["code"] == "not_now"
            await t.blue.ask("offer_draw")
            await t.red.ask("answer", kind="draw", agree=True)
            while t.blue.result is None:
                await t.blue.receive()
            assert t.blue.result["how"] == "draw"
            over = await t.red.ask("act", version=t.red.view["version"], n=0)
            assert over["code"] == "over"

    run(story)


def test_resigning_ends_the_match_and_reveals_the_dice(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            with pytest.raises(Answered, match="when the match is over"):
                await t.anna.get(f"/api/matches/{t.match['id']}/record")
            await t.red.ask("resign")
            while t.blue.result is None:
                await t.blue.receive()
            assert t.blue.result == {"winner": "blue", "reason": "Red resigned", "rule": "", "how": "resigned"}
            assert t.blue.view["to_act"] == []
            record = (await t.anna.http.get(f"/api/matches/{t.match['id']}/record")).text
            assert '"secret"' in record.splitlines()[-1]

    run(story)


def test_clocks_run_for_the_side_that_decides_and_a_timeout_can_be_claimed(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path, clock={"bank": 60, "increment": 5}) as t:
            clocks = t.red.last["clocks"]
            assert clocks["red"]["running"] is True
            assert clocks["blue"]["running"] is False
            assert 64_000 <= clocks["blue"]["left_ms"] <= 65_000
            assert (await t.blue.ask("claim_timeout"))["code"] == "not_now"
            live = t.running.state.hall._live[t.match["id"]]
            live.clocks = type(live.clocks)({**live.clocks.left, "red": 0}, live.clocks.at)
            await t.blue.ask("claim_timeout")
            while t.red.result is None:
                await t.red.receive()
            assert (t.red.result["winner"], t.red.result["how"]) == ("blue", "timeout")

    run(story)


@pytest.mark.parametrize(("bank", "time"), [(60, 61), (0, 31 * 24 * 3600)])
def test_who_gives_his_seat_up_does_not_escape(tmp_path: Path, bank: int, time: int) -> None:
    """His time goes on for whoever comes in his place; a match that lies still can be ended, and tells its secret."""

    async def story() -> None:
        async with duel(tmp_path, clock={"bank": bank, "increment": 0} if bank else None) as t:
            while t.red.view["to_act"] == ["red"]:
                await t.red.act(t.red.choice("done"))
            await t.bert.post(f"/api/matches/{t.match['id']}/seats/blue", {"kind": "invitation"})
            assert (await t.red.ask("claim_timeout"))["code"] == "not_now"
            with later(time):
                assert (await t.red.ask("claim_timeout"))["t"] == "done"

    run(story)


def test_who_gives_his_seat_up_before_he_has_done_anything_gains_no_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
        ):
            seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
            match = await anna.new_match(seats=seats, clock={"bank": 60, "increment": 0})
            await bert.join(match["invitations"]["blue"])
            path = f"/api/matches/{match['id']}/seats/blue"
            await bert.post(path, {"kind": "invitation"})
            with later(40):
                await bert.post(path, {"kind": "me"})
                async with bert.live(match["id"]) as blue:
                    assert 0 < (await blue.until("welcome"))["clocks"]["blue"]["left_ms"] <= 20_000

    run(story)


def test_who_comes_late_has_all_his_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            serving(settings_for(tmp_path)) as running,
            running.client("Anna") as anna,
            running.client("Bert") as bert,
        ):
            seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
            timed = await anna.new_match(seats=seats, clock={"bank": 60, "increment": 0})
            free = await anna.new_match(seats=seats)
            with later(31 * 24 * 3600):
                for match in (timed, free):
                    await bert.join(match["invitations"]["blue"])
                    async with anna.live(match["id"]) as red:
                        await red.until("welcome")
                        assert (await red.ask("claim_timeout"))["code"] == "not_now"
                async with bert.live(timed["id"]) as blue:
                    clocks = (await blue.until("welcome"))["clocks"]
                    assert clocks["blue"]["running"]
                    assert 50_000 < clocks["blue"]["left_ms"] <= 60_000

    run(story)


def test_asking_again_and_again_is_no_decision(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            while t.red.view["to_act"] == ["red"]:
                await t.red.act(t.red.choice("done"))
            with later(29 * 24 * 3600):
                assert (await t.blue.ask("offer_draw"))["t"] == "done"
                with later(2 * 24 * 3600):
                    assert (await t.red.ask("claim_timeout"))["t"] == "done"

    run(story)


def test_chat_reaches_who_may_hear_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client("Carl") as carl:
            await carl.post("/api/watch", {"token": t.match["watch"].rpartition("/")[2]})
            async with carl.live(t.match["id"]) as watcher:
                await watcher.until("welcome")
                await t.red.ask("chat", text="  hello \n all ")
                await t.red.ask("chat", text="secret plan", room="players")
                await watcher.ask("chat", text="red will lose")
                heard = (await t.blue.until("chat"))["lines"] + (await t.blue.until("chat"))["lines"]
                assert [line["text"] for line in heard] == ["hello all", "secret plan"]
                await watcher.ask("ping")
                said = [line["text"] for m in watcher.told if m["t"] == "chat" for line in m["lines"]]
                assert said == ["hello all", "red will lose"]
                assert (await t.red.ask("chat", text=" "))["code"] == "bad_request"
                async with t.bert.live(t.match["id"]) as again:
                    welcome = await again.until("welcome")
                    assert [line["text"] for line in welcome["chat"]] == ["hello all", "secret plan"]

    run(story)


def test_standing_orders_let_the_mover_go_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            orders = {
                "rules": [{"unit": "", "do": "never"}, {"unit": "b3", "do": "always", "only": ["open", "range:1"]}]
            }
            assert (await t.blue.ask("orders", orders=orders))["t"] == "done"
            await move(t.red, "r1", "b1")  # next to the ambusher, in the open: it fires
            while t.red.view["to_act"] != ["red"]:
                await t.red.receive()
            kinds = [line["kind"] for m in t.red.told if m["t"] == "update" for line in m["log"]]
            assert "Revealed" in kinds
            assert "Rolled" in kinds
            await t.blue.ask("orders", orders={"rules": [{"unit": "", "do": "never"}], "absent": "pass"})
            async with t.bert.live(t.match["id"]) as again:
                assert (await again.until("welcome"))["orders"]["absent"] == "pass"
            bad = await t.blue.ask("orders", orders={"rules": [{"do": "sometimes"}]})
            assert bad["code"] == "bad_request"

    run(story)


def test_what_an_absent_player_ordered_is_done_while_he_is_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            await t.blue.ask("orders", orders={"forced": False, "absent": "pass"})
            await move(t.red, "r1", "b1")
            await t.red.ask("ping")
            assert t.red.view["to_act"] == ["blue"]
            await t.blue.socket.close()
            while t.red.view["to_act"] != ["red"]:
                await t.red.receive()

    run(story)


def test_hot_seat_is_handed_over_with_a_curtain(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "hotseat"}})
            async with anna.live(match["id"]) as live:
                welcome = await live.until("welcome")
                assert welcome["side"] == "blue"  # blue must decide first
                await live.act(0)
                assert live.last["handover"] == {"to": "red", "curtain": True}
                assert live.actions == []
                await live.send("seat", side="red")
                welcome = await live.until("welcome")
                assert (welcome["side"], welcome["handover"]) == ("red", None)
                assert all(piece["id"] != "b3" for piece in welcome["view"]["pieces"])
                # Nobody else is asked where one person plays both sides.
                await live.act(live.choice("move"))
                assert (await live.ask("ask_undo"))["t"] == "done"

    run(story)


def test_seats_change_hands(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t, t.running.client() as carl:
            path = f"/api/matches/{t.match['id']}/seats/blue"
            with pytest.raises(Answered, match="Only the player"):
                await t.anna.post(path, {"kind": "computer"})
            after = (await t.bert.post(path, {"kind": "invitation"}))["match"]
            link = after["invitations"]["blue"]
            again = (await t.bert.get(f"/api/matches/{t.match['id']}"))["match"]
            assert again["invitations"] == {"blue": link}
            assert after["status"] == "waiting"
            assert (await carl.get(f"/api/invitations/{link.rpartition('/')[2]}"))["side"] == "blue"
            await carl.join(link)
            with pytest.raises(Answered, match="not valid"):
                await t.bert.join(link)
            with pytest.raises(Answered, match="yours to see"):
                await t.bert.get(f"/api/matches/{t.match['id']}")
            async with carl.live(t.match["id"]) as blue:
                assert (await blue.until("welcome"))["side"] == "blue"
            await carl.post(path, {"kind": "computer", "level": "recruit"})
            await move(t.red, "r2", "b3")
            while t.red.view["to_act"] != ["red"]:
                await t.red.receive()

    run(story)


def test_archived_matches_leave_the_list(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            mine = (await t.anna.get("/api/matches"))["matches"]
            assert [(match["your_turn"], match["phase"]) for match in mine] == [(True, "Turn")]
            assert (await t.anna.get("/api/me"))["unread"] == 1
            await t.anna.post(f"/api/matches/{t.match['id']}/archive", {"archived": True})
            assert (await t.anna.get("/api/matches"))["matches"] == []
            assert len((await t.anna.get("/api/matches", archived=1))["matches"]) == 1
            assert len((await t.bert.get("/api/matches"))["matches"]) == 1

    run(story)
