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
    reduced = [line for line in log if line["event"]["type"] == "Reduced"]
    assert reduced
    for line in reduced:
        event = line["event"]
        placed = next(one for one in log if one["event"]["type"] == "Placed" and one["event"]["unit"] == event["unit"])
        whole, letter = line["text"].split()[:2]
        assert event["was"].endswith(whole)
        assert not event["now"].endswith(whole)
        assert placed["text"] == f"{whole} {letter} sets up in {placed['event']['at']}"
    assert len(log) == len(replay(load_record(file)).events(everything=True))
