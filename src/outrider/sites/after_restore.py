"""Keys of sites after a restore: a key that was replaced after the backup must not become valid again."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.sites")


async def read_keys(db: asyncpg.Connection) -> Sequence[Any]:
    """The sites of a database with the hashes of their keys."""
    return list(await db.fetch(_SQL.known_keys))


async def withdraw_keys(db: asyncpg.Connection, known: Sequence[Any] | None, *, keep: bool) -> Sequence[str]:
    """Take the keys from the newer database; returns the names of the sites whose keys were revoked.

    Without a newer database all keys are revoked, unless `keep`. The caller opens the transaction.
    """
    if known is None and keep:
        return ()
    names = ("site_id", "name", "key_hash", "previous_key_hash", "previous_key_until")
    columns = [[site[name] for site in known or ()] for name in names]
    await db.execute(_SQL.update_known_keys, *columns)
    return [row["name"] for row in await db.fetch(_SQL.revoke_unknown_keys, *columns[:2])]
