"""What the player sees of a mission: S?, VPO, the roster, the odds of a S?; events in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sandtable.engine import Decided, Event, Option, ScenarioInfo
from sandtable.engine.part import Words
from sandtable.engine.view import MarkView, PanelView, PieceView, RowView
from sandtable.games.asl.crest.part import FACE
from sandtable.games.asl.snipers.model import SNIPERS
from sandtable.games.sasl import activation, crests, free_french, missions, victory
from sandtable.games.sasl.dice import printed
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ROAD,
    ROSTER,
    STRONGPOINT,
    SUSPECTS,
    VERDICT,
    Activated,
    BoardJoined,
    Objective,
    ObjectiveTaken,
    PointsGained,
    SuspectMoved,
    SuspectsPlaced,
    Tallied,
)
from sandtable.games.sasl.ordnance import gun_faces
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import board_title, rolled_in
from sandtable.games.sasl.tables.cards import FILES, card
from sandtable.games.sasl.tables.dates import month_words
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.ground.names import titled
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.faces import piece_faces
from sandtable.games.squad.show.marker_faces import marker_faces
from sandtable.games.squad.show.palette import COLOURS
from sandtable.games.squad.show.scene import SPINES

SIDES = {FRIENDLY: "FRIENDLY", ENEMY: "ENEMY"}
COMMANDS = ("A3a", "A3d", "A4a", "A4b")
"""Tables whose rows send to others."""
MOST_SHOWN = 50
"""So many looks at the S? of matches are remembered."""
COLOURS_OF = {FRIENDLY: "#5d7f9c", ENEMY: "#8d6f5a"}


def scenario_info(card_: Scenario, options: tuple[Option, ...]) -> ScenarioInfo:
    """What a player reads before he picks a mission."""
    return ScenarioInfo(
        id=card_.id,
        title=f"Mission {card_.id}: {card_.title}" if card_.id.isdecimal() else card_.title,
        sides=(FRIENDLY, ENEMY),
        summary=card_.summary,
        length="until the Mission End dr",
        first=FRIENDLY,
        options=options,
        facts=tuple((f"Note {number}", rule.text) for number, rule in enumerate(card_.ssr, 1)),
    )


def faces() -> Mapping[str, str]:
    """Counters of all nations with a card, markers, and the S? and VPO of this game."""
    nations = dict.fromkeys(card(code).nation for code in FILES)
    known = tuple(nation for nation in (*nations, "german_ss", free_french.NATION) if nation in COLOURS)
    return {**piece_faces(known), **gun_faces(), **marker_faces(COLOURS_OF), **_own_faces()}


def _own_faces() -> dict[str, str]:
    box = '<rect x="2" y="2" width="96" height="96" rx="10" fill="{}" stroke="#222" stroke-width="4"/>'
    text = '<text x="50" y="{}" font-size="{}" text-anchor="middle" font-weight="700" fill="{}" {}>{}</text>'
    font = 'font-family="Arial, sans-serif"'
    found = {}
    for name, colour, ink in (("hold", "#3a3a3a", "#f4f0e0"), ("advance", "#8a1f1f", "#fff")):
        word = "Hold" if name == "hold" else "Advance"
        found[f"suspect/{name}"] = (
            box.format(colour) + text.format(62, 46, ink, font, "S?") + text.format(88, 18, ink, font, word)
        )
    for side, colour in (("", "#bbb"), (FRIENDLY, COLOURS_OF[FRIENDLY]), (ENEMY, COLOURS_OF[ENEMY])):
        found[f"vpo/{side or 'divided'}"] = (
            f'<circle cx="50" cy="50" r="46" fill="{colour}" stroke="#222" stroke-width="5"/>'
            + text.format(62, 34, "#fff", font, "VPO")
        )
    found[f"road/{FRIENDLY}"] = (
        f'<rect x="12" y="28" width="76" height="44" rx="8" fill="{COLOURS_OF[FRIENDLY]}" stroke="#222"'
        f' stroke-width="5"/>' + text.format(60, 28, "#fff", font, "road")
    )
    return found


# -- view -------------------------------------------------------------------------------------------


def shown(state: SquadState, side: str | None) -> Shown:
    """S? and VPO on the map, the roster beside it."""
    if not rolled_in(state).boards:
        return Shown()
    marks = tuple(
        MarkView(name_of(state, cell), f"vpo/{owner or 'divided'}", f"VPO {one.id}: {_owned(one, owner)}", owner)
        for one in OBJECTIVES.of(state).values()
        for cell, owner in zip(one.cells, one.owners, strict=True)
        if cell >= 0
    )
    marks += tuple(
        MarkView(name_of(state, cell), f"road/{FRIENDLY}", "Road hex: FRIENDLY", FRIENDLY)
        for cell, owner in ROAD.of(state).items()
        if owner == FRIENDLY
    )
    marks += tuple(
        MarkView(
            name_of(state, crests.stands(state, one)),
            FACE,
            f"S? at the Crest, {crests.facing_words(state, one)}",
            ENEMY,
            len(SPINES) + one.front,
        )
        for one in crests.crested(state)
    )
    return Shown(_suspects(state), marks, (*verdict_panels(state), roster_panel(state), suspects_panel(state)))


_SHOWN: dict[tuple[object, ...], tuple[PieceView, ...]] = {}
"""S? as they were shown last, by all that they follow from."""


def _suspects(state: SquadState) -> tuple[PieceView, ...]:
    """The S? with their odds: the same until a S?, the roster, a VPO or an ENEMY unit changes."""
    suspects = SUSPECTS.of(state).values()
    company = tuple([unit.at for unit in state.units.values() if unit.side == ENEMY])
    key = (state.setting, ROSTER.of(state), company, *OBJECTIVES.of(state).values(), *suspects)
    found = _SHOWN.get(key)
    if found is None:
        if len(_SHOWN) >= MOST_SHOWN:
            _SHOWN.clear()
        found = _SHOWN[key] = tuple(
            PieceView(
                one.id,
                name_of(state, crests.stands(state, one)),
                f"suspect/{one.attitude.lower()}",
                f"S? ({one.attitude} Attitude)",
                side=ENEMY,
                facts=odds_facts(state, one.id),
            )
            for one in suspects
            if one.at >= 0
        )
    return found


def _owned(one: Objective, owner: str) -> str:
    """Whose a VPO is; what a fortification is worth does not depend on a dr at Mission end (M4)."""
    return SIDES.get(owner, "divided") + (f", {one.worth} VP" if one.worth else "")


def victory_panel(state: SquadState) -> PanelView:
    """How a mission is won (S12.6)."""
    tie = "the ENEMY wins" if reading(state, "tie") == "enemy" else "the mission is a draw"
    most = "The side with more VP at Mission end wins"
    rows = RowView(most, rule="S12.6"), RowView(f"If the VP are equal, {tie}", rule="SA-51")
    return PanelView("victory", "Victory", rows)


def verdict_panels(state: SquadState) -> tuple[PanelView, ...]:
    """The VP of both sides at Mission end, line by line (S12.6)."""
    lines = VERDICT.of(state)
    if not lines:
        return ()
    sums = sum(line[1] for line in lines), sum(line[2] for line in lines)
    rows = [RowView(_capital(what), f"{ours:g} : {theirs:g}") for what, ours, theirs in lines if ours or theirs]
    rows.append(RowView("Total VP, FRIENDLY : ENEMY", f"{sums[0]:g} : {sums[1]:g}", "S12.6", _tone(*sums)))
    return (PanelView("verdict", "Verdict", tuple(rows)),)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _tone(ours: float, theirs: float) -> str:
    return "good" if ours > theirs else "bad" if theirs > ours else ""


def odds_facts(state: SquadState, name: str) -> tuple[tuple[str, str], ...]:
    """What a S? could be: the exact odds of A1 (S5.6), and the chance of its check."""
    one = SUSPECTS.of(state)[name]
    drm = int(activation.check_tally(state, one).total)
    found = _facts(ROSTER.of(state).ac, drm, activation.contents_drm(state, one))
    return found if one.front < 0 else (("Crest status", crests.facing_words(state, one)), *found)


@cache
def _facts(ac: int, drm: int, contents: int) -> tuple[tuple[str, str], ...]:
    chance = sum(activation.activates(ac, dr, drm) for dr in range(1, 7))
    check = ("Activation Check", f"{chance} in 6 (AC# {ac}, drm {drm:+d})")
    odds = activation.contents_odds(contents)
    return (check, *[(f"{share.numerator}/{share.denominator}", _read(words)) for words, share in odds])


def _read(words: str) -> str:
    """Contents as they are read as long as there are no vehicles (SA-46)."""
    return words.replace("AFV", "AFV (here a Gun)").replace("SPG", "SPG (here a Gun)")


def roster_panel(state: SquadState) -> PanelView:
    """The figures of the roster sheet."""
    roster, base = ROSTER.of(state), rolled_in(state)
    drms = [f"{attitude} {activation.attitude_drm(state, attitude):+d}" for attitude in (HOLD, ADVANCE)]
    rows = [
        RowView("Date and place", f"{month_words(base.date)}, {base.theatre}"),
        RowView("ENEMY", f"{base.enemy_title}, {facts.prevailing(state)} Attitude", "S3.2"),
        RowView("AC#", str(roster.ac), "S5.1"),
        RowView("RE Numbers", f"FRIENDLY {roster.friendly_re}, ENEMY {roster.enemy_re}", "S2.11"),
        RowView("SAN", ", ".join([f"{SIDES[side]} {one.san}" for side, one in SNIPERS.of(state).items()]), "A14"),
        RowView("A1 DRM", ", ".join(drms), "S5.6"),
        RowView("S? on the map", str(sum(one.at >= 0 for one in SUSPECTS.of(state).values())), "S3.1"),
    ]
    end = missions.rules_of(state).end_words(state)
    if roster.evacuate:
        end = f"after turn {roster.evacuate}, or when no FRIENDLY unit is left"
    rows.append(RowView("Mission End", end, "S12.5"))
    if roster.pool:
        rows.append(RowView("S? off board", str(roster.pool), "S4.21"))
    if roster.used:
        rows.append(RowView("Events used", ", ".join(roster.used), "S2.31"))
    for one in OBJECTIVES.of(state).values():
        rows.append(RowView(f"VPO {one.id}", _owned(one, one.owner()), "S14"))
    for words, ours, theirs in [*victory.gained(state), *missions.rules_of(state).tally(state)]:
        rows.append(RowView(_capital(words), f"FRIENDLY {ours:g}, ENEMY {theirs:g} VP", "S12.6"))
    return PanelView("roster", "Roster", tuple(rows))


def suspects_panel(state: SquadState) -> PanelView:
    """What a S? in Hold or Advance Attitude could be."""
    rows = []
    for attitude in sorted({one.attitude for one in SUSPECTS.of(state).values()}):
        one = next(one for one in SUSPECTS.of(state).values() if one.attitude == attitude)
        for words, share in activation.odds(state, one):
            rows.append(RowView(f"{attitude}: {_read(words)}", f"{share.numerator}/{share.denominator}", "S5.6"))
    return PanelView("suspects", "What could a S? be?", tuple(rows))


# -- words --------------------------------------------------------------------------------------------


def _activated(state: SquadState, event: Activated) -> str:
    if event.dummy:
        return f"The S? in {event.at} turns out to be nothing"
    kinds = [state.units[name].kind for name in event.units if name in state.units]
    nations = [kind.partition(" ")[0] for kind in kinds]
    # one nation is named once: "German 4-6-7, 2-4-7"
    names = [
        kind.partition(" ")[2] if place and nations[place] == nations[place - 1] else titled(kind)
        for place, kind in enumerate(kinds)
    ]
    if event.suspect == STRONGPOINT:
        return f"The pillbox in {event.at} is held by {', '.join(names)}"
    if not names:
        return f'The S? in {event.at} is Activated and lies under a "?"'
    return f"The S? in {event.at} is Activated: {', '.join(names)}"


def _placed(state: SquadState, event: SuspectsPlaced) -> str:
    verb = "is" if event.number == 1 else "are"
    where = f" on {board_title(event.board)}" if event.board else ""
    case = f"S{event.case}" if event.case[:1].isdigit() else event.case
    return f"{event.number} S? {verb} set up{where} ({case})"


def _moved(state: SquadState, event: SuspectMoved) -> str:
    if not event.frm:
        return f"A S? enters in {event.at}"
    over = f" over {', '.join(event.via)}" if event.via else ""
    stays = f" and stops there: {event.stays}" if event.stays else ""
    return f"A S? moves from {event.frm}{over} to {event.at}{stays}"


def _tallied(state: SquadState, event: Tallied) -> str:
    words = [f"{what}: FRIENDLY {ours:g}, ENEMY {theirs:g}" for what, ours, theirs in event.lines if ours or theirs]
    return "VP at Mission end. " + "; ".join(words)


def _decided(state: SquadState, event: Decided) -> str:
    roll = f" (rolled {' '.join(map(str, event.faces))})" if event.faces else ""
    why = "none" if event.why == "-" else event.why
    row = event.row
    if event.table in COMMANDS and event.faces and not covers(row, sum(event.faces)):
        row = f"{sum(event.faces)}, which refers to {row}"
    where = ", ".join(filter(None, (f"{event.table}{roll}", row)))
    return printed(where + (f": {why}" if why else ""))


def covers(key: str, roll: int) -> bool:
    """Whether a roll falls under the key of a row; keys that are no numbers stand for themselves."""
    low, _, high = key.removeprefix("<=").removeprefix(">=").partition("-")
    if not low.isdecimal() or (high and not high.isdecimal()):
        return True
    if key.startswith(("<=", ">=")):
        return roll <= int(low) if key[0] == "<" else roll >= int(low)
    return int(low) <= roll <= int(high or low)


WORDS: dict[type[Event], Words] = {
    Decided: _decided,
    Activated: _activated,
    SuspectsPlaced: _placed,
    SuspectMoved: _moved,
    ObjectiveTaken: lambda state, event: f"The {SIDES[event.side]} side gains Control of the VPO in {event.at}",
    BoardJoined: lambda state, event: f"{board_title(event.board)} is activated along the EBE",
    PointsGained: lambda state, event: f"The {SIDES[event.side]} side gains {event.points:g} VP: {event.why}",
    Tallied: _tallied,
}
__all__ = ["ADVANCE", "faces", "scenario_info", "shown"]
