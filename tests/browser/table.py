"""A server in a thread of its own, and a player at a page of a real browser."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from sandtable.server import network
from server.helpers import serving, settings_for

ON_SCREEN = """([x, y]) => {
  const map = document.querySelector('[data-testid=board] .world > svg');
  const point = new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
  return [point.x, point.y];
}"""
PASSED = """before => document.querySelector('[data-testid=prompt]').innerText
  + document.querySelector('ol.log').innerText !== before"""
PASSED_OR_ASKED = f"before => document.querySelector('[data-testid=confirm]') || ({PASSED})(before)"
NETWORK = "127.0.0.2"
"""What stands for this machine's address in its network."""
ARTEFACTS = Path(__file__).parents[2] / "artefacts" / "browser"

DOCUMENTS = Path(__file__).parents[2] / "docs" / "pictures"
PICTURES = {
    "fire",
    "move",
    "line-of-sight-squad",
    "set-up",
    "replay",
    "phone",
    "dark",
    "operational",
    "supply",
    "new-match",
    "home",
    "story",
    "lesson",
}
"""The pictures of docs/play/client.md; SANDTABLE_PICTURES=1 makes them anew."""


def _small(source: Path, target: Path) -> None:
    with Image.open(source) as picture:
        scaled = picture.convert("RGB").resize(
            (picture.width * 4 // 5, picture.height * 4 // 5), Image.Resampling.LANCZOS
        )
        scaled.quantize(256).save(target, optimize=True)


class Served:
    """A server that can be stopped and started again at the same address, with the same database."""

    def __init__(self, folder: Path, **changes: Any) -> None:
        self._folder = folder
        self._changes = {"workers": 1, "sharing": True, **changes}
        network.own_addresses = lambda: [NETWORK]  # nothing outside this machine is listened to
        self._port = 0
        self.url = ""
        self.start()

    def start(self) -> None:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        assert started.wait(30), "the server did not start"

    async def _serve(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        async with serving(settings_for(self._folder, port=self._port, **self._changes)) as running:
            self.url = running.url
            self.state = running.state
            self._port = int(running.url.rsplit(":", 1)[1])
            started.set()
            await self._end.wait()

    def do(self, work: Callable[[], Any]) -> Any:
        """Something in the server's own event loop, for what a test cannot wait for."""

        async def there() -> Any:
            return work()

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(30)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(30)


class Player:
    """Somebody at a browser: makes matches, opens them, clicks pieces, cells and buttons."""

    def __init__(self, context: BrowserContext, served: Served) -> None:
        self.context = context
        self.served = served
        self.page: Page = context.new_page()
        self.page.set_default_timeout(30_000)
        self.faults: list[str] = []
        self._cells: dict[str, dict[str, tuple[float, float]]] = {}
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.context.request.post(f"{self.served.url}/api/{path}", data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def new(self, game: str, scenario: str = "", **settings: Any) -> str:
        """A match made by the API, with known dice; gives its number."""
        self.post("guest", {})
        body = {"game": game, "seed": 1, **({"scenario": scenario} if scenario else {}), **settings}
        return str(self.post("matches", body)["match"]["id"])

    def open(self, link: str) -> None:
        self.page.goto(f"{self.served.url}/#/{link}", timeout=120_000)  # the first page waits for all games to be ready

    def sit(self, match: str) -> None:
        self.open(f"match/{match}")
        self.page.wait_for_selector("[data-testid=board]", timeout=60_000)

    def shot(self, name: str) -> Path:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        path = ARTEFACTS / f"{name}.png"
        self.page.screenshot(path=path)
        if os.environ.get("SANDTABLE_PICTURES") and name in PICTURES:
            _small(path, DOCUMENTS / f"client-{name}.png")
        return path

    # -- what is seen --------------------------------------------------------------------

    def get(self, name: str) -> Any:
        return self.page.get_by_test_id(name)

    def has(self, name: str) -> bool:
        return bool(self.get(name).count())

    def pieces(self) -> set[str]:
        found = self.page.locator("[data-piece]").evaluate_all("all => all.map(one => one.dataset.piece)")
        return set(found)

    def where(self, piece: str) -> str:
        return str(
            self.page.locator(f"[data-piece={piece}]").evaluate("one => one.closest('[data-stack]').dataset.stack")
        )

    def log(self) -> str:
        return str(self.page.locator("ol.log").inner_text())

    # -- what is done --------------------------------------------------------------------

    def invitation(self) -> str:
        """The link that the page shows for a friend; it never leads to this machine alone."""
        expect(self.page.locator("[data-testid=link], [data-testid=open-network]").first).to_be_visible()
        if self.has("open-network"):
            self.get("open-network").first.click()
        link = str(self.get("link").first.input_value())
        assert f"//{NETWORK}:" in link, link
        return link.partition("/#/")[2]

    def hand_over(self) -> None:
        self.get("handover").click()
        expect(self.get("curtain")).to_have_count(0)

    def pick(self, piece: str, **more: Any) -> None:
        self.page.locator(f"[data-piece={piece}]").click(**more)

    def middle(self, cell: str) -> tuple[float, float]:
        box = self.page.locator(f"[data-goal='{cell}']").bounding_box()
        assert box, f"{cell} is not lit"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def place(self, scenario: str, cell: str) -> tuple[float, float]:
        """Where any cell of a scenario's map is on the screen."""
        if scenario not in self._cells:
            scene = self.context.request.get(f"{self.served.url}/api/games/{scenario}/scene").json()
            self._cells[scenario] = {one["id"]: (one["x"], one["y"]) for one in scene["cells"]}
        x, y = self.page.evaluate(ON_SCREEN, self._cells[scenario][cell])
        return float(x), float(y)

    def pass_until(self, prompt: str, rounds: int = 25) -> None:
        """Let everything pass until a decision with these words comes up."""
        for _ in range(rounds):
            expect(self.page.locator("[data-choice]").first).to_be_visible()
            self.page.wait_for_timeout(500)  # what follows an action comes in several messages
            now = self.get("prompt").inner_text()
            if prompt in now:
                return
            self._space()
        raise AssertionError(f"{prompt} did not come up")

    def pass_by(self) -> None:
        """Let the moment pass; where somebody could still act the page asks once."""
        self.page.wait_for_timeout(500)  # a key that is pressed too soon after a change does nothing
        self._space()

    def _space(self) -> None:
        """The key that lets a moment pass, and the one that says yes if the page asks first."""
        before = self.get("prompt").inner_text() + self.log()
        self.page.keyboard.press("Space")
        self.page.wait_for_function(PASSED_OR_ASKED, arg=before)
        if self.has("confirm") and self.get("prompt").inner_text() + self.log() == before:
            self.page.keyboard.press("Enter")
            self.page.wait_for_function(PASSED, arg=before)

    def do(self, text: str) -> None:
        """A choice of the list; where the page asks whether one means to pass, one does."""
        self.page.locator("[data-choice]", has_text=text).first.click()
        if text.startswith("End "):
            self.page.wait_for_timeout(150)
            asked = self.get("preview").filter(has_text="can still act")
            if asked.count():
                self.get("confirm").click()

    def says(self, text: str) -> None:
        """The prompt, a message or the log comes to hold a text."""
        expect(self.page.locator("#app")).to_contain_text(text)
