"""Whether a crawler kept what it fetched; looked at once its crawl is over and measured."""

import asyncio
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import asyncpg
from benchmarks.site import Site
from selectolax.lexbor import LexborHTMLParser
from tests.support.web import Web

from outrider.db.embedded import EmbeddedPostgres
from outrider.documents.packing import unpack, unpack_links


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    title: str | None
    text: str
    links: list[str]  # as the crawler keeps them, absolute or not


def stored(folder: Path) -> Iterator[Page]:
    """What a crawler left in its folder: we a database, the others lines of JSON or a file for each page."""
    if (data := folder / "crawl").exists():
        for row in asyncio.run(_documents(data)):
            links = [href for href, _ in unpack_links(row["links"])]
            yield Page(row["url"], row["title"], unpack(row["text"]), links)
    for file in folder.glob("pages-*.jsonl"):
        with file.open() as lines:
            yield from (Page(**json.loads(line)) for line in lines)
    for file in folder.glob("pages-*/datasets/default/[0-9]*.json"):
        yield Page(**json.loads(file.read_text()))


async def _documents(data: Path) -> list[asyncpg.Record]:
    with EmbeddedPostgres(data, {}) as server:
        db = await asyncpg.connect(server.dsn)
        try:
            return await db.fetch(
                "SELECT u.url, d.title, packed_text(d.text_id) AS text, d.links "
                "FROM document d JOIN url u USING (host_id, url_hash)"
            )
        finally:
            await db.close()


def check_stored(pages: Iterable[Page], web: Web, site: Site) -> None:
    """Raises unless every page was kept with title, text and links; plain home pages are compared whole."""
    missing = set(web.urls)
    homes = set(web.seeds) if site.has_plain_homes else set()
    for page in pages:
        # Crawlers choose among the titles of a real page.
        is_named = page.title == web.title(page.url) if site.has_plain_homes else bool(page.title)
        if not is_named or not page.text or not page.links:
            raise RuntimeError(f"{page.url} was not stored as it is: {page.title!r}")
        if page.url in homes and _content(page) != _content(_served(page.url, site)):
            raise RuntimeError(f"{page.url} was stored with another text or other links")
        missing.discard(page.url)
    if missing:
        raise RuntimeError(f"{len(web.urls) - len(missing)} of {len(web.urls)} pages were stored")


def _content(page: Page) -> tuple[list[str], set[str]]:
    """Its words in order and where its links lead; crawlers differ in how they write blanks and links."""
    return page.text.split(), {urljoin(page.url, link) for link in page.links}


def _served(home: str, site: Site) -> Page:
    tree = LexborHTMLParser((site.pages / str(urlsplit(home).hostname) / "home").read_bytes())
    links = [str(link.attributes["href"]) for link in tree.css("a[href]")]
    assert tree.body is not None
    return Page(home, None, tree.body.text(), links)
