"""Vehicle, gun and anti-tank shooting in its three printed stages."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Flame, Take
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.events import GunShot, Lost, MadeImmobile, Penetrated
from sandtable.games.pbi.model import Escape, PbiState, Piece
from sandtable.games.pbi.morale import vehicle_morale
from sandtable.games.pbi.position import ground_of, hold_objective, kill, one_of_each, remove, unload
from sandtable.games.pbi.saves import DESTROYED_TRANSPORT_SAVE, hit_square, is_soft
from sandtable.games.pbi.smallarms import OPPORTUNITY_HIT, burn
from sandtable.games.pbi.table import DEFENDER, Ground

HIT = 8
AUTOMATIC_MISS, AUTOMATIC_HIT = 5, 11
EFFECT = 3
"""Every 3, 4, 5, 6 of the gun's dice is an effect (shooting-magnitude)."""
ASPECT_SAVES = {"front": 3, "side": 4, "rear": 5}
DESTROYED = 3
"""Effects beyond the saves that destroy; 1 or 2 immobilise (shooting-effect)."""
BIG_GUN = 9
FLAME_GUN = 5
"""A flamethrower's gun value at vehicles (odds-flame)."""

_ASPECTS = {
    "3-2-3": ("front", "front", "side", "rear", "rear", "rear", "side", "front"),
    "3-4-1": ("front", "front", "side", "side", "rear", "side", "side", "front"),
}


def gun_value(kind: Kind, *, flame: bool = False) -> int:
    """The number of dice that the shooter rolls for magnitude."""
    if flame:
        return FLAME_GUN
    return kind.at if kind.foot else kind.gun


def hit_tally(
    state: PbiState, shooter: Piece, square: str, target: Piece | None, *, reacting: bool, flame: bool = False
) -> Tally:
    """What is added to 2D6 (shooting-hit); `target` is the vehicle, None: foot or guns in the square."""
    g = ground_of(state)
    kind = KINDS[shooter.kind]
    quality = state.units[shooter.unit].quality
    distance = g.range[shooter.at][square]
    rule = "shooting-hit"
    items: list[tuple[str, float, str]] = []
    if quality == "veteran":
        items.append(("veteran shooting", 1, rule))
    elif quality == "raw":
        items.append(("raw shooting", -1, rule))
    if kind.form == "gun" and shooter.side == DEFENDER:
        items.append(("defender's towed gun", 1, rule))
    elif not kind.foot or kind.hmg or (flame and state.rules.flame_near == "yes"):
        if distance <= 2:
            items.append(("range of 1 or 2 squares", 1, rule))
        elif shooter.aimed == square:
            items.append(("previous shot at the same square", 1, rule))
    if target is None:
        items.append(("foot or towed gun target", -1, rule))
        if distance >= 4:
            items.append(("foot or towed gun at 4 squares or more", -1, rule))
    elif target.moved >= 2:
        items.append(("target moved 2 squares or more", -1, rule))
    if shooter.moved and not reacting:
        items.append(("shooter has moved", -1, rule))
    if square in g.difficult:
        items.append(("target in building, wood or rocky ground", -1, rule))
    return Tally.of("To hit", items)


def is_hit(faces: tuple[int, ...], tally: Tally) -> bool:
    """2 to 5 always miss, 11 and 12 always hit, else 8 or more with the modifiers (shooting-hit)."""
    rolled = sum(faces)
    if rolled <= AUTOMATIC_MISS:
        return False
    return rolled >= AUTOMATIC_HIT or rolled + tally.total >= HIT


def aspect(state: PbiState, g: Ground, target: Piece, source: str) -> str:
    """Front, side or rear, by where the shot comes from (shooting-magnitude, ruling aspect)."""
    if source == target.at:
        return "front"
    return _ASPECTS[state.rules.aspect][(g.direction[target.at][source] - target.facing) % 8]


