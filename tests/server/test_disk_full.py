"""A disk that is really full, or that refuses to write: it is said, nothing acknowledged is lost, play goes on."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.helpers import run, serving, settings_for
from server.test_table import duel, move


async def fill(folder: Path, make_room: Callable[[], None], begin: Callable[[], None] = lambda: None) -> None:
    """Talk until nothing more can be written, make room, play on; then look what a new server finds."""
    said: list[str] = []
    async with duel(folder) as t:
        begin()
        refused = None
        for number in range(5000):
            text = f"{number} " + "x" * 480
            answer = await t.red.ask("chat", text=text)
            if answer["t"] == "refused":
                refused = answer
                break
            said.append(text)
        assert refused is not None, "the disk did not fill up"
        assert refused["code"] == "not_saved"
        assert refused["text"].endswith(".")
        turned_down = await move(t.red, "r1", "b1")
        assert (turned_down["t"], turned_down["code"]) == ("refused", "not_saved")
        make_room()
        while (answer := await move(t.red, "r1", "b1"))["t"] != "done":
            assert answer["code"] == "not_saved"
        version, token, match = answer["version"], t.anna.token, t.match["id"]
    async with serving(settings_for(folder)) as running, running.client() as anna:
        anna.token = token
        async with anna.live(match) as red:
            welcome = await red.until("welcome")
            assert welcome["version"] >= version
            assert [line["text"] for line in welcome["chat"]] == said
            assert [piece["at"] for piece in red.view["pieces"] if piece["id"] == "r1"] == ["b1"]


def test_a_system_that_refuses_to_write(tmp_path: Path) -> None:
    """The process may not make files bigger, as with a quota: the system's refusal is a real one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def begin() -> None:
        biggest = max(path.stat().st_size for path in tmp_path.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (biggest + 200_000, hard))

    try:
        run(lambda: fill(tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)), begin))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes; only root can make one, see conftest."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "sandtable", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_without_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 600_000)
    run(lambda: fill(small_disk, ballast.unlink))
