"""Every named query prepares against the migrated schema, somebody uses it, and nobody uses a missing one."""

import re
from pathlib import Path

import asyncpg
import pytest
from tests.support.database import TestServer

import outrider
from outrider.db.queries import Queries

SOURCE = Path(outrider.__file__).parent
PACKAGES = sorted(
    ".".join(("outrider", *folder.relative_to(SOURCE).parts))
    for folder in {file.parents[1] for file in SOURCE.glob("**/sql/*.sql")}
)
QUERIES = {package: Queries.load(package) for package in PACKAGES}


def python_of(package: str) -> str:
    """The Python text of a package, without parts that have queries of their own."""
    folder = SOURCE.joinpath(*package.split(".")[1:])
    own = {file.parents[1] for file in folder.glob("*/**/sql/*.sql") if file.parents[1] != folder}
    files = [file for file in folder.rglob("*.py") if not own.intersection(file.parents)]
    return "\n".join(file.read_text() for file in files)


async def test_every_query_prepares_against_the_schema(each_postgres: TestServer):
    refused = []
    async with each_postgres.database() as dsn:
        connection = await asyncpg.connect(dsn)
        for package, name in ((package, name) for package, queries in QUERIES.items() for name in queries):
            try:
                await connection.prepare(getattr(QUERIES[package], name))
            except asyncpg.PostgresError as error:
                refused.append(f"{package}: {name}: {error}")
        await connection.close()

    assert refused == []


def test_no_query_looks_into_a_policy():
    """The typed policy of sources/ alone knows its JSON form."""
    looks = re.compile(r"\bpolicy\s*(?:->|#>|@>|\?|\[)")
    found = [
        f"{package}: {name}"
        for package, queries in QUERIES.items()
        for name in queries
        if looks.search(getattr(queries, name))
    ]

    assert found == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_query_is_used_by_its_package(package: str):
    used = set(re.findall(r"\.([a-z_]+)\b", python_of(package)))

    assert set(QUERIES[package]) - used == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_asks_for_a_query_it_does_not_have(package: str):
    asked = set(re.findall(r"\b_?(?:sql|SQL)\.([a-z_]+)\b", python_of(package)))

    assert asked - set(QUERIES[package]) == set()
