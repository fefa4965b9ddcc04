"""Print entries of the frontier."""

from datetime import UTC, datetime

from outrider.cli.output import console, plain, table
from outrider.services.paging import TotalIs
from outrider.services.urls.lists import MOST_SORTED, ListedUrl
from outrider.services.urls.reason_words import is_broken_link
from outrider.services.urls.urls import UrlPage
from outrider.wording import count, plural, span, words

COLOURS = {"pending": "cyan", "fetched": "green", "dead": "red", "alias": "yellow"}


def show(found: UrlPage, *, is_first: bool = True) -> None:
    """Print a page; one that follows a cursor is not the first, and its place in the list is not known."""
    out, now, offset = console(), datetime.now(UTC), found.offset
    if not found.items:
        out.print("No URL matches." if not offset else "There are fewer URLs than --offset.")
        return
    out.print(
        table(("status", "prio", "when", "URL"), (_row(line, now) for line in found.items), right=("prio",))
    )
    total = (
        plural(found.total, "URL")
        if found.total_is is TotalIs.EXACT
        else f"more than {count(found.total)} URLs"
    )
    place = f"{count(offset + 1)} to {count(offset + len(found.items))}"
    out.print(plain(f"{place if is_first else count(len(found.items))} of {total}."))
    if not found.is_sorted:
        out.print(plain(f"Only the first {count(MOST_SORTED)} matches were sorted: use more filters."))


def _row(line: ListedUrl, now: datetime) -> tuple[object, ...]:
    status = plain("held" if line.held else line.status, COLOURS[line.status])
    return status, line.priority, _when(line, now), "\n".join((line.url, *_remarks(line)))


def _when(line: ListedUrl, now: datetime) -> str:
    """The time of the next fetch, or of the last one."""
    if line.next_fetch_at is not None:
        seconds = (line.next_fetch_at - now).total_seconds()
        return f"in {span(seconds)}" if seconds > 0 else "due"
    return "" if line.last_fetched_at is None else f"{span((now - line.last_fetched_at).total_seconds())} ago"


def _remarks(line: ListedUrl) -> list[str]:
    if line.redirects_to is not None:
        return [f"  leads to {line.redirects_to}"]
    if line.last_error is None:
        return []
    tries = f", {plural(line.retry_count, 'failure')}" if line.retry_count else ""
    where = [f"  on {line.parent_url}"] if line.parent_url and is_broken_link(line.last_error) else []
    return [f"  {words(line.last_error)}{tries}", *where]
