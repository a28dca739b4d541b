"""A toy part: a flare over a hex makes it easier to hit until the turn ends. Nothing in the shared rules knows it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Event, Frame, Play
from sandtable.engine.part import Field
from sandtable.engine.view import Description, MarkView
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.model import FireAttack, PrepFirePhase
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import known_enemies
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Item, Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState, Unit

FLARES: Field[dict[int, str]] = Field("flares", dict[int, str], {})
"""Lit hexes, with the side that lit them."""
SHOT: Field[dict[str, int]] = Field("flares_shot", dict[str, int], {})
"""Flares that each side has shot; it has two."""


class ShootFlare(Action, frozen=True):
    """Light up a hex with enemies in sight."""

    at: int


class Lit(Event, frozen=True):
    """A flare hangs over a hex."""

    at: str
    by: str


class WentOut(Event, frozen=True):
    """All flares have gone out."""


def _offers(state: SquadState, frame: Frame, side: str) -> Sequence[Action]:
    if SHOT.of(state).get(side, 0) >= 2:
        return ()
    own = dict.fromkeys(unit.at for unit in state.units.values() if unit.side == side and unit.at >= 0)
    seen = dict.fromkeys(enemy.at for cell in own for enemy in known_enemies(state, cell, side))
    return [ShootFlare(cell) for cell in sorted(seen) if cell not in FLARES.of(state)]


def _shoot(play: Play[SquadState], frame: Frame, side: str, action: ShootFlare) -> None:
    state = play.state
    FLARES.of(state)[action.at] = side
    SHOT.of(state)[side] = SHOT.of(state).get(side, 0) + 1
    play.emit(Lit(at=name_of(state, action.at), by=side))
    list_firers_anew(play)


def _line(state: SquadState, attack: FireAttack, unit: Unit | None) -> list[Item]:
    return [("under a flare", -1, "toy")] if attack.target in FLARES.of(state) else []


def _go_out(play: Play[SquadState]) -> None:
    if FLARES.of(play.state):
        FLARES.of(play.state).clear()
        play.emit(WentOut())


def _describe(state: SquadState, side: str, action: ShootFlare) -> Description:
    where = name_of(state, action.at)
    return Description(f"Shoot a flare over {where}", "flare", cells=(where,), rule="toy")


def _shows(state: SquadState, side: str | None) -> Shown:
    names = setting_of(state).ground.names
    return Shown(marks=tuple(MarkView(names[cell], "marker/flare", "A flare: -1") for cell in FLARES.of(state)))


PART = Part(
    fields=(FLARES, SHOT),
    offers={PrepFirePhase: _offers},
    does={ShootFlare: _shoot},
    describe={ShootFlare: _describe},
    why_not={ShootFlare: lambda state, side, action: ("Flares go over enemies in sight, in the PFPh, twice", "toy")},
    words={
        Lit: lambda state, event: f"A flare lights up {event.at}",
        WentOut: lambda state, event: "The flares go out",
    },
    lines={"fire": _line},
    ends={"turn": _go_out},
    shows=_shows,
    faces={"marker/flare": Look('<circle cx="50" cy="50" r="40" fill="#fff3a0"/>', "Flare", "-1 to fire", "toy")},
)
