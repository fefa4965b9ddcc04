"""A batch whose commit was not answered is written again by the line, and counts once."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
from tests.support.make import completion, draft
from tests.support.worker import Crawl

from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.seen import SeenUrls
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.frontier.model import RequestNote

HOME = "http://ours.test/"


class Unanswered(ReconnectingConnection):
    """Its connection breaks between every commit and the answer to it."""

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[Any]], **how: Any) -> Any:
        await super().run(work, **how)
        return await super().run(work, **how)


async def test_a_batch_that_was_committed_without_an_answer_has_its_effects_once(
    crawl: Crawl, database: str
) -> None:
    operator, connection = crawl.operator, Unanswered(database, application_name="flush")
    flusher = Flusher(
        connection,
        operator.store,
        DocumentStore(),
        SeenUrls(),
        CrawlOptions(),
    )
    await operator.queue(HOME)
    [lease] = await operator.claim()
    [entry] = lease.entries
    flusher.batch.complete(completion(entry))
    flusher.batch.drafts[entry.key] = draft(HOME)
    flusher.batch.notes.append(RequestNote(entry.key, "fetched", 200, 40, 900, ended=time.monotonic()))
    flusher.batch.count(entry.source_id, "requests")

    await flusher.flush()
    await connection.close()

    [effects] = await operator.run(
        lambda db: db.fetch(
            "SELECT (SELECT fetches FROM url WHERE kind = 0), (SELECT count(*) FROM fetch_log), "
            "(SELECT requests FROM host_info), (SELECT sum(value) FROM counter WHERE name = 'requests')"
        )
    )
    assert [int(effect) for effect in effects] == [1, 1, 1, 1]
