"""The browser client's figures: its size, how soon a board is seen, how smoothly the map moves without a GPU.

They are taken in headless Chromium, `/usr/bin/chromium` unless `SANDTABLE_CHROMIUM` names another; without one, only
the size is measured.
"""

from __future__ import annotations

import gzip
import os
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.server import ROOT, server

STATIC = ROOT / "src" / "sandtable" / "server" / "static"
CHROMIUM = os.environ.get("SANDTABLE_CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BOARDS = ("aslsk2/S15", "underbelly/campaign")
ROUNDS = 3
FRAMES = 120
WINDOW: Any = {"width": 1400, "height": 860}

SEEN = """() => {
  const map = document.querySelector('[data-testid=board] img');
  return map && map.complete && map.naturalWidth > 0 && document.querySelector('[data-piece]') ? performance.now() : 0;
}"""

PAN = """async (frames) => {
  const board = document.querySelector('[data-testid=board]');
  const box = board.getBoundingClientRect();
  const send = (kind, x, y) => board.dispatchEvent(new PointerEvent(kind,
    {pointerId: 1, pointerType: 'mouse', bubbles: true, clientX: box.left + x, clientY: box.top + y, buttons: 1}));
  board.setPointerCapture = () => {};
  board.hasPointerCapture = () => true;
  const times = [];
  let [x, y] = [500, 400];
  send('pointerdown', x, y);
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < frames; n++) {
    x += n % 60 < 30 ? -9 : 9;
    y += n % 40 < 20 ? -5 : 5;
    send('pointermove', x, y);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  send('pointerup', x, y);
  return times;
}"""


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; the best of several rounds, as the machine is shared."""
    size = sum(len(gzip.compress(file.read_bytes(), 9)) for file in STATIC.glob("*.js")) / 1000
    yield {"name": "JavaScript, gzipped", "value": size, "unit": "kB", "must": 120, "better": "lower"}
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        yield {"name": "first paint, frame time", "value": None, "why": "playwright is not installed"}
        return
    if not Path(CHROMIUM).exists():
        yield {"name": "first paint, frame time", "value": None, "why": f"there is no {CHROMIUM}"}
        return
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for board in BOARDS:
            yield from _board(browser, url, board)
        browser.close()


def _board(browser: Any, url: str, board: str) -> Iterator[dict[str, Any]]:
    """One game's board: seen for the first time, seen again in a new browser, moved about."""
    game, scenario = board.split("/")
    first: list[float] = []
    frames: list[float] = []
    for _ in range(ROUNDS + 1):
        context = browser.new_context(viewport=WINDOW)
        context.request.post(f"{url}/api/guest", data={})
        body = {"game": game, "scenario": scenario, "seats": _hotseat(context, url, game, scenario)}
        match = context.request.post(f"{url}/api/matches", data=body).json()["match"]["id"]
        page = context.new_page()
        page.goto(f"{url}/#/match/{match}")
        first.append(page.wait_for_function(SEEN, polling=20).json_value() / 1000)
        if page.get_by_test_id("handover").count():
            page.get_by_test_id("handover").click()
        page.wait_for_timeout(500)
        frames.append(statistics.mean(page.evaluate(PAN, FRAMES)))
        context.close()
    yield {"name": f"first paint, {board}, its map drawn anew", "value": first[0], "unit": "s", "better": "lower"}
    yield {"name": f"first paint, {board}", "value": min(first[1:]), "unit": "s", "must": 1.5, "better": "lower"}
    yield {"name": f"frame while panning, {board}", "value": min(frames), "unit": "ms", "must": 25, "better": "lower"}


def _hotseat(context: Any, url: str, game: str, scenario: str) -> dict[str, Any]:
    for one in context.request.get(f"{url}/api/games").json()["games"]:
        for card in one["scenarios"]:
            if (one["id"], card["id"]) == (game, scenario):
                return {side: {"kind": "hotseat"} for side in card["sides"]}
    raise LookupError(f"there is no {game}/{scenario}")
