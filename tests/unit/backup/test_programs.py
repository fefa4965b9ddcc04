"""Which pg_dump is used, and how it learns where the database is."""

import asyncio
import sys
import time
from pathlib import Path

import pytest

from outrider.backup.programs import (
    choose_programs,
    connection_variables,
    database_argument,
    run_program,
)
from outrider.db.binaries import Binaries
from outrider.errors import Misconfigured, Unavailable

FOUND = [Binaries(Path(f"/pg{version}"), version) for version in ("18.6", "17.2", "16.9", "15.18")]


def test_the_programs_of_the_version_of_the_server_are_used():
    assert [choose_programs(FOUND, major).version for major in (15, 16, 17, 18)] == [
        "15.18",
        "16.9",
        "17.2",
        "18.6",
    ]


def test_newer_programs_are_used_if_the_server_understands_what_they_send():
    assert choose_programs(FOUND[:1], 17).version == "18.6"
    with pytest.raises(Misconfigured, match=r"PostgreSQL 16, and only 18\.6, 17\.2 is here"):
        choose_programs(FOUND[:2], 16)


def test_programs_that_are_older_than_the_server_are_refused_with_what_to_do():
    with pytest.raises(Misconfigured, match=r"PostgreSQL 18, and only 16\.9, 15\.18 is here.*PG_BINDIR"):
        choose_programs(FOUND[2:], 18)
    with pytest.raises(Misconfigured, match="none is installed here"):
        choose_programs([], 18)


@pytest.mark.parametrize(
    ("dsn", "variables"),
    [
        (
            "postgresql://outrider@/outrider?host=/srv/data%20x&port=5432",
            {"PGUSER": "outrider", "PGHOST": "/srv/data x", "PGPORT": "5432"},
        ),
        (
            "postgres://ann:s%40cret@db.test:6432/crawl?sslmode=require&statement_timeout=5",
            {
                "PGUSER": "ann",
                "PGPASSWORD": "s@cret",
                "PGHOST": "db.test",
                "PGPORT": "6432",
                "PGSSLMODE": "require",
            },
        ),
        (
            "postgresql://ann@[::1]:5433,db2.test:5434/crawl",
            {"PGUSER": "ann", "PGHOST": "::1,db2.test", "PGPORT": "5433,5434"},
        ),
        ("postgresql:///crawl", {}),
    ],
)
def test_the_server_of_a_url_is_named_by_variables(dsn, variables):
    assert connection_variables(dsn) == variables


def test_a_name_of_a_database_is_never_read_as_anything_else():
    assert database_argument(r"a b='c\d") == r"dbname='a b=\'c\\d'"


async def test_a_program_that_fails_tells_why_and_not_the_password():
    script = "import sys; sys.exit('pg_dump: error: no postgresql://ann:s3cret@db.test')"

    with pytest.raises(Unavailable, match="no postgresql://") as failed:
        await run_program([sys.executable, "-c", script])

    assert "s3cret" not in str(failed.value)


async def test_a_program_that_takes_too_long_is_killed():
    began = time.monotonic()

    with pytest.raises(Unavailable, match=r"did not end within 0\.2 seconds"):
        await run_program([sys.executable, "-c", "import time; time.sleep(60)"], longest_s=0.2)

    assert time.monotonic() - began < 20


async def test_a_program_is_killed_when_its_caller_is_cancelled():
    running = asyncio.create_task(run_program([sys.executable, "-c", "import time; time.sleep(60)"]))
    await asyncio.sleep(0)
    began = time.monotonic()

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert time.monotonic() - began < 20
