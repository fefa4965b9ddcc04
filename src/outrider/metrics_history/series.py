"""The catalogue of series, and the samples of a moment. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.metrics_history.figures import CrawlFigures

MOST_LABELS = 40  # of one metric; the rest is summed up as `other`
LONGEST_LABEL = 64


class SeriesKind(StrEnum):
    """How the values of a bucket become one."""

    COUNT = "count"  # only grows: the growth within the bucket
    LEVEL = "level"  # the mean of the bucket


class SeriesMetric(StrEnum):
    """What the history keeps, with its kind and its sentence."""

    kind: SeriesKind
    sentence: str

    def __new__(cls, name: str, kind: SeriesKind, sentence: str) -> Self:
        member = str.__new__(cls, name)
        member._value_ = name
        member.kind = kind
        member.sentence = sentence
        return member

    PAGES = "pages", SeriesKind.COUNT, "pages fetched"
    DOCUMENTS = "documents", SeriesKind.COUNT, "documents kept"
    DUPLICATES = "duplicates", SeriesKind.COUNT, "documents with the text of another one"
    REQUESTS = "requests", SeriesKind.COUNT, "requests made"
    BYTES = "bytes", SeriesKind.COUNT, "bytes received"
    STATUS = "status", SeriesKind.COUNT, "answers by the class of their status"
    FAILURES = "failures", SeriesKind.COUNT, "requests without a status, by the outcome"
    RETRIES = "retries", SeriesKind.COUNT, "visits that are tried again"
    REDIRECTS = "redirects", SeriesKind.COUNT, "redirects followed"
    POLLS = "polls", SeriesKind.COUNT, "polls of feeds and sitemaps, by result"
    FRONTIER = "frontier", SeriesKind.LEVEL, "entries of the frontier by state"
    DEAD = "dead", SeriesKind.LEVEL, "dead entries by reason"
    HOSTS = "hosts", SeriesKind.LEVEL, "hosts with queued URLs, by what they wait for"
    QUEUE_AGE = "queue_age_s", SeriesKind.LEVEL, "seconds that the oldest due host waits"
    WORKERS = "workers", SeriesKind.LEVEL, "live workers"
    PAGES_PER_SECOND = "pages_per_s", SeriesKind.LEVEL, "pages a second"
    CLAIM = "claim_s", SeriesKind.LEVEL, "seconds that a claim of hosts takes on average"
    JOBS = "jobs", SeriesKind.LEVEL, "jobs by status"


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of one series."""

    metric: SeriesMetric
    label: str
    value: float


def samples_of(figures: CrawlFigures) -> list[Sample]:
    """The samples of a moment. The number of labels of a metric is bounded."""
    return list(_samples(figures))


def _samples(figures: CrawlFigures) -> Iterator[Sample]:
    single = {
        SeriesMetric.PAGES: figures.count(CounterName.PAGES),
        SeriesMetric.DOCUMENTS: figures.count(CounterName.DOCUMENTS),
        SeriesMetric.DUPLICATES: figures.count(CounterName.DUPLICATES),
        SeriesMetric.REQUESTS: figures.count(CounterName.REQUESTS),
        SeriesMetric.BYTES: figures.count(CounterName.BYTES),
        SeriesMetric.RETRIES: figures.count(CounterName.RETRIES),
        SeriesMetric.REDIRECTS: figures.count(CounterName.REDIRECTS),
        SeriesMetric.QUEUE_AGE: figures.queue_age_s,
        SeriesMetric.WORKERS: figures.workers.live,
        SeriesMetric.PAGES_PER_SECOND: figures.workers.pages_per_s,
        SeriesMetric.CLAIM: figures.workers.mean_claim_s,
    }
    grouped = {
        SeriesMetric.STATUS: figures.status_classes,
        SeriesMetric.FAILURES: figures.group(CounterPrefix.FAILURE),
        SeriesMetric.POLLS: figures.group(CounterPrefix.POLLS),
        SeriesMetric.FRONTIER: figures.states,
        SeriesMetric.DEAD: figures.group(CounterPrefix.DEAD),
        SeriesMetric.HOSTS: figures.hosts,
        SeriesMetric.JOBS: figures.jobs,
    }
    for metric, value in single.items():
        yield Sample(metric, "", value)
    for metric, values in grouped.items():
        for label, amount in bounded(values).items():
            yield Sample(metric, label, amount)


def bounded(values: Mapping[str, float], most: int = MOST_LABELS) -> dict[str, float]:
    """The values with the most frequent labels; the others together are `other`."""
    ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    kept = {label[:LONGEST_LABEL]: value for label, value in ranked[:most]}
    rest = sum(value for _, value in ranked[most:])
    return kept | ({"other": kept.get("other", 0) + rest} if rest else {})
