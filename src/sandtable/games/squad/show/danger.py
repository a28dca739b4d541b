"""The danger of a way: who of the known enemies may fire at the movers in each hex, and with what (3.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.odds import PAIRS
from sandtable.engine.tools import Danger
from sandtable.games.squad.cards.tables import on_column
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.fire.drafting import attack_of, fire_draft
from sandtable.games.squad.fire.eligibility import firer_of, first_firers
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.group import directors, joiners, without
from sandtable.games.squad.fire.model import FireDraft
from sandtable.games.squad.fire.preview import HARM, courses_of, fire_odds
from sandtable.games.squad.ground.knowledge import hidden_from, known_to
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, put
from sandtable.games.squad.ordnance.shooting import first_shooters, shot_draft, shot_of
from sandtable.games.squad.ordnance.shots import shots_of
from sandtable.games.squad.ordnance.tohit import SMOKES, to_hit
from sandtable.games.squad.part import ALL
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState, Unit

DICE = [a + b for a, b in PAIRS]


def known_state(state: SquadState, side: str) -> SquadState:
    """The position as a side knows it: hidden enemies are not there."""
    return _without(state, hidden_from(state, side))


def sure_state(state: SquadState, side: str) -> SquadState:
    """The position with those enemies only of whom a side knows all: what a "?" could do is not told (A12.11)."""
    return _without(state, [unit for unit in state.units.values() if known_to(state, side, unit) != ALL])


def _without(state: SquadState, units: Iterable[Unit]) -> SquadState:
    """The position without some units and their weapons."""
    known = state.clone()
    for unit in units:
        for weapon in unit.weapons:
            del known.weapons[weapon]
        put(known, unit, -1)
        del known.units[unit.id]
    return known


def arrived(
    known: SquadState, movers: Sequence[Mover], cell: int, *, came: int, cost: int, spent: int, road: bool
) -> SquadState:
    """The known position when the movers have just entered a hex; costs are in half MF."""
    there = known.clone()
    gone = []
    for mover in movers:
        put(there, there.units[mover.id], cell)
        same = mover.road and road
        gone.append(replace(mover, spent=spent, here=cost, hexes=mover.hexes + 1, came=came, road=same, road_rate=road))
    there.moving = Moving(tuple(gone), tuple([mover.id for mover in movers]))
    there.shots = {}
    there.fired_along = {}
    there.left_out = {}
    return there


def dangers(state: SquadState, side: str, cell: int) -> Iterator[Danger]:
    """Fire that may meet the movers of an imagined position: each hex with all that it has, then its ordnance."""
    enemy = setting_of(state).others[side]
    left = first_firers(state, enemy, cell)
    while left:
        draft = _all_of_a_hex(state, fire_draft(state, enemy, "first", left[0], cell))
        fired = {*draft.units, *draft.weapons, left[0]}
        left = [name for name in left if name not in fired]
        figures = volley(state, attack_of(draft))
        source = figures.sources[0]
        what, thrower = _thrown(state, draft)
        courses = courses_of(state, attack_of(replace(draft, thrower=thrower)))
        chance = next((line.chance for line in fire_odds(state, figures, courses) if line.label == HARM), 0.0)
        who = names(state, (*draft.units, *draft.weapons, *draft.leaders))
        text = f"{who} in {name_of(state, source)}: {figures.fp.total:g} FP {on_column(figures.column)}"
        text += f", DRM {int(figures.drm.total):+d}"
        text += f", with a {what} of {short(state, thrower)}" if thrower else ""
        yield Danger(name_of(state, source), text, _unit(state, draft), figures.drm, chance, "3.3.1")
    for name in first_shooters(state, enemy, cell):
        shot = _best_shot(state, enemy, name, cell)
        if shot is not None:
            yield shot


def _thrown(state: SquadState, draft: FireDraft) -> tuple[str, str]:
    """What may be thrown along with an attack, and by whom: not by units that would not fire for it (A22.61)."""
    for one in setting_of(state).points.throws:
        for name in one.able(state, draft):
            if not one.instead(state, state.units[name]):
                return one.what, name
    return "", ""


def _all_of_a_hex(state: SquadState, draft: FireDraft) -> FireDraft:
    """A fire group of everybody in the firer's hex who can join, and the leader who helps most."""
    home = firer_of(state, (*draft.units, *draft.weapons)[0]).unit.at
    while joining := [name for name in joiners(state, draft) if firer_of(state, name).unit.at == home]:
        more = fire_draft(state, draft.side, draft.mode, joining[0], draft.target)
        draft = replace(
            draft,
            units=tuple(dict.fromkeys((*draft.units, *more.units))),
            weapons=tuple(dict.fromkeys((*draft.weapons, *more.weapons))),
        )
    leaders = sorted(directors(state, draft), key=lambda name: leadership(state, state.units[name]))
    if leaders and leadership(state, state.units[leaders[0]]) < 0:
        if leaders[0] in draft.units:
            draft = without(state, draft, leaders[0])
        draft = replace(draft, leaders=(leaders[0],))
    return draft


def _unit(state: SquadState, draft: FireDraft) -> str:
    return draft.units[0] if draft.units else state.weapons[draft.weapons[0]].owner


def _best_shot(state: SquadState, enemy: str, weapon: str, cell: int) -> Danger | None:
    """The shot of a Gun or the like that hits most easily."""
    draft = shot_draft(enemy, "first", weapon, cell)
    best: tuple[float, Danger] | None = None
    owner = state.weapons[weapon].owner
    where = name_of(state, state.units[owner].at)
    for action in shots_of(state, draft):
        if action.ammo in SMOKES:
            continue
        figures = to_hit(state, shot_of(draft, action))
        drm = int(figures.tally.total)
        chance = sum(total + drm <= figures.number.number for total in DICE) / len(DICE)
        if best is None or chance > best[0]:
            text = f"{short(state, weapon)} in {where}: To Hit {figures.number.number} or less, DRM {drm:+d}"
            best = chance, Danger(where, text, owner, figures.tally, chance, "3.2.4")
    return best[1] if best else None
