"""A web of real pages: those of `bench articles`, with links to one another, on as many hosts as wanted.

There are a few hundred such pages. So each is used many times, and the Latin letters of every copy are
exchanged by a table of its own: the copies keep their tags, scripts, word lengths and size, and share no
words. Otherwise a crawl would find thousands of near-duplicates, which the web does not have.
"""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from benchmarks.articles.gather import gather
from benchmarks.articles.report import CACHE
from benchmarks.site import ROBOTS, Site
from tests.support.web import Web

WITHIN_HOST = 0.8  # of the links, as in the synthetic web
ROOM = 1.2  # of the size of the pages, which the disk must have
# What tells a crawler to leave, or that the page is elsewhere or has another title.
_GONE = re.compile(
    r"<base\b[^>]*>|<link\b[^>]*\b(?:canonical|amphtml|next|prev)\b[^>]*>"
    r"|<meta\b[^>]*\b(?:robots|refresh|og:url|og:title|twitter:title)\b[^>]*>",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<title\b[^>]*>.*?</title\s*>", re.IGNORECASE | re.DOTALL)
_HREF = re.compile(r"(<a\b[^>]*?\bhref\s*=\s*)(\"[^\"]*\"|'[^']*'|[^\s>\"']+)", re.IGNORECASE)
_BARE_HREF = re.compile(r"(<a\b[^>]*?\shref)(?=[\s>])(?!\s*=)", re.IGNORECASE)  # without a value
# What is no text: scripts, styles, comments, tags and entities keep their letters.
_NO_TEXT = re.compile(
    r"<(script|style|textarea|noscript)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|&[#\w]+;", re.IGNORECASE | re.DOTALL
)


class NoPages(Exception):
    """The packages that hold the pages cannot be had here."""


def real_pages() -> list[str]:
    """The pages of all packages that can be fetched, as they are."""
    found = gather(CACHE)
    pages = [page.html for collection in found.articles.values() for page in collection]
    pages += [recipe.html for recipe in found.recipes]
    if not pages:
        raise NoPages("; ".join(found.left_out))
    return pages


def render(folder: Path, *, hosts: int, pages_per_host: int, pages: Sequence[str]) -> Site:
    """Write a site of real pages; every page of a host can be reached from its home page."""
    with Web.start(folder / "port", hosts=hosts, pages_per_host=1) as web:  # chooses a port that is free
        addresses, origins, port = web.addresses, web.origins, web.port
    site = Site(folder / "pages", port, origins, pages_per_host, has_plain_homes=False)
    for host, address in enumerate(addresses):
        (folder / "pages" / address / "p").mkdir(parents=True)
        (folder / "pages" / address / "robots.txt").write_text(ROBOTS)
        for page in range(pages_per_host):
            nth = host * pages_per_host + page
            html = copied(pages[nth % len(pages)], nth + 1)  # some of the pages are there twice
            html = linked(html, page, pages_per_host, origins, f"Page {page} of host {host}")
            name = f"p/{page}" if page else "home"
            (folder / "pages" / address / name).write_bytes(html.encode(errors="replace"))
    return site


def copied(html: str, copy: int) -> str:
    """The nth copy of a page; copy 0 is the page itself."""
    if not copy:
        return html
    table = _table(copy)
    parts: list[str] = []
    end = 0
    for other in _NO_TEXT.finditer(html):
        parts += (html[end : other.start()].translate(table), other[0])
        end = other.end()
    return "".join((*parts, html[end:].translate(table)))


def linked(html: str, page: int, pages: int, origins: Sequence[str], title: str) -> str:
    """The page with its own title, and with links to pages of this web in place of its own."""
    hrefs = _targets(page, pages, origins)
    html = _BARE_HREF.sub(r'\1="/"', _GONE.sub("", html))
    html = _HREF.sub(lambda link: f'{link[1]}"{next(hrefs)}"', html)
    named = f"<title>{title}</title>"
    html, found = _TITLE.subn(named, html)  # all of them: comments and drawings have titles, too
    children = [child for child in (2 * page + 1, 2 * page + 2) if child < pages]
    items = "".join(f'<a href="/p/{child}">Page {child}</a> ' for child in children or [0])
    start = "" if found else named
    # The title is also text: letters that are not Latin were not exchanged, and no two pages may be the same.
    return f"{start}{html}\n<nav>{title}: {items.replace('/p/0', '/')}</nav>\n"


def _targets(page: int, pages: int, origins: Sequence[str]) -> Iterator[str]:
    """Where the links of a page lead: four in five stay on the host, and neighbours repeat each other's."""
    nth = 0
    while True:
        target = (page * 31 + 7 + nth) % pages
        path = f"/p/{target}" if target else "/"
        elsewhere = nth % 10 >= WITHIN_HOST * 10
        yield origins[(page + nth) % len(origins)] + path if elsewhere else path
        nth += 1


def _table(copy: int) -> dict[int, str]:
    """A letter for each letter, by the number of the copy."""
    order = "".join(random.Random(copy).sample(ascii_lowercase, len(ascii_lowercase)))
    return str.maketrans(ascii_lowercase + ascii_uppercase, order + order.upper())
