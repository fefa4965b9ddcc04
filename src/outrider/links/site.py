"""Follow the pages of one site and collect the links on them."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from outrider.errors import InvalidUrl
from outrider.links.checker import LinkChecker
from outrider.links.evidence import Purpose
from outrider.links.files.model import FilePlace
from outrider.urls import normalize, origin_of, path_of, resolve

MOST_LINKS = 200_000
_NO_PAGES = [
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".webp",
    ".ico",
    ".css",
    ".js",
    ".mjs",
    ".pdf",
    ".zip",
    ".gz",
    ".tar",
    ".mp3",
    ".mp4",
    ".webm",
    ".woff",
    ".woff2",
    ".ttf",
    ".xml",
    ".json",
    ".txt",
    ".csv",
    ".xlsx",
    ".docx",
    ".pptx",
    ".exe",
    ".dmg",
    ".epub",
]


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """The links of a site, with the pages that they are on."""

    places: dict[str, list[FilePlace]]
    pages: int


async def site_links(
    checker: LinkChecker,
    start: str,
    *,
    max_pages: int,
    wanted: Callable[[str], bool],
    progress: Callable[[int], None] = lambda _: None,
) -> SiteLinks:
    """Read pages of the origin of `start` in the order in which they are found."""
    start = resolve(start)
    places: dict[str, list[FilePlace]] = {start: []}
    queue, seen, pages = deque([start]), {normalize(start)}, 0
    origins = {origin_of(start)}
    while queue and pages < max_pages:
        address = queue.popleft()
        evidence = await checker.read_page(address)
        page = next((probe for probe in evidence.of(Purpose.LINK) if probe.is_success), None)
        final = page.final_url if page else None
        if page is None or page.page is None or final is None:
            continue
        if address == start:
            origins.add(origin_of(final))  # `example.com` may lead to `www.example.com`
        if origin_of(final) not in origins:
            continue
        pages += 1
        progress(pages)
        for link in page.page.links:
            if not wanted(link) or (link not in places and len(places) >= MOST_LINKS):
                continue
            places.setdefault(link, []).append(FilePlace(final, 0))
            try:
                plain = resolve(link)
            except InvalidUrl:  # it is checked, which says so
                continue
            if origin_of(plain) in origins and _may_be_page(plain) and normalize(plain) not in seen:
                seen.add(normalize(plain))
                queue.append(plain)
    return SiteLinks(places, pages)


def _may_be_page(url: str) -> bool:
    return not path_of(url).partition("?")[0].lower().endswith(tuple(_NO_PAGES))
