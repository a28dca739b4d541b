"""Assets, mortars and off-table artillery: placing, deviation, effect, and smoke."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Accept, AskReroll, Done, Encourage, PlacePattern, Shape, UseAsset
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import AssetUsed, Bombed, Drifted, Saved, SmokeLifted, Unpinned
from sandtable.games.pbi.guns import immobilise
from sandtable.games.pbi.model import Assets, Deviating, Encouraging, Hits, PbiState, Piece, Placing
from sandtable.games.pbi.position import clear, ground_of, pieces_in, unit_pieces
from sandtable.games.pbi.saves import HitsProcedure, forced_hits, hit_square, pin_square, resolve, soft_targets
from sandtable.games.pbi.table import DEFENDER, FORWARD, OTHER, PATTERNS

MORTAR_DICE, ARTILLERY_DICE = 2, 3
THIRD_HIT = 3
SMOKE_STAYS = 3
"""Smoke is maintained on 3, 4, 5, 6 (artillery-smoke-upkeep)."""

MORTAR_DRIFT = {1: -1, 6: 1}
ARTILLERY_DRIFT = {2: -2, 3: -1, 4: -1, 10: 1, 11: 1, 12: 2}
"""Squares short or over (artillery-deviation)."""


# -- step 1: assets -------------------------------------------------------------------------


class AssetsProcedure(Procedure[PbiState, Assets]):
    """Step 1: asset selection and application (turn-assets)."""

    def to_act(self, state: PbiState, frame: Assets) -> tuple[str, ...]:
        spent = frame.used and state.rules.assets_per_turn == "1"
        return (frame.side,) if state.assets.get(frame.side) and not spent else ()

    def run(self, play: Play[PbiState], frame: Assets) -> None:
        play.pop()

    def actions(self, state: PbiState, frame: Assets, side: str) -> Sequence[Action]:
        kinds = dict.fromkeys(state.assets[side])
        able = [asset for asset in kinds if asset != "encourage" or _pinned_units(state, side)]
        return [*[UseAsset(asset) for asset in able], Done()]

    def apply(self, play: Play[PbiState], frame: Assets, side: str, action: UseAsset | Done) -> None:
        if isinstance(action, Done):
            play.pop()
            return
        state = play.state
        left = list(state.assets[side])
        left.remove(action.asset)
        state.assets[side] = tuple(left)
        play.replace(Assets(side, frame.used + 1))
        play.emit(AssetUsed(side=side, asset=action.asset))
        if action.asset == "hurry":
            state.hurry[side] = state.hurry.get(side, 0) + 1
        elif action.asset == "encourage":
            play.push(Encouraging(side))
        else:
            play.push(Placing(side, action.asset == "smoke"))


def _pinned_units(state: PbiState, side: str) -> list[str]:
    return list(dict.fromkeys([piece.unit for piece in state.pieces.values() if piece.pinned and piece.side == side]))


class EncouragingProcedure(Procedure[PbiState, Encouraging]):
    """An asset of ours: all pins of a unit go (turn-assets)."""

    def to_act(self, state: PbiState, frame: Encouraging) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: PbiState, frame: Encouraging, side: str) -> Sequence[Action]:
        return [Encourage(unit) for unit in _pinned_units(state, side)]

    def apply(self, play: Play[PbiState], frame: Encouraging, side: str, action: Encourage) -> None:
        state = play.state
        freed = [piece for piece in unit_pieces(state, action.unit) if piece.pinned]
        for piece in freed:
            state.pieces[piece.id] = replace(piece, pinned=False)
        play.emit(Unpinned(pieces=tuple([piece.id for piece in freed]), at=freed[0].at, well=True))
        play.pop()


# -- placing and deviation --------------------------------------------------------------------


class PlacingProcedure(Procedure[PbiState, Placing]):
    """The shooter places four squares in a square or row (artillery-place)."""

    def to_act(self, state: PbiState, frame: Placing) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: PbiState, frame: Placing, side: str) -> Sequence[Action]:
        """Everywhere on the table; high explosive is not placed on smoke (odds-smoke, ruling smoke_artillery)."""
        others: list[Action] = [Shape(shape) for shape in PATTERNS if shape != frame.shape]
        places, smoke = ground_of(state).patterns[frame.shape], state.smoke
        clean = list(places)
        if not frame.smoke and state.rules.smoke_artillery == "not on smoke":
            # A strike that has been called falls somewhere.
            clean = [at for at in places if smoke.keys().isdisjoint(places[at])] or clean
        return [*[PlacePattern(at, frame.shape) for at in clean], *others]

    def apply(self, play: Play[PbiState], frame: Placing, side: str, action: PlacePattern | Shape) -> None:
        if isinstance(action, Shape):
            play.replace(replace(frame, shape=action.shape))
            return
        squares = ground_of(play.state).patterns[action.shape][action.at]
        play.pop()
        play.push(
            Deviating(
                side,
                squares,
                tuple([artillery_drift(play, side, square) for square in squares]),
                FORWARD[side],
                frame.smoke,
            )
        )


def artillery_drift(play: Play[PbiState], side: str, square: str) -> int:
    """The target rolls 2D6 for each square (artillery-deviation)."""
    faces = play.roll(6, 2, f"deviation of {square}", by=OTHER[side])
    return ARTILLERY_DRIFT.get(sum(faces), 0)


def mortar_drift(play: Play[PbiState], side: str, square: str) -> int:
    """The target rolls 1D6 after all shots are placed (artillery-deviation)."""
    (face,) = play.roll(6, 1, f"deviation of {square}", by=OTHER[side])
    return MORTAR_DRIFT.get(face, 0)


def fire_mortar(play: Play[PbiState], mortar: Piece, square: str, shots: int, *, smoke: bool) -> None:
    """A mortar's shots, all on the same square (artillery-place)."""
    direction = ground_of(play.state).direction[mortar.at][square]
    drift = (mortar_drift(play, mortar.side, square),)
    play.push(Deviating(mortar.side, (square,), drift, direction, smoke, mortar.id, shots))


