"""What the parts of the full rules say about crowds on the parade ground must stay as written (tests/answers.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from asl_answers import LEFT_OUT, WORDS, scenes

from answers import answers, difference, modules

FILE = Path(__file__).parent / "golden" / "rules.answers"


@pytest.mark.parametrize("module", modules("asl"))
def test_the_rules_answer_as_before(module: str) -> None:
    assert difference(FILE, module, answers(module, scenes(), WORDS, LEFT_OUT)) == ""
