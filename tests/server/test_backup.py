"""Backups: everything of one moment, brought back whole or not at all; and the commands of the keeper."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import sqlite3
from pathlib import Path

import pytest

from sandtable import cli
from sandtable.server.backup import TABLES, BadBackup, backup, restore
from sandtable.server.settings import BadSetting, data_directory, default_database, smtp_from_environment
from sandtable.server.store import open_store
from server.helpers import run, serving, settings_for


def test_every_table_and_column_is_in_a_backup(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(settings_for(tmp_path)):
            found = sqlite3.connect(tmp_path / "test.sqlite")
            names = {row[0] for row in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            assert names - {"migrations", "sqlite_sequence"} == set(TABLES)
            for table, columns in TABLES.items():
                there = [row[1] for row in found.execute(f"PRAGMA table_info({table})")]
                assert there == list(columns)
            found.close()

    run(story)


def test_a_backup_is_brought_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "b.gz"
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))

    async def story() -> None:
        settings = settings_for(tmp_path)
        async with serving(settings) as running, running.client("Anna") as anna:
            await anna.new_match(seats={"red": {"kind": "me"}, "blue": {"kind": "me"}})
            counts = await backup(settings.database, file)
            assert (counts["matches"], counts["users"], counts["seats"]) == (1, 1, 2)
        with pytest.raises(BadBackup, match="--replace"):
            await restore(settings.database, file)
        assert await restore(settings.database, file, replace=True) == counts

    run(story)
    assert oct(file.stat().st_mode)[-3:] == "600"
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    for damaged, words in (
        (b"nonsense", "not a backup"),
        (gzip.compress(b"{}\n"), "not a backup"),
        (gzip.compress("\n".join(lines[:-1]).encode()), "cut off"),
        (gzip.compress("\n".join([*lines, '["users", 1]']).encode()), "damaged"),
        (gzip.compress(json.dumps({**json.loads(lines[0]), "migration": 0}).encode()), "another version"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(BadBackup, match=words):
            run(lambda: restore_into(tmp_path / "new.sqlite", file))


async def restore_into(database: Path, file: Path) -> None:
    await restore(str(database), file)


async def _made(database: str) -> None:
    await (await open_store(database)).close()


def test_a_backup_is_written_over_nothing_but_a_backup(tmp_path: Path) -> None:
    """Names that are mixed up: the file for the backup is the database itself, or something else of value."""

    async def story() -> None:
        database = tmp_path / "club.sqlite"
        await _made(str(database))
        letters = tmp_path / "letters.tar.gz"
        letters.write_bytes(gzip.compress(b"dear Anna"))
        broken = tmp_path / "broken.gz"
        broken.write_bytes(gzip.compress(b"dear Anna" * 100)[:20] + b"?" * 50)
        before = {path: path.read_bytes() for path in (database, letters, broken)}
        for path in (database, letters, broken, tmp_path):
            with pytest.raises(BadBackup, match="choose another name"):
                await backup(str(database), path)
        assert {path: path.read_bytes() for path in before} == before
        for _ in range(2):  # the backup of the day before may be written over
            await backup(str(database), tmp_path / "b.gz")
        assert (tmp_path / "b.gz").stat().st_mode & 0o777 == 0o600

    run(story)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    assert cli.main(["admin", "backup", str(tmp_path / "b.gz")]) == 2
    assert "check its name" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())  # a place that is mistyped in the environment is not made either
    asyncio.run(_made(default_database()))
    assert cli.main(["admin", "backup", str(tmp_path / "b.gz")]) == 0
    assert "Saved 0 matches" in capsys.readouterr().out
    wrong = tmp_path / "sandtabel.sqlite"
    assert cli.main(["admin", "backup", str(tmp_path / "c.gz"), "--database", str(wrong)]) == 2
    assert "check its name" in capsys.readouterr().err
    assert not wrong.exists()
    assert not (tmp_path / "c.gz").exists()
    assert cli.main(["admin", "restore", str(tmp_path / "b.gz"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["users"] == 0
    assert cli.main(["admin", "restore", str(tmp_path / "none.gz")]) == 2
    assert cli.main(["serve", "--database", str(tmp_path / "no" / "folder" / "x.sqlite"), "--port", "0"]) == 2
    assert "cannot be opened" in capsys.readouterr().err
    assert cli.main(["serve", "--game", "nowhere:GAME", "--port", "0"]) == 2
    assert "module:NAME" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert cli.main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "say --port" in capsys.readouterr().err


def test_where_the_data_of_a_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDTABLE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_directory() == tmp_path / "sandtable"
    assert default_database() == str(tmp_path / "sandtable" / "sandtable.sqlite")


def test_the_mail_server_is_set_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDTABLE_SMTP", raising=False)
    assert smtp_from_environment() is None
    monkeypatch.setenv("SANDTABLE_SMTP", "smtp://me:p%40ss@mail.example/?from=club@example.org")
    smtp = smtp_from_environment()
    assert smtp is not None
    assert (smtp.host, smtp.port, smtp.password, smtp.encrypted) == ("mail.example", 587, "p@ss", "starttls")
    assert "p@ss" not in repr(smtp)
    for wrong in ("mail.example", "smtp://mail.example"):
        monkeypatch.setenv("SANDTABLE_SMTP", wrong)
        with pytest.raises(BadSetting):
            smtp_from_environment()
