"""What has expired is removed, and nothing else."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest
from tests.support.auth import AuthServer

from outrider.auth.authenticator import Credentials
from outrider.auth.jwt import revoke_jwt
from outrider.auth.postgres_rate_limits import PostgresRateLimits
from outrider.auth.pruning import PrunedAuth, auth_tasks, prune_auth
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unauthenticated


async def test_what_has_expired_is_removed_and_the_rest_stays(
    db: asyncpg.Connection, server: AuthServer, database: str
):
    now = datetime.now(UTC)
    await server.user(db, "ann")
    await server.sign_in(db, "ann")
    await db.execute("UPDATE user_session SET expires_at = now()")
    kept = await server.sign_in(db, "ann")
    await revoke_jwt(db, uuid4(), now - timedelta(minutes=1))
    await revoke_jwt(db, uuid4(), now + timedelta(hours=1))
    for name in ("old", "new"):
        with pytest.raises(Unauthenticated):
            await server.sign_in(db, name, "x")
        if name == "old":
            await db.execute(
                "UPDATE login_throttle "
                "SET last_failed_at = now() - interval '1 hour', blocked_until = '-infinity'"
            )
    await PostgresRateLimits().hit(db, "old", 5)
    await db.execute("UPDATE rate_window SET hits = ARRAY[now() - interval '2 minutes']")
    await PostgresRateLimits().hit(db, "new", 5)
    throttles = await db.fetchval("SELECT count(*) FROM login_throttle")

    removed = await prune_auth(db)

    assert (removed.sessions, removed.revoked_jwts, removed.windows) == (1, 1, 1)
    assert 0 < removed.throttles < throttles
    assert await server.authenticator.principal(db, Credentials(session=kept.session_cookie))
    connection = ReconnectingConnection(database, application_name="tests")
    (task,) = auth_tasks(connection)
    assert await task.run() == PrunedAuth(0, 0, 0, 0)
    await connection.close()
