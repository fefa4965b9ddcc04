"""Pages that were never fetched: what a crawl would write about the URLs it was handed."""

import random
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from hashlib import sha256

from outrider.crawl.batch import Batch
from outrider.crawl.run_counts import count_run_page
from outrider.documents.model import Draft
from outrider.frontier.lease import Lease
from outrider.frontier.model import Completion, Entry, RequestNote, Submission, UrlOrigin
from outrider.urls import key_of

KNOWN_LINKS = 45
NEW_LINKS = 5
STOPPED_BY_SEEN = 0.9  # of the known ones; they never reach the database
SAME_HOST = 0.8
TEXT_BYTES = 6_000
LINK_BYTES = 600
SIGNATURE_BYTES = 256
TITLE_WORDS = 8
VOCABULARY = 20_000
REMEMBERED = 200  # known URLs of a host to link to


class Pages:
    """Fills batches as lanes do."""

    def __init__(self, known: Sequence[Submission], seed: int = 1) -> None:
        self._known = known
        self._of_host: dict[int, deque[Submission]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        self._dice = random.Random(seed)
        self._number = 0

    def visit(self, lease: Lease, entry: Entry, batch: Batch) -> None:
        """One page: its completion, its document, its links."""
        self._of_host[lease.host_id].append(link_to(entry.url, lease.host, entry.priority))
        batch.complete(
            Completion(
                key=entry.key,
                url=entry.url,
                source_id=entry.source_id,
                origin=entry.origin,
                kind=entry.kind,
                priority=entry.priority,
                depth=entry.depth,
                fetches=entry.fetches,
                status=200,
                run_id=entry.run_id,
            )
        )
        if entry.run_id:
            tally = batch.run_counts[entry.run_id]
            tally.pages += 1
            tally.count("requests")
            tally.count("status.200")
            count_run_page(tally, words=4_000, is_indexed=True, has_title=True)
        text = self._dice.randbytes(TEXT_BYTES)
        batch.drafts[entry.key] = Draft(
            key=entry.key,
            source_id=entry.source_id,
            status=200,
            size=31_000,
            words=4_000,
            content_hash=sha256(text).digest(),
            is_comparable=True,
            base=entry.url,
            text=text,
            links=self._dice.randbytes(LINK_BYTES),
            title=self._title(),
            signature=self._dice.randbytes(SIGNATURE_BYTES),
        )
        batch.notes.append(
            RequestNote(entry.key, "fetched", 200, 40, 31_000, ended=time.monotonic(), is_page=True)
        )
        for name in ("pages", "requests", "status.200"):
            batch.count(entry.source_id, name)
        batch.submit([link._replace(run_id=entry.run_id) for link in self._links(lease)])

    def _title(self) -> str:
        """Words by Zipf's law: the same title for all pages would cost its index next to nothing."""
        ranks = (int(self._dice.paretovariate(0.6)) % VOCABULARY for _ in range(TITLE_WORDS))
        return " ".join(f"word{rank}" for rank in ranks)

    def _links(self, lease: Lease) -> list[Submission]:
        asked = sum(self._dice.random() > STOPPED_BY_SEEN for _ in range(KNOWN_LINKS))
        links = [self._dice.choice(self._neighbours(lease)) for _ in range(asked)]
        for _ in range(NEW_LINKS):
            self._number += 1
            host = lease.host if self._dice.random() < SAME_HOST else self._dice.choice(self._known).host
            url = f"https://{host}/articles/new/{self._number}/a-title-of-usual-length"
            link = link_to(url, host, self._dice.randint(3, 8))
            self._of_host[link.key.host_id].append(link)
            links.append(link)
        return links

    def _neighbours(self, lease: Lease) -> Sequence[Submission]:
        return self._of_host[lease.host_id] if self._dice.random() < SAME_HOST else self._known


def link_to(url: str, host: str, priority: int) -> Submission:
    return Submission(key_of(url), url, host, priority, depth=3, origin=UrlOrigin.SPIDER)
