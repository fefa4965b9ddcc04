"""150 workers reach the database through PgBouncer in transaction mode, over a handful of connections."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from tests.support.embedded import QUICK, within

from outrider.db.embedded import EmbeddedPostgres
from outrider.db.pool import open_pool
from outrider.errors import Misconfigured

PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
SERVER_CONNECTIONS = 10
WORKERS = 150

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")


@pytest.fixture
def pooled(data_dir: Path) -> Iterator[tuple[str, str]]:
    """The DSN through the pooler, and the direct one."""
    with EmbeddedPostgres(data_dir, QUICK) as server:
        folder = data_dir / "database"
        owner = folder.stat()
        (folder / "users").write_text('"outrider" ""\n')
        (folder / "bouncer.ini").write_text(
            f"[databases]\noutrider = host={folder} port=5432 user=outrider\n"
            f"[pgbouncer]\nunix_socket_dir={folder}\nlisten_port=6432\nauth_type=trust\nauth_file={folder}/users\n"
            f"pool_mode=transaction\ndefault_pool_size={SERVER_CONNECTIONS}\nmax_client_conn=1000\n"
        )
        as_owner = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
        pooler = subprocess.Popen([str(PGBOUNCER), "-q", folder / "bouncer.ini"], cwd="/", **as_owner)
        try:
            assert within(10, (folder / ".s.PGSQL.6432").exists)
            yield server.dsn.replace("port=5432", "port=6432"), server.dsn
        finally:
            pooler.terminate()
            pooler.wait(timeout=10)


async def test_many_workers_share_few_connections(pooled):
    through, direct = pooled
    pools = [
        await open_pool(through, size=2, application_name=f"worker {number}", through_pooler=True)
        for number in range(WORKERS)
    ]

    async def work(pool: asyncpg.Pool, number: int) -> object:
        async with pool.acquire() as connection, connection.transaction():
            return await connection.fetchval("SELECT $1::jsonb", {"number": number})

    answers = await asyncio.gather(*(work(pool, number) for number, pool in enumerate(pools)))
    watcher = await asyncpg.connect(direct)
    used = await watcher.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    )
    await watcher.close()
    for pool in pools:
        pool.terminate()

    assert answers == [{"number": number} for number in range(WORKERS)]
    assert used - 1 <= SERVER_CONNECTIONS


async def test_a_pooler_nobody_told_us_of_is_recognised(pooled):
    with pytest.raises(Misconfigured, match="leads to a connection pooler: set OUTRIDER_DATABASE_POOLER"):
        await open_pool(pooled[0], size=1, application_name="t")
