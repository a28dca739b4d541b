"""Rulings that can be read in another way: each is an option that names its ruling and how sure it is."""

from __future__ import annotations

from sandtable.engine import Option
from sandtable.games.sasl.crest_options import ENEMY_CREST
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState

READINGS = (
    Option(
        "near_fbe",
        "S? near your edge",
        ("3", "0", "6"),
        "no S? sets up within this many hexes of the FBE (SA-44, confidence low)",
        reading=True,
    ),
    Option(
        "close_up",
        "ENEMY advances without CC",
        ("on", "off"),
        "on: units in Advance Attitude close up one hex if the cover there is no worse; off: they stay (SA-50,"
        " confidence low)",
        reading=True,
    ),
    Option(
        "tie",
        "Equal VP",
        ("draw", "enemy"),
        "draw: neither side wins; enemy: the ENEMY wins (SA-51, confidence low)",
        reading=True,
    ),
    Option(
        "suspect_mf",
        "MF of S?",
        ("4", "3", "6"),
        "the MF that a S? in Advance Attitude may spend in a MPh (SA-54, confidence low)",
        reading=True,
    ),
    Option(
        "fire_groups",
        "ENEMY fire groups",
        ("adjacent", "location"),
        "adjacent: units in ADJACENT Locations without a leader join in; location: only units of one Location fire"
        " together (SA-64, confidence low)",
        reading=True,
    ),
    Option(
        "self_rally",
        "ENEMY self-rally",
        ("2", "1"),
        "how many MMC the ENEMY may self-rally in its own RPh (SA-65, confidence medium)",
        reading=True,
    ),
    Option(
        "elr",
        "ELR",
        ("none", "5"),
        "none: a unit that fails a morale check is never replaced by one of lower quality; 5: it is replaced if it"
        " fails by more than 5 (SA-108, confidence medium)",
        reading=True,
    ),
    Option(
        "activated",
        "Units just Activated",
        ("concealed", "told", "seen"),
        "concealed: under a ? in Concealment Terrain unless triggered by an ADJACENT unit, and rolled face down;"
        " told: under a ?, but rolled in the open; seen: without a ? (SA-66, SA-90, confidence medium)",
        reading=True,
    ),
    Option(
        "vpo",
        "What a VPO hex stands for",
        ("building", "hex"),
        "building: a building hex stands for the whole building; hex: only for itself (SA-42, confidence low)",
        reading=True,
    ),
    Option(
        "suspect_exit",
        "S? that exit",
        ("squad", "nothing"),
        "squad: a S? that leaves by the FBE counts as a squad where the ENEMY earns Exit VP; nothing: it earns none"
        " (SA-58, confidence low)",
        reading=True,
    ),
    Option(
        "column",
        "The rest of the ENEMY column",
        ("4", "2", "all"),
        "how many S? enter in each ENEMY Player Turn of Mission 8 (SA-95, confidence medium)",
        reading=True,
    ),
    Option(
        "special",
        "ENEMY special forces",
        ("apart", "as rolled"),
        "apart: the first ENEMY squad determines whether all are special forces or none; as rolled: they may be mixed"
        " (SA-100, confidence low)",
        reading=True,
    ),
    Option(
        "indoors",
        "Mortars, BAZ and PSK in buildings",
        ("again", "as rolled"),
        "again: another SW is rolled where they could not be fired; as rolled: the unit keeps them (SA-101, confidence"
        " low)",
        reading=True,
    ),
    Option(
        "rivers",
        "Boards that a river divides",
        ("replaced", "printed"),
        "replaced: another board takes the place of one whose river cannot be crossed; printed: only in missions that"
        " need a road (SA-109, confidence medium)",
        reading=True,
    ),
    Option(
        "bridges",
        "One-hex bridges",
        ("rolled", "network", "printed"),
        "rolled: A9c and A9d tell which stand and of what type they are, but VPO and the Road Network keep theirs;"
        " network: those of the Road Network are rolled for, too; printed: all are as the boards show them (SA-129 and"
        " SA-131, confidence medium)",
        reading=True,
    ),
    Option(
        "double_time",
        "ENEMY Double Time if necessary",
        ("out of reach", "always"),
        "out of reach: only towards a goal that they cannot reach otherwise; always: whenever the table names it"
        " (SA-105, confidence medium)",
        reading=True,
    ),
    Option(
        "opportunity",
        "ENEMY Opportunity Fire",
        ("HW", "covering", "never"),
        "HW: a unit that is told to move with a MMG, HMG or mortar waits for Opportunity Fire if a FRIENDLY unit is in"
        " LOS and within its normal range; covering: only while another MMC of the Location moves; never: it moves"
        " (SA-122, confidence low)",
        reading=True,
    ),
    Option(
        "waited_bonus",
        "Assault Fire after waiting",
        ("off", "on"),
        "on: Opportunity Firers have the Assault Fire bonus too; off: they fire as in Prep Fire (SA-123, confidence"
        " medium)",
        reading=True,
    ),
    Option(
        "directing",
        "ENEMY leaders alone",
        ("on", "off"),
        "on: they move to where they can direct fire; off: only to broken units (SA-86, confidence low)",
        reading=True,
    ),
    Option(
        "checked",
        "Checks of a S?",
        ("Location", "phase"),
        "Location: once for each stack and Location in a phase; phase: once for each stack (SA-45, confidence medium)",
        reading=True,
    ),
    Option(
        "ras",
        "RAS",
        ("rosette", "random"),
        "rosette: towards the FBE, with a dr for each hex; random: into random eligible hexes, like REH (SA-49,"
        " confidence low)",
        reading=True,
    ),
    Option(
        "last_unit",
        "No FRIENDLY unit left",
        ("ends", "goes on"),
        "ends: the mission ends with that Player Turn; goes on: only the Mission End dr ends it (SA-53, confidence"
        " medium)",
        reading=True,
    ),
    Option(
        "rates",
        "Leaders and SW of reinforcements",
        ("3", "2", "4"),
        "one of each for every 3, 2 or 4 squads or fraction thereof (SA-60, confidence low)",
        reading=True,
    ),
    Option(
        "removed",
        "S? that an event removes",
        ("nearest", "random"),
        "nearest: those nearest to FRIENDLY units are removed; random: any that are eligible (SA-61, confidence"
        " medium)",
        reading=True,
    ),
    Option(
        "attached",
        "Loss of Temporarily Attached units",
        ("1.5", "1"),
        "the factor for their Casualty VP, except for Russians (SA-98, confidence medium)",
        reading=True,
    ),
    Option(
        "restricted",
        "ENEMY entrenching with restricted LOS",
        ("barred", "allowed"),
        "barred: not in a Location with LOS to ADJACENT hexes only; allowed: there as well (SA-103, confidence low)",
        reading=True,
    ),
    Option(
        "molotovs",
        "ENEMY Molotov cocktails",
        ("squads", "always", "never"),
        "squads: a Partisan squad throws one in every attack that allows it; always: crews and half-squads throw too,"
        " instead of firing; never: no unit throws (SA-120, confidence medium)",
        reading=True,
    ),
    Option(
        "partisans_mol",
        "Who has Molotov cocktails",
        ("all", "enemy"),
        "all: Partisans on either side; enemy: not those that come to the FRIENDLY side (R9 62) (SA-121, confidence"
        " medium)",
        reading=True,
    ),
    Option(
        "leaders_rout",
        "ENEMY leaders and routs",
        ("along", "stay"),
        "along: an unbroken leader routs along if no Good Order MMC stays behind; stay: he never does (SA-104,"
        " confidence low)",
        reading=True,
    ),
    *ENEMY_CREST,
    Option(
        "withdrawal",
        "ENEMY withdraws from Melee",
        ("4", "3", "6", "broken"),
        "its unbroken units withdraw if the kill number of their best attack, DRM included, is at least this much lower"
        " than that of the best attack against them; broken: only broken units withdraw (SA-115, confidence low)",
        reading=True,
    ),
    Option(
        "spraying",
        "When the ENEMY can spray",
        ("pair", "closest"),
        "pair: wherever two of its Targets share a hexside; closest: only if a closest Target is one of them (SA-112,"
        " confidence medium)",
        reading=True,
    ),
    Option(
        "spray_groups",
        "ENEMY FP that does not spray",
        ("combined", "apart"),
        "combined: its best Target may be one that is sprayed, and then all fire at it as one group; apart: it takes"
        " another one if there is any (SA-113, confidence medium)",
        reading=True,
    ),
    Option(
        "self_preservation",
        "ENEMY fire at ADJACENT units",
        ("spraying", "DR"),
        "spraying: it sprays them whenever it can; DR: table A3a decides as for all other fire (SA-114, confidence"
        " medium)",
        reading=True,
    ),
)
DEFAULTS = {option.id: option.values[0] for option in READINGS}


def reading(state: SquadState, name: str) -> str:
    """How a match reads a ruling."""
    return setting_of(state).options.get(name) or DEFAULTS[name]
