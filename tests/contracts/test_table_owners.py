"""A table has one owner: only one room of src/outrider writes it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
MIGRATIONS = SOURCE / "db" / "migrations"
SCHEMA = SOURCE / "db" / "schema.sql"

# Tables that several rooms write today. Remove an entry when one room is left: the test says which.
NOT_YET: Mapping[str, frozenset[str]] = {
    "counter": frozenset(("documents", "frontier")),
    "host": frozenset(("frontier", "hosts", "watch")),
    "host_info": frozenset(("frontier", "hosts")),
    "robots": frozenset(("hosts", "robots")),
    "url": frozenset(("frontier", "watch")),
}

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_WRITES = re.compile(
    r"""\b(?: INSERT\s+INTO
          |   (?<!FOR\s)(?<!FOR\sNO\sKEY\s)(?<!DO\s)UPDATE(?!\s+(?:SET|SKIP|NOWAIT|OF)\b)(?:\s+ONLY)?
          |   DELETE\s+FROM(?:\s+ONLY)?
          |   MERGE\s+INTO
          |   TRUNCATE(?:\s+TABLE)?(?:\s+ONLY)?
          |   COPY(?=\s+[\w."]+\s*(?:\([^)]*\)\s*)?FROM\b)
        )\s+(?:public\.)?"?([a-z_][a-z0-9_]*)""",
    re.IGNORECASE | re.VERBOSE,
)
QUOTES = "'\""
_COPY_CALL = frozenset(("copy_records_to_table", "copy_to_table"))


def tables_written(sql: str) -> set[str]:
    """The names after INSERT INTO, UPDATE, DELETE FROM, MERGE INTO, TRUNCATE and COPY … FROM."""
    return {name.lower() for name in _WRITES.findall(_COMMENT.sub(" ", sql))}


def sql_in(python: str) -> Iterator[str]:
    """The texts of a Python file that may be SQL, and a statement for each copy into a table."""
    for node in ast.walk(ast.parse(python)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) in _COPY_CALL:
            [table, *_] = node.args
            yield f"COPY {ast.unparse(table).strip(QUOTES)} FROM STDIN"


def tables() -> set[str]:
    return set(re.findall(r"^CREATE (?:UNLOGGED )?TABLE (\w+)", SCHEMA.read_text(), re.MULTILINE))


def writers() -> dict[str, set[str]]:
    """Each table, and the rooms that write it."""
    known, found = tables(), defaultdict(set)
    for file in SOURCE.rglob("*"):
        if file == SCHEMA or file.is_relative_to(MIGRATIONS) or file.suffix not in (".sql", ".py"):
            continue
        text = file.read_text()
        room = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        for sql in [text] if file.suffix == ".sql" else sql_in(text):
            for table in tables_written(sql) & known:
                found[table].add(room)
    return found


def test_a_table_is_written_by_one_room():
    shared = {table: frozenset(rooms) for table, rooms in writers().items() if len(rooms) > 1}

    assert shared == NOT_YET


def test_only_the_room_of_sources_writes_the_table_of_sources():
    assert writers()["source"] == {"sources"}


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("INSERT INTO source AS s (name) VALUES ($1)", {"source"}),
        ("WITH a AS (UPDATE url u SET prio = 1 RETURNING *) DELETE FROM host", {"url", "host"}),
        ("update only public.url set prio = 1", {"url"}),
        ('MERGE INTO "worker" w USING x ON true WHEN MATCHED THEN DELETE', {"worker"}),
        ("TRUNCATE TABLE counter", {"counter"}),
        ("COPY fetch_log (at, outcome) FROM STDIN", {"fetch_log"}),
        ("COPY fetch_log TO STDOUT", set()),
        ("INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET b = 1", {"a"}),
        ("SELECT FROM a FOR UPDATE OF a SKIP LOCKED", set()),
        ("SELECT FROM a FOR NO KEY UPDATE", set()),
        ("-- UPDATE url SET\nSELECT 1", set()),
    ],
)
def test_statements_that_write_are_told_from_those_that_read(sql: str, written: set[str]):
    assert tables_written(sql) == written


def test_statements_in_python_count():
    text = 'db.copy_records_to_table("fetch_log", records=[])\ndb.execute("DELETE FROM url")'

    assert set().union(*map(tables_written, sql_in(text))) == {"fetch_log", "url"}
