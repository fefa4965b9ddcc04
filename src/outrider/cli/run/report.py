"""Print runs."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from outrider.cli.output import plain, show, table
from outrider.cli.show.facts import facts
from outrider.runs.listing import RunStats
from outrider.runs.model import StartedBy
from outrider.services.paging import ListPage
from outrider.services.runs.details import RunDetails, RunState, RunSummary
from outrider.wording import brief, count, plural, rate, size, span, when, words

_COLUMNS = ("run", "source", "started by", "started", "took", "pages", "state")
_NO_RUNS = "There are no runs yet: `outrider crawl` and due jobs start runs."
_NONE_MATCHES = "No run matches."
_STARTED_BY = {
    StartedBy.COMMAND: "`outrider crawl`",
    StartedBy.OPERATOR: "an operator",
    StartedBy.SCHEDULE: "the schedule of its job",
}
_SKIPPED = {"non_html": "of other types", "max_depth": "beyond the depth", "robots_txt": "by robots.txt"}
MOST_LISTED = 5


def show_runs(found: ListPage[RunSummary], stats: RunStats | None, *, is_narrow: bool) -> None:
    if not found.items:
        show(plain(_NONE_MATCHES if is_narrow else _NO_RUNS))
        return
    now = datetime.now(UTC)
    rows = (_row(each, now) for each in found.items)
    show(table(_COLUMNS, rows, right=("run", "pages"), whole=("started by", "started", "took")))
    shown = len(found.items)
    if stats is not None:
        show(plain(stats_line(stats)))
    if found.total > shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'run')}; --limit and --offset show more."))


def show_details(found: RunDetails) -> None:
    show(plain(f"run {found.run_id}: {found.source_name}", "bold"))
    show(facts(_facts(found, datetime.now(UTC))))


def show_cancelled(found: RunDetails) -> None:
    show(plain(cancelled_line(found)))


def cancelled_line(found: RunDetails) -> str:
    """What a cancel did, in one or two sentences."""
    if found.state is RunState.CANCELLING:
        under_way = plural(found.progress.waiting, "entry waits", "entries wait")
        return (
            f"Run {found.run_id} begins no more requests, but has not ended: {under_way} for the last ones. "
            f"`outrider run show {found.run_id}` tells when it has ended."
        )
    if found.state is not RunState.CANCELLED:
        return f"Run {found.run_id} ended before the cancel: {found.state.value}."
    left = found.crawl_metrics.get("entries", {}).get("withdrawn", 0)
    said = f"Run {found.run_id} is cancelled. {plural(found.items_crawled, 'page was', 'pages were')} fetched"
    if not left:
        return f"{said}, and nothing was queued."
    then = f"`{found.continue_with}`" if found.continue_with else "the next run of its job"
    return f"{said}, {plural(left, 'entry', 'entries')} left the queue; {then} fetches what is left."


def state_words(found: RunSummary) -> str:
    """The state of a run, with the reason or with what to do."""
    match found.state:
        case RunState.INTERRUPTED:
            return f"interrupted: `{found.continue_with or 'outrider crawl …'}` goes on with it"
        case RunState.CANCELLING:
            return "cancelled; its last requests are under way"
        case RunState.FAILED if found.error_message:
            return f"failed: {found.error_message}"
        case RunState.CANCELLED:
            return found.cancel_reason or found.state.value
    return found.state.value


def stats_line(stats: RunStats) -> str:
    """The runs of a source in one line."""
    parts = [f"{count(stats.successful)} completed", f"{count(stats.failed)} failed"]
    if stats.cancelled:
        parts.append(f"{count(stats.cancelled)} cancelled")
    if stats.success_rate is not None:
        parts.append(f"success rate {stats.success_rate:.0%}")
    if stats.average_duration_s is not None:
        parts.append(f"{span(stats.average_duration_s)} on average")
    return f"{plural(stats.total, 'run')} of this source: {', '.join(parts)}."


def _row(found: RunSummary, now: datetime) -> tuple[object, ...]:
    return (
        found.run_id,
        found.source_name,
        found.started_by.value,
        f"{brief(max((now - found.started_at).total_seconds(), 0))} ago",
        "" if found.duration_ms is None else span(found.duration_ms / 1000),
        count(found.items_crawled),
        state_words(found),
    )


def _facts(found: RunDetails, now: datetime) -> Iterator[tuple[str, object]]:
    metrics, progress = found.crawl_metrics, found.progress
    yield "state", state_words(found)
    yield "started", f"{when(found.started_at, now)} by {_STARTED_BY[found.started_by]}"
    if found.cancel_at is not None:
        yield "cancel asked", when(found.cancel_at, now)
    if found.completed_at is not None:
        yield "ended", when(found.completed_at, now)
    if found.duration_ms is not None:
        yield "took", span(found.duration_ms / 1000)
    speed = "" if progress.pages_per_s is None else f", {rate(progress.pages_per_s)} since the start"
    yield "pages", f"{count(progress.pages)}, {count(found.items_indexed)} of them indexed{speed}"
    yield "entries", _entries(found)
    yield "requests", f"{count(progress.requests)}, {count(metrics.get('requests_failed', 0))} failed"
    yield "received", size(metrics.get("bytes_downloaded", 0))
    yield from _answers(metrics)
    if found.job_id is not None:
        yield "job", str(found.job_id)
    yield "id", str(found.id)


def _entries(found: RunDetails) -> str:
    """The entries of a run: how many it has, and what became of them."""
    said = f"{count(found.progress.added)} added, {count(found.progress.settled)} settled"
    if found.progress.waiting:
        said += f", {plural(found.progress.waiting, 'waits', 'wait')}"
    gone = found.crawl_metrics.get("entries", {})
    for name, told in (("dead", "dead"), ("withdrawn", "withdrawn by the cancel")):
        if gone.get(name):
            said += f", {count(gone[name])} {told}"
    return said


def _answers(metrics: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    if statuses := metrics.get("status_codes"):
        yield "answers", _listed(statuses)
    times = metrics.get("response_time_ms")
    if isinstance(times, Mapping) and times.get("avg") is not None:
        fastest, average, slowest = (span(times[name] / 1000) for name in ("min", "avg", "max"))
        yield "answered in", f"{average} on average, {fastest} to {slowest}"
    if errors := metrics.get("error_categories"):
        yield "errors", _listed(errors)
    if dead := metrics.get("dead_reasons"):
        yield "dead", _listed(dead)
    skipped = metrics.get("skipped")
    if isinstance(skipped, Mapping) and any(skipped.values()):
        yield (
            "skipped",
            ", ".join(f"{count(skipped[n])} {told}" for n, told in _SKIPPED.items() if skipped.get(n)),
        )


def _listed(counts: object) -> str:
    """The largest counts: `12 http 404, 3 timeout`."""
    assert isinstance(counts, Mapping)
    return ", ".join(
        f"{count(number)} {words(str(name))}" for name, number in list(counts.items())[:MOST_LISTED]
    )
