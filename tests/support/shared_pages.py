"""Pages that several sources want: start a crawl beside them, and read what each source has."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.support.newsroom import Engine, MovableClock, Newsroom
from tests.support.publications import conditional
from tests.support.spider import OTHER_STORY, STORY, article, front

from outrider.crawl.lane import work
from outrider.crawl.seeds import StartedCrawl, start
from outrider.documents.export import URLS, Selection, Table, export
from outrider.frontier.model import Totals
from outrider.frontier.stats import StatsStore
from outrider.sources.policy import Policy
from outrider.urls import key_of
from outrider.watch.news import latest
from outrider.watch.source_service import SourceService

FILLING = [f"/section-{n}" for n in range(6)]

DAY = timedelta(days=1)

A_MOMENT = timedelta(seconds=1)  # until a host that was just asked may be asked again


async def crawl(engine: Engine, *seeds: str, **policy: Any) -> StartedCrawl:
    """`outrider crawl`, up to the moment its workers start."""
    asked, frontier = Policy(seeds=seeds, **policy), engine.context.frontier
    begun: StartedCrawl = await engine.run(lambda db: start(db, asked, frontier, StatsStore()))
    await engine.skip(A_MOMENT)
    return begun


async def go_on_watching(engine: Engine) -> None:
    await engine.run(SourceService(engine.context.frontier).wake)


async def visit_only(engine: Engine, *urls: str) -> None:
    """Those of these that are due, and nothing they lead to."""
    leases = await engine.run(lambda db: engine.context.frontier.claim(db, 256))
    for lease in leases:
        lease.entries = [entry for entry in lease.entries if entry.url in urls]
        await work(lease, engine.context)
    await engine.context.flusher.flush()
    await engine.skip(A_MOMENT)


async def totals(engine: Engine, source_id: int | None = None) -> Totals:
    found: Totals = await engine.run(lambda db: StatsStore().totals(db, source_id))
    return found


async def news(engine: Engine, source_id: int | None, clock: MovableClock) -> list[str]:
    since = clock.now() - DAY
    return sorted(each.url for each in await engine.run(lambda db: latest(db, source_id, since, 50)))


async def exported(engine: Engine, table: Table, source: str | None) -> list[str]:
    """The first address in each row."""

    async def read(db: Any) -> list[str]:
        rows = [row async for batch in export(db, table, Selection(source=source)) for row in batch]
        return sorted(row[1 if table is URLS else 0] for row in rows)

    found: list[str] = await engine.run(read)
    return found


async def owner_of(engine: Engine, url: str) -> int:
    row = await engine.run(lambda db: StatsStore().find(db, key_of(url)))
    found: int = row["source_id"]
    return found


def publish_site(room: Newsroom, stories: Sequence[str] = (STORY,)) -> str:
    for path in (STORY, OTHER_STORY):
        room.publish(path, conditional(article(path)))
    return room.publish("/", conditional(lambda _: front([*stories, *FILLING])))
