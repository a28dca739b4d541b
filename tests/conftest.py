"""What all tests share."""

from __future__ import annotations

import pytest

from sandtable.engine import register
from tiny import OUTPOST


@pytest.fixture(autouse=True, scope="session")
def _tiny_game() -> None:
    register(OUTPOST)
