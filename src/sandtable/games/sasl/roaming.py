"""S? in Advance Attitude move and advance by the rosette, and are checked as they come into sight (S3.321, S3.322)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl import activation, entering, victory
from sandtable.games.sasl.compass import distances, forward
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, SUSPECTS, Suspect, SuspectMoved
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import VALUES
from sandtable.games.sasl.suspects import has_room
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.model import SquadState

BARRED = 99
"""Half MF that no S? has."""


def roamers(state: SquadState) -> list[str]:
    """S? in Advance Attitude on the map, those nearest to where they go first."""
    setting = setting_of(state)
    found = [one for one in SUSPECTS.of(state).values() if one.attitude == ADVANCE and one.at >= 0]
    return [one.id for one in sorted(found, key=lambda one: (distances(setting, one.edge)[one.at], one.id))]


def move_suspects(play: Play[SquadState]) -> None:
    """The ENEMY MPh: each S? in Advance Attitude moves (S3.321)."""
    for one in entering.come_on(play):
        if one in SUSPECTS.of(play.state):
            seen_check(play, one)
    for name in roamers(play.state):
        left = 2 * int(reading(play.state, "suspect_mf"))  # in half MF (SA-54)
        while name in SUSPECTS.of(play.state) and left > 0:
            spent = _step(play, SUSPECTS.of(play.state)[name], left)
            if not spent:
                break
            left -= spent


def advance_suspects(play: Play[SquadState]) -> None:
    """The ENEMY APh: each S? in Advance Attitude advances one hex (S3.322)."""
    for name in roamers(play.state):
        if name in SUSPECTS.of(play.state):
            _step(play, SUSPECTS.of(play.state)[name], BARRED - 1)


def _step(play: Play[SquadState], one: Suspect, left: int) -> int:
    """One hex by the rosette; half MF spent, 0: it stays, as before water and other barred ground (S3.323)."""
    state = play.state
    (dr,) = rolled(play, 1, f"S? in {name_of(state, one.at)}, rosette")
    to = forward(state, one.at, one.edge, dr)
    ground = setting_of(state).ground
    if to < 0 and leaves(play, one):
        return left
    way = ground.way(one.at, to) if to >= 0 else None
    cost = step_cost(state, way, road=bool(way.road)) if way is not None else BARRED
    if stays := _stays(state, to, cost, left):
        say(play, "S3.322", str(dr), (dr,), f"the S? in {name_of(state, one.at)} stays: {stays}", "S3.322")
        return 0
    SUSPECTS.of(state)[one.id] = replace(one, at=to)
    play.emit(SuspectMoved(suspect=one.id, frm=name_of(state, one.at), at=name_of(state, to)))
    seen_check(play, one.id)
    return cost


def _stays(state: SquadState, to: int, cost: int, left: int) -> str:
    """Why a S? does not go where the rosette points, empty: it does (S3.322)."""
    if to < 0:
        return "the edge of the map is there"
    where = name_of(state, to)
    if facts.foes_at(state, to):
        return f"FRIENDLY units are in {where}"
    if setting_of(state).ground.kinds[to].mf is None or cost >= BARRED:
        return f"it cannot enter {where}"
    if not has_room(state, to):
        return f"{where} is full"
    if facts.shunned(state, to):
        return f"known mines are in {where}"
    return "" if cost <= left else f"it lacks the MF for {where}"


def leaves(play: Play[SquadState], one: Suspect) -> bool:
    """A S? that goes off the edge it heads for is gone; where the ENEMY earns Exit VP it counts as a squad (S9.41)."""
    state = play.state
    setting = setting_of(state)
    if distances(setting, one.edge)[one.at] > 0:
        return False
    SUSPECTS.of(state).pop(one.id)
    say(play, "S9.41", "exit", (), f"the S? in {name_of(state, one.at)} leaves by the {one.edge} edge", "S9.41")
    if one.edge == "west" and setting.exits.get(ENEMY) and reading(state, "suspect_exit") == "squad":
        victory.gain(play, ENEMY, VALUES.squad, "S? exited")
    return True


def seen_check(play: Play[SquadState], name: str) -> None:
    """A S? that has moved is checked if FRIENDLY units meet its ladder (S5.1)."""
    state = play.state
    one = SUSPECTS.of(state)[name]
    ours = [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0]
    case = activation.ladder_case(state, activation.base_for(state, one), one.at, ours, by_units=True)
    if case is not None:
        activation.check(play, one, case, case[1].at, "its own movement")
