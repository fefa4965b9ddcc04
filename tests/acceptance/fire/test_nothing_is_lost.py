import asyncio
import bisect
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.support.crawl import Crawl
from tests.support.database import this_run
from tests.support.fire import wait_for_requests
from tests.support.politeness import violations
from tests.support.web import Hit, Web

HOSTS = 20
PAGES_PER_HOST = 100
PAGES = HOSTS * PAGES_PER_HOST
DELAY = 0.15
# Of each host a kill can cost the page under way and one that waits for its commit.
MOST_IN_FLIGHT = 2 * HOSTS


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_every_page_is_stored_once_whatever_is_killed(tmp_path: Path) -> None:
    dice = random.Random(2)
    plan = ["a worker"] * 9 + ["all workers"] * 4 + ["postgres"] * 5 + ["supervisor"] * 2
    dice.shuffle(plan)
    kills: list[float] = []
    with (
        Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
        Crawl(this_run() / "lost", web.seeds, "--workers", "2", "--delay", str(DELAY)) as crawl,
    ):
        shots: dict[str, Callable[[], int]] = {
            "a worker": lambda: crawl.kill_a_worker(dice),
            "all workers": crawl.kill_all_workers,
            "postgres": crawl.kill_postgres,
            "supervisor": crawl.kill_supervisor,
        }
        for victim in plan:
            wait_for_requests(crawl, tmp_path / "access.log", dice.randint(1, 120))
            while not shots[victim]():
                wait_for_requests(crawl, tmp_path / "access.log", 1)
            kills.append(time.time() * 1000)
            if not crawl.is_running:
                crawl.start()
        exit_code = crawl.wait(180)
        output = crawl.output()
        stored, counted = asyncio.run(_books(crawl))

    log = web.log()
    hits = [hit for hit in log if hit.status == 200]
    wasted = _wasted(hits)
    seen = f"{len(hits)} pages fetched, {len(wasted)} of them twice, {len(kills)} kills\n{output[-2000:]}"
    assert exit_code == 0, seen
    assert {(hit.address, hit.path) for hit in hits} == {_place(url) for url in web.urls}, seen
    assert stored == {"documents": PAGES, "fetched": PAGES, "pages": PAGES}, seen
    assert counted == stored, seen
    cost = _by_kill(wasted, kills)
    assert max(cost.values(), default=0) <= MOST_IN_FLIGHT, f"{cost} of {seen}"
    assert cost[len(kills)] == 0, f"pages were fetched again without a kill: {seen}"
    assert not violations(log, lambda address: DELAY), seen


def _wasted(hits: Sequence[Hit]) -> list[Hit]:
    """Answers that were lost: all but the last for each page."""
    last = {(hit.address, hit.path): hit for hit in hits}
    return [hit for hit in hits if last[hit.address, hit.path] is not hit]


def _by_kill(wasted: Sequence[Hit], kills: Sequence[float]) -> Counter[int]:
    """How many answers each kill cost: those between the kill before it and itself."""
    return Counter(bisect.bisect(kills, hit.started_ms) for hit in wasted)


def _place(url: str) -> tuple[str, str]:
    address, _, rest = url.removeprefix("http://").partition(":")
    return address, "/" + rest.partition("/")[2]


async def _books(crawl: Crawl) -> tuple[dict[str, int], dict[str, int]]:
    """The tables themselves, and the counters that are kept so that nobody has to scan them."""
    async with crawl.database() as db:
        states = await db.fetch(
            "SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])[url_state(q_at, redirect_hash, reason)], "
            "count(*) FROM url WHERE kind = 0 GROUP BY 1"
        )
        stored = dict(states) | {
            "documents": await db.fetchval("SELECT count(*) FROM document"),
            "pages": await db.fetchval("SELECT sum(fetches) FROM url WHERE kind = 0"),
        }
        counted = await db.fetch(
            "SELECT name, sum(value)::bigint FROM counter "
            "WHERE name IN ('pending', 'fetched', 'dead', 'alias', 'documents', 'pages') "
            "GROUP BY name HAVING sum(value) <> 0"
        )
    return stored, dict(counted)
