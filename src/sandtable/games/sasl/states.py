"""How far the rest has come: tables, missions and rules that are data only, for the list of rules."""

from __future__ import annotations

from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.tables import cards, events, files, missions

READ_TWICE = "data, read twice"
USED = f"{READ_TWICE}; in play"
WAITS = f"{READ_TWICE}; next step: waits for"
LATER = {
    "A3b": "vehicles", "A3c": "vehicles", "A4c": "vehicles", "A9a": "rivers and their bridges",
    "A9b": "rivers and their bridges", "paradrop": "parachutes",
}  # fmt: skip
"""Tables that nothing in play rolls on yet, with what they need."""
LATER_ROWS = {
    "AC": {"each level of the S? above the base level of its hex": "storeys"},
    "A2": dict.fromkeys(("immobile armed vehicle", "mobile armed vehicle"), "vehicles"),
    "A4a": {"Target from a higher building level": "storeys"},
    "CMD": {
        "SMC with a working radio or field phone and OBA available": "off-board artillery",
        "convoy, column or platoon movement": "vehicles; a column on foot breaks up when play begins (Mission 8)",
        **dict.fromkeys(("vehicle", "CE AFV", "non-stopped vehicle"), "vehicles"),
    },
}
"""Lines of tables in play that need what is not played yet, by their first or telling words."""
FLAMES, WAVES, VEHICLES = "flames and Blazes", "Human Waves, with Mission 14", "vehicles"
NOT_YET = {
    "S3.31": ("Flames Activate S?, Blazes remove them", FLAMES),
    "S4.3": ("Human Waves", WAVES),
    "S5.32": ("Long Range Activation", "Missions 16 and 20, which alone use it"),
    "S5.711": ("Crews and Armor Leaders of vehicles", VEHICLES),
    "G9.": ("Panji instead of entrenchments {A5 note 3} and of minefields (RE 13-14)", "PTO Terrain (13.7)"),
    "S6.304": ("Units in flames", FLAMES),
    "S6.305": ("Human Wave", WAVES),
    "S6.308": ("Vehicles in Melee", VEHICLES),
    "S6.309": ("Vehicles in Motion", VEHICLES),
    "S8.23": ("Panzerfausts, Deliberate Immobilisation, special ammunition (8.23 to 8.25)", VEHICLES),
    "S8.7": ("FFE of the ENEMY", "off-board artillery"),
    "S8.9": ("Aircraft of the ENEMY", "aircraft"),
    "S9.3": ("ENEMY vehicles move", VEHICLES),
    "S12.31": ("Weather and winter camouflage before play", "weather"),
    "S13.24": ("Overlays", "Missions 20 and 21, which alone lay them"),
    "S13.26": ("Factories", "storeys"),
    "S13.61": ("Rafts and boats", "rivers"),
    "S13.7": ("PTO Terrain", "jungle, bamboo and kunai"),
    "S14.5": ("No kindling in a VPO", FLAMES),
    "S15.2": ("Hidden FRIENDLY units (15.2), and their own mines (15.21, 15.3)", "missions with fortification points"),
    "S16.34": ("One Command DR for a column, convoy or platoon", "vehicles, and columns in play"),
    "S16.35": ("Command and PRC, loading and hooking", VEHICLES),
    "S16.36": ("Command and spotted fire", "spotted fire (C9.3)"),
    "S16.43": ("Command and vehicles", VEHICLES),
    "S17": ("The campaign", "missions of a campaign that follow one another"),
    "A22.6111": ("MOL set a Location alight, at the Target or at the thrower", FLAMES),
    "A22.612": ("MOL against vehicles", VEHICLES),
    "A22.613": ("MOL and kindling", FLAMES),
}
"""Rules of the next steps, with what they wait for; the notes of a mission say so (`mission_words.REMARKS`)."""


def states() -> dict[str, tuple[str, str]]:
    """Name to (title, state)."""
    found = {rule: (title, f"next step: waits for {part}") for rule, (title, part) in NOT_YET.items()}
    for folder in ("activation", "action", "fire", "movement", "numbers", "boards", "objectives", "command"):
        for name, table in files.load(f"enemy/{folder}.toml").items():
            if isinstance(table, dict) and "title" in table:
                later = f"{WAITS} {LATER[name]}" if name in LATER else USED
                later += "".join(f"; next step: {words} ({part})" for words, part in LATER_ROWS.get(name, {}).items())
                found[f"Table {name}"] = (str(table["title"]), later)
    for code in cards.FILES:
        found[f"Card {code}"] = (
            "Nationality card x1 to x10",
            f"{USED}; next step: x6, x7 and x10, which wait for vehicles and Human Waves",
        )
    for name in ("A11", "P9", *dict.fromkeys(events.FRIENDLY.values())):
        found[f"Events {name}"] = (
            f"{len(events.events(name))} Random Events",
            f"{USED}, as far as the parts are built",
        )
    for number in range(1, 22):
        if number not in MISSIONS:
            found[f"M{number}"] = (missions.mission(number).title, f"{READ_TWICE}; next step")
    return found
