"""The printed tables for the screen: head, rows, notes, how sure they are; the row of a decision is marked in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.games.sasl.tables import campaign, events, general
from sandtable.games.sasl.tables.cards import FILES, Card, Step, card, free_french
from sandtable.games.sasl.tables.dates import Span, span_words
from sandtable.games.sasl.tables.missions import inside, mission, selection
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
        return _data("A1: ENEMY Activation", ["Final DR", "Items Activated"], rows, rule="S5.6", notes=notes)
    if name in FIRE:
        rows = [[c.key, c.when, c.fire, "; ".join(c.at)] for c in general.fire_commands(name)]
        return _data(f"{name}: Fire Commands", ["DR", "when", "fire", "at"], rows, rule="S8")
    if name in MOVES:
        rows = [[m.key, m.when, m.how, "; ".join(m.to), "; ".join(m.stop)] for m in general.moves(name)]
        return _data(f"{name}: Move Commands", ["DR", "when", "how", "to", "stop"], rows, rule="S9.2")
    if name == "A3e":
        rows = [[roll_key(low, high), attack, against] for low, high, attack, against in general.close_combat()]
        return _data("A3e: CC attack", ["dr", "attack", "against"], rows, rule="S11.5")
    if name == "A3f":
        rows = [[f"{one.drm:+d}", one.when] for one in general.advance_modifiers()]
        return _data("A3f: Advance into CC, DRM of the NTC", ["DRM", "when"], rows, rule="S11.4")
    return None


def _set_up(name: str) -> dict[str, Any] | None:
    """What decides before play: the opposition chart, A7, leaders of a company, tables inside missions."""
    if name == "Theater Opposition Chart":
        rows = [
            [f"{one.theatre} {one.dates}", ", ".join(one.axis), ", ".join(one.allies)] for one in campaign.oppositions()
        ]
        return _data(name, ["theatre and dates", "Axis", "Allies"], rows, rule="S17.21", rulings=["SA-35", "SA-39"])
    if name == "A7":
        return _table(selection())
    if name == "Company Leader Chart":
        return {**_table(campaign.refit("leader")), "title": "Company Leader Type"}
    if name == "M4 Reinforcement Chart":
        return {**_table(inside("M4-msr3")), "title": "Mission 4: Assault reinforcements"}
    if name == "Free French Substitutions":
        dr = [[one.unit, one.replaces, roll_key(one.low, one.high)] for one in free_french()]
        return _data(name, ["unit", "replaces", "dr"], dr, rule="S5.76", rulings=["SA-96"])
    if name == "A10a":
        rows = [[board, *places] for board, places in general.objectives().items()]
        return _data(
            "A10a: VPO by board", ["board", *[f"dr {dr}" for dr in range(1, 7)]], rows, rule="S14.2", rulings=["SA-9"]
        )
    return None


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
    said = f"{note.use} ({when})" if note.use and when else note.use or when
    return f"{note.mark}: " + "; ".join(part for part in (said, note.text) if part)


def _table(table: Table) -> dict[str, Any]:
    rows = [[row.key, *[cell.text for cell in row.cells]] for row in table.rows]
    return _data(
        f"{table.id}: {table.title}",
        [table.roll, *[column.label for column in table.columns]],
        rows,
        rule=table.cites,
        notes=[*drm_words(table.modifiers, dice=table.dice), *map(note_words, table.notes)],
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
    rows = [["-".join(dict.fromkeys((e.numbers[0], e.numbers[-1]))), e.title, e.effect] for e in found]
    return _data(f"{name}: Random Events", ["RE", "event", "effect"], rows, rule="S2.3")


def _card(name: str) -> dict[str, Any] | None:
    """A table of a card such as `G3` or `U2 (PTO)`; the ladder is `G1`, the same on both cards of a nation."""
    for one in map(card, FILES):
        if name == f"{one.letter}1":
            return _ladder(one)
        for table in one.tables.values():
            if name == table.id:
                return _table(table)
    return None


def _ladder(one: Card) -> dict[str, Any]:
    """The ladder of a card, with the hexes of each time that it knows."""
    times: dict[Span | None, list[Step]] = {}
    for step in one.ladder:
        times.setdefault(step.span, []).append(step)
    columns = ["case", *[f"hexes {span_words(span)}" if span else "hexes" for span in times], "IFT DRM"]
    rows = []
    for steps in zip(*times.values(), strict=True):
        hexes = ["ADJACENT" if step.hexes is None else str(step.hexes) for step in steps]
        rows.append([steps[0].case, *hexes, "any" if steps[0].drm is None else f"<={steps[0].drm}"])
    drm = drm_words(general.activation_check().modifiers, dice=1)
    return _data(f"{one.letter}1: Activation Check", columns, rows, rule="S5.1", notes=drm)
