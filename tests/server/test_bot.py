"""The example bot plays a whole match, and is as short as it says."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

from server.helpers import run, serving, settings_for

BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"


def load() -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_bot_plays_to_the_end(tmp_path: Path) -> None:
    module = load()

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running:
            bot = await asyncio.to_thread(module.Bot, running.url)
            answer = await asyncio.to_thread(bot.post, "/api/matches", {"game": "outpost"})
            result = await bot.play(answer["match"]["id"])
            assert result["how"] == "rules"

    run(story)


def test_the_example_has_50_lines() -> None:
    assert len(BOT.read_text().splitlines()) <= 50
