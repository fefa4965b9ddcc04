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
    folder = SOURCE.joinpath(*package.split(".")[1:])
    return "\n".join(file.read_text() for file in folder.rglob("*.py"))


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


@pytest.mark.parametrize("package", PACKAGES)
def test_every_query_is_used_by_its_package(package: str):
    used = set(re.findall(r"\.([a-z_]+)\b", python_of(package)))

    assert set(QUERIES[package]) - used == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_asks_for_a_query_it_does_not_have(package: str):
    asked = set(re.findall(r"\b_?(?:sql|SQL)\.([a-z_]+)\b", python_of(package)))

    assert asked - set(QUERIES[package]) == set()


def test_only_the_registry_writes_the_table_of_workers():
    writes = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE) worker\b")
    writers = {
        package
        for package, queries in QUERIES.items()
        for name in queries
        if writes.search(getattr(queries, name))
    }

    assert writers == {"outrider.worker_registry"}
