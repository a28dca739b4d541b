"""Assault: dice for every base and vehicle, casualties, and who falls back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Take
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.events import AssaultBegan, AssaultEnded, FellBack, Moved, Saved
from sandtable.games.pbi.guns import destroy
from sandtable.games.pbi.model import Fight, Losses, PbiState, Piece, Window
from sandtable.games.pbi.position import (
    ground_of,
    hold_objective,
    kill,
    one_of_each,
    pieces_in,
    pin,
    room_for_foot,
    room_for_vehicles,
    shift,
    side_in,
    take_objective,
)
from sandtable.games.pbi.reaction import open_opportunity
from sandtable.games.pbi.saves import bounded
from sandtable.games.pbi.table import OTHER
from sandtable.games.pbi.victory import judge

ASSAULT_COST = 4
BASIC_DICE = 3
MOUNTED_FIGHTERS = 2
KILL = 6
VEHICLE_SAVE = 3
TANK_TOLL = 2
"""A destroyed tank or armoured car counts as two dead (assault-vehicle-save)."""
TARGET_FALLS_BACK = 2


def assault_cost(state: PbiState, square: str, *, keen: bool) -> int:
    """4, or 3 for veterans, Japanese and Russians or against a pinned target (foot-ap-cost-assault)."""
    foot = [piece for piece in pieces_in(state, square) if not KINDS[piece.kind].vehicle]
    pinned = bool(foot) and all([piece.pinned for piece in foot])
    return ASSAULT_COST - (1 if keen or pinned else 0)


def begin_assault(play: Play[PbiState], ids: Sequence[str], square: str) -> None:
    """The assault is declared; those assaulted may shoot first (ruling assault_reaction)."""
    state = play.state
    first = state.pieces[ids[0]]
    play.emit(AssaultBegan(assaulters=tuple(ids), start=first.at, at=square))
    play.push(Fight(first.side, tuple(ids), first.at, square))
    if state.rules.assault_reaction == "target":
        play.push(Window(OTHER[first.side], first.at, "assault", square))


# -- dice -------------------------------------------------------------------------------------


def _clumsy(kind: Kind) -> bool:
    """Mortars, MMGs and anti-tank weapons other than panzerfausts fight with one die (assault-assaulter)."""
    return bool(kind.mortar) or kind.heavy or (kind.foot_at and not kind.faust)


def _first_dice(state: PbiState, kind: Kind) -> tuple[str, float, str]:
    """Every base, tank and armoured car begins with 3D6 (assault-dice); transports do not (ruling transport_dice)."""
    if kind.transport and state.rules.transport_dice == "none":
        return "transport", 0, "assault-dice"
    return "base or vehicle", BASIC_DICE, "assault-dice"


def assaulter_dice(state: PbiState, piece: Piece, square: str) -> Tally:
    """The dice of one assaulter, without the flamethrower's extra (assault-dice, assault-assaulter)."""
    rule = "assault-assaulter"
    kind = KINDS[piece.kind]
    if piece.within:
        return Tally.of("Dice", [("mounted", 1, rule)])
    if kind.foot and _clumsy(kind):
        return Tally.of("Dice", [("mortar, MMG or anti-tank weapon", 1, rule)])
    hard = square in ground_of(state).difficult
    quality = state.units[piece.unit].quality
    items = [_first_dice(state, kind)]
    if kind.vehicle:
        if kind.armour >= 6 and not hard:
            items.append(("armour of 6 or more", 3, rule))
        elif kind.armour >= 1 and not hard:
            items.append(("armour of 1 to 5", 1, rule))
    else:
        if not piece.moved:
            items.append(("short assault", 2, rule))
        if kind.close:
            items.append(("sub-machine-guns or assault rifles", 1, rule))
    if quality == "veteran" or piece.officer or kind.satchel:
        items.append(("veteran, officer or satchel charge", 1, rule))
    if hard:
        items.append(("target in building, wood or rocky ground", -1, rule))
    if quality == "raw":
        items.append(("raw", -1, rule))
    return Tally.of("Dice", items)