def in_time(play: Play[PbiState], shooter: Piece) -> bool:
    """A gun that reacts first needs 5, 6 (odds-opportunity, ruling opportunity_guns)."""
    if play.state.rules.opportunity_guns != "5,6 first":
        return True
    (face,) = play.roll(6, 1, "opportunity, 5+", by=shooter.side)
    return face >= OPPORTUNITY_HIT


def aim(play: Play[PbiState], shooter: Piece, target: Piece, *, reacting: bool = False, flame: bool = False) -> None:
    """Shoot at a vehicle: hit, magnitude, effect (shooting-hit, shooting-magnitude, shooting-effect)."""
    state = play.state
    tally = hit_tally(state, shooter, target.at, target, reacting=reacting, flame=flame)
    state.pieces[shooter.id] = replace(shooter, aimed=target.at, reacted=shooter.reacted or reacting)
    result = "too late"
    if not reacting or in_time(play, shooter):
        faces = play.roll(6, 2, "to hit, 8+", by=shooter.side, tally=tally)
        result = "hit" if is_hit(faces, tally) else "missed"
    play.emit(GunShot(shooter=shooter.id, start=shooter.at, at=target.at, result=result, target=target.id))
    if result == "hit":
        magnitude(play, shooter, target, gun_value(KINDS[shooter.kind], flame=flame))


def magnitude(play: Play[PbiState], shooter: Piece, target: Piece, gun: int) -> None:
    """The gun's dice against the armour's (shooting-magnitude)."""
    state = play.state
    where = aspect(state, ground_of(state), target, shooter.at)
    score = ASPECT_SAVES[where]
    armour = KINDS[target.kind].armour
    effects = sum([face >= EFFECT for face in play.roll(6, gun, f"gun {gun}, {EFFECT}+", by=shooter.side)])
    saves = 0
    if armour:
        faces = play.roll(6, armour, f"armour {armour}, {where}, {score}+", by=target.side)
        saves = sum([face >= score for face in faces])
    play.emit(Penetrated(target=target.id, aspect=where, effects=effects, saves=saves, at=target.at))
    excess = effects - saves
    if excess >= DESTROYED:
        destroy(play, target)
    elif excess > 0:
        kind = KINDS[shooter.kind]
        immobilise(play, target, big=gun >= BIG_GUN or kind.foot_at)


def immobilise(play: Play[PbiState], target: Piece, *, big: bool) -> None:
    """Immobilised; the second time it is destroyed; morale at once (shooting-effect, odds-vehicle-morale)."""
    state = play.state
    if target.immobile:
        destroy(play, target)
        return
    state.pieces[target.id] = replace(state.pieces[target.id], immobile=True)
    play.emit(MadeImmobile(piece=target.id, at=target.at))
    vehicle_morale(play, state.pieces[target.id], big=big)


def destroy(play: Play[PbiState], vehicle: Piece) -> int:
    """A vehicle is destroyed: a die for each base on it, 5, 6 saves, the owner chooses the dead (transports-destroyed).

    A gun on its hook is lost with it. How many bases die is returned.
    """
    state = play.state
    name = KINDS[vehicle.kind].name
    play.emit(Lost(piece=vehicle.id, name=name, side=vehicle.side, at=vehicle.at, how="destroyed"))
    loads = [state.pieces[id] for id in state.cargo.get(vehicle.id, ())]
    foot = [unload(state, load) for load in loads if KINDS[load.kind].foot]
    for load in loads:
        if not KINDS[load.kind].foot:
            kill(play, load, "destroyed transport", empties=False)
    remove(play, state.pieces[vehicle.id])
    if not foot:
        return 0
    faces = play.roll(6, len(foot), f"escape, {DESTROYED_TRANSPORT_SAVE}+", by=vehicle.side)
    deaths = sum([face < DESTROYED_TRANSPORT_SAVE for face in faces])
    if deaths:
        play.push(Escape(vehicle.side, tuple([load.id for load in foot]), deaths))
    else:
        hold_objective(play, vehicle.at)
    return deaths


