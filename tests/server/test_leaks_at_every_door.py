"""Whatever an opponent or an observer is sent, told or answered by a server is the same however hidden things lie."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.engine import register
from sandtable.server import replays, routes_matches, routes_story, telling
from sandtable.server.computers import PlayerFault
from sandtable.server.live import LiveMatch
from sandtable.server.notices import Notices
from server.leakdoors import search_doors
from server.outpost import GAME


def searched(what: str, place: Path, seed: int, pairs: int) -> tuple[int, list[str]]:
    register(GAME)
    return asyncio.run(search_doors(what, place, seed=seed, pairs=pairs))


@pytest.mark.parametrize(
    ("what", "seed", "pairs"),
    [
        ("outpost/post", 2, 6),
        ("aslsk2/S14", 1, 2),
        ("aslsk2/S15", 2, 1),
        ("aslsk2/S16", 3, 1),
        ("underbelly/historical", 1, 3),
    ],
)
def test_every_door_tells_the_same(tmp_path: Path, what: str, seed: int, pairs: int) -> None:
    looked, found = searched(what, tmp_path, seed, pairs)
    assert looked >= 4
    assert found == []


def lair(state: Any) -> int:
    """Where the ambusher is, as a number."""
    return ord(state.pieces["b3"].at[0]) * 10 + int(state.pieces["b3"].at[1]) if "b3" in state.pieces else 0


def talkative_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = Notices.tell

    def telling_where(self: Notices, live: LiveMatch, user_id: str, event: str, text: str) -> None:
        tell(self, live, user_id, event, f"{text} {lair(live.match.state)}")

    monkeypatch.setattr(Notices, "tell", telling_where)


def uneven_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player's own clock loses a few milliseconds more where the ambusher is far away."""
    after = LiveMatch._clocks_after

    def uneven(self: LiveMatch, candidate: Any, *about: Any) -> Any:
        clocks = after(self, candidate, *about)
        return clocks and replace(
            clocks, left={side: left - lair(candidate.state) for side, left in clocks.left.items()}
        )

    monkeypatch.setattr(LiveMatch, "_clocks_after", uneven)


def hasty_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window in which nobody can fire is passed at once, though something is hidden."""
    from sandtable.server import orders

    monkeypatch.setattr(orders, "hides", lambda match, side: False)


def open_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    view_at = replays.view_at
    monkeypatch.setattr(replays, "view_at", lambda live, album, n, eyes: view_at(live, album, n, "blue"))


def open_scrubber(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = replays.steps

    def telling_where(live: LiveMatch, album: Any, eyes: str) -> list[dict[str, Any]]:
        return [{**step, "dice": lair(album.state(step["n"]))} for step in steps(live, album, eyes)]

    monkeypatch.setattr(replays, "steps", telling_where)


def open_words(monkeypatch: pytest.MonkeyPatch) -> None:
    untold = routes_story.untold

    def telling_where(record: Any, told: Any, eyes: str) -> dict[str, Any]:
        return {**untold(record, told, eyes), "where": record.header.position["state"]["pieces"]["b3"]["at"]}

    monkeypatch.setattr(routes_story, "untold", telling_where)


def open_card(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = routes_matches.summary

    def telling_where(live: LiveMatch, user: str | None) -> dict[str, Any]:
        return {**summary(live, user), "turn": f"Turn {lair(live.match.state)}"}

    monkeypatch.setattr(routes_matches, "summary", telling_where)


def talkative_loser(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: the last words of a computer player that broke down were told to all, whatever they named."""
    monkeypatch.setattr(PlayerFault, "words", property(str, lambda self, words: None), raising=False)


def talkative_question(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = telling.requests_for
    for module in ("sandtable.server.audience.requests_for", "sandtable.server.telling.requests_for"):
        monkeypatch.setattr(
            module, lambda live, side: [{**one, "where": lair(live.match.state)} for one in ask(live, side)]
        )


PLANTED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], tuple[str, ...]]] = {
    "notices": (talkative_notice, ("anna is told by webhook", "anna is told by mail")),
    "clock": (uneven_clock, ("is sent update",)),
    "waiting": (hasty_window, ("anna is ",)),
    "replay": (open_replay, ("asks for /replay/",)),
    "scrubber": (open_scrubber, ("asks for /replay: ",)),
    "words": (open_words, ("asks for /steps: ",)),
    "card": (open_card, ("asks for the match: ",)),
    "chat": (talkative_loser, ("is sent chat",)),
    "questions": (talkative_question, ("is sent update",)),
}


@pytest.mark.parametrize("door", PLANTED)
def test_the_search_finds_a_leak_at_each_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str) -> None:
    plant, doors = PLANTED[door]
    plant(monkeypatch)
    what = "underbelly/historical" if door == "chat" else "outpost/post"
    missing = {*doors}
    for seed in (6, 12, 13) if door == "waiting" else (1, 2, 3, 4):
        place = tmp_path / str(seed)
        place.mkdir()
        found = searched(what, place, seed, 6)[1]
        missing -= {where for where in doors if any(where in leak for leak in found)}
        if not missing:
            return
    raise AssertionError(f"nothing was found where {missing}")
