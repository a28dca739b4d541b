"""Special rules of scenarios in the Rally Phase: leaders of other nations (S9, S13), a late repair (S10)."""

from __future__ import annotations

from squad_support import do, drill, offered, rule, unit, weapon

from sandtable.games.squad.rally.model import RallyPhase, RallyUnit, Repair


@rule("1.3")
@rule("3.1")
def test_leaders_rally_other_nations_worse() -> None:
    units = [
        unit("l", "american 9-1", "A1"),
        unit("us", "american 7-4-7", "A1", broken=True, rally_tried=False),
        unit("gb", "british 4-5-7", "A1", broken=True),
    ]
    match = drill("S9", "RPh", units, game="aslsk2", attacker="allied")
    do(match, match.actions("allied")[-1])
    own = match.preview("allied", RallyUnit("us", "l"))
    other = match.preview("allied", RallyUnit("gb", "l"))
    assert own is not None
    assert other is not None
    assert other.tallies[0].total == own.tallies[0].total + 1


@rule("1.3")
@rule("3.1")
def test_the_italian_mmg_cannot_be_repaired_before_turn_two() -> None:
    for turn, count in ((1, 0), (2, 1)):
        match = drill(
            "S10",
            "RPh",
            [unit("a", "italian 3-4-7", "J3")],
            [weapon("mg", "italian MMG", "a", broken=True)],
            game="aslsk2",
            attacker="italian",
            turn=turn,
        )
        in_phase = isinstance(match.state.stack[-1], RallyPhase)
        assert len(offered(match, Repair) if in_phase else []) == count