def target_dice(state: PbiState, piece: Piece) -> Tally:
    """The dice of one target, without the flamethrower's extra (assault-dice, assault-target)."""
    rule = "assault-target"
    kind = KINDS[piece.kind]
    if piece.within:
        return Tally.of("Dice", [("mounted", 1, rule)])
    quality = state.units[piece.unit].quality
    items = [_first_dice(state, kind)]
    if kind.vehicle and piece.at not in ground_of(state).difficult:
        if kind.armour >= 6:
            items.append(("armour of 6 or more", 3, rule))
        elif kind.armour >= 1:
            items.append(("armour of 1 to 5", 1, rule))
    if kind.close or kind.satchel:
        items.append(("sub-machine-guns, assault rifles or satchel charges", 1, rule))
    if quality == "veteran":
        items.append(("veteran", 1, rule))
    elif quality == "raw":
        items.append(("raw", -1, rule))
    weapon = kind.foot_at and (not kind.faust or state.rules.panzerfaust_target == "yes")
    if kind.form == "gun" or kind.mortar == "medium" or kind.heavy or weapon:
        items.append(("medium mortar, MMG, anti-tank weapon or gun crew", -1, rule))
    if piece.pinned:
        items.append(("pinned", -1, rule))
    return Tally.of("Dice", items)


def assaulters_of(state: PbiState, ids: Sequence[str]) -> list[Piece]:
    """Those who fight: the assaulters and up to two mounted bases on each vehicle (assault-assaulter)."""
    pieces = state.pieces
    found: list[Piece] = []
    for id in ids:
        if id in pieces:
            found.append(pieces[id])
            riders = [pieces[load] for load in state.cargo.get(id, ()) if KINDS[pieces[load].kind].foot]
            found += riders[:MOUNTED_FIGHTERS]
    return found


def fighters_in(state: PbiState, square: str) -> list[Piece]:
    """Those who defend a square, with up to two of the men on each vehicle (assault-dice, ruling mounted_targets)."""
    there = pieces_in(state, square)
    if state.rules.mounted_targets == "none":
        return there
    return assaulters_of(state, [piece.id for piece in there])


def side_dice(state: PbiState, fighters: Sequence[Piece], square: str, *, assaulting: bool) -> Tally:
    """All dice of a side, fighter by fighter, with three more for one flamethrower (assault-dice).

    An assaulter's must be a base on foot; a target's may be a vehicle (assault-assaulter, assault-target).
    """
    least = int(state.rules.assault_minimum)
    items: list[tuple[str, float, str]] = []
    flame = False
    for piece in fighters:
        kind = KINDS[piece.kind]
        tally = assaulter_dice(state, piece, square) if assaulting else target_dice(state, piece)
        floor = 0 if kind.transport else least
        items.append((f"{kind.name} {piece.id}", max(floor, tally.total), "assault-dice"))
        flame = flame or (kind.flame and not (assaulting and (kind.vehicle or piece.within)))
    if flame:
        items.append(("flamethrower", 3, "assault-assaulter" if assaulting else "assault-target"))
    return Tally.of("Dice", items)


def vehicle_save(state: PbiState, vehicle: Piece, square: str, *, against_at: bool) -> Tally:
    """What a vehicle needs to survive a casualty in an assault (assault-vehicle-save)."""
    rule = "assault-vehicle-save"
    kind = KINDS[vehicle.kind]
    items = [
        ("basic save", VEHICLE_SAVE, rule),
        ("transport", 2 if kind.transport else 0, rule),
        ("enemy anti-tank foot present", int(against_at), rule),
        ("in building, wood or rocky ground", int(square in ground_of(state).difficult), rule),
        ("armour of 7 or more", -1 if kind.armour >= 7 else 0, rule),
    ]
    return bounded([item for item in items if item[1]], rule)


# -- the fight --------------------------------------------------------------------------------


