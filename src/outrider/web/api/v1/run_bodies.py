"""Request bodies about runs."""

from typing import Annotated

from pydantic import Field

from outrider.services.crawl.start import read_start_urls
from outrider.services.runs.runs import BY_OPERATOR
from outrider.sources.policy import Policy
from outrider.sources.scope import ScopeKind
from outrider.web.dependencies import RequestBody

MOST_URLS = 1_000
MOST_PAGES = 1_000_000_000
LONGEST_URL = 8_000

Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=1_000)]], Field(max_length=100)]
Domains = Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=100)]


class NewRunBody(RequestBody):
    """A crawl to start, with the options of `outrider crawl`."""

    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]],
        Field(min_length=1, max_length=MOST_URLS, description="Start URLs; `example.com` is enough."),
    ]
    depth: Annotated[
        int, Field(ge=-1, le=100, description="0: the default; -1: up to the limit of the settings.")
    ] = 0
    max_pages: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    max_pages_per_host: Annotated[int | None, Field(ge=1, le=MOST_PAGES)] = None
    scope: Annotated[ScopeKind, Field(description="How far links may lead.")] = ScopeKind.HOST
    include: Annotated[Patterns, Field(description="Only URLs that match one of these patterns.")] = []  # noqa: RUF012
    exclude: Annotated[Patterns, Field(description="No URL that matches one of these patterns.")] = []  # noqa: RUF012
    allow_domains: Annotated[Domains, Field(description="Domains besides those of the scope.")] = []  # noqa: RUF012
    bar_domains: Domains = []  # noqa: RUF012
    delay_s: Annotated[
        float | None, Field(ge=0, le=86_400, description="Seconds between requests to a host.")
    ] = None
    main_text: Annotated[bool, Field(description="Store the main text, author and date of pages.")] = False
    ignore_robots: Annotated[bool, Field(description="For sites that you own.")] = False

    def policy(self) -> Policy:
        """The policy of the crawl; raises InvalidUrl for a start URL that is no web address."""
        return Policy(
            seeds=read_start_urls(self.urls),
            scope=self.scope,
            include=self.include,
            exclude=self.exclude,
            allowed_domains=self.allow_domains,
            barred_domains=self.bar_domains,
            max_depth=self.depth,
            max_pages=self.max_pages,
            max_pages_per_host=self.max_pages_per_host,
            delay_s=self.delay_s,
            ignore_robots=self.ignore_robots,
            main_text=self.main_text,
        )


class CancelBody(RequestBody):
    """Why a run is cancelled."""

    reason: Annotated[str, Field(min_length=1, max_length=500)] = BY_OPERATOR
