"""Ends streams whose login was revoked while they were open (AUT-12)."""

import asyncio
from collections.abc import Collection, Iterator

from outrider.auth.authenticator import Authenticator, Credentials
from outrider.db.pooled import PooledConnections
from outrider.errors import OutriderError, Unauthenticated
from outrider.logs import get_logger
from outrider.web.streams.client import StreamClient

log = get_logger()

CHECK_S = 5.0
REVOKED = "the login was revoked: sign in again"


class LoginChecks:
    """Asks every few seconds whether the logins of the clients still count: one query for each login."""

    def __init__(
        self, authenticator: Authenticator, connections: PooledConnections, clients: Collection[StreamClient]
    ) -> None:
        """`clients` are those of the process, as they come and go."""
        self._authenticator = authenticator
        self._connections = connections
        self._clients = clients

    async def run(self) -> None:
        """Check until cancelled."""
        while True:
            await asyncio.sleep(CHECK_S)
            for credentials, clients in self._by_login().items():
                if not await self._counts(credentials):
                    log.info("streams ended: the login was revoked", streams=len(clients))
                    for client in clients:
                        client.close(REVOKED)

    async def _counts(self, credentials: Credentials) -> bool:
        """Whether a login still counts; it does while the database is away."""
        try:
            await self._connections.run(
                lambda db: self._authenticator.principal(db, credentials), is_one_statement=True
            )
        except Unauthenticated:
            return False
        except OutriderError:
            return True
        return True

    def _by_login(self) -> dict[Credentials, list[StreamClient]]:
        found: dict[Credentials, list[StreamClient]] = {}
        for credentials, client in self._open():
            found.setdefault(credentials, []).append(client)
        return found

    def _open(self) -> Iterator[tuple[Credentials, StreamClient]]:
        for client in self._clients:
            if client.credentials is not None and not client.is_closing:
                yield client.credentials, client
