"""A fleet on each of the three lock stores."""

from collections.abc import Iterator

import pytest
from tests.support.coordination import KINDS, Fleet, fleet_of


@pytest.fixture(params=KINDS)
def fleet(request: pytest.FixtureRequest, database: str) -> Iterator[Fleet]:
    """Locks on PostgreSQL, on one Redis, on three."""
    with fleet_of(request.param, database) as fleet:
        yield fleet


@pytest.fixture
def redis_fleet(database: str) -> Iterator[Fleet]:
    with fleet_of("redis", database) as fleet:
        yield fleet


@pytest.fixture
def redlock_fleet(database: str) -> Iterator[Fleet]:
    with fleet_of("redlock", database) as fleet:
        yield fleet


@pytest.fixture
def postgres_fleet(database: str) -> Iterator[Fleet]:
    with fleet_of("postgresql", database) as fleet:
        yield fleet
