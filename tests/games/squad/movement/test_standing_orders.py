"""Standing orders: fire in the other side's Player Turn that is fired or held for a player."""

from __future__ import annotations

from typing import Any

from squad_support import cell, drill, get, happened, rule, unit, weapon

from sandtable.engine import Event, Match
from sandtable.engine.tools import OrderRule, Orders
from sandtable.games.squad.fire.model import Fired, FireDraft
from sandtable.games.squad.movement.model import AddMover, BeginMove, Reaction, StartMove, Step, Stop
from sandtable.games.squad.ordnance.model import Shot
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import FINAL_FIRE
from sandtable.server import orders as server_orders

MISS = [6, 5]
"""An attack that harms nobody and does not cower."""


def moved(match: Match, *to: str, who: str = "r1") -> None:
    """A Russian starts to move and enters hexes until the DEFENDER is asked."""
    match.apply("russian", StartMove(who))
    match.apply("russian", BeginMove())
    for name in to:
        match.apply("russian", Step(cell(match, name)))


def obey(match: Match, orders: Orders, *, present: bool = True) -> list[Event]:
    """Carry out what the orders say, until the German player himself is asked or the mover goes on."""
    events: list[Event] = []
    while match.to_act == ("german",):
        action = server_orders.answer(match, "german", orders, present=present)
        if action is None:
            break
        events += match.apply("german", action)
    return events


def orders(*rules: OrderRule, **more: Any) -> Orders:
    return Orders(rules=rules, **more)


def field(dice: list[int], **more: Any) -> Match:
    """Two squads, a leader and a machine gun in zK5; a Russian in zI4 who will come into sight."""
    return drill(
        "z",
        "MPh",
        [
            unit("r1", "russian 4-4-7", "I4"),
            unit("g1", "german 4-6-7", "K5"),
            unit("g2", "german 4-6-7", "K5"),
            unit("g3", "german 9-1", "K5"),
        ],
        [weapon("m1", "german MMG", "g1")],
        dice=dice,
        **more,
    )


@rule("3.3.1")
class TestAlways:
    def test_the_hex_fires_as_one_group_with_its_leader(self) -> None:
        match = field(MISS + MISS)
        moved(match, "J3")
        events = obey(match, orders(OrderRule(do="always")))
        first, again = happened(events, Fired)  # 2 MF were spent: Subsequent First Fire follows
        assert set(first.firers) == set(again.firers) == {"g1", "g2", "m1", "g3"}
        assert get(match, "g3").directed  # without a leader of their own the others would cower
        assert match.to_act == ("russian",)

    def test_an_order_for_one_unit_leaves_the_others_out(self) -> None:
        match = field(MISS + MISS)
        moved(match, "J3")
        events = obey(match, orders(OrderRule("g2", "always"), OrderRule("g3", "never"), OrderRule(do="never")))
        assert [shot.firers for shot in happened(events, Fired)] == [("g2",), ("g2",)]
        assert get(match, "g2").marker == FINAL_FIRE
        assert not get(match, "g3").directed

    def test_only_in_the_open(self) -> None:
        match = field([*MISS, 1, 2])
        only_open = orders(OrderRule(do="always", only=("open",)))
        moved(match, "J3")
        assert not happened(obey(match, only_open), Fired)
        assert match.to_act == ("russian",)
        match.apply("russian", Step(cell(match, "K3")))
        assert happened(obey(match, only_open), Fired)

    def test_only_within_a_range(self) -> None:
        match = field(MISS)
        moved(match, "J3")
        assert not happened(obey(match, orders(OrderRule(do="always", only=("adjacent",)))), Fired)
        match = field(MISS + MISS)
        moved(match, "J3")
        assert happened(obey(match, orders(OrderRule(do="always", only=("range:2",)))), Fired)

    def test_final_protective_fire_is_never_fired_by_order(self) -> None:
        units = [unit("r1", "russian 4-4-7", "I5"), unit("g1", "german 4-6-7", "K5", marker=FINAL_FIRE)]
        match = drill("z", "MPh", units)
        moved(match, "J5")
        assert not obey(match, orders(OrderRule(do="always")))
        assert isinstance(match.state.stack[-1], Reaction)
        obey(match, orders(OrderRule(do="always"), absent="pass"), present=False)
        assert match.to_act == ("russian",)

    def test_a_gun_fires_but_a_hidden_one_keeps_its_secret(self) -> None:
        units = [unit("r1", "russian 4-4-7", "I4"), unit("g1", "german 2-2-8", "K5")]
        guns = [weapon("p1", "german 7.5cm PaK 40 AT", "g1", facing=0)]
        match = drill("z", "MPh", units, guns, dice=[6, 6])
        moved(match, "J3")
        events = obey(match, orders(OrderRule(do="always")))
        assert [shot.weapon for shot in happened(events, Shot)] == ["p1"]
        assert not happened(events, Fired)
        units[1]["hip"] = True
        match = drill("z", "MPh", units, [guns[0] | {"hip": True}])
        moved(match, "J3")
        assert not obey(match, orders(OrderRule(do="always")))
        assert match.to_act == ("german",)


