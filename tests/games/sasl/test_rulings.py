"""Every ruling that the tables name is written down, and every ruling of the tables is named in the data."""

from __future__ import annotations

import re
from pathlib import Path

DATA = Path(__file__).parents[3] / "src/sandtable/games/sasl/tables/data"
FIRST_OF_PLAY = 39
"""Rulings from here on are about procedures, not about tables."""
DOC = Path(__file__).parents[3] / "docs/rulings/sasl.md"


def test_the_data_and_the_page_name_the_same_rulings() -> None:
    written = re.findall(r"^\*\*(SA-\d+)\.", DOC.read_text("utf-8"), flags=re.MULTILINE)
    named = {ruling for path in DATA.rglob("*.toml") for ruling in re.findall(r"SA-\d+", path.read_text("utf-8"))}
    assert len(written) == len(set(written))
    tables = [one for one in written if int(one.partition("-")[2]) < FIRST_OF_PLAY]
    assert len(tables) == 38
    assert set(tables) == named


def test_every_ruling_says_how_sure_it_is() -> None:
    rulings = re.split(r"\n\n(?=\*\*SA-)", DOC.read_text("utf-8"))[1:]
    for ruling in rulings:
        assert "Confidence:" in ruling, ruling[:30]
        assert "Source:" in ruling, ruling[:30]
