"""The reads that `api.py` measures: each GET of the API, and filters and orders that cost something else."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import asyncpg

from outrider.web.api.v1.routers import ROUTERS

# Streams answer for as long as their client stays: `streams.py` measures them.
_STREAMS = ("/sse/", "/stream")
_NO_FEATURE = ("/api/v1/alerts",)  # it answers 503 at once

_READS = (
    "/health",
    "/health/live",
    "/health/ready",
    "/health/memory",
    "/metrics",
    "/api/v1/stats/timeseries?metric=frontier",
    "/api/v1/audit",
    "/api/v1/auth/me",
    "/api/v1/tokens",
    "/api/v1/users",
    "/api/v1/users/{user}",
    "/api/v1/workers",
    "/api/v1/stats",
    "/api/v1/stats?by_source=true",
    "/api/v1/frontier",
    "/api/v1/frontier?sort_by=key",
    "/api/v1/frontier?status=dead",
    "/api/v1/frontier?host={domain}",
    "/api/v1/frontier?source_id={source_uuid}",
    "/api/v1/frontier?search=articles",
    "/api/v1/frontier?search=nowhere",
    "/api/v1/frontier?search=999&status=pending&sort_by=created_at",
    "/api/v1/frontier?last_error=not_found",
    "/api/v1/frontier?last_error=robots",
    "/api/v1/frontier?origin=feed",
    "/api/v1/frontier?kind=feed",
    "/api/v1/frontier/stats",
    "/api/v1/frontier/{id}",
    "/api/v1/urls/why?url={url}",
    "/api/v1/pages",
    "/api/v1/pages?title=usual",
    "/api/v1/pages?title=usual%20number%2019",
    "/api/v1/pages?title=nowhere",
    "/api/v1/pages?language=vi",
    "/api/v1/pages?domain={domain}",
    "/api/v1/pages/{id}",
    "/api/v1/pages/{id}/text",
    "/api/v1/pages/{id}/versions",
    "/api/v1/pages/{id}/diff",
    "/api/v1/pages/{id}/incoming-links",
    "/api/v1/domains",
    "/api/v1/domains?search=h1",
    "/api/v1/domains?search=nowhere",
    "/api/v1/domains?sort_by=errors",
    "/api/v1/domains?sort_by=slow",
    "/api/v1/domains?sort_by=delay",
    "/api/v1/domains?blocked=true",
    "/api/v1/domains/{domain}",
    "/api/v1/domains/{domain}/robots",
    "/api/v1/domains/{domain}/requests",
    "/api/v1/discovered-links",
    "/api/v1/discovered-links?search=example",
    "/api/v1/discovered-links?search=nowhere",
    "/api/v1/discovered-links/{link}",
    "/api/v1/discovered-domains",
    "/api/v1/discovered-domains?search=d12",
    "/api/v1/discovered-domains?min_score=30&hide_existing=true",
    "/api/v1/discovered-domains/{led_to}",
    "/api/v1/discovered-domains/{led_to}/links",
    "/api/v1/redirect-chains",
    "/api/v1/admin/storage-report",
    "/api/v1/events",
    "/api/v1/jobs",
    "/api/v1/jobs?sort_by=source_name",
    "/api/v1/jobs?status=failed",
    "/api/v1/jobs?search=bench%2019",
    "/api/v1/jobs?offset=9000",
    "/api/v1/jobs/status-counts",
    "/api/v1/jobs/{job}",
    "/api/v1/jobs/{job}/stats",
    "/api/v1/jobs/{job}/executions",
    "/api/v1/executions/{run}",
    "/api/v1/jobs/{job}/logs",
    "/api/v1/jobs/{job}/logs/download",
    "/api/v1/jobs/{job}/logs/view",
    "/api/v1/runs",
    "/api/v1/runs?status=failed",
    "/api/v1/runs/stats?source={source}",
    "/api/v1/runs/{run}",
    "/api/v1/scheduler/metrics",
    "/api/v1/scheduler/distribution",
    "/api/v1/sources/export",
    "/api/v1/sources",
    "/api/v1/sources?search=bench%2019",
    "/api/v1/sources?failing=true",
    "/api/v1/sources/{source}",
    "/api/v1/sources/{source}/details",
    "/api/v1/feeds",
    "/api/v1/feeds?failing=true",
    "/api/v1/admin/maintenance",
    "/api/v1/admin/maintenance/tasks/{task}",
    "/api/v1/sites",
    "/api/v1/sites/{site}",
    "/api/v1/sites/{site}/summary",
    "/api/v1/sites/{site}/redirects",
    "/api/v1/sites/{site}/redirects?search=19",
    "/api/v1/sites/{site}/redirects/export",
    "/api/v1/sites/{site}/resolve?path=%2Fold%2F7",
    "/api/v1/sites/{site}/broken-urls",
    "/api/v1/sites/{site}/links",
    "/api/v1/sites/{site}/links?status=dead",
    "/api/v1/sites/{site}/links/updates",
    "/api/v1/sites/{site}/links/{site_link}",
    "/api/v1/sites/{site}/webhook/deliveries",
)
_FILES = ("/download", "/export")  # the answer is a file of everything
# Parameters of paths that the list above calls otherwise, because each has another meaning.
_NAMES = {
    "discovered-links/{id}": "discovered-links/{link}",
    "discovered-domains/{domain}": "discovered-domains/{led_to}",
    "jobs/{id}": "jobs/{job}",
    "executions/{id}": "executions/{run}",
    "runs/{id}": "runs/{run}",
    "sources/{id}": "sources/{source}",
    "tasks/{task_id}": "tasks/{task}",
    "sites/{id}": "sites/{site}",
    "links/{lid}": "links/{site_link}",
}


@dataclass(frozen=True, slots=True)
class Samples:
    """An object of each kind, as paths name it."""

    id: str
    url: str
    domain: str
    link: str
    led_to: str
    job: str
    run: str
    source: str
    source_uuid: str
    user: str
    task: str
    site: str
    site_link: str

    @classmethod
    async def read(cls, db: asyncpg.Connection) -> "Samples":
        page = await db.fetchrow(
            """SELECT v.host_id || ':' || replace(v.url_hash::text, '-', '') AS id, u.url, i.host
                 FROM document_version v JOIN url u USING (host_id, url_hash) JOIN host_info i USING (host_id)
                LIMIT 1"""
        )
        link = await db.fetchrow(
            """SELECT source_id || ':' || host_id || ':' || replace(url_hash::text, '-', '') AS id, domain
                 FROM discovered_link LIMIT 1"""
        )
        task = await db.fetchval(
            """INSERT INTO maintenance_task (task, state, requested_by, ended_at)
               VALUES ('cleanup', 'completed', 'bench', now()) RETURNING task_id"""
        )
        job, source = await db.fetchrow("SELECT job_id, source_id FROM job ORDER BY job_id LIMIT 1")
        return cls(
            id=page["id"],
            url=quote(page["url"], safe=""),
            domain=page["host"],
            link=link["id"],
            led_to=link["domain"],
            job=str(job),
            run=str(await db.fetchval("SELECT run_id FROM run_log_state LIMIT 1")),
            source=str(source),
            source_uuid=str(await db.fetchval("SELECT public_id FROM source WHERE source_id = $1", source)),
            site=str(await db.fetchval("SELECT min(site_id) FROM site")),
            site_link=str(await db.fetchval("SELECT min(link_id) FROM site_link")),
            user=str(await db.fetchval("SELECT max(user_id) FROM app_user")),
            task=str(task),
        )


def requests_of(samples: Samples) -> Iterator[str]:
    """The reads, with the names of objects filled in."""
    names = {name: getattr(samples, name) for name in Samples.__slots__}
    return (path.format(**names) for path in _READS)


def is_file(path: str) -> bool:
    """Whether the answer is a whole file, which takes as long as it is large."""
    return path.endswith(_FILES)


def unmeasured() -> list[str]:
    """The GET routes that are not in the list."""
    measured = {path.partition("?")[0] for path in _READS}
    paths = (
        route.path
        for router in ROUTERS
        for route in router.routes.routes
        if "GET" in route.methods and route.include_in_schema and route.path not in _NO_FEATURE
    )
    return [
        path for path in paths if not any(each in path for each in _STREAMS) and _named(path) not in measured
    ]


def _named(path: str) -> str:
    for before, after in _NAMES.items():
        path = path.replace(before, after)
    return path
