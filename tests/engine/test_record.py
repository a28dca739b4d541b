"""Records: append-only, verifiable, and never half-written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandtable
from sandtable.engine import Match, read_record
from sandtable.engine.errors import CorruptRecord, Divergence, NewerRecord, SandtableError
from sandtable.engine.record import Step, write_whole
from tiny.model import BLUE, RED, Fire, HideAt, Move
from tiny.play import random_match

GOLDEN = Path(__file__).parent / "golden" / "tiny-post.jsonl"


def finished(seed: int = 4) -> Match:
    return random_match(seed)


def test_a_record_replays_to_the_same_match() -> None:
    match = finished()
    again = sandtable.replay(match.record())
    assert again.state == match.state
    assert again.outcome == match.outcome
    assert again.record() == match.record()


def test_a_record_survives_the_file(tmp_path: Path) -> None:
    match = finished()
    match.record().save(tmp_path / "game.jsonl")
    assert sandtable.load_record(tmp_path / "game.jsonl") == match.record()
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


def test_the_golden_record_still_replays() -> None:
    match = sandtable.verify(GOLDEN)
    assert match.outcome is not None
    assert match.record().to_lines() == GOLDEN.read_text()


def test_the_secret_is_told_only_at_the_end() -> None:
    match = sandtable.new("tiny/post")
    secret = match.header.secret
    assert secret is not None
    assert secret not in match.record().to_lines()
    source = random.Random(3)
    while match.to_act:
        match.apply(match.to_act[0], source.choice(match.actions(match.to_act[0])))
        assert (match.outcome is None) == (secret not in match.record().to_lines())
    sandtable.verify(match.record())


def test_an_unfinished_secret_match_replays_from_its_rolls_but_is_not_verified() -> None:
    match = sandtable.new("tiny/post")
    match.apply(BLUE, HideAt("c3"))
    match.apply(RED, Move("r2", "b2"))
    match.apply(BLUE, Fire("b3", "r2"))
    assert sandtable.replay(match.record()).state == match.state
    with pytest.raises(CorruptRecord, match="not over"):
        sandtable.verify(match.record())


def test_a_seed_makes_a_reproducible_match_that_says_so() -> None:
    first, second = finished(7), finished(7)
    assert first.record() == second.record()
    assert first.record().header.seed == 7
    assert sandtable.new("tiny/post").header.seed is None
    assert sandtable.new("tiny/post").header.commitment != sandtable.new("tiny/post").header.commitment


def test_a_changed_roll_is_found() -> None:
    record = finished().record()
    where = next(n for n, entry in enumerate(record.entries) if isinstance(entry, Step) and entry.rolls)
    step = record.entries[where]
    assert isinstance(step, Step)
    (sides, faces), *rest = step.rolls
    false = Step(step.side, step.action, ((sides, (7 - faces[0], *faces[1:])), *rest))
    entries = (*record.entries[:where], false, *record.entries[where + 1 :])
    with pytest.raises(Divergence) as found:
        sandtable.verify(type(record)(record.header, entries, record.start, record.secret, record.outcome))
    assert found.value.step == where + 1
    said = f"Roll 1 of step {where + 1} of the record says {' '.join(map(str, false.rolls[0][1]))} on {sides} sides,"
    assert str(found.value) == f"{said} but its dice roll {' '.join(map(str, faces))} on {sides} sides."


def test_a_changed_secret_or_outcome_is_found() -> None:
    text = finished().record().to_lines()
    secret = read_record(text).secret
    assert secret is not None
    other = ("1" if secret[0] == "0" else "0") + secret[1:]
    with pytest.raises(CorruptRecord, match="committed"):
        sandtable.verify(read_record(text.replace(secret, other)))
    winner = '"winner":"blue"' if '"winner":"blue"' in text else '"winner":"red"'
    with pytest.raises(Divergence, match="ends with"):
        sandtable.verify(read_record(text.replace(winner, '"winner":""')))


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", CorruptRecord, "empty"),
        ("nonsense\n", CorruptRecord, "Line 1 of the record is not JSON"),
        ('{"a":1}\n', CorruptRecord, "not a Sandtable record"),
        ('{"sandtable_record":99}\n', NewerRecord, "update Sandtable"),
        ('{"sandtable_record":true}\n', CorruptRecord, "makes no sense"),
        ('{"sandtable_record":1,"game":"tiny"}\n', CorruptRecord, "header of the record is damaged"),
    ],
)
def test_damaged_records_get_a_sentence(text: str, error: type[SandtableError], words: str) -> None:
    with pytest.raises(error, match=words):
        read_record(text)


def test_a_record_of_newer_rules_says_so() -> None:
    text = finished().record().to_lines().replace('"rules_version":1', '"rules_version":2')
    with pytest.raises(NewerRecord, match="version 2 of the rules of tiny"):
        read_record(text)


def test_a_cut_off_record_names_the_line() -> None:
    text = finished().record().to_lines()
    lines = text.count("\n")
    with pytest.raises(CorruptRecord, match=f"Line {lines} of the record is not JSON"):
        read_record(text[:-10])


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_damage_is_read_back_equal_or_refused(data: st.DataObject) -> None:
    text = GOLDEN.read_text()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(max_size=12)) + text[end:]
    try:
        record = read_record(damaged)
    except SandtableError as error:
        assert str(error)
        return
    assert read_record(record.to_lines()) == record


def test_takebacks_are_part_of_the_record() -> None:
    match = sandtable.new("tiny/post", seed=5)
    match.apply(BLUE, HideAt("c3"))
    match.apply(RED, Move("r2", "b2"))
    match.apply(BLUE, Fire("b3", "r2"))
    first = match.last_rolls
    match.undo(BLUE, consent=True)
    match.apply(BLUE, Fire("b3", "r2"))
    assert match.last_rolls != first
    again = sandtable.replay(read_record(match.record().to_lines()))
    assert again.state == match.state
    assert again.version == match.version


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.txt"
    write_whole(path, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept.txt"]
