"""A process of a fleet: it wants to lead, and its duty writes rows until one is refused.

The duty does not look whether the process still leads: it is as careless as a process that was stopped. Each
line of the output is one event.
"""

import asyncio
import json
import sys

import asyncpg

from outrider.coordination.election import Election
from outrider.coordination.errors import StaleLeader
from outrider.coordination.open_store import open_store
from outrider.coordination.terms import Term, fenced
from outrider.db.reconnecting import ReconnectingConnection
from outrider.settings import load

BETWEEN_WRITES_S = 0.01


def tell(event: str, **more: object) -> None:
    sys.stdout.write(json.dumps({"event": event, **more}) + "\n")
    sys.stdout.flush()


async def write_until_refused(dsn: str, name: str, term: Term) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        while True:
            async with connection.transaction():
                await fenced(connection, term)
                await connection.execute(
                    "INSERT INTO duty_done (name, fence) VALUES ($1, $2)", name, term.fence
                )
            tell("written", fence=term.fence)
            await asyncio.sleep(BETWEEN_WRITES_S)
    except StaleLeader as error:
        tell("refused", fence=term.fence, error=str(error))
    finally:
        await connection.close()


async def main(name: str) -> None:
    settings = load().settings
    assert settings.database.url is not None
    dsn = settings.database.url
    connection = ReconnectingConnection(dsn, application_name=name)
    store = open_store(settings.coordination, settings.redis, connection)
    duties: set[asyncio.Task[None]] = set()

    async def on_gain(term: Term) -> None:
        tell("gained", fence=term.fence)
        duties.add(asyncio.create_task(write_until_refused(dsn, name, term)))

    async def on_loss(term: Term, reason: str) -> None:
        tell("lost", fence=term.fence, reason=reason)

    election = Election(connection, store, "duty", holder=name, options=settings.coordination)
    await election.run(on_gain, on_loss)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
