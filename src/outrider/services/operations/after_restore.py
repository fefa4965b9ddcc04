"""What a database needs after a restore: its rows are older than the world that refers to them.

Processes, positions, versions and credentials that were given out after the backup exist outside of the
database. Each owner of a table makes sure that none of them is mistaken for one of the restored database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.auth.after_restore import KnownCredentials, read_credentials, withdraw_credentials
from outrider.coordination.terms import numbered_names, outdate_terms
from outrider.events.log import begin_history
from outrider.jobs.schedulers import record_all_stops
from outrider.maintenance.store import MaintenanceStore
from outrider.redirects.store import RedirectStore
from outrider.sites.after_restore import read_keys, withdraw_keys
from outrider.worker_registry.store import WorkerRegistry


@dataclass(frozen=True, slots=True)
class ReplacedFacts:
    """What a restored database needs of the one that it replaces, which is newer than the backup."""

    credentials: KnownCredentials
    site_keys: Sequence[Any]
    elections: Sequence[str]
    locks: Sequence[str]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What was valid in the backup and is not valid any more. All sessions have ended, too."""

    disabled_users: Sequence[str]
    revoked_tokens: Sequence[str]
    revoked_site_keys: Sequence[str]


async def read_replaced(db: asyncpg.Connection) -> ReplacedFacts:
    """What is known of the database that will be replaced."""
    async with db.transaction():
        elections, locks = await numbered_names(db)
        return ReplacedFacts(await read_credentials(db), await read_keys(db), elections, locks)


async def prepare_restored(
    db: asyncpg.Connection, replaced: ReplacedFacts | None, backup: Mapping[str, Any], *, keep_tokens: bool
) -> Withdrawn:
    """Make a restored database ready for new processes. `replaced` is None if nothing was replaced."""
    async with db.transaction():
        await MaintenanceStore().close_restored(db, backup)
        await begin_history(db)
        await WorkerRegistry().record_all_stops(db)
        await record_all_stops(db)
        await RedirectStore().outdate_versions(db)
        if replaced is None:
            await outdate_terms(db)
            access = await withdraw_credentials(db, None, keep_tokens=keep_tokens)
            keys = await withdraw_keys(db, None, keep=keep_tokens)
        else:
            await outdate_terms(db, replaced.elections, replaced.locks)
            access = await withdraw_credentials(db, replaced.credentials, keep_tokens=keep_tokens)
            keys = await withdraw_keys(db, replaced.site_keys, keep=keep_tokens)
    return Withdrawn(access.disabled_users, access.revoked_tokens, keys)
