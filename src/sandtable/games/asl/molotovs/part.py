"""Molotov cocktails in the draft of an attack: offered, described, previewed and told (A22.6)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.molotovs.model import (
    GIVEN,
    KeepMolotov,
    MolotovBurst,
    MolotovChecked,
    NoFlame,
    ThrowMolotov,
)
from sandtable.games.asl.molotovs.throwing import FP, Molotov
from sandtable.games.asl.molotovs.who import throw_bar, throws_instead
from sandtable.games.squad.fire.model import FireDraft
from sandtable.games.squad.fire.preview import preview_changed
from sandtable.games.squad.fire.words import named
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState

KEEP = KeepMolotov()
MOLOTOV = Molotov()


def offered(state: SquadState, draft: FireDraft, side: str) -> list[Action]:
    """Who may throw a MOL, or that it is kept after all."""
    if draft.target < 0:
        return []
    if draft.thrower:
        return [] if draft.checked else [KEEP]
    return [ThrowMolotov(name) for name in MOLOTOV.able(state, draft)]


def _declare(play: Play[SquadState], draft: FireDraft, side: str, action: ThrowMolotov) -> None:
    play.replace(replace(draft, thrower=action.unit))


def _keep(play: Play[SquadState], draft: FireDraft, side: str, action: KeepMolotov) -> None:
    play.replace(replace(draft, thrower=""))


def _throw_words(state: SquadState, side: str, action: ThrowMolotov) -> Description:
    unit = state.units[action.unit]
    notes = ("instead of firing",) if throws_instead(state, unit) else ()
    return Description(
        f"{short(state, unit)} throws a Molotov cocktail: MOL check for +{FP} FP",
        "group",
        (unit.id,),
        (name_of(state, unit.at),),
        rule="A22.61",
        notes=notes,
    )


def _throw_bar(state: SquadState, side: str, action: ThrowMolotov) -> Bar | None:
    """Why a unit may not throw now; outside the draft of an attack nobody does."""
    draft = state.stack[-1]
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side:
        return "Pick a unit of your own that fires", "A22.61"
    if not isinstance(draft, FireDraft):
        return "MOL are thrown along with fire: put an attack together first", "A22.61"
    bar = throw_bar(state, draft, unit)
    return named(state, unit.id, bar) if bar is not None else None


def _keep_bar(state: SquadState, side: str, action: KeepMolotov) -> Bar | None:
    draft = state.stack[-1]
    if isinstance(draft, FireDraft) and draft.thrower:
        return ("It was declared before the line of sight was checked", "A22.61") if draft.checked else None
    return "Nobody has declared a MOL", "A22.61"


def _checked(state: SquadState, event: MolotovChecked) -> str:
    who = f"{short(state, event.unit)} in {event.at}"
    if event.passed:
        return f"MOL check of {who}, final dr {event.dr}: it throws a Molotov cocktail (A22.61)"
    rest = "there is no attack" if event.alone else "the attack goes on without"
    return f"MOL check of {who}, final dr {event.dr}: it has none to hand; {rest} (A22.61)"


def _burst(state: SquadState, event: MolotovBurst) -> str:
    rest = "nobody else fires" if event.alone else "the others fire without it"
    return f"The MOL bursts in the hands of {short(state, event.unit)} in {event.at}: {rest} (A22.611)"


PART = Part(
    fields=(GIVEN,),
    offers={FireDraft: offered},
    does={ThrowMolotov: _declare, KeepMolotov: _keep},
    throws=MOLOTOV,
    describe={
        ThrowMolotov: _throw_words,
        KeepMolotov: lambda state, side, action: Description("Throw no Molotov cocktail", "group", rule="A22.61"),
    },
    why_not={ThrowMolotov: _throw_bar, KeepMolotov: _keep_bar},
    preview={
        ThrowMolotov: lambda state, side, action: preview_changed(state, side, thrower=action.unit),
        KeepMolotov: lambda state, side, action: preview_changed(state, side, thrower=""),
    },
    words={
        MolotovChecked: _checked,
        MolotovBurst: _burst,
        NoFlame: lambda state, event: f"No Flame in {event.at}: fires are not played yet (A22.611, ruling V-1)",
    },
)
