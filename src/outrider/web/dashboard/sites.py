"""`/sites`: which of my sites need attention? Add a site, make a key, remove a site."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.services.paging import ListPage
from outrider.services.sites.sites import (
    SiteBadges,
    SiteRequest,
    SiteSummary,
    SiteWithKey,
    add_site,
    list_site_badges,
    remove_site,
    rotate_key,
    show_site,
)
from outrider.web.api.v1.ids import SiteId
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Db, Paging

router = PageRouter()


@dataclass(frozen=True, slots=True)
class SitesPage:
    """The list of owned sites."""

    sites: ListPage[SiteBadges]

    @property
    def answer(self) -> str:
        """Whether something needs attention, in a sentence."""
        dead = sum(each.dead_links for each in self.sites.items)
        pending = sum(each.pending_broken_urls for each in self.sites.items)
        if not self.sites.items:
            return "Keep old addresses working, and hear of dead links."
        if not dead and not pending:
            return "No dead link, and no broken URL to review."
        return f"Dead links: {dead:,}. Broken URLs to review: {pending:,}."


@dataclass(frozen=True, slots=True)
class SiteKeyPage:
    """A new key, which is shown once."""

    made: SiteWithKey
    is_new: bool


@router.get("/sites")
async def show_sites(request: Request, db: Db, paging: Paging) -> Response:
    return render(request, "sites/sites.html", SitesPage(await list_site_badges(db, paging)), title="Sites")


@router.post("/sites", "site.create", is_secret=True)
async def add_site_by_form(
    request: Request,
    db: Db,
    name: Annotated[str, Form(max_length=63)],
    base_url: Annotated[str, Form(max_length=2_000)],
    hosts: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """The answer is the page itself: the key is shown this once, in no address and no cookie."""
    wanted = SiteRequest(name.strip(), base_url.strip(), hosts.replace(",", " ").split())
    page = SiteKeyPage(await add_site(db, wanted), is_new=True)
    return render(request, "sites/key.html", page, title=page.made.site.name)


@router.post("/sites/{id}/key", "site.key", is_secret=True)
async def rotate_key_by_form(request: Request, db: Db, id: SiteId) -> Response:
    page = SiteKeyPage(await rotate_key(db, id), is_new=False)
    return render(request, "sites/key.html", page, title=page.made.site.name)


@router.get("/sites/{id}/remove", Role.ADMIN)
async def confirm_removal(request: Request, db: Db, id: SiteId) -> Response:
    page: SiteSummary = await show_site(db, id)
    return render(request, "sites/remove.html", page, title=f"Remove {page.site.name}")


@router.post("/sites/{id}/remove", "site.delete")
async def remove_by_form(request: Request, db: Db, id: SiteId) -> Response:
    site = await remove_site(db, id)
    return done(request, "/sites", f"The site {site.name} is removed.")
