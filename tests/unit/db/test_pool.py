"""Every way a connection can fail has its sentence, without the secret."""

import socket

import asyncpg
import pytest

from outrider.db.pool import explain
from outrider.errors import Misconfigured, Unavailable

DSN = "postgresql://joe:hush@db.example/crawl?password=hush"


@pytest.mark.parametrize(
    ("error", "family", "sentence"),
    [
        (asyncpg.InvalidPasswordError("no"), Unavailable, "refused the user or password"),
        (asyncpg.InvalidAuthorizationSpecificationError("no"), Unavailable, "refused the user or password"),
        (asyncpg.InvalidCatalogNameError("no"), Unavailable, "has no such database"),
        (asyncpg.TooManyConnectionsError("no"), Unavailable, "has no connection left"),
        (asyncpg.DiskFullError("no"), Unavailable, "no space is left"),
        (
            asyncpg.ProtocolViolationError("unsupported startup parameter: jit"),
            Misconfigured,
            "DATABASE_POOLER",
        ),
        (asyncpg.CannotConnectNowError("no"), Unavailable, "is starting or stopping"),
        (asyncpg.ClientConfigurationError("no"), Misconfigured, "cannot be used: no"),
        (ValueError("no"), Misconfigured, "cannot be used: no"),
        (TimeoutError(), Unavailable, "did not answer within 10 seconds"),
        (socket.gaierror("no"), Unavailable, "does not resolve"),
        (ConnectionRefusedError(), Unavailable, "nothing is listening"),
        (FileNotFoundError(), Unavailable, "nothing is listening"),
        (OSError("odd"), Unavailable, "cannot be reached: odd"),
    ],
)
def test_a_failed_connection_is_explained(error, family, sentence):
    told = explain(error, DSN)

    assert type(told) is family
    assert sentence in str(told)
    assert "hush" not in str(told)
