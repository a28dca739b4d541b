"""Hits on foot, guns and men in transports: who takes them, and the saving roll."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.games.pbi.actions import Take
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import GunSilenced, PinnedDown, Saved
from sandtable.games.pbi.model import Hits, PbiState, Piece
from sandtable.games.pbi.position import ground_of, kill, one_of_each, pin, send_home

BASIC_SAVE = 4
HE_SAVE = 3
BEST_SAVE, WORST_SAVE = 2, 6
"""A 1 is always dead, a 6 always saved."""
OCCUPANT_SAVES = {"wheeled": 4, "halftrack": 2, "tank": 4}
"""Mounted men save by what they ride on (transports-saves)."""
DESTROYED_TRANSPORT_SAVE = 5
"""Occupants of a destroyed transport (transports-destroyed)."""

RULE = "saves-shooting"


def save_tally(state: PbiState, piece: Piece, source: str, how: str) -> Tally:
    """The score that a save needs, item by item (saves-shooting, he-at-foot, transports-saves)."""
    if piece.within or KINDS[piece.kind].vehicle:
        form = KINDS[state.pieces[piece.within or piece.id].kind].form
        where = "riding on" if piece.within else "mounted on"
        name = {"wheeled": "wheeled transport", "halftrack": "half-track"}.get(form, form)
        return Tally.of("Save needs", [(f"{where} a {name}", OCCUPANT_SAVES.get(form, 4), "transports-saves")])
    if how == "HE" and state.rules.he_saves == "flat":
        return Tally.of("Save needs", [("high explosive", HE_SAVE, "he-at-foot")])
    g = ground_of(state)
    quality = state.units[piece.unit].quality
    at = piece.at
    items: list[tuple[str, float, str]] = [
        ("high explosive", HE_SAVE, "he-at-foot") if how == "HE" else ("basic save", BASIC_SAVE, RULE)
    ]
    leads = piece.officer and (piece.kind != "commander" or state.rules.commander_saves == "yes")
    if leads or quality == "veteran":
        items.append(("platoon commander or veteran", -1, RULE))
    if at in g.difficult:
        items.append(("in wood, building or rocky ground", -2, RULE))
    elif at in g.partial:
        items.append(("partial cover", -1, RULE))
    if not piece.moved:
        items.append(("did not move in its own turn", -1, RULE))
    if quality == "raw":
        items.append(("raw", 1, RULE))
    if source and source in g.near[at]:
        items.append(("in proximity", 1, RULE))
    return bounded(items, RULE)


def bounded(items: list[tuple[str, float, str]], rule: str) -> Tally:
    """The tally of a save, with what a 1 and a 6 always do as an item of its own (saves-shooting)."""
    total = sum([value for _, value, _ in items])
    if total < BEST_SAVE:
        items.append(("a 1 never saves", BEST_SAVE - total, rule))
    elif total > WORST_SAVE:
        items.append(("a 6 always saves", WORST_SAVE - total, rule))
    return Tally.of("Save needs", items)


def needed(tally: Tally) -> int:
    """The face that saves: a 1 never does, a 6 always (saves-shooting)."""
    return min(WORST_SAVE, max(BEST_SAVE, int(tally.total)))


def mounted_gun(state: PbiState, piece: Piece) -> bool:
    """Whether a transport has a machine-gun that small arms can silence (transports-saves, ruling mounted_mg)."""
    kind = KINDS[piece.kind]
    return kind.transport and kind.mg > 0 and not piece.silenced and state.rules.mounted_mg == "target"


def soft_targets(state: PbiState, square: str, how: str) -> list[Piece]:
    """What can take hits: foot, towed guns and the men on vehicles; towed guns on the hook ride safe.

    Small arms also find the machine-guns mounted on transports; for these the vehicle stands. Mortar bombs do not
    reach men behind armour (artillery-mortar-he); shells from off the table hit vehicles too (artillery-off-table-he).
    """
    pieces, cargo = state.pieces, state.cargo
    found: list[Piece] = []
    for id in state.at.get(square, ()):
        piece = pieces[id]
        if not KINDS[piece.kind].vehicle:
            found.append(piece)
        else:
            if how == "shells" or (how == "small arms" and mounted_gun(state, piece)):
                found.append(piece)
            if not _men_exposed(state, piece, how):
                continue
            for load in cargo.get(id, ()):
                if KINDS[pieces[load].kind].foot:
                    found.append(pieces[load])
    return found


def _men_exposed(state: PbiState, vehicle: Piece, how: str) -> bool:
    """Whether the men on a vehicle can be hit by it (rulings riders_bombed, carried_shelled)."""
    if how == "bombs":
        form = KINDS[vehicle.kind].form
        return form != "halftrack" and (form != "tank" or state.rules.riders_bombed == "yes")
    return how != "shells" or state.rules.carried_shelled == "yes"


def is_soft(state: PbiState, square: str) -> bool:
    """Whether there are foot, towed guns or men on vehicles in a square."""
    pieces, cargo = state.pieces, state.cargo
    for id in state.at.get(square, ()):
        if not KINDS[pieces[id].kind].vehicle:
            return True
        for load in cargo.get(id, ()):
            if KINDS[pieces[load].kind].foot:
                return True
    return False


def can_be_shot(state: PbiState, square: str) -> bool:
    """Whether small arms have anything to hurt in a square, the machine-guns of transports included."""
    pieces = state.pieces
    return is_soft(state, square) or any([mounted_gun(state, pieces[id]) for id in state.at.get(square, ())])


def hit_square(play: Play[PbiState], square: str, source: str, hits: int, how: str) -> None:
    """Hits fall on a square: the owner chooses who takes them (he-at-foot); a hit pins (ruling pin_trigger)."""
    state = play.state
    targets = soft_targets(state, square, how)
    if not hits or not targets:
        return
    if state.rules.pin_trigger == "hit":
        pin_square(play, square)
        targets = soft_targets(state, square, how)
    taken = forced_hits(state, targets, hits)
    if len(taken) == hits:
        resolve(play, taken, source, how)
    else:
        play.push(Hits(targets[0].side, square, source, hits, how, taken))


def forced_hits(state: PbiState, targets: Sequence[Piece], hits: int) -> tuple[str, ...]:
    """The hits that leave the owner no choice, because all who could take them are alike (ruling hits_spread)."""
    if len(one_of_each(targets)) > 1:
        return ()
    first = targets[0].id
    if len(targets) > 1 and state.rules.hits_spread == "free":
        return (first,)  # whether it takes the next one too is up to the owner
    return tuple([targets[n % len(targets)].id for n in range(hits)])


def pin_square(play: Play[PbiState], square: str) -> None:
    """Pin the foot and guns of a square, mounted men excepted."""
    state = play.state
    pinned = pin(play, [state.pieces[id] for id in state.at.get(square, ())])
    if pinned:
        play.emit(PinnedDown(pieces=pinned, at=square))


def resolve(play: Play[PbiState], taken: Sequence[str], source: str, how: str) -> None:
    """Roll the saves: one die for each hit, and one failure is enough (saves-shooting)."""
    state = play.state
    counts: dict[str, int] = {}
    for id in taken:
        counts[id] = counts.get(id, 0) + 1
    square = state.pieces[taken[0]].at
    lost = False
    for id, number in counts.items():
        piece = state.pieces[id]
        tally = save_tally(state, piece, source, how)
        score = needed(tally)
        faces = play.roll(6, number, "save", by=piece.side, tally=tally)
        if min(faces) < score:
            lost = True
            if KINDS[piece.kind].vehicle:
                silence(play, piece)
            else:
                kill(play, piece, how)
        else:
            play.emit(Saved(piece=id, at=square))
    if lost and state.rules.pin_trigger == "loss":
        pin_square(play, square)


def silence(play: Play[PbiState], vehicle: Piece) -> None:
    """A transport loses its machine-gun; empty and wheeled, it now leaves (transports-saves, transports-wheeled)."""
    play.state.pieces[vehicle.id] = replace(vehicle, silenced=True)
    play.emit(GunSilenced(piece=vehicle.id, at=vehicle.at))
    send_home(play, play.state.pieces[vehicle.id])


class HitsProcedure(Procedure[PbiState, Hits]):
    """The owner chooses all targets, then rolls (he-at-foot)."""

    def to_act(self, state: PbiState, frame: Hits) -> tuple[str, ...]:
        return (frame.side,) if soft_targets(state, frame.square, frame.how) else ()

    def run(self, play: Play[PbiState], frame: Hits) -> None:
        play.pop()  # an earlier shot of the same strike has left nobody here

    def actions(self, state: PbiState, frame: Hits, side: str) -> Sequence[Action]:
        return [Take(piece.id) for piece in self._able(state, frame)]

    def _able(self, state: PbiState, frame: Hits) -> list[Piece]:
        """One of each sort that may take the next hit (ruling hits_spread)."""
        targets = soft_targets(state, frame.square, frame.how)
        taken = frame.taken
        hit: dict[int, list[Piece]] = {}
        for piece in targets:
            hit.setdefault(taken.count(piece.id), []).append(piece)
        if state.rules.hits_spread == "free":
            return [piece for times in sorted(hit) for piece in one_of_each(hit[times])]
        return one_of_each(hit[min(hit)])

    def apply(self, play: Play[PbiState], frame: Hits, side: str, action: Take) -> None:
        state = play.state
        new = replace(frame, taken=(*frame.taken, action.piece))
        while len(new.taken) < new.hits:  # where all that is left to choose from is alike, nobody is asked
            able = self._able(state, new)
            if len(able) > 1:
                play.replace(new)
                return
            new = replace(new, taken=(*new.taken, able[0].id))
        play.pop()
        self.resolve(play, new)

    def resolve(self, play: Play[PbiState], frame: Hits) -> None:
        """All hits are given out: roll the saves."""
        resolve(play, frame.taken, frame.source, frame.how)
