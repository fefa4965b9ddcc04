"""A table has one owner: only one room of src/outrider writes it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
MIGRATIONS = SOURCE / "db" / "migrations"
SCHEMA = SOURCE / "db" / "schema.sql"

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
    shared = {table: rooms for table, rooms in writers().items() if len(rooms) > 1}

    assert shared == {}


def test_only_the_room_of_sources_writes_the_table_of_sources():
    assert writers()["source"] == {"sources"}


def test_only_the_room_of_sources_knows_the_kinds_of_a_source():
    """Other rooms read the view `watched_source`."""
    kinds = re.compile(r"\bkind(?:::text)?\s*(?:=|<>|!=|IN)\s*\(?\s*'(?:system|crawl|watch)'")
    rooms = {
        file.relative_to(SOURCE).parts[0]
        for file in SOURCE.rglob("*.sql")
        if file != SCHEMA and not file.is_relative_to(MIGRATIONS) and kinds.search(file.read_text())
    }

    assert rooms == {"sources"}


def test_the_frontier_knows_sources_by_their_numbers_only():
    """No statement of the frontier names the table of sources: its tables hold source_id."""
    names_it = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?(?:watched_)?sources?\b")
    files = [file for file in (SOURCE / "frontier").rglob("*") if file.suffix in (".sql", ".py")]
    found = [
        f"{file.name}: {name[0]}"
        for file in files
        for name in names_it.finditer(_COMMENT.sub(" ", file.read_text()))
    ]

    assert len(files) > 20
    assert found == []


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
def test_statements_that_write_are_distinguished_from_those_that_read(sql: str, written: set[str]):
    assert tables_written(sql) == written


def test_statements_in_python_count():
    text = 'db.copy_records_to_table("fetch_log", records=[])\ndb.execute("DELETE FROM url")'

    assert set().union(*map(tables_written, sql_in(text))) == {"fetch_log", "url"}
