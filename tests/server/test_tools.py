"""What helps players: cards, scenes, terms, lessons, previews, lines of sight, paths; and the client's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.helpers import Answered, run, serving, settings_for
from server.test_table import duel, move


def test_everything_for_the_cards(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            games = {game["id"]: game for game in (await anna.get("/api/games"))["games"]}
            game = games["outpost"]
            assert [player["level"] for player in game["players"]][:2] == ["random", "recruit"]
            assert game["players"][1]["summary"] == "Moves towards the post and shoots when it can."
            scenario = game["scenarios"][0]
            assert (scenario["id"], scenario["sides"], scenario["first"]) == ("post", ["red", "blue"], "red")
            assert scenario["options"][0]["values"] == ["3", "4"]
            picture = await anna.http.get(scenario["picture"])
            assert picture.headers["content-type"].startswith("image/svg+xml")
            assert picture.text.startswith("<svg")
            again = await anna.http.get(
                "/api/games", headers={"If-None-Match": (await anna.http.get("/api/games")).headers["etag"]}
            )
            assert (again.status_code, again.content) == (304, b"")

    run(story)


def test_scene_faces_glossary_and_lessons(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            scene = await anna.get("/api/games/outpost/post/scene", reds="4")
            cell = next(cell for cell in scene["cells"] if cell["id"] == "e3")
            assert (cell["terrain"], len(cell["outline"])) == ("woods", 6)
            faces = (await anna.get("/api/games/outpost/faces"))["faces"]
            assert {"red", "blue", "post", "hidden"} <= set(faces)
            glossary = await anna.get("/api/games/outpost/glossary")
            assert glossary["terms"][0]["rule"] == "2.2"
            assert glossary["rules"]["3.2"] == "Targets in woods"
            lessons = (await anna.get("/api/games/outpost/lessons"))["lessons"]
            assert lessons[0]["steps"][0]["until"] == "event:Moved"
            assert "seed" not in lessons[0]
            for path in ("nothing/post/scene", "outpost/nothing/scene", "nothing/faces"):
                with pytest.raises(Answered) as refused:
                    await anna.get(f"/api/games/{path}")
                assert refused.value.status == 404
            with pytest.raises(Answered, match="one of 3, 4"):
                await anna.get("/api/games/outpost/post/scene", reds="5")

    run(story)


def test_a_lesson_is_a_match_with_its_texts(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(lesson="first")
            assert match["lesson"]["title"] == "First steps"
            assert match["yours"] == ["red"]
            assert match["seats"][1]["kind"] == "computer"
            with pytest.raises(Answered, match="no lesson"):
                await anna.new_match(lesson="last")

    run(story)


def test_preview_before_committing(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            assert (await t.red.ask("preview", version=1, n=0))["preview"] is None
            await move(t.red, "r1", "b1")
            await t.blue.at(2)
            n = t.blue.choice("fire", pieces=["b3"])
            preview = (await t.blue.ask("preview", version=2, n=n))["preview"]
            assert preview["tallies"][0]["items"][0] == ["next to the target", 2, "3.1"]
            assert preview["odds"][0]["piece"] == "r1"
            stale = await t.blue.ask("preview", version=1, n=n)
            assert stale["code"] == "stale"
            choice = t.blue.actions[n]
            assert dict(choice["facts"]) == {"range": "1", "open": "yes"}
            assert t.blue.view["version"] == 2  # nothing has happened

    run(story)


def test_lines_of_sight_and_paths_come_from_the_rules(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            los = (await t.red.ask("los", a="a2", b="c2"))["los"]
            assert (los["clear"], los["blocked_at"], los["range"]) == (False, "b2", 2)
            assert los["causes"] == [{"cell": "b2", "kind": "blocks", "label": "Woods", "rule": "3.2"}]
            seen = await t.red.ask("visible", a="a2")
            assert "c2" in seen["blocked"]
            assert seen["cells"]["a1"] == 0
            refused = await t.red.ask("los", a="a2", b="zz")
            assert (refused["code"], refused["rule"]) == ("illegal", "1.1")
            path = (await t.red.ask("path", pieces=["r2"], to="b3"))["path"]
            assert path["steps"][0]["action"] == {"type": "Move", "piece": "r2", "to": "b3"}
            assert (await t.red.ask("path", pieces=["r2"], to="f5"))["path"] is None
            # The ambusher in c1 is next to b1, but red must not learn of it from the danger on the way.
            near = (await t.red.ask("path", pieces=["r1"], to="b1"))["path"]
            assert "danger" not in near["steps"][0]

    run(story)


def test_a_planned_way_stops_when_something_comes_between(tmp_path: Path) -> None:
    async def story() -> None:
        async with duel(tmp_path) as t:
            first = {"type": "Move", "piece": "r2", "to": "b3"}
            then = [{"type": "Move", "piece": "r3", "to": "b4"}]
            done = await t.red.ask("act", version=1, action=first, then=then)
            assert done["did"] == 1  # blue must decide first

    run(story)


def test_a_planned_way_is_walked_while_nothing_comes_between(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            places = {"r1": ("red", "a1"), "r2": ("red", "a3"), "r3": ("red", "a5"), "b1": ("blue", "f5")}
            pieces = {name: {"id": name, "side": side, "at": at} for name, (side, at) in places.items()}
            state = {"pieces": pieces, "stack": [{"type": "Turn", "side": "red"}]}
            position = {"game": "outpost", "scenario": "post", "state": state}
            match = await anna.new_match(position=position, seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            async with anna.live(match["id"], side="red") as red:
                await red.until("welcome")
                steps = [{"type": "Move", "piece": piece, "to": to} for piece, to in (("r2", "b2"), ("r3", "b4"))]
                impossible = {"type": "Move", "piece": "r1", "to": "f1"}
                first = {"type": "Move", "piece": "r1", "to": "b1"}
                done = await red.ask("act", version=0, action=first, then=[*steps, impossible])
                assert (done["did"], done["version"]) == (3, 3)
                assert (await red.ask("undo", version=3))["t"] == "done"  # nothing stands in the way of that

    run(story)


def test_options_and_positions_are_checked(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            match = await anna.new_match(options={"reds": "4"}, seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            assert match["options"] == {"reds": "4"}
            for wish, words in (
                ({"options": {"reds": "9"}}, "one of 3, 4"),
                ({"options": {"blues": "1"}}, "no option"),
                ({"scenario": "none"}, "no scenario"),
                ({"game": "none"}, "no game"),
                ({"seats": {"green": {"kind": "me"}}}, "no side green"),
                ({"seats": {"red": {"kind": "ghost"}}}, "A seat is"),
                ({"clock": {"bank": 1}}, "clock"),
                ({"on_fault": "panic"}, "ask, replace or forfeit"),
                ({"position": {"game": "outpost"}}, "position"),
            ):
                with pytest.raises(Answered, match=words):
                    await anna.new_match(**wish)
            position = running.state.hall._live[match["id"]].match.position()
            again = await anna.new_match(position=position)
            assert again["options"] == {"reds": "4"}

    run(story)


def test_without_a_built_client_a_plain_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.server import app

    monkeypatch.setattr(app, "STATIC", tmp_path / "nothing")

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            assert "make web" in (await anna.http.get("/")).text
            assert (await anna.http.get("/assets/x.js")).status_code == 404

    run(story)


def test_the_built_client_is_served_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.server import app

    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Sandtable</title>")
    (static / "assets" / "main-1234.js").write_text("export {}")
    (static / "app.js").write_text("export {};" * 500)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(app, "STATIC", static)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            assert "<title>Sandtable" in (await anna.http.get("/")).text
            page = await anna.http.get("/")
            again = await anna.http.get("/", headers={"If-None-Match": page.headers["etag"]})
            assert (page.headers["cache-control"], again.status_code) == ("no-cache", 304)
            big = await anna.http.get("/app.js")
            assert (big.headers["content-encoding"], big.text) == ("gzip", "export {};" * 500)
            plain = await anna.http.get("/app.js", headers={"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.text == big.text
            script = await anna.http.get("/assets/main-1234.js")
            assert "immutable" in script.headers["cache-control"]
            assert "javascript" in script.headers["content-type"]
            for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt"):
                answer = await anna.http.get(path)
                assert (answer.status_code, "secret" in answer.text) == (404, False)

    run(story)
