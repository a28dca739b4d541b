"""The printed tables for the screen: head, rows, notes, how sure they are; the row of a decision is marked in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sandtable.games.sasl import free_french
from sandtable.games.sasl.dice import NATION
from sandtable.games.sasl.tables import campaign, events, files, general
from sandtable.games.sasl.tables.cards import FILES, Card, card
from sandtable.games.sasl.tables.cards import free_french as substitutions
from sandtable.games.sasl.tables.dates import span_words
from sandtable.games.sasl.tables.missions import inside, listed, mission, selection
from sandtable.games.sasl.tables.model import ALWAYS_HIGH, ALWAYS_LOW, Modifier, Note, Table

ACTIONS = ("A2a", "A2b")
FIRE = ("A3a", "A3b", "A3c", "A3d")
MOVES = ("A4a", "A4b", "A4c")


def roll_key(low: int, high: int) -> str:
    """The rolls of a row as they are printed: `<=2`, `3-4`, `>=5`."""
    if low <= ALWAYS_LOW:
        return f"<={high}"
    return f">={low}" if high >= ALWAYS_HIGH else f"{low}-{high}" if high > low else str(low)


def chart(name: str) -> dict[str, Any] | None:
    """A table by the name that decisions give it, as data for the screen; None: there is none of that name.

    What a Move Command brings on the way names its row, too: `A4b 5`.
    """
    table, _, row = name.partition(" ")
    if table in MOVES and row:
        found = chart(table)
        return found and {**found, "row": row}
    for find in (_actions, _own_form, _set_up, _general, _mission, _within_event, _events, _card):
        found = find(name)
        if found is not None:
            return found
    return None


def _data(title: str, columns: list[str], rows: list[list[str]], **more: Any) -> dict[str, Any]:
    return {"title": title, "columns": columns, "rows": rows, **more}


def _actions(name: str) -> dict[str, Any] | None:
    """A2 with its notes: which doubles are Panic for whom, and who does something else when."""
    if name not in ACTIONS:
        return None
    found = _table(general.table(name))
    cells = " ".join(row[1] for row in found["rows"])
    panic = ", ".join(f"{unit_class} {doubles} or more" for unit_class, doubles in general.panic_from().items())
    notes = [f"1: doubles are Panic (6.21): {panic}"]
    for note in general.action_notes():
        if f"^{note['mark']}" in cells:
            who = ", ".join(word for word in (note["who"].replace("any", "any unit"), note["when"]) if word)
            notes.append(f"{note['mark']}: {who}: {note['does']} ({note['rule']})")
    return found | {"notes": notes}


def _own_form(name: str) -> dict[str, Any] | None:
    """A1, A3 and A4, which are not plain tables."""
    if name == "A1":
        table = general.activation()
        rows = [[row.key, ", ".join(map(_item, row.items)) or "-"] for row in table.rows]
        notes = [*drm_words(table.modifiers, dice=2), *map(note_words, table.notes)]
        sure = _sure(files.load("enemy/activation.toml")[name])
        return _data("A1: ENEMY Activation", ["Final DR", "Items Activated"], rows, rule="S5.6", notes=notes, **sure)
    if name in FIRE:
        data = files.load("enemy/fire.toml")[name]
        rows = [[c.key, c.when, c.fire, "; ".join(c.at)] for c in general.fire_commands(name)]
        notes = [data["remark"]] if "remark" in data else []
        columns = ["DR", "when", "fire", "at"]
        return _data(f"{name}: Fire Commands", columns, rows, rule="S8", notes=notes, **_sure(data))
    if name in MOVES:
        data = files.load("enemy/movement.toml")[name]
        rows = [[m.key, m.when, m.how, "; ".join(m.to), "; ".join(m.stop)] for m in general.moves(name)]
        columns = ["DR", "when", "how", "to", "stop"]
        return _data(f"{name}: Move Commands", columns, rows, rule="S9.2", **_sure(data))
    if name == "A3e":
        rows = [[roll_key(low, high), attack, against] for low, high, attack, against in general.close_combat()]
        return _data("A3e: CC attack", ["dr", "attack", "against"], rows, rule="S11.5")
    if name == "A3f":
        data = files.load("enemy/fire.toml")[name]
        rows = [[f"{one.drm:+d}", one.when] for one in general.advance_modifiers()]
        rows.append(["±x", data["leader"]])
        notes = [data["remark"], f"Into, best first: {'; '.join(general.advance_into())}"]
        return _data("A3f: Advance into CC, DRM of the NTC", ["DRM", "when"], rows, rule="S11.4", notes=notes)
    return None


def _sure(data: dict[str, Any]) -> dict[str, Any]:
    """How sure a table of the data files is, and the rulings that it names."""
    return {"confidence": data.get("confidence", "high"), "rulings": data.get("rulings", [])}


def _set_up(name: str) -> dict[str, Any] | None:
    """What decides before play: the opposition chart, A7, leaders of a company, tables inside missions."""
    if name == "Theater Opposition Chart":
        rows = [
            [f"{one.theatre} {one.dates}", ", ".join(one.axis), ", ".join(one.allies)] for one in campaign.oppositions()
        ]
        data = files.load("campaign/opposition.toml")
        notes = [*data["notes"], f"4: underlined, Missions may be weekly: {', '.join(data['weekly'])}"]
        columns = ["theatre and dates", "Axis", "Allies"]
        return _data(name, columns, rows, rule="S17.21", notes=notes, rulings=["SA-35", "SA-39"])
    if name == "A7":
        return _table(selection())
    if name == "Company Leader Chart":
        return {**_table(campaign.refit("leader")), "title": "Company Leader Type"}
    if name == "M4 Reinforcement Chart":
        found = _table(inside("M4-msr3"))
        notes = [f"{row['mark']}: {_engineers(row)}{row['text']}" for row in listed("M4-msr3")]
        return {**found, "title": "Mission 4: Assault reinforcements", "notes": [*notes, *found["notes"]]}
    if name == free_french.CHART:
        rows = [[one.unit, span_words(one.span), one.replaces, roll_key(one.low, one.high)] for one in substitutions()]
        notes = ["on the British tables before 12/43, from then on those of the U.S. Army"]
        columns = ["unit", "date", "replaces", "dr"]
        return _data(name, columns, rows, rule="S5.76", notes=notes, rulings=["SA-96"])
    if name == "A10a":
        rows = [[board, *places] for board, places in general.objectives().items()]
        columns = ["board", *[f"dr {dr}" for dr in range(1, 7)]]
        notes = ["X-Y: one VPO of two places", "X/Y: the one nearer to the EBE (14.13)"]
        return _data("A10a: VPO by board", columns, rows, rule="S14.2", notes=notes, rulings=["SA-9"])
    return _table(inside("M1-msr2")) if name == "M1 MSR 2 Chart" else None


def _engineers(row: dict[str, str]) -> str:
    """Who comes with Assault Engineers: `2 squads, 1 leader, 2 DC, 1 FT; `."""
    if not row["squads"]:
        return ""
    return f"{row['squads']} squads, {row['leaders']} leader, {row['DC']} DC, {row['FT']} FT; "


def _item(item: general.Item) -> str:
    return item.kind + (f"^{','.join(item.marks)}" if item.marks else "")


def drm_words(modifiers: Sequence[Modifier], *, dice: int) -> list[str]:
    """The modifiers of the roll as they stand under a table."""
    name = "drm" if dice == 1 else "DRM"
    return [
        f"{name} {one.drm:+d}: {one.when}" + (f" (not for: {one.not_for})" if one.not_for else "") for one in modifiers
    ]


def note_words(note: Note) -> str:
    """A note as it stands under its table: what is used instead, when, where, and on which subsequent dr."""
    low, high = note.low > 1, note.high < 6
    dr = f"dr {roll_key(note.low if low else ALWAYS_LOW, note.high if high else ALWAYS_HIGH)}" if low or high else ""
    when = ", ".join(part for part in (span_words(note.span) if note.span else "", note.where, dr) if part)
    use = "" if note.use.startswith(NATION) else note.use
    said = f"{use} ({when})" if use and when else use or when
    return f"{note.mark}: " + "; ".join(part for part in (said, note.text) if part)


def _marked(text: str, marks: Sequence[str] = ()) -> str:
    """A cell with its marks as they are printed: only numbers are raised, `Lt Mtr*`, `65* INF (I)`."""

    def sign(match: re.Match[str]) -> str:
        raised = [one for one in match[1].split(",") if one.isdigit()]
        others = [f" ({one})" if one.isalpha() else one for one in match[1].split(",") if not one.isdigit()]
        return "".join(others) + (f"^{','.join(raised)}" if raised else "")

    return re.sub(r"\^(\S+)", sign, f"{text}^{','.join(marks)}" if marks else text)


def _table(table: Table) -> dict[str, Any]:
    rows = [[row.key, *[_marked(cell.text) for cell in row.cells]] for row in table.rows]
    remark = [table.remark] if table.remark else []
    return _data(
        f"{table.id}: {table.title}",
        [table.roll, *[_marked(column.label, column.marks) for column in table.columns]],
        rows,
        rule=table.cites,
        notes=[*drm_words(table.modifiers, dice=table.dice), *map(note_words, table.notes), *remark],
        house=table.house,
        confidence=table.confidence,
        rulings=list(table.rulings),
    )


def _general(name: str) -> dict[str, Any] | None:
    try:
        return _table(general.table(name))
    except ValueError:
        return None


def _mission(name: str) -> dict[str, Any] | None:
    """A Mission Table such as `M1 ENEMY SAN`."""
    first, _, title = name.partition(" ")
    if not (first.startswith("M") and first[1:].isdecimal() and title):
        return None
    try:
        return _table(mission(int(first[1:])).table(title))
    except ValueError:
        return None


def _within_event(name: str) -> dict[str, Any] | None:
    """A table inside an event, such as `A11-03`."""
    return _table(events.sub_table(name)) if name in events.sub_tables() else None


def _events(name: str) -> dict[str, Any] | None:
    try:
        found = events.events(name.partition(" ")[0])
    except ValueError:
        return None
    rows = []
    for one in found:
        rows.append([one.key, f"{one.title}*" if one.once else one.title, one.effect])
    notes = ["*: only once in a Mission (2.31)"]
    return _data(f"{name}: Random Events", ["RE", "event", "effect"], rows, rule="S2.3", notes=notes)


def _card(name: str) -> dict[str, Any] | None:
    """A table of a card such as `G3` or `U2 PTO`; the ladder is `G1`, the same on both cards of a nation."""
    for one in map(card, FILES):
        if name == f"{one.letter}1":
            return _ladder(name, one)
        for table in one.tables.values():
            if table.id == name:
                return _table(table)
    return None


def _ladder(name: str, one: Card) -> dict[str, Any]:
    """The ladder x1: a column of hexes for each span of months, and who must be there."""
    spans = list(dict.fromkeys(step.span for step in one.ladder))
    rows = []
    for step in (step for step in one.ladder if step.span == spans[0]):
        same = [other for other in one.ladder if other.case == step.case]
        hexes = ["ADJACENT" if other.hexes is None else str(other.hexes) for other in same]
        rows.append([step.case, *hexes, "any" if step.drm is None else f"<={step.drm}", ", ".join(step.targets)])
    columns = ["case", *[f"hexes {span_words(span)}" if span else "hexes" for span in spans], "IFT DRM", "FRIENDLY"]
    drm = drm_words(general.activation_check().modifiers, dice=1)
    data = files.load(f"cards/{FILES[one.code]}.toml")[name]
    return _data(f"{name}: Activation Check", columns, rows, rule="S5.1", notes=drm, **_sure(data))
