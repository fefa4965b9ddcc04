"""One small crawl, made once, for the commands that look at it."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from tests.support.command import Ran, outrider, outrider_here
from tests.support.database import TestServer
from tests.support.site import Answer, Plan, Site, html, redirect

ROBOTS = "# be gentle\nUser-agent: *\nDisallow: /private\nCrawl-delay: 0.01\nSitemap: https://a.test/s.xml\n"
PLAN = Plan(
    pages=6,
    robots=Answer(body=ROBOTS, headers={"Content-Type": "text/plain"}),
    answers={
        "/page/1": [
            html(
                "<title>=1+1</title><a href='/private/x'>p</a>"
                "<a href='/moved?utm_source=x' rel=nofollow>m</a><a href='/moved'>m</a><a href='/lost'>l</a>"
            )
        ],
        "/moved": [redirect("/page/5")],
    },
)


@dataclass(frozen=True, slots=True)
class Crawled:
    """A finished crawl of a site, in a database of its own."""

    site: Site
    dsn: str

    @property
    def origin(self) -> str:
        return self.site.origins[0]

    @property
    def settings(self) -> dict[str, str]:
        return {"OUTRIDER_DATABASE_URL": self.dsn}

    def crawl(self) -> None:
        ran = outrider("crawl", self.site.url, "--workers", "1", "--quiet", settings=self.settings)
        assert ran.code == 0, ran.err

    def run(self, *arguments: str) -> Ran:
        """A command that looks at the crawl, or changes something about it."""
        return outrider_here(*arguments, settings=self.settings)


@pytest.fixture(scope="session")
def crawled(postgres: TestServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """For tests that only look."""
    with Site.start(tmp_path_factory.mktemp("site"), PLAN) as site, _database(postgres.database()) as dsn:
        made = Crawled(site, dsn)
        made.crawl()
        yield made


@pytest.fixture
def own_crawl(postgres: TestServer, crawled: Crawled) -> Iterator[Crawled]:
    """The same on a copy of its database, for tests that change what they find; the site is still the one."""
    with _database(postgres.database(template=urlsplit(crawled.dsn).path[1:])) as dsn:
        yield Crawled(crawled.site, dsn)


@contextmanager
def _database(made: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Commands bring an event loop of their own, so these tests have none."""
    with asyncio.Runner() as runner:
        dsn = runner.run(made.__aenter__())
        try:
            yield dsn
        finally:
            runner.run(made.__aexit__(None, None, None))
