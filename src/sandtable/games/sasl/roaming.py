"""S? in Advance Attitude move and advance by the rosette, and are checked as they come into sight (S3.321, S3.322)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.engine.events import Rolled
from sandtable.games.sasl import activation, crests, entering, victory
from sandtable.games.sasl.compass import distances, forward
from sandtable.games.sasl.dice import say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, SUSPECTS, Suspect, SuspectMoved
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import VALUES
from sandtable.games.sasl.suspects import has_room
from sandtable.games.sasl.tables.cards import Step
from sandtable.games.squad.ground.entry import cost_from_off_board, road_off_board
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, update, update_weapon
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.model import SquadState, Unit

BARRED = 99
"""Half MF that no S? has."""


def roamers(state: SquadState) -> list[str]:
    """S? in Advance Attitude on the map, those nearest to where they go first."""
    setting = setting_of(state)
    found = [one for one in SUSPECTS.of(state).values() if one.attitude == ADVANCE and one.at >= 0]
    return [one.id for one in sorted(found, key=lambda one: (distances(setting, one.edge)[one.at], one.id))]


def move_suspects(play: Play[SquadState]) -> None:
    """The ENEMY MPh: each S? in Advance Attitude moves (S3.321)."""
    state = play.state
    most = 2 * int(reading(state, "suspect_mf"))  # in half MF (SA-54)
    left: dict[str, int] = {}
    for name in entering.come_on(play):
        if name in SUSPECTS.of(state):
            at = SUSPECTS.of(state)[name].at
            left[name] = most - cost_from_off_board(state, at, road=road_off_board(state, at))
            play.emit(SuspectMoved(suspect=name, frm="", at=name_of(state, at)))
            seen_check(play, name)
    for name in roamers(state):
        if name in SUSPECTS.of(state):
            _roam(play, name, left.get(name, most))


def advance_suspects(play: Play[SquadState]) -> None:
    """The ENEMY APh: each S? in Advance Attitude advances one hex (S3.322)."""
    for name in roamers(play.state):
        if name in SUSPECTS.of(play.state):
            _roam(play, name, BARRED - 1, once=True)


def _roam(play: Play[SquadState], name: str, left: int, *, once: bool = False) -> None:
    """A S? goes by the rosette, a dr for each hex; it stays before water and other barred ground (S3.322, S3.323).

    `left`: its half MF; `once`: it goes one hex only.
    """
    state = play.state
    setting = setting_of(state)
    faces: list[int] = []
    way = [SUSPECTS.of(state)[name].at]
    stays = ""
    while left > 0 and not stays:
        one = SUSPECTS.of(state)[name]
        faces += play.cast(6, 1, f"S? in {name_of(state, one.at)}, rosette")
        to = forward(state, one.at, one.edge, faces[-1])
        if to < 0 and distances(setting, one.edge)[one.at] == 0:
            break
        step = crests.way_out(state, one, to) if to >= 0 else None
        cost = step_cost(state, step, road=bool(step.road)) if step is not None else BARRED
        stays = _stays(state, to, cost, left)
        if stays:
            continue
        SUSPECTS.of(state)[name] = replace(one, at=to, front=crests.IN)
        way.append(to)
        left = 0 if once else left - cost
        if _met(state, name) is not None:
            _tell(play, name, faces, way)
            seen_check(play, name)
            if name not in SUSPECTS.of(state):
                return
            faces, way = [], [to]
    _tell(play, name, faces, way, stays)
    if faces and not stays and to < 0:
        leaves(play, SUSPECTS.of(state)[name])


def _tell(play: Play[SquadState], name: str, faces: Sequence[int], way: Sequence[int], stays: str = "") -> None:
    """One line has all that a S? has rolled on the rosette, and one where it has gone, or why it stays."""
    if not faces:
        return
    names = [name_of(play.state, cell) for cell in way]
    play.emit(Rolled(why=f"S? in {names[0]}, rosette", sides=6, faces=tuple(faces), by=ENEMY))
    if len(way) > 1:
        play.emit(SuspectMoved(suspect=name, frm=names[0], at=names[-1], via=tuple(names[1:-1]), stays=stays))
    elif stays:
        say(play, "S3.322", "rosette", faces, f"the S? in {names[0]} stays: {stays}", "S3.322")


def _stays(state: SquadState, to: int, cost: int, left: int) -> str:
    """Why a S? does not go where the rosette points, empty: it does (S3.322)."""
    if to < 0:
        return "the map ends there"
    where = name_of(state, to)
    if facts.foes_at(state, to):
        return f"FRIENDLY units are in {where}"
    if setting_of(state).ground.kinds[to].mf is None or cost >= BARRED:
        return f"it cannot enter {where}"
    if not has_room(state, to):
        return f"{where} is full"
    if facts.shunned(state, to):
        return f"Known mines are in {where}"
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


def _met(state: SquadState, name: str) -> tuple[Step, Unit, int] | None:
    """The case of its ladder that FRIENDLY units meet where a S? is now (S5.1)."""
    one = SUSPECTS.of(state)[name]
    ours = [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0]
    return activation.ladder_case(
        state, activation.base_for(state, one), crests.stands(state, one), ours, by_units=True
    )


def seen_check(play: Play[SquadState], name: str) -> None:
    """A S? that has moved is checked if FRIENDLY units meet its ladder (S5.1); what it becomes has moved."""
    state = play.state
    case = _met(state, name)
    if case is None:
        return
    for made in activation.check(play, SUSPECTS.of(state)[name], case, case[1].at, "its own movement"):
        if state.phase == "MPh":  # its MF are theirs: what may not fire after moving waits (A4.41)
            unit = update(play, state.units[made], moved=True)
            for weapon in unit.weapons:
                update_weapon(play, state.weapons[weapon], moved=True)
