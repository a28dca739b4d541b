"""Standing orders, as rules; and patches, which must always give the whole view again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sandtable
from sandtable.engine.tools import OrderRule, Orders
from sandtable.engine.view import PieceView, View
from sandtable.server import orders
from sandtable.server.picture import Choice, patch, view_table
from sandtable.server.refusal import Refused
from server.helpers import as_json, patched
from tiny.model import Done, Fire, HideAt, Hold, Move

PASS = Choice(0, Hold(), "Hold fire", "pass")


def shot(number: int, piece: str, group: str = "fire", **facts: str) -> Choice:
    return Choice(number, Fire(piece, "x"), "Fire", group, (piece,), facts=tuple(facts.items()))


def decided(offered: list[Choice], *rules: OrderRule) -> Any:
    return orders.by_common_rules([*offered, PASS], rules)


def test_never_passes_and_always_fires() -> None:
    offered = [shot(1, "a"), shot(2, "b")]
    assert decided(offered, OrderRule(do="never")) == Hold()
    assert decided(offered, OrderRule(do="always")) == Fire("a", "x")
    assert decided(offered, OrderRule(do="ask")) is None


def test_an_order_for_a_unit_goes_before_the_one_for_the_side() -> None:
    offered = [shot(1, "a"), shot(2, "b")]
    assert decided(offered, OrderRule(do="never"), OrderRule("b", "always")) == Fire("b", "x")
    assert decided(offered, OrderRule(do="always"), OrderRule("a", "ask")) is None
    assert decided(offered, OrderRule("a", "never")) is None  # nothing is ordered for b: ask


@pytest.mark.parametrize(
    ("only", "facts", "expected"),
    [
        (("open",), {"open": "yes"}, "fires"),
        (("open",), {"open": "no"}, "passes"),
        (("open",), {}, "asks"),
        (("range:4",), {"range": "4"}, "fires"),
        (("range:4",), {"range": "5"}, "passes"),
        (("adjacent",), {"range": "1"}, "fires"),
        (("adjacent",), {"range": "2"}, "passes"),
        (("adjacent",), {"adjacent": "yes", "range": "3"}, "fires"),
        (("open", "range:4"), {"open": "yes", "range": "5"}, "passes"),
    ],
)
def test_conditions(only: tuple[str, ...], facts: dict[str, str], expected: str) -> None:
    action = decided([shot(1, "a", **facts)], OrderRule(do="always", only=only))
    assert {"fires": Fire("a", "x"), "passes": Hold(), "asks": None}[expected] == action


def test_an_order_not_to_fire_decides_nothing_else() -> None:
    rout = [shot(1, "a", "rout")]
    assert decided(rout, OrderRule(do="never")) is None
    assert decided(rout, OrderRule(do="never", only=("group:rout",))) == Hold()
    assert orders.by_common_rules(rout, [OrderRule(do="always", only=("group:rout",))]) is None  # nothing to pass with


def test_orders_are_for_the_other_sides_move_only() -> None:
    match = sandtable.new("tiny/post", seed=1)
    never = Orders(rules=(OrderRule(do="never"),))
    match.apply("blue", HideAt("c1"))
    assert orders.answer(match, "red", never, present=True) is None
    match.apply("red", Move("r1", "b1"))
    assert orders.answer(match, "blue", never, present=True) == Hold()
    assert orders.answer(match, "blue", Orders(), present=False) is None
    assert orders.answer(match, "blue", Orders(absent="pass"), present=False) == Hold()
    assert orders.answer(match, "blue", Orders(absent="pass"), present=True) is None


def test_a_forced_choice_waits_while_something_can_be_taken_back() -> None:
    match = sandtable.new("tiny/post", seed=1)
    match.apply("blue", HideAt("d4"))
    assert orders.forced(match, "red") is None
    match.apply("red", Done())
    match.apply("blue", Done())
    for piece in [piece for piece in match.state.pieces.values() if piece.side == "red"]:
        match.state.pieces[piece.id] = type(piece)(piece.id, piece.side, piece.at, spent=True)
    match._legal = {}
    assert orders.forced(match, "red") == Done()


def test_whether_a_hidden_piece_could_fire_does_not_decide_who_is_asked() -> None:
    """Red moves to where the ambusher could fire, or could not: blue is asked in either case, or in neither."""
    for place in ("c1", "d4"):
        match = sandtable.new("tiny/post", seed=1)
        match.apply("blue", HideAt(place))
        assert orders.hides(match, "blue")
        assert not orders.hides(match, "red")
        match.apply("red", Move("r1", "b1"))
        if match.to_act != ("blue",):
            raise AssertionError("there is no window")
        assert len(match.actions("blue")) == (2 if place == "c1" else 1)
        assert orders.forced(match, "blue") is None
        asking = Orders(rules=(OrderRule("b1", "never"), OrderRule("b2", "never")))
        assert orders.answer(match, "blue", asking, present=True) is None
        never = Orders(rules=(OrderRule(do="never"),))
        assert orders.answer(match, "blue", never, present=True) == Hold()


@pytest.mark.parametrize(
    "bad",
    [
        Orders(absent="perhaps"),
        Orders(rules=(OrderRule(do="sometimes"),)),
        Orders(rules=(OrderRule(only=("range:far",)),)),
        Orders(rules=(OrderRule(),) * 101),
        Orders(rules=(OrderRule(unit="x" * 100),)),
    ],
)
def test_orders_that_make_no_sense(bad: Orders) -> None:
    with pytest.raises(Refused):
        orders.checked(bad)


NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
@given(NAMES, NAMES, st.lists(st.booleans(), min_size=8, max_size=8), st.text(max_size=3))
def test_a_patch_gives_the_whole_view_again(old: list[str], new: list[str], moved: list[bool], prompt: str) -> None:
    def view(names: list[str], at: dict[str, str], words: str) -> dict[str, Any]:
        pieces = tuple(PieceView(name, at.get(name, "A1"), "face", name) for name in names)
        return view_table(View("red", "1", "fire", "red", words, pieces=pieces), 1, ("red",), None)

    places = {name: "B2" for name, yes in zip("abcdefgh", moved, strict=True) if yes}
    before, after = view(old, {}, "go"), view(new, places, prompt)
    assert patched(as_json(before), as_json(patch(before, after))) == as_json(after)
