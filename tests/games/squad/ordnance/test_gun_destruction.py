"""The Gun Destruction Table under small arms; a KIA's number where crews are killed; leaders lost in a Melee."""

from __future__ import annotations

from ordnance_support import PAK, arc
from squad_support import cell, do, drill, get, get_weapon, happened, rule, unit, weapon

from sandtable.engine import Event, Match, Play, Rolled, Tally
from sandtable.games.squad.cards.tables import FireResult
from sandtable.games.squad.effects.aftermath import apply_impacts
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AddFirer, AimAt, FireAttack, ResolveFire, StartFire
from sandtable.games.squad.ordnance.hits import Struck, impacts_of
from sandtable.games.squad.pieces.events import LeaderLost
from sandtable.games.squad.pieces.model import SquadState


def attacked(dice: list[int], *, emplaced: bool = False) -> tuple[Match, list[Event]]:
    """Three squads fire from zK3 at a PaK in the open of zK4 through its Covered Arc: 24 FP, gunshield +2."""
    squads = [unit(f"r{n}", "russian 4-4-7", "K3") for n in (1, 2, 3)]
    units = [*squads, unit("gc", "german 2-2-8", "K4")]
    guns = [weapon("pak", PAK, "gc", facing=0, emplaced=emplaced)]
    guns[0]["facing"] = arc(drill("z", "PFPh", units, guns), "K4", "K3", "L3")
    match = drill("z", "PFPh", units, guns, dice=dice)
    draft = [StartFire("r1"), AimAt(cell(match, "K4")), AddFirer("r2"), AddFirer("r3")]
    return match, do(match, *draft, ResolveFire())


def dice_for(events: list[Event], what: str) -> list[int]:
    return [event.faces[0] for event in happened(events, Rolled) if what in event.why]


@rule("6.7")
class TestSmallArms:
    def test_the_figures_have_the_shield_for_the_crew_and_none_for_the_gun(self) -> None:
        match, _ = attacked([6, 6])
        (target,) = volley(match.state, FireAttack("russian", cell(match, "K4"), "prep", ("r1", "r2", "r3"))).targets
        assert (target.column, target.drm, target.bare) == (24, 2, 0)

    def test_a_kia_but_for_the_gunshield_asks_for_a_die_for_the_gun(self) -> None:
        # an original 4 is a 1KIA on the 24 column, with the shield 6: a 4MC; the Gun's dr of 5 is a K
        match, events = attacked([3, 1, 5, 3, 1])
        assert dice_for(events, "weapon destruction") == [5]
        assert get_weapon(match, "pak").broken
        assert not get(match, "gc").broken, "passes its 4MC with a 4"

    def test_its_loss_takes_the_crew_with_it(self) -> None:
        match, events = attacked([3, 1, 4])
        assert dice_for(events, "weapon destruction") == [4]
        assert "pak" not in match.state.weapons
        assert "gc" not in match.state.units

    def test_a_higher_dr_leaves_the_gun_alone(self) -> None:
        match, _ = attacked([3, 1, 6, 3, 1])
        assert not get_weapon(match, "pak").broken

    def test_a_kia_through_the_shield_judges_the_gun_without_it(self) -> None:
        # an original 2 cowers to the 20 column: a 2KIA, with the shield 4: a K/4, which is the end of a crew
        match, events = attacked([1, 1, 4])
        assert "gc" not in match.state.units
        assert dice_for(events, "weapon destruction") == [4]
        assert get_weapon(match, "pak").broken, "K/4 on the 20 column without the shield"

    def test_without_a_kia_nothing_is_rolled_for_the_gun(self) -> None:
        _, events = attacked([4, 1, 3, 1])
        assert dice_for(events, "weapon destruction") == []

    def test_emplacement_protects_both(self) -> None:
        _, events = attacked([3, 1, 3, 1], emplaced=True)
        assert dice_for(events, "weapon destruction") == []


@rule("6.7")
def test_those_whom_a_kia_has_no_number_left_for_break_and_no_more() -> None:
    units = [unit("gc", "german 2-2-8", "K5"), unit("g1", "german 4-6-7", "K5"), unit("r", "russian 4-4-7", "A1")]
    match = drill("z", "PFPh", units, [weapon("pak", PAK, "gc", facing=0)])
    play: Play[SquadState] = Play(match.state, match.dice)
    plain = Tally.of("Hit", [])
    apply_impacts(play, impacts_of(play, [Struck("gc", 8, plain, gun="pak"), Struck("g1", 8, plain)], 2, losses=[]))
    assert "gc" not in match.state.units
    assert get(match, "g1").broken
    assert get(match, "g1").kind == "german 4-6-7", "no die was rolled: neither an original 12 nor ELR"


@rule("3.2.3")
def test_who_was_in_melee_does_not_check_for_a_lost_leader_even_if_the_melee_ends() -> None:
    units = [
        unit("l", "german 9-2", "K5", melee=True),
        unit("g", "german 4-4-7", "K5", melee=True),
        unit("r", "russian 4-4-7", "K5", melee=True),
    ]
    match = drill("z", "PFPh", units, dice=[6, 5, 6, 5])
    play: Play[SquadState] = Play(match.state, match.dice)
    checks = [Impact(name, FireResult("MC", 4), 8) for name in ("g", "r")]
    apply_impacts(play, [Impact("l", FireResult("KIA", 9), 8), *checks])
    assert not happened(play.events, LeaderLost)
    assert get(match, "g").broken
    assert not get(match, "g").melee
