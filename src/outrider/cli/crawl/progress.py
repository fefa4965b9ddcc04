"""The progress of a crawl as lines of text or JSON, for pipes and programs."""

from types import TracebackType
from typing import Any, Self

from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.cli.output import harmless, print_json
from outrider.cli.streams import as_data, in_words, progress
from outrider.crawl.seeds import StartedCrawl
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.model import Totals
from outrider.lossy import Notice
from outrider.services.crawl.session import Task
from outrider.wording import clock, count, plural, rate, size
from outrider.workers.snapshot import Snapshot

EVERY_S = 5.0
IDLE_EVERY_S = 60.0  # a watch is idle most of the time, and needs few lines then


class Quiet:
    """Says nothing."""

    def begin(self, start: StartedCrawl) -> None:
        pass

    def show(self, snapshot: Snapshot) -> None:
        pass

    def drain(self) -> None:
        pass

    def silent(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class _ProgressSchedule:
    """Decides when to print: every few seconds while the counts change, else once a minute."""

    def __init__(self) -> None:
        self._told_at = 0.0
        self._told: tuple[Totals, int | None] | None = None

    def is_due(self, snapshot: Snapshot) -> bool:
        news = snapshot.totals, snapshot.uncompared
        every_s = IDLE_EVERY_S if news == self._told else EVERY_S
        if snapshot.at - self._told_at < every_s:
            return False
        self._told_at, self._told = snapshot.at, news
        return True


class _PeriodicProgress(Quiet):
    """Prints a line now and then."""

    def __init__(self, task: Task, notice: Notice) -> None:
        self._task = task
        self._history = SnapshotHistory()
        self._schedule = _ProgressSchedule()
        self._out = progress(notice)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.flush()  # lost lines are reported before the summary


class Lines(_PeriodicProgress):
    """One line every few seconds."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, in_words)

    def begin(self, start: StartedCrawl) -> None:
        self._say(f"{first_words(start)}: {self._task.title}")

    def show(self, snapshot: Snapshot) -> None:
        self._history.add(snapshot)
        if self._schedule.is_due(snapshot):
            self._say(line_of(snapshot, self._history.waiting))

    def drain(self) -> None:
        self._say("interrupted: finishing requests in progress; Ctrl-C again stops at once")

    def silent(self) -> None:
        self._say("the database does not answer: waiting for it")

    def _say(self, line: str) -> None:
        print(harmless(line), file=self._out, flush=True)


class JsonProgress(_PeriodicProgress):
    """One JSON object every few seconds."""

    def __init__(self, task: Task) -> None:
        super().__init__(task, as_data)

    def begin(self, start: StartedCrawl) -> None:
        seeds = list(self._task.goal.names)
        data, notice = str(self._task.data), self._task.robots_notice
        self._say(
            {
                "event": "start",
                "seeds": seeds,
                "run": start.run_id or None,
                "continues_run": start.continues_run,
                "resumed": start.resumed,
                "data": data,
                "robots_obeyed": notice is None,
                "robots_notice": notice,
            }
        )

    def show(self, snapshot: Snapshot) -> None:
        self._history.add(snapshot)
        if self._schedule.is_due(snapshot):
            self._say(event_of(snapshot, self._history.waiting))

    def drain(self) -> None:
        self._say({"event": "interrupted"})

    def silent(self) -> None:
        self._say({"event": "database silent"})

    def _say(self, event: dict[str, Any]) -> None:
        print_json(event, self._out)


def first_words(start: StartedCrawl) -> str:
    """How a crawl begins: its run, and what an earlier process left."""
    queued = f", {plural(start.resumed, 'URL')} queued" if start.resumed else ""
    if start.continues_run:
        return f"resuming run {start.run_id}{queued}"
    verb = "resuming" if start.resumed else "crawling"
    return f"{verb}{queued}" + (f" (run {start.run_id})" if start.run_id else "")


def line_of(snapshot: Snapshot, waiting: str | None) -> str:
    """A snapshot as one line."""
    totals = snapshot.totals
    if snapshot.uncompared is not None:
        return f"{clock(snapshot.at)}  searching for copies: {plural(snapshot.uncompared, 'page')} to go"
    parts = [
        clock(snapshot.at),
        f"{count(snapshot.pages)} pages",
        rate(snapshot.pages_per_s),
        size(snapshot.since_start(CounterName.BYTES)),
        f"{count(totals.pending)} queued",
        f"{count(totals.dead)} dead",
        plural(snapshot.host_counts.leased + snapshot.host_counts.waiting, "host"),
    ]
    return "  ".join(parts) + (f"  (waiting: {waiting})" if waiting else "")


def event_of(snapshot: Snapshot, waiting: str | None) -> dict[str, Any]:
    """A snapshot as JSON data."""
    totals, host_counts = snapshot.totals, snapshot.host_counts
    return {
        "event": "progress",
        "elapsed_s": round(snapshot.at, 1),
        "pages": snapshot.pages,
        "pages_per_s": round(snapshot.pages_per_s, 2),
        "bytes": snapshot.since_start(CounterName.BYTES),
        "bytes_per_s": round(snapshot.bytes_per_s),
        "pending": totals.pending,
        "known": totals.known,
        "fetched": totals.fetched,
        "dead": totals.dead,
        "redirects": totals.aliases,
        "hosts": {
            "active": host_counts.leased,
            "waiting": host_counts.waiting,
            "open_circuits": host_counts.broken,
        },
        "statuses": snapshot.counted(CounterPrefix.STATUS),
        "errors": snapshot.counted(CounterPrefix.FAILURE),
        "skipped": snapshot.counted(CounterPrefix.SKIPPED),
        "workers": len(snapshot.workers),
        "restarts": snapshot.deaths,
        "waiting_for": waiting,
        "uncompared": snapshot.uncompared,
    }
