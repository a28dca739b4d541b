"""The part itself: what Snipers bring to a game (A14)."""

from __future__ import annotations

from sandtable.engine.odds import TWO_DICE
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, MarkView, OddsLine, PanelView, Preview, RowView
from sandtable.games.asl.busy import BUSY
from sandtable.games.asl.snipers import rules
from sandtable.games.asl.snipers.model import (
    LEAST_SAN,
    SNIPERS,
    CheckForSniper,
    Checking,
    LetSniperGo,
    MoveSniper,
    Snipe,
    SniperActive,
    SniperActs,
    SniperAims,
    SniperAttacked,
    SniperHit,
    SniperMoved,
    SniperSought,
    SnipeSniper,
    SnipeUnits,
)
from sandtable.games.asl.snipers.rules import titles
from sandtable.games.squad.ground.names import names, short, verb
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.marker_faces import tag

FACE = "marker/sniper"


def _shows(state: SquadState, side: str | None) -> Shown:
    """The counters and the SAN of both sides, which everybody knows."""
    working = {whose: sniper for whose, sniper in SNIPERS.of(state).items() if sniper.san >= LEAST_SAN}
    rows = tuple(
        RowView(titles(state, whose), f"SAN {sniper.san}{', pinned' if sniper.pinned else ''}", "A14.1")
        for whose, sniper in working.items()
    )
    marks = tuple(
        MarkView(name_of(state, sniper.at), FACE, f"{titles(state, whose)} Sniper, SAN {sniper.san}", whose)
        for whose, sniper in working.items()
        if sniper.at >= 0
    )
    return Shown(marks=marks, panels=(PanelView("snipers", "Snipers", rows),) if rows else ())


def _check_words(state: SquadState, side: str, action: CheckForSniper) -> Description:
    frame = state.stack[-1]
    units = tuple([unit.id for unit in rules.seekers(state, frame)]) if isinstance(frame, Checking) else ()
    text = f"{names(state, units)} {verb(units, 'looks', 'look')} for the Sniper"
    return Description(text, "sniper", units, rule="A14.4", notes=("TI for the rest of the Player Turn",))


def _check_preview(state: SquadState, side: str, action: CheckForSniper) -> Preview | None:
    frame = state.stack[-1]
    if not isinstance(frame, Checking):
        return None
    tally = rules.check_tally(state, rules.seekers(state, frame))
    chances = [
        sum([chance for total, chance in TWO_DICE if low < total + tally.total <= high])
        for low, high in ((-99, rules.KILLED), (rules.KILLED, rules.PINNED))
    ]
    lines = (OddsLine("the Sniper is eliminated", chances[0]), OddsLine("the Sniper is pinned", chances[1]))
    return Preview("Sniper Check", (tally,), lines)


def _not_now(state: SquadState, side: str, action: object) -> Bar | None:
    at_work = isinstance(state.stack[-1], SniperActs | SniperAims | Checking)
    return None if at_work else ("Only when a Sniper is at work", "A14.1")


def _active(state: SquadState, event: SniperActive) -> str:
    result = "and finds a target" if event.dr <= rules.WORKS else "but finds no target"
    return f"The {titles(state, event.side)} Sniper is activated (dr {event.dr}) {result} (A14.1)"


def _hit(state: SquadState, event: SniperHit) -> str:
    what = f"is eliminated; its SAN is now {event.san}" if event.killed else "is pinned"
    return f"The {titles(state, event.side)} Sniper in {event.at} {what} (A14.4)"


def _sought(state: SquadState, event: SniperSought) -> str:
    found = "" if event.dr is None else f": final DR {event.dr}"
    return f"{names(state, event.units)} in {event.at} {verb(event.units, 'looks', 'look')} for the Sniper{found}"


def _say(text: str, group: str = "sniper", key: str = "") -> Description:
    return Description(text, group, rule="A14.2", key=key)


PART = Part(
    needs=(BUSY,),
    fields=(SNIPERS,),
    begins={"turn": rules.place},
    settled=rules.called,
    shows=_shows,
    faces={FACE: Look(tag("SNIP", "#f6f3e8", "#33402c"), "Sniper", "Attacks when the enemy rolls its SAN", "A14.1")},
    procedures={SniperActs: rules.Acting(), SniperAims: rules.Aiming(), Checking: rules.SniperCheck()},
    describe={
        Snipe: lambda state, side, action: _say("The Sniper attacks"),
        MoveSniper: lambda state, side, action: _say("Place the Sniper counter elsewhere instead"),
        SnipeUnits: lambda state, side, action: _say("Aim at the units of the hex"),
        SnipeSniper: lambda state, side, action: _say("Aim at the enemy Sniper"),
        CheckForSniper: _check_words,
        LetSniperGo: lambda state, side, action: _say("Do not look for the Sniper", "done", "Enter"),
    },
    why_not=dict.fromkeys((Snipe, MoveSniper, SnipeUnits, SnipeSniper, CheckForSniper, LetSniperGo), _not_now),
    preview={CheckForSniper: _check_preview},
    words={
        SniperActive: _active,
        SniperMoved: lambda state, event: f"The {titles(state, event.side)} Sniper is now in {event.at}",
        SniperAttacked: lambda state, event: (
            f"The Sniper hits {short(state, event.unit)} in {event.at} (dr {event.dr}, A14.3)"
        ),
        SniperHit: _hit,
        SniperSought: _sought,
    },
    prompts={
        SniperActs: lambda state, frame: ("Your Sniper may attack, or be placed elsewhere", "A14.2"),
        SniperAims: lambda state, frame: ("Choose the target of your Sniper", "A14.21"),
        Checking: lambda state, frame: ("Look for the Sniper, or ignore it", "A14.4"),
    },
)
