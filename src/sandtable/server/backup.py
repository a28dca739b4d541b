"""Backups: all tables as lines of JSON in one compressed file, the same for SQLite and PostgreSQL."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from sandtable.engine.errors import SandtableError
from sandtable.engine.record import write_whole
from sandtable.server.store import Statement, Store, open_store
from sandtable.server.store.base import migrations

FORMAT = 1

TABLES: dict[str, tuple[str, ...]] = {
    "meta": ("key", "value"),
    "users": ("id", "name", "name_key", "password", "epoch", "notify", "settings", "created", "look"),
    "matches": (
        "id",
        "game",
        "scenario",
        "title",
        "creator",
        "status",
        "header",
        "start",
        "setup",
        "watch",
        "version",
        "to_act",
        "turn",
        "phase",
        "clocks",
        "requests",
        "result",
        "automatic",
        "created",
        "changed",
        "revision",
    ),
    "seats": (
        "match_id",
        "side",
        "position",
        "kind",
        "user_id",
        "level",
        "invitation",
        "orders",
        "opened_by",
        "stalled",
    ),
    "members": ("match_id", "user_id", "observer", "archived"),
    "steps": ("match_id", "n", "entry", "why", "at", "passed"),
    "seen": ("match_id", "user_id", "side"),
    "snapshots": ("match_id", "n", "rules", "dice", "state"),
    "albums": ("match_id", "rules", "pages"),
    "told": ("user_id", "match_id", "event"),
    "chat": ("match_id", "n", "user_id", "name", "side", "room", "text", "at"),
}
"""Every table with its columns; those that others refer to come first."""


class BadBackup(SandtableError):
    """A backup that cannot be read or brought back."""


async def backup(database: str, path: Path) -> dict[str, int]:
    """Save everything of one moment; the server may be running. The database must be there, what is no backup stays."""
    _check_free(path)
    store = await open_store(database, existing=True)
    try:
        queries = [f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2" for table, columns in TABLES.items()]
        rows = await store.read_all(*queries)
    finally:
        await store.close()
    rows[0] = [row for row in rows[0] if row[0] == "token key"]  # the rest is of this house and this moment
    counts = dict(zip(TABLES, map(len, rows), strict=True))
    lines = [json.dumps({"sandtable_backup": FORMAT, "migration": _newest(), "rows": counts})]
    for table, found in zip(TABLES, rows, strict=True):
        lines += [json.dumps([table, *row], separators=(",", ":")) for row in found]
    write_whole(path, gzip.compress("\n".join(lines).encode() + b"\n", 6), 0o600)  # secrets and hashes are in it
    return counts


def _check_free(path: Path) -> None:
    """Nothing but an older backup is written over: whoever mixes the names up would lose his database."""
    if not path.exists():
        return
    try:
        with gzip.open(path) as file:
            ours = b'"sandtable_backup"' in file.readline(200)
    except (OSError, EOFError, zlib.error):
        ours = False
    if not ours:
        raise BadBackup(
            f"{path} is there already and is no backup of Sandtable: nothing was written, choose another name."
        )


async def restore(database: str, path: Path, *, replace: bool = False) -> dict[str, int]:
    """Bring a backup back into an empty database, whole or not at all."""
    counts, statements = read_backup(path)
    store = await open_store(database, alone=True)
    try:
        await _check_empty(store, replace=replace)
        clear = [Statement(f"DELETE FROM {table}") for table in reversed(TABLES)]
        await store.write(*clear, *statements)
    finally:
        await store.close()
    return counts


async def _check_empty(store: Store, *, replace: bool) -> None:
    rows = await store.read("SELECT count(*) FROM users")
    if rows[0][0] and not replace:
        raise BadBackup("The database has accounts already: say --replace to throw them away.")


def read_backup(path: Path) -> tuple[dict[str, int], list[Statement]]:
    """The statements that bring a backup back; the whole file is checked first."""
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError, zlib.error):
        raise BadBackup(f"{path} is not a backup of Sandtable, or it is damaged.") from None
    head = _value(path, lines[0] if lines else "", 1)
    if not isinstance(head, dict) or head.get("sandtable_backup") != FORMAT:
        raise BadBackup(f"{path} is not a backup of Sandtable that this version reads.")
    if head.get("migration") != _newest():
        raise BadBackup(f"{path} comes from another version of Sandtable: bring it back with that one, then update.")
    statements: list[Statement] = []
    counts = dict.fromkeys(TABLES, 0)
    for number, line in enumerate(lines[1:], 2):
        value = _value(path, line, number)
        if not isinstance(value, list) or not value or value[0] not in TABLES:
            raise BadBackup(f"Line {number} of {path} is damaged.")
        table, *row = value
        columns = TABLES[table]
        if len(row) != len(columns):
            raise BadBackup(f"Line {number} of {path} is damaged.")
        marks = ", ".join("?" * len(columns))
        statements.append(Statement(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", row, 1))
        counts[table] += 1
    if counts != head.get("rows"):
        raise BadBackup(f"{path} is cut off: it should hold {head.get('rows')}.")
    return counts, statements


def _value(path: Path, line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise BadBackup(f"Line {number} of {path} is damaged.") from None


def _newest() -> int:
    return max(migration.number for migration in migrations())