@rule("3.3.1")
class TestNeverAndAsk:
    def test_never_lets_the_mover_go_on(self) -> None:
        match = field([])
        moved(match, "J3")
        obey(match, orders(OrderRule(do="never")))
        assert match.to_act == ("russian",)

    def test_one_that_asks_is_enough_to_be_asked(self) -> None:
        match = field([])
        moved(match, "J3")
        assert not obey(match, orders(OrderRule("g2", "ask"), OrderRule(do="always")))
        assert isinstance(match.state.stack[-1], Reaction)

    def test_a_draft_of_the_players_own_is_left_to_him(self) -> None:
        match = field([])
        moved(match, "J3")
        mixed = orders(OrderRule("g2", "ask"), OrderRule(do="always"))
        match.apply("german", match.actions("german")[0])
        assert isinstance(match.state.stack[-1], FireDraft)
        assert not obey(match, mixed)

    def test_an_absent_player_lets_the_mover_go_on_to_the_next_phase(self) -> None:
        match = field([])
        away = Orders(absent="pass")
        moved(match, "J3")
        obey(match, away, present=False)
        match.apply("russian", Stop())
        obey(match, away, present=False)
        match.apply("russian", EndPhase())
        assert match.state.phase == "DFPh"
        obey(match, away, present=False)
        assert match.state.phase == "AFPh"

    def test_without_orders_a_present_player_is_asked(self) -> None:
        match = field([])
        moved(match, "J3")
        assert not obey(match, Orders())


@rule("3.4")
def test_final_fire_by_order_takes_the_target_on_which_it_tells_most() -> None:
    units = [
        unit("r1", "russian 4-4-7", "J5"),
        unit("r2", "russian 4-4-7", "K3"),
        unit("g1", "german 4-6-7", "K5"),
        unit("g2", "german 4-6-7", "K5"),
    ]
    match = drill("z", "DFPh", units, dice=MISS)
    (shot,) = happened(obey(match, orders(OrderRule(do="always"))), Fired)
    assert shot.at == "K3"
    assert set(shot.firers) == {"g1", "g2"}
    assert match.state.phase != "DFPh"


@rule("3.4")
def test_a_stack_that_moves_is_asked_about_like_one_unit() -> None:
    units = [unit("r1", "russian 4-4-7", "I4"), unit("r2", "russian 9-1", "I4"), unit("g1", "german 4-6-7", "K5")]
    match = drill("z", "MPh", units, dice=MISS + MISS)
    match.apply("russian", StartMove("r1"))
    match.apply("russian", AddMover("r2"))
    match.apply("russian", BeginMove())
    match.apply("russian", Step(cell(match, "J3")))
    assert happened(obey(match, orders(OrderRule(do="always"))), Fired)


@rule("6.4")
def test_the_windows_are_alike_wherever_a_hidden_gun_stands() -> None:
    """Behind the hedge or with a line to the mover: the same orders pass, fire or ask in both cases."""
    told: list[list[object]] = []
    for place in ("K5", "A1"):
        units = [
            unit("r1", "russian 4-4-7", "I4"),
            unit("g1", "german 2-2-8", place, hip=True),
            unit("g2", "german 4-6-7", "K5"),
        ]
        guns = [weapon("p1", "german 7.5cm PaK 40 AT", "g1", facing=0, hip=True)]
        found: list[object] = []
        for rules in (
            orders(),
            orders(OrderRule(do="never")),
            orders(OrderRule("g2", "never")),
            orders(OrderRule("g2", "always"), OrderRule(do="never")),
            orders(OrderRule("g2", "never"), OrderRule("p1", "ask", ("range:3",)), OrderRule(do="never")),
            orders(OrderRule(do="always")),
            orders(OrderRule("g2", "never"), absent="pass"),
        ):
            match = drill("z", "MPh", units, guns, dice=MISS + MISS)
            moved(match, "J3")
            fired = [shot.firers for shot in happened(obey(match, rules, present=rules.absent == "wait"), Fired)]
            found.append((fired, match.to_act))
        told.append(found)
    assert told[0] == told[1]
    asked = [to_act == ("german",) for _, to_act in told[0]]
    assert asked == [True, False, True, False, True, True, False]
