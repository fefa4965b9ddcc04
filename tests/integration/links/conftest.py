"""A worker on a fresh database, and a site that it checks links on."""

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.support.field_links import ORIGIN, SITE, live_paths, page
from tests.support.make import Operator
from tests.support.site import Answer, Plan, Site, redirect
from tests.support.worker import Crawl

from outrider.services.sites import links as use_cases


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    opened = await Operator.enter(database)
    yield opened
    await opened.connection.close()


@pytest.fixture
def crawl(database: str, operator: Operator) -> Crawl:
    return Crawl(database, operator)


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    answers = {
        "/good": [page("good")],
        "/moved": [redirect("/good")],
        "/flaky": [Answer(status=500)],
        "/wall": [Answer(status=403)],
        "/teapot-blue": [page("teapot")],
    }
    with Site.start(tmp_path, Plan(pages=1, hosts=2, answers=answers)) as running:
        yield running


@pytest.fixture
def save(operator):
    async def save(*hrefs: str, field: str = "nav.main", site_id: int = SITE, **options):
        return await operator.run(
            lambda db: use_cases.save_field_links(db, site_id, ORIGIN, field, hrefs, live_paths, **options)
        )

    return save


@pytest.fixture
def do(operator):
    async def do(use_case, *arguments, **options):
        return await operator.run(lambda db: use_case(db, *arguments, **options))

    return do
