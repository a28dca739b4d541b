"""Fair dice: what the players add, what was noted, and what a checked record proves."""

from __future__ import annotations

import json
import random

import pytest

import sandtable
from sandtable.engine import Match, Record, StreamDice, read_record, replay, verify
from sandtable.engine.errors import CorruptRecord, IllegalAction, MatchOver
from sandtable.engine.proof import proof_of

ONE, TWO = "01" * 32, "02" * 32
SECRET = b"s" * 32


def played(*numbers: tuple[int, str, str], secret: bytes = SECRET, seed: int | None = None) -> Match:
    """A whole match; each number is added before the step that is named."""
    match = sandtable.new("tiny/post", secret=secret, match_id="m1", seed=seed)
    source = random.Random(2)
    added = list(numbers)
    while match.outcome is None:
        while added and match.version >= added[0][0]:
            _, side, number = added.pop(0)
            match.add_number(side, number)
        side = match.to_act[0]
        match.apply(side, source.choice(match.actions(side)))
    assert not added
    return match


def rolls(match: Match) -> list[object]:
    return [entry.rolls for entry in match.record().entries if getattr(entry, "rolls", ())]


def test_the_dice_depend_on_each_players_number() -> None:
    without, one = StreamDice(SECRET), StreamDice(SECRET)
    one.mix("red", ONE)
    other = StreamDice(SECRET)
    other.mix("red", TWO)
    both = one.clone()
    both.mix("blue", TWO)
    streams = [dice.roll(6, 30, "test") for dice in (without, one, other, both)]
    assert len(set(streams)) == 4


def test_a_record_with_numbers_replays_and_verifies() -> None:
    match = played((0, "red", ONE), (3, "blue", TWO))
    text = match.record().to_lines()
    assert text.startswith('{"sandtable_record":2,')
    record = read_record(text)
    assert record == match.record()
    again = verify(record, commitment=match.header.commitment)
    assert again.numbers() == {"red": ONE, "blue": TWO}
    assert again.state == match.state
    assert rolls(match)
    without = read_record("".join(line + "\n" for line in text.splitlines()[:-1]))
    assert replay(without).state == match.state  # from the recorded dice, while the secret is not told


def test_another_number_is_found_out() -> None:
    text = played((0, "red", ONE)).record().to_lines()
    with pytest.raises(sandtable.engine.errors.Divergence):
        verify(read_record(text.replace(ONE, TWO)))


def test_each_side_adds_one_number() -> None:
    match = sandtable.new("tiny/post", secret=SECRET)
    match.add_number("red", ONE)
    for side, number, words in (("red", TWO, "already"), ("blue", "xyz", "64 hexadecimal"), ("green", TWO, "no side")):
        with pytest.raises(sandtable.engine.errors.SandtableError, match=words):
            match.add_number(side, number)
    assert match.version == 1
    over = played()
    with pytest.raises(MatchOver):
        over.add_number("red", ONE)
    assert issubclass(IllegalAction, sandtable.engine.errors.ActionRefused)


def test_a_swapped_record_is_found_out_by_the_noted_commitment() -> None:
    noted = played().header.commitment
    ground = played(secret=b"g" * 32).record()
    assert verify(ground)  # on its own it is in order
    with pytest.raises(CorruptRecord, match="not the one that was noted"):
        verify(ground, commitment=noted)
    with pytest.raises(CorruptRecord, match="not the one that was noted"):
        verify(ground, commitment=ground.header.commitment[:8])  # too few digits mean nothing
    assert verify(ground, commitment=ground.header.commitment[:16].upper())


def test_a_ground_secret_helps_nobody_once_a_number_is_added() -> None:
    """Ten high dice are soon found; a number that came after the commitment scatters them."""

    def high(secret: int, *numbers: str) -> int:
        dice = StreamDice(secret.to_bytes(32, "big"))
        for number in numbers:
            dice.mix("red", number)
        return sum(face >= 4 for face in dice.roll(6, 10, "grinding"))

    ground = next(secret for secret in range(100_000) if high(secret) == 10)
    with_numbers = [high(ground, f"{number:064x}") for number in range(200)]
    assert 4.5 < sum(with_numbers) / 200 < 5.5
    proof = proof_of(played(secret=ground.to_bytes(32, "big")).record(), noted=True)
    assert f"{proof.rolls} of {proof.rolls} rolls depend on the server's secret alone" in " ".join(proof.sentences())


