"""Draw the battle of the start page anew: `python tools/battle.py` (needs Chromium, as the browser tests do)."""

from __future__ import annotations

import base64
import io
import random
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from sandtable.engine import Match, Seat, get_game, new
from sandtable.players import make_player
from sandtable.server.cards import drawn

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FILE = Path(__file__).parents[1] / "web/public/battle.webp"
SIZE = (1400, 640)
PART = (110, 10, 1030, 450)
"""The part of it where the fighting is."""
SCALE = 1.5
STEPS = 260
"""Decisions after which the picture is taken: the attack has come to grips."""


def fought() -> Match:
    """The guide's scenario in its second turn."""
    match = new("aslguide/intro", seed=11)
    players = {side: make_player("aslguide", "regular") for side in match.sides}
    source = random.Random(11)
    while match.version < STEPS and match.to_act:
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
    return match


def main() -> None:
    """Play, draw, take the picture."""
    game = get_game("aslguide")
    picture = drawn(fought(), game.scene("intro", {}), game.faces())
    source = base64.b64encode(picture.encode()).decode()
    style = f"width:{SIZE[0]}px;height:{SIZE[1]}px;object-fit:cover"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, device_scale_factor=SCALE)
        page.set_content(f"<body style='margin:0'><img style='{style}' src='data:image/svg+xml;base64,{source}'>")
        page.wait_for_timeout(1000)
        taken = page.screenshot()
        browser.close()
    with Image.open(io.BytesIO(taken)) as image:
        part = image.convert("RGB").crop(tuple(round(edge * SCALE) for edge in PART))
        part.save(FILE, quality=72, method=6)


if __name__ == "__main__":
    main()
