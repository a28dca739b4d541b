"""The browser client's figures: its size, how soon a board is seen, how smoothly the map moves without a GPU.

They are taken in headless Chromium, `/usr/bin/chromium` unless `SANDTABLE_CHROMIUM` names another; without one, only
the size is measured.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sandtable
from bench.server import ROOT, server
from sandtable.engine.tools import Orders
from sandtable.server import orders

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
  const board = document.querySelector('[data-testid=board] .window');
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
    yield {"name": "JavaScript, gzipped", "value": size, "unit": "kB", "must": 80, "better": "lower"}
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
        yield from _shot(browser, url)
        browser.close()
    yield {"name": "decisions of a quiet guide turn", "value": quiet_turn(), "unit": "", "must": 8, "better": "lower"}


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
    yield {"name": f"frame while panning, {board}", "value": min(frames), "unit": "ms", "must": 18, "better": "lower"}


def quiet_turn() -> int:
    """What both sides are asked in a game turn of the guide in which nothing is done."""
    match = sandtable.new("aslguide/intro", seed=3)
    turn, asked = match.game.turn(match.state), 0
    while match.game.turn(match.state) == turn:
        side = match.to_act[0]
        asked += orders.forced(match, side) is None and orders.idle(match, side, Orders()) is None
        match.apply(side, next(a for a in match.actions(side) if orders.passes(match.describe(side, a))))
    return asked


def _shot(browser: Any, url: str) -> Iterator[dict[str, Any]]:
    """Three squads and their leader fire: clicks, and messages up to the shot."""
    context = browser.new_context(viewport=WINDOW)
    context.request.post(f"{url}/api/guest", data={})
    seats = {"russian": {"kind": "me"}, "german": {"kind": "hotseat"}}
    body = {"game": "aslguide", "scenario": "intro", "seed": 1, "seats": seats}
    match = context.request.post(f"{url}/api/matches", data=body).json()["match"]["id"]
    page = context.new_page()
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame)["t"])))
    page.goto(f"{url}/#/match/{match}")
    page.get_by_text("Prep Fire: pick").first.wait_for(timeout=60_000)
    sent.clear()
    clicks = 0
    for selector in ("[data-piece=r24]", "[data-piece=r24]", ".counter.aimed", "[data-testid=confirm]"):
        page.locator(selector).first.click()
        clicks += 1
    page.get_by_text("final DR").first.wait_for()
    counted = [kind for kind in sent if kind not in ("goals", "pace")]
    yield {
        "name": "fire of three squads with a leader",
        "value": clicks,
        "unit": "clicks",
        "must": 4,
        "better": "lower",
    }
    yield {"name": "messages for a confirmed shot", "value": len(counted), "unit": "", "must": 3, "better": "lower"}
    context.close()


def _hotseat(context: Any, url: str, game: str, scenario: str) -> dict[str, Any]:
    for one in context.request.get(f"{url}/api/games").json()["games"]:
        for card in one["scenarios"]:
            if (one["id"], card["id"]) == (game, scenario):
                return {side: {"kind": "hotseat"} for side in card["sides"]}
    raise LookupError(f"there is no {game}/{scenario}")
