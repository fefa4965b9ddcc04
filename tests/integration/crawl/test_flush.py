"""What a flush tells the worker: which hosts are worth another look, and when to forget what it has seen."""

from collections.abc import Collection, Mapping

import pytest
from tests.support.make import completion, submission
from tests.support.worker import Crawl

from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.release_listener import ReleaseListener
from outrider.crawl.seen import SeenUrls
from outrider.documents.store import DocumentStore
from outrider.frontier.lease import Release
from outrider.urls import host_id_of

OURS, KNOWN, NEW = "http://ours.test/", "http://known.test/", "http://new.test/"


class Listener(ReleaseListener):
    """Remembers which hosts it was told of."""

    def __init__(self) -> None:
        self.told: set[int] = set()

    def released(self, due_in_s: Mapping[int, float], woken: Collection[int]) -> None:
        self.told.update(due_in_s, woken)


@pytest.mark.parametrize(
    ("links", "due"),
    [((), {"ours.test"}), ((KNOWN,), {"ours.test"}), ((NEW, KNOWN), {"ours.test", "new.test", "known.test"})],
    ids=["a host that has more", "nothing new", "something new"],
)
async def test_the_flush_reports_hosts_with_due_urls(crawl: Crawl, links: Collection[str], due: set[str]):
    await crawl.operator.queue(OURS, f"{OURS}more", KNOWN)
    flusher = Flusher(
        crawl.operator.connection, crawl.operator.store, DocumentStore(), SeenUrls(), CrawlOptions()
    )
    flusher.release_listener = listener = Listener()
    [lease] = [lease for lease in await crawl.operator.claim() if lease.host == "ours.test"]
    flusher.batch.complete(completion(lease.entries[0]))
    flusher.batch.submit(submission(url) for url in links)
    flusher.release(Release(lease, lease.state, 0.0))

    await flusher.flush()

    assert listener.told == {host_id_of(host) for host in due}


async def test_what_was_seen_is_forgotten_when_rows_were_taken_out(crawl: Crawl):
    seen = SeenUrls()
    operator = crawl.operator
    flusher = Flusher(operator.connection, operator.store, DocumentStore(), seen, CrawlOptions())
    flusher.batch.submit([submission(KNOWN, seen=("known", 5))])
    await flusher.flush()
    flusher.batch.submit([submission(OURS, seen=("ours", 5))])
    await flusher.flush()
    assert seen.unknown(["known", "ours"], 5) == []

    await operator.run(lambda db: operator.store.clear_pending(db))
    flusher.batch.submit([submission(NEW, seen=("new", 5))])
    await flusher.flush()

    assert seen.unknown(["known", "ours", "new"], 5) == ["known", "ours"]
