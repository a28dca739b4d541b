"""An attack along with which something is thrown, from the check to what becomes of the thrower (A22.6)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState


def checked_throw(play: Play[SquadState], attack: FireAttack) -> FireAttack:
    """The attack after the check of what is thrown along with it: if that fails, it goes on without (A22.61)."""
    if not attack.thrower:
        return attack
    return replace(attack, thrown=all([one.check(play, attack) for one in setting_of(play.state).points.throws]))


def thrown_items(state: SquadState, attack: FireAttack) -> list[Item]:
    """FP of what is thrown along with an attack (A22.6)."""
    if not attack.thrown:
        return []
    return [item for one in setting_of(state).points.throws for item in one.items(state, attack)]


def throws_instead(state: SquadState, attack: FireAttack, name: str) -> bool:
    """Whether a unit throws instead of firing itself, whether it finds something to throw or not (4.0)."""
    if name != attack.thrower:
        return False
    return any([one.instead(state, state.units[name]) for one in setting_of(state).points.throws])


def left_after_throw(state: SquadState, attack: FireAttack, coloured: int) -> FireAttack:
    """What the coloured die leaves of an attack along with which something is thrown (A22.611)."""
    if attack.thrown:
        for one in setting_of(state).points.throws:
            attack = one.left(state, attack, coloured)
    return attack


def thrown_as_it_fell(play: Play[SquadState], attack: FireAttack, coloured: int) -> FireAttack:
    """The same in play: the log says what the coloured die did."""
    if attack.thrown:
        for one in setting_of(play.state).points.throws:
            one.tell(play, attack, coloured)
    return left_after_throw(play.state, attack, coloured)


def settle_throw(play: Play[SquadState], attack: FireAttack, coloured: int) -> None:
    """What becomes of the thrower once the attack has taken effect (A22.611)."""
    if attack.thrown:
        for one in setting_of(play.state).points.throws:
            one.settle(play, attack, coloured)