class EscapeProcedure(Procedure[PbiState, Escape]):
    """The dead of a destroyed transport are their owner's choice (assault-vehicle-save, transports-destroyed)."""

    def _able(self, state: PbiState, frame: Escape) -> list[Piece]:
        return one_of_each([state.pieces[id] for id in frame.pieces if id in state.pieces])

    def to_act(self, state: PbiState, frame: Escape) -> tuple[str, ...]:
        left = sum([id in state.pieces for id in frame.pieces])
        return (frame.side,) if 0 < frame.deaths < left and len(self._able(state, frame)) > 1 else ()

    def run(self, play: Play[PbiState], frame: Escape) -> None:
        able = self._able(play.state, frame)
        if frame.deaths and able:
            self._die(play, frame, able[0])
        else:
            play.pop()
            if able:
                hold_objective(play, able[0].at)

    def actions(self, state: PbiState, frame: Escape, side: str) -> Sequence[Action]:
        return [Take(piece.id) for piece in self._able(state, frame)]

    def apply(self, play: Play[PbiState], frame: Escape, side: str, action: Take) -> None:
        self._die(play, frame, play.state.pieces[action.piece])

    def _die(self, play: Play[PbiState], frame: Escape, piece: Piece) -> None:
        play.replace(replace(frame, deaths=frame.deaths - 1))
        kill(play, piece, "destroyed transport")


def shell(play: Play[PbiState], shooter: Piece, square: str, *, reacting: bool = False) -> None:
    """High explosive at foot: hit as usual, then 3/2/1 hits (he-at-foot)."""
    state = play.state
    tally = hit_tally(state, shooter, square, None, reacting=reacting)
    state.pieces[shooter.id] = replace(shooter, aimed=square, reacted=shooter.reacted or reacting)
    result = "too late"
    faces: tuple[int, ...] = ()
    if not reacting or in_time(play, shooter):
        faces = play.roll(6, 2, "to hit, 8+", by=shooter.side, tally=tally)
        result = "hit" if is_hit(faces, tally) else "missed"
    play.emit(GunShot(shooter=shooter.id, start=shooter.at, at=square, result=result))
    if result == "hit":
        hits = he_hits(state, KINDS[shooter.kind], sum(faces) + tally.total)
        hit_square(play, square, shooter.at, hits, "HE")


def he_hits(state: PbiState, kind: Kind, score: float) -> int:
    """How many hits a shell makes (he-at-foot, ruling he_hits)."""
    if state.rules.he_hits == "by gun":
        return kind.he
    return 3 if score >= 11 else 2 if score >= 9 else 1


def flame_actions(state: PbiState, piece: Piece, square: str) -> list[Action]:
    """What a flamethrower may shoot at in a square it reaches: the foot, or a vehicle there (odds-flame)."""
    pieces = state.pieces
    found: list[Action] = [Flame(piece.id, id) for id in state.at[square] if KINDS[pieces[id].kind].vehicle]
    if is_soft(state, square):
        found.append(Flame(piece.id, square))
    return found


def square_of(state: PbiState, target: str) -> str:
    """The square of a target that is a vehicle or itself a square."""
    return state.pieces[target].at if target in state.pieces else target


def flame(play: Play[PbiState], piece: Piece, target: str, *, reacting: bool = False) -> None:
    """A flamethrower shoots at the foot of a square, or with gun 5 at a vehicle (odds-flame)."""
    state = play.state
    if target in state.pieces:
        aim(play, piece, state.pieces[target], reacting=reacting, flame=True)
        return
    if reacting:
        state.pieces[piece.id] = replace(piece, reacted=True)
        if not in_time(play, piece):
            play.emit(GunShot(shooter=piece.id, start=piece.at, at=target, result="too late"))
            return
    burn(play, piece, target)


PART: Part[PbiState] = Part(procedures={Escape: EscapeProcedure()})
