import asyncio
import re
from urllib.parse import urljoin

import aiohttp
import pytest
from tests.support.site import Answer, Plan, Site, html, redirect


@pytest.fixture
async def session():
    async with aiohttp.ClientSession() as session:
        yield session


async def get(session, url, **options):
    async with session.get(url, **options) as response:
        return response.status, await response.text()


async def test_every_page_of_the_graph_is_reachable_on_every_host(tmp_path, session):
    with Site.start(tmp_path, Plan(pages=15, hosts=3)) as site:
        texts, queue = {}, [site.url]
        while queue:
            url = queue.pop()
            if url not in texts:
                _, texts[url] = await get(session, url)
                queue += [urljoin(url, href) for href in re.findall(r'href="([^"]+)"', texts[url])]
        expected = set(site.urls)

    assert set(texts) == expected
    assert len(expected) == len(set(texts.values())) == 45


async def test_answers_are_given_in_turn_and_the_last_is_repeated(tmp_path, session):
    plan = Plan(answers={"/flaky": [Answer(status=503), Answer(status=429), html("fine")]})
    with Site.start(tmp_path, plan) as site:
        statuses = [(await get(session, f"{site.url}flaky"))[0] for _ in range(4)]

    assert statuses == [503, 429, 200, 200]


async def test_redirects_and_robots_are_as_planned(tmp_path, session):
    plan = Plan(
        robots=Answer(body="User-agent: *\nDisallow: /"), answers={"/old": [redirect("/page/1", 308)]}
    )
    with Site.start(tmp_path, plan) as site:
        robots = await get(session, f"{site.url}robots.txt")
        status, _ = await get(session, f"{site.url}old", allow_redirects=False)

    assert robots == (200, "User-agent: *\nDisallow: /")
    assert status == 308


async def test_the_log_has_each_request_as_the_server_saw_it(tmp_path, session):
    with Site.start(tmp_path, Plan(latency=0.1)) as site:
        await get(session, f"{site.url}page/1?a=b", headers={"X-Seen": "yes"})
        [asked] = site.wait_for(1)

    assert (asked.address, asked.path, asked.status, asked.complete) == (
        "127.0.0.2",
        "/page/1?a=b",
        404,
        True,
    )
    assert asked.headers["X-Seen"] == "yes"
    assert asked.ended_ms - asked.started_ms >= 99
    assert asked.ended_monotonic - asked.started_monotonic >= 0.099


async def test_a_client_that_leaves_a_dripping_answer_is_recorded_as_incomplete(tmp_path, session):
    plan = Plan(answers={"/drip": [Answer(body="x" * 500, drip=0.01)]})
    with Site.start(tmp_path, plan) as site:
        async with session.get(f"{site.url}drip") as response:
            await response.content.readexactly(1)
            response.close()
        log = await asyncio.to_thread(site.wait_for, 1)

    assert [asked.complete for asked in log] == [False]


async def test_hanging_up_gives_no_answer(tmp_path, session):
    plan = Plan(answers={"/gone": [Answer(hang_up=True)]})
    with Site.start(tmp_path, plan) as site:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await get(session, f"{site.url}gone")
        log = site.wait_for(1)

    assert log
    assert not any(asked.complete for asked in log)
