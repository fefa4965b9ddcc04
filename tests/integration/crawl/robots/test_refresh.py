"""A robots.txt fetched for an operator: under the lease of its host, stored, and its blocked pages woken."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.make import Operator, completion
from tests.support.site import Answer, Plan, Site

from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.robots.refresh import refresh_robots
from outrider.errors import Conflict
from outrider.fetch import Fetcher, FetchOptions
from outrider.fetch.guard import networks_of
from outrider.hosts.options import HostOptions
from outrider.robots.files import files_of_host
from outrider.urls import host_id_of

HOST = "127.0.0.2"
RULES = Answer(body="User-agent: *\nDisallow: /still\n", headers={"Content-Type": "text/plain"})


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    made = Fetcher(FetchOptions(allow_private=networks_of(["127.0.0.0/8"])))
    yield made
    await made.close()


async def refresh(operator: Operator, fetcher: Fetcher, origin: str) -> int | None:
    async with LeasedFetch(
        fetcher, operator.connection, operator.store, FetchOptions(), HostOptions()
    ) as fetch:
        return (await refresh_robots(fetch, origin, life_s=600)).status


async def test_what_the_new_rules_allow_returns_to_the_queue(
    operator: Operator, fetcher: Fetcher, tmp_path: Path
):
    with Site.start(tmp_path, Plan(robots=RULES)) as site:
        origin = site.origins[0]
        freed, still = f"{origin}/freed", f"{origin}/still"
        await operator.queue(freed, still)
        await operator.complete(
            *(completion(url, reason="robots_blocked", status=None) for url in (freed, still))
        )

        status = await refresh(operator, fetcher, origin)

        [file] = await operator.run(lambda db: files_of_host(db, host_id_of(HOST)))
        assert (status, file.origin, file.body) == (200, origin, RULES.body.encode())
        assert await operator.state(freed) == "pending"
        assert await operator.state(still) == "dead"


async def test_the_host_is_given_back_and_left_alone_for_its_delay(
    operator: Operator, fetcher: Fetcher, tmp_path: Path
):
    with Site.start(tmp_path, Plan(robots=RULES)) as site:
        await operator.queue(f"{site.origins[0]}/page")

        await refresh(operator, fetcher, site.origins[0])

    host = await operator.host(HOST)
    assert host["lease_owner"] is None
    assert host["due_at"] == host["next_allowed_at"]
    assert await operator.claim() == []


async def test_a_host_that_a_worker_holds_is_not_asked(operator: Operator, fetcher: Fetcher, tmp_path: Path):
    with Site.start(tmp_path, Plan(robots=RULES)) as site:
        await operator.queue(f"{site.origins[0]}/page")
        await operator.claim_one()

        with pytest.raises(Conflict, match="is being asked by the worker"):
            await refresh(operator, fetcher, site.origins[0])

        assert site.log() == []


async def test_a_file_that_cannot_be_read_leaves_the_old_one(
    operator: Operator, fetcher: Fetcher, tmp_path: Path
):
    plan = Plan(answers={"/robots.txt": [RULES, Answer(status=503)]})
    with Site.start(tmp_path, plan) as site:
        await refresh(operator, fetcher, site.origins[0])
        await operator.set_host(HOST, next_allowed_at="now()")

        status = await refresh(operator, fetcher, site.origins[0])

    [file] = await operator.run(lambda db: files_of_host(db, host_id_of(HOST)))
    assert status == 503
    assert file.status == 200
