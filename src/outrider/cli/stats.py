"""`outrider stats`: show the counters of the database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, print_json, table
from outrider.cli.running import load_settings
from outrider.cli.show.facts import facts
from outrider.cli.use_case import call
from outrider.remote import crawl
from outrider.services.as_json import as_json
from outrider.services.crawl.stats import GROUPS, STATES, DatabaseStats, read_stats
from outrider.wording import count, plural, size, words
from outrider.worker_registry.model import RegisteredWorker


def stats(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show counts of URLs, pages and skipped links."""
    loaded = load_settings(config, data=data)
    found = call(loaded, read_stats, remote=crawl.read_stats)
    if json:
        print_json(as_json(found))
    else:
        _show(found)


def _show(found: DatabaseStats) -> None:
    out = console()
    out.print(facts(_facts(found)))
    rows = ((source, *map(count, states.values())) for source, states in (found.sources or {}).items())
    columns = ("source", *STATES.values())
    out.print(table(columns, rows, right=columns[1:]))
    for name in GROUPS:
        if group := getattr(found, name):
            bars = ((reason, count(value)) for reason, value in _in_order(name, group))
            out.print(table((words(name), "count"), bars, right=("count",)))


def _in_order(name: str, group: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    """Largest first; the buckets of a histogram, `lt_50` to `ge_2000`, in ascending order."""
    if name != "pages_by_words":
        return group.items()
    return sorted(group.items(), key=lambda bar: (int(bar[0][3:]), bar[0].startswith("ge")))


def _facts(found: DatabaseStats) -> Iterator[tuple[str, object]]:
    states = found.states
    yield "URLs", f"{count(sum(states.values()))}: " + ", ".join(f"{count(n)} {s}" for s, n in states.items())
    yield "pages", f"{count(found.pages)} in {plural(found.requests, 'request')}"
    alike = f"{count(found.duplicates)} repeat another, {count(found.near_duplicates)} nearly"
    waiting = f"; {plural(found.uncompared, 'waits', 'wait')} to be compared" if found.uncompared else ""
    yield "documents", f"{count(found.documents)}, of which {alike}{waiting}"
    yield "redirects", count(found.redirects)
    yield "bytes", f"{size(found.bytes)} from the web, {size(found.database_bytes)} of database"
    circuits = f"{count(found.hosts.broken)} with an open circuit"
    yield "hosts", f"{count(found.hosts.leased)} at work, {count(found.hosts.waiting)} waiting, {circuits}"
    names = ", ".join(f"{worker.machine}:{worker.pid}" for worker in found.workers)
    yield "workers", f"{plural(len(found.workers), 'worker')} alive: {names}" if names else "none alive"
    if told := shared_urls_line(found.workers):
        yield "shared", told


def shared_urls_line(workers: Sequence[RegisteredWorker]) -> str | None:
    """How many links workers know from each other through Redis; None if no worker shares them."""
    sharing = [worker.stats for worker in workers if "shared_asked" in worker.stats]
    if not sharing:
        return None
    asked, known, away = (sum(each[f"shared_{it}"] for each in sharing) for it in ("asked", "known", "away"))
    told = f"{count(known)} of {plural(asked, 'link')} known from other workers"
    return f"{told}; Redis is away for {plural(away, 'worker')}" if away else told
