"""`/sites/{id}`: redirects, broken URLs and dead links of a site, each in a tab (UI-13 to UI-16)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeVar

from fastapi import Path, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.links.monitor.model import LinkType, StoredLink, StoredLinkStatus
from outrider.links.webhook.model import Delivery
from outrider.redirects.broken_store import BrokenUrl
from outrider.redirects.formats.registry import RedirectFormat
from outrider.redirects.model import RedirectSort, RedirectSource
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.links import LinkDetails, StoredLinkFilter, link_details, list_site_links
from outrider.services.sites.redirects import RedirectDetails, RedirectFilter, list_redirects
from outrider.services.sites.sites import SiteSummary, find_site, show_site
from outrider.services.sites.webhook import list_deliveries
from outrider.sites.model import OwnedSite
from outrider.web.api.v1.broken_urls import BrokenStatusFilter
from outrider.web.api.v1.ids import SiteId
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Db, Paging

router = PageRouter()

Choice = TypeVar("Choice", bound=StrEnum)
SHOWN_DELIVERIES = 10
Text = Annotated[str, Query(max_length=500)]


class SiteTab(StrEnum):
    """A tab of the page of a site."""

    REDIRECTS = "redirects"
    BROKEN = "broken"
    LINKS = "links"
    CREATE = "create"


@dataclass(frozen=True, slots=True)
class SitePage:
    """The page of a site: its figures, and the list of the chosen tab."""

    summary: SiteSummary
    tab: SiteTab
    redirects: ListPage[RedirectDetails] | None = None
    broken: ListPage[BrokenUrl] | None = None
    links: ListPage[StoredLink] | None = None
    deliveries: ListPage[Delivery] | None = None
    search: str = ""
    source: str = ""
    sort: str = ""
    status: str = ""
    kind: str = ""
    ignored: bool = False
    from_path: str = ""
    formats: tuple[str, ...] = tuple(each.value for each in RedirectFormat)
    sources: tuple[RedirectSource, ...] = tuple(RedirectSource)

    @property
    def site(self) -> OwnedSite:
        return self.summary.site

    @property
    def answer(self) -> str:
        """What needs attention, in a sentence."""
        dead, pending = self.summary.dead_links, self.summary.pending_broken_urls
        if not dead and not pending:
            return "Nothing needs attention: no dead link, and no broken URL to review."
        return f"Dead links: {dead:,}. Broken URLs to review: {pending:,}."


@dataclass(frozen=True, slots=True)
class SiteLinkPage:
    """One link with its evidence."""

    site: OwnedSite
    details: LinkDetails


@router.get("/sites/{id}")
async def show_site_page(
    request: Request,
    db: Db,
    paging: Paging,
    id: SiteId,
    tab: SiteTab = SiteTab.REDIRECTS,
    search: Text = "",
    source: Text = "",
    sort: RedirectSort = RedirectSort.FROM_PATH,
    status: Text = "",
    kind: Text = "",
    ignored: bool = False,
    from_path: Annotated[str, Query(alias="from", max_length=8_000)] = "",
) -> Response:
    summary = await show_site(db, id)
    match tab:
        case SiteTab.REDIRECTS:
            wanted = RedirectFilter(_one_of(RedirectSource, source), search or None)
            found = await list_redirects(db, id, wanted, paging, sort)
            page = SitePage(summary, tab, redirects=found, search=search, source=source, sort=sort.value)
        case SiteTab.BROKEN:
            chosen = _one_of(BrokenStatusFilter, status) or BrokenStatusFilter.PENDING
            rows = await list_broken(db, id, paging, chosen.status)
            page = SitePage(summary, tab, broken=rows, status=chosen.value)
        case SiteTab.LINKS:
            shown = StoredLinkFilter(_one_of(StoredLinkStatus, status), _one_of(LinkType, kind), ignored)
            links = await list_site_links(db, summary.site.site_id, shown, paging)
            sent = await list_deliveries(db, id, PageRequest(SHOWN_DELIVERIES))
            page = SitePage(
                summary, tab, links=links, deliveries=sent, status=status, kind=kind, ignored=ignored
            )
        case SiteTab.CREATE:
            page = SitePage(summary, tab, from_path=from_path)
    return render(request, "sites/site.html", page, title=summary.site.name)


@router.get("/sites/{id}/links/{lid}")
async def show_site_link(
    request: Request, db: Db, id: SiteId, lid: Annotated[int, Path(ge=1, le=2**63 - 1)]
) -> Response:
    site = await find_site(db, id)
    page = SiteLinkPage(site, await link_details(db, site.site_id, lid))
    return render(request, "sites/link.html", page, title="Link")


def _one_of(kind: type[Choice], text: str) -> Choice | None:
    """A choice of a filter; an empty or unknown text chooses everything."""
    return kind(text) if text in list(kind) else None
