"""A watched source that brings many URLs at once is asked again later, and none of them is lost (SPI-06)."""

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom

from outrider.crawl.limits import new_url_limit
from outrider.crawl.seeds import start
from outrider.frontier.stats import StatsStore
from outrider.sources.policy import Policy
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService

LINKS = [f'<a href="/section-{n}">Section {n}</a>' for n in range(450)]
FRONT = Answer(body="".join(LINKS).encode(), headers={"Content-Type": "text/html"})


@pytest.fixture(autouse=True)
def _a_page_of_fifty_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_url_limit, "BURST", 50)


async def _queued_and_waits_s(engine: Engine) -> tuple[int, float]:
    [row] = await engine.rows(
        "SELECT (SELECT count(*)::int FROM url WHERE next_fetch_at IS NOT NULL AND depth = 1) AS queued, "
        "extract(epoch FROM max(next_allowed_at) - now())::float8 AS waits_s FROM host"
    )
    return row["queued"], row["waits_s"]


async def test_all_are_queued_and_the_source_waits_for_the_rate(engine: Engine, room: Newsroom):
    changes = read_changes({"url": room.publish("/", FRONT), "mode": "spider"}).checked()
    await engine.run(lambda db: SourceService(engine.context.frontier).add(db, changes))
    await engine.round()

    queued, waits_s = await _queued_and_waits_s(engine)
    assert queued == len(LINKS)
    assert 3 < waits_s <= (len(LINKS) - 50) / engine.context.options.submissions_per_s


async def test_the_limit_does_not_slow_down_a_crawl_command(engine: Engine, room: Newsroom):
    front = room.publish("/", FRONT)
    asked = Policy(seeds=[front], max_depth=1)
    await engine.run(lambda db: start(db, asked, engine.context.frontier, StatsStore()))
    await engine.poll(front)

    assert await engine.rows("SELECT FROM host WHERE next_allowed_at > now() + interval '1 second'") == []
    assert len(await engine.rows("SELECT FROM url WHERE depth = 1")) == len(LINKS)
