"""Field Promotions (5.3): original 2s of MMC in self-rallies and close combat."""

from __future__ import annotations

import pytest
from squad_support import do, drill, get, happened, rule, unit

from sandtable.games.squad.effects.promotion import best_base, creation_tally
from sandtable.games.squad.pieces.events import Promoted
from sandtable.games.squad.rally.model import RallyUnit, SelfRally


@rule("5.3")
class TestSelfRally:
    @pytest.mark.parametrize(("dr", "leader"), [(1, "russian 8-0"), (4, "russian 6+1"), (5, "")])
    def test_leader_creation_of_a_broken_russian_squad(self, dr: int, leader: str) -> None:
        # +1 broken, +1 Russian
        match = drill("z", "RPh", [unit("a", "russian 4-4-7", "F1", broken=True)], dice=[1, 1, dr])
        (event,) = happened(do(match, SelfRally("a")), Promoted)
        assert event.kind == leader
        if leader:
            assert not get(match, event.leader).broken
            assert get(match, event.leader).at == get(match, "a").at

    def test_a_german_squad_of_good_morale_does_better(self) -> None:
        match = drill("z", "RPh", [unit("a", "german 5-4-8", "F1", broken=True)], attacker="german", dice=[1, 1, 2])
        # -1 German, -1 morale of 8, +1 broken
        (event,) = happened(do(match, SelfRally("a")), Promoted)
        assert event.kind == "german 8-1"

    def test_only_self_rallies_of_mmc_promote(self) -> None:
        units = [unit("l", "russian 9-1", "F1"), unit("a", "russian 4-4-7", "F1", broken=True)]
        match = drill("z", "RPh", units, dice=[1, 1])
        do(match, match.actions("russian")[-1])
        assert not happened(do(match, RallyUnit("a", "l")), Promoted)
        match = drill("z", "RPh", [unit("l", "russian 9-1", "F1", broken=True)], dice=[1, 1])
        assert not happened(do(match, SelfRally("l")), Promoted)

    def test_a_created_leader_may_rally_others(self) -> None:
        units = [unit(name, "russian 4-4-7", "F1", broken=True) for name in "ab"]
        match = drill("z", "RPh", units, dice=[1, 1, 1, 3, 3])
        (event,) = happened(do(match, SelfRally("a")), Promoted)
        do(match, RallyUnit("b", event.leader))
        assert not get(match, "b").broken


@rule("5.3")
def test_the_best_mmc_is_the_base() -> None:
    units = [unit("c", "russian 4-2-6", "F1"), unit("e", "russian 4-5-8", "F1"), unit("l", "russian 9-1", "F1")]
    match = drill("z", "CCPh", units)
    base = best_base(match.state, [get(match, name) for name in ("c", "e", "l")])
    assert base is not None
    assert base.id == "e"
    assert best_base(match.state, [get(match, "l")]) is None


@rule("5.3")
def test_drm_of_a_conscript_at_low_odds() -> None:
    match = drill("z", "CCPh", [unit("c", "russian 4-2-6", "F1")])
    tally = creation_tally(match.state, get(match, "c"), columns_below_even=2)
    assert sorted(item.value for item in tally.items) == [-2, 1, 1]
