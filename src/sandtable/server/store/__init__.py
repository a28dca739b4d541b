"""Where matches and accounts are kept: SQLite in one file, or PostgreSQL by a URL."""

from __future__ import annotations

from sandtable.server.store.base import Conflict, NotSaved, Statement, Store, StoreError

__all__ = ["Conflict", "NotSaved", "Statement", "Store", "StoreError", "open_store"]


async def open_store(database: str, *, power_safe: bool = False, existing: bool = False, alone: bool = False) -> Store:
    """Open a database (a file's path, or postgresql://...) and bring its tables up to date.

    Where it must be an `existing` one, nothing is made that is not there. A server wants to be `alone` with a file.
    """
    store: Store
    if database.startswith(("postgresql://", "postgres://")):
        from sandtable.server.store.postgres import PostgresStore

        store = PostgresStore(database)
    else:
        from sandtable.server.store.sqlite import SqliteStore

        store = SqliteStore(database.removeprefix("sqlite:///"), power_safe=power_safe)
    try:
        await store.open(existing=existing, alone=alone)
    except BaseException:
        await store.close()
        raise
    return store
