"""The veteran: compares its choices in imagined games, under a budget."""

from __future__ import annotations

import random
import runpy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable import players
from sandtable.engine import Action, Match, Seat
from sandtable.players import make_player, register_knowledge
from sandtable.players.imagining import FateDice, Knowledge, beside
from sandtable.players.lookahead import Veteran, compare
from sandtable.players.random_player import RandomPlayer
from sandtable.sim.playing import Plan, play_game
from tiny.model import POST, RANGE, RED, Fire, HideAt, Move

# -- comparing ----------------------------------------------------------------------------


def spending(total: int) -> tuple[Any, list[tuple[int, int]]]:
    """A budget of so many tries, and the list of tries that are made."""
    tries: list[tuple[int, int]] = []
    return (lambda: len(tries) / total), tries


def test_a_clearly_better_choice_is_taken() -> None:
    spent, tries = spending(60)

    def value(choice: int, world: int) -> float:
        tries.append((choice, world))
        return (0.4, 0.5, 0.6)[choice] + 0.2 * random.Random(world).random()

    verdict = compare(3, value, spent)
    assert verdict.best == 2
    assert verdict.gain == pytest.approx(0.2)
    assert len(tries) <= 60


def test_the_first_choice_stands_unless_another_is_clearly_better() -> None:
    spent, tries = spending(40)

    def value(choice: int, world: int) -> float:
        tries.append((choice, world))
        return 0.5 + choice * (0.32 if world % 2 else -0.28)

    assert compare(2, value, spent).best == 0, "two hundredths better, but up and down by thirty"


def test_the_longer_it_may_think_the_better_its_picks() -> None:
    """Four other choices, one of them better by five hundredths, in worlds that differ by fifteen."""
    true = (0.5, 0.47, 0.55, 0.45, 0.5)

    def pick(budget: int, seed: int) -> float:
        spent, tries = spending(budget)

        def value(choice: int, world: int) -> float:
            tries.append((choice, world))
            return true[choice] + random.Random(f"{seed} {choice} {world}").gauss(0, 0.15)

        return true[compare(len(true), value, spent).best]

    means = [sum(pick(budget, seed) for seed in range(150)) / 150 for budget in (20, 80, 320)]
    assert 0.5 < means[0] < means[1] < means[2], means
    assert means[2] > 0.535, means


def test_hopeless_choices_cost_little() -> None:
    spent, tries = spending(1000)

    def value(choice: int, world: int) -> float:
        tries.append((choice, world))
        return 0.9 if choice == 0 else 0.1

    verdict = compare(5, value, spent)
    assert verdict.best == 0
    assert len(tries) == 15, "three worlds are enough to see it"


def test_a_thought_that_does_not_come_to_an_end_counts_for_nothing() -> None:
    spent, tries = spending(1000)

    def value(choice: int, world: int) -> float | None:
        tries.append((choice, world))
        return None if world == 2 else float(choice)

    assert compare(2, value, spent).best == 0


def test_fate_is_the_same_after_every_choice() -> None:
    one, two = FateDice(7), FateDice(7)
    one.roll(6, 2, "fire at K5")
    assert one.roll(6, 2, "morale of a1") == two.roll(6, 2, "morale of a1")
    assert one.clone().roll(6, 5, "fire at K5") == one.roll(6, 5, "fire at K5")
    faces = [face for world in range(3000) for face in FateDice(world).roll(6, 2, "rally")]
    assert all(abs(faces.count(face) / len(faces) - 1 / 6) < 0.02 for face in range(1, 7))


# -- playing Outpost ----------------------------------------------------------------------


class Soldier:
    """Shoots if it can, else goes for the post; remembers how often it was asked."""

    def __init__(self) -> None:
        self.explanation = ""
        self.asked = 0
        self.heard: list[Action] = []

    def choose(self, seat: Seat, source: random.Random) -> Action:
        self.asked += 1
        self.explanation = "as always"
        actions = list(seat.actions())
        shots = [action for action in actions if isinstance(action, Fire)]
        moves = [action for action in actions if isinstance(action, Move) and seat.side == RED]
        chosen: Action = source.choice(actions)
        if shots and source.random() < 0.8:
            chosen = source.choice(shots)
        elif moves:
            chosen = min(moves, key=lambda move: RANGE[move.to][POST])
        return chosen

    def took(self, seat: Seat, action: Action) -> None:
        self.heard.append(action)


def worth(view: Mapping[str, Any], side: str) -> float:
    """Who has more pieces, and how near Red is to the post."""
    counts = {"red": 0, "blue": 0}
    for piece in view["pieces"]:
        counts[piece["side"]] += 2 if not piece["face"].endswith("/shaken") else 1
    near = min((RANGE[piece["at"]][POST] for piece in view["pieces"] if piece["side"] == RED), default=6)
    red = 0.5 + 0.04 * (counts["red"] - counts["blue"]) - 0.02 * near
    return red if side == RED else 1 - red


@pytest.fixture
def know() -> Iterator[Knowledge]:
    found = Knowledge(Soldier, Soldier, worth, lambda player, seat, limit: list(seat.actions())[:limit], horizon=2)
    register_knowledge("tiny", found)
    yield found
    players._knowledge.pop("tiny")


