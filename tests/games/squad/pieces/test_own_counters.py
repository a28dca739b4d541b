"""Counter values that the owner of the counters has corrected in a file of his own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.games.squad.pieces.counters import Gun, Mmc, all_counters
from sandtable.games.squad.pieces.own_counters import corrected, own_file, read_corrections
from sandtable.games.squad.pieces.own_files import BadOwnFile


def with_file(folder: Path, text: str) -> Path:
    path = folder / "counters.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_the_user_corrects_single_values(tmp_path: Path) -> None:
    text = '["german 4-6-7"]\nsmoke = 2\nmorale = 8\n["american M1 57mm AT"]\nrof = 2\nb = 11\n'
    before = all_counters()
    after = corrected(before, read_corrections(with_file(tmp_path, text)))
    squad, gun = after["german", "4-6-7"], after["american", "M1 57mm AT"]
    assert isinstance(squad, Mmc)
    assert isinstance(gun, Gun)
    assert (squad.smoke, squad.morale, squad.fp, squad.source) == (2, 8, 4, "own file")
    assert (gun.rof, gun.breakdown, gun.ammo) == (2, 11, before["american", "M1 57mm AT"].ammo)  # type: ignore[union-attr]
    assert after["german", "4-4-7"] == before["german", "4-4-7"]


def test_without_a_file_nothing_changes(tmp_path: Path) -> None:
    assert read_corrections(tmp_path / "counters.toml") == {}
    assert corrected(all_counters(), {}) == all_counters()


def test_the_file_lies_in_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    assert own_file() == tmp_path / "squad" / "counters.toml"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[german 4-6-7", "is no TOML"),
        ("german = 3", "is no table"),
        ('["german 4-6-9"]\nfp = 3', "there is no counter 'german 4-6-9'; it has 8-3-8"),
        ('["martian 4-6-7"]\nfp = 3', 'name it as "german 4-6-7"'),
        ('["german 4-6-7"]\nmoral = 3', "has no value 'moral' to correct; it has class, fp, range, morale"),
        ('["german 4-6-7"]\nname = "5-6-7"', "has no value 'name' to correct"),
        ('["german 4-6-7"]\nmorale = 70', "morale of german 4-6-7 is 1 to 12, not 70"),
        ('["german 4-6-7"]\nmorale = "high"', "does not fit"),
        ('["german 4-6-7"]\nreduces_to = "9-9-9"', "must name a counter of german"),
    ],
)
def test_a_bad_file_is_answered_with_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadOwnFile) as caught:
        corrected(all_counters(), read_corrections(with_file(tmp_path, text)))
    sentence = str(caught.value)
    assert sentence.startswith("counters.toml")
    assert words in sentence
    assert "\n" not in sentence.strip()