class DeviatingProcedure(Procedure[PbiState, Deviating]):
    """The defender may ask for a deviation re-roll (artillery-reroll); then the shots fall."""

    def to_act(self, state: PbiState, frame: Deviating) -> tuple[str, ...]:
        ruling = state.rules.deviation_reroll
        if frame.asked or ruling == "none":
            return ()
        return (DEFENDER if ruling == "battle's defender" else OTHER[frame.side],)

    def actions(self, state: PbiState, frame: Deviating, side: str) -> Sequence[Action]:
        return [*[AskReroll(number) for number in range(len(frame.squares))], Accept()]

    def apply(self, play: Play[PbiState], frame: Deviating, side: str, action: AskReroll | Accept) -> None:
        drift = list(frame.drift)
        if isinstance(action, AskReroll):
            roll = mortar_drift if frame.mortar else artillery_drift
            drift[action.shot] = roll(play, frame.side, frame.squares[action.shot])
        play.replace(replace(frame, drift=tuple(drift), asked=True))

    def run(self, play: Play[PbiState], frame: Deviating) -> None:
        """The shots fall where they drifted to; smoke stays in the square (artillery-smoke)."""
        play.pop()
        g = ground_of(play.state)
        fell = tuple(
            [
                g.beyond(square, frame.direction if drift > 0 else (frame.direction + 4) % 8, abs(drift))
                for square, drift in zip(frame.squares, frame.drift, strict=True)
            ]
        )
        play.emit(Drifted(placed=frame.squares, fell=fell))
        for square in fell:
            if not square:
                continue
            play.emit(Bombed(side=frame.side, at=square, smoke=frame.smoke))
            if frame.smoke:
                play.state.smoke[square] = frame.side
            elif frame.mortar:
                for _ in range(frame.shots):
                    mortar_he(play, square)
            else:
                artillery_he(play, square)


# -- effect -----------------------------------------------------------------------------------


def mortar_he(play: Play[PbiState], square: str) -> None:
    """2D6 on foot, men on unarmoured transports and towed guns: a 6 hits, then normal saves (artillery-mortar-he)."""
    state = play.state
    state.bombed[square] = state.bombed.get(square, 0) + 1
    exposed = soft_targets(state, square, "bombs")
    if state.rules.he_dice == "square":
        if exposed:
            hit_square(play, square, "", _sixes(play, MORTAR_DICE, exposed[0], square), "bombs")
    else:
        for piece in exposed:
            _bombs_on(play, piece, _sixes(play, MORTAR_DICE, piece))
    if state.bombed[square] >= THIRD_HIT and state.rules.third_mortar == "pins":
        pin_square(play, square)


def _sixes(play: Play[PbiState], dice: int, piece: Piece, on: str = "") -> int:
    return play.roll(6, dice, f"bombs on {on or KINDS[piece.kind].name}, a 6 hits", by=piece.side).count(6)


def _bombs_on(play: Play[PbiState], piece: Piece, hits: int) -> None:
    """Normal saves for one base or gun; a hit pins its square (ruling pin_trigger)."""
    if not hits or piece.id not in play.state.pieces:
        return
    if play.state.rules.pin_trigger == "hit":
        pin_square(play, piece.at)
    resolve(play, (piece.id,) * hits, "", "bombs")


