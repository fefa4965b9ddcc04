"""Every named query prepares against the migrated schema, says what it does, and has a caller."""

import re
from pathlib import Path

import asyncpg
import pytest
from tests.support.database import TestServer

import outrider
from outrider.db.queries import Queries
from outrider.db.sql_constants import SQL_CONSTANTS
from outrider.frontier.model import EntryKind, State
from outrider.frontier.rows import BREAKERS

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


@pytest.mark.parametrize(
    "file", sorted(SOURCE.glob("**/sql/*.sql")), ids=lambda file: str(file.relative_to(SOURCE))
)
def test_every_query_has_an_intent_line(file: Path):
    """A comment right after `-- name:` says what the query does; `-- $1` only lists a parameter."""
    without_intent = re.findall(r"^-- name: (\S+)\n(?!-- [^$\s])", file.read_text(), re.MULTILINE)

    assert without_intent == []


def test_sql_comments_fit_in_a_line():
    too_long = [
        f"{file.name}: {line}"
        for file in SOURCE.glob("**/sql/*.sql")
        for line in file.read_text().splitlines()
        if line.lstrip().startswith("--") and len(line) > 120
    ]

    assert too_long == []


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


def test_only_sources_reads_a_stored_policy():
    readers = {
        file.relative_to(SOURCE).parts[0]
        for file in SOURCE.rglob("*.py")
        if "Policy.from_json(" in file.read_text()
    }

    assert readers == {"sources"}


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


def test_constants_of_sql_are_the_numbers_of_the_code():
    kinds = {f"kind_{kind.name.lower()}": kind.value for kind in EntryKind}
    states = {f"state_{state.name.lower()}": state.value for state in State}
    breakers = {f"breaker_{breaker.name.lower()}": place for place, breaker in enumerate(BREAKERS)}

    assert kinds | states | breakers == SQL_CONSTANTS


def test_sql_names_kinds_states_and_breakers_instead_of_numbers():
    """The moves of a rehash (`m.state`) have states of their own."""
    bare = re.compile(r"\b(?:kind|state|new_state|was|is_now|breaker|url_state\([^()]*\))\s*(?:=|<>)\s*[0-9]")

    found = [
        f"{file.name}: {number[0]}"
        for file in SOURCE.glob("**/sql/*.sql")
        if file.name != "rehash.sql"
        for number in bare.finditer(file.read_text())
    ]
    assert found == []
