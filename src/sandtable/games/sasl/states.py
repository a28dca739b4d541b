"""How far the rest has come: tables, missions and rules that are data only, for the list of rules."""

from __future__ import annotations

from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.tables import cards, events, files, missions

READ_TWICE = "data, read twice"
USED = f"{READ_TWICE}; in play"
WAITS = f"{READ_TWICE}; waits for"
LATER = {
    "A3b": "vehicles", "A3c": "vehicles", "A4c": "vehicles", "A9a": "rivers and bridges", "A9b": "rivers and bridges",
    "A9c": "rivers and bridges", "A9d": "rivers and bridges",
}  # fmt: skip
"""Tables that nothing in play rolls on yet, with what they need."""
NOT_YET = {
    "S4.3": ("Human Waves", "Human Waves"),
    "S5.32": ("Long Range Activation", "Missions 16 and 20"),
    "S5.711": ("Crews and Armor Leaders of vehicles", "vehicles"),
    "S6.304": ("Units in flames", "flames"),
    "S6.305": ("Human Wave", "Human Waves"),
    "S6.308": ("Vehicles in Melee", "vehicles"),
    "S6.309": ("Vehicles in Motion", "vehicles"),
    "S8.7": ("FFE of the ENEMY", "off-board artillery"),
    "S8.9": ("Aircraft of the ENEMY", "aircraft"),
    "S9.3": ("ENEMY vehicles move", "vehicles"),
    "S13.61": ("Rafts and boats", "rivers"),
    "S17.": ("The campaign", "a later step"),
}
"""Rules that are not played, with what they wait for."""


def states() -> dict[str, tuple[str, str]]:
    """Name to (title, state)."""
    found = {rule: (title, f"not played: waits for {part}") for rule, (title, part) in NOT_YET.items()}
    for folder in ("activation", "action", "fire", "movement", "numbers", "boards", "objectives", "command"):
        for name, table in files.load(f"enemy/{folder}.toml").items():
            if isinstance(table, dict) and "title" in table:
                later = f"{WAITS} {LATER[name]}" if name in LATER else USED
                found[f"Table {name}"] = (str(table["title"]), later)
    for code in cards.FILES:
        found[f"Card {code}"] = (
            "Nationality card x1 to x10",
            f"{USED}; x6, x7 and x10 wait for vehicles and Human Waves",
        )
    for name in ("A11", "P9", *dict.fromkeys(events.FRIENDLY.values())):
        found[f"Events {name}"] = (
            f"{len(events.events(name))} Random Events",
            f"{USED}, as far as the parts are built",
        )
    for number in range(1, 22):
        if number not in MISSIONS:
            found[f"M{number}"] = (missions.mission(number).title, f"{READ_TWICE}; not played yet")
    return found
