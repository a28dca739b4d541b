"""The boards of these tests lie beside them."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(Path(__file__).parent))
