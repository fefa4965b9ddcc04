"""Print discovered links and domains."""

from datetime import datetime

from outrider.cli.output import plain, show, table
from outrider.services.paging import ListPage
from outrider.watch.discovery.outside_links import DiscoveredDomain, DiscoveredLink
from outrider.wording import brief, count, plural

_DOMAIN_COLUMNS = ("domain", "score", "links", "sources", "depth", "ok", "html", "last seen", "state", "from")
_LINK_COLUMNS = ("link", "status", "answer", "depth", "found", "on")
_SOURCES_NAMED = 3


def show_domains(found: ListPage[DiscoveredDomain], now: datetime) -> None:
    if not found.items:
        show("No undecided link to another site is recorded.")
        return
    rows = (_domain(each, now) for each in found.items)
    show(table(_DOMAIN_COLUMNS, rows, right=_DOMAIN_COLUMNS[1:7], whole=("last seen",)))
    _tell_rest(len(found.items), found.total, "domain")


def show_links(found: ListPage[DiscoveredLink], now: datetime) -> None:
    if not found.items:
        show("No such link is recorded.")
        return
    rows = (
        (
            each.url,
            each.status,
            each.http_status or "",
            each.depth,
            _ago(each.discovered_at, now),
            each.parent_url or each.source,
        )
        for each in found.items
    )
    show(table(_LINK_COLUMNS, rows, right=("answer", "depth"), whole=("status", "found")))
    _tell_rest(len(found.items), found.total, "link")


def _domain(each: DiscoveredDomain, now: datetime) -> tuple[object, ...]:
    more = len(each.referring) - _SOURCES_NAMED
    named = ", ".join(each.referring[:_SOURCES_NAMED]) + (f" and {more} more" if more > 0 else "")
    return (
        each.domain,
        each.score,
        count(each.links),
        count(each.sources),
        f"{each.depth:.1f}",
        _share(each.ok_ratio),
        _share(each.html_ratio),
        _ago(each.last_seen, now),
        f"{each.state}, watched" if each.is_watched else each.state,
        named,
    )


def _ago(at: datetime, now: datetime) -> str:
    return f"{brief(max((now - at).total_seconds(), 0.0))} ago"


def _share(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.0%}"


def _tell_rest(shown: int, total: int, what: str) -> None:
    if total > shown:
        show(plain(f"{shown} of {plural(total, what)}; --limit and --offset show more."))
