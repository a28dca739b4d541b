"""What the lessons of the squad-level games share: small positions, and short lessons on one part of play each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.tools import Lesson, LessonStep

ASKED_LATER = "asked and not phase:{}"
"""The player decides again, in another phase."""


class Stage(NamedTuple):
    """Where a short lesson plays: whose it is, and three hexes in sight of each other."""

    game: str
    scenario: str
    side: str
    own: str
    """The hex of the player's units."""
    enemy: str
    """Where the enemy sits, in a stone building."""


def unit(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    """A line of a position."""
    return {"id": name, "kind": kind, "at": at, **more}


def position(
    game: str,
    scenario: str,
    phase: str,
    attacker: str,
    units: Sequence[dict[str, Any]],
    weapons: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """A position in the second turn."""
    state = {"turn": 2, "phase": phase, "attacker": attacker, "units": list(units), "weapons": list(weapons)}
    return {"game": game, "scenario": scenario, "state": state}


def after(phase: str) -> str:
    """The condition that the player is asked again after a phase."""
    return ASKED_LATER.format(phase)


def during(phase: str, *more: str) -> str:
    """The condition that it is still this phase, and more."""
    return " and ".join((f"phase:{phase}", *more))


def fire_lesson(
    stage: Stage, squads: Sequence[str], leader: str, gun: str, enemy: Sequence[str], **more: Any
) -> Lesson:
    """A fire group with a leader: squads u1 and u2, leader u3, machine gun w1."""
    own, there = stage.own, stage.enemy
    ids = [f"u{n}" for n in range(1, len(squads) + 1)]
    first, chief = ids[0], f"u{len(squads) + 1}"
    units = [unit(name, kind, own) for name, kind in zip(ids, squads, strict=True)]
    units += [unit(chief, leader, own)]
    units += [unit(f"e{n}", kind, there) for n, kind in enumerate(enemy, 1)]
    ready = during("Prep Fire Phase", f"here:{first}", "here:e1")
    steps = (
        LessonStep(
            f"Your men in {own} see the enemy in the stone building {there}. Fire in two clicks: one on a squad in "
            f"{own}, one on {there}.",
            (own, there),
            (first,),
            f"event:Fired(by={stage.side}) or frame:FireDraft",
            ready,
        ),
        LessonStep(
            "Units of a hex that fire at the same target do so together, or not at all. Add the other squad, the "
            "machine gun and the leader, whose modifier helps against the +3 of the building. The preview shows "
            "firepower, every modifier with its rule, and the odds. Then fire.",
            (own,),
            (*ids[1:], "w1", chief),
            f"event:Fired(by={stage.side})",
            ready,
        ),
        LessonStep(
            "The log tells the roll, the result and each Morale Check. Units that have fired are marked and cannot "
            "move in this turn. End the phase when you have seen enough.",
            until="not phase:Prep Fire Phase",
        ),
        LessonStep("That is fire: strength added up, one roll, and the Morale Checks that follow from it."),
    )
    return Lesson(
        "fire",
        "Fire",
        "A fire group, a leader who directs it, and what its result means.",
        stage.scenario,
        stage.side,
        steps,
        position(
            stage.game,
            stage.scenario,
            "PFPh",
            stage.side,
            units,
            [{"id": "w1", "kind": gun, "owner": first}],
        ),
        **more,
    )


def rally_lesson(stage: Stage, squads: Sequence[str], leader: str, enemy: str, **more: Any) -> Lesson:
    """Two broken squads u1 and u2, the latter under DM, and the leader u3."""
    own = stage.own
    units = [
        unit("u1", squads[0], own, broken=True),
        unit("u2", squads[1], own, broken=True, dm=True),
        unit("u3", leader, own),
        unit("e1", enemy, stage.enemy),
    ]
    ready = during("Rally Phase", f"active:{stage.side}")
    steps = (
        LessonStep(
            f"Two squads in the building {own} are broken: they cannot fire or advance. One of them is also under "
            "Desperation Morale (DM), which makes rallying harder by 4.",
            (own,),
            ("u1", "u2"),
        ),
        LessonStep(
            "Let the leader rally the squad that is not under DM. The building and the leader both help; the preview "
            "gives the chance.",
            (own,),
            ("u1",),
            "event:RallyTried",
            f"{ready} and broken:u1",
        ),
        LessonStep(
            "A leader may try them all, but each squad only once in a Player Turn. DM comes off at the end of the "
            "phase, if no enemy is near. Try the other squad too, or end the phase.",
            (own,),
            ("u2",),
            "not phase:Rally Phase",
        ),
        LessonStep("Broken units that stay with a leader, out of the enemy's sight, come back into the fight."),
    )
    return Lesson(
        "rally",
        "Rally",
        "Broken units, leaders and Desperation Morale.",
        stage.scenario,
        stage.side,
        steps,
        position(stage.game, stage.scenario, "RPh", stage.side, units),
        **more,
    )


def close_combat_lesson(
    stage: Stage, squads: Sequence[str], leader: str, enemy: str, *, ambush: bool, **more: Any
) -> Lesson:
    """Two squads u1 and u2 and the leader u3 go in against e1, who is pinned."""
    own, there = stage.own, stage.enemy
    units = [
        *(unit(f"u{n}", kind, own) for n, kind in enumerate(squads, 1)),
        unit("u3", leader, own),
        unit("e1", enemy, there, pinned=True),
    ]
    sprung = " In a building either side may be ambushed: each rolls a die for it first." if ambush else ""
    steps = (
        LessonStep(
            f"In the Advance Phase every unit may go one hex, even into the enemy's. The squad in {there} is pinned: "
            f"send both squads and the leader from {own} into {there}. Pick one, add the others, and point at {there}.",
            (own, there),
            ("u1", "u2", "u3"),
            "event:Advanced",
            during("Advance Phase", "here:e1"),
        ),
        LessonStep(
            "Send in whoever is still outside, then end the phase: close combat is fought where both sides stand.",
            (there,),
            (),
            "not phase:Advance Phase",
        ),
        LessonStep(
            "Declare your attack: who attacks whom. The odds of the strengths give the kill number, and the preview "
            "gives the chance. Both sides roll at the same time, so that both may lose." + sprung,
            (there,),
            (),
            f"event:CombatResolved(side={stage.side})",
            "phase:Close Combat Phase",
        ),
        LessonStep("Whoever survives stays locked in Melee and fights on in the next Close Combat Phase."),
    )
    return Lesson(
        "close-combat",
        "Advance and close combat",
        "Going in, odds and the kill number" + (", and the ambush." if ambush else "."),
        stage.scenario,
        stage.side,
        steps,
        position(stage.game, stage.scenario, "APh", stage.side, units),
        **more,
    )


def movement_lesson(stage: Stage, squad: str, leader: str, enemy: str, step: str, cover: str, **more: Any) -> Lesson:
    """Squad u1 and leader u2 move by way of an open hex, in sight of e1, into cover."""
    own = stage.own
    units = [unit("u1", squad, own), unit("u2", leader, own), unit("e1", enemy, stage.enemy)]
    ready = during("Movement Phase", f"active:{stage.side}")
    fit = f"{ready} and here:u1 and not broken:u1"
    steps = (
        LessonStep(
            f"Move the squad and its leader together: click the squad in {own}, hold Shift and click the leader (on a "
            f"phone, tick both in the list), then click {cover}. A squad has two Movement Factors (MF) more with a "
            "leader.",
            (own, cover),
            ("u1", "u2"),
            "event:Moved(units=u1) or frame:Moving and asked",
            fit,
        ),
        LessonStep(
            f"The way shows its cost and who may fire at you on it. {step} is open ground in sight of {stage.enemy}: "
            "fire at you there has -1 for moving and -1 for the open. Go.",
            (step, cover),
            ("u1",),
            "event:Moved(units=u1)",
            fit,
        ),
        LessonStep(
            "After every step the enemy may fire, so a move can end early. Go on, or end the move; who has stopped "
            "does not move again in this phase. Then end the phase.",
            (cover,),
            ("u1",),
            "not phase:Movement Phase",
        ),
        LessonStep("Look for ways out of sight, move with leaders, and keep friends ready to fire at those who fire."),
    )
    return Lesson(
        "movement",
        "Moving under fire",
        "Stacks, leaders, Movement Factors and Defensive First Fire.",
        stage.scenario,
        stage.side,
        steps,
        position(stage.game, stage.scenario, "MPh", stage.side, units),
        **more,
    )