def artillery_save(piece: Piece) -> Tally:
    """What a vehicle or gun needs against off-table artillery (artillery-off-table-he)."""
    kind = KINDS[piece.kind]
    rule = "artillery-off-table-he"
    if kind.form in ("gun", "wheeled"):
        return Tally.of("Save needs", [("towed gun or wheeled transport", 5, rule)])
    if kind.form == "halftrack" or kind.armour <= 5:
        return Tally.of("Save needs", [("half-track or armour up to 5", 4, rule)])
    return Tally.of("Save needs", [("armour of 6 or more", 3, rule)])


def artillery_he(play: Play[PbiState], square: str) -> None:
    """3D6 on everything: a 6 hits; vehicles and guns without a save are immobilised (artillery-off-table-he)."""
    state = play.state
    targets = pieces_in(state, square)
    if state.rules.he_dice == "square":
        _shells_on_square(play, square)
        return
    if state.rules.carried_shelled == "yes":
        carried = [state.pieces[id] for vehicle in targets for id in state.cargo.get(vehicle.id, ())]
        targets = [*[piece for piece in carried if KINDS[piece.kind].foot], *targets]
    for piece in targets:
        if piece.id in state.pieces:  # a truck may have driven away, its men all dead
            _shell_on(play, state.pieces[piece.id], _sixes(play, ARTILLERY_DICE, piece))


def _shells_on_square(play: Play[PbiState], square: str) -> None:
    """One roll for the square; the owner chooses what is hit, vehicles included (ruling he_dice)."""
    targets = soft_targets(play.state, square, "shells")
    if not targets:
        return
    hits = _sixes(play, ARTILLERY_DICE, targets[0], square)
    taken = forced_hits(play.state, targets, hits)
    if len(taken) == hits:
        _shells_on(play, taken)
    elif hits:
        play.push(Hits(targets[0].side, square, "", hits, "shells", taken))


def _shells_on(play: Play[PbiState], taken: Sequence[str]) -> None:
    for id in dict.fromkeys(taken):
        if id in play.state.pieces:  # its unit may have routed meanwhile
            _shell_on(play, play.state.pieces[id], taken.count(id))


class AnyHitsProcedure(HitsProcedure):
    """Hits of every kind: those of off-table artillery have saves of their own (artillery-off-table-he)."""

    def resolve(self, play: Play[PbiState], frame: Hits) -> None:
        if frame.how == "shells":
            _shells_on(play, frame.taken)
        else:
            super().resolve(play, frame)


def _shell_on(play: Play[PbiState], piece: Piece, hits: int) -> None:
    state = play.state
    if KINDS[piece.kind].foot:
        _bombs_on(play, piece, hits)
        return
    tally = artillery_save(piece)
    for _ in range(hits):
        current = state.pieces.get(piece.id)
        if current is None:
            return
        (face,) = play.roll(6, 1, "save", by=piece.side, tally=tally)
        if face < tally.total:
            immobilise(play, current, big=False)
        else:
            play.emit(Saved(piece=piece.id, at=piece.at))


# -- smoke ------------------------------------------------------------------------------------


def smoke_step(play: Play[PbiState], side: str) -> None:
    """Step 8: smoke stays on 3, 4, 5, 6, else it is removed (artillery-smoke-upkeep, turn-smoke)."""
    state = play.state
    everybody = state.rules.smoke_upkeep == "all"
    for square in [square for square, owner in state.smoke.items() if everybody or owner == side]:
        (face,) = play.roll(6, 1, f"smoke in {square}, {SMOKE_STAYS}+ stays", by=side)
        if face < SMOKE_STAYS:
            del state.smoke[square]
            play.emit(SmokeLifted(at=square))


def spotted(state: PbiState, mortar: Piece) -> list[str]:
    """Squares a mortar can shoot at: seen by it or an officer (ruling mortar_sight), smoke apart (odds-smoke)."""
    g = ground_of(state)
    kind = KINDS[mortar.kind]
    eyes = [mortar.at]
    if state.rules.mortar_sight == "spotter":
        eyes += [
            piece.at for piece in state.pieces.values() if piece.officer and piece.side == mortar.side and piece.at
        ]
    if mortar.at in state.smoke:
        return []
    seen = set().union(*[g.sees[eye] for eye in dict.fromkeys(eyes)])
    if state.smoke:
        seen = {square for square in seen if any([clear(state, g, eye, square) for eye in eyes])}
    distance = g.range[mortar.at]
    return [square for square in g.names if square in seen and kind.nearest <= distance[square] <= kind.reach]


PART: Part[PbiState] = Part(
    procedures={
        Assets: AssetsProcedure(),
        Encouraging: EncouragingProcedure(),
        Placing: PlacingProcedure(),
        Deviating: DeviatingProcedure(),
        Hits: AnyHitsProcedure(),
    }
)
