"""The catalogue of counters: the values of `counter.name`, as flushes add to them and `stats` shows them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from outrider.described import DescribedName

T = TypeVar("T", bound=str)


class CounterName(DescribedName):
    """A counter with a fixed name."""

    PENDING = "pending", "entries that are queued"
    FETCHED = "fetched", "entries that were fetched and are not queued again"
    DEAD = "dead", "entries that were given up"
    ALIAS = "alias", "entries that lead to another address"
    PAGES = "pages", "pages visited"
    DOCUMENTS = "documents", "pages kept as documents"
    DUPLICATES = "duplicates", "documents with the same text as another document"
    NEAR_DUPLICATES = "near_duplicates", "documents with nearly the same text as another document"
    REDIRECTS = "redirects", "redirects followed"
    REDIRECTS_UNCONFIRMED = "redirects_unconfirmed", "redirects of kept pages that may not be permanent"
    RETRIES = "retries", "visits that failed and are tried again"
    REQUESTS = "requests", "requests made for entries"
    BYTES = "bytes", "bytes received, as they came over the network"
    OUTSIDE_LINKS = "outside_links", "links to other sites that were recorded"
    EMPTY_TITLE = "extract.empty_title", "pages without a title"
    EMPTY_BODY = "extract.empty_body", "pages without words"


class CounterPrefix(DescribedName):
    """How the name of a counter begins that ends with a variable part."""

    DEAD = "dead.", "dead entries by reason"
    STATUS = "status.", "requests by the HTTP status of their answer"
    FAILURE = "failure.", "requests without a status by the name of their outcome"
    RETRY = "retry.", "visits that failed and are tried again by reason"
    SKIPPED = "skipped.", "links that were not queued by reason"
    POLLS = "polls.", "polls of feeds and sitemaps by result"
    LINK_CHECKS = "link_checks.", "checks of links by verdict"
    PAGE_TYPE = "extract.type.", "pages by type"
    METHOD = "extract.method.", "texts by the method that found them"
    UNINDEXED = "extract.skipped.", "pages that are not indexed by reason"
    WORDS = "extract.words.", "pages by the number of their words: `lt_50`, `lt_100`, … `ge_2000`"


def counter_of(prefix: CounterPrefix, part: str) -> str:
    """The name of the counter for one variable part."""
    return prefix + part


def counters_of(prefix: CounterPrefix, parts: Iterable[T]) -> Mapping[T, str]:
    """The names of a group whose variable parts are known. Making them once keeps counting cheap."""
    return {part: counter_of(prefix, part) for part in parts}


@lru_cache(maxsize=1_000)
def status_counter(status: int) -> str:
    """The name of the counter of answers with this status."""
    return counter_of(CounterPrefix.STATUS, str(status))
