"""Follows the redirects of a site in PostgreSQL: notifications, and a slow poll behind them."""

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime

import asyncpg

from outrider.db.pool import know_types
from outrider.db.queries import Queries
from outrider.redirects.monitor import Miss, record_hits, record_misses, record_views
from outrider.redirects.recorder import Recorder, WaitingReport
from outrider.redirects.serving import ServingTable
from outrider.redirects.store import CHANNEL
from outrider.sites.model import OwnedSite
from outrider.sites.store import SiteStore

CONNECT_TIMEOUT_S = 5.0
COMMAND_TIMEOUT_S = 30.0
POLL_S = 5.0  # a notification can get lost
ROWS_AT_ONCE = 2_000


class DatabaseFeed:
    """A connection of its own, which listens and asks."""

    def __init__(self, dsn: str, site: str) -> None:
        self._dsn, self._named = dsn, site
        self._sql = Queries.load("outrider.redirects")
        self._connection: asyncpg.Connection | None = None
        self._site: OwnedSite | None = None
        self._changed = asyncio.Event()
        self._looked_at = 0.0
        self.queries = 0  # how often the database was asked, for tests

    async def open(self) -> None:
        """Connect and listen."""
        self._changed = asyncio.Event()
        connection = await asyncpg.connect(
            self._dsn,
            timeout=CONNECT_TIMEOUT_S,
            command_timeout=COMMAND_TIMEOUT_S,
            server_settings={"application_name": f"outrider redirects of {self._named}"[:63]},
        )
        self._connection = connection
        await know_types(connection)
        connection.add_termination_listener(lambda _: self._changed.set())
        await connection.add_listener(CHANNEL, lambda *call: self._heard(str(call[3])))
        self._changed.set()

    async def refresh(self, table: ServingTable | None) -> ServingTable | None:
        """Read what changed since the version of the table, or everything."""
        now = time.monotonic()
        if table is not None and not self._changed.is_set() and now - self._looked_at < POLL_S:
            return table
        self._changed.clear()
        self._looked_at = now
        db = self._db()
        self.queries += 1
        async with db.transaction(isolation="repeatable_read", readonly=True):
            site = await SiteStore().find(db, self._named)
            [state] = await db.fetch(self._sql.table_version, site.site_id)
            self._site, version = site, state["version"]
            rules = site.settings.rules
            if table is not None:
                table.bot_words = site.settings.bot_words
            if table is not None and table.version == version and table.rules == rules:
                return table
            if (
                table is not None
                and state["kept_changes"] <= table.version <= version
                and table.rules == rules
            ):
                rows = await db.fetch(self._sql.changes_since, site.site_id, table.version)
                table.update(
                    [(row["from_path"], row["to_path"], row["status_code"]) for row in rows], version
                )
                return table
            fresh = ServingTable(rules, version, bot_words=site.settings.bot_words)
            async for row in db.cursor(self._sql.serving_rows, site.site_id, prefetch=ROWS_AT_ONCE):
                fresh.update([(row["from_path"], row["to_path"], row["status_code"])], version)
            return fresh

    async def report(self, report: WaitingReport, recorder: Recorder) -> None:
        """Write a report in one transaction."""
        misses = recorder.due_misses(report)
        if self._site is None or not (report.hits or report.views or misses):
            return
        db, today = self._db(), datetime.now(UTC).date()
        self.queries += 1
        async with db.transaction():
            if report.hits:
                await record_hits(db, self._site, report.hits)
            if report.views:
                counts = {(path, today): count for path, count in report.views.items()}
                await record_views(db, self._site, counts)
            if misses:
                found = [Miss(path, count, report.referrers.get(path)) for path, count in misses.items()]
                await record_misses(db, self._site, found)
        recorder.reported(report, misses)

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds, or as soon as redirects of the site change."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def close(self) -> None:
        """Disconnect."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    def _db(self) -> asyncpg.Connection:
        if self._connection is None or self._connection.is_closed():
            raise ConnectionError("the connection to the database is closed")
        return self._connection

    def _heard(self, payload: str) -> None:
        if self._site is None or payload.partition(":")[0] == str(self._site.site_id):
            self._changed.set()
