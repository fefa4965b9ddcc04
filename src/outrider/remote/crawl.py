"""Use cases of the crawl on a server: its counts, its workers, and what happened to a URL."""

from outrider.errors import Unauthenticated
from outrider.remote.server import Server
from outrider.services.crawl.figures import CrawlStats
from outrider.services.crawl.stats import DatabaseStats
from outrider.services.operations.workers import WorkerPool
from outrider.services.urls.explanation import ExplainedUrl


async def read_stats(server: Server) -> DatabaseStats:
    """See `services.stats.read_stats`."""
    answer = await server.send("GET", "/api/v1/stats", query={"by_source": "true"})
    if isinstance(answer, dict) and "database" not in answer:  # the sums, which everyone may read
        raise Unauthenticated(
            f"the server at {server.url} needs a token in OUTRIDER_TOKEN: "
            "`outrider token create NAME --user USER` on the server makes one"
        )
    return server.read(CrawlStats, answer).database


async def list_workers(server: Server) -> WorkerPool:
    """See `services.workers.list_workers`."""
    return await server.get(WorkerPool, "/api/v1/workers")


async def explain_url(server: Server, url: str) -> ExplainedUrl:
    """See `services.explain.explain_url`."""
    return await server.get(ExplainedUrl, "/api/v1/urls/why", {"url": url})
