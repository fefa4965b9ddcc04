"""Use cases of sources on a server."""

from outrider.errors import NotFound
from outrider.jobs.reconcile import ReconcileCounts
from outrider.remote.lists import read_list, read_only_item
from outrider.remote.server import Server
from outrider.remote.source_body import body_of
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sources.add import AddedSource, ExploredSite, SiteSearch, explored, watched_already
from outrider.services.sources.edit import EditedSource
from outrider.services.sources.lists import ListedSource, SourceDetails
from outrider.services.sources.sources import ChangedSource, SourceState
from outrider.services.sources.view import SourceView
from outrider.sources.model import Source, SourceFilter
from outrider.sources.source_changes import SourceChanges
from outrider.watch.channels.found import DiscoveryResult
from outrider.watch.source_service import ChangeResult

SOURCES = "/api/v1/sources"


async def list_sources(server: Server, wanted: SourceFilter, page: PageRequest) -> ListPage[ListedSource]:
    """See `services.source_lists.list_sources`."""
    query = {
        "search": wanted.search,
        "enabled": wanted.enabled,
        "mode": wanted.mode,
        "label": wanted.label,
        "feed_active": wanted.feed_active,
        "silent": wanted.silent,
        "failing": wanted.failing,
        "sort_by": wanted.sort,
        "sort_order": "desc" if wanted.descending else "asc",
    }
    return await read_list(server, ListedSource, SOURCES, query, page)


async def show_source(server: Server, named: str) -> SourceDetails:
    """See `services.source_lists.show_source`."""
    return await server.get(SourceDetails, f"{_path(await _find(server, named))}/details")


async def check_unwatched(server: Server, changes: SourceChanges) -> None:
    """See `services.source_add.check_unwatched`."""
    url = changes.as_source().url
    try:
        known = await _find(server, url)
    except NotFound:
        return
    if known.url == url:
        raise watched_already(known)


async def explore_site(server: Server, given: str, changes: SourceChanges, *, proposes: bool) -> ExploredSite:
    """See `services.source_add.explore_site`. The server sends the requests to the site."""
    search = await server.post(SiteSearch, f"{SOURCES}/search", {"url": given, "propose": proposes})
    return explored(changes, search)


async def add_source(
    server: Server,
    changes: SourceChanges,
    found: DiscoveryResult | None,
    *,
    force: bool = False,
    dry_run: bool = False,
) -> AddedSource:
    """See `services.source_add.add_source`."""
    body = body_of(changes) | {"force": force, "dry_run": dry_run}
    if found is not None and found.is_reached:
        body["search_notes"] = found.kept_notes
    made = await server.post(SourceView, SOURCES, body)
    settled = ChangeResult(made.source, tuple(made.changed), tuple(made.notes))
    return AddedSource(changes, settled, found, dry_run)


async def edit_source(
    server: Server, named: str, changes: SourceChanges, *, dry_run: bool = False
) -> EditedSource:
    """See `services.source_edit.edit_source`."""
    path = _path(await _find(server, named))
    done = await server.call(SourceView, "PUT", path, body_of(changes), {"dry_run": dry_run})
    return EditedSource(done.source.name, done.changed, done.notes, dry_run)


async def enable_source(server: Server, named: str) -> ChangedSource:
    """See `services.sources.enable_source`."""
    done = await server.call(SourceView, "PATCH", f"{_path(await _find(server, named))}/enable")
    return ChangedSource(done.source.name, SourceState.ENABLED)


async def disable_source(server: Server, named: str, reason: str) -> ChangedSource:
    """See `services.sources.disable_source`."""
    path = f"{_path(await _find(server, named))}/disable"
    done = await server.call(SourceView, "PATCH", path, {"reason": reason})
    return ChangedSource(done.source.name, SourceState.DISABLED)


async def remove_source(server: Server, named: str) -> ChangedSource:
    """See `services.sources.remove_source`."""
    source = await _find(server, named)
    await server.send("DELETE", _path(source))
    return ChangedSource(source.name, SourceState.REMOVED)


async def sync_jobs(server: Server) -> ReconcileCounts:
    """See `services.jobs.sync_jobs`."""
    return await server.post(ReconcileCounts, "/api/v1/admin/sync-enabled-sources")


async def _find(server: Server, named: str) -> Source:
    return (await read_only_item(server, ListedSource, SOURCES, named)).line.source


def _path(source: Source) -> str:
    return f"{SOURCES}/{source.public_id}"
