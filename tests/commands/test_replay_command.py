"""`sandtable replay` tells each event as it was when it happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.engine.start import load_record, replay

GOLDEN = Path(__file__).parent.parent / "games" / "squad" / "golden"


def test_a_squad_that_was_reduced_later_sets_up_whole(capsys: pytest.CaptureFixture[str]) -> None:
    file = GOLDEN / "aslguide-intro.jsonl"
    assert main(["replay", str(file), "--json"]) == 0
    log = json.loads(capsys.readouterr().out)["log"]
    reduced = next(line for line in log if "becomes a" in line["text"])
    before, _, _ = reduced["text"].partition(" becomes")
    piece = before.split()[-1]
    assert any(f"{before.split()[0]} {piece} sets up" in line["text"] for line in log)
    assert len(log) == len(replay(load_record(file)).events(everything=True))
