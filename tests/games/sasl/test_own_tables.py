"""Tables of a card that the owner of the printed one has put in the place of those that were lost (SA-10 to SA-12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.games.sasl.charts import chart
from sandtable.games.sasl.tables import cards
from sandtable.games.squad.pieces.own_files import BadOwnFile

G2 = """["german G2"]
table = '''
Final DR | Type
<=3      | 4-6-8^1
4-9      | 4-6-7
>=10     | 4-4-7
'''
drm = '''
drm | when | not for
+1  | 1945 |
'''
notes = '''
mark | use   | when | where | dr | text
1    | 6-5-8 |      | SS    |    |
'''
"""


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    cards.card.cache_clear()
    cards._own.cache_clear()
    yield
    cards.card.cache_clear()
    cards._own.cache_clear()


def put(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(folder))
    (folder / "sasl").mkdir()
    (folder / "sasl" / "tables.toml").write_text(text, "utf-8")


@pytest.mark.rule("S5.72")
def test_the_printed_table_takes_the_place_of_the_house_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cards.card("G").table("x2").house
    cards.card.cache_clear()
    cards._own.cache_clear()
    put(tmp_path, monkeypatch, G2)
    table = cards.card("G").table("x2")
    assert (table.house, table.source, table.rulings) == (False, "own file", ())
    assert table.cell(9).text == "4-6-7"
    assert table.drm("1945-02") == 1
    assert cards.card("R").table("x2").source != "own file"
    shown = chart("G2") or {}
    assert shown["rows"][0] == ["<=3", "4-6-8^1"]
    assert not shown["house"]


@pytest.mark.rule("S5.72")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[german G2", "is no TOML"),
        (G2.replace("german", "martian"), "there is no card 'martian'; the cards are german, russian"),
        (G2.replace("G2", "G6"), "german has no table 'G6' that is played; it has G2, G3, G4, G5, G5a"),
        ('["german G2"]\nrows = "3"', "has texts called table, drm, notes, no rows"),
        ('["german G2"]\ndrm = ""', "needs a text called table"),
        (G2.replace("4-9 ", "4-8 "), "a roll of 9 has no row"),
        (G2.replace("4-9 ", "3-9 "), "a roll of 3 has the rows <=3 and 3-9"),
        (G2.replace("| 4-4-7", "| 4-4-9"), "there is no counter for '4-4-9' of row >=10"),
        (G2.replace("4-6-8^1", "4-6-8^2"), "row <=3 has a mark 2 without a note"),
        (G2.replace("| 4-4-7", "| 4-4-7 [1-3]"), "the brackets of '4-4-7 [1-3]' in row >=10 do not make 1 to 6"),
        (G2.replace("Final DR", "DR"), "its first heading is Final DR, not DR"),
        (G2.replace("| Type", "| 1939-44"), "it needs one column, no more, for January 1945"),
        (G2.replace("| 4-4-7", "| 4-4-7 | 4-3-6"), "cannot be read as a table"),
        (G2.replace("4-9 ", "four"), "'four' is no row of rolls: write 5, 4-9, <=3 or >=10"),
        (G2.replace("4-9 ", "-4-9"), "'-4-9' is no row of rolls"),
        (G2.replace("<=3 ", "<=" + "9" * 99), "' is no row of rolls"),
        ('["german G2"]\ntable = " "', "its table has neither headings nor rows"),
        (G2.replace("not for", "but not for"), "the headings of its drm are drm | when | not for"),
        (G2.replace("where |", "place |"), "the headings of its notes are mark | use | when | where | dr | text"),
        (G2.replace("+1 ", "one"), "'one' is no drm: write +1 or -1"),
        (G2.replace("| 1945 ", "| 13/45 "), "no month of play is in 13/45: write 1943, 6/41, 7-12/41 or 8/43-44"),
        (G2.replace("| 1945 ", "| 1/1945 "), "no month of play is in 1/1945"),
        (G2.replace("|      | SS", "| 1951 | SS"), "no month of play is in note 1"),
    ],
)
def test_a_bad_file_is_answered_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    put(tmp_path, monkeypatch, text)
    with pytest.raises(BadOwnFile) as caught:
        cards.card("G")
    sentence = str(caught.value)
    assert sentence.startswith("tables.toml")
    assert words in sentence
    assert "\n" not in sentence


def test_every_shipped_table_could_stand_in_such_a_file() -> None:
    for code, file in cards.FILES.items():
        one = cards.card(code)
        for name, entry in cards.files.load(f"cards/{file}.toml").items():
            if name[1:] in ("2", "3", "4", "4a", "5", "5a") and isinstance(entry, dict) and "same_as" not in entry:
                values = {field: entry[field] for field in ("table", "drm", "notes") if field in entry}
                made = cards.replaced(f"{file} {name}", values, one.tables[name], one.nation, one.span)
                assert made.rows == one.tables[name].rows
