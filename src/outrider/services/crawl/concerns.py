"""What needs a person, by the figures of a moment, and the answer in a sentence. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from outrider.wording import plural, rate, span

LEAST_ANSWERS = 50  # of the chosen time, before a ratio says anything
GOOD_RATIO = 0.8
LONG_WAIT_S = 600.0


class ConcernArea(StrEnum):
    """Where a concern is looked into."""

    WORKERS = "workers"
    SCHEDULER = "scheduler"
    JOBS = "jobs"
    SOURCES = "sources"
    SILENT_SOURCES = "silent_sources"
    HOSTS = "hosts"
    FRONTIER = "frontier"
    BACKUP = "backup"


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that needs a person."""

    area: ConcernArea
    sentence: str
    is_urgent: bool = False  # nothing goes on until it is solved


@dataclass(frozen=True, slots=True)
class Situation:
    """The figures that decide whether all is well."""

    pending: int = 0
    known: int = 0  # URLs in all states
    pages_per_s: float = 0.0
    live_workers: int = 0
    silent_workers: int = 0
    schedulers: int = 0
    needs_scheduler: bool = False
    jobs: int = 0
    running_jobs: int = 0
    failed_jobs: int = 0
    sources: int = 0
    failing_sources: int = 0
    silent_sources: int = 0
    broken_hosts: int = 0
    due_hosts: int = 0
    queue_age_s: float = 0.0
    answers: int = 0  # of the chosen time, with those that failed
    success_ratio: float | None = None
    backup_trouble: str | None = None


def concerns_of(now: Situation) -> list[Concern]:
    """What needs a person, the most urgent first."""
    found = []
    if not now.live_workers and (now.due_hosts or now.running_jobs):
        waiting = f": {plural(now.pending, 'URL')} wait" if now.pending != 1 else ": 1 URL waits"
        found.append(Concern(ConcernArea.WORKERS, f"No worker runs, so nothing is fetched{waiting}.", True))
    if now.needs_scheduler and now.jobs and not now.schedulers:
        found.append(Concern(ConcernArea.SCHEDULER, "No scheduler runs, so no job starts.", True))
    if now.silent_workers:
        has = "has" if now.silent_workers == 1 else "have"
        told = f"{plural(now.silent_workers, 'worker')} {has} stopped without a word."
        found.append(Concern(ConcernArea.WORKERS, told))
    if now.failed_jobs:
        has = "has" if now.failed_jobs == 1 else "have"
        found.append(Concern(ConcernArea.JOBS, f"{plural(now.failed_jobs, 'job')} {has} failed for good."))
    if now.failing_sources:
        has = "has" if now.failing_sources == 1 else "have"
        told = f"{plural(now.failing_sources, 'source')} {has} a feed or sitemap that fails."
        found.append(Concern(ConcernArea.SOURCES, told))
    if now.silent_sources:
        has = "has" if now.silent_sources == 1 else "have"
        told = f"{plural(now.silent_sources, 'source')} {has} no working feed or sitemap."
        found.append(Concern(ConcernArea.SILENT_SOURCES, told))
    if now.broken_hosts:
        rests = "rests" if now.broken_hosts == 1 else "rest"
        told = f"{plural(now.broken_hosts, 'host')} {rests} after failures in a row."
        found.append(Concern(ConcernArea.HOSTS, told))
    if now.success_ratio is not None and now.answers >= LEAST_ANSWERS and now.success_ratio < GOOD_RATIO:
        told = f"Only {now.success_ratio:.0%} of the requests succeeded."
        found.append(Concern(ConcernArea.FRONTIER, told))
    if now.live_workers and now.queue_age_s > LONG_WAIT_S:
        told = f"The oldest due host has waited for {span(now.queue_age_s)}: more workers would help."
        found.append(Concern(ConcernArea.WORKERS, told))
    if now.backup_trouble is not None:
        told = now.backup_trouble[:1].upper() + now.backup_trouble[1:] + "."
        found.append(Concern(ConcernArea.BACKUP, told))
    return sorted(found, key=lambda each: not each.is_urgent)


def answer_of(now: Situation, concerns: Sequence[Concern]) -> str:
    """Whether it goes well, in a sentence."""
    if concerns:
        urgent = [each for each in concerns if each.is_urgent]
        if urgent:
            return f"The crawl needs you. {urgent[0].sentence}"
        needs = "thing needs" if len(concerns) == 1 else "things need"
        return f"The crawl is running, and {len(concerns)} {needs} you."
    if not now.known and not now.sources:
        return "Nothing is crawled yet. Add a source, or submit a URL."
    if now.pages_per_s > 0:
        workers = plural(now.live_workers, "worker")
        return f"The crawl goes well: {rate(now.pages_per_s)} with {workers}."
    if not now.pending:
        return "The crawl goes well: everything is fetched."
    return "The crawl goes well: what is queued waits for its time."
