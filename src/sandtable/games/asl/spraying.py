"""Spraying Fire: one DR at two Locations that share a hexside, as Area Fire at both (A7.34, A9.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.fire.eligibility import (
    BLOCKED_LINE,
    Firer,
    aim_of,
    firer_of,
    in_sight,
    possible_hiding_hexes,
    reach_bar,
)
from sandtable.games.squad.fire.group import firers_in
from sandtable.games.squad.fire.model import FireAttack, FireDraft
from sandtable.games.squad.fire.preview import preview_changed
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.fire.words import aim_words, named
from sandtable.games.squad.ground.knowledge import enemy_hexes
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import FIRST_FIRE, SquadState, Unit, Weapon

SQUAD_RANGE = 3
"""Hexes up to which a squad sprays (A7.34)."""
THROWS: Bar = ("What is thrown along with the fire reaches one Location only: keep it to spray", "A22.61")


class SprayAt(Action, frozen=True):
    """Cover another Location with the same fire (A9.5)."""

    at: int


class SprayNoMore(Action, frozen=True):
    """Fire at the target alone after all."""


# -- what may be sprayed --------------------------------------------------------------------


def partners(ground: Ground, target: int) -> list[int]:
    """Locations that share a hexside with another one, or lie one level above or below it (A9.5, ruling Z-1)."""
    own = ground.hex_of(target)
    beyond = [place for cell in ground.grid.neighbour_lists[own] for place in ground.locations_of(cell)]
    stacked = [
        place
        for place in ground.locations_of(own)
        if abs(ground.level[place] - ground.level[target]) == 1 and ground.twins.get(place) != target
    ]
    return beyond + stacked


def pair_bar(state: SquadState, side: str, mode: str, first: int, second: int) -> Bar | None:
    """Why two Locations cannot be sprayed together (A9.5, rulings Z-1 and Z-2)."""
    setting = setting_of(state)
    if second not in partners(setting.ground, first):
        return f"It shares no hexside with {name_of(state, first)}: spray a Location beside the target", "A9.5"
    if mode == "first":
        if units_at(state, second, side):
            return "Units of your own are there: cover another Location with Residual FP", "A9.5"
        return None
    if second in enemy_hexes(state, side) or second in possible_hiding_hexes(setting, state, side):
        return None
    return "No known enemy is there: only Defensive First Fire covers empty Locations", "A9.5"


def kind_bar(state: SquadState, firer: Firer) -> Bar | None:
    """Why a firer has no Spraying Fire: machine guns have it, and squads whose Range is underscored (A7.34, A9.5)."""
    if firer.kind is not None:
        return None if firer.kind.mg else ("It has no Spraying Fire: only machine guns and some squads have", "A9.5")
    kind = unit_kind(state, firer.unit)
    if not kind.fires or (kind.squad and kind.spraying_fire):
        return None  # a leader who helps to serve a machine gun adds no FP of his own
    return "It has no Spraying Fire of its own: its Range is not underscored", "A7.34"


def firer_bar(state: SquadState, firer: Firer, mode: str, first: int, second: int) -> Bar | None:
    """Why a firer that can fire at one Location cannot spray it together with another one (A7.34, A9.5, ruling Z-4)."""
    if bar := kind_bar(state, firer):
        return bar
    setting = setting_of(state)
    if firer.kind is None and not unit_kind(state, firer.unit).fires:
        return None  # a leader who helps to serve a machine gun, which is asked itself
    source = firer.unit.at
    ground, ranges = setting.ground, setting.ground.ranges[source]
    if ground.hex_of(second) == ground.hex_of(source):
        return "No unit sprays its own Location: choose another", "A9.5"
    farthest = max(ranges[first], ranges[second])
    if firer.kind is None and farthest > SQUAD_RANGE:
        return f"A squad sprays Locations within {SQUAD_RANGE} hexes: let its machine gun do it", "A7.34"
    if firer.marker >= FIRST_FIRE and farthest > 1:
        return "It bears a First Fire counter: both Locations must be adjacent", "A9.5"
    aim = aim_of(setting, state, firer.unit.side, source, second, mode)
    bar = reach_bar(state, firer, aim, mode, setting.rules.of(FireRules).mg_range_limit)
    return bar if bar or in_sight(setting, state, source, second) else BLOCKED_LINE


def spray_bar(state: SquadState, draft: FireDraft, second: int) -> Bar | None:
    """Why a draft cannot cover another Location as well: a group sprays only if all of it can (A9.5)."""
    if draft.thrower:
        return THROWS
    bar = pair_bar(state, draft.side, draft.mode, draft.target, second)
    if bar:
        return bar
    for firer in firers_in(state, draft):
        if bar := firer_bar(state, firer, draft.mode, draft.target, second):
            return named(state, firer.id, bar)
    return None


# -- in the draft ---------------------------------------------------------------------------


def offered(state: SquadState, frame: FireDraft, side: str) -> Sequence[Action]:
    """The Locations that the present group could cover as well."""
    if frame.target < 0 or frame.checked:
        return ()
    if frame.also >= 0:
        return (SprayNoMore(),)
    firing = firers_in(state, frame)
    if any([kind_bar(state, firer) for firer in firing]):
        return ()
    cells = partners(setting_of(state).ground, frame.target)
    return [SprayAt(cell) for cell in cells if spray_bar(state, frame, cell) is None]


def spray(play: Play[SquadState], frame: FireDraft, side: str, action: SprayAt) -> None:
    """The draft covers both Locations from now on."""
    play.replace(replace(frame, also=action.at))


def spray_no_more(play: Play[SquadState], frame: FireDraft, side: str, action: SprayNoMore) -> None:
    """The draft is an ordinary one again."""
    play.replace(replace(frame, also=-1))


def join_bar(state: SquadState, unit: Unit, weapon: Weapon | None, draft: FireDraft) -> Bar | None:
    """Who cannot spray the same two Locations does not join those who do (A9.5)."""
    if draft.also < 0:
        return None
    firer = firer_of(state, unit.id if weapon is None else weapon.id)
    bar = firer_bar(state, firer, draft.mode, draft.target, draft.also)
    return (f"A group sprays only if all of it can. {bar[0]}", bar[1]) if bar else None


def factors(state: SquadState, attack: FireAttack, unit: Unit, weapon: Weapon | None) -> list[Item]:
    """Spraying Fire is Area Fire at both Locations (A7.34, A9.5)."""
    return [("Spraying Fire", 0.5, "A7.34" if weapon is None else "A9.5")] if attack.also >= 0 else []


# -- words ----------------------------------------------------------------------------------


def _describe(state: SquadState, side: str, action: SprayAt) -> Description:
    draft = state.stack[-1]
    assert isinstance(draft, FireDraft)
    source = firer_of(state, (*draft.units, *draft.weapons)[0]).unit.at
    covers = draft.mode == "first"
    note = "Area Fire at both; nobody moves there, so it only leaves Residual FP" if covers else "Area Fire at both"
    found = aim_words(state, action.at, source, (note,))
    text = f"Also spray {found.text.removeprefix('Aim at ')}"
    if covers:
        text = f"Also spray {name_of(state, action.at)} to leave Residual FP"
    return replace(found, text=text, targets=() if covers else found.targets, rule="A9.5", role="aim")


def _describe_no_more(state: SquadState, side: str, action: SprayNoMore) -> Description:
    draft = state.stack[-1]
    assert isinstance(draft, FireDraft)
    where = name_of(state, draft.target)
    return Description(f"No Spraying Fire: fire at {where} alone", "fire", (), (where,), rule="A9.5", role="leave")


def _why_not(state: SquadState, side: str, action: SprayAt) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or draft.side != side or draft.target < 0:
        return None
    if not 0 <= action.at < setting_of(state).ground.places:
        return "There is no such hex on the map", "1.1"
    if draft.also >= 0:
        return "The fire already covers two Locations: give up the other one first", "A9.5"
    return spray_bar(state, draft, action.at)


def _why_not_alone(state: SquadState, side: str, action: SprayNoMore) -> Bar | None:
    draft = state.stack[-1]
    if not isinstance(draft, FireDraft) or draft.also >= 0:
        return None
    return "The fire covers one Location only", "A9.5"


def refused(state: SquadState, side: str, frame: FireDraft) -> list[Refusal]:
    """Enemies beside the target whom this group cannot spray as well."""
    return list(_refused(state, side, frame)) if frame.target >= 0 and frame.also < 0 and not frame.checked else []


def _refused(state: SquadState, side: str, frame: FireDraft) -> Iterator[Refusal]:
    if frame.mode == "first" or all([kind_bar(state, firer) for firer in firers_in(state, frame)]):
        return
    beside = partners(setting_of(state).ground, frame.target)
    for cell in [cell for cell in enemy_hexes(state, frame.side) if cell in beside]:
        if bar := spray_bar(state, frame, cell):
            where = name_of(state, cell)
            yield Refusal(f"Also spray {where}", *bar, pieces=(*frame.units, *frame.weapons), cells=(where,))


PART = Part(
    offers={FireDraft: offered},
    does={SprayAt: spray, SprayNoMore: spray_no_more},
    describe={SprayAt: _describe, SprayNoMore: _describe_no_more},
    why_not={SprayAt: _why_not, SprayNoMore: _why_not_alone},
    preview={
        SprayAt: lambda state, side, action: preview_changed(state, side, also=action.at),
        SprayNoMore: lambda state, side, action: preview_changed(state, side, also=-1),
    },
    refusals={FireDraft: refused},
    bars={"join": join_bar},
    lines={"fire FP": factors},
)
