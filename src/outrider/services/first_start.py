"""What `outrider serve` tells at its first start."""

import asyncpg

from outrider.settings import Settings


async def first_start_notice(db: asyncpg.Connection, settings: Settings, address: str) -> str | None:
    """How to create the first administrator of a server at `address`; None if there is nothing to say."""
    return None
