"""Helping hands: a veteran that thinks by the clock tries its choices in several processes."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import main
from sandtable.engine import Seat
from sandtable.players import make_player
from sandtable.players.hands import MOST, BadHands, Hands, hands_for, usual_hands
from sandtable.players.lookahead import compare

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def test_the_number_of_hands_is_one_unless_the_environment_says_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDTABLE_HANDS", raising=False)
    assert usual_hands() == 1
    assert 1 <= int(hands_for(1)) <= MOST
    assert hands_for(1000) == "1"
    monkeypatch.setenv("SANDTABLE_HANDS", "3")
    assert usual_hands() == (3 if sys.platform == "linux" else 1)
    assert hands_for(1000) == "3"


@pytest.mark.parametrize("text", ["0", "many", "-2", "1.5", "65", "³"])
def test_a_number_of_hands_that_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SANDTABLE_HANDS", text)
    with pytest.raises(BadHands, match="write a whole number from 1 to 64"):
        usual_hands()
    with pytest.raises(BadHands, match="write a whole number from 1 to 64"):
        hands_for(1)


def test_a_server_tells_of_a_wrong_number_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANDTABLE_HANDS", "many")
    assert main(["serve", "--port", "0", "--database", str(tmp_path / "club.sqlite")]) == 2
    assert capsys.readouterr().err.strip().endswith("is 'many': write a whole number from 1 to 64.")


def worked_out(choice: int, world: int) -> float:
    return (0.4, 0.5, 0.6)[choice] + 0.2 * random.Random(world).random()


@linux
def test_what_hands_work_out_is_what_one_would_have_worked_out_alone() -> None:
    tries = 0

    def alone(choice: int, world: int) -> float:
        nonlocal tries
        tries += 1
        return worked_out(choice, world)

    expected = compare(3, alone, lambda: tries / 60)
    hands, tries = Hands(3, worked_out), 0

    def together(choice: int, world: int) -> float | None:
        nonlocal tries
        tries += 1
        return hands.value(choice, world)

    try:
        assert compare(3, together, lambda: tries / 60, hands.prepare) == expected
    finally:
        hands.close()


@linux
def test_hands_work_in_processes_of_their_own_and_are_gone_afterwards() -> None:
    def who(choice: int, world: int) -> float:
        time.sleep(0.05)
        return float(os.getpid())

    hands = Hands(2, who)
    hands.prepare([0, 1], 0)
    workers = {int(hands.value(choice, 0) or 0) for choice in (0, 1)}
    assert len(workers) == 2
    assert os.getpid() not in workers
    hands.close()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


@linux
def test_no_time_is_told_by_a_hand_too() -> None:
    hands = Hands(2, lambda choice, world: None if world else 1.0)
    try:
        hands.prepare([0, 1, 2], 0)
        hands.prepare([0, 1, 2], 1)
        assert [hands.value(2, 0), hands.value(2, 1)] == [1.0, None]
    finally:
        hands.close()


@linux
def test_what_a_lost_hand_had_to_do_is_done_here() -> None:
    here = os.getpid()

    def deadly(choice: int, world: int) -> float:
        if os.getpid() != here:
            os._exit(7)
        return float(choice)

    hands = Hands(2, deadly)
    try:
        for world in range(2):
            hands.prepare([0, 1, 2, 3], world)
            assert [hands.value(choice, world) for choice in range(4)] == [0.0, 1.0, 2.0, 3.0]
    finally:
        hands.close()


@linux
def test_where_no_process_can_be_had_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refused)
    open_before = len(os.listdir("/proc/self/fd"))
    hands = Hands(2, lambda choice, world: float(choice + world))
    hands.prepare([0, 1], 3)
    assert [hands.value(0, 3), hands.value(1, 3)] == [3.0, 4.0]
    hands.close()
    assert len(os.listdir("/proc/self/fd")) == open_before


@linux
def test_an_error_in_a_hand_is_raised_here() -> None:
    def wrong(choice: int, world: int) -> float:
        raise ValueError("no such thing")

    hands = Hands(2, wrong)
    try:
        with pytest.raises(ValueError, match="no such thing"):
            hands.prepare([0, 1], 0)
    finally:
        hands.close()


@linux
def test_a_veteran_thinks_with_two_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_HANDS", "2")
    match = sandtable.new("pbi/crossroads", seed=4)
    veteran = make_player("pbi", "veteran@0.4")
    source, before = random.Random(1), os.times().children_user
    for _ in range(12):
        side = match.to_act[0]
        seat = Seat(match, side)
        action = veteran.choose(seat, source)
        assert action in seat.actions()
        match.apply(side, action)
    assert os.times().children_user > before + 0.2, "the imagined games were played elsewhere"