class FightProcedure(Procedure[PbiState, Fight]):
    """An assault, stage by stage (Assault, Assault results)."""

    def run(self, play: Play[PbiState], frame: Fight) -> None:
        match frame.stage:
            case "fight":
                self._fight(play, frame)
            case "result":
                self._result(play, frame)
            case "won":
                self._won(play, frame)
                judge(play.state)
            case _:
                self._lost(play, frame)
                judge(play.state)

    def _fight(self, play: Play[PbiState], frame: Fight) -> None:
        """Both sides roll all their dice at once; every 6 is a casualty (assault-results)."""
        state = play.state
        able = tuple([id for id in frame.assaulters if id in state.pieces and not state.pieces[id].immobile])
        frame = replace(frame, assaulters=able)
        own = assaulters_of(state, able)
        enemies = fighters_in(state, frame.square)
        if not own:
            play.pop()
            judge(state)
            return
        state.toll.clear()
        if not enemies:
            play.replace(replace(frame, stage="won"))
            return
        enemy = OTHER[frame.side]
        tallies = (
            side_dice(state, own, frame.square, assaulting=True),
            side_dice(state, enemies, frame.square, assaulting=False),
        )
        kills = []
        for tally, side, why in zip(tallies, (frame.side, enemy), ("assault", "defence"), strict=True):
            faces = play.roll(6, int(tally.total), f"{why}, a 6 kills", by=side, tally=tally)
            kills.append(faces.count(KILL))
        targets = tuple([piece.id for piece in enemies if not piece.within])
        riders = tuple([load for id in frame.assaulters for load in state.cargo.get(id, ())])
        play.replace(replace(frame, stage="result", riders=riders))
        own_at = any([KINDS[piece.kind].foot_at for piece in own])
        their_at = any([KINDS[piece.kind].foot_at for piece in enemies])
        ask_losses(play, frame.side, frame.assaulters, kills[1], frame.square, against_at=their_at)
        ask_losses(play, enemy, targets, kills[0], frame.square, against_at=own_at)

    def _result(self, play: Play[PbiState], frame: Fight) -> None:
        """Who killed more; the winner's bases roll once more (assault-results, ruling pursuit)."""
        state = play.state
        own = survivors(state, frame)
        enemies = list(state.at.get(frame.square, ()))  # also the men who got out of destroyed vehicles
        enemy = OTHER[frame.side]
        dead_own, dead_enemy = state.toll.get(frame.side, 0), state.toll.get(enemy, 0)
        won = bool(own) and (dead_enemy > dead_own or not enemies)
        play.emit(
            AssaultEnded(side=frame.side, at=frame.square, won=won, dead_assaulters=dead_own, dead_targets=dead_enemy)
        )
        play.replace(replace(frame, stage="won" if won else "lost"))
        winners, losers, loser = (own, enemies, enemy) if won else (enemies, own, frame.side)
        pursuers = winners
        if state.rules.pursuit == "bases only":
            pursuers = [id for id in winners if not KINDS[state.pieces[id].kind].vehicle]
        if pursuers and losers:
            side = OTHER[loser]
            kills = play.roll(6, len(pursuers), "pursuit, a 6 kills", by=side).count(KILL)
            against_at = any([KINDS[state.pieces[id].kind].foot_at for id in winners])
            ask_losses(play, loser, tuple(losers), kills, frame.square, against_at=against_at)

    def _won(self, play: Play[PbiState], frame: Fight) -> None:
        """The target falls back two squares, pinned; the assaulter takes the square (assault-assaulter-wins)."""
        state = play.state
        play.pop()
        own = survivors(state, frame)
        for piece in pieces_in(state, frame.square):
            if KINDS[piece.kind].form == "gun":
                kill(play, piece, "overrun")
            elif piece.immobile:
                destroy(play, piece)
        fall_back(play, frame.square, ground_of(state).direction[frame.origin][frame.square])
        if not own:
            return
        for id in own:
            piece = state.pieces[id]
            left = piece.ap if state.rules.assault_winner == "goes on" else 0
            state.pieces[id] = replace(piece, ap=left, moved=piece.moved + 1, aimed="")
        shift(state, own, frame.square)
        play.emit(Moved(pieces=tuple(own), start=frame.origin, at=frame.square))
        if any([KINDS[state.pieces[id].kind].foot for id in own]):
            take_objective(play, frame.square, frame.side)
        open_opportunity(play, frame.square)

    def _lost(self, play: Play[PbiState], frame: Fight) -> None:
        """The assaulter falls back, is pinned and has finished; nobody shoots at him (assault-target-wins)."""
        state = play.state
        play.pop()
        own = survivors(state, frame)
        for id in own:
            piece = state.pieces[id]
            state.pieces[id] = replace(piece, ap=0, moved=piece.moved + 1, aimed="")
        pin(play, [state.pieces[id] for id in own])
        if own and state.rules.assaulter_falls_back == "one further":
            g = ground_of(state)
            away = g.direction[frame.square][frame.origin]
            step_back(play, own, away, 1)


def survivors(state: PbiState, frame: Fight) -> list[str]:
    """The assaulters left, and the men who got out of their destroyed transports (assault-vehicle-save)."""
    pieces = state.pieces
    escaped = [id for id in frame.riders if id in pieces and not pieces[id].within]
    return [*[id for id in frame.assaulters if id in pieces], *escaped]


