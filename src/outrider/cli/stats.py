"""`outrider stats`: what was found, kept and left out, from counters alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, print_json, table
from outrider.cli.running import load_settings, run
from outrider.cli.show.facts import facts
from outrider.cli.show.records import record
from outrider.crawl.by_hand.overview import STATES, Overview, overview
from outrider.frontier.stats import WorkerNews
from outrider.wording import count, plural, size, words

_GROUPS = {
    "dead_by_reason": "dead.",
    "requests_by_status": "status.",
    "requests_by_failure": "failure.",
    "skipped_by_reason": "skipped.",
    "pages_by_type": "extract.type.",
    "texts_by_method": "extract.method.",
    "unindexed_by_reason": "extract.skipped.",
    "pages_by_words": "extract.words.",
}
_TOTALS = ("pages", "documents", "duplicates", "near_duplicates", "redirects", "retries", "requests", "bytes")


def stats(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Count what was found, kept and left out."""
    loaded = load_settings(config, data=data)

    async def work() -> Overview:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            return await overview(db)

    look = run(work())
    if json:
        print_json(as_json(look))
    else:
        _show(look)


def as_json(look: Overview) -> dict[str, Any]:
    counts = look.counts
    return {
        "states": states_of(counts),
        **{name: counts[name] for name in _TOTALS},
        "sources": {source: states_of(of) for source, of in look.sources.items()},
        **{name: look.group(prefix) for name, prefix in _GROUPS.items()},
        "hosts": record(look.pulse),
        "workers": [record(worker) for worker in look.workers],
        "uncompared": look.uncompared,
        "database_bytes": look.database_bytes,
    }


def states_of(counts: Mapping[str, int]) -> dict[str, int]:
    """Entries by state."""
    return {shown: counts.get(name, 0) for name, shown in STATES.items()}


def _show(look: Overview) -> None:
    out = console()
    out.print(facts(_facts(look)))
    rows = ((source, *map(count, states_of(of).values())) for source, of in look.sources.items())
    columns = ("source", *STATES.values())
    out.print(table(columns, rows, right=columns[1:]))
    for name, prefix in _GROUPS.items():
        if group := look.group(prefix):
            found = ((reason, count(value)) for reason, value in _in_order(name, group))
            out.print(table((words(name), "count"), found, right=("count",)))


def _in_order(name: str, group: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    """Most first, as it comes; the bars of a histogram, `lt_50` to `ge_2000`, from short to long."""
    if name != "pages_by_words":
        return group.items()
    return sorted(group.items(), key=lambda bar: (int(bar[0][3:]), bar[0].startswith("ge")))


def _facts(look: Overview) -> Iterator[tuple[str, object]]:
    counts = look.counts
    states = states_of(counts)
    yield "URLs", f"{count(sum(states.values()))}: " + ", ".join(f"{count(n)} {s}" for s, n in states.items())
    yield "pages", f"{count(counts['pages'])} in {plural(counts['requests'], 'request')}"
    alike = f"{count(counts['duplicates'])} repeat another, {count(counts['near_duplicates'])} nearly"
    waiting = f"; {plural(look.uncompared, 'waits', 'wait')} to be compared" if look.uncompared else ""
    yield "documents", f"{count(counts['documents'])}, of which {alike}{waiting}"
    yield "redirects", count(counts["redirects"])
    yield "bytes", f"{size(counts['bytes'])} from the web, {size(look.database_bytes)} of database"
    pulse = look.pulse
    circuits = f"{count(pulse.broken)} with an open circuit"
    yield "hosts", f"{count(pulse.leased)} at work, {count(pulse.waiting)} waiting, {circuits}"
    names = ", ".join(f"{worker.machine}:{worker.pid}" for worker in look.workers)
    yield "workers", f"{plural(len(look.workers), 'worker')} alive: {names}" if names else "none alive"
    if told := told_by_others(look.workers):
        yield "shared", told


def told_by_others(workers: Sequence[WorkerNews]) -> str | None:
    """What workers need not look up because they share what they know through Valkey; None if none does."""
    sharing = [worker.stats for worker in workers if "shared_asked" in worker.stats]
    if not sharing:
        return None
    asked, known, away = (sum(each[f"shared_{it}"] for each in sharing) for it in ("asked", "known", "away"))
    told = f"{count(known)} of {plural(asked, 'link')} known from other workers"
    return f"{told}; Valkey is away for {plural(away, 'worker')}" if away else told
