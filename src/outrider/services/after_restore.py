"""What a database needs after a restore: its rows are older than the world that refers to them.

Processes, positions, versions and credentials that were given out after the backup exist outside of the
database. Each owner of a table makes sure that none of them is mistaken for one of the restored database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.auth.after_restore import KnownCredentials, read_credentials, withdraw_credentials
from outrider.coordination.terms import outdate_terms
from outrider.events.log import begin_history
from outrider.jobs.schedulers import record_all_stops
from outrider.maintenance.store import MaintenanceStore
from outrider.redirects.store import RedirectStore
from outrider.sites.after_restore import read_keys, withdraw_keys
from outrider.worker_registry.store import WorkerRegistry


@dataclass(frozen=True, slots=True)
class NewestAccess:
    """The credentials of the database that is replaced, which are newer than those of the backup."""

    credentials: KnownCredentials
    site_keys: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What was valid in the backup and is not valid any more. All sessions have ended, too."""

    disabled_users: Sequence[str]
    revoked_tokens: Sequence[str]
    revoked_site_keys: Sequence[str]


async def read_newest_access(db: asyncpg.Connection) -> NewestAccess:
    """The credentials of the database that will be replaced."""
    async with db.transaction():
        return NewestAccess(await read_credentials(db), await read_keys(db))


async def prepare_restored(
    db: asyncpg.Connection, newest: NewestAccess | None, backup: Mapping[str, Any], *, keep_tokens: bool
) -> Withdrawn:
    """Make a restored database ready for new processes. `newest` is None if nothing was replaced."""
    async with db.transaction():
        await MaintenanceStore().close_restored(db, backup)
        await begin_history(db)
        await outdate_terms(db)
        await WorkerRegistry().record_all_stops(db)
        await record_all_stops(db)
        await RedirectStore().outdate_versions(db)
        access = await withdraw_credentials(
            db, None if newest is None else newest.credentials, keep_tokens=keep_tokens
        )
        keys = await withdraw_keys(db, None if newest is None else newest.site_keys, keep=keep_tokens)
    return Withdrawn(access.disabled_users, access.revoked_tokens, keys)
