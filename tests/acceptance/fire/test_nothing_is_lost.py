import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
from tests.support.crawl import Crawl
from tests.support.fire import wait_for_requests
from tests.support.web import Hit, Web

HOSTS = 20
PAGES_PER_HOST = 100
DELAY = 0.15
WRITTEN_WITHIN_S = 3.0  # a page waits a quarter of a second for its commit, and on a busy machine for that


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_every_page_is_stored_once_whatever_is_killed(tmp_path: Path) -> None:
    dice = random.Random(2)
    fired: list[tuple[str, float]] = []
    with Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST, redirect_every=10) as web:
        options = ("--workers", "2", "--delay", str(DELAY))
        with Crawl("lost", web.seeds, *options) as crawl:
            shots: dict[str, Callable[[], int]] = {
                "a worker": lambda: crawl.kill_a_worker(dice),
                "all workers": crawl.kill_all_workers,
                "postgres": crawl.kill_postgres,
                "the supervisor": crawl.kill_supervisor,
            }
            plan = ["a worker"] * 9 + ["all workers"] * 4 + ["postgres"] * 5 + ["the supervisor"] * 2
            dice.shuffle(plan)
            for name in plan:
                wait_for_requests(crawl, tmp_path / "access.log", dice.randint(1, 120))
                while not shots[name]():
                    wait_for_requests(crawl, tmp_path / "access.log", 1)
                fired.append((name, time.time() * 1000))
                if not crawl.is_running:
                    crawl.start()
            assert crawl.wait(180) == 0, crawl.output()[-3000:]
            facts = asyncio.run(_facts(crawl))
            output = crawl.output()

    hits = [hit for hit in web.log() if hit.status == 200 and hit.path != "/robots.txt"]
    again = _fetched_again(hits)
    seen = f"{len(hits)} pages fetched, {len(again)} of them for nothing, {Counter(n for n, _ in fired)}\n{output[-1500:]}"
    print(seen)
    print([(name, sum(1 for hit in again if t-WRITTEN_WITHIN_S*1000 <= hit.ended_ms <= t + 1000)) for name, t in fired])
    print(facts)
    assert {(hit.address, hit.path) for hit in hits} == {_place(url) for url in web.urls}, seen
    pages = HOSTS * PAGES_PER_HOST
    assert facts["documents"] == pages, seen
    assert facts["fetched"] == facts["counted fetched"] == pages, seen
    assert facts["pending"] == facts["counted pending"] == 0, seen
    assert facts["dead"] == facts["counted dead"] == 0, seen
    assert facts["counted documents"] == pages, seen
    assert facts["counted pages"] == facts["fetches"], seen
    stray = [hit for hit in again if not _was_in_flight(hit, [at for _, at in fired])]
    assert not stray, f"{stray}\n{seen}"


def _fetched_again(hits: list[Hit]) -> list[Hit]:
    """Requests whose answer was lost: all but the last for each page."""
    last = {(hit.address, hit.path): hit for hit in hits}
    return [hit for hit in hits if last[hit.address, hit.path] is not hit]


def _was_in_flight(hit: Hit, kills: list[float]) -> bool:
    """Ended shortly before a kill, so that its commit may have been missing."""
    return any(hit.started_ms <= at and at - hit.ended_ms <= WRITTEN_WITHIN_S * 1000 for at in kills)


def _place(url: str) -> tuple[str, str]:
    address, _, rest = url.removeprefix("http://").partition(":")
    return address, "/" + rest.partition("/")[2]


async def _facts(crawl: Crawl) -> dict[str, int]:
    """The tables themselves, beside the counters that are kept so that nobody has to scan them."""
    async with crawl.database() as db:
        facts: dict[str, int] = dict(
            await db.fetch(
                "SELECT (ARRAY['pending', 'fetched', 'dead', 'aliases'])[url_state(q_at, redirect_hash, reason)], "
                "count(*) FROM url WHERE kind = 0 GROUP BY 1"
            )
        )
        counted = await db.fetch("SELECT 'counted ' || name, sum(value)::bigint FROM counter GROUP BY 1")
        facts |= dict(counted)
        facts["documents"] = await db.fetchval("SELECT count(*) FROM document")
        facts["fetches"] = await db.fetchval("SELECT sum(fetches) FROM url WHERE kind = 0 AND redirect_hash IS NULL")
    return Counter(facts)
