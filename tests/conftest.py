"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.engine import register
from tiny import OUTPOST

# what is kept between runs stays in the checkout
os.environ.setdefault("SANDTABLE_CACHE", str(Path(__file__).resolve().parent.parent / ".pytest_cache" / "sandtable"))


@pytest.fixture(autouse=True, scope="session")
def _tiny_game() -> None:
    register(OUTPOST)
