"""The part itself: what concealment brings to a game (A12)."""

from __future__ import annotations

from sandtable.engine import Action, Play
from sandtable.engine.view import Description
from sandtable.games.asl.busy import BUSY
from sandtable.games.asl.concealment import gaining, losing, meeting, searching, words
from sandtable.games.asl.concealment.model import (
    Bumped,
    ConcealmentFailed,
    ConcealmentGained,
    ConcealmentLost,
    Detected,
    Disclosing,
    DummyRemoved,
    EndSearch,
    ForcesSeen,
    Glimpsed,
    HideUnit,
    KeepConcealed,
    KeptUnderFire,
    MoppedUp,
    MopUp,
    Proved,
    PutUnderQuestion,
    Search,
    SearchBegan,
    Searched,
    SearchHex,
    Searching,
    ShowUnit,
    StrengthShown,
)
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.fire.model import DefensiveFirePhase, PrepFirePhase
from sandtable.games.squad.ground.knowledge import SHOWN, hidden, hidden_units
from sandtable.games.squad.ground.setting import ground_of, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import update
from sandtable.games.squad.movement.model import Move, MovementPhase
from sandtable.games.squad.part import Look, MarkKind, Part
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario.model import SetUp
from sandtable.games.squad.show.marker_faces import tag

MARKS = (MarkKind(name=SHOWN, goes="CCPh ends", rule="A11.19"),)
SEEN = 'Has revealed its strength in close combat and keeps its "?"'
FACES = {
    f"marker/{SHOWN}": Look(tag("seen", "#f6f3e8", "#6b6248"), "Seen", SEEN, "A11.19"),
}


def _hiding(state: SquadState, frame: SetUp, side: str) -> list[Action]:
    """Units that may be set up hidden: in Concealment Terrain, as many as the scenario allows (A12.3)."""
    allowed = gaining.MAY_HIDE.of(state).get(side, 0)
    if not allowed or frame.unit or frame.weapon:
        return []
    setting = setting_of(state)
    group = setting.setup_order[frame.order]
    left = allowed - sum([unit_kind(state, state.units[name]).size for name in hidden_units(state, side)])
    placed = [unit for unit in state.units.values() if unit.group == group and unit.at >= 0 and not hidden(unit)]
    return [
        HideUnit(unit.id)
        for unit in placed
        if unit_kind(state, unit).personnel
        and unit_kind(state, unit).size <= left
        and concealment_terrain(ground_of(state), unit.at)
    ]


def _hide(play: Play[SquadState], frame: SetUp, side: str, action: HideUnit) -> None:
    update(play, play.state.units[action.unit], hip=True)


def _why_not_hide(state: SquadState, side: str, action: HideUnit) -> tuple[str, str] | None:
    frame = state.stack[-1]
    if isinstance(frame, SetUp) and action in _hiding(state, frame, side):
        return None
    return "Only as many units as the scenario allows may be hidden, and only in Concealment Terrain", "A12.3"


PART = Part(
    needs=(BUSY,),
    fields=(gaining.MAY_HIDE,),
    conceals=True,
    marks=MARKS,
    faces=FACES,
    before={fate: losing.before(why) for fate, why in losing.FATES.items()},
    comes_out=losing.comes_out,
    spent=losing.spent,
    enters=losing.enters,
    meets=meeting.meets,
    joins=meeting.joins,
    lines={"combat FP": meeting.halves, "ambush": meeting.ambush},
    begins={"turn": gaining.begin, "RtPh": meeting.before_rout},
    ends={"RPh": gaining.enter_concealed, "CCPh": gaining.gain},
    procedures={
        Detected: meeting.Detection(),
        Disclosing: meeting.Disclosure(),
        Searching: searching.SearchAround(),
    },
    offers={
        PrepFirePhase: lambda state, frame, side: [
            *meeting.show_actions(state, frame, side),
            *searching.mop_actions(state, frame, side),
        ],
        MovementPhase: meeting.show_actions,
        DefensiveFirePhase: meeting.show_actions,
        AdvancePhase: meeting.show_actions,
        Move: searching.search_actions,
        SetUp: _hiding,
    },
    does={ShowUnit: meeting.show, Search: searching.search, MopUp: searching.mop_up, HideUnit: _hide},
    describe={
        ShowUnit: words.show_words,
        KeepConcealed: lambda state, side, action: Description("Reveal no unit", "done", key="Enter", rule="A10.533"),
        HideUnit: words.hide_words,
        Search: words.search_words,
        SearchHex: words.search_hex_words,
        EndSearch: lambda state, side, action: Description("Search no more", "done", key="Enter", rule="A12.152"),
        MopUp: words.mop_words,
    },
    why_not={
        ShowUnit: words.why_not_show,
        Search: words.why_not_search,
        MopUp: words.why_not_mop,
        HideUnit: _why_not_hide,
    },
    words={
        ConcealmentGained: words.gained,
        ConcealmentFailed: words.failed,
        ConcealmentLost: words.lost,
        PutUnderQuestion: words.under_question,
        DummyRemoved: words.dummy,
        Proved: words.proved,
        StrengthShown: words.strength,
        KeptUnderFire: words.kept,
        Glimpsed: words.glimpsed,
        ForcesSeen: words.seen,
        Bumped: words.bumped,
        SearchBegan: words.began,
        Searched: words.searched,
        MoppedUp: words.mopped,
    },
    prompts={
        Detected: words.ask_detected,
        Disclosing: lambda state, frame: ("You may reveal concealed units before the enemy routs", "A10.533"),
        Searching: words.ask_search,
    },
)
