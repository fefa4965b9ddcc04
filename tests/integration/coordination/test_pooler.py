"""Leadership through PgBouncer in transaction mode, where each statement may have another session."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from tests.support.coordination import Fleet, renewals_of, running
from tests.support.pooler import PROGRAM, Pooled, pooled_server

from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term, fenced
from outrider.db import migrate

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed")


@pytest.fixture
def pooled() -> Iterator[Pooled]:
    with tempfile.TemporaryDirectory(prefix="outrider-pooled-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # as root, the database's own user must get in
        with pooled_server(Path(folder)) as server:
            yield server


async def test_a_leader_renews_hands_over_and_is_fenced_through_a_pooler(pooled: Pooled):
    await _migrate(pooled.direct)
    fleet = Fleet(pooled.dsn, [])
    async with (
        fleet.member(renew_s=0.1, through_pooler=True) as first,
        fleet.member(through_pooler=True) as second,
    ):
        async with running(first, election := first.election()):
            old = await first.gain()
            await renewals_of(election)
            await first.connection.run(lambda db: fenced(db, old))
        async with running(second, second.election()):
            assert await second.gain() == Term("duty", old.fence + 1)
            with pytest.raises(StaleLeader):
                await first.connection.run(lambda db: fenced(db, old))


async def _migrate(dsn: str) -> None:
    db = await asyncpg.connect(dsn)
    await migrate.up(db)
    await db.close()
