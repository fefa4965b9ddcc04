"""Print links of sites, their checks and their replacements."""

from collections.abc import Sequence

from outrider.cli.output import plain, show, table
from outrider.cli.show.facts import facts
from outrider.links.monitor.model import LinkUpdate, StoredLink
from outrider.services.paging import ListPage
from outrider.services.sites.links import LinkDetails, SavedField
from outrider.wording import plural


def show_links(page: ListPage[StoredLink]) -> None:
    """One line for each link."""
    rows = [
        (link.link_id, link.status, link.source_key, link.url, link.moved_to or link.why or "")
        for link in page.items
    ]
    show(table(("id", "status", "field", "link", "why"), rows, right=("id",), whole=("status",)))
    show(plain(f"{len(rows)} of {plural(page.total, 'link')}"))


def show_saved(saved: SavedField) -> None:
    """The links of a field after it was saved."""
    rows = [(link.link_id, link.status, link.url, link.moved_to or link.why or "") for link in saved.links]
    show(table(("id", "status", "link", "why"), rows, right=("id",), whole=("status",)))
    show(plain(f"{saved.source_key}: {plural(saved.queued, 'check')} queued"))


def show_link(link: StoredLink, verb: str) -> None:
    show(plain(f"link {link.link_id} ({link.url} in {link.source_key}) {verb}"))


def show_details(details: LinkDetails) -> None:
    """The link, then its checks, then its replacements."""
    link = details.link
    lines = [
        ("link", link.url),
        ("field", link.source_key),
        ("status", f"{link.status.value}{' (ignored)' if link.is_ignored else ''}"),
        ("why", link.why or "not checked yet"),
        ("moved to", link.moved_to or "–"),
        ("failing since", f"{link.pending_since:%Y-%m-%d %H:%M} UTC" if link.pending_since else "–"),
        ("edit", link.edit_url or "–"),
    ]
    show(facts(iter(lines)))
    if details.checks:
        rows = [
            (
                f"{check.checked_at:%Y-%m-%d %H:%M}",
                check.verdict,
                check.http_status or "",
                check.why,
            )
            for check in details.checks
        ]
        show(table(("checked", "verdict", "status", "why"), rows, whole=("checked", "verdict")))
    if details.replacements:
        found = [(f"{each.confidence:.2f}", each.url, each.reason) for each in details.replacements]
        show(table(("confidence", "replacement", "why"), found, right=("confidence",)))


def show_update(update: LinkUpdate) -> None:
    show(plain(f"{update.source_key}: {update.url} is to become {update.replacement}"))


def show_updates(updates: Sequence[LinkUpdate]) -> None:
    rows = [(each.link_id, each.source_key, each.url, each.replacement) for each in updates]
    show(table(("link", "field", "from", "to"), rows, right=("link",)))
