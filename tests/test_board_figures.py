"""tools/board_figures.py: the figures of a board, and the percentiles that made boards are held against."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sandtable.space.making.figures import FIGURES
from sandtable.space.making.spread import TYPES, outside, spreads

TOOL = Path(__file__).parents[1] / "tools" / "board_figures.py"


def test_every_type_has_percentiles_for_every_figure() -> None:
    for type in TYPES:
        assert set(spreads()[type]) == {*FIGURES, "clear", "sight"}
        assert all(low <= middle <= high for low, middle, high in spreads()[type].values())


def test_what_lies_outside_is_named() -> None:
    low, _, high = spreads()["city"]["buildings"]
    assert outside("city", {"buildings": low, "top": 9}) == ["top"]
    assert outside("city", {"buildings": high + 1}) == ["buildings"]


def test_the_tool_compares_boards_with_the_percentiles() -> None:
    words = [sys.executable, str(TOOL), "compare", "rural", "--seeds", "2", "--no-los"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2 boards with nine of ten figures inside" in done.stdout
