"""Print sources as text and as JSON."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from outrider.cli.job.report import rhythm
from outrider.cli.output import plain, show, table
from outrider.cli.show.facts import facts
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import EntryKind
from outrider.services.paging import ListPage
from outrider.services.sources.lists import ListedSource, SourceDetails
from outrider.sources.fields import field_values
from outrider.sources.model import (
    BY_OPERATOR,
    ChannelLine,
    Mode,
    RenderMode,
    SourceLine,
)
from outrider.watch.discovery_stats import MethodStats
from outrider.wording import brief, count, plural, when, words

_COLUMNS = ("", "source", "mode", "feeds", "sitemaps", "pages", "queued", "news", "next", "state")
_CHANNELS = ("", "channel", "address", "items", "new", "every", "next", "state")
_LADDER = ("articles found by", "seen", "first", "after publication")
_NOTHING_WATCHED = (
    "Nothing is watched yet. `outrider source add URL` adds a site, `outrider source import FILE` a list."
)
_NONE_FITS = "No watched source matches."
_SHOWN_ELSEWHERE = {"name", "url", "mode", "labels", "selectors", "enabled"}


def show_list(found: ListPage[ListedSource], *, is_narrow: bool) -> None:
    if not found.items:
        show(plain(_NONE_FITS if is_narrow else _NOTHING_WATCHED))
        return
    now, shown = datetime.now(UTC), len(found.items)
    rows = (_row(each.line, now) for each in found.items)
    show(table(_COLUMNS, rows, right=("", *_COLUMNS[3:7]), whole=("mode", "news", "next")))
    if found.total > shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'source')}; --limit and --offset show more."))


def show_details(found: SourceDetails) -> None:
    now, job = datetime.now(UTC), found.job
    show(plain(found.line.source.name, "bold"))
    show(facts([*_facts(found.line, now), *([] if job is None else [("job", rhythm(job, now))])]))
    if found.channels.channels:
        show_channels(found.channels.channels)
    if found.stats_by_method:
        show(table(_LADDER, map(_rung_row, found.stats_by_method), right=_LADDER[1:]))


def show_channels(channels: Sequence[ChannelLine]) -> None:
    if not channels:
        show("It has no feed and no sitemap.")
        return
    now = datetime.now(UTC)
    rows = (_channel_row(channel, now) for channel in channels)
    show(table(_CHANNELS, rows, right=("", "items", "new", "every"), whole=("channel", "next")))


def state_of(listed: SourceLine) -> str:
    """The state of a source, in few words."""
    source = listed.source
    if not source.enabled:
        return f"disabled: {source.disable_reason}"
    if source.held:
        return "suspended by a crawl, until `outrider watch` runs"
    if listed.is_silent:
        return _why_silent(listed)
    if listed.start_leads_to:
        return f"its start page redirects to {listed.start_leads_to}: `source edit --url` follows it"
    if listed.failing:
        return f"{listed.failing} failing: {words(listed.failures or 'unexpected')}"
    if source.mode is not Mode.SPIDER and source.searched_at is None and not listed.feeds + listed.sitemaps:
        return "new: `outrider watch` searches for its feeds"
    return "fine"


def _why_silent(listed: SourceLine) -> str:
    source = listed.source
    if DeadReason.ROBOTS_BLOCKED in (listed.failures, listed.doubts):
        return "its feed is blocked by robots.txt"
    if listed.failures or listed.doubts:
        return f"its feed fails: {words(listed.failures or listed.doubts or '')}"
    if source.search_errors and not source.search_notes:
        return "the search for its feeds is not finished"
    if source.search_errors:
        return f"does not answer, tried {plural(source.search_errors, 'time')}"
    return "no feed or sitemap found: try --mode spider"


def _row(listed: SourceLine, now: datetime) -> tuple[object, ...]:
    source = listed.source
    return (
        source.source_id,
        source.name,
        source.mode.value,
        listed.feeds or "",
        listed.sitemaps or "",
        count(listed.pages),
        count(listed.pending),
        "" if listed.changed_at is None else f"{brief(_age(listed.changed_at, now))} ago",
        _next(listed.next_poll_at, now),
        state_of(listed),
    )


def _facts(listed: SourceLine, now: datetime) -> Iterator[tuple[str, object]]:
    source = listed.source
    yield "address", source.url
    yield "number", f"{source.source_id} ({source.public_id})"
    yield "state", state_of(listed)
    if source.disabled_at:
        yield "since", when(source.disabled_at, now)
    yield "mode", source.mode.value
    if source.labels:
        yield "labels", ", ".join(source.labels)
    for name, text in field_values(source).items():
        if name not in _SHOWN_ELSEWHERE:
            yield name.replace("_", " "), text
    if source.render_mode is RenderMode.DYNAMIC:
        yield "note", "no renderer is configured: pages are read as the server sends them"
    if source.selectors:
        yield "selectors", plural(sum(len(group) for group in source.selectors.values()), "field")
    yield "pages", f"{count(listed.pages)} fetched, {count(listed.pending)} queued"
    yield "documents", f"{count(listed.documents)}, including documents that it shares with other sources"
    yield "added", when(source.created_at, now)
    if source.searched_at:
        yield "searched", f"{when(source.searched_at, now)} for feeds and sitemaps"
    for note in source.search_notes if not listed.feeds + listed.sitemaps else ():
        yield "searched", note


def _channel_row(channel: ChannelLine, now: datetime) -> tuple[object, ...]:
    return (
        channel.channel_id,
        "feed" if channel.kind is EntryKind.FEED else "sitemap",
        channel.url,
        count(channel.items),
        count(channel.new_items),
        brief(channel.interval_s),
        _next(channel.next_poll_at, now),
        channel_state(channel, now),
    )


def channel_state(channel: ChannelLine, now: datetime) -> str:
    if channel.is_blocked_by_robots:
        again = f", looked at again {when(channel.next_poll_at, now)}" if channel.next_poll_at else ""
        return f"{channel.last_error}{again}"
    if channel.disabled_at:
        return f"disabled: {(channel.disable_reason or '').removeprefix(BY_OPERATOR)}"
    if channel.errors:
        return f"{plural(channel.errors, 'error')} in a row: {channel.last_error or channel.error_type}"
    if channel.is_candidate:
        return "not proven yet"
    if channel.polled_at is None:
        return "not asked yet"
    told = ["fine"]
    if channel.changed_at is not None:
        told.append(f"changed {brief(_age(channel.changed_at, now))} ago")
    if channel.pushed_until and channel.pushed_until > now:
        told.append("pushed by its hub")
    if channel.has_more:
        told.append("more of it with every poll")
    if channel.is_cut:
        told.append(f"only its first {count(channel.items)} entries are read")
    return ", ".join(told)


def _rung_row(stats: MethodStats) -> tuple[object, ...]:
    lag = "" if stats.median_lag_s is None else brief(max(stats.median_lag_s, 0.0))
    return stats.way.label, count(stats.seen), count(stats.first), lag


def _next(at: datetime | None, now: datetime) -> str:
    if at is None:
        return ""
    return "now" if at <= now else f"in {brief((at - now).total_seconds())}"


def _age(at: datetime, now: datetime) -> float:
    return max((now - at).total_seconds(), 0.0)
