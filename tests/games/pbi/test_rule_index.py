"""Every line of the sheet has a title, code that cites it and a test; the page of rulings is in step."""

from __future__ import annotations

from pathlib import Path

from sandtable.commands.rules import rule_rows
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.rulings import rulings_page

ROOT = Path(__file__).resolve().parents[3]


def test_every_line_has_code_and_a_test() -> None:
    rows = rule_rows(GAME)
    assert len(rows) > 60
    assert [row["rule"] for row in rows if not row["code"]] == []
    assert [row["rule"] for row in rows if not row["tests"]] == []


def test_the_page_of_rulings_is_made_from_the_data() -> None:
    assert (ROOT / "docs" / "rulings" / "pbi.md").read_text(encoding="utf-8") == rulings_page()