def step_back(play: Play[PbiState], ids: Sequence[str], direction: int, squares: int) -> int:
    """Move pieces back, straight or else half aside; how many squares they found room for."""
    state = play.state
    g = ground_of(state)
    side = state.pieces[ids[0]].side
    vehicles = sum([KINDS[state.pieces[id].kind].vehicle for id in ids])
    start = at = state.pieces[ids[0]].at
    done = 0
    for _ in range(squares):
        for turn in (0, 1, 7):
            to = g.ahead[at][(direction + turn) % 8]
            if (
                to
                and side_in(state, to) in ("", side)
                and room_for_foot(state, to, len(ids) - vehicles)
                and room_for_vehicles(state, to, vehicles)
            ):
                at = to
                done += 1
                break
        else:
            break
    if done:
        shift(state, ids, at)
        play.emit(FellBack(pieces=tuple(ids), start=start, at=at))
        hold_objective(play, at)
    return done


def fall_back(play: Play[PbiState], square: str, direction: int) -> None:
    """The beaten target goes two squares, pinned (assault-assaulter-wins).

    Without room it is lost, all together or one by one (ruling fall_back_room).
    """
    state = play.state
    ids = state.at.get(square, ())
    if not ids:
        return
    for party in [ids] if state.rules.fall_back_room == "whole" else [(id,) for id in ids]:
        done = step_back(play, party, direction, TARGET_FALLS_BACK)
        if done and (done == TARGET_FALLS_BACK or state.rules.fall_back_blocked == "stops"):
            pin(play, [state.pieces[id] for id in party])
            continue
        for id in party:
            if id in state.pieces:
                lose(play, state.pieces[id], "no way back")


def lose(play: Play[PbiState], piece: Piece, how: str) -> None:
    """A base, gun or vehicle is lost with everybody on it."""
    state = play.state
    for id in state.cargo.get(piece.id, ()):
        kill(play, state.pieces[id], how, empties=False)
    if piece.id in state.pieces:
        kill(play, state.pieces[piece.id], how)


# -- casualties ---------------------------------------------------------------------------------


def ask_losses(
    play: Play[PbiState], side: str, pieces: tuple[str, ...], kills: int, square: str, *, against_at: bool
) -> None:
    """The owner chooses his casualties (assault-results); where there is no choice, none is asked."""
    if kills:
        play.push(Losses(side, pieces, kills, square, against_at))


class LossesProcedure(Procedure[PbiState, Losses]):
    """Casualties one by one; vehicles are allowed a save (assault-results)."""

    def _able(self, state: PbiState, frame: Losses) -> list[Piece]:
        return one_of_each([state.pieces[id] for id in frame.pieces if id in state.pieces])

    def to_act(self, state: PbiState, frame: Losses) -> tuple[str, ...]:
        return (frame.side,) if frame.kills and len(self._able(state, frame)) > 1 else ()

    def run(self, play: Play[PbiState], frame: Losses) -> None:
        able = self._able(play.state, frame)
        if not frame.kills or not able:
            play.pop()
        else:
            self._take(play, frame, able[0])

    def actions(self, state: PbiState, frame: Losses, side: str) -> Sequence[Action]:
        return [Take(piece.id) for piece in self._able(state, frame)]

    def apply(self, play: Play[PbiState], frame: Losses, side: str, action: Take) -> None:
        self._take(play, frame, play.state.pieces[action.piece])

    def _take(self, play: Play[PbiState], frame: Losses, piece: Piece) -> None:
        """One casualty: a base dies, a gun is lost, a vehicle saves (assault-vehicle-save)."""
        state = play.state
        play.replace(replace(frame, kills=frame.kills - 1))
        kind = KINDS[piece.kind]
        if kind.vehicle:
            tally = vehicle_save(state, piece, frame.square, against_at=frame.against_at)
            (face,) = play.roll(6, 1, "save", by=piece.side, tally=tally)
            if face >= tally.total:
                play.emit(Saved(piece=piece.id, at=piece.at))
                return
            deaths = destroy(play, piece)
            toll = TANK_TOLL if kind.fighting else 1
            if state.rules.transport_toll == "with its men":
                toll += deaths
        else:
            kill(play, piece, "assault")
            toll = 1
        state.toll[frame.side] = state.toll.get(frame.side, 0) + toll


PART: Part[PbiState] = Part(
    procedures={
        Fight: FightProcedure(),
        Losses: LossesProcedure(),
    }
)
