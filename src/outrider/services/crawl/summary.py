"""The summary of a crawl: its figures, its JSON, and why it ended in one sentence. Pure."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from outrider.db.location import default_data_dir
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import NO_RUN
from outrider.services.crawl.findings import CrawlFindings, SeedTrouble
from outrider.services.crawl.session import Task, stopped
from outrider.services.urls.reason_words import fault
from outrider.wording import count, plural, span
from outrider.workers.monitor_queries import DeadUrl
from outrider.workers.snapshot import CrawlEnding, Snapshot

MOST_TROUBLES = 3


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """The result of a crawl."""

    task: Task
    ending: CrawlEnding
    snapshot: Snapshot
    depth: int
    run_id: int = NO_RUN
    stopped: bool = False  # interrupted twice
    lines_lost: int = 0  # log lines that could not be written
    gathered: CrawlFindings = field(default_factory=CrawlFindings)

    @property
    def has_failed(self) -> bool:
        """Whether no page was fetched, or the crawl was stopped."""
        if self.stopped:
            return True
        is_over = self.ending in (CrawlEnding.FINISHED, CrawlEnding.WAITING)
        return is_over and self.snapshot.since_start(CounterName.PAGES) == 0 and bool(self.gathered.troubles)

    def json_form(self) -> dict[str, Any]:
        look, others = self.snapshot, self.snapshot.totals.others
        return {
            "event": "summary",
            "run": self.run_id or None,
            "ending": self.ending.name.lower(),
            "ok": not self.has_failed,
            "message": failure(self) if self.has_failed else headline(self),
            "robots_obeyed": self.task.robots_notice is None,
            "robots_notice": self.task.robots_notice,
            "elapsed_s": round(look.at, 1),
            "pages": look.since_start(CounterName.PAGES),
            "new": look.since_start(CounterName.DOCUMENTS),
            "requests": look.since_start(CounterName.REQUESTS),
            "bytes": look.since_start(CounterName.BYTES),
            "total": {
                "pages": look.pages,
                "documents": others.get(CounterName.DOCUMENTS, 0),
                "duplicates": others.get(CounterName.DUPLICATES, 0),
                "near_duplicates": others.get(CounterName.NEAR_DUPLICATES, 0),
                "uncompared": self.gathered.uncompared,
                "known": look.totals.known,
                "pending": look.totals.pending,
                "fetched": look.totals.fetched,
                "dead": look.totals.dead,
                "redirects": look.totals.aliases,
            },
            "statuses": look.counted(CounterPrefix.STATUS),
            "errors": look.counted(CounterPrefix.FAILURE),
            "dead": {
                reason: {"count": number, "examples": [dead.url for dead in self.examples(reason, number)]}
                for reason, number in look.counted(CounterPrefix.DEAD).items()
            },
            "skipped": look.counted(CounterPrefix.SKIPPED),
            "traps": [
                {"host": lost.host, "template": lost.template, "fetched": lost.fetched}
                for lost in self.gathered.templates
            ],
            "slowest": [{"host": slow.host, "answer_ms": slow.answer_ms} for slow in self.gathered.slowest],
            "restarts": look.deaths,
            "seeds": {seed: fault_of(seed, trouble) for seed, trouble in self.gathered.troubles.items()},
            "data": self.task.data,
            "log": self.task.log,
            "log_lines_lost": self.lines_lost,
        }

    def examples(self, reason: str, number: int) -> Sequence[DeadUrl]:
        """Some of the URLs that died in this run, of which there are `number`: not those of earlier runs."""
        return self.gathered.examples.get(reason, ())[:number]


def failure(found: CrawlReport) -> str:
    """Why a failed crawl failed, in one sentence."""
    if found.stopped:
        return stopped(found.snapshot)
    told = [f"{seed}: {fault_of(seed, trouble)}" for seed, trouble in found.gathered.troubles.items()]
    others = f"; and {count(len(told) - MOST_TROUBLES)} more" if len(told) > MOST_TROUBLES else ""
    return "nothing could be fetched from " + "; ".join(told[:MOST_TROUBLES]) + others + _sooner(found)


def fault_of(seed: str, trouble: SeedTrouble) -> str:
    """Why a seed was not fetched, as a phrase."""
    phrase = fault(seed, trouble.reason, trouble.leads_to)
    return f"its robots.txt cannot be read: {phrase}" if trouble.is_of_robots else phrase


def _sooner(found: CrawlReport) -> str:
    """How to retry a host that rests for long before its time."""
    due = found.snapshot.next_due_in_s
    host = next((each.waiting_host for each in found.gathered.troubles.values() if each.waiting_host), None)
    if found.ending is not CrawlEnding.WAITING or due is None or due < 1 or host is None:
        return ""
    return f" (next try in {span(due)}; `outrider hosts {host} --reset{data_option(found)}` retries now)"


def headline(found: CrawlReport) -> str:
    """Why it ended, in one sentence."""
    queued = plural(found.snapshot.totals.pending, "URL is", "URLs are") + " queued"
    match found.ending:
        case CrawlEnding.FINISHED:
            return "Finished: nothing is left to fetch."
        case CrawlEnding.LIMIT:
            return f"Page limit reached. {queued}; a higher --max-pages continues."
        case CrawlEnding.WAITING:
            due = found.snapshot.next_due_in_s
            when = f" for another {span(due)}" if due is not None and due > 0 else ""
            return f"Paused: {queued}, and none is due{when}. The same command resumes."
        case CrawlEnding.INTERRUPTED:
            return f"Interrupted. {queued}; the same command resumes."
        case CrawlEnding.CANCELLED:
            withdrawn = found.snapshot.counted(CounterPrefix.DEAD).get(DeadReason.CANCELLED, 0)
            left = plural(withdrawn, "URL has", "URLs have") + " left the queue"
            return f"Run {found.run_id} was cancelled. {left}; the same command fetches what is left."
        case CrawlEnding.UNAVAILABLE | CrawlEnding.WORKERS_FAIL:
            raise AssertionError("a crawl that broke off has no summary")


def data_option(found: CrawlReport) -> str:
    """The option that names the data directory in a suggested command; empty for the default."""
    data = found.task.data
    return "" if data == default_data_dir() else f" --data {shlex.quote(str(data))}"
