"""Writes src/outrider/db/schema.sql from the migrations, on an embedded server of its own."""

import asyncio
import sys
import tempfile
from pathlib import Path

import asyncpg

from outrider.db import migrate, schema
from outrider.db.embedded import EmbeddedPostgres

TARGET = Path(schema.__file__).with_name("schema.sql")


async def current_schema(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    try:
        await migrate.up(connection)
        return await schema.describe(connection)
    finally:
        await connection.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="outrider-schema-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        root.chmod(0o755)  # as root, the database's own user must get in
        with EmbeddedPostgres(root, {"fsync": "off"}) as server:
            text = asyncio.run(current_schema(server.dsn))
    changed = not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text
    TARGET.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{TARGET.name} {'written' if changed else 'was up to date'}\n")


if __name__ == "__main__":
    main()