def test_it_sees_what_the_player_beneath_it_does_not() -> None:
    """Red stands next to the empty post: a random player takes it by chance, its veteran always."""

    def candidates(player: Any, seat: Seat, limit: int) -> Sequence[Action]:
        return [action for action in seat.actions() if isinstance(action, Move) and action.piece == "r1"]

    register_knowledge("tiny", Knowledge(RandomPlayer, RandomPlayer, candidates=candidates))
    match = sandtable.new("tiny/post", seed=1)
    match.apply("blue", HideAt("c1"))
    pieces = match.state.pieces
    pieces["r1"], pieces["b1"] = replace(pieces["r1"], at="d3"), replace(pieces["b1"], at="a2")
    chosen = {make_player("tiny", "veteran@90r").choose(Seat(match, RED), random.Random(n)) for n in range(5)}
    players._knowledge.pop("tiny")
    assert chosen == {Move("r1", POST)}


def test_the_same_seed_gives_the_same_game_when_rollouts_are_counted(know: Knowledge) -> None:
    plan = Plan("tiny/post", {"red": "veteran@12r", "blue": "veteran@8r"})
    (one, first), (two, second) = play_game(plan, 0), play_game(plan, 0)
    assert first.record().entries == second.record().entries
    assert one.winner == two.winner
    assert not one.faults


def test_it_can_think_by_the_clock(know: Knowledge) -> None:
    result, match = play_game(Plan("tiny/post", {"red": "veteran@0.002", "blue": "random"}), 0)
    assert match.outcome is not None
    assert not result.faults


def one_choice(match: Match, side: str, level: str = "veteran@40r") -> tuple[Action, str]:
    player = make_player("tiny", level)
    return player.choose(Seat(match, side), random.Random(1)), player.explanation


def test_forced_choices_are_not_thought_about(know: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    register_knowledge("tiny", know._replace(candidates=lambda player, seat, limit: list(seat.actions())[:1]))
    asked: list[int] = []
    monkeypatch.setattr(Seat, "imagine", lambda self, source: asked.append(1))
    match = sandtable.new("tiny/post", seed=1)
    action, why = one_choice(match, "blue")
    assert action in match.actions("blue")
    assert not asked
    assert why == "as always"


def test_looking_ahead_changes_nothing_in_the_match(know: Knowledge) -> None:
    match = sandtable.new("tiny/post", seed=1)
    match.apply("blue", HideAt("d4"))
    state, view = match.state.clone(), match.view("red")
    action, _ = one_choice(match, "red")
    assert action in match.actions("red")
    assert (match.state, match.view("red")) == (state, view)


def test_it_does_not_know_what_is_hidden(know: Knowledge) -> None:
    """Wherever the ambusher hides, Red thinks the same."""
    chosen = set()
    for place in ("c1", "d2", "d4"):
        match = sandtable.new("tiny/post", seed=1)
        match.apply("blue", HideAt(place))
        chosen.add(one_choice(match, "red"))
    assert len(chosen) == 1


def test_another_choice_is_explained_and_the_player_beneath_is_told(know: Knowledge) -> None:
    """A soldier that always waits is overruled where the post can be taken."""

    class Idle(Soldier):
        def choose(self, seat: Seat, source: random.Random) -> Action:
            return list(seat.actions())[-1]

    def candidates(player: Any, seat: Seat, limit: int) -> Sequence[Action]:
        moves = [action for action in seat.actions() if isinstance(action, Move)]
        return sorted(moves, key=lambda move: RANGE[move.to][POST])[:limit]

    def near(view: Mapping[str, Any], side: str) -> float:
        return 1 - float(sum(RANGE[piece["at"]][POST] for piece in view["pieces"] if piece["side"] == RED)) / 20

    register_knowledge("tiny", know._replace(base=Idle, worth=near, candidates=candidates))
    match = sandtable.new("tiny/post", seed=1)
    match.apply("blue", HideAt("d4"))
    player = make_player("tiny", "veteran@40r")
    assert isinstance(player, Veteran)
    action = player.choose(Seat(match, "red"), random.Random(1))
    assert isinstance(action, Move)
    assert "against the plain choice, looking ahead in" in player.explanation
    assert player._base.heard == [action]  # type: ignore[attr-defined]


def test_a_tool_tells_what_longer_thinking_gains(know: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "longer.py"))
    rows = tool["gains"]("tiny/post", 3, (8, 24))
    assert [len(row) for row in rows] == [3, 3]
    assert all(-1 < gain < 1 for row in rows for gain in row)
    monkeypatch.setattr("sys.argv", ["longer.py", "tiny/post", "some", "8"])
    with pytest.raises(SystemExit, match=r"Say scenario, decisions and rollouts: python tools/longer\.py"):
        tool["main"]()


def test_without_any_knowledge_games_are_thought_through_to_their_end() -> None:
    assert players.knowledge("tiny") == Knowledge(RandomPlayer, RandomPlayer)
    result, _ = play_game(Plan("tiny/post", {"red": "veteran@6r", "blue": "random"}), 0)
    assert not result.faults


def test_a_worth_is_read_beside_the_worth_now() -> None:
    assert beside(0.9, 0.9) == pytest.approx(0.5)
    assert beside(0.97, 0.9) > 0.7, "small steps count in positions that look almost won"
    assert (beside(1.0, 0.3), beside(0.0, 0.3)) == (1.0, 0.0)
    assert beside(0.0, 0.0) == 0.0 < beside(0.01, 0.0)


def test_choices_that_come_to_the_same_are_given_up() -> None:
    tried = [0, 0, 0]

    def value(choice: int, world: int) -> float:
        tried[choice] += 1
        return 0.5 + 0.2 * (choice == 2) * (world % 2)

    compare(3, value, lambda: sum(tried) / 60)
    assert tried[1] == 3
    assert tried[2] > 20
