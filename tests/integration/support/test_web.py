import asyncio
import re
import time
from itertools import combinations, count
from urllib.parse import urljoin

import aiohttp
import pytest
from tests.support.politeness import violations
from tests.support.web import Web

FREEZES = 20
STOP_S = 3.0  # less than the time after which a server that does not stop is killed


async def get(session, url, **options):
    async with session.get(url, **options) as response:
        return response.status, response.headers, await response.text()


async def reachable(session, seed):
    """The text of every page that a reader of the seed can get to, by its final address."""
    texts, asked, queue = {}, set(), [seed]
    while queue:
        if (url := queue.pop()) not in asked:
            asked.add(url)
            async with session.get(url) as response:
                texts[str(response.url)] = body = await response.text()
            queue += [urljoin(str(response.url), href) for href in re.findall(r'href="([^"]+)"', body)]
    return texts


def triples(body):
    main = re.search(r"<main>(.*)</main>", body, re.DOTALL).group(1)
    return set(re.findall(r"\w+ \w+ \w+", main))


@pytest.fixture
async def session():
    async with aiohttp.ClientSession() as session:
        yield session


async def test_every_page_of_every_host_is_reachable_and_different(tmp_path, session):
    with Web.start(tmp_path, hosts=3, pages_per_host=12, links=20, redirect_every=4) as web:
        texts = await reachable(session, web.seeds[0])
        expected = set(web.urls)

    assert set(texts) == expected
    assert len(expected) == 36
    assert max(len(a & b) / len(a) for a, b in combinations(map(triples, texts.values()), 2)) < 0.5


async def test_pages_have_the_size_and_number_of_links_asked_for(tmp_path, session):
    with Web.start(tmp_path, hosts=2, pages_per_host=60, page_bytes=31_000, links=48) as web:
        status, headers, body = await get(session, web.urls[70])

    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert abs(len(body) - 31_000) < 50
    hrefs = re.findall(r'href="([^"]+)"', body)
    assert len(hrefs) == 48
    assert len([href for href in hrefs if href.startswith("http")]) == 10


async def test_redirects_stay_on_the_host_or_lead_to_the_next(tmp_path, session):
    with Web.start(tmp_path, hosts=2, pages_per_host=5) as web:
        here = await get(session, f"{web.origins[0]}/r/3", allow_redirects=False)
        there = await get(session, f"{web.origins[0]}/x/3", allow_redirects=False)

    assert (here[0], here[1]["Location"]) == (301, f"{web.origins[0]}/p/3")
    assert (there[0], there[1]["Location"]) == (302, f"{web.origins[1]}/p/3")


async def test_each_host_has_its_own_robots_txt(tmp_path, session):
    def robots(address):
        return "User-agent: *\nCrawl-delay: 7\n" if address.endswith(".2") else None

    with Web.start(tmp_path, hosts=2, pages_per_host=5, robots=robots) as web:
        first = await get(session, f"{web.origins[0]}/robots.txt")
        second = await get(session, f"{web.origins[1]}/robots.txt")

    assert (first[0], first[2]) == (200, "User-agent: *\nCrawl-delay: 7\n")
    assert second[0] == 404


async def test_the_log_tells_when_requests_began_and_ended(tmp_path, session):
    with Web.start(tmp_path, hosts=2, pages_per_host=5, latency=0.2) as web:
        before = time.time() * 1000
        await get(session, web.urls[1])
        after = time.time() * 1000

    [hit] = web.log()
    assert (hit.address, hit.path, hit.status) == ("127.0.0.2", "/p/1", 200)
    assert before - 1 <= hit.started_ms <= hit.ended_ms <= after
    assert hit.ended_ms - hit.started_ms >= 199


async def test_a_rude_crawler_is_caught_and_a_polite_one_is_not(tmp_path, session):
    with Web.start(tmp_path, hosts=2, pages_per_host=5, latency=0.02) as web:
        rude, polite = web.addresses
        await get(session, web.urls[0])
        await get(session, web.urls[1])
        await get(session, web.urls[5])
        await asyncio.sleep(0.1)
        await get(session, web.urls[6])

    found = violations(web.log(), {rude: 60.0, polite: 0.1}.__getitem__)
    assert [(violation.address, violation.before, violation.after) for violation in found] == [
        (rude, "/", "/p/1")
    ]


async def test_hosts_answer_to_names_with_links_by_name(tmp_path, session):
    with Web.start(tmp_path, hosts=2, pages_per_host=5, links=10, names=True) as web:
        _, _, body = await get(
            session, f"http://127.0.0.3:{web.port}/", headers={"Host": f"h3.test:{web.port}"}
        )

    [hit] = web.log()
    assert f'href="http://h2.test:{web.port}/' in body
    assert "h3.test=127.0.0.3" in web.environment["OUTRIDER_RESOLVE"].split(",")
    assert (hit.address, hit.host) == ("127.0.0.3", f"h3.test:{web.port}")


async def test_every_answer_has_its_line_in_the_log_however_often_the_web_is_frozen(tmp_path, session):
    answered, is_over = [], asyncio.Event()

    async def ask_again_and_again(origin):
        for number in count():
            if is_over.is_set():
                return
            agent = f"{origin} {number}"
            try:
                await get(session, f"{origin}/p/1", headers={"User-Agent": agent})
                answered.append(agent)
            except (aiohttp.ClientError, OSError):
                await asyncio.sleep(0.005)

    with Web.start(tmp_path, hosts=8, pages_per_host=2, latency=0.002) as web:
        clients = [asyncio.create_task(ask_again_and_again(origin)) for origin in web.origins]
        for _ in range(FREEZES):
            await asyncio.sleep(0.05)
            await asyncio.to_thread(web.freeze)
            await asyncio.sleep(0.02)
            await asyncio.to_thread(web.mend)
        is_over.set()
        await asyncio.gather(*clients)

    assert len(answered) > FREEZES
    assert set(answered) - {hit.agent for hit in web.log()} == set()


def test_stopping_leaves_no_process_behind(tmp_path):
    with Web.start(tmp_path, hosts=249, pages_per_host=5) as web:
        nginx = web._nginx

    assert nginx.returncode is not None


def test_a_frozen_web_stops_at_once(tmp_path):
    with Web.start(tmp_path, hosts=2, pages_per_host=5) as web:
        nginx = web._nginx
        web.freeze()
        began = time.monotonic()

    assert nginx.returncode is not None
    assert time.monotonic() - began < STOP_S
