"""Prints the schema of a database from its catalogue: `schema.sql` is this text for the newest migration."""

from collections import defaultdict
from importlib.resources import files

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.db")

_HEADER = """\
-- The whole schema today, for reading. Generated from the migrations by `make schema`: change those.
-- Views show what they answer; how it is computed is in their migration.
"""


async def describe(connection: asyncpg.Connection) -> str:
    """Every object of the current schema, each table with its comments, indexes and triggers."""
    attached: dict[str, list[str]] = defaultdict(list)
    for query in (_SQL.describe_comments, _SQL.describe_indexes, _SQL.describe_triggers):
        for row in await connection.fetch(query):
            attached[row["object"]].append(row["statement"])
    blocks = [_HEADER]
    for query in (
        _SQL.describe_enums,
        _SQL.describe_rows,
        _SQL.describe_sequences,
        _SQL.describe_functions,
        _SQL.describe_tables,
        _SQL.describe_views,
    ):
        for row in await connection.fetch(query):
            # A function may share its name with a table, and has no attached objects.
            attachments = (
                attached[row["object"]] if query in (_SQL.describe_tables, _SQL.describe_views) else []
            )
            blocks.append("\n".join((row["statement"], *attachments)) + "\n")
    return "\n".join(blocks)


def written() -> str:
    """The text of `schema.sql` as it is in the package."""
    return (files("outrider.db") / "schema.sql").read_text(encoding="utf-8")
