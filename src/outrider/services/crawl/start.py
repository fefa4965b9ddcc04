"""The use case that starts a crawl for the workers that run, and does not wait for its end."""

from collections.abc import Sequence

import asyncpg

from outrider.crawl.seeds import start_for_operator
from outrider.errors import InvalidInput
from outrider.fetch.options import FetchOptions
from outrider.frontier.options import FrontierOptions
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.services.crawl.contact import check_contact
from outrider.services.runs.details import RunDetails
from outrider.services.runs.runs import show_run
from outrider.sources.policy import Policy
from outrider.urls.typed import normalized


def read_start_urls(written: Sequence[str]) -> tuple[str, ...]:
    """The start URLs, normalised, each once; raises InvalidUrl for the first that is no web address."""
    return tuple(dict.fromkeys(normalized(text)[0] for text in written))


async def start_crawl(
    db: asyncpg.Connection, policy: Policy, frontier: FrontierOptions, fetch: FetchOptions
) -> RunDetails:
    """Start a crawl of the seeds of a policy; its run goes on in the workers of this database.

    Raises Conflict while the same crawl runs, and InvalidInput for a pattern that cannot be used.
    """
    if not policy.seeds:
        raise InvalidInput("give at least one URL to start from")
    check_contact(fetch, policy.seeds)
    policy.bounds()
    async with db.transaction():
        begun = await start_for_operator(db, policy, FrontierStore(frontier), StatsStore())
        return await show_run(db, str(begun.run_id))