def test_a_record_that_was_written_when_the_secret_was_known_is_found_out_by_the_noted_number() -> None:
    match = played((0, "red", ONE))
    noted = match.header.commitment
    assert verify(match.record(), commitment=noted, number=ONE.upper())
    forged = played((0, "red", TWO)).record()
    assert verify(forged, commitment=noted)  # the secret is the right one
    assert "--number" in " ".join(proof_of(forged, noted=True).sentences())
    with pytest.raises(CorruptRecord, match="No player of the record added the number"):
        verify(forged, commitment=noted, number=ONE)
    assert "--number" not in " ".join(proof_of(match.record(), noted=True, own=ONE).sentences())


def test_a_number_that_was_added_last_may_have_been_ground() -> None:
    """Whoever knew the secret and red's number could look for one of blue's that rolls well: it is said."""
    match = played((4, "red", ONE), (12, "blue", TWO))
    rolls = [len(getattr(entry, "rolls", ())) for entry in match.record().entries]
    red, blue = (proof_of(match.record(), noted=True, own=number) for number in (ONE, TWO))
    assert (red.later, blue.later) == (sum(rolls[12:]), 0)
    assert f"{red.later} of {red.rolls} rolls were made after a number that was added later than yours" in " ".join(
        red.sentences()
    )
    assert "later than yours" not in " ".join(blue.sentences())


def test_a_record_that_was_cut_is_found_out_by_its_count() -> None:
    lines = played((0, "red", ONE)).record().to_lines().splitlines()
    cut = [*lines[:5], lines[-1]]
    with pytest.raises(CorruptRecord, match="should have"):
        read_record("\n".join(cut))
    older = played().record().to_lines().splitlines()
    with pytest.raises(sandtable.engine.errors.Divergence, match="ends with"):
        verify(read_record("\n".join([*older[:5], older[-1]])))
    secret = json.loads(lines[-1])["secret"]
    well_cut = read_record("\n".join([*lines[:5], json.dumps({"secret": secret, "outcome": None, "entries": 4})]))
    assert verify(well_cut)  # its rolls are right, and that is all that is said of it
    told = proof_of(well_cut, noted=True).sentences()[-1]
    assert told.startswith("That nothing was cut off the end is not proven: the record has 4 steps")
    assert told.endswith("and it does not say how the match ended.")


def test_old_records_are_read_as_before() -> None:
    text = played().record().to_lines()
    assert text.startswith('{"sandtable_record":1,')
    assert '"entries"' not in text
    assert verify(read_record(text))


def test_what_is_proven_is_counted() -> None:
    match = played((4, "red", ONE), (12, "blue", TWO))
    record = match.record()
    proof = proof_of(record, noted=True)
    assert proof.numbers == ("red", "blue")
    by_step = [len(getattr(entry, "rolls", ())) for entry in record.entries]
    assert proof.rolls == sum(by_step)
    assert proof.alone == sum(by_step[:4])
    assert proof.partly == sum(by_step[5:12])
    words = " ".join(proof.sentences())
    assert "committed to when the match was made" in words
    assert "not proven" in words
    alone = proof_of(played().record(), noted=False)
    assert alone.alone == alone.rolls
    assert "--commitment" in " ".join(alone.sentences())
    assert "could have chosen it" in " ".join(alone.sentences())
    seeded = proof_of(sandtable.new("tiny/post", seed=1).record(), noted=False)
    assert seeded.sentences() == ["The match was seeded by its players: its dice are reproducible, not secret."]


def test_taking_back_keeps_the_number() -> None:
    match = sandtable.new("tiny/post", secret=SECRET, match_id="m1")
    side = match.to_act[0]
    match.apply(side, match.actions(side)[0])
    match.add_number("red", ONE)
    match.rewind(1, side)
    record = match.record()
    assert isinstance(record, Record)
    again = replay(record)
    assert (again.version, again.numbers()) == (3, {"red": ONE})
