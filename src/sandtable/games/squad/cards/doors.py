"""The names by which the shared rules ask parts, each with what it is asked with (`part.py`)."""

from __future__ import annotations

TALLIES = {
    "morale": "(state, unit, what): DRM of a MC, PTC, LLMC or LLTC; `what` is its name (3.2.3)",
    "fire": "(state, attack, unit): DRM of a fire attack on a unit, or on the hex where unit is None (3.2.3)",
    "fire FP": "(state, attack, unit, weapon): factors by which the FP of a firer in an attack is multiplied (3.2.2)",
    "to hit": "(state, shot, unit): DRM of an ordnance shot at a unit or a hex (3.2.4)",
    "cost": "(state, way, road): half MF of a step, on top of the terrain's (1.1.1)",
    "their cost": "(state, units, way, road): half MF of a step for these units; without any, for whoever is to go",
    "rally": "(state, unit, leader): DRM of a rally attempt; leader None: a self-rally (3.1)",
    "combat": "(state, attackers, targets): DRM of a close combat attack (3.8)",
    "combat FP": "(state, attackers, targets): factors by which the FP of a close combat attack is multiplied (3.8)",
    "ambush": "(state, cell, side): drm of an ambush (3.8)",
    "breakdown": "(state, weapon): what changes the B# or X# of a weapon in its owner's hands (4.1)",
}

BARS = {
    "move": "(state, unit): a unit may not move in the MPh (3.3)",
    "advance": "(state, unit): a unit may not advance (3.7)",
    "enter": "(state, units, frm, to): units may not move, advance or rout from one Location into another (3.3)",
    "try": "(state, units, frm, to): units find out that they may not advance into a Location, and stay (3.7)",
    "fire": "(state, unit, weapon, mode): a unit may not fire, or not with a weapon (None: its own FP) (3.2)",
    "aim": "(state, side, target, mode): a Location is no target for a side (3.2.2)",
    "line": "(state, unit, weapon, target, mode): a unit may not fire, or not with a weapon, at a Location (3.2.2)",
    "join": "(state, unit, weapon, draft): a unit may not join a fire group, or not with a weapon (3.2.2)",
    "direct": "(state, unit): a leader may not direct fire (3.2.2)",
    "rally": "(state, unit): a unit may not try to rally (3.1)",
    "interdict": "(state, unit): a unit may not interdict a rout (3.6)",
    "combat": "(state, unit): a unit makes no close combat attack (3.8)",
    "pair": "(state, leader, unit): a leader may not be stacked on a MMC for a close combat (3.8)",
}
"""Questions on which a part may say no, with the reason and the rule; each with what it is asked with."""

FATES = {
    "break": "a unit is to break (3.2.3)",
    "pin": "a unit is to be pinned (3.2.3)",
    "reduce": "a unit is to suffer Casualty Reduction (3.2.3)",
    "replace": "a unit is to be replaced by one of lower quality (5.1)",
    "wound": "a single man is to be wounded (3.2.3)",
    "eliminate": "a unit is to be eliminated (4.0)",
    "rally": "a unit is to rally (3.1)",
    "harden": "a unit has been hardened in battle; nothing steps in before (A15.3)",
}
"""What may befall a unit. A part may step in `before`, and hears of it `after`."""

ROLLS = {
    "fire": "IFT DR of small arms (3.2.3)",
    "residual": "IFT DR of Residual FP (3.3.1)",
    "to hit": "To Hit DR (3.2.4)",
    "effect": "IFT DR of a hit (3.2.4)",
    "charge": "IFT DR of a Demolition Charge (4.3)",
    "morale": "MC, LLMC (3.2.3)",
    "protective": "IFT DR of Final Protective Fire, as the NMC of those who fired (3.3.1)",
    "task": "PTC, LLTC (3.2.3)",
    "labour": "entrenching or clearance attempt (B24.7, B27.11)",
    "rally": "rally attempt (3.1)",
    "combat": "close combat attack (3.8)",
}
"""Sorts of Original DRs that parts hear of."""

MOMENTS = {
    "ambush": "a side has ambushed the other and has declared nothing yet",
    "rolled": "a DR of the declared attacks has been made, the last of `frame.rolls`; none has taken effect",
    "attacked": "the attacks of the ambushing side have taken effect, the other has declared nothing yet",
    "fought": "all attacks have taken effect, and nobody is held in Melee by them yet",
}
"""Moments of a close combat at which parts may put in a frame of their own (`part.Fights`)."""

PROCEDURES = {
    "attack": "(play, attack): what follows the dice of any attack (`effects.aftermath.Attack`)",
}
"""Procedures in steps that parts extend, each with what its steps are called with."""
