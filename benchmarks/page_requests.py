"""The pages of the dashboard that `pages.py` measures, with filters and orders that cost something else."""

from collections.abc import Iterator

from benchmarks.api_requests import Samples

from outrider.web.dashboard.routers import PAGES

_READS = (
    "/overview",
    "/frontier",
    "/frontier?status=dead",
    "/frontier?host={domain}",
    "/frontier?search=articles",
    "/frontier?search=nowhere",
    "/frontier?reason=not_found",
    "/frontier?origin=feed",
    "/frontier/submit",
    "/pages",
    "/pages?title=usual",
    "/pages?title=nowhere",
    "/pages/{id}",
    "/pages/{id}/diff",
    "/urls?url={url}",
    "/urls/diff?url={url}",
    "/hosts",
    "/hosts?search=h1",
    "/hosts?sort=slow",
    "/hosts/{domain}",
    "/jobs",
    "/jobs?status=failed",
    "/jobs?search=bench%2019",
    "/jobs/new",
    "/jobs/{job}",
    "/jobs/{job}/edit",
    "/runs",
    "/runs?status=failed",
    "/runs/new",
    "/runs/{run}",
    "/runs/{run}/log",
    "/scheduler",
    "/scheduler/rebalance",
    "/sources",
    "/sources?search=bench%2019",
    "/sources/new",
    "/sources/import",
    "/sources/{source_uuid}",
    "/sources/{source_uuid}/edit",
    "/sources/{source_uuid}/selectors",
    "/feeds",
    "/discovered",
    "/discovered?search=d12",
    "/discovered/links",
    "/discovered/links?search=example",
    "/discovered/domains/{led_to}",
    "/discovered/promote?named={led_to}",
    "/workers",
    "/sites",
    "/sites/{site}",
    "/sites/{site}?tab=broken",
    "/sites/{site}?tab=links",
    "/sites/{site}/links/{site_link}",
    "/sites/{site}/remove",
    "/health-report",
    "/users",
    "/tokens",
    "/audit",
    "/settings",
    "/account",
    "/login",
    "/search?q=bench",
    "/search/suggest?q=b",
    "/search/suggest?q=bench%2019",
    "/search/suggest?q=h12",
    "/search/suggest?q={url}",
    "/search/suggest?q=giant.example/articles",
    "/search/suggest?q=nowhere",
)
_FILES = ("/log",)  # the answer is a file of everything
# Questions before an action need what the form before them sent; files are not pages.
_NO_PAGES = ("/confirm", "/export", "/setup", "/cancel")
_NAMES = {
    "/jobs/{job_id}": "/jobs/{job}",
    "/runs/{run_id}": "/runs/{run}",
    "/sources/{source_id}": "/sources/{source_uuid}",
    "/hosts/{host}": "/hosts/{domain}",
    "/domains/{domain}": "/domains/{led_to}",
    "/sites/{id}": "/sites/{site}",
    "/links/{lid}": "/links/{site_link}",
}


def requests_of(samples: Samples) -> Iterator[str]:
    """The pages, with the names of objects filled in."""
    names = {name: getattr(samples, name) for name in Samples.__slots__}
    return (path.format(**names) for path in _READS)


def is_file(path: str) -> bool:
    """Whether the answer is a whole file, which takes as long as it is large."""
    return path.endswith(_FILES)


def unmeasured() -> list[str]:
    """The pages that are not in the list; `/` only leads to another one."""
    measured = {"/", *(path.partition("?")[0] for path in _READS)}
    paths = (route.path for page in PAGES for route in page.routes.routes if "GET" in route.methods)
    return [
        path for path in paths if not any(each in path for each in _NO_PAGES) and _named(path) not in measured
    ]


def _named(path: str) -> str:
    for before, after in _NAMES.items():
        path = path.replace(before, after)
    return path
