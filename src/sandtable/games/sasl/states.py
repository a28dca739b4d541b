"""How far the rest has come: tables, missions and rules that are data only, for the list of rules."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine import RuleState
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.tables import campaign, cards, events, files, missions

READ_TWICE = "data, read twice"
USED = f"{READ_TWICE}; in play"
WAITS = f"{READ_TWICE}; next step: waits for"
LEVELS = "upper levels of buildings"
COLUMNS = "vehicles; a column on foot breaks up when play begins (Mission 8)"
LATER = {
    "A3b": "vehicles", "A3c": "vehicles", "A4c": "vehicles", "A9a": "rivers and their bridges",
    "A9b": "rivers and their bridges", "paradrop": "parachutes",
}  # fmt: skip
"""Tables that nothing in play rolls on yet, with what they need."""
LATER_ROWS = {
    "AC": {"each level of the S? above the base level of its hex": LEVELS},
    "A2": dict.fromkeys(("immobile armed vehicle", "mobile armed vehicle"), "vehicles"),
    "A4a": {"Target from a higher building level": LEVELS},
    "CMD": {
        "SMC with a working radio or field phone and OBA available": "off-board artillery",
        "convoy, column or platoon movement": COLUMNS,
        **dict.fromkeys(("vehicle", "CE AFV", "non-stopped vehicle"), "vehicles"),
    },
}
"""Lines of tables in play that need what is not played yet, by their first or telling words."""
FLAMES, WAVES, VEHICLES = "flames and Blazes", "Human Waves, with Mission 14", "vehicles"
NOT_YET = {
    "S3.31": ("Flames Activate S?, Blazes remove them", FLAMES),
    "S4.1d": ("S? within a radius of each VPO", "Missions 16 and 17, which alone use it"),
    "S4.3": ("Human Waves", WAVES),
    "S5.32": ("Long Range Activation", "Missions 16 and 20, which alone use it"),
    "S5.711": ("Crews, Armor Leaders and armament of vehicles (5.711 to 5.713)", VEHICLES),
    "G9.": ("Panji instead of entrenchments {A5 note 3} and of minefields (RE 13-14)", "PTO Terrain (13.7)"),
    "S6.304": ("Units in flames", FLAMES),
    "S6.305": ("Human Wave", WAVES),
    "S6.308": ("Vehicles in Melee", VEHICLES),
    "S6.309": ("Vehicles in Motion", VEHICLES),
    "S8.23": ("Panzerfausts, Deliberate Immobilisation, special ammunition (8.23 to 8.25)", VEHICLES),
    "S8.7": ("FFE of the ENEMY", "off-board artillery"),
    "S8.9": ("Aircraft of the ENEMY", "aircraft"),
    "S9.3": ("ENEMY vehicles move", VEHICLES),
    "S12.31": ("Weather and winter camouflage before play", "weather; until then it changes nothing"),
    "S13.24": ("Overlays", "Missions 20 and 21, which alone lay them"),
    "S13.26": ("Factories", LEVELS),
    "S13.61": ("Rafts and boats", "rivers"),
    "S13.7": ("PTO Terrain", "jungle, bamboo and kunai"),
    "S13.8": ("Beaches and watercraft", "Missions 20 and 21, which alone use them"),
    "S14.5": ("No kindling in a VPO", FLAMES),
    "S15.2": ("Hidden FRIENDLY units (15.2), and their own mines (15.21, 15.3)", "missions with fortification points"),
    "S16.34": ("One Command DR for a column, convoy or platoon", COLUMNS),
    "S16.35": ("Command and PRC, loading and hooking", VEHICLES),
    "S16.36": ("Command and spotted fire", "spotted fire of mortars (C9.3)"),
    "S16.43": ("Command and vehicles", VEHICLES),
    "S17": ("The campaign", "missions of a campaign that follow one another"),
    "A22.6111": ("MOL set a Location alight, at the Target or at the thrower", FLAMES),
    "A22.612": ("MOL against vehicles", VEHICLES),
    "A22.613": ("MOL and kindling", FLAMES),
}
"""Rules of the next steps, with what they wait for; the notes of a mission say so (`mission_words.REMARKS`)."""


RULED_OUT = {
    "S7.2": ("DM that is kept", "nobody keeps DM beyond the RPh (SA-134)"),
    "S10.5": ("Voluntary break", "the ENEMY never breaks of its own will (SA-104)"),
    "S12.4": (
        "Withdrawal of the FRIENDLY side",
        "it saves units for the next mission of a campaign, and there is none yet (SA-107)",
    ),
}
"""Rules that do not come into play, with the ruling that says so."""
DATA = "sasl/tables/data"
READ = {
    "enemy": "test_general_tables.py::test_every_roll_has_one_row",
    "boards": "test_general_tables.py::test_boards_and_objectives_read_twice",
    "fire": "test_general_tables.py::test_the_priorities_of_fire_read_twice",
    "movement": "test_general_tables.py::test_the_moves_read_twice",
    "card": "test_cards.py::test_the_second_reading_agrees_cell_by_cell_but_for_the_repairs",
    "events": "test_events.py::test_the_second_reading_of_the_events_agrees",
    "sub-table": "test_events.py::test_sub_tables_read_twice",
    "mission": "test_missions.py::test_mission_tables_are_whole_and_read_twice",
    "inside": "test_missions.py::test_tables_inside_missions_read_twice",
    "selection": "test_missions.py::test_mission_selection",
    "partisan": "test_partisan.py::test_who_may_meet_partisans_where_and_when",
    "landing craft": "test_missions.py::test_landing_craft",
    "companies": "test_missions.py::test_companies_add_up_and_are_read_twice",
    "opposition": "test_missions.py::test_opposition_chart",
    "refit": "test_missions.py::test_refit_tables",
    "Free French": "test_cards.py::test_free_french_substitutions",
}
"""Tests that hold the data of a kind of table against its second reading."""
PLAYED = {
    "enemy": "test_every_table.py::test_every_line_of_a_table_in_play_is_reached",
    "card": "test_every_card.py::test_every_cell_of_a_card_is_read_by_what_generates_units",
    "events": "test_every_event.py::test_an_event_happens_or_says_what_it_needs",
    "mission": "test_every_table.py::test_every_row_of_the_mission_tables_is_rolled_at_set_up",
    "inside": "test_every_table.py::test_every_row_of_the_tables_inside_missions",
}
"""Tests that reach every line of the tables in play."""
WITHIN = ("M1-msr2", "M4-msr3")
"""Tables inside missions that are rolled on in play; M3-vp is a list."""


def _table(title: str, state: str, path: str, kind: str) -> RuleState:
    """A table with the file of its data and the tests of its kind."""
    own = path.rpartition("/")[2]
    tests = [READ.get(own, READ[kind])]
    if "in play" in state and kind in PLAYED:
        tests.append(PLAYED[kind])
    return RuleState(title, state, (f"{DATA}/{path}.toml",), tuple(tests))


def states() -> dict[str, RuleState]:
    """Name to (title, state)."""
    found = {rule: RuleState(title, f"next step: waits for {part}") for rule, (title, part) in NOT_YET.items()}
    found |= {rule: RuleState(title, f"ruled: {why}") for rule, (title, why) in RULED_OUT.items()}
    return found | dict([*_general(), *_of_nations(), *_of_missions(), *_of_campaign()])


def _general() -> Iterator[tuple[str, RuleState]]:
    for folder in ("activation", "action", "fire", "movement", "numbers", "boards", "objectives", "command"):
        for name, table in files.load(f"enemy/{folder}.toml").items():
            if isinstance(table, dict) and "title" in table:
                later = f"{WAITS} {LATER[name]}" if name in LATER else USED
                later += "".join(f"; next step: {words} ({part})" for words, part in LATER_ROWS.get(name, {}).items())
                yield f"Table {name}", _table(str(table["title"]), later, f"enemy/{folder}", "enemy")


def _of_nations() -> Iterator[tuple[str, RuleState]]:
    later = f"{USED}; next step: x6, x7 and x10, which wait for vehicles and Human Waves"
    for code, name in cards.FILES.items():
        yield f"Card {code}", _table("Nationality card x1 to x10", later, f"cards/{name}", "card")
    words = f"{USED}; next step: its lines about vehicles"
    yield "Table Free French", _table("Free French Substitutions", words, "cards/french", "Free French")
    for name in ("A11", "P9", *dict.fromkeys(events.FRIENDLY.values())):
        path = "events/enemy" if name in ("A11", "P9") else "events/friendly"
        title = f"{len(events.events(name))} Random Events"
        yield f"Events {name}", _table(title, f"{USED}, as far as the parts are built", path, "events")
    for name in events.sub_tables():
        table = events.sub_table(name)
        state = USED if name in ("A11-03", "A11-11", "P9-02") else f"{WAITS} vehicles"
        yield f"Table {name}", _table(table.title, state, "events/sub_tables", "sub-table")


def _of_missions() -> Iterator[tuple[str, RuleState]]:
    yield "Table A7", _table("Mission Selection", USED, "missions/selection", "selection")
    yield "Table 12.21", _table("Possible Partisan ENEMY", USED, "missions/selection", "partisan")
    for number in range(1, 22):
        one = missions.mission(number)
        state = USED if number in MISSIONS else f"{READ_TWICE}; next step"
        name = f"Tables M{number}" if number in MISSIONS else f"M{number}"
        yield (
            name,
            _table(
                f"Mission Tables of {one.title}" if number in MISSIONS else one.title,
                state,
                "missions/missions",
                "mission",
            ),
        )
    for name, data in files.load("missions/inside.toml").items():
        state = USED if name in WITHIN or name == "M3-vp" else f"{READ_TWICE}; next step"
        yield f"Table {name}", _table(data["title"], state, "missions/inside", "inside")
    for table in missions.landing_craft_tables():
        yield f"Table {table.id}", _table(table.title, f"{WAITS} landing craft", "landing_craft", "landing craft")


def _of_campaign() -> Iterator[tuple[str, RuleState]]:
    yield (
        "Table 18.1",
        _table(f"{len(campaign.companies())} FRIENDLY companies", USED, "campaign/companies", "companies"),
    )
    yield "Table 17.21", _table("Theater Opposition Chart", USED, "campaign/opposition", "opposition")
    for name, rule in REFIT.items():
        state = USED if name == "leader" else f"{WAITS} missions of a campaign that follow one another"
        yield f"Table {rule}", _table(campaign.refit(name).title, state, "campaign/refit", "refit")


REFIT = {"seasoning": "17.74", "leader": "17.81", "replacement": "17.82", "type": "17.821"}
"""The tables of a company between missions, by their rules."""
