"""An owned site for the demo: redirects, broken URLs and dead links, as months of editing leave them."""

from datetime import UTC, datetime, timedelta

import asyncpg

from outrider.redirects.events import ContentEvent, ContentEventKind
from outrider.redirects.monitor import Miss
from outrider.services.sites.content import put_paths, receive_events
from outrider.services.sites.content_links import save_site_field
from outrider.services.sites.redirects import RedirectRequest, create_redirect
from outrider.services.sites.reports import report_hits, report_misses, report_views
from outrider.services.sites.sites import SiteRequest, add_site
from outrider.sites.model import LivePath, PathKind

NAME = "alderford-town"
_BY = "demo"
_PAGES = {
    "/": "Alderford Town",
    "/news/harbour-reopens": "The harbour reopens",
    "/news/market-day": "Market day moves to Saturday",
    "/news/bridge-works": "Works on the old bridge",
    "/events/spring-fair": "Spring fair",
    "/council/members": "Members of the council",
    "/contact": "Contact",
}
_COLLECTIONS = {"/news": "News", "/events": "Events", "/council": "The council"}
_RENAMED = {"/news/market-day": "/news/saturday-market", "/council/members": "/council/people"}
_VIEWS = {"/news/harbour-plan": 420, "/events/autumn-fair": 160, "/council/minutes-2024": 75, "/tickets": 31}
_MISSES = (
    Miss("/news/harbour-plan", 25, "https://press-wire.test/harbour"),
    Miss("/events/autumn-fair", 12),
    Miss("/council/minutes-2024", 7),
)
_FIELDS = {
    "page:home.body": ("/news/harbour-reopens", "/news/market-day", "/events/winter-walk"),
    "news:bridge-works.body": ("/council/people", "/council/tenders", "/contact"),
}


async def add_owned_site(db: asyncpg.Connection, base_url: str) -> None:
    """Add the site with something to see on each of its tabs."""
    site = (await add_site(db, SiteRequest(NAME, base_url))).site
    pages = [LivePath(path, title=title) for path, title in _PAGES.items()]
    collections = [LivePath(path, PathKind.COLLECTION, title) for path, title in _COLLECTIONS.items()]
    await put_paths(db, NAME, [*pages, *collections], _BY)
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    await report_views(db, NAME, _VIEWS, yesterday)
    renamed = [
        ContentEvent(ContentEventKind.RENAMED, path, new_path, title=_PAGES[path])
        for path, new_path in _RENAMED.items()
    ]
    await receive_events(db, NAME, renamed, _BY)
    await create_redirect(db, NAME, RedirectRequest("/mayor", "/council/people"), _BY)
    await create_redirect(db, NAME, RedirectRequest("/lottery", None, 410), _BY)
    await report_hits(db, NAME, {"/news/market-day": 212, "/mayor": 34})
    await report_misses(db, NAME, _MISSES)
    for source_key, links in _FIELDS.items():
        await save_site_field(db, site, source_key, links, f"{base_url}edit/{source_key}")
