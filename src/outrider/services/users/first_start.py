"""What `outrider serve` tells at its first start."""

import asyncpg

from outrider.auth.passwords import Passwords
from outrider.services.users.sign_in import prepare_first_admin
from outrider.settings import Settings


async def first_start_notice(db: asyncpg.Connection, settings: Settings, address: str) -> str | None:
    """How to create the first administrator of a server at `address`; None if there is nothing to say."""
    code = await prepare_first_admin(db, settings.auth, Passwords())
    if code is None:
        return None
    return f"There is no user yet. Create the first administrator within a day: {address}setup?code={code}"
