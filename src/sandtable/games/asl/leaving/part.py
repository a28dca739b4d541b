"""The part itself: what leaving close combat brings to a game (A11.16-A11.41).

Put it after the prisoners among the parts of a game, and `LeavingRules` into its ruleset.
"""

from __future__ import annotations

from sandtable.games.asl.leaving import going, words
from sandtable.games.asl.leaving.model import (
    BOUND,
    WITHDRAWING,
    LeaveTo,
    Leaving,
    LeftCombat,
    NoWayOut,
    StayAndFight,
    StayInMelee,
    Withdraw,
    WithdrawalDeclared,
    Withdrawing,
)
from sandtable.games.asl.leaving.who import combat_lines, pair_bar
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.refused import drop_bar
from sandtable.games.squad.part import Look, MarkKind, Part
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.marker_faces import tag


def _drop_refused(state: SquadState, side: str, action: DropWeapon) -> tuple[str, str] | None:
    """Before a Withdrawal only what cannot be carried along is dropped (A11.21)."""
    if action.weapon in going.loads(state, side):
        return None
    return drop_bar(state, side, action)


PART = Part(
    fields=(BOUND,),
    marks=(
        MarkKind(
            name=WITHDRAWING,
            bars=("combat",),
            why="It withdraws and makes no attack",
            goes="CCPh ends",
            rule="A11.2",
        ),
    ),
    faces={
        f"marker/{WITHDRAWING}": Look(
            tag("out", "#f6f3e8", "#5b4a86"),
            "Withdrawing",
            "Leaves the Melee after this close combat; attacked at -2, +1 for each friend who stays",
            "A11.2",
        )
    },
    begins={"CCPh": going.begin},
    ends={"CCPh": going.end},
    fights=going.fights,
    procedures={Withdrawing: going.Declaring(), Leaving: going.Departing()},
    bars={"pair": pair_bar},
    lines={"combat": combat_lines},
    describe={
        Withdraw: words.describe_withdraw,
        StayInMelee: words.describe_stay,
        LeaveTo: words.describe_leave,
        StayAndFight: words.describe_fight,
        (Withdrawing, Done): words.describe_done,
    },
    why_not={
        Withdraw: words.withdraw_refused,
        StayInMelee: words.stay_refused,
        LeaveTo: words.leave_refused,
        StayAndFight: words.fight_refused,
        (Withdrawing, DropWeapon): _drop_refused,
    },
    refusals={Withdrawing: words.refusals},
    preview={Withdraw: words.preview},
    prompts={
        Withdrawing: lambda state, frame: ("Declare who withdraws from Melee", "A11.2"),
        Leaving: words.ask_leaving,
    },
    words={
        WithdrawalDeclared: words.declared_words,
        LeftCombat: words.left_words,
        NoWayOut: words.no_way_words,
    },
)
