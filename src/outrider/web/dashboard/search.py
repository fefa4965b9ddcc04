"""The search box at the top: one text leads to a URL, host, source or job."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from outrider.services.find_anything import (
    LONGEST_QUERY,
    FoundItem,
    FoundItems,
    FoundKind,
    find_anything,
)
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render, render_part
from outrider.web.dependencies import Db

router = PageRouter()

HEADINGS = {
    FoundKind.URL: "URLs",
    FoundKind.HOST: "Hosts",
    FoundKind.SOURCE: "Sources",
    FoundKind.JOB: "Jobs",
}
Typed = Annotated[str, Query(max_length=LONGEST_QUERY)]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The results in groups."""

    found: FoundItems

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[FoundItem]]]:
        kinds = ((title, self.found.of(kind)) for kind, title in HEADINGS.items())
        return [(title, items) for title, items in kinds if items]

    def path_of(self, item: FoundItem) -> str:
        return path_of(item)


@router.get("/search")
async def search(request: Request, db: Db, q: Typed = "") -> Response:
    found = await find_anything(db, q)
    if found.only is not None:
        return RedirectResponse(request.scope.get("root_path", "") + path_of(found.only), 303)
    return render(request, "search/search.html", SearchPage(found), title="Search")


@router.get("/search/suggest")
async def suggest(request: Request, db: Db, q: Typed = "") -> Response:
    """A fragment with the results, for the box itself."""
    return render_part(request, "search/suggestions.html", page=SearchPage(await find_anything(db, q)))


def path_of(item: FoundItem) -> str:
    """The page of a result."""
    if item.kind is FoundKind.URL:
        return f"/urls?{urlencode({'url': item.id})}"
    return f"/{item.kind.value}s/{quote(item.id, safe='')}"
