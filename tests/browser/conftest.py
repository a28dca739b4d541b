"""One browser and one server for the browser tests that run one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.table import Player, Served

expect.set_options(timeout=15_000)

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A browser; it ends with these tests, for its event loop would be in the way of other tests' loops."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("browser"))
    yield server
    server.stop()


@pytest.fixture
def player(chromium: Browser, served: Served) -> Iterator[Callable[..., Player]]:
    """Makes players, each with a browser profile of his own; no page may have had a fault."""
    made: list[Player] = []

    def make(width: int = 1280, height: int = 800, at: Served | None = None, **profile: Any) -> Player:
        context = chromium.new_context(viewport={"width": width, "height": height}, **profile)
        made.append(Player(context, at or served))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    for one in made:
        assert not one.faults, one.faults


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path)
    yield server
    server.stop()
