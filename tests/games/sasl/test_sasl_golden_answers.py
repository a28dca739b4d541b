"""What the rules of missions say about crowds must stay as written (tests/answers.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from sasl_answers import LEFT_OUT, WORDS, scenes

from answers import answers, difference, modules

FILE = Path(__file__).parent / "golden" / "rules.answers"


@pytest.mark.parametrize("module", modules("sasl"))
def test_the_rules_answer_as_before(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))  # no boards but those of the program
    assert difference(FILE, module, answers(module, scenes(), WORDS, LEFT_OUT)) == ""
